#include "interpreter/callbacks/schedulers.h"

#include <fmt/format.h>

#include "interpreter/session/interpreter.h"

namespace perigee::callbacks {

void push_constructor(lua_State* L, std::shared_ptr<const Entry> entry) {
  push_new(L, Constructor{std::move(entry)});
}

ConfigPtr scheduler_at(lua_State* L, int index, std::string_view what, Role role) {
  Catalogue& catalogue = Interpreter::of(L).catalogue();
  ConfigPtr config;
  if (const auto name = text_at(L, index))
    config = catalogue.configure(*name);
  else if (const auto* value = test<SchedulerValue>(L, index))
    config = *value;
  else if (const auto* constructor = test<Constructor>(L, index))
    config = catalogue.configure(constructor->entry->name);
  else
    fail("bad_type", "{} must be the name of a scheduler or one with its parameters, got {}", what,
         shown(L, index));
  config = catalogue.as_role(config, role);
  if (config->entry->role != role) {
    const std::string name = config->entry->name;
    const Role given = config->entry->role;
    fail("bad_type", "{}: '{}' is a {}, not a {}{}", what, name, name_of(given), name_of(role),
         role == Role::policy && given == Role::mapper
             ? fmt::format("; write mapped {{ map = \"{}\" }}", name)
             : "");
  }
  return config;
}

}  // namespace perigee::callbacks
