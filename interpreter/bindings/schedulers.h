// Schedulers as scripts see them, and those that scripts write.
#pragma once

#include <memory>

#include "interpreter/stack.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::lua {

// What the global name of a scheduler holds.
struct Constructor {
  std::shared_ptr<const Entry> entry;
};
template <>
struct TypeName<Constructor> {
  static constexpr const char* value = "constructor";
};
void push_constructor(lua_State* L, std::shared_ptr<const Entry> entry);

// Enters what a script has written into the catalogue and the vocabulary; pushes its constructor.
void register_entry(lua_State* L, Entry entry);

// Parameters that a script's scheduler declares as `parameters = { name = default }`.
std::vector<Parameter> parameters_of(const Fields& fields);
// A table of their values, pushed.
void push_arguments(lua_State* L, const std::vector<Parameter>& parameters, const Arguments& arguments);

// Metatable of the arrays that a policy's callbacks get, used again and again.
inline constexpr const char* kBorrowed = "array of a callback";

// A copy of a policy's `self`, pushed: plain data with cycles and sharing kept. Error naming what cannot be
// copied.
void copy_plain(lua_State* L, int index, const std::string& who, const std::string& name);

// What the captured variables of a function hold, all that is reachable from them included.
struct Captured {
  std::string name;
  std::uint64_t high = 0, low = 0;
};
std::vector<Captured> captured_by(lua_State* L, int function);
// Error unless all that `function` captured is as it was at `registration`: a fork could not copy it.
void check_captured(lua_State* L, const Reference& function, const std::vector<Captured>& registration,
                    const std::string& who, const std::string& name);

}  // namespace perigee::lua
