// The accounts of a run: what its metrics are made of, kept while its records pass by.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/kernel/sliding.h"
#include "runtime/results/core_time.h"
#include "runtime/results/energy.h"
#include "runtime/results/executions.h"
#include "runtime/results/grid_measures.h"
#include "runtime/results/group_use.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/packages.h"
#include "runtime/results/resource_rows.h"
#include "runtime/statistics/accumulators.h"
#include "runtime/statistics/quantile_sketch.h"

namespace perigee::results {

// Counts of works, at `warmup` or later if the records tell when.
struct WorkCounts {
  std::size_t arrived = 0, finished = 0, rejected = 0, expired = 0, killed = 0, missed = 0, requeued = 0;
  std::size_t late = 0, refused = 0;  // of those arrived: not finished by their deadline; rejected
  std::size_t unfinished = 0, future = 0, queued = 0, executing = 0;
};

// The works of a run that were rejected because no host can run them.
struct InfeasibleWorks {
  std::size_t count = 0;
  WorkId first;
  void take(const Record& record) {
    if (record.kind != RecordKind::rejected || record.why != Reason::infeasible) return;
    if (count++ == 0) first = record.work;
  }
};
InfeasibleWorks infeasible_works(const Outcome& outcome);

// The works that finished at `warmup` or later, in their order.
struct FinishedWorks {
  explicit FinishedWorks(std::size_t most) : responses(most) {}
  Time last = std::numeric_limits<Time>::quiet_NaN();
  Totals response;
  QuantileSketch responses;  // s
  // By their activities.
  Totals wait, queue_wait, quality, run, slowdown, bounded_slowdown, user_slowdown, relative_run;
  std::size_t zero_run = 0;
  double core_seconds = 0;
};

// Follows works until they are settled, and adds them up in their order. It holds what lies between the first
// work that is not settled and the last one of which something is known.
class WorkFollower {
 public:
  WorkFollower(const Scenario& scenario, Time warmup, TraceLevel depth, std::size_t most_responses);
  void extend(const Scenario& scenario);
  void take(const Record& record, std::size_t place, const Scenario& scenario);  // that tells of a work
  void begin(WorkId work, const Scenario& scenario);  // an execution that will be added
  void add(const Execution& execution, std::span<const UsedResource> on, const Scenario& scenario);
  void end(const Scenario& scenario);  // of the run

  const FinishedWorks& finished() const { return finished_; }
  // (sum x)^2 / (n sum x^2) of the users' mean bounded slowdowns: Jain, Chiu, Hawe, DEC-TR-301, 1984.
  double fairness() const;
  std::size_t bytes() const { return open_.bytes() + finished_.responses.bytes(); }
  std::size_t first_open() const { return open_.first(); }
  // When it finished, as far as it has not been added up; NaN: it has not.
  Time finish_of(WorkId work) const;

 private:
  struct Open : Service {
    std::uint32_t executions = 0;  // to be added
    bool settled = false;
  };
  Open* open(WorkId work, const Scenario& scenario);  // null if it has been added up
  void add_up_settled(const Scenario& scenario);
  void add_up(WorkId work, const Service& service, const Scenario& scenario);
  Totals* user_of(WorkId work, const Scenario& scenario);

  Time warmup_;
  TraceLevel depth_;
  RequestedTimes requested_;
  FinishedWorks finished_;
  std::vector<std::uint32_t> user_slot_;   // per user: of the first one of the same name
  std::uint32_t nobody_ = kNone;           // the slot of works without user, if a user is called ""
  std::vector<Totals> bounded_slowdowns_;  // per user
  Sliding<Open> open_;
  std::map<WorkId, Service> before_;  // they were stranded
};

// Told of all records of a run in order, it gives the numbers of which metrics are made.
class Accounts final : public Witness {
 public:
  // The accounts that the run has kept; null if it has kept its trace instead, or nothing.
  static std::unique_ptr<Accounts> kept_by(const Outcome& outcome);
  // At depth `work` it looks at works alone. More responses than `most` are summarized, and no more than so many
  // computations wait to be added up.
  Accounts(std::shared_ptr<const Scenario> scenario, Time warmup, TraceLevel depth = TraceLevel::full,
           std::size_t most = QuantileSketch::kMost);

  std::unique_ptr<Witness> clone() const override { return std::make_unique<Accounts>(*this); }
  void take(std::span<const Record> records) override {
    for (const Record& record : records) take(record);
  }
  void take(const Record& record);
  void take(const Note& note) override { plans_.take(note); }
  void extend(std::shared_ptr<const Scenario> scenario) override;
  WorkId first_needed() const override;
  std::size_t bytes() const override;
  // The run, or what is looked at of it, is over.
  void end(const Outcome& outcome);

  // Core-seconds of the hosts, and seconds of the declared links, from a given time to the end.
  struct Use {
    double busy = 0, held = 0, useful = 0, lost = 0, capacity = 0, up = 0, link_busy = 0;
    std::size_t links = 0;
    bool knows_held = true;  // to the last bit
  };
  struct Activities {
    std::size_t lost = 0, cancelled = 0, superseded = 0, copies = 0, packages = 0;
    std::size_t preempted = 0;  // times that a policy took its cores from one
    Seconds suspended = 0;
    double bytes = 0;  // of transfers that ended well
    Seconds thinking = 0;
  };

  // All are of the time after end().
  TraceLevel depth() const { return depth_; }
  Time first_arrival() const { return first_arrival_.value_or(0); }
  WorkCounts counts() const { return counts_; }
  const InfeasibleWorks& infeasible() const { return infeasible_; }
  const WorkFollower& works() const { return works_; }
  const Use& use() const { return use_; }  // from the warm-up and the first arrival on
  const Use& use_from_0() const { return use_from_0_; }
  const Activities& activities() const { return activities_; }
  const CoreTime& core_time() const { return core_time_; }  // from the warm-up and the first arrival on
  const EnergyMeter& energy() const { return energy_; }     // from the warm-up on
  const GroupUse& groups() const { return groups_; }        // the same
  const std::vector<HostRow>& hosts() const { return host_rows_; }
  Time end_of_rows() const { return end_of_rows_; }
  bool knows_hosts() const { return host_use_.knows_rows(end_of_rows_); }
  TransferMeasures transfers() const { return transfers_.measures(*scenario_->workload); }
  PlanMeasures plans() const { return plans_.measures(); }
  const Absences& absences() const { return away_.all(); }

 private:
  Time from() const { return std::max(first_arrival(), warmup_); }
  void set_from();  // when the first arrival is known
  void count(const Record& record);
  void hand_over();
  void add(const Execution& run, std::span<const UsedResource> on);
  Use sum_up(ResourceUse& use, Time from, Time end) const;
  void count_states(const Outcome& outcome);

  std::shared_ptr<const Scenario> scenario_;
  Time warmup_;
  TraceLevel depth_;
  std::uint32_t place_ = 0;  // of the next record
  std::optional<Time> first_arrival_;
  Sliding<std::uint8_t> counted_;  // 1: the work arrived at the warm-up or later
  WorkCounts counts_;
  InfeasibleWorks infeasible_;
  WorkFollower works_;
  ExecutionFollower runs_;
  AbsenceFollower away_;
  ResourceUse resources_;
  std::optional<ResourceUse> resources_from_0_;  // where from() is not 0
  HostUse host_use_;
  TransferFollower transfers_;
  PlanFollower plans_;
  Activities activities_;
  CoreTime core_time_;
  EnergyMeter energy_;
  GroupUse groups_;
  struct UnderWay {
    Execution run;
    std::vector<UsedResource> on;
  };
  std::vector<UnderWay> under_way_;  // at the end
  Use use_, use_from_0_;
  std::vector<HostRow> host_rows_;
  Time end_of_rows_ = 0;
};

// The same of a run of which only the final states of its works are known.
WorkCounts counts_of_states(const Outcome& outcome);

}  // namespace perigee::results
