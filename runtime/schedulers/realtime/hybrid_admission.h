// Admission of divisible loads: by exact plans while few wait, by their completion on all nodes together
// while many wait. Loads have no set-ups and one cost. The cluster has identical nodes behind one channel.
//
// Source: Mamat, 2011, section 6.3, Algorithms 9 to 11 (HYBRID).
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/schedulers/realtime/fast_admission.h"
#include "runtime/schedulers/realtime/staggered_plans.h"

namespace perigee::realtime {

class HybridAdmission {
 public:
  using Chunk = FastAdmission::Chunk;
  struct Switch {
    bool to_fast = false;
    bool done = false;  // false: refused, as a waiting load would have lost its guarantee
    std::size_t waiting = 0;
  };

  // The fast test begins when `threshold` >= 1 loads wait. Error "bad_costs" as in both tests.
  HybridAdmission(const UnitCosts& costs, std::size_t nodes, std::size_t threshold, double tolerance);

  // See FastAdmission and StaggeredPlans. Changes to the other test first when it is time, unless the other
  // test could not keep the promises to waiting loads.
  Reason arrive(std::uint32_t id, Time now, double size, Time deadline);
  // The change of test that the last arrival made or tried; none if there was no cause.
  const std::optional<Switch>& last_switch() const { return last_switch_; }

  Time next_dispatch() const { return is_fast_ ? fast_.next_dispatch() : exact_.next_start(); }
  // Calls each(Chunk) for the chunks that it sends, in the order of transmission.
  template <class F>
  void dispatch(F&& each);

  bool is_fast() const { return is_fast_; }
  std::size_t waiting() const { return is_fast_ ? fast_.waiting() : exact_.plans().size(); }
  const FastAdmission& fast() const { return fast_; }
  const StaggeredPlans& exact() const { return exact_; }
  Time node_free(std::size_t node) const { return is_fast_ ? fast_.node_free(node) : exact_.node_free(node); }
  Time channel_free() const { return is_fast_ ? fast_.channel_free() : exact_.channel_free(); }
  void set_free(std::size_t node, Time at) {
    is_fast_ ? fast_.set_free(node, at) : exact_.set_free(node, at);
  }
  void set_channel_free(Time at) { is_fast_ ? fast_.set_channel_free(at) : exact_.set_channel_free(at); }

 private:
  bool go_fast(Time now);
  bool go_exact(Time now);

  UnitCosts costs_;
  std::size_t nodes_, threshold_;
  double tolerance_;
  StaggeredPlans exact_;
  FastAdmission fast_;
  bool is_fast_ = false;
  std::optional<Switch> last_switch_;
};

template <class F>
void HybridAdmission::dispatch(F&& each) {
  if (is_fast_) return each(fast_.dispatch());
  const StaggeredPlans::Plan plan = exact_.send();
  for (const StaggeredPlans::Chunk& chunk : plan.chunks)
    each(Chunk{.id = plan.id,
               .node = chunk.node,
               .size = chunk.size,
               .start = chunk.start,
               .last = &chunk == &plan.chunks.back()});
}

}  // namespace perigee::realtime
