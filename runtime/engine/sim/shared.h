// Steps that every start and every end passes through, inlined into the actions that share them.
#pragma once

#include <cmath>

#include <fmt/format.h>

#include "runtime/engine/sim.h"

namespace perigee::engine {

inline void Sim::check_open(WorkId work, std::string_view action) const {
  if (work.index >= state_.works.size()) bad_work(work, action);
  const WorkState state = state_.works[work].state;
  if (state == WorkState::future || state >= WorkState::finished) bad_work(work, action);
}

inline void Sim::check_host(HostId host, std::string_view action) const {
  if (host.index >= state_.hosts.size()) bad_host(host, action);
}

inline void Sim::check_piece(const Piece& piece, std::string_view action) const {
  check_open(piece.work, action);
  const double whole = state_.works.size_of(piece.work);
  if (!(piece.size > 0) || !(piece.first >= 0) || !(piece.first + piece.size <= whole * (1 + kEps)))
    bad_piece(piece, action, fmt::format("its pieces lie in [0, {})", whole));
  const WorkKind kind = (*state_.workload)[piece.work].kind;
  if (kind == WorkKind::reservation)
    bad_piece(piece, action, "a reservation holds hosts, it does not compute");
  if ((kind == WorkKind::task || kind == WorkKind::job) && (piece.first != 0 || piece.size != 1))
    bad_piece(piece, action, "it cannot be divided");
  if (kind == WorkKind::sweep &&
      (std::floor(piece.first) != piece.first || std::floor(piece.size) != piece.size))
    bad_piece(piece, action, "a package is a whole number of runs");
}

// Packages of a sweep and parts of a load have the whole host: its slots, its memory.
inline std::int32_t Sim::cores_for(WorkId work, HostId host, std::int32_t cores) const {
  if (cores > 0) return cores;
  const Work& declared = (*state_.workload)[work];
  return declared.kind == WorkKind::sweep || declared.kind == WorkKind::load ? (*state_.platform)[host].cores
                                                                             : declared.cores;
}

inline void Sim::leave_host(std::uint32_t slot) {
  state_.hosts.vacate(state_.activities, slot);
  state_.posts.touch(state_.activities[slot].host);
}

inline Seconds Sim::compute_amount(const Activity& activity) const {
  return true_time(*state_.workload, {activity.work, activity.first, activity.size},
                   (*state_.platform)[activity.host], activity.host,
                   state_.hosts[activity.host].architecture);
}

inline std::uint32_t Sim::allocate_compute(const Piece& piece, HostId host, std::int32_t cores, bool plain) {
  const std::uint32_t slot = state_.activities.allocate(ActivityKind::compute, plain);
  Activity& activity = state_.activities[slot];
  activity.work = piece.work;
  activity.first = piece.first;
  activity.size = piece.size;
  activity.host = host;
  activity.cores = cores;
  activity.amount = compute_amount(activity);
  if (activity.amount < kNever) return slot;
  state_.activities.release(slot);
  return kNone;
}

// Computes of a set-up phase keep it in `since`: progress counts from there.
inline void Sim::begin_compute(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  activity.started = state_.now;
  activity.since = state_.now + (*state_.platform)[activity.host].setup;
  activity.left = activity.amount;
  if (state_.hosts.is_up(activity.host)) {
    activity.stage = Stage::moving;
    activity.end = state_.hosts.rate(activity.host).end_of(activity.since, activity.left);
  } else {  // a host that nobody was told is down
    activity.stage = Stage::paused;
    activity.end = kNever;
    activity.fixed_left = (*state_.platform)[activity.host].setup;
    state_.activities.freeze(slot);
  }
  state_.works.begin(activity.work);
  if (state_.stores.any_limit()) [[unlikely]]
    reserve_room(activity);
  if (activity.end < kNever) ++progressing_;
  record_on(RecordKind::started, activity, ResourceId::of(activity.host), Reason::none);
  push_end(slot);
  if (comparing_) expect_end(slot);
}

inline void Sim::finish_work(WorkId work, std::uint32_t ending) {
  if (state_.activities.ties(work) > ending) [[unlikely]]
    withdraw_posts_of(work);
  state_.works.settle(work, WorkState::finished);
  forget_dumps_of(work);
  record_work(RecordKind::finished, work);
  const Time deadline = (*state_.workload)[work].deadline;
  if (deadline < kNever && state_.now > deadline + kEps * std::max(1.0, std::abs(deadline)))
    record_work(RecordKind::missed, work, Reason::deadline);
}

inline bool Sim::piece_ended(const Activity& activity) {
  if (!state_.works.finish(activity.piece())) return false;
  const WorkId work = activity.work;
  if ((*state_.workload)[work].output_count > 0) {
    const ClusterId cluster = state_.hosts[activity.host].cluster;
    make_outputs(work, cluster);
    if (!state_.stores.are_home(state_.workload->outputs(work))) {
      state_.works.wait_for_outputs(work);
      state_.posts.touch((*state_.platform)[cluster].link);
      return false;
    }
  }
  finish_work(work);
  return true;
}

inline bool Sim::compute_ended(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  in_vain_ = 0;
  idle_ends_ = 0;
  if (activity.allocation == kNone) [[likely]]
    leave_host(slot);
  else
    leave_hosts(slot);
  if (activity.twin != kNone) supersede_twins(slot);
  const bool finishes = piece_ended(activity);
  if (state_.stores.any_limit()) [[unlikely]]
    release_room(activity);
  return finishes;
}

}  // namespace perigee::engine
