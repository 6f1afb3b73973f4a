#include "interpreter/bindings/run/facts.h"

#include <limits>

namespace perigee::bindings {

const std::vector<std::string>& state_fields() {
  static const std::vector<std::string> kFields = {"queue", "running", "finished", "unsettled",  "up",
                                                   "down",  "cores",   "idle",     "utilization"};
  return kFields;
}

bool push_state_field(lua_State* L, const Sim& sim, std::string_view name) {
  const View& view = sim.view();
  const auto push = [&](std::size_t count) {
    lua_pushinteger(L, static_cast<lua_Integer>(count));
    return true;
  };
  if (name == "queue") return push(view.works_in(WorkState::waiting));
  if (name == "running") return push(view.works_in(WorkState::running));
  if (name == "finished") return push(view.works_in(WorkState::finished));
  if (name == "unsettled") return push(view.unsettled());
  std::size_t up = 0, cores = 0, idle = 0;
  for (const HostView& host : view.hosts()) {
    if (!host.up) continue;
    ++up;
    cores += static_cast<std::size_t>(host.cores);
    idle += static_cast<std::size_t>(host.idle);
  }
  if (name == "up") return push(up);
  if (name == "down") return push(view.hosts().size() - up);
  if (name == "cores") return push(cores);
  if (name == "idle") return push(idle);
  if (name != "utilization") return false;
  lua_pushnumber(L, cores == 0 ? 0 : static_cast<double>(cores - idle) / static_cast<double>(cores));
  return true;
}

HostId host_at(lua_State* L, int index, const Platform& platform) {
  if (lua_type(L, index) == LUA_TSTRING) return platform.host(*text_at(L, index));
  if (lua_type(L, index) != LUA_TNUMBER)
    fail("bad_type", "host must be its name or number, got {}", shown(L, index));
  return HostId(integer_at(L, index, "host", 1, static_cast<std::int64_t>(platform.hosts().size())) - 1);
}

ActivityId activity_at(lua_State* L, int index) {
  const auto id = ActivityId::from_packed(
      static_cast<std::uint64_t>(integer_at(L, index, "activity", std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max())));
  if (!id.valid())
    fail("bad_value", "activity must be what start, post, copy or think returned, got {}", shown(L, index));
  return id;
}

void push_activities(lua_State* L, std::span<const ActivityId> ids) {
  lua_createtable(L, static_cast<int>(ids.size()), 0);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>(ids[i].packed()));
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

void push_activity(lua_State* L, const std::optional<ActivityView>& known) {
  if (!known) return lua_pushnil(L);
  lua_createtable(L, 0, 8);
  const auto set = [&](const char* name, auto push_value) {
    push_value();
    lua_setfield(L, -2, name);
  };
  set("kind", [&] { host::push(L, name_of(known->kind)); });
  set("posted", [&] { lua_pushboolean(L, known->posted ? 1 : 0); });
  set("copy", [&] { lua_pushboolean(L, known->copy ? 1 : 0); });
  set("suspended", [&] { lua_pushboolean(L, known->suspended ? 1 : 0); });
  if (known->work.valid()) {
    set("work", [&] { lua_pushinteger(L, static_cast<lua_Integer>(known->work.index) + 1); });
    set("first", [&] { lua_pushnumber(L, known->piece.first); });
    set("size", [&] { lua_pushnumber(L, known->piece.size); });
  }
  if (known->host.valid())
    set("host", [&] { lua_pushinteger(L, static_cast<lua_Integer>(known->host.index) + 1); });
  set("cores", [&] { lua_pushinteger(L, known->cores); });
  if (!known->posted) set("started", [&] { lua_pushnumber(L, known->started); });
}

}  // namespace perigee::bindings
