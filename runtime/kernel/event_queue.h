#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/kernel/ids.h"

namespace perigee::kernel {

// Something due at a time. The owner keeps two words in it that say what it is.
struct Pending {
  Time at = 0;
  std::uint32_t serial = 0;
  std::uint32_t tag = 0;
};

// A 4-ary heap by time. Equal times come out in no particular order: the code that gathers an instant sorts
// it. Nothing is ever removed from the middle; the owner recognises invalid entries by their serial.
//
// pop() leaves a hole at the root, which the next push() fills in one descent: most often, something that
// ends makes room for something that starts. A few entries at infinity follow the last one, so that every
// node has four children to compare.
class EventQueue {
 public:
  bool empty() const { return size() == 0; }
  std::size_t size() const { return filled() - (hole_ ? 1 : 0); }

  const Pending& top() {
    close();
    return heap_.front();
  }
  // Times of the first two entries; +inf if there is none.
  Time first() const { return hole_ ? below_root() : heap_.front().at; }
  Time second() {
    close();
    return below_root();
  }

  [[gnu::always_inline]] void push(Pending pending) {
    if (hole_) {
      hole_ = false;
      sink(0, pending);
    } else {
      rise(pending);
    }
  }

  void pop() {
    close();
    hole_ = true;
  }

  // Drops every entry for which `stale` is true.
  template <class Predicate>
  void prune(Predicate stale) {
    close();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < filled(); ++i)
      if (!stale(heap_[i])) heap_[kept++] = heap_[i];
    heap_.resize(kept);
    heap_.resize(kept + kPadding, {kNever});
    if (kept < 2) return;
    for (std::size_t i = (kept - 2) / 4 + 1; i-- > 0;) sink(i, Pending(heap_[i]));
  }

 private:
  static constexpr std::size_t kPadding = 5;

  std::size_t filled() const { return heap_.size() - kPadding; }
  Time below_root() const {
    return std::min(std::min(heap_[1].at, heap_[2].at), std::min(heap_[3].at, heap_[4].at));
  }

  void close() {
    if (!hole_) return;
    hole_ = false;
    const std::size_t count = filled() - 1;
    const Pending last = heap_[count];
    heap_[count].at = kNever;
    heap_.pop_back();
    if (count > 0) sink(0, last);
  }

  // Written without a branch, which would be mispredicted half of the time.
  std::size_t least_of_four(std::size_t first) const {
    const Pending* child = &heap_[first];
    const std::size_t a = child[1].at < child[0].at ? 1 : 0;
    const std::size_t b = child[3].at < child[2].at ? 3 : 2;
    return first + a + (b - a) * (child[b].at < child[a].at ? 1 : 0);
  }

  void rise(Pending pending) {
    std::size_t hole = filled();
    heap_.push_back({kNever});
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (heap_[parent].at <= pending.at) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = pending;
  }

  [[gnu::always_inline]] void sink(std::size_t hole, Pending pending) {
    const std::size_t count = filled();
    for (std::size_t first = hole * 4 + 1; first < count; first = hole * 4 + 1) {
      const std::size_t least = least_of_four(first);
      if (pending.at <= heap_[least].at) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = pending;
  }

  std::vector<Pending> heap_ = std::vector<Pending>(kPadding, {kNever});
  bool hole_ = false;
};

}  // namespace perigee::kernel
