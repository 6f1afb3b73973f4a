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
#include "runtime/results/executions.h"
#include "runtime/results/grid_measures.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/numbers.h"
#include "runtime/results/packages.h"
#include "runtime/results/resource_rows.h"
#include "runtime/results/subtasks.h"
#include "runtime/statistics/accumulators.h"
#include "runtime/statistics/sample.h"

namespace perigee::results {

// The numbers of one run from which its metrics are made. Each part is worked out when it is first needed.
class Measurement {
 public:
  explicit Measurement(std::shared_ptr<const Outcome> outcome) : outcome_(std::move(outcome)) {}

  const Outcome& outcome() const { return *outcome_; }
  const Scenario& scenario() const { return *outcome().scenario; }
  TraceLevel level() const { return outcome().trace.level(); }

  // Counts of works, at `warmup` or later if the trace tells when.
  struct Counts {
    std::size_t arrived = 0, finished = 0, rejected = 0, expired = 0, missed = 0;
    std::size_t late = 0, refused = 0;  // of those arrived: not finished by their deadline; rejected
    std::size_t unfinished = 0, future = 0, queued = 0, executing = 0;
  };
  const Counts& counts() {
    return once(counts_, [&] { return count_works(); });
  }
  double miss_ratio() {
    const auto accepted = static_cast<double>(counts().arrived - counts().refused);
    return counts().arrived > counts().refused ? static_cast<double>(counts().late) / accepted : kNaN;
  }

  // The works that finished at `warmup` or later, by what the trace tells at level `work`.
  struct Finishes {
    Time last = kNaN;
    Totals response;
    std::vector<double> responses;  // s
  };
  const Finishes& finishes() {
    return once(finishes_, [&] { return follow_works(); });
  }
  Time first() {
    return once(first_, [&] { return first_arrival(outcome()); });
  }
  Time from() { return std::max(first(), outcome().warmup); }
  Seconds span() { return outcome().end - from(); }
  Seconds total_time() { return std::isnan(finishes().last) ? 0 : finishes().last - first(); }
  double response_quantile(double p) {
    return finishes().responses.empty() ? kNaN : sample_quantile(finishes().responses, p);
  }
  // For a run that is over and had nothing to do, the mean is 0, as in IRMaSim. A window in which nothing
  // finished has no mean.
  double mean(const Totals& totals) const {
    if (totals.count > 0) return totals.mean();
    return outcome().warmup > 0 || outcome().status != RunStatus::complete ? kNaN : 0;
  }

  // The same works, by their activities.
  struct Works {
    Totals wait, scheduler_wait, queue_wait, quality, run, slowdown, bounded_slowdown, user_slowdown,
        relative_run;
    std::size_t zero_run = 0;
    double core_seconds = 0;
  };
  const Works& works() {
    return once(works_, [&] { return sum_up_works(); });
  }
  // (sum x)^2 / (n sum x^2) of the users' mean bounded slowdowns: Jain, Chiu, Hawe, DEC-TR-301, 1984.
  double fairness();
  double utilization_of_hosts() {
    return share(hosts().useful, static_cast<double>(hosts().count) * hosts().span);
  }
  // The ideal time is that of all sweeps.
  double efficiency() {
    return std::ranges::all_of(outcome().works, [](WorkState s) { return s == WorkState::finished; })
               ? share(ideal_time(scenario()), finishes().last)
               : kNaN;
  }
  double utilization_of_jobs() {
    return share(works().core_seconds,
                 (finishes().last - first()) * static_cast<double>(scenario().platform->total_cores()));
  }

  // Core-seconds of the hosts, and seconds of the declared links, from a given time to the end.
  struct Use {
    double busy = 0, held = 0, useful = 0, lost = 0, capacity = 0, up = 0, link_busy = 0;
    std::size_t links = 0;
  };
  const Use& use() {
    return once(use_, [&] { return use_from(from()); });
  }
  double utilization_of_system() {
    const Use all = use_from(0);
    return share(all.busy, all.up + up_after_end());
  }

  struct Activities {
    std::size_t lost = 0, cancelled = 0, superseded = 0, copies = 0;
    double bytes = 0;  // of transfers that ended well
    Seconds thinking = 0;
  };
  const Activities& activities() {
    return once(activities_, [&] { return count_activities(); });
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
  std::size_t package_count() { return package_rows(outcome(), runs()).size(); }
  const GridMeasures& grid() {
    return once(grid_, [&] { return grid_measures(outcome(), runs(), finishes().last); });
  }
  const CriticalChain& chain() {
    return once(chain_, [&] { return critical_chain(outcome(), runs()); });
  }
  const PlanMeasures& plans() {
    return once(plans_, [&] { return plan_measures(outcome()); });
  }
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

  const Executions& runs() {
    return once(runs_, [&] { return executions_if_kept(outcome()); });
  }
  const std::vector<JobRow>& jobs() {
    return once(jobs_, [&] { return job_rows(outcome(), runs()); });
  }

  Counts count_works() const;
  Finishes follow_works() const;
  Works sum_up_works();
  Use use_from(Time from);
  double up_after_end();
  Activities count_activities();
  Hosts sum_up_hosts();

  std::shared_ptr<const Outcome> outcome_;
  std::optional<Counts> counts_;
  std::optional<Finishes> finishes_;
  std::optional<Time> first_;
  std::optional<Executions> runs_;
  std::optional<std::vector<JobRow>> jobs_;
  std::optional<Works> works_;
  std::optional<Use> use_;
  std::optional<Activities> activities_;
  std::optional<Hosts> hosts_;
  std::optional<GridMeasures> grid_;
  std::optional<CriticalChain> chain_;
  std::optional<PlanMeasures> plans_;
};

}  // namespace perigee::results
