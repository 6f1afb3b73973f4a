// Activities: their pieces, files and resources.
#include <numeric>

#include "runtime/results/validator/check.h"

namespace perigee::validation {

void Check::discarded(const Record& r) {
  if (!r.file.valid() || r.on.kind() != ResourceKind::store) return bad(r.time, "nothing is discarded");
  const std::string& name = workload_.files[r.file.index].name;
  std::uint8_t& there = stored_[r.on.at()][r.file.index];
  if (!there)
    bad(r.time, "file '{}' is discarded in cluster '{}', which has it not", name, platform_.name_of(r.on));
  if (!home_[r.file.index] && workload_.goes_home(r.file))
    bad(r.time, "the output '{}' is discarded before it is home", name);
  there = 0;
}

std::size_t Check::act_of(const Record& r) {
  const auto [known, fresh] = by_serial_.try_emplace(r.activity, acts_.size());
  if (fresh) {
    acts_.emplace_back();
    Act& made = acts_.back();
    made.serial = r.activity;
    made.kind = r.what;
    made.work = r.work;
    made.file = r.file;
    made.first = r.first;
    made.size = r.size;
    made.cores = r.cores;
    made.copy = r.copy != 0;
  }
  return known->second;
}

void Check::of_activity(std::size_t begin, std::size_t end) {
  const Record& r = trace_[begin];
  const std::size_t known = acts_.size(), a = act_of(r);
  const bool fresh = a == known;
  Act& act = acts_[a];
  std::vector<ResourceId> on;
  std::vector<std::int32_t> cores;
  for (std::size_t i = begin; i < end; ++i) {
    on.push_back(trace_[i].on);
    cores.push_back(trace_[i].cores);
  }
  // From where it comes is known when it begins.
  if (r.kind == RecordKind::started && r.what == ActivityKind::transfer_in) act.first = r.first;
  const auto wrong = [&](std::string_view what) {
    Act shown = act;
    if (shown.on.empty()) shown.on = on;
    bad(r.time, shown, "{}", what);
  };
  if (r.activity == 0) wrong("it has no serial number");
  if (act.kind != r.what || act.work != r.work || act.file != r.file || act.first != r.first ||
      act.size != r.size || act.cores != r.cores || act.copy != (r.copy != 0))
    wrong(fmt::format("its record '{}' disagrees with the one before", name_of(r.kind)));
  switch (r.kind) {
    case RecordKind::posted:
      if (!fresh) wrong("it is posted after it was posted or started");
      act.posted = r.time;
      if (act.kind == ActivityKind::dump) return posts_dump(a, r);
      // An output that is still to come may already be posted home.
      if (r.work.valid() && !tracks_[r.work.index].arrived && r.what != ActivityKind::transfer_out)
        wrong("it is posted before its work arrived");
      return;
    case RecordKind::withdrawn:
      if (fresh)
        wrong("it is withdrawn, but was never posted");
      else if (act.life != Life::posted)
        wrong("it is withdrawn after it started or ended");
      act.life = Life::withdrawn;
      act.how = r.kind;
      act.ended = r.time;
      return;
    case RecordKind::started:
      if (!fresh && act.life != Life::posted)
        return wrong(act.life == Life::running ? "it starts twice" : "it starts after it was over");
      act.life = Life::running;
      act.started = r.time;
      act.on = std::move(on);
      if (act.kind == ActivityKind::compute && act.work.valid() && workload_.shape_of(act.work) != nullptr)
        act.cores_of = std::move(cores);
      return start(a, r);
    default:
      break;
  }
  if (fresh || act.life != Life::running) {
    wrong(fresh || act.life == Life::posted ? fmt::format("it is {}, but never started", name_of(r.kind))
                                            : fmt::format("it is {} after it was over", name_of(r.kind)));
    if (fresh) act.life = Life::withdrawn;
    return;
  }
  if (act.over_hosts() && on == act.on && cores != act.cores_of)
    wrong("it gives back other cores than it took");
  if (on != act.on) wrong(fmt::format("it gives back other resources than it took ({})", names(on)));
  if (r.kind == RecordKind::suspended) return suspend(a, r);
  if (r.kind == RecordKind::resumed) return resume(a, r);
  act.life = Life::over;
  act.how = r.kind;
  act.why = r.why;
  act.ended = r.time;
  give_back(a);
  stop(a, r);
  give_room_back(act);
}

std::span<const FileId> Check::brings(const Act& act) const {
  if (act.kind == ActivityKind::transfer_in && act.file.valid()) return {&act.file, 1};
  if (act.kind == ActivityKind::compute && act.work.valid()) return outputs(act.work);
  return {};
}

// The bytes of a store grow when something begins that will put files there, and at no other time.
void Check::take_room(Act& act) {
  const std::span<const FileId> files = brings(act);
  if (files.empty() || act.broken) return;
  ClusterId in = act.cluster;
  if (act.kind == ActivityKind::compute) {
    if (!hosts_[act.host().index].place_known) return;
    in = hosts_[act.host().index].cluster;
  }
  act.room_in = in;
  for (const FileId file : files) ++coming_[in.index][file.index];
  if (!(platform_[in].store < model::kNeverShort)) return;
  double bytes = 0;
  for (std::size_t f = 0; f < workload_.files.size(); ++f)
    if (stored_[in.index][f] || coming_[in.index][f] > 0) bytes += workload_.files[f].size;
  if (bytes > platform_[in].store * (1 + kTolerance))
    bad(act.started, act, "with it the store of cluster '{}' has {} B of {} B", platform_[in].name,
        text(bytes), text(platform_[in].store));
}

void Check::give_room_back(Act& act) {
  if (!act.room_in.valid()) return;
  for (const FileId file : brings(act)) --coming_[act.room_in.index][file.index];
  act.room_in = {};
}

std::string Check::names(const std::vector<ResourceId>& on) const {
  std::string out;
  for (const ResourceId r : on) out += (out.empty() ? "" : ", ") + platform_.name_of(r);
  return out;
}

bool Check::uses_what_its_kind_does(const Act& act) const {
  std::size_t hosts = 0, links = 0, schedulers = 0;
  for (const ResourceId on : act.on) {
    hosts += on.kind() == ResourceKind::host ? 1 : 0;
    links += on.kind() == ResourceKind::link ? 1 : 0;
    schedulers += on.kind() == ResourceKind::scheduler ? 1 : 0;
  }
  if (hosts + links + schedulers != act.on.size()) return false;
  switch (act.kind) {
    case ActivityKind::compute:
      return (hosts == 1 || (hosts > 1 && act.over_hosts())) && links == 0 && schedulers == 0;
    case ActivityKind::transfer_in:
    case ActivityKind::transfer_out:
      return hosts == 0 && links > 0 && schedulers == 0;
    case ActivityKind::chunk:
      return hosts == 1 && links > 0 && schedulers == 0;
    case ActivityKind::dump:
      return hosts == 0 && links == 1 && schedulers == 0;
    case ActivityKind::hold:
      return hosts > 0 && links <= 1 && schedulers == 0;
    case ActivityKind::think:
      return hosts == 0 && links == 0 && schedulers == 1;
    case ActivityKind::none:
      break;
  }
  return false;
}

// The resources that a starting activity takes are there, with two exceptions.
void Check::check_up(Act& act, const Record& r) {
  for (const ResourceId on : act.on) {
    if (up(on)) continue;
    // The policy need not know that a host is down; a computation started there waits.
    if (on.kind() == ResourceKind::host && act.kind == ActivityKind::compute && hosts_[on.at()].present &&
        hosts_[on.at()].silent) {
      act.interrupted = true;
      continue;
    }
    if (act.kind == ActivityKind::hold && on.kind() == ResourceKind::link && !reservation_link(act)) continue;
    bad(r.time, act, "it starts while '{}' is away", platform_.name_of(on));
  }
}

void Check::start(std::size_t a, const Record& r) {
  Act& act = acts_[a];
  const auto wrong = [&](std::string_view what) { bad(r.time, act, "{}", what); };
  if (!uses_what_its_kind_does(act)) {
    wrong("an activity of its kind does not use these resources");
    act.broken = true;
    return;
  }
  if (act.work.valid()) {
    const Track& track = tracks_[act.work.index];
    if (!track.arrived) wrong("it starts before its work arrived");
    if (track.settled != RecordKind::arrived)
      wrong(fmt::format("it starts after its work was {}", name_of(track.settled)));
  } else if (act.kind == ActivityKind::compute || act.kind == ActivityKind::chunk) {
    wrong("it has no work");
    act.broken = true;
    return;
  }
  check_up(act, r);
  const HostId host = act.host();
  if (host.valid() && act.kind != ActivityKind::hold) {
    act.architecture = hosts_[host.index].architecture;
    if (!hosts_[host.index].place_known) act.checkable = false;
  }
  if (act.over_hosts())
    for (const ResourceId on : act.on) {
      act.architectures.push_back(hosts_[on.at()].architecture);
      act.checkable = act.checkable && hosts_[on.at()].place_known;
    }
  if (act.kind == ActivityKind::compute && act.work.valid())
    if (const Checkpoint* checkpoint = workload_.checkpoint_of(act.work); checkpoint != nullptr) {
      Track& track = tracks_[act.work.index];
      if (checkpoint->local && track.saved > 0 && track.saved_on != act.on)
        bad(r.time, act, "it goes on from a dump that other hosts have");
      act.begun_with = track.saved;
    }
  take(a);
  if (act.kind == ActivityKind::dump)
    start_dump(act);
  else if (act.moves())
    start_transfer(act, host);
  if (act.kind == ActivityKind::compute) start_compute(a, host);
  if (platform_.has_store_limit()) take_room(act);
  if (act.kind == ActivityKind::chunk) {
    if (!partial(act.work)) wrong("only loads and sweeps have chunks");
    check_piece(act);
    tracks_[act.work.index].chunks.push_back(a);
  }
  if (act.kind == ActivityKind::hold) {
    const auto is_host = [](ResourceId on) { return on.kind() == ResourceKind::host; };
    start_hold(act, static_cast<std::size_t>(std::ranges::count_if(act.on, is_host)), r);
  }
}

bool Check::reservation_link(const Act& act) const {
  if (!act.work.valid() || workload_[act.work].kind != WorkKind::reservation) return false;
  const WorkExtra& extra = workload_.extras[workload_[act.work].extra];
  return extra.from + extra.io_ratio * (extra.to - extra.from) > act.started;
}

void Check::take(std::size_t a) {
  for (std::size_t i = 0; i < acts_[a].on.size(); ++i) {
    const ResourceId on = acts_[a].on[i];
    if (on.kind() == ResourceKind::host) {
      take_host(a, on.host(), acts_[a].over_hosts() ? acts_[a].cores_of[i] : acts_[a].cores);
    } else if (on.kind() == ResourceKind::link) {
      take_link(a, on.link());
    } else {
      if (thinking_ != SIZE_MAX)
        bad(acts_[a].started, acts_[a], "the scheduler is busy with activity {}", acts_[thinking_].serial);
      thinking_ = a;
    }
  }
  if (const Demand* demand = demand_of(acts_[a]); demand != nullptr) {
    if (!demand->licences.empty()) licensed_.push_back(a);
    check_consumables(acts_[a]);
  }
  if (takes_turns(acts_[a])) {
    in_turn_.push_back(a);
    check_turns(acts_[a]);
  }
}

WorkId Check::reservation_of(const Act& act) const {
  const Shape* shape = act.over_hosts() ? workload_.shape_of(act.work) : nullptr;
  return shape != nullptr ? shape->reservation : WorkId();
}

bool Check::ends_with_reservation(const Act& act, Time at) const {
  const auto holds = holds_of_.find(reservation_of(act));
  return holds != holds_of_.end() && std::ranges::any_of(holds->second, [&](std::size_t hold) {
           return acts_[hold].life == Life::over && acts_[hold].ended == at;
         });
}

const Demand* Check::demand_of(const Act& act) const {
  const Shape* shape = act.over_hosts() ? workload_.shape_of(act.work) : nullptr;
  return shape != nullptr ? shape->demand.get() : nullptr;
}

void Check::check_consumables(const Act& act) {
  for (const ResourceId on : act.on) {
    const HostId host = on.host();
    std::vector<double> taken(platform_.consumables().size(), 0);
    const auto take_all_of = [&](std::size_t other) {
      const Act& there = acts_[other];
      const Demand* demand = demand_of(there);
      for (std::size_t i = 0; i < there.cores_of.size() && demand != nullptr; ++i)
        if (there.on[i] == on)
          for (const Demand::OfHost& item : demand->of_hosts)
            taken[item.what] += item.each + item.per_core * there.cores_of[i];
    };
    std::ranges::for_each(hosts_[host.index].acts, take_all_of);
    std::ranges::for_each(hosts_[host.index].suspended, take_all_of);
    for (std::uint32_t what = 0; what < taken.size(); ++what)
      if (taken[what] > platform_.supply(host, what))
        bad(act.started, act, "{} of {} are taken of host '{}', which has {}", text(taken[what]),
            platform_.consumables()[what], platform_[host].name, text(platform_.supply(host, what)));
  }
  std::vector<double> used(platform_.licences().size(), 0);
  for (const std::size_t other : licensed_)
    for (const Demand::OfAll& item : demand_of(acts_[other])->licences) used[item.what] += item.count;
  for (std::size_t what = 0; what < used.size(); ++what)
    if (used[what] > platform_.licences()[what].count)
      bad(act.started, act, "{} of licence '{}' are in use, there are {}", text(used[what]),
          platform_.licences()[what].name, text(platform_.licences()[what].count));
}

bool Check::is_alone(const Act& act) const {
  const Shape* shape = act.over_hosts() ? workload_.shape_of(act.work) : nullptr;
  return shape != nullptr && shape->exclusive;
}

void Check::take_host(std::size_t a, HostId id, std::int32_t cores) {
  const Act& act = acts_[a];
  const auto wrong = [&](std::string_view what) { bad(now_, act, "{}", what); };
  HostNow& now = hosts_[id.index];
  const Host& host = platform_[id];
  if (now.power != Power::on) wrong(fmt::format("host '{}' is {}", host.name, name_of(now.power)));
  if (act.kind == ActivityKind::hold) {
    if (now.held_by != SIZE_MAX)
      wrong(fmt::format("host '{}' is held by activity {}", host.name, acts_[now.held_by].serial));
    if (const Act* user = user_of(now))
      wrong(fmt::format("host '{}' is used by activity {}", host.name, user->serial));
    now.held_by = a;
    if (act.work.valid() && (holds_of_[act.work].empty() || holds_of_[act.work].back() != a))
      holds_of_[act.work].push_back(a);
    return;
  }
  if (beside(act)) {
    if (act.cores != 0) wrong(fmt::format("it uses {} cores, but comes while the host computes", act.cores));
    now.acts.push_back(a);
    return;
  }
  const WorkId inside = reservation_of(act), holder = inside.valid() ? inside : act.work;
  if (inside.valid() && (now.held_by == SIZE_MAX || acts_[now.held_by].work != inside))
    wrong(fmt::format("host '{}' is not held by {}", host.name, work_name(inside)));
  else if (now.held_by != SIZE_MAX && (acts_[now.held_by].work != holder || !act.work.valid()))
    wrong(
        fmt::format("host '{}' is held by activity {} for {}", host.name, acts_[now.held_by].serial,
                    acts_[now.held_by].work.valid() ? work_name(acts_[now.held_by].work) : "something else"));
  std::int64_t used = 0;
  for (const std::size_t other : now.acts) {
    const Act& there = acts_[other];
    if (is_alone(there)) wrong(fmt::format("activity {} has host '{}' for itself", there.serial, host.name));
    for (std::size_t i = 0; i < there.cores_of.size(); ++i)
      if (there.on[i] == ResourceId::of(id)) used += there.cores_of[i];
    if (!there.over_hosts()) used += there.cores;
  }
  if (is_alone(act) && !now.acts.empty())
    wrong(fmt::format("it has its hosts for itself, but host '{}' is in use", host.name));
  if (cores < 1) wrong(fmt::format("it uses {} cores", cores));
  if (used + cores > host.cores)
    wrong(fmt::format("it needs {} cores, but {} of the {} of host '{}' are in use", cores, used, host.cores,
                      host.name));
  if (const Act* user = user_of(now); host.exclusive && user != nullptr)
    wrong(fmt::format("host '{}' serves one activity at a time, now {}", host.name, user->serial));
  now.acts.push_back(a);
}

void Check::take_link(std::size_t a, LinkId id) {
  const Act& act = acts_[a];
  const auto wrong = [&](std::string_view what) { bad(act.started, act, "{}", what); };
  LinkNow& now = links_[id.index];
  const Link& link = platform_[id];
  const bool alone = link.sharing == Sharing::exclusive;
  const bool reserved = now.reserved_by != SIZE_MAX && now.reserved_until > act.started + slack(act.started);
  if (act.kind == ActivityKind::hold) {
    if (!reservation_link(act)) return;
    const WorkExtra& extra = workload_.extras[workload_[act.work].extra];
    if (alone && !now.acts.empty())
      wrong(fmt::format("link '{}' is used by activity {}", link.name, acts_[now.acts.front()].serial));
    if (reserved)
      wrong(fmt::format("link '{}' is reserved by activity {}", link.name, acts_[now.reserved_by].serial));
    now.reserved_by = a;
    now.reserved_until = extra.from + extra.io_ratio * (extra.to - extra.from);
    return;
  }
  if (alone && !now.acts.empty())
    wrong(fmt::format("link '{}' carries one transfer at a time, now activity {}", link.name,
                      acts_[now.acts.front()].serial));
  if (alone && reserved)
    wrong(fmt::format("link '{}' is reserved by activity {} until {}", link.name,
                      acts_[now.reserved_by].serial, text(now.reserved_until)));
  now.acts.push_back(a);
}

bool Check::beside(const Act& act) const {
  return act.kind == ActivityKind::chunk && act.work.valid() && workload_[act.work].kind == WorkKind::sweep;
}

const Act* Check::user_of(const HostNow& host) const {
  for (const std::size_t a : host.acts)
    if (!beside(acts_[a])) return &acts_[a];
  return nullptr;
}

void Check::give_back(std::size_t a) {
  for (const ResourceId on : acts_[a].on) {
    if (on.kind() == ResourceKind::host) {
      HostNow& now = hosts_[on.at()];
      std::erase(now.acts, a);
      std::erase(now.suspended, a);
      if (now.held_by == a) now.held_by = SIZE_MAX;
    } else if (on.kind() == ResourceKind::link) {
      LinkNow& now = links_[on.at()];
      std::erase(now.acts, a);
      if (now.reserved_by == a) now.reserved_by = SIZE_MAX;
    } else if (thinking_ == a) {
      thinking_ = SIZE_MAX;
    }
  }
  if (!licensed_.empty()) std::erase(licensed_, a);
  if (!in_turn_.empty()) std::erase(in_turn_, a);
}

void Check::check_piece(const Act& act) {
  const double whole = workload_.size_of(act.work);
  if (!(act.size > 0) || !(act.first >= 0) || !(act.first + act.size <= whole * (1 + kTolerance)))
    bad(act.started, act, "its piece [{}, {}) is not inside [0, {})", text(act.first),
        text(act.first + act.size), text(whole));
  else if (!partial(act.work) && (act.first != 0 || act.size != 1))
    bad(act.started, act, "its work has no parts, but its piece is [{}, {})", text(act.first),
        text(act.first + act.size));
  else if (workload_[act.work].kind == WorkKind::sweep &&
           (std::floor(act.first) != act.first || std::floor(act.size) != act.size))
    bad(act.started, act, "a package is a whole number of runs");
}

bool Check::overlap(const Act& a, const Act& b) {
  const double margin = kTolerance * std::min(a.size, b.size);
  return a.first < b.first + b.size - margin && b.first < a.first + a.size - margin;
}

void Check::start_compute(std::size_t a, HostId host) {
  const Act& act = acts_[a];
  const Work& work = workload_[act.work];
  Track& track = tracks_[act.work.index];
  if (work.kind == WorkKind::reservation) {
    bad(act.started, act, "reservations hold hosts, they do not compute");
    return;
  }
  check_piece(act);
  if (act.over_hosts())
    check_shape(act);
  else if (work.kind == WorkKind::job && act.cores != work.cores)
    bad(act.started, act, "it has {} cores, the job asks for {}", act.cores, work.cores);
  // A piece may run twice at a time only as a copy. A finished piece may not run again.
  bool original = false;
  for (const std::size_t other : track.running) {
    const Act& running = acts_[other];
    if (!overlap(act, running)) continue;
    if (!act.copy)
      bad(act.started, act, "activity {} computes the same piece", running.serial);
    else if (running.first != act.first || running.size != act.size)
      bad(act.started, act, "it is a copy, but activity {} computes only part of its piece", running.serial);
    else
      original = true;
  }
  if (act.copy && !original) bad(act.started, act, "it is a copy of nothing that runs");
  if (const Span* done = finished_piece(track, act.first, act.first + act.size))
    bad(act.started, act, "[{}, {}) of it is finished already", text(done->first), text(done->end));
  track.running.push_back(a);

  const HostNow& now = hosts_[host.index];
  if (now.place_known)
    for (const FileId file : inputs(act.work))
      if (!stored_[now.cluster.index][file.index] || !clusters_up_[now.cluster.index])
        bad(act.started, act, "its input '{}' is not in the store of cluster '{}'",
            workload_.files[file.index].name, platform_[now.cluster].name);
  if (partial(act.work)) check_chunks(act, host);
  if (workload_.precedence == nullptr) return;
  for (const std::uint32_t before : workload_.precedence->predecessors(act.work.index))
    if (!tracks_[before].covered)
      bad(act.started, act, "{}, which comes before it, is not computed", work_name(WorkId(before)));
}

void Check::check_shape(const Act& act) {
  const Shape& shape = *workload_.shape_of(act.work);
  const std::int32_t wanted = workload_[act.work].cores;
  const auto wrong = [&](std::string_view what) { bad(act.started, act, "{}", what); };
  std::int64_t cores = 0;
  for (std::size_t i = 0; i < act.on.size(); ++i) {
    const HostId host = act.on[i].host(), first = act.on.front().host();
    const std::string& name = platform_[host].name;
    cores += act.cores_of[i];
    for (std::size_t other = 0; other < i; ++other)
      if (act.on[other] == act.on[i]) wrong(fmt::format("it has host '{}' twice", name));
    if (shape.only != nullptr && (*shape.only)[host.index] == 0)
      wrong(fmt::format("host '{}' is not among those it may use", name));
    if (shape.nodes > 0 && act.cores_of[i] != wanted)
      wrong(fmt::format("it has {} cores of host '{}', the job asks for {}", act.cores_of[i], name, wanted));
    if (shape.nodes == 0 && act.cores_of[i] > shape.per_node)
      wrong(fmt::format("it has {} cores of host '{}', at most {} of each", act.cores_of[i], name,
                        shape.per_node));
    const bool known = hosts_[host.index].place_known && hosts_[first.index].place_known;
    if (shape.same == Together::cluster && known && hosts_[host.index].cluster != hosts_[first.index].cluster)
      wrong(fmt::format("hosts '{}' and '{}' are in different clusters", platform_[first].name, name));
    if (shape.same == Together::network_switch && platform_.switch_of(host) != platform_.switch_of(first))
      wrong(fmt::format("hosts '{}' and '{}' are at different switches", platform_[first].name, name));
  }
  if (shape.sizes != nullptr) {
    if (!place_of_size(act))
      wrong(fmt::format("it has {} {}, which is none of its sizes",
                        shape.nodes > 0 ? std::ssize(act.on) : cores, shape.nodes > 0 ? "hosts" : "cores"));
    return;
  }
  if (shape.nodes > 0 && act.on.size() != static_cast<std::size_t>(shape.nodes))
    wrong(fmt::format("it has {} hosts, the job asks for {}", act.on.size(), shape.nodes));
  if (shape.nodes == 0 && cores != wanted)
    wrong(fmt::format("it has {} cores, the job asks for {}", cores, wanted));
}

// Which of its sizes a moldable job has; none if it has another one, or only one.
std::optional<std::size_t> Check::place_of_size(const Act& act) const {
  const Shape& shape = *workload_.shape_of(act.work);
  if (shape.sizes == nullptr) return std::nullopt;
  std::int64_t size = std::ssize(act.on);
  if (shape.nodes == 0) size = std::accumulate(act.cores_of.begin(), act.cores_of.end(), std::int64_t{0});
  const std::vector<std::int32_t>& allowed = shape.sizes->allowed;
  for (std::size_t i = 0; i < allowed.size(); ++i)
    if (allowed[i] == size) return i;
  return std::nullopt;
}

void Check::check_chunks(const Act& act, HostId host) {
  if (!(workload_.extras[workload_[act.work].extra].bytes > 0)) return;
  std::vector<Span> sent;
  for (const std::size_t c : tracks_[act.work.index].chunks) {
    const Act& chunk = acts_[c];
    if (chunk.host() == host && chunk.life == Life::over && chunk.how == RecordKind::ended)
      sent.push_back({chunk.first, chunk.first + chunk.size});
  }
  std::sort(sent.begin(), sent.end(), [](const Span& x, const Span& y) { return x.first < y.first; });
  const double margin = kTolerance * act.size;
  double reached = act.first;
  for (const Span& span : sent)
    if (span.first <= reached + margin) reached = std::max(reached, span.end);
  if (reached < act.first + act.size - margin)
    bad(act.started, act, "its data from {} on has not been sent to '{}'", text(reached),
        platform_[host].name);
}

const Span* Check::finished_piece(const Track& track, double first, double end) const {
  const double margin = kTolerance * (end - first);
  auto span = std::upper_bound(track.pieces.begin(), track.pieces.end(), first + margin,
                               [](double x, const Span& s) { return x < s.end; });
  return span != track.pieces.end() && span->first < end - margin ? &*span : nullptr;
}

// The cluster that a transfer comes from; none: it comes from home, or goes there.
ClusterId Check::source_of(const Act& act) const {
  const bool known = act.kind == ActivityKind::transfer_in && act.first >= 1 &&
                     act.first <= static_cast<double>(platform_.clusters().size());
  return known ? ClusterId(static_cast<std::size_t>(act.first) - 1) : ClusterId{};
}

void Check::start_transfer(Act& act, HostId host) {
  // The links must form a route from the origin, or from another cluster, to a cluster's gateway.
  const ClusterId from = source_of(act);
  std::uint32_t node = from.valid() ? platform_[from].node : 0;
  LinkId last;
  bool connected = true;
  for (const ResourceId on : act.on) {
    if (on.kind() != ResourceKind::link) continue;
    last = on.link();
    const Link& link = platform_[last];
    if (link.from != node && link.to != node) connected = false;
    node = link.from == node ? link.to : link.from;
  }
  for (std::size_t c = 0; c < platform_.clusters().size(); ++c)
    if (platform_.clusters()[c].link == last) act.cluster = ClusterId(c);
  if (!connected || !act.cluster.valid() || platform_[act.cluster].node != node)
    bad(act.started, act, "its links are no way from {} to a cluster",
        from.valid() ? fmt::format("cluster '{}'", platform_[from].name) : "the origin");
  if (!act.cluster.valid()) {
    act.broken = true;
    return;
  }
  if (!clusters_up_[act.cluster.index])
    bad(act.started, act, "cluster '{}' is away", platform_[act.cluster].name);
  if (act.kind == ActivityKind::chunk) {
    if (hosts_[host.index].place_known && hosts_[host.index].cluster != act.cluster)
      bad(act.started, act, "host '{}' is not in cluster '{}'", platform_[host].name,
          platform_[act.cluster].name);
    return;
  }
  if (!act.file.valid()) {
    bad(act.started, act, "it has no file");
    act.broken = true;
    return;
  }
  const File& file = workload_.files[act.file.index];
  if (act.size != file.size)
    bad(act.started, act, "it moves {} B, the file has {} B", text(act.size), text(file.size));
  if (from.valid()) {
    if (!stored_[from.index][act.file.index] || !clusters_up_[from.index])
      bad(act.started, act, "cluster '{}' does not have the file", platform_[from].name);
  } else if (act.kind == ActivityKind::transfer_in && !home_[act.file.index]) {
    bad(act.started, act, "the origin does not have the file");
  }
  if (act.kind == ActivityKind::transfer_out && !stored_[act.cluster.index][act.file.index])
    bad(act.started, act, "the file is not in the store of cluster '{}'", platform_[act.cluster].name);
}

void Check::start_hold(const Act& act, std::size_t hosts, const Record& r) {
  const bool late = r.why == Reason::late;
  if (!act.work.valid() || workload_[act.work].kind != WorkKind::reservation) {
    if (late && !(act.started > act.posted))
      bad(act.started, act, "it is late, but begins when it was posted");
    return;
  }
  const WorkExtra& extra = workload_.extras[workload_[act.work].extra];
  if (hosts != static_cast<std::size_t>(std::max(0, extra.hosts)))
    bad(act.started, act, "it holds {} hosts, the reservation is for {}", hosts, extra.hosts);
  const Time promised = std::max(extra.from, act.posted);
  if (act.started < promised - slack(promised) || (!late && act.started > promised + slack(promised)))
    bad(act.started, act, "the reservation is from {}", text(extra.from));
  if (late && !(act.started > promised)) bad(act.started, act, "it is late, but begins as promised");
}

void Check::stop(std::size_t a, const Record& r) {
  Act& act = acts_[a];
  if (act.kind == ActivityKind::compute && act.work.valid()) {
    Track& track = tracks_[act.work.index];
    std::erase(track.running, a);
    if (r.kind == RecordKind::cancelled) {
      track.cancelled = r.time;
      track.why_cancelled = r.why;
    }
  }
  if (act.broken) return;
  switch (r.kind) {
    case RecordKind::ended:
      if (act.is_suspended()) bad(r.time, act, "it ends while it is suspended");
      ended(a);
      return;
    case RecordKind::superseded: {
      const bool other = std::any_of(just_ended_.begin(), just_ended_.end(), [&](std::size_t e) {
        const Act& winner = acts_[e];
        return winner.work == act.work && winner.first == act.first && winner.size == act.size &&
               winner.ended == r.time;
      });
      if (!other) bad(r.time, act, "it is superseded, but nothing else finished its piece now");
      return;
    }
    case RecordKind::lost: {
      if (r.why == Reason::stranded || r.why == Reason::predecessor) return;
      bool reason = false;
      for (const std::size_t each : act.transfers) {  // its restart was
        const Act& sent = acts_[each];
        reason = reason || (sent.first == 1 && sent.how == RecordKind::lost && sent.ended == r.time);
      }
      for (const ResourceId on : act.on) {
        if (on.kind() != ResourceKind::host && on.kind() != ResourceKind::link) continue;
        const Timeline& line = timeline(on);
        for (std::size_t s = line.size(); s-- > 1 && line[s].at == r.time;)
          reason = reason || line[s].up != line[s - 1].up || !line[s].up;
      }
      if (!reason) bad(r.time, act, "it is lost, but none of its resources went away or came back now");
      return;
    }
    default:
      return;
  }
}

void Check::ended(std::size_t a) {
  Act& act = acts_[a];
  const bool by_clock = act.kind == ActivityKind::hold && rule(act) != OnFailure::lost;
  for (const ResourceId on : act.on)
    if (!up(on) && !by_clock && !(act.kind == ActivityKind::hold && on.kind() == ResourceKind::link))
      bad(act.ended, act, "it ends well while '{}' is away", platform_.name_of(on));
  switch (act.kind) {
    case ActivityKind::compute: {
      std::erase_if(just_ended_, [&](std::size_t e) { return acts_[e].ended != act.ended; });
      just_ended_.push_back(a);
      Track& track = tracks_[act.work.index];
      if (const Span* done = finished_piece(track, act.first, act.first + act.size)) {
        bad(act.ended, act, "[{}, {}) of it is finished twice", text(done->first), text(done->end));
        return;
      }
      const auto place = std::lower_bound(track.pieces.begin(), track.pieces.end(), act.first,
                                          [](const Span& s, double x) { return s.first < x; });
      track.pieces.insert(place, {act.first, act.first + act.size});
      track.done += act.size;
      if (track.done >= workload_.size_of(act.work) * (1 - kTolerance)) {
        const HostNow& now = hosts_[act.host().index];
        if (now.place_known)
          for (const FileId file : outputs(act.work)) stored_[now.cluster.index][file.index] = 1;
        covered(act.work, act.ended);
      }
      return;
    }
    case ActivityKind::transfer_in: {
      // A task that is done again may have made it there in the meantime.
      if (stored_[act.cluster.index][act.file.index] && workload_.precedence == nullptr)
        bad(act.ended, act, "cluster '{}' has the file already", platform_[act.cluster].name);
      stored_[act.cluster.index][act.file.index] = 1;
      return;
    }
    case ActivityKind::transfer_out: {
      if (home_[act.file.index]) bad(act.ended, act, "the origin has the file already");
      home_[act.file.index] = 1;
      const WorkId maker = makers_[act.file.index];
      if (!maker.valid() || !tracks_[maker.index].covered) return;
      tracks_[maker.index].covered_at = act.ended;
      to_finish_.push_back({maker, act.ended});
      return;
    }
    case ActivityKind::hold:
      if (act.work.valid() && workload_[act.work].kind == WorkKind::reservation) {
        tracks_[act.work.index].done = 1;
        covered(act.work, act.ended);
      }
      return;
    default:
      return;
  }
}

void Check::covered(WorkId work, Time at) {
  Track& track = tracks_[work.index];
  track.covered = true;
  track.covered_at = at;
  to_finish_.push_back({work, at});
}

}  // namespace perigee::validation
