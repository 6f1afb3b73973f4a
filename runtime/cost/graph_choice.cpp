#include "runtime/cost/graph_choice.h"

#include <numeric>

namespace perigee::cost {

std::vector<std::uint32_t> ranks_of(std::span<const double> values) {
  std::vector<std::uint32_t> order(values.size()), rank(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [values](std::uint32_t i) { return values[i]; });
  double least = 0;
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || !alike(values[order[i]], least)) {
      least = values[order[i]];
      if (i > 0) ++found;
    }
    rank[order[i]] = found;
  }
  return rank;
}

PriorityTasks::PriorityTasks(std::span<const double> priority)
    : task_(priority.size()),
      place_(priority.size()),
      group_end_(priority.size()),
      priority_(priority.size()) {
  std::iota(task_.begin(), task_.end(), 0u);
  std::ranges::sort(task_, [priority](std::uint32_t a, std::uint32_t b) {
    return priority[a] != priority[b] ? priority[a] > priority[b] : a < b;
  });
  const auto count = static_cast<std::uint32_t>(task_.size());
  for (std::uint32_t place = count; place-- > 0;) {
    place_[task_[place]] = place;
    priority_[place] = priority[task_[place]];
    group_end_[place] =
        place + 1 < count && priority_[place] == priority_[place + 1] ? group_end_[place + 1] : place + 1;
  }
  places_.reset(count);
}

std::uint32_t PriorityTasks::first() const {
  const std::size_t top = places_.next(0);
  std::uint32_t task = task_[top];
  // Equal priorities stand by number, so that only the first of each group is of interest.
  for (std::size_t place = places_.next(group_end_[top]);
       place < task_.size() && alike(priority_[top], priority_[place]);
       place = places_.next(group_end_[place]))
    task = std::min(task, task_[place]);
  return task;
}

}  // namespace perigee::cost
