// Digests of values of a script and of everything reachable from them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::session {

// The words of perigee before the script: object -> name.
using WordNames = std::unordered_map<const void*, std::string>;

struct Digest {
  std::uint64_t high = 0, low = 0;
  std::string unknown;  // the first value without a content: "a simulation"; empty = none
  std::string text() const;
};

// Digests the value on top of the stack. Functions and native values are known by identity or, with the names
// of the vocabulary, by content. `keep`: a list of the functions and native values that were met, and whose
// content may change, is left above the value. A native value has those in it in its own recipe.
Digest digest_of(lua_State* L, const WordNames* names = nullptr, bool keep = false);

}  // namespace perigee::session
