#include "runtime/cost/graph_problem.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/work.h"

namespace perigee::cost {
namespace {

// The strides by sender and receiver of so many values.
std::pair<std::size_t, std::size_t> strides_of(std::size_t values, std::size_t clusters, bool by_sender,
                                               const char* what) {
  if (values == 1) return {0, 0};
  if (by_sender && values == clusters) return {1, 0};
  if (values == clusters * clusters) return {clusters, 1};
  fail("bad_value", "{} must be one number{}, or a matrix of {} x {} numbers, got {} numbers", what,
       by_sender ? fmt::format(", or one for each of the {} senders", clusters) : "", clusters, clusters,
       values);
}

}  // namespace

GraphArcs::GraphArcs(std::size_t tasks, std::span<const GraphEdge> edges) : first_before_(tasks + 1) {
  std::vector<Precedence::Edge> pairs;
  pairs.reserve(edges.size());
  for (const GraphEdge& edge : edges) pairs.emplace_back(edge.from, edge.to);
  precedence_ = Precedence(tasks, std::move(pairs));
  before_.resize(edges.size());
  behind_.resize(edges.size());
  PERIGEE_ASSERT(precedence_.edges() == edges.size(), "an edge is there twice");
  for (std::size_t t = 0; t < tasks; ++t)
    first_before_[t + 1] = first_before_[t] + static_cast<std::uint32_t>(precedence_.predecessors(t).size());
  for (const GraphEdge& edge : edges) {
    const auto place_in = [](std::span<const std::uint32_t> list, std::uint32_t task) {
      return static_cast<std::size_t>(std::ranges::lower_bound(list, task) - list.begin());
    };
    const bool has_data = edge.files > 0;
    before_[first_before_[edge.to] + place_in(precedence_.predecessors(edge.to), edge.from)] = {
        edge.from, has_data, edge.bytes, edge.largest};
    behind_[precedence_.first_edge(edge.from) + place_in(precedence_.successors(edge.from), edge.to)] = {
        edge.to, has_data, edge.bytes, edge.largest};
  }
}

const GraphArc* GraphArcs::find(std::size_t from, std::size_t to) const {
  const std::span<const GraphArc> arcs = behind(from);
  const auto found = std::ranges::lower_bound(arcs, to, {}, &GraphArc::task);
  return found == arcs.end() || found->task != to ? nullptr : &*found;
}

GraphNetwork::GraphNetwork(std::size_t clusters, std::vector<double> bandwidth, std::vector<double> latency)
    : bandwidth_(std::move(bandwidth)), latency_(std::move(latency)) {
  std::tie(bandwidth_from_, bandwidth_to_) = strides_of(bandwidth_.size(), clusters, false, "bandwidth");
  std::tie(latency_from_, latency_to_) = strides_of(latency_.size(), clusters, true, "latency");
  for (std::size_t from = 0; from < clusters; ++from)
    for (std::size_t to = 0; to < clusters; ++to) {
      if (from == to) continue;
      if (!(this->bandwidth(from, to) > 0))
        fail("bad_value", "the bandwidth from {} to {} must be > 0, got {}", from + 1, to + 1,
             this->bandwidth(from, to));
      if (!(this->latency(from, to) >= 0 && this->latency(from, to) < kInfinity))
        fail("bad_value", "the latency from {} to {} must be >= 0 and finite, got {}", from + 1, to + 1,
             this->latency(from, to));
    }
}

MachineGroups::MachineGroups(std::vector<std::uint32_t> group) : group_(std::move(group)) {
  for (const std::uint32_t each : group_) count_ = std::max<std::size_t>(count_, each + std::size_t{1});
}

const double* GraphProblem::times_of(std::size_t task, std::vector<double>& room) const {
  if (!is_related() && kind.is_each_its_own()) return times.data() + task * machines;
  room.resize(machines);
  for (std::size_t m = 0; m < machines; ++m) room[m] = time(task, m);
  return room.data();
}

std::vector<std::uint8_t> GraphProblem::placeable() const {
  std::vector<std::uint8_t> can_be(tasks(), 0);
  const std::size_t all_kinds = kinds();
  for (const std::uint32_t task : arcs.precedence().order()) {
    bool all_before = true;
    for (const GraphArc& arc : arcs.before(task)) all_before = all_before && can_be[arc.task] != 0;
    for (std::size_t k = 0; all_before && can_be[task] == 0 && k < all_kinds; ++k)
      can_be[task] = time_of_kind(task, k) < kInfinity ? 1 : 0;
  }
  return can_be;
}

void GraphProblem::set_times(std::vector<double> matrix) {
  const auto kept = std::make_shared<const std::vector<double>>(std::move(matrix));
  times = *kept;
  times_owner = kept;
}

void check_graph_problem(const GraphProblem& problem) {
  const std::size_t tasks = problem.tasks(), machines = problem.machines;
  did_work(tasks * problem.kinds() / 4 + problem.arcs.precedence().edges());
  const auto check_count = [](std::string_view what, std::size_t given, std::size_t wanted) {
    if (given != wanted) fail("workflow_hosts", "{}: {} numbers are needed, got {}", what, wanted, given);
  };
  if (problem.kind.listed() > 0) check_count("kinds of machines", problem.kind.listed(), machines);
  if (problem.cluster.listed() > 0) check_count("clusters of machines", problem.cluster.listed(), machines);
  if (!problem.ready.empty()) check_count("ready times", problem.ready.size(), machines);
  if (!problem.release.empty())
    check_count("release times", problem.release.size(), tasks * problem.clusters());
  if (problem.is_related()) {
    check_count("amounts", problem.amounts.size(), tasks);
    check_count("speeds", problem.speeds.size(), problem.kinds());
    for (std::size_t t = 0; t < tasks; ++t)
      if (!(problem.amounts[t] >= 0))
        fail("workflow_time", "the amount of task {} must be >= 0, got {}", t + 1, problem.amounts[t]);
    for (std::size_t k = 0; k < problem.speeds.size(); ++k)
      if (!(problem.speeds[k] >= 0 && problem.speeds[k] < kInfinity))
        fail("bad_value", "speed {} must be >= 0 and finite, got {}", k + 1, problem.speeds[k]);
  } else {
    check_count("times", problem.times.size(), tasks * problem.kinds());
    for (std::size_t i = 0; i < problem.times.size(); ++i)
      if (!(problem.times[i] >= 0))
        fail("workflow_time", "time {} of task {} must be >= 0, got {}", i % problem.kinds() + 1,
             i / problem.kinds() + 1, problem.times[i]);
  }
  for (std::size_t t = 0; t < tasks; ++t)
    for (const GraphArc& arc : problem.arcs.behind(t))
      for (const double size : {arc.bytes, arc.largest})
        if (!(size >= 0 && size < kInfinity))
          fail("workflow_size", "the data from task {} to task {} must be >= 0 B and finite, got {}", t + 1,
               arc.task + 1, size);
  for (const double ready : problem.ready)
    if (!(std::abs(ready) < kInfinity)) fail("bad_value", "a ready time must be finite, got {}", ready);
  if (!(std::abs(problem.now) < kInfinity)) fail("bad_value", "now must be finite, got {}", problem.now);
  for (std::size_t i = 0; i < problem.occupied.size(); ++i) {
    const GraphOccupied& each = problem.occupied[i];
    if (each.machine >= machines)
      fail("bad_value", "machine {} is occupied; there are {}", each.machine + 1, machines);
    if (!(each.from <= each.to && each.to < kInfinity && each.from > -kInfinity))
      fail("bad_value", "machine {} cannot be occupied from {} to {}", each.machine + 1, each.from, each.to);
    if (i == 0) continue;
    const GraphOccupied& last = problem.occupied[i - 1];
    if (last.machine > each.machine || (last.machine == each.machine && last.to > each.from))
      fail("bad_value",
           "what occupies machines must be by machine and time: {} is occupied from {} behind {} until {}",
           each.machine + 1, each.from, last.machine + 1, last.to);
  }
  const std::vector<std::uint32_t> cycle = problem.arcs.precedence().shortest_cycle();
  if (cycle.empty()) return;
  std::string text;
  for (const std::uint32_t task : cycle) text += fmt::format("{} > ", task + 1);
  fail("workflow_cycle", "tasks wait for each other: {}{}", text, cycle.front() + 1);
}

GraphProblem graph_problem_of(std::shared_ptr<const TaskGraph> graph, std::vector<double> speeds) {
  GraphProblem problem{.arcs = GraphArcs(graph->tasks.size(), edges_of(*graph))};
  if (graph->form == TimeForm::by_host) {
    if (!speeds.empty() && speeds.size() != graph->hosts)
      fail("workflow_hosts", "the graph has times for {} hosts, and there are {}", graph->hosts,
           speeds.size());
    problem.machines = graph->hosts;
    problem.times = graph->times;
    problem.times_owner = std::move(graph);
    return problem;
  }
  problem.machines = speeds.size();
  problem.speeds = std::move(speeds);
  problem.amounts.reserve(graph->tasks.size());
  for (const GraphTask& task : graph->tasks) problem.amounts.push_back(task.amount);
  return problem;
}

}  // namespace perigee::cost
