// The table of reasons: number, name and meaning of each, those of the engine and those of families.
#pragma once

#include <string_view>

#include "runtime/engine/event.h"
#include "runtime/layers.h"

namespace perigee::schedulers {

struct ReasonRow {
  Reason number;  // enters the fingerprint, so that it stays
  std::string_view name;
  std::string_view meaning = {};
};

std::string_view name_of(Reason reason);
// A refusal's reason in words, for people; "" if the name says it.
std::string_view meaning_of(Reason reason);

}  // namespace perigee::schedulers
