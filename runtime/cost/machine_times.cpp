#include "runtime/cost/machine_times.h"

#include "runtime/kernel/constants.h"
#include "runtime/kernel/work.h"

namespace perigee::cost {

namespace {
constexpr std::size_t kMachinesPerStep = 8;  // a scan looks at several at a time
}

MachineTimes::MachineTimes(const MappingProblem& problem)
    : problem_(problem), free_(problem.has_cores() ? problem.first_core.back() : problem.machines, 0.0) {
  did_work(free_.size() / 4);
  if (!problem.ready.empty()) std::ranges::copy(problem.ready, free_.begin());
  if (!problem.has_cores()) return;
  for (std::size_t m = 0; m < problem.machines; ++m)
    std::ranges::sort(std::span(free_).subspan(problem.first_core[m], problem.cores(m)));
}

Smallest MachineTimes::best(std::size_t task) const {
  did_work(1 + problem_.machines / kMachinesPerStep);
  if (is_sum()) return smallest_sum(problem_.etc.data() + task * problem_.machines, free_);
  const TwoSmallest found = two_best(task);
  return {found.best, found.at};
}

TwoSmallest MachineTimes::two_best(std::size_t task) const {
  did_work(1 + problem_.machines / kMachinesPerStep);
  if (is_sum()) return two_smallest_sums(problem_.etc.data() + task * problem_.machines, free_);
  return three_best(task);
}

ThreeSmallest MachineTimes::three_best(std::size_t task) const {
  did_work(1 + problem_.machines / kMachinesPerStep);
  if (is_sum()) return three_smallest_sums(problem_.etc.data() + task * problem_.machines, free_);
  ThreeSmallest found{{kInfinity, kInfinity, 0, 0}, kInfinity};
  for (std::size_t m = 0; m < problem_.machines; ++m)
    found.meet(completion(task, m), static_cast<std::uint32_t>(m));
  return found;
}

void MachineTimes::assign(std::size_t task, std::size_t machine) {
  const double over = end(task, machine);
  if (!problem_.has_cores()) {
    free_[machine] = over;
    return;
  }
  // The first `width` cores of the machine are taken until the end of the task. They move to before the first
  // core that is free later.
  const auto first = free_.begin() + problem_.first_core[machine];
  const auto last = free_.begin() + problem_.first_core[machine + 1];
  const auto rest = first + problem_.width_of(task);
  const auto later = std::lower_bound(rest, last, over);
  did_work(static_cast<std::uint64_t>(later - first) / 16);
  std::fill(std::move(rest, later, first), later, over);
}

}  // namespace perigee::cost
