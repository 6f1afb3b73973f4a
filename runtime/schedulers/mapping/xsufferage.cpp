// XSufferage: the first task is the one that loses most by its second-best cluster instead of its best.
//
// Source: Casanova et al., HCW 2000, pp. 349-363. With one cluster every sufferage is 0. Cost: O(T^2 M); as of
// sufferage where each machine is its own cluster and each task can run on two. Ties: lowest task position, then
// lowest machine index.
#include <algorithm>

#include "runtime/cost/greedy_largest.h"
#include "runtime/kernel/constants.h"
#include "runtime/schedulers/mapping/cluster_rule.h"

namespace perigee::mapping {
namespace {

class XSufferage final : public MapperOf<XSufferage>, public MapsStarts {
 public:
  void map(const MappingProblem& problem, Mapping& out) override {
    if (is_sufferage(problem)) return greedy_largest(problem, LargestKey::sufferage, out);
    by_clusters_.map(problem, out);
  }
  void map_starts(const MappingProblem& problem, Mapping& out) override {
    if (is_sufferage(problem)) return greedy_largest(problem, LargestKey::sufferage, out, Extent::starts);
    by_clusters_.map_starts(problem, out);
  }
  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    by_clusters_.explain(problem, answer, task, out);
  }

 private:
  // Whether each task can always run on two machines, and each machine is a cluster: only then are its best two
  // clusters its best two machines.
  static bool is_sufferage(const MappingProblem& problem) {
    if (!problem.cluster.empty() || problem.has_cores() || problem.machines < 2) return false;
    double longest = 0, latest = 0;
    for (const double ready : problem.ready) latest = std::max(latest, ready);
    for (std::size_t t = 0; t < problem.tasks; ++t) {
      std::size_t machines = 0;
      for (std::size_t m = 0; m < problem.machines; ++m)
        if (const double time = problem.time(t, m); time < kInfinity)
          longest = std::max(longest, time), ++machines;
      if (machines < 2) return false;
    }
    return latest + 2 * longest * static_cast<double>(problem.tasks) < kInfinity;
  }

  ClusterRule by_clusters_{
      [](std::span<const Time> times) { return times.size() > 1 ? times[1] - times[0] : 0; }, true,
      "cluster-level sufferage, s"};
};

}  // namespace

Entry xsufferage() {
  Entry entry = cluster_rule_entry("xsufferage", "the task first that loses most by its second-best cluster",
                                   "Casanova et al., HCW 2000, pp. 349-363");
  entry.complexity = "O(T^2 M); as of sufferage where each machine is its own cluster";
  entry.make_mapper = [](const Arguments&) -> std::unique_ptr<Mapper> {
    return std::make_unique<XSufferage>();
  };
  entry.make_chart_rule = [](const Arguments&) { return xsufferage_rule(); };
  return entry;
}

}  // namespace perigee::mapping
