#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/schedulers/batch/plan.h"

namespace perigee::batch {

// One question to a plan.
struct Plan::Query {
  Query(Sim& asked, const Sized& sized, Time when, HostRuleView how, bool really);
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  Sim& sim;
  const View& view;
  WorkId work;
  std::int32_t size;  // of a moldable job

 private:
  Shape made_;

 public:
  const Shape& shape;  // in that size
  std::int32_t cores;
  Time at;
  HostRuleView rule;
  bool idle_now;
  bool lowest_first = false;
  bool wakes = false;  // by the rule, but by when hosts are on first
  bool wants_end = true;
  MostOfHosts most = {};
  Stream* random = nullptr;
  bool is_listed;                       // some hosts may not be able to run it
  bool are_alike;                       // it takes as long on all hosts of a kind
  mutable std::vector<Time> ends = {};  // by kind, of a start at that time; NaN = not asked yet

  bool is_now() const { return !(at > view.now()); }
  // The fewest cores that a host may give the work.
  std::int32_t least() const { return shape.nodes > 0 ? cores : 1; }
  // How many of these idle cores of a host it may use; and the cores of a share that so many suffice for.
  std::int32_t usable(const HostView& host, std::int32_t idle) const {
    const bool whole = host.exclusive || shape.exclusive;
    return !whole ? idle : idle >= host.cores ? host.cores : 0;
  }
  std::int32_t cores_of(std::int32_t usable) const {
    return shape.nodes == 0  ? std::clamp(std::min(usable, shape.per_node), 0, cores)
           : usable >= cores ? cores
                             : 0;
  }
  // The cores of a host that a share of so many keeps from others.
  std::int32_t taken(const HostView& host, std::int32_t share) const {
    return host.exclusive || shape.exclusive ? host.cores : share;
  }
  // Otherwise what is idle now is left to others, as far as it can be.
  bool by_rule() const { return wakes || shape.nodes == 1 || (is_now() && !lowest_first); }
  std::int64_t wanted() const { return shape.nodes > 0 ? shape.nodes : cores; }
  std::int64_t size_of(const Room& room) const { return shape.nodes > 0 ? 1 : room.cores; }
  const Demand* demand() const { return shape.demand.get(); }
};

}  // namespace perigee::batch
