// The file DIR/progress.json, which says how far a run is while it goes on and after it was killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/session/cells.h"

namespace perigee::experiments {

inline constexpr const char* kProgressFile = "progress.json";

// The contents of the file. docs/experiments.md describes it.
struct ProgressState {
  struct Experiment {
    std::string name;
    std::uint64_t cells = 0, done = 0, stored = 0, failed = 0;  // done: with those stored before and failed
  };
  Experiment now;
  std::vector<Experiment> earlier = {};    // those that the run has done before
  std::optional<double> cells_per_second;  // since this experiment began
  std::uint64_t workers = 0;
  double seconds = 0;  // since this experiment began
  std::optional<double> left_seconds;
  std::string state;  // "running", "complete", "interrupted" or "failed"
  std::int64_t pid = 0;
  std::string host, started, updated;  // times as 2026-01-31T12:00:00Z

  std::string text() const;  // as JSON
  // Nothing when the text is not perigee's.
  static std::optional<ProgressState> of(std::string_view text);
  // The file of a folder; nothing when there is none, or it is not perigee's.
  static std::optional<ProgressState> in(const std::string& folder);
};

// Writes the file, at most once a second besides the begin and end of each experiment and of the run. It
// never fails: where the file cannot be written it is left as it is. So it is when it is not perigee's.
class ProgressFile {
 public:
  // `clock` gives seconds.
  explicit ProgressFile(std::string folder, std::function<double()> clock = {});
  ~ProgressFile();  // the run has ended
  ProgressFile(const ProgressFile&) = delete;
  ProgressFile& operator=(const ProgressFile&) = delete;

  // Now it is so; another name begins an experiment.
  void update(const CellProgress& progress);
  // The experiment is over, or was left in this state, which is then that of the run.
  void end_experiment(std::string_view state = "complete");

 private:
  void write(std::string_view state);

  std::string folder_;
  std::function<double()> clock_;
  bool is_ours_ = true;
  bool is_begun_ = false;
  ProgressState state_;
  std::string end_ = "complete";
  double begin_ = 0, written_ = 0;
  std::uint64_t first_ = 0;  // done when the experiment began
};

}  // namespace perigee::experiments
