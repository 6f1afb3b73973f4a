// AMRS: synchronous rounds. When all packages of a round have ended, the shares of the next one are learnt.
//
// Shares are reserved for hosts in order of declaration until the round is full; the last host keeps its
// whole share. Hosts are served in order of ENPR, which matters when too few runs are left. Cost: O(H log
// H) a round. Ties: larger NPP, then order of hosts.

#include <algorithm>
#include <utility>

#include "runtime/cost/rounds.h"
#include "runtime/schedulers/sweep/rounds.h"

namespace perigee::sweep {
namespace {

class Amrs final : public CoordinatorOf<Amrs, Rounds> {
 public:
  Amrs(Quota quota, Learning learning, bool as_declared)
      : CoordinatorOf(std::move(quota), std::move(learning)), as_declared_(as_declared) {}

 protected:
  void deal(Sim& sim) override {
    if (undealt(sim) == 0 || (under_way() > 0 && !stalled())) return;
    std::vector<HostId> hosts = idle(sim);
    if (hosts.empty()) return;
    if (round_ > 0) learn(sim);
    begin_round(sim);
    double asked = 0;
    want_.assign(present().size(), 0);
    for (const HostId host : hosts) {
      if (asked >= quota_ - kEps) break;
      asked += want_[host.index] = whole_share(quota_ * power_.enpr(host));
    }
    if (!as_declared_) power_.sort(hosts);
    for (const HostId host : hosts) {
      if (undealt(sim) == 0) return;
      if (want_[host.index] > 0) give_share(sim, host, want_[host.index], "rounded up");
    }
  }

 private:
  bool as_declared_;
  std::vector<double> want_;  // runs, per host; scratch
};

}  // namespace

Entry amrs() {
  Entry entry = rounds_entry("amrs", false);
  entry.summary = "all hosts get their shares of a round together, and the next waits for all of them";
  entry.source = "Sim-PETEK, 2010, section 3.1, Figures 3.2 to 3.5, Tables 3.2 to 3.6";
  entry.complexity = "O(H log H) a round";
  entry.parameters.push_back({.name = "order",
                              .type = ParameterType::choice,
                              .summary = "in what order hosts are served: by ENPR, or as they are declared",
                              .fallback = "enpr",
                              .choices = {"enpr", "list"}});
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    return std::make_unique<Amrs>(Quota::of_rounds(given), Rounds::learning(given),
                                  given.choice("order") == "list");
  };
  return entry;
}

}  // namespace perigee::sweep
