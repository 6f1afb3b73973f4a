// Computations that a policy starts now, and copies of them; scheduling time.
#include <fmt/format.h>

#include "runtime/engine/sim/shared.h"
#include "runtime/engine/why.h"

namespace perigee::engine {

bool Sim::has_data(const Piece& piece, HostId host, ActivityId after) const {
  const Works& works = view_.works_;
  if (!works.is_dealt_in_parts(piece.work) || !(workload_->extras[(*workload_)[piece.work].extra].bytes > 0))
    return true;
  if (activities_.lives(after)) {
    const Activity& chunk = activities_[after.slot];
    if (chunk.kind == ActivityKind::chunk && chunk.work == piece.work && chunk.host == host &&
        Works::covers(chunk.piece(), piece))
      return true;
  }
  return works.has_received(piece, host);
}

bool Sim::fits(WorkId work, HostId host) const {
  const HostView& view = view_.hosts_[host];
  if (!view.up) return false;
  const std::int32_t wanted = cores_for(work, host, 0);
  if (view.idle < wanted && (!activities_.any_hold_yet() || view_.hosts_.free_cores(host, work) < wanted))
    return false;
  const Work& declared = (*workload_)[work];
  if (declared.input_count > 0 && !clusters_[view.cluster.index].is_present()) return false;
  const bool listed = declared.form == TimeForm::by_host || declared.form == TimeForm::by_architecture;
  return !listed || true_amount({work, 0, 1}, host) < kNever;
}

ActivityId Sim::start(const Piece& piece, HostId host, std::int32_t cores) {
  check_piece(piece, "start");
  check_host(host, "start");
  const auto decision = [&] {
    return fmt::format("start {} on host '{}'", text_of(piece), (*platform_)[host].name);
  };
  const std::int32_t wanted = cores_for(piece.work, host, cores);
  if (!view_.hosts_[host].up) bad(decision(), "the host is down");
  if (view_.works_.is_taken(piece)) bad(decision(), "it is running, posted or done already");
  const Work& declared = (*workload_)[piece.work];
  if (declared.extra == kNone && wanted != declared.cores)
    bad(decision(),
        fmt::format("it takes {} core{}, not {}", declared.cores, declared.cores == 1 ? "" : "s", wanted));
  if (!has_data(piece, host, {})) bad(decision(), "its data has not been sent there");
  if (const std::int32_t idle = view_.hosts_.free_cores(host, piece.work); idle < wanted)
    bad(decision(), fmt::format("it needs {} of its {} cores, {} {} idle", wanted, (*platform_)[host].cores,
                                idle, idle == 1 ? "is" : "are"));
  if (declared.input_count > 0 && !clusters_[view_.hosts_[host].cluster.index].is_present())
    bad(decision(), "its input is in a cluster that is away");
  if (declared.input_count > 0)
    for (const FileId file : workload_->inputs(piece.work))
      if (!in_store(file, view_.hosts_[host].cluster))
        bad(decision(),
            fmt::format("its input '{}' is not in cluster '{}'", workload_->files[file.index].name,
                        (*platform_)[view_.hosts_[host].cluster].name));
  const std::uint32_t slot = allocate_compute(piece, host, wanted, true);
  if (slot == kNone) bad(decision(), "it cannot run on that host");
  if (recorder_ != nullptr && recorder_->asks_of(piece)) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::started, host);
  view_.works_.take(piece);
  view_.hosts_.occupy(activities_, slot);
  begin_compute(slot);
  return activities_.id_of(slot);
}

ActivityId Sim::start(WorkId work, HostId host) {
  check_open(work, "start");
  return start(Piece{work, 0, workload_->size_of(work)}, host);
}

ActivityId Sim::copy(ActivityId running, HostId host) {
  const Activity original = live(running, "copy");
  check_host(host, "copy");
  const Piece piece{original.work, original.first, original.size};
  const auto decision = [&] {
    return fmt::format("copy {} to host '{}'", text_of(piece), (*platform_)[host].name);
  };
  if (original.kind != ActivityKind::compute || original.stage == Stage::posted)
    bad(decision(), "only a running computation can be copied");
  if (!view_.hosts_[host].up) bad(decision(), "the host is down");
  const std::int32_t wanted =
      view_.works_.is_dealt_in_parts(piece.work) ? cores_for(piece.work, host, 0) : original.cores;
  if (const std::int32_t idle = view_.hosts_.free_cores(host, piece.work); idle < wanted)
    bad(decision(), fmt::format("it needs {} cores, {} are idle", wanted, idle));
  for (const FileId file : workload_->inputs(piece.work))
    if (!in_store(file, view_.hosts_[host].cluster)) bad(decision(), "its inputs are not in that cluster");
  if (!has_data(piece, host, {})) bad(decision(), "its data has not been sent there");
  const std::uint32_t slot = allocate_compute(piece, host, wanted, false);
  if (slot == kNone) bad(decision(), "it cannot run on that host");
  activities_.add_copy(running.slot, slot);
  view_.hosts_.occupy(activities_, slot);
  begin_compute(slot);
  return activities_.id_of(slot);
}

ActivityId Sim::think(Seconds duration) {
  if (!(duration >= 0 && duration < kNever))
    bad(fmt::format("think {} s", duration), "scheduling time is finite and >= 0");
  if (thinker_ != kNone) bad(fmt::format("think {} s", duration), "the scheduler is thinking already");
  const std::uint32_t slot = activities_.allocate(ActivityKind::think);
  Activity& activity = activities_[slot];
  activity.stage = Stage::moving;
  activity.amount = activity.left = duration;
  activity.started = activity.since = view_.now_;
  activity.end = view_.now_ + duration;
  thinker_ = slot;
  view_.thinking_ = true;
  ++progressing_;
  record(RecordKind::started, activity);
  push_end(slot);
  return activities_.id_of(slot);
}

}  // namespace perigee::engine
