// Shared parts of the exports that draw lanes.
#pragma once

#include "runtime/results/executions.h"

namespace perigee::results {

// A run with what its hosts and links did, and the lanes of hosts.
class RunInLanes {
 protected:
  explicit RunInLanes(const Outcome& outcome)
      : outcome_(outcome),
        platform_(*outcome.scenario->platform),
        workload_(*outcome.scenario->workload),
        runs_(spells(executions(outcome))),
        away_(absences(outcome)),
        by_host_(spans_hosts(runs_)),
        lanes_(by_host_ ? host_lanes(outcome, runs_) : HostLanes{lanes(outcome, runs_), {}}) {}

  const Outcome& outcome_;
  const Platform& platform_;
  const Workload& workload_;
  const Executions runs_;
  const Absences away_;
  const bool by_host_;  // jobs had several hosts
  const HostLanes lanes_;
};

}  // namespace perigee::results
