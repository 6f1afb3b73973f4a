// The ways of files: from the origin to each cluster.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/model/platform.h"

namespace perigee::model {

using Route = std::vector<LinkId>;

// Links from the origin to each cluster, in order: least latency, then fewest hops, then the lowest node and
// link in order of declaration. Links that are not `up` are left out (empty = all up); `latencies` has those
// of all links, s. Empty when the cluster cannot be reached. All are found at once, on one tree.
std::vector<Route> all_routes(const Platform& platform, std::span<const std::uint8_t> up,
                              std::span<const Seconds> latencies);
std::vector<Route> all_routes(const Platform& platform, Time now);  // latencies of `now`, all links up
std::vector<Seconds> latencies_at(const Platform& platform, Time now);

}  // namespace perigee::model
