// Source: Sim-PETEK, 2010, section 3.1, Figures 3.3 and 3.4, see the header.
#include "runtime/schedulers/sweep/node_power.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perigee {

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

void NodePower::recompute(double alpha) {
  const double total = std::accumulate(npp_.begin(), npp_.end(), 0.0);
  if (!(total > 0) || !std::isfinite(total)) return;
  for (std::size_t h = 0; h < enpr_.size(); ++h)
    enpr_[h] = (1 - alpha) * enpr_[h] + alpha * (npp_[h] / total);
}

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

std::vector<PowerUpdate> power_history(std::span<const Note> notes) {
  std::vector<PowerUpdate> history;
  NodePower power;
  WorkId work;
  for (const Note& note : notes) {
    if (note.values.empty()) continue;  // a script may note anything
    if (note.name == "sweep") {
      const double number = note.values.front();
      work = number >= 1 && number < 4e9 ? WorkId(static_cast<std::int64_t>(number) - 1) : WorkId();
      power.npp_.clear();
    } else if (note.name == "enpr") {
      power.enpr_ = note.values;
      power.npp_.resize(note.values.size(), 0);
      for (std::size_t h = 0; h < note.values.size(); ++h)
        if (note.values[h] == 0) power.npp_[h] = 0;
      history.push_back({note.time, work, power.enpr_, power.npp_});
    } else if (note.name == "npp") {
      for (std::size_t i = 1; i + 1 < note.values.size(); i += 2)
        if (note.values[i] >= 1 && note.values[i] <= static_cast<double>(power.npp_.size()))
          power.npp_[static_cast<std::size_t>(note.values[i]) - 1] = note.values[i + 1];
      power.recompute(note.values.front());
      history.push_back({note.time, work, power.enpr_, power.npp_});
    }
  }
  return history;
}

}  // namespace perigee
