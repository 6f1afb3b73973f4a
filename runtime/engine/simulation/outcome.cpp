#include "runtime/engine/simulation/state.h"

namespace perigee::engine {

Outcome Simulation::outcome() const {
  const SimulationState& s = *state_;
  did_work(s.work_count);
  if (s.ending) return *s.ending;
  Outcome outcome;
  outcome.scenario = s.sim.state_.scenario;
  if (!s.sim.more_profiles_.empty()) {
    auto longer = std::make_shared<Scenario>(*s.sim.state_.scenario);
    longer->profiles.insert(longer->profiles.end(), s.sim.more_profiles_.begin(), s.sim.more_profiles_.end());
    outcome.scenario = std::move(longer);
  }
  outcome.policy = s.setup.name;
  outcome.seed = s.options.seed;
  outcome.status = s.status;
  outcome.end = s.sim.now();
  outcome.warmup = s.options.warmup;
  outcome.horizon = s.options.horizon;
  outcome.trace = s.sim.trace_;
  outcome.injected = s.sim.injected_;
  outcome.takeovers = s.takeovers;
  outcome.keeps_deadlines = !s.taken_over && s.sim.estimator_->is_faithful() &&
                            s.setup.policy->keeps_deadlines(*s.scenario().platform);
  outcome.estimate_error = s.sim.estimate_error();
  outcome.tolerance = s.tolerance;
  outcome.events = s.events;
  outcome.declared = s.declared;
  outcome.works.reserve(s.sim.view().works().size());
  for (const WorkView& work : s.sim.view().works()) outcome.works.push_back(work.state);
  if (s.status != RunStatus::complete) outcome.waiting = who_waits(*this);

  // The status and the unfinished works, as one more record each.
  Fingerprint rest;
  Record last;
  last.time = s.sim.now();
  last.cores = static_cast<std::int32_t>(s.status);
  last.kind = RecordKind::note;
  add_to(rest, last);
  for (std::size_t w = 0; w < outcome.works.size(); ++w) {
    if (outcome.works[w] == WorkState::finished) continue;
    last.work = WorkId(w);
    last.cores = static_cast<std::int32_t>(outcome.works[w]);
    add_to(rest, last);
  }
  outcome.physical = s.sim.trace_.physical();
  outcome.physical.add(rest.high, rest.low);
  outcome.full = s.sim.trace_.full();
  outcome.full.add(rest.high, rest.low);
  return outcome;
}

}  // namespace perigee::engine
