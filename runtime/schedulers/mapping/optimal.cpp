// The optimum: a mapping of least makespan, by branch and bound.
//
// Source: Land, Doig, Econometrica 28(3), 1960 (the method). Tasks are placed in one order, those of much work first.
// Where all take one core, each core is a machine of its own, and only the machine of a task is chosen. Else the
// order on a machine matters too, and any task may be the next: every schedule without preemption is reached by some
// order, as each task takes the cores that are free first. Steps on two machines are then tried in one order only.
//
// Bounds: the latest end, and sums over the cores weighted by w, sum w = 1, as no core ends after the makespan: what
// the cores have done, and for each task left the least w * work of a machine. One w is equal for all cores; another
// one is raised at first where a relaxed mapping loads a machine more than others (the Lagrangian dual of the linear
// relaxation: Fisher, Management Science 27(1), 1981). Only one order is tried of machines that are equal in what
// they have done and can do, and of tasks that are equal.
//
// Cost: exponential; O(M log M) a node for M machines, in place of M the tasks left times M where orders matter.
//
// Ties: the first found when each task tries the machines by its end there, then by index. A makespan has to be less
// by a part of 1e-12 to count as less.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cost/greedy.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/work.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {
namespace {

constexpr double kSlack = 1e-12;      // of a makespan: rounding of sums is less
constexpr std::size_t kWeights = 2;   // the equal ones and the raised ones
constexpr int kRaises = 40;           // of the weights
constexpr std::size_t kFewTasks = 6;  // so few are placed in all ways before weights are raised

// A place for tasks: a machine, or a core of it where all tasks take one core.
struct Unit {
  std::uint32_t machine;
  std::size_t first, cores;  // its cores among all
  std::uint32_t alike;       // the first unit that can do the same
};

class Optimum {
 public:
  Optimum(const MappingProblem& problem, double nodes) : problem_(problem), most_nodes_(nodes) {
    list_units();
    list_tasks();
    weigh();
  }

  // Errors: "too_many_nodes".
  void run(Mapping& out) {
    if (!tasks_.empty()) search(out);
    write(out);
    out.search.counts = {{"nodes", nodes_}};
  }

 private:
  using Weighted = std::array<double, kWeights>;

  struct Task {
    std::uint32_t task, width;
    double work = 0;                 // the least of all machines, s times cores
    std::uint32_t like = kUnmapped;  // the last equal one before it, by position
  };
  struct Step {
    std::uint32_t position = 0, unit = 0;
    double end = 0;
  };
  // A partial mapping: the steps that may come next, and how the last one changed its unit.
  struct Level {
    std::size_t next, saved;  // in steps_: the next one to try; in saved_: the cores of `last` before it
    double latest;
    Weighted sums;  // of the cores
    Weighted left;  // of the tasks left
    Step last;
  };

  double time(const Task& task, const Unit& unit) const { return problem_.time(task.task, unit.machine); }
  double end(const Task& task, const Unit& unit) const {
    return task.width > unit.cores ? kInfinity : free_[unit.first + task.width - 1] + time(task, unit);
  }

  void list_units() {
    orders_matter_ = false;
    if (problem_.has_cores())
      for (std::size_t task = 0; task < problem_.tasks; ++task)
        orders_matter_ = orders_matter_ || problem_.width_of(task) > 1;
    for (std::uint32_t machine = 0; machine < problem_.machines; ++machine) {
      const std::uint32_t cores = problem_.cores(machine), units = orders_matter_ ? 1 : cores;
      for (std::uint32_t i = 0; i < units; ++i) {
        const std::size_t first = problem_.has_cores() ? problem_.first_core[machine] + i : machine;
        units_.push_back({machine, first, cores / units, static_cast<std::uint32_t>(units_.size())});
        const auto same = std::ranges::find_if(
            units_, [&](const Unit& other) { return can_do_the_same(other, units_.back()); });
        units_.back().alike = same->alike;
      }
    }
    const MachineTimes start(problem_);
    for (std::size_t machine = 0; machine < problem_.machines; ++machine)
      for (const double free : start.free(machine))
        free_.push_back(problem_.has_cores() ? std::max(free, problem_.now) : free);
  }
  bool can_do_the_same(const Unit& a, const Unit& b) const {
    if (a.machine == b.machine) return true;
    if (a.cores != b.cores) return false;
    for (std::size_t task = 0; task < problem_.tasks; ++task)
      if (problem_.time(task, a.machine) != problem_.time(task, b.machine)) return false;
    return true;
  }

  void list_tasks() {
    for (std::uint32_t task = 0; task < problem_.tasks; ++task) {
      Task each{task, problem_.width_of(task)};
      double least = kInfinity;
      bool can_end = false;
      for (const Unit& unit : units_) {
        can_end = can_end || end(each, unit) < kInfinity;
        if (each.width <= unit.cores) least = std::min(least, time(each, unit));
      }
      each.work = least * each.width;
      if (can_end) tasks_.push_back(each);
    }
    std::ranges::stable_sort(tasks_, std::ranges::greater(), &Task::work);
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      for (std::size_t j = i; j-- > 0 && tasks_[j].work == tasks_[i].work;)
        if (are_equal(tasks_[j], tasks_[i])) {
          tasks_[i].like = static_cast<std::uint32_t>(j);
          break;
        }
  }
  bool are_equal(const Task& a, const Task& b) const {
    const auto row = [&](const Task& each) {
      return problem_.etc.subspan(each.task * problem_.machines, problem_.machines);
    };
    return a.width == b.width && std::ranges::equal(row(a), row(b));
  }

  // The least weighted work of the task on a machine, and the unit.
  std::pair<double, std::size_t> least(const Task& task, const std::vector<double>& weight) const {
    std::pair<double, std::size_t> found{kInfinity, 0};
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (task.width > units_[u].cores || !(time(task, units_[u]) < kInfinity)) continue;
      const double work = weight[u] * task.width * time(task, units_[u]);
      if (work < found.first) found = {work, u};
    }
    return found;
  }
  void weigh() {
    std::vector<double> weight(units_.size(), 1 / static_cast<double>(free_.size()));
    weights_.assign(kWeights, weight);
    const int raises = tasks_.size() > kFewTasks ? kRaises : 0;
    did_work((1 + static_cast<std::size_t>(raises)) * tasks_.size() * units_.size());
    double best = -1;
    std::vector<double> load(units_.size());
    for (int raise = 0; raise < raises; ++raise) {
      double bound = 0, mean = 0;
      for (std::size_t u = 0; u < units_.size(); ++u) {
        load[u] = 0;
        for (std::size_t i = 0; i < units_[u].cores; ++i) load[u] += free_[units_[u].first + i];
        bound += weight[u] * load[u];
      }
      for (const Task& task : tasks_) {
        const auto [work, unit] = least(task, weight);
        bound += work;
        load[unit] += task.width * time(task, units_[unit]);
      }
      if (bound > best) {
        best = bound;
        weights_[1] = weight;
      }
      for (std::size_t u = 0; u < units_.size(); ++u) mean += weight[u] * load[u];
      if (!(mean > 0 && mean < kInfinity)) break;
      const double by = 0.5 / (1 + 0.2 * raise);
      double sum = 0;
      for (std::size_t u = 0; u < units_.size(); ++u) {
        const auto cores = static_cast<double>(units_[u].cores);
        weight[u] *= 1 + by * std::clamp(load[u] / cores / mean - 1, -1.0, 1.0);
        sum += weight[u] * cores;
      }
      for (double& each : weight) each /= sum;
    }
    for (std::size_t k = 0; k < kWeights; ++k) {
      least_[k].resize(tasks_.size());
      for (std::size_t i = 0; i < tasks_.size(); ++i) least_[k][i] = least(tasks_[i], weights_[k]).first;
    }
  }

  void search(Mapping& out) {
    is_placed_.assign(tasks_.size(), 0);
    chosen_.clear();
    Level root{.next = 0, .saved = 0, .latest = out.makespan, .sums = {}, .left = {}, .last = {}};
    for (std::size_t k = 0; k < kWeights; ++k) {
      for (std::size_t u = 0; u < units_.size(); ++u)
        for (std::size_t i = 0; i < units_[u].cores; ++i)
          root.sums[k] += weights_[k][u] * free_[units_[u].first + i];
      root.left[k] = std::accumulate(least_[k].begin(), least_[k].end(), 0.0);
    }
    open(root);
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.next == first_steps_.back()) {
        close();
        continue;
      }
      const Step step = steps_[--level.next];
      if (step.end < limit_) go(step, out);
    }
  }

  // Makes the level the last one, and lists its steps from the last one to the first.
  void open(const Level& level) {
    levels_.push_back(level);
    first_steps_.push_back(steps_.size());
    const auto depth = static_cast<std::uint32_t>(levels_.size() - 1);
    if (orders_matter_) {
      for (std::uint32_t position = static_cast<std::uint32_t>(tasks_.size()); position-- > 0;)
        if (is_placed_[position] == 0) list(position);
    } else {
      list(depth);
    }
    levels_.back().next = steps_.size();
  }
  void list(std::uint32_t position) {
    const Task& task = tasks_[position];
    if (orders_matter_ && task.like != kUnmapped && is_placed_[task.like] == 0) return;
    did_work(units_.size());
    const std::size_t first = steps_.size();
    for (std::uint32_t u = 0; u < units_.size(); ++u) {
      if (!orders_matter_ && task.like != kUnmapped && u < chosen_[task.like].unit) continue;
      const double over = end(task, units_[u]);
      if (!(over < limit_) || is_like_one_before(u)) continue;
      if (orders_matter_ && !chosen_.empty() && position < chosen_.back().position &&
          u != chosen_.back().unit)
        continue;
      steps_.push_back({position, u, over});
    }
    std::sort(steps_.begin() + static_cast<std::ptrdiff_t>(first), steps_.end(),
              [](const Step& a, const Step& b) { return a.end != b.end ? a.end > b.end : a.unit > b.unit; });
  }
  bool is_like_one_before(std::uint32_t u) const {
    const auto cores = [&](const Unit& unit) { return std::span(free_).subspan(unit.first, unit.cores); };
    for (std::uint32_t before = units_[u].alike; before < u; ++before)
      if (units_[before].alike == units_[u].alike &&
          std::ranges::equal(cores(units_[before]), cores(units_[u])))
        return true;
    return false;
  }

  void go(const Step& step, Mapping& out) {
    if (++nodes_ > most_nodes_)
      fail("too_many_nodes", "optimal: {} tasks on {} machines: there is no end after {} nodes{}",
           problem_.tasks, problem_.machines, format_number(most_nodes_),
           is_found() ? fmt::format("; the best mapping so far takes {} s", format_number(best_)) : "");
    const Task& task = tasks_[step.position];
    const Unit& unit = units_[step.unit];
    Level level = levels_.back();
    level.last = step;
    level.latest = std::max(level.latest, step.end);
    // The core-seconds until then, of work and of waiting.
    double more = task.width * step.end;
    for (std::size_t i = 0; i < task.width; ++i) more -= free_[unit.first + i];
    double bound = level.latest;
    for (std::size_t k = 0; k < kWeights; ++k) {
      level.sums[k] += weights_[k][step.unit] * more;
      level.left[k] -= least_[k][step.position];
      bound = std::max(bound, level.sums[k] + level.left[k]);
    }
    if (!(bound < limit_)) return;
    chosen_.push_back(step);
    if (chosen_.size() == tasks_.size()) {
      best_ = level.latest;
      limit_ = best_ * (1 - kSlack);
      best_steps_ = chosen_;
      out.search.curve.push_back(best_);
      chosen_.pop_back();
      return;
    }
    level.saved = saved_.size();
    const auto cores = std::span(free_).subspan(unit.first, unit.cores);
    saved_.insert(saved_.end(), cores.begin(), cores.end());
    const auto rest = cores.begin() + task.width, later = std::lower_bound(rest, cores.end(), step.end);
    std::fill(std::move(rest, later, cores.begin()), later, step.end);
    is_placed_[step.position] = 1;
    open(level);
  }
  void close() {
    const Level& level = levels_.back();
    if (!chosen_.empty()) {
      const auto cores = std::span(free_).subspan(units_[level.last.unit].first);
      std::copy(saved_.begin() + static_cast<std::ptrdiff_t>(level.saved), saved_.end(), cores.begin());
      saved_.resize(level.saved);
      is_placed_[level.last.position] = 0;
      chosen_.pop_back();
    }
    steps_.resize(first_steps_.back());
    first_steps_.pop_back();
    levels_.pop_back();
  }

  bool is_found() const { return best_ < kInfinity; }

  void write(Mapping& out) {
    if (!is_found()) {  // no task, or none of the mappings ends in finite time
      std::vector<std::uint32_t> order;
      for (const Task& each : tasks_) order.push_back(each.task);
      map_in_order(problem_, order, out);
      out.search.curve = {out.makespan};
      return;
    }
    // One task after the other by when it begins on its core, so that it takes this one or one that is as good.
    std::vector<std::uint32_t> order, unit(problem_.tasks);
    for (const Step& step : best_steps_) {
      order.push_back(tasks_[step.position].task);
      unit[order.back()] = step.unit;
    }
    if (!orders_matter_) {
      std::ranges::sort(order);
      std::vector<double> begin(problem_.tasks);
      for (const std::uint32_t task : order) {
        double& free = free_[units_[unit[task]].first];
        begin[task] = free;
        free += problem_.time(task, units_[unit[task]].machine);
      }
      std::ranges::stable_sort(order, {}, [&](std::uint32_t task) { return begin[task]; });
    }
    MachineTimes times(problem_);
    for (const std::uint32_t task : order) assign(times, out, task, units_[unit[task]].machine);
    out.search.curve.back() = out.makespan;
  }

  const MappingProblem& problem_;
  double most_nodes_, nodes_ = 0;
  bool orders_matter_ = false;
  std::vector<Unit> units_;
  std::vector<Task> tasks_;                               // that can run somewhere
  std::vector<std::vector<double>> weights_;              // per unit: of each of its cores
  std::array<std::vector<double>, kWeights> least_ = {};  // per position: weighted work

  std::vector<double> free_;  // per core, ascending within a unit
  std::vector<Level> levels_;
  std::vector<Step> steps_;               // to try, of all levels
  std::vector<std::size_t> first_steps_;  // of each level
  std::vector<double> saved_;             // cores before they were taken
  std::vector<Step> chosen_, best_steps_;
  std::vector<std::uint8_t> is_placed_;
  double best_ = kInfinity, limit_ = kInfinity;  // a mapping counts if it ends before the limit
};

class Optimal final : public MapperOf<Optimal> {
 public:
  explicit Optimal(double nodes) : nodes_(nodes) {}
  void map(const MappingProblem& problem, Mapping& out) override {
    start_mapping(problem, out);
    Optimum(problem, nodes_).run(out);
  }

 private:
  double nodes_;
};

}  // namespace

Entry optimal() {
  return {
      .name = "optimal",
      .family = Family::mapping,
      .role = Role::mapper,
      .summary = "a mapping of least makespan; for a dozen tasks or so",
      .source = "Land, Doig 1960 (the method); Fisher 1981 (the bound)",
      .complexity = "exponential",
      .ties =
          "the first found when each task, those of much work first, tries the machine where it ends first",
      .parameters = {{.name = "nodes",
                      .type = ParameterType::integer,
                      .summary =
                          "tasks placed in the search, after which it is an error that there is no end",
                      .fallback = 1e7,
                      .min = 1}},
      .for_graphs =
          [](const Arguments& given) {
            return std::pair<std::string, std::map<std::string, Value>>(
                "branch_and_bound", {{"max_nodes", given.number("nodes")}});
          },
      .make_mapper = [](const Arguments& given) { return std::make_unique<Optimal>(given.number("nodes")); }};
}

}  // namespace perigee::mapping
