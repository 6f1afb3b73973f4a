// Lines, points, steps and ECDFs in gnuplot's language.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/math.h"
#include "runtime/plots/script.h"

namespace perigee::plots {

void GnuplotScript::curves() {
  const auto [least, most] = extents_.y;
  if (figure_.x.categories.empty()) range("x", figure_.x, extents_.x.least, extents_.x.most);
  if (one_x_) tick_of_one_x();
  if (figure_.kind == FigureKind::steps && least >= 0 && !figure_.y.log)
    range_from_zero(0, most * 1.05);  // steps show counts
  else
    range("y", figure_.y, least, most);
  std::vector<std::string> marks;
  for (std::size_t s = 0; s < figure_.series.size(); ++s) {
    const Series& series = figure_.series[s];
    if (series.points.empty()) continue;
    const std::string name = block("series", s, series.points, [&](const Point& p) {
      values({dodged(p.x, s), p.y});
    });
    const std::string style = fmt::format("{} {} lw 1.5", colour_of(s), dash_of(s));
    if (figure_.kind == FigureKind::steps) {
      plots_.push_back(fmt::format("{} using 1:2 with steps {} notitle", name, style));
      continue;
    }
    if (figure_.kind == FigureKind::lines && series.points.size() > 1)
      plots_.push_back(fmt::format("{} using 1:2 with lines {} notitle", name, style));
    draw_intervals(
        s, [&](const Point& p) { return dodged(p.x, s); }, figure_.y.log ? least / 10 : -INFINITY,
        colour_of(s));
    marks.push_back(fmt::format("{} using 1:2 with points {} {} notitle", name, colour_of(s), shape_of(s)));
  }
  plots_.insert(plots_.end(), marks.begin(), marks.end());
  for (std::size_t s = 0; s < figure_.series.size(); ++s) {
    const char* with = figure_.kind == FigureKind::steps   ? "lines"
                       : figure_.kind == FigureKind::lines ? "linespoints"
                                                           : "points";
    const std::string shape = figure_.kind == FigureKind::steps ? "" : " " + shape_of(s);
    key(figure_.series[s], fmt::format("with {} {} {} lw 1.5{}", with, colour_of(s), dash_of(s), shape));
  }
  if (plots_.empty()) plots_.emplace_back("NaN notitle");
}

double GnuplotScript::dodged(double x, std::size_t s) const {
  if (dodges_.empty()) return x;
  const auto count = static_cast<double>(dodges_.size());
  constexpr double kApart = 9;  // pixels
  if (!figure_.x.categories.empty()) {
    const double place = panel_width() / static_cast<double>(figure_.x.categories.size());
    return x + dodges_[s] * std::clamp(kApart * count / place, 0.3, 0.7);
  }
  const auto [least, most] = extents_.x;
  const double room = dodges_[s] * dodge_room() / panel_width();
  if (!(most > least) && figure_.x.log) return x * math::exp(room * 2 * math::log(2));
  if (!(most > least)) return x + room * (least == 0 ? 2 : 0.2 * std::abs(least));
  return figure_.x.log ? x * math::exp(room * math::log(most / least)) : x + room * (most - least);
}

double GnuplotScript::least_gap() const {
  const auto [least, most] = extents_.x;
  std::vector<double> all;
  for (const Series* series : all_series(figure_))
    for (const Point& p : series->points)
      all.push_back(!(most > least) ? 0
                    : figure_.x.log ? math::log(p.x / least) / math::log(most / least) * panel_width()
                                    : (p.x - least) / (most - least) * panel_width());
  std::ranges::sort(all);
  double gap = panel_width();
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] > all[i - 1]) gap = std::min(gap, all[i] - all[i - 1]);
  return gap;
}

void GnuplotScript::shares() {
  const auto [least, most] = extents_.x;
  const double whole = figure_.y.unit == "%" ? 100 : 1;
  range("x", figure_.x, least, most);
  line("set yrange [0:{}]", format_number(whole));
  const double beyond = 1e3;  // of the width of the axis, which cuts it
  const double before = figure_.x.log ? least / beyond
                                      : least - beyond * std::max(most - least, std::abs(least) + 1),
               after =
                   figure_.x.log ? most * beyond : most + beyond * std::max(most - least, std::abs(most) + 1);
  for (std::size_t s = 0; s < figure_.series.size(); ++s) {
    const Series& series = figure_.series[s];
    const std::string style = fmt::format("{} {} lw 1.5", colour_of(s), dash_of(s));
    if (!series.points.empty()) {
      std::vector<std::pair<double, double>> corners = {{text_ ? least : before, 0}};
      for (const Point& p : series.points) corners.emplace_back(p.x, p.y);
      corners.emplace_back(text_ ? most : after, corners.back().second);
      const std::string name = block("series", s, corners, [&](const auto& corner) {
        values({corner.first, corner.second});
      });
      plots_.push_back(fmt::format("{} using 1:2 with steps {} notitle", name, style));
    }
    key(series, "with lines " + style);
  }
  if (plots_.empty()) plots_.emplace_back("NaN notitle");
}

}  // namespace perigee::plots
