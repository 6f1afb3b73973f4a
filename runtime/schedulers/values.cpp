#include "runtime/schedulers/values.h"

#include <algorithm>
#include <cmath>

namespace perigee::schedulers {
namespace {

std::string_view type_name(ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::integer:
      return "an integer";
    case ParameterType::number:
      return "a number";
    case ParameterType::quantity:
      return "a number or a string with a unit";
    case ParameterType::choice:
      return "a string";
    case ParameterType::mapper:
      return "a mapper";
    case ParameterType::improver:
      return "a mapper that improves mappings";
    case ParameterType::chart_mapper:
      return "a mapper that can choose on a Gantt chart";
    case ParameterType::policy:
      return "a policy";
    case ParameterType::graph:
      return "a graph scheduler";
    case ParameterType::mappers:
      return "a list of mappers";
    case ParameterType::rule:
      return "a function";
  }
  return "?";
}

struct Show {
  std::string operator()(std::monostate) const { return "nil"; }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(double number) const { return format_number(number); }
  std::string operator()(const std::string& text) const { return fmt::format("\"{}\"", text); }
  std::string operator()(const ConfigPtr& config) const { return config ? config->text() : "nil"; }
  std::string operator()(const Parts& parts) const {
    return parts.empty() ? "{}" : fmt::format("{{ {} }}", items(parts));
  }
  std::string operator()(const RulePtr& rule) const { return rule ? rule->text() : "nil"; }
  static std::string items(const Parts& parts) {
    std::string out;
    for (const Part& part : parts)
      out += (out.empty() ? "" : ", ") + std::visit([](const auto& each) { return Show()(each); }, part);
    return out;
  }
};

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += fmt::format("\"{}\"", names[i]);
  }
  return out;
}

// Lists what the value may be, for people.
std::string allowed_values(const Entry& entry, const Parameter& parameter) {
  std::vector<std::string> forms;
  forms.push_back(parameter.choices.empty() ? std::string(type_name(parameter.type))
                                            : list_of(parameter.choices));
  for (const std::string& word : parameter.words) forms.push_back(fmt::format("\"{}\"", word));
  if (!parameter.function.empty()) forms.push_back(fmt::format("a function of ({})", parameter.function));
  if (parameter.by_round)  // rounds of a head under feedback are sampling periods
    forms.push_back(
        fmt::format("a function of ({}, state)", entry.family == Family::realtime ? "period" : "round"));
  std::string allowed = forms.front();
  for (std::size_t i = 1; i < forms.size(); ++i)
    allowed += (i + 1 == forms.size() ? " or " : ", ") + forms[i];
  return allowed;
}

[[noreturn]] void wrong_type(const Entry& entry, const Parameter& parameter, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  fail("bad_parameter", "{}: {} must be {}, got {}{}", entry.name, parameter.name,
       allowed_values(entry, parameter), shown(value),
       text == nullptr ? "" : did_you_mean(*text, parameter.words));
}

// In every locale.
bool begins_with_letter(std::string_view text) {
  const char first = text.empty() ? ' ' : text.front();
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
}

double checked_number(const Entry& entry, const Parameter& parameter, const Value& value) {
  double number = 0;
  if (const double* given = std::get_if<double>(&value)) {
    number = *given;
  } else if (const auto* text = std::get_if<std::string>(&value);
             text != nullptr && parameter.type == ParameterType::quantity) {
    if (!parameter.words.empty() && begins_with_letter(*text)) wrong_type(entry, parameter, value);
    try {
      number = parse_with_unit(*text, parameter.unit);
    } catch (const Error& error) {
      fail("bad_parameter", "{}: {}: {}", entry.name, parameter.name, error.diagnostic().message);
    }
  } else {
    wrong_type(entry, parameter, value);
  }
  if (std::isnan(number)) wrong_type(entry, parameter, value);
  if (parameter.type == ParameterType::integer && !has_no_fraction(number))
    wrong_type(entry, parameter, value);
  if (!in_range(parameter, number))
    fail("bad_parameter", "{}: {} must be {}, got {}", entry.name, parameter.name, range_of(parameter),
         shown(value));
  return number;
}

std::string checked_choice(const Entry& entry, const Parameter& parameter, const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) wrong_type(entry, parameter, value);
  for (const auto& [name, need] : parameter.lacking)
    if (name == *text)
      fail("bad_parameter", "{}: {} = \"{}\" needs {}; there are {}", entry.name, parameter.name, name, need,
           list_of(parameter.choices));
  if (std::ranges::find(parameter.choices, *text) == parameter.choices.end())
    fail("bad_parameter", "{}: {} must be {}, got \"{}\"{}", entry.name, parameter.name,
         allowed_values(entry, parameter), *text, did_you_mean(*text, parameter.choices));
  return *text;
}

ConfigPtr checked_scheduler(const Catalogue& catalogue, const Entry& entry, const Parameter& parameter,
                            const Value& value) {
  const Role role = parameter.type == ParameterType::policy  ? Role::policy
                    : parameter.type == ParameterType::graph ? Role::graph
                                                             : Role::mapper;
  const auto can_be = [role](const Entry& each) {
    return each.role == role || (role == Role::graph && each.schedules_graphs());
  };
  std::shared_ptr<const Entry> named;
  ConfigPtr config;
  if (const auto* text = std::get_if<std::string>(&value)) {
    named = catalogue.find(*text);
    if (named == nullptr)
      fail("unknown_scheduler", "{}: {}: unknown {} '{}'{}", entry.name, parameter.name, name_of(role), *text,
           nearest_entry(catalogue.entries(), *text, can_be));
    if (can_be(*named)) config = catalogue.as_role(catalogue.configure(*text), role);
  } else if (const auto* given = std::get_if<ConfigPtr>(&value); given != nullptr && *given != nullptr) {
    named = (*given)->entry;
    config = catalogue.as_role(*given, role);
  } else {
    wrong_type(entry, parameter, value);
  }
  if (config == nullptr || config->entry->role != role)
    fail("bad_parameter", "{}: {} must be {}, but {} is a {}", entry.name, parameter.name,
         type_name(parameter.type), shown(value), name_of(named->role));
  const auto those = [&](auto&& wanted) {
    std::vector<std::string> names;
    for (const auto& each : catalogue.entries())
      if (wanted(*each)) names.push_back(each->name);
    return fmt::format("{}", fmt::join(names, ", "));
  };
  if (parameter.type == ParameterType::improver && !config->entry->improves)
    fail("bad_parameter", "{}: {} must improve a given mapping, as {} do, but {} makes its own", entry.name,
         parameter.name, those([](const Entry& each) { return each.improves; }), config->entry->name);
  if (parameter.type == ParameterType::chart_mapper && !config->entry->charts())
    fail("bad_parameter", "{}: {} must be able to choose on a Gantt chart, as {} are, but {} is not",
         entry.name, parameter.name, those([](const Entry& each) { return each.charts(); }),
         config->entry->name);
  return config;
}

Parts checked_parts(const Catalogue& catalogue, const Entry& entry, const Parameter& parameter,
                    const Value& value) {
  const Parts* given = std::get_if<Parts>(&value);
  if (given == nullptr) wrong_type(entry, parameter, value);
  if (given->empty()) fail("bad_parameter", "{}: {} must be one mapper at least", entry.name, parameter.name);
  Parts parts;
  for (const Part& part : *given)
    parts.emplace_back(checked_scheduler(catalogue, entry, parameter,
                                         std::visit([](const auto& each) { return Value(each); }, part)));
  return parts;
}

}  // namespace

std::string shown(const Value& value) { return std::visit(Show{}, value); }
std::string shown_items(const Parts& parts) { return Show::items(parts); }

std::string range_of(const Parameter& parameter) {
  const std::string min = format_number(parameter.min), max = format_number(parameter.max);
  const std::string_view above = parameter.open_min ? "> " : ">= ", below = parameter.open_max ? "< " : "<= ";
  if (std::isinf(parameter.min)) return fmt::format("{}{}", below, max);
  if (std::isinf(parameter.max))
    return fmt::format("{}{}{}", above, min, parameter.open_max ? " and finite" : "");
  if (parameter.open_min || parameter.open_max) return fmt::format("{}{} and {}{}", above, min, below, max);
  return fmt::format("from {} to {}", min, max);
}

bool in_range(const Parameter& parameter, double number) {
  return (parameter.open_min ? number > parameter.min : number >= parameter.min) &&
         (parameter.open_max ? number < parameter.max : number <= parameter.max);
}

bool has_no_fraction(double number) { return std::isfinite(number) && number == std::floor(number); }

Value checked(const Catalogue& catalogue, const Entry& entry, const Parameter& parameter,
              const Value& value) {
  if (const auto* rule = std::get_if<RulePtr>(&value);
      (parameter.by_round || !parameter.function.empty()) && rule != nullptr && *rule != nullptr)
    return value;
  if (const auto* text = std::get_if<std::string>(&value);
      text != nullptr && std::ranges::find(parameter.words, *text) != parameter.words.end())
    return value;
  switch (parameter.type) {
    case ParameterType::boolean:
      if (!std::holds_alternative<bool>(value)) wrong_type(entry, parameter, value);
      return value;
    case ParameterType::integer:
    case ParameterType::number:
    case ParameterType::quantity:
      return checked_number(entry, parameter, value);
    case ParameterType::choice:
      return checked_choice(entry, parameter, value);
    case ParameterType::mapper:
    case ParameterType::improver:
    case ParameterType::chart_mapper:
    case ParameterType::policy:
    case ParameterType::graph:
      return checked_scheduler(catalogue, entry, parameter, value);
    case ParameterType::mappers:
      return checked_parts(catalogue, entry, parameter, value);
    case ParameterType::rule:
      if (const auto* rule = std::get_if<RulePtr>(&value); rule == nullptr || *rule == nullptr)
        wrong_type(entry, parameter, value);
      return value;
  }
  wrong_type(entry, parameter, value);
}

bool is_default(const Parameter& parameter, const Value& value) {
  if (const auto* parts = std::get_if<Parts>(&value)) {
    const auto name = [](const Part& part) {
      const auto* config = std::get_if<ConfigPtr>(&part);
      return config != nullptr ? (*config)->text() : std::get<std::string>(part);
    };
    const auto* names = std::get_if<Parts>(&parameter.fallback);
    return names != nullptr && std::ranges::equal(*parts, *names, {}, name, name);
  }
  if (const auto* config = std::get_if<ConfigPtr>(&value)) {
    const auto* name = std::get_if<std::string>(&parameter.fallback);
    const auto* other = std::get_if<ConfigPtr>(&parameter.fallback);
    return *config != nullptr &&
           (name != nullptr ? (*config)->text() == *name
                            : other != nullptr && (*config)->text() == (*other)->text());
  }
  if (const auto* text = std::get_if<std::string>(&parameter.fallback);
      text != nullptr && parameter.type == ParameterType::quantity)
    return value == Value(parse_quantity(*text, parameter.unit));
  return value == parameter.fallback;
}

}  // namespace perigee::schedulers
