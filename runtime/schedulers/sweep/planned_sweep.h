// Sweeps that are dealt out by a plan: who gets how many runs, in order of sending. All of it is posted at
// once, and the engine does the rest.
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

  // Shares of the first so many runs that nobody has, for these hosts (at least one). It is asked when the
  // sweep is opened and, with `again`, when hosts that went have left something: the sum should be `left`,
  // but may be less at first.
  virtual std::vector<Share> plan(Sim& sim, double left, std::span<const HostId> hosts, bool again) = 0;
  // How the plan is made, for who asks why: "6 rounds".
  virtual std::string rule() const = 0;

  std::vector<HostId> hosts_here() const;
  bool is_planned() const { return plans_ > 0; }
  void post_plan(Sim& sim, std::span<const Share> shares);

 private:
  std::size_t plans_ = 0;
  Share choice_ = {};
};

// Whole numbers of runs for real chunks, those of 0 left out; `to`: places in `hosts`.
std::vector<Share> whole_shares(std::span<const HostId> hosts, std::span<const std::uint32_t> to,
                                std::span<const double> chunks);
// What is left over, in one installment to all hosts so that they end together.
std::vector<Share> in_one_installment(Sim& sim, WorkId sweep, double left, std::span<const HostId> hosts);

// An entry of the family with what all of these have in common.
Entry sweep_entry(std::string name);

}  // namespace perigee::sweep
