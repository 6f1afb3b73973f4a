// What an editor is told of the vocabulary: https://luals.github.io/wiki/annotations
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "interpreter/describe.h"
#include "interpreter/interpreter.h"
#include "interpreter/reference.h"
#include "interpreter/vocabulary.h"
#include "runtime/results/metrics.h"

namespace perigee {

namespace {

std::string identifier(std::string_view text) {  // "etc matrix" -> "etc_matrix"
  std::string out;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.')
      out += c;
    else if (c != '\'')
      out += '_';
  return out;
}

std::string choices_of(std::string_view choices) {  // a|b -> "a"|"b"
  std::string out = "\"";
  for (const char c : choices) out += c == '|' ? "\"|\"" : std::string(1, c);
  return out + "\"";
}

// A class of the fields that the word's table has; its name, or "any" when it has none that are known.
std::string fields_class(const Word& word, std::string& out) {
  if (word.fields.empty()) return "any";
  const std::string name = "perigee.fields." + identifier(chain_of(word));
  out += fmt::format("\n---@class {}\n", name);
  for (const FieldWord& field : fields_of(word.fields))
    out += fmt::format(
        "---@field {}? {} {}\n", field.name,
        field.choices.empty() || field.choices.ends_with("...") ? "any" : choices_of(field.choices),
        meaning_of(chain_of(word), field.name));
  return name;
}

// `name`: as it is declared, "workload.tasks", "result:save".
void declare(const Word& word, std::string_view name, std::string& out) {
  const std::string fields = fields_class(word, out);
  const std::string_view after =
      word.usage.substr(std::min(word.usage.find(word.name) + word.name.size(), word.usage.size()));
  out += fmt::format("\n---{}\n---\n---`{}`\n", word.summary, word.usage);
  if (after.starts_with(" \""))  // name "text" { }
    out += fmt::format("---@param name string\n---@return fun(fields: {}): any\nfunction {}(name) end\n",
                       fields, name);
  else if (after.starts_with(" {"))
    out += fmt::format("---@param fields {}\n---@return any\nfunction {}(fields) end\n", fields, name);
  else
    out += fmt::format("---@return any\nfunction {}(...) end\n", name);
}

bool is_module(lua_State* L, const Word& word) {
  const lua::Balanced balanced(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  lua::push(L, word.name);
  return word.owner.empty() && lua_rawget(L, -2) == LUA_TTABLE;
}

// A number, a word for it or a function of the round.
std::string number_type(std::string_view type, const Parameter& parameter) {
  std::string out(type);
  if (!parameter.words.empty()) out += "|" + choices_of(fmt::format("{}", fmt::join(parameter.words, "|")));
  return out + (parameter.by_round ? "|function" : "");
}

std::string parameter_type(const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::boolean:
      return "boolean";
    case ParameterType::integer:
      return number_type("integer", parameter);
    case ParameterType::number:
      return number_type("number", parameter);
    case ParameterType::quantity:
      return "number|string";
    case ParameterType::choice:
      return choices_of(fmt::format("{}", fmt::join(parameter.choices, "|")));
    case ParameterType::rule:
      return "function";
    default:
      return "any";
  }
}

}  // namespace

std::string editor_types(lua_State* L) {
  std::string out =
      fmt::format("---@meta\n-- The vocabulary of perigee {}, for editors; made by `perigee reference`.\n",
                  PERIGEE_VERSION);
  for (const NativeType& type : native_types(L)) {
    const std::string name = identifier(type.name);
    std::string methods;
    out += fmt::format("\n---{}\n---@class perigee.{}\n", meaning_of("type", type.name), name);
    for (const std::string& field : type.fields) {
      std::string_view meaning = field_meaning(type.name, field);
      for (const MetricInfo& info : metric_infos())
        if (type.name == "result" && info.name == field) meaning = info.what;
      out += fmt::format("---@field [\"{}\"] any {}\n", field, meaning);
    }
    for (const std::string& method : type.methods)
      if (const Word* word = find_word(type.name, method)) declare(*word, name + ":" + method, methods);
    out += fmt::format("local {} = {{}}\n{}", name, methods);
  }
  for (const Word& word : vocabulary()) {
    if (!word.owner.empty() || word.summary.starts_with("standard Lua")) continue;
    if (!is_module(L, word)) {
      declare(word, word.name, out);
      continue;
    }
    const std::string fields = fields_class(word, out);
    out += fmt::format("\n---{}\n---\n---`{}`\n---@overload fun(fields: {}): any\n{} = {{}}\n", word.summary,
                       word.usage, fields, word.name);
    const auto members = [&](std::string_view owner, auto&& self) -> void {
      for (const Word& member : vocabulary()) {
        const std::string chain = chain_of(member);
        if (member.owner != owner || !member.usage.starts_with(chain)) continue;
        const bool nested =
            std::ranges::any_of(vocabulary(), [&](const Word& each) { return each.owner == chain; });
        if (nested)
          out += fmt::format("\n---{}\n{} = {{}}\n", member.summary, chain);
        else
          declare(member, chain, out);
        self(chain, self);
      }
    };
    members(word.name, members);
  }
  for (const auto& entry : Interpreter::of(L).catalogue().entries()) {
    out += fmt::format("\n---@class perigee.parameters.{}\n", entry->name);
    for (const Parameter& parameter : entry->parameters)
      out += fmt::format("---@field {}? {} {} ({})\n", parameter.name, parameter_type(parameter),
                         parameter.summary, default_of(parameter));
    out += fmt::format(
        "\n---{}\n---\n---{}\n---@param parameters? perigee.parameters.{}\n---@return perigee.scheduler\n"
        "function {}(parameters) end\n",
        entry->summary, entry->source, entry->name, entry->name);
  }
  return out;
}

}  // namespace perigee
