// Opportunistic load balancing: tasks in input order, each to the machine that is ready first; times are
// ignored.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837.
// Cost: O(T M) for T tasks, M machines. Ties: lowest machine index.
#include <limits>
#include <vector>

#include "runtime/cost/greedy.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee {
namespace {

class Olb final : public MapperOf<Olb> {
 public:
  void map(const MatrixProblem& problem, Mapping& out) override {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    start_mapping(problem, out);
    std::vector<double> ready(problem.machines, 0.0);
    if (!problem.ready.empty()) ready.assign(problem.ready.begin(), problem.ready.end());
    for (std::size_t task = 0; task < problem.tasks; ++task) {
      std::uint32_t machine = kUnmapped;
      double least = kInfinity;
      for (std::size_t m = 0; m < problem.machines; ++m) {
        const double value = ready[m];
        if (value < least && ready[m] + problem.time(task, m) < kInfinity) {
          least = value;
          machine = static_cast<std::uint32_t>(m);
        }
      }
      if (machine == kUnmapped) continue;
      ready[machine] = ready[machine] + problem.time(task, machine);
      record(out, task, machine, ready[machine]);
    }
  }
};

}  // namespace

Entry mapping::olb() {
  return {.name = "olb",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "each task in turn to the feasible machine that is ready first",
          .source = "Braun et al. 2001",
          .complexity = "O(T M)",
          .ties = "lowest machine index",
          .make_mapper = [](const Arguments&) { return std::make_unique<Olb>(); }};
}

}  // namespace perigee
