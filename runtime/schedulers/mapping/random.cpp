// Random: tasks in input order, each to a machine drawn uniformly from those that can run it.
//
// The IRMaSim thesis has it as the baseline of other policies.
// Cost: O(T M) for T tasks, M machines. Ties: there are none.
#include <limits>
#include <vector>

#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {
namespace {

class Random final : public MapperOf<Random> {
 public:
  void reseed(const Stream& stream) override { stream_ = stream; }

  void map(const MappingProblem& problem, Mapping& out) override {
    start_mapping(problem, out);
    MachineTimes times(problem);
    std::vector<std::uint32_t> feasible;
    for (std::size_t task = 0; task < problem.tasks; ++task) {
      feasible.clear();
      for (std::size_t m = 0; m < problem.machines; ++m)
        if (times.completion(task, m) < std::numeric_limits<double>::infinity())
          feasible.push_back(static_cast<std::uint32_t>(m));
      if (!feasible.empty()) assign(times, out, task, feasible[stream_.below(feasible.size())]);
    }
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    compare_machines(
        before_step(problem, answer, task, out), task, "", Prefer::neither,
        [](std::size_t) { return std::numeric_limits<double>::quiet_NaN(); }, out, "");
    out.rule = "tasks in input order, each to a machine drawn from those that can run it";
  }

 private:
  Stream stream_{0, "random"};
};

}  // namespace

Entry random() {
  return {.name = "random",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "each task in turn to a machine drawn from those that can run it",
          .source = "IRMaSim thesis, Table 1",
          .complexity = "O(T M)",
          .ties = "none: it draws",
          .make_mapper = [](const Arguments&) { return std::make_unique<Random>(); }};
}

}  // namespace perigee::mapping
