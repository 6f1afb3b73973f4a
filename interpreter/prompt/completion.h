// Ways to go on with the text before the cursor.
#pragma once

#include <string>
#include <vector>

#include "interpreter/host/stack.h"

namespace perigee::prompt {

// Texts that may replace the last `length` bytes of `source`. They are not yet compared with these bytes.
std::vector<std::string> completions(lua_State* L, const std::string& source, std::size_t& length,
                                     bool& files);

}  // namespace perigee::prompt
