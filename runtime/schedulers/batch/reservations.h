#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/mold.h"
#include "runtime/schedulers/batch/plan.h"
#include "runtime/schedulers/batch/running_jobs.h"
#include "runtime/schedulers/realtime/reasons.h"

namespace perigee::batch {

// Advance reservations: work that asks for whole hosts during an interval. They are admitted when they arrive, before
// jobs are looked at, on the lowest hosts that will be idle all that time by what runs, known outages and reservations
// that were admitted. Promises to jobs do not count, unless the policy says so: they are made anew around it. Slurm admits
// them so too, on nodes whose jobs will be over. One that has not begun when its time is over is given up.
//
// Jobs inside of a reservation wait for it. On its hosts they start in order of arrival, the first blocks the rest, and
// who would not be over with it does not start. They are rejected when it is rejected, given up or over, and when nothing
// runs in it and there is still no room for them.
class Reservations {
 public:
  // For a policy that begins or takes over.
  void begin(Sim& sim) {
    const View& view = sim.view();
    expected_.clear();
    inside_.clear();
    wakes_.clear();
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w) {
      const WorkId work(w);
      if (view[work].state != WorkState::waiting) continue;
      if (ArrivalQueue::reservation_of(view, work).valid()) put_inside(view, work);
      if (!ArrivalQueue::is_reservation(view, work)) continue;
      if (view[work].accepted)
        expect(sim, work);
      else
        admit(sim, work, [](Plan&) {});
    }
    serve_inside(sim);
  }
  // True if one was admitted, has lost its hosts, or is over. take_promises(plan) puts those into the plan that count when
  // a reservation is admitted.
  bool follow(Sim& sim, std::span<const Event> events) {
    return follow(sim, events, [](Plan&) {});
  }
  template <class TakePromises>
  bool follow(Sim& sim, std::span<const Event> events, TakePromises take_promises) {
    bool changed = false;
    for (const Event& event : events) {
      if (event.kind == EventKind::timer) changed = give_up(sim, event.timer()) || changed;
      if (event.work.valid() && ArrivalQueue::reservation_of(sim.view(), event.work).valid() &&
          sim.view()[event.work].state == WorkState::waiting)
        put_inside(sim.view(), event.work);
      if (!event.work.valid() || !ArrivalQueue::is_reservation(sim.view(), event.work)) continue;
      if (event.kind == EventKind::arrived) changed = admit(sim, event.work, take_promises) || changed;
      if (event.kind != EventKind::lost || sim.view()[event.work].state != WorkState::waiting) continue;
      const auto known = std::ranges::find(expected_, event.work, &Expected::work);
      if (known != expected_.end()) {
        sim.cancel(known->over);
        expected_.erase(known);
      }
      sim.expire(event.work, event.why);
      changed = true;
    }
    serve_inside(sim);
    return changed;
  }

  // Jobs that the last call of begin() or follow() started inside of reservations.
  std::span<const std::pair<WorkId, std::vector<Share>>> just_started() const { return started_; }

  // Explains what waits or starts here. False if the work is neither a reservation nor inside of one.
  bool why(Sim& sim, WorkId work, Decision& out) const {
    const View& view = sim.view();
    if (ArrivalQueue::is_reservation(view, work)) {
      out.rule =
          "it is admitted where enough hosts will be wholly idle all that time, by what runs and is known; "
          "of these it has the lowest";
      return true;
    }
    const WorkId reservation = ArrivalQueue::reservation_of(view, work);
    if (!reservation.valid()) return false;
    const std::string name = view.workload().name_of(reservation);
    out.rule = fmt::format(
        "on the hosts of {} works start in order of arrival, if they are over when it is; the first blocks the rest",
        name);
    out.works = {.score = "arrival, s", .better = Prefer::smallest, .ties = "order of input"};
    for (const WorkId other : inside_) {
      if (ArrivalQueue::reservation_of(view, other) != reservation ||
          (other != work && !ArrivalQueue::earlier(view, other, work)))
        continue;
      out.works.candidates.push_back(
          {.index = other.index, .score = view.workload()[other].arrival, .open = other == work});
    }
    out.hosts = {.score = "idle cores", .better = Prefer::neither, .ties = ""};
    const engine::Hold* hold = sim.hold_under_way(reservation);
    if (hold == nullptr) {
      out.notes.push_back(fmt::format("{} is {}", name, name_of(view[reservation].state)));
      return true;
    }
    for (const HostId host : hold->hosts)
      out.hosts.candidates.push_back(
          {.index = host.index, .score = static_cast<double>(sim.idle_inside(reservation, host))});
    out.notes.push_back(fmt::format("{} is over at {} s, {} s from now; by estimate it takes {} s", name,
                                    format_number(hold->to), format_number(hold->to - sim.now()),
                                    format_number(shortest_of(sim, work))));
    return true;
  }

 private:
  struct Expected {
    TimerId over;
    WorkId work;
  };

  static const WorkExtra& wanted_by(const View& view, WorkId work) {
    return view.workload().extras[view.workload()[work].extra];
  }

  void expect(Sim& sim, WorkId work) {
    const Time over = std::max(sim.now(), wanted_by(sim.view(), work).to);
    expected_.push_back({sim.timer(over), work});
  }

  bool give_up(Sim& sim, TimerId timer) {
    const auto found = std::ranges::find(expected_, timer, &Expected::over);
    if (found == expected_.end()) return false;
    const WorkId work = found->work;
    expected_.erase(found);
    if (!sim.view().works().has(work.index) || sim.view()[work].state != WorkState::waiting) return false;
    sim.expire(work, Reason::late);
    return true;
  }

  void put_inside(const View& view, WorkId work) {
    if (std::ranges::find(inside_, work) != inside_.end()) return;
    inside_.insert(std::ranges::upper_bound(
                       inside_, work, [&](WorkId a, WorkId b) { return ArrivalQueue::earlier(view, a, b); }),
                   work);
  }

  void serve_inside(Sim& sim) {
    started_.clear();
    std::vector<WorkId> served;  // reservations whose first job must wait
    std::erase_if(inside_, [&](WorkId work) {
      const View& view = sim.view();
      if (view[work].state != WorkState::waiting) return true;
      const WorkId reservation = ArrivalQueue::reservation_of(view, work);
      const WorkState state = view[reservation].state;
      if (state >= WorkState::finished) {
        sim.reject(work, Reason::reservation);
        return true;
      }
      if (state == WorkState::future || std::ranges::find(served, reservation) != served.end()) return false;
      if (is_passed_over(sim, work, Mold::earliest)) return false;
      if (start_inside(sim, work, reservation)) return true;
      if (is_idle_inside(sim, reservation)) {  // there will be no more room
        sim.reject(work, Reason::reservation);
        return true;
      }
      served.push_back(reservation);
      return false;
    });
  }

  static bool is_idle_inside(const Sim& sim, WorkId reservation) {
    const engine::Hold* hold = sim.hold_under_way(reservation);
    return hold != nullptr && std::ranges::all_of(hold->hosts, [&](HostId host) {
             return sim.idle_inside(reservation, host) == sim.view().platform()[host].cores;
           });
  }

  bool start_inside(Sim& sim, WorkId work, WorkId reservation) {
    if (sim.hold_under_way(reservation) == nullptr) {
      if (const Time from = wanted_by(sim.view(), reservation).from;
          from > sim.now() && std::ranges::find(wakes_, reservation) == wakes_.end()) {
        sim.timer(from);  // nothing else says that it has begun
        wakes_.push_back(reservation);
      }
      return false;
    }
    Plan plan;
    plan.reset_inside(sim, reservation);
    const Placement found = place_molded(sim, work, Mold::earliest, [&](const Sized& sized) {
      return plan.place(sim, sized, sim.now(), HostChoice::fastest, true);
    });
    if (!found.valid() || !sim.fits(work, found.shares)) return false;
    sim.start(work, found.shares);
    started_.emplace_back(work, found.shares);
    return true;
  }

  // The link of the cluster of the first host is needed in the first part of the time.
  static bool takes_held_link(const Sim& sim, HostId first, Time from, Time until) {
    bool taken = false;
    const LinkId link = sim.view().platform()[sim.view()[first].cluster].link;
    sim.each_hold([&](const Hold& hold, bool) {
      taken = taken || (hold.link == link && hold.from < until && from < hold.io_until);
    });
    return taken;
  }

  template <class TakePromises>
  bool admit(Sim& sim, WorkId work, TakePromises take_promises) {
    const View& view = sim.view();
    const WorkExtra& wanted = wanted_by(view, work);
    const auto refuse = [&](Reason why) {
      sim.reject(work, why);
      return false;
    };
    if (wanted.from < sim.now()) return refuse(realtime::refusal::past);
    RunningJobs running;
    running.reset(sim);
    Plan plan;
    plan.reset(sim, running);
    take_promises(plan);
    Posting hold;
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      if (hold.hosts.size() == static_cast<std::size_t>(wanted.hosts)) break;
      if (plan.idle(HostId(h), wanted.from, wanted.to) == view.platform()[HostId(h)].cores)
        hold.hosts.push_back(HostId(h));
    }
    if (hold.hosts.size() < static_cast<std::size_t>(wanted.hosts)) return refuse(realtime::refusal::nodes);
    hold.kind = ActivityKind::hold;
    hold.piece = {work, 0, 1};
    hold.not_before = hold.rank = wanted.from;
    hold.to = wanted.to;
    hold.io_until = wanted.from + (wanted.to - wanted.from) * wanted.io_ratio;
    hold.with_link = hold.io_until > wanted.from;
    if (hold.with_link && takes_held_link(sim, hold.hosts.front(), wanted.from, hold.io_until))
      return refuse(realtime::refusal::io);
    sim.accept(work);
    sim.post(hold);
    expect(sim, work);
    return true;
  }

  std::vector<Expected> expected_;  // to begin
  std::vector<WorkId> inside_;      // jobs that wait for theirs, by place in line
  std::vector<WorkId> wakes_;       // whose beginning has a timer
  std::vector<std::pair<WorkId, std::vector<Share>>> started_;
};

}  // namespace perigee::batch
