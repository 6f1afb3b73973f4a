#include "interpreter/experiments/status.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>

#include "interpreter/experiments/lock.h"
#include "interpreter/experiments/progress.h"
#include "interpreter/experiments/progress_file.h"
#include "interpreter/experiments/store.h"
#include "runtime/kernel/error.h"

namespace perigee::experiments {

namespace {

namespace fs = std::filesystem;

constexpr double kSilence = 60;  // seconds after which it is said that nothing has changed

// An experiment of one folder, or of several.
struct ExperimentState : Reached {
  bool is_counted = false;  // all that is known is how many cells are stored
};

struct FolderState {
  std::vector<std::pair<std::string, ExperimentState>> experiments;
  std::string state;   // "running"
  std::string detail;  // "process 1234 on host n07"
};

std::string state_line(const FolderState& folder) {
  return folder.detail.empty() ? folder.state : fmt::format("{}: {}", folder.state, folder.detail);
}

std::string experiment_line(const std::string& name, const ExperimentState& experiment) {
  if (experiment.is_counted)
    return fmt::format("{}: {} cell{} stored", name, experiment.cells, experiment.cells == 1 ? "" : "s");
  return reached_text(name, experiment);
}

// Seconds since a time as the file has it; nothing when it cannot be read.
std::optional<double> seconds_since(const std::string& text) {
  std::tm time = {};
  if (::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time) == nullptr) return std::nullopt;
  return std::difftime(std::time(nullptr), ::timegm(&time));
}

FolderState state_of_run(const std::string& path, const ProgressState& progress,
                         const std::optional<LockHolder>& holder) {
  FolderState folder;
  for (const ProgressState::Experiment& each : progress.earlier)
    folder.experiments.emplace_back(each.name,
                                    ExperimentState{{each.cells, each.done, each.failed, each.stored}});
  ExperimentState now{{progress.now.cells, progress.now.done, progress.now.failed, progress.now.stored}};
  const bool is_running = progress.state == "running" && holder;
  if (is_running) {
    now.rate = progress.cells_per_second.value_or(0);
    now.left = progress.left_seconds.value_or(0);
    now.workers = progress.workers;
  }
  folder.experiments.emplace_back(progress.now.name, now);
  if (holder) {
    folder.state = is_running ? "running" : "in use";
    folder.detail = holder->text();
    const auto silence = is_running ? seconds_since(progress.updated) : std::nullopt;
    if (silence && *silence > kSilence)
      folder.detail += fmt::format(", nothing new for {}", rough_time(*silence));
  } else if (progress.state == "running" && ::access((fs::path(path) / kLockFile).c_str(), R_OK) != 0 &&
             errno == EACCES) {
    folder.state = "not known whether it runs";
    folder.detail = "its lock cannot be read";
  } else if (progress.state == "running") {
    folder.state = "ended without a word (killed?)";
    folder.detail = "the same command goes on";
  } else {
    folder.state = progress.state;
    if (progress.state == "interrupted") folder.detail = "the same command goes on";
    if (progress.state == "failed") folder.detail = "the run ended by an error";
  }
  return folder;
}

// The cells of the latest state of the script, by experiment.
FolderState state_of_store(const std::string& path) {
  FolderState folder{{}, "not run here", ""};
  try {
    const FolderLock lock(path, FolderLock::Kind::reading);
    Archive archive = open_for_reading(path);
    std::map<std::string, std::int64_t> latest;
    const Statement keys = archive.database().prepare("SELECT experiment, number FROM keys ORDER BY entered");
    for (sqlite3_stmt* row = keys.get(); archive.database().step(row);)
      latest[std::string(text_at(row, 0))] = number_at(row, 1);
    for (const auto& [name, key] : latest) {
      ExperimentState counted;
      counted.cells = counted.done = archive.cells_of(key);
      counted.is_counted = true;
      folder.experiments.emplace_back(name, counted);
    }
  } catch (const Error& error) {
    folder.state = error.diagnostic().message;
  }
  return folder;
}

FolderState state_of_folder(const std::string& path) {
  std::error_code error;
  const bool has_store = fs::exists(fs::path(path) / kStoreFile, error);
  const auto progress = ProgressState::in(path);
  if (!has_store && !progress)
    fail("no_results", "{} is no results folder of experiments: it has neither {} nor {}", path, kStoreFile,
         kProgressFile);
  const auto holder = FolderLock::holder(path);
  if (progress) return state_of_run(path, *progress, holder);
  if (holder) return {{}, "in use", holder->text()};
  return state_of_store(path);
}

// Sums of several folders.
class Sums {
 public:
  void add(const FolderState& folder) {
    ++states_[folder.state];
    for (const auto& [name, experiment] : folder.experiments) {
      ExperimentState& sum = experiments_[name];
      sum.cells += experiment.cells;
      sum.done += experiment.done;
      sum.failed += experiment.failed;
      sum.stored += experiment.stored;
      sum.workers += experiment.workers;
      sum.rate += experiment.rate;
      sum.left = std::max(sum.left, experiment.left);
    }
  }
  std::string text() const {
    std::string text = "together:\n";
    for (const auto& [name, sum] : experiments_) text += experiment_line(name, sum) + "\n";
    std::vector<std::string> states;
    for (const auto& [state, count] : states_) states.push_back(fmt::format("{} {}", count, state));
    return text + fmt::format("folders: {}\n", fmt::join(states, ", "));
  }

 private:
  std::map<std::string, ExperimentState> experiments_;
  std::map<std::string, std::size_t> states_;
};

}  // namespace

Status status_of(const std::vector<std::string>& folders) {
  Status status;
  Sums sums;
  for (const std::string& path : folders) {
    FolderState folder;
    try {
      folder = state_of_folder(path);
    } catch (const Error& error) {
      status.wrong.push_back(error.diagnostic().message);
      continue;
    }
    std::vector<std::string> lines;
    for (const auto& [name, experiment] : folder.experiments)
      lines.push_back(experiment_line(name, experiment));
    if (folder.state != "not run here" || lines.empty()) lines.push_back(state_line(folder));
    if (folders.size() == 1)
      status.text += fmt::format("{}\n", fmt::join(lines, "\n"));
    else
      status.text += fmt::format("{}: {}\n", path, fmt::join(lines, "; "));
    sums.add(folder);
  }
  if (folders.size() > 1 && status.wrong.size() < folders.size()) status.text += sums.text();
  return status;
}

}  // namespace perigee::experiments
