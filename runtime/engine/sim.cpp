#include "runtime/engine/sim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/engine/why.h"

namespace perigee::engine {

std::string_view name_of(WorkState state) {
  switch (state) {
    case WorkState::future:
      return "future";
    case WorkState::waiting:
      return "waiting";
    case WorkState::running:
      return "running";
    case WorkState::computed:
      return "computed";
    case WorkState::finished:
      return "finished";
    case WorkState::rejected:
      return "rejected";
    case WorkState::expired:
      return "expired";
  }
  return "future";
}

Sim::Sim(std::shared_ptr<const Scenario> scenario, std::uint64_t seed, TraceLevel level)
    : scenario_(std::move(scenario)),
      platform_(scenario_->platform.get()),
      workload_(scenario_->workload.get()),
      trace_(level),
      seed_(seed) {
  const Platform& platform = *platform_;
  view_.platform_ = scenario_->platform;
  hosts_.resize(platform.hosts().size());
  view_.hosts_.resize(hosts_.size());
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    const Host& host = platform.hosts()[h];
    hosts_[h].exclusive = host.exclusive;
    hosts_[h].cores = host.cores;
    hosts_[h].profile = &host.availability;
    view_.hosts_[h] = {true, host.cores, host.cores, 0, 0, host.cluster, host.architecture, host.speed};
  }
  links_.resize(platform.links().size());
  view_.links_.resize(links_.size());
  for (std::size_t l = 0; l < links_.size(); ++l) {
    links_[l].bandwidth = &platform.links()[l].bandwidth;
    links_[l].latency = &platform.links()[l].latency;
  }

  clusters_.resize(platform.clusters().size());
  make_room(0);

  std::vector<std::uint32_t> models(scenario_->failures.empty() ? 0 : hosts_.size());
  for (std::size_t m = 0; m < scenario_->failures.size(); ++m)
    for (const HostId host : scenario_->failures[m].hosts) {
      std::string name = "failures/" + platform[host].name;
      if (++models[host.index] > 1)
        name += fmt::format("/{}", models[host.index]);  // each model draws on its own
      failing_.push_back({host, static_cast<std::uint32_t>(m), false, kNever, Stream(seed, name)});
    }
}

// State of the workload's works from `first` on, and of their files.
void Sim::make_room(std::size_t first) {
  const Workload& workload = *workload_;
  view_.workload_ = scenario_->workload;
  view_.works_.resize(workload.size());
  view_.in_state_[static_cast<std::size_t>(WorkState::future)] += workload.size() - first;
  spans_.resize(workload.extras.size());
  received_.resize(workload.extras.size());
  for (ClusterState& cluster : clusters_) {
    cluster.stored.resize(workload.files.size());
    cluster.coming.resize(workload.files.size());
    cluster.going.resize(workload.files.size());
  }
  home_.resize(workload.files.size(), 1);
  maker_.resize(workload.files.size());
  if (workload.file_lists.empty()) return;
  for (std::size_t w = first; w < workload.size(); ++w)
    for (const FileId file : workload.outputs(WorkId(w))) {
      home_[file.index] = 0;
      maker_[file.index] = WorkId(w);
    }
}

void Sim::extend(std::shared_ptr<const Workload> workload) {
  const std::size_t first = workload_->size();
  auto longer = std::make_shared<Scenario>(*scenario_);
  longer->workload = std::move(workload);
  const auto follow = [&](const Profile*& profile) {  // changed ones are kept in the scenario
    for (std::size_t p = 0; p < scenario_->profiles.size(); ++p)
      if (profile == &scenario_->profiles[p]) {
        profile = &longer->profiles[p];
        return;
      }
  };
  for (HostState& host : hosts_) follow(host.profile);
  for (LinkState& link : links_) {
    follow(link.bandwidth);
    follow(link.latency);
  }
  scenario_ = std::move(longer);
  workload_ = scenario_->workload.get();
  make_room(first);
}

Stream& Sim::stream(std::string_view name) {
  const auto found = streams_.find(name);
  if (found != streams_.end()) return found->second;
  return streams_.emplace(std::string(name), Stream(seed_, name)).first->second;
}

// ---- messages ----

void Sim::bad(std::string_view decision, std::string_view problem) const {
  fail("bad_action", "policy '{}' at t = {}: {}: {}", policy_name_, view_.now_, decision, problem);
}

std::string Sim::text_of(const Piece& piece) const {
  const Workload& workload = *workload_;
  std::string name = piece.work.index < workload.size() ? workload.name_of(piece.work)
                                                        : fmt::format("work #{}", piece.work.index);
  if (piece.work.index < workload.size() && workload[piece.work].extra == kNone) return name;
  return fmt::format("{} [{}, {})", name, piece.first, piece.first + piece.size);
}

void Sim::bad_work(WorkId work, std::string_view action) const {
  if (work.index >= view_.works_.size())
    bad(fmt::format("{} work #{}", action, work.index),
        fmt::format("there are {} works", view_.works_.size()));
  const WorkState state = view_.works_[work.index].state;
  bad(fmt::format("{} {}", action, text_of({work})),
      state == WorkState::future ? "it has not arrived" : fmt::format("it is {}", name_of(state)));
}

void Sim::bad_host(HostId host, std::string_view action) const {
  bad(fmt::format("{} on host #{}", action, host.index), fmt::format("there are {} hosts", hosts_.size()));
}

void Sim::bad_piece(const Piece& piece, std::string_view action, std::string_view problem) const {
  bad(fmt::format("{} {}", action, text_of(piece)), problem);
}

void Sim::check_open(WorkId work, std::string_view action) const {
  if (work.index >= view_.works_.size()) bad_work(work, action);
  const WorkState state = view_.works_[work.index].state;
  if (state == WorkState::future || state >= WorkState::finished) bad_work(work, action);
}

void Sim::check_host(HostId host, std::string_view action) const {
  if (host.index >= hosts_.size()) bad_host(host, action);
}

void Sim::check_piece(const Piece& piece, std::string_view action) const {
  check_open(piece.work, action);
  const double whole = size_of(piece.work);
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

Sim::Activity& Sim::live(ActivityId id, std::string_view action) {
  if (!id.valid() || id.slot >= activities_.size() || activities_[id.slot].serial != id.serial)
    bad(fmt::format("{} activity {}", action, id.serial), "it is over");
  return activities_[id.slot];
}

// ---- slots, records, events ----

std::uint32_t Sim::allocate(ActivityKind kind, bool plain) {
  std::uint32_t slot;
  if (free_slots_.empty()) {
    slot = static_cast<std::uint32_t>(activities_.size());
    PERIGEE_ASSERT(slot < (1U << kSlotBits), "too many activities at a time");
    activities_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
    if (activities_[slot].plain && !plain) activities_[slot] = Activity{};
  }
  activities_[slot].plain = plain;
  activities_[slot].serial = next_serial_++;
  activities_[slot].kind = kind;
  return slot;
}

void Sim::release_slot(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  if (activity.frozen) --frozen_;
  if (activity.plain) {  // start() sets all that such a slot ever held
    activity.frozen = false;
    activity.serial = 0;
    activity.stage = Stage::free;
  } else {
    clear_slot(slot);
  }
  free_slots_.push_back(slot);
}

// Of an activity that may have been posted or copied.
void Sim::clear_slot(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  if (activity.twin != kNone) {  // leave the ring of copies
    std::uint32_t before = activity.twin;
    while (activities_[before].twin != slot) before = activities_[before].twin;
    activities_[before].twin = activity.twin == before ? kNone : activity.twin;
  }
  if (activity.hold != kNone) free_holds_.push_back(activity.hold);
  if (activity.kind != ActivityKind::compute && activity.work.valid()) --tied_[activity.work.index];
  activity = Activity{};
}

void Sim::prune_queue() {
  queue_.prune([this](const Pending& pending) { return stale(pending); });
  prune_above_ = std::max(prune_above_, 2 * queue_.size());
}

void Sim::record_on_each(RecordKind kind, const Activity& activity, Reason why) {
  switch (activity.kind) {
    case ActivityKind::compute:
      record_on(kind, activity, ResourceId::of(activity.host), why);
      return;
    case ActivityKind::think:
      record_on(kind, activity, ResourceId::scheduler(), why);
      return;
    case ActivityKind::hold: {
      const Hold& hold = holds_[activity.hold];
      for (const HostId host : hold.hosts) record_on(kind, activity, ResourceId::of(host), why);
      if (hold.link.valid()) record_on(kind, activity, ResourceId::of(hold.link), why);
      return;
    }
    case ActivityKind::chunk:
      record_on(kind, activity, ResourceId::of(activity.host), why);
      [[fallthrough]];
    case ActivityKind::transfer_in:
    case ActivityKind::transfer_out:
      if (activity.route == kNone)
        record_on(kind, activity, ResourceId::of((*platform_)[activity.cluster].link), why);
      else
        for (const LinkId link : routes_[activity.route])
          record_on(kind, activity, ResourceId::of(link), why);
      return;
    case ActivityKind::none:
      return;
  }
}

void Sim::record_resource(RecordKind kind, ResourceId on, Reason why) {
  Record record;
  record.time = view_.now_;
  record.on = on;
  record.kind = kind;
  record.why = why;
  trace_.add(record);
}

void Sim::tell(EventKind kind, ResourceId on, Reason why, bool announced) {
  if (!announced) return;
  Event& event = events_.emplace_back();
  event.at = view_.now_;
  event.on = on;
  event.kind = kind;
  event.why = why;
}

// ---- pieces ----

bool Sim::taken(const Piece& piece) const {
  if (dealt_in_parts(piece.work)) return part_taken(piece);
  const WorkView& view = view_.works_[piece.work.index];
  return view.running > 0 || view.posted > 0 || view.done > 0;
}

bool Sim::part_taken(const Piece& piece) const {
  const std::vector<Span>& spans = spans_[(*workload_)[piece.work].extra];
  const double slack = kEps * piece.size;
  auto span = std::upper_bound(spans.begin(), spans.end(), piece.first + slack,
                               [](double first, const Span& s) { return first < s.end; });
  return span != spans.end() && span->first < piece.first + piece.size - slack;
}

void Sim::take(const Piece& piece) {
  if (dealt_in_parts(piece.work)) take_part(piece);
}

void Sim::take_part(const Piece& piece) {
  const Work& work = (*workload_)[piece.work];
  std::vector<Span>& spans = spans_[work.extra];
  const double slack = work.kind == WorkKind::sweep ? 0 : kEps * piece.size;
  auto at = std::lower_bound(spans.begin(), spans.end(), piece.first,
                             [](const Span& s, double first) { return s.first < first; });
  at = spans.insert(at, {piece.first, piece.first + piece.size});
  if (at + 1 != spans.end() && (at + 1)->first <= at->end + slack) {
    at->end = std::max(at->end, (at + 1)->end);
    at = spans.erase(at + 1) - 1;
  }
  if (at != spans.begin() && at->first <= (at - 1)->end + slack) {
    (at - 1)->end = std::max((at - 1)->end, at->end);
    spans.erase(at);
  }
}

void Sim::give_back(const Piece& piece) {
  if (!dealt_in_parts(piece.work)) return;
  std::vector<Span>& spans = spans_[(*workload_)[piece.work].extra];
  const double first = piece.first, end = piece.first + piece.size;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Span span = spans[i];
    if (span.end <= first || span.first >= end) continue;
    const bool left = span.first<first, right = span.end> end;
    if (left && right) {
      spans[i].end = first;
      spans.insert(spans.begin() + static_cast<std::ptrdiff_t>(i) + 1, {end, span.end});
      return;
    }
    if (left)
      spans[i].end = first;
    else if (right)
      spans[i].first = end;
    else
      spans.erase(spans.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

// Whether the data of a part of a load or sweep is on the host, or comes with the chunk that the part is
// posted after.
bool Sim::has_data(const Piece& piece, HostId host, ActivityId after) const {
  const Work& work = (*workload_)[piece.work];
  if (!dealt_in_parts(piece.work) || !(workload_->extras[work.extra].bytes > 0)) return true;
  const double slack = kEps * piece.size;
  const auto covers = [&](HostId on, double first, double end) {
    return on == host && first <= piece.first + slack && end >= piece.first + piece.size - slack;
  };
  if (after.valid() && activities_[after.slot].serial == after.serial) {
    const Activity& chunk = activities_[after.slot];
    if (chunk.kind == ActivityKind::chunk && chunk.work == piece.work &&
        covers(chunk.host, chunk.first, chunk.first + chunk.size))
      return true;
  }
  const std::vector<Received>& all = received_[work.extra];
  return std::any_of(all.begin(), all.end(),
                     [&](const Received& chunk) { return covers(chunk.host, chunk.first, chunk.end); });
}

double Sim::undealt(WorkId work) const {
  if (!dealt_in_parts(work)) return taken({work}) ? 0 : 1;
  const double whole = workload_->size_of(work);
  double left = whole;
  for (const Span& span : spans_[(*workload_)[work].extra]) left -= span.end - span.first;
  // The end of a load's last part, first + (whole - first), is rounded twice, by half of epsilon * whole each.
  const bool rounding =
      (*workload_)[work].kind != WorkKind::sweep && left <= std::numeric_limits<double>::epsilon() * whole;
  return rounding ? 0 : std::max(0.0, left);
}

bool Sim::waits(WorkId work) const {
  const WorkState state = view_.works_[work.index].state;
  return (state == WorkState::waiting || state == WorkState::running) && undealt(work) > 0;
}

Piece Sim::next_piece(WorkId work, double size, double from) const {
  if (!dealt_in_parts(work)) return {work, 0, taken({work}) ? 0.0 : 1.0};
  double first = from, end = workload_->size_of(work);
  for (const Span& span : spans_[(*workload_)[work].extra]) {
    if (span.first > first) {
      end = span.first;
      break;
    }
    first = std::max(first, span.end);
  }
  const double left = end - first;
  if (!(left > 0)) return {work, first, 0};
  const double sliver = (*workload_)[work].kind == WorkKind::load ? kEps * workload_->size_of(work) : 0;
  return {work, first, left - size <= sliver ? left : size};
}

// ---- hosts ----

// Packages of a sweep and parts of a load have the whole host: its slots, its memory.
std::int32_t Sim::cores_for(WorkId work, HostId host, std::int32_t cores) const {
  if (cores > 0) return cores;
  const Work& declared = (*workload_)[work];
  return declared.kind == WorkKind::sweep || declared.kind == WorkKind::load ? (*platform_)[host].cores
                                                                             : declared.cores;
}

std::int32_t Sim::free_cores(HostId host, WorkId work) const {
  const HostState& state = hosts_[host.index];
  if (state.held_by != kNone) {
    if (activities_[state.held_by].work != work) return 0;
    return state.exclusive && state.held_used > 0 ? 0 : state.cores - state.held_used;
  }
  return state.exclusive && state.used > 0 ? 0 : state.cores - state.used;
}

void Sim::occupy(HostId host, std::uint32_t slot, std::int32_t cores) {
  HostState& state = hosts_[host.index];
  Activity& activity = activities_[slot];
  if (state.held_by != kNone)
    state.held_used += cores;
  else
    state.used += cores;
  activity.previous = state.last;
  activity.next = kNone;
  (state.last == kNone ? state.first : activities_[state.last].next) = slot;
  state.last = slot;
  ++view_.hosts_[host.index].running;
  refresh(host);
}

void Sim::vacate(HostId host, std::uint32_t slot) {
  HostState& state = hosts_[host.index];
  Activity& activity = activities_[slot];
  if (state.held_by != kNone && state.held_by != slot)
    state.held_used -= activity.cores;
  else
    state.used -= activity.cores;
  (activity.previous == kNone ? state.first : activities_[activity.previous].next) = activity.next;
  (activity.next == kNone ? state.last : activities_[activity.next].previous) = activity.previous;
  --view_.hosts_[host.index].running;
  refresh(host);
  touch(host);
}

Seconds Sim::compute_amount(const Activity& activity) const {
  return true_time(*workload_, {activity.work, activity.first, activity.size}, (*platform_)[activity.host],
                   activity.host, view_.hosts_[activity.host.index].architecture);
}

// Computes of a set-up phase keep it in `since`: progress counts from there.
void Sim::begin_compute(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  const HostState& state = hosts_[activity.host.index];
  activity.started = view_.now_;
  activity.since = view_.now_ + (*platform_)[activity.host].setup;
  activity.left = activity.amount;
  if (state.up()) {
    activity.stage = Stage::moving;
    activity.end = state.profile->end_of(activity.since, activity.left, state.factor, state.anchor);
  } else {  // a host that nobody was told is down
    activity.stage = Stage::paused;
    activity.end = kNever;
    activity.fixed_left = (*platform_)[activity.host].setup;
    activity.frozen = true;
    ++frozen_;
  }
  WorkView& work = view_.works_[activity.work.index];
  ++work.running;
  set_state(work, WorkState::running);
  if (activity.end < kNever) ++progressing_;
  record_on(RecordKind::started, activity, ResourceId::of(activity.host), Reason::none);
  push_end(slot);
  if (comparing_) expect_end(slot);
}

bool Sim::fits(WorkId work, HostId host) const {
  const HostView& view = view_.hosts_[host.index];
  if (!view.up) return false;
  const std::int32_t wanted = cores_for(work, host, 0);
  if (view.idle < wanted && (holds_.empty() || free_cores(host, work) < wanted)) return false;
  const Work& declared = (*workload_)[work];
  if (declared.input_count > 0 && !clusters_[view.cluster.index].present) return false;
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
  if (!view_.hosts_[host.index].up) bad(decision(), "the host is down");
  if (taken(piece)) bad(decision(), "it is running, posted or done already");
  const Work& declared = (*workload_)[piece.work];
  if (declared.extra == kNone && wanted != declared.cores)
    bad(decision(),
        fmt::format("it takes {} core{}, not {}", declared.cores, declared.cores == 1 ? "" : "s", wanted));
  if (!has_data(piece, host, {})) bad(decision(), "its data has not been sent there");
  if (free_cores(host, piece.work) < wanted)
    bad(decision(),
        fmt::format("it needs {} of its {} cores, {} {} idle", wanted, (*platform_)[host].cores,
                    free_cores(host, piece.work), free_cores(host, piece.work) == 1 ? "is" : "are"));
  if (declared.input_count > 0 && !clusters_[view_.hosts_[host.index].cluster.index].present)
    bad(decision(), "its input is in a cluster that is away");
  if (declared.input_count > 0)
    for (const FileId file : workload_->inputs(piece.work))
      if (!in_store(file, view_.hosts_[host.index].cluster))
        bad(decision(),
            fmt::format("its input '{}' is not in cluster '{}'", workload_->files[file.index].name,
                        (*platform_)[view_.hosts_[host.index].cluster].name));
  const std::uint32_t slot = allocate(ActivityKind::compute, true);
  Activity& activity = activities_[slot];
  activity.work = piece.work;
  activity.first = piece.first;
  activity.size = piece.size;
  activity.host = host;
  activity.cores = wanted;
  activity.amount = compute_amount(activity);
  if (!(activity.amount < kNever)) {
    release_slot(slot);
    bad(decision(), "it cannot run on that host");
  }
  if (recorder_ != nullptr && recorder_->asks_of(piece)) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::started, host);
  take(piece);
  occupy(host, slot, wanted);
  begin_compute(slot);
  return id_of(slot);
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
  if (!view_.hosts_[host.index].up) bad(decision(), "the host is down");
  const std::int32_t wanted = dealt_in_parts(piece.work) ? cores_for(piece.work, host, 0) : original.cores;
  if (free_cores(host, piece.work) < wanted)
    bad(decision(), fmt::format("it needs {} cores, {} are idle", wanted, free_cores(host, piece.work)));
  for (const FileId file : workload_->inputs(piece.work))
    if (!in_store(file, view_.hosts_[host.index].cluster))
      bad(decision(), "its inputs are not in that cluster");
  if (!has_data(piece, host, {})) bad(decision(), "its data has not been sent there");
  const std::uint32_t slot = allocate(ActivityKind::compute);
  Activity& activity = activities_[slot];
  activity.work = piece.work;
  activity.first = piece.first;
  activity.size = piece.size;
  activity.host = host;
  activity.cores = wanted;
  activity.is_copy = true;
  activity.amount = compute_amount(activity);
  if (!(activity.amount < kNever)) {
    release_slot(slot);
    bad(decision(), "it cannot run on that host");
  }
  Activity& first = activities_[running.slot];
  first.plain = false;
  activity.twin = first.twin == kNone ? running.slot : first.twin;
  first.twin = slot;
  occupy(host, slot, activity.cores);
  begin_compute(slot);
  return id_of(slot);
}

ActivityId Sim::think(Seconds duration) {
  if (!(duration >= 0 && duration < kNever))
    bad(fmt::format("think {} s", duration), "scheduling time is finite and >= 0");
  if (thinker_ != kNone) bad(fmt::format("think {} s", duration), "the scheduler is thinking already");
  const std::uint32_t slot = allocate(ActivityKind::think);
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
  return id_of(slot);
}

// ---- work ----

void Sim::discard(FileId file, ClusterId cluster) {
  const auto refuse = [&](const std::string& why) {
    bad(fmt::format("discard file '{}' in cluster '{}'", workload_->files[file.index].name,
                    (*platform_)[cluster].name),
        why);
  };
  ClusterState& state = clusters_[cluster.index];
  if (!state.present) refuse("it is away");
  if (state.stored[file.index] == 0) refuse("it is not there");
  if (home_[file.index] == 0) refuse("it is an output that is not at home");
  for (std::size_t h = 0; h < hosts_.size(); ++h)
    if (view_.hosts_[h].cluster == cluster)
      for (const ActivityId id : running_on(HostId(h)))
        if (const Activity& user = activities_[id.slot];
            user.kind == ActivityKind::compute && std::ranges::count(workload_->inputs(user.work), file) > 0)
          refuse(fmt::format("{} uses it", workload_->name_of(user.work)));
  state.stored[file.index] = 0;
  Record record;
  record.time = view_.now_;
  record.on = ResourceId::of(cluster);
  record.file = file;
  record.kind = RecordKind::discarded;
  trace_.add(record);
}

void Sim::accept(WorkId work) {
  check_open(work, "accept");
  WorkView& view = view_.works_[work.index];
  if (view.accepted) bad(fmt::format("accept {}", text_of({work})), "it is accepted already");
  view.accepted = true;
  record_work(RecordKind::accepted, work);
}

void Sim::settle_work(WorkId work, WorkState state, RecordKind kind, Reason why) {
  // What is posted or runs of it has no purpose any more.
  const WorkView& view = view_.works_[work.index];
  const bool tied = work.index < tied_.size() && tied_[work.index] > 0;
  const bool any = view.running > 0 || view.posted > 0 || tied;
  for (std::uint32_t slot = 0; any && slot < activities_.size(); ++slot) {
    const Activity& activity = activities_[slot];
    if (activity.serial == 0 || activity.work != work || activity.kind == ActivityKind::think) continue;
    if (activity.stage == Stage::posted)
      withdraw_slot(slot, why);
    else
      lose(slot, why, false, RecordKind::cancelled);
  }
  set_state(view_.works_[work.index], state);
  --view_.unsettled_;
  record_work(kind, work, why);
}

void Sim::reject(WorkId work, Reason reason) {
  check_open(work, "reject");
  if (view_.works_[work.index].running > 0 || view_.works_[work.index].done > 0)
    bad(fmt::format("reject {}", text_of({work})), "part of it has started; expire it instead");
  if (recorder_ != nullptr && work == recorder_->work()) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::rejected, {}, reason);
  settle_work(work, WorkState::rejected, RecordKind::rejected, reason);
}

void Sim::expire(WorkId work) {
  check_open(work, "expire");
  if (recorder_ != nullptr && work == recorder_->work()) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::expired, {}, Reason::deadline);
  settle_work(work, WorkState::expired, RecordKind::expired, Reason::deadline);
}

void Sim::finish_work(WorkId work) {
  set_state(view_.works_[work.index], WorkState::finished);
  --view_.unsettled_;
  record_work(RecordKind::finished, work);
  const Time deadline = (*workload_)[work].deadline;
  if (deadline < kNever && view_.now_ > deadline + kEps * std::max(1.0, std::abs(deadline)))
    record_work(RecordKind::missed, work, Reason::deadline);
}

void Sim::update_work(WorkId work) {
  WorkView& view = view_.works_[work.index];
  if (view.state >= WorkState::computed || view.state == WorkState::future) return;
  set_state(view, view.running > 0 ? WorkState::running : WorkState::waiting);
}

void Sim::piece_done(const Activity& activity, bool& finishes) {
  const WorkId id = activity.work;
  WorkView& view = view_.works_[id.index];
  const Work& work = (*workload_)[id];
  --view.running;
  view.done += activity.size;
  const double whole = size_of(id);
  if (view.done < whole * (1 - kEps) || view.running > 0 || view.posted > 0) {  // slivers of a load count too
    update_work(id);
    return;
  }
  view.done = whole;
  if (work.output_count > 0) {
    ClusterState& cluster = clusters_[view_.hosts_[activity.host.index].cluster.index];
    bool home = true;
    for (const FileId file : workload_->outputs(id)) {
      cluster.stored[file.index] = 1;
      home = home && home_[file.index];
    }
    if (!home) {
      set_state(view, WorkState::computed);
      touch((*platform_)[view_.hosts_[activity.host.index].cluster].link);
      return;
    }
  }
  finish_work(id);
  finishes = true;
}

// ---- ends ----

void Sim::free_resources(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  switch (activity.kind) {
    case ActivityKind::compute:
      vacate(activity.host, slot);
      break;
    case ActivityKind::chunk:
      leave_link(slot);
      vacate(activity.host, slot);
      break;
    case ActivityKind::transfer_in:
    case ActivityKind::transfer_out:
      leave_link(slot);
      break;
    case ActivityKind::hold: {
      Hold& hold = holds_[activity.hold];
      for (const HostId host : hold.hosts) {
        HostState& state = hosts_[host.index];
        state.held_by = kNone;
        state.used = state.held_used;  // whatever still runs inside stays
        state.held_used = 0;
        --view_.hosts_[host.index].running;
        refresh(host);
        touch(host);
      }
      if (hold.link_busy) free_link(hold);
      break;
    }
    case ActivityKind::think:
      thinker_ = kNone;
      view_.thinking_ = false;
      break;
    case ActivityKind::none:
      break;
  }
}

void Sim::expect_end(std::uint32_t slot) {
  if (expected_.size() <= slot) expected_.resize(activities_.size(), kNever);
  expected_[slot] = estimator_->end_of(*this, id_of(slot)) - view_.now_;
}

void Sim::compare_end(std::uint32_t slot) {
  const Activity& activity = activities_[slot];
  const Seconds took = view_.now_ - activity.started;
  if (activity.kind == ActivityKind::hold || activity.kind == ActivityKind::think || !(took > 0)) return;
  if (slot >= expected_.size() || !(expected_[slot] < kNever)) return;
  error_sum_ += std::abs(expected_[slot] - took) / took;
  ++error_count_;
}

void Sim::finish_activity(std::uint32_t slot) {
  Activity& activity = activities_[slot];
  --progressing_;
  if (activity.kind != ActivityKind::think) ++ended_;
  activity.end = view_.now_;
  record(RecordKind::ended, activity);
  if (comparing_) compare_end(slot);
  if (learning_) estimator_->finished(*this, *this->activity(id_of(slot)), activity.amount);
  bool finishes = false;
  switch (activity.kind) {
    case ActivityKind::compute:
      vacate(activity.host, slot);
      if (activity.twin != kNone) supersede_twins(slot);
      piece_done(activity, finishes);
      break;
    case ActivityKind::chunk: {
      received_[(*workload_)[activity.work].extra].push_back(
          {activity.host, activity.first, activity.first + activity.size});
      std::uint32_t successor = kNone;
      for (std::uint32_t d = activity.dependents; d != kNone; d = activities_[d].next_dependent)
        if (activity.cores > 0 && activities_[d].kind == ActivityKind::compute &&
            activities_[d].host == activity.host && activities_[d].not_before <= view_.now_ &&
            (successor == kNone || activities_[d].serial < activities_[successor].serial))
          successor = d;
      leave_link(slot);
      vacate(activity.host, slot);
      if (successor != kNone && hosts_[activity.host.index].up() &&
          free_cores(activity.host, activities_[successor].work) >= activities_[successor].cores) {
        unlink_dependent(successor);
        activities_[successor].after = {};
        begin(successor);
      }
      break;
    }
    case ActivityKind::transfer_in: {
      leave_link(slot);
      ClusterState& cluster = clusters_[activity.cluster.index];
      cluster.stored[activity.file.index] = 1;
      --cluster.coming[activity.file.index];
      for (const HostId host : (*platform_)[activity.cluster].hosts) touch(host);
      // Hosts that came to this cluster from elsewhere.
      if (!scenario_->happenings.empty() || !injected_.empty())
        for (std::size_t h = 0; h < hosts_.size(); ++h)
          if (view_.hosts_[h].cluster == activity.cluster) touch(HostId(h));
      break;
    }
    case ActivityKind::transfer_out: {
      leave_link(slot);
      home_[activity.file.index] = 1;
      --clusters_[activity.cluster.index].going[activity.file.index];
      const WorkId maker = maker_[activity.file.index];
      if (maker.valid() && view_.works_[maker.index].state == WorkState::computed) {
        bool home = true;
        for (const FileId file : workload_->outputs(maker)) home = home && home_[file.index];
        if (home) {
          finish_work(maker);
          finishes = true;
        }
      }
      break;
    }
    case ActivityKind::hold:
      free_resources(slot);
      if (activity.work.valid() && (*workload_)[activity.work].kind == WorkKind::reservation) {
        view_.works_[activity.work.index].done = 1;
        finish_work(activity.work);
        finishes = true;
      }
      break;
    default:
      free_resources(slot);
      break;
  }
  if (activity.dependents != kNone) wake_dependents(slot);
  const bool thought = activity.kind == ActivityKind::think;
  tell(thought ? EventKind::thought : EventKind::ended, activity, slot, Reason::none, finishes);
  release_slot(slot);
}

void Sim::supersede_twins(std::uint32_t slot) {
  while (activities_[slot].twin != kNone) {
    // The earliest of the others first, so that the order does not depend on how the ring was built.
    std::uint32_t other = kNone;
    for (std::uint32_t t = activities_[slot].twin; t != slot; t = activities_[t].twin)
      if (other == kNone || activities_[t].serial < activities_[other].serial) other = t;
    Activity& loser = activities_[other];
    if (loser.stage == Stage::moving && loser.end < kNever) --progressing_;
    record(RecordKind::superseded, loser, Reason::superseded);
    vacate(loser.host, other);
    --view_.works_[loser.work.index].running;
    tell(EventKind::superseded, loser, other, Reason::superseded);
    drop_dependents(other, true);
    release_slot(other);
  }
}

void Sim::lose(std::uint32_t slot, Reason why, bool tell_policy, RecordKind kind) {
  Activity& activity = activities_[slot];
  if (activity.stage != Stage::paused && activity.end < kNever) --progressing_;
  record(kind, activity, why);
  free_resources(slot);
  if (activity.kind == ActivityKind::compute) {
    WorkView& work = view_.works_[activity.work.index];
    --work.running;
    if (activity.twin == kNone) give_back({activity.work, activity.first, activity.size});
    update_work(activity.work);
  } else if (activity.kind == ActivityKind::transfer_in) {
    --clusters_[activity.cluster.index].coming[activity.file.index];
  } else if (activity.kind == ActivityKind::transfer_out) {
    --clusters_[activity.cluster.index].going[activity.file.index];
  }
  if (tell_policy) tell(EventKind::lost, activity, slot, why);
  drop_dependents(slot, true);
  release_slot(slot);
}

void Sim::free_link(Hold& hold) {
  hold.link_busy = false;
  --links_[hold.link.index].busy;
  --links_[hold.link.index].held;
  touch_users(hold.link);
}

// ---- what is posted ----

void Sim::touch(LinkId link) {
  LinkState& state = links_[link.index];
  if (state.dirty || state.queue.empty()) return;
  state.dirty = true;
  dirty_links_.push_back(link.index);
}

template <class F>
void Sim::for_each_queue(const Activity& activity, F f) {
  if (activity.kind == ActivityKind::hold) {
    const Hold& hold = holds_[activity.hold];
    for (const HostId host : hold.hosts) f(hosts_[host.index].queue, ResourceId::of(host));
    if (hold.link.valid()) f(links_[hold.link.index].queue, ResourceId::of(hold.link));
    return;
  }
  // A chunk that comes while the host computes takes no cores, and waits for the link alone.
  if (activity.cores > 0) f(hosts_[activity.host.index].queue, ResourceId::of(activity.host));
  if (activity.cluster.valid()) {
    const LinkId link = (*platform_)[activity.cluster].link;
    f(links_[link.index].queue, ResourceId::of(link));
  }
}

void Sim::touch_all(const Activity& activity) {
  for_each_queue(activity, [this](Queue&, ResourceId on) {
    if (on.kind() == ResourceKind::host)
      touch(on.host());
    else
      touch(on.link());
  });
}

void Sim::insert(Queue& queue, const Queued& entry) {
  if (queue.head > 64 && queue.head > queue.entries.size() / 2) {
    queue.entries.erase(queue.entries.begin(),
                        queue.entries.begin() + static_cast<std::ptrdiff_t>(queue.head));
    queue.head = 0;
  }
  if (queue.empty() || !(entry < queue.entries.back())) {
    queue.entries.push_back(entry);
    return;
  }
  const auto begin = queue.entries.begin() + static_cast<std::ptrdiff_t>(queue.head);
  const auto at = std::upper_bound(begin, queue.entries.end(), entry);
  queue.entries.insert(at, entry);
}

void Sim::erase(Queue& queue, const Queued& entry) {
  const auto begin = queue.entries.begin() + static_cast<std::ptrdiff_t>(queue.head);
  const auto at = std::lower_bound(begin, queue.entries.end(), entry);
  PERIGEE_ASSERT(at != queue.entries.end() && at->serial == entry.serial,
                 "posted activity missing from its queue");
  if (at == begin)
    ++queue.head;
  else
    queue.entries.erase(at);
}

void Sim::enqueue(std::uint32_t slot) {
  const Activity& activity = activities_[slot];
  for_each_queue(activity, [&](Queue& queue, ResourceId on) {
    insert(queue, {activity.rank, activity.serial, slot});
    const bool first = queue.entries[queue.head].slot == slot;  // another one that is first still waits
    if (on.kind() == ResourceKind::host) {
      ++view_.hosts_[on.at()].queued;
      if (first || (*platform_)[on.host()].overtake) touch(on.host());
    } else {
      ++view_.links_[on.at()].queued;
      if (first || (*platform_)[on.link()].overtake) touch(on.link());
    }
  });
}

void Sim::dequeue(std::uint32_t slot) {
  const Activity& activity = activities_[slot];
  for_each_queue(activity, [&](Queue& queue, ResourceId on) {
    erase(queue, {activity.rank, activity.serial, slot});
    if (on.kind() == ResourceKind::host) {
      --view_.hosts_[on.at()].queued;
      touch(on.host());
    } else {
      --view_.links_[on.at()].queued;
      touch(on.link());
    }
  });
}

bool Sim::first_in_queues(const Activity& activity, std::uint32_t slot) const {
  bool first = true;
  const_cast<Sim*>(this)->for_each_queue(activity, [&](Queue& queue, ResourceId on) {
    const bool overtake =
        on.kind() == ResourceKind::host ? (*platform_)[on.host()].overtake : (*platform_)[on.link()].overtake;
    if (!overtake && queue.entries[queue.head].slot != slot) first = false;
  });
  return first;
}

const char* Sim::obstacle(const Activity& activity) const {
  if (activity.after.valid() && activities_[activity.after.slot].serial == activity.after.serial)
    return "what it was posted after";
  if (activity.not_before > view_.now_) return "its time";
  switch (activity.kind) {
    case ActivityKind::compute:
      if (!hosts_[activity.host.index].up()) return "its host, which is down";
      if ((*workload_)[activity.work].input_count > 0) {
        const ClusterId cluster = view_.hosts_[activity.host.index].cluster;
        if (!clusters_[cluster.index].present) return "its cluster, which is away";
        for (const FileId file : workload_->inputs(activity.work))
          if (!in_store(file, cluster)) return "an input file";
      }
      if (free_cores(activity.host, activity.work) < activity.cores) return "idle cores";
      return nullptr;
    case ActivityKind::chunk:
      if (!hosts_[activity.host.index].up()) return "its host, which is down";
      if (free_cores(activity.host, activity.work) < activity.cores) return "an idle host";
      [[fallthrough]];
    case ActivityKind::transfer_in:
    case ActivityKind::transfer_out: {
      const ClusterState& cluster = clusters_[activity.cluster.index];
      if (!cluster.present) return "its cluster, which is away";
      if (cluster.route == kNone) return "a way to its cluster";
      if (activity.kind == ActivityKind::transfer_out && !cluster.stored[activity.file.index])
        return "the file, which does not exist yet";
      for (const LinkId link : routes_[cluster.route]) {
        if (!links_[link.index].up()) return "its link, which is down";
        if (links_[link.index].held > 0 ||
            ((*platform_)[link].sharing == Sharing::exclusive && links_[link.index].busy > 0))
          return "its link";
      }
      return nullptr;
    }
    case ActivityKind::hold: {
      const Hold& hold = holds_[activity.hold];
      for (const HostId host : hold.hosts) {
        const HostState& state = hosts_[host.index];
        if (!state.up()) return "a host, which is down";
        if (state.used > 0 || state.held_by != kNone) return "an idle host";
      }
      if (hold.link.valid() && hold.io_until > view_.now_) {
        if (!links_[hold.link.index].up()) return "its link, which is down";
        if (links_[hold.link.index].busy > 0) return "its link";
      }
      return nullptr;
    }
    default:
      return nullptr;
  }
}

void Sim::begin(std::uint32_t slot) {
  dequeue(slot);
  Activity& activity = activities_[slot];
  activity.started = view_.now_;
  switch (activity.kind) {
    case ActivityKind::compute: {
      --view_.works_[activity.work.index].posted;
      activity.amount = compute_amount(activity);
      occupy(activity.host, slot, activity.cores);
      begin_compute(slot);
      return;
    }
    case ActivityKind::chunk:
      occupy(activity.host, slot, activity.cores);
      [[fallthrough]];
    case ActivityKind::transfer_in:
    case ActivityKind::transfer_out:
      enter_link(slot);
      return;
    case ActivityKind::hold: {
      Hold& hold = holds_[activity.hold];
      for (const HostId host : hold.hosts) {
        HostState& state = hosts_[host.index];
        state.held_by = slot;
        state.held_used = 0;
        state.used = (*platform_)[host].cores;
        ++view_.hosts_[host.index].running;
        refresh(host);
      }
      if (hold.link.valid() && hold.io_until > view_.now_) {
        hold.link_busy = true;
        ++links_[hold.link.index].busy;
        ++links_[hold.link.index].held;
      }
      activity.stage = hold.link_busy ? Stage::fixed : Stage::moving;
      activity.since = view_.now_;
      activity.end = hold.link_busy ? hold.io_until : std::max(view_.now_, hold.to);
      ++progressing_;
      const bool late = view_.now_ > hold.from + kEps * std::max(1.0, std::abs(hold.from));
      record(RecordKind::started, activity, late ? Reason::late : Reason::none);
      push_end(slot);
      return;
    }
    default:
      return;
  }
}

void Sim::serve(Queue& queue, bool overtake) {
  for (std::size_t i = queue.head; i < queue.entries.size();) {
    const std::uint32_t slot = queue.entries[i].slot;
    const Activity& activity = activities_[slot];
    if (several_hops_ && activity.kind == ActivityKind::chunk) {  // in the order of the links: serve_in_order
      touch((*platform_)[activity.cluster].link);
      if (!overtake) break;
      ++i;
      continue;
    }
    if (obstacle(activity) == nullptr && first_in_queues(activity, slot)) {
      const std::size_t head = queue.head;
      begin(slot);
      // begin() took the entry out of this queue, from its head or from the middle
      if (queue.head != head) i = std::max(i, queue.head);
      continue;
    }
    if (!overtake) break;
    ++i;
  }
}

void Sim::serve_dirty() {
  const auto take_sorted = [this](std::vector<std::uint32_t>& dirty) {
    serving_.clear();
    serving_.swap(dirty);
    std::sort(serving_.begin(), serving_.end());
  };
  while (!dirty_hosts_.empty() || !dirty_links_.empty()) {
    take_sorted(dirty_hosts_);
    for (const std::uint32_t h : serving_) {
      serve(hosts_[h].queue, (*platform_)[HostId(h)].overtake);
      hosts_[h].dirty = false;  // what it has started leaves it nothing to look at again
    }
    take_sorted(dirty_links_);
    for (const std::uint32_t l : serving_) {
      if (!several_hops_) serve(links_[l].queue, (*platform_)[LinkId(l)].overtake);
      links_[l].dirty = false;
    }
    if (several_hops_) serve_in_order(serving_);
  }
}

// Transfers to different clusters may compete for a link in the middle of their routes: of the queues of
// these links the lowest (rank, posting) that can start goes first.
void Sim::serve_in_order(std::span<const std::uint32_t> links) {
  for (;;) {
    const Queued* first = nullptr;
    for (const std::uint32_t l : links) {
      const Queue& queue = links_[l].queue;
      const bool overtake = (*platform_)[LinkId(l)].overtake;
      for (std::size_t i = queue.head; i < queue.entries.size(); ++i) {
        const Queued& entry = queue.entries[i];
        const Activity& activity = activities_[entry.slot];
        if (obstacle(activity) == nullptr && first_in_queues(activity, entry.slot)) {
          if (first == nullptr || entry < *first) first = &entry;
          break;
        }
        if (!overtake) break;
      }
    }
    if (first == nullptr) return;
    begin(first->slot);
  }
}

void Sim::unlink_dependent(std::uint32_t slot) {
  const Activity& activity = activities_[slot];
  if (!activity.after.valid() || activities_[activity.after.slot].serial != activity.after.serial) return;
  std::uint32_t* at = &activities_[activity.after.slot].dependents;
  while (*at != kNone && *at != slot) at = &activities_[*at].next_dependent;
  if (*at == slot) *at = activity.next_dependent;
}

void Sim::wake_dependents(std::uint32_t slot) {
  std::uint32_t next = activities_[slot].dependents;
  while (next != kNone) {
    const std::uint32_t dependent = next;
    next = activities_[dependent].next_dependent;
    activities_[dependent].next_dependent = kNone;
    activities_[dependent].after = {};
    touch_all(activities_[dependent]);
  }
  activities_[slot].dependents = kNone;
}

void Sim::drop_dependents(std::uint32_t slot, bool tell_policy) {
  while (activities_[slot].dependents != kNone) {
    // In the order of posting.
    std::uint32_t first = activities_[slot].dependents;
    for (std::uint32_t d = first; d != kNone; d = activities_[d].next_dependent)
      if (activities_[d].serial < activities_[first].serial) first = d;
    if (tell_policy) tell(EventKind::lost, activities_[first], first, Reason::predecessor);
    withdraw_slot(first, Reason::predecessor);
  }
}

void Sim::withdraw_slot(std::uint32_t slot, Reason why) {
  unlink_dependent(slot);
  dequeue(slot);
  Activity& activity = activities_[slot];
  record(RecordKind::withdrawn, activity, why);
  if (activity.waking) --wakes_;
  if (activity.kind == ActivityKind::compute) {
    --view_.works_[activity.work.index].posted;
    give_back({activity.work, activity.first, activity.size});
  } else if (activity.kind == ActivityKind::transfer_in) {
    --clusters_[activity.cluster.index].coming[activity.file.index];
  } else if (activity.kind == ActivityKind::transfer_out) {
    --clusters_[activity.cluster.index].going[activity.file.index];
  }
  drop_dependents(slot, true);
  release_slot(slot);
}

ActivityId Sim::post(const Posting& posting) {
  const Platform& platform = *platform_;
  const auto decision = [&] {
    switch (posting.kind) {
      case ActivityKind::compute:
      case ActivityKind::chunk:
        return fmt::format("post {} of {} on host '{}'", name_of(posting.kind), text_of(posting.piece),
                           posting.host.index < hosts_.size() ? platform[posting.host].name : "?");
      case ActivityKind::hold:
        return fmt::format("post a hold of {} hosts", posting.hosts.size());
      default:
        return fmt::format("post a {}", name_of(posting.kind));
    }
  };
  if (!(posting.not_before < kNever) || std::isnan(posting.rank))
    bad(decision(), "not_before and rank are numbers");
  std::int32_t cores = 0;
  std::uint32_t hold = kNone;
  switch (posting.kind) {
    case ActivityKind::compute:
      check_piece(posting.piece, "post");
      check_host(posting.host, "post");
      if (taken(posting.piece)) bad(decision(), "it is running, posted or done already");
      cores = cores_for(posting.piece.work, posting.host, posting.cores);
      if (const Work& work = (*workload_)[posting.piece.work]; work.extra == kNone && cores != work.cores)
        bad(decision(),
            fmt::format("it takes {} core{}, not {}", work.cores, work.cores == 1 ? "" : "s", cores));
      if (cores > platform[posting.host].cores)
        bad(decision(),
            fmt::format("it needs {} cores, the host has {}", cores, platform[posting.host].cores));
      if (!(true_time(*workload_, posting.piece, platform[posting.host], posting.host,
                      view_.hosts_[posting.host.index].architecture) < kNever))
        bad(decision(), "it cannot run on that host");
      break;
    case ActivityKind::chunk:
      check_piece(posting.piece, "post");
      check_host(posting.host, "post");
      if (!dealt_in_parts(posting.piece.work)) bad(decision(), "only loads and sweeps have chunks");
      // A load's chunk has the whole host; the runs of a sweep are sent to a host that goes on computing.
      if ((*workload_)[posting.piece.work].kind == WorkKind::load) cores = platform[posting.host].cores;
      break;
    case ActivityKind::transfer_in:
    case ActivityKind::transfer_out:
      if (posting.file.index >= workload_->files.size()) bad(decision(), "there is no such file");
      if (posting.cluster.index >= clusters_.size()) bad(decision(), "there is no such cluster");
      if (posting.kind == ActivityKind::transfer_in &&
          (in_store(posting.file, posting.cluster) || in_transfer(posting.file, posting.cluster)))
        bad(fmt::format("post file '{}' to cluster '{}'", workload_->files[posting.file.index].name,
                        platform[posting.cluster].name),
            "it is there or on its way");
      if (posting.kind == ActivityKind::transfer_out &&
          (at_home(posting.file) || in_transfer_home(posting.file, posting.cluster)))
        bad(fmt::format("post file '{}' home from cluster '{}'", workload_->files[posting.file.index].name,
                        platform[posting.cluster].name),
            "it is there or on its way");
      if (posting.kind == ActivityKind::transfer_in && !home_[posting.file.index])
        bad(decision(), "the origin does not have that file");
      break;
    case ActivityKind::hold: {
      if (posting.hosts.empty()) bad(decision(), "it needs hosts");
      for (const HostId host : posting.hosts) check_host(host, "hold");
      std::vector<HostId> sorted = posting.hosts;
      std::sort(sorted.begin(), sorted.end());
      if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        bad(decision(), "a host is named twice");
      if (!(posting.to < kNever) || !(posting.to >= posting.not_before))
        bad(decision(), "it ends before it begins");
      if (posting.with_link && !(posting.io_until <= posting.to))
        bad(decision(), "its link is needed longer than its hosts");
      if (posting.piece.work.valid()) {
        const WorkId work = posting.piece.work;
        check_open(work, "hold");
        if ((*workload_)[work].kind == WorkKind::reservation) {
          const WorkExtra& wanted = workload_->extras[(*workload_)[work].extra];
          if (work.index < tied_.size() && tied_[work.index] > 0) bad(decision(), "it is held already");
          if (posting.hosts.size() != static_cast<std::size_t>(wanted.hosts))
            bad(decision(), fmt::format("{} reserves {} of them", workload_->name_of(work), wanted.hosts));
          if (std::max(posting.not_before, view_.now_) != std::max(wanted.from, view_.now_) ||
              posting.to != wanted.to)
            bad(decision(), fmt::format("{} reserves them from {} to {} s", workload_->name_of(work),
                                        wanted.from, wanted.to));
        }
      }
      Hold made;
      made.hosts = std::move(sorted);
      if (posting.with_link) made.link = platform[view_.hosts_[made.hosts.front().index].cluster].link;
      made.from = std::max(posting.not_before, view_.now_);
      made.to = posting.to;
      made.io_until = posting.io_until;
      if (free_holds_.empty()) {
        hold = static_cast<std::uint32_t>(holds_.size());
        holds_.push_back(std::move(made));
      } else {
        hold = free_holds_.back();
        free_holds_.pop_back();
        holds_[hold] = std::move(made);
      }
      break;
    }
    default:
      bad(decision(), "only computations, transfers, chunks and holds can be posted");
  }
  if (posting.after.valid() &&
      (posting.after.slot >= activities_.size() || posting.after.serial >= next_serial_))
    bad(decision(), "`after` is no activity");
  if (posting.kind == ActivityKind::compute && !has_data(posting.piece, posting.host, posting.after))
    bad(decision(), "its data has not been sent there, and it is not posted after the chunk");

  if (recorder_ != nullptr && recorder_->asks_of(posting.piece) &&
      (posting.kind == ActivityKind::compute || posting.kind == ActivityKind::hold)) [[unlikely]]
    recorder_->decides(*this, Decision::Kind::posted,
                       posting.kind == ActivityKind::hold ? posting.hosts.front() : posting.host);
  const std::uint32_t slot = allocate(posting.kind);
  Activity& activity = activities_[slot];
  activity.stage = Stage::posted;
  activity.hold = hold;
  activity.work =
      posting.kind == ActivityKind::transfer_out ? maker_[posting.file.index] : posting.piece.work;
  activity.host =
      posting.kind == ActivityKind::compute || posting.kind == ActivityKind::chunk ? posting.host : HostId{};
  activity.cores = cores;
  activity.not_before = posting.not_before;
  activity.rank = posting.rank;
  const auto& extras = workload_->extras;
  switch (posting.kind) {
    case ActivityKind::compute:
      activity.first = posting.piece.first;
      activity.size = posting.piece.size;
      take(posting.piece);
      ++view_.works_[posting.piece.work.index].posted;
      break;
    case ActivityKind::chunk:
      activity.first = posting.piece.first;
      activity.size = posting.piece.size;
      activity.cluster = view_.hosts_[posting.host.index].cluster;
      activity.amount = posting.piece.size * extras[(*workload_)[posting.piece.work].extra].bytes;
      break;
    case ActivityKind::transfer_in:
      ++clusters_[posting.cluster.index].coming[posting.file.index];
      [[fallthrough]];
    case ActivityKind::transfer_out:
      if (posting.kind == ActivityKind::transfer_out)
        ++clusters_[posting.cluster.index].going[posting.file.index];
      activity.file = posting.file;
      activity.cluster = posting.cluster;
      activity.amount = activity.size = workload_->files[posting.file.index].size;
      break;
    default:
      break;
  }
  if (posting.kind != ActivityKind::compute && activity.work.valid()) {
    tied_.resize(view_.works_.size());
    ++tied_[activity.work.index];
  }
  if (posting.after.valid() && activities_[posting.after.slot].serial == posting.after.serial) {
    activity.after = posting.after;
    activities_[posting.after.slot].plain = false;
    activity.next_dependent = activities_[posting.after.slot].dependents;
    activities_[posting.after.slot].dependents = slot;
  }
  record(RecordKind::posted, activity);
  if (activity.not_before > view_.now_) {
    activity.waking = true;
    ++wakes_;
    push(Due::wake, activity.not_before, activity.serial, slot);
  }
  enqueue(slot);
  return id_of(slot);
}

void Sim::withdraw(ActivityId posted) {
  if (live(posted, "withdraw").stage != Stage::posted)
    bad(fmt::format("withdraw activity {}", posted.serial), "it has started; cancel it instead");
  withdraw_slot(posted.slot, Reason::cancelled);
}

void Sim::cancel(ActivityId running) {
  const Activity& activity = live(running, "cancel");
  if (activity.stage == Stage::posted)
    bad(fmt::format("cancel activity {}", running.serial), "it has not started; withdraw it instead");
  lose(running.slot, Reason::cancelled, false, RecordKind::cancelled);
}

// ---- timers, notes ----

TimerId Sim::timer(Time at, TimerPhase phase, Keeps keeps) {
  if (!(at >= view_.now_)) bad(fmt::format("set a timer at {}", at), "that is in the past or no time");
  std::uint32_t slot;
  if (free_timers_.empty()) {
    slot = static_cast<std::uint32_t>(timers_.size());
    timers_.emplace_back();
  } else {
    slot = free_timers_.back();
    free_timers_.pop_back();
  }
  if (at == kNever) keeps = Keeps::nothing;
  timers_[slot] = {next_timer_++, phase, keeps, at};
  if (keeps == Keeps::alive) ++alive_;
  if (keeps != Keeps::nothing) ++keeping_;
  if (at < kNever) push(Due::timer, at, timers_[slot].serial, slot);
  return {timers_[slot].serial, slot};
}

void Sim::cancel(TimerId timer) {
  if (timer.valid() && (timer.slot >= timers_.size() || timer.serial >= next_timer_))
    bad("cancel a timer", "there was never such a timer");
  if (!timer.valid() || timer.slot >= timers_.size() || timers_[timer.slot].serial != timer.serial) return;
  if (timers_[timer.slot].keeps == Keeps::alive) --alive_;
  if (timers_[timer.slot].keeps != Keeps::nothing) --keeping_;
  timers_[timer.slot].serial = 0;
  free_timers_.push_back(timer.slot);
}

void Sim::note(std::string_view name, std::span<const double> values) {
  trace_.add(Note{view_.now_, std::string(name), {values.begin(), values.end()}});
}

// ---- what can be asked ----

std::optional<ActivityView> Sim::activity(ActivityId id) const {
  if (!id.valid() || id.slot >= activities_.size() || activities_[id.slot].serial != id.serial)
    return std::nullopt;
  const Activity& a = activities_[id.slot];
  ActivityView view;
  view.id = id;
  view.kind = a.kind;
  view.posted = a.stage == Stage::posted;
  view.copy = a.is_copy;
  view.work = a.work;
  view.file = a.file;
  view.piece = {a.work, a.first, a.size};
  view.host = a.host;
  view.cluster = a.cluster;
  view.cores = a.cores;
  view.started = a.started;
  return view;
}

std::vector<ActivityId> Sim::running_on(HostId host) const {
  std::vector<ActivityId> ids;
  for (std::uint32_t slot = hosts_[host.index].first; slot != kNone; slot = activities_[slot].next)
    ids.push_back(id_of(slot));
  return ids;
}

std::vector<ActivityId> Sim::queued_on(ResourceId resource) const {
  std::vector<ActivityId> ids;
  const Queue* queue = nullptr;
  if (resource.kind() == ResourceKind::host && resource.at() < hosts_.size())
    queue = &hosts_[resource.at()].queue;
  if (resource.kind() == ResourceKind::link && resource.at() < links_.size())
    queue = &links_[resource.at()].queue;
  if (queue == nullptr) return ids;
  for (std::size_t i = queue->head; i < queue->entries.size(); ++i)
    ids.push_back(id_of(queue->entries[i].slot));
  return ids;
}

std::vector<ActivityId> Sim::transfers_of(ClusterId cluster) const {
  std::vector<ActivityId> ids;
  for (std::uint32_t slot = 0; slot < activities_.size(); ++slot) {
    const Activity& each = activities_[slot];
    if (each.serial != 0 && each.stage != Stage::posted && each.cluster == cluster &&
        (each.kind == ActivityKind::transfer_in || each.kind == ActivityKind::transfer_out))
      ids.push_back(id_of(slot));
  }
  std::ranges::sort(ids, {},
                    [this](ActivityId id) { return std::pair(activities_[id.slot].started, id.serial); });
  return ids;
}

bool Sim::in_store(FileId file, ClusterId cluster) const {
  return clusters_[cluster.index].stored[file.index] != 0;
}
bool Sim::in_transfer(FileId file, ClusterId cluster) const {
  return clusters_[cluster.index].coming[file.index] != 0;
}
bool Sim::in_transfer_home(FileId file, ClusterId cluster) const {
  return clusters_[cluster.index].going[file.index] != 0;
}
bool Sim::at_home(FileId file) const { return home_[file.index] != 0; }

std::string_view Sim::mark_name(const Event& mark) const {
  return mark.serial == kListed ? scenario_->happenings[mark.slot].name : injected_[mark.slot].name;
}

std::string_view Sim::obstacle_of(ActivityId posted) const {
  if (posted.slot >= activities_.size() || activities_[posted.slot].serial != posted.serial) return "nothing";
  const char* problem = obstacle(activities_[posted.slot]);
  return problem == nullptr ? "those before it in the queue" : problem;
}

std::vector<ActivityId> Sim::stuck() const {
  std::vector<ActivityId> ids;
  for (std::uint32_t slot = 0; slot < activities_.size(); ++slot)
    if (activities_[slot].serial != 0 && activities_[slot].stage != Stage::posted &&
        activities_[slot].end == kNever)
      ids.push_back(id_of(slot));
  std::sort(ids.begin(), ids.end());  // by serial
  return ids;
}

std::string_view Sim::obstacle_of_stuck(ActivityId running) const {
  const Activity& activity = activities_[running.slot];
  if (!resources_up(activity))
    return activity.route == kNone ? "its host, which is down" : "its host or a link, which is down";
  return activity.kind == ActivityKind::compute ? "availability or speed above 0" : "bandwidth above 0";
}

std::string Sim::why_unstartable(WorkId work) const {
  bool any_up = false, can_run = false;
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    any_up = any_up || hosts_[h].up();
    can_run = can_run || true_time(*workload_, {work, 0, 1}, platform_->hosts()[h], HostId(h),
                                   view_.hosts_[h].architecture) < kNever;
  }
  if (!can_run) return "; it can run on no host";
  if (!any_up) return "; every host is down";
  return "";
}

Time Sim::true_end(const Piece& piece, HostId host, Time start) const {
  return computed_by(true_amount(piece, host), host, start + (*platform_)[host].setup);
}

Seconds Sim::true_duration(const Piece& piece, HostId host) const {
  return duration_of(true_amount(piece, host), host);
}

Seconds Sim::true_amount(const Piece& piece, HostId host) const {
  return true_time(*workload_, piece, (*platform_)[host], host, view_.hosts_[host.index].architecture);
}

Time Sim::computed_by(Seconds amount, HostId host, Time from) const {
  const HostState& state = hosts_[host.index];
  if (!(amount < kNever) || !state.present) return kNever;
  return state.profile->end_of(from, amount, state.factor, state.anchor);
}

Seconds Sim::duration_of(Seconds amount, HostId host) const {
  const HostState& state = hosts_[host.index];
  const Seconds setup = (*platform_)[host].setup;
  if (!(amount < kNever) || !state.present) return kNever;
  const Time since = view_.now_ + setup - state.anchor;
  const Seconds run = Profile(state.profile->at(since)).end_of(0, amount, state.factor);
  if (state.profile->next_change(since) >= since + run) return setup + run;
  return computed_by(amount, host, view_.now_ + setup) - view_.now_;
}

Sim::Progress Sim::progress_of(ActivityId running) const {
  if (!running.valid() || running.slot >= activities_.size() ||
      activities_[running.slot].serial != running.serial)
    return {};
  const Activity& activity = activities_[running.slot];
  Progress progress{activity.amount - activity.left, activity.since};
  if (activity.stage != Stage::moving || activity.since >= view_.now_) return progress;
  if (activity.kind == ActivityKind::compute) {
    const HostState& state = hosts_[activity.host.index];
    progress.done +=
        state.profile->integral(activity.since - state.anchor, view_.now_ - state.anchor) * state.factor;
  } else if (activity.route != kNone) {
    progress.done += moved(activity, activity.since, view_.now_);
  }
  return progress;
}

Time Sim::true_end(ActivityId running) const {
  if (!running.valid() || running.slot >= activities_.size() ||
      activities_[running.slot].serial != running.serial)
    return view_.now_;
  const Activity& activity = activities_[running.slot];
  if (activity.stage == Stage::posted || activity.stage == Stage::paused) return kNever;
  if (activity.kind == ActivityKind::hold) return holds_[activity.hold].to;
  if (activity.stage == Stage::fixed) return moved_by(activity, activity.end);
  return activity.end;
}

}  // namespace perigee::engine
