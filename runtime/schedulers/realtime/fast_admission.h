// Admission of divisible loads by their completion on all nodes together, and dispatch piece by piece to any
// node that is free; no plan of chunks is made. Loads have no set-ups and one cost. The cluster has identical
// nodes behind one channel.
//
// Source: Mamat, 2011, Chapter 6, Algorithms 6 to 8 (AC-FAST) and section 6.2.2 (the dispatcher).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/cost/divisible.h"
#include "runtime/engine/event.h"
#include "runtime/schedulers/realtime/deadline_queue.h"

namespace perigee::realtime {

// The time at which the first load of the queue is assumed to start.
enum class HeadStart : std::uint8_t {
  // The completion, on all nodes, of the part of the first waiting load that has been dispatched.
  safe,
  // The completion of the last load that has been dispatched whole (Algorithm 6 as printed); loads may miss
  // their deadlines.
  literal,
  // The true start: all waiting loads are sent in advance, as if nothing else arrived, and are in time.
  exact,
};

class FastAdmission {
 public:
  struct Chunk {
    std::uint32_t id = 0;  // of the load
    std::uint32_t node = 0;
    double size = 0;  // 0: too late for any, and the rest of the load is left out
    Time start = 0;
    bool last = false;  // of its load
  };

  // Error "bad_costs" unless both costs are larger than 0 and there are no set-ups.
  FastAdmission(const UnitCosts& costs, std::size_t nodes, HeadStart start, double tolerance);

  // A load of this size arrives; it must be complete by the deadline (absolute). Ids are unique.
  // Reason::none: it is admitted. Otherwise head, succ or self: the test of Algorithm 6 that it fails.
  // Everything due by now must have been dispatched. O(log n) with n waiting loads; O(nodes) when there is
  // none. HeadStart::exact: O(log n) for each of their chunks.
  Reason arrive(std::uint32_t id, Time now, double size, Time deadline);

  // Called when no load waits. These loads then wait in the order of deadlines, behind the work that keeps
  // nodes busy (Algorithms 10 and 11). False changes nothing, because one of them would be late.
  bool take_over(std::span<const DeadlineQueue::Load> loads, Time now);

  // The time to send the next chunk; kNever while nothing waits.
  Time next_dispatch() const;
  // Sends the next chunk.
  Chunk dispatch();

  HeadStart start() const { return start_; }
  // The rest of a load that was dispatched in part; 0 for others.
  double unsent(std::uint32_t id) const {
    return !queue_.empty() && queue_.first().id == id ? queue_.first().left : 0;
  }
  std::size_t waiting() const { return queue_.size(); }
  const DeadlineQueue& queue() const { return queue_; }
  Time node_free(std::size_t node) const { return free_[node]; }
  Time channel_free() const { return channel_; }
  Seconds time_on_all(double size) const { return size * per_unit_; }
  // The end of each waiting load if nothing else arrives, in the order of deadlines; kNever: not in time.
  struct End {
    std::uint32_t id = 0;
    Time at = 0;
  };
  std::vector<End> look_ahead() const;

  // The node is free from `at` on, or away (kNever).
  void set_free(std::size_t node, Time at);
  void set_free(std::span<const Time> at);  // of all
  // Something else is sent through the channel until `at`.
  void set_channel_free(Time at) { channel_ = std::max(channel_, at); }

 private:
  Time start_after_dispatched(Time now) const;
  Reason arrive_in_advance(const DeadlineQueue::Load& load);

  UnitCosts costs_;
  HeadStart start_;
  double tolerance_;
  Seconds per_unit_;  // on all nodes together
  DeadlineQueue queue_;
  std::vector<Time> free_;           // per node; kNever = it is away
  std::vector<std::uint32_t> idle_;  // a heap of nodes that were free at the last dispatch, the lowest first
  struct Busy {
    Time until;
    std::uint32_t node;
    bool operator>(const Busy& other) const {
      return until != other.until ? until > other.until : node > other.node;
    }
  };
  std::vector<Busy> busy_;  // a heap of the others that are there, the earliest first
  Time channel_ = 0;
  Time last_ = 0;             // dispatch or insertion
  Time last_completion_ = 0;  // of the last load that was dispatched whole, as planned
  bool has_dispatched_ = false;
};

}  // namespace perigee::realtime
