#include "interpreter/language/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "interpreter/language/describe.h"
#include "interpreter/language/modules.h"
#include "interpreter/language/vocabulary.h"
#include "runtime/results/metrics.h"

namespace perigee::language {

namespace {

// The function that reads a native type's fields, of its metatable on top: pushed, or false and nothing is.
// Methods may be found before it is called (see new_type()).
bool push_index(lua_State* L) {
  const int metatable = lua_gettop(L);
  lua_pushliteral(L, "__index");
  if (lua_rawget(L, metatable) == LUA_TTABLE && lua_getmetatable(L, -1) != 0) {
    lua_pushliteral(L, "__index");
    lua_rawget(L, -2);
  }
  if (lua_iscfunction(L, -1) != 0 && lua_getupvalue(L, -1, 4) != nullptr) {
    const bool listed = lua_type(L, -1) == LUA_TUSERDATA;
    lua_pop(L, 1);
    if (listed) return true;
  }
  lua_settop(L, metatable);
  return false;
}

std::string cell(std::string_view text) {  // of a table
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

std::string code(std::string_view text) { return fmt::format("`{}`", cell(text)); }

std::string script(std::string_view text) { return fmt::format("\n```lua\n{}\n```\n", text); }

std::string sentence(std::string_view text) {
  std::string out(text);
  if (!out.empty()) out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out + ".";
}

// The fields of the table that a word takes, the columns of the rows that it returns, when it fails, and an
// example.
std::string details(std::string_view owner, const TakenFields& fields) {
  std::string out;
  if (!fields.empty()) {
    out += "\n| field | values | means |\n|---|---|---|\n";
    for (const FieldWord& field : fields_of(fields)) {
      std::string values;
      for (const char c : field.choices) values += c == '|' ? "`, `" : std::string(1, c);
      out +=
          fmt::format("| {} | {} | {} |\n", code(field.name),
                      values.empty() ? "" : fmt::format("`{}`", values), cell(meaning_of(owner, field.name)));
    }
  }
  std::string rows;
  for (const Meaning& column : columns())
    if (has_word(column.of, owner)) {
      std::string names;
      for (const char c : column.name) names += c == ' ' ? "`, `" : std::string(1, c);
      rows += fmt::format("| `{}` | {} |\n", names, cell(column.text));
    }
  if (!rows.empty()) out += "\n| column | means |\n|---|---|\n" + rows;
  if (const std::string_view errors = failure_of(owner); !errors.empty())
    out += fmt::format("\nFails when {}.\n", errors);
  if (const std::string_view example = example_of(owner); !example.empty()) out += script(example);
  return out;
}

std::string entry_of(const Word& word, int level) {
  const std::string chain = chain_of(word);
  return fmt::format("\n{} {}\n\n`{}`\n\n{}\n{}", std::string(static_cast<std::size_t>(level), '#'), chain,
                     word.usage, sentence(word.summary), details(chain, word.fields));
}

bool is_standard(const Word& word) { return word.summary.starts_with("standard Lua"); }

// The words of a module, each with its own.
std::string words_of(std::string_view owner, int level) {
  std::string out;
  for (const Word& word : vocabulary()) {
    if (word.owner != owner || is_standard(word)) continue;
    if (!owner.empty() && !word.usage.starts_with(chain_of(word))) continue;  // of the type of that name
    out += entry_of(word, level) + words_of(chain_of(word), 4);
  }
  return out;
}

std::string type_text(const NativeType& type) {
  std::string out = fmt::format("\n### {}\n\n{}\n", type.name, sentence(meaning_of("type", type.name)));
  std::string methods, takers, fields;
  for (const Word& word : vocabulary()) {
    if (word.owner != type.name || std::ranges::find(type.methods, word.name) == type.methods.end()) continue;
    methods += fmt::format("| {} | {} |\n", code(word.usage), cell(word.summary));
    if (const std::string more = details(chain_of(word), word.fields); !more.empty())
      takers += fmt::format("\n`{}`\n{}", word.usage, more);
  }
  for (const std::string& field : type.fields)
    if (type.name != "result" || metric_meaning(field).empty())  // those are listed below
      fields += fmt::format("| {} | {} |\n", code(field), cell(field_meaning(type.name, field)));
  if (!methods.empty()) out += "\n| method | |\n|---|---|\n" + methods;
  if (!fields.empty()) out += "\n| field | |\n|---|---|\n" + fields;
  return out + takers + details(type.name, {});
}

std::string reference_scheduler_text(const Entry& entry) {
  std::string out = fmt::format("\n### {}\n\n{}\n\n| | |\n|---|---|\n", entry.name, sentence(entry.summary));
  for (const auto& [label, text] : facts_of(entry)) out += fmt::format("| {} | {} |\n", label, cell(text));
  if (!entry.parameters.empty()) {
    out += "\n| parameter | default | allowed | means |\n|---|---|---|---|\n";
    for (const Parameter& parameter : entry.parameters)
      out += fmt::format("| {} | {} | {} | {} |\n", code(parameter.name), code(default_of(parameter)),
                         cell(allowed_of(entry, parameter)), cell(parameter.summary));
  }
  return out + script("print(" + in_a_script(entry) + ")");
}

}  // namespace

std::vector<NativeType> native_types(lua_State* L) {
  const Balanced balanced(L);
  luaL_checkstack(L, 20, "types");
  std::vector<NativeType> types;
  std::vector<std::string> names;  // first all of them: looking on changes the registry
  lua_pushnil(L);
  while (lua_next(L, LUA_REGISTRYINDEX) != 0) {
    if (const auto name = text_at(L, -2); name && lua_istable(L, -1)) names.emplace_back(*name);
    lua_pop(L, 1);
  }
  std::ranges::sort(names);
  for (const std::string& name : names) {
    lua_getfield(L, LUA_REGISTRYINDEX, name.c_str());
    if (const int metatable = lua_gettop(L); push_index(L)) {
      NativeType& type = types.emplace_back(NativeType{name, {}, {}});
      const int index = lua_gettop(L);
      lua_getupvalue(L, index, 4);
      type.fields = *static_cast<const std::vector<std::string>*>(lua_touserdata(L, -1));
      lua_getupvalue(L, index, 1);
      lua_pushnil(L);
      while (lua_next(L, -2) != 0) {
        lua_pop(L, 1);
        type.methods.emplace_back(*text_at(L, -1));
      }
      std::ranges::sort(type.methods);
      lua_settop(L, metatable);
    }
    lua_pop(L, 1);
  }
  return types;
}

std::string reference(lua_State* L, const Catalogue& catalogue) {
  std::string out = fmt::format(
      "# Reference\n\nEvery word of perigee {}. This page is made by `perigee reference` "
      "of what the prompt's help says: `?word`, `?type.field`, `help(value)`.\n\n"
      "Units are base units where none is given: s, B, B/s, op, op/s, fractions. A number may be "
      "written as a text with a unit, \"10 min\". Defaults stand in parentheses. An unknown name "
      "or field, a value of the wrong type or out of range is an error at the script's line that "
      "says what is allowed, and the nearest name; what else may fail is said with each word.\n",
      PERIGEE_VERSION);
  out += "\n## Words\n" + words_of("", 3);
  out += "\n## Types\n";
  std::vector<NativeType> types = native_types(L);
  NativeType rows{"rows", {}, {}};  // tables with methods
  for (const Word& word : vocabulary())
    if (word.owner == rows.name) rows.methods.emplace_back(word.name);
  types.push_back(std::move(rows));
  std::ranges::sort(types, {}, &NativeType::name);
  for (const NativeType& type : types) out += type_text(type);
  out += "\n## Schedulers\n";
  for (const auto& entry : catalogue.entries()) out += reference_scheduler_text(*entry);
  out += "\n## Metrics\n\nFields of a result.\n\n| metric | unit | means |\n|---|---|---|\n";
  for (const MetricInfo& info : metric_infos())
    out += fmt::format("| {} | {} | {} |\n", code(info.name), info.unit, cell(info.what));
  out +=
      "\n## Standard library\n\nModules that `require` loads. Those without functions are heuristics to copy "
      "from.\n";
  for (const ModuleInfo& module : standard_modules()) {
    out += fmt::format("\n### {}\n\n{}", module.name, module.comment);
    for (const ModuleFunction& function : module.functions)
      out += fmt::format("\n`{}`\n\n{}", function.usage, function.comment);
  }
  out += "\n## Standard Lua\n\nLua 5.4, of which this is here.\n\n| | |\n|---|---|\n";
  for (const Word& word : vocabulary())
    if (is_standard(word)) out += fmt::format("| {} | {} |\n", code(word.usage), cell(word.summary));
  return out;
}

}  // namespace perigee::language
