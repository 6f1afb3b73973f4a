// Copies of Lua values for forks, and digests by which a change is noticed.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <optional>
#include <set>
#include <unordered_set>

#include "interpreter/bindings/declarations.h"
#include "interpreter/bindings/schedulers.h"
#include "interpreter/interpreter.h"
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

// The identifiers in the text of a function that may name globals; nothing when its text is not known or
// names _ENV, so that it may use any.
const std::optional<std::vector<std::string>>& words_of(lua_State* L, int function) {
  lua_Debug info;
  lua_pushvalue(L, function);
  lua_getinfo(L, ">S", &info);
  Interpreter& interpreter = Interpreter::of(L);
  const std::string file = *info.source == '@' ? info.source + 1 : "";
  auto& known = interpreter.words()[{file, info.linedefined, info.lastlinedefined}];
  if (known) return *known;
  known.emplace();
  const std::string* source = file.empty() ? nullptr : interpreter.source(file);
  if (source == nullptr) return *known;
  std::size_t at = 0;
  for (int line = 1; line < info.linedefined; ++line)
    at = std::min(source->find('\n', at), source->size() - 1) + 1;
  std::set<std::string> words;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  char before = '\n', before_that = '\n';  // no white space
  for (int line = std::max(info.linedefined, 1); at < source->size(); ++at) {
    const char c = (*source)[at];
    if (c == '\n' && line++ == info.lastlinedefined) break;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
    if (is_word(c)) {
      std::size_t end = at;
      while (end < source->size() && is_word((*source)[end])) ++end;
      const bool field = (before == '.' && before_that != '.') || (before == ':' && before_that != ':');
      if (!field && std::isdigit(static_cast<unsigned char>(c)) == 0)
        words.insert(source->substr(at, end - at));
      at = end - 1;
    }
    before_that = before;
    before = (*source)[at];
  }
  if (!words.contains("_ENV")) known->emplace(words.begin(), words.end());
  return *known;
}

// f(name) with the value on top of the stack, for each global that the function may use; name is empty for
// all of them at once.
template <class F>
void each_global(lua_State* L, int function, F&& f) {
  if (lua_iscfunction(L, function) != 0) return;
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  const int globals = lua_gettop(L);
  if (const auto& words = words_of(L, function)) {
    for (const std::string& word : *words) {
      push(L, word);
      lua_rawget(L, globals);
      f(word);
      lua_settop(L, globals);
    }
  } else {
    f(std::string());
  }
  lua_settop(L, globals - 1);
}

// f(name, i) with the value on top of the stack, for each variable that the function captured.
template <class F>
void each_captured(lua_State* L, int function, F&& f) {
  const char* name = nullptr;
  for (int i = 1; (name = lua_getupvalue(L, function, i)) != nullptr; ++i) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    const bool is_globals = lua_rawequal(L, -1, -2) != 0 && std::strcmp(name, "_ENV") == 0;
    lua_pop(L, 1);
    if (!is_globals) f(name, i);
    lua_pop(L, 1);
  }
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
      case LUA_TTHREAD:
        thread(lua_tothread(L_, index), depth);
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
    return depth < kDeepest && lua_checkstack(L_, 16) != 0 && seen_.insert(lua_topointer(L_, index)).second;
  }

  // The order of lua_next depends on the table's history, so entries are summed.
  void table(int index, int depth) {
    if (!enter(index, depth)) return;
    if (lua_getmetatable(L_, index) != 0) {
      value(-1, depth + 1);
      lua_pop(L_, 1);
    }
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
    if (!enter(index, depth)) return;
    each_captured(L_, index, [&](const char*, int) { value(-1, depth + 1); });
    each_global(L_, index, [&](const std::string&) { value(-1, depth + 1); });
  }

  // Where a coroutine stands, and its variables.
  void thread(lua_State* co, int depth) {
    mix(static_cast<std::uint64_t>(lua_status(co)));
    if (co == L_ || depth >= kDeepest || !seen_.insert(co).second || lua_checkstack(co, 4) == 0) return;
    lua_Debug frame;
    for (int level = 0; lua_getstack(co, level, &frame) != 0; ++level) {
      lua_getinfo(co, "l", &frame);
      mix(static_cast<std::uint64_t>(frame.currentline));
      for (int i = 1; lua_getlocal(co, &frame, i) != nullptr; ++i) {
        lua_xmove(co, L_, 1);
        value(-1, depth + 1);
        lua_pop(L_, 1);
      }
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

std::vector<Surroundings::Seen> Surroundings::look(lua_State* L) const {
  const Balanced balanced(L);
  luaL_checkstack(L, 32, "surroundings");
  std::vector<Seen> all;
  const auto add = [&](const void* id, std::string name, std::string by) {
    const auto same = [&](const Seen& seen) { return seen.id == id && seen.name == name; };
    if (std::find_if(all.begin(), all.end(), same) != all.end()) return;
    Digest digest(L);
    digest.value(lua_gettop(L), 0);
    all.push_back({id, std::move(name), std::move(by), digest.high(), digest.low()});
  };
  for (const auto& [callback, reference] : functions_) {
    reference.push(L);
    const int function = lua_gettop(L);
    each_captured(L, function, [&](const char* name, int i) {
      add(lua_upvalueid(L, function, i), fmt::format("the variable '{}'", name),
          fmt::format("which '{}' captured", callback));
    });
    each_global(L, function, [&](const std::string& name) {
      if (name.empty())
        add(nullptr, "the globals", fmt::format("which '{}' may use", callback));
      else
        add(nullptr, fmt::format("the global '{}'", name), fmt::format("which '{}' uses", callback));
    });
    lua_pop(L, 1);
  }
  return all;
}

void Traces::enter(lua_State* L, std::uint64_t run, const std::string& who,
                   const std::shared_ptr<const Surroundings>& surroundings) {
  for (const Entered& each : entered_)
    if (each.run == run) return;
  std::vector<Surroundings::Seen> now = surroundings->look(L);
  for (const auto& seen : now)
    for (const Left& left : left_)
      if (left.run != run && left.value.same_variable(seen) && left.value.same_value(seen))
        fail("state_outside",
             "{}: an earlier run or fork of {} has changed {}, {}, so that the result would depend on it; "
             "keep "
             "state in self",
             who, left.who, seen.name, seen.by);
  entered_.push_back({run, who, surroundings, std::move(now)});
}

void Traces::leave(lua_State* L) {
  const std::vector<Entered> all = std::exchange(entered_, {});
  for (const Entered& entered : all) {
    std::vector<Surroundings::Seen> now = entered.surroundings->look(L);
    for (const auto& before : entered.before)
      for (auto& seen : now) {
        if (!seen.same_variable(before) || seen.same_value(before)) continue;
        std::erase_if(left_, [&](const Left& left) { return left.value.same_variable(seen); });
        left_.push_back({entered.run, entered.who, std::move(seen)});
        break;
      }
  }
}

void Traces::check_fork(lua_State* L, std::uint64_t run, const std::string& who,
                        const Surroundings& surroundings) const {
  const auto refuse = [&](const Surroundings::Seen& seen) {
    fail("not_copyable", "{}: a fork cannot copy {}, {} and which has changed since; keep state in self", who,
         seen.name, seen.by);
  };
  for (const auto& seen : surroundings.look(L)) {
    for (const Left& left : left_)
      if (left.run == run && left.value.same_variable(seen) && left.value.same_value(seen)) refuse(seen);
    for (const Entered& entered : entered_)
      for (const auto& before : entered.before)
        if (entered.run == run && before.same_variable(seen) && !before.same_value(seen)) refuse(seen);
  }
}

}  // namespace perigee::lua
