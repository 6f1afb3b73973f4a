// Copies and digests of Lua values, for forks.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "interpreter/bindings/declarations.h"
#include "interpreter/bindings/schedulers.h"
#include "runtime/kernel/random.h"

namespace perigee::lua {

namespace {

std::string path_to(lua_State* L, int key, const std::string& table) {
  if (const auto text = text_at(L, key)) return fmt::format("{}.{}", table, *text);
  return fmt::format("{}[{}]", table, shown(L, key));
}

// Integer keys from 1 on must have no gaps: Lua leaves open where an array with holes ends, so a copy could
// differ.
void check_holes(lua_State* L, int table, const std::string& who, const std::string& name) {
  lua_Integer count = 0, highest = 0;
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    lua_pop(L, 1);
    if (lua_isinteger(L, -1) == 0) continue;
    const lua_Integer key = lua_tointeger(L, -1);
    if (key < 1) continue;
    ++count;
    highest = std::max(highest, key);
  }
  if (count != highest)
    fail("not_copyable",
         "{}: a fork cannot copy {}: an array with holes ({} elements, the last at {}); use false for what "
         "is empty",
         who, name, count, highest);
}

class Digest {
 public:
  explicit Digest(lua_State* L) : L_(L) {}

  void value(int index, int depth) {
    const int type = lua_type(L_, index);
    mix(static_cast<std::uint64_t>(type));
    switch (type) {
      case LUA_TBOOLEAN:
        mix(static_cast<std::uint64_t>(lua_toboolean(L_, index)));
        break;
      case LUA_TNUMBER:
        if (lua_isinteger(L_, index) != 0) {
          mix(1);
          mix(static_cast<std::uint64_t>(lua_tointeger(L_, index)));
        } else {
          mix(2);
          mix(std::bit_cast<std::uint64_t>(lua_tonumber(L_, index)));
        }
        break;
      case LUA_TSTRING:
        mix(hash_name(*text_at(L_, index)));
        break;
      case LUA_TTABLE:
        table(lua_absindex(L_, index), depth);
        break;
      case LUA_TFUNCTION:
        function(lua_absindex(L_, index), depth);
        break;
      case LUA_TUSERDATA:
        mix(address(index));
        if (const auto* random = test<RandomValue>(L_, index); random != nullptr && !random->is_view) {
          if (const auto* stream = std::get_if<Stream>(&random->own)) mix(stream->position());
          if (const auto* generator = std::get_if<SplitMix64>(&random->own)) mix(generator->state());
        }
        break;
      default:
        mix(address(index));
        break;
    }
  }

  std::uint64_t high() const { return high_; }
  std::uint64_t low() const { return low_; }

 private:
  static constexpr int kDeepest = 60;  // below: by identity only

  std::uint64_t address(int index) const {
    return static_cast<std::uint64_t>(std::bit_cast<std::uintptr_t>(lua_topointer(L_, index)));
  }
  void mix(std::uint64_t x) {
    low_ = SplitMix64::mix(low_ ^ x);
    high_ = SplitMix64::mix(high_ + low_ + 0x9E3779B97F4A7C15ULL);
  }
  bool enter(int index, int depth) {
    mix(address(index));
    return depth < kDeepest && seen_.insert(lua_topointer(L_, index)).second;
  }

  // The order of lua_next depends on the table's history, so entries are summed.
  void table(int index, int depth) {
    if (!enter(index, depth)) return;
    luaL_checkstack(L_, 8, "digest");
    std::uint64_t high = 0, low = 0, count = 0;
    lua_pushnil(L_);
    while (lua_next(L_, index) != 0) {
      const std::uint64_t high_before = high_, low_before = low_;
      high_ = low_ = 0;
      value(-2, depth + 1);
      value(-1, depth + 1);
      high += high_;
      low += low_;
      ++count;
      high_ = high_before;
      low_ = low_before;
      lua_pop(L_, 1);
    }
    mix(high);
    mix(low);
    mix(count);
  }

  void function(int index, int depth) {
    if (!enter(index, depth) || lua_iscfunction(L_, index) != 0) return;
    luaL_checkstack(L_, 8, "digest");
    const char* name = nullptr;
    for (int i = 1; (name = lua_getupvalue(L_, index, i)) != nullptr; ++i) {
      if (std::strcmp(name, "_ENV") != 0) value(-1, depth + 1);
      lua_pop(L_, 1);
    }
  }

  lua_State* L_;
  std::uint64_t high_ = 0, low_ = 0;
  std::unordered_set<const void*> seen_;
};

}  // namespace

void copy_plain(lua_State* L, int index, const std::string& who, const std::string& name) {
  struct Job {
    const void* from;
    std::string path;
  };
  luaL_checkstack(L, 16, "copy");
  index = lua_absindex(L, index);
  lua_newtable(L);
  const int copies = lua_gettop(L);  // [original] = copy
  lua_newtable(L);
  const int originals = copies + 1;  // in the order in which they are found
  lua_newtable(L);
  lua_pushvalue(L, index);
  lua_pushvalue(L, -2);
  lua_rawset(L, copies);
  lua_pushvalue(L, index);
  lua_rawseti(L, originals, 1);
  lua_insert(L, copies);  // the result, below the scratch
  const int shift = 1;
  std::vector<std::string> paths{name};
  for (std::size_t next = 0; next < paths.size(); ++next) {
    lua_rawgeti(L, originals + shift, static_cast<lua_Integer>(next) + 1);
    const int from = lua_gettop(L);
    lua_pushvalue(L, from);
    lua_rawget(L, copies + shift);
    const int to = lua_gettop(L);
    const std::string path = paths[next];
    if (lua_getmetatable(L, from) != 0) {
      luaL_getmetatable(L, kBorrowed);
      if (lua_rawequal(L, -1, -2) != 0)
        fail("not_copyable",
             "{}: a fork cannot copy {}: it is the array that a callback was given, which is valid during "
             "the call "
             "only; keep a copy, {{ table.unpack(works) }}",
             who, path);
      fail("not_copyable", "{}: a fork cannot copy {}: it has a metatable", who, path);
    }
    check_holes(L, from, who, path);
    lua_pushnil(L);
    while (lua_next(L, from) != 0) {
      const int key = to + 1, value = to + 2;
      const int key_type = lua_type(L, key);
      if (key_type != LUA_TSTRING && key_type != LUA_TNUMBER && key_type != LUA_TBOOLEAN)
        fail("not_copyable", "{}: a fork cannot copy {}: {} as a key", who, path, shown(L, key));
      lua_pushvalue(L, key);
      switch (lua_type(L, value)) {
        case LUA_TBOOLEAN:
        case LUA_TNUMBER:
        case LUA_TSTRING:
          lua_pushvalue(L, value);
          break;
        case LUA_TTABLE:
          lua_pushvalue(L, value);
          if (lua_rawget(L, copies + shift) == LUA_TNIL) {
            lua_pop(L, 1);
            lua_newtable(L);
            lua_pushvalue(L, value);
            lua_pushvalue(L, -2);
            lua_rawset(L, copies + shift);
            lua_pushvalue(L, value);
            paths.push_back(path_to(L, key, path));
            lua_rawseti(L, originals + shift, static_cast<lua_Integer>(paths.size()));
          }
          break;
        default: {
          const RandomValue* random = test<RandomValue>(L, value);
          if (random == nullptr || random->is_view)
            fail("not_copyable",
                 "{}: a fork cannot copy {}, {}; keep only numbers, texts, booleans, tables and own random "
                 "streams in self",
                 who, path_to(L, key, path), shown(L, value));
          push_new(L, RandomValue(*random));
        }
      }
      lua_rawset(L, to);
      lua_settop(L, key);
    }
    lua_settop(L, from - 1);
  }
  lua_settop(L, copies);
}

std::vector<Captured> captured_by(lua_State* L, int function) {
  std::vector<Captured> all;
  const char* name = nullptr;
  for (int i = 1; (name = lua_getupvalue(L, function, i)) != nullptr; ++i) {
    if (std::strcmp(name, "_ENV") != 0) {
      Digest digest(L);
      digest.value(lua_gettop(L), 0);
      all.push_back({name, digest.high(), digest.low()});
    }
    lua_pop(L, 1);
  }
  return all;
}

void check_captured(lua_State* L, const Reference& function, const std::vector<Captured>& registration,
                    const std::string& who, const std::string& name) {
  function.push(L);
  const std::vector<Captured> now = captured_by(L, lua_gettop(L));
  lua_pop(L, 1);
  for (std::size_t i = 0; i < now.size(); ++i)
    if (now[i].high != registration[i].high || now[i].low != registration[i].low)
      fail("not_copyable",
           "{}: a fork cannot copy the variable '{}', which '{}' captured and which has changed since; "
           "keep state in self",
           who, now[i].name, name);
}

}  // namespace perigee::lua
