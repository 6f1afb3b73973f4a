// The policies with promises, for jobs over several hosts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/schedulers/batch/list_policy.h"

namespace perigee::batch {

// `promises_count`: reservations leave their hosts to what is promised.
std::unique_ptr<Policy> easy_over_hosts(HostRule rule, Mold mold, bool promises_count,
                                        const PowerSettings& power);
std::unique_ptr<Policy> conservative_over_hosts(HostRule rule, Mold mold, bool promises_count,
                                                const PowerSettings& power);
// With promises of so many hosts, for jobs that take whole ones. Error "not_countable" of any other job.
std::unique_ptr<Policy> conservative_by_count();
extern const engine::Demands kCountable;  // the same before the run

// Whether an outage that is known has begun since then, or should be over. No event says so where the host was, or stays,
// down for another reason; but only now it is known to come back, or not.
inline bool windows_changed(const Sim& sim, Time since) {
  const auto reached = [&](Time at) { return at > since && at <= sim.now(); };
  return std::ranges::any_of(
      sim.windows(), [&](const Window& window) { return reached(window.from) || reached(window.to); });
}

// An outage begins (EventKind::down) or ends (EventKind::up) on a resource.
struct WindowTurn {
  EventKind kind;
  std::uint32_t on;
  Time at;
  auto operator<=>(const WindowTurn&) const = default;
};

// The begins and ends of windows since then that were known before, ascending.
inline std::vector<WindowTurn> foreseen_turns(const Sim& sim, Time since) {
  std::vector<WindowTurn> turns;
  for (const Window& window : sim.windows())
    for (const auto& [kind, at] :
         {std::pair(EventKind::down, window.from), std::pair(EventKind::up, window.to)})
      if (at > since && at <= sim.now() && window.known < at) turns.push_back({kind, window.on.packed(), at});
  std::ranges::sort(turns);
  return turns;
}

// Whether an outage has begun or should be over since then that was not known before.
inline bool any_unforeseen(const Sim& sim, Time since) {
  return std::ranges::any_of(sim.windows(), [&](const Window& window) {
    const auto reached = [&](Time at) { return at > since && at <= sim.now() && !(window.known < at); };
    return reached(window.from) || reached(window.to);
  });
}

// Whether it went as it was to: all these turns are among the events.
inline bool all_came(std::span<const WindowTurn> turns, std::span<const Event> events) {
  std::vector<WindowTurn> came;
  for (const Event& event : events) came.push_back({event.kind, event.on.packed(), event.at});
  std::ranges::sort(came);
  return std::ranges::includes(came, turns);
}

}  // namespace perigee::batch
