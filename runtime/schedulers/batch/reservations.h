#pragma once

#include <span>

#include "runtime/engine/sim.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/plan.h"
#include "runtime/schedulers/batch/running_jobs.h"
#include "runtime/schedulers/realtime/reasons.h"

namespace perigee::batch {

// Advance reservations: work that asks for whole hosts during an interval. They are admitted when they arrive, before
// jobs are looked at, on the lowest hosts that will be idle all that time by what runs, known outages and reservations
// that were admitted. Promises to jobs do not count: they are made anew around it. Slurm admits them so too, on nodes
// whose jobs will be over.
class Reservations {
 public:
  // For a policy that begins or takes over.
  void begin(Sim& sim) {
    const View& view = sim.view();
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w)
      if (ArrivalQueue::is_reservation(view, WorkId(w)) && sim.waits(WorkId(w)) && !view[WorkId(w)].accepted)
        admit(sim, WorkId(w));
  }
  // True if one was admitted, or lost its hosts.
  bool follow(Sim& sim, std::span<const Event> events) {
    bool changed = false;
    for (const Event& event : events) {
      if (!event.work.valid() || !ArrivalQueue::is_reservation(sim.view(), event.work)) continue;
      if (event.kind == EventKind::arrived) changed = admit(sim, event.work) || changed;
      if (event.kind != EventKind::lost || sim.view()[event.work].state != WorkState::waiting) continue;
      sim.expire(event.work);
      changed = true;
    }
    return changed;
  }

 private:
  static bool admit(Sim& sim, WorkId work) {
    const View& view = sim.view();
    const WorkExtra& wanted = view.workload().extras[view.workload()[work].extra];
    if (wanted.from < sim.now()) {
      sim.reject(work, realtime::refusal::past);
      return false;
    }
    RunningJobs running;
    running.reset(sim);
    Plan plan;
    plan.reset(sim, running);
    Posting hold;
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      if (hold.hosts.size() == static_cast<std::size_t>(wanted.hosts)) break;
      if (plan.idle(HostId(h), wanted.from, wanted.to) == view.platform()[HostId(h)].cores)
        hold.hosts.push_back(HostId(h));
    }
    if (hold.hosts.size() < static_cast<std::size_t>(wanted.hosts)) {
      sim.reject(work, realtime::refusal::nodes);
      return false;
    }
    sim.accept(work);
    hold.kind = ActivityKind::hold;
    hold.piece = {work, 0, 1};
    hold.not_before = hold.rank = wanted.from;
    hold.to = wanted.to;
    hold.io_until = wanted.from + (wanted.to - wanted.from) * wanted.io_ratio;
    hold.with_link = hold.io_until > wanted.from;
    sim.post(hold);
    return true;
  }
};

}  // namespace perigee::batch
