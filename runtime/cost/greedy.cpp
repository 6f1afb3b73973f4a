#include "runtime/cost/greedy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "runtime/cost/keys.h"
#include "runtime/cost/scan.h"
#include "runtime/cost/starts.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/work.h"

namespace perigee::cost {
GreedyView::GreedyView(const MappingProblem& problem, Keep keep)
    : times_(problem),
      keep_second_(keep == Keep::best_and_second),
      rows_(problem.tasks),
      unmapped_(problem.tasks, 1),
      watchers_(problem.machines),
      is_used_(problem.machines, 0),
      seen_(problem.tasks, 0) {
  for (std::size_t task = 0; task < problem.tasks; ++task) {
    scan(task);
    if (!unmapped(task)) continue;
    watchers_[rows_[task].at].push_back(static_cast<std::uint32_t>(task));
    if (keep_second_ && rows_[task].next != rows_[task].at)
      watchers_[rows_[task].next].push_back(static_cast<std::uint32_t>(task));
  }
}

void GreedyView::scan(std::size_t task) {
  ThreeSmallest found;
  if (keep_second_)
    found = times_.three_best(task);
  else
    static_cast<TwoSmallest&>(found) = times_.two_best(task), found.third = found.second;
  if (found.best < kInfinity)
    rows_[task] = {found.best, found.second, found.third, time(task, found.at), found.at, found.next};
  else
    unmapped_[task] = 0;
}

// Brings a row up to date after its best or second machine was used, if the other machines need not be looked
// at. Completions only grow. False if they must be.
bool GreedyView::keep_up(std::size_t task) {
  Row& row = rows_[task];
  const bool best_used = is_used_[row.at] != 0;
  if (keep_second_ && is_used_[row.next] != 0) {
    const double end = completion(task, row.next);
    if (best_used || !(end < row.third)) return false;
    row.second = end;
    return true;
  }
  if (!best_used) return true;
  const double end = completion(task, row.at);
  if (end < row.second) {
    row.best = end;
    return true;
  }
  if (!keep_second_ || !(end < row.third)) return false;
  if (end > row.second || row.next < row.at) {  // they change places
    row.best = row.second;
    row.second = end;
    std::swap(row.at, row.next);
    row.time = time(task, row.at);
  } else {
    row.best = end;
  }
  return true;
}

void GreedyView::assign(std::size_t task, std::uint32_t machine) {
  times_.assign(task, machine);
  unmapped_[task] = 0;
  used_.push_back(machine);
  is_used_[machine] = 1;
}

std::span<const std::uint32_t> GreedyView::refresh() {
  ++refreshes_;
  touched_.clear();
  for (const std::uint32_t machine : used_) {
    for (const std::uint32_t task : watchers_[machine]) {
      if (!unmapped(task) || seen_[task] == refreshes_ || !watches(rows_[task], machine)) continue;
      seen_[task] = refreshes_;
      touched_.push_back(task);
    }
    watchers_[machine].clear();
  }
  for (const std::uint32_t task : touched_) {
    const Row& row = rows_[task];
    const Row before = row;
    if (!keep_up(task)) scan(task);
    if (!unmapped(task)) continue;
    const auto watch = [&](std::uint32_t machine) {
      if (is_used_[machine] || !watches(before, machine)) watchers_[machine].push_back(task);
    };
    watch(row.at);
    if (keep_second_ && row.next != row.at) watch(row.next);
  }
  for (const std::uint32_t machine : used_) is_used_[machine] = 0;
  used_.clear();
  return touched_;
}

Starts::Starts(const MappingProblem& problem, Extent extent) : extent_(extent), now_(problem.now) {
  if (extent == Extent::all) return;
  for (std::size_t m = 0; m < problem.machines; ++m)
    for (std::size_t t = 0; t < problem.tasks; ++t)
      if (problem.width_of(t) <= problem.cores(m) && problem.time(t, m) < kInfinity) {
        machines_.push_back(static_cast<std::uint32_t>(m));
        break;
      }
}

void start_mapping(const MappingProblem& problem, Mapping& out) {
  did_work(problem.tasks * (1 + problem.machines / 4));  // the least that a mapper looks at
  out.machine.assign(problem.tasks, kUnmapped);
  out.completion.assign(problem.tasks, std::numeric_limits<double>::quiet_NaN());
  out.order.clear();
  out.order.reserve(problem.tasks);
  out.makespan = 0;
  out.search = {};
  for (const double ready : problem.ready) out.makespan = std::max(out.makespan, ready);
}

void map_in_order(const MappingProblem& problem, std::span<const std::uint32_t> order, Mapping& out) {
  start_mapping(problem, out);
  MachineTimes times(problem);
  for (const std::uint32_t task : order) {
    const Smallest first = times.best(task);
    if (first.value < kInfinity) assign(times, out, task, first.at);
  }
}

std::vector<std::uint32_t> by_length(const MappingProblem& problem, bool longest_first) {
  std::vector<double> length(problem.tasks, 0.0);
  for (std::size_t i = 0; i < problem.etc.size(); ++i) {
    double& longest = length[i / problem.machines];
    if (problem.etc[i] < kInfinity) longest = std::max(longest, problem.etc[i]);
  }
  std::vector<std::uint32_t> order(problem.tasks);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return longest_first ? length[a] > length[b] : length[a] < length[b];
  });
  return order;
}

namespace {

std::uint32_t checked_place(const GreedyView& view, std::size_t task, const GreedyPlace& place) {
  const std::size_t machine = place(view, task);
  if (machine >= view.machines())
    fail("bad_place", "task {} is placed on machine {}; there are {}", task + 1, machine + 1,
         view.machines());
  if (!(view.completion(task, machine) < kInfinity))
    fail("bad_place", "task {} is placed on machine {}, where it cannot run", task + 1, machine + 1);
  return static_cast<std::uint32_t>(machine);
}

}  // namespace

void greedy_by_key(const MappingProblem& problem, const GreedyKey& key, bool largest, bool pure, Mapping& out,
                   const GreedyPlace& place) {
  greedy_by_key(problem, key, largest, pure, out, place, Extent::all);
}

void greedy_by_key(const MappingProblem& problem, const GreedyKey& key, bool largest, bool pure, Mapping& out,
                   const GreedyPlace& place, Extent extent) {
  start_mapping(problem, out);
  const Starts starts(problem, extent);
  GreedyView view(problem, GreedyView::Keep::best_and_second);
  Keys keys(problem.tasks);
  std::vector<std::size_t> asked(pure ? problem.tasks : 0, 0);  // after so many choices
  const auto key_of = [&](std::size_t task) {
    const double value = key(view, task);
    if (std::isnan(value)) fail("bad_key", "the key of task {} is not a number (nan)", task + 1);
    return largest ? -value : value;
  };
  const auto ask = [&](std::size_t task) {
    keys.set(task, key_of(task));
    if (pure) asked[task] = out.order.size();
  };
  const auto check_pure = [&](std::size_t task) {
    if (asked[task] == out.order.size()) return;
    const double before = keys.key(task), now = key_of(task);
    if (now != before)
      fail("not_pure",
           "the key of task {} was {} and is {} now, although neither its best nor its second completion has "
           "changed: it is not pure",
           task + 1, largest ? -before : before, largest ? -now : now);
  };
  for (std::size_t task = 0; task < problem.tasks; ++task) {
    if (!view.unmapped(task))
      keys.remove(task);
    else if (pure)
      ask(task);
  }
  while (!keys.empty()) {
    if (!pure)
      for (std::size_t task = 0; task < problem.tasks; ++task)
        if (view.unmapped(task)) ask(task);
    const std::size_t task = keys.lowest();
    if (pure) check_pure(task);
    const std::uint32_t machine = place ? checked_place(view, task, place) : view.best_machine(task);
    record(out, task, machine, view.times().end(task, machine));
    keys.remove(task);
    view.assign(task, machine);
    if (out.order.size() >= problem.choices) return;
    if (starts.is_over([&](std::size_t m) { return view.times().free(m).front(); })) return;
    for (const std::uint32_t other : view.refresh()) {
      if (!view.unmapped(other))
        keys.remove(other);  // its completion overflowed
      else if (pure)
        ask(other);
    }
  }
}

}  // namespace perigee::cost
