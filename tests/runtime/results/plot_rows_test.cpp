// Figures of the rows of a table, and figures as text.
#include "runtime/results/plot.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "runtime/kernel/quantity.h"
#include "tests/runtime/results/figures.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Table runs() {
  Table table;
  table.columns = {"size", "policy", "makespan", "cost", "status"};
  table.rows = {{"300 KB", "fcfs", 1.0, 5.0, "ok"}, {"300 KB", "fcfs", 2.0, 6.0, "ok"},
                {"300 KB", "fcfs", 3.0, {}, "ok"},  {"1 MB", "fcfs", 4.0, 7.0, "ok"},
                {"300 KB", "edf", 10.0, 8.0, "ok"}, {"1 MB", "edf", 20.0, 9.0, "lost"},
                {"1 MB", "edf", NAN, 9.0, "lost"}};
  return table;
}

PlotRequest request(std::string x, std::string y, std::string by = "") {
  PlotRequest made;
  made.x = std::move(x);
  made.y = {std::move(y)};
  made.by = std::move(by);
  return made;
}

}  // namespace

TEST_CASE("means with Student's interval over quantities") {
  const Figure figure = figure_of(runs(), request("size", "makespan", "policy"));
  CHECK(figure.kind == FigureKind::lines);
  CHECK(figure.x.text() == "size (KB)");
  CHECK(figure.y.text() == "makespan (s)");  // a metric of this name
  REQUIRE(figure.series.size() == 2);
  CHECK(figure.series[0].name == "fcfs");
  const auto& fcfs = figure.series[0].points;
  REQUIRE(fcfs.size() == 2);
  CHECK((fcfs[0].x == 300 && fcfs[0].y == 2 && fcfs[0].n == 3));
  // t(2, 97.5 %) = 4.302653 (tables of the distribution), sd 1: 4.302653 / sqrt(3).
  CHECK(fcfs[0].high - 2 == Approx(2.484138).epsilon(1e-6));
  CHECK(2 - fcfs[0].low == Approx(2.484138).epsilon(1e-6));
  CHECK((fcfs[1].x == 1000 && fcfs[1].y == 4 && fcfs[1].n == 1 && std::isnan(fcfs[1].low)));
  CHECK(figure.note == "mean and 95 % Student interval of 1 to 3 values; 1 row without a value left out");
}

TEST_CASE("categories, several columns, given half-widths") {
  Figure figure = figure_of(runs(), request("status", "makespan"));
  CHECK(figure.kind == FigureKind::bars);
  CHECK(figure.x.categories == std::vector<std::string>{"ok", "lost"});
  CHECK(figure.series[0].points[0].y == 4);  // (1 + 2 + 3 + 4 + 10) / 5

  PlotRequest two = request("status", "makespan");
  two.y = {"makespan", "cost"};
  CHECK(plot_message_of([&] { figure_of(runs(), two); }) ==
        "y: 'makespan' is in s, 'cost' in plain numbers; one axis cannot show both");
  two.y_unit = "s";
  figure = figure_of(runs(), two);
  CHECK(figure.series[1].name == "cost");
  CHECK(figure.y.text() == "makespan, cost (s)");

  Table summary;
  summary.columns = {"n", "span", "span_half_width"};
  summary.rows = {{20.0, 60.0, 6.0}, {10.0, 120.0, {}}};
  summary.units = {"", "s", ""};
  PlotRequest given = request("n", "span");
  given.y_unit = "min";
  figure = figure_of(summary, given);
  const auto& points = figure.series[0].points;
  CHECK((points[0].x == 10 && points[0].y == 2 && std::isnan(points[0].low)));
  CHECK((points[1].x == 20 && points[1].y == 1 && points[1].low == Approx(0.9) &&
         points[1].high == Approx(1.1)));
  CHECK(figure.note == "error bars: ± span_half_width; 1 value without");
  given.kind = FigureKind::bars;  // a place for each number, in order
  CHECK(figure_of(summary, given).x.categories == std::vector<std::string>{"10", "20"});
  summary.rows.push_back(summary.rows[0]);
  CHECK(plot_message_of([&] { figure_of(summary, given); }).find("two rows have n = 20") == 0);
}

TEST_CASE("a unit for a column that has none") {
  Table rows{{"n", "ms", "span", "utilization"}, {{1.0, 60.0, 60.0, 0.25}, {2.0, 120.0, 90.0, 0.5}}};
  const auto figure_in = [&](const char* column, const char* unit) {
    PlotRequest request = ::request("n", column);
    request.y_unit = unit;
    return figure_of(rows, request);
  };
  Figure figure = figure_in("span", "min");  // nothing says that it is in seconds
  CHECK(figure.series[0].points[0].y == 60);
  CHECK(figure.y.text() == "span (min)");
  CHECK(figure.note == "the numbers of 'span' are taken as min: it has no unit");
  CHECK(figure_in("span", "s").note.empty());  // the base unit
  CHECK(figure_in("span", "jobs").note.empty());
  CHECK(figure_in("ms", "ms").note.empty());  // named by its unit
  figure = figure_in("utilization", "%");     // a metric, which is a share
  CHECK(figure.series[0].points[1].y == 50);
  CHECK(figure.note.empty());
  CHECK(plot_message_of([&] { figure_in("utilization", "s"); }) ==
        "'utilization' is a plain number, which is not converted to 's'");
}

TEST_CASE("rows that are in no series are said") {
  Table rows{{"x", "y", "who"}, {{1.0, 2.0, "ann"}, {1.0, 4.0, {}}, {2.0, 5.0, {}}}};
  PlotRequest by = request("x", "y");
  by.by = "who";
  const Figure figure = figure_of(rows, by);
  CHECK(figure.series[1].points.size() == 2);
  CHECK(figure.note == "2 rows without who as \"-\"");
}

TEST_CASE("boxes and histograms of rows") {
  PlotRequest made = request("", "makespan", "policy");
  made.kind = FigureKind::box;
  Figure figure = figure_of(runs(), made);
  CHECK(figure.x.categories == std::vector<std::string>{"fcfs", "edf"});
  CHECK(figure.series[0].boxes[0].median == 2.5);
  CHECK(figure.series[0].boxes[1].median == 15);

  made.kind = FigureKind::histogram;
  made.bins = 2;  // [1, 10.5) and [10.5, 20]
  figure = figure_of(runs(), made);
  REQUIRE(figure.series.size() == 2);
  CHECK((figure.series[0].bins[0].count == 4 && figure.series[0].bins[1].count == 0));
  CHECK((figure.series[1].bins[0].count == 1 && figure.series[1].bins[1].count == 1));
  CHECK(figure.x.text() == "makespan (s)");
}

TEST_CASE("requests that do not fit the table") {
  const auto refused = [](const PlotRequest& made) {
    return plot_message_of([&] { figure_of(runs(), made); });
  };
  CHECK(refused(request("sise", "makespan")) == "x: there is no column 'sise'; did you mean 'size'?");
  CHECK(refused(request("size", "makspan")) == "y: there is no column 'makspan'; did you mean 'makespan'?");
  CHECK(refused(request("size", "makespan", "polcy")) ==
        "by: there is no column 'polcy'; did you mean 'policy'?");
  CHECK(refused(request("size", "status")) ==
        "y: the column 'status' has texts, such as 'ok' in row 1; numbers are needed");
  CHECK(refused(request("", "makespan")) == "'x' is missing: the column of the horizontal axis");
  PlotRequest made = request("status", "makespan");
  made.log_x = true;
  CHECK(refused(made) == "log_x: 'status' has texts, and no logarithm");
  made = request("size", "makespan");
  made.x_unit = "s";
  CHECK(refused(made) == "'size' is in KB, which is not converted to 's'");
  made.x_unit = "MB";
  CHECK(figure_of(runs(), made).series[0].points[0].x == 0.3);
  made.kind = FigureKind::histogram;
  CHECK(refused(made) == "a histogram has no 'x': its values are the column 'y'");
  CHECK(plot_message_of([] { figure_of(Table{{"a"}, {}}, request("a", "a")); }) == "the table is empty");
}

// ---- in the terminal ----

TEST_CASE("bars as text") {
  // 40 columns: 4 + 2 + 9 + 1 for the labels, 1 + 7 behind ("20 ± 10"), 16 for the bars up to 40.
  Figure figure = some_bars();
  figure.title.clear();
  CHECK(text(figure, 40) ==
        "                makespan (s)\n"
        "easy  fcfs      ████████ 20 ± 10\n"
        "      workqueue ████ 10\n"
        "hard  fcfs      ████████████████ 40\n"
        "      workqueue ████████████ 30 ± 5\n");
}

TEST_CASE("stacked bars as text") {
  // 40 columns: 4 + 1 for the label, 1 + 7 behind ("40 + 30"), 27 for the 70 of both.
  Figure figure = some_stacks();
  figure.title.clear();
  CHECK(text(figure, 40) ==
        "     makespan (s)\n"
        "easy ████████▒▒▒▒ 20 + 10\n"
        "hard ███████████████▒▒▒▒▒▒▒▒▒▒▒▒ 40 + 30\n"
        "     █ fcfs  ▒ workqueue\n");
}

TEST_CASE("what cannot be stacked") {
  Figure figure = some_stacks();
  figure.series[1].points[0].y = -3;
  CHECK_THROWS_WITH(check(figure), Catch::Contains("-3 of workqueue cannot stand on another bar"));
  figure = some_stacks();
  figure.y.log = true;
  CHECK_THROWS_WITH(check(figure), Catch::Contains("bars begin at 0"));
}

TEST_CASE("stacked bars of a table show means, without intervals") {
  Table table;
  table.columns = {"host", "busy", "idle"};
  table.rows = {{std::string("a"), 4.0, 2.0}, {std::string("b"), 1.0, 5.0}, {std::string("a"), 6.0, 0.0}};
  const Figure figure = figure_of(table, {.x = "host", .y = {"busy", "idle"}, .kind = FigureKind::stacked});
  REQUIRE(figure.series.size() == 2);
  CHECK(figure.series[0].points[0].y == 5);
  CHECK(std::isnan(figure.series[0].points[0].low));
  CHECK(figure.series[1].points[0].y == 1);
  CHECK(figure.series[1].points[1].y == 5);
  CHECK(figure.note == "mean of 1 to 2 values");
}

TEST_CASE("bars of negative numbers and of zero as text") {
  // 40 columns: 1 + 1 for the label, 1 + 2 behind ("-2"), 35 for -2 .. 5: 5 a unit.
  Figure figure;
  figure.kind = FigureKind::bars;
  figure.x.categories = {"a", "b", "c"};
  figure.series = {{"", {{0, -2}, {1, 5}, {2, 0}}}};
  CHECK(text(figure, 40) ==
        "a ██████████ -2\n"
        "b           █████████████████████████ 5\n"
        "c  0\n");
}

TEST_CASE("boxes as text") {
  // 5 columns for the label, 35 for 0 .. 35.
  Figure figure;
  figure.kind = FigureKind::box;
  figure.x.categories = {"fcfs"};
  figure.y = {"wait", "s"};
  figure.series = {{""}};
  figure.series[0].boxes = {{0, 9, 4, 8, 12, 16, 20, {0, 35}}};
  CHECK(text(figure, 40) ==
        "     wait (s)\n"
        "fcfs o   ├───▒▒▒▒█▒▒▒▒───┤             o\n"
        "     └─────────────────────────────────┘\n"
        "     0                                35\n");
}
