#include "interpreter/host/sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "interpreter/host/guest.h"
#include "interpreter/host/patterns.h"
#include "interpreter/host/stack.h"
#include "interpreter/host/tables.h"
#include "interpreter/host/texts.h"
#include "interpreter/host/unknown.h"
#include "runtime/kernel/math.h"

namespace perigee::host {

namespace {

constexpr std::size_t kLongestText = std::size_t{64} << 20;  // the longest text that string.rep makes
constexpr std::uint64_t kStepsOfError = 1000;                // steps to raise and to catch an error
constexpr std::uint64_t kStepsOfOverflow = 20'000'000;  // the same where a full stack is torn down, up to 1 s

// ---- base ----

// The sign of NaN is the CPU's: 0 / 0 has one on some and none on others.
void drop_sign_of_nan(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER || lua_isinteger(L, index) != 0) return;
  if (!std::isnan(lua_tonumber(L, index))) return;
  lua_pushnumber(L, std::numeric_limits<double>::quiet_NaN());
  lua_replace(L, index);
}

}  // namespace

// tostring without addresses.
void push_text(lua_State* L, int index, int width) {
  const int type = lua_type(L, index);
  if (type == LUA_TNUMBER) {
    lua_pushvalue(L, index);
    drop_sign_of_nan(L, lua_gettop(L));
    luaL_tolstring(L, -1, nullptr);
    lua_remove(L, -2);
    return;
  }
  if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD || type == LUA_TUSERDATA ||
      type == LUA_TLIGHTUSERDATA) {
    index = lua_absindex(L, index);
    const int kind = luaL_getmetafield(L, index, "__tostring");
    if (kind != LUA_TNIL && width > 0 && lua_iscfunction(L, -1) != 0) {  // perigee's own knows widths
      lua_pushvalue(L, index);
      lua_pushnil(L);
      lua_pushinteger(L, width);
      lua_call(L, 3, 1);
      return;
    }
    if (kind != LUA_TNIL) lua_pop(L, 1);
    if (kind == LUA_TNIL) {
      const int named = luaL_getmetafield(L, index, "__name");
      if (named == LUA_TSTRING) return;
      if (named != LUA_TNIL) lua_pop(L, 1);
      push(L,
           type == LUA_TFUNCTION ? Guest::of(L).wording().name_of_function(L, index) : lua_typename(L, type));
      return;
    }
  }
  luaL_tolstring(L, index, nullptr);
}

namespace {

int to_string(lua_State* L) {
  luaL_checkany(L, 1);
  push_text(L, 1);
  return 1;
}

// Raises a stop again that the script's own protected call has caught.
void let_stop_pass(lua_State* L, bool failed, bool starved = false) {
  Guest& guest = Guest::of(L);
  if (guest.stopped()) throw Stopped(guest.stop_reason());
  if (failed && (starved || guest.starved())) guest.stop_for_memory();
}

// In check mode: an error that the script expects is none of the script's text. By "file:line".
void note_caught(lua_State* L, int error) {
  const Balanced balanced(L);
  luaL_tolstring(L, error, nullptr);
  const std::string said(*text_at(L, -1));
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "perigee.caught");
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, said.substr(0, said.find(": ")).c_str());
}

// The error is on top. An overflow can be told from others by its text alone.
std::uint64_t steps_of_error(lua_State* L, int status) {
  const auto text = text_at(L, -1);
  const bool overflow = status == LUA_ERRERR || (text && text->find("stack overflow") != text->npos);
  return overflow ? kStepsOfOverflow : kStepsOfError;
}

int after_pcall(lua_State* L, int status, lua_KContext extra) {
  const bool failed = status != LUA_OK && status != LUA_YIELD;
  guard(L, [&] {
    let_stop_pass(L, failed, status == LUA_ERRMEM);
    if (failed) Guest::of(L).count(steps_of_error(L, status));
    if (failed && Guest::of(L).checking()) note_caught(L, lua_gettop(L));
    return 0;
  });
  if (failed) {
    lua_pushboolean(L, 0);
    lua_pushvalue(L, -2);
    return 2;
  }
  const int first = static_cast<int>(extra) + 1;
  if (Guest::of(L).checking())  // what a run gives here may be its error
    for (int i = first; i <= lua_gettop(L); ++i)
      if (is_unknown(L, i)) {
        push_unknown(L);
        lua_replace(L, i);
      }
  return lua_gettop(L) + 1 - first;
}

int pcall(lua_State* L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  const int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, after_pcall);
  return after_pcall(L, status, 0);
}

// The script's handler is not called for a stop: hooks are off while one is raised, so it could go on for
// ever.
int handle(lua_State* L) {
  if (Guest::of(L).stopped()) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

int xpcall(lua_State* L) {
  const int count = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, handle, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);
  const int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, after_pcall);
  return after_pcall(L, status, 2);
}

int assertion(lua_State* L) {
  if (lua_toboolean(L, 1) != 0) return lua_gettop(L);
  if (Guest::of(L).has_unknown()) return lua_gettop(L);  // it may depend on a result that check does not make
  luaL_checkany(L, 1);
  lua_remove(L, 1);
  if (lua_gettop(L) == 0) return guard(L, [&]() -> int { fail("assertion", "assertion failed"); });
  lua_settop(L, 1);
  if (const auto text = text_at(L, 1)) {
    const std::string message(*text);
    return guard(L, [&]() -> int { fail("assertion", "{}", message); });
  }
  return lua_error(L);
}

// In check mode, once results are awaited: whether the script would fail is not known.
int perhaps_error(lua_State* L) {
  if (Guest::of(L).has_unknown())
    return guard(L, [&]() -> int { fail("not_known", "an error of the script's own: {}", kNotKnown); });
  const lua_Integer level = luaL_optinteger(L, 2, 1);
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_pushinteger(L, level > 0 ? level + 1 : level);  // this function is a level of its own
  lua_call(L, 2, 0);
  return 0;
}

// Upvalues: the table, its keys, the place.
int next_pair(lua_State* L) {
  lua_Integer place = lua_tointeger(L, lua_upvalueindex(3));
  for (;;) {
    ++place;
    if (lua_rawgeti(L, lua_upvalueindex(2), place) == LUA_TNIL) return 1;
    lua_pushvalue(L, -1);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) break;
    lua_pop(L, 2);  // removed meanwhile
  }
  lua_pushinteger(L, place);
  lua_copy(L, -1, lua_upvalueindex(3));
  lua_pop(L, 1);
  return 2;
}

int nothing(lua_State*) { return 0; }

// pairs(t): numbers in order, then texts in byte order, then false and true.
int sorted_pairs(lua_State* L) {
  luaL_checkany(L, 1);
  if (is_unknown(L, 1)) {
    forget_columns(L, 1);
    lua_pushcfunction(L, nothing);
    return 1;
  }
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
  }
  return guard(L, [&] {
    if (lua_type(L, 1) != LUA_TTABLE) fail("bad_type", "pairs: a table is needed, got {}", shown(L, 1));
    lua_pushvalue(L, 1);
    const lua_Integer count = push_sorted_keys(L, 1);
    lua_rawgeti(L, -1, count);
    const int last = lua_type(L, -1);
    if (last != LUA_TNIL && last != LUA_TNUMBER && last != LUA_TSTRING && last != LUA_TBOOLEAN)
      fail("no_order", "pairs: a key that is {} has no order of its own; use numbers or texts as keys",
           shown(L, -1));
    lua_pop(L, 1);
    Guest::of(L).count(static_cast<std::uint64_t>(count));
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_pair, 3);
    lua_pushvalue(L, 1);
    return 2;
  });
}

int next_item(lua_State* L) {
  const lua_Integer i = luaL_checkinteger(L, 2) + 1;
  lua_pushinteger(L, i);
  return lua_geti(L, 1, i) == LUA_TNIL ? 1 : 2;
}

int ipairs(lua_State* L) {
  luaL_checkany(L, 1);
  if (is_unknown(L, 1)) {
    forget_columns(L, 1);
    lua_pushcfunction(L, nothing);
    return 1;
  }
  lua_pushcfunction(L, next_item);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

int set_metatable(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (!lua_isnil(L, 2)) luaL_checktype(L, 2, LUA_TTABLE);
  return guard(L, [&] {
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
      fail("protected", "setmetatable: this table's metatable is protected");
    if (lua_istable(L, 2))
      for (const char* name : {"__gc", "__mode"}) {
        lua_pushstring(L, name);
        if (lua_rawget(L, 2) != LUA_TNIL)
          fail("forbidden", "setmetatable: {} is not available, for it depends on when memory is collected",
               name);
        lua_pop(L, 1);
      }
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
  });
}

int get_metatable(lua_State* L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return 1;
  if (lua_type(L, 1) != LUA_TTABLE || lua_getmetatable(L, 1) == 0) lua_pushnil(L);
  return 1;
}

// Upvalue: rawset. Not for tables that a metatable keeps from being changed.
int raw_set(lua_State* L) {
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return guard(L, [&]() -> int { fail("protected", "rawset: this table is protected"); });
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

struct Pieces {
  std::string_view left;
};
const char* next_piece(lua_State* L, void* data, std::size_t* size) {
  constexpr std::size_t kPiece = 4096, kStepsEach = 4096;
  auto& left = static_cast<Pieces*>(data)->left;
  guard(L, [&] {
    if (left.size() > kPiece) Guest::of(L).count(kStepsEach);
    return 0;
  });
  const std::string_view piece = left.substr(0, kPiece);
  left.remove_prefix(piece.size());
  *size = piece.size();
  return piece.empty() ? nullptr : piece.data();
}

int load_text(lua_State* L) {
  return guard(L, [&] {
    const auto text = text_at(L, 1);
    if (!text) fail("bad_type", "load: the chunk must be a text, got {}", shown(L, 1));
    if (!lua_isnoneornil(L, 3) && text_at(L, 3) != "t")
      fail("forbidden", "load: the mode must be \"t\"; compiled code is not loaded");
    const std::string name = text_at(L, 2) ? "=" + std::string(*text_at(L, 2)) : "=(load)";
    const bool has_environment = lua_gettop(L) >= 4;
    if (const int status = load_in_pieces(L, *text, name); status != LUA_OK) {
      let_stop_pass(L, true, status == LUA_ERRMEM);
      Guest::of(L).count(kStepsOfError);
      lua_pushnil(L);
      lua_insert(L, -2);
      return 2;
    }
    if (has_environment) {
      lua_pushvalue(L, 4);
      if (lua_setupvalue(L, -2, 1) == nullptr) lua_pop(L, 1);
    }
    return 1;
  });
}

// ---- globals ----

struct SandboxHint {
  std::string_view name, text;
};
constexpr SandboxHint kSandboxHints[] = {
    {"os", "scripts have no access to the system"},
    {"io", "scripts write by print and :save; data files are opened by readers such as etc.read"},
    {"debug", "it is not available to scripts"},
    {"package", "use require"},
    {"dofile", "use require"},
    {"loadfile", "use require"},
    {"next", "its order differs from run to run; use pairs, which goes in sorted order"},
    {"collectgarbage", "it is not available to scripts"},
    {"_G", "globals are reached by their names"},
};

int missing_global(lua_State* L) {
  return guard(L, [&]() -> int {
    const std::string name = text_at(L, 2) ? std::string(*text_at(L, 2)) : shown(L, 2);
    for (const SandboxHint& hint : kSandboxHints)
      if (name == hint.name) fail("unknown_name", "'{}' is not available: {}", name, hint.text);
    std::vector<std::string> names;
    const auto collect = [&](int table) {
      lua_pushnil(L);
      while (lua_next(L, table) != 0) {
        lua_pop(L, 1);
        if (const auto key = text_at(L, -1)) names.emplace_back(*key);
      }
    };
    lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
    collect(lua_gettop(L));
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    collect(lua_gettop(L));
    std::sort(names.begin(), names.end());
    const std::string instead = Guest::of(L).wording().instead_of_field({}, name);
    fail("unknown_name", "there is no '{}'{}", name,
         instead.empty() ? did_you_mean(name, names) : "; " + instead);
  });
}

int new_global(lua_State* L) {
  return guard(L, [&] {
    const std::string name = text_at(L, 2) ? std::string(*text_at(L, 2)) : shown(L, 2);
    lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) != LUA_TNIL)
      fail("protected", "'{}' is a word of perigee; write `local {} = ...` to use it for something else",
           name, name);
    lua_Debug frame;
    if (lua_getstack(L, 1, &frame) != 0 && lua_getinfo(L, "S", &frame) != 0 && *frame.what != 'm' &&
        *frame.what != 'C')
      fail("undeclared", "'{}' is assigned in a function but nowhere declared; write `local {}`", name, name);
    lua_settop(L, 3);
    lua_rawset(L, 1);
    return 0;
  });
}

// ---- math ----

template <double (*function)(double)>
int apply(lua_State* L) {
  if (is_unknown(L, 1)) {
    push_unknown(L);
    return 1;
  }
  lua_pushnumber(L, function(luaL_checknumber(L, 1)));
  return 1;
}

int logarithm(lua_State* L) {
  const double x = luaL_checknumber(L, 1);
  if (lua_isnoneornil(L, 2)) {
    lua_pushnumber(L, math::log(x));
  } else {
    const double base = luaL_checknumber(L, 2);
    lua_pushnumber(L, base == 2    ? math::log2(x)
                      : base == 10 ? math::log10(x)
                                   : math::log(x) / math::log(base));
  }
  return 1;
}

int power(lua_State* L) {
  lua_pushnumber(L, math::pow(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
  return 1;
}

int hypotenuse(lua_State* L) {
  lua_pushnumber(L, math::hypot(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
  return 1;
}

int arctangent(lua_State* L) {
  lua_pushnumber(L, math::atan2(luaL_checknumber(L, 1), luaL_optnumber(L, 2, 1)));
  return 1;
}

constexpr luaL_Reg kMath[] = {{"exp", apply<math::exp>},
                              {"log", logarithm},
                              {"log1p", apply<math::log1p>},
                              {"expm1", apply<math::expm1>},
                              {"pow", power},
                              {"hypot", hypotenuse},
                              {"cbrt", apply<math::cbrt>},
                              {"sin", apply<math::sin>},
                              {"cos", apply<math::cos>},
                              {"tan", apply<math::tan>},
                              {"asin", apply<math::asin>},
                              {"acos", apply<math::acos>},
                              {"atan", arctangent},
                              {"sinh", apply<math::sinh>},
                              {"cosh", apply<math::cosh>},
                              {"tanh", apply<math::tanh>},
                              {"erf", apply<math::erf>},
                              {"erfc", apply<math::erfc>},
                              {"gamma", apply<math::tgamma>},
                              {"lgamma", apply<math::lgamma>},
                              {nullptr, nullptr}};

// ---- string, table, coroutine ----

int repeat(lua_State* L) {
  std::size_t size = 0, gap = 0;
  luaL_checklstring(L, 1, &size);
  const lua_Integer times = luaL_checkinteger(L, 2);
  luaL_optlstring(L, 3, "", &gap);
  if (times <= 0 || size + gap == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (static_cast<lua_Unsigned>(times) > kLongestText / (size + gap))
    return guard(L, [&]() -> int {
      fail("too_large", "string.rep: the text would be longer than {}",
           format_quantity(static_cast<double>(kLongestText), Dimension::bytes));
    });
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

// The bytes of the first `count` arguments that are texts.
void count_texts(lua_State* L, int count) {
  guard(L, [&] {
    for (int i = 1; i <= count; ++i)
      if (lua_type(L, i) == LUA_TSTRING) Guest::of(L).count_bytes(lua_rawlen(L, i));
    return 0;
  });
}

int format(lua_State* L) {
  const int count = lua_gettop(L);
  count_texts(L, count);
  std::size_t size = 0;
  const char* form = luaL_checklstring(L, 1, &size);
  for (std::size_t i = 0; i + 1 < size; ++i) {
    if (form[i] != '%') continue;
    ++i;
    while (i < size && std::strchr("-+ #0123456789.", form[i]) != nullptr && form[i] != '\0') ++i;
    if (i < size && form[i] == 'p')
      return guard(L, [&]() -> int { fail("forbidden", "string.format: %p differs from run to run"); });
  }
  for (int i = 2; i <= count; ++i) {
    if (is_unknown(L, i)) {
      lua_pushstring(L, kNotKnown);
      return 1;
    }
    drop_sign_of_nan(L, i);
    const int type = lua_type(L, i);
    if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA || type == LUA_TTHREAD) {
      push_text(L, i);
      lua_replace(L, i);
    }
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, count, 1);
  return 1;
}

// string.pack, without fields of any length: "c2000000000" would be filled with zeros.
int pack(lua_State* L) {
  count_texts(L, lua_gettop(L));
  const std::string_view form = luaL_checkstring(L, 1);
  std::size_t size = 0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    size = i > 0 && std::isdigit(static_cast<unsigned char>(form[i - 1])) == 0 ? 0 : size;
    if (std::isdigit(static_cast<unsigned char>(form[i])) == 0) continue;
    size = size * 10 + static_cast<std::size_t>(form[i] - '0');
    if (size > kLongestText)
      return guard(L, [&]() -> int {
        fail("too_large", "string.pack: a field would be longer than {}",
             format_quantity(static_cast<double>(kLongestText), Dimension::bytes));
      });
  }
  for (int i = 2; i <= lua_gettop(L); ++i) drop_sign_of_nan(L, i);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

// ---- coroutines

// A stop that is raised in a coroutine leaves it dead with hooks off: nothing of it may run again, not even
// the __close of its variables, which could go on for ever.

void marked_dead(lua_State*, lua_Debug*) {}  // the hook of such a coroutine; never called

// Upvalue: coroutine.create.
int create(lua_State* L) {
  guard(L, [&] {
    Guest::of(L).spend(100);  // its first instructions are not counted
    return 0;
  });
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

// Upvalue: the function. What it does to texts takes as long as they are.
int read_texts(lua_State* L) {
  const int count = lua_gettop(L);
  count_texts(L, count);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, count, LUA_MULTRET);
  return lua_gettop(L);
}

// Calls its upvalue, a function, and counts as much as it returns.
int give_many(lua_State* L) {
  const int given = lua_gettop(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, given, LUA_MULTRET);
  const int count = lua_gettop(L);
  if (count > 16)
    guard(L, [&] {
      Guest::of(L).count(static_cast<std::uint64_t>(count));
      return 0;
    });
  return count;
}

// Resumes the coroutine at 1 with the arguments above; leaves true and its values, or false and the error.
void resume_first(lua_State* L, int resume) {
  lua_State* co = lua_tothread(L, 1);
  if (co != nullptr) renew_identity(L, 1);  // where it stands cannot be seen, only that it went on
  lua_pushvalue(L, resume);
  lua_insert(L, 1);
  {
    const Running called(co != nullptr ? co : L);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  }
  guard(L, [&] {
    if (Guest::of(L).stopped() && co != nullptr) lua_sethook(co, marked_dead, LUA_MASKLINE, 0);
    const bool failed = lua_toboolean(L, 1) == 0;
    let_stop_pass(L, failed);
    Guest::of(L).count(static_cast<std::uint64_t>(lua_gettop(L)) +
                       (failed ? steps_of_error(L, LUA_ERRRUN) : 0));
    return 0;
  });
}

// Upvalue: coroutine.resume.
int resume(lua_State* L) {
  resume_first(L, lua_upvalueindex(1));
  return lua_gettop(L);
}

// Upvalue: coroutine.close.
int close(lua_State* L) {
  if (lua_State* co = lua_tothread(L, 1); co != nullptr && lua_gethook(co) == marked_dead)
    return guard(L,
                 [&]() -> int { fail("stopped", "coroutine.close: the coroutine was stopped by a limit"); });
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  guard(L, [&] {
    let_stop_pass(L, lua_toboolean(L, 1) == 0);
    return 0;
  });
  return lua_gettop(L);
}

// Upvalues: the coroutine, coroutine.resume, coroutine.close.
int next_value(lua_State* L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  resume_first(L, lua_upvalueindex(2));
  if (lua_toboolean(L, 1) != 0) return lua_gettop(L) - 1;
  lua_settop(L, 2);
  lua_pushvalue(L, lua_upvalueindex(3));
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_State* co = lua_tothread(L, -1);
  if (lua_status(co) > LUA_YIELD) {  // it failed: its variables are closed, which may fail anew
    lua_call(L, 1, 2);
    guard(L, [&] {
      let_stop_pass(L, true);
      return 0;
    });
  } else {
    lua_settop(L, 2);
  }
  if (lua_isnil(L, -1)) lua_settop(L, 2);
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

// Upvalues: coroutine.create, resume, close.
int wrap(lua_State* L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  create(L);
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushvalue(L, lua_upvalueindex(3));
  lua_pushcclosure(L, next_value, 3);
  return 1;
}

// Puts a C function in the place of the field of the table on top; the original is its upvalue.
void replace(lua_State* L, const char* name, lua_CFunction function) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

// Upvalue: the function. Its answer for an unknown value is unknown.
int absorb(lua_State* L) {
  const int count = lua_gettop(L);
  for (int i = 1; i <= count; ++i)
    if (is_unknown(L, i)) {
      push_unknown(L);
      return 1;
    }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, count, LUA_MULTRET);
  return lua_gettop(L);
}

// In check mode, all functions of the library on top.
void absorb_all(lua_State* L) {
  if (!Guest::of(L).checking()) return;
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    if (lua_isfunction(L, -1)) {
      lua_pushcclosure(L, absorb, 1);
      lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_rawset(L, -4);  // an existing field: lua_next may go on
    } else {
      lua_pop(L, 1);
    }
  }
}

void remove_entry(lua_State* L, const char* name) {
  lua_pushnil(L);
  lua_setfield(L, -2, name);
}

void open_library(lua_State* L, const char* name, lua_CFunction open) {
  lua_pushcfunction(L, open);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
}

// `pairs` and what stands beside it without a library's name.
void open_base(lua_State* L, int vocabulary, const luaL_Reg* own) {
  open_library(L, "_G", luaopen_base);  // fills the globals, which are replaced below
  for (const char* name : {"error", "rawequal", "rawget", "rawlen", "rawset", "select", "tonumber", "type"}) {
    lua_getfield(L, -1, name);
    lua_setfield(L, vocabulary, name);
  }
  lua_pop(L, 1);
  constexpr luaL_Reg kBase[] = {{"assert", assertion},
                                {"getmetatable", get_metatable},
                                {"ipairs", ipairs},
                                {"load", load_text},
                                {"pairs", sorted_pairs},
                                {"pcall", pcall},
                                {"setmetatable", set_metatable},
                                {"tostring", to_string},
                                {"xpcall", xpcall},
                                {nullptr, nullptr}};
  luaL_setfuncs(L, kBase, 0);
  luaL_setfuncs(L, own, 0);
  replace(L, "rawset", raw_set);
  replace(L, "tonumber", read_texts);
  if (Guest::of(L).checking()) replace(L, "error", perhaps_error);
  lua_pushliteral(L, "Lua 5.4");
  lua_setfield(L, vocabulary, "_VERSION");
  lua_pushcfunction(L, sorted_pairs);
  lua_setfield(L, LUA_REGISTRYINDEX, "perigee.pairs");
}

void open_math(lua_State* L, const luaL_Reg* own) {
  open_library(L, "math", luaopen_math);
  remove_entry(L, "randomseed");
  luaL_setfuncs(L, kMath, 0);
  luaL_setfuncs(L, own, 0);
  absorb_all(L);
  freeze(L, "math");
  define(L, "math");
}

void open_string(lua_State* L) {
  open_library(L, "string", luaopen_string);
  remove_entry(L, "dump");
  replace(L, "rep", repeat);
  replace(L, "format", format);
  replace(L, "pack", pack);
  for (const char* name : {"packsize", "unpack"}) replace(L, name, read_texts);
  replace(L, "byte", give_many);
  open_patterns(L);
  absorb_all(L);
  lua_pushvalue(L, -1);
  freeze(L, "string");
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);  // the metatable of all texts
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
  define(L, "string");
  lua_pop(L, 1);
}

void open_table(lua_State* L) {
  open_library(L, "table", luaopen_table);
  replace(L, "unpack", give_many);
  open_tables(L);
  freeze(L, "table");
  define(L, "table");
}

void open_utf8(lua_State* L) {
  open_library(L, "utf8", luaopen_utf8);
  for (const char* name : {"len", "offset", "codepoint"}) replace(L, name, read_texts);
  freeze(L, "utf8");
  define(L, "utf8");
}

void open_coroutine(lua_State* L) {
  open_library(L, "coroutine", luaopen_coroutine);
  const int coroutines = lua_gettop(L);
  for (const char* name : {"create", "resume", "close"}) lua_getfield(L, coroutines, name);
  lua_pushcclosure(L, wrap, 3);
  lua_setfield(L, coroutines, "wrap");
  replace(L, "create", create);
  replace(L, "resume", resume);
  replace(L, "close", close);
  freeze(L, "coroutine");
  define(L, "coroutine");
}

// A name that the script has not set is looked up in the vocabulary. A name that the vocabulary lacks is an
// error.
void replace_globals(lua_State* L, int vocabulary) {
  lua_newtable(L);
  lua_pushcfunction(L, missing_global);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, vocabulary);
  lua_newtable(L);
  lua_newtable(L);
  lua_pushvalue(L, vocabulary);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, new_global);
  lua_setfield(L, -2, "__newindex");
  lua_pushliteral(L, "protected");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

}  // namespace

void open_sandbox(lua_State* L, const luaL_Reg* base, const luaL_Reg* math) {
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  const int vocabulary = lua_gettop(L);
  open_base(L, vocabulary, base);
  open_math(L, math);
  open_string(L);
  open_table(L);
  open_utf8(L);
  open_coroutine(L);
  replace_globals(L, vocabulary);
  lua_pop(L, 1);
}

int load_in_pieces(lua_State* L, std::string_view text, const std::string& chunk) {
  Pieces pieces{text};
  return lua_load(L, next_piece, &pieces, chunk.c_str(), "t");
}

}  // namespace perigee::host
