// Dumps of jobs: when they begin, what they keep, and how a job goes on from them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/cost/checkpoint.h"
#include "runtime/engine/sim/shared.h"
#include "runtime/kernel/work.h"

namespace perigee::engine {
namespace {

// A dump that would begin at the end of its job, but for rounding, does not.
bool begins_before(Time dump, Time end) { return dump < end - kEps * std::max(1.0, end); }

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
  const Seconds cost = cost_of_dump(declared);
  if (rate == 0 || !(cost < kNever)) return kNever;
  return declared.rule == Checkpoint::Rule::young ? cost::young_interval(cost, 1 / rate)
                                                  : cost::daly_interval(cost, 1 / rate);
}

// Over a link as it is now, if it is idle.
Seconds Sim::cost_of_dump(const Checkpoint& declared) const {
  if (!declared.link.valid()) return declared.cost;
  return latency_of(declared.link).at(state_.now) +
         declared.bytes / bandwidth_of(declared.link).at(state_.now);
}

// The same while the bandwidth changes as is known.
Seconds Sim::time_over(LinkId link, double bytes, Time at) const {
  const Seconds latency = latency_of(link).at(at);
  return bandwidth_of(link).end_of(at + latency, bytes) - at;
}

Seconds Sim::restart_time(const Checkpoint& declared, Time at) const {
  if (!declared.link.valid()) return declared.restart;
  return declared.restart + time_over(declared.link, declared.bytes, at + declared.restart);
}

// A transfer on its way goes on as links are shared now, and a dump that is to be sent finds its link idle.
Time Sim::goes_on_at(const Activity& job) const {
  const Dumps& dumps = state_.activities.allocation_of(job).dumps;
  if (dumps.transfer != kNone) {
    const Activity& transfer = state_.activities[dumps.transfer];
    if (transfer.stage == Stage::paused) return kNever;
    if (transfer.stage == Stage::fixed) return moved_by(transfer, transfer.end);
    if (transfer.stage == Stage::moving) return transfer.end;
    return state_.now + time_over(dumps.link, dumps.bytes, state_.now);
  }
  const bool is_to_be_sent = dumps.reading || (dumps.writing && dumps.link.valid());
  return is_to_be_sent ? job.since + time_over(dumps.link, dumps.bytes, job.since) : job.since;
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
  const bool is_first = job.started == state_.now;  // where it begins anew it keeps its interval
  allocation.dumps = {.interval = is_first ? dump_interval(*declared, shares) : allocation.dumps.interval,
                      .cost = is_first ? cost_of_dump(*declared) : allocation.dumps.cost,
                      .link = declared->link,
                      .bytes = declared->bytes};
  allocation.dumps.next = allocation.dumps.interval;
  allocation.dumps.saved = saved_before;
  const double share = saved(job.work, shares);
  if (share == 0) {
    if (state_.saved.erase(job.work) > 0) record_saved(job.work, job.serial, job.host, 0);
    return 0;
  }
  allocation.dumps.begun_with = share;
  allocation.dumps.reading = declared->link.valid();
  job.left = job.amount * (1 - share);
  return declared->restart;
}

void Sim::expect_dump(std::uint32_t slot) {
  const Activity& job = state_.activities[slot];
  Dumps& dumps = state_.activities.allocation_of(job).dumps;
  Time due = kNever;
  if (job.stage == Stage::moving && dumps.transfer == kNone) {
    if (dumps.reading || dumps.writing)
      due = job.since;
    else if (job.end < kNever && begins_before(job.since + dumps.next, job.end))
      due = job.since + dumps.next;
  }
  if (due == dumps.due) return;
  dumps.due = due;
  if (due < kNever) push(Due::dump, due, job.serial, slot);
}

void Sim::reach_dump(std::uint32_t slot) {
  const Dumps& dumps = state_.activities.allocation_of(state_.activities[slot]).dumps;
  if (dumps.reading || (dumps.writing && dumps.link.valid()))
    send_dump(slot, Reason::none);
  else if (dumps.writing)
    end_dump(slot);
  else
    begin_dump(slot, Reason::none);
}

void Sim::begin_dump(std::uint32_t slot, Reason why) {
  bring_up_to_date(slot);
  Activity& job = state_.activities[slot];
  Dumps& dumps = state_.activities.allocation_of(job).dumps;
  dumps.writing = true;
  dumps.due = kNever;
  if (dumps.link.valid()) return send_dump(slot, why);
  job.since = state_.now + dumps.cost;
  reschedule(slot);
  if (dumps.cost == 0) end_dump(slot);
}

// The job stands still until the transfer is through, however long it waits for its link.
void Sim::send_dump(std::uint32_t slot, Reason why) {
  const std::uint32_t made = state_.activities.allocate(ActivityKind::dump);
  Activity& transfer = state_.activities[made];
  Activity& job = state_.activities[slot];
  Dumps& dumps = state_.activities.allocation_of(job).dumps;
  transfer.stage = Stage::posted;
  transfer.work = job.work;
  transfer.job = slot;
  transfer.first = dumps.reading ? 1 : 0;
  transfer.amount = transfer.size = dumps.bytes;
  transfer.route = state_.links.route_over(dumps.link);
  state_.activities.tie(made, state_.works.size());
  dumps.transfer = made;
  dumps.due = kNever;
  job.since = kNever;
  reschedule(slot);
  record(RecordKind::posted, transfer, why);
  enqueue(made);
}

// The dump, or the restart, is through.
bool Sim::dump_sent(std::uint32_t slot) {
  const std::uint32_t job_slot = state_.activities[slot].job;
  leave_link(slot);
  Activity& job = state_.activities[job_slot];
  Dumps& dumps = state_.activities.allocation_of(job).dumps;
  dumps.transfer = kNone;
  if (!std::exchange(dumps.reading, false)) {
    end_dump(job_slot);
    return false;
  }
  job.since = state_.now;
  reschedule(job_slot);
  return false;
}

// A job that stops gives its link back. Where it goes on later, that transfer begins anew.
void Sim::give_up_dump(std::uint32_t slot, Reason why) {
  Activity& job = state_.activities[slot];
  const std::uint32_t transfer = std::exchange(state_.activities.allocation_of(job).dumps.transfer, kNone);
  if (transfer == kNone) return;
  job.since = state_.now;
  if (state_.activities[transfer].stage == Stage::posted)
    withdraw_slot(transfer, why);
  else
    lose(transfer, why, false, RecordKind::cancelled);
}

// Its link went away. A dump is skipped; a job that cannot read its own is lost.
void Sim::lose_dump(std::uint32_t slot, Reason why) {
  const std::uint32_t job_slot = state_.activities[slot].job;
  lose(slot, why, false);
  Activity& job = state_.activities[job_slot];
  Dumps& dumps = state_.activities.allocation_of(job).dumps;
  dumps.transfer = kNone;
  job.since = state_.now;
  if (dumps.reading) return lose(job_slot, why, true);
  dumps.writing = dumps.requeues = false;
  dumps.next = dumps.interval;
  reschedule(job_slot);
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
  Activity& job = state_.activities[slot];
  Allocation& allocation = state_.activities.allocation_of(job);
  Dumps& dumps = allocation.dumps;
  dumps.writing = false;
  dumps.next = dumps.interval;
  if (job.since == kNever) {  // it came over a link
    job.since = state_.now;
    reschedule(slot);
  }
  dumps.due = kNever;
  const double share = job.amount > 0 ? 1 - job.left / job.amount : 0;
  if (share > saved(job.work)) {
    Saved& kept = state_.saved[job.work];
    kept = {.share = share};
    for (const Allocation::Part& part : allocation.parts) kept.hosts.push_back(part.share.host);
    dumps.saved = true;
    in_vain_ = 0;
    idle_ends_ = 0;
    record_saved(job.work, job.serial, job.host, share);
  }
  if (tells_saved_) {
    Event& event = events_.emplace_back();
    event.at = state_.now;
    event.kind = EventKind::saved;
    event.work = job.work;
    event.on = ResourceId::of(job.host);
    event.serial = job.serial;
    event.slot = slot;
  }
  if (dumps.requeues)
    requeue(slot, Reason::policy);
  else if (dumps.is_last && dumps.saved)
    requeue(slot, Reason::limit);
  else
    expect_dump(slot);
}

void Sim::checkpoint(ActivityId running, bool requeue) {
  const Activity& job = live(running, "checkpoint");
  const auto decision = [&] { return fmt::format("checkpoint {}", text_of(job.piece())); };
  if (job.kind != ActivityKind::compute || job.stage == Stage::posted) bad(decision(), "it is not running");
  const Checkpoint* declared = state_.workload->checkpoint_of(job.work);
  if (declared == nullptr) bad(decision(), "it declares no checkpoint");
  const Dumps& dumps = state_.activities.allocation_of(job).dumps;
  if (job.suspended) bad(decision(), "it is suspended");
  if (job.stage == Stage::paused) bad(decision(), "it stands still while a host of it is away");
  if (dumps.writing) bad(decision(), "a dump of it is under way");
  if (dumps.reading || job.since > state_.now)
    bad(decision(), "it is in its fixed phase: nothing has been computed since it started");
  const Seconds left = job.left - (job.since < state_.now ? computed_since(job) : 0);
  if (!(job.amount > 0 && 1 - left / job.amount > saved(job.work)))
    bad(decision(), saved(job.work) > 0 ? "its last whole dump holds all that is computed"
                                        : "nothing has been computed that a dump could hold");
  Record record;
  record.time = state_.now;
  record.size = requeue ? 1 : 0;
  record.work = job.work;
  record.activity = job.serial;
  record.on = ResourceId::of(job.host);
  record.kind = RecordKind::dumping;
  record.what = ActivityKind::compute;
  record.why = Reason::policy;
  trace_.add(record);
  state_.activities.allocation_of(job).dumps.requeues = requeue;
  begin_dump(running.slot, Reason::policy);
}

void Sim::requeue(ActivityId running) {
  const Activity& activity = live(running, "requeue");
  const auto decision = [&] {
    return activity.work.valid() ? fmt::format("requeue {}", text_of(activity.piece()))
                                 : fmt::format("requeue activity {}", running.serial);
  };
  if (activity.kind != ActivityKind::compute) bad(decision(), "it is no computation");
  if (activity.stage == Stage::posted) bad(decision(), "it has not started; withdraw it instead");
  if (state_.works.is_dealt_in_parts(activity.work))
    bad(decision(), "it is a part of a work; cancel it instead");
  if (activity.twin != kNone) bad(decision(), "it has a copy; cancel one of them instead");
  requeue(running.slot, Reason::policy);
}

// At the limit a dump begins, if there is a grace for it. One that is under way counts. False: its time is over for good.
bool Sim::write_last_dump(std::uint32_t slot) {
  Activity& job = state_.activities[slot];
  Dumps& dumps = state_.activities.allocation_of(job).dumps;
  const Seconds grace = state_.workload->extras[(*state_.workload)[job.work].extra].grace;
  if (dumps.is_last || (grace == 0 && dumps.cost > 0)) return false;
  if (dumps.saved && job.stage == Stage::moving && !dumps.writing && job.since == state_.now) {
    requeue(slot, Reason::limit);  // one is whole just now
    return true;
  }
  dumps.is_last = true;
  state_.activities.drop_limit(slot);
  job.limit_left = grace;
  go_on_to_limit(slot);
  if (!dumps.writing && job.stage == Stage::moving && job.since < state_.now) begin_dump(slot, Reason::limit);
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

// The job waits again: after its limit at the end of the line, otherwise where it stood.
void Sim::requeue(std::uint32_t slot, Reason why) {
  const WorkId work = state_.activities[slot].work;
  const ActivityId id = state_.activities.id_of(slot);
  const ResourceId on = ResourceId::of(state_.activities[slot].host);
  const std::uint64_t idle = idle_ends_;
  lose(slot, why, false, RecordKind::cancelled);
  if (why == Reason::limit) state_.requeued[work] = state_.now;
  record_work(RecordKind::requeued, work, why);
  if (why == Reason::policy) idle_ends_ = idle + 1;  // which it may do for ever
  Event event;
  event.at = state_.now;
  event.kind = EventKind::lost;
  event.why = why;
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
    if (since == kNever) return kNever;
    const Time end = computed_by(left, allocation, work, since);
    if (end == kNever || !begins_before(since + dumps.next, end)) return end;
    did_work(allocation.parts.size());
    left = std::max(0.0, left - computed(allocation, left, since, since + dumps.next));
    since += dumps.next +
             (dumps.link.valid() ? time_over(dumps.link, dumps.bytes, since + dumps.next) : dumps.cost);
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
  return dumps_of(state_.activities[state_.activities.leader_of(running.slot)]);
}

Sim::DumpsView Sim::dumps_of(const Activity& job) const {
  if (job.allocation == kNone) return {};
  const Dumps& dumps = state_.activities.allocation_of(job).dumps;
  const Seconds next = dumps.writing ? dumps.interval
                       : job.since == kNever || job.suspended
                           ? dumps.next
                           : std::max(0.0, job.since + dumps.next - std::max(state_.now, job.since));
  const Seconds cost = dumps.link.valid() ? time_over(dumps.link, dumps.bytes, state_.now) : dumps.cost;
  return {dumps.interval, next, cost, dumps.begun_with, dumps.link, dumps.bytes};
}

Sim::DumpsView Sim::dumps_of(WorkId work, std::span<const Share> shares) const {
  const Checkpoint* declared = state_.workload->checkpoint_of(work);
  if (declared == nullptr) return {};
  const Seconds interval = dump_interval(*declared, shares);
  const Seconds cost =
      declared->link.valid() ? time_over(declared->link, declared->bytes, state_.now) : declared->cost;
  return {interval, interval, cost, saved(work, shares), declared->link, declared->bytes};
}

}  // namespace perigee::engine
