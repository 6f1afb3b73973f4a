#include "runtime/engine/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "runtime/engine/simulation.h"
#include "runtime/kernel/quantity.h"

namespace perigee::engine {
namespace {

using Kind = Decision::Kind;

std::string cores_text(std::int32_t count) { return fmt::format("{} core{}", count, count == 1 ? "" : "s"); }

// The record of the last start, post or refusal of the work; its time is -1 if the trace has none.
Record last_decided(const Trace& trace, WorkId work) {
  for (std::size_t i = trace.size(); i-- > 0;) {
    const Record& record = trace[i];
    if (record.work != work || record.copy != 0) continue;
    const bool acts = (record.kind == RecordKind::started || record.kind == RecordKind::posted) &&
                      (record.what == ActivityKind::compute || record.what == ActivityKind::hold);
    if (acts || record.kind == RecordKind::rejected || record.kind == RecordKind::expired) return record;
  }
  return {.time = -1};
}

// Says how many activities come before the work in the queue of its host, and which is first.
std::string queue_text(const Sim& sim, HostId host, WorkId work) {
  const std::vector<ActivityId> queue = sim.queued_on(ResourceId::of(host));
  const Workload& workload = sim.view().workload();
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto activity = sim.activity(queue[i]);
    if (!activity || activity->work != work || activity->kind != ActivityKind::compute) continue;
    std::string text = fmt::format("posted on {}, it waits for {}", sim.view().platform()[host].name,
                                   sim.obstacle_of(queue[i]));
    if (i > 0) {
      const auto first = sim.activity(queue.front());
      text += fmt::format("; {} before it there, {} first", i,
                          first && first->work.valid() ? workload.name_of(first->work) : "a transfer");
    }
    return text;
  }
  return {};
}

}  // namespace

std::string_view name_of(Decision::Kind kind) {
  switch (kind) {
    case Kind::none:
      return "none";
    case Kind::waits:
      return "waits";
    case Kind::planned:
      return "planned";
    case Kind::posted:
      return "posted";
    case Kind::started:
      return "started";
    case Kind::rejected:
      return "rejected";
    case Kind::expired:
      return "expired";
  }
  return "none";
}

namespace {

// Which consumable is short for a share that has idle cores.
std::string shortage(const Sim& sim, const Demand& demand, const Share& share) {
  const View& view = sim.view();
  const Platform& platform = view.platform();
  const std::span<const double> stock = view.free_on(share.host), licences = view.free_licences();
  if (const Demand::OfHost* item = demand.short_of(stock, share.cores); item != nullptr) {
    const std::string& what = platform.consumables()[item->what];
    return fmt::format("{} of {} {} free, {} needed", model::amount_text(what, stock[item->what]),
                       model::amount_text(what, platform.supply(share.host, item->what)), what,
                       model::amount_text(what, item->of(share.cores)));
  }
  if (const Demand::OfAll* item = demand.short_of_licence(licences); item != nullptr)
    return fmt::format("{} of {} of licence '{}' free, {} needed", format_number(licences[item->what]),
                       format_number(platform.licences()[item->what].count),
                       platform.licences()[item->what].name, format_number(item->count));
  return {};
}

// Says what keeps all work from a host that is up but not on; empty: it is on.
std::string power_text(const Sim& sim, HostId host) {
  const Power power = sim.view()[host].power;
  if (power == Power::on) return {};
  const std::string on = format_number(sim.on_from(host));
  if (power == Power::booting) return fmt::format("boots until t = {} s", on);
  if (sim.boots(host)) return fmt::format("{}, then boots until t = {} s", text_of(power), on);
  return fmt::format("{}, could be on at t = {} s", text_of(power), on);
}

// Why the host, which is up, has no room for a share of the job.
std::string obstacle_to_share(Sim& sim, WorkId work, const Shape& shape, HostId host) {
  const HostView& now = sim.view()[host];
  const Host& declared = sim.view().platform()[host];
  const std::int32_t share = shape.nodes > 0 ? sim.view().workload()[work].cores : 1,
                     needed = shape.exclusive || declared.exclusive ? declared.cores : share;
  if (!shape.allows(host)) return "is not among those it may use";
  if (share > declared.cores)
    return fmt::format("has {}, {} {} needed", cores_text(declared.cores), share, share == 1 ? "is" : "are");
  if (sim.estimate().end_of(sim, {work, 0, 1}, host, sim.now()) == kNever) return "cannot run it";
  if (std::string off = power_text(sim, host); !off.empty()) return off;
  if (now.idle >= needed) {
    if (std::string room = sim.shortage_of_room(work, host); !room.empty()) return room;
    return shape.demand != nullptr ? shortage(sim, *shape.demand, {host, share}) : "";
  }
  if (declared.exclusive && now.running > 0) return "serves one work at a time, and is busy";
  if (now.running == 0) return "kept for something else";
  return fmt::format("{} of {} idle, {} {} needed", now.idle, cores_text(declared.cores), needed,
                     needed == 1 ? "is" : "are");
}

}  // namespace

std::string obstacle(Sim& sim, WorkId work, HostId host) {
  const View& view = sim.view();
  const HostView& now = view[host];
  const Host& declared = view.platform()[host];
  const Work& wanted = view.workload()[work];
  if (!now.up) return "down";
  if (const Shape* shape = view.workload().shape_of(work)) return obstacle_to_share(sim, work, *shape, host);
  if (wanted.cores > declared.cores)
    return fmt::format("has {}, {} {} needed", cores_text(declared.cores), wanted.cores,
                       wanted.cores == 1 ? "is" : "are");
  if (sim.estimate().end_of(sim, {work, 0, 1}, host, sim.now()) == kNever) return "cannot run it";
  if (std::string off = power_text(sim, host); !off.empty()) return off;
  if (!sim.fits(work, host)) {
    const std::int32_t needed =
        wanted.kind == WorkKind::sweep || wanted.kind == WorkKind::load ? declared.cores : wanted.cores;
    if (now.idle >= needed && !sim.is_ready(work)) return "it waits for others";
    if (now.idle >= needed)
      return !(sim.true_duration({work, 0, 1}, host) < kNever) ? "cannot run it"
             : !sim.shortage_of_room(work, host).empty()       ? sim.shortage_of_room(work, host)
                                                               : "its cluster is away";
    if (declared.exclusive && now.running > 0) return "serves one work at a time, and is busy";
    if (now.running == 0) return "kept for something else";
    return fmt::format("{} of {} idle, {} {} needed", now.idle, cores_text(declared.cores), needed,
                       needed == 1 ? "is" : "are");
  }
  for (const FileId file : view.workload().inputs(work))
    if (!sim.in_store(file, now.cluster))
      return fmt::format("'{}' is not in its cluster", view.workload().files[file.index].name);
  return {};
}

bool Decision::is_on(HostId each) const { return each == host || std::ranges::binary_search(also_on, each); }

void Recorder::decides(Sim& sim, Kind kind, HostId host, Reason reason) {
  decides(sim, {.kind = kind, .work = work_, .host = host, .time = sim.now(), .reason = reason});
}

void Recorder::decides(Sim& sim, Kind kind, std::span<const Share> shares) {
  Decision decision{.kind = kind, .work = work_, .host = shares.front().host, .time = sim.now()};
  for (const Share& share : shares.subspan(1)) decision.also_on.push_back(share.host);
  decides(sim, std::move(decision));
}

void Recorder::decides(Sim& sim, Decision decision) {
  if (decision.kind == Kind::started) {
    if (sim.now() < from_) return;
    if (last_.kind == Kind::planned && last_.host == decision.host) {
      last_.kind = Kind::started;
      last_.started = sim.now();
      return;
    }
    decision.started = sim.now();
  }
  last_ = std::move(decision);
  ask(sim, last_);
}

void Recorder::waits() {
  Sim& sim = *sim_;
  const Decision before = std::move(last_);
  if (before.kind == Kind::planned || before.kind == Kind::posted)
    last_ = before;
  else
    last_ = {.kind = Kind::waits, .work = work_, .time = sim.now()};
  if (before.kind == Kind::posted) {
    last_.notes.push_back(queue_text(sim, before.host, work_));
    return;
  }
  if (before.kind == Kind::planned) {
    if (const std::string text = obstacle(sim, work_, before.host); !text.empty())
      last_.notes.push_back(fmt::format("{}: {}", sim.view().platform()[before.host].name, text));
    return;
  }
  ask(sim, last_);
}

void Recorder::take_changes(const Recorder& changed) {
  const auto name = [&](HostId host) { return sim_->view().platform()[host].name; };
  if (last_.kind == Kind::planned) {
    const std::string now = obstacle(*changed.sim_, work_, last_.host);
    if (now != obstacle(*sim_, work_, last_.host) && !now.empty())
      last_.notes.push_back(fmt::format("{}: {}", name(last_.host), now));
  }
  for (Comparison::Candidate& candidate : last_.hosts.candidates) {
    const HostId host(candidate.index);
    const std::string before = obstacle(*sim_, work_, host), now = obstacle(*changed.sim_, work_, host);
    if (now.empty() && last_.hosts.score == "estimated end, s") {
      const Piece piece{work_, 0, sim_->view().workload().size_of(work_)};
      candidate.score = changed.sim_->estimate().end_of(*changed.sim_, piece, host, changed.sim_->now());
    }
    if (now == before) continue;
    if (!now.empty() || candidate.note == before) {
      candidate.note = now;
      candidate.open = now.empty();
    }
  }
  last_.notes.push_back(
      fmt::format("the next step tells '{}' of what was just changed", simulation_->policy_name()));
}

void Recorder::refused_at_arrival(Time at) {
  const View& view = sim_->view();
  if (std::string over = model::why_over_queue(view.workload(), view.platform(), work_);
      !over.empty() && sim_->why_never(work_).empty()) {
    last_ = {.kind = Kind::rejected, .work = work_, .time = at, .reason = Reason::limit};
    last_.policy = simulation_->policy_name();
    last_.rule = "it is above a maximum of its queue, so its policy was not told";
    last_.notes.push_back(std::move(over));
    return;
  }
  last_ = {.kind = Kind::rejected, .work = work_, .time = at, .reason = Reason::infeasible};
  last_.policy = simulation_->policy_name();
  last_.rule = "no host could ever run it, so its policy was not told";
  if (sim_->view().workload().shape_of(work_) != nullptr)
    last_.notes.push_back(sim_->why_never(work_));
  else
    list_hosts(*sim_, last_);
  if (std::string in_none = model::why_in_no_store(sim_->view().workload(), sim_->view().platform(), work_);
      !in_none.empty() && last_.notes.empty())
    last_.notes.push_back(std::move(in_none));
}

void Recorder::ask(Sim& sim, Decision& decision) {
  decision.policy = simulation_->policy_name();
  simulation_->policy().why(sim, work_, decision);
  if (decision.kind == Kind::waits && sim.is_held_back(work_))
    decision.notes.push_back("it is passed over: " + sim.why_held_back(work_));
  list_hosts(sim, decision);
}

// Adds the hosts that the policy has not compared. Notes what keeps a waiting work from each host.
void Recorder::list_hosts(Sim& sim, Decision& decision) const {
  Comparison& hosts = decision.hosts;
  const std::size_t count = sim.view().hosts().size();
  if (hosts.candidates.empty() && hosts.score.empty()) hosts.score = "estimated end, s";
  const bool by_estimate = hosts.score == "estimated end, s";
  std::vector<std::uint8_t> known(count, 0);
  for (Comparison::Candidate& candidate : hosts.candidates) {
    known[candidate.index] = 1;
    if (decision.kind == Kind::waits && candidate.note.empty())
      candidate.note = obstacle(sim, work_, HostId(candidate.index));
  }
  for (std::size_t h = 0; h < count; ++h) {
    if (known[h] != 0) continue;
    Comparison::Candidate candidate{.index = static_cast<std::uint32_t>(h)};
    candidate.note = obstacle(sim, work_, HostId(h));
    candidate.open = candidate.note.empty() || decision.is_on(HostId(h));
    if (by_estimate && candidate.open) {
      const Piece piece{work_, 0, sim.view().workload().size_of(work_)};
      candidate.score = sim.estimate().end_of(sim, piece, HostId(h), sim.now());
    }
    hosts.candidates.push_back(std::move(candidate));
  }
  std::ranges::stable_sort(hosts.candidates, {}, &Comparison::Candidate::index);
}

Time arrival_of(const Trace& trace, WorkId work) {
  for (std::size_t i = 0; i < trace.size(); ++i)
    if (trace[i].kind == RecordKind::arrived && trace[i].work == work) return trace[i].time;
  return 0;
}

Decision why_changed(Simulation changed, WorkId work) {
  Recorder recorder(work, kNever);
  changed.attach(&recorder);
  if (changed.view()[work].state == WorkState::rejected)
    recorder.refused_at_arrival(changed.now());
  else
    recorder.waits();
  Decision decision = recorder.last();
  if (decision.kind == Kind::waits)
    decision.rule = fmt::format("the next step tells '{}' of what was just changed", changed.policy_name());
  changed.attach(nullptr);
  return decision;
}

namespace {

// When the tasks before it had been computed, and when what they made for it was in the cluster of its host.
void add_predecessors(const Simulation& now, WorkId work, Decision& decision) {
  const Workload& workload = now.view().workload();
  if (workload.precedence == nullptr || work.index >= workload.precedence->tasks()) return;
  constexpr std::size_t kMost = 20;
  const auto before = workload.precedence->predecessors(work.index);
  struct Ended {
    Time at = -1;
    HostId on;
  };
  std::map<std::uint32_t, Ended> ended;  // per predecessor
  std::map<FileId, Time> came;           // to the cluster
  const Trace& trace = now.trace();
  const bool known = decision.host.valid();
  const ClusterId cluster = known ? now.view()[decision.host].cluster : ClusterId{};
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Record& record = trace[i];
    if (record.time > decision.started) break;
    if (record.kind != RecordKind::ended) continue;
    if (record.what == ActivityKind::compute && record.on.host().valid() &&
        std::ranges::binary_search(before, record.work.index))
      ended[record.work.index] = {record.time, record.on.host()};
    if (record.what == ActivityKind::transfer_in && known &&
        record.on.link() == now.view().platform()[cluster].link && record.first != cluster.index + 1.0)
      came[record.file] = record.time;  // one that does not leave it
  }
  for (const std::uint32_t each : before.first(std::min(before.size(), kMost))) {
    const std::string name = workload.name_of(WorkId(each));
    const auto found = ended.find(each);
    if (found == ended.end()) {
      decision.notes.push_back(fmt::format("behind {}, which has not been computed", name));
      continue;
    }
    std::string text =
        fmt::format("behind {}, computed on {} at {} s", name, now.view().platform()[found->second.on].name,
                    format_number(found->second.at));
    if (known && now.view()[found->second.on].cluster != cluster)
      for (const FileId file : workload.inputs(work))
        if (const auto at = came.find(file);
            at != came.end() &&
            std::ranges::find(workload.outputs(WorkId(each)), file) != workload.outputs(WorkId(each)).end())
          text +=
              fmt::format(", '{}' came at {} s", workload.files[file.index].name, format_number(at->second));
    decision.notes.push_back(std::move(text));
  }
  if (before.size() > kMost)
    decision.notes.push_back(fmt::format("and behind {} others", before.size() - kMost));
}

}  // namespace

Decision why(const Simulation& now, WorkId work, Simulation again,
             const std::function<void(Simulation&)>& step) {
  const WorkState state = now.view()[work].state;
  if (state == WorkState::future)
    return {.work = work, .time = now.view().workload()[work].arrival, .policy = now.policy_name()};
  const bool traced = now.trace().level() == TraceLevel::full;
  const Record found = traced ? last_decided(now.trace(), work) : Record{.time = -1};
  const Time last = found.time;
  const bool waits = state == WorkState::waiting || state == WorkState::pending;
  const bool began = !waits && found.time >= 0;
  Recorder recorder(work, waits ? kNever : std::max(last, 0.0),
                    began ? found.first : std::numeric_limits<double>::quiet_NaN());
  again.attach(&recorder);
  const std::uint64_t instants = now.view().instant();
  while (again.view().instant() < instants) {
    if (traced && !waits && again.next_time() > last) break;
    step(again);
  }
  if (waits) {
    if (!again.over() && again.next_time() > now.now())
      again.run_until(now.now());  // nothing happens until then
    recorder.waits();
    if (again.has_changes()) {
      Simulation changed = again.with_changes();
      Recorder present(work, kNever);
      changed.attach(&present);
      recorder.take_changes(present);
      changed.attach(nullptr);
    }
  }
  Decision decision = recorder.last();
  if (!decision.work.valid() && state == WorkState::rejected) {
    Simulation present = now;  // which knows what was submitted on the way
    Recorder at_arrival(work, kNever);
    present.attach(&at_arrival);
    at_arrival.refused_at_arrival(now.view().workload()[work].arrival);
    decision = at_arrival.last();
    present.attach(nullptr);
  }
  decision.work = work;
  if (decision.kind == Kind::posted && found.kind == RecordKind::started) decision.started = last;
  if (traced) add_predecessors(now, work, decision);
  again.attach(nullptr);
  return decision;
}

}  // namespace perigee::engine
