// The policies of the catalogue, for tests of rules that hold for all of them.
#pragma once

#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"

namespace perigee::test {

struct ConfiguredPolicy {
  std::string text;
  ConfigPtr config;
  PolicySetup setup() const {
    return {text, config->make_policy(), config->entry->accepts, config->entry->instants};
  }
};

// Every policy with its defaults, and with each value of each parameter that is a choice, has words or is a
// mapper. Searches are small. Not among them: promise = "count", which needs jobs that take whole hosts
// (counted_promises_test.cpp), optimal and branch_and_bound, which give up where there are many tasks, and the rules "low_power" and "least_energy", and words of off_after, which
// need hosts that declare their power (tests/lua/power.lua, tests/runtime/results/energy_test.cpp).
std::vector<ConfiguredPolicy> every_policy();

}  // namespace perigee::test
