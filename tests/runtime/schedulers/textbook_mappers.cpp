#include "tests/runtime/schedulers/textbook_mappers.h"

#include <algorithm>
#include <cstdint>

namespace textbook {

State::State(const perigee::test::MappingProblem& problem) : problem_(problem), waiting(problem.tasks, true) {
  out.machine.assign(problem.tasks, perigee::test::kUnmapped);
  out.completion.assign(problem.tasks, std::numeric_limits<double>::quiet_NaN());
  std::size_t number = 0;
  for (std::size_t m = 0; m < problem.machines; ++m) {
    core.emplace_back();
    const std::size_t cores = problem.has_cores() ? problem.first_core[m + 1] - problem.first_core[m] : 1;
    for (std::size_t c = 0; c < cores; ++c, ++number)
      core[m].push_back(problem.ready.empty() ? 0.0 : problem.ready[number]);
    if (ready(m) > out.makespan) out.makespan = ready(m);
  }
}

double State::ready(std::size_t m) const {
  return core[m].size() == 1 ? core[m][0] : *std::max_element(core[m].begin(), core[m].end());
}

std::vector<std::size_t> State::taken(std::size_t j, std::size_t m) const {
  const std::size_t width = problem_.width.empty() ? 1 : problem_.width[j];
  std::vector<std::size_t> chosen;
  if (width > core[m].size()) return chosen;
  while (chosen.size() < width) {
    std::optional<std::size_t> next;
    for (std::size_t c = 0; c < core[m].size(); ++c)
      if (std::find(chosen.begin(), chosen.end(), c) == chosen.end() &&
          (!next || core[m][c] < core[m][*next]))
        next = c;
    chosen.push_back(*next);
  }
  return chosen;
}

double State::start(std::size_t j, std::size_t m) const {
  if (!problem_.has_cores()) return core[m][0];
  const auto cores = taken(j, m);
  return cores.empty() ? kInf : std::max(core[m][cores.back()], problem_.now);
}

double State::ct(std::size_t j, std::size_t m) const {
  return problem_.whole_machine ? std::max(ready(m), end(j, m)) : end(j, m);
}

std::optional<std::size_t> State::best(std::size_t j) const {
  std::optional<std::size_t> found;
  for (std::size_t m = 0; m < problem_.machines; ++m)
    if (feasible(j, m) && (!found || ct(j, m) < ct(j, *found))) found = m;
  return found;
}

double State::sufferage(std::size_t j) const {
  const std::size_t b = *best(j);
  double second = kInf;
  for (std::size_t m = 0; m < problem_.machines; ++m)
    if (m != b && feasible(j, m) && ct(j, m) < second) second = ct(j, m);
  return second - ct(j, b);
}

void State::assign(std::size_t j, std::size_t m) {
  const double over = end(j, m);
  for (const std::size_t c : taken(j, m)) core[m][c] = over;
  waiting[j] = false;
  out.machine[j] = static_cast<std::uint32_t>(m);
  out.completion[j] = over;
  out.order.push_back(static_cast<std::uint32_t>(j));
  if (over > out.makespan) out.makespan = over;
}

perigee::test::Mapping olb(const perigee::test::MappingProblem& p) {
  State s(p);
  for (std::size_t j = 0; j < p.tasks; ++j) {
    std::optional<std::size_t> found;
    const auto key = [&](std::size_t m) {
      return p.whole_machine ? s.ready(m) : s.core[m][s.taken(j, m).back()];
    };
    for (std::size_t m = 0; m < p.machines; ++m)
      if (s.feasible(j, m) && (!found || key(m) < key(*found))) found = m;
    if (found) s.assign(j, *found);
  }
  return s.out;
}

perigee::test::Mapping met(const perigee::test::MappingProblem& p) {
  State s(p);
  for (std::size_t j = 0; j < p.tasks; ++j) {
    std::optional<std::size_t> found;
    for (std::size_t m = 0; m < p.machines; ++m)
      if (s.feasible(j, m) && (!found || p.time(j, m) < p.time(j, *found))) found = m;
    if (found) s.assign(j, *found);
  }
  return s.out;
}

perigee::test::Mapping mct(const perigee::test::MappingProblem& p) {
  State s(p);
  for (std::size_t j = 0; j < p.tasks; ++j)
    if (const auto m = s.best(j)) s.assign(j, *m);
  return s.out;
}

perigee::test::Mapping kpb(const perigee::test::MappingProblem& p, double k) {
  State s(p);
  std::size_t share = 0;
  while (static_cast<double>(share + 1) <= k * static_cast<double>(p.machines) / 100 + 1e-9) ++share;
  for (std::size_t j = 0; j < p.tasks; ++j) {
    std::vector<bool> taken(p.machines, false);
    for (std::size_t i = 0; i < std::max<std::size_t>(share, 1); ++i) {
      std::optional<std::size_t> next;
      for (std::size_t m = 0; m < p.machines; ++m)
        if (!taken[m] && s.feasible(j, m) && (!next || p.time(j, m) < p.time(j, *next))) next = m;
      if (next) taken[*next] = true;
    }
    std::optional<std::size_t> found;
    for (std::size_t m = 0; m < p.machines; ++m)
      if (taken[m] && (!found || s.ct(j, m) < s.ct(j, *found))) found = m;
    if (found) s.assign(j, *found);
  }
  return s.out;
}

perigee::test::Mapping switching(const perigee::test::MappingProblem& p, double low, double high) {
  State s(p);
  enum { by_ct, by_time } rule = by_ct;
  for (std::size_t j = 0; j < p.tasks; ++j) {
    double least = kInf, most = 0;
    for (std::size_t m = 0; m < p.machines; ++m) {
      least = std::min(least, s.ready(m));
      most = std::max(most, s.ready(m));
    }
    const double r = most == 0 ? 0 : least / most;
    if (rule == by_ct && r >= high)
      rule = by_time;
    else if (rule == by_time && r <= low)
      rule = by_ct;
    const auto key = [&](std::size_t m) { return rule == by_ct ? s.ct(j, m) : p.time(j, m); };
    std::optional<std::size_t> found;
    for (std::size_t m = 0; m < p.machines; ++m)
      if (s.feasible(j, m) && (!found || key(m) < key(*found))) found = m;
    if (found) s.assign(j, *found);
  }
  return s.out;
}

// The waiting, feasible task with the best key, first among equals; `better(a, b)`: key a beats key b.
template <class Key, class Better>
static perigee::test::Mapping list(const perigee::test::MappingProblem& p, Key key, Better better) {
  State s(p);
  for (;;) {
    std::optional<std::size_t> chosen;
    double chosen_key = 0;
    for (std::size_t j = 0; j < p.tasks; ++j) {
      if (!s.waiting[j] || !s.best(j)) continue;
      const double k = key(s, j);
      if (!chosen || better(k, chosen_key)) {
        chosen = j;
        chosen_key = k;
      }
    }
    if (!chosen) return s.out;
    s.assign(*chosen, *s.best(*chosen));
  }
}

perigee::test::Mapping min_min(const perigee::test::MappingProblem& p) {
  return list(
      p, [](const State& s, std::size_t j) { return s.ct(j, *s.best(j)); },
      [](double a, double b) { return a < b; });
}

perigee::test::Mapping max_min(const perigee::test::MappingProblem& p) {
  return list(
      p, [](const State& s, std::size_t j) { return s.ct(j, *s.best(j)); },
      [](double a, double b) { return a > b; });
}

perigee::test::Mapping sorted(const perigee::test::MappingProblem& p, bool longest_first) {
  State s(p);
  std::vector<std::size_t> order;
  const auto length = [&](std::size_t j) {
    double longest = 0;
    for (std::size_t m = 0; m < p.machines; ++m)
      if (p.time(j, m) < kInf) longest = std::max(longest, p.time(j, m));
    return longest;
  };
  for (std::size_t j = 0; j < p.tasks; ++j) {  // insertion behind its equals
    auto at = order.begin();
    while (at != order.end() && (longest_first ? length(*at) >= length(j) : length(*at) <= length(j))) ++at;
    order.insert(at, j);
  }
  for (const std::size_t j : order)
    if (const auto m = s.best(j)) s.assign(j, *m);
  return s.out;
}

perigee::test::Mapping duplex(const perigee::test::MappingProblem& p) {
  perigee::test::Mapping a = min_min(p), b = max_min(p);
  return b.makespan < a.makespan ? b : a;
}

perigee::test::Mapping sufferage(const perigee::test::MappingProblem& p) {
  return list(
      p, [](const State& s, std::size_t j) { return s.sufferage(j); },
      [](double a, double b) { return a > b; });
}

perigee::test::Mapping sufferage_passes(const perigee::test::MappingProblem& p) {
  State s(p);
  for (;;) {
    std::vector<std::optional<std::size_t>> holder(p.machines);
    bool any = false;
    for (std::size_t j = 0; j < p.tasks; ++j) {
      if (!s.waiting[j] || !s.best(j)) continue;
      any = true;
      auto& held = holder[*s.best(j)];
      if (!held || s.sufferage(*held) < s.sufferage(j)) held = j;
    }
    if (!any) return s.out;
    for (std::size_t m = 0; m < p.machines; ++m)
      if (holder[m]) s.assign(*holder[m], m);
  }
}

double optimum(const perigee::test::MappingProblem& p) {
  double best = kInf;
  const auto place = [&](const auto& self, const State& s, std::size_t j) -> void {
    if (j == p.tasks) {
      best = std::min(best, s.out.makespan);
      return;
    }
    bool placed = false;
    for (std::size_t m = 0; m < p.machines; ++m) {
      if (!s.feasible(j, m)) continue;
      placed = true;
      State next = s;
      next.assign(j, m);
      self(self, next, j + 1);
    }
    if (!placed) self(self, s, j + 1);
  };
  place(place, State(p), 0);
  return best;
}

// Keys made of a task's completions in the clusters, all computed anew for each choice.
template <class KeyOf>
static perigee::cost::Mapping by_clusters(const perigee::cost::MappingProblem& p, KeyOf&& key_of,
                                          bool largest) {
  State s(p);
  for (;;) {
    std::optional<std::size_t> found;
    double found_key = 0;
    for (std::size_t j = 0; j < p.tasks; ++j) {
      if (!s.waiting[j] || !s.best(j)) continue;
      std::vector<double> times(p.machines, kInf);
      for (std::size_t m = 0; m < p.machines; ++m)
        times[p.cluster_of(m)] = std::min(times[p.cluster_of(m)], s.ct(j, m));
      std::erase(times, kInf);
      std::sort(times.begin(), times.end());
      const double key = key_of(times);
      if (found && !(largest ? key > found_key : key < found_key)) continue;
      found = j;
      found_key = key;
    }
    if (!found) return s.out;
    s.assign(*found, *s.best(*found));
  }
}

perigee::cost::Mapping xsufferage(const perigee::cost::MappingProblem& p) {
  return by_clusters(
      p, [](const auto& t) { return t.size() > 1 ? t[1] - t[0] : 0; }, true);
}

perigee::cost::Mapping extended_sufferage(const perigee::cost::MappingProblem& p, perigee::cost::NoJump none,
                                          perigee::cost::Suffering as) {
  return by_clusters(
      p, [=](const auto& t) { return perigee::cost::suffering(t, perigee::cost::first_jump(t, none), as); },
      true);
}

perigee::cost::Mapping sufferage_2(const perigee::cost::MappingProblem& p) {
  return by_clusters(
      p,
      [](const auto& t) {
        const perigee::cost::Jump jump = perigee::cost::first_jump(t, perigee::cost::NoJump::largest);
        return static_cast<double>(jump.clusters) +
               1 / (1 + perigee::cost::suffering(t, jump, perigee::cost::Suffering::jump));
      },
      false);
}

}  // namespace textbook
