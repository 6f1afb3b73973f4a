// Local search: while it helps, a task of the machine that ends last moves to another machine or changes
// places with a task there.
//
// Source: Ritchie and Levine, "A fast, effective local search for scheduling independent jobs in
// heterogeneous computing environments", 22nd Workshop of the UK Planning and Scheduling SIG, 2003, from
// min-min's mapping. A step helps if both machines then end before the makespan. If several machines end
// last, it takes a task of the first of them. Vectors run in input order.
//
// Cost: O(T^2 / M) swaps a step for T tasks, M machines; a difference of sums rules most of them out.
//
// Ties: the last machine's lowest task; its moves before its swaps; the lowest machine or task.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/improver.h"

namespace perigee::mapping {
namespace {

struct LocalSearchOptions {
  bool moves, swaps, first;
  double steps;
};

class LocalSearch final : public ImproverOf<LocalSearch> {
 public:
  explicit LocalSearch(const LocalSearchOptions& options) : options_(options) {}

 private:
  Assignment search(Assignments& space, const Assignment* start, Search& found) override {
    Assignment now;
    double moves = 0, swaps = 0;
    if (!space.tasks().empty()) {
      if (start != nullptr)
        now = *start;
      else
        space.take_min_min(now);
      Neighbours around(space, now, options_);
      found.curve.push_back(now.makespan);
      while (moves + swaps < options_.steps && now.makespan > space.bound()) {
        const std::optional<Step> step = around.find();
        if (!step) break;
        around.take(*step);
        ++(step->back == kUnmapped ? moves : swaps);
        found.curve.push_back(now.makespan);
      }
    }
    found.counts = {{"moves", moves}, {"swaps", swaps}};
    return now;
  }

  struct Step {
    std::uint32_t task, machine;     // a task of the last machine goes there
    std::uint32_t back = kUnmapped;  // and this one comes back
    double end_last = 0, end_there = 0;
    double value() const { return std::max(end_last, end_there); }
  };

  class Neighbours {
   public:
    Neighbours(Assignments& space, Assignment& now, const LocalSearchOptions& options)
        : space_(space), now_(now), options_(options), on_(space.problem().machines) {
      for (const std::uint32_t task : space.tasks()) on_[now.machine[task]].push_back(task);
    }

    std::optional<Step> find() {
      last_ = static_cast<std::uint32_t>(std::ranges::find(now_.ends, now_.makespan) - now_.ends.begin());
      limit_ = now_.makespan;
      best_.reset();
      for (const std::uint32_t task : on_[last_]) {
        if (options_.moves)
          for (const std::uint32_t machine : space_.choices(task))
            if (machine != last_ && look({task, machine})) return best_;
        if (!options_.swaps) continue;
        for (const std::uint32_t other : space_.tasks())
          if (now_.machine[other] != last_ && can_run(task, now_.machine[other]) && can_run(other, last_) &&
              look({task, now_.machine[other], other}))
            return best_;
      }
      return best_;
    }

    void take(const Step& step) {
      change(step);
      on_[last_] = at_last_;
      on_[step.machine] = there_;
      now_.machine[step.task] = step.machine;
      if (step.back != kUnmapped) now_.machine[step.back] = last_;
      now_.ends[last_] = step.end_last;
      now_.ends[step.machine] = step.end_there;
      now_.makespan = *std::ranges::max_element(now_.ends);
    }

   private:
    // Keeps the step if it is the best so far; true if the search for a step is over.
    bool look(Step step) {
      if (is_hopeless(step)) return false;
      change(step);
      step.end_last = space_.end(last_, at_last_);
      if (!(step.end_last < limit_)) return false;
      step.end_there = space_.end(step.machine, there_);
      if (!(step.end_there < limit_)) return false;
      limit_ = step.value();
      best_ = step;
      return options_.first;
    }
    // The difference of sums has rounding errors; the slack exceeds them by far.
    bool is_hopeless(const Step& step) const {
      const MappingProblem& problem = space_.problem();
      if (problem.has_cores()) return false;
      double last = now_.ends[last_] - problem.time(step.task, last_);
      double there = now_.ends[step.machine] + problem.time(step.task, step.machine);
      if (step.back != kUnmapped) {
        last += problem.time(step.back, last_);
        there -= problem.time(step.back, step.machine);
      }
      return std::max(last, there) > limit_ + 1e-9 * now_.makespan;
    }
    // Sets the tasks of both machines to those after the step.
    void change(const Step& step) {
      const std::array task{step.task}, back{step.back};
      const std::span<const std::uint32_t> returns =
          step.back == kUnmapped ? std::span<const std::uint32_t>() : back;
      changed_list(on_[last_], task, returns, at_last_);
      changed_list(on_[step.machine], returns, task, there_);
    }
    bool can_run(std::uint32_t task, std::uint32_t machine) const {
      return std::ranges::binary_search(space_.choices(task), machine);
    }

    Assignments& space_;
    Assignment& now_;
    const LocalSearchOptions& options_;
    std::vector<std::vector<std::uint32_t>> on_;  // tasks per machine, ascending
    std::uint32_t last_ = 0;                      // the machine that ends last
    double limit_ = 0;                            // the bound below which a step has to stay
    std::optional<Step> best_;
    std::vector<std::uint32_t> at_last_, there_;
  };

  LocalSearchOptions options_;
};

}  // namespace

Entry local_search() {
  return {
      .name = "local_search",
      .family = Family::mapping,
      .role = Role::mapper,
      .summary = "tasks of the machine that ends last move or change places with others while it helps",
      .source = "Ritchie and Levine 2003",
      .complexity = "O(T^2 / M) swaps a step, most of them ruled out at a glance",
      .ties = "lowest task of the last machine, moves before swaps, lowest machine or task",
      .parameters = {{.name = "moves",
                      .type = ParameterType::choice,
                      .summary = "a task goes to another machine, or two change places, or either",
                      .fallback = "both",
                      .choices = {"both", "move", "swap"}},
                     {.name = "take",
                      .type = ParameterType::choice,
                      .summary = "the step after which both machines end earliest, or the first that helps",
                      .fallback = "best",
                      .choices = {"best", "first"}},
                     {.name = "steps",
                      .type = ParameterType::integer,
                      .summary = "after which it ends",
                      .fallback = 10000.0,
                      .min = 0}},
      .improves = true,
      .make_mapper = [](const Arguments& given) {
        const std::string& moves = given.choice("moves");
        return std::make_unique<LocalSearch>(LocalSearchOptions{.moves = moves != "swap",
                                                                .swaps = moves != "move",
                                                                .first = given.choice("take") == "first",
                                                                .steps = given.number("steps")});
      }};
}

}  // namespace perigee::mapping
