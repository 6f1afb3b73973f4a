#include "runtime/schedulers/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "runtime/cost/graph_problem.h"
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

// Writes a value as a script would.
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
std::string shown(const Value& value) { return std::visit(Show{}, value); }

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " or " : ", ";
    out += fmt::format("\"{}\"", names[i]);
  }
  return out;
}

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

// Suggests the nearest of the names that `wanted` accepts, or lists all of them in the order of the
// catalogue.
template <class Wanted>
std::string nearest_entry(std::span<const std::shared_ptr<const Entry>> entries, std::string_view name,
                          Wanted wanted) {
  std::vector<std::string> names;
  for (const auto& entry : entries)
    if (wanted(*entry)) names.push_back(entry->name);
  const std::string nearest = did_you_mean(name, names);
  if (!nearest.empty()) return nearest;
  constexpr std::size_t kFew = 40;
  if (names.size() > kFew) return "; `perigee list` has those that there are";
  return fmt::format("; there are {}", fmt::join(names, ", "));
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

std::size_t Arguments::place(std::string_view name) const {
  const std::vector<Parameter>& parameters = config_.entry->parameters;
  for (std::size_t i = 0; i < parameters.size() && i < config_.values.size(); ++i)
    if (parameters[i].name == name) return i;
  PERIGEE_ASSERT(false, fmt::format("{} declares no parameter '{}'", config_.entry->name, name));
  return 0;
}

bool Arguments::has(std::string_view name) const { return !std::holds_alternative<std::monostate>(at(name)); }
const Value& Arguments::at(std::string_view name) const { return config_.values[place(name)]; }

bool Arguments::flag(std::string_view name) const {
  const bool* value = std::get_if<bool>(&at(name));
  PERIGEE_ASSERT(value != nullptr, name);
  return *value;
}

double Arguments::number(std::string_view name) const {
  const double* value = std::get_if<double>(&at(name));
  PERIGEE_ASSERT(value != nullptr, name);
  return *value;
}

const std::string& Arguments::choice(std::string_view name) const {
  const std::string* value = std::get_if<std::string>(&at(name));
  PERIGEE_ASSERT(value != nullptr, name);
  return *value;
}

std::unique_ptr<Mapper> Arguments::mapper(std::string_view name) const {
  const ConfigPtr* value = std::get_if<ConfigPtr>(&at(name));
  PERIGEE_ASSERT(value != nullptr && *value != nullptr, name);
  return (*value)->make_mapper();
}

std::vector<std::unique_ptr<Mapper>> Arguments::mappers(std::string_view name) const {
  std::vector<std::unique_ptr<Mapper>> all;
  for (const ConfigPtr& config : parts(name)) all.push_back(config->make_mapper());
  return all;
}

std::unique_ptr<GraphScheduler> Arguments::graph_scheduler(std::string_view name) const {
  const ConfigPtr* value = std::get_if<ConfigPtr>(&at(name));
  PERIGEE_ASSERT(value != nullptr && *value != nullptr, name);
  return (*value)->make_graph_scheduler();
}

std::vector<ConfigPtr> Arguments::parts(std::string_view name) const {
  const Value& value = at(name);
  if (const ConfigPtr* one = std::get_if<ConfigPtr>(&value)) return {*one};
  const Parts* parts = std::get_if<Parts>(&value);
  PERIGEE_ASSERT(parts != nullptr, name);
  std::vector<ConfigPtr> all;
  for (const Part& part : *parts) all.push_back(std::get<ConfigPtr>(part));
  return all;
}

std::unique_ptr<Rule> Arguments::rule(std::string_view name) const {
  if (!has(name)) return nullptr;
  const RulePtr* value = std::get_if<RulePtr>(&at(name));
  PERIGEE_ASSERT(value != nullptr && *value != nullptr, name);
  return (*value)->clone();
}

bool Arguments::is_rule(std::string_view name) const { return std::holds_alternative<RulePtr>(at(name)); }

PerRound Arguments::per_round(std::string_view name) const {
  return {config_.entry->parameters[place(name)], at(name)};
}

bool Arguments::is(std::string_view name, std::string_view word) const {
  const std::string* text = std::get_if<std::string>(&at(name));
  return text != nullptr && *text == word;
}

bool Arguments::is_default(std::string_view name) const {
  return schedulers::is_default(config_.entry->parameters[place(name)], at(name));
}

Rule::Answer Rule::ask(const MappingProblem&) {
  PERIGEE_ASSERT(false, text() + " is no function of a mapping problem");
  return false;
}
Rule::Answer Rule::ask_round(double, const sweep::RoundState&) {
  PERIGEE_ASSERT(false, text() + " is no function of the round");
  return false;
}
Rule::Answer Rule::ask_period(double, const realtime::PeriodState&) {
  PERIGEE_ASSERT(false, text() + " is no function of the sampling period");
  return false;
}

Rule::Answer Rule::ask_graph(const GraphView&, std::size_t) {
  PERIGEE_ASSERT(false, text() + " is no function of a graph's task");
  return false;
}
Rule::Answer Rule::ask_graph(const GraphView&, std::size_t, std::size_t) {
  PERIGEE_ASSERT(false, text() + " is no function of a graph's task and a machine");
  return false;
}

Rule::Answer Rule::ask_work(Sim&, WorkId) {
  PERIGEE_ASSERT(false, text() + " is no function of a work");
  return false;
}
Rule::Hosts Rule::ask_hosts(Sim&, WorkId, std::span<const HostId>) {
  PERIGEE_ASSERT(false, text() + " is no function of hosts");
  return {};
}
std::vector<WorkId> Rule::ask_works(Sim&, WorkId, std::span<const WorkId>) {
  PERIGEE_ASSERT(false, text() + " is no function of works");
  return {};
}

PerRound::PerRound(const Parameter& parameter, const Value& value) : parameter_(parameter) {
  if (const double* number = std::get_if<double>(&value)) number_ = *number;
  if (const auto* word = std::get_if<std::string>(&value)) word_ = *word;
  if (const auto* rule = std::get_if<RulePtr>(&value)) rule_ = (*rule)->clone();
}

double PerRound::checked(std::string_view span, double number_of_it, const Rule::Answer& answer) const {
  const double* number = std::get_if<double>(&answer);
  const bool whole = parameter_.type == ParameterType::integer;
  if (number == nullptr || !std::isfinite(*number) || (whole && !has_no_fraction(*number)) ||
      !in_range(parameter_, *number))
    fail("bad_answer", "{}: {} must be {}, {}; in {} {} it is {}", parameter_.name, rule_->text(),
         whole ? "a whole number" : "a finite number", range_of(parameter_), span,
         format_number(number_of_it), std::visit([](const auto& each) { return Show()(each); }, answer));
  return *number;
}
double PerRound::at(double round, const sweep::RoundState& state) {
  return rule_ ? checked("round", round, rule_->ask_round(round, state)) : number_;
}
double PerRound::at(double period, const realtime::PeriodState& state) {
  return rule_ ? checked("period", period, rule_->ask_period(period, state)) : number_;
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
      given += Show::items(*parts);
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
