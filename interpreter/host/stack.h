// The ground of every binding: errors across the two languages, values on Lua's stack, tables with checked
// fields.
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/host/lua.h"
#include "interpreter/host/natives.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/profile.h"
#include "runtime/kernel/quantity.h"

namespace perigee::interpreter {

class Guest;
class Sources;

// A failure of the script: the Diagnostic plus where it came from, innermost call first.
class ScriptError : public Error {
 public:
  ScriptError(Diagnostic diagnostic, std::vector<std::string> trace)
      : Error(std::move(diagnostic)), trace_(std::move(trace)) {}
  const std::vector<std::string>& trace() const noexcept { return trace_; }

 private:
  std::vector<std::string> trace_;
};

// A limit was reached, or nothing more is wanted of the script. No pcall of the script can catch this.
class Stopped : public Error {
 public:
  using Error::Error;
};

namespace lua {

// A Lua error raised by perigee, as the script sees it: a userdata with fields and a text.
struct ErrorValue {
  Diagnostic diagnostic;
  std::vector<std::string> trace;
  bool stop = false;
};

// The line of the script that is running: that of the innermost frame of a file that is not part of perigee.
SourceLocation caller(lua_State* L);

// Pushes `error` as an ErrorValue, with the caller's line unless it has a location of its own.
void push_error(lua_State* L, const std::exception& error);

// Notes, as long as it lives, which thread runs, so that callbacks from the runtime find it.
class Running {
 public:
  explicit Running(lua_State* L);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  Guest& guest_;
  lua_State* before_;
};

// The same for a call of C++ by Lua. Error when the stack of the process is nearly used up. Garbage is
// collected here, because all arguments of the call are on Lua's stack.
class Entered : Running {
 public:
  explicit Entered(lua_State* L);
};

// Every C++ function that Lua calls is guard(L, body): a std::exception leaves it as a Lua error with a
// Diagnostic, after the body's locals are gone. Lua's own errors pass untouched: catching (...) would swallow
// them.
template <class F>
int guard(lua_State* L, F&& body) {
  try {
    const Entered entered(L);
    return std::forward<F>(body)();
  } catch (const std::exception& error) {
    push_error(L, error);
  }
  return lua_error(L);
}

// Runs `body`, in which Lua may raise errors. They come out as ScriptError or Stopped; exceptions come out
// unchanged.
void protect(lua_State* L, const std::function<void(lua_State*)>& body);

// The first function pushes the message handler of protect(), for protected calls that yield. The second
// throws the error that the handler made, which is on top of the stack of `L`.
void push_error_handler(lua_State* L);
[[noreturn]] void throw_error(lua_State* L, int status);

// Restores the height of the stack. When an error leaves the block, the value on top stays, for it may be
// that error.
class Balanced {
 public:
  explicit Balanced(lua_State* L) : L_(L), top_(lua_gettop(L)), errors_(std::uncaught_exceptions()) {}
  ~Balanced() {
    int height = top_;
    if (std::uncaught_exceptions() != errors_ && lua_gettop(L_) > top_) lua_replace(L_, ++height);
    lua_settop(L_, height);
  }
  Balanced(const Balanced&) = delete;
  Balanced& operator=(const Balanced&) = delete;

 private:
  lua_State* L_;
  int top_;
  int errors_;  // exceptions under way at the beginning
};

// A Lua value kept alive from C++. Copies share the value. A reference is harmless after the state is closed.
class Reference {
 public:
  Reference() = default;
  Reference(lua_State* L, int index);
  bool valid() const { return held_ != nullptr; }
  void push(lua_State* L) const;

 private:
  struct Held;
  std::shared_ptr<const Held> held_;
};

// ---- values ----

// "nil", "-2", "'text'", "a table", "a platform": a value as an error message shows it.
std::string shown(lua_State* L, int index);

std::optional<std::string_view> text_at(lua_State* L, int index);  // strings only, no numbers
void push(lua_State* L, std::string_view text);

// The bounds of a number.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above = false;  // greater than min, not equal
};
inline constexpr double kAbsurd = 1e30;  // no quantity of this world is larger
inline constexpr Range kPositive{0, kAbsurd, true};
inline constexpr Range kNotNegative{0, kAbsurd, false};
inline constexpr Range kAnyNumber{-kAbsurd, kAbsurd, false};

// The number at `index`, or the quantity written there as a text. An Error names `what`.
double number_at(lua_State* L, int index, std::string_view what, Dimension dimension,
                 Range range = kAnyNumber);
// A whole number.
std::int64_t integer_at(lua_State* L, int index, std::string_view what, std::int64_t min, std::int64_t max);
// The answer of a condition written as a function: true or false; nil is false. Any other value is an Error
// "bad_answer", for Lua would take it for true, even the number 0.
bool condition_at(lua_State* L, int index, std::string_view what);
// A profile: a number or quantity; { {time, value}, ... }; { times = , values = , period = }; { values = ,
// every = }.
Profile profile_at(lua_State* L, int index, std::string_view what, Dimension dimension, Range range);
std::vector<double> numbers_at(lua_State* L, int index, std::string_view what, Dimension dimension,
                               Range range);

// ---- tables in a fixed order ----

// A number of its own for each table, function, coroutine and userdata while it lives; no other ever gets it.
lua_Integer identity(lua_State* L, int index);
// Gives the value another number.
void renew_identity(lua_State* L, int index);

// Pushes an array of a table's keys and returns how many there are: numbers in order, texts in byte order,
// false, true, then all others by type and identity.
lua_Integer push_sorted_keys(lua_State* L, int table);

// Calls f() for each entry in that order, with the key at -2 and the value at -1.
template <class F>
void each_sorted(lua_State* L, int table, F&& f) {
  table = lua_absindex(L, table);
  const lua_Integer count = push_sorted_keys(L, table);
  const int keys = lua_gettop(L);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, keys, i);
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    f();
    lua_settop(L, keys);
  }
  lua_settop(L, keys - 1);
}

// While an object of this class lives, the lines of fields are looked for from `where` on. It is for a table
// that a function of the script returned: the function runs no more when its fields are read.
class Anchor {
 public:
  Anchor(lua_State* L, SourceLocation where);
  ~Anchor();
  Anchor(const Anchor&) = delete;
  Anchor& operator=(const Anchor&) = delete;

 private:
  Sources& sources_;
  SourceLocation before_;
};

// The name of a declaration in messages. It is put together only when a message is needed.
struct Subject {
  std::string_view kind;
  std::string_view name = {};
  std::int64_t number = -1;
  std::string text() const;  // "host 'n07'", "task 3", "scenario"
};

// A table whose fields are all known by name. Reads are raw. Errors name a line of the script: the field's
// own if it can be found in the source.
class Fields {
 public:
  // Error "unknown_field" at once for a key that is not known. `positional`: the table may have array entries
  // too.
  Fields(lua_State* L, int index, Subject subject, std::initializer_list<std::string_view> known,
         bool positional = false);

  bool has(const char* name) const;
  bool push(const char* name) const;  // pushes the value, or returns false
  double number(const char* name, Dimension dimension, std::optional<double> fallback, Range range) const;
  std::int64_t integer(const char* name, std::optional<std::int64_t> fallback, std::int64_t min,
                       std::int64_t max) const;
  bool flag(const char* name, bool fallback) const;
  std::string text(const char* name, std::optional<std::string> fallback) const;
  // One of the choices, by index.
  std::size_t choice(const char* name, std::size_t fallback,
                     std::initializer_list<std::string_view> choices) const;
  Profile profile(const char* name, Dimension dimension, const Profile& fallback, Range range) const;

  std::int64_t count() const;  // number of array entries
  int index() const { return index_; }
  lua_State* state() const { return L_; }
  std::string subject() const { return subject_.text(); }
  SourceLocation where(std::string_view field = {}) const;
  SourceLocation where_it_begins() const;
  // Calls read(), which reads what is inside the field. An Error that names no line gets that of the field.
  template <class F>
  auto inside(const char* field, F&& read) const {
    try {
      return read();
    } catch (const Error& error) {
      throw_at(field, error);
    }
  }
  template <class... Args>
  [[noreturn]] void fail(const char* field, fmt::format_string<Args...> format, Args&&... args) const {
    complain(field, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  [[noreturn]] void complain(const char* field, const std::string& problem) const;
  [[noreturn]] void throw_at(const char* field,
                             const Error& error) const;  // rethrows what names a line already
  [[noreturn]] void unknown(const std::string& key, std::initializer_list<std::string_view> known) const;
  void require(const char* name) const;
  template <class F>
  auto at(const char* name, F&& read) const;

  lua_State* L_;
  int index_;
  Subject subject_;
};

// The line at which the table, an argument of the script's statement, begins; the statement's where that is not
// certain.
SourceLocation where_table_begins(lua_State* L, int index);

// ---- native objects ----

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

// The object that a method is called with, or null when argument 1 is of another type: check() without its
// cost, for methods of new_type() that are called millions of times. Such methods answer at once when all is
// well. Else they guard themselves and complain.
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
// __mode of a metatable by the address of a text that Lua made at the start. That text gets letters that
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

// Pushes, in check mode, a value that only a run could give. If its type is known (a type's name, "result"),
// fields that the type lacks are errors.
void push_unknown(lua_State* L, const char* type = nullptr);
bool is_unknown(lua_State* L, int index);
inline constexpr const char* kNotKnown = "not known before a run";

}  // namespace lua
}  // namespace perigee::interpreter
