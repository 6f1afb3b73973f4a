// The vocabulary in annotations for editors: https://luals.github.io/wiki/annotations
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "interpreter/language/describe.h"
#include "interpreter/language/reference.h"
#include "interpreter/language/vocabulary.h"
#include "runtime/results/metrics.h"

namespace perigee::language {

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

// A type of the vocabulary as editors write it: names of native types, wherever they stand for one, become
// those of their classes.
std::string typed(std::string_view text, const std::vector<std::string>& natives) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string* found = nullptr;
    if (at == 0 || text[at - 1] == '|' || text[at - 1] == '(' ||
        (at > 1 && text[at - 1] == ' ' && text[at - 2] != '|'))
      for (const std::string& each : natives) {
        const std::string_view rest = text.substr(at);
        const bool whole = rest.starts_with(each) &&
                           (rest.size() == each.size() ||
                            std::string_view("|,)[?").find(rest[each.size()]) != std::string_view::npos);
        if (whole && (found == nullptr || each.size() > found->size())) found = &each;
      }
    if (found != nullptr) {
      out += "perigee." + identifier(*found);
      at += found->size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

// The type that the row of a field says; "any" where it says none.
std::string type_of(const host::FieldRow& row, const std::vector<std::string>& natives) {
  const bool has_unit = row.dimension != Dimension::count;  // then it may be written as a text
  if (!row.type.empty()) return typed(row.type, natives);
  switch (row.kind) {
    case host::FieldKind::number:
      return has_unit ? "number|string" : "number";
    case host::FieldKind::whole:
      return "integer";
    case host::FieldKind::numbers:
      return has_unit ? "(number|string)[]" : "number[]";
    case host::FieldKind::profile:
      return "number|string|table";
    case host::FieldKind::flag:
      return "boolean";
    case host::FieldKind::text:
      return "string";
    case host::FieldKind::choice:
      return choices_of(row.choices);
    case host::FieldKind::other:
      break;
  }
  return "any";
}

// A class of the fields that the word's table has; its name, or "any" when it has none that are known.
std::string fields_class(const Word& word, const std::vector<std::string>& natives, std::string& out) {
  if (word.fields.empty()) return "any";
  std::string name = "perigee.fields." + identifier(chain_of(word));
  out += fmt::format("\n---@class {}\n", name);
  for (const host::FieldRow& field : word.fields.rows) {
    out += fmt::format("---@field {}? {} {}\n", field.name, type_of(field, natives),
                       meaning_of(chain_of(word), field.name));
  }
  return name;
}

std::string results(std::string_view types) {  // an annotation for each
  constexpr std::string_view kBetween = ", ";
  if (types.starts_with('{') || types.find(kBetween) == std::string_view::npos)
    return fmt::format("---@return {}\n", types);
  const std::size_t end = types.find(kBetween);
  return results(types.substr(0, end)) + results(types.substr(end + kBetween.size()));
}

// `name`: as it is declared, "workload.tasks", "result:save".
void declare(const Word& word, std::string_view name, const std::vector<std::string>& natives,
             std::string& out) {
  const std::string fields = fields_class(word, natives, out);
  const std::string_view after =
      word.usage.substr(std::min(word.usage.find(word.name) + word.name.size(), word.usage.size()));
  std::string returned = typed(returned_by(chain_of(word)), natives);
  if (returned.empty()) returned = "any";
  out += fmt::format("\n---{}\n---\n---`{}`\n", word.summary, word.usage);
  if (const std::string given = typed(given_to(chain_of(word)), natives); !given.empty())
    out += fmt::format("---@overload fun({}{}): {}\n",
                       name.find(':') == std::string_view::npos ? "" : "self: any, ", given, returned);
  if (after.starts_with(" \"") && after.find('{') != std::string_view::npos)  // name "text" { }
    out += fmt::format("---@param name string\n---@return fun(fields: {}): {}\nfunction {}(name) end\n",
                       fields, returned, name);
  else if (after.starts_with(" {"))
    out +=
        fmt::format("---@param fields {}\n---@return {}\nfunction {}(fields) end\n", fields, returned, name);
  else
    out += fmt::format("{}function {}(...) end\n", results(returned), name);
}

bool is_module(lua_State* L, const Word& word) {
  const host::Balanced balanced(L);
  lua_getfield(L, LUA_REGISTRYINDEX, "perigee.vocabulary");
  host::push(L, word.name);
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
      return choices_of(fmt::format("{}", fmt::join(parameter.choices, "|"))) +
             (parameter.function.empty() ? "" : "|function");
    case ParameterType::rule:
      return "function";
    default:
      return "any";
  }
}

void declare_types(const std::vector<NativeType>& types, const std::vector<std::string>& natives,
                   std::string& out) {
  out += fmt::format(
      "\n---{}\n---@class perigee.rows\n---@field [integer] table<string, any>\nlocal rows = {{}}\n",
      meaning_of("type", "rows"));
  for (const Word& word : vocabulary())
    if (word.owner == "rows") declare(word, fmt::format("rows:{}", word.name), natives, out);
  for (const NativeType& type : types) {
    const std::string name = identifier(type.name);
    std::string methods;
    out += fmt::format("\n---{}\n---@class perigee.{}\n", meaning_of("type", type.name), name);
    for (const std::string& field : type.fields) {
      const std::string meaning = field_meaning(type.name, field);
      std::string returned = typed(returned_by(fmt::format("{}.{}", type.name, field)), natives);
      if (type.name == "result" && !metric_meaning(field).empty()) returned = "number";
      out += fmt::format("---@field [\"{}\"] {} {}\n", field, returned.empty() ? "any" : returned, meaning);
    }
    for (const std::string& method : type.methods)
      if (const Word* word = find_word(type.name, method))
        declare(*word, name + ":" + method, natives, methods);
    out += fmt::format("local {} = {{}}\n{}", name, methods);
  }
}

// The words inside a module, and those inside its own.
void declare_members(std::string_view owner, const std::vector<std::string>& natives, std::string& out) {
  for (const Word& member : vocabulary()) {
    const std::string chain = chain_of(member);
    if (member.owner != owner || !member.usage.starts_with(chain)) continue;
    const bool nested =
        std::ranges::any_of(vocabulary(), [&](const Word& each) { return each.owner == chain; });
    if (nested)
      out += fmt::format("\n---{}\n{} = {{}}\n", member.summary, chain);
    else
      declare(member, chain, natives, out);
    declare_members(chain, natives, out);
  }
}

void declare_words(lua_State* L, const std::vector<std::string>& natives, std::string& out) {
  for (const Word& word : vocabulary()) {
    if (!word.owner.empty() || word.summary.starts_with("standard Lua")) continue;
    if (!is_module(L, word)) {
      declare(word, word.name, natives, out);
      continue;
    }
    const std::string fields = fields_class(word, natives, out);
    const std::string returned = typed(returned_by(word.name), natives);
    out += fmt::format("\n---{}\n---\n---`{}`\n---@overload fun(fields: {}): {}\n{} = {{}}\n", word.summary,
                       word.usage, fields, returned.empty() ? "any" : returned, word.name);
    declare_members(word.name, natives, out);
  }
}

void declare_schedulers(const Catalogue& catalogue, std::string& out) {
  for (const auto& entry : catalogue.entries()) {
    out += fmt::format("\n---@class perigee.parameters.{}\n", entry->name);
    for (const Parameter& parameter : entry->parameters)
      out += fmt::format("---@field {}? {} {} ({})\n", parameter.name, parameter_type(parameter),
                         parameter.summary, default_of(parameter));
    out += fmt::format(
        "\n---{}\n---\n---{}\n---@param parameters? perigee.parameters.{}\n---@return perigee.scheduler\n"
        "function {}(parameters) end\n",
        entry->summary, entry->source, entry->name, entry->name);
  }
}

}  // namespace

std::string editor_types(lua_State* L, const Catalogue& catalogue) {
  std::string out =
      fmt::format("---@meta\n-- The vocabulary of perigee {}, for editors; made by `perigee reference`.\n",
                  PERIGEE_VERSION);
  const std::vector<NativeType> types = native_types(L);
  std::vector<std::string> natives{"rows"};
  for (const NativeType& type : types) natives.push_back(type.name);
  declare_types(types, natives, out);
  declare_words(L, natives, out);
  declare_schedulers(catalogue, out);
  return out;
}

}  // namespace perigee::language
