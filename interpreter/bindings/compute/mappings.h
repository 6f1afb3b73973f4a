// Mapping problems as arguments, and mappings as results.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/values/mappings.h"
#include "runtime/cost/graph_problem.h"

namespace perigee::bindings {

// An argument that is an etc matrix, a list of its rows, or a `problem`. A `problem` stands for its waiting
// tasks, or for those of them that `only` names; it cannot be changed while this object lives.
class ProblemArgument {
 public:
  ProblemArgument(lua_State* L, int index, std::string_view what,
                  std::optional<std::span<const std::uint32_t>> only = std::nullopt);
  ~ProblemArgument();
  ProblemArgument(const ProblemArgument&) = delete;
  ProblemArgument& operator=(const ProblemArgument&) = delete;

  const MappingProblem& problem() const { return problem_; }
  const ProblemValue* value() const { return value_; }  // null for a matrix
  void set_ready(std::vector<double> ready);            // for a matrix
  bool has(std::size_t task) const { return !rest_ || rest_->has(task); }
  // Adds a mapping of problem() to the assignments that the problem has already.
  Mapping join(Mapping mapping) const { return rest_ ? rest_->join(std::move(mapping)) : mapping; }

 private:
  std::shared_ptr<const EtcMatrix> etc_;
  std::vector<double> ready_;
  ProblemValue* value_ = nullptr;
  std::optional<Rest> rest_;
  MappingProblem problem_;
};

// A machine whose ready time is +inf takes no task: its times become +inf, and its ready time 0.
std::shared_ptr<const EtcMatrix> close_machines(std::shared_ptr<const EtcMatrix> etc,
                                                std::vector<double>& ready);
// The matrix whose list of rows is at `index`.
EtcMatrix etc_at(lua_State* L, int index);
// Pushes { machine, order, completion, makespan } and the findings of a search. The value false marks a task
// that has no machine.
void push_mapping(lua_State* L, const Mapping& mapping);
// Pushes { host, start, finish, order, makespan } of a graph's schedule. The value false marks a task that has no host.
void push_graph_plan(lua_State* L, const GraphPlan& plan);

}  // namespace perigee::bindings
