// Gantt charts in gnuplot's language.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "runtime/plots/script.h"

namespace perigee::plots {

double GnuplotScript::lane_height() const {
  if (is_framed())
    return std::max(1.0,
                    panel_high_ / static_cast<double>(std::max<std::size_t>(1, figure_.y.categories.size())));
  return std::max(1.0, (figure_.height - 110.0 - kKeyRow * rows_of_key()) /
                           static_cast<double>(std::max<std::size_t>(1, figure_.y.categories.size())));
}

void GnuplotScript::gantt() {
  double least = INFINITY, most = -INFINITY;
  for (const Series& series : figure_.series)
    for (const GanttBar& bar : series.gantt_bars) {
      least = std::min(least, bar.from);
      most = std::max(most, bar.to);
    }
  if (least >= 0 && least <= most / 4) least = 0;
  if (most > least)
    line("set xrange [{}:{}]", format_number(least), format_number(most));
  else
    range("x", figure_.x, least, most);
  const double pixels = plot_width() / (most > least ? most - least : 1);
  const bool whole = std::ranges::all_of(figure_.series, [](const Series& series) {
    return std::ranges::all_of(series.gantt_bars, &GanttBar::covers_lane);
  });
  std::size_t solid = 0, hatched = 0;
  for (std::size_t s = 0; s < figure_.series.size(); ++s) {
    const bool is_hatched = figure_.series[s].hatched;
    gantt_series(s, is_hatched ? hatched++ : solid++, pixels, whole);
  }
  gantt_labels(pixels);
}

void GnuplotScript::gantt_series(std::size_t s, std::size_t of_its_kind, double pixels, bool whole) {
  constexpr std::array kHatches = {4, 1, 5, 2};
  const Series& series = figure_.series[s];
  const std::string fill = series.hatched
                               ? fmt::format("fs pattern {}", kHatches[of_its_kind % kHatches.size()])
                               : std::string("fs solid 1");
  const std::size_t own = series.hatched ? 0 : of_its_kind;
  const std::string border = series.hatched ? "border lc rgb '#808080'" : "border lc rgb '#000000'";
  const auto colour_with = [&](std::size_t tint) {
    return fmt::format("lc rgb '{}' lw 0.5",
                       series.hatched ? "#808080" : kLight[(tint > 0 ? tint - 1 : own) % kLight.size()]);
  };
  std::vector<bool> tints(1, true);
  for (const GanttBar& bar : series.gantt_bars) {
    if (bar.tint >= tints.size()) tints.resize(bar.tint + std::size_t{1});
    tints[bar.tint] = true;
  }
  const auto named = [](const char* what, std::size_t tint) {
    return tint == 0 ? std::string(what) : fmt::format("{}_{}_", what, tint);
  };
  for (std::size_t tint = 0; tint < tints.size(); ++tint)
    if (tints[tint])
      gantt_boxes(named("narrow", tint), s, pixels, false, tint, whole,
                  fmt::format("{} noborder {}", fill, colour_with(tint)));
  const std::string edge = series.edged ? border : "noborder";
  for (std::size_t tint = 0; tint < tints.size(); ++tint)
    if (tints[tint])
      gantt_boxes(named("wide", tint), s, pixels, true, tint, whole,
                  fmt::format("{} {} {}", fill, edge, colour_with(tint)));
  key(series, fmt::format("with boxes {} {} {}", fill, border, colour_with(0)));
}

void GnuplotScript::gantt_boxes(const std::string& what, std::size_t s, double pixels, bool wide,
                                std::size_t tint, bool whole, const std::string& style) {
  const std::vector<GanttBar>& bars = figure_.series[s].gantt_bars;
  std::vector<GanttBar> some;
  std::copy_if(bars.begin(), bars.end(), std::back_inserter(some), [&](const GanttBar& bar) {
    return bar.tint == tint && ((bar.to - bar.from) * pixels >= 3) == wide;
  });
  if (some.empty()) return;
  const std::string name = block(what.c_str(), s, some, [&](const GanttBar& bar) {
    if (whole)
      values({bar.from, bar.to, static_cast<double>(bar.lane)});
    else
      values({bar.from, bar.to, middle_of(bar), top_of(bar), bottom_of(bar)});
  });
  plots_.push_back(fmt::format("{} using (($1+$2)/2):3:1:2:{} with boxxyerror {} notitle", name,
                               whole ? "($3-0.4):($3+0.4)" : "4:5", style));
}

void GnuplotScript::gantt_labels(double pixels) {
  for (const Series& series : figure_.series)
    for (const GanttBar& bar : series.gantt_bars) {
      if (bar.label.empty()) continue;
      constexpr double kLaneTaken = 0.8, kLowest = 9;
      const double high =  // of a lane in which the bar would be as high
          bar.covers_lane() ? lane_height() : lane_height() * (bottom_of(bar) - top_of(bar)) / kLaneTaken;
      if (high < kLowest) continue;
      const double letter = std::clamp(high * 0.55, 5.0, 10.0);  // as high as its font, and 0.6 as wide
      const auto wide = 0.6 * letter * static_cast<double>(code_points(bar.label)) + 3;
      if (wide > (bar.to - bar.from) * pixels) continue;
      line("set label {} at {},{} center front noenhanced font ',{}'", gnuplot_text(bar.label),
           format_number((bar.from + bar.to) / 2), format_number(middle_of(bar)), format_number(letter));
    }
}

}  // namespace perigee::plots
