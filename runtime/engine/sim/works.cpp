// Work is accepted, rejected, given up or finished; files are put into stores and thrown away.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/engine/sim/shared.h"
#include "runtime/engine/why.h"
#include "runtime/kernel/quantity.h"

namespace perigee::engine {

void Sim::discard(FileId file, ClusterId cluster) {
  const auto refuse = [&](const std::string& why) {
    bad(fmt::format("discard file '{}' in cluster '{}'", state_.workload->files[file.index].name,
                    (*state_.platform)[cluster].name),
        why);
  };
  if (!state_.clusters[cluster.index].is_present()) refuse("it is away");
  if (!state_.stores.has(file, cluster)) refuse("it is not there");
  if (!state_.stores.is_home(file) && comes_home(file)) refuse("it is an output that is not at home");
  if (const WorkId reader = reader_to_come(file); reader.valid())
    refuse(fmt::format("{} has yet to read it", state_.workload->name_of(reader)));
  const auto refuse_user = [&](const Activity& user) {
    if (user.kind == ActivityKind::compute &&
        std::ranges::count(state_.workload->inputs(user.work), file) > 0)
      refuse(fmt::format("{} uses it", state_.workload->name_of(user.work)));
  };
  for (std::size_t h = 0; h < state_.hosts.size(); ++h)
    if (state_.hosts[HostId(h)].cluster == cluster)
      for (const ActivityId id : running_on(HostId(h))) refuse_user(state_.activities[id.slot]);
  for (const Activities::Suspension& each : state_.activities.suspended())
    if (const Activity& user = state_.activities[each.slot]; state_.hosts[user.host].cluster == cluster)
      refuse_user(user);
  state_.stores.discard(file, cluster);
  if (state_.stores.any_limit()) touch_store(cluster);
  Record record;
  record.time = state_.now;
  record.on = ResourceId::of(cluster);
  record.file = file;
  record.kind = RecordKind::discarded;
  trace_.add(record);
  note_undone();
}

void Sim::touch_store(ClusterId cluster) {
  state_.posts.touch((*state_.platform)[cluster].link);
  for (std::size_t h = 0; h < state_.hosts.size(); ++h)
    if (state_.hosts[HostId(h)].cluster == cluster) state_.posts.touch(HostId(h));
}

void Sim::reserve_room(const Activity& compute) {
  if (!state_.stores.any_limit()) return;
  const ClusterId cluster = state_.hosts[compute.host].cluster;
  for (const FileId file : state_.workload->outputs(compute.work)) state_.stores.reserve(file, cluster);
}

void Sim::release_room(const Activity& compute) {
  if (state_.stores.any_limit())
    release_room(state_.workload->outputs(compute.work), state_.hosts[compute.host].cluster);
}

void Sim::release_room(std::span<const FileId> files, ClusterId cluster) {
  if (!state_.stores.any_limit()) return;
  const double before = state_.stores.room(cluster);
  for (const FileId file : files) state_.stores.release(file, cluster);
  if (state_.stores.room(cluster) > before) touch_store(cluster);
}

std::string Sim::shortage_text(std::string_view what, double bytes, ClusterId cluster) const {
  return fmt::format("{} {}, and {} of the {} of the store of cluster '{}' are free", what,
                     format_quantity(bytes, Dimension::bytes),
                     format_quantity(state_.stores.room(cluster), Dimension::bytes),
                     format_quantity(state_.stores.size(cluster), Dimension::bytes),
                     (*state_.platform)[cluster].name);
}

std::string Sim::shortage_of_room(WorkId work, HostId host) const {
  if (has_room_for_outputs(work, host)) return {};
  const ClusterId cluster = state_.hosts[host].cluster;
  return shortage_text("its outputs need", state_.stores.room_for(state_.workload->outputs(work), cluster),
                       cluster);
}

void Sim::accept(WorkId work) {
  check_open(work, "accept");
  if (state_.works[work].accepted) bad(fmt::format("accept {}", text_of({work})), "it is accepted already");
  state_.works.accept(work);
  record_work(RecordKind::accepted, work);
}

// Chunks, holds and ways home that have not started have no purpose any more. An activity that is under way
// ends by itself.
void Sim::withdraw_posts_of(WorkId work, FileId file) {
  for (std::uint32_t slot = 0; slot < state_.activities.slots(); ++slot) {
    const Activity& activity = state_.activities[slot];
    if (activity.serial != 0 && activity.work == work && activity.stage == Stage::posted &&
        (!file.valid() || activity.file == file))
      withdraw_slot(slot, Reason::superseded);
  }
}

void Sim::settle_work(WorkId work, WorkState state, RecordKind kind, Reason why) {
  // Posted and running activities of the work have no purpose any more.
  const WorkView& view = state_.works[work];
  const bool any = view.running > 0 || view.posted > 0 || state_.activities.is_tied(work);
  for (std::uint32_t slot = 0; any && slot < state_.activities.slots(); ++slot) {
    const Activity& activity = state_.activities[slot];
    if (activity.serial == 0 || activity.work != work || activity.kind == ActivityKind::think ||
        activity.kind == ActivityKind::dump || activity.leader != kNone)  // a dump goes with its job
      continue;
    if (activity.stage == Stage::posted)
      withdraw_slot(slot, why);
    else
      lose(slot, why, false, RecordKind::cancelled);
  }
  const bool is_lost = state_.works[work].done < state_.works.size_of(work);
  state_.works.settle(work, state);
  forget_dumps_of(work);
  record_work(kind, work, why);
  if (is_lost && state_.readiness.any() && why != Reason::predecessor) reject_successors(work);
}

void Sim::set_limit(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  const Work& work = (*state_.workload)[activity.work];
  if (work.kind != WorkKind::job || work.extra == kNone || state_.scenario->at_limit == AtLimit::keep) return;
  const WorkExtra& extra = state_.workload->extras[work.extra];
  if (extra.limit == kNever) return;
  // At its limit the job may write a last dump, within the grace.
  const bool dumps = state_.scenario->at_limit == AtLimit::checkpoint && extra.shape.checkpoints;
  activity.limit_left = extra.limit + (dumps ? 0 : extra.grace);
  go_on_to_limit(slot);
}

void Sim::stop_limit(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  if (activity.limit_at == kNever) return;
  activity.limit_left = std::max(0.0, activity.limit_at - state_.now);
  state_.activities.drop_limit(slot);
}

void Sim::go_on_to_limit(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  if (activity.limit_left == kNever) return;
  state_.activities.set_limit(slot, state_.now + std::exchange(activity.limit_left, kNever));
  push(Due::limit, activity.limit_at, activity.serial, slot);
}

// An end hardly behind the limit is an end.
void Sim::reach_limit(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  if (activity.stage == Stage::moving && activity.end <= state_.now + kEps * std::max(1.0, state_.now))
    return;
  const WorkId work = activity.work;
  const AtLimit rule = state_.scenario->at_limit;
  if (state_.workload->checkpoint_of(work) != nullptr && !is_out_of_time(work)) {
    if (rule == AtLimit::checkpoint && write_last_dump(slot)) return;
    if (rule != AtLimit::kill && state_.activities.allocation_of(activity).dumps.saved)
      return requeue(slot, Reason::limit);
  }
  const ActivityId id = state_.activities.id_of(slot);
  Event event;
  event.at = state_.now;
  event.kind = EventKind::killed;
  event.why = Reason::limit;
  event.work = work;
  event.on = ResourceId::of(activity.host);
  event.serial = id.serial;
  event.slot = id.slot;
  settle_work(work, WorkState::killed, RecordKind::killed, Reason::limit);
  events_.push_back(event);
}

bool Sim::is_out_of_time(WorkId work) const {
  const Shape* shape = state_.workload->shape_of(work);
  return shape != nullptr && shape->reservation.valid() && hold_under_way(shape->reservation) == nullptr;
}

void Sim::reject(WorkId work, Reason reason) {
  check_open(work, "reject");
  if (state_.works[work].running > 0 || state_.works[work].done > 0)
    bad(fmt::format("reject {}", text_of({work})), "part of it has started; expire it instead");
  if (recorder_ != nullptr && work == recorder_->work()) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::rejected, {}, reason);
  settle_work(work, WorkState::rejected, RecordKind::rejected, reason);
}

void Sim::expire(WorkId work, Reason reason) {
  check_open(work, "expire");
  if (recorder_ != nullptr && work == recorder_->work()) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::expired, {}, reason);
  settle_work(work, WorkState::expired, RecordKind::expired, reason);
}

}  // namespace perigee::engine
