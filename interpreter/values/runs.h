// From a scenario and the options of a run to its result.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "interpreter/values/declarations.h"
#include "runtime/engine/history.h"
#include "runtime/engine/information.h"
#include "runtime/results/gantt.h"
#include "runtime/results/metrics.h"
#include "runtime/results/table.h"

namespace perigee::values {

// Options of s:run { }, s:start { } and s:compare { }.
struct RunRequest {
  ConfigPtr policy;
  RunOptions options;
  Instants instants;
  Information information;
  bool validate = false;
  bool asks_for_trace = false;             // at the level of `options`; otherwise a long run may forget
  TraceLevel accounts = TraceLevel::full;  // what is worked out meanwhile of a run that keeps less
  std::function<ClonePtr<Policy>(ClonePtr<Policy>)> around = nullptr;  // puts something around the policy
};

struct ResultValue {
  std::shared_ptr<const Outcome> outcome;
  std::uint64_t ordinal = 0;  // its place among the script's outcomes, from 1
  mutable std::optional<Metrics> metrics;
  std::shared_ptr<const History> history = nullptr;  // for r:why(work); null = not kept
  const Metrics& measured() const {
    if (!metrics) metrics.emplace(outcome);
    return *metrics;
  }
};

struct ComparisonValue {
  std::vector<ResultValue> results;
  std::vector<std::string> metrics;
  std::vector<std::string> names = {};  // names of the results, where the script gives some
};

// The warnings about a run that have been given, so that each is given once however often the run is looked
// at.
struct Warned {
  std::uint64_t rejected = 0;  // works that no host can run
  std::set<std::string> lines;
};

}  // namespace perigee::values

namespace perigee::host {

template <>
struct TypeName<values::ComparisonValue> {
  static constexpr const char* value = "comparison";
};
template <>
struct TypeName<values::ResultValue> {
  static constexpr const char* value = "result";
};

}  // namespace perigee::host
