// Activities: their starts and ends, and what these records have to agree with.
#include "runtime/results/validator/check.h"

namespace perigee::validation {

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
  Change change{r, a, a == known, {}, {}};
  for (std::size_t i = begin; i < end; ++i) {
    change.on.push_back(trace_[i].on);
    change.cores.push_back(trace_[i].cores);
  }
  Act& act = acts_[a];
  // From where it comes is known when it begins.
  if (r.kind == RecordKind::started && r.what == ActivityKind::transfer_in) act.first = r.first;
  if (r.activity == 0) wrong(change, "it has no serial number");
  if (act.kind != r.what || act.work != r.work || act.file != r.file || act.first != r.first ||
      act.size != r.size || act.cores != r.cores || act.copy != (r.copy != 0))
    wrong(change, fmt::format("its record '{}' disagrees with the one before", name_of(r.kind)));
  switch (r.kind) {
    case RecordKind::posted:
      return of_posting(change);
    case RecordKind::withdrawn:
      return of_withdrawal(change);
    case RecordKind::started:
      return of_start(change);
    default:
      return of_end(change);
  }
}

void Check::wrong(const Change& change, std::string_view what) {
  Act shown = acts_[change.act];
  if (shown.on.empty()) shown.on = change.on;
  bad(change.record.time, shown, "{}", what);
}

void Check::of_posting(const Change& change) {
  const Record& r = change.record;
  if (!change.fresh) wrong(change, "it is posted after it was posted or started");
  Act& act = acts_[change.act];
  act.posted = r.time;
  if (act.kind == ActivityKind::dump) return posts_dump(change.act, r);
  // An output that is still to come may already be posted home.
  if (r.work.valid() && !tracks_[r.work.index].arrived && r.what != ActivityKind::transfer_out)
    wrong(change, "it is posted before its work arrived");
}

void Check::of_withdrawal(const Change& change) {
  Act& act = acts_[change.act];
  if (change.fresh)
    wrong(change, "it is withdrawn, but was never posted");
  else if (act.life != Life::posted)
    wrong(change, "it is withdrawn after it started or ended");
  act.life = Life::withdrawn;
  act.how = change.record.kind;
  act.ended = change.record.time;
}

void Check::of_start(Change& change) {
  Act& act = acts_[change.act];
  if (!change.fresh && act.life != Life::posted)
    return wrong(change, act.life == Life::running ? "it starts twice" : "it starts after it was over");
  act.life = Life::running;
  act.started = change.record.time;
  act.on = std::move(change.on);
  if (act.kind == ActivityKind::compute && act.work.valid() && workload_.shape_of(act.work) != nullptr)
    act.cores_of = std::move(change.cores);
  start(change.act, change.record);
}

void Check::of_end(const Change& change) {
  const Record& r = change.record;
  const std::size_t a = change.act;
  Act& act = acts_[a];
  if (change.fresh || act.life != Life::running) {
    wrong(change, change.fresh || act.life == Life::posted
                      ? fmt::format("it is {}, but never started", name_of(r.kind))
                      : fmt::format("it is {} after it was over", name_of(r.kind)));
    if (change.fresh) act.life = Life::withdrawn;
    return;
  }
  if (act.over_hosts() && change.on == act.on && change.cores != act.cores_of)
    wrong(change, "it gives back other cores than it took");
  if (change.on != act.on)
    wrong(change, fmt::format("it gives back other resources than it took ({})", names(change.on)));
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
