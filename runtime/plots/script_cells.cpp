// Heat maps in gnuplot's language, and the scale of their colours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/plots/script.h"

namespace perigee::plots {

void GnuplotScript::cells() {
  const Extent all = values_of_whole();
  const double wide = panel_width() / static_cast<double>(figure_.x.categories.size()),
               high = panel_high_ / static_cast<double>(figure_.y.categories.size());
  std::size_t widest = 0;
  for (const Series& series : figure_.series)
    for (const HeatCell& cell : series.cells) widest = std::max(widest, cell_number(cell.value).size());
  const bool numbers = kTextWidth * static_cast<double>(widest) + 4 <= wide && high >= 12;
  for (std::size_t s = 0; s < figure_.series.size(); ++s) {
    if (figure_.series[s].cells.empty()) continue;
    const std::string name = block("cells", s, figure_.series[s].cells, [&](const HeatCell& cell) {
      const Rgb colour = colour_of_cell(cell.value, all);
      values({static_cast<double>(cell.x), static_cast<double>(cell.y),
              static_cast<double>(colour.red * 65536 + colour.green * 256 + colour.blue)});
    });
    plots_.push_back(fmt::format(
        "{} using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fs solid 1 noborder lc rgb variable notitle",
        name));
    for (const HeatCell& cell : figure_.series[s].cells)
      if (numbers)
        line("set label {} at {},{} center front noenhanced font ',11' textcolor rgb '{}'",
             gnuplot_text(cell_number(cell.value)), cell.x, cell.y,
             wants_black(colour_of_cell(cell.value, all)) ? "#000000" : "#ffffff");
  }
  if (plots_.empty()) plots_.emplace_back("NaN notitle");
  line("set xrange [-0.5:{}]", format_number(static_cast<double>(figure_.x.categories.size()) - 0.5));
  line("set yrange [{}:-0.5]", format_number(static_cast<double>(figure_.y.categories.size()) - 0.5));
  line("unset grid");
}

void GnuplotScript::colour_key(double left, double top, double high) {
  constexpr double kWide = 14, kMost = 240;
  constexpr int kSteps = 64;
  const double tall = std::min(high, kMost);
  for (int i = 0; i < kSteps; ++i)
    line(
        "set object rectangle from screen {}, screen {} to screen {}, screen {} fs solid 1 noborder fc rgb '{}'",
        x_on_screen(left), y_on_screen(top + tall * (i + 1) / kSteps), x_on_screen(left + kWide),
        y_on_screen(top + tall * i / kSteps), scale_colour(1 - (i + 0.5) / kSteps).text());
  const auto [least, most] = values_;
  std::vector<Tick> all = most > least ? linear_ticks(least, most, TickStep::at_least((most - least) / 4))
                                       : std::vector<Tick>{{least, short_number(least)}};
  double free = INFINITY;
  std::size_t widest = 0;
  for (const Tick& tick : all) {
    const double at = top + tall * (1 - (most > least ? (tick.value - least) / (most - least) : 0.5));
    if (at > free) continue;
    free = at - 14;
    widest = std::max(widest, tick.text.size());
    line("set label {} at screen {}, screen {} left noenhanced font ',11'", gnuplot_text(tick.text),
         x_on_screen(left + kWide + 4), y_on_screen(at));
  }
  Axis value = figure_.value;
  value.unit = shortened(printable(value.unit), 12);
  value.label = shortened(printable(value.label), std::max(120.0, tall) / kTextWidth -
                                                      static_cast<double>(code_points(value.unit)) - 3);
  if (!value.text().empty())
    line("set label {} at screen {}, screen {} center rotate by 90 noenhanced font ',11'",
         gnuplot_text(value.text()),
         x_on_screen(left + kWide + 10 + kTextWidth * static_cast<double>(widest) + 8),
         y_on_screen(top + std::max(120.0, tall) / 2));
}

}  // namespace perigee::plots
