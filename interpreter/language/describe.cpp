#include "interpreter/language/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "interpreter/language/vocabulary.h"
#include "runtime/results/table.h"

namespace perigee::language {

std::string default_of(const Parameter& parameter) {
  if (const auto* flag = std::get_if<bool>(&parameter.fallback)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<double>(&parameter.fallback))
    return parameter.type == ParameterType::quantity ? format_quantity(*number, parameter.unit)
                                                     : format_number(*number);
  if (const auto* text = std::get_if<std::string>(&parameter.fallback)) return fmt::format("\"{}\"", *text);
  if (const auto* config = std::get_if<ConfigPtr>(&parameter.fallback))
    return *config ? (*config)->text() : "";
  if (const auto* parts = std::get_if<Parts>(&parameter.fallback)) {
    std::vector<std::string> names;
    for (const Part& part : *parts)
      names.push_back(std::holds_alternative<std::string>(part)
                          ? fmt::format("\"{}\"", std::get<std::string>(part))
                          : std::get<ConfigPtr>(part)->text());
    return fmt::format("{{ {} }}", fmt::join(names, ", "));
  }
  if (const auto* rule = std::get_if<RulePtr>(&parameter.fallback)) return (*rule)->text();
  return parameter.optional ? "none" : "must be given";
}

namespace {

// Rounds of a head under feedback are sampling periods.
std::string round_of(const Entry& entry) { return entry.family == Family::realtime ? "period" : "round"; }

}  // namespace

std::string allowed_of(const Entry& entry, const Parameter& parameter) {
  if (!parameter.choices.empty())
    return fmt::format(
        "{}{}", fmt::join(parameter.choices, " | "),
        parameter.function.empty() ? "" : fmt::format(" | a function of ({})", parameter.function));
  if (parameter.type == ParameterType::boolean) return "true | false";
  if (parameter.type == ParameterType::mapper) return "a mapper";
  if (parameter.type == ParameterType::policy) return "a policy";
  if (parameter.type == ParameterType::graph) return "a graph scheduler";
  if (parameter.type == ParameterType::improver) return "a mapper that improves";
  if (parameter.type == ParameterType::chart_mapper) return "a mapper that can choose on a Gantt chart";
  if (parameter.type == ParameterType::mappers) return "mappers";
  if (parameter.type == ParameterType::rule) return "a function";
  std::string text = parameter.type == ParameterType::integer ? "whole number" : "number";
  if (parameter.type == ParameterType::quantity) text = std::string(name_of(parameter.unit));
  if (std::isfinite(parameter.min))
    text += fmt::format(", {} {}", parameter.open_min ? ">" : ">=", format_number(parameter.min));
  if (std::isfinite(parameter.max))
    text += fmt::format(", {} {}", parameter.open_max ? "<" : "<=", format_number(parameter.max));
  for (const std::string& word : parameter.words) text += fmt::format(", \"{}\"", word);
  if (parameter.by_round) text += fmt::format(", a function of ({}, state)", round_of(entry));
  return text;
}

namespace {

std::string accepted_text(const Accepts& accepts) {
  std::vector<std::string> words;
  const auto add = [&](bool given, std::string_view word) {
    if (given) words.emplace_back(word);
  };
  add(accepts.tasks, "tasks");
  add(accepts.jobs, "jobs");
  add(accepts.sweeps, "sweeps");
  add(accepts.loads, accepts.demands == nullptr ? "loads" : accepts.demands->loads);
  add(accepts.reservations, "reservations");
  add(accepts.files, "files");
  add(accepts.several_cores, "work on several cores");
  add(accepts.several_hosts, "jobs over several hosts");
  add(accepts.limits, "limits");
  add(accepts.memory, "memory, resources and licences");
  add(accepts.precedence, "tasks before they are ready");
  add(accepts.streams, "streams");
  if (accepts.demands != nullptr) add(true, accepts.demands->platform);
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::vector<std::pair<std::string_view, std::string>> facts_of(const Entry& entry) {
  std::vector<std::pair<std::string_view, std::string>> facts;
  const auto add = [&](std::string_view label, std::string text) {
    if (!text.empty()) facts.emplace_back(label, std::move(text));
  };
  add("family", std::string(name_of(entry.family)));
  add("decides", entry.role == Role::mapper   ? "an assignment of tasks to machines"
                 : entry.role == Role::graph  ? "a machine and a start for each task of a graph"
                 : entry.role == Role::search ? "which case of a space is tried next"
                                              : "when and where work runs");
  add("source", entry.source);
  add("cost", entry.complexity);
  add("ties", entry.ties);
  if (entry.improves)
    add("improves", fmt::format("a given mapping too: then_improve {{ with = {} }}", entry.name));
  if (entry.charts())
    add("charts", fmt::format("it can choose on a Gantt chart too: planner {{ map = \"{}\" }}", entry.name));
  if (entry.chooses_ready)
    add("graphs", fmt::format("it can choose among ready tasks: ready_set {{ map = \"{}\" }}", entry.name));
  if (entry.for_graphs) add("graphs", "where a graph scheduler is wanted it stands for branch_and_bound");
  if (entry.role == Role::policy) {
    add("accepts", accepted_text(entry.accepts));
    add("asked", fmt::format("{}, tolerance {}{}", name_of(entry.instants.ask),
                             format_number(entry.instants.tolerance),
                             entry.instants.submit_first ? ", arrivals before ends" : ""));
  }
  if (std::ranges::any_of(entry.parameters, &Parameter::by_round)) {
    const std::string what = round_of(entry);
    std::vector<std::string_view> names;
    for (const Word& word : vocabulary())
      if (word.owner == what + " state") names.push_back(word.name);
    add("state", fmt::format("what functions of ({}, state) see: {}", what, fmt::join(names, ", ")));
  }
  return facts;
}

std::string in_a_script(const Entry& entry) {
  std::string given;
  if (const Parameter* list = entry.list_parameter()) {
    const std::string items = default_of(*list);
    given = items.substr(2, items.size() - 4);
  }
  for (const Parameter& parameter : entry.parameters)
    if (given.empty() && !std::holds_alternative<std::monostate>(parameter.fallback) &&
        parameter.type != ParameterType::rule)
      given = fmt::format("{} = {}", parameter.name,
                          parameter.type == ParameterType::quantity ? '"' + default_of(parameter) + '"'
                                                                    : default_of(parameter));
  return given.empty() ? entry.name + " {}" : fmt::format("{} {{ {} }}", entry.name, given);
}

std::string describe(const Entry& entry, std::size_t width) {
  std::string out = fmt::format("{}: {}\n\n", entry.name, entry.summary);
  for (const auto& [label, text] : facts_of(entry)) {
    const std::string line = fmt::format("  {:<12}{}", label, text);
    out += width == 0 ? line + "\n" : folded(line, width, 14);
  }
  if (!entry.parameters.empty()) {
    Table table;
    table.columns = {"parameter", "default", "allowed", "meaning"};
    for (const Parameter& parameter : entry.parameters)
      table.rows.push_back(
          {parameter.name, default_of(parameter), allowed_of(entry, parameter), parameter.summary});
    out += "\n" + table.list(width);
  }
  return out + fmt::format("\n  in a script: {}\n", in_a_script(entry));
}

std::string list_of_schedulers(const Catalogue& catalogue, std::string_view family, std::size_t width) {
  results::Table table{{"name", "family", "decides", "summary"}, {}};
  for (const auto& entry : catalogue.entries()) {
    const std::string name(name_of(entry->family));
    if (family.empty() || family == name)
      table.rows.push_back({entry->name, name, std::string(name_of(entry->role)), entry->summary});
  }
  return table.rows.empty() ? std::string() : table.list(width);
}

}  // namespace perigee::language
