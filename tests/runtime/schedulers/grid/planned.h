// Runs of a planner.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/schedulers/catalogue.h"
#include "tests/support/grids.h"
#include "tests/support/layers.h"

namespace perigee::test {

inline Simulation planned(std::shared_ptr<const Scenario> scenario, const std::map<std::string, Value>& given,
                          std::uint64_t seed = 1) {
  const ConfigPtr config = Catalogue().configure("planner", given);
  RunOptions options;
  options.seed = seed;
  return {std::move(scenario),
          {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants},
          perfect_estimator(),
          options};
}

// The time when each task begins, and the time when its output is at home.
inline std::vector<std::pair<Time, Time>> planner_times_of(const Outcome& outcome) {
  std::vector<std::pair<Time, Time>> times(outcome.works.size());
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    if (record.kind == RecordKind::started && record.what == ActivityKind::compute)
      times[record.work.index].first = record.time;
    if (record.kind == RecordKind::finished) times[record.work.index].second = record.time;
  }
  return times;
}

}  // namespace perigee::test
