// Sufferage: maps the task that would lose most by getting its second-best machine instead of its best.
//
// Source: Maheswaran et al., JPDC 59(2), 1999, pp. 107-131. Their algorithm is form = "passes"; form =
// "greedy" chooses one task at a time among all, as later comparisons do. With one feasible machine the
// sufferage is +inf. Cost: O(T^2 M), O(T^2 + T M) when the load spreads evenly, for T tasks, M machines.
// Ties: lowest task position, then lowest machine index.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/cost/chart_mapping.h"
#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/cost/greedy_largest.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {
namespace {

double sufferage_of(const GreedyView& view, std::size_t task) { return view.second(task) - view.best(task); }

class Sufferage final : public MapperOf<Sufferage>, public MapsStarts {
 public:
  void map(const MappingProblem& problem, Mapping& out) override {
    greedy_largest(problem, LargestKey::sufferage, out);
  }
  void map_starts(const MappingProblem& problem, Mapping& out) override {
    greedy_largest(problem, LargestKey::sufferage, out, Extent::starts);
  }
  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    explain_greedy(problem, answer, task, sufferage_of, true, "sufferage, s", out);
  }
};

// During a pass, ready times stay the same. Each task in turn claims its best machine, also from a task that
// suffers less. Tasks that hold a machine at the end of the pass are mapped, by machine; the others try
// again.
class SufferagePasses final : public MapperOf<SufferagePasses> {
 public:
  void map(const MappingProblem& problem, Mapping& out) override {
    passes(problem, out, [](const GreedyView&) {});
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    compare_completions(before_step(problem, answer, task, out), task, out);
    out.rule = "in each pass a task claims its best machine, and takes it from one that suffers less";
    if (out.number == 0) return;
    Mapping again;
    passes(problem, again, [&](const GreedyView& view) {
      if (again.order.size() >= out.number) return;  // this pass comes after the task's
      compare_completions(view.times(), task, out);
      out.tasks = {.score = "sufferage, s", .better = Prefer::largest, .ties = kLowestTask};
      for (std::size_t other = 0; other < problem.tasks; ++other)
        if (view.unmapped(other) && view.best_machine(other) == out.machine)
          out.tasks.candidates.push_back(
              {.index = static_cast<std::uint32_t>(other), .score = sufferage_of(view, other)});
    });
  }

 private:
  // Calls begins(view) at the beginning of each pass.
  template <class F>
  static void passes(const MappingProblem& problem, Mapping& out, F&& begins) {
    start_mapping(problem, out);
    GreedyView view(problem, GreedyView::Keep::best_and_second);
    std::vector<std::uint32_t> waiting(problem.tasks);
    std::iota(waiting.begin(), waiting.end(), 0u);
    std::vector<std::uint32_t> holder(problem.machines, kUnmapped);
    for (;;) {
      std::erase_if(waiting, [&](std::uint32_t task) { return !view.unmapped(task); });
      if (waiting.empty()) return;
      begins(view);
      for (const std::uint32_t task : waiting) {
        std::uint32_t& held = holder[view.best_machine(task)];
        if (held == kUnmapped || sufferage_of(view, held) < sufferage_of(view, task)) held = task;
      }
      for (std::size_t m = 0; m < problem.machines; ++m) {
        const std::uint32_t task = std::exchange(holder[m], kUnmapped);
        if (task == kUnmapped) continue;
        const auto machine = static_cast<std::uint32_t>(m);
        record(out, task, machine, view.times().end(task, machine));
        view.assign(task, machine);
      }
      view.refresh();
    }
  }
};

}  // namespace

Entry sufferage() {
  return {.name = "sufferage",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "the task that loses most by its second-best machine first",
          .source = "Maheswaran et al. 1999",
          .complexity = "O(T^2 M), with even load O(T^2 + T M)",
          .ties = "lowest task position, then lowest machine index",
          .parameters = {{.name = "form",
                          .type = ParameterType::choice,
                          .summary = "one task at a time, or Maheswaran's passes",
                          .fallback = "greedy",
                          .choices = {"greedy", "passes"}}},
          .chooses_ready = true,
          .make_mapper = [](const Arguments& given) -> std::unique_ptr<Mapper> {
            if (given.choice("form") == "passes") return std::make_unique<SufferagePasses>();
            return std::make_unique<Sufferage>();
          },
          .make_chart_rule = [](const Arguments&) { return sufferage_rule(); }};
}

}  // namespace perigee::mapping
