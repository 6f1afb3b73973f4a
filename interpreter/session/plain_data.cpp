// Copies of Lua values for forks, and digests by which a change is noticed.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <optional>
#include <ranges>
#include <set>
#include <unordered_map>

#include "interpreter/host/words.h"
#include "interpreter/session/content.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/plain_data.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/schedulers.h"
#include "runtime/kernel/random.h"

namespace perigee::interpreter::lua {

namespace {

// The identifiers in the text of a function that may name globals; nothing when its text is not known or
// names _ENV, so that it may use any.
const std::optional<std::vector<std::string>>& words_in(lua_State* L, int function) {
  lua_Debug info;
  lua_pushvalue(L, function);
  lua_getinfo(L, ">S", &info);
  Interpreter& interpreter = Interpreter::of(L);
  const std::string file = *info.source == '@' ? info.source + 1 : "";
  auto& known = interpreter.words()[{file, info.linedefined, info.lastlinedefined}];
  if (known) return *known;
  known.emplace();
  const std::string* source = file.empty() ? nullptr : interpreter.sources().text(file);
  if (source == nullptr) return *known;
  const bool whole = info.linedefined == 0;  // a file
  std::set<std::string, std::less<>> words;
  each_word(*source, [&](std::string_view word, int line) {
    if (whole || (line >= info.linedefined && line <= info.lastlinedefined)) words.emplace(word);
  });
  if (!words.contains("_ENV")) known->emplace(words.begin(), words.end());
  return *known;
}

bool is_vocabulary(lua_State* L, int function, const char* name) {
  const Balanced balanced(L);
  lua_pushvalue(L, function);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  lua_pushstring(L, name);
  lua_rawget(L, -2);
  return lua_rawequal(L, -1, -3) != 0;
}

// f(name, verb) with the value on top of the stack, for each global and module that the function may use;
// a function that can call `load` may use all globals.
template <class F>
void each_global(lua_State* L, int function, F&& f) {
  const int top = lua_gettop(L);
  const auto globals = [&] {
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    f("the globals", "may use");
    lua_settop(L, top);
  };
  const auto modules = [&] {
    for (const auto& [name, value] : Interpreter::of(L).modules()) {
      value.push(L);
      f(fmt::format("the module '{}'", name), "may require");
      lua_settop(L, top);
    }
  };
  if (lua_iscfunction(L, function) != 0) {
    if (is_vocabulary(L, function, "load")) globals();
    if (is_vocabulary(L, function, "require")) modules();
    return;
  }
  const auto& words = words_in(L, function);
  if (!words) {
    globals();
    modules();
    return;
  }
  for (const std::string& word : *words) {
    if (word == "load") globals();
    if (word == "load" || word == "require") modules();
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    push(L, word);
    lua_rawget(L, -2);
    f(fmt::format("the global '{}'", word), "uses");
    lua_settop(L, top);
  }
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

// The code of a function as lua_dump writes it (format 0 of Lua 5.4). The lines where it stands and the places of
// what it captures are left out, because they change with the text around the function.
class Code {
 public:
  // The code of the function on top of the stack.
  static std::string of(lua_State* L) {
    std::string dump;
    const auto write = [](lua_State*, const void* data, std::size_t size, void* to) {
      static_cast<std::string*>(to)->append(static_cast<const char*>(data), size);
      return 0;
    };
    lua_dump(L, write, &dump, 1);
    Code code(dump);
    constexpr std::size_t kHeader = 31;  // signature, version, format, data, sizes, an integer, a number
    if (dump.size() < kHeader || dump[4] != 0x54 || dump[5] != 0) return dump;
    code.take(kHeader + 1);  // and the number of captured variables
    code.function(true);
    return code.good_ && code.at_ == dump.size() ? code.out_ : dump;
  }

 private:
  explicit Code(std::string_view dump) : dump_(dump) {}

  void take(std::size_t size) {
    skip(size);
    if (good_) out_.append(dump_.substr(at_ - size, size));
  }
  void skip(std::size_t size) {
    good_ = good_ && size <= dump_.size() - at_;
    if (good_) at_ += size;
  }
  std::size_t number(bool kept = true) {
    std::size_t value = 0;
    for (bool last = false; good_ && !last;) {
      skip(1);
      if (!good_) break;
      const auto byte = static_cast<unsigned char>(dump_[at_ - 1]);
      if (kept) out_ += dump_[at_ - 1];
      value = value << 7 | (byte & 0x7F);
      last = (byte & 0x80) != 0;
    }
    return good_ ? value : 0;
  }
  void text() {
    const std::size_t size = number();
    if (size > 0) take(size - 1);
  }
  void function(bool outermost) {
    text();         // the name of its source
    number(false);  // its lines
    number(false);
    take(3);
    take(number() * 4);  // instructions
    for (std::size_t n = number(); good_ && n > 0; --n) {
      take(1);
      const int type = good_ ? out_.back() : LUA_TNIL;
      if (type == LUA_TSTRING || type == (LUA_TSTRING | 1 << 4))
        text();
      else if ((type & 0xF) == LUA_TNUMBER)
        take(8);
    }
    for (std::size_t n = number(); good_ && n > 0; --n)
      if (outermost)
        skip(3);
      else
        take(3);
    for (std::size_t n = number(); good_ && n > 0; --n) function(false);
    for (int debug = 0; debug < 4; ++debug) good_ = number() == 0 && good_;  // stripped
  }

  std::string_view dump_;
  std::string out_;
  std::size_t at_ = 0;
  bool good_ = true;
};

// The place of a function of C++: the library, and the offset in it.
std::string plain_data_place_of(lua_CFunction function) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(function), &info) == 0) return {};
  return fmt::format(
      "{}+{}", std::filesystem::path(info.dli_fname).filename().string(),
      reinterpret_cast<std::uintptr_t>(function) - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
}

// The number and the largest of the integer keys from 1 on. Lua does not define where an array with holes
// ends.
struct Extent {
  lua_Integer count = 0, highest = 0;
  void take(lua_State* L, int key) {
    if (lua_isinteger(L, key) == 0 || lua_tointeger(L, key) < 1) return;
    ++count;
    highest = std::max(highest, lua_tointeger(L, key));
  }
  bool has_holes() const { return count != highest; }
};
Extent extent_of(lua_State* L, int table) {
  Extent extent;
  for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) extent.take(L, -2);
  return extent;
}

// The digest of a value and of everything reachable from it. Tables, functions, coroutines and, by content,
// native values are taken up one after another and numbered in the order in which they are met. That order
// depends on neither addresses nor the order of lua_next.
class Digest {
 public:
  // Digests the value on top of the stack. Functions and native values are known by identity or, with the
  // names of the vocabulary, by content. `keep`: a list of the functions and native values that were met, and
  // whose content may change, is left above the value. A native value has those in it in its own recipe.
  explicit Digest(lua_State* L, const Interpreter::WordNames* names = nullptr, bool keep = false)
      : L_(L), names_(names) {
    luaL_checkstack(L, 32, "surroundings");
    lua_newtable(L);
    met_ = lua_gettop(L);
    value(met_ - 1);
    for (lua_Integer next = 1; next <= static_cast<lua_Integer>(numbers_.size()); ++next) {
      lua_rawgeti(L, met_, next);
      const int object = lua_gettop(L);
      within_native_ = by_content() && (lua_type(L, object) == LUA_TUSERDATA ||
                                        of_native_[static_cast<std::size_t>(next - 1)] != 0);
      if (lua_type(L, object) == LUA_TTABLE)
        table(object);
      else if (lua_type(L, object) == LUA_TFUNCTION)
        function(object);
      else if (lua_type(L, object) == LUA_TTHREAD)
        thread(object);
      else
        native(object);
      lua_settop(L, met_);
    }
    if (keep) {
      lua_newtable(L);
      lua_Integer kept = 0;
      for (lua_Integer next = 1; next <= static_cast<lua_Integer>(numbers_.size()); ++next) {
        const int type = lua_rawgeti(L, met_, next);
        const bool kept_by_native = of_native_[static_cast<std::size_t>(next - 1)] != 0;
        if (!kept_by_native && (type == LUA_TFUNCTION || (type == LUA_TUSERDATA && !is_settled(-1))))
          lua_rawseti(L, met_ + 1, ++kept);
        else
          lua_pop(L, 1);
      }
      lua_remove(L, met_);
    } else {
      lua_settop(L, met_ - 1);
    }
  }

  std::uint64_t high() const { return high_; }
  std::uint64_t low() const { return low_; }
  Content content() const { return {fmt::format("{:016x}{:016x}", high_, low_), unknown_}; }

 private:
  static bool is_plain(int type) {
    return type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING;
  }
  bool by_content() const { return names_ != nullptr; }
  void mix(std::uint64_t x) {
    low_ = SplitMix64::mix(low_ ^ x);
    high_ = SplitMix64::mix(high_ + low_ + 0x9E3779B97F4A7C15ULL);
  }
  void mix_text(std::string_view text) {
    mix(text.size());
    mix(hash_name(text));
  }
  void not_known(std::string what) {
    if (unknown_.empty()) unknown_ = std::move(what);
  }

  void value(int index) {
    index = lua_absindex(L_, index);
    const int type = lua_type(L_, index);
    mix(static_cast<std::uint64_t>(type));
    switch (type) {
      case LUA_TNIL:
        break;
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
      case LUA_TFUNCTION:
      case LUA_TTHREAD:
        object(index);
        break;
      default:
        if (by_content() && type == LUA_TUSERDATA) {
          object(index);
          break;
        }
        if (by_content()) {
          not_known("a value of its own kind");
          break;
        }
        mix_identity(index);
        random(index);
        break;
    }
  }

  // By number; in the vocabulary, by name.
  void object(int index) {
    const void* pointer = lua_topointer(L_, index);
    if (by_content()) {
      const auto word = names_->find(pointer);
      if (word != names_->end() && word->second != "load" && word->second != "require") {
        mix_text(word->second);
        return;
      }
    }
    const auto [at, is_new] = numbers_.try_emplace(pointer, numbers_.size() + 1);
    mix(at->second);
    if (!is_new) return;
    of_native_.push_back(within_native_ ? 1 : 0);
    lua_pushvalue(L_, index);
    lua_rawseti(L_, met_, static_cast<lua_Integer>(at->second));
  }

  void mix_identity(int index) { mix(static_cast<std::uint64_t>(identity(L_, index))); }

  // The state of an own random stream; false of anything else.
  bool random(int index) {
    const auto* random = test<RandomValue>(L_, index);
    if (random == nullptr || random->is_view) return false;
    mix(random->own.index());
    if (const auto* stream = std::get_if<Stream>(&random->own)) {
      mix(stream->position());
      if (by_content()) {  // which stream it is shows in what it will draw
        Stream copy = *stream;
        mix(copy());
        mix(copy());
      }
    }
    if (const auto* generator = std::get_if<SplitMix64>(&random->own)) mix(generator->state());
    return true;
  }

  void table(int index) {
    const bool has_metatable = lua_getmetatable(L_, index) != 0;
    mix(std::uint64_t{has_metatable});
    if (has_metatable) {
      value(-1);
      lua_pop(L_, 1);
    }
    // Entries that lead nowhere are summed, in any order.
    std::uint64_t high = 0, low = 0, plain = 0, others = 0;
    Extent extent;
    lua_pushnil(L_);
    while (lua_next(L_, index) != 0) {
      extent.take(L_, -2);
      if (is_plain(lua_type(L_, -2)) && is_plain(lua_type(L_, -1))) {
        const std::uint64_t high_before = std::exchange(high_, 0), low_before = std::exchange(low_, 0);
        value(-2);
        value(-1);
        high += std::exchange(high_, high_before);
        low += std::exchange(low_, low_before);
        ++plain;
      } else {
        ++others;
      }
      lua_pop(L_, 1);
    }
    mix(high);
    mix(low);
    mix(plain);
    mix(others);
    // Which of its borders # finds depends on the order in which the entries were written.
    if (extent.has_holes()) mix(lua_rawlen(L_, index));
    if (others == 0) return;
    each_sorted(L_, index, [&] {
      const bool plain_key = is_plain(lua_type(L_, -2));
      if (plain_key && is_plain(lua_type(L_, -1))) return;
      if (!plain_key && !by_content()) mix_identity(-2);
      value(-2);
      value(-1);
    });
  }

  void function(int index) {
    const bool is_word = by_content() && names_->contains(lua_topointer(L_, index));  // load, require
    if (!by_content()) {
      mix_identity(index);
    } else if (is_word) {
      mix_text(names_->at(lua_topointer(L_, index)));
    } else if (lua_iscfunction(L_, index) != 0) {
      mix_text(plain_data_place_of(lua_tocfunction(L_, index)));
    } else {
      lua_pushvalue(L_, index);
      mix_text(Code::of(L_));
      lua_pop(L_, 1);
    }
    if (!is_word)
      each_captured(L_, index, [&](const char*, int i) {
        if (by_content())  // functions may share it
          mix(variables_.try_emplace(lua_upvalueid(L_, index, i), variables_.size() + 1).first->second);
        value(-1);
      });
    each_global(L_, index, [&](const std::string& name, const char*) {
      if (by_content() && lua_isnil(L_, -1)) return;  // its text has more words than names of globals
      if (by_content()) mix_text(name);
      value(-1);
    });
  }

  // A native value, by content.
  void native(int index) {
    if (random(index)) return;
    for (const auto& [type, told] : Interpreter::of(L_).contents())
      if (luaL_testudata(L_, index, type.c_str()) != nullptr) return mix_text(told(L_, index));
    if (push_recipe(L_, index)) {
      value(-1);
      lua_pop(L_, 1);
      return;
    }
    not_known(shown(L_, index));
  }

  // Whether its recipe is a digest alone: nothing in it can change any more.
  bool is_settled(int index) {
    if (!push_recipe(L_, index)) return false;
    lua_rawgeti(L_, -1, 1);
    const bool settled = lua_istable(L_, -1) && lua_rawlen(L_, -1) == 1;
    lua_pop(L_, 2);
    return settled;
  }

  // A coroutine that went on has another identity. A coroutine that waits is known by the values it holds.
  void thread(int index) {
    if (by_content()) return not_known("a coroutine");
    lua_State* co = lua_tothread(L_, index);
    mix_identity(index);
    mix(static_cast<std::uint64_t>(lua_status(co)));
    if (co == L_) return;
    if (lua_checkstack(co, 4) == 0) luaL_error(L_, "not enough memory to look at a coroutine");
    const auto take = [&] {
      lua_xmove(co, L_, 1);
      value(-1);
      lua_pop(L_, 1);
    };
    lua_Debug frame;
    if (lua_status(co) == LUA_OK && lua_getstack(co, 0, &frame) == 0 && lua_gettop(co) > 0) {
      lua_pushvalue(co, 1);  // the function that it will begin with
      take();
    }
    for (int level = 0; lua_status(co) == LUA_YIELD && lua_getstack(co, level, &frame) != 0; ++level) {
      lua_getinfo(co, "f", &frame);
      take();
      for (int i = 1; lua_getlocal(co, &frame, i) != nullptr; ++i) take();
      for (int i = -1; lua_getlocal(co, &frame, i) != nullptr; --i) take();  // the values of `...`
    }
  }

  lua_State* L_;
  const Interpreter::WordNames* names_;
  int met_ = 0;
  std::uint64_t high_ = 0, low_ = 0;
  std::string unknown_;
  std::unordered_map<const void*, std::uint64_t> numbers_, variables_;
  std::vector<std::uint8_t> of_native_;  // per number: reached through the recipe of a native value only
  bool within_native_ = false;
};

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
    if (const Extent extent = extent_of(L_, table); extent.has_holes())
      fail("not_copyable",
           "{}: a fork cannot copy {}: an array with holes ({} elements, the last at {}); use false for what "
           "is empty",
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

std::vector<Surroundings::Seen> Surroundings::look(lua_State* L) const {
  const Balanced balanced(L);
  luaL_checkstack(L, 32, "surroundings");
  std::vector<Seen> all;
  const auto add = [&](const void* id, std::string name, std::string by) {
    const auto same = [&](const Seen& seen) { return seen.id == id && seen.name == name; };
    if (std::find_if(all.begin(), all.end(), same) != all.end()) return;
    const Digest digest(L);
    all.push_back({id, std::move(name), std::move(by), digest.high(), digest.low()});
  };
  for (const auto& [callback, reference] : functions_) {
    reference.push(L);
    const int function = lua_gettop(L);
    each_captured(L, function, [&](const char* name, int i) {
      add(lua_upvalueid(L, function, i), fmt::format("the variable '{}'", name),
          fmt::format("which '{}' captured", callback));
    });
    each_global(L, function, [&](std::string name, const char* verb) {
      add(nullptr, std::move(name), fmt::format("which '{}' {}", callback, verb));
    });
    lua_pop(L, 1);
  }
  return all;
}

std::optional<Surroundings::Seen> Surroundings::changed_since(lua_State* L,
                                                              const std::vector<Seen>& before) const {
  for (Seen& now : look(L))
    for (const Seen& then : before)
      if (now.same_variable(then) && !now.same_value(then)) return std::move(now);
  return std::nullopt;
}

Content content_of(lua_State* L, int index) {
  const Balanced balanced(L);
  lua_pushvalue(L, index);
  return Digest(L, &Interpreter::of(L).word_names()).content();
}

Content push_content(lua_State* L, int index) {
  lua_pushvalue(L, index);
  Content content = Digest(L, &Interpreter::of(L).word_names(), true).content();
  lua_remove(L, -2);
  return content;
}

Reach reach_of(lua_State* L, const std::vector<std::pair<std::string, Reference>>& functions) {
  const Balanced balanced(L);
  luaL_checkstack(L, 32, "surroundings");
  const Interpreter::WordNames& names = Interpreter::of(L).word_names();
  Reach reach;
  lua_newtable(L);  // all together, where what is shared by several parts is told
  const int all = lua_gettop(L);
  const auto add = [&](std::string name, const std::string& text) {
    const auto same = [&](const KeyPart& part) { return part.name == name; };
    if (std::ranges::any_of(reach.parts, same)) return;
    const Content content = Digest(L, &names).content();
    if (!content.unknown.empty() && reach.unknown.empty())
      reach.unknown = fmt::format("{}{} leads to {}", name, text, content.unknown);
    reach.parts.push_back({std::move(name), content.digest});
  };
  for (const auto& [callback, reference] : functions) {
    reference.push(L);
    const int function = lua_gettop(L);
    lua_pushvalue(L, function);
    reach.parts.push_back({fmt::format("the text of '{}'", callback), hash_text(Code::of(L))});
    lua_pop(L, 1);
    each_captured(L, function, [&](const char* name, int) {
      add(fmt::format("the variable '{}'", name), fmt::format(", which '{}' captured,", callback));
    });
    each_global(L, function, [&](const std::string& name, const char* verb) {
      if (!lua_isnil(L, -1)) add(name, fmt::format(", which '{}' {},", callback, verb));
    });
    lua_pushvalue(L, function);
    lua_rawseti(L, all, static_cast<lua_Integer>(lua_rawlen(L, all)) + 1);
    lua_settop(L, all);
  }
  each_registered(L, [&](const std::string& name) {
    add(fmt::format("'{}'", name), "");
    lua_pushvalue(L, -1);
    lua_rawseti(L, all, static_cast<lua_Integer>(lua_rawlen(L, all)) + 1);
  });
  lua_settop(L, all);
  const Content content = Digest(L, &names).content();
  reach.digest = content.digest;
  if (reach.unknown.empty()) reach.unknown = content.unknown;
  return reach;
}

CapturedVariables::CapturedVariables(lua_State* L, Reference function) : function_(std::move(function)) {
  const Balanced balanced(L);
  luaL_checkstack(L, 3, "captured variables");
  function_.push(L);
  while (lua_getupvalue(L, -1, static_cast<int>(values_.size()) + 1) != nullptr) {
    values_.emplace_back(L, -1);
    lua_pop(L, 1);
  }
}

void CapturedVariables::put_back(lua_State* L) const noexcept {
  if (lua_checkstack(L, 3) == 0) return;  // out of memory: the next step of the script says so
  function_.push(L);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i].push(L);
    lua_setupvalue(L, -2, static_cast<int>(i) + 1);
  }
  lua_pop(L, 1);
}

void Traces::enter(lua_State* L, std::uint64_t run, const std::string& who,
                   const std::shared_ptr<const Surroundings>& surroundings, bool of_cell) {
  for (const Entered& each : entered_)
    if (each.run == run) return;
  std::vector<Surroundings::Seen> now = surroundings->look(L);
  for (const auto& seen : now)
    for (const Left& left : left_)
      if (left.run != run && left.value.same_variable(seen) && left.value.same_value(seen))
        fail("state_outside",
             "{}: an earlier run or fork of {} has changed {}, {}, so that the result would depend on it; {}",
             who, left.who, seen.name, seen.by, surroundings->remedy());
  entered_.push_back({run, who, surroundings, of_cell, std::move(now)});
}

void Traces::leave(lua_State* L) {
  const std::vector<Entered> all = std::exchange(entered_, {});
  for (const Entered& entered : all) {
    std::vector<Surroundings::Seen> now = entered.surroundings->look(L);
    for (const auto& before : entered.before)
      for (auto& seen : now) {
        if (!seen.same_variable(before) || seen.same_value(before)) continue;
        std::erase_if(left_, [&](const Left& left) { return left.value.same_variable(seen); });
        left_.push_back({entered.run, entered.who, entered.of_cell, std::move(seen)});
        break;
      }
  }
}

std::string Traces::left_since(std::uint64_t run) const {
  for (const Left& left : left_)
    if (left.run > run && !left.of_cell)
      return fmt::format("{} has changed {}, {}", left.who, left.value.name, left.value.by);
  return {};
}

void Traces::check_fork(lua_State* L, std::uint64_t run, const std::string& who,
                        const Surroundings& surroundings) const {
  const auto refuse = [&](const Surroundings::Seen& seen) {
    fail("not_copyable", "{}: a fork cannot copy {}, {} and which has changed since; {}", who, seen.name,
         seen.by, surroundings.remedy());
  };
  for (const auto& seen : surroundings.look(L)) {
    for (const Left& left : left_)
      if (left.run == run && left.value.same_variable(seen) && left.value.same_value(seen)) refuse(seen);
    for (const Entered& entered : entered_)
      for (const auto& before : entered.before)
        if (entered.run == run && before.same_variable(seen) && !before.same_value(seen)) refuse(seen);
  }
}

}  // namespace perigee::interpreter::lua
