// Minimum completion time: tasks in input order, each to the machine that completes it first.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837.
// Cost: O(T M) for T tasks, M machines. Ties: lowest machine index.
#include <limits>
#include <vector>

#include "runtime/cost/greedy.h"
#include "runtime/cost/scan.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee {
namespace {

class Mct final : public MapperOf<Mct> {
 public:
  void map(const MatrixProblem& problem, Mapping& out) override {
    start_mapping(problem, out);
    std::vector<double> ready(problem.machines, 0.0);
    if (!problem.ready.empty()) ready.assign(problem.ready.begin(), problem.ready.end());
    for (std::size_t task = 0; task < problem.tasks; ++task) {
      const Smallest first = smallest_sum(problem.etc.data() + task * problem.machines, ready);
      if (!(first.value < std::numeric_limits<double>::infinity())) continue;
      ready[first.at] = first.value;
      record(out, task, first.at, first.value);
    }
  }
};

}  // namespace

Entry mapping::mct() {
  return {.name = "mct",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "each task in turn to the machine that completes it first",
          .source = "Braun et al. 2001",
          .complexity = "O(T M)",
          .ties = "lowest machine index",
          .make_mapper = [](const Arguments&) { return std::make_unique<Mct>(); }};
}

}  // namespace perigee
