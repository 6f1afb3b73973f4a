// Where two runs part.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::results {

// The first time at which not the same happened in both, whatever the order within an instant; notes do not
// count. Beside each other what only the first run has, and what only the second has: about the same work
// where there is such; none = all that happened there happened in the other run too.
struct Difference {
  Time time = 0;
  std::optional<Record> first, second;
};

// Null when they are the same as far as both have come, or when their platforms are not alike. Traces that
// forks share are not looked through: the cost is that of what came after. Error "no_trace" where a run has
// kept none.
std::optional<Difference> first_difference(const Outcome& first, const Outcome& second);

// What two runs were given differently, a line each: policy, seed, platform, workload, events, interventions.
std::vector<std::string> different_settings(const Outcome& first, const Outcome& second);
bool alike(const Platform& first, const Platform& second);  // the same hosts, clusters and links by name

// A record in words: "task 3 was started on fast.1".
std::string text_of(const Record& record, const Platform& platform, const Workload& workload);

// Several lines, each ended by "\n".
std::string text_of(const std::optional<Difference>& difference, const Outcome& first, const Outcome& second);

}  // namespace perigee::results
