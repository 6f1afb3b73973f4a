// Values as items of pages and notebooks.
#pragma once

#include <optional>

#include "interpreter/host/lua.h"
#include "interpreter/values/runs.h"
#include "runtime/pages/document.h"

namespace perigee::bindings {

// A list of rows or a comparison at `index`. Nothing for any other value.
std::optional<pages::Item> item_of(lua_State* L, int index);

pages::TableItem comparison_item(const ComparisonValue& comparison);
}  // namespace perigee::bindings
