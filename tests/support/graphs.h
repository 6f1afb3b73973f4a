// Task graphs for tests: the published ones, random ones, and what holds for every schedule.
#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "runtime/cost/graph_problem.h"
#include "runtime/kernel/constants.h"
#include "tests/support/layers.h"

namespace perigee::test {

struct WeightedEdge {
  std::uint32_t from = 0, to = 0;  // from 1, as publications count
  double bytes = 0;
  bool has_data = true;
};

inline GraphProblem graph_problem(std::vector<std::vector<double>> rows,
                                  const std::vector<WeightedEdge>& weighted,
                                  std::vector<double> bandwidth = {1}, std::vector<double> latency = {0}) {
  std::vector<GraphEdge> edges;
  for (const WeightedEdge& each : weighted)
    edges.push_back({each.from - 1, each.to - 1, each.has_data ? 1U : 0U, each.bytes, each.bytes});
  GraphProblem problem{.arcs = GraphArcs(rows.size(), edges),
                       .machines = rows.empty() ? 0 : rows.front().size()};
  std::vector<double> times;
  for (const std::vector<double>& row : rows) times.insert(times.end(), row.begin(), row.end());
  problem.set_times(std::move(times));
  problem.network = GraphNetwork(problem.machines, std::move(bandwidth), std::move(latency));
  check_graph_problem(problem);
  return problem;
}

// Topcuoglu, Hariri, Wu 2002, figure 2.
inline GraphProblem heft_paper() {
  return graph_problem({{14, 16, 9},
                        {13, 19, 18},
                        {11, 13, 19},
                        {13, 8, 17},
                        {12, 13, 10},
                        {13, 16, 9},
                        {7, 15, 11},
                        {5, 11, 14},
                        {18, 12, 20},
                        {21, 7, 16}},
                       {{1, 2, 18},
                        {1, 3, 12},
                        {1, 4, 9},
                        {1, 5, 11},
                        {1, 6, 14},
                        {2, 8, 19},
                        {2, 9, 16},
                        {3, 7, 23},
                        {4, 8, 27},
                        {4, 9, 23},
                        {5, 9, 13},
                        {6, 8, 15},
                        {7, 10, 17},
                        {8, 10, 11},
                        {9, 10, 13}});
}

// Arabnejad, Barbosa 2014, figure 1.
inline GraphProblem peft_paper() {
  return graph_problem({{22, 21, 36},
                        {22, 18, 18},
                        {32, 27, 43},
                        {7, 10, 4},
                        {29, 27, 35},
                        {26, 17, 24},
                        {14, 25, 30},
                        {29, 23, 36},
                        {15, 21, 8},
                        {13, 16, 33}},
                       {{1, 2, 17},
                        {1, 3, 31},
                        {1, 4, 29},
                        {1, 5, 13},
                        {1, 6, 7},
                        {2, 8, 3},
                        {2, 9, 30},
                        {3, 7, 16},
                        {4, 8, 11},
                        {4, 9, 7},
                        {5, 9, 57},
                        {6, 8, 5},
                        {7, 10, 9},
                        {8, 10, 42},
                        {9, 10, 7}});
}

// Kwok, Ahmad 1999, on three equal hosts.
inline GraphProblem survey_graph() {
  std::vector<std::vector<double>> rows;
  for (const double time : {2, 3, 3, 4, 5, 4, 4, 4, 1}) rows.push_back({time, time, time});
  return graph_problem(rows, {{1, 2, 4},
                              {1, 3, 1},
                              {1, 4, 1},
                              {1, 5, 1},
                              {1, 7, 10},
                              {2, 6, 1},
                              {2, 7, 1},
                              {3, 8, 1},
                              {4, 8, 1},
                              {6, 9, 5},
                              {7, 9, 6},
                              {8, 9, 5}});
}

struct RandomGraph {
  std::size_t most_tasks = 12, most_machines = 4;
  bool whole_numbers = false;  // small ones, so that ties abound
  bool textbook = false;       // no clusters, no ready times, nothing occupied, equal links
  bool all_can_run = false;    // no infinite times
};

// Edges go from lower to higher numbers of a random renumbering.
inline GraphProblem random_graph(const RandomGraph& shape, std::mt19937_64& rng) {
  const auto below = [&rng](std::size_t n) { return static_cast<std::size_t>(rng() % n); };
  const auto number = [&](double high) {
    return shape.whole_numbers ? static_cast<double>(below(static_cast<std::size_t>(high) + 1))
                               : high * (static_cast<double>(rng() >> 11) * 0x1p-53);
  };
  const std::size_t tasks = 1 + below(shape.most_tasks), machines = 1 + below(shape.most_machines);
  std::vector<std::uint32_t> number_of(tasks);
  for (std::uint32_t t = 0; t < tasks; ++t) number_of[t] = t;
  for (std::size_t t = tasks; t > 1; --t) std::swap(number_of[t - 1], number_of[below(t)]);
  const std::size_t density = below(5), communication = below(3);
  std::vector<GraphEdge> edges;
  for (std::size_t a = 0; a < tasks; ++a)
    for (std::size_t b = a + 1; b < tasks; ++b) {
      if (below(6) >= density) continue;
      const bool has_data = below(4) != 0;
      const double first = has_data ? number(communication == 0 ? 2 : communication == 1 ? 8 : 40) : 0;
      const double second = has_data && below(5) == 0 ? number(4) : 0;  // a second file beside the first
      edges.push_back(
          {number_of[a], number_of[b], has_data ? 1U : 0U, first + second, std::max(first, second)});
    }
  GraphProblem problem{.arcs = GraphArcs(tasks, edges), .machines = machines};
  std::vector<double> times(tasks * machines);
  const bool has_zero = below(3) == 0, has_infinite = !shape.all_can_run && below(3) == 0;
  for (double& time : times) {
    time = shape.whole_numbers ? 1 + number(9) : 0.5 + number(10);
    if (has_zero && below(5) == 0) time = 0;
    if (has_infinite && below(4) == 0) time = kInfinity;
  }
  problem.set_times(std::move(times));
  if (shape.textbook) {
    problem.network = GraphNetwork(machines, {1}, {0});
    return problem;
  }
  if (below(3) == 0) {
    std::vector<std::uint32_t> cluster(machines);
    for (std::uint32_t& each : cluster) each = static_cast<std::uint32_t>(below(2));
    problem.cluster = MachineGroups(std::move(cluster));
  }
  const std::size_t clusters = problem.clusters(), form = below(4);
  std::vector<double> bandwidth = {1 + number(2)}, latency = {number(3)};
  if (form == 1) {
    latency.clear();
    for (std::size_t c = 0; c < clusters; ++c) latency.push_back(number(3));
  }
  if (form == 2) {
    bandwidth.clear();
    latency.clear();
    for (std::size_t c = 0; c < clusters * clusters; ++c) {
      bandwidth.push_back(below(5) == 0 ? kInfinity : 1 + number(2));
      latency.push_back(number(3));
    }
  }
  problem.network = GraphNetwork(clusters, std::move(bandwidth), std::move(latency));
  problem.now = below(2) == 0 ? 0 : number(5);
  if (below(3) == 0)
    for (std::size_t m = 0; m < machines; ++m) problem.ready.push_back(number(10));
  if (below(4) == 0)
    for (std::size_t i = 0; i < tasks * clusters; ++i) problem.release.push_back(number(12));
  if (below(3) == 0)
    for (std::uint32_t m = 0; m < machines; ++m) {
      double at = problem.ready_of(m);
      for (std::size_t i = below(4); i > 0; --i) {
        const double from = at + number(6);
        at = from + number(6);
        problem.occupied.push_back({m, from, at});
      }
    }
  check_graph_problem(problem);
  return problem;
}

// Each task that can be placed is there once, where it can run, for as long as it takes; behind its data and its
// predecessors; no two things overlap on a machine. True if all this holds.
inline bool is_valid(const GraphProblem& problem, const GraphPlan& plan) {
  const std::size_t tasks = problem.tasks();
  if (plan.machine.size() != tasks || plan.start.size() != tasks || plan.finish.size() != tasks) return false;
  std::vector<bool> can_be(tasks, false), seen(tasks, false);
  for (const std::uint32_t task : problem.arcs.precedence().order()) {
    for (std::size_t m = 0; m < problem.machines; ++m)
      if (problem.time(task, m) < kInfinity) can_be[task] = true;
    for (const GraphArc& arc : problem.arcs.before(task)) can_be[task] = can_be[task] && can_be[arc.task];
  }
  std::vector<std::vector<std::pair<double, double>>> taken(problem.machines);
  for (const GraphOccupied& each : problem.occupied) taken[each.machine].emplace_back(each.from, each.to);
  double last = 0;
  for (const std::uint32_t task : plan.order) {
    if (task >= tasks || seen[task] || !can_be[task]) return false;
    seen[task] = true;
    const std::uint32_t machine = plan.machine[task];
    if (machine >= problem.machines) return false;
    const double start = plan.start[task], finish = plan.finish[task];
    last = std::max(last, finish);
    if (finish != start + problem.time(task, machine) || !(finish < kInfinity)) return false;
    if (start < problem.now || start < problem.ready_of(machine)) return false;
    if (!problem.release.empty() &&
        start < problem.release[task * problem.clusters() + problem.cluster[machine]])
      return false;
    for (const GraphArc& arc : problem.arcs.before(task)) {
      if (!seen[arc.task]) return false;
      const std::uint32_t from = problem.cluster[plan.machine[arc.task]], to = problem.cluster[machine];
      double there = plan.finish[arc.task];
      if (from != to && arc.has_data)
        there =
            (there + problem.network.latency(from, to)) + arc.largest / problem.network.bandwidth(from, to);
      if (start < there) return false;
    }
    taken[machine].emplace_back(start, finish);
  }
  for (std::size_t t = 0; t < tasks; ++t) {
    if (can_be[t] != seen[t]) return false;
    if (!seen[t] &&
        !(plan.machine[t] == kUnmapped && std::isnan(plan.start[t]) && std::isnan(plan.finish[t])))
      return false;
  }
  for (auto& machine : taken) {
    std::ranges::sort(machine);
    for (std::size_t i = 1; i < machine.size(); ++i)
      if (machine[i].first < machine[i - 1].second) return false;
  }
  return plan.order.empty() ? plan.makespan == 0 : plan.makespan == last;
}

// The longest path by least times, without communication, and the work that all machines share: no schedule of the
// textbook model is shorter.
inline double least_makespan(const GraphProblem& problem) {
  std::vector<double> path(problem.tasks(), 0);
  double longest = 0, work = 0;
  const std::vector<std::uint8_t> placeable = problem.placeable();
  for (const std::uint32_t task : problem.arcs.precedence().order()) {
    if (placeable[task] == 0) continue;
    double least = kInfinity;
    for (std::size_t m = 0; m < problem.machines; ++m) least = std::min(least, problem.time(task, m));
    for (const GraphArc& arc : problem.arcs.before(task)) path[task] = std::max(path[task], path[arc.task]);
    path[task] += least;
    longest = std::max(longest, path[task]);
    work += least;
  }
  return std::max(longest, work / static_cast<double>(problem.machines));
}

}  // namespace perigee::test
