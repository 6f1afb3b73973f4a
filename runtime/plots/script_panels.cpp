// Small figures and heat maps in gnuplot's language: their frames stand at places of our own.
#include <algorithm>
#include <cmath>

#include "runtime/plots/script.h"

namespace perigee::plots {

void GnuplotScript::frame_panels() {
  for (const Panel& panel : figure_.panels) {
    rows_ = std::max(rows_, panel.row + 1);
    columns_ = std::max(columns_, panel.column + 1);
  }
  double widest = 0;
  if (figure_.y.categories.empty()) choose_y_ticks();
  for (const Tick& tick : y_ticks_) widest = std::max(widest, text_width(tick.text, kFont));
  for (const std::string& name : figure_.y.categories) widest = std::max(widest, text_width(name, kFont));
  left_ = 40 + widest;
  if (figure_.kind == FigureKind::heatmap) right_ += 90;
  constexpr double kLeast = 110;
  const double needed = left_ + right_ + static_cast<double>(columns_) * (kLeast + kGap);
  if (figure_.width < needed) figure_.width = static_cast<int>(std::ceil(needed));
}

void GnuplotScript::choose_y_ticks() {
  const auto [least, most] = extents_.y;
  constexpr double kParts = 4;
  if (figure_.y.log) {
    for (int level = 0; level < 40 && (y_ticks_.empty() || y_ticks_.size() > 6); ++level)
      y_ticks_ = logarithmic_ticks(least, most, level);
    y_from_ = least / 1.1;
    y_to_ = most * 1.1;
    return;
  }
  const double largest = std::max(std::abs(least), std::abs(most));
  const bool flat = !(most - least > 1e-12 * largest);
  const double around = !flat ? 0 : largest == 0 ? 1 : 0.1 * largest;
  const TickStep step = TickStep::at_least((most - least + 2 * around) / kParts);
  y_from_ = std::floor((least - around) / step.size() + 1e-9) * step.size();
  y_to_ = std::ceil((most + around) / step.size() - 1e-9) * step.size();
  if (least >= 0 && y_from_ < 0) y_from_ = 0;
  y_ticks_ = linear_ticks(y_from_, y_to_, step);
}

void GnuplotScript::range_of_panels() {
  if (!figure_.y.categories.empty()) return;
  line("set yrange [{}:{}]", format_number(y_from_), format_number(y_to_));
}

double GnuplotScript::panel_width() const {
  const auto columns = static_cast<double>(columns_);
  return std::max(60.0, (plot_width() - kGap * (columns - 1)) / columns);
}

double GnuplotScript::foot_height() const {
  constexpr double kDown = 0.574;  // sin 35 degrees
  const double labels =
      turned_ ? kDown * kTextWidth * static_cast<double>(longest(figure_.x.categories)) + 16 : 20;
  return labels + 36;
}

void GnuplotScript::place_panels() {
  double head = 8;
  if (!figure_.title.empty()) head += 15 * 1.5;
  if (named_) head += kKeyRow * rows_of_key() + 4;
  head += kNote * 1.5 * static_cast<double>(notes_.size());
  head_height_ = head + (figure_.panels.empty() ? 8 : 2);
}

void GnuplotScript::framed() {
  const Figure whole = figure_;
  const auto rows = static_cast<double>(rows_);
  const double head = head_height() + top_strip();
  panel_high_ = std::max(20.0, (whole.height - head - foot_height()) / rows - strip_between());
  if (whole.kind == FigureKind::heatmap)
    colour_key(left_ + plot_width() + 14 + (is_grid_ ? kStrip - 6 : 0), head + strip_between(), panel_high_);
  titles_of_axes();
  if (is_grid_) label_grid();
  line("set multiplot");
  if (named_) plot_key();
  const std::size_t count = std::max<std::size_t>(1, whole.panels.size());
  std::vector<std::string> titles;
  for (const Panel& panel : whole.panels) titles.push_back(panel.name);
  titles = shortened_apart(titles, (panel_width() + kGap) / kTextWidth);
  for (std::size_t p = 0; p < count; ++p) {
    std::size_t row = 0, column = 0;
    if (!whole.panels.empty()) {
      figure_.series = whole.panels[p].series;
      row = whole.panels[p].row;
      column = whole.panels[p].column;
      if (!is_grid_) line("set title {} noenhanced font ',11' offset 0,-0.5", gnuplot_text(titles[p]));
    }
    frame_of_panel(row, column);
    axes_of_panel(row, column);
    plot();
    line("unset label\nunset object\nset key off\nset format xy '%.12g'");
    line("set xtics autofreq norotate scale 0.5\nset ytics autofreq scale 0.5");
  }
  line("unset multiplot");
}

void GnuplotScript::titles_of_axes() {
  const std::string x_title = figure_.x.text(), y_title = figure_.y.text();
  if (!x_title.empty())
    line("set label {} at screen {}, screen {} center noenhanced", gnuplot_text(x_title),
         x_on_screen(left_ + plot_width() / 2), y_on_screen(figure_.height - 14.0));
  if (!y_title.empty())
    line("set label {} at screen {}, screen {} center rotate by 90 noenhanced", gnuplot_text(y_title),
         x_on_screen(14), y_on_screen(head_height() + (figure_.height - head_height() - foot_height()) / 2));
}

void GnuplotScript::label_grid() {
  const double strip = strip_between(), head = head_height() + top_strip();
  const double high = panel_high_, wide = panel_width();
  for (const bool is_row : {false, true}) {
    std::vector<std::string> heads = grid_heads(figure_, is_row);
    heads = shortened_apart(heads, (is_row ? high : wide + kGap) / kTextWidth);
    for (std::size_t place = 0; place < heads.size(); ++place) {
      if (heads[place].empty()) continue;
      const auto at = static_cast<double>(place);
      if (is_row)
        line("set label {} at screen {}, screen {} center rotate by -90 noenhanced font ',11'",
             gnuplot_text(heads[place]), x_on_screen(left_ + plot_width() + 12),
             y_on_screen(head + strip + high / 2 + (high + strip) * at));
      else
        line("set label {} at screen {}, screen {} center noenhanced font ',11'", gnuplot_text(heads[place]),
             x_on_screen(left_ + wide / 2 + (wide + kGap) * at), y_on_screen(head + strip - 9));
    }
  }
}

void GnuplotScript::frame_of_panel(std::size_t row, std::size_t column) {
  const double strip = strip_between(), head = head_height() + top_strip();
  const double high = panel_high_, wide = panel_width();
  const double left = left_ + (wide + kGap) * static_cast<double>(column),
               top = head + strip + (high + strip) * static_cast<double>(row);
  line("set lmargin at screen {}", x_on_screen(left));
  line("set rmargin at screen {}", x_on_screen(left + wide));
  line("set tmargin at screen {}", y_on_screen(top));
  line("set bmargin at screen {}", y_on_screen(top + high));
}

void GnuplotScript::axes_of_panel(std::size_t row, std::size_t column) {
  axis("x", figure_.x);
  axis("y", figure_.y);
  line("unset xlabel");
  line("unset ylabel");
  if (figure_.y.categories.empty()) ticks("y", y_ticks_);
  const bool has_below = std::ranges::any_of(
      figure_.panels, [&](const Panel& other) { return other.column == column && other.row > row; });
  const bool has_before = std::ranges::any_of(
      figure_.panels, [&](const Panel& other) { return other.row == row && other.column < column; });
  if (has_below) line("set format x ''\nset xtics scale 0");
  if (has_before) line("set format y ''\nset ytics scale 0");
  if (figure_.x.categories.empty()) few_x_ticks(panel_width());
  if (has_below && !figure_.x.categories.empty()) line("set xtics ('' 0) scale 0");
  if (has_before && !figure_.y.categories.empty()) line("set ytics ('' 0) scale 0");
}

void GnuplotScript::plot_key() {
  line("set lmargin at screen {}\nset rmargin at screen {}", format_number(kHeadLeft / figure_.width),
       format_number(1 - kHeadLeft / figure_.width));
  line("set tmargin at screen {}\nset bmargin at screen {}",
       format_number(1 - head_height() / figure_.height), format_number(foot_height() / figure_.height));
  line("unset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]");
  const Figure whole = figure_;
  figure_.series = key_series(whole);
  key_only_ = true;
  plot();
  key_only_ = false;
  figure_ = whole;
  line("unset label\nunset object\nset key off\nset border 3 lc rgb '#404040'");
  line(
      "set xtics nomirror out scale 0.5\nset ytics nomirror out scale 0.5\nset grid ytics back lt 1 lc rgb '#d8d8d8' lw 0.6");
}

}  // namespace perigee::plots
