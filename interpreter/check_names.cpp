#include "interpreter/check_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "interpreter/vocabulary.h"
#include "interpreter/words.h"

namespace perigee {

using namespace lua;

namespace {

struct Token {
  std::string_view text;
  int line;
};
using Tokens = std::vector<Token>;

Tokens tokens_of(std::string_view text) {
  Tokens tokens;
  each_token(text, [&](std::string_view token, int line) { tokens.push_back({token, line}); });
  return tokens;
}

std::string_view at(const Tokens& tokens, std::size_t i) {
  return i < tokens.size() ? tokens[i].text : std::string_view("\n");
}

// f(i) for each token that is a name after `local`, `for` or in the parameters of a function.
template <class F>
void each_local(const Tokens& tokens, F&& f) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::size_t k = i + 1;
    if (tokens[i].text == "function") {
      while (k < tokens.size() && tokens[k].text != "(") ++k;
      for (; k < tokens.size() && tokens[k].text != ")"; ++k)
        if (begins_name(tokens[k].text)) f(k);
    } else if (tokens[i].text == "local" || tokens[i].text == "for") {
      if (at(tokens, k) == "function") ++k;
      for (; begins_name(at(tokens, k)); ++k) {
        f(k);
        if (at(tokens, k + 1) == "<") k += 3;  // <const>
        if (at(tokens, ++k) != ",") break;
      }
    }
  }
}

// a.name and a:name, but neither a .. name nor ::name
bool is_field(const Tokens& tokens, std::size_t i) {
  if (i == 0) return false;
  const std::string_view before = tokens[i - 1].text;
  return (before == "." || before == ":") && (i == 1 || tokens[i - 2].text != before);
}

bool is_reserved(std::string_view word) {
  constexpr std::array<std::string_view, 23> kReserved = {
      "and",   "break", "do",  "else", "elseif", "end",    "false", "for",  "function", "goto",  "if",  "in",
      "local", "nil",   "not", "or",   "repeat", "return", "then",  "true", "until",    "while", "_ENV"};
  return std::ranges::find(kReserved, word) != kReserved.end();
}

// What reading the global says when it is not there.
std::optional<std::string> problem_with(lua_State* L, const std::string& name) {
  try {
    protect(L, [&](lua_State* state) { lua_getglobal(state, name.c_str()); });
  } catch (const Error& error) {
    return error.diagnostic().message;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> undeclared_name(const Interpreter& interpreter, bool whole) {
  for (const auto& [file, text] : interpreter.sources()) {
    const Tokens tokens = tokens_of(text);
    std::set<std::string_view> declared;
    each_local(tokens, [&](std::size_t i) { declared.insert(tokens[i].text); });
    // Assigned to, or the field of a table.
    const auto is_set = [&](std::size_t i) { return at(tokens, i + 1) == "=" && at(tokens, i + 2) != "="; };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool label = at(tokens, i + 1) == ":" && at(tokens, i + 2) == ":";
      const bool global = !whole && (is_set(i) || at(tokens, i + 1) == ",");  // it would be there
      const std::string_view before = i > 0 ? tokens[i - 1].text : "";
      if (label || global || before == "goto" || before == "function" || tokens[i].text == "_ENV")
        declared.insert(tokens[i].text);
    }
    if (declared.contains("_ENV")) continue;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view word = tokens[i].text;
      const bool attribute = i > 0 && tokens[i - 1].text == "<" && at(tokens, i + 1) == ">";  // <const>
      if (!begins_name(word) || is_reserved(word) || attribute || is_field(tokens, i) || is_set(i) ||
          declared.contains(word))
        continue;
      if (auto problem = problem_with(interpreter.running(), std::string(word)))
        return Diagnostic{"unknown_name", *std::move(problem), {file, tokens[i].line}, {}};
      declared.insert(word);
    }
  }
  return std::nullopt;
}

void lua::check_methods(lua_State* L, int index, int parameter,
                        std::initializer_list<std::string_view> types) {
  const Interpreter& interpreter = Interpreter::of(L);
  if (!interpreter.checking() || lua_iscfunction(L, index) != 0) return;
  lua_Debug info;
  lua_pushvalue(L, index);
  const char* name = lua_getlocal(L, nullptr, parameter);
  lua_getinfo(L, ">S", &info);
  const std::string file = *info.source == '@' ? info.source + 1 : "";
  const std::string* text = interpreter.source(file);
  if (name == nullptr || text == nullptr) return;
  Tokens tokens = tokens_of(*text);
  std::erase_if(tokens, [&](const Token& token) {
    return token.line < info.linedefined || token.line > info.lastlinedefined;
  });
  std::size_t declared = 0;
  each_local(tokens, [&](std::size_t i) { declared += tokens[i].text == name ? 1 : 0; });
  if (declared != 1) return;  // it may be something else
  std::vector<std::string> methods;
  for (const Word& word : vocabulary())
    if (std::ranges::find(types, word.owner) != types.end()) methods.emplace_back(word.name);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text != name || is_field(tokens, i) || at(tokens, i + 1) != ":") continue;
    const std::string method(at(tokens, i + 2));
    if (!begins_name(method) || std::ranges::find(methods, method) != methods.end()) continue;
    fail_at({file, tokens[i].line}, "unknown_field", "a {} has no field '{}'{}", fmt::join(types, " or a "),
            method, did_you_mean(method, methods));
  }
}

}  // namespace perigee
