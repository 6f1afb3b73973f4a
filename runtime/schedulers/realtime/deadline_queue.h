// Waiting loads in the order of (deadline, arrival, id), each with its slack: its deadline less its planned
// completion. An admission test needs the completion of the load before, the least slack of those behind, and
// the same delay for all of them; each takes O(log n).
//
// A treap whose shape depends on the ids only; a value without pointers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/kernel/constants.h"
#include "runtime/kernel/ids.h"

namespace perigee::realtime {

class DeadlineQueue {
 public:
  struct Load {
    Time deadline = 0, arrival = 0;
    std::uint32_t id = 0;
    double size = 0, left = 0;  // units; left: not yet dispatched
  };

  bool empty() const { return root_ == kNone; }
  std::size_t size() const { return nodes_.size() - free_.size() - 1; }

  // The surroundings of the place for a load that is not in the queue.
  struct Place {
    std::optional<Time> before;     // planned completion of the one before
    std::optional<Seconds> behind;  // the least slack of those behind
  };
  // decide(place) returns the load's slack and the delay of all loads behind it, or nothing to leave the load
  // out.
  struct Entry {
    Seconds slack = 0;
    Seconds delay = 0;
  };
  template <class F>
  bool insert(const Load& load, F&& decide);

  // The queue must not be empty.
  const Load& first() const { return loads_[first_]; }
  Time first_completion() const;
  void take_from_first(double size) { loads_[first_].left -= size; }
  void pop_first();

  // Calls f(load, slack) for all loads, in order.
  template <class F>
  void for_each(F&& f) const {
    visit(root_, 0, f);
  }

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0;
  enum Side : std::uint8_t { kBefore, kBehind };
  // Everything that an insertion reads on its way, in one cache line. It holds the least slacks below the
  // node, so that they are known without a visit.
  struct alignas(64) Node {
    Time deadline = 0;
    double slack = kInfinity;                  // without what its ancestors add
    double add[2] = {0, 0};                    // to the slacks on that side
    double least[2] = {kInfinity, kInfinity};  // of the slacks on that side, with that
    Index child[2] = {kNone, kNone};
    std::uint32_t priority = 0;

    double least_of_all() const { return std::min({slack, least[kBefore], least[kBehind]}); }
  };

  bool goes_before(Index node, const Load& load) const {
    if (nodes_[node].deadline != load.deadline) return nodes_[node].deadline < load.deadline;
    const Load& here = loads_[node];
    return here.arrival != load.arrival ? here.arrival < load.arrival : here.id < load.id;
  }
  Index make(const Load& load, double slack);
  void add(Index node, double amount);
  void set(Index node, Side side, Index child);
  void split(Index node, const Load& at, Index& before, Index& behind);
  Index put(Index node, Index made, Seconds delay, double added);
  Index without_first(Index node);
  void find_first();
  template <class F>
  void visit(Index node, double added, F& f) const {
    if (node == kNone) return;
    const Node& here = nodes_[node];
    visit(here.child[kBefore], added + here.add[kBefore], f);
    f(loads_[node], here.slack + added);
    visit(here.child[kBehind], added + here.add[kBehind], f);
  }

  std::vector<Node> nodes_ = std::vector<Node>(1);  // nodes_[0] is nobody
  std::vector<Load> loads_ = std::vector<Load>(1);  // of the nodes
  std::vector<Index> free_;
  Index root_ = kNone, first_ = kNone;
};

template <class F>
bool DeadlineQueue::insert(const Load& load, F&& decide) {
  Place place;
  double added = 0;
  for (Index node = root_; node != kNone;) {
    const Node& here = nodes_[node];
    const Side side = goes_before(node, load) ? kBehind : kBefore;
    if (side == kBehind)
      place.before = here.deadline - (here.slack + added);
    else
      place.behind =
          std::min(place.behind.value_or(kInfinity), std::min(here.slack, here.least[kBehind]) + added);
    added += here.add[side];
    node = here.child[side];
  }
  const std::optional<Entry> entry = decide(std::as_const(place));
  if (!entry) return false;
  root_ = put(root_, make(load, entry->slack), entry->delay, 0);
  find_first();
  return true;
}

}  // namespace perigee::realtime
