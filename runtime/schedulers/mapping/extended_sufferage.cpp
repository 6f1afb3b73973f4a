// Extended sufferage: the first task is the one whose completion jumps most from the clusters that suit it to
// the others.
//
// Cost: O(T^2 M). Ties: lowest task position, then lowest machine index.
#include "runtime/schedulers/mapping/cluster_rule.h"

namespace perigee::mapping {

Entry extended_sufferage() {
  Entry entry = cluster_rule_entry(
      "extended_sufferage", "the task first whose completion jumps most from its best clusters to the next",
      "Berman et al., LIP RR 1999-46, section 5.6.3 (H4), Figures 12 and 13");
  entry.parameters = jump_parameters();
  entry.make_mapper = [](const Arguments& given) -> std::unique_ptr<Mapper> {
    const NoJump otherwise = jump_of(given);
    const Suffering as = suffering_of(given);
    return std::make_unique<ClusterRule>(
        [=](std::span<const Time> times) { return suffering(times, first_jump(times, otherwise), as); }, true,
        as == Suffering::jump ? "height of the first jump, s" : "later in the next group of clusters, s");
  };
  entry.make_chart_rule = [](const Arguments& given) {
    return extended_sufferage_rule(jump_of(given), suffering_of(given));
  };
  return entry;
}

}  // namespace perigee::mapping
