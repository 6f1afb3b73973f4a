#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/plan.h"

namespace perigee::batch {

// Works are put into a plan one after the other. Where one has found no place before some time, none that asks for as
// much or more will. It holds on equal hosts with steady times, and at one time.
class PlaceBounds {
 public:
  // To be called when hosts may have changed.
  void look_at_hosts(Sim& sim) {
    const View& view = sim.view();
    const auto kind = [&](std::size_t h) {
      const Host& host = view.platform().hosts()[h];
      return std::tuple(host.speed, host.availability.at(0), host.setup, view.hosts()[h].speed,
                        view.hosts()[h].architecture);
    };
    alike_ = has_steady_hosts(sim) && sim.estimate().is_faithful();
    for (std::size_t h = 1; h < view.hosts().size() && alike_; ++h) alike_ = kind(h) == kind(0);
  }
  // For another time, or another plan.
  void clear() { bounds_.clear(); }

  Time no_place_before(Sim& sim, WorkId work) const {
    if (bounds_.empty()) return 0;
    const Bound asked = asks_for(sim, work);
    Time start = 0;
    for (const Bound& each : bounds_)
      if (asked.nodes > 0 && each.holds_for(asked)) start = std::max(start, each.start);
    return start;
  }
  // The work has found this place, or none. `bound`: what no_place_before() said of it.
  void remember(Sim& sim, WorkId work, const Placement& found, Time bound) {
    const Shape* shape = sim.view().workload().shape_of(work);
    if (shape != nullptr &&
        (shape->only != nullptr || shape->same != Together::anywhere || shape->demand != nullptr))
      return;
    const Time start = found.valid() ? found.start : kNever;
    if (!(start > std::max(sim.now(), bound))) return;
    Bound asked = asks_for(sim, work);
    asked.start = start;
    if (asked.nodes > 0) bounds_.push_back(asked);
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
  // `nodes` is 0 where hosts or times differ. Times of jobs with checkpoints depend on which hosts they have.
  Bound asks_for(Sim& sim, WorkId work) const {
    const View& view = sim.view();
    const Shape* declared = view.workload().shape_of(work);
    const Shape shape = declared != nullptr ? *declared : Shape{};
    Bound asked{shape.nodes, view.workload()[work].cores, shape.exclusive, kNever, kNever};
    const auto hosts = view.platform().hosts();
    const auto wide =
        std::ranges::find_if(hosts, [&](const Host& host) { return host.cores >= asked.cores; });
    if (!alike_ || shape.checkpoints || view.workload()[work].form == TimeForm::by_host ||
        wide == hosts.end())
      asked.nodes = 0;
    if (asked.nodes == 0) return asked;
    const Share share{HostId(static_cast<std::size_t>(wide - hosts.begin())), asked.cores};
    asked.end = expected_end(sim, work, std::span(&share, 1), sim.now());
    return asked;
  }

  std::vector<Bound> bounds_;
  bool alike_ = false;
};

}  // namespace perigee::batch
