#include "interpreter/prompt/prompt_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpreter/bindings/show/texts.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/host/texts.h"
#include "interpreter/language/describe.h"
#include "interpreter/language/hints.h"
#include "interpreter/language/modules.h"
#include "interpreter/language/reference.h"
#include "interpreter/language/vocabulary.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/runs.h"
#include "interpreter/values/schedulers.h"
#include "runtime/kernel/text.h"
#include "runtime/results/compare.h"

namespace perigee::interpreter {

using namespace lua;

namespace {

// ---- names and values, read without running any function of the script ----

// Pushes the value that a chain "a.b.c" names, or returns false.
bool push_named(lua_State* L, std::string_view chain) {
  const int top = lua_gettop(L);
  bool first = true;
  while (!chain.empty()) {
    const std::size_t end = chain.find('.');
    const std::string_view name = chain.substr(0, end);
    chain = end == std::string_view::npos ? std::string_view() : chain.substr(end + 1);
    if (first) {
      lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
      lua::push(L, name);
      if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
        lua::push(L, name);
        lua_rawget(L, -2);
      }
      first = false;
    } else {
      unfreeze(L);
      if (lua_type(L, -1) != LUA_TTABLE) break;
      lua::push(L, name);
      lua_rawget(L, -2);
    }
    if (lua_isnil(L, -1)) break;
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    if (chain.empty()) return true;
  }
  lua_settop(L, top);
  return false;
}

void add_keys(lua_State* L, int table, std::vector<std::string>& names, bool functions_only = false) {
  table = lua_absindex(L, table);
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    const bool wanted = !functions_only || lua_type(L, -1) == LUA_TFUNCTION;
    lua_pop(L, 1);
    if (const auto key = text_at(L, -1); key && wanted) names.emplace_back(*key);
  }
}

std::string type_of(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TUSERDATA || lua_getmetatable(L, index) == 0) return {};
  lua_pushliteral(L, "__name");
  std::string name;
  if (lua_rawget(L, -2) == LUA_TSTRING) name = *text_at(L, -1);
  lua_pop(L, 2);
  return name;
}

// Methods, and after '.' fields, of the value on top.
std::vector<std::string> members(lua_State* L, bool methods_only) {
  std::vector<std::string> names;
  const Balanced balanced(L);
  if (lua_type(L, -1) == LUA_TTABLE) {
    if (luaL_getmetafield(L, -1, "columns") != LUA_TNIL) {  // see push_table()
      lua_pop(L, 1);
      for (const Word& word : vocabulary())
        if (word.owner == "rows") names.emplace_back(word.name);
    }
    unfreeze(L);
    add_keys(L, -1, names, methods_only);
  } else if (lua_type(L, -1) == LUA_TSTRING) {
    if (push_named(L, "string")) {
      unfreeze(L);
      add_keys(L, -1, names, true);
    }
  } else if (!type_of(L, -1).empty()) {
    lua_getmetatable(L, -1);
    if (push_type_index(L, -1)) {
      const int index = lua_gettop(L);
      if (lua_getupvalue(L, index, 1) != nullptr && lua_type(L, -1) == LUA_TTABLE) add_keys(L, -1, names);
      if (!methods_only && lua_getupvalue(L, index, 4) != nullptr && lua_type(L, -1) == LUA_TUSERDATA) {
        const auto& listed = *static_cast<const std::vector<std::string>*>(lua_touserdata(L, -1));
        for (const std::string& name : listed)
          if (name.find('.') == std::string::npos) names.push_back(name);
      }
    }
  }
  return names;
}

std::vector<std::string> all_globals(lua_State* L) {
  const Balanced balanced(L);
  std::vector<std::string> names;
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  add_keys(L, -1, names);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  add_keys(L, -1, names);
  return names;
}

}  // namespace

std::string pretty(lua_State* L, int index) {
  const int width = Interpreter::of(L).text_width();
  if (const auto* result = test<ResultValue>(L, index)) {
    const std::array<Outcome, 1> outcomes{*result->outcome};
    std::string table = comparison_table(outcomes, {}, {}, static_cast<std::size_t>(width));
    if (!table.empty()) table.pop_back();
    return plain_text(L, index) + "\n" + table;
  }
  if (const auto* comparison = test<ComparisonValue>(L, index)) return shown_comparison(L, *comparison);
  return is_plain_table(L, index) ? table_text(L, index, width, kMostRows) : plain_text(L, index);
}

void set_last_value(lua_State* L, int index) {
  index = lua_absindex(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushliteral(L, "_");
  lua_pushvalue(L, index);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

const void* last_value(lua_State* L) {
  const Balanced balanced(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushliteral(L, "_");
  lua_rawget(L, -2);
  return lua_topointer(L, -1);
}

// ---- help ----

namespace {

std::string listed(std::string_view choices) {
  std::string out;
  for (const char c : choices) out += c == '|' ? ", " : std::string(1, c);
  return out;
}

std::string errors_of(std::string_view owner) {
  const std::string_view errors = meaning_of("errors", owner);
  return errors.empty() ? std::string() : fmt::format("  fails when {}\n", errors);
}

std::string indented_example(std::string_view owner) {
  std::string_view example = example_of(owner);
  std::string out = example.empty() ? "" : "\n";
  while (!example.empty()) {
    const std::size_t end = std::min(example.find('\n'), example.size());
    out += fmt::format("    {}\n", example.substr(0, end));
    example.remove_prefix(std::min(end + 1, example.size()));
  }
  return out;
}

// A table as text for people.
std::string page(const Table& table, int width) { return table.list(static_cast<std::size_t>(width)); }

// The columns of the rows that a word returns.
std::string meanings_of_columns(const Word& word, int width) {
  Table table{{"column", "meaning"}, {}};
  for (const Meaning& column : columns()) {
    if (!has_word(column.of, chain_of(word))) continue;
    std::string names;
    for (const char c : column.name) names += c == ' ' ? ", " : std::string(1, c);
    table.rows.push_back({std::move(names), std::string(column.text)});
  }
  return table.rows.empty() ? std::string() : "\n" + page(table, width);
}

std::string word_text(const Word& word, int width) {
  std::string out = fmt::format("{}\n  {}\n{}", word.usage, word.summary, errors_of(chain_of(word)));
  Table table{{"field", "values", "meaning"}, {}};
  for (const FieldWord& field : fields_of(word.fields))
    table.rows.push_back({std::string(field.name), listed(field.choices),
                          std::string(meaning_of(chain_of(word), field.name))});
  if (!table.rows.empty()) out += "\n" + page(table, width);
  return out + meanings_of_columns(word, width) + indented_example(chain_of(word));
}

// The words that take a field of this name, each with the values that it may have.
std::string takers_of(std::string_view name) {
  std::string out;
  for (const Word& word : vocabulary())
    for (const FieldWord& field : fields_of(word.fields))
      if (field.name == name)
        out += fmt::format("{}\n  its field {}{}{}\n    {}\n", word.usage, name,
                           field.choices.empty() ? "" : ": ", listed(field.choices),
                           meaning_of(chain_of(word), name));
  return out;
}

// What a term is that some field takes.
std::string term_text(std::string_view name) {
  std::string out;
  for (const Meaning& term : terms())
    if (has_word(term.name, name))
      out += fmt::format("{}\n  a term of {}\n    {}\n", name, term.of, term.text);
  return out;
}

// The words whose rows have a column of this name, those of one type or all.
std::string rows_with(std::string_view name, std::string_view type = {}) {
  std::string out;
  for (const Word& word : vocabulary())
    for (const Meaning& column : columns())
      if ((type.empty() || word.owner == type) && has_word(column.name, name) &&
          has_word(column.of, chain_of(word)))
        out += fmt::format("{}\n  its column {}\n    {}\n", word.usage, name, column.text);
  return out;
}

std::string metric_text(std::string_view name) {
  if (metric_meaning(name).empty()) return {};
  const MetricInfo& info = metric_info(name);
  return fmt::format("{}\n  a metric: {}{}\n", info.name, info.what,
                     info.unit.empty() ? "" : fmt::format(", in {}", info.unit));
}

// Help on a field of a native type, or on a column of its tables; empty where the type has none of this name.
std::string field_text(std::string_view type, std::string_view name, const std::string& topic) {
  if (type.empty()) return {};
  if (type == "result" && !metric_meaning(name).empty()) return metric_text(name);
  const std::string_view meaning = field_meaning(type, name);
  return meaning.empty() ? rows_with(name, type) : fmt::format("{}\n  {}\n", topic, meaning);
}

// The types that have a field of this name which is neither a word nor a metric.
std::string types_with(lua_State* L, std::string_view name) {
  std::string out;
  for (const NativeType& type : native_types(L))
    if (std::ranges::find(type.fields, name) != type.fields.end() && find_word(type.name, name) == nullptr &&
        (type.name != "result" || metric_meaning(name).empty()))
      out += fmt::format("{}\n  a field of a {}: {}\n", name, type.name, field_meaning(type.name, name));
  return out;
}

std::string owned_by(std::string_view owner, int width) {
  Table table{{"word", "what it does"}, {}};
  for (const Word& word : vocabulary())
    if (word.owner == owner) table.rows.push_back({std::string(word.usage), std::string(word.summary)});
  return table.rows.empty() ? std::string() : page(table, width);
}

// Help on the value at `index`.
std::string help_on_value(lua_State* L, int index) {
  index = lua_absindex(L, index);
  const int width = Interpreter::of(L).text_width();
  if (const auto* constructor = test<Constructor>(L, index))
    return describe(*constructor->entry, static_cast<std::size_t>(width));
  if (const auto* scheduler = test<SchedulerValue>(L, index))
    return describe(*(*scheduler)->entry, static_cast<std::size_t>(width));
  const Balanced balanced(L);
  if (lua_type(L, index) == LUA_TFUNCTION || lua_type(L, index) == LUA_TTABLE) {
    for (const Word& word : vocabulary()) {
      const std::string chain =
          word.owner.empty() ? std::string(word.name) : fmt::format("{}.{}", word.owner, word.name);
      if (chain.find(' ') != std::string::npos || !push_named(L, chain)) continue;
      if (lua_rawequal(L, -1, index) != 0)
        return word_text(word, width) + (word.owner.empty() ? owned_by(word.name, width) : "");
      lua_pop(L, 1);
    }
  }
  const std::string type = type_of(L, index);
  if (type.empty()) return fmt::format("a {}\n", lua_typename(L, lua_type(L, index)));
  std::string out = fmt::format("{}\n  {}\n", plain_text(L, index), meaning_of("type", type));
  if (const std::string table = owned_by(type, width); !table.empty()) out += "\n" + table;
  Table fields{{"field", "meaning"}, {}};
  for (const NativeType& each : native_types(L))
    for (const std::string& field : each.name == type ? each.fields : std::vector<std::string>())
      if (const std::string_view meaning = field_meaning(type, field);
          !meaning.empty() && find_word(type, field) == nullptr &&
          (type != "result" || metric_meaning(field).empty()))
        fields.rows.push_back({field, std::string(meaning)});
  if (!fields.rows.empty()) out += "\n" + page(fields, width);
  return out + indented_example(type);
}

// The types of arguments of functions in scripts, by the names that the manual gives the arguments.
std::vector<std::string_view> argument_types(std::string_view name) {
  if (name == "rng") return {"random stream"};
  if (name == "sim") return {"sim"};
  if (name == "c") return {"mapping view", "gantt chart"};
  if (name == "problem") return {"mapping problem"};
  if (name == "chart") return {"gantt chart"};
  return {};
}

Diagnostic error_of_help(lua_State* L, const std::string& topic) {
  Diagnostic diagnostic;
  diagnostic.code = "unknown_name";
  diagnostic.message = fmt::format("there is no help on '{}'{}", topic, did_you_mean(topic, help_topics(L)));
  return diagnostic;
}

int help(lua_State* L) {
  return guard(L, [&] {
    constexpr std::uint64_t kSearch = 20'000;  // all words and types are gone through
    did_work(kSearch);
    std::string text;
    if (const auto topic = text_at(L, 1)) {
      text = help_on(L, std::string(*topic));
      if (text.empty()) throw Error(error_of_help(L, std::string(*topic)));
    } else if (lua_isnoneornil(L, 1)) {
      text = "help(x) or ?x says what x is; :help lists the commands and words\n";
    } else {
      text = help_on_value(L, 1);
    }
    Interpreter::of(L).print(text);
    return 0;
  });
}

}  // namespace

void open_help(lua_State* L) { define(L, "help", help); }

std::string help_on(lua_State* L, const std::string& topic) {
  const Balanced balanced(L);
  const int width = Interpreter::of(L).text_width();
  if (const auto entry = Interpreter::of(L).catalogue().find(topic))
    return describe(*entry, static_cast<std::size_t>(width));
  const std::string module = help_on_module(topic, static_cast<std::size_t>(width));
  if (const std::size_t mark = topic.find_last_of(".:"); mark != std::string::npos) {
    if (!module.empty()) return module;
    const std::string owner = topic.substr(0, mark), name = topic.substr(mark + 1);
    if (push_named(L, owner)) {
      const std::string type = type_of(L, -1);
      const Word* word = type.empty() ? nullptr : find_word(type, name);
      if (word != nullptr) return word_text(*word, width);
      if (std::string text = field_text(type, name, topic); !text.empty()) return text;
    }
    std::vector<std::string_view> types = argument_types(owner);
    if (owner == "sim")  // of a policy, of s:start, of a process
      types = {"sim", "simulation", "process"};
    else
      types.insert(types.begin(), owner);
    std::string of_types;
    for (const std::string_view type : types)
      if (const Word* word = find_word(type, name))
        of_types += (of_types.empty() ? "" : fmt::format("\nof a {}:\n", type)) + word_text(*word, width);
    if (!of_types.empty()) return of_types;
    std::string as_written;  // "sim:fail", as the usages call what has the method
    std::vector<std::string_view> written_types;
    for (const Word& word : vocabulary()) {
      std::string_view usage = word.usage;
      if (!usage.starts_with(owner)) continue;
      usage.remove_prefix(owner.size());
      if (!usage.starts_with(':') && !usage.starts_with('.')) continue;
      if (word.name == name) as_written += word_text(word, width);
      if (std::ranges::find(written_types, word.owner) == written_types.end())
        written_types.push_back(word.owner);
    }
    if (!as_written.empty()) return as_written;
    for (const std::string_view type : written_types)
      if (std::string text = field_text(type, name, topic); !text.empty()) return text;
  }
  std::string out;
  for (const Word& word : vocabulary())  // the word itself, and methods of that name
    if (word.name == topic) out += word_text(word, width);
  out += metric_text(topic);
  if (!out.empty())
    out += owned_by(topic, width);
  else if (module.empty() && push_named(L, topic))
    out = help_on_value(L, -1);
  if (!module.empty()) out += (out.empty() ? "" : "\n") + module;
  for (const std::string_view type : argument_types(topic))
    out += fmt::format("{}{}, {}:\n{}", out.empty() ? "" : "\n", topic,
                       type == "gantt chart" ? "a Gantt chart" : "as callbacks are given it",
                       owned_by(type, width));
  if (out.empty()) out = owned_by(topic, width);
  return out + takers_of(topic) + term_text(topic) + types_with(L, topic) + rows_with(topic);
}

std::vector<std::string> help_topics(lua_State* L) {
  std::vector<std::string> names = all_globals(L);
  for (const Word& word : vocabulary()) names.emplace_back(word.name);
  for (const char* name : {"rng", "sim", "c", "problem", "chart"}) names.emplace_back(name);
  for (const Word& word : vocabulary())
    for (const FieldWord& field : fields_of(word.fields)) names.emplace_back(field.name);
  for (const MetricInfo& info : metric_infos()) names.emplace_back(info.name);
  for (const std::span<const Meaning> shared : {columns(), terms()})
    for (const Meaning& each : shared)
      for (const FieldWord& name : fields_of(each.name)) names.emplace_back(name.name);
  for (std::string& topic : module_topics()) names.push_back(std::move(topic));
  return names;
}

std::string no_help_on(lua_State* L, const std::string& topic) {
  const Diagnostic error = error_of_help(L, topic);
  std::string text = error.message;
  for (const std::string& hint : hints_for(error, {}, {})) text += "\n  note: " + hint;
  return text;
}

// ---- completion ----

namespace {

struct PromptToken {
  enum Kind { name, text, sign } kind;
  std::string value;
};

struct Bracket {
  char open;
  std::string callee;  // "cluster", "s:run": what it is the argument of
  std::string key;     // of the field whose value it is
};

constexpr std::string_view kKeywords[] = {"and", "break",    "do",     "else", "elseif", "end",   "false",
                                          "for", "function", "if",     "in",   "local",  "nil",   "not",
                                          "or",  "repeat",   "return", "then", "true",   "until", "while"};
bool is_keyword(std::string_view word) {
  return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

// The text left of the cursor.
struct Left {
  std::vector<PromptToken> tokens;
  std::vector<Bracket> open;
  std::string quote;           // the cursor is in a text that ends with it
  std::size_t text_begin = 0;  // ... and begins here
  bool in_comment = false;

  // "s:run" of `s:run {` and of `cluster "name" {`.
  std::string callee() const {
    std::size_t i = tokens.size();
    if (i > 0 && tokens[i - 1].kind == PromptToken::text) --i;
    std::string chain;
    while (i > 0 && tokens[i - 1].kind == PromptToken::name && !is_keyword(tokens[i - 1].value)) {
      chain.insert(0, tokens[i - 1].value);
      --i;
      if (i == 0 || (tokens[i - 1].value != "." && tokens[i - 1].value != ":")) break;
      chain.insert(0, tokens[i - 1].value);
      --i;
    }
    return chain;
  }
  // "host" of `host = `.
  std::string key() const {
    const std::size_t n = tokens.size();
    return n >= 2 && tokens[n - 1].value == "=" && tokens[n - 2].kind == PromptToken::name
               ? tokens[n - 2].value
               : "";
  }
  std::string_view last() const { return tokens.empty() ? std::string_view() : tokens.back().value; }
  bool ends_in_call() const {
    return !tokens.empty() && (tokens.back().kind == PromptToken::text || last() == ")" || last() == "}");
  }
};

Left read_left(const std::string& source) {
  Left left;
  for (std::size_t i = 0; i < source.size();) {
    const char c = source[i];
    if (source.compare(i, 2, "--") == 0) {
      i = std::min(source.find('\n', i), source.size());
      left.in_comment = i == source.size();
    } else if (c == '"' || c == '\'') {
      std::size_t end = i + 1;
      while (end < source.size() && source[end] != c && source[end] != '\n')
        end += source[end] == '\\' ? 2 : 1;
      if (end >= source.size()) {
        left.quote = std::string(1, c);
        left.text_begin = i + 1;
        return left;
      }
      left.tokens.push_back({PromptToken::text, source.substr(i + 1, end - i - 1)});
      i = end + 1;
    } else if (source.compare(i, 2, "[[") == 0) {
      const std::size_t end = source.find("]]", i);
      if (end == std::string::npos) {
        left.quote = "]]";
        left.text_begin = i + 2;
        return left;
      }
      left.tokens.push_back({PromptToken::text, source.substr(i + 2, end - i - 2)});
      i = end + 2;
    } else if (is_word(c)) {
      const std::size_t begin = i;
      while (i < source.size() && is_word(source[i])) ++i;
      left.tokens.push_back({PromptToken::name, source.substr(begin, i - begin)});
    } else {
      if (c == '{' || c == '(') {
        left.open.push_back({c, left.callee(), left.key()});
      } else if ((c == '}' || c == ')') && !left.open.empty()) {
        left.open.pop_back();
      }
      if (!is_blank(c)) left.tokens.push_back({PromptToken::sign, std::string(1, c)});
      ++i;
    }
  }
  return left;
}

// The native type of the expression with which tokens 0 to end - 1 end, as far as their words tell it:
// "result" for `sim:run()`, the type of the present value for `a.b`, its name for a module. Empty when
// nothing is known. At most `most` calls in a row are followed.
std::string type_left(lua_State* L, const std::vector<PromptToken>& tokens, std::size_t end, int most = 100) {
  const std::size_t arguments_end = end;
  while (end > 0 && (tokens[end - 1].kind == PromptToken::text || tokens[end - 1].value == ")" ||
                     tokens[end - 1].value == "}")) {
    if (tokens[end - 1].kind == PromptToken::sign)
      for (int depth = 0; end > 0; --end) {
        const std::string_view sign =
            tokens[end - 1].kind == PromptToken::sign ? tokens[end - 1].value : std::string_view();
        depth += sign == ")" || sign == "}" ? 1 : sign == "(" || sign == "{" ? -1 : 0;
        if (depth == 0) break;
      }
    if (end > 0) --end;
  }
  if (end == 0 || tokens[end - 1].kind != PromptToken::name || is_keyword(tokens[end - 1].value)) return {};
  const std::string& name = tokens[end - 1].value;
  std::string chain = name;
  if (end > 2 && (tokens[end - 2].value == "." || tokens[end - 2].value == ":")) {
    const std::string owner = most > 0 ? type_left(L, tokens, end - 2, most - 1) : std::string();
    if (owner.empty()) return {};
    chain = fmt::format("{}.{}", owner, name);
  }
  if (chain == name && end == arguments_end) {
    const Balanced balanced(L);
    const std::string type = push_named(L, name) ? type_of(L, -1) : std::string();
    if (!type.empty() || find_word("", name) == nullptr) return type;
    return name;
  }
  const std::string_view returned = returned_by(chain);
  return std::string(returned.substr(0, returned.find_first_of("|,")));
}

// Methods, and after '.' fields, of a native type.
std::vector<std::string> members_of(lua_State* L, std::string_view type, bool methods_only) {
  std::vector<std::string> names;
  for (const NativeType& each : native_types(L)) {
    if (each.name != type) continue;
    names = each.methods;
    if (!methods_only) names.insert(names.end(), each.fields.begin(), each.fields.end());
  }
  for (const Word& word : vocabulary())
    if (type == "rows" && word.owner == type) names.emplace_back(word.name);
  return names;
}

// The callee and its table's word: `link = { }` and lists of records count as what they are in.
std::string table_of(const Left& left) {
  for (std::size_t i = left.open.size(); i > 0; --i) {
    const Bracket& bracket = left.open[i - 1];
    if (!bracket.key.empty()) return "=" + bracket.key;
    if (!bracket.callee.empty()) return bracket.callee;
  }
  return {};
}

const Word* prompt_text_word_of(lua_State* L, const std::string& callee) {
  const std::size_t mark = callee.find_last_of(".:");
  if (mark == std::string::npos) return find_word("", callee);
  const std::string owner = callee.substr(0, mark), name = callee.substr(mark + 1);
  if (const Word* word = find_word(owner, name)) return word;
  const Balanced balanced(L);
  return push_named(L, owner) ? find_word(type_of(L, -1), name) : nullptr;
}

std::vector<FieldWord> fields_in(lua_State* L, const std::string& table) {
  if (table.starts_with('=')) return fields_of_field(std::string_view(table).substr(1));
  std::vector<FieldWord> fields;
  if (const auto entry = Interpreter::of(L).catalogue().find(table)) {
    for (const Parameter& parameter : entry->parameters) fields.push_back({parameter.name, {}});
    return fields;
  }
  const Word* word = prompt_text_word_of(L, table);
  return word == nullptr ? fields : fields_of(word->fields);
}

void add_names(const Platform& platform, std::string_view kind, std::vector<std::string>& names) {
  const auto add = [&](std::string_view its_kind, const auto& resources) {
    if (!kind.empty() && !kind.starts_with(its_kind)) return;
    for (const auto& each : resources) names.push_back(each.name);
  };
  add("host", platform.hosts());
  add("cluster", platform.clusters());
  add("link", platform.links());
}

// Names of hosts, clusters and links, or of one kind: of what `chain` is, else of everything that a global
// holds.
std::vector<std::string> resource_names(lua_State* L, const std::string& chain, std::string_view kind = {}) {
  const Balanced balanced(L);
  std::vector<std::string> names;
  if (!chain.empty() && push_named(L, chain))
    if (const Platform* platform = platform_of(L, -1)) {
      add_names(*platform, kind, names);
      return names;
    }
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    if (const Platform* platform = platform_of(L, -1)) add_names(*platform, kind, names);
    lua_pop(L, 1);
  }
  return names;
}

template <class Wanted>
std::vector<std::string> names_of_entries(lua_State* L, Wanted wanted) {
  std::vector<std::string> names;
  for (const auto& entry : Interpreter::of(L).catalogue().entries())
    if (wanted(*entry)) names.push_back(entry->name);
  return names;
}

std::vector<std::string> scheduler_names(lua_State* L, Role role) {
  return names_of_entries(L, [role](const Entry& each) { return each.role == role; });
}

// The texts that a parameter takes.
std::vector<std::string> texts_of(lua_State* L, const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::mapper:
    case ParameterType::mappers:
      return scheduler_names(L, Role::mapper);
    case ParameterType::policy:
      return scheduler_names(L, Role::policy);
    case ParameterType::improver:
      return names_of_entries(L, [](const Entry& each) { return each.improves; });
    case ParameterType::chart_mapper:
      return names_of_entries(L, [](const Entry& each) { return each.charts(); });
    default:
      return parameter.choices.empty() ? parameter.words : parameter.choices;
  }
}

// The names of works of the simulation or result called `owner`.
std::vector<std::string> work_names(lua_State* L, const std::string& owner) {
  const Balanced balanced(L);
  if (owner.find(':') != std::string::npos || owner.empty() || !push_named(L, owner)) return {};
  const Scenario* scenario = nullptr;
  if (const auto* result = test<ResultValue>(L, -1)) scenario = result->outcome->scenario.get();
  if (const auto* simulation = test<SimulationValue>(L, -1)) scenario = &simulation->simulation->scenario();
  std::vector<std::string> names;
  for (std::size_t w = 0; scenario != nullptr && w < scenario->workload->size(); ++w)
    names.push_back(scenario->workload->name_of(WorkId(w)));
  return names;
}

// "a|b|..." as a list, without the dots.
std::vector<std::string> listed_choices(std::string_view choices) {
  std::vector<std::string> values(1);
  for (const char c : choices)
    if (c == '|')
      values.emplace_back();
    else
      values.back() += c;
  if (values.back() == "...") values.pop_back();
  return values;
}

// Candidates for a parameter of a scheduler; none where the cursor is not in one. `direct`: the text follows the
// scheduler's name, as in mapped "mct".
std::optional<std::vector<std::string>> parameter_texts(lua_State* L, const Entry& entry,
                                                        const std::string& key, bool direct) {
  for (const Parameter& parameter : entry.parameters)
    if (parameter.name == key || (key.empty() && &parameter == entry.list_parameter()))
      return texts_of(L, parameter);
  if (direct)
    for (const Parameter& parameter : entry.parameters)
      if (parameter.choices.empty() && parameter.words.empty())
        if (std::vector<std::string> names = texts_of(L, parameter); !names.empty()) return names;
  return std::nullopt;
}

// Candidates for the field `key` of the table that the cursor is in.
std::vector<std::string> field_texts(lua_State* L, const Left& left, const std::string& key) {
  if (key == "host" || key == "hosts" || key == "cluster" || key == "link") return resource_names(L, {}, key);
  if (key == "policy") return scheduler_names(L, Role::policy);
  if (key == "map") return scheduler_names(L, Role::mapper);
  if (key == "metrics") {
    std::vector<std::string> names;
    for (const MetricInfo& info : metric_infos()) names.emplace_back(info.name);
    return names;
  }
  for (const FieldWord& field : fields_in(L, table_of(left)))
    if (field.name == key && !field.choices.empty()) return listed_choices(field.choices);
  return {};
}

// Candidates for a text given to the word `name`, a method of the value called `owner` or of none.
std::vector<std::string> argument_texts(lua_State* L, const Left& left, const std::string& name,
                                        const std::string& owner) {
  if (name == "fail" || name == "recover") return resource_names(L, owner);
  if (name == "why" || (name == "why_not" && left.last() == "(")) return work_names(L, owner);
  if (name == "why_not") return resource_names(L, owner, "host");
  if (name == "profile") {
    std::vector<std::string> names = scheduler_names(L, Role::mapper),
                             policies = scheduler_names(L, Role::policy);
    names.insert(names.end(), policies.begin(), policies.end());
    return names;
  }
  if (name == "set_policy" || name == "compare") return scheduler_names(L, Role::policy);
  if (name == "map") return scheduler_names(L, Role::mapper);
  if (name == "schedulers") return {"mapping", "batch", "grid", "sweep", "realtime"};
  if (name == "help") return help_topics(L);
  if (name == "require") {
    std::vector<std::string> names;
    for (const ModuleInfo& module : standard_modules()) names.emplace_back(module.name);
    return names;
  }
  return {};
}

// Candidates for the text in quotes that the cursor is in.
std::vector<std::string> texts(lua_State* L, const Left& left, bool& files) {
  std::string key = left.key();
  const bool direct = left.last() != "{" && left.last() != "," && left.last() != "(" && key.empty();
  std::string callee = direct ? left.callee() : std::string();
  if (callee.empty() && !left.open.empty()) {
    const Bracket& bracket = left.open.back();
    if (key.empty()) key = bracket.key;
    callee = bracket.callee;
  }
  if (const auto entry = Interpreter::of(L).catalogue().find(callee))
    if (auto names = parameter_texts(L, *entry, key, direct)) return *std::move(names);
  if (!key.empty()) return field_texts(L, left, key);
  const std::size_t mark = callee.find_last_of(".:");
  const std::string name = mark == std::string::npos ? callee : callee.substr(mark + 1);
  const std::string owner = mark == std::string::npos ? std::string() : callee.substr(0, mark);
  files = name == "read" || name == "scheduler_list" || name == "outages_from" || name == "swf" ||
          name == "irmasim" || name == "pst";
  return argument_texts(L, left, name, owner);
}

}  // namespace

std::vector<std::string> completions(lua_State* L, const std::string& source, std::size_t& length,
                                     bool& files) {
  Left left = read_left(source);
  length = 0;
  if (left.in_comment) return {};
  if (!left.quote.empty()) {
    length = source.size() - left.text_begin;
    std::vector<std::string> names = texts(L, left, files);
    for (std::string& name : names) name += left.quote;
    return names;
  }
  while (length < source.size() && is_word(source[source.size() - 1 - length])) ++length;
  if (length > 0) left.tokens.pop_back();
  if (left.last() == "." || left.last() == ":") {
    const bool methods_only = left.last() == ":";
    left.tokens.pop_back();
    if (left.ends_in_call())
      return members_of(L, type_left(L, left.tokens, left.tokens.size()), methods_only);
    const std::string chain = left.callee();
    if (chain.empty()) return {};
    if (chain.find(':') == std::string::npos && push_named(L, chain)) return members(L, methods_only);
    if (const std::string type = type_left(L, left.tokens, left.tokens.size()); !type.empty())
      return members_of(L, type, methods_only);
    // In a callback, the fields and methods of its parameters are offered.
    std::vector<std::string> names;
    for (const std::string_view type : argument_types(chain))
      for (const Word& word : vocabulary())
        if (word.owner == type && std::ranges::find(names, word.name) == names.end())
          names.emplace_back(word.name);
    for (const ModuleInfo& module : standard_modules())
      if (module.name == chain)
        for (const ModuleFunction& function : module.functions) names.push_back(function.name);
    return names;
  }
  std::vector<std::string> names;
  if (!left.open.empty() && left.open.back().open == '{' && (left.last() == "{" || left.last() == ",")) {
    const std::string word = source.substr(source.size() - length);
    bool fits = false;
    for (const FieldWord& field : fields_in(L, table_of(left))) {
      fits = fits || field.name.starts_with(word);
      names.push_back(fmt::format("{} = ", field.name));
    }
    if (fits) return names;
  }
  names = all_globals(L);
  names.insert(names.end(), std::begin(kKeywords), std::end(kKeywords));
  return names;
}

}  // namespace perigee::interpreter
