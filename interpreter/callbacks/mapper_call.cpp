#include "interpreter/callbacks/mapper_call.h"

#include <fmt/format.h>

#include "interpreter/host/guest.h"

namespace perigee::callbacks {

InMapperCall::InMapperCall(lua_State* L, Stream& stream) : L_(L), call_(std::make_shared<MapperCall>()) {
  call_->stream = &stream;
}
InMapperCall::~InMapperCall() {
  call_->alive = false;
  if (!call_->rng.valid()) return;
  call_->rng.push(L_);
  if (auto* rng = test<RandomValue>(L_, -1)) rng->borrowed = nullptr;
  lua_pop(L_, 1);
  call_->rng = {};
}

void push_stream(lua_State* L, MapperCall& call) {
  if (call.stream == nullptr)
    fail("bad_call", "this problem is no heuristic's, so it has no stream; stream(name) makes one");
  if (call.rng.valid()) return call.rng.push(L);
  push_new(L, RandomValue{{}, call.stream, true});
  call.rng = Reference(L, -1);
}

std::vector<std::uint32_t> places_at(lua_State* L, int index, const std::string& what, std::size_t count) {
  if (lua_type(L, index) != LUA_TTABLE) fail("bad_type", "{} must be a list, got {}", what, shown(L, index));
  index = lua_absindex(L, index);
  std::vector<std::uint32_t> places(static_cast<std::size_t>(list_length(L, index, what)));
  Guest::of(L).count(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    lua_rawgeti(L, index, static_cast<lua_Integer>(i) + 1);
    std::size_t place = 0;
    if (!lean_index(L, -1, count, place)) place = place_at(L, -1, fmt::format("{}[{}]", what, i + 1), count);
    places[i] = static_cast<std::uint32_t>(place);
    lua_pop(L, 1);
  }
  return places;
}

GivenMapping given_mapping_at(lua_State* L, int index, const std::string& who, const MappingProblem& problem,
                              std::vector<std::uint32_t>* missing) {
  const Balanced balanced(L);
  luaL_checkstack(L, 6, "mappings");
  index = lua_absindex(L, index);
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_mapping", "{}: a list of machines or a mapping is needed, got {}", who, shown(L, index));
  Guest::of(L).count(problem.tasks);
  lua_pushliteral(L, "machine");
  const bool is_mapping = lua_rawget(L, index) != LUA_TNIL;
  if (!is_mapping) lua_pushvalue(L, index);
  const int list = lua_gettop(L);
  if (lua_type(L, list) != LUA_TTABLE)
    fail("bad_mapping", "{}: the field machine must be a list, got {}", who, shown(L, list));
  if (lua_rawlen(L, list) > problem.tasks)
    fail("bad_mapping", "{}: {} machines for {} tasks", who, lua_rawlen(L, list), problem.tasks);
  if (!is_mapping && missing == nullptr) list_length(L, list, who);
  GivenMapping given;
  given.machine.assign(problem.tasks, kUnmapped);
  for (std::size_t task = 0; task < problem.tasks; ++task) {
    const int type = lua_rawgeti(L, list, static_cast<lua_Integer>(task) + 1);
    if (std::size_t machine = 0; lean_index(L, -1, problem.machines, machine)) {
      given.machine[task] = static_cast<std::uint32_t>(machine);
    } else if (type == LUA_TNIL) {
      if (missing == nullptr)
        fail("bad_mapping", "{}: task {} has neither a machine nor false", who, task + 1);
      missing->push_back(static_cast<std::uint32_t>(task));
    } else if (type != LUA_TBOOLEAN || lua_toboolean(L, -1) != 0) {
      lua_Integer whole = 0;
      if (type != LUA_TNUMBER || lua_numbertointeger(lua_tonumber(L, -1), &whole) == 0 || whole < 1 ||
          static_cast<std::size_t>(whole) > problem.machines ||
          static_cast<lua_Number>(whole) != lua_tonumber(L, -1))
        fail("bad_mapping", "{}: the machine of task {} must be 1 to {}, or false, got {}", who, task + 1,
             problem.machines, shown(L, -1));
      given.machine[task] = static_cast<std::uint32_t>(whole - 1);
    }
    lua_pop(L, 1);
  }
  lua_pushliteral(L, "order");
  if (is_mapping && lua_rawget(L, index) != LUA_TNIL) {
    given.order = places_at(L, -1, who + ": order", problem.tasks);
  } else {
    for (std::size_t task = 0; task < problem.tasks; ++task)
      if (given.machine[task] != kUnmapped) given.order.push_back(static_cast<std::uint32_t>(task));
  }
  return given;
}

}  // namespace perigee::callbacks
