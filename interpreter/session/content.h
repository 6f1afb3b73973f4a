// Digests of values by their content, so that one run of perigee can recognize values of another. A table is
// known by its entries, a function by its code and by the values that it captures and names, a native value
// by the way it was made.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/session/cells.h"
#include "interpreter/session/digest.h"

namespace perigee::session {

struct Content {
  std::string digest;
  std::string unknown;  // the first value without a digest: "a simulation"; empty = none
};

// How the contents of values are told.
class Contents {
 public:
  // The words of perigee, kept if constructors note their arguments.
  const WordNames& names() const { return names_; }
  void set_names(WordNames names) { names_ = std::move(names); }
  // How the content of a native type is told by the object at the index of a stack.
  using Tell = std::string (*)(lua_State* L, int index);
  void note(std::string_view type, Tell tell) { types_[std::string(type)] = tell; }
  const std::map<std::string, Tell>& types() const { return types_; }

 private:
  WordNames names_;
  std::map<std::string, Tell> types_;
};

// The content of the value at `index` and of everything reachable from it.
Content content_of(lua_State* L, int index);
// The same. Also pushes a list of the functions and native values that were met.
Content push_content(lua_State* L, int index);

// Everything that functions see besides their arguments. `parts` has one part for each thing they see, and
// the policies and heuristics of the script; `digest` is that of all together. Functions have names such as
// "run".
struct Reach {
  std::vector<KeyPart> parts;
  std::string digest;
  std::string unknown;  // "the variable 'sim', which 'run' captured, holds a simulation"
};
Reach reach_of(lua_State* L, const std::vector<std::pair<std::string, Reference>>& functions);

// ---- recipes.cpp ----

// Makes words note how values were made, where cells are kept. To be called when all words are open.
void open_recipes(lua_State* L);

// Pushes the way in which a native value was made: a table of a digest and of the functions and native values
// that its constructor was given. Returns false when it is not known.
bool push_recipe(lua_State* L, int index);
// Calls f(name) for each policy and heuristic of the script, with its recipe on top of the stack.
void each_registered(lua_State* L, const std::function<void(const std::string& name)>& f);

}  // namespace perigee::session
