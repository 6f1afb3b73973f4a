#include "interpreter/host/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "interpreter/layers.h"
#include "runtime/results/table.h"

namespace perigee::host {

namespace {

// How many bytes of a colour the text begins with, "\033[1;31m"; 0 = none.
std::size_t colour_at(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != text.npos && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace

std::string harmless(std::string_view text, bool painted) {
  constexpr std::string_view kKept = "\n\t";
  std::string out;
  while (!text.empty()) {
    const std::size_t colour = painted ? colour_at(text) : 0;
    out += text.substr(0, colour);
    text.remove_prefix(colour);
    const std::size_t end =
        painted ? std::min(text.find('\033', colour > 0 ? 0 : 1), text.size()) : text.size();
    out += printable(text.substr(0, end), kKept);
    text.remove_prefix(end);
  }
  return out;
}

bool write_out(std::string_view text, bool painted) {
  std::string clean;
  if (out_is_terminal()) text = clean = harmless(text, painted);
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::ferror(stdout) == 0;
}

void write_error(std::string_view text) {
  std::fflush(stdout);
  const std::string clean = harmless(text);
  std::fwrite(clean.data(), 1, clean.size(), stderr);
  std::fflush(stderr);
}

bool out_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

bool shows_progress() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
}

int terminal_width() {
  constexpr int kDefault = 80, kNarrowest = 40, kWidest = 1000;
  if (!out_is_terminal()) return kDefault;
  int width = 0;
  if (const char* columns = std::getenv("COLUMNS")) width = std::atoi(columns);
  winsize size{};
  if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width <= 0) width = kDefault;
  return std::clamp(width, kNarrowest, kWidest);
}

}  // namespace perigee::host
