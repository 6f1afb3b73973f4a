#include "runtime/engine/simulation/loop.h"

namespace perigee::engine {

Outcome Simulation::outcome() const { return loop_->outcome(*this); }

Outcome Loop::outcome(const Simulation& whole) const {
  did_work(work_count);
  if (ending) return *ending;
  Outcome outcome;
  outcome.scenario = state_.scenario;
  if (!more_profiles.empty()) {
    auto longer = std::make_shared<Scenario>(*state_.scenario);
    longer->profiles.insert(longer->profiles.end(), more_profiles.begin(), more_profiles.end());
    outcome.scenario = std::move(longer);
  }
  outcome.policy = setup.name;
  outcome.seed = options.seed;
  outcome.status = status;
  outcome.end = now();
  outcome.warmup = options.warmup;
  outcome.horizon = options.horizon;
  outcome.trace = trace_;
  outcome.injected = state_.injected;
  outcome.takeovers = takeovers;
  outcome.keeps_deadlines =
      !taken_over && estimator_->is_faithful() && setup.policy->keeps_deadlines(*scenario().platform);
  outcome.estimate_error = estimate_error();
  outcome.tolerance = tolerance;
  outcome.events = events;
  outcome.declared = declared;
  outcome.works.reserve(view().works().size());
  for (const WorkView& work : view().works()) outcome.works.push_back(work.state);
  if (status != RunStatus::complete) outcome.waiting = who_waits(whole);

  // The status and the unfinished works, as one more record each.
  Fingerprint rest;
  Record last;
  last.time = now();
  last.cores = static_cast<std::int32_t>(status);
  last.kind = RecordKind::note;
  add_to(rest, last);
  for (std::size_t w = 0; w < outcome.works.size(); ++w) {
    if (outcome.works[w] == WorkState::finished) continue;
    last.work = WorkId(w);
    last.cores = static_cast<std::int32_t>(outcome.works[w]);
    add_to(rest, last);
  }
  outcome.physical = trace_.physical();
  outcome.physical.add(rest.high, rest.low);
  outcome.full = trace_.full();
  outcome.full.add(rest.high, rest.low);
  return outcome;
}

}  // namespace perigee::engine
