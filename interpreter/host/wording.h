// Facts about the words of the language that messages of the host tell. The words are above the host, so that
// it is given an object of this class.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/host/lua.h"
#include "runtime/kernel/error.h"

namespace perigee::host {

class Wording {
 public:
  virtual ~Wording() = default;
  // A note for an error of the native word that runs: how it is written. Empty = none.
  virtual std::string note_on_call(lua_State*, const Diagnostic&) const { return {}; }
  // The message when the native word that runs got no table as the argument at that place of the stack. Empty
  // when the word is not called `name`.
  virtual std::string table_needed(lua_State*, int, std::string_view) const { return {}; }
  // "function stats.mean"; for a function of the script its beginning: "function at a.lua:3".
  virtual std::string name_of_function(lua_State* L, int index) const;
  // Where to find a field that the type lacks: "it is now(t) now". Empty when nothing is known.
  virtual std::string instead_of_field(std::string_view, std::string_view) const { return {}; }
  // How a value of the type is written: "platform { part, ... }". Empty when nothing is known.
  virtual std::string made_by(std::string_view) const { return {}; }
  // Whether errors about this name, "str" or "math.inf", say what to write in its place.
  virtual bool knows_name(std::string_view) const { return false; }
};

}  // namespace perigee::host
