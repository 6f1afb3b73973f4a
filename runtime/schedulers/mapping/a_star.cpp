// A*: a tree of partial mappings, with each task of a fixed order on each machine. The most promising one is
// continued.
//
// Source: IRMaSim thesis; Braun et al., JPDC 61(6), 2001, pp. 810-837. A vertex has the value f = g +
// max(h1, h2). g is the latest ready time. h1 is by how much the latest of the remaining tasks' best
// completions exceeds g. h2 is the least work of these tasks that does not fit below g, shared by all
// machines, or all cores. Without limits the answer is the best of all mappings in this order of tasks;
// with cores, only for h2 = "cores".
//
// The tree has at most max_tree_nodes active leaves: before one more is added, the worst is dropped. An
// attempt of too many expansions is followed by one with half the leaves. When there are no more leaves than
// machines, mct completes the deepest leaf.
//
// Cost: O(R M + M^2 + M log L) an expansion with R tasks left, M machines, L leaves.
//
// Ties: the leaf continued is the deepest, then the oldest, of those with the smallest f. The leaf dropped is
// the least deep, then the oldest, of those with the largest f.
#include <algorithm>
#include <cmath>
#include <memory_resource>
#include <set>
#include <utility>
#include <vector>

#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/cost/search_tree.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/work.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {
namespace {

enum class TreeOrder : std::uint8_t { submission, shortest, longest, random };

struct AStarOptions {
  std::size_t limit;      // active leaves; 0 = any number
  double max_expansions;  // per task; 0 = any number
  TreeOrder order;
  bool by_cores;
};

// f of a vertex and its parts, computed from the definitions.
struct Worth {
  double g = 0, h1 = 0, h2 = 0;
  double f() const { return g + std::max(h1, h2); }
};
// `times`: after the tasks of the order before `depth`; `work`: the least work of the tasks from `depth` on.
Worth worth_of(const MachineTimes& times, std::span<const std::uint32_t> order, std::size_t depth,
               double work, bool by_cores) {
  const MappingProblem& problem = times.problem();
  by_cores = by_cores && problem.has_cores();
  Worth worth{.g = times.makespan()};
  for (const std::uint32_t task : order.subspan(depth))
    worth.h1 = std::max(worth.h1, times.best(task).value - worth.g);
  double blank = 0;
  for (std::size_t m = 0; m < problem.machines; ++m) {
    const double ready = times.ready(m);
    for (const double free : by_cores ? times.free(m) : std::span(&ready, 1)) blank += worth.g - free;
  }
  worth.h2 = std::max(
      0.0, (work - blank) / static_cast<double>(by_cores ? problem.first_core.back() : problem.machines));
  return worth;
}
// For each depth, the least work of the tasks from there on, s; by_cores: of all the cores that they take.
std::vector<double> least_work(const MachineTimes& start, std::span<const std::uint32_t> order,
                               bool by_cores) {
  const MappingProblem& problem = start.problem();
  std::vector<double> work(order.size() + 1, 0.0);
  for (std::size_t i = order.size(); i-- > 0;) {
    did_work(1 + problem.machines / 4);
    double least = kInfinity;
    for (std::size_t m = 0; m < problem.machines; ++m)
      if (start.end(order[i], m) < kInfinity) least = std::min(least, problem.time(order[i], m));
    work[i] = (by_cores && problem.has_cores() ? problem.width_of(order[i]) * least : least) + work[i + 1];
  }
  return work;
}

// The children of a vertex: f for each machine that its task may take, all at once. h1 is computed only where
// it can exceed h2. A child changes one machine alone; so the later of a task's completions on any two
// machines is no earlier than its best completion in any child.
class Children {
 public:
  Children(const MachineTimes& start, std::span<const std::uint32_t> order, bool by_cores)
      : order_(order), by_cores_(by_cores && start.problem().has_cores()), times_(start) {
    const MappingProblem& problem = start.problem();
    shares_ = static_cast<double>(by_cores_ ? problem.first_core.back() : problem.machines);
    work_ = least_work(start, order, by_cores_);
    longest_.assign(order.size() + 1, 0.0);
    two_.resize(order.size());
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::uint32_t task = order[i];
      const TwoSmallest found = start.two_best(task);
      const bool two = found.second < kInfinity;
      two_[i] = {two ? std::max(problem.time(task, found.at), problem.time(task, found.next)) : kInfinity,
                 found.at, two ? found.next : found.at};
      longest_[i] = std::max(two_[i].time, longest_[i + 1]);
    }
    best_.resize(order.size());
    next_of_.resize(order.size());
    latest_.resize(problem.machines);
    first_of_.resize(problem.machines);
    g_.resize(problem.machines);
    blank_.resize(problem.machines);
    own_.resize(problem.machines);
  }

  // f per machine for the task at `depth` of the order; +inf if its completion there is not finite.
  std::span<const double> value(const MachineTimes& parent, std::size_t depth) {
    const std::size_t machines = parent.problem().machines;
    const std::uint32_t task = order_[depth];
    times_ = parent;
    const double g = parent.makespan();
    for (std::size_t m = 0; m < machines; ++m) {
      own_[m].clear();
      g_[m] = g;
      if (!(parent.completion(task, m) < kInfinity)) continue;
      times_.assign(task, m);
      g_[m] = std::max(g, times_.ready(m));
      if (by_cores_)
        own_[m].assign(times_.free(m).begin(), times_.free(m).end());
      else
        own_[m].assign(1, times_.ready(m));
      times_.restore(m, parent);
    }
    sum_blanks(parent);
    f_.assign(machines, kInfinity);  // h2 at first
    double reached = kInfinity;      // at most g + h2 of every child
    for (std::size_t m = 0; m < machines; ++m) {
      if (own_[m].empty()) continue;
      f_[m] = std::max(0.0, (work_[depth + 1] - blank_[m]) / shares_);
      reached = std::min(reached, std::nextafter(g_[m] + f_[m], 0.0));
    }
    find_best(depth + 1, g, reached);
    for (std::size_t m = 0; m < machines; ++m) {
      if (own_[m].empty()) continue;
      const double h1 = most_ > g_[m] || first_of_[m] != kUnmapped ? latest_best(parent, task, m) - g_[m] : 0;
      f_[m] = g_[m] + std::max(h1, f_[m]);
    }
    return f_;
  }

 private:
  // Two machines of a task (or one of them twice), and a time within which the task runs on at least two.
  struct Two {
    double time;
    std::uint32_t at, next;
  };

  // Finds the best and second-best completions of the tasks from this depth on, listed by their best machine.
  // Tasks whose best completion is at most `reached` in every child are left out.
  void find_best(std::size_t depth, double g, double reached) {
    std::ranges::fill(latest_, -kInfinity);
    std::ranges::fill(first_of_, kUnmapped);
    most_ = second_most_ = -kInfinity;
    if (g + longest_[depth] <= reached) return;
    for (std::size_t i = depth; i < order_.size(); ++i) {
      Two& two = two_[i];
      if (g + two.time <= reached) continue;
      if (two.at != two.next && times_.completion(order_[i], two.at) <= reached &&
          times_.completion(order_[i], two.next) <= reached)
        continue;
      best_[i] = times_.two_best(order_[i]);
      const std::uint32_t at = best_[i].at;
      if (best_[i].second < kInfinity) two.at = at, two.next = best_[i].next;  // a better guess for the next
      latest_[at] = std::max(latest_[at], best_[i].best);
      next_of_[i] = std::exchange(first_of_[at], static_cast<std::uint32_t>(i));
    }
    for (const double latest : latest_) {
      second_most_ = std::max(second_most_, std::min(most_, latest));
      most_ = std::max(most_, latest);
    }
  }
  // The latest best completion among those tasks once `task` is on this machine.
  double latest_best(const MachineTimes& parent, std::uint32_t task, std::size_t machine) {
    double latest = latest_[machine] < most_ ? most_ : second_most_;
    if (first_of_[machine] == kUnmapped) return latest;
    times_.assign(task, machine);
    for (std::uint32_t i = first_of_[machine]; i != kUnmapped; i = next_of_[i])
      latest = std::max(latest, std::min(best_[i].second, times_.completion(order_[i], machine)));
    times_.restore(machine, parent);
    return latest;
  }
  // blank_: per child, the sum of the times from the readiness of its machines (or cores) to its g, in their
  // order.
  void sum_blanks(const MachineTimes& parent) {
    std::ranges::fill(blank_, 0.0);
    for (std::size_t m = 0; m < blank_.size(); ++m) {
      double own = blank_[m];
      for (const double free : own_[m]) own += g_[m] - free;
      const double ready = parent.ready(m);
      for (const double free : by_cores_ ? parent.free(m) : std::span(&ready, 1))
        for (std::size_t child = 0; child < blank_.size(); ++child) blank_[child] += g_[child] - free;
      blank_[m] = own;
    }
  }

  std::span<const std::uint32_t> order_;
  bool by_cores_;
  MachineTimes times_;  // the parent's, and for a moment a child's
  double shares_;
  std::vector<double> work_;     // least work of the tasks from each depth on
  std::vector<Two> two_;         // per task of the order
  std::vector<double> longest_;  // of their times from each depth on
  std::vector<TwoSmallest> best_;
  std::vector<std::uint32_t> first_of_, next_of_;  // tasks by machine of their best
  std::vector<double> latest_;                     // of those, per machine
  double most_ = 0, second_most_ = 0;
  std::vector<double> f_, g_, blank_;
  std::vector<std::vector<double>> own_;  // per child the times of its machine; empty = no child
};

class Tree {
 public:
  struct Counts {
    double created = 0, expanded = 0, pruned = 0;
  };

  // `grown`: the list that receives all vertices; may be null.
  Tree(const MachineTimes& start, std::span<const std::uint32_t> order, bool by_cores,
       std::vector<TreeVertex>* grown)
      : order_(order), by_cores_(by_cores), children_(start, order, by_cores), start_(start), grown_(grown) {
    if (grown_ != nullptr) work_ = least_work(start, order, by_cores);
  }

  // True if a complete mapping was found. Otherwise the expansions are used up, and the path is that of the
  // deepest leaf.
  bool grow(std::size_t limit, double expansions, Counts& counts) {
    active_.clear();
    vertices_.clear();
    states_.clear();
    idle_states_.clear();
    ages_ = 0;
    if (grown_ != nullptr) first_ = grown_->size(), ++attempt_;
    Leaf parent{};
    for (double expanded = 0; parent.depth < order_.size(); ++expanded) {
      if (expanded == expansions) {
        end_ = deepest(parent);
        return false;
      }
      if (grown_ != nullptr && parent.age > 0)
        listed(parent).expanded = static_cast<std::uint32_t>(expanded) + 1;
      did_work(300 + 20 * start_.problem().machines);  // an estimate for each machine
      expand(parent, limit, counts);
      ++counts.expanded;
      parent = *active_.begin();
      active_.erase(active_.begin());
    }
    end_ = parent;
    return true;
  }

  // The machines of the first tasks of the order, along the path.
  std::vector<std::uint32_t> path() const {
    std::vector<std::uint32_t> machines(end_.depth);
    Vertex at = end_.vertex;
    for (std::size_t i = end_.depth; i-- > 0; at = vertices_[at.parent]) machines[i] = at.machine;
    return machines;
  }
  std::size_t active() const { return active_.size(); }
  // Marks the vertices of the path in the list.
  void mark_path() {
    if (end_.age == 0) return;
    for (std::size_t at = first_ + end_.age - 1; at != kUnmapped; at = (*grown_)[at].parent)
      (*grown_)[at].taken = true;
  }

 private:
  struct Vertex {
    std::uint32_t parent, machine;
  };
  struct Leaf {
    double f;
    std::uint64_t age;  // its number among all leaves created
    std::uint32_t depth;
    std::uint32_t state;  // that of its parent
    Vertex vertex;

    friend bool operator<(const Leaf& a, const Leaf& b) {
      if (a.f != b.f) return a.f < b.f;
      if (a.depth != b.depth) return a.depth > b.depth;
      return a.age < b.age;
    }
  };
  struct State {
    MachineTimes times;
    std::uint32_t users;  // active children, and the expansion that makes them
  };

  void expand(const Leaf& parent, std::size_t limit, Counts& counts) {
    const std::uint32_t state = state_of(parent);
    const std::span<const double> f = children_.value(states_[state].times, parent.depth);
    const std::uint32_t task = order_[parent.depth];
    const auto vertex = static_cast<std::uint32_t>(vertices_.size());
    vertices_.push_back(parent.vertex);
    bool any = false;
    for (std::uint32_t m = 0; m < f.size(); ++m) {
      if (!(states_[state].times.completion(task, m) < kInfinity)) continue;
      add({f[m], ++ages_, parent.depth + 1, state, {vertex, m}}, limit, counts);
      if (grown_ != nullptr) list(parent, m, f[m], states_[state].times);
      any = true;
    }
    // A task that can no longer end in finite time is left out.
    if (!any) {
      add({parent.f, ++ages_, parent.depth + 1, state, {vertex, kUnmapped}}, limit, counts);
      if (grown_ != nullptr) list(parent, kUnmapped, parent.f, states_[state].times);
    }
    release(state);
  }

  TreeVertex& listed(const Leaf& leaf) { return (*grown_)[first_ + leaf.age - 1]; }
  void list(const Leaf& parent, std::uint32_t machine, double f, const MachineTimes& before) {
    MachineTimes times = before;
    if (machine != kUnmapped) times.assign(order_[parent.depth], machine);
    const Worth worth = worth_of(times, order_, parent.depth + 1, work_[parent.depth + 1], by_cores_);
    grown_->push_back(
        {.attempt = attempt_,
         .parent = parent.age > 0 ? static_cast<std::uint32_t>(first_ + parent.age - 1) : kUnmapped,
         .depth = parent.depth + 1,
         .task = order_[parent.depth],
         .machine = machine,
         .g = worth.g,
         .h1 = worth.h1,
         .h2 = worth.h2,
         .f = f});
  }

  void add(const Leaf& child, std::size_t limit, Counts& counts) {
    if (limit > 0 && active_.size() >= limit) {
      const Leaf& last = *active_.rbegin();
      const auto worst = active_.lower_bound({last.f, 0, last.depth, 0, {}});
      if (grown_ != nullptr) listed(*worst).dropped = true;
      release(worst->state);
      active_.erase(worst);
      ++counts.pruned;
    }
    active_.insert(child);
    ++states_[child.state].users;
    ++counts.created;
  }

  std::uint32_t state_of(const Leaf& leaf) {
    if (idle_states_.empty()) {
      idle_states_.push_back(static_cast<std::uint32_t>(states_.size()));
      states_.push_back({start_, 0});
    }
    const std::uint32_t state = idle_states_.back();
    idle_states_.pop_back();
    states_[state].users = 1;
    if (leaf.depth == 0) return state;
    states_[state].times = states_[leaf.state].times;
    const std::uint32_t machine = leaf.vertex.machine;
    if (machine != kUnmapped) states_[state].times.assign(order_[leaf.depth - 1], machine);
    release(leaf.state);
    return state;
  }
  void release(std::uint32_t state) {
    if (--states_[state].users == 0) idle_states_.push_back(state);
  }

  // Ties: the smallest f, then the oldest.
  Leaf deepest(const Leaf& waiting) const {
    Leaf found = waiting;
    for (const Leaf& leaf : active_)
      if (leaf.depth > found.depth || (leaf.depth == found.depth && leaf < found)) found = leaf;
    return found;
  }

  std::span<const std::uint32_t> order_;
  bool by_cores_;
  Children children_;
  MachineTimes start_;
  std::vector<TreeVertex>* grown_;
  std::size_t first_ = 0;  // of this attempt in grown_
  std::uint32_t attempt_ = 0;
  std::vector<double> work_;  // least_work, for the list
  std::pmr::unsynchronized_pool_resource memory_;
  std::pmr::set<Leaf> active_{&memory_};
  std::vector<Vertex> vertices_;  // expanded
  std::vector<State> states_;     // of vertices that were expanded and have active children
  std::vector<std::uint32_t> idle_states_;
  std::uint64_t ages_ = 0;
  Leaf end_{};
};

class AStar final : public MapperOf<AStar>, public GrowsTree {
 public:
  explicit AStar(const AStarOptions& options) : options_(options) {}

  void reseed(const Stream& stream) override { random_ = SplitMix64(stream.seed()); }

  void map(const MappingProblem& problem, Mapping& out) override { search(problem, out, nullptr); }

  std::vector<TreeVertex> tree(const MappingProblem& problem) override {
    std::vector<TreeVertex> grown;
    Mapping out;
    search(problem, out, &grown);
    return grown;
  }

  void explain(const MappingProblem& given, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    std::vector<double> ready;
    const MappingProblem problem = from_now(given, ready);
    const MachineTimes before = before_step(problem, answer, task, out);
    if (out.number == 0) return;
    MachineTimes times = before;
    const std::vector<double> work = least_work(MachineTimes(problem), answer.order, options_.by_cores);
    compare_machines(before, task, "f = g + max(h1, h2), s", Prefer::neither,
                     [&](std::size_t m) {
                       times.assign(task, m);
                       const Worth worth =
                           worth_of(times, answer.order, out.number, work[out.number], options_.by_cores);
                       times.restore(m, before);
                       return worth.f();
                     },
                     out, {});
    out.rule =
        "of all leaves of the tree the one of the least f is "
        "continued; these are of one vertex, on the way to the answer";
    if (std::ranges::find(answer.search.counts, std::pair<std::string_view, double>("truncated", 1)) !=
        answer.search.counts.end())
      out.rule += "; its expansions used up, its deepest leaf was completed by mct";
  }

 private:
  // Cores count as ready no earlier than now, so that no blank time lies in the past.
  static MappingProblem from_now(const MappingProblem& given, std::vector<double>& ready) {
    MappingProblem problem = given;
    ready.assign(problem.ready.begin(), problem.ready.end());
    for (double& each : ready) each = std::max(each, problem.now);
    problem.ready = ready;
    return problem;
  }

  void search(const MappingProblem& given, Mapping& out, std::vector<TreeVertex>* grown) {
    std::vector<double> ready;
    const MappingProblem problem = from_now(given, ready);
    start_mapping(problem, out);
    MachineTimes times(problem);
    std::vector<std::uint32_t> order;
    for (const std::uint32_t task : all_tasks(problem))
      if (times.best(task).value < kInfinity) order.push_back(task);
    // Fisher-Yates with SplitMix64 from the seed, so that other programs can draw the same order.
    if (options_.order == TreeOrder::random) random_.shuffle(order);

    double attempts = 1;
    std::size_t limit = options_.limit;
    bool truncated = false;
    Tree::Counts counts;
    if (!order.empty()) {
      Tree tree(times, order, options_.by_cores, grown);
      const double expansions = options_.max_expansions > 0
                                    ? options_.max_expansions * static_cast<double>(order.size())
                                    : kInfinity;
      for (;; ++attempts) {
        if (tree.grow(limit, expansions, counts)) break;
        truncated = limit > 0 && limit <= std::max<std::size_t>(problem.machines, 2);
        if (truncated) break;
        const std::size_t leaves = limit > 0 ? limit : tree.active();
        limit = std::max({problem.machines, leaves / 2, std::size_t{2}});
      }
      if (grown != nullptr) tree.mark_path();
      const std::vector<std::uint32_t> path = tree.path();
      for (std::size_t i = 0; i < order.size(); ++i) {
        std::uint32_t machine = i < path.size() ? path[i] : kUnmapped;
        if (i >= path.size()) {
          const Smallest best = times.best(order[i]);
          if (best.value < kInfinity) machine = best.at;
        }
        if (machine != kUnmapped) assign(times, out, order[i], machine);
      }
    }
    out.search.curve = {out.makespan};
    out.search.counts = {{"attempts", attempts},      {"limit", static_cast<double>(limit)},
                         {"created", counts.created}, {"expanded", counts.expanded},
                         {"pruned", counts.pruned},   {"truncated", truncated ? 1 : 0}};
  }

  std::vector<std::uint32_t> all_tasks(const MappingProblem& problem) const {
    if (options_.order == TreeOrder::shortest || options_.order == TreeOrder::longest)
      return by_length(problem, options_.order == TreeOrder::longest);
    std::vector<std::uint32_t> tasks(problem.tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i] = static_cast<std::uint32_t>(i);
    return tasks;
  }

  AStarOptions options_;
  SplitMix64 random_;
};

}  // namespace

Entry a_star() {
  return {
      .name = "a_star",
      .family = Family::mapping,
      .role = Role::mapper,
      .summary = "A*: the most promising partial mapping is continued, in a tree of limited size",
      .source = "IRMaSim thesis, sections 3.6 and 4.5; Braun et al. 2001",
      .complexity = "O(T M + M^2) an expansion",
      .ties = "continued: deepest, then oldest; dropped: least deep, then oldest",
      .parameters =
          {{.name = "max_tree_nodes",
            .type = ParameterType::integer,
            .summary = "active leaves, 2 at least; 0 = any number",
            .fallback = 128.0,
            .min = 0,
            .max = 1e9},
           {.name = "max_expansions",
            .type = ParameterType::integer,
            .summary = "expansions per task, after which it begins anew with half the leaves; 0 = any number",
            .fallback = 64.0,
            .min = 0},
           {.name = "order",
            .type = ParameterType::choice,
            .summary = "of the tasks: as given, by declared time, or drawn",
            .fallback = "submission",
            .choices = {"submission", "shortest", "longest", "random"}},
           {.name = "h2",
            .type = ParameterType::choice,
            .summary =
                "what shares the remaining work where machines have cores: nodes as IRMaSim has it, or cores",
            .fallback = "nodes",
            .choices = {"nodes", "cores"}}},
      .check =
          [](const Arguments& given) {
            if (given.number("max_tree_nodes") == 1)
              fail("bad_parameter", "a_star: max_tree_nodes must be 0 or at least 2, got 1");
          },
      .make_mapper =
          [](const Arguments& given) {
            const std::string& order = given.choice("order");
            return std::make_unique<AStar>(
                AStarOptions{.limit = static_cast<std::size_t>(given.number("max_tree_nodes")),
                             .max_expansions = given.number("max_expansions"),
                             .order = order == "shortest"  ? TreeOrder::shortest
                                      : order == "longest" ? TreeOrder::longest
                                      : order == "random"  ? TreeOrder::random
                                                           : TreeOrder::submission,
                             .by_cores = given.choice("h2") == "cores"});
          }};
}

}  // namespace perigee::mapping
