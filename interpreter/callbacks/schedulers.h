// Schedulers as scripts name them, and those that scripts write.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/schedulers.h"

namespace perigee::callbacks {

// The scheduler at `index`: a name, a constructor or a value that a constructor returned. Error naming `what`
// when it is no scheduler of that role.
ConfigPtr scheduler_at(lua_State* L, int index, std::string_view what, Role role);

void push_constructor(lua_State* L, std::shared_ptr<const Entry> entry);

// Enters a scheduler that a script has written into the catalogue and the vocabulary; pushes its constructor.
void register_entry(lua_State* L, Entry entry);

// The function at `index` as the value of a parameter. `of`: its arguments as Parameter::function has them; empty for
// those of other rules.
RulePtr rule_at(lua_State* L, int index, std::string_view of);
// The answer of a function of (sim, work, hosts), which `who` names: the value on top. Error "bad_answer" unless
// it is some of the hosts that it was given, or shares of the work on them.
Rule::Hosts hosts_of_answer(lua_State* L, const std::string& who, const Sim& sim, WorkId work,
                            std::span<const HostId> given);
void open_rules(lua_State* L);  // opens the types that such functions are shown

// Parameters that a script's scheduler declares as `parameters = { name = default }`: numbers, true or false,
// lists of texts (choices), mappers, lists of mappers.
std::vector<Parameter> parameters_of(const Fields& fields);
// Pushes a table of the values of parameters.
void push_arguments(lua_State* L, const std::vector<Parameter>& parameters, const Arguments& arguments);

}  // namespace perigee::callbacks
