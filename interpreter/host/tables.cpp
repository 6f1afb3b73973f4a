// Lua's own loops over tables run in C, where nothing looks at --steps and interrupts, and a metatable can
// make them endless (__len may return anything). The functions of this file do the same, and look.
#include "interpreter/host/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"

namespace perigee::host {

namespace {

constexpr lua_Integer kMost = 100'000'000;  // elements that one call may visit
constexpr lua_Integer kLargest = std::numeric_limits<lua_Integer>::max();

// to[target], ... = from[first], ..., `count` of them, in ascending or descending order; metamethods count.
void shift(lua_State* L, int from, int to, lua_Integer first, lua_Integer target, lua_Integer count,
           bool descending) {
  if (count > kMost) fail("too_large", "{} elements of a table to move are more than {}", count, kMost);
  Guest& guest = Guest::of(L);
  for (lua_Integer n = 0; n < count; ++n) {
    const lua_Integer i = descending ? count - 1 - n : n;
    guest.count(1);
    lua_geti(L, from, first + i);
    lua_seti(L, to, target + i);
  }
}

int insert(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  return guard(L, [&] {
    const lua_Integer size = luaL_len(L, 1);
    switch (lua_gettop(L)) {
      case 2:
        if (size == kLargest) fail("out_of_range", "table.insert: the table says that it is full");
        lua_seti(L, 1, size + 1);
        return 0;
      case 3: {
        const lua_Integer place = luaL_checkinteger(L, 2);
        if (place < 1 || place - 1 > size)
          fail("out_of_range", "table.insert: the place must be 1 to {}, got {}", size + 1, place);
        if (size == kLargest) fail("out_of_range", "table.insert: the table says that it is full");
        shift(L, 1, 1, place, place + 1, size - place + 1, true);
        lua_seti(L, 1, place);
        return 0;
      }
      default:
        fail("bad_call", "table.insert takes a table, perhaps a place, and a value; got {} arguments",
             lua_gettop(L));
    }
  });
}

int remove(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  return guard(L, [&] {
    const lua_Integer size = luaL_len(L, 1);
    const lua_Integer place = luaL_optinteger(L, 2, size);
    if (lua_gettop(L) > 1 && !(size == 0 && place == 0) && (place < 1 || place - 1 > size))
      fail("out_of_range", "table.remove: the place must be 1 to {}, got {}", size + 1, place);
    lua_geti(L, 1, place);
    shift(L, 1, 1, place + 1, place, size - place, false);
    lua_pushnil(L);
    lua_seti(L, 1, std::max(place, size));
    return 1;
  });
}

int concat(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  std::size_t size = 0;
  const char* between = luaL_optlstring(L, 2, "", &size);
  const lua_Integer first = luaL_optinteger(L, 3, 1);
  const lua_Integer last = lua_isnoneornil(L, 4) ? luaL_len(L, 1) : luaL_checkinteger(L, 4);
  return guard(L, [&] {
    Guest& guest = Guest::of(L);
    if (last >= first && static_cast<lua_Unsigned>(last) - static_cast<lua_Unsigned>(first) >= kMost)
      fail("too_large", "table.concat: {} to {} are more than {} elements", first, last, kMost);
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    for (lua_Integer i = first; i <= last; ++i) {
      guest.count(1);
      lua_geti(L, 1, i);
      if (lua_isstring(L, -1) == 0)
        fail("bad_type", "table.concat: element {} must be a text or a number, got {}", i, shown(L, -1));
      if (const std::size_t more = lua_rawlen(L, -1) + size; out.n + more > out.size)
        guest.make_room(out.size + more);
      luaL_addvalue(&out);
      if (i == last) break;  // the next number may not exist
      luaL_addlstring(&out, between, size);
    }
    luaL_pushresult(&out);
    return 1;
  });
}

int move(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3),
                    target = luaL_checkinteger(L, 4);
  const int to = lua_isnoneornil(L, 5) ? 1 : 5;
  luaL_checktype(L, to, LUA_TTABLE);
  return guard(L, [&] {
    if (last >= first) {
      if (first <= 0 && last >= kLargest + first)
        fail("too_large", "table.move: {} to {} are too many elements", first, last);
      const lua_Integer count = last - first + 1;
      if (target > kLargest - count + 1) fail("too_large", "table.move: there is no room behind {}", target);
      const bool apart = target > last || target <= first || (to != 1 && lua_rawequal(L, 1, to) == 0);
      shift(L, 1, to, first, target, count, !apart);
    }
    lua_pushvalue(L, to);
    return 1;
  });
}

// table.sort, stable: a merge sort from the bottom up. Any comparison function is safe.
int stable_sort(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const bool compared = !lua_isnoneornil(L, 2);
  if (compared) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  return guard(L, [&] {
    const auto count = static_cast<lua_Integer>(lua_rawlen(L, 1));
    lua_createtable(L, static_cast<int>(std::min<lua_Integer>(count, 1 << 30)), 0);  // 3: the values
    for (lua_Integer i = 1; i <= count; ++i) {
      if (lua_rawgeti(L, 1, i) == LUA_TNIL) fail("bad_type", "table.sort: there is no element {}", i);
      lua_rawseti(L, 3, i);
    }
    Guest& guest = Guest::of(L);
    guest.count(static_cast<std::uint64_t>(count));
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
      guest.count(1);
      if (compared) lua_pushvalue(L, 2);
      lua_rawgeti(L, 3, static_cast<lua_Integer>(a) + 1);
      lua_rawgeti(L, 3, static_cast<lua_Integer>(b) + 1);
      bool result = false;
      if (compared) {
        lua_call(L, 2, 1);
        result = lua_toboolean(L, -1) != 0;
        lua_pop(L, 1);
      } else {
        result = lua_compare(L, -2, -1, LUA_OPLT) != 0;
        lua_pop(L, 2);
      }
      return result;
    };
    const auto size = static_cast<std::size_t>(count);
    std::vector<std::uint32_t> order(size), merged(size);
    for (std::size_t i = 0; i < size; ++i) order[i] = static_cast<std::uint32_t>(i);
    for (std::size_t width = 1; width < size; width *= 2) {
      for (std::size_t begin = 0; begin < size; begin += 2 * width) {
        const std::size_t middle = std::min(begin + width, size), end = std::min(begin + 2 * width, size);
        std::size_t a = begin, b = middle, to = begin;
        while (a < middle && b < end) merged[to++] = less(order[b], order[a]) ? order[b++] : order[a++];
        while (a < middle) merged[to++] = order[a++];
        while (b < end) merged[to++] = order[b++];
      }
      order.swap(merged);
    }
    for (std::size_t i = 0; i < size; ++i) {
      lua_rawgeti(L, 3, static_cast<lua_Integer>(order[i]) + 1);
      lua_rawseti(L, 1, static_cast<lua_Integer>(i) + 1);
    }
    return 0;
  });
}

}  // namespace

void open_tables(lua_State* L) {
  constexpr luaL_Reg kFunctions[] = {{"concat", concat}, {"insert", insert},    {"move", move},
                                     {"remove", remove}, {"sort", stable_sort}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace perigee::host
