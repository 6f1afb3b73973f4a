// The searches step by step, slow and plain: every makespan is computed anew.
#pragma once

#include <functional>
#include <string_view>

#include "runtime/cost/etc.h"
#include "runtime/kernel/math.h"
#include "tests/runtime/schedulers/textbook_mappers.h"
#include "tests/support/layers.h"

namespace textbook {

using Vector = std::vector<std::uint32_t>;

// The tasks that can run somewhere, in input order.
inline Vector schedulable(const perigee::test::MappingProblem& p) {
  const State s(p);
  Vector tasks;
  for (std::uint32_t j = 0; j < p.tasks; ++j)
    if (s.best(j)) tasks.push_back(j);
  return tasks;
}

// A makespan at which a search may end, because none is smaller.
inline double least(const perigee::test::MappingProblem& p) {
  const double bound = perigee::test::makespan_bound(p);
  return bound < kInf ? bound : 0;
}

// Tasks in input order, each on its machine.
inline double makespan(const perigee::test::MappingProblem& p, const Vector& machine) {
  State s(p);
  for (std::size_t j = 0; j < p.tasks; ++j)
    if (machine[j] != perigee::test::kUnmapped) s.assign(j, machine[j]);
  return s.out.makespan;
}

inline std::uint32_t drawn(const perigee::test::MappingProblem& p, std::size_t j,
                           perigee::test::Stream& stream) {
  const State s(p);
  Vector feasible;
  for (std::uint32_t m = 0; m < p.machines; ++m)
    if (s.end(j, m) < kInf) feasible.push_back(m);
  return feasible[stream.below(feasible.size())];
}

inline Vector drawn(const perigee::test::MappingProblem& p, perigee::test::Stream& stream) {
  Vector machine(p.tasks, perigee::test::kUnmapped);
  for (const std::uint32_t j : schedulable(p)) machine[j] = drawn(p, j, stream);
  return machine;
}

struct Found {
  Vector machine;
  std::vector<double> curve;
  std::vector<std::pair<std::string_view, double>> counts;
};

// Simulated annealing from a random mapping. The problem has a task that can run, and its sums are finite.
inline Found sa(const perigee::test::MappingProblem& p, double cooling, int stall,
                perigee::test::Stream stream) {
  const Vector tasks = schedulable(p);
  Found out;
  Vector now = drawn(p, stream);
  double cost = makespan(p, now), best = cost, temperature = cost;
  out.machine = now;
  out.curve.push_back(cost);
  int unchanged = 0, steps = 0;
  while (unchanged < stall && temperature >= 1e-200 && best > least(p)) {
    Vector changed = now;
    const std::uint32_t j = tasks[stream.below(tasks.size())];
    changed[j] = drawn(p, j, stream);
    const double value = makespan(p, changed);
    bool accept = value < cost;
    if (!accept) {
      const double y = 1 / (1 + perigee::math::exp((cost - value) / temperature));
      accept = stream.unit() > y;
    }
    unchanged = accept && value != cost ? 0 : unchanged + 1;
    if (accept) now = changed, cost = value;
    if (cost < best) best = cost, out.machine = now;
    temperature *= cooling;
    out.curve.push_back(best);
    ++steps;
  }
  out.counts = {{"iterations", steps}, {"restarts", 0}};
  return out;
}

// Tabu search with scans over all pairs of tasks and machines. The problem has two tasks that can run.
inline Found tabu(const perigee::test::MappingProblem& p, int hops, perigee::test::Stream stream) {
  const Vector tasks = schedulable(p);
  const State start(p);
  std::size_t choosy = 0;
  for (const std::uint32_t j : tasks) {
    std::size_t choices = 0;
    for (std::size_t m = 0; m < p.machines; ++m) choices += start.end(j, m) < kInf;
    choosy += choices > 1;
  }
  Found out;
  Vector now = drawn(p, stream);
  double cost = makespan(p, now), best = cost;
  out.machine = now;
  out.curve.push_back(best);
  const auto improve = [&] {
    for (std::size_t i = 0; i < tasks.size(); ++i)
      for (std::size_t j = i + 1; j < tasks.size(); ++j)
        for (std::uint32_t a = 0; a < p.machines; ++a)
          for (std::uint32_t b = 0; b < p.machines; ++b) {
            if (!(start.end(tasks[i], a) < kInf) || !(start.end(tasks[j], b) < kInf)) continue;
            Vector moved = now;
            moved[tasks[i]] = a;
            moved[tasks[j]] = b;
            const double value = makespan(p, moved);
            if (!(value < cost)) continue;
            now = moved;
            cost = value;
            return true;
          }
    return false;
  };
  std::vector<Vector> reached;
  int short_hops = 0, long_hops = 0;
  while (short_hops + long_hops < hops && best > least(p)) {
    if (improve()) {
      ++short_hops;
    } else {
      reached.push_back(now);
      bool far = false;
      for (int draw = 0; choosy > 0 && !far && draw < 1000; ++draw) {
        now = drawn(p, stream);
        far = true;
        for (const Vector& other : reached) {
          std::size_t differences = 0;
          for (std::size_t j = 0; j < p.tasks; ++j) differences += now[j] != other[j];
          far = far && static_cast<double>(differences) >= static_cast<double>(choosy) / 2;
        }
      }
      if (!far) break;
      cost = makespan(p, now);
      ++long_hops;
    }
    if (cost < best) best = cost, out.machine = now;
    out.curve.push_back(best);
  }
  out.counts = {{"short_hops", short_hops}, {"long_hops", long_hops}};
  return out;
}

// Local search from a vector: tries every move and swap of a task of the first machine that ends last. The
// problem has a task that can run, and its sums are finite.
struct LocalOptions {
  bool moves = true, swaps = true, first = false;
  int steps = 10000;
};
inline std::vector<double> ends(const perigee::test::MappingProblem& p, const Vector& machine) {
  State s(p);
  for (std::size_t j = 0; j < p.tasks; ++j)
    if (machine[j] != perigee::test::kUnmapped) s.assign(j, machine[j]);
  std::vector<double> out;
  for (std::size_t m = 0; m < p.machines; ++m) out.push_back(s.ready(m));
  return out;
}
inline Found local_search(const perigee::test::MappingProblem& p, Vector now, const LocalOptions& options) {
  const Vector tasks = schedulable(p);
  const State start(p);
  Found out;
  int moves = 0, swaps = 0;
  double cost = makespan(p, now);
  out.curve.push_back(cost);
  while (moves + swaps < options.steps && cost > least(p)) {
    const std::vector<double> before = ends(p, now);
    std::uint32_t last = 0;
    while (before[last] != cost) ++last;
    Vector best;
    double value = cost;
    bool is_move = false;
    const auto consider = [&](const Vector& changed, std::uint32_t there, bool move) {
      if (options.first && !best.empty()) return;
      const std::vector<double> after = ends(p, changed);
      const double later = std::max(after[last], after[there]);
      if (!(later < value)) return;
      value = later;
      best = changed;
      is_move = move;
    };
    for (const std::uint32_t i : tasks) {
      if (now[i] != last) continue;
      for (std::uint32_t m = 0; options.moves && m < p.machines; ++m) {
        if (m == last || !(start.end(i, m) < kInf)) continue;
        Vector changed = now;
        changed[i] = m;
        consider(changed, m, true);
      }
      for (const std::uint32_t j : tasks) {
        if (!options.swaps || now[j] == last) continue;
        if (!(start.end(i, now[j]) < kInf) || !(start.end(j, last) < kInf)) continue;
        Vector changed = now;
        std::swap(changed[i], changed[j]);
        consider(changed, now[j], false);
      }
    }
    if (best.empty()) break;
    now = best;
    cost = makespan(p, now);
    ++(is_move ? moves : swaps);
    out.curve.push_back(cost);
  }
  out.machine = now;
  out.counts = {{"moves", moves}, {"swaps", swaps}};
  return out;
}

struct GeneticOptions {
  std::size_t population;
  int generations, stall;
  double crossover, mutation;
  bool seeded;
  double cooling;  // 0 = not annealed
};

// The genetic algorithm, also annealed. The problem has a task that can run, and its sums are finite.
inline Found genetic(const perigee::test::MappingProblem& p, const GeneticOptions& options,
                     perigee::test::Stream stream) {
  const Vector tasks = schedulable(p);
  const std::size_t size = options.population;
  const auto cost = [&](const Vector& chromosome) { return makespan(p, chromosome); };
  std::vector<Vector> now;
  for (std::size_t i = 0; i < size; ++i)
    now.push_back(i == 0 && options.seeded ? min_min(p).machine : drawn(p, stream));
  std::vector<std::size_t> wheel;  // ranks, the best as often as there are chromosomes
  for (std::size_t rank = 0; rank < size; ++rank) wheel.insert(wheel.end(), size - rank, rank);
  double temperature = 0;
  for (const Vector& each : now) temperature += cost(each) / static_cast<double>(size);
  Found out;
  double best = kInf, evaluations = static_cast<double>(size);
  int generations = 0, stalled = 0;
  for (;;) {
    const double before = best;
    for (const Vector& each : now)
      if (cost(each) < best) best = cost(each), out.machine = each;
    out.curve.push_back(best);
    if (generations > 0) stalled = best < before ? 0 : stalled + 1;
    const bool equal = std::count(now.begin(), now.end(), now[0]) == static_cast<std::ptrdiff_t>(size);
    if (generations == options.generations || stalled == options.stall || equal || best <= least(p)) break;
    ++generations;
    std::vector<Vector> ranked;  // insertion behind equals
    for (const Vector& each : now) {
      auto at = ranked.begin();
      while (at != ranked.end() && cost(*at) <= cost(each)) ++at;
      ranked.insert(at, each);
    }
    std::vector<Vector> parents{ranked[0]};
    while (parents.size() < size) parents.push_back(ranked[wheel[stream.below(wheel.size())]]);
    std::vector<Vector> children = parents;
    std::vector<bool> changed(size, false);
    std::optional<std::size_t> partner;
    for (std::size_t i = 1; i < size && tasks.size() > 1; ++i) {
      if (!stream.bernoulli(options.crossover)) continue;
      if (!partner) {
        partner = i;
        continue;
      }
      for (std::size_t t = 1 + stream.below(tasks.size() - 1); t < tasks.size(); ++t)
        std::swap(children[i][tasks[t]], children[*partner][tasks[t]]);
      changed[i] = changed[*partner] = true;
      partner.reset();
    }
    for (std::size_t i = 1; i < size; ++i) {
      if (!stream.bernoulli(options.mutation)) continue;
      const std::uint32_t j = tasks[stream.below(tasks.size())];
      children[i][j] = drawn(p, j, stream);
      changed[i] = true;
    }
    for (std::size_t i = 1; i < size; ++i) {
      evaluations += changed[i];
      if (options.cooling > 0 && !(cost(children[i]) < cost(parents[i]) + temperature))
        children[i] = parents[i];
    }
    now = children;
    temperature *= options.cooling;
  }
  out.counts = {{"generations", generations}, {"evaluations", evaluations}, {"restarts", 0}};
  return out;
}

struct Tree {
  std::optional<State> state;      // at the end
  std::vector<double> expanded_f;  // of the vertices expanded, the root left out
  int attempts = 0, created = 0, expanded = 0, pruned = 0, truncated = 0;
  std::size_t limit = 0;
};

// A* over the tasks in this order. A limit of 0 is no limit.
inline Tree a_star(const perigee::test::MappingProblem& p, const Vector& order, std::size_t limit,
                   std::size_t max_expansions, bool by_cores) {
  struct Vertex {
    State state;
    std::size_t depth;
    double f;
    bool active;
  };
  const std::size_t n = order.size();
  std::vector<double> suffix(n + 1, 0);
  for (std::size_t i = n; i-- > 0;) {
    double met = kInf;
    for (std::size_t m = 0; m < p.machines; ++m)
      if (State(p).feasible(order[i], m)) met = std::min(met, p.time(order[i], m));
    const double width = by_cores && !p.width.empty() ? p.width[order[i]] : 1;
    suffix[i] = width * met + suffix[i + 1];
  }
  const auto f_of = [&](const State& s, std::size_t depth) {
    double g = 0, mmct = 0, sdma = 0, shares = 0;
    for (std::size_t m = 0; m < p.machines; ++m) g = std::max(g, s.ready(m));
    for (std::size_t i = depth; i < n; ++i)
      mmct = std::max(mmct, s.best(order[i]) ? s.ct(order[i], *s.best(order[i])) : kInf);
    for (std::size_t m = 0; m < p.machines; ++m) {
      std::vector<double> times = by_cores ? s.core[m] : std::vector<double>{s.ready(m)};
      std::sort(times.begin(), times.end());
      for (const double time : times) {
        sdma += g - time;
        ++shares;
      }
    }
    const double h1 = std::max(0.0, mmct - g), h2 = std::max(0.0, (suffix[depth] - sdma) / shares);
    return g + std::max(h1, h2);
  };
  Tree tree;
  tree.limit = limit;
  for (;;) {
    ++tree.attempts;
    tree.expanded_f.clear();
    std::vector<Vertex> vertices{{State(p), 0, 0, false}};
    std::size_t parent = 0, expansions = 0;
    bool used_up = false;
    const auto active = [&] {
      std::size_t count = 0;
      for (const Vertex& v : vertices) count += v.active;
      return count;
    };
    while (vertices[parent].depth < n) {
      if (max_expansions > 0 && expansions == max_expansions * n) {
        used_up = true;
        break;
      }
      if (parent > 0) tree.expanded_f.push_back(vertices[parent].f);
      const std::size_t depth = vertices[parent].depth;
      for (std::size_t m = 0; m < p.machines; ++m) {
        if (!vertices[parent].state.feasible(order[depth], m)) continue;
        if (limit > 0 && active() >= limit) {
          std::optional<std::size_t> worst;
          for (std::size_t v = 0; v < vertices.size(); ++v) {
            if (!vertices[v].active) continue;
            if (!worst || vertices[v].f > vertices[*worst].f ||
                (vertices[v].f == vertices[*worst].f && vertices[v].depth < vertices[*worst].depth))
              worst = v;
          }
          vertices[*worst].active = false;
          ++tree.pruned;
        }
        State child = vertices[parent].state;
        child.assign(order[depth], m);
        const double f = f_of(child, depth + 1);
        vertices.push_back({std::move(child), depth + 1, f, true});
        ++tree.created;
      }
      ++expansions;
      ++tree.expanded;
      std::optional<std::size_t> best;
      for (std::size_t v = 0; v < vertices.size(); ++v) {
        if (!vertices[v].active) continue;
        if (!best || vertices[v].f < vertices[*best].f ||
            (vertices[v].f == vertices[*best].f && vertices[v].depth > vertices[*best].depth))
          best = v;
      }
      parent = *best;
      vertices[parent].active = false;
    }
    if (used_up && (limit == 0 || limit > std::max<std::size_t>(p.machines, 2))) {
      limit = std::max({p.machines, (limit == 0 ? active() : limit) / 2, std::size_t{2}});
      tree.limit = limit;
      continue;
    }
    if (used_up) {
      tree.truncated = 1;
      for (std::size_t v = 0; v < vertices.size(); ++v)
        if ((vertices[v].active || v == parent) &&
            (vertices[v].depth > vertices[parent].depth ||
             (vertices[v].depth == vertices[parent].depth &&
              (vertices[v].f < vertices[parent].f || (vertices[v].f == vertices[parent].f && v < parent)))))
          parent = v;
    }
    tree.state.emplace(vertices[parent].state);
    for (std::size_t i = vertices[parent].depth; i < n; ++i)
      if (const auto m = tree.state->best(order[i])) tree.state->assign(order[i], *m);
    return tree;
  }
}

}  // namespace textbook
