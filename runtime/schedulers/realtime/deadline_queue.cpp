// Source: Mamat, 2011, Chapter 6, Algorithms 6 and 7 (completions, slacks and their least); treaps: Seidel
// and Aragon, Algorithmica 16, 1996.
#include "runtime/schedulers/realtime/deadline_queue.h"

#include <algorithm>

namespace perigee::realtime {
namespace {

// Mixes the bits of the id, so that ids in any order make a shallow tree.
std::uint32_t priority_of(std::uint32_t id) {
  std::uint64_t mixed = (id + 1) * 0x9E3779B97F4A7C15ULL;
  mixed ^= mixed >> 29;
  mixed *= 0xBF58476D1CE4E5B9ULL;
  return static_cast<std::uint32_t>(mixed >> 32);
}

}  // namespace

DeadlineQueue::Index DeadlineQueue::make(const Load& load, double slack) {
  Index node;
  if (free_.empty()) {
    node = static_cast<Index>(nodes_.size());
    nodes_.emplace_back();
    loads_.emplace_back();
  } else {
    node = free_.back();
    free_.pop_back();
  }
  nodes_[node] = Node();
  nodes_[node].deadline = load.deadline;
  nodes_[node].slack = slack;
  nodes_[node].priority = priority_of(load.id);
  loads_[node] = load;
  return node;
}

void DeadlineQueue::add(Index node, double amount) {
  if (node == kNone) return;
  Node& here = nodes_[node];
  here.slack += amount;
  for (const Side side : {kBefore, kBehind}) {
    here.add[side] += amount;
    here.least[side] += amount;
  }
}

void DeadlineQueue::set(Index node, Side side, Index child) {
  Node& here = nodes_[node];
  here.child[side] = child;
  here.least[side] = nodes_[child].least_of_all() + here.add[side];
}

// A part that leaves its place takes along what was added to it there.
void DeadlineQueue::split(Index node, const Load& at, Index& before, Index& behind) {
  before = behind = kNone;
  if (node == kNone) return;
  const Side side = goes_before(node, at) ? kBehind : kBefore;
  Index parts[2];
  split(nodes_[node].child[side], at, parts[kBefore], parts[kBehind]);
  const Index stays = parts[side == kBehind ? kBefore : kBehind], leaves = parts[side];
  add(leaves, nodes_[node].add[side]);
  set(node, side, stays);
  before = side == kBehind ? node : leaves;
  behind = side == kBehind ? leaves : node;
}

// `added`: the sum that the ancestors add to the slacks here.
DeadlineQueue::Index DeadlineQueue::put(Index node, Index made, Seconds delay, double added) {
  if (node == kNone || nodes_[node].priority <= nodes_[made].priority) {
    Index before, behind;
    split(node, loads_[made], before, behind);
    add(behind, -delay);
    nodes_[made].slack -= added;
    set(made, kBefore, before);
    set(made, kBehind, behind);
    return made;
  }
  Node& here = nodes_[node];
  const Side side = goes_before(node, loads_[made]) ? kBehind : kBefore;
  if (side == kBefore) {
    here.slack -= delay;
    here.add[kBehind] -= delay;
    here.least[kBehind] -= delay;
  }
  set(node, side, put(here.child[side], made, delay, added + here.add[side]));
  return node;
}

DeadlineQueue::Index DeadlineQueue::without_first(Index node) {
  Node& here = nodes_[node];
  if (here.child[kBefore] == kNone) {
    add(here.child[kBehind], here.add[kBehind]);
    return here.child[kBehind];
  }
  set(node, kBefore, without_first(here.child[kBefore]));
  return node;
}

void DeadlineQueue::find_first() {
  first_ = root_;
  while (first_ != kNone && nodes_[first_].child[kBefore] != kNone) first_ = nodes_[first_].child[kBefore];
}

void DeadlineQueue::pop_first() {
  const Index gone = first_;
  root_ = without_first(root_);
  nodes_[gone] = Node();
  free_.push_back(gone);
  find_first();
}

Time DeadlineQueue::first_completion() const {
  double added = 0;
  for (Index node = root_; node != first_; node = nodes_[node].child[kBefore])
    added += nodes_[node].add[kBefore];
  return nodes_[first_].deadline - (nodes_[first_].slack + added);
}

}  // namespace perigee::realtime
