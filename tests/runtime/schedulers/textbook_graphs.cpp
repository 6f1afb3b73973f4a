#include "tests/runtime/schedulers/textbook_graphs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace textbook {
namespace {

using perigee::test::GraphArc;
using perigee::test::GraphPlan;
using perigee::test::GraphProblem;
using perigee::test::kUnmapped;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<double> able_times(const GraphProblem& p, std::size_t task) {
  std::vector<double> times;
  for (std::size_t m = 0; m < p.machines; ++m)
    if (p.time(task, m) < kInfinite) times.push_back(p.time(task, m));
  return times;
}

// The loop: of the ready tasks that of greatest priority, lowest number; `place` places it.
template <class Place>
GraphPlan by_priority(GraphState& state, const std::vector<double>& priority, Place&& place) {
  for (;;) {
    const std::vector<std::size_t> ready = state.all_ready();
    if (ready.empty()) return state.plan;
    std::vector<double> less;
    for (const std::size_t task : ready) less.push_back(-priority[task]);
    place(ready[*first_of_least(less)]);
  }
}

void place_by_finish(GraphState& state, std::size_t task) {
  state.place(task, *first_of_least(state.by_machine([&](std::size_t m) { return state.finish(task, m); })));
}

template <class Level>
std::vector<double> from_the_end(const GraphProblem& p, Level&& level) {
  std::vector<double> values(p.tasks(), kInfinite);
  const std::vector<std::uint32_t> order = p.arcs.precedence().order();
  for (auto task = order.rbegin(); task != order.rend(); ++task) values[*task] = level(*task, values);
  return values;
}

// Again and again one of the ready tasks; choose(state, ready) gives the task and the machine.
template <class Choose>
GraphPlan by_pairs(const GraphProblem& p, Choose&& choose) {
  GraphState state(p, false);
  for (std::vector<std::size_t> ready = state.all_ready(); !ready.empty(); ready = state.all_ready()) {
    const auto [task, machine] = choose(state, ready);
    state.place(task, machine);
  }
  return state.plan;
}

// Exact comparisons, as mappers make them. largest: of the key.
template <class Key>
GraphPlan by_key(const GraphProblem& p, bool largest, Key&& key) {
  return by_pairs(p, [&](GraphState& state, const std::vector<std::size_t>& ready) {
    std::size_t best_task = 0, best_machine = 0;
    double best_key = 0;
    bool found = false;
    for (const std::size_t task : ready) {
      double least = kInfinite, second = kInfinite;
      std::size_t machine = 0;
      for (std::size_t m = 0; m < p.machines; ++m) {
        const double finish = state.finish(task, m);
        if (finish < least) {
          second = least;
          least = finish;
          machine = m;
        } else {
          second = std::min(second, finish);
        }
      }
      const double value = key(least, second);
      if (found && !(largest ? value > best_key : value < best_key)) continue;
      found = true;
      best_key = value;
      best_task = task;
      best_machine = machine;
    }
    return std::pair(best_task, best_machine);
  });
}

}  // namespace

bool equal_times(double a, double b) {
  if (a == b) return true;
  if (std::isinf(a) || std::isinf(b)) return false;
  return std::abs(a - b) <= 1e-9 * std::max(1.0, std::max(std::abs(a), std::abs(b)));
}

std::optional<std::size_t> first_of_least(const std::vector<double>& values) {
  const double least = *std::min_element(values.begin(), values.end());
  if (least == kInfinite) return std::nullopt;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (equal_times(values[i], least)) return i;
  return std::nullopt;
}

GraphState::GraphState(const GraphProblem& p, bool insertion)
    : problem(p), insertion_(insertion), busy_(p.machines), placeable_(p.placeable()) {
  plan.machine.assign(p.tasks(), kUnmapped);
  plan.start.assign(p.tasks(), std::nan(""));
  plan.finish.assign(p.tasks(), std::nan(""));
  for (const auto& each : p.occupied) busy_[each.machine].push_back({each.from, each.to});
}

double GraphState::arrival(std::size_t task, std::size_t machine) const {
  const std::size_t to = problem.cluster[machine];
  double latest = problem.now;
  if (!problem.release.empty()) latest = std::max(latest, problem.release[task * problem.clusters() + to]);
  for (const GraphArc& arc : problem.arcs.before(task)) {
    if (plan.machine[arc.task] == kUnmapped) continue;
    const std::size_t from = problem.cluster[plan.machine[arc.task]];
    double there = plan.finish[arc.task];
    if (from != to && arc.has_data)
      there = (there + problem.network.latency(from, to)) + arc.largest / problem.network.bandwidth(from, to);
    latest = std::max(latest, there);
  }
  return latest;
}

double GraphState::end(std::size_t machine) const {
  double last = problem.ready_of(machine);
  for (const Busy& each : busy_[machine]) last = std::max(last, each.to);
  return last;
}

double GraphState::start(std::size_t task, std::size_t machine) const {
  const double time = problem.time(task, machine), from = arrival(task, machine);
  if (time == kInfinite) return kInfinite;
  if (insertion_) {
    double gap = problem.ready_of(machine);
    for (const Busy& each : busy_[machine]) {
      const double begin = std::max(gap, from);
      if (gap < each.from && begin + time <= each.from) return begin;
      gap = std::max(gap, each.to);
    }
  }
  return std::max(from, end(machine));
}

double GraphState::finish(std::size_t task, std::size_t machine) const {
  return start(task, machine) + problem.time(task, machine);
}

void GraphState::place(std::size_t task, std::size_t machine) {
  const double from = start(task, machine), to = from + problem.time(task, machine);
  auto& busy = busy_[machine];
  busy.push_back({from, to});
  std::stable_sort(busy.begin(), busy.end(), [](const Busy& a, const Busy& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  plan.machine[task] = static_cast<std::uint32_t>(machine);
  plan.start[task] = from;
  plan.finish[task] = to;
  plan.makespan = std::max(plan.makespan, to);
  plan.order.push_back(static_cast<std::uint32_t>(task));
}

bool GraphState::ready(std::size_t task) const {
  if (plan.machine[task] != kUnmapped || placeable_[task] == 0) return false;
  for (const GraphArc& arc : problem.arcs.before(task))
    if (plan.machine[arc.task] == kUnmapped) return false;
  return true;
}

std::vector<std::size_t> GraphState::all_ready() const {
  std::vector<std::size_t> tasks;
  for (std::size_t t = 0; t < problem.tasks(); ++t)
    if (ready(t)) tasks.push_back(t);
  return tasks;
}

std::vector<double> GraphState::by_machine(const std::function<double(std::size_t)>& value) const {
  std::vector<double> values;
  for (std::size_t m = 0; m < problem.machines; ++m) values.push_back(value(m));
  return values;
}

double mean_time(const GraphProblem& p, std::size_t task) {
  double sum = 0, count = 0;
  for (const double time : able_times(p, task)) {
    sum += time;
    ++count;
  }
  return sum / count;
}

double median_time(const GraphProblem& p, std::size_t task) {
  std::vector<double> times = able_times(p, task);
  std::sort(times.begin(), times.end());
  const std::size_t half = times.size() / 2;
  return times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
}

double mean_transfer(const GraphProblem& p, const GraphArc& arc) {
  if (p.machines < 2 || !arc.has_data) return 0;
  double sum = 0, pairs = 0;
  for (std::size_t a = 0; a < p.machines; ++a)
    for (std::size_t b = 0; b < p.machines; ++b) {
      if (a == b) continue;
      ++pairs;
      if (p.cluster[a] != p.cluster[b])
        sum += p.network.latency(p.cluster[a], p.cluster[b]) +
               arc.bytes / p.network.bandwidth(p.cluster[a], p.cluster[b]);
    }
  return sum / pairs;
}

std::vector<double> upward_rank(const GraphProblem& p, bool communication, bool median) {
  const std::vector<std::uint8_t> placeable = p.placeable();
  return from_the_end(p, [&](std::size_t task, const std::vector<double>& rank) {
    if (placeable[task] == 0) return kInfinite;
    double most = 0;
    for (const GraphArc& arc : p.arcs.behind(task))
      if (placeable[arc.task] != 0)
        most = std::max(most, (communication ? mean_transfer(p, arc) : 0) + rank[arc.task]);
    return (median ? median_time(p, task) : mean_time(p, task)) + most;
  });
}

std::vector<double> downward_rank(const GraphProblem& p) {
  const std::vector<std::uint8_t> placeable = p.placeable();
  std::vector<double> rank(p.tasks(), kInfinite);
  for (const std::uint32_t task : p.arcs.precedence().order()) {
    if (placeable[task] == 0) continue;
    rank[task] = 0;
    for (const GraphArc& arc : p.arcs.before(task))
      rank[task] = std::max(rank[task], rank[arc.task] + mean_time(p, arc.task) + mean_transfer(p, arc));
  }
  return rank;
}

std::vector<std::vector<double>> oct(const GraphProblem& p) {
  const std::vector<std::uint8_t> placeable = p.placeable();
  std::vector<std::vector<double>> table(p.tasks(), std::vector<double>(p.machines, 0));
  const std::vector<std::uint32_t> order = p.arcs.precedence().order();
  for (auto task = order.rbegin(); task != order.rend(); ++task)
    for (std::size_t m = 0; m < p.machines; ++m)
      for (const GraphArc& arc : p.arcs.behind(*task)) {
        if (placeable[arc.task] == 0) continue;
        double least = kInfinite;
        for (std::size_t q = 0; q < p.machines; ++q)
          least = std::min(least,
                           table[arc.task][q] + p.time(arc.task, q) + (q != m ? mean_transfer(p, arc) : 0));
        table[*task][m] = std::max(table[*task][m], least);
      }
  return table;
}

std::vector<std::vector<double>> bil_levels(const GraphProblem& p) {
  const std::vector<std::uint8_t> placeable = p.placeable();
  std::vector<std::vector<double>> level(p.tasks(), std::vector<double>(p.machines, 0));
  const std::vector<std::uint32_t> order = p.arcs.precedence().order();
  for (auto task = order.rbegin(); task != order.rend(); ++task)
    for (std::size_t m = 0; m < p.machines; ++m) {
      double most = 0;
      for (const GraphArc& arc : p.arcs.behind(*task)) {
        if (placeable[arc.task] == 0) continue;
        double least = level[arc.task][m];
        for (std::size_t q = 0; q < p.machines; ++q)
          if (q != m) least = std::min(least, level[arc.task][q] + mean_transfer(p, arc));
        most = std::max(most, least);
      }
      level[*task][m] = p.time(*task, m) + most;
    }
  return level;
}

GraphPlan heft(const GraphProblem& p) {
  GraphState state(p, true);
  return by_priority(state, upward_rank(p), [&](std::size_t task) { place_by_finish(state, task); });
}

GraphPlan cpop(const GraphProblem& p) {
  const std::vector<double> up = upward_rank(p), down = downward_rank(p);
  std::vector<double> sum, entries;
  for (std::size_t t = 0; t < p.tasks(); ++t) sum.push_back(up[t] + down[t]);
  for (std::size_t t = 0; t < p.tasks(); ++t)
    entries.push_back(p.arcs.before(t).empty() && up[t] < kInfinite ? -sum[t] : kInfinite);
  std::vector<bool> critical(p.tasks(), false);
  std::vector<double> work(p.machines, 0);
  std::optional<std::size_t> at = first_of_least(entries);
  const double length = at ? sum[*at] : 0;
  while (at) {
    critical[*at] = true;
    for (std::size_t m = 0; m < p.machines; ++m) work[m] += p.time(*at, m);
    std::optional<std::size_t> next;
    for (const GraphArc& arc : p.arcs.behind(*at))
      if (!next && up[arc.task] < kInfinite && equal_times(sum[arc.task], length)) next = arc.task;
    at = next;
  }
  const std::optional<std::size_t> machine = first_of_least(work);
  GraphState state(p, true);
  return by_priority(state, sum, [&](std::size_t task) {
    if (critical[task] && machine)
      state.place(task, *machine);
    else
      place_by_finish(state, task);
  });
}

GraphPlan peft(const GraphProblem& p) {
  const std::vector<std::vector<double>> table = oct(p);
  std::vector<double> mean(p.tasks(), 0);
  for (std::size_t t = 0; t < p.tasks(); ++t) {
    double count = 0;
    for (std::size_t m = 0; m < p.machines; ++m)
      if (p.time(t, m) < kInfinite) {
        mean[t] += table[t][m];
        ++count;
      }
    mean[t] /= count;
  }
  GraphState state(p, true);
  return by_priority(state, mean, [&](std::size_t task) {
    state.place(task, *first_of_least(state.by_machine(
                          [&](std::size_t m) { return state.finish(task, m) + table[task][m]; })));
  });
}

GraphPlan lookahead(const GraphProblem& p) {
  const std::vector<double> rank = upward_rank(p);
  const std::vector<std::uint8_t> placeable = p.placeable();
  GraphState state(p, true);
  return by_priority(state, rank, [&](std::size_t task) {
    state.place(task, *first_of_least(state.by_machine([&](std::size_t m) {
                  if (p.time(task, m) == kInfinite) return kInfinite;
                  GraphState copy = state;
                  copy.place(task, m);
                  std::vector<std::size_t> left;
                  for (const GraphArc& arc : p.arcs.behind(task))
                    if (placeable[arc.task] != 0) left.push_back(arc.task);
                  double last = left.empty() ? copy.plan.finish[task] : -kInfinite;
                  while (!left.empty()) {
                    std::vector<double> less;
                    for (const std::size_t each : left) less.push_back(-rank[each]);
                    const auto next = left.begin() + static_cast<std::ptrdiff_t>(*first_of_least(less));
                    place_by_finish(copy, *next);
                    last = std::max(last, copy.plan.finish[*next]);
                    left.erase(next);
                  }
                  return last;
                })));
  });
}

GraphPlan hlfet(const GraphProblem& p) {
  GraphState state(p, false);
  return by_priority(state, upward_rank(p, false), [&](std::size_t task) {
    state.place(task, *first_of_least(state.by_machine([&](std::size_t m) { return state.start(task, m); })));
  });
}

GraphPlan etf(const GraphProblem& p) {
  const std::vector<double> level = upward_rank(p, false);
  return by_pairs(p, [&](GraphState& state, const std::vector<std::size_t>& ready) {
    double least = kInfinite, highest = -kInfinite;
    for (const std::size_t task : ready)
      for (std::size_t m = 0; m < p.machines; ++m) least = std::min(least, state.start(task, m));
    for (const std::size_t task : ready)
      for (std::size_t m = 0; m < p.machines; ++m)
        if (equal_times(state.start(task, m), least)) highest = std::max(highest, level[task]);
    for (const std::size_t task : ready)
      for (std::size_t m = 0; m < p.machines; ++m)
        if (equal_times(state.start(task, m), least) && equal_times(level[task], highest))
          return std::pair(task, m);
    return std::pair(ready.front(), std::size_t{0});
  });
}

GraphPlan dls(const GraphProblem& p, bool general) {
  const std::vector<double> level = upward_rank(p, false, true);
  const std::vector<std::uint8_t> placeable = p.placeable();
  const auto value_of = [&](const GraphState& state, std::size_t task, std::size_t m) {
    if (p.time(task, m) == kInfinite) return -kInfinite;
    double value = level[task] - std::max(state.arrival(task, m), state.end(m)) +
                   (median_time(p, task) - p.time(task, m));
    if (!general) return value;
    const GraphArc* most = nullptr;
    for (const GraphArc& arc : p.arcs.behind(task))
      if (placeable[arc.task] != 0 && (most == nullptr || arc.bytes > most->bytes)) most = &arc;
    if (most == nullptr) return value;
    double elsewhere = kInfinite;
    for (std::size_t q = 0; q < p.machines; ++q) {
      if (q == m) continue;
      double transfer = 0;
      if (p.cluster[q] != p.cluster[m] && most->has_data)
        transfer = p.network.latency(p.cluster[m], p.cluster[q]) +
                   most->bytes / p.network.bandwidth(p.cluster[m], p.cluster[q]);
      elsewhere = std::min(elsewhere, transfer + p.time(most->task, q));
    }
    return value + (median_time(p, most->task) - std::min(p.time(most->task, m), elsewhere));
  };
  return by_pairs(p, [&](GraphState& state, const std::vector<std::size_t>& ready) {
    std::vector<double> less;               // of each task
    std::vector<std::vector<double>> rows;  // negated levels, by machine
    for (const std::size_t task : ready) {
      rows.push_back(state.by_machine([&](std::size_t m) { return -value_of(state, task, m); }));
      std::vector<double> sorted = rows.back();
      std::sort(sorted.begin(), sorted.end());
      const bool has_second = sorted.size() > 1 && sorted[1] < kInfinite;
      less.push_back(general && has_second ? sorted[0] + (sorted[0] - sorted[1]) : sorted[0]);
    }
    const std::size_t chosen = *first_of_least(less);
    if (!general) {
      const double greatest = *std::min_element(less.begin(), less.end());
      for (std::size_t m = 0; m < p.machines; ++m)
        if (equal_times(rows[chosen][m], greatest)) return std::pair(ready[chosen], m);
    }
    return std::pair(ready[chosen], *first_of_least(rows[chosen]));
  });
}

GraphPlan bil(const GraphProblem& p) {
  const std::vector<std::vector<double>> level = bil_levels(p);
  return by_pairs(p, [&](GraphState& state, const std::vector<std::size_t>& ready) {
    const std::size_t k = ready.size();
    const auto makespan = [&](std::size_t task, std::size_t m) {
      return std::max(state.arrival(task, m), state.end(m)) + level[task][m];
    };
    std::vector<std::size_t> left = ready;
    for (std::size_t place = std::min(k, p.machines); place > 0; --place) {
      std::vector<double> less;
      for (const std::size_t task : left) {
        std::vector<double> sorted = state.by_machine([&](std::size_t m) { return makespan(task, m); });
        std::sort(sorted.begin(), sorted.end());
        less.push_back(-sorted[place - 1]);
      }
      const double greatest = *std::min_element(less.begin(), less.end());
      std::vector<std::size_t> still;
      for (std::size_t i = 0; i < left.size(); ++i)
        if (equal_times(less[i], greatest)) still.push_back(left[i]);
      left = still;
    }
    const std::size_t task = left.front();
    const double waiting = static_cast<double>(k) / static_cast<double>(p.machines);
    return std::pair(task, *first_of_least(state.by_machine([&](std::size_t m) {
                       return p.time(task, m) == kInfinite
                                  ? kInfinite
                                  : makespan(task, m) + p.time(task, m) * std::max(waiting - 1, 0.0);
                     })));
  });
}

GraphPlan min_min_ready(const GraphProblem& p) {
  return by_key(p, false, [](double best, double) { return best; });
}
GraphPlan max_min_ready(const GraphProblem& p) {
  return by_key(p, true, [](double best, double) { return best; });
}
GraphPlan sufferage_ready(const GraphProblem& p) {
  return by_key(p, true, [](double best, double second) { return second - best; });
}
GraphPlan mct_ready(const GraphProblem& p) {
  return by_key(p, true, [](double, double) { return 0.0; });
}

double least_of_all(const GraphProblem& p) {
  double least = kInfinite;
  const std::function<void(const GraphState&)> go_on = [&](const GraphState& state) {
    if (state.plan.makespan >= least) return;
    const std::vector<std::size_t> ready = state.all_ready();
    if (ready.empty()) least = state.plan.makespan;
    for (const std::size_t task : ready)
      for (std::size_t m = 0; m < p.machines; ++m) {
        if (p.time(task, m) == kInfinite) continue;
        GraphState next = state;
        next.place(task, m);
        go_on(next);
      }
  };
  go_on(GraphState(p, false));
  return least;
}

}  // namespace textbook
