// Types that several words return or give to functions, as vocabulary.h writes types.
#pragma once

#include <string_view>

namespace perigee::language::types {

inline constexpr std::string_view kMapping =
    "{ machine: (integer|false)[], order: integer[], completion: number[], makespan: number }";
inline constexpr std::string_view kRecord = "n: integer, record: fun(i: integer, rng: random stream): table";

}  // namespace perigee::language::types
