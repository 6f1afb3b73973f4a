#include "interpreter/prompt/input_text.h"

#include <fmt/format.h>

#include <vector>

#include "interpreter/host/words.h"
#include "interpreter/session/inputs.h"
#include "runtime/kernel/text.h"

namespace perigee::prompt {

bool loads(lua_State* L, const std::string& text, const std::string& name) {
  return luaL_loadbufferx(L, text.data(), text.size(), ("@" + name).c_str(), "t") == LUA_OK;
}

std::string_view message_at(lua_State* L, int index) { return host::text_at(L, index).value_or(""); }

bool at_end(lua_State* L) { return message_at(L, -1).ends_with("<eof>"); }

bool uses_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || (!is_word(text[at - 1]) && text[at - 1] != '.')) &&
        (end == text.size() || !is_word(text[end])))
      return true;
  }
  return false;
}

std::set<std::string> global_names(lua_State* L) {
  std::set<std::string> names;
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
    if (const auto name = host::text_at(L, -2)) names.emplace(*name);
  lua_pop(L, 1);
  return names;
}

std::size_t last_expression(lua_State* L, const std::string& text) {
  constexpr std::size_t kMostTries = 300;
  const auto good = [L](const std::string& part) {
    const int top = lua_gettop(L);
    const bool loaded = loads(L, part);
    lua_settop(L, top);
    return loaded;
  };
  if (good("return " + text + "\n")) return text.npos;
  const bool whole = good(text);
  const std::vector<host::Token> tokens = host::tokens_of(text);
  std::size_t tries = 0;
  for (std::size_t i = tokens.size(); i-- > 1 && tries < kMostTries;) {
    const bool begins = tokens[i].line > tokens[i - 1].line || tokens[i - 1].text == ";";
    if (!begins || tokens[i].text == ";") continue;
    ++tries;
    const auto at = static_cast<std::size_t>(tokens[i].text.data() - text.data());
    const std::string last = text.substr(at), before = text.substr(0, at);
    if (!good("return " + last + "\n")) continue;
    // A line that begins with a bracket goes on with the one before it.
    if (whole && (tokens[i].text == "(" || !good(last))) continue;
    if (good(before + std::string(kKeepLocals))) return at;
  }
  return text.npos;
}

std::string as_function(std::string_view of, const std::string& text) {
  return fmt::format("{}(function(...)\n{}\nend)", of, text);
}

std::string cell_by(const std::string& text, std::size_t at, std::string_view before,
                    std::string_view behind) {
  return host::without_const(text.substr(0, at)) + std::string(before) + text.substr(at) +
         std::string(behind);
}

std::string commented(const std::string& text, std::string_view why) {
  std::string out = "-- " + std::string(why) + ": ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "-- ";
  }
  return out;
}

}  // namespace perigee::prompt
