// Jobs over several hosts: where they may start, and how they go on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/engine/sim/shared.h"
#include "runtime/engine/why.h"
#include "runtime/kernel/name_ranges.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/work.h"

namespace perigee::engine {
namespace {

// The shape that the work asks for. A work without one asks for a host.
const Shape& asked_shape(const Workload& workload, WorkId work) {
  static const Shape kOneHost;
  const Shape* given = workload.shape_of(work);
  return given != nullptr ? *given : kOneHost;
}

std::int64_t cores_of(std::span<const Share> shares) {
  std::int64_t cores = 0;
  for (const Share& share : shares) cores += share.cores;
  return cores;
}

std::int64_t cores_of(std::span<const Allocation::Part> parts) {
  std::int64_t cores = 0;
  for (const Allocation::Part& part : parts) cores += part.share.cores;
  return cores;
}

}  // namespace

std::int32_t Sim::cores_taken(const Shape& shape, const Share& share) const {
  return shape.exclusive ? (*state_.platform)[share.host].cores : share.cores;
}

// The first condition of an allocation that does not hold whatever runs; empty if all do.
std::string Sim::misfit_of(WorkId work, std::span<const Share> shares) const {
  const Work& declared = (*state_.workload)[work];
  const Platform& platform = *state_.platform;
  const Shape& shape = asked_shape(*state_.workload, work);
  if (shares.empty()) return "the list of hosts is empty";
  std::int64_t cores = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const Share& share = shares[i];
    const auto name = [&] { return platform[share.host].name; };
    if (i > 0 && shares[i - 1].host == share.host) return fmt::format("host '{}' is named twice", name());
    if (share.cores < 1) return fmt::format("it would have {} cores of host '{}'", share.cores, name());
    if (share.cores > platform[share.host].cores)
      return fmt::format("host '{}' has {} cores, not {}", name(), platform[share.host].cores, share.cores);
    if (!shape.allows(share.host)) return fmt::format("host '{}' is not among those it may use", name());
    if (shape.nodes > 0 && share.cores != declared.cores)
      return fmt::format("it takes {} core{} of each host, not {} of '{}'", declared.cores,
                         declared.cores == 1 ? "" : "s", share.cores, name());
    if (shape.nodes == 0 && share.cores > shape.per_node)
      return fmt::format("it takes at most {} cores of a host, not {} of '{}'", shape.per_node, share.cores,
                         name());
    if (is_apart(shape.same, shares.front().host, share.host))
      return fmt::format("hosts '{}' and '{}' are not in one {}", platform[shares.front().host].name, name(),
                         shape.same == Together::cluster ? "cluster" : "switch");
    cores += share.cores;
  }
  if (shape.sizes != nullptr) return misfit_of_size(shape, shape.nodes > 0 ? std::ssize(shares) : cores);
  if (shape.nodes > 0 && shares.size() != static_cast<std::size_t>(shape.nodes))
    return fmt::format("it takes {} host{}, not {}", shape.nodes, shape.nodes == 1 ? "" : "s", shares.size());
  if (shape.nodes == 0 && cores != declared.cores)
    return fmt::format("it takes {} cores in all, not {}", declared.cores, cores);
  return {};
}

std::string Sim::misfit_of_size(const Shape& shape, std::int64_t size) {
  const std::vector<std::int32_t>& allowed = shape.sizes->allowed;
  if (std::ranges::binary_search(allowed, size)) return {};
  return fmt::format("it takes {} {}, not {}", one_of(allowed), shape.nodes > 0 ? "hosts" : "cores in all",
                     size);
}

bool Sim::is_apart(Together same, HostId a, HostId b) const {
  switch (same) {
    case Together::cluster:
      return state_.hosts[a].cluster != state_.hosts[b].cluster;
    case Together::network_switch:
      return state_.platform->switch_of(a) != state_.platform->switch_of(b);
    case Together::anywhere:
      break;
  }
  return false;
}

// Says what stands in the way of a start now; empty if nothing does.
std::string Sim::obstacle_of_start(WorkId work, std::span<const Share> shares) const {
  const Shape& shape = asked_shape(*state_.workload, work);
  for (const Share& share : shares) {
    const std::string& name = (*state_.platform)[share.host].name;
    if (!state_.hosts[share.host].up) return fmt::format("host '{}' is down", name);
    if (const Power power = state_.hosts[share.host].power; power != Power::on)
      return fmt::format("host '{}' is {}", name, engine::text_of(power));
    if (shape.reservation.valid() && state_.hosts.held_for(share.host) != shape.reservation)
      return fmt::format("host '{}' is not held by {}", name, state_.workload->name_of(shape.reservation));
    const std::int32_t wanted = cores_taken(shape, share),
                       idle = state_.hosts.free_cores(share.host, holder_of(shape, work));
    if (idle < wanted)
      return fmt::format("it needs {} of the {} cores of host '{}', {} {} idle", wanted,
                         (*state_.platform)[share.host].cores, name, idle, idle == 1 ? "is" : "are");
    if (!(true_amount({work, 0, 1}, share.host) < kNever))
      return fmt::format("it cannot run on host '{}'", name);
  }
  if (shape.takes_turns)
    if (std::string held = state_.queue_use.obstacle(*state_.workload, work, cores_of(shares)); !held.empty())
      return held;
  if (std::string shortage = shortage_of_room(work, shares.front().host); !shortage.empty()) return shortage;
  return shape.demand != nullptr ? shortage_of(*shape.demand, shares) : std::string();
}

std::string Sim::why_held_back(WorkId work) const {
  const Shape* shape = state_.workload->shape_of(work);
  if (shape == nullptr || !shape->takes_turns) return {};
  return state_.queue_use.obstacle(*state_.workload, work, state_.workload->width_of(work));
}

std::span<const std::int32_t> Sim::not_held_back(WorkId work, std::span<const std::int32_t> sizes) const {
  const Shape* shape = state_.workload->shape_of(work);
  if (shape == nullptr || !shape->takes_turns) return sizes;
  const std::int64_t each = shape->nodes > 0 ? (*state_.workload)[work].cores : 1;
  while (!sizes.empty() && !state_.queue_use.obstacle(*state_.workload, work, each * sizes.back()).empty())
    sizes = sizes.first(sizes.size() - 1);
  return sizes;
}

void Sim::take_turn(const Activity& job, int more) {
  state_.queue_use.add(*state_.workload, job.work, cores_of(state_.activities.allocation_of(job).parts),
                       more);
}

// Says which consumable is short; empty if none is.
std::string Sim::shortage_of(const Demand& demand, std::span<const Share> shares) const {
  const Platform& platform = *state_.platform;
  for (const Share& share : shares) {
    const std::span<const double> stock = state_.stock.free_on(share.host);
    const Demand::OfHost* item = demand.short_of(stock, share.cores);
    if (item == nullptr) continue;
    const std::string& what = platform.consumables()[item->what];
    const double free = stock[item->what];
    return fmt::format("it needs {} of the {} {} of host '{}', {} {} free",
                       model::amount_text(what, item->of(share.cores)),
                       model::amount_text(what, platform.supply(share.host, item->what)), what,
                       platform[share.host].name, model::amount_text(what, free), free == 1 ? "is" : "are");
  }
  const std::span<const double> licences = state_.stock.free_licences();
  if (const Demand::OfAll* item = demand.short_of_licence(licences); item != nullptr)
    return fmt::format("it needs {} of the {} of licence '{}', {} {} free", format_number(item->count),
                       format_number(platform.licences()[item->what].count),
                       platform.licences()[item->what].name, format_number(licences[item->what]),
                       licences[item->what] == 1 ? "is" : "are");
  return {};
}

std::vector<Share> Sim::in_order(std::span<const Share> shares) const {
  std::vector<Share> sorted(shares.begin(), shares.end());
  if (!std::ranges::is_sorted(sorted, {}, &Share::host)) std::ranges::sort(sorted, {}, &Share::host);
  return sorted;
}

bool Sim::fits(WorkId work, std::span<const Share> shares) const {
  if (!state_.works.waits(work) || state_.works.is_dealt_in_parts(work)) return false;
  const std::vector<Share> sorted = in_order(shares);
  return misfit_of(work, sorted).empty() && obstacle_of_start(work, sorted).empty();
}

std::string Sim::name_of_start(WorkId work, std::span<const Share> shares) const {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> hosts;
  for (const Share& share : shares) hosts.push_back((*state_.platform)[share.host].name);
  return fmt::format("start {} on {}", text_of({work, 0, 1}),
                     hosts.empty() ? "no host" : name_ranges(hosts, ", ", kMost));
}

Allocation Sim::make_allocation(std::span<const Share> sorted) const {
  Allocation made;
  made.parts.reserve(sorted.size());
  for (const Share& share : sorted) made.parts.push_back({.share = share});
  return made;
}

void Sim::check_shares(WorkId work, std::span<const Share> shares, std::string_view action) const {
  for (const Share& share : shares) check_host(share.host, action);
  check_open(work, action);
  const WorkKind kind = (*state_.workload)[work].kind;
  if (kind != WorkKind::job && kind != WorkKind::task)
    bad(name_of_start(work, shares), fmt::format("a {} has no list of hosts", name_of(kind)));
  if (std::string problem = misfit_of(work, shares); !problem.empty())
    bad(name_of_start(work, shares), problem);
  if (state_.works.is_taken({work, 0, 1}))
    bad(name_of_start(work, shares), "it is running, posted or done already");
}

ActivityId Sim::start(WorkId work, std::span<const Share> given) {
  check_open(work, "start");
  const std::vector<Share> shares = in_order(given);
  check_shares(work, shares, "start");
  if (state_.workload->shape_of(work) == nullptr)
    return start({work, 0, 1}, shares.front().host, shares.front().cores);
  if (std::string problem = obstacle_of_start(work, shares); !problem.empty())
    bad(name_of_start(work, shares), problem);
  if (recorder_ != nullptr && recorder_->asks_of({work, 0, 1})) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::started, shares);
  const std::uint32_t slot = state_.activities.allocate(ActivityKind::compute);
  Activity& activity = state_.activities[slot];
  activity.work = work;
  activity.size = 1;
  activity.host = shares.front().host;
  activity.allocation = state_.activities.add_allocation(make_allocation(shares));
  begin_allocated(slot);
  return state_.activities.id_of(slot);
}

std::vector<Share> Sim::shares_of(const Posting& posting) const {
  if (!posting.shares.empty()) return in_order(posting.shares);
  const std::int32_t cores = posting.cores > 0 ? posting.cores : (*state_.workload)[posting.piece.work].cores;
  return {{posting.host, cores}};
}

// Checks the posting of a job with a Shape, and returns the cores that it takes of its first host.
std::int32_t Sim::check_allocated(const Posting& posting) const {
  const WorkId work = posting.piece.work;
  const std::vector<Share> shares = shares_of(posting);
  for (const Share& share : shares) check_host(share.host, "post");
  if (state_.works.is_taken(posting.piece)) bad_posting(posting, "it is running, posted or done already");
  if (const std::string problem = misfit_of(work, shares); !problem.empty()) bad_posting(posting, problem);
  for (const Share& share : shares)
    if (!(true_amount(posting.piece, share.host) < kNever))
      bad_posting(posting, fmt::format("it cannot run on host '{}'", (*state_.platform)[share.host].name));
  return shares.front().cores;
}

const char* Sim::obstacle_of_allocated(const Activity& activity) const {
  const Shape& shape = *state_.workload->shape_of(activity.work);
  const std::vector<Allocation::Part>& parts = state_.activities.allocation_of(activity).parts;
  for (const Allocation::Part& part : parts)
    if (!state_.hosts.is_up(part.share.host)) return "a host, which is down";
  if (shape.reservation.valid())
    for (const Allocation::Part& part : parts)
      if (state_.hosts.held_for(part.share.host) != shape.reservation)
        return "its reservation to hold all its hosts";
  for (const Allocation::Part& part : parts)
    if (state_.hosts.free_cores(part.share.host, holder_of(shape, activity.work)) <
        cores_taken(shape, part.share))
      return "idle cores of all its hosts";
  if (shape.takes_turns &&
      !state_.queue_use.obstacle(*state_.workload, activity.work, cores_of(parts)).empty())
    return "its queue or quality of service, of which as many jobs run as may";
  if (!has_room_for_outputs(activity.work, parts.front().share.host)) return kNoRoom;
  if (shape.demand == nullptr) return nullptr;
  for (const Allocation::Part& part : parts)
    if (!shape.demand->fits(state_.stock.free_on(part.share.host), part.share.cores))
      return "memory or resources of all its hosts";
  if (!shape.demand->fits_licences(state_.stock.free_licences())) return "licences";
  return nullptr;
}

// A job takes its hosts and begins. All that it needs is free.
void Sim::begin_allocated(std::uint32_t slot) {
  const WorkId work = state_.activities[slot].work;
  const Shape& shape = *state_.workload->shape_of(work);
  const std::uint32_t place = state_.activities[slot].allocation;
  const std::size_t count = state_.activities.allocation_of(state_.activities[slot]).parts.size();
  bool up = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t member = i == 0 ? slot : state_.activities.add_member(slot);
    Allocation::Part& part = state_.activities.allocation_of(state_.activities[slot]).parts[i];
    part.slot = member;
    Activity& there = state_.activities[member];
    there.host = part.share.host;
    there.cores = cores_taken(shape, part.share);
    there.stage = Stage::moving;
    there.started = state_.now;
    up = up && state_.hosts.is_up(there.host);
    state_.hosts.occupy(state_.activities, member);
    if (shape.demand != nullptr) state_.stock.take(*shape.demand, part.share);
  }
  if (shape.demand != nullptr) state_.stock.take_licences(*shape.demand);
  if (shape.takes_turns) take_turn(state_.activities[slot], 1);
  Activity& activity = state_.activities[slot];
  PERIGEE_ASSERT(activity.allocation == place, "the allocation of a job has moved");
  Allocation& allocation = state_.activities.allocation_of(activity);
  activity.amount = fill_in_paces(piece_on(work, allocation), allocation);
  activity.left = activity.amount;
  const Seconds fixed = allocation.setup + go_on_from_dump(slot);
  activity.since = state_.now + fixed;
  if (up) {
    activity.end = computed_by(activity, activity.since);
  } else {  // on a host that nobody was told is down
    activity.stage = Stage::paused;
    activity.end = kNever;
    activity.fixed_left = fixed;
    state_.activities.freeze(slot);
  }
  state_.works.begin(work);
  reserve_room(activity);
  if (activity.end < kNever) ++progressing_;
  record_on_each(RecordKind::started, activity, Reason::none);
  push_end(slot);
  expect_dump(slot);
  set_limit(slot);
  if (comparing_) expect_end(slot);
}

Piece Sim::piece_on(WorkId work, const Allocation& allocation) const {
  if (state_.workload->sizes_of(work) == nullptr) return {work, 0, 1};
  std::vector<Share> shares;
  for (const Allocation::Part& part : allocation.parts) shares.push_back(part.share);
  return state_.workload->piece_on(work, shares);
}

// The dedicated time of the job on these hosts, +inf if one of them cannot run it.
Seconds Sim::fill_in_paces(const Piece& whole, Allocation& allocation) const {
  Seconds longest = 0;
  allocation.setup = 0;
  const bool listed = (*state_.workload)[whole.work].form == TimeForm::by_host;
  const Host* before = nullptr;
  std::int32_t architecture = 0;
  Seconds amount = 0;  // of the host before
  for (Allocation::Part& part : allocation.parts) {
    const Host& host = (*state_.platform)[part.share.host];
    const std::int32_t now = state_.hosts[part.share.host].architecture;
    if (before == nullptr || listed || host.speed != before->speed || now != architecture)
      amount = true_amount(whole, part.share.host);
    before = &host;
    architecture = now;
    part.pace = amount;
    longest = std::max(longest, part.pace);
    allocation.setup = std::max(allocation.setup, host.setup);
  }
  for (Allocation::Part& part : allocation.parts) part.pace = part.pace == longest ? 1 : longest / part.pace;
  return longest;
}

// Hosts that are alike go on like one of them, at the least of their factors. Returns that host, and its factor with
// its pace; null if they differ, now or later.
std::pair<const Rate*, double> Sim::slowest_of(const Allocation& allocation) const {
  const Rate* slowest = nullptr;
  double least = kNever;
  for (const Allocation::Part& part : allocation.parts) {
    const Rate& rate = state_.hosts.rate(part.share.host);
    const bool alike =
        slowest == nullptr || (rate.since == slowest->since && rate.profile == slowest->profile);
    if (!alike && !(rate.profile.is_constant() && slowest->profile.is_constant())) return {nullptr, 0};
    if (part.pace == kNever) continue;  // it has nothing to do there
    const double here = rate.factor * part.pace;
    const bool slower = alike ? here < least : rate.profile.at(0) * here < slowest->profile.at(0) * least;
    if (slowest != nullptr && !slower) continue;
    slowest = &rate;
    least = here;
  }
  return {slowest, least};
}

LeastRate Sim::rate_of(const Allocation& allocation, Time now) const {
  return LeastRate::at(now, allocation.parts, [&](const Allocation::Part& part) {
    const Rate& rate = state_.hosts.rate(part.share.host);
    return std::pair(part.pace == kNever ? nullptr : &rate, rate.at(now) * part.pace);
  });
}

Time Sim::computed_by(Seconds amount, const Allocation& allocation, WorkId work, Time from) const {
  if (!(amount < kNever)) return kNever;
  for (const Allocation::Part& part : allocation.parts)
    if (!is_there(part.share.host, from)) return kNever;
  if (const auto [slowest, factor] = slowest_of(allocation); slowest != nullptr)
    return slowest->end_of(from, amount, factor);
  try {
    return end_at_least_rate(from, amount, [&](Time now) {
      did_work(allocation.parts.size());
      return rate_of(allocation, now);
    });
  } catch (const TooManySteps& given_up) {
    fail(
        "too_many_steps",
        "{} from t = {} s on passes {} steps of the availability of its {} hosts, by t = {} s, and is not over; let "
        "it change less often",
        text_of({work, 0, 1}), format_number(from), given_up.steps, allocation.parts.size(),
        format_number(given_up.at));
  }
}

// A dump that is still to be sent, or read, finds its link idle.
Time Sim::computed_by(const Activity& job, Time from) const {
  const Allocation& allocation = state_.activities.allocation_of(job);
  const Dumps& dumps = allocation.dumps;
  if (dumps.reading || (dumps.writing && dumps.link.valid()))
    from += time_over(dumps.link, dumps.bytes, from);
  return from < kNever ? computed_by(job.left, allocation, job.work, from) : kNever;
}

Seconds Sim::computed(const Activity& job, Time from, Time to) const {
  return computed(state_.activities.allocation_of(job), job.left, from, to);
}

// At most `left` seconds of a dedicated job.
Seconds Sim::computed(const Allocation& allocation, Seconds left, Time from, Time to) const {
  if (const auto [slowest, factor] = slowest_of(allocation); slowest != nullptr)
    return slowest->integral(from, to, factor);
  return done_at_least_rate(from, to, left, [&](Time now) {
    did_work(allocation.parts.size());
    return rate_of(allocation, now);
  });
}

Time Sim::true_end(WorkId work, std::span<const Share> shares, Time start) const {
  return true_end(state_.workload->piece_on(work, shares), shares, start);
}

Time Sim::true_end(const Piece& whole, std::span<const Share> shares, Time start) const {
  const WorkId work = whole.work;
  if (state_.workload->shape_of(work) == nullptr) return true_end(whole, shares.front().host, start);
  Allocation allocation = make_allocation(shares);
  const Seconds amount = fill_in_paces(whole, allocation);
  const Checkpoint* declared = state_.workload->checkpoint_of(work);
  if (declared == nullptr) return computed_by(amount, allocation, work, start + allocation.setup);
  const DumpsView dumps = dumps_of(work, shares);
  const Seconds restart = dumps.begun_with > 0 ? restart_time(*declared, start + allocation.setup) : 0;
  return end_with_dumps(allocation, work, start + allocation.setup + restart, amount * (1 - dumps.begun_with),
                        dumps);
}

// The hosts of the job as they go on, by the amounts of each, and the longest one.
std::pair<Allocation, Seconds> Sim::allocation_by(std::span<const Seconds> amounts,
                                                  std::span<const Share> shares) const {
  Allocation allocation = make_allocation(shares);
  Seconds longest = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) longest = std::max(longest, amounts[i]);
  for (std::size_t i = 0; i < shares.size(); ++i)
    allocation.parts[i].pace = amounts[i] == longest ? 1 : longest / amounts[i];
  return {std::move(allocation), longest};
}

Time Sim::computed_by(std::span<const Seconds> amounts, std::span<const Share> shares, WorkId work,
                      Time start, Seconds done) const {
  const auto [allocation, longest] = allocation_by(amounts, shares);
  return computed_by(std::max(0.0, longest - done), allocation, work, start);
}

Seconds Sim::setup_of(std::span<const Share> shares) const {
  Seconds setup = 0;
  for (const Share& share : shares) setup = std::max(setup, (*state_.platform)[share.host].setup);
  return setup;
}

std::vector<Share> Sim::allocation(ActivityId id) const {
  if (!state_.activities.lives(id)) return {};
  const Activity& activity = state_.activities[state_.activities.leader_of(id.slot)];
  if (activity.allocation == kNone)
    return activity.host.valid() ? std::vector<Share>{{activity.host, activity.cores}} : std::vector<Share>{};
  std::vector<Share> shares;
  for (const Allocation::Part& part : state_.activities.allocation_of(activity).parts)
    shares.push_back(part.share);
  return shares;
}

std::string Sim::why_never(WorkId work) const {
  return model::why_never(*state_.workload, *state_.platform, work);
}

void Sim::leave_hosts(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  if (activity.allocation == kNone) {
    if (!activity.suspended) leave_host(slot);
    return;
  }
  const std::span<const Allocation::Part> parts = state_.activities.allocation_of(activity).parts;
  for (const Allocation::Part& part : parts) {
    if (activity.suspended)
      state_.posts.touch(part.share.host);  // for its memory
    else
      leave_host(part.slot);
  }
  const Shape& shape = *state_.workload->shape_of(activity.work);
  if (shape.takes_turns) take_turn(activity, -1);
  if (const auto& demand = shape.demand; demand != nullptr) {
    for (const Allocation::Part& part : parts) state_.stock.give_back(*demand, part.share);
    state_.stock.give_licences_back(*demand);
  }
  // A post may wait for licences, or for its turn, on any host.
  if (shape.takes_turns || (shape.demand != nullptr && !shape.demand->licences.empty()))
    for (std::size_t h = 0; h < state_.hosts.size(); ++h) state_.posts.touch(HostId(h));
  for (const Allocation::Part& part : parts.subspan(1)) state_.activities.release(part.slot);
}

}  // namespace perigee::engine
