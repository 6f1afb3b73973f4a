// Source: Sim-PETEK, 2010, sections 3.2 and 3.3, see the header.
#include "runtime/schedulers/sweep/asynchronous.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/cost/rounds.h"

namespace perigee::sweep {
namespace {

using Settings = AsynchronousSettings;

class Asynchronous final : public CoordinatorOf<Asynchronous, Rounds> {
 public:
  Asynchronous(Quota quota, Learning learning, Settings settings)
      : CoordinatorOf(std::move(quota), std::move(learning)), settings_(std::move(settings)) {}

 protected:
  void open(Sim& sim) override {
    Rounds::open(sim);
    stage_.assign(present().size(), Stage::none);
    to_probe_.assign(present().size(), settings_.probes ? 1 : 0);
    learns_ = false;
    target_ = 0;
    next_round(sim);
  }

  void finished(Sim& sim, HostId host, const Package& package, Time at) override {
    Rounds::finished(sim, host, package, at);
    if (!package.copy) stage_[host.index] = Stage::finished;
  }
  void host_came(Sim& sim, HostId host) override {
    Rounds::host_came(sim, host);
    to_probe_[host.index] = settings_.probes ? 1 : 0;
  }
  void host_went(Sim& sim, HostId host) override {
    Rounds::host_went(sim, host);
    stage_[host.index] = Stage::none;
  }

  void deal(Sim& sim) override {
    const bool finished = std::exchange(has_finished_, false);
    if (undealt(sim) > 0) {
      if (finished && all_have_finished()) learn(sim);
      dispatch(sim);
    } else if (settings_.redistributes) {
      redistribute(sim);
    }
  }

 private:
  // The stage of a host's first package.
  enum class Stage : std::uint8_t { none, given, finished };

  // True if every host that was given a package has finished one; once true, it stays so.
  bool all_have_finished() {
    learns_ = learns_ || std::ranges::find(stage_, Stage::given) == stage_.end();
    return learns_;
  }

  // The number of dealt runs at which a round begins grows by whole runs, however packages are made.
  void next_round(Sim& sim) {
    begin_round(sim);
    const double whole = std::max(1.0, std::floor(quota_ + kEps));
    if (settings_.capped) quota_ = std::max(1.0, std::min(whole, runs(sim) - target_));
    target_ += whole;
  }

  void dispatch(Sim& sim) {
    std::vector<HostId> hosts = idle(sim);
    power_.sort(hosts);
    bool gave = false;
    for (const HostId host : hosts) {
      if (undealt(sim) == 0) return;
      const bool probes = std::exchange(to_probe_[host.index], 0) != 0;
      if (power_.enpr(host) < settings_.threshold.at(round_, state(sim, host))) continue;
      gave |=
          probes ? serve(sim, host, probe(sim, host), "a probe") : serve(sim, host, share(sim, host), how());
    }
    if (!gave && !hosts.empty() && (under_way() == 0 || stalled()))  // otherwise it would never end
      serve(sim, hosts.front(), std::max(1.0, share(sim, hosts.front())),
            "although below the threshold, for nothing is under way");
  }

  bool serve(Sim& sim, HostId host, double most, std::string_view how) {
    if (most <= 0 || give_share(sim, host, most, how) == 0) return false;
    Stage& stage = stage_[host.index];
    if (stage == Stage::none) stage = Stage::given;
    for (double out = dealt(sim); out >= target_ && out < runs(sim);) next_round(sim);
    return true;
  }

  double share(Sim& sim, HostId host) {
    const double x = quota_ * power_.enpr(host);
    if (settings_.whole) return whole_share(x);
    return unit_share(x, units(sim, host));
  }
  std::string_view how() const {
    return settings_.whole ? "rounded up" : "down to whole multiples of its slots' unit, below one unit up";
  }

  double units(Sim& sim, HostId host) {
    const double slots = sim.view().platform()[host].slots;
    if (settings_.units.is("published")) return published_unit(slots);
    if (settings_.units.is("parallel")) return slots;
    if (settings_.units.is("none")) return 1;
    if (settings_.units.is("gcd")) {
      const Workload& workload = sim.view().workload();
      return filling_unit(slots, workload.extras[workload[work()].extra].trials);
    }
    return settings_.units.at(round_, state(sim, host));
  }
  double probe(Sim& sim, HostId host) {
    if (settings_.probe.is("published")) return filling_unit(sim.view().platform()[host].slots, 10);
    return settings_.probe.at(round_, state(sim, host));
  }

  // Copies packages to hosts that have nothing left to do and would end them earlier (section 3.3.3, Figure
  // 3.13).
  void redistribute(Sim& sim) {
    std::vector<HostId> hosts = settings_.any_idle || stalled() ? idle(sim) : freed(sim);
    if (hosts.empty() || under_way() == 0) return;
    power_.sort(hosts);
    look_at_ends(sim);
    for (const HostId host : hosts) {
      const Running* best = nullptr;
      for (Running& each : running_) {  // the latest first
        if (best != nullptr && !same(each.end, best->end)) break;
        if (!earlier(own_end(sim, each, host), each.end)) continue;
        if (best == nullptr || power_.before(each.host, best->host)) best = &each;
      }
      if (best == nullptr) continue;
      const double first = best->first;
      const Time end = own_end(sim, *best, host);
      copy(sim, *package_on(best->host), host);
      for (Running& each : running_)
        if (each.first == first) each.end = end;
      running_.push_back({host, first, end});
      sort_ends();
    }
  }

  struct Running {
    HostId host;
    double first;  // run
    Time end;      // of the first copy
  };
  void look_at_ends(Sim& sim) {
    running_.clear();
    for (std::size_t h = 0; h < present().size(); ++h)
      if (const Package* package = package_on(HostId(h)); package != nullptr && package->piece.work == work())
        running_.push_back({HostId(h), package->piece.first, end_of(sim, *package, HostId(h))});
    std::ranges::sort(running_, {}, [](const Running& r) { return std::pair(r.first, r.end); });
    for (std::size_t i = 1; i < running_.size(); ++i)
      if (running_[i].first == running_[i - 1].first) running_[i].end = running_[i - 1].end;
    sort_ends();
  }
  void sort_ends() {
    std::ranges::sort(running_, [](const Running& a, const Running& b) {
      return a.end != b.end ? a.end > b.end : a.host < b.host;
    });
  }
  Time end_of(Sim& sim, const Package& package, HostId host) const {
    if (!settings_.measured_ends) return sim.estimate().end_of(sim, package.id);
    const Time end = package.start + package.piece.size / power_.npp(host);
    return end < sim.now() ? sim.now() + 1 / power_.npp(host) : end;
  }
  Time own_end(Sim& sim, const Running& running, HostId host) const {
    const Piece& piece = package_on(running.host)->piece;
    if (settings_.measured_ends) return sim.now() + piece.size / power_.npp(host);
    return sim.estimate().end_of(sim, piece, host, sim.now());
  }
  static bool earlier(Time a, Time b) { return a < b && !same(a, b); }
  static bool same(Time a, Time b) { return a == b || std::abs(a - b) <= kEps * std::max(1.0, std::abs(a)); }

  Settings settings_;
  std::vector<Stage> stage_;            // per host
  std::vector<std::uint8_t> to_probe_;  // per host
  bool learns_ = false;
  double target_ = 0;             // runs dealt out at which the next round begins
  std::vector<Running> running_;  // scratch
};

}  // namespace

std::unique_ptr<Policy> asynchronous(Quota quota, Rounds::Learning learning, AsynchronousSettings settings) {
  return std::make_unique<Asynchronous>(std::move(quota), std::move(learning), std::move(settings));
}

}  // namespace perigee::sweep
