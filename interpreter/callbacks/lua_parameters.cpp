// parameters = { patience = 0.1, law = { "a", "b" }, start = min_min, maps = { min_min, max_min } }: what a
// script's scheduler may be given. A default says by what it is what its parameter may be.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/callbacks/schedulers.h"
#include "interpreter/language/fields/policies.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/schedulers.h"

namespace perigee::callbacks {

namespace {

// A mapper, by its constructor or with its parameters; null when it is none.
ConfigPtr mapper_at(lua_State* L, int index) {
  if (test<Constructor>(L, index) == nullptr && test<SchedulerValue>(L, index) == nullptr) return nullptr;
  return scheduler_at(L, index, "the default", Role::mapper);
}

// The items of the list on top: texts are choices, mappers are mappers.
void read_list(lua_State* L, const Fields& fields, Parameter& parameter) {
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, -1));
  Parts parts;
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, -1, i);
    if (const auto text = text_at(L, -1))
      parameter.choices.emplace_back(*text);
    else if (const ConfigPtr mapper = mapper_at(L, -1))
      parts.emplace_back(mapper);
    else
      fields.fail(policy_fields::kParameters, "'{}' is a list of texts, its choices, or of mappers, got {}",
                  parameter.name, shown(L, -1));
    lua_pop(L, 1);
  }
  lua_Integer entries = 0;
  each_sorted(L, -1, [&] { ++entries; });
  if (count == 0 || entries != count || (!parts.empty() && !parameter.choices.empty()))
    fields.fail(policy_fields::kParameters,
                "'{}' is a list of texts, its choices, or of mappers; one at least, and no names",
                parameter.name);
  for (auto each = parameter.choices.begin(); each != parameter.choices.end(); ++each)
    if (std::find(parameter.choices.begin(), each, *each) != each)
      fields.fail(policy_fields::kParameters, "'{}' has the choice '{}' twice", parameter.name, *each);
  parameter.type = parts.empty() ? ParameterType::choice : ParameterType::mappers;
  if (parts.empty())
    parameter.fallback = parameter.choices.front();
  else
    parameter.fallback = std::move(parts);
}

void push_parameter(lua_State* L, double value) {
  lua_Integer whole = 0;
  if (lua_numbertointeger(value, &whole) && static_cast<double>(whole) == value)
    lua_pushinteger(L, whole);
  else
    lua_pushnumber(L, value);
}

}  // namespace

std::vector<Parameter> parameters_of(const Fields& fields) {
  std::vector<Parameter> parameters;
  lua_State* L = fields.state();
  if (!fields.push(policy_fields::kParameters)) return parameters;
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail(policy_fields::kParameters, "parameters must be a table of defaults, got {}", shown(L, -1));
  each_sorted(L, -1, [&] {
    const auto name = text_at(L, -2);
    if (!name) fields.fail(policy_fields::kParameters, "parameters have names, got {}", shown(L, -2));
    Parameter parameter;
    parameter.name = *name;
    if (lua_type(L, -1) == LUA_TBOOLEAN) {
      parameter.type = ParameterType::boolean;
      parameter.fallback = lua_toboolean(L, -1) != 0;
    } else if (lua_type(L, -1) == LUA_TNUMBER) {
      parameter.fallback = lua_tonumber(L, -1);
    } else if (lua_type(L, -1) == LUA_TTABLE) {
      read_list(L, fields, parameter);
    } else if (const ConfigPtr mapper = mapper_at(L, -1)) {
      parameter.type = ParameterType::mapper;
      parameter.fallback = mapper;
    } else if (const auto text = text_at(L, -1)) {
      fields.fail(
          policy_fields::kParameters, "the default of '{}' is a text: write {{ \"{}\", ... }} for a choice{}",
          *name, *text,
          Interpreter::of(L).catalogue().find(*text) ? fmt::format(", {} for the mapper", *text) : "");
    } else {
      fields.fail(
          policy_fields::kParameters,
          "the default of '{}' must be a number, true or false, a list of texts, its choices, a mapper or "
          "a list of mappers, got {}",
          *name, shown(L, -1));
    }
    parameters.push_back(std::move(parameter));
  });
  lua_pop(L, 1);
  return parameters;
}

void push_arguments(lua_State* L, const std::vector<Parameter>& parameters, const Arguments& arguments) {
  luaL_checkstack(L, 6, "parameters");
  lua_newtable(L);
  for (const Parameter& parameter : parameters) {
    switch (parameter.type) {
      case ParameterType::boolean:
        lua_pushboolean(L, arguments.flag(parameter.name) ? 1 : 0);
        break;
      case ParameterType::choice:
        host::push(L, arguments.choice(parameter.name));
        break;
      case ParameterType::mapper:
        push_new(L, SchedulerValue(arguments.parts(parameter.name).front()));
        break;
      case ParameterType::mappers: {
        lua_newtable(L);
        lua_Integer place = 0;
        for (const ConfigPtr& part : arguments.parts(parameter.name)) {
          push_new(L, SchedulerValue(part));
          lua_rawseti(L, -2, ++place);
        }
        break;
      }
      default:
        push_parameter(L, arguments.number(parameter.name));
    }
    lua_setfield(L, -2, parameter.name.c_str());
  }
}

}  // namespace perigee::callbacks
