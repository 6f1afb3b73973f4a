// Jobs of lower tiers, or those that a function chooses, give their cores to others: they are suspended, or wait again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/kernel/clone_ptr.h"
#include "runtime/schedulers/batch/plan.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::batch {

enum class Preempt : std::uint8_t {
  off,
  suspend,     // they keep their memory, and go on when their cores are idle
  requeue,     // they wait again at once, at their old place
  checkpoint,  // the same after a dump, while which they keep their cores
};

// A job of a higher tier comes before all others, and may preempt them.
double tier_of(const View& view, WorkId work);

struct PreemptSettings {
  Preempt how = Preempt::off;
  Seconds exempt = 0;  // a job that has run for less long is left alone
  Seconds grace = 0;   // a victim goes on for so long, unless it writes a dump
  // A function that is given the works that run, and returns those that the work may preempt, the first victim first.
  // None: those of lower tiers.
  ClonePtr<Rule> victims = {};
};

class Preemption {
 public:
  explicit Preemption(PreemptSettings settings) : settings_(std::move(settings)) {}

  bool is_on() const { return settings_.how != Preempt::off; }
  // Suspended jobs of that tier or a higher one go on where all their cores are idle, the highest first, then in
  // order of suspension. Returns them.
  std::vector<ActivityId> resume(Sim& sim, double tier) const;
  // Takes cores from running jobs, so that the work fits by the rule. Where it is to start now; not valid: it waits, for
  // good, or until victims have written their dumps or have had their grace. To be asked of works that cannot start now.
  Placement make_room(Sim& sim, WorkId work, Mold mold, HostRuleView rule);
  // The placement that victims are about to leave to the work; not valid: there is none.
  Placement promised(const Sim& sim, WorkId work);
  // Its victims go on: it has found another place. Victims that write a dump still write it.
  void spare_victims_of(WorkId work) { promised_.erase(work); }
  // For `why`: whom the work preempts now, and by whom it was preempted last.
  void explain(const Sim& sim, WorkId work, Decision& out) const;

 private:
  struct Victim {
    ActivityId id;
    WorkId work;
    std::vector<Share> shares;
  };
  struct Promise {
    Placement where;
    std::vector<ActivityId> writing;  // victims that are to leave when their dumps are whole
    std::vector<ActivityId> graced;   // those that are to leave at `until`
    Time until = kNever;
  };
  struct Taken {
    Time at;
    WorkId by;
  };
  std::vector<Victim> candidates(Sim& sim, WorkId work);
  static bool begins_dump(Sim& sim, const Victim& victim);
  void take(Sim& sim, ActivityId victim, WorkId by);

  PreemptSettings settings_;
  std::map<WorkId, Promise> promised_;  // while victims write their dumps, or have their grace
  std::map<WorkId, Taken> taken_;       // the last time, of victims that are not settled
};

// The parameters of policies that preempt, behind others, and their values.
std::vector<Parameter> with_preempt_parameters(std::vector<Parameter> others);
Preemption preemption_of(const Arguments& given);

// EASY, as backfill with one promise: what is first in line may preempt others.
std::unique_ptr<Policy> easy_that_preempts(HostRule rule, Mold mold, Preemption preemption);

}  // namespace perigee::batch
