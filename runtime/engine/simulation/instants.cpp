// An instant: gathers everything that is due, applies it in order, and asks the policy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/engine/simulation/draw.h"
#include "runtime/engine/simulation/loop.h"
#include "runtime/kernel/quantity.h"

namespace perigee::engine {

namespace {

constexpr std::uint64_t kMaxPasses = 1'000'000;
constexpr std::uint32_t kMostWaits = 1'000'000;  // of drawn failures and repairs while nothing progresses
constexpr std::size_t kCrowd = 1000;             // arrivals at a time for which room is made beforehand

Phase phase_of(TimerPhase phase) {
  return phase == TimerPhase::due ? kDue : phase == TimerPhase::sample ? kSamples : kLate;
}

// By resource: on links, then on hosts.
std::uint64_t order_of_end(const State& state, const Activity& activity) {
  const bool is_dump = activity.kind == ActivityKind::dump;
  const bool on_link = is_dump || activity.cluster.valid();  // transfers and chunks
  const std::uint32_t resource = is_dump   ? state.links.route(activity.route).front().index
                                 : on_link ? (*state.platform)[activity.cluster].link.index
                                 : activity.hold != kNone
                                     ? state.activities.hold_of(activity).hosts.front().index
                                     : activity.host.index;
  return (on_link ? 0ULL : 1ULL << 32) | resource;
}

}  // namespace

void Loop::key(DueNow& due) const {
  const std::uint32_t slot = Sim::slot_of(due.pending);
  std::uint64_t order = 0;
  switch (Sim::due_of(due.pending)) {
    case Sim::Due::end:
    case Sim::Due::phase: {
      const Activity& activity = state_.activities[slot];
      due.phase = activity.kind == ActivityKind::think ? kThoughts : kEnds;
      if (due.phase == kThoughts) break;
      order = order_of_end(state_, activity);
      due.minor = std::uint64_t{activity.file.valid() ? activity.file.index : activity.work.index} << 32 |
                  activity.serial;
      break;
    }
    case Sim::Due::happening:
      due.phase = state_.injected[slot].kind == HappeningKind::mark ? kMarks : kHappenings;
      order = 1ULL << 32 | slot;  // after those listed
      break;
    case Sim::Due::process:
      due.phase = kHappenings;
      order = 2ULL << 32 | slot;
      break;
    case Sim::Due::failure:
      due.phase = kHappenings;
      order = 3ULL << 32 | drawn[slot].host.index;
      due.minor = slot;
      break;
    case Sim::Due::step:
      due.phase = kHappenings;
      order = 4ULL << 32 | slot;
      break;
    case Sim::Due::timer:
      due.phase = phase_of(state_.timers[slot].phase);
      due.minor = due.pending.serial;
      break;
    case Sim::Due::policy:
      due.phase = kLate;
      order = 1;  // after the timers
      due.minor = slot;
      break;
    case Sim::Due::window:
      due.phase = kHappenings;
      order = 5ULL << 32 | slot;
      break;
    case Sim::Due::dump:   // behind all ends, by work
    case Sim::Due::limit:  // and behind these
      due.phase = kEnds;
      order = (Sim::due_of(due.pending) == Sim::Due::dump ? 1ULL : 2ULL) << 34;
      due.minor = std::uint64_t{state_.activities[slot].work.index} << 32 | due.pending.serial;
      break;
    case Sim::Due::power:  // behind these, by host
      due.phase = kEnds;
      order = 3ULL << 34 | slot;
      break;
    case Sim::Due::wake:
      break;
  }
  due.major = std::uint64_t{due.phase} << 56 | order;
}

// Takes everything due out of the queue. Arrivals stay where they are: their order is that of input.
void Loop::gather(Time limit, std::vector<DueNow>& out) {
  while (queue_.first() <= limit) {
    DueNow due;
    due.pending = queue_.top();
    queue_.pop();
    if (stale(due.pending)) continue;
    if (Sim::due_of(due.pending) == Sim::Due::wake) {
      const std::uint32_t slot = Sim::slot_of(due.pending);
      Activity& activity = state_.activities[slot];
      if (!activity.waking) continue;
      state_.activities.time_has_come(slot);
      activity.not_before = std::min(activity.not_before, state_.now);
      touch_all(slot);
      continue;
    }
    key(due);
    out.push_back(due);
  }
  while (next_happening <= limit) {
    const Happening& next = happening(happenings);
    DueNow due;
    due.phase = next.kind == HappeningKind::mark ? kMarks : kHappenings;
    const std::uint32_t index = (*happening_order)[happenings];
    due.pending = {next.at, Sim::kListed,
                   static_cast<std::uint32_t>(Sim::Due::happening) << Sim::kSlotBits | index};
    due.major = std::uint64_t{due.phase} << 56 | index;
    out.push_back(due);
    ++happenings;
    look_ahead();
  }
}

void Loop::end_fixed_phase(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  if (activity.kind == ActivityKind::hold) {  // the io part is over
    Hold& hold = state_.activities.hold_of(activity);
    free_link(hold);
    activity.stage = Stage::moving;
    activity.end = std::max(state_.now, hold.to);
    push_end(slot);
  } else {
    activity.since = state_.now;
    go_on(slot);
  }
}

// A drawn failure or its repair comes, and the next one is drawn.
void Loop::fail_or_repair(std::uint32_t slot, Time at) {
  Failing& failing = drawn[slot];
  const FailureModel& model = scenario().failures[failing.model];
  const Outage outage{number_of(failing), Cause::failure, model.announced};
  if (failing.is_down)
    host_up(failing.host, outage);
  else
    host_down(failing.host, outage);
  failing.is_down = !failing.is_down;
  failing.next =
      at + (failing.is_down ? draw(failing.stream, model.repair_law, model.mttr, model.repair_shape)
                            : draw(failing.stream, model.law, model.mtbf, model.shape));
  push(Sim::Due::failure, failing.next, 0, slot);
}

// Many timers may come at one time. Timers in instants that follow each other so closely for ever are a
// mistake.
void Loop::see_timer() {
  constexpr std::uint32_t kMost = 100'000;
  if (now() == timer_instants.last) return;
  if (timer_instants.follows(now()) > kMost)
    fail("time_stands_still", "policy '{}': time does not move: its timers come in {} instants at t = {} s",
         setup.name, kMost, now());
}

void Loop::tell_timer(TimerId timer) {
  Event event;
  event.kind = EventKind::timer;
  event.serial = timer.serial;
  event.slot = timer.slot;
  if (state_.timers[timer.slot].keeps != Keeps::nothing) ++idle_wakes;
  see_timer();
  state_.timers.remove(timer);
  events_.push_back(event);
}

// A known step of a host's availability or a link's bandwidth has come.
void Loop::tell_step(std::uint32_t slot) {
  const bool of_host = slot < state_.hosts.size();
  const LinkId link(slot - (of_host ? 0 : state_.hosts.size()));
  if (of_host ? state_.hosts.is_up(HostId(slot)) : state_.links.is_up(link))
    tell(EventKind::changed, of_host ? ResourceId::of(HostId(slot)) : ResourceId::of(link), Reason::change,
         true);
}

void Loop::apply(const Pending& due) {
  if (!stale(due))  // no earlier event at this time has made it so
    apply_valid(due);
  else
    ++events;
}

void Loop::apply_valid(const Pending& due) {
  ++events;
  const std::uint32_t slot = Sim::slot_of(due);
  const std::size_t before = events_.size();
  switch (Sim::due_of(due)) {
    case Sim::Due::end:
      finish_activity(slot);
      break;
    case Sim::Due::phase:
      end_fixed_phase(slot);
      break;
    case Sim::Due::happening:
      if (due.serial != Sim::kListed) std::erase(to_come, slot);
      apply(due.serial == Sim::kListed ? scenario().happenings[slot] : state_.injected[slot]);
      if (events_.size() > before && events_.back().kind == EventKind::mark) {
        events_.back().serial = due.serial;
        events_.back().slot = slot;
      }
      break;
    case Sim::Due::process:
      wake(slot);
      break;
    case Sim::Due::failure:
      fail_or_repair(slot, due.at);
      break;
    case Sim::Due::step:
      tell_step(slot);
      watch(slot, due.at);
      break;
    case Sim::Due::timer:
      tell_timer({due.serial, slot});
      break;
    case Sim::Due::policy:
      successor = slot;  // of several the last
      --successors_to_come;
      break;
    case Sim::Due::dump:
      reach_dump(slot);
      break;
    case Sim::Due::limit:
      reach_limit(slot);
      break;
    case Sim::Due::power:
      end_transition(HostId(slot));
      break;
    case Sim::Due::window:
      state_.windows_known = std::max<std::size_t>(state_.windows_known, slot + 1);
      tell(EventKind::known, state_.windows[slot].on, Reason::none, true);
      break;
    case Sim::Due::wake:
      break;
  }
  for (std::size_t e = before; e < events_.size(); ++e) events_[e].at = due.at;
}

// Where works are not in order of arrival.
std::size_t Loop::next_by_input(Time limit) {
  if (by_input.empty()) {
    const auto from = arrival_order->begin() + static_cast<std::ptrdiff_t>(arrivals - ordered_from);
    by_input.assign(from, from + static_cast<std::ptrdiff_t>(arrivals_by(limit)));
    std::sort(by_input.begin(), by_input.end(), std::greater<>());
  }
  const std::size_t next = by_input.back();
  by_input.pop_back();
  return next;
}

void Loop::apply_arrival(Time limit) {
  const WorkId work(next_arriving(limit));
  const Time at = scenario().workload->works[work.index].arrival;
  ++arrivals;
  look_for_arrival();
  ++events;
  state_.works.arrive(work);
  record_work(RecordKind::arrived, work);
  if (!some_host_can_run(work))
    return settle_work(work, WorkState::rejected, RecordKind::rejected, Reason::infeasible);
  if (!why_over_queue(*scenario().workload, *scenario().platform, work).empty())
    return settle_work(work, WorkState::rejected, RecordKind::rejected, Reason::limit);
  if (has_lost_predecessor(work))
    return settle_work(work, WorkState::rejected, RecordKind::rejected, Reason::predecessor);
  const bool ready = is_ready(work);
  if (!ready) state_.works.wait_for_others(work);
  if (!ready && !tells_pending_) return;
  over_hosts = over_hosts || scenario().workload->shape_of(work) != nullptr;
  Event& event = events_.emplace_back();
  event.at = at;
  event.kind = EventKind::arrived;
  event.work = work;
  if (!ready || !tells_pending_) return;
  events_.push_back(event);
  events_.back().kind = EventKind::ready;
}

bool Loop::ask() {
  start_posted();
  if (events_.empty()) return false;
  delivering.clear();
  delivering.swap(events_);
  setup.policy->react(*this, delivering);
  start_posted();
  return true;
}

void Loop::begin_policy() {
  begun = true;
  setup.policy->begin(*this);
  start_posted();
}

// The instant's only event, by far the most common, needs neither order nor phases. False when there are
// more.
bool Loop::alone(Time limit) {
  if (next_arrival <= limit || next_happening <= limit || !events_.empty() || queue_.second() <= limit)
    return false;
  const Pending due = queue_.top();
  if (Sim::due_of(due) == Sim::Due::wake) return false;
  queue_.pop();
  apply_valid(due);  // next_time() has seen that it is
  ask();
  return true;
}

void Loop::run_once(Time limit, bool by_phase, std::uint64_t done) {
  const bool early = setup.instants.submit_first;
  for (std::uint64_t pass = done + 1;; ++pass) {
    if (pass > kMaxPasses)
      fail("time_stands_still", "policy '{}': time does not move: {} passes at t = {}", setup.name,
           kMaxPasses, state_.now);
    pending.clear();
    gather(limit, pending);
    const bool arriving = next_arrival <= limit;
    if (pending.empty() && !arriving && events_.empty()) {
      start_posted();  // they may begin and end at this very time
      if (!due_by(limit)) return;
      continue;
    }
    if (pending.size() > 1) std::sort(pending.begin(), pending.end());
    std::size_t next = 0;
    const auto arrive = [&] {
      if (arrival(arrivals + kCrowd) <= limit) events_.reserve(events_.size() + arrivals_by(limit));
      while (next_arrival <= limit) apply_arrival(limit);
      if (by_phase) ask();
    };
    if (by_phase && !events_.empty()) ask();
    for (std::uint8_t phase = 0; phase < kPhases; ++phase) {
      if (next_arrival <= limit && phase == (early ? kEnds : kArrivals)) arrive();
      const std::size_t first = next;
      while (next < pending.size() && pending[next].phase == phase) apply(pending[next++].pending);
      if (by_phase && next > first) ask();
    }
    if (!by_phase) ask();
  }
}

void Loop::run_each(Time limit, std::uint64_t done) {
  const std::uint8_t arrival_phase = setup.instants.submit_first ? kMarks + 1 : kArrivals;
  pending.clear();  // phases still to be delivered, highest first
  std::uint64_t passes = done, initial = done;
  const auto higher = [](const DueNow& a, const DueNow& b) { return b < a; };
  for (;;) {
    const std::size_t before = pending.size();
    gather(limit, pending);
    if (pending.size() > before) std::sort(pending.begin(), pending.end(), higher);
    if (passes == 0) initial = pending.size();
    while (!pending.empty() && stale(pending.back().pending)) pending.pop_back();
    const bool arriving = next_arrival <= limit;
    if (pending.empty() && !arriving && events_.empty()) {
      start_posted();
      if (next_time() > limit) return;
      continue;
    }
    ++passes;
    if (arriving) ++initial;
    if (passes > kMaxPasses + initial)
      fail("time_stands_still", "policy '{}': time does not move: {} passes at t = {}", setup.name,
           kMaxPasses, state_.now);
    if (!events_.empty()) {
      ask();
      continue;
    }
    const bool arrival_first =
        arriving && (pending.empty() || arrival_phase < pending.back().phase ||
                     (setup.instants.submit_first && arrival_phase == pending.back().phase));
    if (arrival_first) {
      apply_arrival(limit);
    } else {
      const Pending lowest = pending.back().pending;
      pending.pop_back();
      apply(lowest);
    }
    ask();
  }
}

void Loop::run_passes(Time limit, std::uint64_t done) {
  if (setup.instants.ask == Ask::each)
    run_each(limit, done);
  else
    run_once(limit, setup.instants.ask == Ask::phases, done);
}

// The instant at t, which is next_time().
void Loop::instant(Time t) {
  state_.now = t;
  ++state_.instant;
  changed = false;
  const Time limit =
      std::min(t + setup.instants.tolerance * std::max(1.0, t), std::numeric_limits<Time>::max());
  const bool was_alone = alone(limit);
  if (!was_alone || !events_.empty() || due_by(limit)) run_passes(limit, was_alone ? 1 : 0);
  if (progressing_ > 0 || state_.timers.any_alive() || state_.activities.any_waits_for_time() ||
      state_.activities.any_limit()) {
    if (progressing_ > 0 && !drawn.empty()) {
      std::fill(tried.begin(), tried.end(), 0);
      waits_for_hosts = 0;
    }
    if (successor == kNone) [[likely]]
      return;
  }
  if (state_.works.unsettled() > 0 && successor == kNone) stall(limit);
  if (successor == kNone) return;
  take_over(successors[std::exchange(successor, kNone)].setup);
  begin_policy();
}

// Called when nothing progresses and work is left. The policy is asked to act, and asked again as long as its
// actions change something within the instant.
void Loop::stall(Time limit) {
  for (std::uint64_t times = 0; progressing_ == 0 && !state_.timers.any_alive() &&
                                !state_.activities.any_waits_for_time() && !state_.activities.any_limit();
       ++times) {
    if (state_.works.unsettled() == 0 || state_.activities.frozen() > 0 || waits_unaware()) return;
    if (times > kMaxPasses)
      fail("time_stands_still", "policy '{}': time does not move: it has stalled {} times at t = {}",
           setup.name, kMaxPasses, state_.now);
    const std::pair<std::uint64_t, std::size_t> before{ended_, state_.works.unsettled()};
    Event event;
    event.at = state_.now;
    event.kind = EventKind::stalled;
    events_.push_back(event);
    ask();
    run_passes(limit, 0);
    if (before == std::pair<std::uint64_t, std::size_t>{ended_, state_.works.unsettled()}) return;
  }
}

bool Loop::anything_to_come() {
  const bool comes = arrivals < work_count || happenings < happening_order->size() || progressing_ > 0 ||
                     state_.activities.any_waits_for_time() || state_.activities.any_limit() ||
                     successors_to_come > 0;
  const std::pair<std::size_t, std::size_t> now{arrivals, state_.works.unsettled()};
  if (comes || settled != now) idle_wakes = 0;
  settled = now;
  // A process or a timer may still change everything, but those that have woken so often in vain never will.
  return comes || (idle_wakes < kMaxIdleWakes &&
                   (state_.timers.any_keeping() ||
                    std::ranges::any_of(processes, [](const Running& each) { return each.next < kNever; })));
}

// Only drawn failures are left: they can help as long as some host that is down has not been tried since.
bool Loop::may_recover() {
  if (drawn.empty()) return false;
  bool untried = false;
  for (const Failing& failing : drawn) {
    const Presence& host = state_.hosts.presence(failing.host);
    if (host.is_up()) tried[failing.host.index] = 1;
    // No drawn repair brings back a host that is away, or down for another reason too.
    untried = untried || (tried[failing.host.index] == 0 && host.is_present() && host.outages().only_drawn());
  }
  // A job over several hosts waits for some that are up at the same time.
  if (!untried && over_hosts && waits_for_hosts < kMostWaits) {
    const auto comes_back = [&](const Failing& failing) {
      const Presence& host = state_.hosts.presence(failing.host);
      return host.is_up() || (host.is_present() && host.outages().only_drawn());
    };
    untried = std::ranges::any_of(drawn, comes_back);
    ++waits_for_hosts;
  }
  // The first post in the queue of a host may begin when the drawn repair comes.
  for (std::size_t h = 0; h < state_.hosts.size() && !untried; ++h) {
    const PostQueue& queue = state_.posts[HostId(h)];
    const Presence& host = state_.hosts.presence(HostId(h));
    if (queue.empty() || host.is_up() || !host.is_present() || !host.outages().only_drawn()) continue;
    const WorkId work = state_.activities[queue[queue.begin()].slot].work;
    untried = !work.valid() || is_ready(work);
  }
  if (state_.activities.frozen() == 0) return untried;
  // An activity that stands still goes on, or is lost, when the drawn repair comes.
  const Hosts& hosts = state_.hosts;
  for (std::size_t h = 0; h < hosts.size() && !untried; ++h) {
    const Presence& host = hosts.presence(HostId(h));
    untried = hosts.first_on(HostId(h)) != kNone && host.is_present() && host.outages().only_drawn();
  }
  return untried;
}

void Loop::see_whether_done() {
  if (status == RunStatus::running && all_settled() && (work_count == 0 || next_time() > state_.now))
    status = RunStatus::complete;
}

void Loop::after_instant() {
  if (feed && arrivals >= look_at_settled) [[unlikely]]
    forget_settled();
  if (!processes.empty()) ask_conditions();
  if (all_settled()) {
    status = RunStatus::complete;
    return;
  }
  if (anything_to_come()) return;
  if (!to_come.empty()) return;
  if (!may_recover()) status = RunStatus::incomplete;
}

// To be called within guarded().
void Loop::step() {
  did_work(kStepsOfInstant);
  if (end_if_done()) return;
  const Time next = next_time();
  if (next > options.horizon) {
    status = RunStatus::horizon;
    state_.now = options.horizon;
  } else if (next == kNever) {
    status = RunStatus::incomplete;
  } else {
    instant(next);
    after_instant();
  }
}

// An instant that comes although the run is over.
void Loop::instant_after_end(const Simulation& whole) {
  did_work(kStepsOfInstant);
  if (!ending) ending = std::make_shared<const Outcome>(whole.outcome());
  instant(next_time());
  if (!processes.empty()) ask_conditions();
}

void Loop::look_ahead_of_end(Time time, const Simulation& whole) {
  time = std::min(time, options.horizon);
  if (time <= state_.now) return;
  if (!ending) ending = std::make_shared<const Outcome>(whole.outcome());
  for (std::uint64_t count = 1; next_time() <= time; ++count) {
    instant_after_end(whole);
    if (progress_every > 0 && count % progress_every == 0 && !progress(whole)) return;
  }
  state_.now = time;
}

void Loop::give_up() const {
  if (options.horizon < kNever) return;
  if (idle_ends_ >= kMostIdleEnds)
    fail(
        "never_done",
        "policy '{}' has only held or switched hosts, spent scheduling time, suspended, requeued, cancelled and discarded, {} "
        "times in a row by t = {} s, and work is left; a run that has a horizon ends there",
        setup.name, kMostIdleEnds, format_number(state_.now));
  fail("never_done",
       "{} is never done: by t = {} s, computations were lost or begun anew {} times in a row because their "
       "hosts were away, and none has ended; hosts have to stay up for as long as it takes, or on_failure = "
       "{{ compute = \"resumed\" }} lets it go on where it was; a run that has a horizon ends there",
       state_.workload->name_of(last_in_vain_), format_number(state_.now), kMostInVain);
}

}  // namespace perigee::engine
