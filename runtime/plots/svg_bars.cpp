// Bars, stacks, areas, boxes and histograms as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/quantity.h"
#include "runtime/plots/svg.h"

namespace perigee::plots {

void SvgPicture::bars(const std::vector<Series>& series) {
  const double zero = y_at_(0);
  for (std::size_t s = 0; s < series.size(); ++s) {
    if (series[s].points.empty()) continue;
    open_series(series[s]);
    const double wide = share_of(series) * 0.92;
    for (const Point& p : series[s].points) {
      const double left = x_at_(left_of(p.x, s, series) + share_of(series) * 0.04),
                   right = x_at_(left_of(p.x, s, series) + share_of(series) * 0.04 + wide), y = y_at_(p.y);
      std::string interval;
      if (p.low < p.high)
        interval = fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.4\"/>",
                               interval_path((left + right) / 2, clamped_y(p.low), clamped_y(p.high),
                                             std::min(3.5, (right - left) / 3)));
      bar({left, std::min(y, zero), right - left, std::abs(y - zero)}, look(s), point_title(series[s], p),
          interval);
    }
    out_ += "</g>\n";
  }
  if (y_.from < 0)
    put("<path d=\"M{} {}h{}\" stroke=\"currentColor\" stroke-opacity=\".6\"/>\n", pixels(plot_.x),
        pixels(zero), pixels(plot_.wide));
}

void SvgPicture::stacks(const std::vector<Series>& series) {
  std::vector<double> tops(figure_.x.categories.size(), 0.0);
  for (std::size_t s = 0; s < series.size(); ++s) {
    if (series[s].points.empty()) continue;
    open_series(series[s]);
    for (const Point& p : series[s].points) {
      double& top = tops[static_cast<std::size_t>(p.x)];
      const double low = y_at_(top), high = y_at_(top + p.y), left = x_at_(p.x - kTogether / 2),
                   right = x_at_(p.x + kTogether / 2);
      top += p.y;
      bar({left, high, right - left, low - high}, look(s), point_title(series[s], p));
    }
    out_ += "</g>\n";
  }
}

void SvgPicture::areas(const std::vector<Series>& series) {
  Figure one;
  one.series = series;
  one.joined = figure_.joined;
  const Stack stack = stack_of(one);
  const std::vector<double>& x = stack.x;
  if (x.size() < 2) return;
  const bool marked = titled_ && x.size() * stack.series.size() <= kMostTitles;
  const auto edge = [&](std::size_t k, bool forward) {
    std::string path;
    const auto y = [&](std::size_t i) {
      return y_at_(k == static_cast<std::size_t>(-1) ? 0 : stack.tops[k][i]);
    };
    for (std::size_t n = 0; n < x.size(); ++n) {
      const std::size_t i = forward ? n : x.size() - 1 - n;
      const char* command = path.empty() && forward ? "M" : "L";
      if (figure_.joined) {
        path += fmt::format("{}{} {}", command, pixels(x_at_(x[i])), pixels(y(i)));
      } else if (forward) {
        if (n == 0) path += fmt::format("M{} {}", pixels(x_at_(x[i])), pixels(y(i)));
        if (n > 0 && n + 1 < x.size()) path += fmt::format("V{}", pixels(y(i)));
        if (n + 1 < x.size()) path += fmt::format("H{}", pixels(x_at_(x[i + 1])));
      } else if (i + 1 < x.size()) {
        path += n == 1 ? fmt::format("L{} {}", pixels(x_at_(x[i + 1])), pixels(y(i)))
                       : fmt::format("V{}", pixels(y(i)));
        path += fmt::format("H{}", pixels(x_at_(x[i])));
      }
    }
    return path;
  };
  for (std::size_t k = 0; k < stack.series.size(); ++k) {
    const Series& area = series[stack.series[k]];
    open_series(area);
    put("<path d=\"{}{}z\" fill=\"{}\"{}>{}</path>\n", edge(k, true), edge(k - 1, false),
        ink(look(stack.series[k])), marked ? "" : " class=\"mark\"", title(area.name));
    for (std::size_t i = 0; marked && i + (figure_.joined ? 0 : 1) < x.size(); ++i) {
      const double low = k == 0 ? 0 : stack.tops[k - 1][i], high = stack.tops[k][i];
      if (!(high > low)) continue;
      const std::string unit = figure_.y.unit.empty() ? "" : " " + figure_.y.unit;
      const double from = x_at_(x[i]), to = figure_.joined ? from + 3 : x_at_(x[i + 1]);
      const std::string where = figure_.joined ? place_text(figure_.x, x[i]) : range_text(x[i], x[i + 1]);
      put("<rect class=\"mark\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"transparent\">{}</rect>\n",
          pixels(figure_.joined ? std::max(plot_.x, from - 3) : from), pixels(y_at_(high)),
          pixels(to - (figure_.joined ? std::max(plot_.x, from - 3) : from)),
          pixels(y_at_(low) - y_at_(high)),
          title(joined({area.name, where,
                        fmt::format("{}{}{}", figure_.y.label.empty() ? "" : figure_.y.label + " = ",
                                    short_number(high - low), unit)})));
    }
    out_ += "</g>\n";
  }
  for (const Series& sum : series) {
    if (!sum.is_sum || sum.points.empty()) continue;
    open_series(sum);
    put("<path d=\"M{} {}", pixels(x_at_(sum.points[0].x)), pixels(y_at_(sum.points[0].y)));
    for (std::size_t i = 1; i < sum.points.size(); ++i)
      put("H{}V{}", pixels(x_at_(sum.points[i].x)), pixels(y_at_(sum.points[i].y)));
    out_ += "\" fill=\"none\" stroke=\"currentColor\" pointer-events=\"none\"/>\n</g>\n";
  }
}

void SvgPicture::boxes(const std::vector<Series>& series) {
  for (std::size_t s = 0; s < series.size(); ++s) {
    if (series[s].boxes.empty()) continue;
    open_series(series[s]);
    const std::size_t own = look(s);
    const double wide = std::min(0.5, share_of(series) * 0.8);
    for (const Box& b : series[s].boxes) {
      const double middle = left_of(b.x, s, series) + share_of(series) / 2;
      const double x = x_at_(middle), left = x_at_(middle - wide / 2), right = x_at_(middle + wide / 2);
      const std::string where = figure_.x.categories.size() == 1 && figure_.x.categories[0].empty()
                                    ? std::string()
                                    : place_text(figure_.x, b.x);
      const std::string unit = figure_.y.unit.empty() ? "" : " " + figure_.y.unit;
      const std::string said =
          joined({series[s].name, where, fmt::format("median = {}{}", short_number(b.median), unit),
                  fmt::format("quartiles {} .. {}", short_number(b.q1), short_number(b.q3)),
                  fmt::format("whiskers {} .. {}", short_number(b.low), short_number(b.high)),
                  fmt::format("{} {}", b.n, b.n == 1 ? "value" : "values")});
      put("<g class=\"mark\">{}<path d=\"{}{}\" fill=\"none\" stroke=\"currentColor\"/>", title(said),
          interval_path(x, y_at_(b.low), y_at_(b.q1), (right - left) / 4),
          interval_path(x, y_at_(b.q3), y_at_(b.high), (right - left) / 4));
      const Rectangle body{left, y_at_(b.q3), right - left, y_at_(b.q1) - y_at_(b.q3)};
      put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" fill-opacity=\".8\" "
          "stroke=\"currentColor\"/>",
          pixels(body.x), pixels(body.y), pixels(body.wide), pixels(body.high), ink(own));
      hatch(body, own);
      put("<path d=\"M{} {}h{}\" stroke=\"{}\" stroke-width=\"3\"/></g>\n", pixels(left),
          pixels(y_at_(b.median)), pixels(right - left), own == kBlackLook ? "#888" : "currentColor");
      const bool each = b.outliers.size() <= kMostTitles / 4;
      std::string circles;
      for (const double y : b.outliers) {
        if (!each) {
          circles +=
              fmt::format("M{} {}m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z", pixels(x), pixels(y_at_(y)));
          continue;
        }
        put("<circle class=\"mark\" cx=\"{}\" cy=\"{}\" r=\"2.5\" fill=\"none\" stroke=\"currentColor\" "
            "pointer-events=\"all\">{}</circle>\n",
            pixels(x), pixels(y_at_(y)),
            title(joined(
                {series[s].name, where,
                 (figure_.y.label.empty() ? "" : figure_.y.label + " = ") + number_text(figure_.y, y)})));
      }
      if (!circles.empty()) put("<path d=\"{}\" fill=\"none\" stroke=\"currentColor\"/>\n", circles);
    }
    out_ += "</g>\n";
  }
}

void SvgPicture::bins(const std::vector<Series>& series) {
  const bool several = key_series(figure_).size() > 1;
  for (std::size_t s = 0; s < series.size(); ++s) {
    if (series[s].bins.empty()) continue;
    open_series(series[s]);
    if (several) {
      put("<path d=\"M{} {}", pixels(x_at_(series[s].bins[0].from)), pixels(y_at_(0)));
      for (const Bin& bin : series[s].bins)
        put("V{}H{}", pixels(y_at_(static_cast<double>(bin.count))), pixels(x_at_(bin.to)));
      put("V{}\"{}/>\n", pixels(y_at_(0)), stroke(look(s)));
    }
    for (const Bin& bin : series[s].bins) {
      const double from = x_at_(bin.from), to = x_at_(bin.to), y = y_at_(static_cast<double>(bin.count));
      const bool last = &bin == &series[s].bins.back();
      const std::string said =
          joined({series[s].name,
                  fmt::format("{}{} {} {}{}", figure_.x.label.empty() ? "" : figure_.x.label + " from ",
                              short_number(bin.from), last ? "to" : "to below", short_number(bin.to),
                              figure_.x.unit.empty() ? "" : " " + figure_.x.unit),
                  fmt::format("{} = {}", figure_.y.label.empty() ? "values" : figure_.y.label, bin.count)});
      if (several)
        put("<path class=\"mark\" d=\"M{} {}H{}\" fill=\"none\" stroke=\"transparent\" stroke-width=\"9\" "
            "pointer-events=\"stroke\">{}</path>\n",
            pixels(from), pixels(y), pixels(to), title(said));
      else
        put("<rect class=\"mark\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"currentColor\" "
            "stroke-width=\".7\">{}</rect>\n",
            pixels(from), pixels(y), pixels(to - from), pixels(y_at_(0) - y), ink(look(s)), title(said));
    }
    out_ += "</g>\n";
  }
}

}  // namespace perigee::plots
