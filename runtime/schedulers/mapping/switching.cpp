// Switching: tasks in input order, by mct until the loads of the machines are even, then by met until they
// are uneven again.
//
// Source: Maheswaran et al., JPDC 59(2), 1999, pp. 107-131. The load balance is the earliest ready time over
// the latest, 0 before there is any load. It is looked at before each task.
//
// Cost: O(T M) for T tasks, M machines. Ties: lowest machine index.
#include <fmt/format.h>

#include "runtime/cost/etc.h"
#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {
namespace {

class Switching final : public MapperOf<Switching> {
 public:
  Switching(double low, double high) : low_(low), high_(high) {}

  void map(const MappingProblem& problem, Mapping& out) override {
    start_mapping(problem, out);
    MachineTimes times(problem);
    bool by_completion = true;
    for (std::size_t task = 0; task < problem.tasks; ++task) {
      by_completion = stays_by_completion(times, by_completion);
      const std::uint32_t machine = times.least_machine(task, [&](std::size_t m) {
        return by_completion ? times.completion(task, m) : problem.time(task, m);
      });
      if (machine != kUnmapped) assign(times, out, task, machine);
    }
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    const MachineTimes then = before_step(problem, answer, task, out);
    MachineTimes times(problem);
    bool by_completion = stays_by_completion(times, true);
    for (std::size_t other = 0; other < task; ++other) {  // including tasks that can run nowhere
      if (answer.machine[other] != kUnmapped) times.assign(other, answer.machine[other]);
      by_completion = stays_by_completion(times, by_completion);
    }
    compare_machines(
        then, task, by_completion ? "completion, s" : "time, s", Prefer::smallest,
        [&](std::size_t m) { return by_completion ? then.completion(task, m) : problem.time(task, m); }, out);
    out.rule = fmt::format("tasks in input order, each by mct until loads are even, then by met: by {} here",
                           by_completion ? "mct" : "met");
  }

 private:
  bool stays_by_completion(const MachineTimes& times, bool by_completion) const {
    const double balance = load_balance(times);
    return by_completion ? balance < high_ : balance <= low_;
  }

  double low_, high_;
};

}  // namespace

Entry switching() {
  return {.name = "switching",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "each task in turn by mct until loads are even, then by met until they are not",
          .source = "Maheswaran et al. 1999",
          .complexity = "O(T M)",
          .ties = "lowest machine index",
          .parameters = {{.name = "low",
                          .type = ParameterType::number,
                          .summary = "back to mct when earliest / latest ready time is at most this",
                          .fallback = 0.6,
                          .min = 0,
                          .max = 1},
                         {.name = "high",
                          .type = ParameterType::number,
                          .summary = "to met when earliest / latest ready time is at least this, >= low",
                          .fallback = 0.9,
                          .min = 0,
                          .max = 1}},
          .chooses_ready = true,
          .in_turn = true,
          .check =
              [](const Arguments& given) {
                if (given.number("low") > given.number("high"))
                  fail("bad_parameter", "switching: low must be at most high, got {} and {}",
                       format_number(given.number("low")), format_number(given.number("high")));
              },
          .make_mapper =
              [](const Arguments& given) {
                return std::make_unique<Switching>(given.number("low"), given.number("high"));
              }};
}

}  // namespace perigee::mapping
