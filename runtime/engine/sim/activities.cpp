// Records and events of activities, and how they end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/engine/sim/shared.h"

namespace perigee::engine {

void Sim::prune_queue() {
  queue_.prune([this](const Pending& pending) { return stale(pending); });
  prune_above_ = std::max(prune_above_, 2 * queue_.size());
}

// A record for each resource that the activity has while it is under way. A transfer that has not begun has
// its gateway.
void Sim::record_on_each(RecordKind kind, const Activity& activity, Reason why) {
  const Kind& row = row_of(activity.kind);
  if (activity.allocation != kNone) {
    Activity there = activity;
    for (const Allocation::Part& part : state_.activities.allocation_of(activity).parts) {
      there.cores = part.share.cores;
      record_on(kind, there, ResourceId::of(part.share.host), why);
    }
    return;
  }
  if (row.on_host) record_on(kind, activity, ResourceId::of(activity.host), why);
  if (row.on_route) {
    if (activity.route == kNone)
      record_on(kind, activity, ResourceId::of((*state_.platform)[activity.cluster].link), why);
    for (const LinkId link : state_.links.route(activity.route))
      record_on(kind, activity, ResourceId::of(link), why);
  } else if (activity.hold != kNone) {
    const Hold& hold = state_.activities.hold_of(activity);
    for (const HostId host : hold.hosts) record_on(kind, activity, ResourceId::of(host), why);
    if (hold.link.valid()) record_on(kind, activity, ResourceId::of(hold.link), why);
  } else if (activity.kind == ActivityKind::think) {
    record_on(kind, activity, ResourceId::scheduler(), why);
  }
}

void Sim::record_resource(RecordKind kind, ResourceId on, Reason why) {
  Record record;
  record.time = state_.now;
  record.on = on;
  record.kind = kind;
  record.why = why;
  trace_.add(record);
}

void Sim::tell(EventKind kind, ResourceId on, Reason why, bool announced) {
  if (!announced) return;
  Event& event = events_.emplace_back();
  event.at = state_.now;
  event.on = on;
  event.kind = kind;
  event.why = why;
}

void Sim::tell(EventKind kind, WorkId work, ResourceId on, Reason why) {
  tell(kind, on, why, true);
  events_.back().work = work;
}

// ---- ends ----

void Sim::free_resources(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  const Kind& kind = row_of(activity.kind);
  if (kind.on_route) leave_link(slot);
  if (kind.on_host) leave_hosts(slot);
  if (activity.hold != kNone) {
    end_jobs_inside(activity);
    free_hold(state_.activities.hold_of(activity));
  }
  if (slot == state_.thinker) state_.thinker = kNone;
}

// Jobs inside of a reservation end with it, behind all that ends by itself in this instant.
void Sim::end_jobs_inside(const Activity& hold) {
  if (!holds_reservation(hold)) return;
  const auto end_inside = [&](std::uint32_t leader) {
    const Activity& job = state_.activities[leader];
    if (job.kind != ActivityKind::compute || job.limit_at == state_.now) return;
    const Shape* shape = state_.workload->shape_of(job.work);
    if (shape == nullptr || shape->reservation != hold.work) return;
    state_.activities[leader].limit_left = 0;
    state_.activities.drop_limit(leader);
    go_on_to_limit(leader);
  };
  for (const HostId host : state_.activities.hold_of(hold).hosts)
    for (std::uint32_t slot = state_.hosts.first_on(host); slot != kNone; slot = state_.activities[slot].next)
      end_inside(state_.activities.leader_of(slot));
  for (const Activities::Suspension& each : state_.activities.suspended()) end_inside(each.slot);
}

void Sim::free_hold(Hold& hold) {
  for (const HostId host : hold.hosts) {
    state_.hosts.free(host);
    state_.posts.touch(host);
  }
  if (hold.link_busy) free_link(hold);
}

void Sim::expect_end(std::uint32_t slot) {
  if (expected_.size() <= slot) expected_.resize(state_.activities.slots(), kNever);
  expected_[slot] = estimator_->end_of(*this, state_.activities.id_of(slot)) - state_.now;
}

void Sim::compare_end(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  const Seconds took = state_.now - activity.started;
  const bool is_estimated = activity.kind != ActivityKind::hold && activity.kind != ActivityKind::think &&
                            activity.kind != ActivityKind::dump;
  if (!is_estimated || !(took > 0)) return;
  if (slot >= expected_.size() || !(expected_[slot] < kNever)) return;
  error_sum_ += std::abs(expected_[slot] - took) / took;
  ++error_count_;
}

// The computation that was posted after the chunk takes the host over without a gap.
bool Sim::chunk_ended(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  state_.works.receive(activity.piece(), activity.host);
  std::uint32_t successor = kNone;
  for (std::uint32_t d = activity.dependents; d != kNone; d = state_.activities[d].next_dependent)
    if (activity.cores > 0 && state_.activities[d].kind == ActivityKind::compute &&
        state_.activities[d].host == activity.host && state_.activities[d].not_before <= state_.now &&
        (successor == kNone || state_.activities[d].serial < state_.activities[successor].serial))
      successor = d;
  leave_link(slot);
  leave_host(slot);
  if (successor == kNone || obstacle_of_compute(state_.activities[successor]) != nullptr) return false;
  state_.activities.make_independent(successor);
  begin(successor);
  return false;
}

bool Sim::file_arrived(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  leave_link(slot);
  state_.stores.arrive(activity.file, activity.cluster, Direction::in);
  release_room({&activity.file, 1}, activity.cluster);  // which the file has itself from now on
  for (const HostId host : (*state_.platform)[activity.cluster].hosts) state_.posts.touch(host);
  if (!state_.hosts.any_has_moved()) return false;
  for (std::size_t h = 0; h < state_.hosts.size(); ++h)  // hosts that came to this cluster from elsewhere
    if (state_.hosts[HostId(h)].cluster == activity.cluster) state_.posts.touch(HostId(h));
  return false;
}

// True when it was the last output that its work waited for.
bool Sim::file_came_home(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  leave_link(slot);
  state_.stores.arrive(activity.file, activity.cluster, Direction::out);
  const WorkId maker = state_.stores.maker(activity.file);
  if (state_.activities.ties(maker) > 1 && state_.stores.is_going_home(activity.file))
    withdraw_posts_of(maker, activity.file);
  if (!maker.valid() || state_.works[maker].state != WorkState::computed) return false;
  if (!state_.stores.are_home(state_.workload->outputs(maker))) return false;
  finish_work(maker, 1);
  return true;
}

// True when it held the hosts of a reservation, which is finished with it.
bool Sim::hold_ended(std::uint32_t slot) {
  ++idle_ends_;
  free_resources(slot);
  if (!holds_reservation(state_.activities[slot])) return false;
  const WorkId work = state_.activities[slot].work;
  state_.works.hold_ended(work);
  finish_work(work, 1);
  return true;
}

bool Sim::thinking_ended(std::uint32_t slot) {
  ++idle_ends_;
  free_resources(slot);
  return false;
}

void Sim::finish_activity(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  --progressing_;
  if (activity.kind != ActivityKind::think) ++ended_;
  activity.end = state_.now;
  record(RecordKind::ended, activity);
  if (comparing_) compare_end(slot);
  if (learning_) estimator_->finished(*this, *this->activity(state_.activities.id_of(slot)), activity.amount);
  const bool finishes = activity.kind == ActivityKind::compute ? compute_ended(slot)
                                                               : (this->*row_of(activity.kind).ended)(slot);
  if (activity.dependents != kNone) wake_dependents(slot);
  const bool thought = activity.kind == ActivityKind::think;
  if (activity.kind != ActivityKind::dump)
    tell(thought ? EventKind::thought : EventKind::ended, activity, slot, Reason::none, finishes);
  if (activity.kind == ActivityKind::compute && state_.readiness.any() &&
      state_.works[activity.work].state >= WorkState::computed)
    release_successors(activity.work);
  state_.activities.release(slot);
}

void Sim::supersede_twins(std::uint32_t slot) {
  for (std::uint32_t other; (other = state_.activities.earliest_copy(slot)) != kNone;) {
    Activity& loser = state_.activities[other];
    if (loser.stage == Stage::moving && loser.end < kNever) --progressing_;
    record(RecordKind::superseded, loser, Reason::superseded);
    leave_host(other);
    state_.works.supersede(loser.work);
    release_room(loser);
    tell(EventKind::superseded, loser, other, Reason::superseded);
    drop_dependents(other, true);
    state_.activities.release(other);
  }
}

void Sim::lose(std::uint32_t slot, Reason why, bool tell_policy, RecordKind kind) {
  Activity& activity = state_.activities[slot];
  if (activity.allocation != kNone) give_up_dump(slot, why);
  if (activity.stage != Stage::paused && activity.end < kNever) --progressing_;
  record(kind, activity, why);
  free_resources(slot);
  if (activity.kind == ActivityKind::compute && kind == RecordKind::lost) {
    ++in_vain_;
    last_in_vain_ = activity.work;
  }
  if (const auto lost = row_of(activity.kind).lost; lost != nullptr) (this->*lost)(activity);
  if (tell_policy) tell(EventKind::lost, activity, slot, why);
  drop_dependents(slot, true);
  state_.activities.release(slot);
}

void Sim::piece_lost(const Activity& activity) {
  release_room(activity);
  state_.works.lose(activity.piece(), activity.twin != kNone);
  if (!is_ready(activity.work) && state_.works[activity.work].state == WorkState::waiting)
    state_.works.wait_for_others(activity.work);
}

void Sim::hold_lost(const Activity& activity) {
  if (holds_reservation(activity)) state_.works.hold_lost(activity.work);
}

void Sim::free_link(Hold& hold) {
  hold.link_busy = false;
  state_.links.free(hold.link);
  touch_users(hold.link);
}

}  // namespace perigee::engine
