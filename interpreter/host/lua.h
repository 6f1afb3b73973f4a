// The one place that includes Lua, and the rules for code around Lua that follow from its build.
//
// perigee links Lua compiled as C++ (Debian's lua5.4-c++): the names are C, errors are C++ exceptions.
//   - lua_error, luaL_error and the luaL_check functions unwind: destructors of the frames between them
//     and the protected call run.
//   - The thrown object is Lua's own pointer, no std::exception. `catch (...)` around a Lua call would
//   swallow it and leave the state broken; catch std::exception.
//   - A C++ exception that escapes into a protected call is caught there with no message on the stack. Turn
//     it into a Lua error before it leaves the C++ function.
//   - A yield across a frame unwinds it the same way.
#pragma once

#include "interpreter/layers.h"

#include <lua.hpp>  // IWYU pragma: export

#include <cstddef>
#include <cstdint>

static_assert(LUA_VERSION_NUM == 504);

namespace perigee::host {

// The number of places in the hash of the table: keys that are not in its array, and free places. Lua 5.4
// keeps its logarithm in byte 11 of a table; a table without a hash has one place, which is free.
inline std::uint64_t places_of_hash(const void* table) noexcept {
  constexpr std::size_t kLogarithm = 11;
  return std::uint64_t{1} << (static_cast<const std::uint8_t*>(table)[kLogarithm] & 31);
}

}  // namespace perigee::host
