// A figure of each kind.
#pragma once

#include <string>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/results/plot.h"
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
  return {two_lines(),  points,      some_bars(), some_stacks(), some_areas(),
          some_boxes(), some_bins(), several,     logarithmic,   gantt_figure(four_jobs_story().outcome())};
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
