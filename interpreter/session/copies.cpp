#include "interpreter/session/copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/session/extent.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/schedulers.h"

namespace perigee::session {

namespace {

bool is_plain_key(int type) { return type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN; }

// A stream that is a value of its own, not a view; null for any other value.
const RandomValue* own_stream(lua_State* L, int index) {
  const RandomValue* random = test<RandomValue>(L, index);
  return random == nullptr || random->is_view ? nullptr : random;
}

// Pushes a copy; false, with nothing pushed, when something cannot be copied.
bool push_plain_copy(lua_State* L, int index) {
  index = lua_absindex(L, index);
  const int result = lua_gettop(L) + 1, copies = result + 1, originals = result + 2;
  lua_Integer found = 0;
  lua_pushnil(L);
  lua_newtable(L);  // [original] = copy
  lua_newtable(L);  // in the order in which they are found
  const auto push_copy_of = [&](int original) {
    lua_pushvalue(L, original);
    if (lua_rawget(L, copies) != LUA_TNIL) return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, original);
    lua_pushvalue(L, -2);
    lua_rawset(L, copies);
    lua_pushvalue(L, original);
    lua_rawseti(L, originals, ++found);
  };
  push_copy_of(index);
  lua_replace(L, result);
  for (lua_Integer next = 1; next <= found; ++next) {
    lua_rawgeti(L, originals, next);
    const int from = lua_gettop(L), to = from + 1, key = from + 2, value = from + 3;
    push_copy_of(from);
    bool good = lua_getmetatable(L, from) == 0 && !extent_of(L, from).has_holes();
    if (good) lua_pushnil(L);
    while (good && lua_next(L, from) != 0) {
      good = is_plain_key(lua_type(L, key));
      lua_pushvalue(L, key);
      if (is_plain_key(lua_type(L, value)) || test<SchedulerValue>(L, value) != nullptr)
        lua_pushvalue(L, value);
      else if (lua_type(L, value) == LUA_TTABLE)
        push_copy_of(value);
      else if (const RandomValue* random = own_stream(L, value))
        push_new(L, RandomValue(*random));
      else
        good = false;
      if (!good) break;
      lua_rawset(L, to);
      lua_settop(L, key);
    }
    if (!good) {
      lua_settop(L, result - 1);
      return false;
    }
    lua_settop(L, originals);
  }
  lua_settop(L, result);
  return true;
}

// Names the value that push_copy() cannot copy: the first in a fixed order.
class Uncopyable {
 public:
  Uncopyable(lua_State* L, const std::string& who, const std::string& name) : L_(L), who_(who), name_(name) {}

  void find(int index) {
    const Balanced balanced(L_);
    lua_pushvalue(L_, index);
    lua_newtable(L_);
    seen_ = lua_gettop(L_);
    lua_newtable(L_);
    enlist(seen_ - 1);
    for (std::size_t place = 0; place < places_.size(); ++place) {
      lua_rawgeti(L_, seen_ + 1, static_cast<lua_Integer>(place) + 1);
      check_table(lua_gettop(L_), place);
      each_sorted(L_, lua_gettop(L_), [&] { check_entry(place); });
      lua_settop(L_, seen_ + 1);
    }
  }

 private:
  struct Place {
    std::size_t parent;
    std::string step;  // ".field", "[3]"
  };

  std::string path_of(std::size_t place) const {
    std::vector<std::string_view> steps;
    for (; place > 0; place = places_[place].parent) steps.push_back(places_[place].step);
    steps.push_back(name_);
    std::reverse(steps.begin(), steps.end());
    constexpr std::ptrdiff_t kShown = 8;  // at either end
    if (steps.size() > 3 * kShown) {
      steps.erase(steps.begin() + kShown, steps.end() - kShown);
      steps.insert(steps.begin() + kShown, " ... ");
    }
    return fmt::format("{}", fmt::join(steps, ""));
  }

  // Whether the table is new; then it is listed, at the place of its number.
  bool enlist(int table) {
    lua_pushvalue(L_, table);
    const bool is_new = lua_rawget(L_, seen_) == LUA_TNIL;
    lua_pop(L_, 1);
    if (!is_new) return false;
    lua_pushvalue(L_, table);
    lua_pushboolean(L_, 1);
    lua_rawset(L_, seen_);
    lua_pushvalue(L_, table);
    lua_rawseti(L_, seen_ + 1, static_cast<lua_Integer>(lua_rawlen(L_, seen_ + 1)) + 1);
    return true;
  }

  void check_table(int table, std::size_t place) const {
    if (lua_getmetatable(L_, table) != 0) {
      luaL_getmetatable(L_, kLent);
      luaL_getmetatable(L_, kReturned);
      if (lua_rawequal(L_, -1, -3) != 0 || lua_rawequal(L_, -2, -3) != 0)
        fail("not_copyable",
             "{}: a fork cannot copy {}: it is the array that a callback was given, which is valid during "
             "the call only; keep a copy, {{ table.unpack(works) }}",
             who_, path_of(place));
      fail("not_copyable", "{}: a fork cannot copy {}: it has a metatable", who_, path_of(place));
    }
    if (const KeyExtent extent = extent_of(L_, table); extent.has_holes())
      fail("not_copyable",
           "{}: a fork cannot copy {}: an array with holes ({} "
           "elements, the last at {}); use false for what is empty",
           who_, path_of(place), extent.count, extent.highest);
  }

  // A key and its value are on top of the stack.
  void check_entry(std::size_t place) {
    if (!is_plain_key(lua_type(L_, -2)))
      fail("not_copyable", "{}: a fork cannot copy {}: {} as a key", who_, path_of(place), shown(L_, -2));
    const auto text = text_at(L_, -2);
    const std::string step = text ? fmt::format(".{}", *text) : fmt::format("[{}]", shown(L_, -2));
    const int type = lua_type(L_, -1);
    if (type == LUA_TTABLE) {
      if (enlist(lua_gettop(L_))) places_.push_back({place, step});
    } else if (!is_plain_key(type) && own_stream(L_, -1) == nullptr &&
               test<SchedulerValue>(L_, -1) == nullptr) {
      fail("not_copyable", "{}: a fork cannot copy {}{}, {}; {}", who_, path_of(place), step, shown(L_, -1),
           test<RandomValue>(L_, -1) != nullptr
               ? "it is the run's, which a fork has anew: ask for sim:stream(name) in each call, or keep a "
                 "stream(name) of your own"
               : "keep only numbers, texts, booleans, tables, schedulers and own random streams in self");
    }
  }

  lua_State* L_;
  const std::string &who_, &name_;
  std::vector<Place> places_{{0, name_}};
  int seen_ = 0;  // the place on the stack of the set of tables, below the list of them
};

}  // namespace

void copy_plain(lua_State* L, int index, const std::string& who, const std::string& name) {
  luaL_checkstack(L, 32, "copy");
  if (!push_plain_copy(L, index)) Uncopyable(L, who, name).find(index);
}

}  // namespace perigee::session
