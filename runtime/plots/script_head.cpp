// Title, key and note of figures in gnuplot's language.
#include <algorithm>

#include "runtime/plots/script.h"

namespace perigee::plots {

std::size_t GnuplotScript::columns_of_key() const {
  double widest = 0;
  for (const Series& series : key_series(figure_))
    widest = std::max(widest, kKeySample + kKeyLetter * static_cast<double>(code_points(series.name)));
  return std::max<std::size_t>(1, static_cast<std::size_t>(key_width() / widest));
}

std::vector<std::string> GnuplotScript::note_lines(const std::string& note) const {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> lines;
  if (note.empty()) return lines;
  const auto most = static_cast<std::size_t>(std::max(20.0, head_width() / (kOfFont * kNote)));
  for (std::size_t at = 0; at < note.size();) {
    const std::size_t end = std::min(note.find(' ', at), note.size());
    const std::string word = note.substr(at, end - at);
    const bool fits = !lines.empty() && code_points(lines.back()) + 1 + code_points(word) <= most;
    if (fits || lines.size() == kMost)
      lines.back() += " " + word;
    else
      lines.push_back(word);
    at = end + 1;
  }
  for (std::string& one : lines) one = shortened(one, static_cast<double>(most));
  return lines;
}

void GnuplotScript::head() {
  double top = 8;
  const auto screen = [&](double pixels) { return format_number(1 - pixels / figure_.height); };
  const auto label = [&](const std::string& shown, double size, const char* colour) {
    const double fits =
        head_width() / (0.55 * static_cast<double>(std::max<std::size_t>(1, code_points(shown))));
    line("set label {} at {}, screen {} left noenhanced font ',{:.3g}' textcolor rgb '{}'",
         gnuplot_text(shown), across(0), screen(top + size / 2),
         std::clamp(fits, std::min(kLeastTitle, size), size), colour);
    top += size * 1.5;
  };
  if (!figure_.title.empty()) label(figure_.title, 15, "#000000");
  if (named_) {
    if (!figure_.by.empty())
      line("set label {} at {}, screen {} left noenhanced textcolor rgb '#606060'",
           gnuplot_text(figure_.by + ":"), across(0), screen(top + kKeyRow / 2));
    line("set key at {}, screen {} left top maxcols {}", across(key_indent()), screen(top), columns_of_key());
    top += kKeyRow * rows_of_key() + 4;
  }
  for (const std::string& one : notes_) label(one, kNote, "#606060");
  if (is_framed()) return;
  line("set tmargin at screen {}", screen(top + 6));
  line("set rmargin at screen {}", format_number(1 - right_ / figure_.width));
}

std::string GnuplotScript::across(double pixels) const {
  if (is_framed()) return "screen " + format_number((kHeadLeft + pixels) / figure_.width);
  return "graph " + format_number(pixels / plot_width());
}

}  // namespace perigee::plots
