// Source: Sim-PETEK, 2010, section 3.1, Figures 3.3 and 3.4, see the header.
#include "runtime/schedulers/sweep/node_power.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "runtime/cost/rounds.h"
#include "runtime/engine/sim.h"

namespace perigee::sweep {

void NodePower::open(std::span<const Host> hosts, std::span<const std::uint8_t> counts) {
  counts_.assign(counts.begin(), counts.end());
  npp_.assign(counts.size(), 0);
  share_by_cores(hosts);
}

void NodePower::share_by_cores(std::span<const Host> hosts) {
  double cores = 0;
  for (std::size_t h = 0; h < counts_.size(); ++h)
    if (counts_[h] != 0) cores += hosts[h].cores;
  enpr_.assign(counts_.size(), 0);
  for (std::size_t h = 0; h < counts_.size(); ++h)
    if (counts_[h] != 0) enpr_[h] = hosts[h].cores / cores;
}

void NodePower::go(HostId host, std::span<const Host> hosts) {
  counts_[host.index] = 0;
  npp_[host.index] = enpr_[host.index] = 0;
  const double left = std::accumulate(enpr_.begin(), enpr_.end(), 0.0);
  if (!(left > 0)) return share_by_cores(hosts);
  for (double& share : enpr_) share /= left;
}

void NodePower::come(HostId host, std::span<const Host> hosts) {
  counts_[host.index] = 1;
  double cores = 0;
  for (std::size_t h = 0; h < counts_.size(); ++h)
    if (counts_[h] != 0) cores += hosts[h].cores;
  const double share = hosts[host.index].cores / cores;
  for (double& other : enpr_) other *= 1 - share;
  enpr_[host.index] = share;
}

void NodePower::measure(HostId host, double runs, Seconds took) {
  const double power = runs / took;
  if (std::isfinite(power)) npp_[host.index] = power;
}

void NodePower::recompute(double alpha) { blend_enpr(enpr_, npp_, alpha); }

double NodePower::rounded(double value) { return std::round(value * 1e9) / 1e9; }

bool NodePower::before(HostId a, HostId b) const {
  const double x = rounded(enpr(a)), y = rounded(enpr(b));
  if (x != y) return x > y;
  const double p = rounded(npp(a)), q = rounded(npp(b));
  return p != q ? p > q : a < b;
}

void NodePower::sort(std::vector<HostId>& hosts) const {
  std::ranges::sort(hosts, [this](HostId a, HostId b) { return before(a, b); });
}

namespace {

constexpr std::string_view kSweep = "sweep", kShares = "enpr", kRecomputation = "npp";

double one_based(auto id) { return static_cast<double>(id.index) + 1; }

}  // namespace

void note_sweep(Sim& sim, WorkId work, double runs) { sim.note(kSweep, std::array{one_based(work), runs}); }

void note_shares(Sim& sim, const NodePower& power) { sim.note(kShares, power.enpr()); }

void note_recomputation(Sim& sim, double alpha, std::span<const HostId> measured, const NodePower& power) {
  std::vector<double> values = {alpha};
  for (const HostId host : measured) {
    values.push_back(one_based(host));
    values.push_back(power.npp(host));
  }
  sim.note(kRecomputation, values);
}

std::vector<PowerUpdate> power_history(std::span<const Note> notes) {
  std::vector<PowerUpdate> history;
  NodePower power;
  WorkId work;
  for (const Note& note : notes) {
    if (note.values.empty()) continue;  // a script may note anything
    if (note.name == kSweep) {
      const double number = note.values.front();
      work = number >= 1 && number < 4e9 ? WorkId(static_cast<std::int64_t>(number) - 1) : WorkId();
      power.npp_.clear();
    } else if (note.name == kShares) {
      power.enpr_ = note.values;
      power.npp_.resize(note.values.size(), 0);
      for (std::size_t h = 0; h < note.values.size(); ++h)
        if (note.values[h] == 0) power.npp_[h] = 0;
      history.push_back({note.time, work, power.enpr_, power.npp_});
    } else if (note.name == kRecomputation) {
      for (std::size_t i = 1; i + 1 < note.values.size(); i += 2)
        if (note.values[i] >= 1 && note.values[i] <= static_cast<double>(power.npp_.size()))
          power.npp_[static_cast<std::size_t>(note.values[i]) - 1] = note.values[i + 1];
      power.recompute(note.values.front());
      history.push_back({note.time, work, power.enpr_, power.npp_, true});
    }
  }
  return history;
}

}  // namespace perigee::sweep
