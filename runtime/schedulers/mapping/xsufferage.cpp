// XSufferage: the first task is the one that loses most by its second-best cluster instead of its best.
//
// Source: Casanova et al., HCW 2000, pp. 349-363. With one cluster every sufferage is 0. Cost: O(T^2 M).
// Ties: lowest task position, then lowest machine index.
#include "runtime/schedulers/mapping/cluster_rule.h"

namespace perigee::mapping {

Entry xsufferage() {
  Entry entry = cluster_rule_entry("xsufferage", "the task first that loses most by its second-best cluster",
                                   "Casanova et al., HCW 2000, pp. 349-363");
  entry.make_mapper = [](const Arguments&) -> std::unique_ptr<Mapper> {
    return std::make_unique<ClusterRule>(
        [](std::span<const Time> times) { return times.size() > 1 ? times[1] - times[0] : 0; }, true,
        "cluster-level sufferage, s");
  };
  entry.make_chart_rule = [](const Arguments&) { return xsufferage_rule(); };
  return entry;
}

}  // namespace perigee::mapping
