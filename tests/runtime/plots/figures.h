// A figure of each kind.
#pragma once

#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/plots/plot.h"
#include "tests/support/layers.h"
#include "tests/support/scenarios.h"
#include "tests/support/toys.h"

namespace perigee::test {

inline Figure two_lines() {
  Figure figure;
  figure.kind = FigureKind::lines;
  figure.title = "Two lines";
  figure.x = {"size", "KB"};
  figure.y = {"makespan", "s"};
  figure.by = "policy";
  figure.series = {{"fcfs", {{300, 100, 90, 110}, {1200, 200, 150, 250}, {4800, 500}}},
                   {"mapped { map = min_min }", {{300, 80}, {1200, 140}, {4800, 300, 250, 350}}}};
  return figure;
}

inline Figure some_bars() {
  Figure figure = two_lines();
  figure.kind = FigureKind::bars;
  figure.x = {"case", "", false, {"easy", "hard"}};
  figure.series = {{"fcfs", {{0, 20, 10, 30}, {1, 40}}}, {"workqueue", {{0, 10}, {1, 30, 25, 35}}}};
  return figure;
}

inline Figure some_stacks() {
  Figure figure = some_bars();
  figure.kind = FigureKind::stacked;
  for (Series& series : figure.series)
    for (Point& point : series.points) point.low = point.high = std::nan("");
  return figure;
}

// Until 4.75 there are 20, then 40 more stand on them.
inline Figure some_areas() {
  Figure figure;
  figure.kind = FigureKind::areas;
  figure.x = {"time", "s"};
  figure.y = {"power", "W"};
  figure.series = {{"all", {{0, 20}, {4.75, 60}, {10, 60}}},
                   {"low", {{0, 20}, {10, 20}}},
                   {"high", {{0, 0}, {4.75, 40}, {10, 40}}}};
  figure.series[0].is_sum = true;
  return figure;
}

inline Figure some_boxes() {
  Figure figure = some_bars();
  figure.kind = FigureKind::box;
  figure.series = {{"fcfs"}, {"workqueue"}};
  figure.series[0].boxes = {box_of(0, {1, 2, 3, 4, 100}), box_of(1, {5, 6, 7, 8})};
  figure.series[1].boxes = {box_of(0, {20, 30, 40, 50}), box_of(1, {10, 20, 50})};
  return figure;
}

inline Figure some_bins() {
  Figure figure;
  figure.kind = FigureKind::histogram;
  figure.x = {"wait", "s"};
  figure.y = {"values"};
  figure.series = {{""}};
  figure.series[0].bins = {{0, 10, 4}, {10, 20, 9}, {20, 30, 1}};
  return figure;
}

// Shares of the values 1, 1, 2, 4 and of 3.
inline Figure some_shares() {
  Figure figure;
  figure.kind = FigureKind::ecdf;
  figure.x = {"wait", "s"};
  figure.y = {"share of values"};
  figure.by = "policy";
  figure.series = {{"fcfs", {{1, 0.5}, {2, 0.75}, {4, 1}}}, {"workqueue", {{3, 1}}}};
  return figure;
}

// Two rows of three cells, of which one is empty.
inline Figure some_cells() {
  Figure figure;
  figure.kind = FigureKind::heatmap;
  figure.x = {"nodes", "", false, {"4", "8", "16"}};
  figure.y = {"policy", "", false, {"fcfs", "workqueue"}};
  figure.value = {"mean_wait", "s"};
  figure.series = {{""}};
  figure.series[0].cells = {{0, 0, 10, 3}, {1, 0, 20.25}, {2, 0, 30}, {0, 1, 5}, {2, 1, 50}};
  return figure;
}

// The figure thrice, two abreast.
inline Figure panels_of(Figure figure) {
  figure.facets = {"load"};
  for (std::size_t p = 0; p < 3; ++p) {
    const std::string value = std::to_string(p + 1);
    figure.panels.push_back({"load = " + value, figure.series, p / 2, p % 2, {value}});
  }
  figure.series.clear();
  return figure;
}

// The same as a grid of two columns' values.
inline Figure grid_of(Figure figure) {
  Figure grid = panels_of(std::move(figure));
  grid.facets = {"nodes", "load"};
  for (Panel& panel : grid.panels) panel.values = {std::to_string(panel.row), std::to_string(panel.column)};
  return grid;
}

inline Figure one_x() {
  Figure figure = two_lines();
  for (Series& series : figure.series) series.points.assign(1, {300, 100, 90, 110});
  return figure;
}

inline Figure joined_areas() {
  Figure figure = some_areas();
  figure.joined = true;
  figure.series = {{"low", {{0, 20}, {10, 40}}}, {"high", {{5, 10}, {10, 20}}}};
  return figure;
}

inline std::vector<Figure> all_kinds() {
  Figure points = two_lines();
  points.kind = FigureKind::points;
  Figure several = some_bins();
  several.by = "policy";
  several.series.push_back(several.series[0]);
  several.series[0].name = "fcfs";
  several.series[1].name = "workqueue";
  Figure logarithmic = two_lines();
  logarithmic.x.log = logarithmic.y.log = true;
  logarithmic.series[0].points[0].low = -5;
  return {two_lines(),
          points,
          some_bars(),
          some_stacks(),
          some_areas(),
          some_boxes(),
          some_bins(),
          several,
          logarithmic,
          gantt_figure(four_jobs_story().outcome()),
          some_shares(),
          some_cells(),
          joined_areas(),
          panels_of(two_lines()),
          panels_of(some_bars()),
          panels_of(some_cells()),
          grid_of(two_lines()),
          grid_of(some_cells()),
          one_x()};
}

template <class F>
inline std::string plot_message_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.diagnostic().message;
  }
  return "";
}

}  // namespace perigee::test
