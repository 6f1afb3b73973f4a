#include "interpreter/host/libraries.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "interpreter/host/guest.h"
#include "interpreter/host/sandbox.h"
#include "interpreter/host/stack.h"
#include "interpreter/host/texts.h"
#include "interpreter/host/unknown.h"

namespace perigee::host {

namespace {

constexpr std::uint64_t kStepsOfError = 1000;           // steps to raise and to catch an error
constexpr std::uint64_t kStepsOfOverflow = 20'000'000;  // the same where a full stack is torn down, up to 1 s

}  // namespace

void drop_sign_of_nan(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER || lua_isinteger(L, index) != 0) return;
  if (!std::isnan(lua_tonumber(L, index))) return;
  lua_pushnumber(L, std::numeric_limits<double>::quiet_NaN());
  lua_replace(L, index);
}

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

void let_stop_pass(lua_State* L, bool failed, bool starved) {
  Guest& guest = Guest::of(L);
  if (guest.stopped()) throw Stopped(guest.stop_reason());
  if (failed && (starved || guest.starved())) guest.stop_for_memory();
}

std::uint64_t steps_of_error(lua_State* L, int status) {
  const auto text = text_at(L, -1);
  const bool overflow = status == LUA_ERRERR || (text && text->find("stack overflow") != text->npos);
  return overflow ? kStepsOfOverflow : kStepsOfError;
}

namespace {

int to_string(lua_State* L) {
  luaL_checkany(L, 1);
  push_text(L, 1);
  return 1;
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
    luaL_callmeta(L, 1, kLoopOverUnknown);
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
constexpr std::size_t kPiece = 4096;  // bytes
const char* next_piece(lua_State* L, void* data, std::size_t* size) {
  constexpr std::size_t kStepsEach = 4096;
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
    Guest::of(L).count(text->size() % kPiece);  // the last piece
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

}  // namespace

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
  replace_field(L, "rawset", raw_set);
  replace_field(L, "tonumber", read_texts);
  if (Guest::of(L).checking()) replace_field(L, "error", perhaps_error);
  lua_pushliteral(L, "Lua 5.4");
  lua_setfield(L, vocabulary, "_VERSION");
  lua_pushcfunction(L, sorted_pairs);
  lua_setfield(L, LUA_REGISTRYINDEX, "perigee.pairs");
}

int load_in_pieces(lua_State* L, std::string_view text, const std::string& chunk) {
  Pieces pieces{text};
  return lua_load(L, next_piece, &pieces, chunk.c_str(), "t");
}

}  // namespace perigee::host
