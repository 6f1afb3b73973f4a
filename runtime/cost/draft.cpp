#include "runtime/cost/draft.h"

#include <algorithm>
#include <cmath>

#include "runtime/cost/greedy.h"
#include "runtime/kernel/error.h"

namespace perigee::cost {

Draft::Draft(const MappingProblem& problem) : times_(problem), state_(problem.tasks, State::waits) {
  start_mapping(problem, mapping_);
  std::uint32_t clusters = 0;
  for (std::size_t m = 0; m < problem.machines; ++m) clusters = std::max(clusters, problem.cluster_of(m) + 1);
  first_member_.assign(clusters + 1, 0);
  for (std::size_t m = 0; m < problem.machines; ++m) ++first_member_[problem.cluster_of(m) + 1];
  for (std::uint32_t c = 0; c < clusters; ++c) first_member_[c + 1] += first_member_[c];
  members_.resize(problem.machines);
  std::vector<std::uint32_t> next = first_member_;
  for (std::size_t m = 0; m < problem.machines; ++m)
    members_[next[problem.cluster_of(m)]++] = static_cast<std::uint32_t>(m);
}

Smallest Draft::best_of_cluster(std::size_t task, std::size_t cluster) const {
  Smallest found{std::numeric_limits<double>::infinity(), 0};
  for (std::uint32_t i = first_member_[cluster]; i < first_member_[cluster + 1]; ++i) {
    const double end = times_.completion(task, members_[i]);
    if (end < found.value) found = {end, members_[i]};
  }
  return found;
}

void Draft::assign(std::size_t task, std::uint32_t machine) {
  steps_.push_back({static_cast<std::uint32_t>(task), machine, mapping_.makespan});
  const std::span<const double> free = times_.free(machine);
  free_before_.insert(free_before_.end(), free.begin(), free.end());
  cost::assign(times_, mapping_, task, machine);
  state_[task] = State::assigned;
}

void Draft::leave_out(std::size_t task) {
  steps_.push_back({static_cast<std::uint32_t>(task), kUnmapped, mapping_.makespan});
  state_[task] = State::left_out;
}

bool Draft::undo() {
  if (steps_.empty()) return false;
  const Step step = steps_.back();
  steps_.pop_back();
  state_[step.task] = State::waits;
  if (step.machine == kUnmapped) return true;
  const std::size_t cores = times_.free(step.machine).size();
  times_.set_free(step.machine, std::span(free_before_).last(cores));
  free_before_.resize(free_before_.size() - cores);
  mapping_.machine[step.task] = kUnmapped;
  mapping_.completion[step.task] = std::numeric_limits<double>::quiet_NaN();
  mapping_.order.pop_back();
  mapping_.makespan = step.makespan;
  return true;
}

Rest::Rest(const Draft& draft, std::optional<std::span<const std::uint32_t>> only)
    : draft_(&draft), is_all_(draft.untouched() && !only) {
  if (is_all_) return;
  const MappingProblem& whole = draft.problem();
  has_.assign(whole.tasks, only ? 0 : 1);
  if (only)
    for (const std::uint32_t task : *only) has_[task] = 1;
  etc_.assign(whole.etc.begin(), whole.etc.end());
  for (std::size_t task = 0; task < whole.tasks; ++task) {
    if (!draft.waits(task)) has_[task] = 0;
    if (has_[task] == 0)
      std::fill_n(etc_.begin() + static_cast<std::ptrdiff_t>(task * whole.machines), whole.machines,
                  std::numeric_limits<double>::infinity());
  }
}

MappingProblem Rest::problem() const {
  MappingProblem problem = draft_->problem();
  problem.ready = draft_->times().free();
  if (!is_all_) problem.etc = etc_;
  return problem;
}

Mapping Rest::join(Mapping rest) const {
  if (is_all_) return rest;
  Mapping whole = draft_->mapping();
  for (const std::uint32_t task : rest.order) record(whole, task, rest.machine[task], rest.completion[task]);
  whole.makespan = std::max(whole.makespan, rest.makespan);
  whole.search = std::move(rest.search);
  return whole;
}

void map_as(const MappingProblem& problem, std::span<const std::uint32_t> machine,
            std::span<const std::uint32_t> order, Mapping& out) {
  start_mapping(problem, out);
  if (machine.size() != problem.tasks)
    fail("bad_mapping", "{} machines for {} tasks", machine.size(), problem.tasks);
  MachineTimes times(problem);
  for (const std::uint32_t task : order) {
    if (task >= problem.tasks)
      fail("bad_mapping", "task {} is in the order, but there are {}", task + std::size_t{1}, problem.tasks);
    const std::uint32_t on = machine[task];
    if (on == kUnmapped) fail("bad_mapping", "task {} is in the order, but has no machine", task + 1);
    if (out.machine[task] != kUnmapped) fail("bad_mapping", "task {} is in the order twice", task + 1);
    if (on >= problem.machines)
      fail("bad_mapping", "task {} is on machine {}, but there are {}", task + 1, on + std::size_t{1},
           problem.machines);
    if (!(times.completion(task, on) < std::numeric_limits<double>::infinity()))
      fail("bad_mapping", "task {} is on machine {}, where it cannot run", task + 1, on + 1);
    assign(times, out, task, on);
  }
  if (out.order.size() == problem.tasks) return;
  for (std::size_t task = 0; task < problem.tasks; ++task)
    if (machine[task] != kUnmapped && out.machine[task] == kUnmapped)
      fail("bad_mapping", "task {} has a machine, but is not in the order", task + 1);
}

}  // namespace perigee::cost
