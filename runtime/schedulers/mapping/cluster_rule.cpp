// Source: Berman et al., LIP RR 1999-46, section 5.6.3 and Appendix C (completions at the level of clusters).
#include "runtime/schedulers/mapping/cluster_rule.h"

#include <algorithm>

#include "runtime/cost/explain.h"
#include "runtime/cost/greedy.h"

namespace perigee {

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

}  // namespace

GreedyKey ClusterRule::key(const MappingProblem& problem) const {
  return [this, &problem, times = std::vector<Time>()](const GreedyView& view, std::size_t task) mutable {
    cluster_completions(view, task, problem, times);
    return key_of_(times);
  };
}

void ClusterRule::map(const MappingProblem& problem, Mapping& out) {
  greedy_by_key(problem, key(problem), largest_, false, out);
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

}  // namespace perigee
