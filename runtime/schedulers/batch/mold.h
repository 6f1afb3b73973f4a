// The size of moldable jobs, which policies choose at the start, among the sizes that the platform could ever give.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/engine/sim.h"
#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/plan.h"

namespace perigee::batch {

inline bool is_moldable(const View& view, WorkId work) { return view.workload().sizes_of(work) != nullptr; }

// The sizes that the rule leaves open: one of them, or, of `earliest`, all; { 0 } for other works.
inline std::span<const std::int32_t> open_sizes(const Sim& sim, WorkId work, Mold mold) {
  static constexpr std::int32_t kTheOnlyOne[] = {0};
  if (!is_moldable(sim.view(), work)) return kTheOnlyOne;
  const std::span<const std::int32_t> all = sim.possible_sizes(work);
  if (all.empty() || mold == Mold::earliest) return all;
  return mold == Mold::least ? all.first(1) : all.last(1);
}

// The open sizes in which its queue and quality of service let the work start now; none: it is to be passed over.
inline std::span<const std::int32_t> sizes_now(const Sim& sim, WorkId work, Mold mold) {
  return sim.not_held_back(work, open_sizes(sim, work, mold));
}
inline bool is_passed_over(const Sim& sim, WorkId work, Mold mold) {
  const Shape* shape = sim.view().workload().shape_of(work);
  if (shape == nullptr || !shape->takes_turns) return false;
  return shape->sizes != nullptr ? sizes_now(sim, work, mold).empty() : sim.is_held_back(work);
}

// The placement that ends first, of place(sized) for each size that the rule leaves open; of equals that of the least
// size. A size in which the job is expected to reach its limit is taken only where that holds for all. The job ends at
// no_end_before(sized) or later, and a size is not tried where that is too late.
template <class Place, class NoEndBefore>
Placement place_molded(const Sim& sim, WorkId work, Mold mold, Place place, NoEndBefore no_end_before) {
  const Seconds limit = sim.limit_of(work);
  Placement best;
  bool best_is_cut = true;
  for (const std::int32_t size :
       is_moldable(sim.view(), work) ? sizes_now(sim, work, mold) : open_sizes(sim, work, mold)) {
    const Sized sized(work, size);
    if (!best_is_cut && no_end_before(sized) >= best.end) continue;
    Placement found = place(sized);
    if (!found.valid()) continue;
    const bool is_cut = found.end >= found.start + limit;
    if (best.valid() && (is_cut != best_is_cut ? is_cut : !(found.end < best.end))) continue;
    best = std::move(found);
    best_is_cut = is_cut;
  }
  return best;
}
template <class Place>
Placement place_molded(const Sim& sim, WorkId work, Mold mold, Place place) {
  return place_molded(sim, work, mold, place, [](const Sized&) { return Time{0}; });
}

// Where a moldable job that is first in line starts, by the plan: now on what is really idle, or at the earliest time
// when it fits, in the size that ends first. If that is later it waits.
inline Placement place_first(Sim& sim, WorkId work, Mold mold, const Plan& plan, HostRuleView rule) {
  return place_molded(sim, work, mold, [&](const Sized& sized) {
    Placement now = plan.place(sim, sized, sim.now(), rule, true);
    return now.valid() ? std::move(now) : plan.earliest(sim, sized, sim.now(), rule);
  });
}
inline bool is_start(Sim& sim, WorkId work, const Placement& found) {
  return found.valid() && !(found.start > sim.now()) && sim.fits(work, found.shares);
}

}  // namespace perigee::batch
