#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/kernel/ids.h"

namespace perigee {

// Something due at a time: what it is, in two words the owner understands.
struct Pending {
  Time at = 0;
  std::uint32_t serial = 0;
  std::uint32_t tag = 0;
};

// A 4-ary heap by time. Equal times come out in no particular order: whoever gathers an instant sorts it.
// Nothing is ever removed from the middle; the owner recognises what is no longer valid by its serial.
class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  const Pending& top() const { return heap_.front(); }

  void push(const Pending& pending) {
    std::size_t hole = heap_.size();
    heap_.push_back(pending);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (heap_[parent].at <= pending.at) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = pending;
  }

  void pop() {
    const Pending last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(0, last);
  }

  // Drops every entry that `stale` calls so.
  template <class Predicate>
  void prune(Predicate stale) {
    std::size_t kept = 0;
    for (const Pending& pending : heap_)
      if (!stale(pending)) heap_[kept++] = pending;
    heap_.resize(kept);
    if (kept < 2) return;
    for (std::size_t i = (kept - 2) / 4 + 1; i-- > 0;) sink(i, Pending(heap_[i]));
  }

 private:
  void sink(std::size_t hole, const Pending& pending) {
    const std::size_t count = heap_.size();
    for (;;) {
      const std::size_t first = hole * 4 + 1;
      if (first >= count) break;
      std::size_t least = first;
      const std::size_t end = first + 4 < count ? first + 4 : count;
      for (std::size_t child = first + 1; child < end; ++child)
        if (heap_[child].at < heap_[least].at) least = child;
      if (pending.at <= heap_[least].at) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = pending;
  }

  std::vector<Pending> heap_;
};

}  // namespace perigee
