// Linear clustering: again and again the longest path of the tasks left becomes a cluster. Clusters go to machines by
// decreasing work, each to the one whose work is then least; tasks are placed there by upward rank.
//
// Source: Kim, Browne, ICPP 1988; Kwok, Ahmad, ACM Computing Surveys 31(4), 1999 (LC). How clusters go to machines, the
// source leaves open.
// Cost: O(T (T + E)) for T tasks, E edges. Ties: lowest task, lowest machine, the cluster found first.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/work.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::workflow {
namespace {

using Cluster = std::vector<std::uint32_t>;

// Every task that can be placed, in paths.
std::vector<Cluster> clusters_of(const GraphCosts& costs) {
  const GraphProblem& problem = costs.problem();
  const std::vector<double>& time = costs.mean_times();
  std::vector<std::uint32_t> left(costs.order().begin(), costs.order().end());
  std::erase_if(left, [&](std::uint32_t task) { return !costs.placeable(task); });
  std::vector<std::uint8_t> is_left(problem.tasks(), 0);
  for (const std::uint32_t task : left) is_left[task] = 1;
  std::vector<double> length(problem.tasks(), 0);  // of the longest path from the task on
  // The longest way on, over the edges of the task to those that are left.
  const auto ahead = [&](const GraphArc& arc) { return costs.mean_transfer(arc) + length[arc.task]; };
  std::vector<Cluster> clusters;
  while (!left.empty()) {
    double longest = -kInfinity;
    for (std::size_t i = left.size(); i-- > 0;) {
      const std::uint32_t task = left[i];
      double most = 0;
      did_work(1 + problem.arcs.behind(task).size());
      for (const GraphArc& arc : problem.arcs.behind(task))
        if (is_left[arc.task] != 0) most = std::max(most, ahead(arc));
      length[task] = time[task] + most;
      longest = std::max(longest, length[task]);
    }
    std::uint32_t task = kUnmapped;
    for (const std::uint32_t each : left)
      if (each < task && alike(length[each], longest)) task = each;
    Cluster cluster;
    while (task != kUnmapped) {
      cluster.push_back(task);
      is_left[task] = 0;
      double most = -kInfinity;
      const std::span<const GraphArc> arcs = problem.arcs.behind(task);
      for (const GraphArc& arc : arcs)
        if (is_left[arc.task] != 0) most = std::max(most, ahead(arc));
      const auto next = std::ranges::find_if(
          arcs, [&](const GraphArc& arc) { return is_left[arc.task] != 0 && alike(ahead(arc), most); });
      task = next == arcs.end() ? kUnmapped : next->task;
    }
    std::erase_if(left, [&](std::uint32_t each) { return is_left[each] == 0; });
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}

class LinearClustering final : public GraphSchedulerOf<LinearClustering> {
 public:
  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    const std::vector<std::uint32_t> machine = machines_of(costs, clusters_of(costs));
    GraphSchedule schedule(problem);
    place_by_priority(schedule, costs.upward_rank(),
                      [&](std::uint32_t task) { schedule.place(task, machine[task]); });
    schedule.write(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    const GraphCosts costs(problem);
    const GraphSchedule before = before_graph_step(problem, plan, task, GraphFit::insertion, out);
    compare_ready(before, costs.upward_rank(), "upward rank, s", out);
    show_finishes(before, task, out);
    for (const Cluster& cluster : clusters_of(costs))
      if (std::ranges::find(cluster, task) != cluster.end())
        out.rule = fmt::format(
            "it is in a cluster of {} {}, which went to the machine that had the least work with it",
            cluster.size(), cluster.size() == 1 ? "task" : "tasks");
  }

 private:
  static std::vector<std::uint32_t> machines_of(const GraphCosts& costs,
                                                const std::vector<Cluster>& clusters) {
    const GraphProblem& problem = costs.problem();
    std::vector<double> less_work;
    for (const Cluster& cluster : clusters) {
      double work = 0;
      for (const std::uint32_t task : cluster) work += costs.mean_time(task);
      less_work.push_back(-work);
    }
    std::vector<std::size_t> order(clusters.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::vector<std::uint32_t> rank = ranks_of(less_work);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rank[i]; });
    std::vector<std::uint32_t> machine(problem.tasks(), kUnmapped);
    std::vector<double> work(problem.machines, 0), then, room;
    for (const std::size_t i : order) {
      then = work;
      for (const std::uint32_t task : clusters[i]) {
        const double* const time = problem.times_of(task, room);
        for (std::size_t m = 0; m < then.size(); ++m) then[m] += time[m];
      }
      const std::size_t best = first_least(then);
      if (best == kNoChoice) {
        std::vector<std::uint32_t> numbers;
        for (const std::uint32_t task : clusters[i]) numbers.push_back(task + 1);
        fail("cluster_nowhere", "linear_clustering: no machine can run all of the tasks {} of one cluster",
             fmt::join(numbers, ", "));
      }
      work[best] = then[best];
      for (const std::uint32_t task : clusters[i]) machine[task] = static_cast<std::uint32_t>(best);
    }
    return machine;
  }
};

}  // namespace

Entry linear_clustering() {
  return {.name = "linear_clustering",
          .family = Family::workflow,
          .role = Role::graph,
          .summary = "longest paths as clusters, which go to the machines with the least work",
          .source = "Kim, Browne 1988; Kwok, Ahmad 1999 (LC)",
          .complexity = "O(T (T + E)) for E edges",
          .ties = "lowest task, then lowest machine; the cluster found first",
          .make_graph_scheduler = [](const Arguments&) { return std::make_unique<LinearClustering>(); }};
}

}  // namespace perigee::workflow
