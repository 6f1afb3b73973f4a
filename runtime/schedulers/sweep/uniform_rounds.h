// UMR and what is made of it: rounds in which all hosts compute equally long.
#pragma once

#include "runtime/schedulers/sweep/planned_sweep.h"

namespace perigee::sweep {

class UniformRounds : public PlannedSweep {
 protected:
  // rounds = 0: as many as are best; `selects`: for the best prefix of the hosts by speed over link rate.
  UniformRounds(std::size_t rounds, bool selects) : options_{.rounds = rounds}, selects_(selects) {}

  std::vector<Share> plan(Sim& sim, double left, std::span<const HostId> hosts, bool again) override;
  std::string rule() const override;
  // Shares of `load` runs; notes `rounds`: their number, the hosts that take part, the makespan from now, s.
  std::vector<Share> rounds_of(Sim& sim, double load, std::span<const HostId> hosts);

 private:
  RoundOptions options_;
  bool selects_;
  std::size_t rounds_ = 0;  // of the last plan
};

Parameter uniform_rounds_parameter();
// Its value, 0 = "auto".
std::size_t uniform_rounds(const Arguments& given);

}  // namespace perigee::sweep
