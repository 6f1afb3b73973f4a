// Steps that every start and every end passes through, inlined into the actions that share them.
#pragma once

#include <cmath>

#include <fmt/format.h>

#include "runtime/engine/sim.h"

namespace perigee::engine {

inline void Sim::check_open(WorkId work, std::string_view action) const {
  if (work.index >= view_.works_.size()) bad_work(work, action);
  const WorkState state = view_.works_[work].state;
  if (state == WorkState::future || state >= WorkState::finished) bad_work(work, action);
}

inline void Sim::check_host(HostId host, std::string_view action) const {
  if (host.index >= view_.hosts_.size()) bad_host(host, action);
}

inline void Sim::check_piece(const Piece& piece, std::string_view action) const {
  check_open(piece.work, action);
  const double whole = view_.works_.size_of(piece.work);
  if (!(piece.size > 0) || !(piece.first >= 0) || !(piece.first + piece.size <= whole * (1 + kEps)))
    bad_piece(piece, action, fmt::format("its pieces lie in [0, {})", whole));
  const WorkKind kind = (*workload_)[piece.work].kind;
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
  const Work& declared = (*workload_)[work];
  return declared.kind == WorkKind::sweep || declared.kind == WorkKind::load ? (*platform_)[host].cores
                                                                             : declared.cores;
}

inline void Sim::leave_host(std::uint32_t slot) {
  view_.hosts_.vacate(activities_, slot);
  posts_.touch(activities_[slot].host);
}

inline Seconds Sim::compute_amount(const Activity& activity) const {
  return true_time(*workload_, {activity.work, activity.first, activity.size}, (*platform_)[activity.host],
                   activity.host, view_.hosts_[activity.host].architecture);
}

inline std::uint32_t Sim::allocate_compute(const Piece& piece, HostId host, std::int32_t cores, bool plain) {
  const std::uint32_t slot = activities_.allocate(ActivityKind::compute, plain);
  Activity& activity = activities_[slot];
  activity.work = piece.work;
  activity.first = piece.first;
  activity.size = piece.size;
  activity.host = host;
  activity.cores = cores;
  activity.amount = compute_amount(activity);
  if (activity.amount < kNever) return slot;
  activities_.release(slot);
  return kNone;
}

// Computes of a set-up phase keep it in `since`: progress counts from there.
inline void Sim::begin_compute(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  activity.started = view_.now_;
  activity.since = view_.now_ + (*platform_)[activity.host].setup;
  activity.left = activity.amount;
  if (view_.hosts_.is_up(activity.host)) {
    activity.stage = Stage::moving;
    activity.end = view_.hosts_.rate(activity.host).end_of(activity.since, activity.left);
  } else {  // a host that nobody was told is down
    activity.stage = Stage::paused;
    activity.end = kNever;
    activity.fixed_left = (*platform_)[activity.host].setup;
    activities_.freeze(slot);
  }
  view_.works_.begin(activity.work);
  if (activity.end < kNever) ++progressing_;
  record_on(RecordKind::started, activity, ResourceId::of(activity.host), Reason::none);
  push_end(slot);
  if (comparing_) expect_end(slot);
}

inline void Sim::finish_work(WorkId work) {
  view_.works_.settle(work, WorkState::finished);
  record_work(RecordKind::finished, work);
  const Time deadline = (*workload_)[work].deadline;
  if (deadline < kNever && view_.now_ > deadline + kEps * std::max(1.0, std::abs(deadline)))
    record_work(RecordKind::missed, work, Reason::deadline);
}

inline bool Sim::piece_ended(const Activity& activity) {
  if (!view_.works_.finish(activity.piece())) return false;
  const WorkId work = activity.work;
  if ((*workload_)[work].output_count > 0) {
    const ClusterId cluster = view_.hosts_[activity.host].cluster;
    for (const FileId file : workload_->outputs(work)) stores_.make(file, cluster);
    if (!stores_.are_home(workload_->outputs(work))) {
      view_.works_.wait_for_outputs(work);
      posts_.touch((*platform_)[cluster].link);
      return false;
    }
  }
  finish_work(work);
  return true;
}

inline bool Sim::compute_ended(std::uint32_t slot) {
  const Activity& activity = activities_[slot];
  in_vain_ = 0;
  idle_ends_ = 0;
  leave_host(slot);
  if (activity.twin != kNone) supersede_twins(slot);
  return piece_ended(activity);
}

}  // namespace perigee::engine
