// Axes of figures as SVG, their titles, and the heads of grids.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/plots/svg.h"

namespace perigee::plots {

void SvgPicture::heads_of_grid() {
  for (const bool is_row : {false, true}) {
    const std::vector<std::string> heads = grid_heads(figure_, is_row);
    const std::vector<std::string> shown = shown_apart(heads, is_row ? plot_high_ : plot_wide_);
    for (std::size_t i = 0; i < heads.size(); ++i) {
      if (heads[i].empty()) continue;
      const auto at = static_cast<double>(i);
      if (!is_row) {
        text(left_ + plot_wide_ / 2 + (plot_wide_ + gap_) * at, top_ - 6, shown[i], kTickSize, "middle",
             heads[i], "font-weight=\"bold\"");
        continue;
      }
      const double x = left_ + (plot_wide_ + gap_) * static_cast<double>(columns_) - gap_ + 10,
                   y = top_ + plot_high_ / 2 + (plot_high_ + row_gap_) * at;
      text(x, y, shown[i], kTickSize, "middle", heads[i],
           fmt::format("font-weight=\"bold\" transform=\"rotate(90 {} {})\"", pixels(x), pixels(y)));
    }
  }
}

void SvgPicture::axes(const Rectangle& plot, bool with_x, bool with_y) {
  const Ruler x{x_.log, x_.from, x_.to, plot.x, plot.x + plot.wide}, y = upward(plot);
  out_ += "<g class=\"axes\">\n";
  std::string grid;
  const bool across = !has_places(figure_.y);
  if (across)
    for (const Tick& tick : y_.ticks)
      grid += fmt::format("M{} {}h{}", pixels(plot.x), pixels(y(tick.value)), pixels(plot.wide));
  if (!has_places(figure_.x))
    for (const Tick& tick : x_.ticks)
      grid += fmt::format("M{} {}v{}", pixels(x(tick.value)), pixels(plot.y), pixels(plot.high));
  if (!grid.empty())
    put("<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".15\"/>\n", grid);
  put("<path d=\"M{} {}v{}h{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".6\"/>\n",
      pixels(plot.x), pixels(plot.y), pixels(plot.high), pixels(plot.wide));
  if (with_y)
    for (std::size_t i = 0; i < y_.ticks.size(); ++i)
      text(plot.x - 6, y(y_.ticks[i].value) + kTickSize * 0.35, y_.ticks[i].text, kTickSize, "end",
           i < y_.full.size() ? y_.full[i] : "");
  if (with_x)
    for (std::size_t i = 0; i < x_.ticks.size(); ++i) {
      const double at = x(x_.ticks[i].value), below = plot.y + plot.high + 6;
      const std::string full = i < x_.full.size() ? x_.full[i] : "";
      if (x_.turned)
        text(at, below + kTickSize * 0.7, x_.ticks[i].text, kTickSize, "end", full,
             fmt::format("transform=\"rotate(-40 {} {})\"", pixels(at), pixels(below + kTickSize * 0.35)));
      else
        text(at, below + kTickSize, x_.ticks[i].text, kTickSize, "middle", full);
    }
  out_ += "</g>\n";
}

std::string SvgPicture::title_of(const Axis& axis, double room) {
  const std::string all = axis.text();
  if (text_width(all, kLabelSize) <= room || axis.unit.empty()) return fitting(all, kLabelSize, room);
  const std::string unit = fmt::format(" ({})", fitting(axis.unit, kLabelSize, room / 3));
  return fitting(axis.label, kLabelSize, room - text_width(unit, kLabelSize)) + unit;
}

double SvgPicture::near(double wanted, const std::string& shown, double from, double to) {
  const double half = text_width(shown, kLabelSize) / 2;
  return std::max(from + half, std::min(wanted, to - half));
}

void SvgPicture::axis_titles() {
  const double whole_wide = wide_ - left_ - right_, whole_high = high_ - top_ - foot_;
  if (const std::string all = figure_.x.text(); !all.empty()) {
    const std::string shown = title_of(figure_.x, wide_ - 2 * kPadding);
    text(near(left_ + whole_wide / 2, shown, kPadding, wide_ - kPadding), high_ - kPadding - 4, shown,
         kLabelSize, "middle", all);
  }
  if (const std::string all = figure_.y.text(); !all.empty()) {
    const double lowest = top_ + whole_high + row_foot_;
    const std::string shown = title_of(figure_.y, lowest - top_);
    const double x = kPadding + kLabelSize, y = near(top_ + whole_high / 2, shown, top_, lowest);
    text(x, y, shown, kLabelSize, "middle", all,
         fmt::format("transform=\"rotate(-90 {} {})\"", pixels(x), pixels(y)));
  }
  if (figure_.kind == FigureKind::heatmap) colour_key();
}

SvgPicture::Ruler SvgPicture::upward(const Rectangle& plot) const {
  if (has_places(figure_.y)) return {false, y_.from, y_.to, plot.y, plot.y + plot.high};  // the first on top
  return {y_.log, y_.from, y_.to, plot.y + plot.high, plot.y};
}

}  // namespace perigee::plots
