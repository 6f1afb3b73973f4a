// Figures: a plain value with the content, drawn as SVG by gnuplot, as text in the terminal, and as a table
// of its numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/gantt.h"
#include "runtime/results/table.h"

namespace perigee::plots {

// The language names those before `gantt`, in this order.
enum class FigureKind : std::uint8_t {
  lines,
  steps,
  points,
  bars,
  stacked,
  box,
  histogram,
  areas,
  ecdf,
  heatmap,
  gantt
};

// A figure with more than this is an error, for nobody can read it.
inline constexpr std::size_t kMostSeries = 24;
inline constexpr std::size_t kMostCategories = 200;
inline constexpr std::size_t kMostLanes = 2000;
inline constexpr std::size_t kMostPanels = 24;
inline constexpr double kLargestDrawn = 1e30;     // in size
inline constexpr double kSmallestDrawn = 1e-300;  // in size, of the largest of an axis that is not all 0
// Points, bars and boxes with their outliers, in all series together.
inline constexpr std::size_t kMostMarks = 100'000;

struct Axis {
  std::string label, unit = {};  // shown as "label (unit)"
  bool log = false;
  std::vector<std::string> categories = {};  // their places are 0, 1, ...; empty: the axis has numbers
  // Numbers that the axis reaches to even where nothing is drawn there; NaN = none.
  double least = std::numeric_limits<double>::quiet_NaN(), most = std::numeric_limits<double>::quiet_NaN();

  std::string text() const;
};

// A point in units of the axes. `low` and `high` bound an interval around y; NaN = none.
struct Point {
  double x = 0, y = 0;
  double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();
  std::size_t n = 1;  // values that y is the mean of; 0: not known
};

// Quartiles interpolate between the sorted values. The p-quantile of n values is at place (n - 1) p, counted
// from 0 (type 7 of Hyndman and Fan, The American Statistician 50(4), 1996). Whiskers end at the outermost
// values within 1.5 times the distance of the quartiles from them (Tukey, Exploratory Data Analysis, 1977).
// Values beyond are outliers.
struct Box {
  double x = 0;
  std::size_t n = 0;
  double low = 0, q1 = 0, median = 0, q3 = 0, high = 0;
  std::vector<double> outliers = {};  // ascending
};
// There must be at least one value.
Box box_of(double x, std::vector<double> values);

// `count` values in [from, to); the last bin has the values in [from, to].
struct Bin {
  double from = 0, to = 0;  // in units of the axis
  std::size_t count = 0;
};
// Edges of bins that cover all values, equally wide, or in equal ratios when `log`. For `count` 0, the number
// of bins is the larger of two, at most 100. Sturges' number is ceil(log2 n) + 1; that of Freedman and
// Diaconis is for bins of 2 (q3 - q1) / cbrt(n). There must be at least one value; they must be positive when
// `log`.
std::vector<double> bin_edges(std::vector<double> values, std::size_t count = 0, bool log = false);
std::vector<Bin> binned(const std::vector<double>& values, const std::vector<double>& edges);

// A bar of a Gantt chart. It covers its lane, or several lanes that follow one another, or parts of lanes.
struct GanttBar {
  double from = 0, to = 0;  // in units of the axis
  std::size_t lane = 0;     // a category of the y axis; the first is on top
  std::string label = {};
  std::size_t more = 0;  // lanes below that it covers too
  double top = 0,
         bottom = 1;      // where it begins in its first lane and ends in its last one, 0 to 1 from above
  std::uint8_t tint = 0;  // bars of one series with different tints have different colours; 0: the series'
  bool covers_lane() const { return more == 0 && top == 0 && bottom == 1; }
};

// A cell of a heat map, at places of both axes. The first place of the y axis is on top.
struct HeatCell {
  std::size_t x = 0, y = 0;
  double value = 0;
  std::size_t n = 1;  // values that it is the mean of
};

// The kind of figure decides which of the lists counts.
struct Series {
  std::string name;
  std::vector<Point> points = {};  // lines, steps, points, bars, stacked, areas, ecdf
  std::vector<Box> boxes = {};
  std::vector<Bin> bins = {};
  std::vector<GanttBar> gantt_bars = {};
  bool hatched = false;  // of a Gantt chart: in grey, with a pattern
  bool edged = true;     // of a Gantt chart: wide bars have a border
  int colour = -1;       // the number of its look (look.h), from 0; -1: its place
  bool is_sum = false;   // of areas: the sum of the others, drawn as a line over them
  std::vector<HeatCell> cells = {};
};

// One of several small figures with the same axes.
struct Panel {
  std::string name;
  std::vector<Series> series;  // as many in each panel, in the same order, with the same names
  std::size_t row = 0, column = 0;
  std::vector<std::string> values = {};  // of the columns Figure::facets
};

struct Figure {
  FigureKind kind = FigureKind::lines;
  std::string title = {}, note = {};
  Axis x, y;
  std::string by = {};  // meaning of the series, a column's name
  std::vector<Series> series;
  int width = 640, height = 0;           // of the SVG in pixels; height 0: what suits it
  Axis value = {};                       // of a heat map: what its colours mean
  bool joined = false;                   // of areas: straight lines join the points
  std::vector<Panel> panels = {};        // instead of `series`
  std::vector<std::string> facets = {};  // columns whose values the panels are for
};

// The figure of panel `p`, with axes that reach as far as those of all panels.
Figure panel_figure(const Figure& figure, std::size_t p);
// The series of a figure, or of all its panels one after the other.
std::vector<const Series*> all_series(const Figure& figure);
// The series that a key names: of the first panel, if there are panels.
inline const std::vector<Series>& key_series(const Figure& figure) {
  return figure.panels.empty() ? figure.series : figure.panels.front().series;
}
// Whether the key names the series.
bool has_key(const Figure& figure);

// The extent that the axes of numbers have to hold: the marks, their intervals, 0 where marks stand on it, Axis::least and
// Axis::most. Intervals that reach to 0 or below do not count on a logarithmic axis.
struct Extent {
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  void take(double value) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
};
struct Extents {
  Extent x, y;
};
Extents extents_of(const Figure& figure);
// The least and the largest value of a heat map, of all its panels.
Extent values_of(const Figure& figure);

// The areas of a figure, which stand on each other in the order of the series. A point holds until the next one of its
// series, and before the first one the series is 0. Joined ones are on the straight line between points, and 0 before
// the first and after the last; there an x occurs twice, for the edge to be upright.
struct Stack {
  std::vector<double> x = {};  // ascending: where anything changes, the end of the last point included
  std::vector<std::size_t> series = {};  // those that are no sum, from below
  std::vector<std::vector<double>> tops =
      {};  // of each of these, by x: its upper edge from there until the next x
};
Stack stack_of(const Figure& figure);
// The number of the colour, or the letter, of the k-th area.
inline std::size_t look_of(const Figure& figure, const Stack& stack, std::size_t k) {
  const int own = figure.series[stack.series[k]].colour;
  return own >= 0 ? static_cast<std::size_t>(own) : k;
}

// For each series its horizontal place beside those that share an x with it, -0.5 to 0.5 of the room that all of them
// take; empty where the marks do not hide each other's intervals and may stay where they are.
std::vector<double> dodges_of(const Figure& figure);
// The room that the series with the same x of numbers take in all, in pixels: a small share of `gap`, the distance of
// neighbouring x.
double dodge_room_of(std::size_t series, double gap);
// Whether all marks of an axis of numbers have the same x, so that the axis has this tick alone.
bool has_one_x(const Figure& figure);

// Error "bad_figure" if the figure is empty or too large, or if a value is not finite, or too large or too
// small in size. On a logarithmic axis, values must be positive too.
void check(const Figure& figure);
// The numbers of the figure, a row for each mark. Texts are valid UTF-8 without control characters.
Table data(const Figure& figure);
enum class FigureFormat : std::uint8_t { svg, pdf, png };
inline constexpr std::string_view kFigureFormats =
    "svg|pdf|png";  // their names, which end the names of files
// The scripts that draw the figure in gnuplot: as a file, and as text of so many columns and lines.
std::string picture_script(const Figure& figure, FigureFormat format);
std::string text_script(const Figure& figure, int width, int height, bool colour);
// Equal figures give equal files, to the byte, with the same versions of gnuplot, cairo and fonts. A PDF does not say
// when it was made. A PNG has twice as many pixels to the side as the figure. Errors as in `check` and `gnuplot`
// (gnuplot.h), and "no_gnuplot" where gnuplot was built without the format.
std::string picture(const Figure& figure, FigureFormat format);
std::string svg(const Figure& figure);

// SVG that is a part of an HTML page: one element <svg>, without styles and ids, whose texts and lines have the colour of
// the page's texts. Its marks and series have classes, names and titles that scripts of the page use:
//   <g class="series" data-name="fcfs">  <g class="mark"><title>fcfs, load = 2, response = 3 ± 0.5 s</title> ...
//   <g class="key" data-name="fcfs">
// Texts neither overlap nor are cut. Equal figures give equal text, to the byte. Errors as in `check`.
struct PageSvg {
  bool title = true, note = true;  // whether the figure's are part of the picture
};
std::string page_svg(const Figure& figure, const PageSvg& parts = {});
// More marks than these have no titles.
inline constexpr std::size_t kMostTitles = 2000;

// Lines of at most `width` columns (at least 40). gnuplot draws lines and points over numbers; other figures
// are rows. `colour` adds ANSI colours. Errors as in `svg`. Empty for a Gantt chart, which gantt() in gantt.h
// draws.
std::string text(const Figure& figure, int width, bool colour = false);

// The way from a table to a figure.
struct PlotRequest {
  std::string x = {};                   // a column; empty: none
  std::vector<std::string> y = {};      // columns, at least one
  std::string by = {};                  // a column whose values are the series; empty: none
  std::vector<std::string> facet = {};  // one or two columns with a small figure for each of their values
  std::string value = {};               // the column that the colours of a heat map show
  std::optional<std::string> value_label = {}, value_unit = {};
  std::optional<FigureKind> kind = {};  // lines over numbers, else bars
  std::string title = {};
  std::optional<std::string> x_label = {}, y_label = {};  // instead of the columns' names
  // Units of the axes. A column in a unit of the same dimension is converted. A column without a known unit
  // counts as being in this one.
  std::optional<std::string> x_unit = {}, y_unit = {};
  bool log_x = false, log_y = false;
  std::size_t bins = 0;      // of a histogram; 0 = as bin_edges chooses
  double confidence = 0.95;  // of the intervals of means
  int width = 640, height = 0;
};

// Error "bad_figure" for a request that no table can fulfil.
void check(const PlotRequest& request);

// - x: numbers have their place on the axis. So have texts that are all quantities of one dimension
//   ("300 KB"), in the unit of the first. Other texts are categories in order of first appearance. Bars and
//   boxes have a category for each number too, in ascending order.
// - Stacked bars and areas stand on each other, and show means without intervals.
// - Lines and bars show the mean of several rows with the same x and by, and its Student interval. A column
//   Y_half_width gives the interval; then a second row with the same x and by is an error. Points show each
//   row.
// - A box needs no x: then `by` takes its place. The values of a histogram and of an ECDF are those of y.
// - A heat map has places for the values of x and of y, texts in order of first appearance from left to right and from
//   top to bottom, numbers in ascending order to the right and upwards. A cell has the mean of its rows.
// - Facets: a figure for each value of one column, as many abreast as there is room for; or one for each pair of values
//   of two columns, the first downwards, the second to the right. They share axes, series and scale.
// - A unit is that of the table, else that of the metric of this name.
// - Rows without x or y, or with one that is not finite, are left out; the note says so.
// Error "unknown_column" with the nearest name, or "bad_figure".
Figure figure_of(const Table& rows, const PlotRequest& request);

// The run on its hosts, with a lane per core, and on its links. Colours show the user if there are several,
// else the kind of work. Activities that were killed, lost, cancelled or superseded, and the absence of hosts, are
// hatched. Where jobs had several hosts there is a lane per host, of which a bar takes the share of its cores. A job
// is one rectangle over hosts that stand side by side, neighbouring jobs differ in colour, and reservations are hatched.
// With ChartPart::rows, or where too many of these bars would be too narrow to be seen, there is a lane for so many
// neighbouring hosts. Bars are the shares of their cores then, means over intervals. Error "bad_figure" if nothing
// has run.
Figure gantt_figure(const Outcome& outcome, const ChartPart& part = {});

// Steps over time. The first figure has the busy cores, as the metric utilization counts them, and the cores
// that are up. The second has the works that have arrived and of which nothing has started. A run with more
// than 1000 steps is shown by the means over 400 intervals. Error "bad_figure" if nothing has run.
Figure utilization_figure(const Outcome& outcome);
Figure queue_figure(const Outcome& outcome);
// Areas over time: what hosts draw, W, by the state in which they draw it (EnergyPart), on each other, and the sum of all.
// Means as above, of all states if one has more than 1000 steps. Error "bad_figure" if no host declares its power.
Figure power_figure(const Outcome& outcome);

}  // namespace perigee::plots
