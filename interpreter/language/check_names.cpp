#include "interpreter/language/check_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <set>

#include "interpreter/host/stack.h"
#include "interpreter/host/words.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/bodies.h"
#include "interpreter/language/vocabulary.h"

namespace perigee::language {

namespace {

bool is_reserved(std::string_view word) {
  constexpr std::array<std::string_view, 23> kReserved = {
      "and",   "break", "do",  "else", "elseif", "end",    "false", "for",  "function", "goto",  "if",  "in",
      "local", "nil",   "not", "or",   "repeat", "return", "then",  "true", "until",    "while", "_ENV"};
  return std::ranges::find(kReserved, word) != kReserved.end();
}

// The fields of the table that the word at i takes: cluster "a" { }, etc.gamma { }, a scheduler { }. None
// where that is not known, or the script has given the name another meaning.
std::vector<std::string> fields_at(const Catalogue& catalogue, const Tokens& tokens, std::size_t i,
                                   const std::set<std::string_view>& others) {
  const bool member = is_field(tokens, i);
  if (member && (tokens[i - 1].text != "." || i < 2 || is_field(tokens, i - 2))) return {};
  const std::string_view owner = member ? tokens[i - 2].text : std::string_view();
  if (others.contains(member ? owner : tokens[i].text)) return {};
  if (const Word* word = find_word(owner, tokens[i].text))
    return word->further.own_fields ? std::vector<std::string>() : field_names_of(*word);
  std::vector<std::string> names;
  if (!member)
    if (const auto entry = catalogue.find(tokens[i].text))
      for (const Parameter& parameter : entry->parameters) names.push_back(parameter.name);
  return names;
}

// Whether the script has caught an error at that place.
bool is_caught(lua_State* L, const SourceLocation& where) {
  const Balanced balanced(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, "perigee.caught");
  return lua_getfield(L, -1, fmt::format("{}:{}", where.file, where.line).c_str()) != LUA_TNIL;
}

// A field that the word's table does not have, or the table of a list that it takes instead.
std::optional<Diagnostic> unknown_field(lua_State* L, const Catalogue& catalogue, const std::string& file,
                                        const Tokens& tokens, const std::set<std::string_view>& others) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!begins_name(tokens[i].text)) continue;
    std::size_t brace = i + 1;
    const char quote = at(tokens, brace).front();
    if (quote == '"' || quote == '\'') ++brace;
    if (at(tokens, brace) != "{") continue;
    const std::vector<std::string> known = fields_at(catalogue, tokens, i, others);
    if (known.empty()) continue;
    std::optional<std::size_t> strange = strange_field(tokens, brace, known);
    if (!strange && find_word("workload", tokens[i].text) != nullptr)  // a list of records
      for (std::size_t k = brace + 1; !strange && at(tokens, k) == "{";) {
        strange = strange_field(tokens, k, known);
        k = behind(tokens, k);
        if (at(tokens, k) == ",") ++k;
      }
    if (!strange || is_caught(L, {file, tokens[*strange].line})) continue;
    const std::string given(tokens[*strange].text);
    Diagnostic diagnostic{
        "unknown_field",
        fmt::format("{}: unknown field '{}'{}", tokens[i].text, given, did_you_mean(given, known)),
        {file, tokens[*strange].line},
        {}};
    if (nearest(given, known).empty())
      diagnostic.notes.push_back(fmt::format("known: {}", fmt::join(known, ", ")));
    return diagnostic;
  }
  return std::nullopt;
}

// The message for reading a global that is missing.
std::optional<std::string> problem_with(lua_State* L, const std::string& name) {
  try {
    protect(L, [&](lua_State* state) { lua_getglobal(state, name.c_str()); });
  } catch (const Error& error) {
    return error.diagnostic().message;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> undeclared_name(const Guest& guest, const Catalogue& catalogue, bool whole) {
  for (const std::string& file : std::views::keys(guest.sources().texts())) {
    const Tokens& tokens = *guest.sources().tokens(file);
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
    const std::set<std::string_view> others = declared;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string_view word = tokens[i].text;
      const bool attribute = i > 0 && tokens[i - 1].text == "<" && at(tokens, i + 1) == ">";  // <const>
      if (!begins_name(word) || is_reserved(word) || attribute || is_field(tokens, i) || is_set(i) ||
          declared.contains(word))
        continue;
      if (auto problem = problem_with(guest.running(), std::string(word)))
        return Diagnostic{"unknown_name", *std::move(problem), {file, tokens[i].line}, {}};
      declared.insert(word);
    }
    if (auto problem = unknown_field(guest.running(), catalogue, file, tokens, others)) return problem;
  }
  return std::nullopt;
}

}  // namespace perigee::language
