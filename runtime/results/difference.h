// The first difference of two runs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::results {

// The first time at which different things happened in the two runs. The order within an instant and notes do
// not count. `first` is a record that only the first run has, `second` one that only the second has, about
// the same work if there is one. None = everything that happened there happened in the other run too.
struct Difference {
  Time time = 0;
  std::optional<Record> first, second;
};

// None if the runs are the same as far as both have come, or if their platforms are not alike. The parts of
// traces that forks share are skipped, so the cost is that of the later parts. Error "no_trace" if a run has
// kept no trace.
std::optional<Difference> first_difference(const Outcome& first, const Outcome& second);

// The differences in what the runs were given, a line each: policy, seed, platform, workload, events,
// interventions.
std::vector<std::string> different_settings(const Outcome& first, const Outcome& second);
// Whether platform, work and events are the same: both runs are of one scenario.
bool same_scenario(const Outcome& first, const Outcome& second);
bool alike(const Platform& first, const Platform& second);  // the same hosts, clusters and links by name

// A record in words: "task 3 was started on fast.1".
std::string text_of(const Record& record, const Platform& platform, const Workload& workload);

// Several lines, each ended by "\n".
std::string text_of(const std::optional<Difference>& difference, const Outcome& first, const Outcome& second);

}  // namespace perigee::results
