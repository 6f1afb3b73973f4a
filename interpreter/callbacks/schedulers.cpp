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
  if (config->entry->role != role) {
    const std::string name = config->entry->name;
    if (role == Role::policy)
      fail("bad_type", "{}: '{}' is a mapper, not a policy; write mapped {{ map = \"{}\" }}", what, name,
           name);
    fail("bad_type", "{}: '{}' is a policy, not a mapper", what, name);
  }
  return config;
}

}  // namespace perigee::callbacks
