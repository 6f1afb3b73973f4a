// Sweeps dealt out by a plan: the runs of each host, in order of sending. The whole plan is posted at once,
// and the engine does the rest.
#pragma once

#include <string>
#include <vector>

#include "runtime/cost/installments.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/sweep/coordinator.h"

namespace perigee::sweep {

struct Share {
  HostId host;
  double runs;  // a whole number > 0
};

class PlannedSweep : public Coordinator {
 protected:
  void open(Sim&) override { plans_ = 0; }
  void deal(Sim& sim) override;
  void why_package(Sim& sim, Decision& out) override;

  // Shares of the first `left` runs that nobody has, for these hosts (at least one). Called when the sweep is
  // opened and, with `again`, when hosts that went have left runs. The sum should be `left`, but may be less
  // at first.
  virtual std::vector<Share> plan(Sim& sim, double left, std::span<const HostId> hosts, bool again) = 0;
  // How the plan is made, for explanations: "6 rounds".
  virtual std::string rule() const = 0;

  std::vector<HostId> hosts_here() const;
  bool is_planned() const { return plans_ > 0; }
  void post_plan(Sim& sim, std::span<const Share> shares);

 private:
  std::size_t plans_ = 0;
  Share choice_ = {};
};

// Rounds chunks to whole numbers of runs; those of 0 are left out. `to`: places in `hosts`.
std::vector<Share> whole_shares(std::span<const HostId> hosts, std::span<const std::uint32_t> to,
                                std::span<const double> chunks);
// Deals the remaining runs in one installment to all hosts, so that they end together.
std::vector<Share> in_one_installment(Sim& sim, WorkId sweep, double left, std::span<const HostId> hosts);

// An entry of the family, with the common properties of these policies.
Entry sweep_entry(std::string name);

}  // namespace perigee::sweep
