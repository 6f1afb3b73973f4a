// The forms in which a notebook shows tables, figures and charts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "interpreter/host/stack.h"
#include "interpreter/notebook/publisher.h"
#include "runtime/pages/document.h"

namespace perigee::notebook {

// A chart whose page has more bytes is shown as text: each cell's output is kept in the notebook.
inline constexpr std::size_t kLargestChart = 4'000'000;

// A value, as the prompt has it and in a form of its own. May raise an error of its __tostring.
Bundle shown_value(lua_State* L, int index);
// The forms of an item that a script has shown; `text` is what a terminal gets in its place.
Bundle shown_item(const pages::Item& item, std::string_view text, std::size_t largest_chart = kLargestChart);

}  // namespace perigee::notebook
