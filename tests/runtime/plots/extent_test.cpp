// How far axes reach, areas that lines join, and series side by side.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "runtime/plots/plot.h"
#include "tests/runtime/plots/figures.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("areas that lines join stand on each other") {
  // low rises from 20 to 40; high begins at 5 with 10, where the upper edge goes up from 30 to 40.
  const Stack stack = stack_of(joined_areas());
  CHECK(stack.x == std::vector<double>{0, 5, 5, 10});
  CHECK(stack.tops[0] == std::vector<double>{20, 30, 30, 40});
  CHECK(stack.tops[1] == std::vector<double>{20, 30, 40, 60});
}

TEST_CASE("axes hold the marks of all panels") {
  Extents all = extents_of(two_lines());
  CHECK((all.x.least == 300 && all.x.most == 4800 && all.y.least == 80 && all.y.most == 500));
  all = extents_of(some_stacks());
  CHECK((all.y.least == 0 && all.y.most == 70));
  all = extents_of(some_shares());
  CHECK((all.x.least == 1 && all.x.most == 4 && all.y.least == 0 && all.y.most == 1));

  Figure panels = panels_of(two_lines());
  panels.panels[2].series[0].points[2].y = 900;
  all = extents_of(panels);
  CHECK(all.y.most == 900);
  const Figure first = panel_figure(panels, 0);
  CHECK(first.panels.empty());
  CHECK((first.y.least == 80 && first.y.most == 900));
  CHECK(extents_of(first).y.most == 900);

  const Extent values = values_of(panels_of(some_cells()));
  CHECK((values.least == 5 && values.most == 50));
}

TEST_CASE("series are moved aside by a few pixels") {
  CHECK(dodge_room_of(3, 300) == 15);
  CHECK(dodge_room_of(3, 20) == 5);
  Figure figure = two_lines();
  CHECK_FALSE(has_one_x(figure));
  for (Series& series : figure.series) series.points.resize(1);
  CHECK(has_one_x(figure));
  figure.kind = FigureKind::steps;
  CHECK_FALSE(has_one_x(figure));
}

TEST_CASE("series that hide each other stand side by side") {
  CHECK(dodges_of(two_lines()).empty());  // no intervals overlap
  Figure figure = two_lines();
  figure.series[1].points[1] = {1200, 160, 140, 180};
  CHECK(dodges_of(figure) == std::vector<double>{-0.25, 0.25});
  figure.kind = FigureKind::steps;
  CHECK(dodges_of(figure).empty());
  Figure places = some_bars();
  places.kind = FigureKind::lines;
  CHECK(dodges_of(places) == std::vector<double>{-0.25, 0.25});  // at the same place
  places.series[1].points.clear();
  CHECK(dodges_of(places).empty());
}
