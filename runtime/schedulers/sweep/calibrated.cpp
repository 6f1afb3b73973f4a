// Calibrated task farm: each host first computes one run, and all wait for the slowest. The times of these
// runs give the number of runs that each host gets at a time.
//
// The source leaves some points open. Here S are the runs left after the calibration, k is not rounded and
// at least 1, and a package has at least one run. A host that comes later is calibrated by a run of its
// own, and everything that follows from the times is computed anew. Cost: O(H) an instant. Ties: order of
// hosts.

#include "runtime/cost/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/engine/why.h"
#include "runtime/model/routes.h"
#include "runtime/schedulers/sweep/notes.h"
#include "runtime/schedulers/sweep/planned_sweep.h"

namespace perigee::sweep {
namespace {

class Calibrated final : public CoordinatorOf<Calibrated> {
 public:
  Calibrated(CalibrationMode mode, bool single, bool recalibrate)
      : mode_(mode), single_(single), recalibrate_(recalibrate) {}

 protected:
  void open(Sim& sim) override {
    hosts_.assign(present().size(), {});
    probing_ = true;
    const std::vector<Route> routes = all_routes(sim.view().platform(), sim.now());
    for (std::size_t h = 0; h < hosts_.size(); ++h)
      if (const HostId host(h); present(host)) read_inputs(sim, host, routes[sim.view()[host].cluster.index]);
  }
  void finished(Sim&, HostId host, const Package& package, Time at) override {
    OfHost& of = hosts_[host.index];
    if (of.time > 0 && !recalibrate_) return;
    stale_ = stale_ || of.time == 0 || recalibrate_;
    of.time = std::max((at - package.start) / package.piece.size, 1e-12);
  }
  void host_came(Sim& sim, HostId host) override {
    hosts_[host.index] = {};
    read_inputs(sim, host, sim.view().platform().route(sim.view()[host].cluster, {}, sim.now()));
  }
  void host_went(Sim&, HostId host) override { hosts_[host.index] = {}; }

  void deal(Sim& sim) override {
    if (undealt(sim) == 0) return;
    std::vector<HostId> idle_hosts = idle(sim);
    if (probing_) {
      for (const HostId host : idle_hosts)
        if (hosts_[host.index].time == 0) give_some(sim, host, 1);
      probing_ = waits_for_times();
      if (probing_) return;
      stale_ = true;
      idle_hosts = idle(sim);
    }
    if (idle_hosts.empty()) return;
    if (stale_) compute(sim);
    const auto place = [this](HostId host) { return std::pair(-hosts_[host.index].rounded, host); };
    std::ranges::sort(idle_hosts, {}, place);
    for (const HostId host : idle_hosts) {
      if (undealt(sim) == 0) return;
      if (recalibrate_) compute(sim);
      const OfHost& of = hosts_[host.index];
      give_some(sim, host, of.time > 0 ? of.package : 1);
    }
  }

  void why_package(Sim& sim, Decision& out) override {
    const View& view = sim.view();
    if (!out.host.valid())
      out.rule = probing_ ? "a run on each host, and nobody gets more before all have answered"
                          : "an idle host gets as many runs as its index says";
    else if (hosts_[out.host.index].time == 0)
      out.rule = fmt::format("calibration: {} runs for {}", choice_, view.platform()[out.host].name);
    else
      out.rule =
          fmt::format("k = {:.6g} installments, {} has the index {:.6g} among {:.6g} runs left: {} runs", k_,
                      view.platform()[out.host].name, hosts_[out.host.index].fitness, left_, choice_);
    out.hosts = {.score = "index F", .better = Prefer::largest, .ties = "order of hosts"};
    for (std::size_t h = 0; h < hosts_.size(); ++h)
      if (const HostId host(h); present(host))
        out.hosts.candidates.push_back(
            {.index = host.index,
             .score = hosts_[h].fitness,
             .open = host == out.host || (package_on(host) == nullptr && view[host].idle > 0),
             .note = hosts_[h].time > 0 ? fmt::format("{:.6g} s a run", hosts_[h].time)
                                        : std::string("not calibrated")});
  }

 private:
  struct OfHost {
    double time = 0;  // s a run; 0: not measured
    double availability = 1, latency = 0;
    double fitness = 0, rounded = 0;  // F, and to 9 decimals
    double package = 1;               // alpha, runs
  };

  void give_some(Sim& sim, HostId host, double most) {
    choice_ = std::min(most, undealt(sim));
    give(sim, host, most);
  }

  // True while some host computes its first run, or no host has finished one.
  bool waits_for_times() const {
    bool any = false;
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      any = any || hosts_[h].time > 0;
      if (present(HostId(h)) && hosts_[h].time == 0 && package_on(HostId(h)) != nullptr) return true;
    }
    return !any;
  }

  void read_inputs(Sim& sim, HostId id, const Route& route) {
    const Platform& platform = sim.view().platform();
    OfHost& host = hosts_[id.index];
    host.availability = platform[id].availability.at(sim.now());
    if (mode_ != CalibrationMode::multivariate) return;
    const ClusterId cluster = sim.view()[id].cluster;
    if (platform[platform[cluster].link].implied)
      fail_at(
          platform[cluster].declared_at, "missing_availability",
          "calibrated: mode = \"multivariate\" needs the latency of every host, but cluster '{}' has no link",
          platform[cluster].name);
    for (const LinkId link : route) host.latency += platform[link].latency.at(sim.now());
  }

  void compute(Sim& sim) {
    std::vector<std::size_t> of;
    std::vector<double> times, availability, latency;
    bool usable = true;
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      const OfHost& host = hosts_[h];
      if (!(host.time > 0)) continue;
      of.push_back(h);
      times.push_back(host.time);
      availability.push_back(host.availability);
      latency.push_back(host.latency);
      usable = usable && host.availability > 0 && host.availability <= 1;
    }
    left_ = undealt(sim);
    const Calibration found =
        calibrate(usable ? mode_ : CalibrationMode::times, times, availability, latency, left_, single_);
    if (found.fell_back || (!usable && mode_ != CalibrationMode::times)) sim.note(kFitFallback, {});
    k_ = found.k;
    std::vector<double> values = {found.k, found.cv};
    for (std::size_t i = 0; i < of.size(); ++i) {
      OfHost& host = hosts_[of[i]];
      host.fitness = found.fitness[i];
      host.rounded = std::round(found.fitness[i] * 1e9);
      host.package = found.packages[i];
      values.insert(values.end(), {static_cast<double>(of[i]) + 1, found.fitness[i], found.packages[i]});
    }
    sim.note("calibration", values);
    stale_ = false;
  }

  CalibrationMode mode_;
  bool single_, recalibrate_;
  bool probing_ = true, stale_ = true;
  std::vector<OfHost> hosts_;
  double k_ = 1, left_ = 0, choice_ = 0;
};

}  // namespace

Entry calibrated() {
  Entry entry = sweep_entry("calibrated");
  entry.summary = "a run on each host, then packages by the measured times, in installments";
  entry.source = "Gonzalez-Velez and Cole, as in Sim-PETEK, 2010, section 2.5.3, equations 2.1 to 2.6";
  entry.complexity = "O(H) an instant";
  entry.ties = "order of hosts; indices are rounded to 9 decimals";
  entry.parameters = {
      {.name = "mode",
       .type = ParameterType::choice,
       .summary = "indices from measured times, or from times fitted to the hosts' availability, or to the "
                  "latency of their links and the square of their availability",
       .fallback = "times",
       .choices = {"times", "univariate", "multivariate"}},
      {.name = "single",
       .type = ParameterType::boolean,
       .summary = "one installment: k = 1",
       .fallback = false},
      {.name = "recalibrate",
       .type = ParameterType::boolean,
       .summary = "indices, k and packages are computed anew whenever a host gets a package",
       .fallback = false}};
  entry.make_policy = [](const Arguments& given) {
    const std::string& mode = given.choice("mode");
    return std::make_unique<Calibrated>(mode == "times"        ? CalibrationMode::times
                                        : mode == "univariate" ? CalibrationMode::univariate
                                                               : CalibrationMode::multivariate,
                                        given.flag("single"), given.flag("recalibrate"));
  };
  return entry;
}

}  // namespace perigee::sweep
