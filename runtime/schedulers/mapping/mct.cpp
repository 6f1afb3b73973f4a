// Minimum completion time: tasks in input order, each to the machine that completes it first.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837.
// Cost: O(T M) for T tasks, M machines. Ties: lowest machine index.
#include <cstdint>
#include <numeric>
#include <vector>

#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {
namespace {

class Mct final : public MapperOf<Mct> {
 public:
  void map(const MappingProblem& problem, Mapping& out) override {
    std::vector<std::uint32_t> order(problem.tasks);
    std::iota(order.begin(), order.end(), 0u);
    map_in_order(problem, order, out);
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    compare_completions(before_step(problem, answer, task, out), task, out);
    out.rule = "tasks in input order, each to the machine that completes it first";
  }
};

}  // namespace

Entry mct() {
  return {.name = "mct",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "each task in turn to the machine that completes it first",
          .source = "Braun et al. 2001",
          .complexity = "O(T M)",
          .ties = "lowest machine index",
          .chooses_ready = true,
          .in_turn = true,
          .make_mapper = [](const Arguments&) { return std::make_unique<Mct>(); }};
}

}  // namespace perigee::mapping
