// Bars, stacks, areas, boxes and histograms in gnuplot's language.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "runtime/plots/script.h"

namespace perigee::plots {

std::string GnuplotScript::fill(std::size_t s) const {
  constexpr double kLeast = 4;  // pixels
  const double side = figure_.kind == FigureKind::stacked ? kTaken : share();
  const double wide = side * plot_width() / static_cast<double>(figure_.x.categories.size());
  return fmt::format("fs pattern {} {} lc rgb '{}'", kPatterns[look(s) % kPatterns.size()],
                     wide < kLeast ? "noborder" : "border lc rgb '#000000'", fill_colour(look(s)));
}

void GnuplotScript::bars() {
  const auto [least, most] = extents_.y;
  range_from_zero(least, most);
  line("set boxwidth {}", format_number(share() * 0.9));
  for (std::size_t s = 0; s < figure_.series.size(); ++s) {
    const Series& series = figure_.series[s];
    const std::string name = block("series", s, series.points, [&](const Point& p) {
      values({beside(p.x, s), p.y, p.low, p.high});
    });
    plots_.push_back(fmt::format("{} using 1:2 with boxes {} notitle", name, fill(s)));
    draw_intervals(
        s, [&](const Point& p) { return beside(p.x, s); }, -INFINITY, "lw 1.5 lc rgb '#000000'");
    key(series, "with boxes " + fill(s));
  }
  if (least < 0) line("set xzeroaxis lt 1 lc rgb '#404040'");
}

void GnuplotScript::stacked() {
  std::vector<double> tops(figure_.x.categories.size(), 0.0);
  line("set boxwidth 1");
  for (std::size_t s = 0; s < figure_.series.size(); ++s) {
    const std::string name = block("series", s, figure_.series[s].points, [&](const Point& p) {
      double& top = tops[static_cast<std::size_t>(p.x)];
      values({p.x, top, top + p.y});
      top += p.y;
    });
    plots_.push_back(fmt::format("{} using 1:2:($1-{}):($1+{}):2:3 with boxxyerror {} notitle", name,
                                 format_number(kTaken / 2), format_number(kTaken / 2), fill(s)));
    key(figure_.series[s], "with boxes " + fill(s));
  }
  range_from_zero(0, extents_.y.most);
}

void GnuplotScript::areas() {
  const Stack stack = stack_of(figure_);
  range("x", figure_.x, extents_.x.least, extents_.x.most);
  std::vector<std::size_t> places(stack.x.empty() ? 0 : stack.x.size() - (figure_.joined ? 0 : 1));
  std::iota(places.begin(), places.end(), std::size_t{0});
  for (std::size_t k = 0; k < stack.series.size(); ++k) {
    const std::vector<double>& tops = stack.tops[k];
    const std::size_t own = look_of(figure_, stack, k);
    const std::string style =
        fmt::format("fs solid {} noborder lc rgb '{}'", fill_share(own), fill_colour(own));
    key(figure_.series[stack.series[k]], "with boxes " + style);
    if (places.empty()) continue;
    const std::string name = block("series", stack.series[k], places, [&](std::size_t i) {
      const double bottom = k == 0 ? 0 : stack.tops[k - 1][i];
      values({stack.x[i], bottom, tops[i]});
      if (!figure_.joined) values({stack.x[i + 1], bottom, tops[i]});
    });
    plots_.push_back(fmt::format("{} using 1:2:3 with filledcurves {} notitle", name, style));
  }
  for (std::size_t s = 0; s < figure_.series.size(); ++s) {
    const Series& series = figure_.series[s];
    if (!series.is_sum) continue;
    const std::string name = block("series", s, series.points, [&](const Point& p) { values({p.x, p.y}); });
    plots_.push_back(fmt::format("{} using 1:2 with steps lw 0.8 lc rgb '#000000' notitle", name));
    key(series, "with lines lw 0.8 lc rgb '#000000'");
  }
  range_from_zero(0, extents_.y.most);
  if (plots_.empty()) plots_.emplace_back("NaN notitle");
}

const char* GnuplotScript::fill_share(std::size_t look) {
  static constexpr std::array kShares = {"1", "0.7", "0.45", "0.25"};
  return look < kLookColours.size() ? "1" : kShares[(look - kLookColours.size()) % kShares.size()];
}

void GnuplotScript::boxes() {
  range("y", figure_.y, extents_.y.least, extents_.y.most);
  line("set boxwidth {}", format_number(std::min(0.5, share() * 0.8)));
  for (std::size_t s = 0; s < figure_.series.size(); ++s) {
    const Series& series = figure_.series[s];
    const std::string name = block("series", s, series.boxes, [&](const Box& box) {
      values({beside(box.x, s), box.low, box.q1, box.median, box.q3, box.high});
    });
    plots_.push_back(
        fmt::format("{} using 1:3:2:6:5 with candlesticks whiskerbars 0.5 {} notitle", name, fill(s)));
    plots_.push_back(
        fmt::format("{} using 1:4:4:4:4 with candlesticks lw 3 lc rgb '#000000' fs empty notitle", name));
    key(series, "with boxes " + fill(s));
    std::vector<std::pair<double, double>> outliers;
    for (const Box& box : series.boxes)
      for (const double y : box.outliers) outliers.emplace_back(beside(box.x, s), y);
    if (outliers.empty()) continue;
    const std::string beyond = block("outliers", s, outliers, [&](const auto& outlier) {
      values({outlier.first, outlier.second});
    });
    plots_.push_back(fmt::format("{} using 1:2 with points pt 6 ps 0.5 lc rgb '#000000' notitle", beyond));
  }
}

void GnuplotScript::histogram() {
  range_from_zero(0, extents_.y.most);
  const bool several = figure_.series.size() > 1;
  for (std::size_t s = 0; s < figure_.series.size(); ++s) {
    const Series& series = figure_.series[s];
    if (!several) {
      const std::string name = block("series", s, series.bins, [&](const Bin& bin) {
        values({bin.from, bin.to, static_cast<double>(bin.count)});
      });
      plots_.push_back(fmt::format(
          "{} using (($1+$2)/2):3:($2-$1) with boxes fs solid 0.6 border lc rgb '#000000' lc rgb '{}' notitle",
          name, fill_colour(look(s))));
      continue;
    }
    std::vector<std::pair<double, double>> outline;
    for (const Bin& bin : series.bins) {
      if (outline.empty()) outline.emplace_back(bin.from, 0);
      outline.emplace_back(bin.from, bin.count);
      outline.emplace_back(bin.to, bin.count);
    }
    outline.emplace_back(outline.back().first, 0);
    const std::string name = block("series", s, outline, [&](const auto& p) { values({p.first, p.second}); });
    const std::string style = fmt::format("with lines {} {} lw 2", colour_of(s), dash_of(s));
    plots_.push_back(fmt::format("{} using 1:2 {} notitle", name, style));
    key(series, style);
  }
  const Series& first = figure_.series.front();
  if (!first.bins.empty() && !figure_.x.log) {
    const double margin = (first.bins.back().to - first.bins.front().from) * 0.02;
    line("set xrange [{}:{}]", format_number(first.bins.front().from - margin),
         format_number(first.bins.back().to + margin));
  }
}

}  // namespace perigee::plots
