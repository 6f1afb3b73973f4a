// Branch and bound: a schedule of least makespan. Ready tasks, then machines, are tried in ascending order, each behind
// all that is on its machine; the answer is the first of the best that is found in this order.
//
// Bounds: each task left at its least finish behind those left before it, and the least computing behind it; and the
// work that is left, shared by all machines. Steps that can change places are tried in one order only.
//
// Source: Land, Doig, Econometrica 28(3), 1960 (the method).
// Cost: exponential. Ties: the first found.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "runtime/cost/graph_costs.h"
#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/kernel/constants.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/work.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::workflow {
namespace {

class GraphSearch {
 public:
  GraphSearch(const GraphProblem& problem, double max_nodes)
      : problem_(problem),
        costs_(problem),
        schedule_(problem, GraphFit::append),
        least_(costs_.mean_times(GraphMean::best)),
        behind_(problem.tasks(), 0),
        finish_(problem.tasks(), 0),
        max_nodes_(max_nodes) {
    for (std::size_t i = costs_.order().size(); i-- > 0;) {
      const std::uint32_t task = costs_.order()[i];
      if (!costs_.placeable(task)) continue;
      work_ += least_[task];
      ++left_;
      for (const GraphArc& arc : problem.arcs.behind(task))
        if (costs_.placeable(arc.task))
          behind_[task] = std::max(behind_[task], least_[arc.task] + behind_[arc.task]);
    }
    best_ = any_schedule();
  }

  void run(GraphPlan& out) {
    schedule_.write(out);  // of no task
    out_ = &out;
    if (left_ > 0) try_all(kUnmapped);
  }

 private:
  // The makespan of some schedule.
  double any_schedule() const {
    GraphSchedule schedule(problem_, GraphFit::append);
    place_by_priority(schedule, costs_.upward_rank(),
                      [&](std::uint32_t task) { schedule.place(task, schedule.least_finish(task).machine); });
    return schedule.makespan();
  }

  bool can_improve(double bound) const { return is_found_ ? is_less(bound, best_) : !is_less(best_, bound); }

  // No schedule that begins like this one ends before.
  double bound() {
    double bound = schedule_.makespan();
    did_work(problem_.tasks() * (1 + problem_.machines));
    for (const std::uint32_t task : costs_.order()) {
      if (!costs_.placeable(task)) continue;
      if (schedule_.is_placed(task)) {
        finish_[task] = schedule_.planned(task).finish;
      } else {
        double begin = -kInfinity;
        for (const GraphArc& arc : problem_.arcs.before(task)) begin = std::max(begin, finish_[arc.task]);
        schedule_.finishes(task, room_);
        double finish = kInfinity;
        for (std::size_t m = 0; m < problem_.machines; ++m)
          finish = std::min(finish, std::max(room_[m], begin + problem_.time(task, m)));
        finish_[task] = finish;
      }
      bound = std::max(bound, finish_[task] + behind_[task]);
    }
    return std::max(bound, shared());
  }

  // When the work left would be done if all machines shared it.
  double shared() {
    ends_.resize(problem_.machines);
    for (std::size_t m = 0; m < ends_.size(); ++m) ends_[m] = std::max(schedule_.end(m), problem_.now);
    std::ranges::sort(ends_);
    double sum = work_, level = kInfinity;
    for (std::size_t m = 0; m < ends_.size() && ends_[m] < level; ++m) {
      sum += ends_[m];
      level = sum / static_cast<double>(m + 1);
    }
    return level;
  }

  void try_all(std::uint32_t last) {
    for (const std::uint32_t task : schedule_.ready_tasks())
      for (std::uint32_t m = 0; m < problem_.machines; ++m) {
        if (!(problem_.time(task, m) < kInfinity)) continue;
        // The step before could as well have come after this one, which was tried then.
        if (last != kUnmapped && task < last && schedule_.planned(last).machine != m &&
            problem_.arcs.find(last, task) == nullptr)
          continue;
        if (++nodes_ > max_nodes_)
          fail("too_many_nodes",
               "branch_and_bound: there is no end after {} steps; the best schedule so far takes {} s",
               format_number(max_nodes_), format_number(best_));
        schedule_.place(task, m);
        work_ -= least_[task];
        --left_;
        if (left_ == 0) {
          if (can_improve(schedule_.makespan())) keep();
        } else if (can_improve(bound())) {
          try_all(task);
        }
        ++left_;
        work_ += least_[task];
        schedule_.undo();
      }
  }

  void keep() {
    is_found_ = true;
    best_ = schedule_.makespan();
    schedule_.write(*out_);
  }

  const GraphProblem& problem_;
  const GraphCosts costs_;
  GraphSchedule schedule_;
  const std::vector<double>& least_;  // time of a task on any machine
  std::vector<double> behind_;        // the least computing behind a task
  std::vector<double> finish_;        // of a task, at least
  std::vector<double> room_, ends_;
  double max_nodes_, nodes_ = 0;
  double work_ = 0;       // of the tasks that are left
  std::size_t left_ = 0;  // tasks
  double best_ = 0;
  bool is_found_ = false;  // best_ is that of *out_; else of a schedule that is not the first of its kind
  GraphPlan* out_ = nullptr;
};

class BranchAndBound final : public GraphSchedulerOf<BranchAndBound> {
 public:
  explicit BranchAndBound(double max_nodes) : max_nodes_(max_nodes) {}
  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    GraphSearch(problem, max_nodes_).run(out);
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    show_finishes(before_graph_step(problem, plan, task, GraphFit::append, out), task, out);
    out.rule = "as the first schedule of least makespan has it";
  }

 private:
  double max_nodes_;
};

}  // namespace

Entry branch_and_bound() {
  return {.name = "branch_and_bound",
          .family = Family::workflow,
          .role = Role::graph,
          .summary = "a schedule of least makespan; for a dozen tasks or so",
          .source = "Land, Doig 1960 (the method)",
          .complexity = "exponential",
          .ties = "the first found when tasks, then machines, are tried in ascending order",
          .parameters = {{.name = "max_nodes",
                          .type = ParameterType::integer,
                          .summary = "steps, after which it is an error that there is no end",
                          .fallback = 1e7,
                          .min = 1}},
          .make_graph_scheduler = [](const Arguments& given) {
            return std::make_unique<BranchAndBound>(given.number("max_nodes"));
          }};
}

}  // namespace perigee::workflow
