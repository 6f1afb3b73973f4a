// A plan in the making: a chart of activities under way, then of the tasks that hosts keep, then of new
// tasks.
#pragma once

#include <optional>
#include <vector>

#include "runtime/cost/chart_mapping.h"
#include "runtime/engine/why.h"
#include "runtime/schedulers/grid/grid_queues.h"

namespace perigee::grid {

class PlanDrawing {
 public:
  struct Computation {
    std::uint32_t server;
    WorkId work;
    Slot slot;
  };
  struct Transfer {
    std::uint32_t cluster;
    FileId file;
    bool home;
    Slot slot;
  };

  // `tasks`: the first `kept` are the tasks that hosts keep, position by position; the others may be planned.
  // Draws what cannot change and what is kept. The entries of these in the queues get new planned starts.
  PlanDrawing(const PlannerSettings& settings, GridQueues& queues, Sim& sim, std::vector<WorkId> tasks,
              std::size_t kept);
  PlanDrawing(const PlanDrawing&) = delete;
  PlanDrawing& operator=(const PlanDrawing&) = delete;

  // Places further tasks until the plan reaches its end.
  void place_new(ChartMapper& mapper, Time horizon, GridQueues::Fresh& out);

  // The placement of the work that somebody asks about, and why; none if it has not been placed.
  const std::optional<Decision>& decided() const { return decided_; }

  // The chart as it stands, and the meaning of its numbers. Both are valid as long as this object.
  const Chart& chart() const { return *chart_; }
  ChartPlan plan(Time horizon) const;

  // Everything that is drawn.
  const std::vector<Computation>& computations() const { return computations_; }
  const std::vector<Transfer>& transfers() const { return transfers_; }

 private:
  std::uint32_t number(FileId file);
  void state_problem();
  void count_uses();
  void sort_inputs(std::vector<FileId>& files) const;
  void add_present_files();
  void measure_times();
  void draw_present();
  void draw_kept();
  Time send_home(std::uint32_t cluster, FileId file, Time ready);
  void note(const ChartTask& placed);
  void add(const ChartTask& placed, GridQueues::Fresh& out);
  void explain(const ChartMapper& mapper, const ChartView& waiting, const ChartPlan& plan,
               const ChartChoice& choice);
  bool all_planned_beyond(Time horizon);

  const PlannerSettings& settings_;
  GridQueues& queues_;
  Sim& sim_;
  const View& view_;
  std::vector<WorkId> tasks_;
  std::size_t kept_;
  std::vector<HostId> hosts_;
  std::vector<FileId> files_;
  std::vector<std::uint32_t> numbers_, listed_, uses_;
  ChartProblem problem_;
  std::optional<Chart> chart_;
  std::vector<Computation> computations_;
  std::vector<Transfer> transfers_;
  std::vector<std::uint8_t> beyond_;
  std::optional<Decision> decided_;
};

}  // namespace perigee::grid
