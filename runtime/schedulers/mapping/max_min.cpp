// Max-min: of all waiting tasks, map the one whose best completion time is largest.
//
// Source: Ibarra and Kim, JACM 24(2), 1977; Braun et al., JPDC 61(6), 2001, pp. 810-837; form = "sorted" is
// Algorithm 2 of the IRMaSim thesis.
// Cost: O(T^2 M), O(T^2 + T M) when the load spreads evenly, for T tasks, M machines.
// Ties: lowest task position, then lowest machine index.
#include "runtime/cost/explain.h"
#include "runtime/cost/greedy_largest.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/sorted_form.h"

namespace perigee {
namespace {

class MaxMin final : public MapperOf<MaxMin> {
 public:
  void map(const MappingProblem& problem, Mapping& out) override {
    greedy_largest(problem, LargestKey::best, out);
  }
  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    explain_greedy(
        problem, answer, task, [](const GreedyView& view, std::size_t other) { return view.best(other); },
        true, "best completion, s", out);
  }
};

}  // namespace

Entry mapping::max_min() {
  return {.name = "max_min",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "the task with the latest best completion first",
          .source = "Ibarra and Kim 1977; Braun et al. 2001",
          .complexity = "O(T^2 M), with even load O(T^2 + T M)",
          .ties = "lowest task position, then lowest machine index",
          .parameters = {form_parameter()},
          .make_mapper = [](const Arguments& given) { return make_form<MaxMin>(given, true); }};
}

}  // namespace perigee
