// A constructor for every scheduler of the catalogue, native or registered by the script: mapped { map =
// "mct" }.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "interpreter/bindings/parts.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/priority.h"
#include "interpreter/values/schedulers.h"

namespace perigee::bindings {

namespace {

// A scheduler as a part of another one; nothing when the value is no scheduler. The catalogue refuses unknown
// names.
std::optional<Part> part_at(lua_State* L, int index) {
  if (const auto text = text_at(L, index)) return Part(std::string(*text));
  if (const auto* config = test<SchedulerValue>(L, index)) return Part(*config);
  if (const auto* constructor = test<Constructor>(L, index))
    return Part(Interpreter::of(L).catalogue().configure(constructor->entry->name));
  return std::nullopt;
}

void add_part(lua_State* L, int index, const std::string& what, Parts& parts) {
  const auto part = part_at(L, index);
  if (!part)
    fail("bad_parameter",
         "{}: each entry of the list must be a mapper, by name or with its parameters, got {}; "
         "schedulers(\"mapping\") names them",
         what, shown(L, index));
  parts.push_back(*part);
}

Value catalogue_value_at(lua_State* L, int index, const std::string& what, std::string_view of = {}) {
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
      return lua_toboolean(L, index) != 0;
    case LUA_TNUMBER:
      return lua_tonumber(L, index);
    case LUA_TFUNCTION:
      if (lua_iscfunction(L, index) != 0) break;  // perigee's own function is no rule
      return rule_at(L, index, of);
    case LUA_TTABLE: {
      Parts parts;
      lua_Integer place = 0;
      each_sorted(L, index, [&] {
        if (lua_isinteger(L, -2) == 0 || lua_tointeger(L, -2) != ++place)
          fail("bad_parameter", "{}: a list is needed, got the key {}", what, shown(L, -2));
        add_part(L, -1, what, parts);
      });
      return parts;
    }
    default:
      break;
  }
  if (const auto part = part_at(L, index))
    return std::visit([](const auto& each) { return Value(each); }, *part);
  fail("bad_parameter", "{}: {} is no value for a parameter", what, shown(L, index));
}

// Reads name { parameter = value, item of its list, ... }.
std::map<std::string, Value> given_in_table(lua_State* L, int index, const Entry& entry) {
  std::map<std::string, Value> given;
  Parts items;
  each_sorted(L, index, [&] {
    const auto name = text_at(L, -2);
    if (name) {
      const auto parameter = std::ranges::find(entry.parameters, *name, &Parameter::name);
      const std::string_view of =
          parameter != entry.parameters.end() ? std::string_view(parameter->function) : "";
      if (const auto* priority = test<PriorityValue>(L, -1); priority != nullptr) {
        if (parameter != entry.parameters.end() && parameter->function != "sim, work")
          fail("bad_parameter", "{}: {} takes no priority, got {}", entry.name, *name,
               priority->rule->text());
        given[std::string(*name)] = priority->rule;
        return;
      }
      given[std::string(*name)] = catalogue_value_at(L, -1, fmt::format("{}: {}", entry.name, *name), of);
      return;
    }
    if (entry.list_parameter() == nullptr)
      fail("bad_parameter", "{}: parameters have names, got {}", entry.name, shown(L, -2));
    if (lua_isinteger(L, -2) == 0 || lua_tointeger(L, -2) != std::ssize(items) + 1)
      fail("bad_parameter", "{}: a list from 1 on without gaps is needed, got the key {}", entry.name,
           shown(L, -2));
    add_part(L, -1, entry.name, items);
  });
  if (items.empty()) return given;
  if (!given.emplace(entry.list_parameter()->name, std::move(items)).second)
    fail("bad_parameter", "{}: {} is given twice, by name and as a list", entry.name,
         entry.list_parameter()->name);
  return given;
}

// Reads name(scheduler, ...): the parts in their order.
std::map<std::string, Value> given_in_order(lua_State* L, const Entry& entry) {
  std::map<std::string, Value> given;
  int index = 1;
  for (const Parameter& parameter : entry.parameters)
    if (is_part(parameter.type) && ++index <= lua_gettop(L))
      given[parameter.name] = catalogue_value_at(L, index, fmt::format("{}: {}", entry.name, parameter.name));
  if (index == 1)
    fail("bad_call", "{}: its parameters stand in a table, as in {} {{ }}, got {}", entry.name, entry.name,
         shown(L, 2));
  if (lua_gettop(L) > index)
    fail("bad_call", "{}: it has {} part{}, got {}", entry.name, index - 1, index == 2 ? "" : "s",
         lua_gettop(L) - 1);
  return given;
}

int construct(lua_State* L) {
  return guard(L, [&] {
    const auto entry = check<Constructor>(L, 1).entry;
    std::map<std::string, Value> given;
    const bool in_table = lua_type(L, 2) == LUA_TTABLE;
    if (in_table && lua_gettop(L) > 2) fail("bad_call", "{}: its parameters stand in one table", entry->name);
    if (in_table)
      given = given_in_table(L, 2, *entry);
    else if (lua_gettop(L) > 2 || !lua_isnoneornil(L, 2))
      given = given_in_order(L, *entry);
    push_new(L, SchedulerValue(Interpreter::of(L).catalogue().configure(entry->name, given)));
    return 1;
  });
}

int constructor_text(lua_State* L) {
  return guard(L, [&] {
    host::push(L, check<Constructor>(L, 1).entry->name);
    return 1;
  });
}

int scheduler_text(lua_State* L) {
  return guard(L, [&] {
    host::push(L, check<SchedulerValue>(L, 1)->text());
    return 1;
  });
}

bool push_property(lua_State* L, const Entry& entry, std::string_view name) {
  if (name == "name")
    host::push(L, entry.name);
  else if (name == "summary")
    host::push(L, entry.summary);
  else if (name == "family")
    host::push(L, name_of(entry.family));
  else
    return false;
  return true;
}
bool constructor_property(lua_State* L, int index, std::string_view name) {
  return push_property(L, *check<Constructor>(L, index).entry, name);
}
bool scheduler_property(lua_State* L, int index, std::string_view name) {
  return push_property(L, *check<SchedulerValue>(L, index)->entry, name);
}

// schedulers([family]) -> their names.
int schedulers(lua_State* L) {
  return guard(L, [&] {
    const auto family = text_at(L, 1);
    if (!family && !lua_isnoneornil(L, 1))
      fail("bad_type", "schedulers: a family is needed, got {}", shown(L, 1));
    if (family) require_family(*family);
    lua_newtable(L);
    lua_Integer count = 0;
    for (const auto& entry : Interpreter::of(L).catalogue().entries()) {
      if (family && *family != name_of(entry->family)) continue;
      host::push(L, entry->name);
      lua_rawseti(L, -2, ++count);
    }
    return 1;
  });
}

int redefine_schedulers(lua_State* L) {
  return guard(L, [&] {
    if (Interpreter::of(L).cell().under_way())
      fail("bad_call", "redefine_schedulers cannot be called in an experiment's cell, which others share");
    Interpreter::of(L).redefinitions().allowed = true;
    return 0;
  });
}

constexpr luaL_Reg kConstructorMeta[] = {
    {"__call", construct}, {"__tostring", constructor_text}, {nullptr, nullptr}};
constexpr luaL_Reg kSchedulerMeta[] = {{"__tostring", scheduler_text}, {nullptr, nullptr}};

}  // namespace

void open_catalogue(lua_State* L) {
  new_type<Constructor>(L, nullptr, kConstructorMeta, constructor_property, {"name", "summary", "family"});
  new_type<SchedulerValue>(L, nullptr, kSchedulerMeta, scheduler_property, {"name", "summary", "family"});
  for (const auto& entry : Interpreter::of(L).catalogue().entries()) {
    push_constructor(L, entry);
    define(L, entry->name.c_str());
  }
  define(L, "schedulers", schedulers);
  define(L, "redefine_schedulers", redefine_schedulers);
}

}  // namespace perigee::bindings
