// The table of reasons: number, name and meaning of each.
#pragma once

#include <string_view>

#include "runtime/engine/event.h"

namespace perigee::engine {

// A refusal's reason in words, for people; "" if the name says it.
std::string_view meaning_of(Reason reason);

}  // namespace perigee::engine
