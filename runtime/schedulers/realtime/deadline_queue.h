// Loads that wait, in the order of (deadline, arrival, id), each with its slack: its deadline less its
// planned completion. O(log n) for all that an admission test needs: the completion of the one before, the
// least slack of those behind, and the same delay for all of them.
//
// A treap whose shape depends on the ids only; a value without pointers.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/kernel/ids.h"

namespace perigee {

class DeadlineQueue {
 public:
  struct Load {
    Time deadline = 0, arrival = 0;
    std::uint32_t id = 0;
    double size = 0, left = 0;  // left: not yet dispatched
  };

  bool empty() const { return root_ == kNone; }
  std::size_t size() const { return nodes_.size() - free_.size() - 1; }

  // What is around the place of a load that is not in the queue.
  struct Place {
    std::optional<Time> before;    // planned completion of the one before
    std::optional<double> behind;  // the least slack of those behind
  };
  // decide(place) says the load's slack, and by how much all behind it are delayed; nothing leaves it out.
  struct Entry {
    double slack = 0;
    Seconds delay = 0;
  };
  template <class F>
  bool insert(const Load& load, F&& decide);

  // Of a queue that is not empty.
  const Load& first() const { return nodes_[first_].load; }
  Time first_completion() const;
  void take_from_first(double size) { nodes_[first_].load.left -= size; }
  void pop_first();

  // f(load, slack) for all, in order.
  template <class F>
  void for_each(F&& f) const {
    visit(root_, 0, f);
  }

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0;  // nodes_[0] is nobody: its least slack is +inf
  struct Node {
    Load load = {};
    double slack = std::numeric_limits<double>::infinity();
    double least = std::numeric_limits<double>::infinity();  // of the subtree
    double add = 0;  // to the slack of all below, which do not have it yet
    Index left = kNone, right = kNone;
    std::uint32_t priority = 0;
  };

  static bool goes_before(const Load& a, const Load& b) {
    if (a.deadline != b.deadline) return a.deadline < b.deadline;
    return a.arrival != b.arrival ? a.arrival < b.arrival : a.id < b.id;
  }
  Index make(const Load& load, double slack);
  void add(Index node, double amount);
  void push(Index node);
  void pull(Index node);
  void split(Index node, const Load& at, Index& before, Index& behind);
  Index merge(Index before, Index behind);
  Index without_first(Index node);
  void find_first();
  Time completion_of_last(Index node) const;
  template <class F>
  void visit(Index node, double added, F& f) const {
    if (node == kNone) return;
    const Node& here = nodes_[node];
    visit(here.left, added + here.add, f);
    f(here.load, here.slack + added);
    visit(here.right, added + here.add, f);
  }

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::vector<Index> free_;
  Index root_ = kNone, first_ = kNone;
};

template <class F>
bool DeadlineQueue::insert(const Load& load, F&& decide) {
  Index before = kNone, behind = kNone;
  split(root_, load, before, behind);
  Place place;
  if (before != kNone) place.before = completion_of_last(before);
  if (behind != kNone) place.behind = nodes_[behind].least;
  const std::optional<Entry> entry = decide(std::as_const(place));
  if (entry) {
    add(behind, -entry->delay);
    before = merge(before, make(load, entry->slack));
  }
  root_ = merge(before, behind);
  find_first();
  return entry.has_value();
}

}  // namespace perigee
