// Marks of figures as SVG: their shapes, strokes and hatches, and the texts that they show when pointed at.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/kernel/quantity.h"
#include "runtime/plots/svg.h"

namespace perigee::plots {

std::string SvgPicture::place_text(const Axis& axis, double x) const {
  const std::string value =
      has_places(axis) ? axis.categories[static_cast<std::size_t>(x)] : number_text(axis, x);
  return axis.label.empty() ? value : axis.label + " = " + value;
}

std::string SvgPicture::range_text(double from, double to) const {
  return fmt::format("{}{} .. {}", figure_.x.label.empty() ? "" : figure_.x.label + " = ", short_number(from),
                     number_text(figure_.x, to));
}

std::string SvgPicture::joined(std::initializer_list<std::string> parts) {
  std::string all;
  for (const std::string& part : parts)
    if (!part.empty()) all += (all.empty() ? "" : ", ") + part;
  return all;
}

std::string SvgPicture::point_title(const Series& series, const Point& p) const {
  const std::string unit = figure_.y.unit.empty() ? "" : " " + figure_.y.unit;
  std::string value = (figure_.y.label.empty() ? "" : figure_.y.label + " = ") + short_number(p.y);
  if (p.low < p.high) {
    const bool even = std::abs((p.high - p.y) - (p.y - p.low)) <= 1e-9 * (p.high - p.low);
    value += even ? " ± " + short_number((p.high - p.low) / 2)
                  : fmt::format(" [{}, {}]", short_number(p.low), short_number(p.high));
  }
  value += unit;
  return joined({series.name, place_text(figure_.x, p.x), value,
                 p.n > 1 && figure_.kind != FigureKind::ecdf ? fmt::format("{} values", p.n) : ""});
}

std::string SvgPicture::stroke(std::size_t look) {
  static constexpr std::array kDashArrays = {"", "7 3", "2 3", "9 3 2 3", "12 4"};
  const std::size_t dash = (look + look / kLookColours.size()) % kDashArrays.size();
  return fmt::format(" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}", ink(look),
                     dash == 0 ? "" : fmt::format(" stroke-dasharray=\"{}\"", kDashArrays[dash]));
}

std::string SvgPicture::shape_path(double x, double y, std::size_t look) {
  const std::string at = fmt::format("M{} {}", pixels(x), pixels(y));
  switch (look % kShapeCount) {
    case 0:
    case 7:
      return at + "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z";  // a circle
    case 1:
    case 8:
      return at + "m-3.2 -3.2h6.4v6.4h-6.4z";
    case 2:
    case 9:
      return at + "m0 -4.4l4.2 7.4h-8.4z";
    case 3:
    case 10:
      return at + "m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z";
    case 4:
      return at + "m0 4.4l4.2 -7.4h-8.4z";
    case 5:
      return at + "m-4 -1.3h2.7v-2.7h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7z";  // a cross
    default:
      return at + "m0 -4.4l4.4 3l-1.7 5.4h-5.4l-1.7 -5.4z";
  }
}

void SvgPicture::shape(double x, double y, std::size_t look, const std::string& more) {
  const std::string paint = is_hollow(look)
                                ? fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"", ink(look))
                                : fmt::format("fill=\"{}\"", ink(look));
  put("<path d=\"{}\" {}{}/>", shape_path(x, y, look), paint, more);
}

void SvgPicture::hatch(const Rectangle& at, std::size_t look) {
  static constexpr std::array kHatches = {0, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4};  // none / \ x -
  const int kind = kHatches[look % kHatches.size()];
  hatch_lines(at, kind, "stroke=\"#fff\" stroke-opacity=\".55\"");
}

void SvgPicture::hatch_lines(const Rectangle& at, int kind, const char* paint) {
  constexpr double kApart = 7, kMostLines = 400;
  if (kind == 0 || at.wide < 3 || at.high < 3 || (at.wide + at.high) / kApart > kMostLines) return;
  std::string lines;
  const double right = at.x + at.wide, bottom = at.y + at.high;
  const auto slanted = [&](bool rising) {
    // Where x + y, or x - y, is a multiple of the distance.
    const double low = rising ? at.x + at.y : at.x - bottom, top = rising ? right + bottom : right - at.y;
    for (double k = std::ceil(low / kApart) * kApart; k < top; k += kApart) {
      const double from = std::max(at.x, rising ? k - bottom : k + at.y),
                   to = std::min(right, rising ? k - at.y : k + bottom);
      if (to - from < 0.5) continue;
      lines += fmt::format("M{} {}L{} {}", pixels(from), pixels(rising ? k - from : from - k), pixels(to),
                           pixels(rising ? k - to : to - k));
    }
  };
  if (kind == 1 || kind == 3) slanted(true);
  if (kind == 2 || kind == 3) slanted(false);
  if (kind == 4)
    for (double y = std::ceil(at.y / 5) * 5; y < bottom; y += 5)
      lines += fmt::format("M{} {}h{}", pixels(at.x), pixels(y), pixels(at.wide));
  if (!lines.empty()) put("<path d=\"{}\" fill=\"none\" {} pointer-events=\"none\"/>", lines, paint);
}

void SvgPicture::bar(const Rectangle& at, std::size_t look, const std::string& shown,
                     const std::string& interval) {
  const std::string hidden = titled_ ? title(shown) : "";
  put("<g class=\"mark\">{}<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", hidden,
      pixels(at.x), pixels(at.y), pixels(at.wide), pixels(at.high), ink(look));
  hatch(at, look);
  put("{}</g>\n", interval);
}

std::string SvgPicture::interval_path(double x, double low, double high, double half) {
  return fmt::format("M{0} {1}V{2}M{3} {1}h{4}M{3} {2}h{4}", pixels(x), pixels(low), pixels(high),
                     pixels(x - half), pixels(2 * half));
}

}  // namespace perigee::plots
