// Robust UMR: most of the runs in uniform rounds, the rest by factoring. Small last chunks even out errors of
// prediction.
//
// Source: Yang and Casanova, RUMR: robust scheduling for divisible workloads, HPDC 2003. With the error e,
// the rest is e of the load, and all of it from e = 1 on. It is nothing if e W / (N S) is below the overhead
// of a round trip, cLat + N nLat. If e is not known, it is a fifth. Chunks of the second phase are 1 / (2 N)
// of the runs left, and at least (cLat + N nLat) S / e. There are as many of them as hosts before they are
// cut anew. Cost: as umr, then O(H log H) an instant. Ties: order of hosts.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/engine/why.h"
#include "runtime/schedulers/sweep/node_power.h"
#include "runtime/schedulers/sweep/uniform_rounds.h"
#include "runtime/schedulers/sweep/workers.h"

namespace perigee::sweep {
namespace {

class Rumr final : public CoordinatorOf<Rumr, UniformRounds> {
 public:
  Rumr(std::size_t rounds, double error) : CoordinatorOf(rounds, false), error_(error) {}

 protected:
  void open(Sim& sim) override {
    CoordinatorOf::open(sim);
    taken_ = in_batch_ = 0;
    factors_ = false;
    power_.open(sim.view().platform().hosts(), present());
  }
  void finished(Sim&, HostId host, const Package& package, Time at) override {
    power_.measure(host, package.piece.size, at - package.start);
  }
  void host_came(Sim& sim, HostId host) override { power_.come(host, sim.view().platform().hosts()); }
  void host_went(Sim& sim, HostId host) override { power_.go(host, sim.view().platform().hosts()); }

  std::vector<Share> plan(Sim& sim, double left, std::span<const HostId> hosts, bool) override {
    workers_ = workers_of(sim, work(), hosts);
    const RobustSplit split = rumr_split(left, workers_, error_);
    const double planned = std::round(split.planned);
    const double values[] = {planned, left - planned};
    sim.note("split", values);
    return planned > 0 ? rounds_of(sim, planned, hosts) : std::vector<Share>{};
  }

  void deal(Sim& sim) override {
    if (!is_planned()) CoordinatorOf::deal(sim);
    if (!is_planned() || undealt(sim) == 0) return;
    factors_ = true;
    std::vector<HostId> hosts = idle(sim);
    power_.sort(hosts);
    for (const HostId host : hosts) {
      if (undealt(sim) == 0) break;
      if (taken_ == in_batch_) {
        taken_ = 0;
        in_batch_ = std::max<std::size_t>(1, hosts_here().size());
        chunk_ = std::max(1.0, std::ceil(rumr_chunk(undealt(sim), workers_, error_) - 1e-9));
      }
      ++taken_;
      give(sim, host, chunk_);
    }
  }
  std::string rule() const override {
    return factors_ ? fmt::format("second phase: an idle host takes a chunk of {} runs", chunk_)
                    : "first phase: " + CoordinatorOf::rule();
  }

 private:
  double error_;  // NaN: not known
  bool factors_ = false;
  std::vector<Worker> workers_;
  std::size_t taken_ = 0, in_batch_ = 0;
  double chunk_ = 1;
  NodePower power_;
};

}  // namespace

Entry rumr() {
  Entry entry = sweep_entry("rumr");
  entry.summary = "umr for most of the runs, factoring for the rest, by how far predictions deviate";
  entry.source = "Yang and Casanova, HPDC 2003";
  entry.complexity = "that of umr, then O(H log H) an instant";
  entry.ties = "fewest rounds; more cores, more runs/s in the last package, order of hosts";
  entry.parameters = {uniform_rounds_parameter(),
                      {.name = "error",
                       .type = ParameterType::number,
                       .summary = "relative deviation of predicted times; unknown: a fifth is factored",
                       .fallback = "unknown",
                       .min = 0,
                       .max = 1e6,
                       .words = {"unknown"}}};
  entry.make_policy = [](const Arguments& given) {
    const double error =
        given.is("error", "unknown") ? std::numeric_limits<double>::quiet_NaN() : given.number("error");
    return std::make_unique<Rumr>(uniform_rounds(given), error);
  };
  return entry;
}

}  // namespace perigee::sweep
