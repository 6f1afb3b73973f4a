// The cell of an experiment that the script computes, and everything on which its outcome depends.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/session/cells.h"
#include "interpreter/values/reads.h"

namespace perigee::session {

class CellState {
 public:
  explicit CellState(std::uint64_t seed_of_script) : seed_of_script_(seed_of_script) {}

  // A cell begins and ends. `shown`: what it prints and warns of is shown.
  void begin(std::uint64_t seed, bool shown);
  void end() { seed_.reset(); }

  bool under_way() const { return seed_.has_value(); }
  bool shown() const { return shown_; }  // meaningful in a cell
  // Its number among the cells computed here, from 1; 0 = none is under way.
  std::uint64_t number() const { return under_way() ? begun_ : 0; }
  // The seed of runs and streams that name none: the cell's, or the script's.
  std::uint64_t seed() const { return seed_.value_or(seed_of_script_); }

  // Names of the files and settings that the cell has looked for so far, and the seeds that it has named in
  // place of its own. Outside of cells, they are those of the script.
  const values::Reads& reads() const { return reads_; }
  void note_file(const std::string& name) { reads_.files.insert(name); }
  void note_setting(const std::string& name) { reads_.settings.insert(name); }
  void note_seed(std::uint64_t seed) {
    if (seed != this->seed()) reads_.seeds.insert(seed);
  }
  void note_warning(const std::string& line) { reads_.warnings.insert(line); }  // one that is given once
  // Notes the reads from which an object was made that the cell is given.
  void add(const values::Reads& reads) { reads_.add(reads); }
  // While an object of this class lives, reads are collected for one thing that is made. At its end the
  // earlier reads of the cell are added to them again.
  class Reading {
   public:
    explicit Reading(CellState& cell) : cell_(cell), before_(std::exchange(cell.reads_, {})) {}
    ~Reading() { cell_.reads_.add(before_); }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    const values::Reads& reads() const { return cell_.reads_; }

   private:
    CellState& cell_;
    values::Reads before_;
  };

  // The warnings that a silent cell would have printed.
  const std::vector<CellWarning>& warnings() const { return warnings_; }
  // Keeps one; `count`: how often its subject occurred.
  void keep_warning(std::string_view summary, std::uint64_t count);

  // Whether the line is asked about for the first time, in this cell or outside of cells.
  bool is_new(const std::string& line);

  // note_incomplete: a run of the cell ended with work left. note_status_read: the script looks how its runs
  // stand.
  void note_incomplete(std::string text) {
    if (under_way() && incomplete_.empty()) incomplete_ = std::move(text);
  }
  void note_status_read() { status_read_ = true; }
  // note_early: the cell has measured the result of a run that had not ended.
  void note_early(std::string text) {
    if (under_way() && early_.empty()) early_ = std::move(text);
  }
  const std::string& incomplete() const { return incomplete_; }
  const std::string& early() const { return early_; }
  bool status_read() const { return status_read_; }

 private:
  std::uint64_t seed_of_script_;
  std::uint64_t begun_ = 0;
  std::optional<std::uint64_t> seed_;
  bool shown_ = false;
  values::Reads reads_;
  std::vector<CellWarning> warnings_;
  std::set<std::string> warned_, warned_in_cell_;
  std::string incomplete_, early_;
  bool status_read_ = false;
};

}  // namespace perigee::session
