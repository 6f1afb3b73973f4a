// Sufferage II: the first task is the one that the fewest clusters suit; among several, the one whose
// completion jumps most.
//
// Cost: O(T^2 M). Ties: lowest task position, then lowest machine index.
#include "runtime/schedulers/mapping/cluster_rule.h"

namespace perigee::mapping {

Entry sufferage_2() {
  Entry entry = cluster_rule_entry(
      "sufferage_2", "the task first that the fewest clusters suit, then by its jump to the others",
      "Berman et al., LIP RR 1999-46, section 5.6.3 (H9), Appendix C");
  entry.parameters = jump_parameters();
  entry.make_mapper = [](const Arguments& given) -> std::unique_ptr<Mapper> {
    const NoJump otherwise = jump_of(given);
    const Suffering as = suffering_of(given);
    return std::make_unique<ClusterRule>(
        [=](std::span<const Time> times) {
          const Jump jump = first_jump(times, otherwise);
          return static_cast<double>(jump.clusters) + 1 / (1 + suffering(times, jump, as));
        },
        false, "clusters that suit it + 1 / (1 s + jump)");
  };
  entry.make_chart_rule = [](const Arguments& given) {
    return sufferage_2_rule(jump_of(given), suffering_of(given));
  };
  return entry;
}

}  // namespace perigee::mapping
