#include "interpreter/host/record_lines.h"

#include <algorithm>
#include <string>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/host/words.h"

namespace perigee::host {

namespace {

struct Written {  // key = value
  std::string_view key, value;
  int line;
};

struct Braces {  // { ... }
  std::size_t begin;
  int line;
  std::vector<Written> fields = {};
  bool computed = false;  // it has [key] = value
};

constexpr std::string_view kOpens = "{([", kCloses = "})]";

bool is_in(std::string_view set, std::string_view token) {
  return token.size() == 1 && set.find(token[0]) != set.npos;
}

std::vector<Braces> braces_of(const std::vector<Token>& tokens) {
  std::vector<Braces> all;
  struct Frame {
    std::size_t braces = std::string_view::npos;  // of `all`
    std::size_t value = 0;  // the token at which the last field's value begins; 0 = none
  };
  std::vector<Frame> open;
  const auto end_value = [&](std::size_t end) {
    if (open.empty() || open.back().value == 0) return;
    const std::size_t first = std::exchange(open.back().value, 0);
    if (end <= first) return;
    const char* begin = tokens[first].text.data();
    const std::string_view last = tokens[end - 1].text;
    all[open.back().braces].fields.back().value = {
        begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i].text;
    const auto next = [&](std::size_t k) { return i + k < tokens.size() ? tokens[i + k].text : ""; };
    const bool begins_field =
        i > 0 && (tokens[i - 1].text == "{" || tokens[i - 1].text == "," || tokens[i - 1].text == ";");
    if (!open.empty() && open.back().braces != std::string_view::npos && begins_field) {
      if (token == "[") all[open.back().braces].computed = true;
      if (begins_name(token) && next(1) == "=" && next(2) != "=") {
        all[open.back().braces].fields.push_back({token, {}, tokens[i].line});
        open.back().value = i + 2;
      }
    }
    if (token == "{") {
      open.push_back({all.size(), 0});
      all.push_back({i, tokens[i].line});
    } else if (token == "(" || token == "[" || token == "function" || token == "if" || token == "do" ||
               token == "repeat") {
      open.emplace_back();
    } else if (is_in(kCloses, token) || token == "end" || token == "until") {
      end_value(i);
      if (!open.empty()) open.pop_back();
    } else if (token == "," || token == ";") {
      end_value(i);
    }
  }
  return all;
}

// Whether the written value may be the one on top of the stack: literals are compared.
bool may_be(lua_State* L, std::string_view written) {
  if (written.empty()) return true;
  const int type = lua_type(L, -1);
  const char quote = written.front();
  if ((quote == '"' || quote == '\'') && written.find('\\') == written.npos &&
      written.find(quote, 1) == written.size() - 1)
    return type == LUA_TSTRING && *text_at(L, -1) == written.substr(1, written.size() - 2);
  if (written == "true" || written == "false")
    return type == LUA_TBOOLEAN && (lua_toboolean(L, -1) != 0) == (written == "true");
  if (lua_stringtonumber(L, std::string(written).c_str()) != 0) {
    const bool same = type == LUA_TNUMBER && lua_compare(L, -1, -2, LUA_OPEQ) != 0;
    lua_pop(L, 1);
    return same;
  }
  return true;
}

// Whether the table can have been written so.
bool matches(lua_State* L, int index, const Braces& braces) {
  const Balanced balanced(L);
  for (const Written& each : braces.fields) {
    push(L, each.key);
    lua_rawget(L, index);
    if (!may_be(L, each.value)) return false;
    lua_pop(L, 1);
  }
  if (braces.computed) return true;
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1))
    if (const auto key = text_at(L, -2);
        key && std::ranges::find(braces.fields, *key, &Written::key) == braces.fields.end())
      return false;
  return true;
}

// The tokens of the statement that begins at `line`, or of the part of it that begins there.
std::pair<std::size_t, std::size_t> statement_at(const std::vector<Token>& tokens, int line) {
  const auto begin = static_cast<std::size_t>(
      std::ranges::find_if(tokens, [&](const Token& each) { return each.line >= line; }) - tokens.begin());
  int depth = 0;
  for (std::size_t i = begin; i < tokens.size(); ++i) {
    if (is_in(kOpens, tokens[i].text)) ++depth;
    if (is_in(kCloses, tokens[i].text)) --depth;
    if (depth < 0) return {begin, i};
    if (depth == 0 && i + 1 < tokens.size() && tokens[i + 1].line > tokens[i].line &&
        std::string_view("{([:.\"'-").find(tokens[i + 1].text[0]) == std::string_view::npos)
      return {begin, i + 1};
  }
  return {begin, tokens.size()};
}

}  // namespace

std::optional<int> line_in_source(lua_State* L, int index, std::string_view source, int call,
                                  std::string_view field) {
  luaL_checkstack(L, 6, "fields");
  index = lua_absindex(L, index);
  const std::vector<Token> tokens = tokens_of(source);
  const auto [begin, end] = statement_at(tokens, call);
  const auto line_of = [&](const Braces& braces) -> std::optional<int> {
    if (field.empty()) return braces.line;
    const auto found = std::ranges::find(braces.fields, field, &Written::key);
    return found == braces.fields.end() ? std::nullopt : std::optional(found->line);
  };
  // Within the statement, then before it; each time the first that can be the table, else the only one that
  // has the field.
  const std::vector<Braces> all = braces_of(tokens);
  for (const bool within : {true, false}) {
    std::optional<int> only;
    int count = 0;
    for (const Braces& braces : all) {
      if ((braces.begin >= begin && braces.begin < end) != within) continue;
      if (!within && braces.begin >= end) break;
      const std::optional<int> line = line_of(braces);
      if (!line) continue;
      if ((!braces.fields.empty() || within) && matches(L, index, braces)) return line;
      only = line;
      ++count;
    }
    if (count == 1 && !field.empty()) return only;
    if (count > 0 && within && !field.empty()) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace perigee::host
