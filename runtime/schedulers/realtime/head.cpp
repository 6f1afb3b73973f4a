// The head of a cluster. Source: Mamat, 2011, section 3.2 (the model of the cluster).
#include "runtime/schedulers/realtime/head.h"

#include <algorithm>
#include <utility>

#include "runtime/schedulers/realtime/demands.h"
#include "runtime/schedulers/realtime/head_policy.h"

namespace perigee::realtime {

HeadLoad load_of(Sim& sim, WorkId work) {
  const View& view = sim.view();
  const Link& link = head_link(view);
  HeadLoad load{.size = view.workload().size_of(work), .costs = {}};
  load.costs.transmission = sim.estimate().bytes(sim, work) / link.bandwidth.at(0);
  load.costs.transmission_setup = link.latency.at(0);
  const bool any_up = std::ranges::any_of(view.hosts(), [](const HostView& host) { return host.up; });
  for (std::size_t h = 0; h < view.hosts().size(); ++h) {
    if (any_up && !view.hosts()[h].up) continue;
    const Host& host = view.platform().hosts()[h];
    const Piece all{work, 0, load.size};
    Seconds computation = any_up ? sim.estimate().duration(sim, all, HostId(h)) - host.setup : kNever;
    if (computation == kNever)  // nobody knows when it will be there
      computation = declared_time(view.workload(), all, host, HostId(h), view.hosts()[h].architecture);
    load.costs.computation = std::max(load.costs.computation, computation / load.size);
    load.costs.computation_setup = std::max(load.costs.computation_setup, host.setup);
  }
  return load;
}

Time free_from(Sim& sim, HostId host) {
  Time free = sim.now();
  for (const ActivityId id : sim.running_on(host)) free = std::max(free, sim.estimate().end_of(sim, id));
  for (const ActivityId id : sim.queued_on(ResourceId::of(host)))
    if (const auto posted = sim.activity(id); posted && posted->kind == ActivityKind::compute)
      free += sim.estimate().duration(sim, posted->piece, host);
  return free;
}

Time channel_free_from(Sim& sim) {
  const View& view = sim.view();
  Time free = sim.now();
  for (std::size_t h = 0; h < view.hosts().size(); ++h)
    for (const ActivityId id : sim.running_on(HostId(h)))
      if (const auto running = sim.activity(id); running && running->kind == ActivityKind::chunk)
        free = std::max(free, sim.estimate().end_of(sim, id));
  for (const ActivityId id : sim.queued_on(ResourceId::of(view.platform().clusters()[0].link)))
    if (const auto posted = sim.activity(id); posted && posted->kind == ActivityKind::chunk) {
      const UnitCosts costs = load_of(sim, posted->work).costs;
      free += costs.transmission_setup + posted->piece.size * costs.transmission;
    }
  return free;
}

void Head::start_anew(Sim& sim) {
  lost_.clear();
  timer_ = {};
  due_ = sim.now();
}

void Head::lost(WorkId work) {
  if (std::ranges::find(lost_, work) == lost_.end()) lost_.push_back(work);
}

void Head::react(Sim& sim, std::span<const Event> events) {
  due_ = sim.now();
  for (const Event& event : events) due_ = std::max(due_, event.at);
  for (const Event& event : events) switch (event.kind) {
      case EventKind::timer:
        timer_ = {};
        break;
      case EventKind::arrived:
        arrived(sim, event.work, event.at);
        break;
      case EventKind::lost:
        if (event.work.valid()) lost(event.work);
        [[fallthrough]];
      case EventKind::down:
      case EventKind::up:
        if (event.kind == EventKind::down && event.on.host().valid()) take_back(sim, event.on.host());
        if (event.on.host().valid()) host_changed(sim, event.on.host());
        break;
      case EventKind::stalled:  // a host's unknown end is known now, or never will be
        for (std::size_t h = 0; h < sim.view().hosts().size(); ++h) host_changed(sim, HostId(h));
        plan_again(sim);
        break;
      default:
        break;
    }
  go_on(sim);
}

// Withdraws chunks that wait for the host: they would block the channel until it is back.
void Head::take_back(Sim& sim, HostId host) {
  for (const ActivityId id : sim.queued_on(ResourceId::of(host))) {
    const auto posted = sim.activity(id);
    if (!posted || posted->kind != ActivityKind::chunk) continue;
    sim.withdraw(id);
    lost(posted->work);
  }
}

void Head::send_lost(Sim& sim) {
  std::erase_if(lost_, [&](WorkId work) {
    while (sim.waits(work)) {
      const double before = sim.undealt(work);
      if (!send_again(sim, work)) return false;
      if (sim.undealt(work) == before) break;  // the rest is not lost
    }
    return true;
  });
}

void Head::go_on(Sim& sim) {
  send_lost(sim);
  send_due(sim);
  send_lost(sim);
  const Time next = next_due();
  if (timer_.valid() && next == timer_at_) return;
  if (timer_.valid()) sim.cancel(timer_);
  timer_ = {};
  timer_at_ = next;
  if (next < kNever && next > due_) timer_ = sim.timer(next, TimerPhase::due, Keeps::alive);
}

Entry head_entry(std::string name, std::string summary) {
  Entry entry;
  entry.name = std::move(name);
  entry.family = Family::realtime;
  entry.role = Role::policy;
  entry.summary = std::move(summary);
  entry.parameters = {{.name = "tolerance",
                       .type = ParameterType::number,
                       .summary = "relative, of comparing planned ends with deadlines",
                       .fallback = kEps,
                       .min = 0,
                       .max = 1e-3}};
  entry.accepts = {.loads = true, .streams = true, .demands = &kAlikeLoads};
  entry.instants = {.tolerance = 1e-12};
  return entry;
}

}  // namespace perigee::realtime
