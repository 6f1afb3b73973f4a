// Figures as SVG for pages: read as XML, with the places of their texts.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "runtime/plots/look.h"
#include "runtime/plots/plot.h"
#include "tests/runtime/plots/figures.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct Corner {
  double x = 0, y = 0;
};
// A text with the corners of its box, which may be turned.
struct TextBox {
  std::string shown;
  std::array<Corner, 4> corners;
};

pugi::xml_document parsed(const std::string& svg) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(svg.c_str());
  INFO(result.description());
  INFO(svg);
  REQUIRE(result);
  return document;
}

TextBox box_around(pugi::xml_node node) {
  TextBox box;
  for (pugi::xml_node child : node.children())
    if (child.type() == pugi::node_pcdata) box.shown += child.value();
  const double x = node.attribute("x").as_double(), y = node.attribute("y").as_double(),
               size = node.attribute("font-size").as_double(), wide = text_width(box.shown, size);
  const std::string anchor = node.attribute("text-anchor").as_string("start");
  const double left = x - (anchor == "middle" ? wide / 2 : anchor == "end" ? wide : 0);
  box.corners = {{{left, y - 0.75 * size},
                  {left + wide, y - 0.75 * size},
                  {left + wide, y + 0.2 * size},
                  {left, y + 0.2 * size}}};
  double degrees = 0, around_x = 0, around_y = 0;
  if (std::sscanf(node.attribute("transform").as_string(), "rotate(%lf %lf %lf)", &degrees, &around_x,
                  &around_y) == 3) {
    const double turn = degrees * 3.14159265358979 / 180;
    for (Corner& corner : box.corners) {
      const double across = corner.x - around_x, down = corner.y - around_y;
      corner = {around_x + across * std::cos(turn) - down * std::sin(turn),
                around_y + across * std::sin(turn) + down * std::cos(turn)};
    }
  }
  return box;
}

// Whether a straight line separates the boxes, along a side of one of them.
bool are_apart(const TextBox& a, const TextBox& b) {
  for (const TextBox* box : {&a, &b})
    for (std::size_t side = 0; side < 2; ++side) {
      const Corner &from = box->corners[side], &to = box->corners[side + 1];
      const double nx = to.y - from.y, ny = from.x - to.x;
      const auto reach = [&](const TextBox& of) {
        std::pair<double, double> ends{INFINITY, -INFINITY};
        for (const Corner& corner : of.corners) {
          const double at = corner.x * nx + corner.y * ny;
          ends = {std::min(ends.first, at), std::max(ends.second, at)};
        }
        return ends;
      };
      const auto one = reach(a), other = reach(b);
      if (one.second <= other.first || other.second <= one.first) return true;
    }
  return false;
}

void check_texts(const Figure& figure) {
  const std::string drawn = page_svg(figure);
  const pugi::xml_document document = parsed(drawn);
  const pugi::xml_node svg = document.child("svg");
  double wide = 0, high = 0;
  REQUIRE(std::sscanf(svg.attribute("viewBox").as_string(), "0 0 %lf %lf", &wide, &high) == 2);
  std::vector<TextBox> boxes;
  for (const pugi::xpath_node& found : svg.select_nodes("//text")) boxes.push_back(box_around(found.node()));
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    INFO(boxes[i].shown);
    for (const Corner& corner : boxes[i].corners) {
      const bool within = corner.x >= 0 && corner.x <= wide && corner.y >= 0 && corner.y <= high;
      CHECK(within);
    }
    for (std::size_t k = 0; k < i; ++k)
      if (!are_apart(boxes[i], boxes[k])) FAIL_CHECK(boxes[i].shown + " overlaps " + boxes[k].shown);
  }
}

std::vector<std::string> titles_of_marks(const std::string& svg) {
  const pugi::xml_document document = parsed(svg);
  std::vector<std::string> titles;
  for (const pugi::xpath_node& found : document.select_nodes("//*[@class='mark']/title"))
    titles.emplace_back(found.node().text().as_string());
  return titles;
}

}  // namespace

TEST_CASE("pages: every kind is a part of a page, without ids, styles and scripts") {
  for (const Figure& figure : all_kinds()) {
    const std::string drawn = page_svg(figure);
    const pugi::xml_document document = parsed(drawn);
    CHECK(std::string(document.first_child().name()) == "svg");
    CHECK(document.select_nodes("//@id").empty());
    CHECK(document.select_nodes("//@style").empty());
    CHECK_FALSE(document.select_nodes("//g[@class='series']").empty());
    CHECK_FALSE(titles_of_marks(drawn).empty());
    CHECK(drawn == page_svg(figure));
    CHECK(drawn.find("nan") == drawn.npos);
    CHECK(drawn.find("inf") == drawn.npos);
  }
}

TEST_CASE("pages: the titles of marks have their numbers") {
  CHECK(titles_of_marks(page_svg(two_lines())) ==
        std::vector<std::string>{"fcfs, size = 300 KB, makespan = 100 ± 10 s",
                                 "fcfs, size = 1200 KB, makespan = 200 ± 50 s",
                                 "fcfs, size = 4800 KB, makespan = 500 s",
                                 "mapped { map = min_min }, size = 300 KB, makespan = 80 s",
                                 "mapped { map = min_min }, size = 1200 KB, makespan = 140 s",
                                 "mapped { map = min_min }, size = 4800 KB, makespan = 300 ± 50 s"});
  CHECK(titles_of_marks(page_svg(some_bars()))[1] == "fcfs, case = hard, makespan = 40 s");
  CHECK(titles_of_marks(page_svg(some_boxes()))[0] ==
        "fcfs, case = easy, median = 3 s, quartiles 2 .. 4, whiskers 1 .. 4, 5 values");
  CHECK(titles_of_marks(page_svg(some_boxes()))[1] == "fcfs, case = easy, makespan = 100 s");  // beyond
  CHECK(titles_of_marks(page_svg(some_bins()))[2] == "wait from 20 to 30 s, values = 1");
  CHECK(titles_of_marks(page_svg(some_shares()))[1] == "fcfs, wait = 2 s, share of values = 0.75");
  CHECK(titles_of_marks(page_svg(some_cells()))[0] ==
        "nodes = 4, policy = fcfs, mean_wait = 10 s, mean of 3");
  CHECK(titles_of_marks(page_svg(some_areas())) ==
        std::vector<std::string>{"low, time = 0 .. 4.75 s, power = 20 W",
                                 "low, time = 4.75 .. 10 s, power = 20 W",
                                 "high, time = 4.75 .. 10 s, power = 40 W"});
  CHECK(titles_of_marks(page_svg(gantt_figure(four_jobs_story().outcome())))[0] ==
        "2 (job), a.1 1, 0 .. 4 s");
  CHECK(titles_of_marks(page_svg(panels_of(two_lines()))).size() == 18);
}

TEST_CASE("pages: points are where the axes say") {
  const std::string drawn = page_svg(two_lines());
  const pugi::xml_document document = parsed(drawn);
  std::map<std::string, Corner> ticks;
  for (const pugi::xpath_node& found : document.select_nodes("//g[@class='axes']/text"))
    ticks[found.node().text().as_string()] = {found.node().attribute("x").as_double(),
                                              found.node().attribute("y").as_double()};
  REQUIRE(ticks.contains("1000"));
  REQUIRE(ticks.contains("4000"));
  const double x = ticks["1000"].x + (ticks["4000"].x - ticks["1000"].x) * (1200 - 1000) / 3000;
  const double y = ticks["100"].y + (ticks["400"].y - ticks["100"].y) * (200 - 100) / 300 - 12 * 0.35;
  double at_x = 0, at_y = 0;
  const pugi::xml_node second = document.select_nodes("//g[@class='mark']")[1].node();
  REQUIRE(std::sscanf(second.last_child().attribute("d").as_string(), "M%lf %lf", &at_x, &at_y) == 2);
  CHECK(at_x == Approx(x).margin(0.05));
  CHECK(at_y == Approx(y).margin(0.05));
}

TEST_CASE("pages: texts neither overlap nor are cut") {
  const std::string longer = " with a name that goes on and on until it cannot fit anywhere";
  for (const Figure& kind : all_kinds())
    for (const int width : {200, 320, 640, 1200})
      for (const int height : {0, 200})
        for (const bool long_texts : {false, true}) {
          Figure figure = kind;
          figure.width = width;
          figure.height = height;
          if (long_texts) {
            for (std::string* text : {&figure.title, &figure.by, &figure.x.label, &figure.y.label,
                                      &figure.value.label, &figure.note})
              *text += longer;
            for (Axis* axis : {&figure.x, &figure.y})
              for (std::string& category : axis->categories) category += longer;
            const auto rename = [&](std::vector<Series>& all) {
              for (Series& series : all) series.name += longer;
            };
            rename(figure.series);
            for (Panel& panel : figure.panels) {
              panel.name += longer;
              rename(panel.series);
            }
          }
          INFO("kind " << static_cast<int>(kind.kind) << ", " << width << " x " << height
                       << (long_texts ? ", long" : ""));
          check_texts(figure);
        }
  Figure many = some_bars();
  many.x.categories.clear();
  many.series.clear();
  for (int s = 0; s < 24; ++s) many.series.push_back({"policy number " + std::to_string(s)});
  for (int i = 0; i < 200; ++i) {
    many.x.categories.push_back("category " + std::to_string(i));
    for (Series& series : many.series) series.points.push_back({static_cast<double>(i), 1e7 + i});
  }
  check_texts(many);
  for (std::string& category : many.x.categories) category = category.substr(9);  // numbers
  check_texts(many);
}

TEST_CASE("pages: what a reader needs to tell parts apart is not cut") {
  Figure grid = grid_of(two_lines());
  for (Panel& panel : grid.panels) panel.series[0].points = panel.series[1].points;  // intervals overlap
  std::string drawn = page_svg(grid);
  for (const char* head : {">nodes = 0</text>", ">nodes = 1</text>", ">load = 0</text>", ">load = 1</text>"})
    CHECK(drawn.find(head) != std::string::npos);
  CHECK(drawn.find("series with the same x are moved apart a little") != std::string::npos);
  Figure cells = some_cells();
  cells.value = {"mean_bounded_slowdown", "min"};
  CHECK(page_svg(cells).find(">mean_bounded_slowdown (min)</text>") != std::string::npos);
  const std::string ticks = page_svg(one_x());
  CHECK(ticks.find(">300</text>") != std::string::npos);
  CHECK(ticks.find(">290</text>") == std::string::npos);
}

TEST_CASE("pages: texts of strangers are texts") {
  Figure figure = two_lines();
  const std::string hostile = "</title></svg><script>alert('x')</script> & \" <!-- ]]> \xff \xe2\x80\xae";
  figure.title = figure.note = figure.by = figure.x.label = figure.y.label = figure.series[0].name = hostile;
  const std::string drawn = page_svg(figure);
  CHECK(drawn.find("<script") == drawn.npos);
  CHECK(drawn.find("<!--") == drawn.npos);
  const pugi::xml_document document = parsed(drawn);
  CHECK(document.select_nodes("//script").empty());
  const std::string name =
      document.select_node("//g[@class='series']").node().attribute("data-name").as_string();
  CHECK(name == printable(hostile));
}

TEST_CASE("pages: a figure of many points stays small") {
  for (const FigureKind kind : {FigureKind::points, FigureKind::lines, FigureKind::steps}) {
    Figure figure;
    figure.kind = kind;
    figure.x = {"a"};
    figure.y = {"b"};
    figure.series = {{""}};
    for (int i = 0; i < 100'000; ++i)
      figure.series[0].points.push_back({static_cast<double>(i), std::fmod(i * 0.6180339887, 1.0)});
    const std::string drawn = page_svg(figure);
    CHECK(drawn.size() < 1'500'000);
    CHECK(drawn.find("100000 marks: their values are in the table of numbers only") != drawn.npos);
    CHECK(titles_of_marks(drawn).empty());
  }
}

TEST_CASE("pages: title and note can be left to the page") {
  Figure figure = two_lines();
  figure.note = "a note";
  const std::string drawn = page_svg(figure, {.title = false, .note = false});
  CHECK(drawn.find(">Two lines</text>") == drawn.npos);
  CHECK(drawn.find(">a note</text>") == drawn.npos);
  CHECK(page_svg(figure).find(">Two lines</text>") != drawn.npos);
}
