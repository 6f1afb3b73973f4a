// The state of a run at a time: the clock, what is simulated, and the owners of all that changes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/engine/state/activities.h"
#include "runtime/engine/state/hosts.h"
#include "runtime/engine/state/links.h"
#include "runtime/engine/state/posts.h"
#include "runtime/engine/state/presence.h"
#include "runtime/engine/state/stores.h"
#include "runtime/engine/state/timers.h"
#include "runtime/engine/state/works.h"
#include "runtime/model/scenario.h"

namespace perigee::engine {

// A value. Each owner keeps its own part in order; the verbs of Sim keep them in agreement.
struct State {
  std::shared_ptr<const Scenario> scenario;
  const Platform* platform;  // of the scenario
  const Workload* workload;
  Time now = 0;
  std::uint64_t instant = 0, round = 0;  // see View

  Activities activities;
  Hosts hosts;
  Links links;
  std::vector<Presence> clusters;  // outages of whole clusters; each counts for link and hosts too
  Stores stores;
  Works works;
  Posts posts;
  Timers timers;
  std::uint32_t thinker = kNone;  // slot of the activity that is scheduling time

  explicit State(std::shared_ptr<const Scenario> declared);
  void extend(std::shared_ptr<const Workload> longer);  // it begins with the present works

  const Presence& presence(ResourceId on) const {
    return on.kind() == ResourceKind::host   ? hosts.presence(on.host())
           : on.kind() == ResourceKind::link ? links.presence(on.link())
                                             : clusters[on.at()];
  }
};

}  // namespace perigee::engine
