#include "runtime/plots/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "runtime/kernel/error.h"
#include "runtime/kernel/math.h"
#include "runtime/kernel/quantity.h"
#include "runtime/plots/gnuplot.h"

namespace perigee::plots {
namespace {

// `sorted` is ascending.
double quantile(const std::vector<double>& sorted, double p) {
  const double place = static_cast<double>(sorted.size() - 1) * p;
  const auto below = static_cast<std::size_t>(place);
  const double share = place - static_cast<double>(below);
  return share == 0 ? sorted[below] : sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

void check_value(const Figure& figure, const Axis& axis, double value) {
  if (!(std::abs(value) <= kLargestDrawn))
    fail("bad_figure", "{}: {} cannot be drawn; values up to {} can", axis.label, format_number(value),
         kLargestDrawn);
  if (axis.log && !(value > 0))
    fail("bad_figure", "{}: {} has no place on a logarithmic axis; leave {} out", axis.label,
         format_number(value), &axis == &figure.x ? "log_x" : "log_y");
}

}  // namespace

std::string Axis::text() const {
  if (label.empty() || unit.empty()) return label + unit;
  return fmt::format("{} ({})", label, unit);
}

Box box_of(double x, std::vector<double> values) {
  constexpr double kReach = 1.5;
  PERIGEE_ASSERT(!values.empty(), "a box needs a value");
  std::sort(values.begin(), values.end());
  Box box{x, values.size(), 0, quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75), 0};
  const double reach = kReach * (box.q3 - box.q1);
  const auto first = std::lower_bound(values.begin(), values.end(), box.q1 - reach);
  const auto last = std::upper_bound(values.begin(), values.end(), box.q3 + reach);
  box.low = *first;
  box.high = *std::prev(last);
  box.outliers.assign(values.begin(), first);
  box.outliers.insert(box.outliers.end(), last, values.end());
  return box;
}

std::vector<double> bin_edges(std::vector<double> values, std::size_t count, bool log) {
  constexpr std::size_t kMost = 100;
  PERIGEE_ASSERT(!values.empty(), "a histogram needs a value");
  std::sort(values.begin(), values.end());
  const double least = values.front(), most = values.back();
  if (log)
    for (double& value : values) value = math::log(value);
  double from = values.front(), to = values.back();
  if (!(most > least)) {  // all are the same
    const double around = log ? math::log(2) / 2 : std::max(0.5, std::abs(from) / 1e3);
    from -= around;
    to += around;
    if (log) {
      if (most <= kLargestDrawn) to = std::min(to, math::log(kLargestDrawn));
    } else if (std::abs(least) <= kLargestDrawn) {
      from = std::max(from, -kLargestDrawn);
      to = std::min(to, kLargestDrawn);
    }
  }
  if (count == 0) {
    const auto n = static_cast<double>(values.size());
    double wanted = std::ceil(math::log2(n)) + 1;
    const double spread = quantile(values, 0.75) - quantile(values, 0.25);
    if (spread > 0) wanted = std::max(wanted, std::ceil((to - from) / (2 * spread / math::cbrt(n))));
    count = least == most ? 1 : static_cast<std::size_t>(std::min<double>(wanted, kMost));
  }
  std::vector<double> edges;
  for (std::size_t i = 0; i <= count; ++i) {
    const double edge = from + (to - from) * static_cast<double>(i) / static_cast<double>(count);
    edges.push_back(log ? math::exp(edge) : edge);
  }
  if (least < most) {  // exactly, which sums and logarithms are not
    edges.front() = least;
    edges.back() = most;
  } else {
    edges.back() = std::min(edges.back(), std::max(most, kLargestDrawn));
  }
  return edges;
}

std::vector<Bin> binned(const std::vector<double>& values, const std::vector<double>& edges) {
  std::vector<Bin> bins;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) bins.push_back({edges[i], edges[i + 1]});
  for (const double value : values) {
    const auto after = std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
    const auto last = static_cast<std::ptrdiff_t>(bins.size()) - 1;
    ++bins[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after - 1, 0, last))].count;
  }
  return bins;
}

namespace {

// If all values are below the smallest normal numbers, gnuplot draws an empty frame.
void check_smallest(const Axis& axis, double largest) {
  if (largest > 0 && largest < kSmallestDrawn)
    fail("bad_figure", "{}: all values are at most {} in size, too small to be drawn; at least {} can be",
         axis.label, format_number(largest), kSmallestDrawn);
}

// How many marks it has. All of their values can be drawn.
std::size_t check_marks(const Figure& figure) {
  std::size_t marks = 0;
  double largest_x = 0, largest_y = 0;  // in size
  const auto check_x = [&](double value) {
    check_value(figure, figure.x, value);
    largest_x = std::max(largest_x, std::abs(value));
  };
  const auto check_y = [&](double value) {
    check_value(figure, figure.y, value);
    largest_y = std::max(largest_y, std::abs(value));
  };
  for (const Series* one : all_series(figure)) {
    const Series& series = *one;
    marks += series.points.size() + series.boxes.size() + series.bins.size() + series.gantt_bars.size() +
             series.cells.size();
    for (const Point& point : series.points) {
      check_x(point.x);
      check_y(point.y);
    }
    for (const Box& box : series.boxes) {
      marks += box.outliers.size();
      for (const double value : {box.low, box.q1, box.high}) check_y(value);
      for (const double value : box.outliers) check_y(value);
    }
    for (const Bin& bin : series.bins)
      for (const double edge : {bin.from, bin.to}) check_x(edge);
    for (const GanttBar& bar : series.gantt_bars)
      for (const double end : {bar.from, bar.to}) check_x(end);
    for (const HeatCell& cell : series.cells) check_value(figure, figure.value, cell.value);
  }
  check_smallest(figure.x, largest_x);
  check_smallest(figure.y, largest_y);
  return marks;
}

// Values that stand on each other, or on the axis.
void check_stacks(const Figure& figure) {
  const bool areas = figure.kind == FigureKind::areas, stacked = figure.kind == FigureKind::stacked || areas;
  for (const Series* series : all_series(figure))
    for (const Point& point : series->points)
      if (stacked && point.y < 0)
        fail("bad_figure", "{}: {}{} cannot stand on another {}; values >= 0 can", figure.y.label,
             format_number(point.y), series->name.empty() ? "" : " of " + series->name,
             areas ? "area" : "bar");
  if ((stacked || figure.kind == FigureKind::bars) && figure.y.log)
    fail("bad_figure", "{}: {} begin at 0, which a logarithmic axis does not have; draw {}", figure.y.label,
         areas ? "areas" : "bars", areas ? "steps" : "points");
}

}  // namespace

void check(const Figure& figure) {
  if (const std::size_t series = key_series(figure).size(); series > kMostSeries)
    fail("bad_figure", "{} series{} are too many: at most {} can be told apart", series,
         figure.by.empty() ? "" : " by " + figure.by, kMostSeries);
  if (figure.panels.size() > kMostPanels)
    fail("bad_figure", "facet: {} small figures are too many: at most {} can be read", figure.panels.size(),
         kMostPanels);
  for (const Axis* axis : {&figure.x, &figure.y})
    if (const std::size_t most = figure.kind == FigureKind::gantt ? kMostLanes : kMostCategories;
        axis->categories.size() > most)
      fail("bad_figure", "{}{} places on one axis are too many: at most {} can be read{}",
           axis->label.empty() ? "" : axis->label + ": ", axis->categories.size(), most,
           figure.kind == FigureKind::gantt
               ? "; choose some by hosts = { }, or put them together by rows = 32"
               : "");
  const std::size_t marks = check_marks(figure);
  check_stacks(figure);
  const bool areas = figure.kind == FigureKind::areas;
  const bool none = areas && figure.panels.empty() && stack_of(figure).x.empty();
  if (marks == 0 || none) fail("empty_figure", "there is nothing to draw");
  if (const Extent x = extents_of(figure).x; areas && !(x.most > x.least))
    fail("empty_figure", "areas need two different {} at least, got one; draw kind = \"stacked\"",
         figure.x.label.empty() ? "x" : "values of " + figure.x.label);
  const char* instead = figure.kind == FigureKind::gantt
                            ? "draw a part: from =, to =, hosts = { }, or rows of hosts: rows = 32"
                            : "draw means or a part";
  if (marks > kMostMarks)
    fail("bad_figure", "{} marks are too many for one figure, at most {}; {}", marks, kMostMarks, instead);
}

namespace {

// The rows of a figure as a table, each with its panel and series.
class DataOfFigure {
 public:
  explicit DataOfFigure(const Figure& figure)
      : figure_(figure),
        all_(all_series(figure)),
        named_(figure.kind != FigureKind::heatmap && (key_series(figure).size() > 1 || !figure.by.empty())) {}

  Table table() {
    const std::string x = figure_.x.text(), y = figure_.y.text();
    switch (figure_.kind) {
      case FigureKind::lines:
      case FigureKind::steps:
      case FigureKind::points:
      case FigureKind::bars:
      case FigureKind::stacked:
      case FigureKind::areas:
        columns({x, y, "low", "high", "n"});
        for (const Series* series : all_)
          for (const Point& p : series->points)
            row(*series, {place(p.x), p.y, p.low, p.high, p.n > 0 ? number(p.n) : Cell()});
        break;
      case FigureKind::ecdf:
        columns({x, y, "count"});
        for (const Series* series : all_)
          for (const Point& p : series->points) row(*series, {p.x, p.y, number(p.n)});
        break;
      case FigureKind::heatmap:
        columns({x, y, figure_.value.text(), "n"});
        for (const Series* series : all_)
          for (const HeatCell& cell : series->cells)
            row(*series,
                {figure_.x.categories[cell.x], figure_.y.categories[cell.y], cell.value, number(cell.n)});
        break;
      case FigureKind::box:
        columns({x, "n", "low", "q1", "median", "q3", "high", "outliers"});
        boxes();
        break;
      case FigureKind::histogram:
        columns({"from", "to", "count"});
        for (const Series* series : all_)
          for (const Bin& bin : series->bins) row(*series, {bin.from, bin.to, number(bin.count)});
        break;
      case FigureKind::gantt:
        gantt_bars();
        break;
    }
    make_printable();
    return std::move(table_);
  }

 private:
  void columns(std::initializer_list<std::string> names) {
    if (!figure_.panels.empty())
      table_.columns.insert(table_.columns.end(), figure_.facets.begin(), figure_.facets.end());
    if (named_) table_.columns.push_back(figure_.by.empty() ? "series" : figure_.by);
    table_.columns.insert(table_.columns.end(), names);
  }
  const Panel& panel_of(const Series& series) const {
    return *std::ranges::find_if(figure_.panels, [&](const Panel& panel) {
      return std::ranges::any_of(panel.series, [&](const Series& its) { return &its == &series; });
    });
  }
  void row(const Series& series, std::initializer_list<Cell> cells) {
    auto& made = table_.rows.emplace_back();
    if (!figure_.panels.empty())
      for (const std::string& value : panel_of(series).values) made.emplace_back(value);
    if (named_) made.emplace_back(series.name);
    made.insert(made.end(), cells);
  }
  static Cell number(std::size_t n) { return static_cast<double>(n); }
  Cell place(double x) const {
    return figure_.x.categories.empty() ? Cell(x) : Cell(figure_.x.categories[static_cast<std::size_t>(x)]);
  }

  void boxes() {
    for (const Series* series : all_)
      for (const Box& box : series->boxes) {
        std::string outliers;
        for (const double value : box.outliers)
          outliers += (outliers.empty() ? "" : " ") + format_number(value);
        row(*series, {place(box.x), number(box.n), box.low, box.q1, box.median, box.q3, box.high, outliers});
      }
  }

  void gantt_bars() {
    const bool whole = std::ranges::all_of(figure_.series, [](const Series& series) {
      return std::ranges::all_of(series.gantt_bars, &GanttBar::covers_lane);
    });
    if (whole)
      columns({"lane", "from", "to", "label"});
    else
      columns({"lane", "from", "to", "label", "last_lane", "top", "bottom"});
    for (const Series& series : figure_.series)
      for (const GanttBar& bar : series.gantt_bars) {
        const std::string& lane = figure_.y.categories[bar.lane];
        if (whole)
          row(series, {lane, bar.from, bar.to, bar.label});
        else
          row(series, {lane, bar.from, bar.to, bar.label, figure_.y.categories[bar.lane + bar.more], bar.top,
                       bar.bottom});
      }
  }

  void make_printable() {
    for (std::string& column : table_.columns) column = printable(column);
    for (auto& cells : table_.rows)
      for (Cell& cell : cells)
        if (auto* text = std::get_if<std::string>(&cell)) *text = printable(*text);
  }

  const Figure& figure_;
  const std::vector<const Series*> all_;
  const bool named_;
  Table table_;
};

}  // namespace

Table data(const Figure& figure) { return DataOfFigure(figure).table(); }

namespace {

// gnuplot leaves "]]>" in texts, which XML allows only as the end of a CDATA section.
std::string well_formed(std::string svg) {
  constexpr std::string_view kBegin = "<![CDATA[", kEnd = "]]>";
  bool within = false;
  for (std::size_t at = 0; at < svg.size(); ++at) {
    if (!within && svg.compare(at, kBegin.size(), kBegin) == 0) within = true;
    if (svg.compare(at, kEnd.size(), kEnd) != 0) continue;
    if (!within) svg.replace(at + 2, 1, "&gt;");
    within = false;
  }
  return svg;
}

}  // namespace

namespace {

// Puts a date of our own in place of the one on which the PDF was made; as long, for the file has a list of places.
std::string without_date(std::string pdf) {
  constexpr std::string_view kKey = "/CreationDate (D:", kDate = "20000101000000";
  const std::size_t at = pdf.find(kKey);
  if (at != pdf.npos && at + kKey.size() + kDate.size() <= pdf.size())
    pdf.replace(at + kKey.size(), kDate.size(), kDate);
  return pdf;
}

}  // namespace

std::string picture(const Figure& figure, FigureFormat format) {
  check(figure);
  const std::string script = picture_script(figure, format);
  if (format == FigureFormat::svg) return well_formed(gnuplot(script));
  try {
    std::string drawn = gnuplot(script);
    return format == FigureFormat::pdf ? without_date(std::move(drawn)) : drawn;
  } catch (const Error& error) {
    if (error.diagnostic().message.find("terminal type") == std::string::npos) throw;
    fail("no_gnuplot",
         "the gnuplot of this machine does not draw {}: install the package gnuplot-nox, or write svg",
         format == FigureFormat::pdf ? "pdf" : "png");
  }
}

std::string svg(const Figure& figure) { return picture(figure, FigureFormat::svg); }

}  // namespace perigee::plots
