// Activities that start by themselves: checks, the queues that they wait in, obstacles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/engine/sim/shared.h"
#include "runtime/engine/why.h"

namespace perigee::engine {

// Calls f with the HostId or LinkId of each host and link in whose queue the activity is while it is posted.
template <class F>
inline void Sim::for_each_queue_of(const Activity& activity, F f) const {
  if (activity.kind == ActivityKind::hold) {
    const Hold& hold = state_.activities.hold_of(activity);
    for (const HostId host : hold.hosts) f(host);
    if (hold.link.valid()) f(hold.link);
    return;
  }
  if (activity.allocation != kNone) {
    for (const Allocation::Part& part : state_.activities.allocation_of(activity).parts) f(part.share.host);
    return;
  }
  if (activity.kind == ActivityKind::dump) {
    f(state_.links.route(activity.route).front());
    return;
  }
  // A chunk that comes while the host computes takes no cores, and waits for the link alone.
  if (activity.cores > 0) f(activity.host);
  if (activity.cluster.valid()) f((*state_.platform)[activity.cluster].link);
}

void Sim::touch_all(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  if (activity.awaits_file) return;
  for_each_queue_of(activity, [&](auto on) {
    state_.posts.touch(on, {activity.rank, activity.serial, slot});
  });
}

void Sim::enqueue(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  if (activity.awaits_file) return;
  for_each_queue_of(activity, [&](auto on) {
    state_.posts.insert(on, {activity.rank, activity.serial, slot});
    if (passes(activity, slot, state_.posts[on])) state_.posts.touch(on);
    state_.show_queued(on);
  });
}

void Sim::dequeue(std::uint32_t slot) {
  const Activity& activity = state_.activities[slot];
  if (activity.awaits_file) return state_.stores.await_no_more(activity.file, slot);
  for_each_queue_of(activity, [&](auto on) {
    state_.posts.erase(on, {activity.rank, activity.serial, slot});
    state_.show_queued(on);
  });
}

bool Sim::first_in_queues(const Activity& activity, std::uint32_t slot) const {
  bool first = true;
  for_each_queue_of(activity, [&](auto on) {
    first = first && (state_.posts[on].may_go(slot) || passes(activity, slot, state_.posts[on]));
  });
  return first;
}

bool Sim::waits_for_room(const Post& post) const {
  const Activity& activity = state_.activities[post.slot];
  if (!state_.stores.any_limit() || activity.kind != ActivityKind::transfer_in) return false;
  const char* problem = obstacle(activity);
  return problem != nullptr && std::string_view(problem) == kNoRoom;
}

// Files that leave a store pass those that wait for room, else nothing might ever be discarded there.
bool Sim::passes(const Activity& activity, std::uint32_t slot, const PostQueue& queue) const {
  if (!state_.stores.any_limit() || activity.kind != ActivityKind::transfer_out) return false;
  std::size_t place = queue.begin();
  while (queue[place].slot != slot && waits_for_room(queue[place])) ++place;
  return queue[place].slot == slot;
}

const char* Sim::obstacle(const Activity& activity) const {
  if (state_.activities.waits_for_another(activity)) return "what it was posted after";
  if (activity.not_before > state_.now) return "its time";
  const auto of_kind = row_of(activity.kind).obstacle;
  return of_kind == nullptr ? nullptr : (this->*of_kind)(activity);
}

const char* Sim::obstacle_of_compute(const Activity& activity) const {
  if (activity.allocation != kNone) return obstacle_of_allocated(activity);
  if (!state_.hosts.is_up(activity.host)) return "its host, which is down";
  if (!state_.readiness.is_ready(activity.work)) return "the works before it";
  if ((*state_.workload)[activity.work].input_count > 0) {
    const ClusterId cluster = state_.hosts[activity.host].cluster;
    if (!state_.clusters[cluster.index].is_present()) return "its cluster, which is away";
    for (const FileId file : state_.workload->inputs(activity.work))
      if (!in_store(file, cluster)) return "an input file";
  }
  if (state_.hosts.free_cores(activity.host, activity.work) >= activity.cores)
    return has_room_for_outputs(activity.work, activity.host) ? nullptr : kNoRoom;
  return state_.hosts[activity.host].power == Power::on ? "idle cores" : "its host, which is not on";
}

const char* Sim::obstacle_of_chunk(const Activity& activity) const {
  if (!state_.hosts.is_up(activity.host)) return "its host, which is down";
  if (state_.hosts[activity.host].power != Power::on) return "its host, which is not on";
  if (state_.hosts.free_cores(activity.host, activity.work) < activity.cores) return "an idle host";
  return obstacle_of_transfer(activity);
}

const char* Sim::obstacle_of_transfer(const Activity& activity) const {
  if (activity.awaits_file) return "the file, which does not exist yet";
  if (!state_.clusters[activity.cluster.index].is_present()) return "its cluster, which is away";
  const std::uint32_t route = source_of(activity).route;
  if (route == kNone) return "a way to its cluster";
  if (activity.kind == ActivityKind::transfer_out && !state_.stores.has(activity.file, activity.cluster))
    return "the file, which does not exist yet";
  for (const LinkId link : state_.links.route(route)) {
    if (!state_.links.is_up(link)) return "its link, which is down";
    if (!state_.links.takes_transfer(link)) return "its link";
  }
  if (activity.kind == ActivityKind::transfer_in &&
      !state_.stores.has_room({&activity.file, 1}, activity.cluster))
    return kNoRoom;
  return nullptr;
}

const char* Sim::obstacle_of_dump(const Activity& activity) const {
  const LinkId link = state_.links.route(activity.route).front();
  if (!state_.links.is_up(link)) return "its link, which is down";
  return state_.links.takes_transfer(link) ? nullptr : "its link";
}

const char* Sim::obstacle_of_hold(const Activity& activity) const {
  const Hold& hold = state_.activities.hold_of(activity);
  for (const HostId host : hold.hosts) {
    if (!state_.hosts.is_up(host)) return "a host, which is down";
    if (!state_.hosts.is_idle(host)) return "an idle host";
  }
  if (!hold.link.valid() || !(hold.io_until > state_.now)) return nullptr;
  if (!state_.links.is_up(hold.link)) return "its link, which is down";
  return state_.links.is_busy(hold.link) ? "its link" : nullptr;
}

void Sim::begin(std::uint32_t slot) {
  dequeue(slot);
  state_.activities[slot].started = state_.now;
  (this->*row_of(state_.activities[slot].kind).begin)(slot);
}

void Sim::begin_posted_compute(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  state_.works.leave_queue(activity.work);
  if (activity.allocation != kNone) return begin_allocated(slot);
  activity.amount = compute_amount(activity);
  state_.hosts.occupy(state_.activities, slot);
  begin_compute(slot);
  set_limit(slot);
}

void Sim::begin_chunk(std::uint32_t slot) {
  state_.hosts.occupy(state_.activities, slot);
  enter_link(slot);
}

void Sim::begin_hold(std::uint32_t slot) {
  Activity& activity = state_.activities[slot];
  Hold& hold = state_.activities.hold_of(activity);
  for (const HostId host : hold.hosts) state_.hosts.hold(host, slot, activity.work);
  if (hold.link.valid() && hold.io_until > state_.now) {
    hold.link_busy = true;
    state_.links.hold(hold.link);
  }
  activity.stage = hold.link_busy ? Stage::fixed : Stage::moving;
  activity.since = state_.now;
  activity.end = hold.link_busy ? hold.io_until : std::max(state_.now, hold.to);
  ++progressing_;
  if (holds_reservation(activity)) state_.works.hold(activity.work);
  const bool late = state_.now > hold.from + kEps * std::max(1.0, std::abs(hold.from));
  record(RecordKind::started, activity, late ? Reason::late : Reason::none);
  push_end(slot);
}

// Begins what has no obstacle. Chunks on routes of several hops are left for serve_in_order.
inline bool Sim::begins(const Post& post) {
  const Activity& activity = state_.activities[post.slot];
  if (state_.links.any_of_several_hops() && activity.kind == ActivityKind::chunk) {
    state_.posts.touch((*state_.platform)[activity.cluster].link);
    return false;
  }
  if (obstacle(activity) != nullptr || !first_in_queues(activity, post.slot)) return false;
  begin(post.slot);
  return true;
}

void Sim::serve(const PostQueue& queue, std::span<const Post> some) {
  for (const Post& post : some) {
    const Activity& activity = state_.activities[post.slot];
    if (activity.serial == post.serial && activity.stage == Stage::posted) begins(post);
  }
  if (!some.empty()) return;
  for (std::size_t place = queue.begin(); place < queue.end();) {
    const std::size_t first = queue.begin();
    if (begins(queue[place])) {
      // The post is out of this queue, from its head or from the middle.
      if (queue.begin() != first) place = std::max(place, queue.begin());
      continue;
    }
    if (!queue.overtakes() && !waits_for_room(queue[place])) break;
    ++place;
  }
}

void Sim::serve_touched() {
  const auto serve_one = [this](auto on, std::span<const Post> some) { serve(state_.posts[on], some); };
  while (state_.posts.any_touched()) {
    state_.posts.serve_hosts(serve_one);
    if (state_.links.any_of_several_hops())
      serve_in_order(state_.posts.take_links());
    else
      state_.posts.serve_links(serve_one);
  }
}

// Transfers to different clusters may compete for a link in the middle of their routes: of the queues of
// these links the lowest (rank, posting) that can start goes first.
void Sim::serve_in_order(std::span<const LinkId> links) {
  for (;;) {
    const Post* first = nullptr;
    for (const LinkId link : links) {
      const PostQueue& queue = state_.posts[link];
      for (std::size_t place = queue.begin(); place < queue.end(); ++place) {
        const Post& post = queue[place];
        const Activity& activity = state_.activities[post.slot];
        if (obstacle(activity) == nullptr && first_in_queues(activity, post.slot)) {
          if (first == nullptr || post < *first) first = &post;
          break;
        }
        if (!queue.overtakes() && !waits_for_room(post)) break;
      }
    }
    if (first == nullptr) return;
    begin(first->slot);
  }
}

void Sim::wake_dependents(std::uint32_t slot) {
  while (state_.activities[slot].dependents != kNone) {
    const std::uint32_t dependent = state_.activities[slot].dependents;
    state_.activities.make_independent(dependent);
    touch_all(dependent);
  }
}

void Sim::drop_dependents(std::uint32_t slot, bool tell_policy) {
  for (std::uint32_t first; (first = state_.activities.earliest_dependent(slot)) != kNone;) {
    if (tell_policy) tell(EventKind::lost, state_.activities[first], first, Reason::predecessor);
    withdraw_slot(first, Reason::predecessor);
  }
}

void Sim::withdraw_slot(std::uint32_t slot, Reason why) {
  state_.activities.make_independent(slot);
  dequeue(slot);
  Activity& activity = state_.activities[slot];
  record(RecordKind::withdrawn, activity, why);
  if (const auto withdrawn = row_of(activity.kind).withdrawn; withdrawn != nullptr)
    (this->*withdrawn)(activity);
  drop_dependents(slot, true);
  state_.activities.release(slot);
}

void Sim::piece_withdrawn(const Activity& activity) { state_.works.withdraw(activity.piece()); }

// ---- a new posting: its kind decides the checks and the members that it sets ----

void Sim::bad_posting(const Posting& posting, std::string_view problem) const {
  const Kind& kind = row_of(posting.kind);
  const bool known =
      posting.file.index < state_.workload->files.size() && posting.cluster.index < state_.clusters.size();
  std::string decision = fmt::format("post a {}", kind.name);
  if (kind.on_host)
    decision =
        fmt::format("post {} of {} on host '{}'", kind.name, text_of(posting.piece),
                    posting.host.index < state_.hosts.size() ? (*state_.platform)[posting.host].name : "?");
  else if (kind.on_route && known)
    decision = fmt::format("post file '{}' {} cluster '{}'", state_.workload->files[posting.file.index].name,
                           posting.kind == ActivityKind::transfer_in ? "to" : "home from",
                           (*state_.platform)[posting.cluster].name);
  else if (posting.kind == ActivityKind::hold)
    decision = fmt::format("post a hold of {} hosts", posting.hosts.size());
  bad(decision, problem);
}

std::int32_t Sim::check_compute(const Posting& posting) const {
  check_piece(posting.piece, "post");
  check_host(posting.host, "post");
  if (!posting.shares.empty() || state_.workload->shape_of(posting.piece.work) != nullptr)
    return check_allocated(posting);
  const std::int32_t cores = cores_for(posting.piece.work, posting.host, posting.cores);
  const Work& work = (*state_.workload)[posting.piece.work];
  const Host& host = (*state_.platform)[posting.host];
  if (state_.works.is_taken(posting.piece)) bad_posting(posting, "it is running, posted or done already");
  if (!state_.works.is_dealt_in_parts(posting.piece.work) && cores != work.cores)
    bad_posting(posting,
                fmt::format("it takes {} core{}, not {}", work.cores, work.cores == 1 ? "" : "s", cores));
  if (cores > host.cores)
    bad_posting(posting, fmt::format("it needs {} cores, the host has {}", cores, host.cores));
  if (!(true_amount(posting.piece, posting.host) < kNever))
    bad_posting(posting, "it cannot run on that host");
  return cores;
}

// A load's chunk has the whole host; the runs of a sweep are sent to a host that goes on computing.
std::int32_t Sim::check_chunk(const Posting& posting) const {
  check_piece(posting.piece, "post");
  check_host(posting.host, "post");
  if (!state_.works.is_dealt_in_parts(posting.piece.work))
    bad_posting(posting, "only loads and sweeps have chunks");
  return (*state_.workload)[posting.piece.work].kind == WorkKind::load
             ? (*state_.platform)[posting.host].cores
             : 0;
}

std::int32_t Sim::check_transfer(const Posting& posting) const {
  if (posting.file.index >= state_.workload->files.size()) bad_posting(posting, "there is no such file");
  if (posting.cluster.index >= state_.clusters.size()) bad_posting(posting, "there is no such cluster");
  const bool in = posting.kind == ActivityKind::transfer_in;
  if (in ? in_store(posting.file, posting.cluster) || in_transfer(posting.file, posting.cluster)
         : at_home(posting.file) || in_transfer_home(posting.file, posting.cluster))
    bad_posting(posting, "it is there or on its way");
  if (in) check_source(posting);
  if (const WorkId maker = state_.stores.maker(posting.file);
      !in && maker.valid() && state_.works[maker].state >= WorkState::finished)
    bad_posting(posting, fmt::format("{} is {}", text_of({maker}), name_of(state_.works[maker].state)));
  return 0;
}

std::int32_t Sim::check_hold(const Posting& posting) const {
  if (posting.hosts.empty()) bad_posting(posting, "it needs hosts");
  for (const HostId host : posting.hosts) check_host(host, "hold");
  if (!(posting.to < kNever) || !(posting.to >= posting.not_before))
    bad_posting(posting, "it ends before it begins");
  if (posting.with_link && !(posting.io_until <= posting.to))
    bad_posting(posting, "its link is needed longer than its hosts");
  const WorkId work = posting.piece.work;
  if (!work.valid()) return 0;
  check_open(work, "hold");
  if ((*state_.workload)[work].kind != WorkKind::reservation) return 0;
  const WorkExtra& wanted = state_.workload->extras[(*state_.workload)[work].extra];
  if (state_.activities.is_tied(work)) bad_posting(posting, "it is held already");
  if (posting.hosts.size() != static_cast<std::size_t>(wanted.hosts))
    bad_posting(posting, fmt::format("{} reserves {} of them", state_.workload->name_of(work), wanted.hosts));
  if (std::max(posting.not_before, state_.now) != std::max(wanted.from, state_.now) ||
      posting.to != wanted.to)
    bad_posting(posting, fmt::format("{} reserves them from {} to {} s", state_.workload->name_of(work),
                                     wanted.from, wanted.to));
  return 0;
}

Hold Sim::make_hold(const Posting& posting) const {
  Hold made;
  made.hosts = posting.hosts;
  std::sort(made.hosts.begin(), made.hosts.end());
  if (std::adjacent_find(made.hosts.begin(), made.hosts.end()) != made.hosts.end())
    bad_posting(posting, "a host is named twice");
  if (posting.with_link) made.link = (*state_.platform)[state_.hosts[made.hosts.front()].cluster].link;
  made.from = std::max(posting.not_before, state_.now);
  made.to = posting.to;
  made.io_until = posting.io_until;
  return made;
}

// Checks a posting and returns the cores of a host that it takes.
std::int32_t Sim::check_posting(const Posting& posting) const {
  if (!(posting.not_before < kNever) || std::isnan(posting.rank))
    bad_posting(posting, "not_before and rank are numbers");
  const auto check = row_of(posting.kind).check;
  if (check == nullptr) bad_posting(posting, "only computations, transfers, chunks and holds can be posted");
  const std::int32_t cores = (this->*check)(posting);
  if (posting.after.valid() && !state_.activities.has_been(posting.after))
    bad_posting(posting, "`after` is no activity");
  if (posting.kind == ActivityKind::compute && !has_data(posting.piece, posting.host, posting.after))
    bad_posting(posting, "its data has not been sent there, and it is not posted after the chunk");
  return cores;
}

void Sim::fill_in_compute(Activity& activity, const Posting& posting) {
  activity.host = posting.host;
  if (state_.workload->shape_of(posting.piece.work) != nullptr) {
    const std::vector<Share> shares = shares_of(posting);
    activity.host = shares.front().host;
    activity.allocation = state_.activities.add_allocation(make_allocation(shares));
  }
  activity.first = posting.piece.first;
  activity.size = posting.piece.size;
  state_.works.post(posting.piece);
}

void Sim::fill_in_chunk(Activity& activity, const Posting& posting) {
  activity.host = posting.host;
  activity.first = posting.piece.first;
  activity.size = posting.piece.size;
  activity.cluster = state_.hosts[posting.host].cluster;
  activity.amount =
      posting.piece.size * state_.workload->extras[(*state_.workload)[posting.piece.work].extra].bytes;
}

// Refuses a transfer to a cluster of a file that is nowhere and that nobody will make.
void Sim::check_source(const Posting& posting) const {
  if (at_home(posting.file) && !posting.from.valid()) return;
  if (!state_.readiness.any()) bad_posting(posting, "the origin does not have that file");
  if (posting.from.valid()) {
    if (posting.from.index >= state_.clusters.size())
      bad_posting(posting, "it comes from no cluster that there is");
    if (!state_.stores.has(posting.file, posting.from))
      bad_posting(posting, fmt::format("it is not in cluster '{}'", (*state_.platform)[posting.from].name));
    return;
  }
  if (state_.stores.is_anywhere(posting.file)) return;
  const WorkId maker = state_.stores.maker(posting.file);
  if (!maker.valid()) bad_posting(posting, "nobody has that file");
  if (state_.works[maker].state > WorkState::finished)
    bad_posting(posting, fmt::format("nobody has that file, and {} is {}", text_of({maker}),
                                     name_of(state_.works[maker].state)));
}

void Sim::fill_in_transfer(Activity& activity, const Posting& posting) {
  state_.stores.send(posting.file, posting.cluster, direction_of(posting.kind));
  if (posting.kind == ActivityKind::transfer_out) activity.work = state_.stores.maker(posting.file);
  activity.from = posting.from;
  activity.file = posting.file;
  activity.cluster = posting.cluster;
  activity.amount = activity.size = state_.workload->files[posting.file.index].size;
}

ActivityId Sim::post(const Posting& posting) {
  const std::int32_t cores = check_posting(posting);
  const std::uint32_t hold =
      posting.kind == ActivityKind::hold ? state_.activities.add_hold(make_hold(posting)) : kNone;
  if (recorder_ != nullptr && recorder_->asks_of(posting.piece) &&
      (posting.kind == ActivityKind::compute || posting.kind == ActivityKind::hold)) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::posted,
                       posting.kind == ActivityKind::hold ? posting.hosts.front() : posting.host);

  const std::uint32_t slot = state_.activities.allocate(posting.kind);
  Activity& activity = state_.activities[slot];
  activity.stage = Stage::posted;
  activity.hold = hold;
  activity.work = posting.piece.work;
  activity.cores = cores;
  activity.not_before = posting.not_before;
  activity.rank = posting.rank;
  if (const auto fill_in = row_of(posting.kind).fill_in; fill_in != nullptr)
    (this->*fill_in)(activity, posting);
  if (posting.kind != ActivityKind::compute && activity.work.valid())
    state_.activities.tie(slot, state_.works.size());
  state_.activities.make_dependent(slot, posting.after);
  record(RecordKind::posted, activity);
  if (activity.not_before > state_.now) {
    state_.activities.wait_for_time(slot);
    push(Due::wake, activity.not_before, activity.serial, slot);
  }
  if (posting.kind == ActivityKind::transfer_in && state_.readiness.any() && !is_there(posting.file)) {
    activity.awaits_file = true;
    state_.stores.await(posting.file, slot);
  }
  enqueue(slot);
  if (posting.kind == ActivityKind::compute) state_.readiness.set_post(activity.work, slot);
  return state_.activities.id_of(slot);
}

void Sim::withdraw(ActivityId posted) {
  if (live(posted, "withdraw").kind == ActivityKind::dump)
    bad(fmt::format("withdraw activity {}", posted.serial), "it is a dump, which belongs to its job");
  if (live(posted, "withdraw").stage != Stage::posted)
    bad(fmt::format("withdraw activity {}", posted.serial), "it has started; cancel it instead");
  withdraw_slot(posted.slot, Reason::cancelled);
  note_undone();
}

void Sim::cancel(ActivityId running) {
  const Activity& activity = live(running, "cancel");
  if (activity.kind == ActivityKind::dump)
    bad(fmt::format("cancel activity {}", running.serial), "it is a dump, which belongs to its job");
  if (activity.stage == Stage::posted)
    bad(fmt::format("cancel activity {}", running.serial), "it has not started; withdraw it instead");
  lose(running.slot, Reason::cancelled, false, RecordKind::cancelled);
  note_undone();
}

}  // namespace perigee::engine
