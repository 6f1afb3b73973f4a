// What a scheduler of the catalogue is, for people: the same text on the command line and at the prompt.
#pragma once

#include <string>

#include "runtime/schedulers/catalogue.h"

namespace perigee {

std::string describe(const Entry& entry);

}  // namespace perigee
