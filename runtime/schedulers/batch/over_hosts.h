// The policies with promises, for jobs over several hosts.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "runtime/engine/sim.h"
#include "runtime/schedulers/batch/list_policy.h"

namespace perigee::batch {

// `promises_count`: reservations leave their hosts to what is promised.
std::unique_ptr<Policy> easy_over_hosts(HostRule rule, Mold mold, bool promises_count);
std::unique_ptr<Policy> conservative_over_hosts(HostRule rule, Mold mold, bool promises_count);
// With promises of so many hosts, for jobs that take whole ones. Error "not_countable" of any other job.
std::unique_ptr<Policy> conservative_by_count();

// Whether an outage that is known has begun since then, or should be over. No event says so where the host was, or stays,
// down for another reason; but only now it is known to come back, or not.
inline bool windows_changed(const Sim& sim, Time since) {
  const auto reached = [&](Time at) { return at > since && at <= sim.now(); };
  return std::ranges::any_of(
      sim.windows(), [&](const Window& window) { return reached(window.from) || reached(window.to); });
}

// Whether the event is that an outage begins or ends as was known beforehand, on a host where nothing runs.
inline bool is_foreseen(const Sim& sim, const Event& event) {
  if ((event.kind != EventKind::down && event.kind != EventKind::up) || !event.on.host().valid() ||
      !sim.running_on(event.on.host()).empty())
    return false;
  return std::ranges::any_of(sim.windows(), [&](const Window& window) {
    const Time at = event.kind == EventKind::down ? window.from : window.to;
    return window.on == event.on && at == event.at && window.known < at;
  });
}

// Whether an outage that is known has begun since then, or should be over, and no event says that it went as foreseen.
inline bool windows_surprise(const Sim& sim, Time since, std::span<const Event> events) {
  const auto reached = [&](const Window& window, Time at, EventKind kind) {
    return at > since && at <= sim.now() && std::ranges::none_of(events, [&](const Event& event) {
             return event.kind == kind && event.on == window.on && event.at == at && window.known < at;
           });
  };
  return std::ranges::any_of(sim.windows(), [&](const Window& window) {
    return reached(window, window.from, EventKind::down) || reached(window, window.to, EventKind::up);
  });
}

}  // namespace perigee::batch
