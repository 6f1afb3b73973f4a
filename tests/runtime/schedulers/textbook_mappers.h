// The mappers as their papers write them, slow and plain: what the fast ones must equal in every bit.
// A machine is feasible for a task when the completion time is finite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "runtime/cost/mapping.h"

namespace textbook {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

class State {
 public:
  explicit State(const perigee::MatrixProblem& problem) : problem_(problem), waiting(problem.tasks, true) {
    out.machine.assign(problem.tasks, perigee::kUnmapped);
    out.completion.assign(problem.tasks, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t m = 0; m < problem.machines; ++m) {
      ready.push_back(problem.ready_at(m));
      if (ready[m] > out.makespan) out.makespan = ready[m];
    }
  }

  double ct(std::size_t j, std::size_t m) const { return ready[m] + problem_.time(j, m); }
  bool feasible(std::size_t j, std::size_t m) const { return ct(j, m) < kInf; }

  std::optional<std::size_t> best(std::size_t j) const {
    std::optional<std::size_t> found;
    for (std::size_t m = 0; m < problem_.machines; ++m)
      if (feasible(j, m) && (!found || ct(j, m) < ct(j, *found))) found = m;
    return found;
  }

  double sufferage(std::size_t j) const {
    const std::size_t b = *best(j);
    double second = kInf;
    for (std::size_t m = 0; m < problem_.machines; ++m)
      if (m != b && feasible(j, m) && ct(j, m) < second) second = ct(j, m);
    return second - ct(j, b);
  }

  void assign(std::size_t j, std::size_t m) {
    ready[m] = ct(j, m);
    waiting[j] = false;
    out.machine[j] = static_cast<std::uint32_t>(m);
    out.completion[j] = ready[m];
    out.order.push_back(static_cast<std::uint32_t>(j));
    if (ready[m] > out.makespan) out.makespan = ready[m];
  }

 private:
  const perigee::MatrixProblem& problem_;

 public:
  std::vector<double> ready;
  std::vector<bool> waiting;
  perigee::Mapping out;
};

inline perigee::Mapping olb(const perigee::MatrixProblem& p) {
  State s(p);
  for (std::size_t j = 0; j < p.tasks; ++j) {
    std::optional<std::size_t> found;
    for (std::size_t m = 0; m < p.machines; ++m)
      if (s.feasible(j, m) && (!found || s.ready[m] < s.ready[*found])) found = m;
    if (found) s.assign(j, *found);
  }
  return s.out;
}

inline perigee::Mapping met(const perigee::MatrixProblem& p) {
  State s(p);
  for (std::size_t j = 0; j < p.tasks; ++j) {
    std::optional<std::size_t> found;
    for (std::size_t m = 0; m < p.machines; ++m)
      if (s.feasible(j, m) && (!found || p.time(j, m) < p.time(j, *found))) found = m;
    if (found) s.assign(j, *found);
  }
  return s.out;
}

inline perigee::Mapping mct(const perigee::MatrixProblem& p) {
  State s(p);
  for (std::size_t j = 0; j < p.tasks; ++j)
    if (const auto m = s.best(j)) s.assign(j, *m);
  return s.out;
}

// The waiting, feasible task with the best key, first among equals; `better(a, b)`: key a beats key b.
template <class Key, class Better>
perigee::Mapping list(const perigee::MatrixProblem& p, Key key, Better better) {
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

inline perigee::Mapping min_min(const perigee::MatrixProblem& p) {
  return list(
      p, [](const State& s, std::size_t j) { return s.ct(j, *s.best(j)); },
      [](double a, double b) { return a < b; });
}

inline perigee::Mapping max_min(const perigee::MatrixProblem& p) {
  return list(
      p, [](const State& s, std::size_t j) { return s.ct(j, *s.best(j)); },
      [](double a, double b) { return a > b; });
}

inline perigee::Mapping duplex(const perigee::MatrixProblem& p) {
  perigee::Mapping a = min_min(p), b = max_min(p);
  return b.makespan < a.makespan ? b : a;
}

inline perigee::Mapping sufferage(const perigee::MatrixProblem& p) {
  return list(
      p, [](const State& s, std::size_t j) { return s.sufferage(j); },
      [](double a, double b) { return a > b; });
}

inline perigee::Mapping sufferage_passes(const perigee::MatrixProblem& p) {
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

// The smallest makespan of all mappings of all tasks that can run somewhere, by trying each.
inline double optimum(const perigee::MatrixProblem& p) {
  std::vector<double> ready;
  for (std::size_t m = 0; m < p.machines; ++m) ready.push_back(p.ready_at(m));
  double best = kInf;
  const auto place = [&](const auto& self, std::size_t j) -> void {
    if (j == p.tasks) {
      double makespan = 0;
      for (const double r : ready) makespan = r > makespan ? r : makespan;
      best = makespan < best ? makespan : best;
      return;
    }
    bool placed = false;
    for (std::size_t m = 0; m < p.machines; ++m) {
      if (!(ready[m] + p.time(j, m) < kInf)) continue;
      placed = true;
      const double before = ready[m];
      ready[m] = before + p.time(j, m);
      self(self, j + 1);
      ready[m] = before;
    }
    if (!placed) self(self, j + 1);
  };
  place(place, 0);
  return best;
}

}  // namespace textbook
