// Source: Berman et al., LIP RR 1999-46, sections 5.4 and 5.5 and Figure 5, see plan_drawing.
#include "runtime/schedulers/grid/present_chart.h"

#include <optional>

#include "runtime/kernel/error.h"
#include "runtime/schedulers/grid/plan_drawing.h"

namespace perigee::grid {

struct PresentChart::Drawn {
  explicit Drawn(const PlannerSettings& given) : settings(given), queues(settings) {}

  PlannerSettings settings;
  GridQueues queues;
  std::optional<PlanDrawing> drawing;
  ChartPlan plan;

  // Takes over, draws the present state, and does nothing more.
  class Taker;
};

class PresentChart::Drawn::Taker final : public PolicyOf<Taker> {
 public:
  explicit Taker(std::shared_ptr<Drawn> drawn) : drawn_(std::move(drawn)) {}

  void begin(Sim& sim) override {
    if (sim.view().instant() > 0) draw(sim);
  }
  void react(Sim& sim, std::span<const Event>) override {
    if (!drawn_->drawing) draw(sim);
  }

 private:
  void draw(Sim& sim) {
    GridQueues& taken = drawn_->queues;
    taken.adopt(sim);
    drawn_->drawing.emplace(drawn_->settings, taken, sim,
                            std::vector<WorkId>(taken.pool().begin(), taken.pool().end()), 0);
    drawn_->plan = drawn_->drawing->plan(kNever);
  }

  std::shared_ptr<Drawn> drawn_;
};

PresentChart::PresentChart(Simulation run, const Config& planner)
    : run_(std::move(run)), drawn_(std::make_shared<Drawn>(planner_settings(Arguments(planner)))) {
  const Entry& entry = *planner.entry;
  run_.set_policy({"chart", std::make_unique<Drawn::Taker>(drawn_), entry.accepts, entry.instants});
  while (!drawn_->drawing && run_.step()) {
  }
  if (!drawn_->drawing) fail("nothing_to_draw", "nothing has happened in this run, and nothing ever will");
}

const Chart& PresentChart::chart() const { return drawn_->drawing->chart(); }
const ChartPlan& PresentChart::plan() const { return drawn_->plan; }

}  // namespace perigee::grid
