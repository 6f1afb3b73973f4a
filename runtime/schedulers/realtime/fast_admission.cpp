// Source: Mamat, 2011, Chapter 6, see the header.
#include "runtime/schedulers/realtime/fast_admission.h"

#include <algorithm>
#include <functional>

#include "runtime/kernel/error.h"
#include "runtime/schedulers/realtime/reasons.h"

namespace perigee::realtime {
FastAdmission::FastAdmission(const UnitCosts& costs, std::size_t nodes, HeadStart start, double tolerance)
    : costs_(costs),
      start_(start),
      tolerance_(tolerance),
      per_unit_(DivisibleCosts(costs, Partition::optimal).time(1, nodes)),
      free_(nodes, 0),
      idle_(nodes) {
  if (costs.transmission == 0 || costs.computation == 0)
    fail("bad_costs", "to send and to compute a unit of load must each take some time");
  if (costs.transmission_setup > 0 || costs.computation_setup > 0)
    fail("bad_costs", "this test has no set-ups: completions on all nodes would not add up");
  for (std::size_t i = 0; i < nodes; ++i) idle_[i] = static_cast<std::uint32_t>(i);  // a heap
}

void FastAdmission::set_free(std::size_t node, Time at) {
  free_[node] = at;
  std::erase(idle_, static_cast<std::uint32_t>(node));
  std::erase_if(busy_, [&](const Busy& each) { return each.node == node; });
  if (at < kNever) busy_.push_back({at, static_cast<std::uint32_t>(node)});
  std::ranges::make_heap(idle_, std::greater<>{});
  std::ranges::make_heap(busy_, std::greater<>{});
}

void FastAdmission::set_free(std::span<const Time> at) {
  free_.assign(at.begin(), at.end());
  idle_.clear();
  busy_.clear();
  for (std::size_t node = 0; node < at.size(); ++node)
    if (at[node] < kNever) busy_.push_back({at[node], static_cast<std::uint32_t>(node)});
  std::ranges::make_heap(busy_, std::greater<>{});
}

// The start of a load that finds none waiting. In an empty cluster it starts at once. Otherwise it starts
// after the dispatched loads, and all the time for which nodes were idle before `now` counts as work of its
// own (Algorithm 8).
Time FastAdmission::start_after_dispatched(Time now) const {
  if (!has_dispatched_) return now;
  Seconds idle = 0;
  bool empty = channel_ <= now;
  for (const Time free : free_) {
    if (free < kNever) idle += std::max(now - std::max(free, channel_), 0.0);
    empty = empty && (free <= now || free == kNever);
  }
  if (empty) return now;
  return last_completion_ + time_on_all(idle / (costs_.transmission + costs_.computation));
}

bool FastAdmission::take_over(std::span<const DeadlineQueue::Load> loads, Time now) {
  Seconds busy = 0;
  for (const Time free : free_)
    if (free < kNever) busy += std::max(free - now, 0.0);
  const Time start = now + time_on_all(busy / costs_.computation);
  Time completion = start;
  for (const DeadlineQueue::Load& load : loads) {
    completion += time_on_all(load.left);
    if (completion > load.deadline) return false;
  }
  completion = start;
  for (const DeadlineQueue::Load& load : loads) {
    completion += time_on_all(load.left);
    queue_.insert(load, [&](const DeadlineQueue::Place&) {
      return std::optional(DeadlineQueue::Entry{.slack = load.deadline - completion});
    });
  }
  last_ = now;
  last_completion_ = start;
  has_dispatched_ = true;
  return true;
}

std::vector<FastAdmission::End> FastAdmission::look_ahead() const {
  FastAdmission ahead = *this;
  std::vector<End> ends;
  for (bool begins = true; ahead.next_dispatch() < kNever;) {
    if (begins) ends.push_back({.id = ahead.queue_.first().id});
    const Chunk chunk = ahead.dispatch();
    ends.back().at = chunk.size > 0 ? std::max(ends.back().at, ahead.free_[chunk.node]) : kNever;
    begins = chunk.last;
  }
  ahead.queue_.for_each([&](const DeadlineQueue::Load& load, double) {  // no node is there
    ends.push_back({.id = load.id, .at = kNever});
  });
  return ends;
}

Reason FastAdmission::arrive(std::uint32_t id, Time now, double size, Time deadline) {
  if (at_most(deadline, channel_ + size * costs_.transmission, tolerance_)) return refusal::head;
  const DeadlineQueue::Load load{.deadline = deadline, .arrival = now, .id = id, .size = size, .left = size};
  if (start_ == HeadStart::exact) return arrive_in_advance(load);
  const Seconds time = time_on_all(size);
  Reason refused = Reason::none;
  queue_.insert(load, [&](const DeadlineQueue::Place& place) -> std::optional<DeadlineQueue::Entry> {
    refused = refusal::succ;
    if (place.behind && !at_most(time, *place.behind, tolerance_)) return {};
    Time start = now;
    if (place.before)
      start = *place.before;
    else if (!place.behind)
      start = start_after_dispatched(now);
    else if (start_ == HeadStart::safe)
      start = queue_.first_completion() - time_on_all(queue_.first().left);
    else if (has_dispatched_)
      start = last_completion_;
    start = std::max(start, now);
    refused = refusal::self;
    if (!at_most(time, deadline - start, tolerance_)) return {};
    refused = Reason::none;
    return DeadlineQueue::Entry{.slack = deadline - start - time, .delay = time};
  });
  if (refused == Reason::none) last_ = std::max(last_, now);
  return refused;
}

Reason FastAdmission::arrive_in_advance(const DeadlineQueue::Load& load) {
  FastAdmission with = *this;
  with.queue_.insert(load, [](const DeadlineQueue::Place&) { return std::optional(DeadlineQueue::Entry{}); });
  with.last_ = std::max(last_, load.arrival);
  for (const End& end : with.look_ahead())
    if (end.at == kNever) return end.id == load.id ? refusal::self : refusal::succ;
  *this = std::move(with);
  return Reason::none;
}

Time FastAdmission::next_dispatch() const {
  if (queue_.empty() || (idle_.empty() && busy_.empty())) return kNever;
  const Time node = idle_.empty() ? busy_.front().until : 0;
  return std::max({node, channel_, last_});
}

FastAdmission::Chunk FastAdmission::dispatch() {
  const Time now = next_dispatch();
  while (!busy_.empty() && busy_.front().until <= now) {
    idle_.push_back(busy_.front().node);
    std::ranges::push_heap(idle_, std::greater<>{});
    std::ranges::pop_heap(busy_, std::greater<>{});
    busy_.pop_back();
  }
  const DeadlineQueue::Load& load = queue_.first();
  const Seconds both = costs_.transmission + costs_.computation;
  Chunk chunk{.id = load.id, .node = idle_.front(), .size = (load.deadline - now) / both, .start = now};
  // A load that was admitted only by the tolerance is not cut for it.
  const bool fits = at_most(now + load.left * both, load.deadline, tolerance_);
  const bool too_late = !fits && chunk.size <= kSliver * load.size;
  if (too_late) chunk.size = 0;
  if (fits || load.left - chunk.size <= kSliver * load.size) chunk.size = load.left;
  chunk.last = too_late || chunk.size == load.left;
  last_ = now;
  if (chunk.size > 0) {
    has_dispatched_ = true;
    channel_ = now + chunk.size * costs_.transmission;
    free_[chunk.node] = now + chunk.size * both;
    std::ranges::pop_heap(idle_, std::greater<>{});
    idle_.pop_back();
    busy_.push_back({free_[chunk.node], chunk.node});
    std::ranges::push_heap(busy_, std::greater<>{});
  }
  if (chunk.last) {
    last_completion_ = queue_.first_completion();
    queue_.pop_first();
  } else {
    queue_.take_from_first(chunk.size);
  }
  return chunk;
}

}  // namespace perigee::realtime
