// Minimum execution time: tasks in input order, each to the machine that runs it fastest; loads are ignored.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837.
// Cost: O(T M) for T tasks, M machines. Ties: lowest machine index.

#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {
namespace {

class Met final : public MapperOf<Met> {
 public:
  void map(const MappingProblem& problem, Mapping& out) override {
    start_mapping(problem, out);
    MachineTimes times(problem);
    for (std::size_t task = 0; task < problem.tasks; ++task) {
      const std::uint32_t machine =
          times.least_machine(task, [&](std::size_t m) { return problem.time(task, m); });
      if (machine != kUnmapped) assign(times, out, task, machine);
    }
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    const MachineTimes times = before_step(problem, answer, task, out);
    out.rule = "tasks in input order, each to the machine that runs it fastest";
    compare_machines(
        times, task, "time, s", Prefer::smallest, [&](std::size_t m) { return problem.time(task, m); }, out);
  }
};

}  // namespace

Entry met() {
  return {.name = "met",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "each task in turn to the machine with its smallest expected time",
          .source = "Braun et al. 2001",
          .complexity = "O(T M)",
          .ties = "lowest machine index",
          .chooses_ready = true,
          .in_turn = true,
          .make_mapper = [](const Arguments&) { return std::make_unique<Met>(); }};
}

}  // namespace perigee::mapping
