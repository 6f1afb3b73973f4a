// Static round-robin: runs go to the hosts in turn, all at the beginning, a package for each host.
//
// With H hosts a host gets a share of 1/H, the first ones a run more. Runs left by a host that goes are
// dealt out again in the same way. Cost: O(H). Ties: order of hosts.

#include <cmath>

#include "runtime/schedulers/sweep/planned_sweep.h"

namespace perigee::sweep {
namespace {

class StaticRoundRobin final : public CoordinatorOf<StaticRoundRobin, PlannedSweep> {
 protected:
  std::vector<Share> plan(Sim&, double left, std::span<const HostId> hosts, bool) override {
    const auto count = static_cast<double>(hosts.size());
    const double each = std::floor(left / count), more = left - each * count;
    std::vector<Share> shares;
    for (std::size_t i = 0; i < hosts.size(); ++i)
      if (const double runs = each + (static_cast<double>(i) < more ? 1 : 0); runs > 0)
        shares.push_back({hosts[i], runs});
    return shares;
  }
  std::string rule() const override { return "runs go to the hosts in turn, all at once"; }
};

}  // namespace

Entry static_round_robin() {
  Entry entry = sweep_entry("static_round_robin");
  entry.summary = "as many runs to each host, all at the beginning";
  entry.source = "Sim-PETEK, 2010, section 2.4";
  entry.complexity = "O(H)";
  entry.ties = "order of hosts";
  entry.make_policy = [](const Arguments&) { return std::make_unique<StaticRoundRobin>(); };
  return entry;
}

}  // namespace perigee::sweep
