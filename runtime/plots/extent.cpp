// How far the axes of a figure reach, its panels, its areas, and what stands side by side.
#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/plots/plot.h"

namespace perigee::plots {

Figure panel_figure(const Figure& figure, std::size_t p) {
  Figure one = figure;
  one.series = figure.panels[p].series;
  one.panels.clear();
  const Extents all = extents_of(figure);
  for (const auto& [axis, extent] : {std::pair{&one.x, &all.x}, {&one.y, &all.y}})
    if (axis->categories.empty() && extent->least <= extent->most) {
      axis->least = extent->least;
      axis->most = extent->most;
    }
  if (figure.kind == FigureKind::heatmap) {
    const Extent values = values_of(figure);
    one.value.least = values.least;
    one.value.most = values.most;
  }
  return one;
}

std::vector<const Series*> all_series(const Figure& figure) {
  std::vector<const Series*> all;
  if (figure.panels.empty())
    for (const Series& series : figure.series) all.push_back(&series);
  for (const Panel& panel : figure.panels)
    for (const Series& series : panel.series) all.push_back(&series);
  return all;
}

bool has_key(const Figure& figure) {
  if (figure.kind == FigureKind::heatmap) return false;
  const std::vector<Series>& series = key_series(figure);
  const bool is_named = std::ranges::any_of(series, [](const Series& one) { return !one.name.empty(); });
  return is_named && (series.size() > 1 || figure.kind == FigureKind::gantt || !figure.by.empty());
}

namespace {

void take_stacks(const std::vector<Series>& series, Extent& y) {
  std::map<double, double> tops;
  for (const Series& one : series)
    for (const Point& p : one.points) tops[p.x] += p.y;
  for (const auto& [place, top] : tops) y.take(top);
}

void take_areas(const Figure& figure, const std::vector<Series>& series, Extents& all) {
  Figure one;
  one.series = series;
  one.joined = figure.joined;
  const Stack stack = stack_of(one);
  for (const double x : stack.x) all.x.take(x);
  for (const std::vector<double>& tops : stack.tops)
    for (const double top : tops) all.y.take(top);
}

void take_marks(const Figure& figure, const Series& series, Extents& all) {
  const auto take_y = [&](double y) {
    if (!std::isnan(y) && (!figure.y.log || y > 0)) all.y.take(y);
  };
  for (const Point& p : series.points) {
    if (figure.x.categories.empty()) all.x.take(p.x);
    if (figure.kind == FigureKind::stacked || figure.kind == FigureKind::areas) continue;
    for (const double y : {p.y, p.low, p.high}) take_y(y);
  }
  for (const Box& box : series.boxes) {
    for (const double y : {box.low, box.high}) take_y(y);
    for (const double y : box.outliers) take_y(y);
  }
  for (const Bin& bin : series.bins) {
    all.x.take(bin.from);
    all.x.take(bin.to);
    all.y.take(static_cast<double>(bin.count));
  }
  for (const GanttBar& bar : series.gantt_bars) {
    all.x.take(bar.from);
    all.x.take(bar.to);
  }
}

bool stands_on_zero(FigureKind kind) {
  return kind == FigureKind::bars || kind == FigureKind::stacked || kind == FigureKind::areas ||
         kind == FigureKind::histogram || kind == FigureKind::ecdf;
}

}  // namespace

Extents extents_of(const Figure& figure) {
  Extents all;
  const auto take = [&](const std::vector<Series>& series) {
    for (const Series& one : series) take_marks(figure, one, all);
    if (figure.kind == FigureKind::stacked) take_stacks(series, all.y);
    if (figure.kind == FigureKind::areas) take_areas(figure, series, all);
  };
  if (figure.panels.empty()) take(figure.series);
  for (const Panel& panel : figure.panels) take(panel.series);
  if (stands_on_zero(figure.kind)) all.y.take(0);
  // Steps show counts.
  if (figure.kind == FigureKind::steps && !figure.y.log && all.y.least >= 0) all.y.take(0);
  if (figure.kind == FigureKind::ecdf) all.y.take(figure.y.unit == "%" ? 100 : 1);
  for (const auto& [axis, extent] : {std::pair{&figure.x, &all.x}, {&figure.y, &all.y}})
    for (const double end : {axis->least, axis->most})
      if (!std::isnan(end)) extent->take(end);
  return all;
}

Extent values_of(const Figure& figure) {
  Extent all;
  for (const Series* series : all_series(figure))
    for (const HeatCell& cell : series->cells) all.take(cell.value);
  for (const double end : {figure.value.least, figure.value.most})
    if (!std::isnan(end)) all.take(end);
  return all;
}

namespace {

// The value of points that straight lines join, at x or just before or after it; 0 outside of them.
double joined_value(const std::vector<Point>& points, double x, bool before) {
  if (points.empty() || x < points.front().x || x > points.back().x) return 0;
  if (before && x == points.front().x) return 0;
  if (!before && x == points.back().x) return 0;
  const auto after = std::ranges::lower_bound(points, x, {}, &Point::x);
  if (after->x == x) return after->y;
  const Point& last = *std::prev(after);
  return last.y + (after->y - last.y) * ((x - last.x) / (after->x - last.x));
}

Stack joined_stack(const Figure& figure) {
  Stack stack;
  std::vector<double> places, ends;
  for (std::size_t s = 0; s < figure.series.size(); ++s) {
    const Series& series = figure.series[s];
    if (series.is_sum) continue;
    stack.series.push_back(s);
    for (const Point& point : series.points) places.push_back(point.x);
    if (series.points.empty()) continue;
    ends.push_back(series.points.front().x);
    ends.push_back(series.points.back().x);
  }
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<bool> is_before;
  for (const double x : places) {
    const bool first = x == places.front(), last = x == places.back();
    const bool is_end = std::ranges::find(ends, x) != ends.end();
    for (const bool before : {true, false}) {
      if ((before && first) || (!before && last && !first)) continue;
      if (!before && !first && !is_end) continue;
      stack.x.push_back(x);
      is_before.push_back(before);
    }
  }
  std::vector<double> below(stack.x.size(), 0.0);
  for (const std::size_t s : stack.series) {
    for (std::size_t i = 0; i < stack.x.size(); ++i)
      below[i] += joined_value(figure.series[s].points, stack.x[i], is_before[i]);
    stack.tops.push_back(below);
  }
  return stack;
}

}  // namespace

Stack stack_of(const Figure& figure) {
  if (figure.joined) return joined_stack(figure);
  Stack stack;
  for (std::size_t s = 0; s < figure.series.size(); ++s) {
    if (figure.series[s].is_sum) continue;
    stack.series.push_back(s);
    for (const Point& point : figure.series[s].points) stack.x.push_back(point.x);
  }
  std::ranges::sort(stack.x);
  stack.x.erase(std::unique(stack.x.begin(), stack.x.end()), stack.x.end());
  std::vector<double> below(stack.x.size(), 0.0);
  for (const std::size_t s : stack.series) {
    const std::vector<Point>& points = figure.series[s].points;
    double level = 0;
    for (std::size_t i = 0, next = 0; i < stack.x.size(); ++i) {
      for (; next < points.size() && points[next].x <= stack.x[i]; ++next) level = points[next].y;
      below[i] += level;
    }
    stack.tops.push_back(below);
  }
  return stack;
}

std::vector<double> dodges_of(const Figure& figure) {
  if (figure.kind != FigureKind::lines && figure.kind != FigureKind::points) return {};
  const std::size_t count = key_series(figure).size();
  if (count < 2) return {};
  const bool places = !figure.x.categories.empty();
  const auto hide = [&](const std::vector<Series>& series) {
    std::map<double, std::vector<std::pair<std::size_t, Extent>>> at;  // series and interval, by x
    for (std::size_t s = 0; s < series.size(); ++s)
      for (const Point& p : series[s].points) {
        auto& here = at[p.x];
        const bool has_interval = p.low < p.high;
        const Extent interval{has_interval ? p.low : p.y, has_interval ? p.high : p.y};
        for (const auto& [other, its] : here)
          if (other != s && (places || ((has_interval || its.least < its.most) &&
                                        interval.least <= its.most && its.least <= interval.most)))
            return true;
        if (here.size() < kMostSeries) here.emplace_back(s, interval);
      }
    return false;
  };
  bool any = figure.panels.empty() && hide(figure.series);
  for (const Panel& panel : figure.panels) any = any || hide(panel.series);
  if (!any) return {};
  std::vector<double> dodges;
  for (std::size_t s = 0; s < count; ++s)
    dodges.push_back((static_cast<double>(s) + 0.5) / static_cast<double>(count) - 0.5);
  return dodges;
}

double dodge_room_of(std::size_t series, double gap) {
  constexpr double kApart = 5, kShare = 0.25;
  return std::min(kApart * static_cast<double>(series), kShare * gap);
}

bool has_one_x(const Figure& figure) {
  if (figure.kind != FigureKind::lines && figure.kind != FigureKind::points) return false;
  if (!figure.x.categories.empty()) return false;
  const Extent x = extents_of(figure).x;
  return x.least == x.most;
}

}  // namespace perigee::plots
