// Works that wait for others: their files are made, they become ready, or they never will.
#include <algorithm>
#include <vector>

#include "runtime/engine/sim/shared.h"

namespace perigee::engine {

void Sim::make_outputs(WorkId work, ClusterId cluster) {
  for (const FileId file : state_.workload->outputs(work)) {
    state_.stores.make(file, cluster);
    join_queues(file, cluster);
  }
}

void Sim::join_queues(FileId file, ClusterId at) {
  state_.stores.end_wait(file, [&](std::uint32_t slot) {
    Activity& transfer = state_.activities[slot];
    transfer.awaits_file = false;
    enqueue(slot);
    if (transfer.cluster == at) withdraw_slot(slot, Reason::superseded);
  });
}

void Sim::await_files() {
  for (std::uint32_t slot = 0; slot < state_.activities.slots(); ++slot) {
    Activity& transfer = state_.activities[slot];
    if (transfer.serial == 0 || transfer.stage != Stage::posted || transfer.awaits_file ||
        transfer.kind != ActivityKind::transfer_in || is_there(transfer.file))
      continue;
    dequeue(slot);
    transfer.awaits_file = true;
    state_.stores.await(transfer.file, slot);
  }
}

void Sim::come_back(ClusterId cluster) {
  for (std::size_t f = 0; f < state_.stores.files(); ++f)
    if (state_.stores.has(FileId(f), cluster)) join_queues(FileId(f), cluster);
  recover(cluster);
}

void Sim::release_successors(WorkId work) {
  state_.readiness.end(*state_.workload->precedence, work, [&](WorkId next) {
    if (state_.works[next].state != WorkState::pending) return;  // it has not arrived
    state_.works.become_ready(next);
    if (const std::uint32_t slot = posted_compute(next); slot != kNone) touch_all(slot);
    tell(tells_pending_ ? EventKind::ready : EventKind::arrived, next, {}, Reason::none);
  });
}

bool Sim::has_lost_predecessor(WorkId work) const {
  if (!state_.readiness.any()) return false;
  return std::ranges::any_of(
      state_.workload->precedence->predecessors(work.index), [&](std::uint32_t before) {
        const WorkView& view = state_.works[WorkId(before)];
        return view.state > WorkState::finished && view.done < state_.works.size_of(WorkId(before));
      });
}

// Successors that are still to arrive are rejected when they do.
void Sim::reject_successors(WorkId work) {
  std::vector<std::uint32_t> lost(1, work.index);
  while (!lost.empty()) {
    const std::uint32_t before = lost.back();
    lost.pop_back();
    for (const std::uint32_t next : state_.workload->precedence->successors(before)) {
      const WorkState state = state_.works[WorkId(next)].state;
      if (state != WorkState::pending && state != WorkState::waiting) continue;
      settle_work(WorkId(next), WorkState::rejected, RecordKind::rejected, Reason::predecessor);
      lost.push_back(next);
    }
  }
}

bool Sim::is_there(FileId file) const {
  if (at_home(file)) return true;
  for (std::size_t c = 0; c < state_.clusters.size(); ++c)
    if (state_.stores.has(file, ClusterId(c)) && state_.clusters[c].is_present()) return true;
  return false;
}

WorkId Sim::reader_to_come(FileId file) const {
  const WorkId maker = state_.stores.maker(file);
  if (!maker.valid() || !state_.readiness.any()) return {};
  for (const std::uint32_t next : state_.workload->precedence->successors(maker.index))
    if (state_.works[WorkId(next)].state < WorkState::computed &&
        std::ranges::count(state_.workload->inputs(WorkId(next)), file) > 0)
      return WorkId(next);
  return {};
}

bool Sim::is_needed(FileId file) const {
  return (comes_home(file) && !at_home(file)) || reader_to_come(file).valid();
}

bool Sim::has_lost_output(WorkId work) const {
  return std::ranges::any_of(state_.workload->outputs(work),
                             [&](FileId file) { return is_needed(file) && !is_there(file); });
}

// From the last work to the first: what was computed, and made a file that is needed and nowhere, is to be done again.
// Then its own inputs are needed.
void Sim::strand(ClusterId cluster) {
  const std::vector<std::uint32_t> order = state_.workload->precedence->order();
  for (std::size_t i = order.size(); i-- > 0;) {
    const WorkId work(order[i]);
    const WorkState state = state_.works[work].state;
    const bool is_computed = state == WorkState::computed || state == WorkState::finished;
    if (is_computed && has_lost_output(work)) give_back(work, cluster);
  }
}

void Sim::give_back(WorkId work, ClusterId cluster) {
  for (const FileId file : state_.workload->outputs(work))
    for (std::uint32_t slot = 0; slot < state_.activities.slots(); ++slot) {
      const Activity& sent = state_.activities[slot];
      if (sent.serial == 0 || sent.kind != ActivityKind::transfer_out || sent.file != file) continue;
      if (sent.stage == Stage::posted)
        withdraw_slot(slot, Reason::stranded);
      else
        lose(slot, Reason::stranded, false);
    }
  state_.works.make_again(work);
  state_.readiness.give_back(work);
  state_.readiness.undo(*state_.workload->precedence, work);
  for (const std::uint32_t next : state_.workload->precedence->successors(work.index)) unready(WorkId(next));
  if (!is_ready(work)) state_.works.wait_for_others(work);
  record_work(RecordKind::stranded, work, Reason::stranded);
  tell(EventKind::lost, work, ResourceId::of(cluster), Reason::stranded);
}

// A work before it is to be done again. A computation that runs goes on.
void Sim::unready(WorkId work) {
  if (state_.works[work].state != WorkState::waiting) return;
  const HostId host = take_back(work, Reason::stranded);
  state_.works.wait_for_others(work);
  if (host.valid()) tell(EventKind::lost, work, ResourceId::of(host), Reason::stranded);
}

std::uint32_t Sim::posted_compute(WorkId work) const {
  const std::uint32_t slot = state_.readiness.post_of(work);
  if (slot == kNone) return kNone;
  const Activity& posted = state_.activities[slot];
  return posted.serial != 0 && posted.work == work && posted.stage == Stage::posted ? slot : kNone;
}

// Withdraws the computation that is posted for the work. Returns the host; none: nothing was posted.
HostId Sim::take_back(WorkId work, Reason why) {
  const std::uint32_t slot = posted_compute(work);
  if (slot == kNone) return {};
  const HostId host = state_.activities[slot].host;
  withdraw_slot(slot, why);
  return host;
}

// A work that was given back, and has not begun again, is spared where none of its outputs is lost any more.
void Sim::recover(ClusterId cluster) {
  if (!state_.readiness.any_given_back()) return;
  const std::vector<std::uint32_t> order = state_.workload->precedence->order();
  std::vector<std::pair<WorkId, HostId>> spared;  // where it was posted; none: nowhere
  for (std::size_t i = order.size(); i-- > 0;) {
    const WorkId work(order[i]);
    const WorkView& view = state_.works[work];
    if (!state_.readiness.is_given_back(work) || view.running > 0 || view.state >= WorkState::computed)
      continue;
    if (has_lost_output(work)) continue;
    spared.emplace_back(work, take_back(work, Reason::recovered));
    state_.readiness.take_again(work);
    state_.works.spare(work);
  }
  for (const auto& [work, host] : spared) {
    record_work(RecordKind::recovered, work, Reason::recovered);
    if (state_.stores.are_home(state_.workload->outputs(work))) finish_work(work);
    tell(EventKind::superseded, work, host.valid() ? ResourceId::of(host) : ResourceId::of(cluster),
         Reason::recovered);
    release_successors(work);
  }
}

}  // namespace perigee::engine
