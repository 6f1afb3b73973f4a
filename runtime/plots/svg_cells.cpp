// Heat maps as SVG, and the scale of their colours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/quantity.h"
#include "runtime/plots/svg.h"

namespace perigee::plots {

std::vector<Tick> SvgPicture::scale_ticks() const {
  const Extent all = values_of(figure_);
  if (!(all.most > all.least)) return {{all.least, short_number(all.least)}};
  return linear_ticks(all.least, all.most, TickStep::at_least((all.most - all.least) / 4));
}

double SvgPicture::scale_width() const {
  double widest = 0;
  for (const Tick& tick : scale_ticks()) widest = std::max(widest, text_width(tick.text, kTickSize));
  const double title = figure_.value.text().empty() ? 0 : kLabelSize * kLineHeight;
  return 14 + kScaleBar + 6 + widest + title;
}

double SvgPicture::share_of_value(double value) const {
  const Extent all = values_of(figure_);
  return all.most > all.least ? (value - all.least) / (all.most - all.least) : 0.5;
}

void SvgPicture::missing(const std::vector<Series>& series, double wide, double high) {
  const std::size_t columns = figure_.x.categories.size();
  std::vector<bool> has(columns * figure_.y.categories.size());
  for (const Series& one : series)
    for (const HeatCell& cell : one.cells) has[cell.y * columns + cell.x] = true;
  std::string lines;
  for (std::size_t at = 0; at < has.size(); ++at)
    if (!has[at])
      lines += fmt::format("M{} {}l{} {}", pixels(x_at_(static_cast<double>(at % columns)) - wide / 2),
                           pixels(y_at_(static_cast<double>(at / columns)) + high / 2), pixels(wide),
                           pixels(-high));
  if (!lines.empty())
    put("<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".35\"/>\n", lines);
}

void SvgPicture::cells(const std::vector<Series>& series) {
  const Extent all = values_of(figure_);
  const double wide = plot_.wide / (x_.to - x_.from), high = plot_.high / (y_.to - y_.from);
  double widest = 0;
  for (const Series* one : all_series(figure_))
    for (const HeatCell& cell : one->cells)
      widest = std::max(widest, text_width(cell_text(cell.value), kTickSize));
  const bool numbers = widest + 4 <= wide && kTickSize + 2 <= high;
  missing(series, wide, high);
  for (const Series& one : series) {
    open_series(one);
    for (const HeatCell& cell : one.cells) {
      const Rgb colour =
          scale_colour(all.most > all.least ? (cell.value - all.least) / (all.most - all.least) : 0.5);
      const double x = x_at_(static_cast<double>(cell.x)), y = y_at_(static_cast<double>(cell.y));
      put("<g class=\"mark\">{}<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
          "shape-rendering=\"crispEdges\"/>",
          titled_ ? title(cell_title(cell)) : "", pixels(x - wide / 2), pixels(y - high / 2), pixels(wide),
          pixels(high), colour.text());
      if (numbers)
        text(x, y + kTickSize * 0.35, cell_text(cell.value), kTickSize, "middle", "",
             fmt::format("fill=\"{}\" pointer-events=\"none\"", wants_black(colour) ? "#000" : "#fff"));
      out_ += "</g>\n";
    }
    out_ += "</g>\n";
  }
}

std::string SvgPicture::cell_title(const HeatCell& cell) const {
  return joined({place_text(figure_.x, static_cast<double>(cell.x)),
                 place_text(figure_.y, static_cast<double>(cell.y)),
                 (figure_.value.label.empty() ? "" : figure_.value.label + " = ") +
                     number_text(figure_.value, cell.value),
                 cell.n > 1 ? fmt::format("mean of {}", cell.n) : ""});
}

void SvgPicture::colour_key() {
  const double x = wide_ - kPadding - scale_width() + 14, y = top_ + strip_;
  const double high = std::min(high_ - top_ - foot_ - strip_, 260.0);
  constexpr int kSteps = 64;
  out_ += "<g class=\"scale\">\n";
  const double step = high / kSteps;
  for (int i = 0; i < kSteps; ++i)
    put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", pixels(x), pixels(y + step * i),
        pixels(kScaleBar), pixels(step + 0.5), scale_colour(1 - (i + 0.5) / kSteps).text());
  put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"currentColor\" "
      "stroke-opacity=\".4\"/>\n",
      pixels(x), pixels(y), pixels(kScaleBar), pixels(high));
  std::vector<Tick> ticks = scale_ticks();
  double free = INFINITY;
  double widest = 0;
  for (const Tick& tick : ticks) {
    widest = std::max(widest, text_width(tick.text, kTickSize));
    const double at = y + high * (1 - share_of_value(tick.value));
    if (at > free) continue;
    free = at - kTickSize * 1.2;
    put("<path d=\"M{} {}h4\" stroke=\"currentColor\"/>", pixels(x + kScaleBar), pixels(at));
    text(x + kScaleBar + 6, at + kTickSize * 0.35, tick.text, kTickSize, "start");
  }
  if (const std::string all = figure_.value.text(); !all.empty()) {
    const double lowest = high_ - foot_ + row_foot_;
    const std::string shown = title_of(figure_.value, lowest - top_);
    const double at = x + kScaleBar + 6 + widest + kLabelSize,
                 middle = near(y + high / 2, shown, top_, lowest);
    text(at, middle, shown, kLabelSize, "middle", all,
         fmt::format("transform=\"rotate(-90 {} {})\"", pixels(at), pixels(middle)));
  }
  out_ += "</g>\n";
}

}  // namespace perigee::plots
