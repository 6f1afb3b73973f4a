#include "interpreter/language/bodies.h"

#include <algorithm>

#include "interpreter/language/arguments.h"

namespace perigee::language {

std::string_view at(const Tokens& tokens, std::size_t i) {
  return i < tokens.size() ? tokens[i].text : std::string_view("\n");
}

bool is_field(const Tokens& tokens, std::size_t i) {
  if (i == 0) return false;
  const std::string_view before = tokens[i - 1].text;
  return (before == "." || before == ":") && (i == 1 || tokens[i - 2].text != before);
}

std::size_t behind(const Tokens& tokens, std::size_t i) {
  int depth = 0;
  for (; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i].text;
    if (token == "{" || token == "(") ++depth;
    if ((token == "}" || token == ")") && --depth == 0) return i + 1;
  }
  return i;
}

std::optional<std::size_t> strange_field(const Tokens& tokens, std::size_t i,
                                         const std::vector<std::string>& known) {
  const std::size_t end = behind(tokens, i);
  int blocks = 0;
  for (std::size_t k = i + 1; k < end; ++k) {
    const std::string_view token = tokens[k].text, before = tokens[k - 1].text;
    if (token == "function" || token == "if" || token == "do" || token == "repeat") ++blocks;
    if (token == "end" || token == "until") --blocks;
    if (token == "{" || token == "(") k = behind(tokens, k) - 1;
    if (blocks > 0 || !begins_name(token) || (before != "{" && before != "," && before != ";")) continue;
    if (at(tokens, k + 1) == "=" && at(tokens, k + 2) != "=" &&
        std::ranges::find(known, token) == known.end())
      return k;
  }
  return std::nullopt;
}

std::vector<std::string> field_names_of(const Word& word) {
  std::vector<std::string> names;
  for (const FieldWord& field : fields_of(word.fields)) names.emplace_back(field.name);
  return names;
}

namespace {

// The tokens of the function that begins in that line and has a parameter of that name in that place: those from
// `function` to its `end`. None where several are so; all tokens where no function is.
Tokens body_of(const Tokens& tokens, int line, int parameter, std::string_view name) {
  std::size_t begin = tokens.size();
  for (std::size_t i = 0; i < tokens.size() && tokens[i].line <= line; ++i) {
    if (tokens[i].text != "function") continue;
    std::size_t k = i + 1;
    while (k < tokens.size() && tokens[k].text != "(") ++k;
    if (at(tokens, k + 2 * static_cast<std::size_t>(parameter) - 1) != name) continue;
    if (begin < tokens.size()) return {};
    begin = i;
  }
  if (begin == tokens.size()) return tokens;
  const auto first = tokens.begin();
  return {first + static_cast<std::ptrdiff_t>(begin),
          first + static_cast<std::ptrdiff_t>(behind_function(tokens, begin))};
}

}  // namespace

Tokens without_shadows(const Body& body) {
  Tokens kept;
  for (std::size_t i = 0; i < body.tokens.size();) {
    bool shadow = false;
    if (i > 0 && body.tokens[i].text == "function") {
      std::size_t open = i + 1;
      while (open < body.tokens.size() && body.tokens[open].text != "(") ++open;
      for (std::size_t k = open; k < behind(body.tokens, open); ++k)
        shadow = shadow || body.tokens[k].text == body.name;
    }
    const std::size_t end = shadow ? behind_function(body.tokens, i) : i + 1;
    if (shadow) kept.push_back({"(function)", body.tokens[i].line});
    for (; i < end; ++i)
      if (!shadow) kept.push_back(body.tokens[i]);
  }
  return kept;
}

bool is_declared_once(const Body& body) {
  std::size_t declared = 0;
  each_local(body.tokens, [&](std::size_t i) { declared += body.tokens[i].text == body.name ? 1 : 0; });
  return declared == 1;
}

std::optional<Body> body_at(lua_State* L, int index, int parameter) {
  const Guest& guest = Guest::of(L);
  if (!guest.checking() || lua_iscfunction(L, index) != 0) return std::nullopt;
  lua_Debug info;
  lua_pushvalue(L, index);
  const char* name = lua_getlocal(L, nullptr, parameter);
  lua_getinfo(L, ">S", &info);
  const std::string file = *info.source == '@' ? info.source + 1 : "";
  const Tokens* all = guest.sources().tokens(file);
  if (name == nullptr || all == nullptr) return std::nullopt;
  const Tokens tokens(std::ranges::lower_bound(*all, info.linedefined, {}, &Token::line),
                      std::ranges::upper_bound(*all, info.lastlinedefined, {}, &Token::line));
  return Body{file, name, body_of(tokens, info.linedefined, parameter, name)};
}

std::optional<RunningLine> running_line(lua_State* L) {
  const Guest& guest = Guest::of(L);
  if (!guest.checking()) return std::nullopt;
  lua_Debug info;
  info.currentline = -1;
  for (int level = 1; info.currentline < 0 && lua_getstack(L, level, &info) != 0; ++level)
    lua_getinfo(L, "Sl", &info);
  if (info.currentline < 0) return std::nullopt;
  const std::string file = *info.source == '@' ? info.source + 1 : "";
  const Tokens* tokens = guest.sources().tokens(file);
  if (tokens == nullptr) return std::nullopt;
  return RunningLine{file, *tokens, info.currentline};
}

Tokens loop_from(const Tokens& tokens, std::size_t begin) {
  std::size_t k = begin;
  while (k < tokens.size() && tokens[k].text != "do") ++k;
  const auto first = tokens.begin();
  return {first + static_cast<std::ptrdiff_t>(begin),
          first + static_cast<std::ptrdiff_t>(behind_function(tokens, k))};
}

bool sets_name(const Tokens& tokens, std::string_view name) {
  bool set = false;
  each_local(tokens, [&](std::size_t i) { set = set || tokens[i].text == name; });
  for (std::size_t i = 0; i < tokens.size(); ++i)
    set = set || (tokens[i].text == name && !is_field(tokens, i) &&
                  ((at(tokens, i + 1) == "=" && at(tokens, i + 2) != "=") || at(tokens, i + 1) == ","));
  return set;
}

}  // namespace perigee::language
