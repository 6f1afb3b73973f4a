#include "interpreter/session/digest.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <bit>
#include <filesystem>
#include <utility>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/session/content.h"
#include "interpreter/session/extent.h"
#include "interpreter/session/functions.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/charts.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/mappings.h"
#include "runtime/kernel/random.h"

namespace perigee::session {

namespace {

// The place of a function of C++: the library, and the offset in it.
std::string place_of_native(lua_CFunction function) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(function), &info) == 0) return {};
  return fmt::format(
      "{}+{}", std::filesystem::path(info.dli_fname).filename().string(),
      reinterpret_cast<std::uintptr_t>(function) - reinterpret_cast<std::uintptr_t>(info.dli_fbase));
}

// The digest of a value and of everything reachable from it. Tables, functions, coroutines and, by content,
// native values are taken up one after another and numbered in the order in which they are met. The order
// depends on neither addresses nor lua_next.
class Digester {
 public:
  Digester(lua_State* L, const WordNames* names, bool keep) : L_(L), names_(names) {
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

  Digest digest() const { return {high_, low_, unknown_}; }

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
        if (!random(index)) steps(index);
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

  // How far a mapping or a chart has been made. The data that it is made from never change.
  void steps(int index) {
    const auto step = [&](std::uint32_t task, std::uint32_t machine) {
      mix(task);
      mix(machine);
    };
    if (const auto* problem = test<ProblemValue>(L_, index)) {
      problem->draft.each_step(step);
    } else if (const auto* chart = test<ChartValue>(L_, index); chart != nullptr && chart->own) {
      for (const auto& placed : chart->view().placed()) step(placed.task, placed.host);
    }
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
    KeyExtent extent;
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
      mix_text(place_of_native(lua_tocfunction(L_, index)));
    } else {
      lua_pushvalue(L_, index);
      mix_text(code_of(L_));
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
    for (const auto& [type, told] : Interpreter::of(L_).contents().types())
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
  const WordNames* names_;
  int met_ = 0;
  std::uint64_t high_ = 0, low_ = 0;
  std::string unknown_;
  std::unordered_map<const void*, std::uint64_t> numbers_, variables_;
  std::vector<std::uint8_t> of_native_;  // per number: reached through the recipe of a native value only
  bool within_native_ = false;
};

}  // namespace

std::string Digest::text() const { return fmt::format("{:016x}{:016x}", high, low); }

Digest digest_of(lua_State* L, const WordNames* names, bool keep) {
  return Digester(L, names, keep).digest();
}

}  // namespace perigee::session
