#include "runtime/plots/series_looks.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/runtime/plots/figures.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Figure by(const std::string& column, const std::vector<std::string>& names) {
  Figure figure = two_lines();
  figure.by = column;
  figure.series.clear();
  for (const std::string& name : names) figure.series.push_back({name, {{1, 1}}});
  return figure;
}

std::vector<int> looks(SeriesLooks& all, Figure figure) {
  all.give(figure);
  std::vector<int> given;
  for (const Series& series : key_series(figure)) given.push_back(series.colour);
  return given;
}

}  // namespace

TEST_CASE("a name has one look in all figures") {
  SeriesLooks all;
  CHECK(looks(all, by("policy", {"fcfs", "edf"})) == std::vector<int>{0, 1});
  CHECK(looks(all, by("policy", {"edf", "easy", "fcfs"})) == std::vector<int>{1, 2, 0});
  // Another meaning has the seven colours for itself, but a name keeps its own where it is free.
  CHECK(looks(all, by("nodes", {"4", "8"})) == std::vector<int>{0, 1});
  CHECK(looks(all, by("scheduler", {"random", "edf"})) == std::vector<int>{0, 1});
  CHECK(looks(all, by("scheduler", {"fcfs"})) == std::vector<int>{2});  // 0 is taken there
  CHECK(looks(all, panels_of(by("policy", {"easy", "edf"}))) == std::vector<int>{2, 1});
}

TEST_CASE("looks that a figure has are kept") {
  SeriesLooks all;
  Figure power = by("", {"idle", "busy"});
  power.series[0].colour = 3;
  CHECK(looks(all, power) == std::vector<int>{3, 0});
  CHECK(looks(all, some_cells()) == std::vector<int>{-1});
}

TEST_CASE("both writers give a look its colour") {
  Figure figure = by("policy", {"a", "b"});
  figure.series[0].colour = 4;
  figure.series[1].colour = 9;
  for (const std::string& drawn : {page_svg(figure), picture_script(figure, FigureFormat::svg)}) {
    CHECK(drawn.find("#d55e00") != drawn.npos);
    CHECK(drawn.find("#808080") != drawn.npos);
    CHECK(drawn.find("#0072b2") == drawn.npos);
  }
}
