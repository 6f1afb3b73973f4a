// Source: Berman et al., LIP RR 1999-46, section 5.6.3 and Appendix C (completions at the level of clusters).
#include "runtime/schedulers/mapping/cluster_rule.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"
#include "runtime/cost/machine_times.h"
#include "runtime/kernel/work.h"

namespace perigee::mapping {

namespace {

void cluster_completions(const GreedyView& view, std::size_t task, const MappingProblem& problem,
                         std::vector<Time>& out) {
  out.clear();
  for (std::size_t m = 0; m < problem.machines; ++m) {
    const std::size_t cluster = problem.cluster_of(m);
    if (out.size() <= cluster) out.resize(cluster + 1, kNever);
    out[cluster] = std::min(out[cluster], view.completion(task, m));
  }
  std::erase(out, kNever);
  std::ranges::sort(out);
}

// The completions of each task in the clusters, kept sorted while machines are assigned. Each choice changes
// the completions in one cluster.
class ClusterCompletions {
 public:
  explicit ClusterCompletions(const MappingProblem& problem) : times_(problem), count_(problem.tasks, 0) {
    for (std::size_t m = 0; m < problem.machines; ++m) {
      const std::size_t cluster = problem.cluster_of(m);
      if (machines_.size() <= cluster) machines_.resize(cluster + 1);
      machines_[cluster].push_back(static_cast<std::uint32_t>(m));
    }
    sorted_.resize(problem.tasks * machines_.size());
    did_work(problem.tasks * problem.machines / 2);
    for (std::size_t t = 0; t < problem.tasks; ++t) {
      for (std::size_t c = 0; c < machines_.size(); ++c)
        if (const Time end = in(c, t); end < kNever) row(t)[count_[t]++] = end;
      std::sort(row(t), row(t) + count_[t]);
    }
  }

  // The finite completions of the task, ascending.
  std::span<const Time> of(std::size_t task) const {
    return {sorted_.data() + task * machines_.size(), count_[task]};
  }
  const MachineTimes& times() const { return times_; }

  void assign(std::size_t task, std::uint32_t machine, std::span<const std::uint32_t> waiting) {
    const std::size_t cluster = times_.problem().cluster_of(machine);
    did_work(waiting.size() * (2 + machines_[cluster].size() / 2));
    before_.clear();
    for (const std::uint32_t other : waiting) before_.push_back(in(cluster, other));
    times_.assign(task, machine);
    for (std::size_t i = 0; i < waiting.size(); ++i) replace(waiting[i], before_[i], in(cluster, waiting[i]));
  }

 private:
  Time* row(std::size_t task) { return sorted_.data() + task * machines_.size(); }
  Time in(std::size_t cluster, std::size_t task) const {
    Time least = kNever;
    for (const std::uint32_t m : machines_[cluster]) least = std::min(least, times_.completion(task, m));
    return least;
  }
  // Replaces a completion by a later one; completions only grow.
  void replace(std::size_t task, Time before, Time after) {
    if (!(before < after)) return;
    Time* const end = row(task) + count_[task];
    Time* at = std::lower_bound(row(task), end, before);
    for (; at + 1 < end && at[1] < after; ++at) at[0] = at[1];
    if (after < kNever)
      *at = after;
    else
      --count_[task];
  }

  MachineTimes times_;
  std::vector<std::vector<std::uint32_t>> machines_;  // per cluster
  std::vector<Time> sorted_;                          // tasks x clusters
  std::vector<std::uint32_t> count_;                  // per task: those of its row that are finite
  std::vector<Time> before_;
};

}  // namespace

GreedyKey ClusterRule::key(const MappingProblem& problem) const {
  return [this, &problem, times = std::vector<Time>()](const GreedyView& view, std::size_t task) mutable {
    cluster_completions(view, task, problem, times);
    return key_of_(times);
  };
}

void ClusterRule::map(const MappingProblem& problem, Mapping& out, Extent extent) {
  start_mapping(problem, out);
  const Starts starts(problem, extent);
  ClusterCompletions completions(problem);
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t t = 0; t < problem.tasks; ++t) waiting.push_back(t);
  for (;;) {
    std::erase_if(waiting, [&](std::uint32_t task) { return completions.of(task).empty(); });
    if (waiting.empty()) return;
    std::size_t chosen = waiting.size();
    double least = 0;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const double value = key_of_(completions.of(waiting[i])), key = largest_ ? -value : value;
      if (std::isnan(key)) fail("bad_key", "the key of task {} is not a number (nan)", waiting[i] + 1);
      if (chosen < waiting.size() && !(key < least)) continue;
      chosen = i;
      least = key;
    }
    const std::uint32_t task = waiting[chosen];
    const Smallest first = completions.times().best(task);
    record(out, task, first.at, completions.times().end(task, first.at));
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(chosen));
    completions.assign(task, first.at, waiting);
    if (starts.is_over([&](std::size_t m) { return completions.times().free(m).front(); })) return;
  }
}

void ClusterRule::explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                          MappingStep& out) {
  explain_greedy(problem, answer, task, key(problem), largest_, name_, out);
}

Entry cluster_rule_entry(std::string name, std::string summary, std::string source) {
  Entry entry;
  entry.name = std::move(name);
  entry.family = Family::mapping;
  entry.role = Role::mapper;
  entry.summary = std::move(summary);
  entry.source = std::move(source);
  entry.complexity = "O(T^2 M)";
  entry.ties = "lowest task position, then lowest machine index";
  return entry;
}

std::vector<Parameter> jump_parameters() {
  return {{.name = "jump",
           .type = ParameterType::choice,
           .summary =
               "where no step between clusters stands out: the largest one counts, none does, or the first",
           .fallback = "largest",
           .choices = {"largest", "none", "classic"}},
          {.name = "suff",
           .type = ParameterType::choice,
           .summary = "a task suffers by the height of its jump, or by the difference of the means of the "
                      "clusters before it and of those up to the next jump",
           .fallback = "jump",
           .choices = {"jump", "group"}}};
}

NoJump jump_of(const Arguments& given) {
  const std::string& word = given.choice("jump");
  return word == "none" ? NoJump::none : word == "classic" ? NoJump::classic : NoJump::largest;
}

Suffering suffering_of(const Arguments& given) {
  return given.choice("suff") == "group" ? Suffering::group : Suffering::jump;
}

}  // namespace perigee::mapping
