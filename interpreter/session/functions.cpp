#include "interpreter/session/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"
#include "interpreter/host/words.h"
#include "interpreter/session/interpreter.h"

namespace perigee::session {

namespace {

// Calls f(word) for each identifier that is no name of a field, in the functions that begin and end on these
// lines. Returns whether there is such a function.
template <class F>
bool each_word_between(std::string_view text, int first, int last, F&& f) {
  const std::vector<Token> tokens = tokens_of(text);
  std::size_t told = 0;
  for (std::size_t at = 0; at < tokens.size() && tokens[at].line <= first; ++at) {
    if (tokens[at].text != "function") continue;
    std::size_t opening = at;  // Lua may say that a function begins there
    while (opening + 1 < tokens.size() && tokens[opening].text != "(") ++opening;
    if (tokens[at].line != first && tokens[opening].line != first) continue;
    const std::size_t end = behind_function(tokens, at);
    if (tokens[end - 1].line != last) continue;
    const char *from = tokens[std::max(at, told)].text.data(), *to = tokens[end - 1].text.data();
    if (from < to) each_word(std::string_view(from, to), [&](std::string_view word, int) { f(word); });
    told = std::max(told, end - 1);
  }
  return told > 0;
}

}  // namespace

const std::optional<std::vector<std::string>>& WordsInFunctions::of(lua_State* L, int index) {
  lua_Debug info;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &info);
  const std::string file = *info.source == '@' ? info.source + 1 : "";
  auto& known = known_[{file, info.linedefined, info.lastlinedefined}];
  if (known) return *known;
  known.emplace();
  const std::string* source = file.empty() ? nullptr : Guest::of(L).sources().text(file);
  if (source == nullptr) return *known;
  const bool whole = info.linedefined == 0;  // a file
  std::set<std::string, std::less<>> words;
  const auto take = [&](std::string_view word) { words.emplace(word); };
  if (whole || !each_word_between(*source, info.linedefined, info.lastlinedefined, take))
    each_word(*source, [&](std::string_view word, int line) {
      if (whole || (line >= info.linedefined && line <= info.lastlinedefined)) take(word);
    });
  if (!words.contains("_ENV")) known->emplace(words.begin(), words.end());
  return *known;
}

namespace {

bool is_vocabulary(lua_State* L, int function, const char* name) {
  const Balanced balanced(L);
  lua_pushvalue(L, function);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  lua_pushstring(L, name);
  lua_rawget(L, -2);
  return lua_rawequal(L, -1, -3) != 0;
}

}  // namespace

void each_global(lua_State* L, int function,
                 const std::function<void(std::string name, const char* verb)>& f) {
  const int top = lua_gettop(L);
  const auto globals = [&] {
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    f("the globals", "may use");
    lua_settop(L, top);
  };
  const auto modules = [&] {
    for (const auto& [name, value] : Interpreter::of(L).modules().loaded()) {
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
  const auto& words = Interpreter::of(L).words_in_functions().of(L, function);
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

void each_captured(lua_State* L, int function, const std::function<void(const char* name, int i)>& f) {
  const char* name = nullptr;
  for (int i = 1; (name = lua_getupvalue(L, function, i)) != nullptr; ++i) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    const bool is_globals = lua_rawequal(L, -1, -2) != 0 && std::strcmp(name, "_ENV") == 0;
    lua_pop(L, 1);
    if (!is_globals) f(name, i);
    lua_pop(L, 1);
  }
}

namespace {

// The code of a function as lua_dump writes it (format 0 of Lua 5.4). The lines where it stands and the
// places of what it captures are left out, because they change with the text around the function.
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

}  // namespace

std::string code_of(lua_State* L) { return Code::of(L); }

}  // namespace perigee::session
