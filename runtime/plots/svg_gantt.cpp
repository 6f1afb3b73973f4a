// Gantt charts as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/kernel/quantity.h"
#include "runtime/plots/svg.h"

namespace perigee::plots {

std::string SvgPicture::light(std::size_t tint) {
  static constexpr std::array kLightFills = {"#9fd0f0", "#f5d48a", "#7fcdb4", "#f0a97a",
                                             "#e6bfd4", "#d9d9d9", "#f7f3a0"};
  return kLightFills[tint % kLightFills.size()];
}

void SvgPicture::gantt_fill(const Rectangle& at, const Series& series, std::size_t s, std::size_t tint) {
  std::size_t solid = 0, hatched = 0;
  for (std::size_t i = 0; i < s; ++i) (key_series(figure_)[i].hatched ? hatched : solid)++;
  put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>", pixels(at.x), pixels(at.y),
      pixels(at.wide), pixels(at.high), series.hatched ? "#c8c8c8" : light(tint > 0 ? tint - 1 : solid),
      at.wide >= 3 && series.edged ? " stroke=\"#000\" stroke-width=\".4\"" : "");
  if (series.hatched) hatch_lines(at, static_cast<int>(hatched % 4) + 1, "stroke=\"#555\"");
}

void SvgPicture::gantt_bars(const std::vector<Series>& series) {
  const double lane = plot_.high / (y_.to - y_.from);
  for (std::size_t s = 0; s < series.size(); ++s) {
    const Series& one = series[s];
    open_series(one);
    std::string all;
    for (const GanttBar& b : one.gantt_bars) {
      const double from = x_at_(b.from), to = x_at_(b.to);
      const double upper = y_at_(static_cast<double>(b.lane) - 0.4 + 0.8 * b.top),
                   lower = y_at_(static_cast<double>(b.lane + b.more) - 0.4 + 0.8 * b.bottom);
      const Rectangle at{from, upper, std::max(0.3, to - from), lower - upper};
      if (!titled_) {
        all += fmt::format("M{} {}h{}v{}h{}z", pixels(at.x), pixels(at.y), pixels(at.wide), pixels(at.high),
                           pixels(-at.wide));
        continue;
      }
      put("<g class=\"mark\">{}", title(gantt_title(one, b)));
      gantt_fill(at, one, s, b.tint);
      const double size = std::clamp(std::min(lane, at.high) * 0.6, 5.0, 11.0);
      if (!b.label.empty() && at.high >= 7 && text_width(b.label, size) + 3 <= at.wide)
        text((from + to) / 2, (upper + lower) / 2 + size * 0.35, b.label, size, "middle", "",
             "fill=\"#000\" pointer-events=\"none\"");
      out_ += "</g>\n";
    }
    if (!all.empty()) {
      std::size_t solid = 0;
      for (std::size_t i = 0; i < s; ++i) solid += series[i].hatched ? 0 : 1;
      put("<path d=\"{}\" fill=\"{}\"/>\n", all, one.hatched ? "#a0a0a0" : light(solid));
    }
    out_ += "</g>\n";
  }
}

std::string SvgPicture::gantt_title(const Series& series, const GanttBar& b) const {
  const std::vector<std::string>& lanes = figure_.y.categories;
  return joined({b.label.empty() ? series.name : fmt::format("{} ({})", b.label, series.name),
                 b.more == 0 ? lanes[b.lane] : fmt::format("{} .. {}", lanes[b.lane], lanes[b.lane + b.more]),
                 fmt::format("{} .. {}", short_number(b.from), number_text(figure_.x, b.to))});
}

}  // namespace perigee::plots
