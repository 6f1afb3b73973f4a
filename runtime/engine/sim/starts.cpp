// Computations that a policy starts now, and copies of them; scheduling time.
#include <fmt/format.h>

#include <array>

#include "runtime/engine/sim/shared.h"
#include "runtime/engine/why.h"

namespace perigee::engine {

bool Sim::has_data(const Piece& piece, HostId host, ActivityId after) const {
  const Works& works = state_.works;
  if (!works.is_dealt_in_parts(piece.work) ||
      !(state_.workload->extras[(*state_.workload)[piece.work].extra].bytes > 0))
    return true;
  if (state_.activities.lives(after)) {
    const Activity& chunk = state_.activities[after.slot];
    if (chunk.kind == ActivityKind::chunk && chunk.work == piece.work && chunk.host == host &&
        Works::covers(chunk.piece(), piece))
      return true;
  }
  return works.has_received(piece, host);
}

bool Sim::fits_otherwise(WorkId work, HostId host) const {
  const HostView& view = state_.hosts[host];
  if (!view.up || !is_ready(work)) return false;
  const std::int32_t wanted = cores_for(work, host, 0);
  if (state_.workload->shape_of(work) != nullptr) return fits(work, std::array{Share{host, wanted}});
  if (view.idle < wanted &&
      (!state_.activities.any_hold_yet() || state_.hosts.free_cores(host, work) < wanted))
    return false;
  const Work& declared = (*state_.workload)[work];
  if (declared.input_count > 0 && !state_.clusters[view.cluster.index].is_present()) return false;
  if (!has_room_for_outputs(work, host)) return false;
  const bool listed = declared.form == TimeForm::by_host || declared.form == TimeForm::by_architecture;
  return !listed || true_amount({work, 0, 1}, host) < kNever;
}

std::string Sim::name_of_start(const Piece& piece, HostId host) const {
  return fmt::format("start {} on host '{}'", text_of(piece), (*state_.platform)[host].name);
}

// Checks the conditions of a start one after the other: the first that does not hold is an Error. Returns the
// cores that it takes.
std::int32_t Sim::check_start(const Piece& piece, HostId host, std::int32_t cores) const {
  check_piece(piece, "start");
  check_host(host, "start");
  const auto decision = [&] { return name_of_start(piece, host); };
  const std::int32_t wanted = cores_for(piece.work, host, cores);
  if (!state_.hosts[host].up) bad(decision(), "the host is down");
  if (state_.works.is_taken(piece)) bad(decision(), "it is running, posted or done already");
  if (!is_ready(piece.work)) bad(decision(), "a work before it has not been computed; post it");
  const Work& declared = (*state_.workload)[piece.work];
  if (!state_.works.is_dealt_in_parts(piece.work) && wanted != declared.cores)
    bad(decision(),
        fmt::format("it takes {} core{}, not {}", declared.cores, declared.cores == 1 ? "" : "s", wanted));
  if (!has_data(piece, host, {})) bad(decision(), "its data has not been sent there");
  if (const Power power = state_.hosts[host].power; power != Power::on)
    bad(decision(), fmt::format("the host is {}", engine::text_of(power)));
  if (const std::int32_t idle = state_.hosts.free_cores(host, piece.work); idle < wanted)
    bad(decision(), fmt::format("it needs {} of its {} cores, {} {} idle", wanted,
                                (*state_.platform)[host].cores, idle, idle == 1 ? "is" : "are"));
  if (declared.input_count > 0 && !state_.clusters[state_.hosts[host].cluster.index].is_present())
    bad(decision(), "its input is in a cluster that is away");
  if (declared.input_count > 0)
    for (const FileId file : state_.workload->inputs(piece.work))
      if (!in_store(file, state_.hosts[host].cluster))
        bad(decision(),
            fmt::format("its input '{}' is not in cluster '{}'", state_.workload->files[file.index].name,
                        (*state_.platform)[state_.hosts[host].cluster].name));
  if (std::string shortage = shortage_of_room(piece.work, host); !shortage.empty()) bad(decision(), shortage);
  return wanted;
}

ActivityId Sim::start(const Piece& piece, HostId host, std::int32_t cores) {
  // Most starts are of a whole task or job without files, and nothing is wrong with them.
  std::int32_t wanted = 0;
  if (piece.work.index < state_.works.size() && host.index < state_.hosts.size()) [[likely]] {
    const Work& declared = (*state_.workload)[piece.work];
    const bool simple = declared.extra == kNone && declared.input_count == 0 && piece.first == 0 &&
                        piece.size == 1 && (cores <= 0 || cores == declared.cores);
    if (simple && !state_.stores.any_limit() && state_.works[piece.work].is_untouched() &&
        state_.hosts[host].idle >= declared.cores)
      wanted = declared.cores;
  }
  if (wanted == 0) {
    check_piece(piece, "start");
    if (state_.workload->shape_of(piece.work) != nullptr) {
      const std::int32_t of_host = cores > 0 ? cores : (*state_.workload)[piece.work].cores;
      return start(piece.work, std::array{Share{host, of_host}});
    }
    wanted = check_start(piece, host, cores);
  }
  const bool plain = (*state_.workload)[piece.work].extra == kNone;
  const std::uint32_t slot = allocate_compute(piece, host, wanted, plain);
  if (slot == kNone) bad(name_of_start(piece, host), "it cannot run on that host");
  if (recorder_ != nullptr && recorder_->asks_of(piece)) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::started, host);
  state_.works.take(piece);
  state_.hosts.occupy(state_.activities, slot);
  begin_compute(slot);
  if (!plain) set_limit(slot);
  return state_.activities.id_of(slot);
}

ActivityId Sim::start(WorkId work, HostId host) {
  check_open(work, "start");
  return start(Piece{work, 0, state_.workload->size_of(work)}, host);
}

ActivityId Sim::copy(ActivityId running, HostId host) {
  const Activity original = live(running, "copy");
  check_host(host, "copy");
  const Piece piece{original.work, original.first, original.size};
  const auto decision = [&] {
    return fmt::format("copy {} to host '{}'", text_of(piece), (*state_.platform)[host].name);
  };
  if (original.kind != ActivityKind::compute || original.stage == Stage::posted)
    bad(decision(), "only a running computation can be copied");
  if (original.suspended) bad(decision(), "it is suspended");
  if (original.allocation != kNone) bad(decision(), "a job over several hosts cannot be copied");
  if (!state_.hosts[host].up) bad(decision(), "the host is down");
  if (const Power power = state_.hosts[host].power; power != Power::on)
    bad(decision(), fmt::format("the host is {}", engine::text_of(power)));
  const std::int32_t wanted =
      state_.works.is_dealt_in_parts(piece.work) ? cores_for(piece.work, host, 0) : original.cores;
  if (const std::int32_t idle = state_.hosts.free_cores(host, piece.work); idle < wanted)
    bad(decision(), fmt::format("it needs {} cores, {} are idle", wanted, idle));
  for (const FileId file : state_.workload->inputs(piece.work))
    if (!in_store(file, state_.hosts[host].cluster)) bad(decision(), "its inputs are not in that cluster");
  if (!has_data(piece, host, {})) bad(decision(), "its data has not been sent there");
  if (std::string shortage = shortage_of_room(piece.work, host); !shortage.empty()) bad(decision(), shortage);
  const std::uint32_t slot = allocate_compute(piece, host, wanted, false);
  if (slot == kNone) bad(decision(), "it cannot run on that host");
  state_.activities.add_copy(running.slot, slot);
  state_.hosts.occupy(state_.activities, slot);
  begin_compute(slot);
  set_limit(slot);
  return state_.activities.id_of(slot);
}

ActivityId Sim::think(Seconds duration) {
  if (!(duration >= 0 && duration < kNever))
    bad(fmt::format("think {} s", duration), "scheduling time is finite and >= 0");
  if (state_.thinker != kNone) bad(fmt::format("think {} s", duration), "the scheduler is thinking already");
  const std::uint32_t slot = state_.activities.allocate(ActivityKind::think);
  Activity& activity = state_.activities[slot];
  activity.stage = Stage::moving;
  activity.amount = activity.left = duration;
  activity.started = activity.since = state_.now;
  activity.end = state_.now + duration;
  state_.thinker = slot;
  ++progressing_;
  record(RecordKind::started, activity);
  push_end(slot);
  return state_.activities.id_of(slot);
}

}  // namespace perigee::engine
