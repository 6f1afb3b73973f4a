#include "interpreter/language/check_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/host/stack.h"
#include "interpreter/host/words.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/bodies.h"
#include "interpreter/language/fields/events.h"
#include "interpreter/language/vocabulary.h"

namespace perigee::language {

namespace {

// Error when the call whose bracket opens at i is compared with a text that it never returns, as in
// sim:state(work) == "queued".
void check_comparison(const std::string& file, const Tokens& tokens, std::size_t i, const Word& word) {
  constexpr std::string_view kBetween = "\"|\"";
  std::string_view returned = returned_by(chain_of(word));
  if (!returned.starts_with('"') || at(tokens, i) != "(") return;
  const std::size_t end = behind(tokens, i);
  const std::string_view given = at(tokens, end + 2);
  if ((at(tokens, end) != "=" && at(tokens, end) != "~") || at(tokens, end + 1) != "=" || given.size() < 2 ||
      (given.front() != '"' && given.front() != '\''))
    return;
  std::vector<std::string> known;
  for (returned = returned.substr(1, returned.size() - 2);;) {
    const std::size_t close = std::min(returned.find(kBetween), returned.size());
    known.emplace_back(returned.substr(0, close));
    if (close == returned.size()) break;
    returned.remove_prefix(close + kBetween.size());
  }
  const std::string text(given.substr(1, given.size() - 2));
  if (std::ranges::find(known, text) == known.end())
    fail_at({file, tokens[end + 2].line}, "bad_value", "{} is never '{}'{}; it is one of {}", word.usage,
            text, did_you_mean(text, known), fmt::join(known, ", "));
}

// Error when a table among the arguments behind the name at `method` has a field that the word does not take.
void check_argument_fields(const Body& body, std::size_t method, const Word& word) {
  const Tokens& tokens = body.tokens;
  const std::vector<std::string> known = field_names_of(word);
  const bool call = at(tokens, method + 1) == "(";
  const std::size_t end = behind(tokens, method + 1);
  for (std::size_t k = method + (call ? 2 : 1); k < end && (call || k == method + 1); ++k) {
    if (tokens[k].text == "(") k = behind(tokens, k) - 1;
    if (tokens[k].text != "{") continue;
    if (const auto strange = strange_field(tokens, k, known)) {
      const std::string given(tokens[*strange].text);
      fail_at({body.file, tokens[*strange].line}, "unknown_field", "{}: unknown field '{}'{}", word.name,
              given, did_you_mean(given, known));
    }
    k = behind(tokens, k) - 1;
  }
}

using Types = std::initializer_list<std::string_view>;

// The arguments of the call whose parenthesis opens at `open`.
std::vector<Tokens> arguments_at(const Tokens& tokens, std::size_t open) {
  std::vector<Tokens> arguments;
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i].text;
    const bool opens = token == "(" || token == "{" || token == "[";
    const bool closes = token == ")" || token == "}" || token == "]";
    if (closes && --depth == 0) break;
    if (token == "," && depth == 1) {
      arguments.emplace_back();
    } else if (i > open) {
      if (arguments.empty()) arguments.emplace_back();
      const std::size_t end = token == "function" ? behind_function(tokens, i) : i + 1;
      for (; i < end; ++i) arguments.back().push_back(tokens[i]);
      --i;
    }
    if (opens) ++depth;
  }
  return arguments;
}

// Whether the expression has one value, whatever the run. A call may have any number.
bool is_one_value(const Tokens& expression) {
  if (expression.size() == 1) return true;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const std::string_view token = expression[i].text;
    if (token == "(" || (token == "{" && i > 0) || token.front() == '"' || token.front() == '\'' ||
        token.starts_with("..") || (token == "." && at(expression, i + 1) == "."))
      return false;
  }
  return true;
}

// The value of an expression as messages show it, where its text alone tells it: a number, a text, true, false or a
// table. Such a value is not nil.
std::optional<std::string> literal(lua_State* L, const Tokens& expression) {
  const Balanced balanced(L);
  if (expression.empty()) return std::nullopt;
  const std::string_view first = expression[0].text;
  if (first == "{" && behind(expression, 0) == expression.size()) {
    lua_newtable(L);
    return shown(L, -1);
  }
  const bool is_literal = first == "true" || first == "false" || first.front() == '"' ||
                          first.front() == '\'' || (first.front() >= '0' && first.front() <= '9');
  if (expression.size() > 1 || !is_literal) return std::nullopt;
  const std::string text = "return " + std::string(first);
  if (luaL_loadbufferx(L, text.data(), text.size(), "=literal", "t") != LUA_OK) return std::nullopt;
  lua_call(L, 0, 1);
  return shown(L, -1);
}

// Error when the call whose parenthesis opens at `open` has fewer arguments than the word needs, or more than it takes.
// Nil does not count.
void check_count(lua_State* L, const Body& body, std::size_t open, const Word& word) {
  const std::vector<Tokens> given = arguments_at(body.tokens, open);
  if (!given.empty() && !is_one_value(given.back())) return;
  const SourceLocation where{body.file, body.tokens[open].line};
  std::size_t passed = given.size();
  while (passed > 0 && given[passed - 1].size() == 1 && given[passed - 1][0].text == "nil") --passed;
  if (passed < least_arguments(word.usage))
    fail_at(where, "bad_type", "{}: argument {} is missing; it is written {}", word.name, passed + 1,
            word.usage);
  const auto most = most_arguments(word.usage);
  if (!most || passed != given.size()) return;
  for (std::size_t i = *most; i < given.size(); ++i) {
    if (!literal(L, given[i])) continue;
    const auto last = literal(L, given.back());
    fail_at(where, "bad_call", "{} takes {} argument{}, got {}{}; it is written {}", word.name,
            *most == 0 ? "no" : std::to_string(*most), *most == 1 ? "" : "s", given.size(),
            last ? ", the last of them " + *last : "", word.usage);
  }
}

// For each token, whether it is in a function within the body, which the script may call where it expects an error.
std::vector<bool> inner_functions(const Tokens& tokens) {
  std::vector<bool> inner(tokens.size(), false);
  for (std::size_t i = 1; i < tokens.size(); ++i)
    if (tokens[i].text == "function")
      for (const std::size_t end = behind_function(tokens, i); i + 1 < end; ++i) inner[i] = true;
  return inner;
}

// `mark`: ":" before a method, "." before a field.
void check_uses(lua_State* L, const Body& body, Types types, std::string_view mark) {
  const Tokens& tokens = body.tokens;
  const std::vector<bool> inner = inner_functions(tokens);
  std::vector<std::string> known;
  for (const Word& word : vocabulary())
    if (std::ranges::find(types, word.owner) != types.end()) known.emplace_back(word.name);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text != body.name || is_field(tokens, i) || at(tokens, i + 1) != mark) continue;
    const std::string name(at(tokens, i + 2));
    if (!begins_name(name)) continue;
    if (std::ranges::find(known, name) != known.end()) {
      const Word* word = types.size() == 1 ? find_word(*types.begin(), name) : nullptr;
      if (word == nullptr) continue;
      check_comparison(body.file, tokens, i + 3, *word);
      if (mark == ":" && at(tokens, i + 3) == "(" && !inner[i]) check_count(L, body, i + 3, *word);
      if (!word->fields.empty()) check_argument_fields(body, i + 2, *word);
      continue;
    }
    const std::string_view instead = word_instead_of(*types.begin(), name);
    fail_at({body.file, tokens[i].line}, "unknown_field", "a {} has no field '{}'{}",
            fmt::join(types, " or a "), name,
            instead.empty() ? did_you_mean(name, known) : fmt::format("; it is {} now", instead));
  }
}

void check_words(lua_State* L, Body body, Types types, std::string_view mark) {
  body.tokens = without_shadows(body);
  if (is_declared_once(body)) check_uses(L, body, types, mark);  // else it may be something else
}

// Error when the body reads a column that its row does not have. A field that the body sets is a column too.
void check_columns(const Body& body, std::vector<std::string> columns) {
  const Tokens& tokens = body.tokens;
  const auto is_column = [&](std::size_t i) {
    return tokens[i].text == body.name && !is_field(tokens, i) && at(tokens, i + 1) == "." &&
           begins_name(at(tokens, i + 2));
  };
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (is_column(i) && at(tokens, i + 3) == "=" && at(tokens, i + 4) != "=")
      columns.emplace_back(at(tokens, i + 2));
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string name(at(tokens, i + 2));
    if (is_column(i) && std::ranges::find(columns, name) == columns.end())
      fail_at({body.file, tokens[i].line}, "unknown_field", "the rows have no column '{}'{}", name,
              did_you_mean(name, columns));
  }
}

// The tokens of the loop without rows[...], in whose place the one name of all rows stands.
Tokens with_rows(const Tokens& tokens, std::string_view rows, std::string_view row) {
  Tokens out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    out.push_back(tokens[i]);
    if (tokens[i].text != rows || is_field(tokens, i) || at(tokens, i + 1) != "[") continue;
    std::size_t k = i + 1;
    for (int depth = 0; k < tokens.size(); ++k) {
      if (tokens[k].text == "[") ++depth;
      if (tokens[k].text == "]" && --depth == 0) break;
    }
    out.back().text = row;
    i = k;
  }
  return out;
}

// The body of the loop `for i, row in ipairs(rows) do` that begins at `i`, and the name of its row.
std::optional<Body> loop_at(const std::string& file, const Tokens& tokens, std::size_t i) {
  if (tokens[i].text != "for" || at(tokens, i + 2) != "," || at(tokens, i + 4) != "in" ||
      at(tokens, i + 5) != "ipairs" || at(tokens, i + 6) != "(")
    return std::nullopt;
  const std::size_t begin = behind(tokens, i + 6);
  if (at(tokens, begin) != "do") return std::nullopt;
  const auto first = tokens.begin();
  return Body{file, std::string(at(tokens, i + 3)),
              Tokens(first + static_cast<std::ptrdiff_t>(begin),
                     first + static_cast<std::ptrdiff_t>(behind_function(tokens, begin)))};
}

}  // namespace

void check_methods(lua_State* L, int index, int parameter, Types types) {
  if (auto body = body_at(L, index, parameter)) check_words(L, *std::move(body), types, ":");
}

void check_fields(lua_State* L, int index, int parameter, Types types) {
  if (auto body = body_at(L, index, parameter)) check_words(L, *std::move(body), types, ".");
}

void check_conditions(lua_State* L, int index, int parameter, std::string_view method, Types types) {
  const auto body = body_at(L, index, parameter);
  if (!body) return;
  const Tokens& tokens = body->tokens;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != method || !is_field(tokens, i) || at(tokens, i + 1) != "(" ||
        at(tokens, i + 2) != "function" || at(tokens, i + 3) != "(" || !begins_name(at(tokens, i + 4)))
      continue;
    const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(i + 2),
               last = tokens.begin() + static_cast<std::ptrdiff_t>(behind_function(tokens, i + 2));
    for (const std::string_view mark : {":", "."})
      check_words(L, {body->file, std::string(at(tokens, i + 4)), Tokens(first, last)}, types, mark);
  }
}

void check_columns_of(lua_State* L, int index, int parameter, const std::vector<std::string>& columns) {
  auto body = body_at(L, index, parameter);
  if (!body) return;
  body->tokens = without_shadows(*body);
  if (is_declared_once(*body)) check_columns(*body, columns);
}

void check_loop(lua_State* L, const std::vector<std::string>& columns) {
  const auto here = running_line(L);
  const auto call = here ? here->only("ipairs") : std::nullopt;
  if (!call || *call < 5) return;
  const std::optional<Body> loop = loop_at(here->file, here->tokens, *call - 5);
  if (!loop) return;
  bool shadowed = false;
  each_local(loop->tokens, [&](std::size_t i) { shadowed = shadowed || loop->tokens[i].text == loop->name; });
  if (!shadowed) check_columns(*loop, columns);
}

void check_counted_loop(lua_State* L, std::vector<std::string> columns) {
  const auto here = running_line(L);
  const auto length = here ? here->only("#") : std::nullopt;
  if (!length || *length < 5) return;
  const Tokens& tokens = here->tokens;
  const std::string_view rows = at(tokens, *length + 1), behind_rows = at(tokens, *length + 2);
  std::size_t begin = *length;  // for i = 1, #rows do
  while (begin > 0 && tokens[begin].text != "for" && tokens[begin].line == here->line) --begin;
  if (tokens[begin].text != "for" || at(tokens, begin + 2) != "=" || at(tokens, *length - 1) != "," ||
      !begins_name(rows) || (behind_rows != "do" && behind_rows != ","))
    return;
  const Tokens loop = loop_from(tokens, *length + 2);
  if (sets_name(loop, rows)) return;
  constexpr std::string_view kRow = "a row";  // no name of the script
  const Body body{here->file, std::string(kRow), with_rows(loop, rows, kRow)};
  // local row = rows[i]
  std::set<std::string> names;
  for (std::size_t i = 3; i < body.tokens.size(); ++i)
    if (body.tokens[i].text == kRow && body.tokens[i - 1].text == "=" && body.tokens[i - 3].text == "local" &&
        begins_name(at(body.tokens, i + 1)) && at(body.tokens, i + 1) != "or" &&
        at(body.tokens, i + 1) != "and")
      names.emplace(body.tokens[i - 2].text);
  std::vector<Body> bodies{body};
  for (const std::string& name : names)
    if (Body named{here->file, name, body.tokens}; is_declared_once(named))
      bodies.push_back(std::move(named));
  for (const Body& each : bodies)  // what the loop sets is a column by any name of the row
    for (std::size_t i = 0; i + 3 < each.tokens.size(); ++i)
      if (each.tokens[i].text == each.name && each.tokens[i + 1].text == "." &&
          each.tokens[i + 3].text == "=" && at(each.tokens, i + 4) != "=")
        columns.emplace_back(each.tokens[i + 2].text);
  for (const Body& each : bodies) check_columns(each, columns);
}

void check_steps(lua_State* L) {
  const auto here = running_line(L);
  const auto begin = here ? here->only("while") : std::nullopt;
  if (!begin) return;
  const Tokens& tokens = here->tokens;
  const std::string name(at(tokens, *begin + 1));
  if (!begins_name(name) || at(tokens, *begin + 2) != ":" || at(tokens, *begin + 3) != "step") return;
  Body body{here->file, name, loop_from(tokens, *begin + 4)};
  if (sets_name(body.tokens, name)) return;
  check_uses(L, body, {"simulation"}, ":");
  check_uses(L, body, {"simulation"}, ".");
  constexpr std::string_view kState = "its state";  // in the place of sim.state
  Tokens states;
  for (std::size_t i = 0; i < body.tokens.size(); ++i) {
    states.push_back(body.tokens[i]);
    if (body.tokens[i].text != name || is_field(body.tokens, i) || at(body.tokens, i + 1) != "." ||
        at(body.tokens, i + 2) != "state")
      continue;
    states.back().text = kState;
    i += 2;
  }
  body = {here->file, std::string(kState), std::move(states)};
  check_uses(L, body, {"state"}, ":");
  check_uses(L, body, {"state"}, ".");
}

void check_word_fields(lua_State* L, int index, std::string_view chain) {
  const std::size_t dot = std::min(chain.rfind('.'), chain.size());
  const std::string_view name = dot < chain.size() ? chain.substr(dot + 1) : chain;
  const Word* word = word_of_chain(chain);
  if (word == nullptr || word->fields.empty() || lua_type(L, index) != LUA_TTABLE) return;
  std::vector<FieldWord> known = fields_of(word->fields);
  const auto is_time = [](const FieldWord& each) { return each.name == event_fields::kAt.name; };
  if (index > 2 && word->usage.find("[, { at = t }]") != std::string_view::npos &&
      std::ranges::none_of(known, is_time))
    known = fields_of(event_fields::kLater);  // in sim:submit(record, { at = t }) the record has the fields
  each_sorted(L, index, [&] {
    const auto key = text_at(L, -2);
    if (!key) return;
    const auto at = std::ranges::find_if(known, [&](const FieldWord& each) { return each.name == *key; });
    if (at == known.end()) {
      std::vector<std::string> names;
      for (const FieldWord& each : known) names.emplace_back(each.name);
      fail("unknown_field", "{}: unknown field '{}'{}", name, *key, did_you_mean(*key, names));
    }
    const auto value = text_at(L, -1);
    if (value && *key == event_fields::kAt.name)
      number_at(L, -1, fmt::format("{}: {}", name, *key), event_fields::kAt.dimension,
                event_fields::kAt.range);
    if (!value || at->choices.empty() || at->choices.ends_with("...")) return;
    std::vector<std::string> choices;
    for (std::string_view rest = at->choices; !rest.empty();) {
      const std::size_t end = std::min(rest.find('|'), rest.size());
      choices.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (std::ranges::find(choices, *value) == choices.end())
      fail("bad_value", "{}: {} must be one of {}, got '{}'{}", name, *key, fmt::join(choices, ", "), *value,
           did_you_mean(*value, choices));
  });
}

}  // namespace perigee::language
