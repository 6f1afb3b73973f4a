#include "runtime/engine/simulation/loop.h"

namespace perigee::engine {

Outcome Simulation::outcome() const { return loop_->outcome(*this); }

Outcome Loop::outcome(const Simulation& whole) const {
  const Sliding<WorkView>& works = view().works();
  did_work(works.count());
  if (ending) return *ending;
  Outcome outcome;
  outcome.scenario = feed ? feed->snapshot() : state_.scenario;
  if (!more_profiles.empty()) {
    auto longer = std::make_shared<Scenario>(*outcome.scenario);
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
  if (feed) outcome.trace.extend(outcome.scenario);  // the run's own goes on without its first works
  outcome.injected = state_.injected;
  outcome.takeovers = takeovers;
  outcome.keeps_deadlines =
      !taken_over && estimator_->is_faithful() && setup.policy->keeps_deadlines(*scenario().platform);
  outcome.estimate_error = estimate_error();
  outcome.tolerance = tolerance;
  outcome.events = events;
  outcome.declared = declared;
  outcome.works.restart_at(works.first());
  outcome.works.reserve(works.size());
  for (const WorkView& work : works) outcome.works.push_back(work.state);
  outcome.forgotten = forgotten;
  if (status != RunStatus::complete) outcome.waiting = who_waits(whole);

  // The status and the unfinished works, as one more record each.
  Fingerprint rest;
  Record last;
  last.time = now();
  last.cores = static_cast<std::int32_t>(status);
  last.kind = RecordKind::note;
  add_to(rest, last);
  const auto add_unfinished = [&](WorkId work, WorkState state) {
    last.work = work;
    last.cores = fingerprint_number(state);
    add_to(rest, last);
  };
  for (const auto& [work, state] : forgotten.unfinished) add_unfinished(work, state);
  for (std::size_t w = works.first(); w < works.size(); ++w)
    if (outcome.works[w] != WorkState::finished) add_unfinished(WorkId(w), outcome.works[w]);
  outcome.physical = trace_.physical();
  outcome.physical.add(rest.high, rest.low);
  outcome.full = trace_.full();
  outcome.full.add(rest.high, rest.low);
  return outcome;
}

}  // namespace perigee::engine
