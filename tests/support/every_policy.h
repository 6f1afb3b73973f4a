// The policies of the catalogue, for tests of what all must do.
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

// Every policy with its defaults and, for each parameter that is a choice, has words or is a mapper, with
// each of its values; small searches only.
std::vector<ConfiguredPolicy> every_policy();

}  // namespace perigee::test
