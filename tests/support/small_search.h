#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"

namespace perigee::test {

// Integer parameters of a mapper limit its search. Here they are at most ten, so that a test of every mapper
// ends soon.
inline std::map<std::string, Value> small_search(const Entry& entry) {
  std::map<std::string, Value> given;
  for (const Parameter& parameter : entry.parameters) {
    const double* fallback = std::get_if<double>(&parameter.fallback);
    if (parameter.type == ParameterType::integer && fallback != nullptr && *fallback > 10)
      given[parameter.name] = std::clamp(10.0, parameter.min, parameter.max);
  }
  return given;
}

// True if it searches for the best of all, and gives up with an error where there are many tasks: tests of every
// scheduler leave it out, or give it few tasks.
inline bool gives_up(const Entry& entry) {
  return entry.name == "optimal" || entry.name == "branch_and_bound";
}

// True if the parameter can be that scheduler.
inline bool can_be(const Parameter& parameter, const Entry& entry) {
  return (parameter.type == ParameterType::mapper && entry.role == Role::mapper) ||
         (parameter.type == ParameterType::chart_mapper && entry.charts()) ||
         (parameter.type == ParameterType::graph && entry.role == Role::graph);
}

}  // namespace perigee::test
