// Probing: a small package to each host. Its times give estimates of the host's speed and its link's. Then
// everything else is sent in one installment, cut so that all end together.
//
// Source: Ghose, Kim and Kim, Adaptive divisible load scheduling strategies for workstation clusters with
// unknown network resources, IEEE TPDS 16(10), 2005. mode = "wait": no host gets more before all have
// answered. mode = "continue": a host that has answered gets another package of that size in the meantime.
// Results are not returned. A host that comes later, or whose probe is lost while others are probed, is
// probed too. Runs left by a host that goes are dealt out in one installment. Cost: O(H log H) a phase, O(H)
// an instant while probing. Ties: order of hosts.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/engine/why.h"
#include "runtime/schedulers/sweep/planned_sweep.h"
#include "runtime/schedulers/sweep/workers.h"

namespace perigee::sweep {
namespace {

class TwoPhase final : public CoordinatorOf<TwoPhase, PlannedSweep> {
 public:
  TwoPhase(double probe, bool continues) : probe_(probe), continues_(continues) {}

 protected:
  void open(Sim& sim) override {
    CoordinatorOf::open(sim);
    probes_.assign(present().size(), {});
    size_ = probe_;
    if (probe_ < 1) {
      const auto hosts = static_cast<double>(std::max<std::size_t>(1, hosts_here().size()));
      size_ = std::max(1.0, std::round(probe_ * runs(sim) / hosts));
    }
  }
  void finished(Sim&, HostId host, const Package& package, Time at) override {
    Probe& probe = probes_[host.index];
    if (probe.package != package.id) return;
    const double runs = package.piece.size;
    probe.package = {};
    probe.found.speed = runs / std::max(at - std::max(package.start, package.arrived), 1e-12);
    probe.found.rate = package.data.valid() ? runs / (package.arrived - probe.began) : kNever;
    probe.answered = true;
  }
  void host_went(Sim&, HostId host) override { probes_[host.index] = {}; }

  void deal(Sim& sim) override {
    if (!is_planned()) {
      const bool waits = probe(sim);
      look_who_receives(sim);
      if (waits) return;
    }
    CoordinatorOf::deal(sim);
  }
  std::vector<Share> plan(Sim& sim, double left, std::span<const HostId> hosts, bool) override {
    std::vector<Worker> workers;
    for (const HostId host : hosts)
      workers.push_back(probes_[host.index].answered ? probes_[host.index].found
                                                     : workers_of(sim, work(), {&host, 1}).front());
    const Cut cut = single_installment(workers);
    std::vector<double> chunks = cut.fraction;
    for (double& chunk : chunks) chunk *= left;
    return whole_shares(hosts, cut.worker, chunks);
  }
  std::string rule() const override {
    return is_planned() ? "one installment, by the measured times, so that all end together"
                        : fmt::format("a probe of {} runs for each host", size_);
  }
  void why_package(Sim& sim, Decision& out) override {
    if (is_planned()) return CoordinatorOf::why_package(sim, out);
    out.rule = rule();
    for (const HostId host : hosts_here())
      if (!probes_[host.index].answered)
        out.notes.push_back(fmt::format("{} has not answered", sim.view().platform()[host].name));
  }

 private:
  struct Probe {
    ActivityId package, data;  // under way
    Time began = 0;            // its data is sent from then on
    bool answered = false;
    Worker found;
  };

  // Sends the probes that are missing; true while one is under way.
  bool probe(Sim& sim) {
    bool waits = false;
    for (const HostId host : hosts_here()) {
      Probe& probe = probes_[host.index];
      const auto packages = packages_on(host);
      const bool lost = std::ranges::find(packages, probe.package, &Package::id) == packages.end();
      if (!probe.answered && lost && send(sim, host, size_) > 0) {
        const Package& sent = packages_on(host).back();
        probe = {.package = sent.id, .data = sent.data, .began = sim.now(), .answered = false, .found = {}};
      }
      waits = waits || (!probe.answered && probe.package.valid());
    }
    if (continues_ && waits)
      for (const HostId host : hosts_here())
        if (probes_[host.index].answered && packages_on(host).empty()) send(sim, host, size_);
    sim.settle();
    return waits;
  }

  // A transfer is seen to begin in the call that has the time of its beginning.
  void look_who_receives(const Sim& sim) {
    for (Probe& probe : probes_) {
      if (!probe.package.valid()) continue;
      if (const auto data = sim.activity(probe.data); data && !data->posted) probe.began = data->started;
    }
  }

  double probe_;
  bool continues_;
  double size_ = 1;            // runs of a probe
  std::vector<Probe> probes_;  // per host
};

}  // namespace

Entry two_phase() {
  Entry entry = sweep_entry("two_phase");
  entry.summary = "a probe for each host, then all the rest in one installment by what was measured";
  entry.source = "Ghose, Kim and Kim, IEEE TPDS 16(10), 2005";
  entry.complexity = "O(H log H) a phase, O(H) an instant while probing";
  entry.ties = "order of hosts; of equal remainders the first is rounded up";
  entry.parameters = {{.name = "probe",
                       .type = ParameterType::number,
                       .summary = "runs for each host, or, below 1, the share of all runs for all of them",
                       .fallback = 1.0,
                       .min = 0,
                       .max = 1e9,
                       .open_min = true},
                      {.name = "mode",
                       .type = ParameterType::choice,
                       .summary = "what a host does that has answered: it waits for the others, or continues "
                                  "with packages of that size",
                       .fallback = "wait",
                       .choices = {"wait", "continue"}}};
  entry.check = [](const Arguments& given) {
    const double probe = given.number("probe");
    if (probe > 1 && std::floor(probe) != probe)
      fail("bad_parameter", "two_phase: probe must be a whole number of runs, or a share below 1, got {}",
           probe);
  };
  entry.make_policy = [](const Arguments& given) {
    return std::make_unique<TwoPhase>(given.number("probe"), given.choice("mode") == "continue");
  };
  return entry;
}

}  // namespace perigee::sweep
