#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"

namespace perigee::batch {

// How much room there is on all hosts, for a quick no.
class HostRoom {
 public:
  // Counts the cores of each host that are idle.
  void reset(std::span<const std::int32_t> idle) {
    with_just_.assign(1, 0);
    cores_ = 0;
    counted_.resize(idle.size());
    for (std::size_t h = 0; h < idle.size(); ++h) counted_[h] = std::max(0, idle[h]);
    for (std::size_t h = 0, next = 0; h < counted_.size(); h = next) {  // neighbours are often alike
      while (next < counted_.size() && counted_[next] == counted_[h]) ++next;
      count(counted_[h], static_cast<std::int32_t>(next - h));
    }
  }
  // On these hosts, at most limits[host] of them; empty: no limits.
  void look_at(const View& view, std::span<const Share> shares, std::span<const std::int32_t> limits) {
    for (const Share& share : shares) {
      std::int32_t& counted = counted_[share.host.index];
      count(counted, -1);
      counted = idle_of(view, share.host.index, limits);
      count(counted, 1);
    }
  }
  bool is_none() const { return cores_ == 0; }
  // False only if there is no room for so many cores on each of so many hosts; on any hosts if these are 0.
  bool may_hold(std::int32_t nodes, std::int32_t cores) {
    if (nodes == 0) return cores <= cores_;
    if (std::exchange(stale_, false)) {
      with_ = with_just_;
      for (std::size_t k = with_.size() - 1; k > 0; --k) with_[k - 1] += with_[k];
    }
    return static_cast<std::size_t>(cores) < with_.size() && with_[static_cast<std::size_t>(cores)] >= nodes;
  }

 private:
  static std::int32_t idle_of(const View& view, std::size_t host, std::span<const std::int32_t> limits) {
    const HostView& now = view.hosts()[host];
    const std::int32_t idle = now.up ? now.idle : 0;
    return std::max(0, limits.empty() ? idle : std::min(idle, limits[host]));
  }
  void count(std::int32_t idle, std::int32_t hosts) {
    const auto cores = static_cast<std::size_t>(idle);
    if (cores >= with_just_.size()) with_just_.resize(cores + 1);
    with_just_[cores] += hosts;
    cores_ += std::int64_t{idle} * hosts;
    stale_ = true;
  }

  std::vector<std::int32_t> counted_;           // idle cores, per host
  std::vector<std::int32_t> with_just_, with_;  // hosts with so many of them, or so many at least
  std::int64_t cores_ = 0;                      // of all hosts
  bool stale_ = true;                           // with_ does not follow from with_just_
};

}  // namespace perigee::batch
