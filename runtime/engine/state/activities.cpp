#include "runtime/engine/state/activities.h"

#include <algorithm>
#include <utility>

namespace perigee::engine {

// Clears the slot of an activity that may have been posted or copied.
void Activities::clear(std::uint32_t slot) {
  Activity& activity = slots_[slot];
  if (activity.twin != kNone) {  // leave the ring of copies
    std::uint32_t before = activity.twin;
    while (slots_[before].twin != slot) before = slots_[before].twin;
    slots_[before].twin = activity.twin == before ? kNone : activity.twin;
  }
  if (activity.hold != kNone) free_holds_.push_back(activity.hold);
  if (activity.allocation != kNone) free_allocations_.push_back(activity.allocation);
  if (activity.waking) --waking_;
  drop_limit(slot);
  if (activity.kind != ActivityKind::compute && activity.work.valid()) --tied_[activity.work.index];
  activity = Activity{};
}

namespace {

template <class T>
std::uint32_t put(T value, std::vector<T>& all, std::vector<std::uint32_t>& unused) {
  if (unused.empty()) {
    all.push_back(std::move(value));
    return static_cast<std::uint32_t>(all.size() - 1);
  }
  const std::uint32_t place = unused.back();
  unused.pop_back();
  all[place] = std::move(value);
  return place;
}

}  // namespace

std::uint32_t Activities::add_hold(Hold hold) { return put(std::move(hold), holds_, free_holds_); }

std::uint32_t Activities::add_allocation(Allocation allocation) {
  return put(std::move(allocation), allocations_, free_allocations_);
}

std::uint32_t Activities::add_member(std::uint32_t leader) {
  const std::uint32_t slot = allocate(ActivityKind::compute), serial = slots_[leader].serial;
  --next_serial_;
  Activity& member = slots_[slot];
  member.serial = serial;
  member.work = slots_[leader].work;
  member.leader = leader;
  member.end = kNever;
  return slot;
}

void Activities::add_copy(std::uint32_t original, std::uint32_t copy) {
  Activity& first = slots_[original];
  first.plain = false;
  slots_[copy].is_copy = true;
  slots_[copy].twin = first.twin == kNone ? original : first.twin;
  first.twin = copy;
}

// The result does not depend on how the ring was built.
std::uint32_t Activities::earliest_copy(std::uint32_t slot) const {
  std::uint32_t earliest = kNone;
  if (slots_[slot].twin == kNone) return earliest;
  for (std::uint32_t t = slots_[slot].twin; t != slot; t = slots_[t].twin)
    if (earliest == kNone || slots_[t].serial < slots_[earliest].serial) earliest = t;
  return earliest;
}

void Activities::make_dependent(std::uint32_t slot, ActivityId after) {
  if (!lives(after)) return;
  Activity& first = slots_[after.slot];
  first.plain = false;
  slots_[slot].after = after;
  slots_[slot].next_dependent = first.dependents;
  first.dependents = slot;
}

void Activities::make_independent(std::uint32_t slot) {
  Activity& activity = slots_[slot];
  if (!waits_for_another(activity)) return;
  std::uint32_t* at = &slots_[activity.after.slot].dependents;
  while (*at != kNone && *at != slot) at = &slots_[*at].next_dependent;
  if (*at == slot) *at = activity.next_dependent;
  activity.next_dependent = kNone;
  activity.after = {};
}

std::uint32_t Activities::earliest_dependent(std::uint32_t slot) const {
  std::uint32_t earliest = slots_[slot].dependents;
  for (std::uint32_t d = earliest; d != kNone; d = slots_[d].next_dependent)
    if (slots_[d].serial < slots_[earliest].serial) earliest = d;
  return earliest;
}

void Activities::tie(std::uint32_t slot, std::size_t works) {
  tied_.resize(works);
  ++tied_[slots_[slot].work.index];
}

void Activities::freeze(std::uint32_t slot) {
  if (!slots_[slot].frozen) ++frozen_;
  slots_[slot].frozen = true;
}

void Activities::thaw(std::uint32_t slot) {
  if (slots_[slot].frozen) --frozen_;
  slots_[slot].frozen = false;
}

void Activities::suspend(std::uint32_t slot, Time now) {
  slots_[slot].suspended = true;
  suspended_.push_back({slot, now});
}

Time Activities::resume(std::uint32_t slot) {
  slots_[slot].suspended = false;
  const auto found = std::ranges::find(suspended_, slot, &Suspension::slot);
  const Time since = found->since;
  suspended_.erase(found);
  return since;
}

Time Activities::suspended_since(std::uint32_t slot) const {
  return std::ranges::find(suspended_, slot, &Suspension::slot)->since;
}

void Activities::wait_for_time(std::uint32_t slot) {
  if (!slots_[slot].waking) ++waking_;
  slots_[slot].waking = true;
}

void Activities::time_has_come(std::uint32_t slot) {
  if (slots_[slot].waking) --waking_;
  slots_[slot].waking = false;
}

}  // namespace perigee::engine
