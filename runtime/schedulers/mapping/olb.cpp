// Opportunistic load balancing: tasks in input order, each to the machine that is ready first; times are
// ignored.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837.
// Cost: O(T M) for T tasks, M machines. Ties: lowest machine index.

#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {
namespace {

class Olb final : public MapperOf<Olb> {
 public:
  void map(const MappingProblem& problem, Mapping& out) override {
    start_mapping(problem, out);
    MachineTimes times(problem);
    for (std::size_t task = 0; task < problem.tasks; ++task) {
      const std::uint32_t machine = times.least_machine(task, [&](std::size_t m) {
        return problem.whole_machine ? times.ready(m) : times.free(m)[problem.width_of(task) - 1];
      });
      if (machine != kUnmapped) assign(times, out, task, machine);
    }
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    const MachineTimes times = before_step(problem, answer, task, out);
    out.rule = "tasks in input order, each to the machine that is ready first";
    compare_machines(
        times, task, "ready, s", Prefer::smallest,
        [&](std::size_t m) { return problem.whole_machine ? times.ready(m) : times.start(task, m); }, out);
  }
};

}  // namespace

Entry olb() {
  return {.name = "olb",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "each task in turn to the feasible machine that is ready first",
          .source = "Braun et al. 2001",
          .complexity = "O(T M)",
          .ties = "lowest machine index",
          .chooses_ready = true,
          .in_turn = true,
          .make_mapper = [](const Arguments&) { return std::make_unique<Olb>(); }};
}

}  // namespace perigee::mapping
