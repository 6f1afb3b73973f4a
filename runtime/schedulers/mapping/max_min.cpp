// Max-min: maps the waiting task with the largest best completion time first.
//
// Source: Ibarra and Kim, JACM 24(2), 1977; Braun et al., JPDC 61(6), 2001, pp. 810-837; form = "sorted" is
// Algorithm 2 of the IRMaSim thesis. adds = "completion" is the program of Breitinger, Optimal Size of Job
// Pool for Initiating a Scheduling Event, 1999, Appendix B.7. It adds the completion time of a mapped task,
// instead of its run time, to the load of the machine.
// Cost: O(T^2 M), O(T^2 + T M) when the load spreads evenly, for T tasks, M machines.
// Ties: lowest task position, then lowest machine index.
#include <algorithm>
#include <limits>
#include <vector>

#include "runtime/cost/chart_mapping.h"
#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/cost/greedy_largest.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/sorted_form.h"

namespace perigee::mapping {
namespace {

class MaxMin final : public MapperOf<MaxMin>, public MapsStarts {
 public:
  void map(const MappingProblem& problem, Mapping& out) override {
    greedy_largest(problem, LargestKey::best, out);
  }
  void map_starts(const MappingProblem& problem, Mapping& out) override {
    greedy_largest(problem, LargestKey::best, out, Extent::starts);
  }
  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    explain_greedy(
        problem, answer, task, [](const GreedyView& view, std::size_t other) { return view.best(other); },
        true, "best completion, s", out);
  }
};

// If machines have cores, every core of a machine counts as having its load.
class MaxMinAddingCompletion final : public MapperOf<MaxMinAddingCompletion> {
 public:
  void map(const MappingProblem& problem, Mapping& out) override {
    start_mapping(problem, out);
    MachineTimes times(problem);
    load_.resize(problem.machines);
    for (std::size_t m = 0; m < problem.machines; ++m) load_[m] = times.ready(m);
    best_.assign(problem.tasks, {});
    waiting_.clear();
    for (std::size_t t = 0; t < problem.tasks; ++t) {
      best_[t] = best(times, t);
      if (best_[t].at != kUnmapped) waiting_.push_back(static_cast<std::uint32_t>(t));
    }
    while (!waiting_.empty()) {
      const auto chosen =
          std::ranges::max_element(waiting_, {}, [&](std::uint32_t t) { return best_[t].value; });
      const std::uint32_t task = *chosen, machine = best_[task].at;
      waiting_.erase(chosen);
      if (machine == kUnmapped) continue;  // its completions are beyond all numbers by now
      load_[machine] += best_[task].value;
      assign(times, out, task, machine);
      for (const std::uint32_t t : waiting_)
        if (best_[t].at == machine) best_[t] = best(times, t);
    }
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    const MachineTimes times = before_step(problem, answer, task, out);
    const MachineTimes start(problem);
    load_.resize(problem.machines);
    for (std::size_t m = 0; m < problem.machines; ++m) load_[m] = start.ready(m);
    for (std::size_t i = 0; i + 1 < out.number; ++i) {
      double& load = load_[answer.machine[answer.order[i]]];
      load += load + problem.time(answer.order[i], answer.machine[answer.order[i]]);
    }
    out.rule =
        "the waiting task with the largest least sum of load and time goes to the machine of that sum; its "
        "load grows by all of it";
    compare_machines(
        times, task, "load and time, s", Prefer::smallest,
        [&](std::size_t m) { return load_[m] + problem.time(task, m); }, out);
    if (out.number == 0) return;
    out.tasks = {.score = "least load and time, s", .better = Prefer::largest, .ties = kLowestTask};
    std::vector<std::uint32_t> waiting(answer.order.begin() + static_cast<std::ptrdiff_t>(out.number - 1),
                                       answer.order.end());
    std::ranges::sort(waiting);
    for (const std::uint32_t other : waiting)
      out.tasks.candidates.push_back({.index = other, .score = best(times, other).value});
  }

 private:
  // The best of the machines that can run the task; `at` is kUnmapped if there is none. A load may grow to
  // +inf.
  Smallest best(const MachineTimes& times, std::size_t task) const {
    Smallest out{0, kUnmapped};
    for (std::size_t m = 0; m < load_.size(); ++m) {
      if (times.completion(task, m) == std::numeric_limits<double>::infinity()) continue;
      const double end = load_[m] + times.problem().time(task, m);
      if (out.at == kUnmapped || end < out.value) out = {end, static_cast<std::uint32_t>(m)};
    }
    return out;
  }

  std::vector<double> load_;  // as it would be doubled by each task
  std::vector<Smallest> best_;
  std::vector<std::uint32_t> waiting_;
};

}  // namespace

Entry max_min() {
  return {.name = "max_min",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "the task with the latest best completion first",
          .source = "Ibarra and Kim 1977; Braun et al. 2001",
          .complexity = "O(T^2 M), with even load O(T^2 + T M)",
          .ties = "lowest task position, then lowest machine index",
          .parameters = {form_parameter(),
                         {.name = "adds",
                          .type = ParameterType::choice,
                          .summary =
                              "what a machine's load grows by: the run time, or Breitinger's completion time",
                          .fallback = "time",
                          .choices = {"time", "completion"}}},
          .chooses_ready = true,
          .check =
              [](const Arguments& given) {
                if (given.choice("adds") == "completion" && given.choice("form") == "sorted")
                  fail("bad_parameter",
                       "max_min: form = 'sorted' has no load to which adds = 'completion' adds");
              },
          .make_mapper = [](const Arguments& given) -> std::unique_ptr<Mapper> {
            if (given.choice("adds") == "completion") return std::make_unique<MaxMinAddingCompletion>();
            return make_form<MaxMin>(given, true);
          },
          .make_chart_rule = [](const Arguments&) { return max_min_rule(); }};
}

}  // namespace perigee::mapping
