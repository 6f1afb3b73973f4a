#include "interpreter/experiments/progress_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "interpreter/experiments/lock.h"

namespace perigee::experiments {

namespace {

using nlohmann::ordered_json;

constexpr double kBetweenWrites = 1;                   // seconds
constexpr std::uintmax_t kLargestProgress = 10 << 20;  // bytes

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ordered_json optional_number(const std::optional<double>& x) {
  return x && std::isfinite(*x) ? ordered_json(std::round(*x * 1000) / 1000) : ordered_json();
}

void append_experiment(ordered_json& json, const ProgressState::Experiment& experiment) {
  json["experiment"] = experiment.name;
  json["cells"] = experiment.cells;
  json["done"] = experiment.done;
  json["stored"] = experiment.stored;
  json["failed"] = experiment.failed;
}

// Error of the JSON library when something lacks or is of another type.
ProgressState::Experiment experiment_of(const ordered_json& json) {
  return {json.at("experiment"), json.at("cells"), json.at("done"), json.at("stored"), json.at("failed")};
}

// The whole of it, or nothing of it: whoever reads at that time finds the file before or after.
bool write_whole(const std::string& path, const std::string& text) {
  const std::string fresh = path + "-new";
  const int file =
      ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (file < 0) return false;
  const bool is_written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool is_closed = ::close(file) == 0;
  if (is_written && is_closed && std::rename(fresh.c_str(), path.c_str()) == 0) return true;
  ::unlink(fresh.c_str());
  return false;
}

}  // namespace

std::string ProgressState::text() const {
  ordered_json json;
  append_experiment(json, now);
  json["cells_per_second"] = optional_number(cells_per_second);
  json["workers"] = workers;
  json["seconds"] = optional_number(seconds);
  json["left_seconds"] = optional_number(left_seconds);
  json["state"] = state;
  json["pid"] = pid;
  json["host"] = host;
  json["started"] = started;
  json["updated"] = updated;
  json["earlier"] = ordered_json::array();
  for (const Experiment& each : earlier) append_experiment(json["earlier"].emplace_back(), each);
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::optional<ProgressState> ProgressState::of(std::string_view text) {
  try {
    const ordered_json json = ordered_json::parse(text);
    const auto optional = [&](const char* name) {
      const ordered_json& value = json.at(name);
      return value.is_null() ? std::nullopt : std::optional(value.get<double>());
    };
    ProgressState state;
    state.now = experiment_of(json);
    for (const auto& each : json.at("earlier")) state.earlier.push_back(experiment_of(each));
    state.cells_per_second = optional("cells_per_second");
    state.workers = json.at("workers");
    state.seconds = json.at("seconds");
    state.left_seconds = optional("left_seconds");
    state.state = json.at("state");
    state.pid = json.at("pid");
    state.host = json.at("host");
    state.started = json.at("started");
    state.updated = json.at("updated");
    return state;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::optional<ProgressState> ProgressState::in(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder) / kProgressFile;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) ||
      std::filesystem::file_size(path, error) > kLargestProgress)
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return of(text);
}

ProgressFile::ProgressFile(std::string folder, std::function<double()> clock)
    : folder_(std::move(folder)), clock_(clock ? std::move(clock) : steady_seconds) {
  std::error_code error;
  const bool is_there = std::filesystem::exists(
      std::filesystem::symlink_status(std::filesystem::path(folder_) / kProgressFile, error));
  is_ours_ = !is_there || ProgressState::in(folder_).has_value();
  state_.pid = ::getpid();
  state_.host = host_name();
  state_.started = utc_now();
}

ProgressFile::~ProgressFile() {
  if (is_begun_) write(end_);
}

void ProgressFile::update(const CellProgress& progress) {
  const double now = clock_();
  const bool is_first = !is_begun_ || state_.now.name != progress.experiment;
  if (is_first) {
    if (is_begun_) state_.earlier.push_back(state_.now);
    is_begun_ = true;
    begin_ = now;
    first_ = progress.done;
  }
  if (is_first) state_.now.name = progress.experiment;
  state_.now.cells = progress.total;
  state_.now.done = progress.done;
  state_.now.stored = progress.stored;
  state_.now.failed = progress.failed;
  state_.workers = progress.workers;
  if (!is_first && now - written_ < kBetweenWrites) return;
  written_ = now;
  write("running");
}

void ProgressFile::end_experiment(std::string_view state) {
  end_ = state;
  if (!is_begun_) return;
  write(state == "complete" ? "running" : state);  // the run may go on
}

void ProgressFile::write(std::string_view state) {
  if (!is_ours_) return;
  const auto computed = static_cast<double>(state_.now.done - std::min(first_, state_.now.done));
  state_.seconds = clock_() - begin_;
  state_.cells_per_second.reset();
  state_.left_seconds.reset();
  if (computed > 0 && state_.seconds > 0) {
    state_.cells_per_second = computed / state_.seconds;
    const std::uint64_t left = state_.now.cells - std::min(state_.now.done, state_.now.cells);
    state_.left_seconds = static_cast<double>(left) / *state_.cells_per_second;
  }
  state_.state = state;
  state_.updated = utc_now();
  write_whole((std::filesystem::path(folder_) / kProgressFile).string(), state_.text());
}

}  // namespace perigee::experiments
