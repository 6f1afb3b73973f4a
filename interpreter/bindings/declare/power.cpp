#include "interpreter/bindings/declare/power.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "interpreter/host/stack.h"
#include "interpreter/language/fields/power.h"

namespace perigee::bindings {

namespace {

model::SpeedState read_draw(const Fields& fields) {
  model::SpeedState state;
  for (const FieldRow* field : {&power_fields::kIdle, &power_fields::kBusy})
    if (!fields.has(*field)) fields.fail(nullptr, "'{}' is missing", field->name);
  state.idle = fields.number(power_fields::kIdle);
  state.busy = fields.number(power_fields::kBusy);
  state.epsilon = fields.number(power_fields::kEpsilon, state.idle);
  if (state.idle > state.busy)
    fields.fail(power_fields::kIdle, "idle must be <= busy = {} W, got {}", state.busy, state.idle);
  if (state.epsilon < state.idle || state.epsilon > state.busy)
    fields.fail(power_fields::kEpsilon, "epsilon must be between idle = {} W and busy = {} W, got {}",
                state.idle, state.busy, state.epsilon);
  return state;
}

void read_states(const Fields& fields, model::PowerModel& power) {
  lua_State* L = fields.state();
  for (const FieldRow* field : {&power_fields::kIdle, &power_fields::kBusy, &power_fields::kEpsilon})
    if (fields.has(*field))
      fields.fail(*field, "'{}' is a field of each of the states, so it has no place beside them",
                  field->name);
  const int table = lua_gettop(L);
  if (lua_type(L, table) != LUA_TTABLE)
    fields.fail(power_fields::kStates, "states must be a list of tables, got {}", shown(L, table));
  constexpr lua_Integer kMostStates = 250;
  const lua_Integer count = list_length(L, table, fields.subject() + ": states");
  if (count < 1 || count > kMostStates)
    fields.fail(power_fields::kStates, "states must have 1 to {} entries, got {}", kMostStates, count);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, table, i);
    const std::string subject = fmt::format("{}: states[{}]", fields.subject(), i);
    if (lua_type(L, -1) != LUA_TTABLE)
      fields.fail(power_fields::kStates, "states[{}] must be a table, got {}", i, shown(L, -1));
    const Fields entry(L, lua_gettop(L), {subject}, power_fields::kState);
    model::SpeedState state = read_draw(entry);
    state.factor = entry.number(power_fields::kFactor);
    if (i == 1 && state.factor != 1)
      entry.fail(power_fields::kFactor,
                 "the first state is that of the declared speed: factor must be 1, got {}", state.factor);
    power.states.push_back(state);
    lua_pop(L, 1);
  }
}

model::PowerTransition read_transition(const Fields& power, const FieldRow& field) {
  model::PowerTransition read;
  if (!power.push(field)) return read;
  lua_State* L = power.state();
  if (lua_type(L, -1) != LUA_TTABLE)
    power.fail(field, "{} must be a table {{ time =, power = }}, got {}", field.name, shown(L, -1));
  const std::string subject = fmt::format("{}: {}", power.subject(), field.name);
  const Fields fields(L, lua_gettop(L), {subject}, power_fields::kTransition);
  read.time = fields.number(power_fields::kTime);
  read.power = fields.number(power_fields::kPower);
  if (fields.has(power_fields::kEnergy)) {
    const double energy = fields.number(power_fields::kEnergy, 0);
    if (fields.has(power_fields::kPower))
      fields.fail(power_fields::kEnergy, "energy stands in place of 'power'; give one of them");
    if (energy > 0 && read.time == 0)
      fields.fail(power_fields::kEnergy, "energy needs a 'time' above 0 s in which it is drawn");
    read.power = energy > 0 ? energy / read.time : 0;
  }
  lua_pop(L, 1);
  return read;
}

model::PowerModel read_table(lua_State* L, const std::string& subject) {
  const Balanced balanced(L);
  const Fields fields(L, lua_gettop(L), {subject}, power_fields::kAll);
  model::PowerModel power;
  if (fields.push(power_fields::kStates))
    read_states(fields, power);
  else
    power.states.push_back(read_draw(fields));
  power.off = fields.number(power_fields::kOff);
  power.down = fields.number(power_fields::kDown, power.off);
  power.boot = read_transition(fields, power_fields::kBoot);
  power.shutdown = read_transition(fields, power_fields::kShutdown);
  return power;
}

// A fault in a field of the table is one of the power.
template <class Read>
auto read_as_power(Read read) {
  try {
    return read();
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (diagnostic.code != "bad_field" && diagnostic.code != "out_of_range") throw;
    diagnostic.code = "bad_power";
    throw Error(std::move(diagnostic));
  }
}

}  // namespace

model::PowerModel read_power(lua_State* L, const std::string& subject) {
  return read_as_power([&] { return read_table(L, subject); });
}

model::LinkPower read_link_power(lua_State* L, const std::string& subject) {
  return read_as_power([&] {
    const Fields fields(L, lua_gettop(L), {subject}, power_fields::kLink);
    const model::LinkPower power{fields.number(power_fields::kLink[0]),
                                 fields.number(power_fields::kLink[1])};
    if (power.idle > power.busy)
      fields.fail(power_fields::kLink[0], "idle must be <= busy = {} W, got {}", power.busy, power.idle);
    return power;
  });
}

}  // namespace perigee::bindings
