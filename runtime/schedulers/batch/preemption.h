// Jobs of lower tiers give their cores to jobs of higher ones: they are suspended, or wait again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "runtime/engine/sim.h"
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

class Preemption {
 public:
  Preemption(Preempt how, Seconds exempt) : how_(how), exempt_(exempt) {}

  bool is_on() const { return how_ != Preempt::off; }
  // Suspended jobs of that tier or a higher one go on where all their cores are idle, the highest first, then in
  // order of suspension. Returns them.
  std::vector<ActivityId> resume(Sim& sim, double tier) const;
  // Takes cores from running jobs of lower tiers, so that the work fits by the rule. Where it is to start now; not valid:
  // it waits, for good or until victims have written their dumps. To be asked of works that cannot start now.
  Placement make_room(Sim& sim, WorkId work, Mold mold, HostRuleView rule);
  // The placement that victims, which write dumps, are about to leave to the work; not valid: there is none.
  Placement promised(const Sim& sim, WorkId work);

 private:
  struct Victim {
    ActivityId id;
    WorkId work;
    std::vector<Share> shares;
  };
  std::vector<Victim> candidates(Sim& sim, double tier) const;
  static bool begins_dump(Sim& sim, const Victim& victim);

  Preempt how_;
  Seconds exempt_;  // a job that has run for less long is left alone
  struct Promise {
    Placement where;
    std::vector<ActivityId> victims;
  };
  std::map<WorkId, Promise> promised_;  // while victims write their dumps
};

// The parameters `preempt` and `exempt` of policies, and their values.
Parameter preempt_parameter();
Parameter exempt_parameter();
Preemption preemption_of(const Arguments& given);

// EASY, as backfill with one promise: what is first in line may preempt others.
std::unique_ptr<Policy> easy_that_preempts(HostRule rule, Mold mold, Preemption preemption);

}  // namespace perigee::batch
