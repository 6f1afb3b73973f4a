// The slots in which activities live.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engine/trace.h"
#include "runtime/kernel/error.h"
#include "runtime/model/workload.h"

namespace perigee::engine {

enum class Stage : std::uint8_t { free, posted, fixed, moving, paused };

struct Activity {            // members that plain ones need come first
  std::uint32_t serial = 0;  // 0 = the slot is free
  WorkId work;
  HostId host;
  std::int32_t cores = 0;
  Stage stage = Stage::free;
  ActivityKind kind = ActivityKind::none;
  bool is_copy = false;
  bool plain = false;        // a computation that was started, not posted, and has no copies or dependents
  bool awaits_file = false;  // a posted transfer that is in no queue, for nobody has made its file yet
  bool waking = false;       // posted, `not_before` has not come
  bool frozen = false;       // stands still although nobody has been told
  bool shares = false;       // a transfer whose data moves; Links counts it
  bool suspended = false;    // it has given its cores back, and keeps the rest
  std::uint32_t next = kNone, previous = kNone;  // running on the same host
  double first = 0, size = 0;                    // runs or units, as in Piece
  Time end = 0;
  Time since = 0;          // start of the data phase, or the last time at which `left` was brought up to date
  double left = 0;         // seconds at nominal speed, or bytes
  double amount = 0;       // at the start
  Time started = 0;        // later by as long as it was suspended
  Seconds fixed_left = 0;  // the rest of a fixed phase that is paused
  FileId file;
  ClusterId cluster;
  ClusterId from;  // of a transfer to a cluster: the store where the file is; none: home, or not chosen yet
  std::uint32_t route = kNone;
  std::uint32_t twin = kNone;  // ring of copies of the same piece
  std::uint32_t hold = kNone;  // place of its Hold
  // Place of its Allocation. Each of its hosts has a slot of this activity; that of the first is its leader, to which
  // the others refer and which alone counts.
  std::uint32_t allocation = kNone;
  std::uint32_t leader = kNone;  // of one of the others
  std::uint32_t job = kNone;     // of a dump: the slot of its job
  Time limit_at = kNever;        // it is killed then; kNever: it has no limit, or its clock stands
  Seconds limit_left = kNever;   // while the clock stands
  std::uint32_t dependents = kNone, next_dependent = kNone;
  ActivityId after;
  Time not_before = 0;
  double rank = 0;  // the lowest is served first

  Piece piece() const { return {work, first, size}; }
  bool is_transfer() const {  // of a file
    return kind == ActivityKind::transfer_in || kind == ActivityKind::transfer_out;
  }
  bool moves_data() const {
    return is_transfer() || kind == ActivityKind::chunk || kind == ActivityKind::dump;
  }
};

struct Hold {
  std::vector<HostId> hosts;
  LinkId link;
  bool link_busy = false;
  Time from = 0, to = 0, io_until = 0;
};

// The dumps of an attempt of a job.
struct Dumps {
  Seconds interval = kNever;  // of computing between them; kNever: there are none
  Seconds cost = 0;           // over a link: as it was found when the attempt began, idle
  Seconds next = kNever;      // computing until the next one begins, from Activity::since on
  Time due = kNever;          // when one begins, or is whole
  bool writing = false;       // one is under way, until Activity::since
  bool saved = false;         // one is whole that holds more than there was
  bool is_last = false;       // the job leaves its hosts when the one under way is whole
  double begun_with = 0;      // the share that was done when the attempt began
  bool requeues = false;      // the same because the policy has asked for it
  // Over a link. While such a transfer waits or is under way, the job stands still, with Activity::since = kNever.
  LinkId link = {};
  double bytes = 0;
  bool reading = false;  // the dump that the attempt goes on from is still to be read, after its fixed phase
  std::uint32_t transfer = kNone;  // its slot
};

// The hosts of a job that has a Shape, ascending.
struct Allocation {
  struct Part {
    Share share;
    std::uint32_t slot = kNone;  // once it has begun
    // The dedicated time of the job there is its `amount` / pace: all hosts go on at the pace of the slowest.
    double pace = 1;
  };
  std::vector<Part> parts;
  Seconds setup = 0;  // the longest of its hosts
  Dumps dumps = {};
};

// Owns all activities that are posted or under way. A slot is used again, a serial never, so that an id of
// what is over is recognised.
class Activities {
 public:
  static constexpr std::uint32_t kSlotBits = 28;  // of a slot, in ids and in entries of the event queue

  std::uint32_t slots() const { return static_cast<std::uint32_t>(slots_.size()); }  // free ones too
  Activity& operator[](std::uint32_t slot) { return slots_[slot]; }
  const Activity& operator[](std::uint32_t slot) const { return slots_[slot]; }
  ActivityId id_of(std::uint32_t slot) const { return {slots_[slot].serial, slot}; }
  // An id that some activity has or had.
  bool has_been(ActivityId id) const { return id.slot < slots_.size() && id.serial < next_serial_; }
  bool lives(ActivityId id) const {
    return id.valid() && id.slot < slots_.size() && slots_[id.slot].serial == id.serial;
  }

  [[gnu::always_inline]] inline std::uint32_t allocate(ActivityKind kind, bool plain = false);
  [[gnu::always_inline]] inline void release(std::uint32_t slot);  // it has left its host and its queues

  std::uint32_t add_hold(Hold hold);  // release() gives it back with its activity
  Hold& hold_of(const Activity& activity) { return holds_[activity.hold]; }
  const Hold& hold_of(const Activity& activity) const { return holds_[activity.hold]; }
  bool any_hold_yet() const { return !holds_.empty(); }

  std::uint32_t add_allocation(Allocation allocation);  // release() gives it back with its leader
  Allocation& allocation_of(const Activity& activity) { return allocations_[activity.allocation]; }
  const Allocation& allocation_of(const Activity& activity) const {
    return allocations_[activity.allocation];
  }
  std::uint32_t add_member(std::uint32_t leader);  // a slot for a further host
  std::uint32_t leader_of(std::uint32_t slot) const {
    return slots_[slot].leader == kNone ? slot : slots_[slot].leader;
  }

  // Copies of the same piece.
  void add_copy(std::uint32_t original, std::uint32_t copy);
  std::uint32_t earliest_copy(std::uint32_t slot) const;  // of the others; kNone = it is alone

  // Dependents: activities that wait for the end of another one.
  void make_dependent(std::uint32_t slot, ActivityId after);  // nothing happens when that is over
  void make_independent(std::uint32_t slot);
  bool waits_for_another(const Activity& activity) const { return lives(activity.after); }
  std::uint32_t earliest_dependent(std::uint32_t slot) const;  // kNone = it has none

  // Work is tied to its activities except computations, which WorkView counts.
  void tie(std::uint32_t slot, std::size_t works);
  std::uint32_t ties(WorkId work) const { return work.index < tied_.size() ? tied_[work.index] : 0; }
  bool is_tied(WorkId work) const { return ties(work) > 0; }

  // Activities that stand still although nobody has been told.
  void freeze(std::uint32_t slot);
  void thaw(std::uint32_t slot);
  std::int64_t frozen() const { return frozen_; }

  // Suspended activities, in order of suspension. release() forgets them.
  struct Suspension {
    std::uint32_t slot;
    Time since;
  };
  void suspend(std::uint32_t slot, Time now);
  Time resume(std::uint32_t slot);  // returns since when it was suspended
  Time suspended_since(std::uint32_t slot) const;
  std::span<const Suspension> suspended() const { return suspended_; }

  // The limits of running jobs that are to come.
  void set_limit(std::uint32_t slot, Time at) {
    ++limits_;
    slots_[slot].limit_at = at;
  }
  void drop_limit(std::uint32_t slot) {
    if (slots_[slot].limit_at < kNever) --limits_;
    slots_[slot].limit_at = kNever;
  }
  bool any_limit() const { return limits_ > 0; }

  // Posted activities whose time has not come.
  void wait_for_time(std::uint32_t slot);
  void time_has_come(std::uint32_t slot);
  bool any_waits_for_time() const { return waking_ > 0; }

 private:
  void clear(std::uint32_t slot);

  std::vector<Activity> slots_;
  std::vector<std::uint32_t> free_;
  std::uint32_t next_serial_ = 1;
  std::vector<Hold> holds_;
  std::vector<std::uint32_t> free_holds_;
  std::vector<Allocation> allocations_;
  std::vector<std::uint32_t> free_allocations_;
  std::vector<std::uint32_t> tied_;  // per work, once there are any
  std::int64_t frozen_ = 0, waking_ = 0, limits_ = 0;
  std::vector<Suspension> suspended_;
};

inline std::uint32_t Activities::allocate(ActivityKind kind, bool plain) {
  std::uint32_t slot;
  if (free_.empty()) {
    slot = slots();
    PERIGEE_ASSERT(slot < (1U << kSlotBits), "too many activities at a time");
    slots_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
    if (slots_[slot].plain && !plain) slots_[slot] = Activity{};
  }
  slots_[slot].plain = plain;
  slots_[slot].serial = next_serial_++;
  slots_[slot].kind = kind;
  return slot;
}

inline void Activities::release(std::uint32_t slot) {
  Activity& activity = slots_[slot];
  if (activity.frozen) --frozen_;
  if (activity.suspended) [[unlikely]]
    resume(slot);
  if (activity.plain) {  // starting sets all that such a slot ever held
    activity.frozen = false;
    activity.serial = 0;
    activity.stage = Stage::free;
  } else {
    clear(slot);
  }
  free_.push_back(slot);
}

}  // namespace perigee::engine
