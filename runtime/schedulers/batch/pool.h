#pragma once

#include <set>

#include "runtime/engine/sim.h"

namespace perigee::batch {

// Collected work in the order in which it is to leave: by priority if that counts, largest first, then by
// arrival, then by input. O(log P) for each work that comes or goes.
class Pool {
 public:
  explicit Pool(bool by_priority) : by_priority_(by_priority) {}

  void clear() {
    works_.clear();
    by_arrival_.clear();
  }
  // Adds the work unless it is there already.
  void put(const Workload& workload, WorkId work) {
    const Time arrival = workload[work].arrival;
    works_.insert({by_priority_ ? -workload[work].priority : 0, arrival, work});
    if (by_priority_) by_arrival_.insert({0, arrival, work});
  }
  WorkId take_first() {
    const Place first = *works_.begin();
    works_.erase(works_.begin());
    if (by_priority_) by_arrival_.erase({0, first.arrival, first.work});
    return first.work;
  }

  bool empty() const { return works_.empty(); }
  std::size_t size() const { return works_.size(); }
  Time oldest() const { return (by_priority_ ? by_arrival_ : works_).begin()->arrival; }
  // Calls of(work) for each work, in order.
  template <class F>
  void for_each(F of) const {
    for (const Place& place : works_) of(place.work);
  }

 private:
  struct Place {
    double rank;  // -priority, or 0; the lowest is first
    Time arrival;
    WorkId work;
    auto operator<=>(const Place&) const = default;
  };
  bool by_priority_;
  std::set<Place> works_, by_arrival_;  // the second where priority counts
};

}  // namespace perigee::batch
