// Digests of values by what they are and do, so that they can be told from one run of perigee to the next:
// tables by their entries, functions by their code and by what they capture and name, native values by how they
// were made.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/experiments/design.h"
#include "interpreter/stack.h"

namespace perigee::interpreter::lua {

struct Content {
  std::string digest;
  std::string unknown;  // the first thing that cannot be told so: "a simulation"; empty = none
};

// Of the value at `index` and all that is reachable from it.
Content content_of(lua_State* L, int index);
// The same; pushes a list of the functions and native values that were met.
Content push_content(lua_State* L, int index);

// What the functions see besides their arguments, one part each, by names such as "run"; the policies and
// heuristics of the script; and a digest of all together.
struct Reach {
  std::vector<experiments::KeyPart> parts;
  std::string digest;
  std::string unknown;  // "the variable 'sim', which 'run' captured, holds a simulation"
};
Reach reach_of(lua_State* L, const std::vector<std::pair<std::string, Reference>>& functions);

// ---- recipes.cpp ----

// Pushes how a native value was made: a table of a digest and of the functions and native values that were
// given. Or returns false.
bool push_recipe(lua_State* L, int index);
// f(name) with the recipe on top of the stack, for each policy and heuristic of the script.
void each_registered(lua_State* L, const std::function<void(const std::string& name)>& f);

}  // namespace perigee::interpreter::lua
