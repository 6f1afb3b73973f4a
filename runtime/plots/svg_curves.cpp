// Lines, points and steps as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/plots/svg.h"

namespace perigee::plots {

double SvgPicture::dodge(std::size_t s) const {
  if (dodges_.empty()) return 0;
  const auto count = static_cast<double>(dodges_.size());
  constexpr double kApart = 9;
  double room = kApart * count;
  if (has_places(figure_.x)) {
    room =
        std::min(std::max(room, 0.3 * plot_wide_ / (x_.to - x_.from)), 0.7 * plot_wide_ / (x_.to - x_.from));
  } else {
    room = dodge_room();
  }
  return dodges_[s] * room;
}

double SvgPicture::least_gap() const {
  std::vector<double> all;
  for (const Series* series : all_series(figure_))
    for (const Point& p : series->points) all.push_back(x_at_(p.x));
  std::ranges::sort(all);
  double least = plot_wide_;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] > all[i - 1]) least = std::min(least, all[i] - all[i - 1]);
  return least;
}

double SvgPicture::clamped_y(double value) const {
  if (figure_.y.log && !(value > 0)) return plot_.y + plot_.high;
  return std::clamp(y_at_(value), plot_.y, plot_.y + plot_.high);
}

void SvgPicture::curves(const std::vector<Series>& series) {
  for (std::size_t s = 0; s < series.size(); ++s) {
    const std::vector<Point>& points = series[s].points;
    if (points.empty()) continue;
    const double aside = dodge(s);
    const std::size_t own = look(s);
    open_series(series[s]);
    if (figure_.kind == FigureKind::lines && points.size() > 1) {
      const std::vector<std::size_t> drawn = seen(points);
      out_ += "<path d=\"";
      for (std::size_t i = 0; i < drawn.size(); ++i)
        put("{}{} {}", i == 0 ? "M" : "L", pixels(x_at_(points[drawn[i]].x) + aside),
            pixels(y_at_(points[drawn[i]].y)));
      put("\"{} stroke-linejoin=\"round\"/>\n", stroke(own));
    }
    if (!titled_) dots(points, own);
    for (const Point& p : points) {
      if (!titled_) break;
      const double x = x_at_(p.x) + aside, y = y_at_(p.y);
      put("<g class=\"mark\">{}", title(point_title(series[s], p)));
      if (p.low < p.high)
        put("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"/>",
            interval_path(x, clamped_y(p.low), clamped_y(p.high)), ink(own));
      shape(x, y, own, "");
      out_ += "</g>\n";
    }
    out_ += "</g>\n";
  }
}

void SvgPicture::dots(const std::vector<Point>& points, std::size_t look) {
  std::vector<std::pair<int, int>> places;
  places.reserve(points.size());
  for (const Point& p : points)
    places.emplace_back(static_cast<int>(std::floor(x_at_(p.x) + 0.5)),
                        static_cast<int>(std::floor(y_at_(p.y) + 0.5)));
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  out_ += "<path d=\"";
  for (const auto& [x, y] : places) put("M{} {}h0", x, y);
  put("\" fill=\"none\" stroke=\"{}\" stroke-width=\"3\" stroke-linecap=\"round\"/>\n", ink(look));
}

std::vector<std::size_t> SvgPicture::seen(const std::vector<Point>& points) const {
  std::vector<std::size_t> all;
  const bool few = points.size() <= kMostTitles;
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i + 1, low = i, high = i;
    const double column = std::floor(x_at_(points[i].x));
    for (; !few && end < points.size() && std::floor(x_at_(points[end].x)) == column; ++end) {
      if (points[end].y < points[low].y) low = end;
      if (points[end].y > points[high].y) high = end;
    }
    std::array kept = {i, low, high, end - 1};
    std::ranges::sort(kept);
    all.insert(all.end(), kept.begin(), std::unique(kept.begin(), kept.end()));
    i = end;
  }
  return all;
}

void SvgPicture::steps(const std::vector<Series>& series) {
  const bool shares = figure_.kind == FigureKind::ecdf;
  const double right = plot_.x + plot_.wide;
  for (std::size_t s = 0; s < series.size(); ++s) {
    const std::vector<Point>& points = series[s].points;
    if (points.empty()) continue;
    open_series(series[s]);
    out_ += "<path d=\"";
    if (shares)
      put("M{} {}H{}", pixels(plot_.x), pixels(y_at_(0)), pixels(x_at_(points.front().x)));
    else
      put("M{} {}", pixels(x_at_(points.front().x)), pixels(y_at_(points.front().y)));
    const std::vector<std::size_t> drawn = seen(points);
    for (std::size_t k = shares ? 0 : 1; k < drawn.size(); ++k)
      put("{}V{}", k == 0 ? "" : "H" + pixels(x_at_(points[drawn[k]].x)), pixels(y_at_(points[drawn[k]].y)));
    if (shares) put("H{}", pixels(right));
    put("\"{}/>\n", stroke(look(s)));
    for (std::size_t i = 0; titled_ && i < points.size(); ++i) {
      const bool last = i + 1 == points.size();
      const double from = x_at_(points[i].x), to = !last ? x_at_(points[i + 1].x) : shares ? right : from;
      const std::string said =
          shares || last ? point_title(series[s], points[i])
                         : joined({series[s].name, range_text(points[i].x, points[i + 1].x),
                                   fmt::format("{}{}", figure_.y.label.empty() ? "" : figure_.y.label + " = ",
                                               number_text(figure_.y, points[i].y))});
      put("<path class=\"mark\" d=\"M{} {}H{}\" fill=\"none\" stroke=\"transparent\" stroke-width=\"9\" "
          "pointer-events=\"stroke\">{}</path>\n",
          pixels(from), pixels(y_at_(points[i].y)), pixels(std::max(to, from + 1)), title(said));
    }
    out_ += "</g>\n";
  }
}

}  // namespace perigee::plots
