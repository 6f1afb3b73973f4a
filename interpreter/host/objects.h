// Native objects that scripts hold, and the tables of words.
#pragma once

#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/host/lua.h"
#include "interpreter/host/natives.h"

namespace perigee::host {

// Specialized for every type that scripts hold. Its value is the type's name in tostring and messages.
template <class T>
struct TypeName;

// The native object behind Lua's block of it.
template <class T>
T* value_in(void* block) {
  Native* held = block == nullptr ? nullptr : *static_cast<Native**>(block);
  return held == nullptr ? nullptr : &static_cast<NativeOf<T>*>(held)->value;
}

template <class T>
T* test(lua_State* L, int index) {
  return value_in<T>(luaL_testudata(L, index, TypeName<T>::value));
}

[[noreturn]] void wrong_type(lua_State* L, int index, std::string_view what, std::string_view expected);

// `what` says what the value is for: "scenario: platform".
template <class T>
T& check(lua_State* L, int index, std::string_view what = {}) {
  if (T* found = test<T>(L, index)) return *found;
  wrong_type(L, index, what, TypeName<T>::value);
}

Natives& natives_of(lua_State* L);

template <class T>
T& push_new(lua_State* L, T value) {
  auto* place = static_cast<Native**>(lua_newuserdatauv(L, sizeof(Native*), 0));
  luaL_getmetatable(L, TypeName<T>::value);  // comes before the object: it may fail when memory is short
  auto* held = new NativeOf<T>(natives_of(L), std::move(value));
  *place = held;
  lua_setmetatable(L, -2);
  return held->value;
}

// Data that the methods of a native type share, as their upvalue 1.
struct MethodsOfType {
  const void* metatable;
  const void* last;  // the block of an object that is known to be of the type, or a table bound to one
  void* object;      // that object; both are reset when it is collected
};

// The object that a method is called with, or null when argument 1 is of another type. It is check() without
// its cost, for methods of new_type() that are called millions of times. Such methods answer at once when all
// is well. Else they guard themselves and complain.
template <class T>
T* lean(lua_State* L) {
  void* block = lua_touserdata(L, 1);
  auto* type = static_cast<MethodsOfType*>(lua_touserdata(L, lua_upvalueindex(1)));
  if (block == nullptr) return nullptr;
  if (block == type->last) return static_cast<T*>(type->object);
  if (lua_getmetatable(L, 1) == 0) return nullptr;
  const bool same = lua_topointer(L, -1) == type->metatable;
  lua_pop(L, 1);
  if (!same) return nullptr;
  type->last = block;
  type->object = value_in<T>(block);
  return static_cast<T*>(type->object);
}

// The native object on the top of the stack becomes a table that has the methods of its type as fields, so
// that they are found without a metamethod.
void bind(lua_State* L);
// Makes it impossible, for good, to make a table of a script weak, because the entries left in one show when
// memory was collected. To be called before anything else is done with a state. The collector finds the field
// __mode of a metatable by the address of a text that Lua made at the start. This text gets letters that
// nobody knows, and the "__mode" of scripts is another text.
void hide_mode(lua_State* L);
// A weak table of our own; `mode` is "k", "v" or "kv".
void push_weak(lua_State* L, const char* mode);
// Pushes the object behind a table, or nil.
void push_bound_object(lua_State* L, int index);

template <class T>
T& push_bound(lua_State* L, T value) {
  T& object = push_new(L, std::move(value));
  bind(L);
  return object;
}
template <class T>
T* test_bound(lua_State* L, int index) {
  push_bound_object(L, index);
  T* object = test<T>(L, -1);
  lua_pop(L, 1);
  return object;
}
// The same as lean(), for a bound table.
template <class T>
T* lean_bound(lua_State* L) {
  const void* table = lua_topointer(L, 1);
  auto* type = static_cast<MethodsOfType*>(lua_touserdata(L, lua_upvalueindex(1)));
  if (table == type->last) return static_cast<T*>(type->object);
  T* object = test_bound<T>(L, 1);
  if (object == nullptr) return nullptr;
  type->last = table;
  type->object = object;
  return object;
}
// Argument `index` as a place in 0 .. count - 1, counted from 1 by scripts; false unless it is a whole number
// of that range.
inline bool lean_index(lua_State* L, int index, std::size_t count, std::size_t& place) {
  if (lua_isinteger(L, index) == 0) return false;
  place = static_cast<std::size_t>(lua_tointegerx(L, index, nullptr)) - 1;
  return place < count;
}

// Reads a property of a native object: pushes one value and returns true, or returns false.
using Property = bool (*)(lua_State* L, int index, std::string_view name);

// Makes the metatable of a type: methods, metamethods, properties. Unknown fields are errors with the nearest
// name; writing is an error.
void new_type(lua_State* L, const char* name, const luaL_Reg* methods, const luaL_Reg* metamethods,
              Property property, const std::vector<std::string>& properties, lua_CFunction collect);

template <class T>
int collect(lua_State* L) {
  auto* place = static_cast<Native**>(lua_touserdata(L, 1));
  auto* type = static_cast<MethodsOfType*>(lua_touserdata(L, lua_upvalueindex(1)));
  if (type->object == value_in<T>(place)) type->last = type->object = nullptr;
  if (place != nullptr)
    delete std::exchange(*place, nullptr);  // a table bound to an object has the metatable too
  return 0;
}

template <class T>
void new_type(lua_State* L, const luaL_Reg* methods, const luaL_Reg* metamethods = nullptr,
              Property property = nullptr, const std::vector<std::string>& properties = {}) {
  new_type(L, TypeName<T>::value, methods, metamethods, property, properties, &collect<T>);
}

[[noreturn]] void no_such_field(lua_State* L, const std::string& type, const std::string& given,
                                std::vector<std::string> names);

// Pushes the function of a native type's metatable that reads fields: upvalue 1 is the table of methods,
// upvalue 4 the names of the properties. Returns false when there is none.
bool push_type_index(lua_State* L, int metatable);

// Pops the value on top of the stack and adds it to the vocabulary by a name.
void define(lua_State* L, const char* name);
void define(lua_State* L, const char* name, lua_CFunction function);
// Pushes a strict read-only table of functions.
void push_module(lua_State* L, const char* name, const luaL_Reg* functions);
// Replaces the table on top by a read-only view of it; unknown fields are errors.
void freeze(lua_State* L, const char* name);
// Replaces such a view on top by the table behind it, and leaves any other value.
void unfreeze(lua_State* L);

}  // namespace perigee::host
