// Figures of the rows of a table, and figures as text.
#include "runtime/plots/plot.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "runtime/kernel/quantity.h"
#include "tests/runtime/plots/figures.h"
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
  CHECK(points[0].n == 0);        // the column n is drawn itself
  given.kind = FigureKind::bars;  // a place for each number, in order
  CHECK(figure_of(summary, given).x.categories == std::vector<std::string>{"10", "20"});
  summary.rows.push_back(summary.rows[0]);
  CHECK(plot_message_of([&] { figure_of(summary, given); }).find("two rows have n = 20") == 0);
}

TEST_CASE("the number of values behind given half-widths") {
  Table summary{{"load", "n", "span", "span_half_width"}, {{1.0, 10.0, 60.0, 6.0}, {2.0, 10.0, 90.0, 7.0}}};
  Figure figure = figure_of(summary, request("load", "span"));
  CHECK(figure.note == "error bars: ± span_half_width of n = 10");
  CHECK(data(figure).csv() == "load,span,low,high,n\n1,60,54,66,10\n2,90,83,97,10\n");
  summary.rows[1][1] = 5.0;
  CHECK(figure_of(summary, request("load", "span")).note == "error bars: ± span_half_width of n = 5 to 10");
  summary.rows[1][1] = 2.5;  // no number of values
  CHECK(figure_of(summary, request("load", "span")).note == "error bars: ± span_half_width");
  summary.columns.emplace_back("span_n");  // of this measure alone
  summary.rows[0].emplace_back(8.0);
  summary.rows[1].emplace_back(8.0);
  PlotRequest points = request("load", "span");
  points.kind = FigureKind::points;
  CHECK(figure_of(summary, points).note == "error bars: ± span_half_width of n = 8");
  summary = {{"load", "span", "span_half_width"}, {{1.0, 60.0, 6.0}}};
  figure = figure_of(summary, request("load", "span"));
  CHECK(figure.note == "error bars: ± span_half_width");
  CHECK(data(figure).csv() == "load,span,low,high,n\n1,60,54,66,\n");
}

TEST_CASE("intervals that a logarithmic axis cuts are said") {
  Table summary{{"load", "span", "span_half_width"}, {{1.0, 6.0, 6.0}, {2.0, 90.0, 7.0}}};
  PlotRequest made = request("load", "span");
  made.log_y = true;
  CHECK(
      figure_of(summary, made).note ==
      "error bars: ± span_half_width; 1 interval reaches to 0 or below, where a logarithmic axis has no place");
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

TEST_CASE("the share of values that are at most so large") {
  Table table;
  table.columns = {"policy", "wait"};
  table.rows = {{"fcfs", 4.0}, {"fcfs", 1.0}, {"edf", 3.0}, {"fcfs", 1.0}, {"fcfs", 2.0}, {"fcfs", NAN}};
  PlotRequest made = request("", "wait", "policy");
  made.kind = FigureKind::ecdf;
  Figure figure = figure_of(table, made);
  CHECK(data(figure).csv() ==
        "policy,wait,share of values,count\nfcfs,1,0.5,2\nfcfs,2,0.75,3\nfcfs,4,1,4\nedf,3,1,1\n");
  CHECK(figure.note == "1 to 4 values in each curve; 1 row without a value left out");
  made.y_unit = "%";
  figure = figure_of(table, made);
  CHECK(figure.series[0].points[1].y == 75);
  CHECK(figure.y.text() == "share of values (%)");
  made.y_unit = "min";
  CHECK(plot_message_of([&] { figure_of(table, made); }) ==
        "y_unit: the share of an ECDF is a plain number or in \"%\", got \"min\"");
  made.y_unit = {};
  made.x = "policy";
  CHECK(plot_message_of([&] { figure_of(table, made); }) ==
        "an ECDF has no 'x': its values are the column 'y'");
}

TEST_CASE("the cells of a heat map") {
  Table table;
  table.columns = {"nodes", "load", "policy", "makespan"};
  table.rows = {{8.0, 1.0, "fcfs", 60.0},
                {4.0, 2.0, "fcfs", 120.0},
                {4.0, 1.0, "fcfs", 30.0},
                {4.0, 1.0, "fcfs", 90.0},
                {8.0, 2.0, "fcfs", {}}};
  PlotRequest made = request("nodes", "load");
  made.kind = FigureKind::heatmap;
  CHECK(plot_message_of([&] { figure_of(table, made); }) ==
        "'value' is missing: the column that the colours of a heat map show");
  made.value = "makespan";
  made.value_unit = "min";
  Figure figure = figure_of(table, made);
  CHECK(figure.x.categories == std::vector<std::string>{"4", "8"});
  CHECK(figure.y.categories ==
        std::vector<std::string>{"2", "1"});  // from the top, so that numbers grow upwards
  CHECK(data(figure).csv() == "nodes,load,makespan (min),n\n4,2,2,1\n4,1,1,2\n8,1,1,1\n");
  CHECK(figure.note == "mean of 1 to 2 values; 1 row without a value left out");
  made.y = {"policy"};
  CHECK(figure_of(table, made).y.categories == std::vector<std::string>{"fcfs"});
  made.by = "load";
  CHECK(plot_message_of([&] { figure_of(table, made); }) ==
        "a heat map has no 'by'; 'facet' draws one for each value of a column");
  made.kind = FigureKind::bars;
  CHECK(plot_message_of([&] { figure_of(table, made); }) == "'value' is for kind = \"heatmap\"");
  made.kind = FigureKind::heatmap;
  made.by = "";
  made.value = "policy";
  CHECK(plot_message_of([&] { figure_of(table, made); }) ==
        "value: the column 'policy' has texts, such as 'fcfs' in row 1; numbers are needed");
}

TEST_CASE("a small figure for each value of a column") {
  Table table;
  table.columns = {"nodes", "load", "policy", "makespan"};
  for (const double nodes : {8.0, 4.0})
    for (const double load : {1.0, 2.0})
      for (const double seed : {0.0, 2.0})
        table.rows.push_back({nodes, load, nodes == 8 ? "fcfs" : "edf", nodes * load + seed});
  PlotRequest made = request("load", "makespan", "policy");
  made.facet = {"nodes"};
  Figure figure = figure_of(table, made);
  REQUIRE(figure.panels.size() == 2);
  CHECK(figure.panels[0].name == "nodes = 4");  // numbers ascend
  CHECK((figure.panels[1].row == 0 && figure.panels[1].column == 1));
  REQUIRE(figure.panels[0].series.size() == 2);  // the same ones everywhere
  CHECK(figure.panels[0].series[0].name == "fcfs");
  CHECK(figure.panels[0].series[0].points.empty());
  CHECK(figure.panels[0].series[1].points[1].y == 9);
  CHECK(figure.note == "mean and 95 % Student interval of 2 values");
  CHECK(data(figure).csv().rfind("nodes,policy,load,makespan (s),low,high,n\n4,edf,1,5,", 0) == 0);

  made.facet = {"nodes", "load"};
  figure = figure_of(table, made);
  REQUIRE(figure.panels.size() == 4);
  CHECK(figure.panels[3].name == "nodes = 8, load = 2");
  CHECK((figure.panels[3].row == 1 && figure.panels[3].column == 1));

  for (double i = 0; i < 25; ++i) table.rows.push_back({i + 10, 1.0, "fcfs", i});
  made.facet = {"nodes"};
  CHECK(plot_message_of([&] { figure_of(table, made); }) ==
        "facet: 27 small figures, one for each nodes, are too many: at most 24 can be read");
  made.facet = {"a", "b", "c"};
  CHECK(plot_message_of([&] { figure_of(table, made); }) == "facet: one column or two, got 3");
  made.facet = {"node"};
  CHECK(plot_message_of([&] { figure_of(table, made); }) ==
        "facet: there is no column 'node'; did you mean 'nodes'?");
}

TEST_CASE("areas over an axis of numbers") {
  Table table;
  table.columns = {"hour", "user", "cores"};
  table.rows = {
      {0.0, "ann", 1.0}, {0.0, "bob", 2.0}, {1.0, "ann", 3.0}, {1.0, "bob", 4.0}, {1.0, "bob", 6.0}};
  PlotRequest made = request("hour", "cores", "user");
  made.kind = FigureKind::areas;
  const Figure figure = figure_of(table, made);
  CHECK(figure.joined);
  CHECK(stack_of(figure).tops.back() == std::vector<double>{3, 8});
  CHECK(figure.note == "mean of 1 to 2 values");
  table.rows[0][2] = -1.0;
  CHECK(plot_message_of([&] { figure_of(table, made); }) ==
        "cores: -1 of ann cannot stand on another area; values >= 0 can");
  made.by = "";
  table.rows[0][2] = -9.0;
  CHECK(plot_message_of([&] { figure_of(table, made); }) ==
        "cores: -3.5 cannot stand on another area; values >= 0 can");  // the mean of -9 and 2
  table.rows[0][2] = 1.0;
  table.rows[2][0] = table.rows[3][0] = table.rows[4][0] = 0.0;
  CHECK(plot_message_of([&] { figure_of(table, made); }) ==
        "areas need two different values of hour at least, got one; draw kind = \"stacked\"");
  made.x = "user";
  CHECK(plot_message_of([&] { figure_of(table, made); }) ==
        "x: areas need numbers, and 'user' has texts, such as 'ann'; draw kind = \"stacked\"");
}

TEST_CASE("too many series are refused before anything is drawn") {
  Table table;
  table.columns = {"x", "y", "by"};
  for (double i = 0; i < 60; ++i) table.rows.push_back({1.0, i, i});
  for (const FigureKind kind : {FigureKind::lines, FigureKind::points, FigureKind::bars})
    for (const bool facets : {false, true}) {
      PlotRequest made = request("x", "y", "by");
      made.kind = kind;
      if (facets) made.facet = {"x"};
      CHECK(plot_message_of([&] { figure_of(table, made); }) ==
            "25 series by by are too many: at most 24 can be told apart");
    }
}
