// The basis of the metrics.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/kernel/constants.h"
#include "runtime/results/accounts.h"
#include "runtime/results/capacity.h"
#include "runtime/results/numbers.h"
#include "runtime/results/subtasks.h"
#include "runtime/results/workflow_rows.h"

namespace perigee::results {

// The numbers of one run from which its metrics are made: its accounts, made from the trace unless the run has
// kept them, and what only a trace tells. Each part is worked out when it is first needed.
class Measurement {
 public:
  explicit Measurement(std::shared_ptr<const Outcome> outcome);

  const Outcome& outcome() const { return *outcome_; }
  const Scenario& scenario() const { return *outcome().scenario; }
  bool has_trace() const { return outcome().trace.level() == TraceLevel::full; }
  // The part of the run that is known: all, works or only their final states.
  TraceLevel depth() const { return kept_ ? all_->depth() : outcome().trace.level(); }

  WorkCounts counts() {
    return depth() == TraceLevel::none ? counts_of_states(outcome()) : of_works().counts();
  }
  double miss_ratio() {
    const WorkCounts n = counts();
    const auto accepted = static_cast<double>(n.arrived - n.refused);
    return n.arrived > n.refused ? static_cast<double>(n.late) / accepted : kNaN;
  }

  const FinishedWorks& finishes() { return of_works().works().finished(); }  // by records of works
  Time first() { return of_works().first_arrival(); }
  Time from() { return std::max(first(), outcome().warmup); }
  Seconds span() { return outcome().end - from(); }
  Seconds total_time() { return std::isnan(finishes().last) ? 0 : finishes().last - first(); }
  double response_quantile(double p) {
    return finishes().responses.count() == 0 ? kNaN : finishes().responses.quantile(p);
  }
  // For a run that is over and had nothing to do, the mean is 0, as in IRMaSim. A window in which nothing
  // finished has no mean.
  double mean(const Totals& totals) const {
    if (totals.count > 0) return totals.mean();
    return outcome().warmup > 0 || outcome().status != RunStatus::complete ? kNaN : 0;
  }

  const FinishedWorks& works() { return all().works().finished(); }  // by their activities too
  const Totals& scheduler_wait() {
    return once(scheduler_wait_, [&] { return sum_up_scheduler_waits(); });
  }
  double fairness() { return all().works().fairness(); }
  double utilization_of_hosts() {
    return share(hosts().useful, static_cast<double>(hosts().count) * hosts().span);
  }
  // The ideal time is that of all sweeps.
  double efficiency() {
    return outcome().forgotten.unfinished.empty() &&
                   std::ranges::all_of(outcome().works, [](WorkState s) { return s == WorkState::finished; })
               ? share(ideal_time(scenario()), finishes().last)
               : kNaN;
  }
  double utilization_of_jobs() {
    return share(works().core_seconds,
                 (finishes().last - first()) * static_cast<double>(scenario().platform->total_cores()));
  }

  const Accounts::Use& use() { return all().use(); }
  bool knows_hosts() { return has_trace() || all().knows_hosts(); }
  bool knows_held() { return has_trace() || use().knows_held; }
  double held();
  double utilization_of_system() {
    const Accounts::Use& from_0 = all().use_from_0();
    return share(from_0.busy, from_0.up + up_after_end());
  }
  const Accounts::Activities& activities() { return all().activities(); }
  double core_time(CorePart part) { return all().core_time().of(part); }
  // NaN where no host declares its power.
  double energy() { return all().energy().measures() ? all().energy().all() : kNaN; }
  double energy(EnergyPart part) { return all().energy().measures() ? all().energy().of(part) : kNaN; }
  const EnergyMeter& meter() { return all().energy(); }
  // Error "unknown_metric" if no queue or user of the run has that name.
  double utilization_of(const GroupMetric& group);
  double waste() { return all().core_time().waste(); }
  const IdleCapacity& idle_capacity() {
    return once(idle_capacity_, [&] { return results::idle_capacity(outcome(), from()); });
  }

  // The measures below are of the whole run, whatever the warm-up.
  struct Hosts {
    std::size_t count = 0;
    Seconds span = 0;  // of which the times are
    Totals finish;
    Seconds useful = 0, duplicate = 0, redundant = 0, idle = 0;
  };
  const Hosts& hosts() {
    return once(hosts_, [&] { return sum_up_hosts(); });
  }
  const TransferMeasures& transfers() {
    return once(transfers_, [&] { return all().transfers(); });
  }
  const TimeMeasures& times() {
    return once(times_, [&] { return time_measures(outcome(), runs(), finishes().last); });
  }
  const CriticalChain& chain() {
    return once(chain_, [&] { return critical_chain(outcome(), runs()); });
  }
  const std::vector<WorkflowRow>& workflows() {
    return once(workflows_, [&] { return workflow_rows(outcome()); });
  }
  // Means are over workflows for which the number is known; NaN where there are none.
  double mean_over_workflows(double WorkflowRow::*value) {
    Totals all;
    for (const WorkflowRow& row : workflows())
      if (!std::isnan(row.*value)) all.add(row.*value);
    return all.count > 0 ? all.mean() : kNaN;
  }
  template <class T>
  double sum_over_workflows(T WorkflowRow::*value) {
    double sum = 0;
    for (const WorkflowRow& row : workflows()) sum += static_cast<double>(row.*value);
    return sum;
  }
  PlanMeasures plans() { return all().plans(); }
  double plans_because(std::string_view cause) {
    const auto at = std::find(grid::kPlanCauses.begin(), grid::kPlanCauses.end(), cause);
    return static_cast<double>(plans().by_cause[static_cast<std::size_t>(at - grid::kPlanCauses.begin())]);
  }

 private:
  template <class Part, class Make>
  static const Part& once(std::optional<Part>& part, const Make& make) {
    if (!part) part = make();
    return *part;
  }

  const Accounts& all();
  const Accounts& of_works() {
    return kept_ || all_ ? all() : once(of_works_, [&] { return follow(TraceLevel::work); });
  }
  const Executions& runs() {
    return once(runs_, [&] { return executions_if_kept(outcome()); });
  }

  Accounts follow(TraceLevel depth) const;
  Totals sum_up_scheduler_waits() const;
  double up_after_end();
  Hosts sum_up_hosts();

  std::shared_ptr<const Outcome> outcome_;
  bool kept_ = false;  // the run has kept its accounts
  std::optional<Accounts> all_, of_works_;
  std::optional<Executions> runs_;
  std::optional<Totals> scheduler_wait_;
  std::optional<IdleCapacity> idle_capacity_;
  std::optional<Hosts> hosts_;
  std::optional<TransferMeasures> transfers_;
  std::optional<TimeMeasures> times_;
  std::optional<CriticalChain> chain_;
  std::optional<std::vector<WorkflowRow>> workflows_;
};

}  // namespace perigee::results
