// The parts of a function of a script: the names in its text, its code, the variables that it captured, the
// globals that it may use.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::session {

// The identifiers in the texts of functions, each function read once.
class WordsInFunctions {
 public:
  using Words = std::optional<std::vector<std::string>>;
  // The words of the function at `index`, which may name globals; nothing when its text is not known or names
  // _ENV, so that it may use any.
  const Words& of(lua_State* L, int index);
  void forget() { known_.clear(); }  // files may have changed

 private:
  std::map<std::tuple<std::string, int, int>, std::optional<Words>> known_;  // file, first and last line
};

// f(name, verb) with the value on top of the stack, for each global and module that the function may use;
// a function that can call `load` may use all globals.
void each_global(lua_State* L, int function,
                 const std::function<void(std::string name, const char* verb)>& f);

// f(name, i) with the value on top of the stack, for each variable that the function captured.
void each_captured(lua_State* L, int function, const std::function<void(const char* name, int i)>& f);

// The code of the function on top of the stack, without the lines where it stands and the places of what it
// captures.
std::string code_of(lua_State* L);

}  // namespace perigee::session
