// policy "name" { }: reads the declaration, and registers it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/callbacks/lent_arrays.h"
#include "interpreter/callbacks/lua_policy.h"
#include "interpreter/callbacks/policy_definition.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/language/arguments.h"
#include "interpreter/language/check_names.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/schedulers.h"

namespace perigee::callbacks {

namespace {

Accepts accepts_of(const Fields& fields, engine::TakesOver& takes_over) {
  Accepts accepts{.tasks = true, .streams = true};  // what it keeps of works is its own affair
  if (!fields.push(policy_fields::kAccepts)) return accepts;
  lua_State* L = fields.state();
  accepts = {.streams = true};
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail(policy_fields::kAccepts, "accepts must be a list of words, got {}", shown(L, -1));
  const std::vector<std::string> words = {
      "tasks",         "jobs",   "sweeps", "loads",      "reservations", "files", "several_cores",
      "several_hosts", "limits", "memory", "precedence", "suspended",    "off"};
  bool* const flags[] = {&accepts.tasks,         &accepts.jobs,          &accepts.sweeps,
                         &accepts.loads,         &accepts.reservations,  &accepts.files,
                         &accepts.several_cores, &accepts.several_hosts, &accepts.limits,
                         &accepts.memory,        &accepts.precedence,    &takes_over.suspended,
                         &takes_over.off};
  const lua_Integer count = list_length(L, -1, fmt::format("{}: accepts", fields.subject()));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, -1, i);
    const std::string word = text_at(L, -1) ? std::string(*text_at(L, -1)) : shown(L, -1);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
      fields.fail(policy_fields::kAccepts, "accepts: unknown word '{}'{}; known: {}", word,
                  did_you_mean(word, words), fmt::join(words, ", "));
    *flags[found - words.begin()] = true;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return accepts;
}

int finish_policy(lua_State* L) {
  return guard(L, [&] {
    refuse_second(L, "policy");
    const std::string name(*text_at(L, lua_upvalueindex(1)));
    const Fields fields(L, 1, {"policy", name}, policy_fields::kAll);
    auto definition = std::make_shared<PolicyDefinition>();
    definition->name = name;
    definition->who = fmt::format("policy '{}'", name);
    bool any = false;
    for (std::size_t c = 0; c < PolicyDefinition::kCallbacks; ++c) {
      const FieldRow& field = policy_fields::kCallbacks[c];
      if (!fields.push(field)) continue;
      if (lua_type(L, -1) != LUA_TFUNCTION)
        fields.fail(field, "{} must be a function, got {}", field.name, shown(L, -1));
      check_methods(L, -1, 2, {TypeName<SimView>::value});
      definition->callbacks[c] = Reference(L, -1);
      definition->surroundings->add(std::string(field.name), definition->callbacks[c]);
      lua_pop(L, 1);
      any = true;
    }
    if (!any) fields.fail(nullptr, "it has no callback; decide = function(self, sim) ... end is the least");
    definition->parameters = parameters_of(fields);
    Entry entry;
    entry.name = name;
    entry.family = Family::batch;
    entry.role = Role::policy;
    entry.summary = fields.text(policy_fields::kSummary);
    entry.source = fields.text(policy_fields::kSource);
    entry.parameters = definition->parameters;
    entry.accepts = accepts_of(fields, definition->takes_over);
    entry.accepts.precedence =
        entry.accepts.precedence || definition->callbacks[PolicyDefinition::kReady].valid();
    definition->precedence = entry.accepts.precedence;
    entry.instants.ask = static_cast<Ask>(fields.choice(policy_fields::kAsk));
    entry.instants.tolerance = fields.number(policy_fields::kTolerance);
    entry.instants.submit_first = fields.flag(policy_fields::kSubmitFirst);
    entry.instants.steps = fields.flag(policy_fields::kSteps);
    entry.instants.saves = definition->callbacks[PolicyDefinition::kSaved].valid();
    Interpreter* interpreter = &Interpreter::of(L);
    entry.make_policy = [interpreter, definition](const Arguments& arguments) -> std::unique_ptr<Policy> {
      lua_State* state = interpreter->running();
      push_arguments(state, definition->parameters, arguments);
      Reference self(state, -1);
      lua_pop(state, 1);
      return lua_policy(*interpreter, definition, std::move(self));
    };
    register_entry(L, std::move(entry));
    return 1;
  });
}

int begin_policy(lua_State* L) {
  return guard(L, [&] {
    if (!text_at(L, 1))
      fail("bad_type", "policy: a name comes first, as in policy \"mine\" {{ }}, got {}", shown(L, 1));
    lua_settop(L, 1);
    lua_pushcclosure(L, finish_policy, 1);
    return 1;
  });
}

}  // namespace

void open_policy(lua_State* L) {
  open_lent_arrays(L);
  open_rules(L);
  define(L, "policy", begin_policy);
}

}  // namespace perigee::callbacks
