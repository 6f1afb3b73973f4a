// Changes of a run that processes and people ask for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "interpreter/values/declarations.h"

namespace perigee::bindings {

// The end of the message that there is no outage to recover from.
inline constexpr const char* kReserved = "; it is reserved, and a reservation lasts until its time";

// A call of sim:fail(name [, { ... }]), recover, leave, join or change, of processes and of simulations under
// way: argument 2 names a host, cluster or link, argument 3 is a table of options.
struct Asked {
  Happening happening;
  bool with_hosts = false;             // a cluster joins, and its hosts with it
  std::vector<Profile> profiles = {};  // profiles of a change; the happening holds places in this list
  // All happenings, in order. `add` keeps a profile and returns its place.
  std::vector<Happening> all(const Platform& platform,
                             const std::function<std::uint32_t(Profile)>& add) const;
};
// If the present time `now` is given, the option `at` gives the time of the happening, not earlier than
// `now`.
Asked asked_at(lua_State* L, const char* word, HappeningKind kind, const PlatformValue& platform,
               std::optional<Time> now = {});

}  // namespace perigee::bindings
