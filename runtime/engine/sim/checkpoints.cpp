// Dumps of jobs: when they begin, what they keep, and how a job goes on from them.
#include <algorithm>
#include <cmath>

#include "runtime/cost/checkpoint.h"
#include "runtime/engine/sim/shared.h"
#include "runtime/kernel/work.h"

namespace perigee::engine {
namespace {

bool has_same_hosts(std::span<const HostId> hosts, std::span<const Share> shares) {
  return std::ranges::equal(hosts, shares, {}, {}, &Share::host);
}

}  // namespace

double Sim::saved(WorkId work) const {
  const auto found = state_.saved.find(work);
  return found == state_.saved.end() ? 0 : found->second.share;
}

double Sim::saved(WorkId work, std::span<const Share> shares) const {
  const auto found = state_.saved.find(work);
  if (found == state_.saved.end()) return 0;
  const Checkpoint* declared = state_.workload->checkpoint_of(work);
  const bool reachable = !declared->local || has_same_hosts(found->second.hosts, shares);
  return reachable ? found->second.share : 0;
}

// A job fails with the first of its hosts. Hosts fail as the scenario says; outages that are listed do not count.
Seconds Sim::dump_interval(const Checkpoint& declared, std::span<const Share> shares) const {
  if (declared.rule == Checkpoint::Rule::given) return declared.interval;
  double rate = 0;
  for (const FailureModel& model : state_.scenario->failures)
    for (const Share& share : shares)
      rate += static_cast<double>(std::ranges::count(model.hosts, share.host)) / model.mtbf;
  if (rate == 0) return kNever;
  return declared.rule == Checkpoint::Rule::young ? cost::young_interval(declared.cost, 1 / rate)
                                                  : cost::daly_interval(declared.cost, 1 / rate);
}

// Takes off what is done, and returns the time that it takes to read it. A dump of other hosts that kept it for
// themselves is gone.
Seconds Sim::go_on_from_dump(std::uint32_t slot) {
  Activity& job = state_.activities[slot];
  Allocation& allocation = state_.activities.allocation_of(job);
  const Checkpoint* declared = state_.workload->checkpoint_of(job.work);
  if (declared == nullptr) return 0;
  const std::vector<Share> shares = this->allocation(state_.activities.id_of(slot));
  const bool saved_before = allocation.dumps.saved;
  allocation.dumps = {.interval = dump_interval(*declared, shares), .cost = declared->cost};
  allocation.dumps.next = allocation.dumps.interval;
  allocation.dumps.saved = saved_before;
  const double share = saved(job.work, shares);
  if (share == 0) {
    if (state_.saved.erase(job.work) > 0) record_saved(job.work, job.serial, job.host, 0);
    return 0;
  }
  allocation.dumps.begun_with = share;
  job.left = job.amount * (1 - share);
  return declared->restart;
}

void Sim::expect_dump(std::uint32_t slot) {
  const Activity& job = state_.activities[slot];
  Dumps& dumps = state_.activities.allocation_of(job).dumps;
  Time due = kNever;
  if (job.stage == Stage::moving && dumps.writing) due = job.since;
  if (job.stage == Stage::moving && !dumps.writing && job.end < kNever && job.since + dumps.next < job.end)
    due = job.since + dumps.next;
  if (due == dumps.due) return;
  dumps.due = due;
  if (due < kNever) push(Due::dump, due, job.serial, slot);
}

void Sim::reach_dump(std::uint32_t slot) {
  if (state_.activities.allocation_of(state_.activities[slot]).dumps.writing)
    end_dump(slot);
  else
    begin_dump(slot);
}

void Sim::begin_dump(std::uint32_t slot) {
  bring_up_to_date(slot);
  Activity& job = state_.activities[slot];
  Dumps& dumps = state_.activities.allocation_of(job).dumps;
  dumps.writing = true;
  dumps.due = kNever;
  job.since = state_.now + dumps.cost;
  reschedule(slot);
  if (dumps.cost == 0) end_dump(slot);
}

// The share that the last dump of the work holds from now on; 0 = it is gone.
void Sim::record_saved(WorkId work, std::uint32_t activity, HostId host, double share) {
  Record record;
  record.time = state_.now;
  record.size = share;
  record.work = work;
  record.activity = activity;
  record.on = ResourceId::of(host);
  record.kind = RecordKind::saved;
  record.what = ActivityKind::compute;
  trace_.add(record);
}

// A dump that holds no more than the one before is worth nothing.
void Sim::end_dump(std::uint32_t slot) {
  const Activity& job = state_.activities[slot];
  Allocation& allocation = state_.activities.allocation_of(job);
  Dumps& dumps = allocation.dumps;
  dumps.writing = false;
  dumps.next = dumps.interval;
  dumps.due = kNever;
  const double share = job.amount > 0 ? 1 - job.left / job.amount : 0;
  if (share > saved(job.work)) {
    Saved& kept = state_.saved[job.work];
    kept = {.share = share};
    for (const Allocation::Part& part : allocation.parts) kept.hosts.push_back(part.share.host);
    dumps.saved = true;
    in_vain_ = 0;
    record_saved(job.work, job.serial, job.host, share);
  }
  if (dumps.is_last && dumps.saved)
    requeue(slot);
  else
    expect_dump(slot);
}

// At the limit a dump begins, if there is a grace for it. One that is under way counts. False: its time is over for good.
bool Sim::write_last_dump(std::uint32_t slot) {
  Activity& job = state_.activities[slot];
  Dumps& dumps = state_.activities.allocation_of(job).dumps;
  const Seconds grace = state_.workload->extras[(*state_.workload)[job.work].extra].grace;
  if (dumps.is_last || (grace == 0 && dumps.cost > 0)) return false;
  if (dumps.saved && job.stage == Stage::moving && !dumps.writing && job.since == state_.now) {
    requeue(slot);  // one is whole just now
    return true;
  }
  dumps.is_last = true;
  state_.activities.drop_limit(slot);
  job.limit_left = grace;
  go_on_to_limit(slot);
  if (!dumps.writing && job.stage == Stage::moving && job.since < state_.now) begin_dump(slot);
  return true;
}

// Dumps that only their own hosts can read are gone with one of them.
void Sim::forget_dumps_on(HostId host) {
  std::erase_if(state_.saved, [&](const auto& each) {
    const bool gone = state_.workload->checkpoint_of(each.first)->local &&
                      std::ranges::binary_search(each.second.hosts, host);
    if (gone) record_saved(each.first, 0, host, 0);
    return gone;
  });
}

// The job waits again, at the end of the line.
void Sim::requeue(std::uint32_t slot) {
  const WorkId work = state_.activities[slot].work;
  const ActivityId id = state_.activities.id_of(slot);
  const ResourceId on = ResourceId::of(state_.activities[slot].host);
  lose(slot, Reason::limit, false, RecordKind::cancelled);
  state_.requeued[work] = state_.now;
  record_work(RecordKind::requeued, work, Reason::limit);
  Event event;
  event.at = state_.now;
  event.kind = EventKind::lost;
  event.why = Reason::limit;
  event.work = work;
  event.on = on;
  event.serial = id.serial;
  event.slot = id.slot;
  events_.push_back(event);
}

// The end of the job when `left` seconds of it are left at `since`, and the next dump begins after `dumps.next` s.
Time Sim::end_with_dumps(const Allocation& allocation, WorkId work, Time since, double left,
                         DumpsView dumps) const {
  constexpr int kMostDumps = 1'000'000;
  for (int written = 0; written < kMostDumps; ++written) {
    const Time end = computed_by(left, allocation, work, since);
    if (end == kNever || !(since + dumps.next < end)) return end;
    did_work(allocation.parts.size());
    left = std::max(0.0, left - computed(allocation, left, since, since + dumps.next));
    since += dumps.next + dumps.cost;
    dumps.next = dumps.interval;
  }
  fail("too_many_dumps", "{} writes more than {} dumps; let their interval be longer", text_of({work, 0, 1}),
       kMostDumps);
}

Time Sim::end_with_dumps(std::span<const Seconds> amounts, std::span<const Share> shares, WorkId work,
                         Time since, double done, const DumpsView& dumps) const {
  const auto [allocation, longest] = allocation_by(amounts, shares);
  return end_with_dumps(allocation, work, since, std::max(0.0, longest - done), dumps);
}

Sim::DumpsView Sim::dumps_of(ActivityId running) const {
  if (!state_.activities.lives(running)) return {};
  const Activity& job = state_.activities[state_.activities.leader_of(running.slot)];
  if (job.allocation == kNone) return {};
  const Dumps& dumps = state_.activities.allocation_of(job).dumps;
  const Seconds next = dumps.writing
                           ? dumps.interval
                           : std::max(0.0, job.since + dumps.next - std::max(state_.now, job.since));
  return {dumps.interval, next, dumps.cost, dumps.begun_with};
}

Sim::DumpsView Sim::dumps_of(WorkId work, std::span<const Share> shares) const {
  const Checkpoint* declared = state_.workload->checkpoint_of(work);
  if (declared == nullptr) return {};
  const Seconds interval = dump_interval(*declared, shares);
  return {interval, interval, declared->cost, saved(work, shares)};
}

}  // namespace perigee::engine
