#include "runtime/schedulers/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/cost/graph_problem.h"
#include "runtime/schedulers/values.h"
#include "runtime/space/search.h"

// Each is defined by its own source file.
#define PERIGEE_SCHEDULER(family, name) \
  namespace perigee::family {           \
  schedulers::Entry name();             \
  }
#include "runtime/schedulers/catalogue.def"
#undef PERIGEE_SCHEDULER

namespace perigee::schedulers {
namespace {

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !text.empty() && letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

bool defaults_to_schedulers(const Parameter& parameter) {
  const auto* parts = std::get_if<Parts>(&parameter.fallback);
  return std::holds_alternative<ConfigPtr>(parameter.fallback) ||
         (parts != nullptr && std::holds_alternative<ConfigPtr>(parts->front()));
}

void check_declaration(const Entry& entry) {
  if (!is_name(entry.name))
    fail("bad_name", "a scheduler's name is snake_case (a-z, 0-9, _), got '{}'", entry.name);
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const std::string& name = entry.parameters[i].name;
    if (!is_name(name)) fail("bad_name", "{}: a parameter's name is snake_case, got '{}'", entry.name, name);
    for (std::size_t k = 0; k < i; ++k)
      if (entry.parameters[k].name == name)
        fail("duplicate_parameter", "{}: parameter '{}' is declared twice", entry.name, name);
  }
}

const std::vector<std::shared_ptr<const Entry>>& native_entries() {
  static const std::vector<std::shared_ptr<const Entry>> entries = {
#define PERIGEE_SCHEDULER(family, name) std::make_shared<const Entry>(family::name()),
#include "runtime/schedulers/catalogue.def"
#undef PERIGEE_SCHEDULER
  };
  return entries;
}

}  // namespace

std::string_view name_of(Family family) {
  switch (family) {
    case Family::mapping:
      return "mapping";
    case Family::batch:
      return "batch";
    case Family::grid:
      return "grid";
    case Family::sweep:
      return "sweep";
    case Family::realtime:
      return "realtime";
    case Family::workflow:
      return "workflow";
    case Family::search:
      return "search";
  }
  return "?";
}

std::string_view name_of(Role role) {
  switch (role) {
    case Role::mapper:
      return "mapper";
    case Role::policy:
      return "policy";
    case Role::graph:
      return "graph scheduler";
    case Role::search:
      return "search";
  }
  return "?";
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const Family family : {Family::mapping, Family::batch, Family::grid, Family::sweep, Family::realtime,
                              Family::workflow, Family::search})
    names.emplace_back(name_of(family));
  return names;
}

void require_family(std::string_view name) {
  const std::vector<std::string> families = family_names();
  if (std::find(families.begin(), families.end(), name) != families.end()) return;
  fail("unknown_family", "there is no family '{}'{}; there are {}", name, did_you_mean(name, families),
       fmt::join(families, ", "));
}

std::string Config::text() const {
  std::string given;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = entry->parameters[i];
    const auto* parts = std::get_if<Parts>(&values[i]);
    // The parts of a native scheduler are always shown. A script's scheduler has schedulers as defaults, not
    // names; those are left out like other defaults.
    const bool is_part_of = parts != nullptr || is_part(parameter.type);
    if ((!is_part_of || defaults_to_schedulers(parameter)) && is_default(parameter, values[i])) continue;
    if (!given.empty()) given += ", ";
    if (parts != nullptr && &parameter == entry->list_parameter())
      given += shown_items(*parts);
    else
      given += fmt::format("{} = {}", parameter.name, shown(values[i]));
  }
  return given.empty() ? entry->name : fmt::format("{} {{ {} }}", entry->name, given);
}

const Parameter* Entry::list_parameter() const {
  const auto is_list = [](const Parameter& each) { return each.type == ParameterType::mappers; };
  const auto found = std::ranges::find_if(parameters, is_list);
  if (found == parameters.end() || std::any_of(found + 1, parameters.end(), is_list)) return nullptr;
  return &*found;
}

std::unique_ptr<Mapper> Config::make_mapper() const {
  if (!entry->make_mapper)
    fail("not_a_mapper", "{} is a {}, not a mapper", entry->name, name_of(entry->role));
  return entry->make_mapper(Arguments(*this));
}

Accepts Config::accepts() const {
  Accepts accepts = entry->accepts;
  if (entry->demands)
    if (const engine::Demands* more = entry->demands(Arguments(*this)); more != nullptr)
      accepts.demands = more;
  return accepts;
}

std::unique_ptr<Policy> Config::make_policy() const {
  if (!entry->make_policy)
    fail("not_a_policy", "{} is a {}, not a policy", entry->name, name_of(entry->role));
  return entry->make_policy(Arguments(*this));
}

std::unique_ptr<GraphScheduler> Config::make_graph_scheduler() const {
  if (!entry->make_graph_scheduler)
    fail("not_a_graph_scheduler", "{} is a {}, not a graph scheduler", entry->name, name_of(entry->role));
  return entry->make_graph_scheduler(Arguments(*this));
}

std::unique_ptr<space::CaseSearch> Config::make_search() const {
  if (!entry->make_search)
    fail("not_a_search", "{} is a {}, not a search", entry->name, name_of(entry->role));
  return entry->make_search(Arguments(*this));
}

bool Config::chooses_ready() const {
  if (!entry->chooses_ready) return false;
  for (const Value& value : values) {
    if (const auto* part = std::get_if<ConfigPtr>(&value); part != nullptr && *part != nullptr)
      if (!(*part)->chooses_ready()) return false;
    if (const auto* parts = std::get_if<Parts>(&value))
      for (const Part& part : *parts)
        if (!std::get<ConfigPtr>(part)->chooses_ready()) return false;
  }
  return true;
}

Catalogue::Catalogue() : entries_(native_entries()), natives_(std::ssize(entries_)) {}

bool Catalogue::add(Entry entry, bool redefines) {
  check_declaration(entry);
  const auto taken = std::ranges::find(entries_, entry.name, [](const auto& other) { return other->name; });
  const bool replaces = taken != entries_.end();
  if (replaces && (!redefines || taken - entries_.begin() < natives_))
    fail("duplicate_scheduler", "there is already a scheduler '{}'", entry.name);
  for (const Parameter& parameter :
       entry.parameters)  // a default names an earlier entry, so none contains itself
    if (!std::holds_alternative<std::monostate>(parameter.fallback))
      checked(*this, entry, parameter, parameter.fallback);
  if (replaces) entries_.erase(taken);
  entries_.push_back(std::make_shared<const Entry>(std::move(entry)));
  return replaces;
}

std::shared_ptr<const Entry> Catalogue::find(std::string_view name) const {
  const auto found =
      std::ranges::find(entries_, name, [](const auto& entry) -> std::string_view { return entry->name; });
  return found == entries_.end() ? nullptr : *found;
}

std::shared_ptr<const Entry> Catalogue::require(std::string_view name) const {
  std::shared_ptr<const Entry> entry = find(name);
  if (entry == nullptr)
    fail("unknown_scheduler", "unknown scheduler '{}'{}", name,
         nearest_entry(entries_, name, [](const Entry&) { return true; }));
  return entry;
}

namespace {

// Counts the schedulers of which this one is made, each as often as it occurs. Code that takes them apart is
// recursive, so they must not be nested too deeply.
void count_parts(const Config& config, const std::string& name, int depth, int& count) {
  constexpr int kDeepest = 100, kMost = 10'000;
  if (depth > kDeepest)
    fail("too_deep", "{}: schedulers are nested in one another more than {} times", name, kDeepest);
  if (++count > kMost) fail("too_large", "{}: it is made of more than {} schedulers", name, kMost);
  const auto look = [&](const ConfigPtr* part) {
    if (part != nullptr && *part != nullptr) count_parts(**part, name, depth + 1, count);
  };
  for (const Value& value : config.values) {
    look(std::get_if<ConfigPtr>(&value));
    if (const auto* parts = std::get_if<Parts>(&value))
      for (const Part& part : *parts) look(std::get_if<ConfigPtr>(&part));
  }
}

}  // namespace

ConfigPtr Catalogue::configure(std::string_view name, const std::map<std::string, Value>& given) const {
  const std::shared_ptr<const Entry> entry = require(name);
  for (const auto& [key, value] : given) {
    if (std::ranges::find(entry->parameters, key, &Parameter::name) != entry->parameters.end()) continue;
    std::vector<std::string> names;
    for (const Parameter& parameter : entry->parameters) names.push_back(parameter.name);
    fail("unknown_parameter", "{} has no parameter '{}'{}; it takes{}", entry->name, key,
         did_you_mean(key, names), names.empty() ? " none" : fmt::format(": {}", fmt::join(names, ", ")));
  }
  Config config{entry, {}};
  for (const Parameter& parameter : entry->parameters) {
    const auto found = given.find(parameter.name);
    const bool is_given = found != given.end() && !std::holds_alternative<std::monostate>(found->second);
    const Value& value = is_given ? found->second : parameter.fallback;
    if (std::holds_alternative<std::monostate>(value)) {
      if (parameter.required())
        fail("missing_parameter", "{}: {} must be given: {}", entry->name, parameter.name, parameter.summary);
      config.values.emplace_back();
      continue;
    }
    config.values.push_back(checked(*this, *entry, parameter, value));
  }
  int count = 0;
  count_parts(config, entry->name, 1, count);
  if (entry->check) entry->check(Arguments(config));
  return std::make_shared<const Config>(std::move(config));
}

ConfigPtr Catalogue::as_role(const ConfigPtr& config, Role role) const {
  if (role != Role::graph) return config;
  if (config->chooses_ready()) return configure("ready_set", {{"map", config}});
  if (!config->entry->for_graphs) return config;
  const auto [name, values] = config->entry->for_graphs(Arguments(*config));
  return configure(name, values);
}

}  // namespace perigee::schedulers
