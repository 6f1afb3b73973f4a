// The arguments of a scheduler: the values of its parameters, and functions that stand for some of them.
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "runtime/cost/graph_problem.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/values.h"

namespace perigee::schedulers {

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
         format_number(number_of_it),
         shown(std::visit([](const auto& each) { return Value(each); }, answer)));
  return *number;
}
double PerRound::at(double round, const sweep::RoundState& state) {
  return rule_ ? checked("round", round, rule_->ask_round(round, state)) : number_;
}
double PerRound::at(double period, const realtime::PeriodState& state) {
  return rule_ ? checked("period", period, rule_->ask_period(period, state)) : number_;
}

}  // namespace perigee::schedulers
