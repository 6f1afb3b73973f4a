// Source: Mamat, 2011, section 6.3, see the header.
#include "runtime/schedulers/realtime/hybrid_admission.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/schedulers/realtime/reasons.h"

namespace perigee::realtime {

HybridAdmission::HybridAdmission(const UnitCosts& costs, std::size_t nodes, std::size_t threshold,
                                 double tolerance)
    : costs_(costs),
      nodes_(nodes),
      threshold_(threshold),
      tolerance_(tolerance),
      exact_(costs, nodes, IdleTimes::exact, tolerance),
      fast_(costs, nodes, HeadStart::safe, tolerance) {}

// Plans that have not begun are dropped; their loads wait as a whole.
bool HybridAdmission::go_fast(Time now) {
  FastAdmission fast(costs_, nodes_, HeadStart::safe, tolerance_);
  std::vector<Time> free(nodes_);
  for (std::size_t node = 0; node < nodes_; ++node) free[node] = exact_.node_free(node);
  fast.set_free(free);
  fast.set_channel_free(exact_.channel_free());
  std::vector<DeadlineQueue::Load> loads;
  for (const StaggeredPlans::Plan& plan : exact_.plans())
    loads.push_back({.deadline = plan.deadline,
                     .arrival = plan.arrival,
                     .id = plan.id,
                     .size = plan.size,
                     .left = plan.size});
  if (!fast.take_over(loads, now)) return false;
  fast_ = std::move(fast);
  return true;
}

bool HybridAdmission::go_exact(Time now) {
  StaggeredPlans exact(costs_, nodes_, IdleTimes::exact, tolerance_);
  for (std::size_t node = 0; node < nodes_; ++node) exact.set_free(node, fast_.node_free(node));
  exact.set_channel_free(fast_.channel_free());
  std::vector<StaggeredPlans::Load> loads;
  fast_.queue().for_each([&](const DeadlineQueue::Load& load, double) {
    loads.push_back({load.id, load.left, load.deadline, load.arrival});
  });
  if (!exact.take_over(loads, now)) return false;
  exact_ = std::move(exact);
  return true;
}

Reason HybridAdmission::arrive(std::uint32_t id, Time now, double size, Time deadline) {
  last_switch_.reset();
  const bool many = waiting() >= threshold_;
  if (many != is_fast_) {
    const bool done = many ? go_fast(now) : go_exact(now);
    last_switch_ = Switch{.to_fast = many, .done = done, .waiting = waiting()};
    if (done) is_fast_ = many;
  }
  if (is_fast_) return fast_.arrive(id, now, size, deadline);
  return exact_.arrive(id, now, size, deadline) ? Reason::none : refusal::plan;
}

}  // namespace perigee::realtime
