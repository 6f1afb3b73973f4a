// Parametric list scheduling: which ready task comes next, where it goes, and whether into gaps.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/kernel/clone_ptr.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::workflow {

enum class ListPriority : std::uint8_t {
  upward_rank,
  path_length,
  mean_oct,
  static_level,
  alap,
  topological
};
inline constexpr std::array<std::pair<std::string_view, ListPriority>, 6> kListPriorities{
    {{"upward_rank", ListPriority::upward_rank},
     {"path_length", ListPriority::path_length},
     {"mean_oct", ListPriority::mean_oct},
     {"static_level", ListPriority::static_level},
     {"alap", ListPriority::alap},
     {"topological", ListPriority::topological}}};
// Per task; the greatest comes first.
std::vector<double> list_priorities(const GraphCosts& costs, ListPriority priority,
                                    const RankOptions& options = {});

// Per task of the critical path the machine that is fastest for all of it; kUnmapped for others, and for all where no
// machine can run all of it.
std::vector<std::uint32_t> pinned_to_critical_path(const GraphCosts& costs, const RankOptions& options);
// Explains the place of a pinned task.
void explain_pinned(const GraphSchedule& before, std::size_t task, GraphStep& out);

enum class ListChoice : std::uint8_t { finish, start, time, free, finish_plus_oct };

struct ListSettings {
  ListPriority priority = ListPriority::upward_rank;
  ClonePtr<Rule> priority_rule =
      {};  // in place of it: asked about each task at first, the greatest comes first
  ListChoice choose = ListChoice::finish;
  ClonePtr<Rule> choose_rule =
      {};  // the same: asked about each machine that can run the task, the least wins
  GraphFit fit = GraphFit::insertion;
  bool pin_critical_path = false;  // to the machine that is fastest for it
  // The next task is that of the first so many ready ones that would lose most on its second-best machine; 1: the first.
  std::size_t top = 1;
  RankOptions ranks = {};
};

class ListScheduler final : public GraphSchedulerOf<ListScheduler> {
 public:
  explicit ListScheduler(ListSettings settings) : settings_(std::move(settings)) {}
  void schedule(const GraphProblem& problem, GraphPlan& out) override;
  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task, GraphStep& out) override;

 private:
  std::vector<double> priorities(const GraphView& view);
  // The machine of least value is chosen; +inf: it is not to be.
  void values(const GraphView& view, std::uint32_t task, std::vector<double>& out);
  std::uint32_t machine_for(const GraphView& view, std::uint32_t task);
  std::uint32_t next(const GraphView& view, PriorityTasks& ready);
  double loss(const GraphView& view, std::uint32_t task);

  ListSettings settings_;
  std::vector<std::uint32_t> pinned_;  // per task; kUnmapped = nowhere
  std::vector<double> values_;
};

}  // namespace perigee::workflow
