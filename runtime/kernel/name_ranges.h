// Lists of names and numbers in texts for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/layers.h"

namespace perigee::kernel {

// The names, in their order, with the separator between them. Three or more that are counted on become a range:
// "n.1..n.64", "n.1..n.64:2" for cores of each ("n.1:2", ...), "r07..r12". After `most` names and ranges comes
// " and 7 more", which are names. Values for programs have all names.
std::string name_ranges(const std::vector<std::string>& names, std::string_view separator = " ",
                        std::size_t most = std::numeric_limits<std::size_t>::max());
// The same of names that blanks separate.
std::string name_ranges(std::string_view names);
// "1, 2 or 4"; of many the first ones and the last, "1, 2, 3, 4, 5, 6, 7, ... or 64".
std::string one_of(std::span<const std::int32_t> ascending);

}  // namespace perigee::kernel
