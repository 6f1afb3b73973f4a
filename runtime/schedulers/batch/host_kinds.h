#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engine/sim.h"

namespace perigee::batch {

// Hosts of one kind are alike in all that a run time depends on. Where estimates are faithful, a work without times for
// single hosts and without dumps takes as long on each of them, and on several of them together. A value.
class HostKinds {
 public:
  // Looks at the hosts again if one has changed, whoever was told.
  void follow(const Sim& sim) {
    if (is_of(sim)) return;
    const View& view = sim.view();
    changes_ = sim.host_changes();
    kinds_.resize(view.hosts().size());
    first_.clear();
    alike_cores_ = true;
    for (std::size_t h = 0; h < kinds_.size(); ++h) {
      kinds_[h] = kind_of(sim, HostId(h), h > 0 ? kinds_[h - 1] : 0);
      const HostView& host = view.hosts()[h];
      alike_cores_ = alike_cores_ && host.exclusive && host.cores == view.hosts()[0].cores;
    }
  }
  bool is_of(const Sim& sim) const {
    return changes_ == sim.host_changes() && kinds_.size() == sim.view().hosts().size();
  }
  std::size_t count() const { return first_.size(); }
  std::span<const HostId> firsts() const { return first_; }  // a host of each kind, which is up if one is
  std::uint32_t of(HostId host) const { return kinds_[host.index]; }
  // A work of any size takes as long everywhere.
  bool are_all_alike() const { return first_.size() <= 1; }
  // Every host serves one activity at a time, and all have as many cores.
  bool are_whole() const { return alike_cores_; }

 private:
  static constexpr std::size_t kMost =
      64;  // beyond them each host is a kind of its own: a search has its price

  std::uint32_t kind_of(const Sim& sim, HostId host, std::uint32_t likely) {
    const auto joins = [&](std::uint32_t kind) {
      HostId& first = first_[kind];
      const bool alike = are_alike(sim, host, first);
      if (alike && !sim.view()[first].up && sim.view()[host].up) first = host;
      return alike;
    };
    if (!first_.empty() && joins(likely)) return likely;
    for (std::uint32_t kind = 0; kind < first_.size() && first_.size() <= kMost; ++kind)
      if (joins(kind)) return kind;
    first_.push_back(host);
    return static_cast<std::uint32_t>(first_.size() - 1);
  }
  static bool are_alike(const Sim& sim, HostId a, HostId b) {
    const View& view = sim.view();
    const Host &x = view.platform()[a], &y = view.platform()[b];
    const engine::Rate &now = sim.availability_of(a), &other = sim.availability_of(b);
    return x.speed == y.speed && x.setup == y.setup && view[a].speed == view[b].speed &&
           view[a].architecture == view[b].architecture && now.factor == other.factor &&
           now.profile == other.profile && (now.since == other.since || now.profile.is_constant());
  }

  std::uint64_t changes_ = 0;
  std::vector<std::uint32_t> kinds_;  // per host
  std::vector<HostId> first_;         // of each kind
  bool alike_cores_ = false;
};

}  // namespace perigee::batch
