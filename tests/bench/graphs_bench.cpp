// Graph schedulers on layered graphs (alpha 1, degree 5, beta 1): equal links, and links of their own for every two
// hosts. Beside them the floor, one pass over all times and edges, and heft as the textbook has it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cost/graph_choice.h"
#include "runtime/cost/graph_costs.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/random.h"
#include "runtime/model/graph_generators.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/bench/runs.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

struct Shape {
  std::size_t tasks, hosts;
  double ccr;
  bool own_links;

  friend bool operator==(const Shape&, const Shape&) = default;
};

GraphProblem make(const Shape& shape) {
  SplitMix64 rng(1);
  TaskGraph graph = layered_structure({shape.tasks, 1, 5}, rng);
  draw_costs(graph, {.hosts = shape.hosts, .ccr = shape.ccr, .beta = 1}, rng);
  GraphProblem problem = graph_problem_of(std::make_shared<const TaskGraph>(std::move(graph)));
  std::vector<double> bandwidth = {1}, latency = {0};
  if (shape.own_links) {
    bandwidth.resize(shape.hosts * shape.hosts);
    latency.resize(shape.hosts * shape.hosts);
    for (double& each : bandwidth) each = rng.uniform(0.5, 1.5);
    for (double& each : latency) each = rng.uniform(0, 1);
  }
  problem.network = GraphNetwork(shape.hosts, std::move(bandwidth), std::move(latency));
  return problem;
}

const GraphProblem& problem_of_shape(const Shape& shape) {  // one at a time in memory
  static std::unique_ptr<GraphProblem> problem;
  static Shape made{};
  if (problem == nullptr || !(made == shape)) {
    problem.reset();
    problem = std::make_unique<GraphProblem>(make(shape));
    made = shape;
  }
  return *problem;
}

// One pass over all times and edges.
double floor_of_graph(const GraphProblem& problem) {
  double sum = 0;
  for (std::size_t t = 0; t < problem.tasks(); ++t) {
    double least = kInfinity;
    for (std::size_t m = 0; m < problem.machines; ++m) least = std::min(least, problem.time(t, m));
    for (const GraphArc& arc : problem.arcs.before(t)) least += arc.bytes;
    sum += least;
  }
  return sum;
}

// The makespan of heft as the textbook has it: for each task, the gaps of every host from the first on.
double textbook_heft(const GraphProblem& problem) {
  const cost::GraphCosts costs(problem);
  std::vector<std::vector<std::pair<double, double>>> busy(problem.machines);
  std::vector<double> finish(problem.tasks());
  std::vector<std::uint32_t> where(problem.tasks());
  std::vector<std::size_t> waits(problem.tasks());
  PriorityTasks ready(costs.upward_rank());
  for (std::uint32_t t = 0; t < problem.tasks(); ++t)
    if ((waits[t] = problem.arcs.before(t).size()) == 0) ready.insert(t);
  double makespan = 0;
  while (!ready.empty()) {
    const std::uint32_t task = ready.first();
    ready.erase(task);
    std::pair<double, double> best(0, kInfinity);
    for (std::uint32_t m = 0; m < problem.machines; ++m) {
      double arrival = 0;
      for (const GraphArc& arc : problem.arcs.before(task))
        arrival = std::max(arrival, problem.arrival(arc, finish[arc.task], where[arc.task], m));
      const double time = problem.time(task, m);
      double start = arrival;
      for (const auto& [from, to] : busy[m]) {
        if (start + time <= from) break;
        start = std::max(start, to);
      }
      if (!(start + time < best.second)) continue;
      best = {start, start + time};
      where[task] = m;
    }
    auto& slots = busy[where[task]];
    slots.insert(std::ranges::upper_bound(slots, best), best);
    finish[task] = best.second;
    makespan = std::max(makespan, best.second);
    for (const GraphArc& arc : problem.arcs.behind(task))
      if (--waits[arc.task] == 0) ready.insert(arc.task);
  }
  return makespan;
}

void schedule_with(benchmark::State& state, const ConfigPtr& config, const Shape& shape, bool with_textbook) {
  const GraphProblem& problem = problem_of_shape(shape);
  const std::unique_ptr<GraphScheduler> scheduler = config->make_graph_scheduler();
  GraphPlan plan;
  double bare = 0, total = 0;
  for (auto _ : state) {
    bare += seconds_taken([&] { benchmark::DoNotOptimize(floor_of_graph(problem)); });
    const double took = seconds_taken([&] { scheduler->schedule(problem, plan); });
    state.SetIterationTime(took);
    total += took;
  }
  state.counters["makespan"] = plan.makespan;
  state.counters["times_floor"] = total / bare;
  std::string label = "times_floor = one pass over all times and edges";
  if (with_textbook) {
    double makespan = 0;
    const double theirs = seconds_taken([&] { makespan = textbook_heft(problem); });
    state.counters["times_faster_than_textbook"] = theirs * static_cast<double>(state.iterations()) / total;
    label += "; times_faster_than_textbook = all gaps of all hosts are looked at for each task";
    if (makespan != plan.makespan) state.SkipWithError("the textbook's schedule has another makespan");
  }
  state.SetLabel(label);
}

const int registered = [] {
  const Catalogue catalogue;
  for (const auto& [tasks, hosts] : {std::pair<std::size_t, std::size_t>{10'000, 64}, {100'000, 256}})
    for (const bool own_links : {false, true})
      for (const double ccr : {0.1, 10.0}) {
        const Shape shape{tasks, hosts, ccr, own_links};
        const auto add = [&](const std::string& name) {
          const ConfigPtr config = catalogue.as_role(catalogue.configure(name), Role::graph);
          const bool with_textbook = name == "heft" && shape.tasks == 10'000;
          benchmark::RegisterBenchmark(
              fmt::format("graphs/{}x{}/{}_links/ccr_{}/{}", tasks, hosts, own_links ? "own" : "equal", ccr,
                          name)
                  .c_str(),
              [=](benchmark::State& state) { schedule_with(state, config, shape, with_textbook); })
              ->UseManualTime()
              ->MinTime(0.2)
              ->Unit(benchmark::kMillisecond);
        };
        for (const char* fast : {"heft", "cpop", "hcpt", "peft", "mct"}) add(fast);
        if (tasks > 10'000 || own_links) continue;
        for (const char* slow : {"etf", "dls", "bil", "mcp", "hlfet", "min_min", "sufferage"}) add(slow);
      }
  return 0;
}();

}  // namespace
