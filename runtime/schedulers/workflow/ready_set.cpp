// Ready set: a mapper chooses among the ready tasks, to which the time of their data is known on each machine. Tasks are
// placed behind all that is there.
//
// Sources: Maheswaran et al., JPDC 59(2), 1999; Blythe et al., CCGrid 2005.
// Cost: that of the mapper, once for each task. Ties: those of the mapper.
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/kernel/clone_ptr.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/sorted_form.h"
#include "runtime/schedulers/workflow/ready_rows.h"

namespace perigee::workflow {
namespace {

// A matrix whose rows come and go at any place. Rows move towards the nearer end.
class MovingRows {
 public:
  explicit MovingRows(std::size_t width) : width_(width) {}

  std::span<const double> rows() const { return std::span(values_).subspan(first_ * width_); }
  void clear() {
    values_.clear();
    first_ = 0;
  }
  void insert(std::size_t row, const double* values) { values_.insert(at(row), values, values + width_); }
  void erase(std::size_t row) {
    if (row > count() / 2) {
      values_.erase(at(row), at(row + 1));
      return;
    }
    std::copy_backward(at(0), at(row), at(row + 1));
    ++first_;
    if (first_ < count()) return;
    values_.erase(values_.begin(), at(0));
    first_ = 0;
  }

 private:
  std::size_t count() const { return values_.size() / width_ - first_; }
  std::vector<double>::iterator at(std::size_t row) {
    return values_.begin() + static_cast<std::ptrdiff_t>((first_ + row) * width_);
  }

  std::size_t width_, first_ = 0;  // rows that are no more
  std::vector<double> values_;
};

// The tasks that are ready, by number: their times, and when they can begin at the earliest.
class ReadyTimes {
 public:
  explicit ReadyTimes(const GraphSchedule& schedule)
      : schedule_(schedule),
        machines_(schedule.problem().machines),
        times_(machines_),
        earliest_(machines_),
        cluster_(machines_) {
    for (std::size_t m = 0; m < machines_; ++m) cluster_[m] = schedule.problem().cluster[m];
    for (const std::uint32_t task : schedule.ready_tasks()) add(task);
  }

  bool empty() const { return tasks_.empty(); }
  std::uint32_t task(std::size_t row) const { return tasks_[row]; }
  void add(std::uint32_t task) {
    const auto row = static_cast<std::size_t>(std::ranges::lower_bound(tasks_, task) - tasks_.begin());
    tasks_.insert(tasks_.begin() + static_cast<std::ptrdiff_t>(row), task);
    will_take_rows(2 * tasks_.size(), machines_);
    times_.insert(row, schedule_.problem().times_of(task, room_));
    schedule_.arrivals(task, arrivals_);
    earliest_.insert(row, arrivals_.data());
  }
  void remove(std::size_t row) {
    tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(row));
    times_.erase(row);
    earliest_.erase(row);
  }
  void clear() {
    tasks_.clear();
    times_.clear();
    earliest_.clear();
  }

  MappingProblem problem() const {
    return {.tasks = tasks_.size(),
            .machines = machines_,
            .etc = times_.rows(),
            .ready = schedule_.ends(),
            .cluster = cluster_,
            .earliest = earliest_.rows()};
  }

 private:
  const GraphSchedule& schedule_;
  std::size_t machines_;
  std::vector<std::uint32_t> tasks_;
  MovingRows times_, earliest_;
  std::vector<double> room_, arrivals_;
  std::vector<std::uint32_t> cluster_;
};

class ReadySet final : public GraphSchedulerOf<ReadySet> {
 public:
  ReadySet(std::vector<std::unique_ptr<Mapper>> mappers, bool in_turn, bool renew_each_step)
      : in_turn_(in_turn), renew_each_step_(renew_each_step) {
    for (std::unique_ptr<Mapper>& mapper : mappers) mappers_.emplace_back(std::move(mapper));
  }

  void reseed(const Stream& stream) override {
    for (std::size_t i = 0; i < mappers_.size(); ++i) mappers_[i]->reseed(stream.sub(i));
  }

  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    for (std::size_t i = 0; i < mappers_.size(); ++i) {
      GraphSchedule schedule(problem, GraphFit::append);
      if (in_turn_ && renew_each_step_)
        run_in_turn(*mappers_[i], schedule);
      else
        run(*mappers_[i], schedule);
      schedule.write(i == 0 ? out : other_);
      if (i > 0 && is_less(other_.makespan, out.makespan)) std::swap(out, other_);
    }
  }

  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    show_finishes(before_graph_step(problem, plan, task, GraphFit::append, out), task, out);
    out.rule = "the mapper chose among the ready tasks";
  }

 private:
  // The mapper sees the lowest ready task alone.
  void run_in_turn(Mapper& mapper, GraphSchedule& schedule) {
    const GraphProblem& problem = schedule.problem();
    std::vector<double> room, arrivals;
    for (std::uint32_t task = schedule.first_ready(); task != kUnmapped; task = schedule.first_ready()) {
      schedule.arrivals(task, arrivals);
      const std::span<const double> times(problem.times_of(task, room), problem.machines);
      mapper.map({.tasks = 1,
                  .machines = problem.machines,
                  .etc = times,
                  .ready = schedule.ends(),
                  .earliest = arrivals},
                 mapping_);
      schedule.place(task, mapping_.machine.front());
    }
  }

  void run(Mapper& mapper, GraphSchedule& schedule) {
    ReadyTimes ready(schedule);
    while (!ready.empty()) {
      MappingProblem view = ready.problem();
      if (renew_each_step_) view.choices = 1;
      mapper.map(view, mapping_);
      if (mapping_.order.empty()) break;
      if (renew_each_step_) {
        const std::uint32_t row = mapping_.order.front(), task = ready.task(row);
        schedule.place(task, mapping_.machine[row]);
        ready.remove(row);
        for (const GraphArc& arc : schedule.problem().arcs.behind(task))
          if (schedule.is_ready(arc.task)) ready.add(arc.task);
      } else {
        for (const std::uint32_t row : mapping_.order) schedule.place(ready.task(row), mapping_.machine[row]);
        ready.clear();
        for (const std::uint32_t task : schedule.ready_tasks()) ready.add(task);
      }
    }
  }

  std::vector<ClonePtr<Mapper>> mappers_;  // the best of what they make counts
  bool in_turn_, renew_each_step_;
  Mapping mapping_;
  GraphPlan other_;
};

std::vector<std::unique_ptr<Mapper>> ready_mappers(const Arguments& given) {
  const ConfigPtr config = given.parts("map").front();
  if (config->entry->name == "duplex") return mapping::both_of_duplex(Arguments(*config));
  std::vector<std::unique_ptr<Mapper>> one;
  one.push_back(config->make_mapper());
  return one;
}

}  // namespace

Entry ready_set() {
  return {
      .name = "ready_set",
      .family = Family::workflow,
      .role = Role::graph,
      .summary = "a mapper chooses among the ready tasks; the bare name of the mapper is this too",
      .source = "Maheswaran et al. 1999; Blythe et al. 2005",
      .complexity = "that of the mapper, for each task",
      .ties = "those of the mapper",
      .parameters = {{.name = "map",
                      .type = ParameterType::mapper,
                      .summary = "it chooses by completions, as min_min, sufferage or mct do",
                      .fallback = "min_min"},
                     {.name = "renew",
                      .type = ParameterType::choice,
                      .summary =
                          "the ready tasks are looked up after each one that is placed, or when all are",
                      .fallback = "step",
                      .choices = {"step", "batch"}}},
      .check =
          [](const Arguments& given) {
            if (const ConfigPtr map = given.parts("map").front(); !map->chooses_ready())
              fail(
                  "bad_parameter",
                  "ready_set: map must choose by completions, as min_min, sufferage or mct do, but {} does not",
                  map->text());
          },
      .make_graph_scheduler =
          [](const Arguments& given) {
            return std::make_unique<ReadySet>(ready_mappers(given),
                                              given.parts("map").front()->entry->in_turn,
                                              given.choice("renew") == "step");
          }};
}

}  // namespace perigee::workflow
