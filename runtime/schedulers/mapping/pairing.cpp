// Pairing: tasks in a fixed order, each to the machine that completes it first, among the machines that have
// had no task since all of them had one.
//
// Source: the text under the IRMaSim thesis's table of policies, read as a mapping. A machine leaves the
// list with its task. If the list is empty, or has no machine for the task, it becomes the list of all
// machines again.
// Cost: O(T M). Ties: the machine on which the task takes less time, then the lowest index.
#include <limits>
#include <numeric>
#include <vector>

#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {
namespace {

enum class JobOrder : std::uint8_t { first, shortest, longest };

class Pairing final : public MapperOf<Pairing> {
 public:
  explicit Pairing(JobOrder order) : order_(order) {}

  void map(const MappingProblem& problem, Mapping& out) override {
    start_mapping(problem, out);
    if (problem.tasks == 0 || problem.machines == 0) return;
    std::vector<std::uint32_t> order(problem.tasks);
    std::iota(order.begin(), order.end(), 0u);
    if (order_ != JobOrder::first) order = by_length(problem, order_ == JobOrder::longest);
    MachineTimes times(problem);
    std::vector<std::uint8_t> listed(problem.machines, 1);
    std::size_t left = problem.machines;
    for (const std::uint32_t task : order) {
      std::uint32_t machine = best(times, listed, task);
      if (machine == kUnmapped && left < problem.machines) {
        const std::vector<std::uint8_t> all(problem.machines, 1);
        machine = best(times, all, task);
        if (machine != kUnmapped) {
          listed = all;
          left = problem.machines;
        }
      }
      if (machine == kUnmapped) continue;
      assign(times, out, task, machine);
      listed[machine] = 0;
      --left;
    }
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    if (order_ == JobOrder::first)
      compare_completions(before_step(problem, answer, task, out), task, out);
    else
      explain_by_length(problem, answer, task, order_ == JobOrder::longest, out);
    out.rule =
        "each task to the machine that completes it first, of those that have had none since all had one";
    out.machines.ties = "less time for the task, then the lowest index";
    if (out.number == 0) return;
    std::vector<std::uint8_t> listed(problem.machines, 1);
    for (std::size_t i = 0; i < out.number; ++i) {
      const std::uint32_t machine = answer.machine[answer.order[i]];
      if (!listed[machine]) listed.assign(problem.machines, 1);
      if (i + 1 < out.number) listed[machine] = 0;
    }
    for (Comparison::Candidate& machine : out.machines.candidates) {
      if (!machine.open || listed[machine.index]) continue;
      machine.open = false;
      machine.note = "has a task already";
    }
  }

 private:
  static std::uint32_t best(const MachineTimes& times, const std::vector<std::uint8_t>& listed,
                            std::size_t task) {
    std::uint32_t machine = kUnmapped;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < listed.size(); ++m) {
      if (listed[m] == 0) continue;
      const double value = times.completion(task, m);
      const bool faster = machine != kUnmapped && value == least &&
                          times.problem().time(task, m) < times.problem().time(task, machine);
      if (!(value < least) && !faster) continue;
      least = value;
      machine = static_cast<std::uint32_t>(m);
    }
    return machine;
  }

  JobOrder order_;
};

}  // namespace

Entry pairing() {
  return {.name = "pairing",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary =
              "each task to the best of the machines that have no task yet; all are free when all have one",
          .source = "IRMaSim thesis, section 2.2.3",
          .complexity = "O(T M)",
          .ties = "the machine with less time for the task, then the lowest index",
          .parameters = {{.name = "job",
                          .type = ParameterType::choice,
                          .summary = "the order of the tasks: of input, or by declared time",
                          .fallback = "first",
                          .choices = {"first", "shortest", "longest"}}},
          .make_mapper = [](const Arguments& given) -> std::unique_ptr<Mapper> {
            const std::string& job = given.choice("job");
            return std::make_unique<Pairing>(job == "first"      ? JobOrder::first
                                             : job == "shortest" ? JobOrder::shortest
                                                                 : JobOrder::longest);
          }};
}

}  // namespace perigee::mapping
