// UMR and policies built on it: rounds in which all hosts compute equally long.
#pragma once

#include "runtime/schedulers/sweep/planned_sweep.h"

namespace perigee::sweep {

class UniformRounds : public PlannedSweep {
 protected:
  // rounds = 0: the best number of rounds; `selects`: for the best prefix of the hosts by speed over link
  // rate.
  UniformRounds(std::size_t rounds, bool selects) : options_{.rounds = rounds}, selects_(selects) {}

  std::vector<Share> plan(Sim& sim, double left, std::span<const HostId> hosts, bool again) override;
  std::string rule() const override;
  // Shares of `load` runs. Notes `rounds`: their number, the hosts that take part, and the makespan from now,
  // s.
  std::vector<Share> rounds_of(Sim& sim, double load, std::span<const HostId> hosts);

 private:
  RoundOptions options_;
  bool selects_;
  std::size_t rounds_ = 0;  // of the last plan
};

Parameter uniform_rounds_parameter();
// The value of the parameter `rounds`; 0 = "auto".
std::size_t uniform_rounds(const Arguments& given);

}  // namespace perigee::sweep
