#include "interpreter/bindings/show/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/show/names.h"
#include "interpreter/bindings/show/texts.h"
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

namespace perigee::bindings {

namespace {

std::string listed(std::string_view choices) {
  std::string out;
  for (const char c : choices) out += c == '|' ? ", " : std::string(1, c);
  return out;
}

std::string errors_of(std::string_view owner) {
  const std::string_view errors = failure_of(owner);
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
    table.rows.push_back(
        {std::string(field.name), listed(field.choices), meaning_of(chain_of(word), field.name)});
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

// The meanings of a term, one for each field that takes it.
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

// The schedulers of a family; "families" stands for all of them.
std::string family_text(const Catalogue& catalogue, const std::string& name, int width, bool first) {
  const std::string table =
      list_of_schedulers(catalogue, name == "families" ? "" : name, static_cast<std::size_t>(width));
  if (name.empty() || table.empty()) return {};
  return fmt::format(
      "{}{}\n\n{}", first ? "" : "\n",
      name == "families" ? "families: what they schedule" : fmt::format("{}: a family of schedulers", name),
      table);
}

std::string metric_text(std::string_view name) {
  if (metric_meaning(name).empty()) return {};
  const MetricInfo info = metric_info(name);
  return fmt::format("{}\n  a metric: {}{}\n", info.name, info.what,
                     info.unit.empty() ? "" : fmt::format(", in {}", info.unit));
}

// Help on a field of a native type, or on a column of its tables; empty where the type has none of this name.
std::string field_text(std::string_view type, std::string_view name, const std::string& topic) {
  if (type.empty()) return {};
  if (type == "result" && !metric_meaning(name).empty()) return metric_text(name);
  const std::string meaning = field_meaning(type, name);
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
  const int width = Interpreter::of(L).output().width();
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
      if (std::string meaning = field_meaning(type, field);
          !meaning.empty() && find_word(type, field) == nullptr &&
          (type != "result" || metric_meaning(field).empty()))
        fields.rows.push_back({field, std::move(meaning)});
  if (!fields.rows.empty()) out += "\n" + page(fields, width);
  return out + indented_example(type);
}

}  // namespace

std::vector<std::string_view> argument_types(std::string_view name) {
  if (name == "rng") return {"random stream"};
  if (name == "sim") return {"sim"};
  if (name == "c") return {"mapping view", "gantt chart"};
  if (name == "problem") return {"mapping problem"};
  if (name == "chart") return {"gantt chart"};
  return {};
}

namespace {

Diagnostic error_of_help(lua_State* L, const std::string& topic) {
  Diagnostic diagnostic;
  diagnostic.code = "unknown_name";
  if (topic == "quit" || topic == "exit")
    diagnostic.message = "a script ends with its last line; at the prompt :quit, quit, exit and Ctrl-D leave";
  else
    diagnostic.message =
        fmt::format("there is no help on '{}'{}", topic, did_you_mean(topic, help_topics(L)));
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
    Interpreter::of(L).output().print(text);
    return 0;
  });
}

}  // namespace

void open_help(lua_State* L) { define(L, "help", help); }

std::string help_on(lua_State* L, const std::string& topic) {
  const Balanced balanced(L);
  const int width = Interpreter::of(L).output().width();
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
  out += family_text(Interpreter::of(L).catalogue(), topic, width, out.empty());
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
      for (std::string_view rest = each.name; !rest.empty();) {  // names, separated by blanks
        const std::size_t end = std::min(rest.find(' '), rest.size());
        names.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
  for (std::string& topic : module_topics()) names.push_back(std::move(topic));
  names.emplace_back("families");
  for (std::string& family : family_names()) names.push_back(std::move(family));
  return names;
}

std::string no_help_on(lua_State* L, const std::string& topic) {
  const Diagnostic error = error_of_help(L, topic);
  std::string text = error.message;
  for (const std::string& hint : hints_for(error, {}, {})) text += "\n  note: " + hint;
  return text;
}

}  // namespace perigee::bindings
