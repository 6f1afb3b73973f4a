#include "interpreter/session/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "interpreter/host/terminal.h"
#include "runtime/kernel/error.h"

namespace perigee::session {

int Output::width() const { return options_.output || !out_is_terminal() ? 0 : terminal_width(); }

void Output::print(std::string_view text, bool painted) {
  if (options_.check || silent()) return;
  if (options_.audience != nullptr) options_.audience->printed(text);
  write(text, painted);
}

void Output::show(std::string_view text, bool painted, const std::function<pages::Item()>& item) {
  if (options_.check || silent()) return;
  if (options_.audience != nullptr) options_.audience->shown(item(), text);
  if (!text.empty()) write(text, painted);
}

void Output::claim(std::string_view line, const std::function<pages::Judgement()>& item) {
  if (options_.check || silent()) return;
  if (options_.audience != nullptr) options_.audience->claimed(item(), line);
  write(line, false);
}

void Output::write(std::string_view text, bool painted) {
  progress(nullptr);
  ++printed_;
  if (options_.output)
    options_.output(text);
  else if (!write_out(text, painted))
    fail("unwritable", "standard output cannot be written: {}", std::strerror(errno));
}

void Output::warn(std::string_view line, std::string_view summary, std::uint64_t count) {
  if (cell_.under_way() && !cell_.shown() && repeating_ == 0) cell_.keep_warning(summary, count);
  if (silent()) return;
  progress(nullptr);
  if (options_.audience != nullptr) options_.audience->warned(line);
  if (options_.warnings)
    options_.warnings(line);
  else
    write_error(fmt::format("warning: {}\n", line));
}

void Output::warn_once(const std::string& line) {
  cell_.note_warning(line);
  if (repeating_ > 0 || (!cell_.under_way() && silent())) return;
  if (cell_.is_new(line)) warn(line);
}

void Output::progress(const Simulation* simulation) {
  if (!options_.on_progress || (simulation == nullptr && !shows_progress_) || apart()) return;
  shows_progress_ = simulation != nullptr;
  options_.on_progress(simulation);
}

}  // namespace perigee::session
