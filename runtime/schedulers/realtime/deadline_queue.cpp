// Source: Mamat, 2011, Chapter 6, Algorithms 6 and 7 (completions, slacks and their least); the treap is of
// Seidel and Aragon, Algorithmica 16, 1996.
#include "runtime/schedulers/realtime/deadline_queue.h"

#include <algorithm>

namespace perigee {
namespace {

// Mixes the bits of the id, so that ids in any order make a tree of little depth.
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
  } else {
    node = free_.back();
    free_.pop_back();
  }
  nodes_[node] = {.load = load, .slack = slack, .least = slack, .priority = priority_of(load.id)};
  return node;
}

void DeadlineQueue::add(Index node, double amount) {
  if (node == kNone) return;
  nodes_[node].slack += amount;
  nodes_[node].least += amount;
  nodes_[node].add += amount;
}

void DeadlineQueue::push(Index node) {
  Node& here = nodes_[node];
  if (here.add == 0) return;
  add(here.left, here.add);
  add(here.right, here.add);
  here.add = 0;
}

void DeadlineQueue::pull(Index node) {
  Node& here = nodes_[node];
  here.least = std::min({here.slack, nodes_[here.left].least, nodes_[here.right].least});
}

void DeadlineQueue::split(Index node, const Load& at, Index& before, Index& behind) {
  if (node == kNone) {
    before = behind = kNone;
    return;
  }
  push(node);
  if (goes_before(nodes_[node].load, at)) {
    Index right;
    split(nodes_[node].right, at, right, behind);
    nodes_[node].right = right;
    before = node;
  } else {
    Index left;
    split(nodes_[node].left, at, before, left);
    nodes_[node].left = left;
    behind = node;
  }
  pull(node);
}

DeadlineQueue::Index DeadlineQueue::merge(Index before, Index behind) {
  if (before == kNone) return behind;
  if (behind == kNone) return before;
  if (nodes_[before].priority > nodes_[behind].priority) {
    push(before);
    nodes_[before].right = merge(nodes_[before].right, behind);
    pull(before);
    return before;
  }
  push(behind);
  nodes_[behind].left = merge(before, nodes_[behind].left);
  pull(behind);
  return behind;
}

DeadlineQueue::Index DeadlineQueue::without_first(Index node) {
  push(node);
  if (nodes_[node].left == kNone) return nodes_[node].right;
  nodes_[node].left = without_first(nodes_[node].left);
  pull(node);
  return node;
}

void DeadlineQueue::find_first() {
  first_ = root_;
  while (first_ != kNone && nodes_[first_].left != kNone) first_ = nodes_[first_].left;
}

void DeadlineQueue::pop_first() {
  const Index gone = first_;
  root_ = without_first(root_);
  nodes_[gone] = {};
  free_.push_back(gone);
  find_first();
}

Time DeadlineQueue::first_completion() const {
  double added = 0;
  for (Index node = root_; node != first_; node = nodes_[node].left) added += nodes_[node].add;
  return nodes_[first_].load.deadline - (nodes_[first_].slack + added);
}

Time DeadlineQueue::completion_of_last(Index node) const {
  double added = 0;
  while (nodes_[node].right != kNone) {
    added += nodes_[node].add;
    node = nodes_[node].right;
  }
  return nodes_[node].load.deadline - (nodes_[node].slack + added);
}

}  // namespace perigee
