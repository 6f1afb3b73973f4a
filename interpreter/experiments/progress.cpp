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

#include "interpreter/bindings/runs.h"
#include "interpreter/experiments/coordinator.h"
#include "interpreter/line_editor.h"

namespace perigee {

namespace {

// "40 s", "3 min", "2.5 h"
std::string rough_time(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

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
      std::fflush(stdout);  // what was printed comes before
    } else if (now - state.last < std::chrono::milliseconds(200)) {
      return;
    }
    state.last = now;
    std::string line =
        fmt::format("{}: {} of {} cells done", progress->experiment, progress->done, progress->total);
    if (progress->stored > 0) line += fmt::format(", {} of them stored before", progress->stored);
    if (progress->failed > 0) line += fmt::format(", {} failed", progress->failed);
    if (const std::size_t computed = progress->done - state.first; computed > 0) {
      const double seconds = std::chrono::duration<double>(now - *state.begin).count();
      const auto left = static_cast<double>(progress->total - progress->done);
      line += fmt::format(", about {} left", rough_time(seconds * left / static_cast<double>(computed)));
    }
    line += progress->kept ? "; Ctrl-C keeps what is done" : "; Ctrl-C stops";
    line.resize(std::min(line.size(), static_cast<std::size_t>(lua::terminal_width()) - 1));
    std::fputs(("\r\x1b[K" + line).c_str(), stderr);
    std::fflush(stderr);
  };
}

}  // namespace perigee
