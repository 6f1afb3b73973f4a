#include "interpreter/experiments/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/host/terminal.h"

namespace perigee::experiments {

std::string rough_time(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string reached_text(std::string_view experiment, const Reached& reached) {
  std::string line = fmt::format("{}: {} of {} cells done", experiment, reached.done, reached.cells);
  if (reached.failed > 0) line += fmt::format(", {} failed", reached.failed);
  if (reached.stored > 0) line += fmt::format(", {} stored before", reached.stored);
  if (reached.rate > 0)
    line += reached.rate >= 9.5 ? fmt::format(", {:.0f} cells/s", reached.rate)
                                : fmt::format(", {:.2g} cells/s", reached.rate);
  if (reached.workers > 0)
    line += fmt::format(", {} worker{}", reached.workers, reached.workers == 1 ? "" : "s");
  if (reached.left > 0) line += fmt::format(", about {} left", rough_time(reached.left));
  return line;
}

std::string reached_text(const CellProgress& progress, std::size_t first, double seconds) {
  Reached reached{progress.total, progress.done, progress.failed, progress.stored, progress.workers};
  if (progress.done > first && progress.total > progress.done && seconds > 0) {
    reached.rate = static_cast<double>(progress.done - first) / seconds;
    reached.left = static_cast<double>(progress.total - progress.done) / reached.rate;
  }
  return reached_text(progress.experiment, reached);
}

std::function<void(const CellProgress*)> cells_log(std::function<double()> clock,
                                                   std::function<void(const std::string&)> write) {
  struct State {
    std::optional<double> begin;
    double last = 0;
    std::size_t first = 0;
  };
  return [state = State{}, clock = std::move(clock),
          write = std::move(write)](const CellProgress* progress) mutable {
    if (progress == nullptr) {
      state = {};
      return;
    }
    const double now = clock();
    if (!state.begin) {
      state = {now, now, progress->done};
      return;
    }
    constexpr double kLeast = 60;
    if (now - state.last < std::max(kLeast, (now - *state.begin) / 10)) return;
    state.last = now;
    write(fmt::format("{} after {}\n", reached_text(*progress, state.first, now - *state.begin),
                      rough_time(now - *state.begin)));
  };
}

std::function<void(const CellProgress*)> cells_log() {
  const auto clock = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  return cells_log(clock, [](const std::string& line) {
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
  });
}

std::function<void(const CellProgress*)> cells_line() {
  using Clock = std::chrono::steady_clock;
  if (!shows_progress()) return {};
  struct State {
    std::optional<Clock::time_point> begin;
    Clock::time_point last;
    std::size_t first = 0;
  };
  return [state = State{}](const CellProgress* progress) mutable {
    if (progress == nullptr) {
      if (state.begin) std::fputs("\r\x1b[K", stderr);
      state = {};
      return;
    }
    const auto now = Clock::now();
    const bool is_first = !state.begin;
    if (is_first) {
      state.begin = now;
      state.first = progress->done;
      std::fflush(stdout);  // printed text comes before the line
    } else if (now - state.last < std::chrono::milliseconds(200)) {
      return;
    }
    state.last = now;
    std::string line =
        reached_text(*progress, state.first, std::chrono::duration<double>(now - *state.begin).count());
    const std::string_view hint = progress->kept ? "; Ctrl-C keeps what is done" : "; Ctrl-C stops";
    const auto width = static_cast<std::size_t>(terminal_width()) - 1;
    if (line.size() + hint.size() <= width) line += hint;
    line.resize(std::min(line.size(), width));
    std::fputs(("\r\x1b[K" + harmless(line)).c_str(), stderr);
    std::fflush(stderr);
  };
}

}  // namespace perigee::experiments
