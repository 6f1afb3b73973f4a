// The routes of files from the origin to each cluster.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/model/platform.h"

namespace perigee::model {

using Route = std::vector<LinkId>;

// Links from the origin to each cluster, in order. A route has the least latency, then the fewest hops, then
// the lowest node and link in order of declaration. Links that are not `up` are left out; an empty `up` means
// that all are up. `latencies` has one entry per link, in seconds. Empty when the cluster cannot be reached.
// One tree gives all routes at once.
std::vector<Route> all_routes(const Platform& platform, std::span<const std::uint8_t> up,
                              std::span<const Seconds> latencies);
// The same from another cluster, from its gateway on, which also leads to itself over nothing.
std::vector<Route> all_routes(const Platform& platform, ClusterId from, std::span<const std::uint8_t> up,
                              std::span<const Seconds> latencies);
std::vector<Route> all_routes(const Platform& platform, Time now);  // latencies of `now`, all links up
std::vector<Seconds> latencies_at(const Platform& platform, Time now);

}  // namespace perigee::model
