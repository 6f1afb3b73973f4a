// s:decision_times { policy = ... }: how long a policy takes to decide, by the wall clock. This is the only
// word that gives a script times of the machine. It returns no result, so that none can hang on them.
#include "interpreter/bindings/run/decision_times.h"

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "interpreter/bindings/run/request.h"
#include "interpreter/bindings/run/simulation.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/host/unknown.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

struct TimedAsk {
  Time at = 0;             // of the simulation
  std::size_t events = 0;  // that the policy was told
  std::size_t queue = 0;   // works that waited
  double seconds = 0;      // by the wall clock
};

// The policy inside, with a clock around each question. A fork writes to the same list.
class TimedPolicy final : public PolicyOf<TimedPolicy> {
 public:
  TimedPolicy(ClonePtr<Policy> inside, std::shared_ptr<std::vector<TimedAsk>> asks)
      : inside_(std::move(inside)), asks_(std::move(asks)) {}

  void begin(Sim& sim) override { inside_->begin(sim); }
  void react(Sim& sim, std::span<const Event> events) override {
    TimedAsk ask{sim.view().now(), events.size(), sim.view().works_in(WorkState::waiting)};
    const auto asked = std::chrono::steady_clock::now();
    inside_->react(sim, events);
    ask.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count();
    asks_->push_back(ask);
  }
  void explain(const View& view, Waiting& waiting) const override { inside_->explain(view, waiting); }
  void why(Sim& sim, WorkId work, Decision& decision) override { inside_->why(sim, work, decision); }
  bool keeps_deadlines(const Platform& platform) const override { return inside_->keeps_deadlines(platform); }
  std::size_t bytes() const override { return inside_->bytes(); }

 private:
  ClonePtr<Policy> inside_;
  std::shared_ptr<std::vector<TimedAsk>> asks_;
};

}  // namespace

int decision_times(lua_State* L) {
  return guard(L, [&] {
    const ScenarioPtr scenario = check<ScenarioPtr>(L, 1);
    RunRequest request = request_at(L, 2, "decision_times", run_fields::kDecisionTimes);
    request.options.level = TraceLevel::none;
    const auto asks = std::make_shared<std::vector<TimedAsk>>();
    request.around = [asks](ClonePtr<Policy> policy) -> ClonePtr<Policy> {
      return std::make_unique<TimedPolicy>(std::move(policy), asks);
    };
    Interpreter& interpreter = Interpreter::of(L);
    if (interpreter.checking()) {
      begin_run(L, *scenario, request);
      push_unknown(L);
      return 1;
    }
    Simulation simulation = begin_run(L, *scenario, request);
    advance_temporary(L, simulation, *scenario, request);
    Table table;
    table.columns = {"at", "events", "queue", "seconds"};
    table.units = {"s", "", "", "s"};
    for (const TimedAsk& ask : *asks)
      table.rows.push_back(
          {ask.at, static_cast<double>(ask.events), static_cast<double>(ask.queue), ask.seconds});
    push_table(L, table);
    return 1;
  });
}

}  // namespace perigee::bindings
