#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interpreter/host/fields.h"
#include "runtime/model/platform.h"

namespace perigee::bindings {

// A table of counts by name, as { gpu = 4 }, in order of the names; empty if the field is not given.
std::vector<std::pair<std::string, double>> counts_of(const host::Fields& fields,
                                                      const host::FieldRow& field);

// The fields memory and resources of a host.
void read_supplies(const host::Fields& fields, model::Host& host);

}  // namespace perigee::bindings
