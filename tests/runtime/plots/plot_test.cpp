#include "runtime/plots/plot.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <thread>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/plots/gnuplot.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/runtime/plots/figures.h"
#include "tests/runtime/plots/svg.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"
#include "tests/support/rounds.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;
namespace fs = std::filesystem;

namespace {

// Sets an environment variable for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

// ---- the numbers ----

TEST_CASE("quartiles, whiskers and outliers") {
  // Places (n - 1) p: of five values 1, 2 and 3; whiskers reach 1.5 (4 - 2) = 3 beyond the quartiles.
  const Box box = box_of(7, {100, 3, 1, 4, 2});
  CHECK(box.x == 7);
  CHECK(box.n == 5);
  CHECK(box.q1 == 2);
  CHECK(box.median == 3);
  CHECK(box.q3 == 4);
  CHECK(box.low == 1);
  CHECK(box.high == 4);
  CHECK(box.outliers == std::vector<double>{100});
  // Quartiles of four values: 0.75, 1.5 and 2.25.
  const Box four = box_of(0, {1, 2, 3, 4});
  CHECK(four.q1 == 1.75);
  CHECK(four.median == 2.5);
  CHECK(four.q3 == 3.25);
  CHECK(four.outliers.empty());
  const Box one = box_of(0, {5});
  CHECK((one.low == 5 && one.q1 == 5 && one.median == 5 && one.q3 == 5 && one.high == 5));
  // On the border a value belongs to the whisker: quartiles 1 and 2, which reach to 3.5.
  const Box border = box_of(0, {1, 1, 1, 2, 2, 3.5, 1.5});
  CHECK(border.q3 == 2);
  CHECK(border.high == 3.5);
  CHECK(border.outliers.empty());
}

TEST_CASE("bins") {
  // Sturges: ceil(log2 8) + 1 = 4. Freedman and Diaconis: 7 / (2 * 3.5 / 2) = 2. Thus 4 bins of 7 / 4.
  const std::vector<double> eight = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(bin_edges(eight) == std::vector<double>{1, 2.75, 4.5, 6.25, 8});
  // 27 values in a cluster and one far off: quartiles of 0 .. 26 and 100 are 6.75 and 20.25; bins of 2 * 13.5
  // / cbrt(28) = 8.89 make 100 / 8.89 = 11.2, more than Sturges' 6.
  std::vector<double> far = {100};
  for (int i = 0; i < 27; ++i) far.push_back(i);
  CHECK(bin_edges(far).size() == 13);
  CHECK(bin_edges({1, 10, 100}, 2, true)[1] == Approx(10).epsilon(1e-12));
  CHECK(bin_edges({1, 10, 100}, 2, true).back() == 100);
  CHECK(bin_edges({3, 3}) == std::vector<double>{2.5, 3.5});

  const auto bins =
      binned({0, 1, 2, 3, 4}, {0, 2, 4});  // a value on an edge is in the upper bin, but on the last
  REQUIRE(bins.size() == 2);
  CHECK(bins[0].count == 2);
  CHECK(bins[1].count == 3);
}

TEST_CASE("the table behind a figure") {
  CHECK(data(two_lines()).csv() ==
        "policy,size (KB),makespan (s),low,high,n\n"
        "fcfs,300,100,90,110,1\nfcfs,1200,200,150,250,1\nfcfs,4800,500,,,1\n"
        "mapped { map = min_min },300,80,,,1\nmapped { map = min_min },1200,140,,,1\n"
        "mapped { map = min_min },4800,300,250,350,1\n");
  CHECK(data(some_boxes()).csv() ==
        "policy,case,n,low,q1,median,q3,high,outliers\n"
        "fcfs,easy,5,1,2,3,4,4,100\nfcfs,hard,4,5,5.75,6.5,7.25,8,\n"
        "workqueue,easy,4,20,27.5,35,42.5,50,\nworkqueue,hard,3,10,15,20,35,50,\n");
  CHECK(data(some_bins()).csv() == "from,to,count\n0,10,4\n10,20,9\n20,30,1\n");
  // Job 1 on a.2 [0, 5), job 2 on both cores of a.1 [0, 4), job 3 there [4, 10), job 4 on a.2 [5, 15).
  CHECK(data(gantt_figure(four_jobs_story().outcome())).csv() ==
        "what,lane,from,to,label\njob,a.1 1,0,4,2\njob,a.1 1,4,10,3\njob,a.1 "
        "2,0,4,2\njob,a.2,0,5,1\njob,a.2,5,15,4\n");
}

TEST_CASE("cores and waiting works over time") {
  // Three cores from 0, two from 4, when job 2 leaves a.1 to job 3; at 5 job 4 follows job 1; one from 10.
  // Job 3 waits from 3 to 4.
  const Outcome outcome = four_jobs_story().outcome();
  CHECK(data(utilization_figure(outcome)).csv() ==
        "series,time (s),cores,low,high,n\nbusy,0,3,,,1\nbusy,4,2,,,1\nbusy,10,1,,,1\nbusy,15,0,,,1\n"
        "up,0,3,,,1\nup,15,3,,,1\n");
  CHECK(data(queue_figure(outcome)).csv() ==
        "time (s),waiting works,low,high,n\n0,0,,,1\n3,1,,,1\n4,0,,,1\n15,0,,,1\n");

  // 700 tasks, one each 2 s for 1 s: of 1400 steps the means, which have the same area.
  auto workload = std::make_shared<Workload>(*tasks_of({{1}}));
  Story story(scenario_of(platform_of({cluster_of({1})}), workload));
  story.work(0, RecordKind::arrived, 0);
  for (std::uint32_t i = 0; i < 700; ++i) story.compute(i, 0, 0, 2.0 * i, 2.0 * i + 1);
  const Figure figure = utilization_figure(story.outcome());
  const auto& busy = figure.series[0].points;
  CHECK(figure.note == "means over 400 intervals");
  REQUIRE(busy.size() == 401);
  double area = 0;
  for (std::size_t i = 0; i + 1 < busy.size(); ++i)
    area += busy[i].y * (busy[i + 1].x - busy[i].x) * 60;  // min
  CHECK(figure.x.unit == "min");
  CHECK(area == Approx(700).epsilon(1e-9));
}

TEST_CASE("power over time, by the state of the hosts") {
  // A host of one core computes from 0 to 10, is switched off when it has been idle for 10 s, is off at 25, and boots for
  // the second job, from 40 to 60.
  auto cluster = cluster_of({1});
  PowerModel power;
  power.states = {{.idle = 100, .epsilon = 200, .busy = 200}};
  power.off = 10;
  power.boot = {20, 150};
  power.shutdown = {5, 130};
  cluster.hosts[0].power = std::make_shared<const PowerModel>(power);
  const auto scenario = scenario_of(platform_of({cluster}), tasks_of({{10}, {10, 40}}));
  const ConfigPtr config = Catalogue().configure("fcfs", {{"off_after", 10.0}});
  Simulation run(scenario, {"fcfs", config->make_policy(), config->entry->accepts, config->entry->instants},
                 perfect_estimator());
  run.run();
  const Figure figure = power_figure(run.outcome());
  CHECK(figure.kind == FigureKind::areas);
  CHECK(
      data(figure).csv() ==
      "series,time (s),power (W),low,high,n\n"
      "all,0,200,,,1\nall,10,100,,,1\nall,20,130,,,1\nall,25,10,,,1\nall,40,150,,,1\nall,60,200,,,1\nall,70,200,,,1\n"
      "idle,0,0,,,1\nidle,10,100,,,1\nidle,20,0,,,1\nidle,70,0,,,1\n"
      "busy,0,200,,,1\nbusy,10,0,,,1\nbusy,60,200,,,1\nbusy,70,200,,,1\n"
      "off,0,0,,,1\noff,25,10,,,1\noff,40,0,,,1\noff,70,0,,,1\n"
      "transition,0,0,,,1\ntransition,20,130,,,1\ntransition,25,0,,,1\ntransition,40,150,,,1\ntransition,60,0,,,1\n"
      "transition,70,0,,,1\n");
  const Stack stack = stack_of(figure);
  CHECK(stack.x == std::vector<double>{0, 10, 20, 25, 40, 60, 70});
  CHECK(stack.series == std::vector<std::size_t>{1, 2, 3, 4});
  CHECK(stack.tops.front() == std::vector<double>{0, 100, 0, 0, 0, 0, 0});            // idle
  CHECK(stack.tops.back() == std::vector<double>{200, 100, 130, 10, 150, 200, 200});  // all of them

  // 600 tasks of 1 s, one every 2 s: means of all states, whose sum is the mean of the sum.
  std::vector<TaskSpec> tasks;
  for (int i = 0; i < 600; ++i) tasks.push_back({1, 2.0 * i});
  Simulation longer(scenario_of(platform_of({cluster}), tasks_of(tasks)),
                    {"fcfs", config->make_policy(), config->entry->accepts, config->entry->instants},
                    perfect_estimator());
  longer.run();
  const Figure means = power_figure(longer.outcome());
  CHECK(means.note == "means over 400 intervals");
  REQUIRE(means.series.size() == 3);
  for (const Series& series : means.series) REQUIRE(series.points.size() == 401);
  CHECK(means.series[1].colour == 3);   // idle
  CHECK(figure.series[4].colour == 1);  // transition
  for (std::size_t i = 0; i < 401; ++i)
    CHECK(means.series[0].points[i].y == Approx(means.series[1].points[i].y + means.series[2].points[i].y));
  CHECK(plot_message_of([] { power_figure(four_jobs_story().outcome()); }) ==
        "no host of the run declares its power");
}

TEST_CASE("areas in the terminal") {
  // Marks at 0 to 60, two rows each; 36 columns. Column 17 reaches to 5, so its mean is 20 + 0.9 * 40 = 56, which is above
  // the middles of all rows but the last.
  const std::string shown = text(some_areas(), 40);
  const auto count = [&](const std::string& cell) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = shown.find(cell, at)) != shown.npos; at += cell.size()) ++found;
    return found;
  };
  CHECK(count("\u2588") == 4 * 36 + 1);  // low, and its key
  CHECK(count("/") == 8 * 18 + 7 + 1);   // high
  const auto blank = [](std::size_t n) { return std::string(n, ' '); };
  const auto dashes = [](std::size_t n) { return std::string(n, '-'); };
  CHECK(shown.rfind("power (W)\n60 +" + blank(18) + "/", 0) == 0);
  CHECK(shown.find("\n   |" + blank(17) + "/") != shown.npos);
  CHECK(shown.find("\n 0 ++" + dashes(17) + "+" + dashes(16) + "+\n    0" + blank(17) + "5" + blank(15) +
                   "10\n") != shown.npos);
  CHECK(shown.find("\u2588 low  / high\n") != shown.npos);
}

// ---- the picture ----

TEST_CASE("points are where the axes say") {
  const auto all = elements_of(svg(two_lines()));
  const Scale x = x_scale(all, 1000, 4000), y = y_scale(all, 100, 500);
  for (const Series& series : two_lines().series)
    for (const Point& p : series.points) CHECK(marks_at(all, x(p.x), y(p.y)) == 1);
  CHECK(marks_at(all, x(4800), y(400)) == 0);
  CHECK(has_shape(all, {{x(300), y(100)}, {x(1200), y(200)}, {x(4800), y(500)}}));
  CHECK(has_shape(all, {{x(300), y(90)}, {x(300), y(110)}}));
  CHECK(has_shape(all, {{x(4800), y(250)}, {x(4800), y(350)}}));
  CHECK_FALSE(has_shape(all, {{x(4800), y(450)}, {x(4800), y(550)}}));

  const auto texts = texts_of(all);
  for (const char* text : {"Two lines", "size (KB)", "makespan (s)", "fcfs", "mapped { map = min_min }"})
    CHECK(texts.count(text) == 1);
}

TEST_CASE("points on logarithmic axes") {
  Figure figure = two_lines();
  figure.x.log = figure.y.log = true;
  const auto all = elements_of(svg(figure));
  Scale x = x_scale(all, 1000, 2000), y = y_scale(all, 100, 200);
  for (Scale* scale : {&x, &y}) {
    scale->first = std::log(scale->first);
    scale->second = std::log(scale->second);
  }
  for (const Series& series : figure.series)
    for (const Point& p : series.points) CHECK(marks_at(all, x(std::log(p.x)), y(std::log(p.y))) == 1);
  CHECK(has_shape(all, {{x(std::log(300)), y(std::log(90))}, {x(std::log(300)), y(std::log(110))}}));
}

TEST_CASE("bars stand side by side from 0 to their value") {
  const auto all = elements_of(svg(some_bars()));
  const auto texts = texts_of(all);
  const double easy = texts.find("easy")->second.x, hard = texts.find("hard")->second.x;
  const Scale x{0, easy, 1, hard}, y = y_scale(all, 0, 20);
  // 0.8 of a place are shared by two series; a bar has 0.9 of its share.
  const auto bar = [&](double middle, double value) {
    const double left = x(middle - 0.18), right = x(middle + 0.18);
    return has_shape(all, {{left, y(0)}, {left, y(value)}, {right, y(value)}, {right, y(0)}});
  };
  CHECK(bar(-0.2, 20));
  CHECK(bar(0.2, 10));
  CHECK(bar(0.8, 40));
  CHECK(bar(1.2, 30));
  CHECK_FALSE(bar(1.2, 40));
  CHECK(has_shape(all, {{x(-0.2), y(10)}, {x(-0.2), y(30)}}));
  CHECK(has_shape(all, {{x(1.2), y(25)}, {x(1.2), y(35)}}));
}

TEST_CASE("stacked bars stand on each other") {
  const auto all = elements_of(svg(some_stacks()));
  const auto texts = texts_of(all);
  const Scale x{0, texts.find("easy")->second.x, 1, texts.find("hard")->second.x}, y = y_scale(all, 0, 20);
  const auto bar = [&](double place, double from, double to) {
    const double left = x(place - 0.4), right = x(place + 0.4);
    return has_shape(all, {{left, y(from)}, {left, y(to)}, {right, y(to)}, {right, y(from)}});
  };
  CHECK(bar(0, 0, 20));
  CHECK(bar(0, 20, 30));
  CHECK(bar(1, 0, 40));
  CHECK(bar(1, 40, 70));
  CHECK_FALSE(bar(1, 0, 30));
}

TEST_CASE("areas stand on each other, under the line of their sum") {
  const auto all = elements_of(svg(some_areas()));
  const Scale x = x_scale(all, 2, 8), y = y_scale(all, 20, 60);
  CHECK(has_shape(all, {{x(0), y(20)}, {x(4.75), y(20)}, {x(4.75), y(60)}, {x(10), y(60)}}));  // the sum
  CHECK(has_shape(all, {{x(0), y(0)}, {x(0), y(20)}, {x(10), y(20)}, {x(10), y(0)}}));
  CHECK(has_shape(all, {{x(4.75), y(20)}, {x(4.75), y(60)}, {x(10), y(60)}, {x(10), y(20)}}));
  const auto texts = texts_of(all);
  for (const char* text : {"all", "low", "high"}) CHECK(texts.count(text) == 1);
  Figure figure = some_areas();
  figure.series[1].points[0].y = -1;
  CHECK(plot_message_of([&] { check(figure); }) ==
        "power: -1 of low cannot stand on another area; values >= 0 can");
  figure = some_areas();
  figure.y.log = true;
  figure.series[2].points[0].y = 1;
  CHECK(plot_message_of([&] { check(figure); }) ==
        "power: areas begin at 0, which a logarithmic axis does not have; draw steps");
  figure = some_areas();
  figure.series.resize(1);
  CHECK(plot_message_of([&] { check(figure); }) == "there is nothing to draw");
}

TEST_CASE("boxes, whiskers and outliers are where the axes say") {
  const auto all = elements_of(svg(some_boxes()));
  const auto texts = texts_of(all);
  const Scale x{0, texts.find("easy")->second.x, 1, texts.find("hard")->second.x}, y = y_scale(all, 20, 80);
  const double left = x(0.2 - 0.16), right = x(0.2 + 0.16);  // 0.8 of its share of 0.4
  CHECK(has_shape(all, {{left, y(27.5)}, {left, y(42.5)}, {right, y(42.5)}, {right, y(27.5)}}));
  CHECK(has_shape(all, {{left, y(35)}, {right, y(35)}}));
  CHECK(has_shape(all, {{x(0.2), y(42.5)}, {x(0.2), y(50)}}));
  CHECK(marks_at(all, x(-0.2), y(100)) == 1);
}

TEST_CASE("a Gantt chart has a bar for each core of each activity") {
  Figure figure = gantt_figure(four_jobs_story().outcome());
  CHECK(figure.x.text() == "time (s)");
  CHECK(figure.y.categories == std::vector<std::string>{"a.1 1", "a.1 2", "a.2"});
  const auto all = elements_of(svg(figure));
  const auto texts = texts_of(all);
  const Scale x = x_scale(all, 2, 12);
  const double lane = (texts.find("a.2")->second.y - texts.find("a.1 1")->second.y) / 2;
  const auto shapes = shapes_of(all);
  const auto bar = [&](double from, double to) {  // 0.8 of a lane high
    return std::count_if(shapes.begin(), shapes.end(), [&](const std::vector<Place>& shape) {
      return shape.size() >= 4 && near(shape[0].x, x(from)) && near(shape[2].x, x(to)) &&
             std::abs(std::abs(shape[2].y - shape[0].y) - 0.8 * lane) < 0.05;
    });
  };
  CHECK(bar(0, 4) >= 2);
  CHECK(bar(4, 10) >= 1);
  CHECK(bar(5, 15) >= 1);
  CHECK(bar(0, 10) == 0);
  CHECK(texts.count("4") == 2);  // the label of the longest and of the axis
}

TEST_CASE("a part of a Gantt chart") {
  ChartPart part;
  part.from = 5;
  part.to = 8;
  part.hosts = {HostId(1), HostId(0)};
  const Figure figure = gantt_figure(four_jobs_story().outcome(), part);
  CHECK(figure.y.categories == std::vector<std::string>{"a.2", "a.1 1", "a.1 2"});
  // Job 3 computes on a.1 from 4 to 10, job 4 on a.2 from 5 to 15. Bars that ended at 5 are not seen.
  CHECK(data(figure).csv() == "what,lane,from,to,label\njob,a.2,5,8,4\njob,a.1 1,5,8,3\n");
  part = {.from = 100, .to = 200};
  CHECK(plot_message_of([&] { gantt_figure(four_jobs_story().outcome(), part); }) ==
        "nothing has run in that part");
}

TEST_CASE("steps hold until the next") {
  const auto all = elements_of(svg(utilization_figure(four_jobs_story().outcome())));
  const Scale x = x_scale(all, 4, 12), y = y_scale(all, 0, 3);
  CHECK(has_shape(all, {{x(0), y(3)},
                        {x(4), y(3)},
                        {x(4), y(2)},
                        {x(10), y(2)},
                        {x(10), y(1)},
                        {x(15), y(1)},
                        {x(15), y(0)}}));
}

TEST_CASE("every kind is drawn without a complaint, as SVG and as text") {
  for (const Figure& figure : all_kinds()) {
    INFO(picture_script(figure, FigureFormat::svg));
    std::string complaints;
    const std::string drawn = gnuplot(picture_script(figure, FigureFormat::svg), 60, &complaints);
    CHECK(complaints == "");
    CHECK(elements_of(drawn).size() > 20);
    CHECK(drawn == svg(figure));
    for (const int width : thorough() ? std::vector<int>{40, 80, 200} : std::vector<int>{40})
      for (const bool colour : {false, true}) {
        const std::string shown = text(figure, width, colour);
        if (figure.kind == FigureKind::gantt) continue;
        CHECK(std::count(shown.begin(), shown.end(), '\n') > 2);
        std::istringstream lines(std::regex_replace(shown, std::regex("\033\\[[0-9;]*m"), ""));
        for (std::string line; std::getline(lines, line);) {
          INFO(line);
          if (line != figure.title) CHECK(display_width(line) <= static_cast<std::size_t>(width));
          CHECK((colour || line.empty() || line.back() != ' '));
        }
        CHECK((shown.find('\033') == shown.npos || colour));
      }
  }
}

TEST_CASE("values that hardly differ, large and small ones") {
  for (const std::vector<double>& values : {std::vector<double>{3, 3},
                                            {0, 0},
                                            {-2, -2},
                                            {1e30, -1e30},
                                            {1e-30, 2e-30},
                                            {1e9, 1e9 + 1},
                                            {1, 1 + 1e-15}})
    for (const FigureKind kind : {FigureKind::lines, FigureKind::bars}) {
      Figure figure;
      figure.kind = kind;
      if (kind == FigureKind::bars) figure.x.categories = {"a", "b"};
      figure.series = {{"", {{0, values[0]}, {1, values[1]}}}};
      INFO(picture_script(figure, FigureFormat::svg));
      std::string complaints;
      gnuplot(picture_script(figure, FigureFormat::svg), 60, &complaints);
      CHECK(complaints == "");
      CHECK_FALSE(text(figure, 80).empty());
      for (Point& p : figure.series[0].points) std::swap(p.x, p.y);
      if (kind == FigureKind::lines) gnuplot(picture_script(figure, FigureFormat::svg), 60, &complaints);
      CHECK(complaints == "");
    }
}

TEST_CASE("a figure is the same to the byte, wherever it is drawn") {
  const Folder folder;
  std::ofstream(folder.path / ".gnuplot") << "exit\n";
  std::vector<std::string> before;
  for (const Figure& figure : all_kinds()) before.push_back(svg(figure));
  const Variable home("HOME", folder.path.string()), locale("LC_ALL", "de_DE.UTF-8"),
      fonts("GNUPLOT_DEFAULT_GDFONT", "x"), terminal("GNUTERM", "dumb"), zone("TZ", "Asia/Tokyo");
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(svg(all_kinds()[i]) == before[i]);

  std::vector<std::string> drawn(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < drawn.size(); ++i)
    threads.emplace_back([&, i] { drawn[i] = svg(all_kinds()[i]); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < drawn.size(); ++i) CHECK(drawn[i] == before[i]);
}

TEST_CASE("the same figure as PDF and PNG") {
  for (const Figure& figure : {two_lines(), panels_of(some_cells())}) {
    const std::string pdf = picture(figure, FigureFormat::pdf), png = picture(figure, FigureFormat::png);
    CHECK(pdf.rfind("%PDF-", 0) == 0);
    CHECK(pdf.find("/CreationDate (D:20000101000000") != pdf.npos);
    CHECK(png.rfind("\x89PNG", 0) == 0);
    CHECK(pdf == picture(figure, FigureFormat::pdf));
    CHECK(png == picture(figure, FigureFormat::png));
  }
}

TEST_CASE("a heat map in the terminal") {
  // Shades begin at 5, 14, 23, 32 and 41.
  CHECK(text(some_cells(), 80) ==
        "policy \\ nodes\n"
        "                4       8      16\n"
        "fcfs       ·   10  ░ 20.2  ▒   30\n"
        "workqueue  ·    5       -  █   50\n"
        "mean_wait (s)\n· from 5  ░ from 14  ▒ from 23  ▓ from 32  █ from 41\n");
}

// ---- gnuplot ----

TEST_CASE("what goes wrong with gnuplot is one error") {
  CHECK(plot_message_of([] { gnuplot("plot nonsense(\n"); }).find("gnuplot: line 0:") == 0);
  CHECK(plot_message_of([] { gnuplot("pause 30\n", 0.2); }) == "gnuplot took longer than 0.2 s");
  CHECK(plot_message_of([] { gnuplot("\n"); }) == "gnuplot: it says nothing");
  const Folder folder;
  const Variable path("PATH", folder.path.string());
  CHECK(plot_message_of([] { gnuplot("\n"); }).find("install the package gnuplot-nox") != std::string::npos);
}

TEST_CASE("gnuplot has none of our files and variables") {
  const Folder folder;
  const int secret = open((folder.path / "secret").c_str(), O_CREAT | O_RDWR, 0600);  // would be inherited
  REQUIRE(secret >= 0);
  const Variable variable("PERIGEE_SECRET", "secret");
  const std::string said = gnuplot("set print '-'\nprint system('ls -l /proc/$PPID/fd; env')\n");
  close(secret);
  CHECK(said.find("LC_ALL=C.UTF-8") != said.npos);
  CHECK(said.find("memfd:script") != said.npos);
  CHECK(said.find("secret") == said.npos);
}

// ---- limits ----

TEST_CASE("what cannot be drawn is refused") {
  const auto refused = [](Figure figure) { return plot_message_of([&] { check(figure); }); };
  CHECK(refused(Figure{}) == "there is nothing to draw");
  Figure figure = two_lines();
  CHECK(refused(figure).empty());
  figure.series[0].points[1].y = NAN;
  CHECK(refused(figure) == "makespan: nan cannot be drawn; values up to 1e+30 can");
  figure.series[0].points[1].y = INFINITY;
  CHECK(refused(figure) == "makespan: inf cannot be drawn; values up to 1e+30 can");
  figure.series[0].points[1].y = 0;
  CHECK(refused(figure).empty());
  figure.y.log = true;
  CHECK(refused(figure) == "makespan: 0 has no place on a logarithmic axis; leave log_y out");
  figure = two_lines();
  figure.series.resize(25, figure.series[0]);
  CHECK(refused(figure) == "25 series by policy are too many: at most 24 can be told apart");
  figure = two_lines();
  figure.series[0].points.resize(100'001, figure.series[0].points[0]);
  CHECK(refused(figure) == "100004 marks are too many for one figure, at most 100000; draw means or a part");
  figure = two_lines();
  figure.series.resize(24, figure.series[0]);
  figure.height = 200;
  CHECK(plot_message_of([&] {
          svg(figure);
        }).find("a height of 200 leaves no room beside the names of 24 series") == 0);
  figure = some_bars();
  figure.y.log = true;
  CHECK(refused(figure) == "makespan: bars begin at 0, which a logarithmic axis does not have; draw points");
  figure.x.categories.resize(201);
  CHECK(refused(figure) == "case: 201 places on one axis are too many: at most 200 can be read");
}
