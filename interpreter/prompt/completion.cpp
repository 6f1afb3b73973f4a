#include "interpreter/prompt/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "interpreter/bindings/run/simulation.h"
#include "interpreter/bindings/show/help.h"
#include "interpreter/bindings/show/names.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/language/modules.h"
#include "interpreter/language/reference.h"
#include "interpreter/language/vocabulary.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/runs.h"
#include "interpreter/values/schedulers.h"
#include "runtime/kernel/text.h"

namespace perigee::prompt {

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

// The native type of the expression with which tokens 0 to end - 1 end, as far as their words tell it. It is
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

const Word* word_called(lua_State* L, const std::string& callee) {
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
  const Word* word = word_called(L, table);
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
    case ParameterType::graph:
      return names_of_entries(L, [](const Entry& each) { return each.schedules_graphs(); });
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
  if (scenario == nullptr) return names;
  for (std::size_t w = scenario->workload->works.first(); w < scenario->workload->size(); ++w)
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

// Candidates for a parameter of a scheduler; none where the cursor is not in one. `direct`: the text follows
// the scheduler's name, as in mapped "mct".
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
  if (key == "search") return scheduler_names(L, Role::search);
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
  if (name == "schedulers") return family_names();
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
          name == "sacct" || name == "batsim" || name == "irmasim" || name == "pst" || name == "simgrid";
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

}  // namespace perigee::prompt
