#include "interpreter/host/libraries.h"

#include <fmt/format.h>

#include <cctype>
#include <cstring>

#include "interpreter/host/guest.h"
#include "interpreter/host/patterns.h"
#include "interpreter/host/stack.h"
#include "interpreter/host/texts.h"
#include "interpreter/host/unknown.h"

namespace perigee::host {

void count_texts(lua_State* L, int count, bool filled) {
  guard(L, [&] {
    std::size_t bytes = 0;
    for (int i = 1; i <= count; ++i)
      if (lua_type(L, i) == LUA_TSTRING) {
        Guest::of(L).count_bytes(lua_rawlen(L, i));
        bytes += lua_rawlen(L, i);
      }
    if (filled && bytes > LUAL_BUFFERSIZE) Guest::of(L).make_room(4 * bytes);
    return 0;
  });
}

int read_texts(lua_State* L) {
  const int count = lua_gettop(L);
  count_texts(L, count);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, count, LUA_MULTRET);
  return lua_gettop(L);
}

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

namespace {

constexpr std::size_t kLongestText = std::size_t{64} << 20;  // the longest text that string.rep makes

// A step more for each so many characters that take long to read or to write.
void count_slow(lua_State* L, std::size_t characters) {
  constexpr std::size_t kSlowPerStep = 4, kFew = 100;
  if (characters < kFew) return;
  guard(L, [&] {
    Guest::of(L).count(characters / kSlowPerStep);
    return 0;
  });
}

int repeated(lua_State* L) {
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
  Guest::of(L).make_room(2 * (size + gap) * static_cast<std::size_t>(times));  // a buffer, then the text
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

int format(lua_State* L) {
  const int count = lua_gettop(L);
  count_texts(L, count, true);
  bool slow = false;  // the digits of %f, the characters of %q
  std::size_t size = 0;
  const char* form = luaL_checklstring(L, 1, &size);
  for (std::size_t i = 0; i + 1 < size; ++i) {
    if (form[i] != '%') continue;
    ++i;
    while (i < size && std::strchr("-+ #0123456789.", form[i]) != nullptr && form[i] != '\0') ++i;
    if (i < size && form[i] == 'p')
      return guard(L, [&]() -> int { fail("forbidden", "string.format: %p differs from run to run"); });
    slow = slow || (i < size && (form[i] == 'f' || form[i] == 'q'));
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
  if (slow) count_slow(L, lua_rawlen(L, -1));
  return 1;
}

// string.pack, without fields of any length: "c2000000000" would be filled with zeros.
int pack(lua_State* L) {
  count_texts(L, lua_gettop(L), true);
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

// string.unpack and packsize: a format takes longer to read than another text.
int unpack(lua_State* L) {
  std::size_t size = 0;
  luaL_checklstring(L, 1, &size);
  count_slow(L, size);
  return read_texts(L);
}

// Upvalue: the function, which makes a text of its first argument as long as that.
int change_text(lua_State* L) {
  std::size_t size = 0;
  luaL_checklstring(L, 1, &size);
  if (size > LUAL_BUFFERSIZE) Guest::of(L).make_room(2 * size);
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

}  // namespace

void open_string(lua_State* L) {
  open_library(L, "string", luaopen_string);
  remove_field(L, "dump");
  replace_field(L, "rep", repeated);
  replace_field(L, "format", format);
  replace_field(L, "pack", pack);
  for (const char* name : {"packsize", "unpack"}) replace_field(L, name, unpack);
  for (const char* name : {"lower", "reverse", "upper"}) replace_field(L, name, change_text);
  replace_field(L, "byte", give_many);
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

}  // namespace perigee::host
