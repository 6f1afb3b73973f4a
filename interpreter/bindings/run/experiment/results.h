// Methods of experiments that are over.
#pragma once

#include <cstdint>

#include "interpreter/experiments/coordinator.h"
#include "interpreter/experiments/design.h"
#include "interpreter/host/stack.h"

namespace perigee::bindings {

// Opens the type of experiments, with its methods.
void open_results_of_experiments(lua_State* L);
// Adds experiment.load to the word `experiment`.
void open_module_of_experiments(lua_State* L);

// The trailing { confidence =, warnings = } of e:table.
struct MeanOptions {
  double confidence = 0.95;
  bool warnings = false;
};
MeanOptions mean_options(lua_State* L, int index);
// The level of the factor that is the baseline: the first, unless another is named.
std::uint32_t baseline_of(const Fields& fields, const experiments::Factor& factor);

}  // namespace perigee::bindings
