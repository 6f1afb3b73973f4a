#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/schedulers/batch/host_kinds.h"
#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/plan.h"

namespace perigee::batch {

// Works are put into a plan one after the other. Where one has found no place before some time, none that asks for as
// much or more will. It holds on equal hosts with steady times, and at one time.
class PlaceBounds {
 public:
  // For another time, or another plan. To be called before the first work, too.
  void clear(Sim& sim) {
    bounds_.clear();
    if (kinds_.is_of(sim)) return;
    kinds_.follow(sim);
    alike_ = kinds_.are_all_alike() && has_steady_hosts(sim) && sim.estimate().is_faithful();
  }

  Time no_place_before(Sim& sim, const Sized& work) const {
    return bounds_.empty() ? 0 : no_place_before(asks_for(sim, work));
  }
  // The same of its end, as far as it can be told.
  Time no_end_before(Sim& sim, const Sized& work) const {
    constexpr double kRounding = 1e-9;
    const Bound asked = asks_for(sim, work);
    if (asked.nodes == 0) return 0;
    const Time end = std::max(sim.now(), no_place_before(asked)) + (asked.end - sim.now());
    return end - kRounding * std::max(1.0, end);
  }
  // The work has found this place, or none. `bound`: what no_place_before() said of it.
  void remember(Sim& sim, const Sized& work, const Placement& found, Time bound) {
    const Shape* shape = sim.view().workload().shape_of(work.work);
    if (shape != nullptr &&
        (shape->only != nullptr || shape->same != Together::anywhere || shape->demand != nullptr))
      return;
    const Time start = found.valid() ? found.start : kNever;
    if (!(start > std::max(sim.now(), bound))) return;
    Bound asked = asks_for(sim, work);
    asked.start = start;
    if (asked.nodes == 0) return;
    std::erase_if(bounds_, [&](const Bound& each) {  // of which it says as much, or more
      return each.start <= asked.start && asked.holds_for(each);
    });
    bounds_.push_back(asked);
  }

 private:
  struct Bound {
    std::int32_t nodes, cores;
    bool exclusive;
    Time end;  // if it started now
    Time start;

    bool holds_for(const Bound& other) const {
      return nodes <= other.nodes && cores <= other.cores && exclusive <= other.exclusive && end <= other.end;
    }
  };
  Time no_place_before(const Bound& asked) const {
    Time start = 0;
    for (const Bound& each : bounds_)
      if (asked.nodes > 0 && each.holds_for(asked)) start = std::max(start, each.start);
    return start;
  }
  // `nodes` is 0 where hosts or times differ. Times of jobs with checkpoints depend on which hosts they have.
  Bound asks_for(Sim& sim, const Sized& work) const {
    const View& view = sim.view();
    const Shape* declared = view.workload().shape_of(work.work);
    const Shape shape = declared != nullptr ? *declared : Shape{};
    const Work& asking = view.workload()[work.work];
    Bound asked{shape.nodes > 0 && work.size > 0 ? work.size : shape.nodes, asking.cores, shape.exclusive,
                kNever, kNever};
    const auto hosts = view.hosts();
    const auto wide = std::ranges::find_if(
        hosts, [&](const HostView& host) { return host.up && host.cores >= asked.cores; });
    if (!alike_ || shape.checkpoints || asking.form == TimeForm::by_host || wide == hosts.end())
      asked.nodes = 0;
    if (asked.nodes == 0) return asked;
    const Share share{HostId(static_cast<std::size_t>(wide - hosts.begin())), asked.cores};
    asked.end = expected_end(sim, work, std::span(&share, 1), sim.now());
    return asked;
  }

  std::vector<Bound> bounds_;
  HostKinds kinds_;
  bool alike_ = false;
};

}  // namespace perigee::batch
