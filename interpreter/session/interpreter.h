// One Lua state with perigee's vocabulary, in which one script runs. Several may live side by side, each used
// by one thread at a time; nothing is global.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"
#include "interpreter/session/cell_state.h"
#include "interpreter/session/cells.h"
#include "interpreter/session/claims.h"
#include "interpreter/session/content.h"
#include "interpreter/session/files.h"
#include "interpreter/session/functions.h"
#include "interpreter/session/inputs.h"
#include "interpreter/session/modules.h"
#include "interpreter/session/options.h"
#include "interpreter/session/output.h"
#include "interpreter/session/settings.h"
#include "interpreter/session/surroundings.h"
#include "runtime/kernel/random.h"
#include "runtime/plots/series_looks.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::session {

// Policies and heuristics of the script that take the place of earlier ones of the same name.
struct Redefinitions {
  bool allowed = false;
  std::uint64_t count = 0;
};

class Interpreter : public Guest {
 public:
  // Opens the words in a new state. They are above the session, which is given this function.
  using OpenWords = void (*)(lua_State* L);
  explicit Interpreter(OpenWords words, InterpreterOptions options = {});
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // ScriptError or Stopped when the script fails; Error when the file cannot be read.
  void run_file(const std::string& path);
  void run_text(const std::string& name, const std::string& text);

  static Interpreter& of(lua_State* L) { return static_cast<Interpreter&>(Guest::of(L)); }
  const InterpreterOptions& options() const { return options_; }
  OpenWords open_words() const { return open_words_; }  // for another interpreter with the same words

  Output& output() { return output_; }
  const Output& output() const { return output_; }
  Files& files() { return files_; }
  const Files& files() const { return files_; }
  Settings& settings() { return settings_; }
  const Settings& settings() const { return settings_; }
  Modules& modules() { return modules_; }
  Inputs& inputs() { return inputs_; }
  const Inputs& inputs() const { return inputs_; }
  CellState& cell() { return cell_; }
  const CellState& cell() const { return cell_; }
  Catalogue& catalogue() { return catalogue_; }
  Redefinitions& redefinitions() { return redefinitions_; }
  const Redefinitions& redefinitions() const { return redefinitions_; }
  std::vector<Claim>& claims() { return claims_; }  // so far
  const std::vector<Claim>& claims() const { return claims_; }
  std::vector<Publication>& publications() { return publications_; }  // whose statements are declared so far
  const std::vector<Publication>& publications() const { return publications_; }
  // Whether the command line asked for the full form of a study, --set full=true.
  bool full() const;
  Stream& script_stream() { return stream_; }  // the stream of math.random
  Traces& traces() { return traces_; }
  WordsInFunctions& words_in_functions() { return words_in_functions_; }
  Contents& contents() { return contents_; }
  plots::SeriesLooks& series_looks() { return series_looks_; }  // of the series in the figures of the script

  // ---- scopes

  // While an object of this class lives, the script is called by a run or a generator. Its results must not
  // depend on numbers that were drawn before.
  class InRun {
   public:
    explicit InRun(Interpreter& interpreter) : interpreter_(interpreter) { ++interpreter_.in_run_; }
    ~InRun() {
      if (--interpreter_.in_run_ == 0) interpreter_.leave_run();
    }
    InRun(const InRun&) = delete;
    InRun& operator=(const InRun&) = delete;

   private:
    Interpreter& interpreter_;
  };
  // Called when a run or a heuristic ends, also by an error. Notes the values outside of `self` that
  // callbacks have changed.
  void leave_run() noexcept;
  bool in_run() const { return in_run_ > 0; }

  // While an object of this class lives, a native run is under way. The run looks at interrupts itself.
  class Advancing {
   public:
    explicit Advancing(Interpreter& interpreter) : interpreter_(interpreter) { ++interpreter_.advancing_; }
    ~Advancing() {
      --interpreter_.advancing_;
      interpreter_.output_.progress(nullptr);
    }
    Advancing(const Advancing&) = delete;
    Advancing& operator=(const Advancing&) = delete;

   private:
    Interpreter& interpreter_;
  };

  // While an object of this class lives, callbacks repeat earlier work. Nothing is printed or saved. Neither
  // steps nor looks are counted, because the amount of repeated work depends on the places of keyframes.
  class Repeating {
   public:
    explicit Repeating(Interpreter& interpreter);
    ~Repeating();
    Repeating(const Repeating&) = delete;
    Repeating& operator=(const Repeating&) = delete;

   private:
    Interpreter& interpreter_;
    Uncounted uncounted_;
    std::uint64_t looks_, stop_at_;
    Output::Repeating silent_;
  };

  // While an object of this class lives, the script computes a cell. The cell has random numbers and steps of
  // its own, and is silent unless it is `shown`.
  class InCell {
   public:
    InCell(Interpreter& interpreter, std::uint64_t seed, bool shown);
    ~InCell();
    InCell(const InCell&) = delete;
    InCell& operator=(const InCell&) = delete;

   private:
    Interpreter& interpreter_;
    OwnSteps own_steps_;
    Stream stream_;
    std::uint64_t outcomes_;
  };

  // ---- experiments

  // Who computes the cells of the script; null while nobody does.
  Cells* cells() const { return options_.worker_of != nullptr ? options_.worker_of : cells_.get(); }
  void set_cells(std::unique_ptr<Cells> cells) { cells_ = std::move(cells); }
  std::size_t next_experiment() { return experiments_++; }
  bool keeps_cells() const;
  // See Cells::failed.
  std::string failed_cells() const { return cells_ ? cells_->failed() : std::string(); }
  // Notes the reads from which an object was made that the cell is given.
  void note_reads(const values::Reads& reads);
  const std::string& script_file() const { return script_file_; }  // empty when the script is no file
  // Hash of everything that a cell can depend on besides its factors and seed: version, script, modules,
  // settings, the script's seed, and the files that were looked for so far.
  std::string context() const;
  // The same without the files; comments and blank space of the texts do not count.
  std::string texts() const;

  // ---- the results of the script

  // Whether saved files are written: not in silence, nor in a replay. To be asked once for all files of a
  // call, because it counts the work of writing them, in any case.
  bool writes() {
    constexpr std::uint64_t kStepsOfWriting = 20'000;
    count(kStepsOfWriting);
    return !output_.silent() && !options_.on_outcome;
  }
  std::uint64_t next_outcome(const Outcome& outcome);   // the outcome's ordinal
  std::uint64_t outcomes() const { return outcomes_; }  // so far
  // Ends the script here, without an error.
  [[noreturn]] void end_script() {
    done_ = true;
    stop("done", "nothing more is wanted");
  }
  bool done() const { return done_; }  // nothing more is wanted of the script

 private:
  void open();

  OpenWords open_words_;
  InterpreterOptions options_;
  CellState cell_;
  Output output_;
  Files files_;
  Settings settings_;
  Modules modules_;
  Inputs inputs_;
  Catalogue catalogue_;
  Redefinitions redefinitions_;
  std::vector<Claim> claims_;
  std::vector<Publication> publications_;
  Stream stream_;
  Traces traces_;
  WordsInFunctions words_in_functions_;
  Contents contents_;
  plots::SeriesLooks series_looks_;
  std::unique_ptr<Cells> cells_;
  std::size_t experiments_ = 0;  // those that the script has come to
  int in_run_ = 0;
  std::uint64_t outcomes_ = 0;
  bool done_ = false;
  std::string script_file_;
};

}  // namespace perigee::session
