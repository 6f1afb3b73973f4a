// Switching idle hosts off, and on again for who waits for them: the parameters off_after and keep_on of batch policies.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/plan.h"

namespace perigee::batch {

struct PowerSettings {
  Seconds off_after = kNever;  // of idle time
  bool break_even = false;     // in place of off_after: see cost::break_even
  bool unplanned = false;      // the same, and at once where no promise begins sooner
  std::size_t keep_on = 0;     // so many idle hosts stay on
};
// `plans`: of a policy that promises all that wait hosts.
std::vector<Parameter> with_power_parameters(std::vector<Parameter> others, bool plans = false);
PowerSettings power_settings(const Arguments& given);

// A host without activity, hold and post, that nobody is bound to, is shut down when it has been so for as long as the
// settings say: the lowest first, while more idle hosts than keep_on are on. Hosts without a PowerModel stay on. A value.
class PowerSaving {
 public:
  explicit PowerSaving(PowerSettings settings) : settings_(settings) {}

  void begin(const Sim& sim);

  // The first in line cannot start on the hosts that are on. Where it could on others too, all that is idle now taken
  // together, in the order of the rule, those on first, then by when they could be on, it is bound to that: those that are
  // not on are switched on, and all are kept.
  void bind(Sim& sim, WorkId work, Mold mold, HostRuleView rule);
  // Whether it waits for its hosts to be on; no longer when one of them is away.
  bool is_bound(const Sim& sim, WorkId work) const;
  // Where, and when all are on.
  const Placement& bound() const { return bound_; }
  // The same as a start now; not valid where it cannot start yet.
  Placement bound_now(Sim& sim);

  // The promises of an ask, each told once, in any order. Their hosts that are not on are switched on in time, and those
  // that are on stay so if they could not be on again by then.
  void forget_promises();
  void promise(Sim& sim, const Placement& where);

  // To be called at the end of each ask, with what it was told: has the policy asked at the end of the instant in which a
  // host is due, when all that arrives then has come, and shuts it down then. True if a host began to shut down.
  bool save(Sim& sim, std::span<const Event> events = {});

 private:
  Seconds off_after(const Sim& sim, HostId host) const;
  bool saves() const { return settings_.break_even || settings_.unplanned || settings_.off_after < kNever; }
  bool is_idle(const Sim& sim, HostId host) const;
  bool is_kept(HostId host) const;
  bool is_foreseen(Sim& sim, const Placement& now);

  PowerSettings settings_;
  WorkId work_;                   // who is bound
  Placement bound_;               // to that
  Plan plan_;                     // scratch
  std::vector<Time> idle_since_;  // per host; kNever = it is not idle
  std::vector<Time> promised_;    // per host: the first begin of a promise
  Time next_wake_ = kNever;
  TimerId timer_;
  Time armed_ = kNever;
};

}  // namespace perigee::batch
