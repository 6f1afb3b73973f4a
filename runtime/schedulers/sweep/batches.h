// Factoring and its weighted forms: batches of chunks that hosts take when they are idle.
#pragma once

#include <vector>

#include "runtime/cost/factoring.h"
#include "runtime/schedulers/sweep/node_power.h"
#include "runtime/schedulers/sweep/planned_sweep.h"

namespace perigee::sweep {

// Deals on demand. Idle hosts are served in order of their share of all cores, then by the runs a second of
// the last package, then as declared.
class OnDemand : public Coordinator {
 protected:
  void open(Sim& sim) override { power_.open(sim.view().platform().hosts(), present()); }
  void finished(Sim&, HostId host, const Package& package, Time at) override {
    if (!package.copy) power_.measure(host, package.piece.size, at - package.start);
  }
  void host_came(Sim& sim, HostId host) override { power_.come(host, sim.view().platform().hosts()); }
  void host_went(Sim& sim, HostId host) override { power_.go(host, sim.view().platform().hosts()); }
  void deal(Sim& sim) override;
  void why_package(Sim& sim, Decision& out) override;

  // The runs for an idle host, while there are any left.
  virtual Piece next(Sim& sim, HostId host) = 0;
  // Explanations: how() for the latest package, rule() for the policy in general.
  virtual std::string how() const = 0;
  virtual std::string rule() const = 0;

  std::size_t hosts_here() const;
  NodePower power_;  // its ENPR stay those of the cores

 private:
  double choice_ = 0;
};

struct BatchSettings {
  enum class Weights { none, cores, estimate, learnt };
  enum class Learns { per_sweep, per_batch, per_chunk };
  double cv = std::numeric_limits<double>::quiet_NaN();  // NaN: FAC2
  Weights weights = Weights::none;
  Learns learns = Learns::per_chunk;
};

std::unique_ptr<Policy> batches(const BatchSettings& settings);

Parameter cv_parameter();
double cv_of(const Arguments& given);

}  // namespace perigee::sweep
