// Tabu search: short hops, each to a better mapping by moving one or two tasks, until there is none. Then a
// long hop leads to a random mapping far from all that were reached in this way.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837. A scan looks at all pairs of tasks i < j, and for each
// at all pairs of machines, ascending. It takes the first change that makes the makespan smaller and begins
// again. A long hop differs from each mapping of the tabu list in at least half of the tasks that have a
// choice. If 1000 draws find no such mapping, the search is over. Hops of both kinds are counted. Vectors run
// in input order.
//
// Cost: at most O(T^2 M^2) pairs of moves a scan for T tasks, M machines. Only tasks of the latest machine
// are worth moving, and only to machines that would end before it. In most cases this leaves O(T^2 / M)
// pairs.
//
// Ties: lowest tasks, then lowest machines; the first of equal makespans is kept.
#include <algorithm>
#include <array>
#include <utility>

#include "runtime/kernel/work.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/improver.h"

namespace perigee::mapping {
namespace {

constexpr int kDraws = 1000;

// The short hops from a mapping. The end of a machine never falls when it gets a task, nor rises when it
// loses one, in floating-point numbers too. So a machine that ends last has to lose a task, and all machines
// that change have to end before it.
class ShortHops {
 public:
  explicit ShortHops(Assignments& space)
      : space_(space),
        machines_(space.problem().machines),
        on_(machines_),
        version_(machines_, 0),
        with_(space.problem().tasks * machines_),
        without_(space.problem().tasks),
        targets_(space.problem().tasks),
        scan_of_targets_(space.problem().tasks, 0) {}

  void start(Assignment& now) {
    now_ = &now;
    for (std::size_t m = 0; m < machines_; ++m) {
      on_[m].clear();
      version_[m] = ++versions_;
    }
    for (const std::uint32_t task : space_.tasks()) on_[now.machine[task]].push_back(task);
  }

  // Takes the first pair of moves that makes the makespan smaller; false when there is none.
  bool hop() {
    ++scan_;
    last_.clear();
    for (std::uint32_t m = 0; m < machines_; ++m)
      if (now_->ends[m] == now_->makespan) last_.push_back(m);
    if (last_.size() > 2) return false;
    const std::vector<std::uint32_t>& tasks = space_.tasks();
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const std::uint32_t a = now_->machine[tasks[i]];
      const bool of_last = std::ranges::find(last_, a) != last_.end();
      if (last_.size() == 1 && of_last) {
        for (std::size_t j = i + 1; j < tasks.size(); ++j)
          if (try_pair(tasks[i], tasks[j])) return true;
      } else if (last_.size() == 1 || of_last) {
        const std::vector<std::uint32_t>& others = on_[last_[0] != a ? last_[0] : last_[1]];
        for (auto j = std::ranges::upper_bound(others, tasks[i]); j != others.end(); ++j)
          if (try_pair(tasks[i], *j)) return true;
      }
    }
    return tasks.size() == 1 && try_alone(tasks[0]);
  }

 private:
  struct Known {
    double end = 0;
    std::uint64_t version = 0;  // of the machine: that for which it holds
  };

  double with(std::uint32_t task, std::uint32_t machine) {
    Known& known = with_[std::size_t{task} * machines_ + machine];
    if (known.version != version_[machine])
      known = {end_with(machine, {}, std::span(&task, 1)), version_[machine]};
    return known.end;
  }
  double without(std::uint32_t task) {
    const std::uint32_t machine = now_->machine[task];
    Known& known = without_[task];
    if (known.version != version_[machine])
      known = {end_with(machine, std::span(&task, 1), {}), version_[machine]};
    return known.end;
  }
  // The end of the machine after it has lost and got these tasks.
  double end_with(std::uint32_t machine, std::span<const std::uint32_t> lost,
                  std::span<const std::uint32_t> got) {
    changed_list(on_[machine], lost, got, list_);
    return space_.end(machine, list_);
  }

  // The machines on which the task would end before the makespan, added to the tasks that are there.
  const std::vector<std::uint32_t>& targets(std::uint32_t task) {
    if (scan_of_targets_[task] == scan_) return targets_[task];
    scan_of_targets_[task] = scan_;
    targets_[task].clear();
    for (const std::uint32_t machine : space_.choices(task))
      if (machine != now_->machine[task] && with(task, machine) < now_->makespan)
        targets_[task].push_back(machine);
    return targets_[task];
  }
  // The targets of the task, its own machine, and `other`, which may lose a task.
  void places(std::uint32_t task, std::uint32_t other, std::vector<std::uint32_t>& out) {
    out = targets(task);
    for (const std::uint32_t machine : {now_->machine[task], other}) {
      const auto at = std::ranges::lower_bound(out, machine);
      if ((at == out.end() || *at != machine) && std::ranges::binary_search(space_.choices(task), machine))
        out.insert(at, machine);
    }
  }

  bool try_pair(std::uint32_t i, std::uint32_t j) {
    const std::uint32_t a = now_->machine[i], b = now_->machine[j];
    places(i, b, places_i_);
    places(j, a, places_j_);
    for (const std::uint32_t to_i : places_i_)
      for (const std::uint32_t to_j : places_j_)
        if (better(i, to_i, j, to_j)) {
          take(i, to_i);
          take(j, to_j);
          now_->makespan = *std::ranges::max_element(now_->ends);
          return true;
        }
    return false;
  }
  // Tries to move one task alone, after no pair was found.
  bool try_alone(std::uint32_t task) {
    if (targets(task).empty() || !(without(task) < now_->makespan)) return false;
    take(task, targets(task)[0]);
    now_->makespan = *std::ranges::max_element(now_->ends);
    return true;
  }

  bool better(std::uint32_t i, std::uint32_t to_i, std::uint32_t j, std::uint32_t to_j) {
    did_work(4);
    const std::uint32_t a = now_->machine[i], b = now_->machine[j];
    for (const std::uint32_t machine : last_)
      if (!(machine == a && to_i != a) && !(machine == b && to_j != b)) return false;
    const std::array machines{a, to_i, b, to_j};
    for (auto at = machines.begin(); at != machines.end(); ++at) {
      const std::uint32_t machine = *at;
      if (std::find(machines.begin(), at, machine) != at) continue;
      const bool loses_i = machine == a && to_i != a, loses_j = machine == b && to_j != b;
      const bool gets_i = machine == to_i && to_i != a, gets_j = machine == to_j && to_j != b;
      const int changes = loses_i + loses_j + gets_i + gets_j;
      if (changes == 0) continue;
      double end = 0;
      if (changes > 1) {
        const std::array both{i, j};
        const auto chosen = [&](bool with_i, bool with_j) {
          return std::span(both).subspan(with_i ? 0 : 1, std::size_t{with_i} + std::size_t{with_j});
        };
        end = end_with(machine, chosen(loses_i, loses_j), chosen(gets_i, gets_j));
      } else if (loses_i || loses_j) {
        end = without(loses_i ? i : j);
      } else {
        end = with(gets_i ? i : j, machine);
      }
      if (!(end < now_->makespan)) return false;
    }
    return true;
  }

  void take(std::uint32_t task, std::uint32_t machine) {
    const std::uint32_t from = now_->machine[task];
    if (from == machine) return;
    now_->machine[task] = machine;
    std::erase(on_[from], task);
    on_[machine].insert(std::ranges::upper_bound(on_[machine], task), task);
    for (const std::uint32_t changed : {from, machine}) {
      version_[changed] = ++versions_;
      now_->ends[changed] = space_.end(changed, on_[changed]);
    }
  }

  Assignments& space_;
  std::size_t machines_;
  Assignment* now_ = nullptr;
  std::vector<std::vector<std::uint32_t>> on_;  // tasks per machine, ascending
  std::vector<std::uint64_t> version_;          // per machine: another one whenever its tasks change
  std::uint64_t versions_ = 0;
  std::vector<Known> with_, without_;  // ends of machines with or without a task
  std::vector<std::vector<std::uint32_t>> targets_;
  std::vector<std::uint64_t> scan_of_targets_;  // per task: the scan for which they hold
  std::uint64_t scan_ = 0;
  std::vector<std::uint32_t> last_;  // the machines that end last
  std::vector<std::uint32_t> places_i_, places_j_, list_;
};

class Tabu final : public ImproverOf<Tabu> {
 public:
  explicit Tabu(double hops) : hops_(hops) {}

  void reseed(const Stream& stream) override { stream_ = stream; }

 private:
  Assignment search(Assignments& space, const Assignment* start, Search& found) override {
    double short_hops = 0, long_hops = 0;
    Assignment now, best;
    if (!space.tasks().empty()) {
      if (start != nullptr)
        now = *start;
      else
        space.draw(now, stream_);
      best = now;
      found.curve.push_back(best.makespan);
      ShortHops around(space);
      around.start(now);
      std::vector<std::vector<std::uint32_t>> reached;  // the tabu list
      while (short_hops + long_hops < hops_ && best.makespan > space.bound()) {
        if (around.hop()) {
          ++short_hops;
        } else {
          reached.push_back(now.machine);
          if (!draw_far(space, reached, now)) break;
          around.start(now);
          ++long_hops;
        }
        if (now.makespan < best.makespan) best = now;
        found.curve.push_back(best.makespan);
      }
    }
    found.counts = {{"short_hops", short_hops}, {"long_hops", long_hops}};
    return best;
  }

  bool draw_far(Assignments& space, const std::vector<std::vector<std::uint32_t>>& reached, Assignment& out) {
    const auto choosy = std::ranges::count_if(
        space.tasks(), [&](std::uint32_t task) { return space.choices(task).size() > 1; });
    if (choosy == 0) return false;
    for (int draw = 0; draw < kDraws; ++draw) {
      space.draw(out, stream_);
      const bool far = std::ranges::all_of(reached, [&](const std::vector<std::uint32_t>& other) {
        std::ptrdiff_t differences = 0;
        for (std::size_t task = 0; task < other.size(); ++task)
          differences += other[task] != out.machine[task];
        return 2 * differences >= choosy;
      });
      if (far) return true;
    }
    return false;
  }

  double hops_;
  Stream stream_{0, "tabu"};
};

}  // namespace

Entry tabu() {
  return {.name = "tabu",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary =
              "tabu search: moves of one or two tasks while they help, then a jump away from what is known",
          .source = "Braun et al. 2001",
          .complexity = "O(T^2 M^2) a hop at most",
          .ties = "lowest tasks, then lowest machines; the first of equal makespans",
          .parameters = {{.name = "hops",
                          .type = ParameterType::integer,
                          .summary = "short and long hops after which it ends",
                          .fallback = 1200.0,
                          .min = 1}},
          .improves = true,
          .make_mapper = [](const Arguments& given) { return std::make_unique<Tabu>(given.number("hops")); }};
}

}  // namespace perigee::mapping
