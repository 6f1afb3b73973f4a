#include "interpreter/session/surroundings.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/session/copies.h"
#include "interpreter/session/digest.h"
#include "interpreter/session/functions.h"

namespace perigee::session {

std::vector<Surroundings::Seen> Surroundings::look(lua_State* L) const {
  const Balanced balanced(L);
  luaL_checkstack(L, 32, "surroundings");
  std::vector<Seen> all;
  const auto add = [&](const void* id, std::string name, std::string by) {
    const auto same = [&](const Seen& seen) { return seen.id == id && seen.name == name; };
    if (std::find_if(all.begin(), all.end(), same) != all.end()) return;
    const bool is_function = lua_isfunction(L, -1);
    if (is_function) by += ", or what that function sees";
    const Digest digest = digest_of(L);
    all.push_back({id, std::move(name), std::move(by), digest.high, digest.low, is_function});
  };
  for (const auto& [callback, reference] : functions_) {
    reference.push(L);
    const int function = lua_gettop(L);
    each_captured(L, function, [&](const char* name, int i) {
      add(lua_upvalueid(L, function, i), fmt::format("the variable '{}'", name),
          fmt::format("which '{}' captured", callback));
    });
    each_global(L, function, [&](std::string name, const char* verb) {
      add(nullptr, std::move(name), fmt::format("which '{}' {}", callback, verb));
    });
    lua_pop(L, 1);
  }
  std::ranges::stable_partition(all, [](const Seen& seen) { return !seen.is_function; });
  return all;
}

std::optional<Surroundings::Seen> Surroundings::changed_since(lua_State* L,
                                                              const std::vector<Seen>& before) const {
  for (Seen& now : look(L))
    for (const Seen& then : before)
      if (now.same_variable(then) && !now.same_value(then)) return std::move(now);
  return std::nullopt;
}

CapturedVariables::CapturedVariables(lua_State* L, Reference function) : function_(std::move(function)) {
  look(L);
}

CapturedVariables CapturedVariables::copy(lua_State* L, const std::string& who) const {
  const Balanced balanced(L);
  luaL_checkstack(L, 4, "captured variables");
  CapturedVariables all = *this;
  function_.push(L);
  const int function = lua_gettop(L);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const char* variable = lua_getupvalue(L, function, static_cast<int>(i) + 1);
    values_[i].push(L);
    const int type = lua_type(L, -1);
    const bool own = lua_rawequal(L, -1, -2) == 0;
    if (own && type == LUA_TTABLE) {
      copy_plain(L, lua_gettop(L), who, variable);
      all.values_[i] = Reference(L, -1);
    } else if (own && type != LUA_TNIL && type != LUA_TBOOLEAN && type != LUA_TNUMBER &&
               type != LUA_TSTRING) {
      fail("not_copyable", "{}: a fork cannot copy the {} in the variable '{}'", who, lua_typename(L, type),
           variable);
    }
    lua_settop(L, function);
  }
  return all;
}

void CapturedVariables::look(lua_State* L) {
  const Balanced balanced(L);
  luaL_checkstack(L, 3, "captured variables");
  values_.clear();
  function_.push(L);
  while (lua_getupvalue(L, -1, static_cast<int>(values_.size()) + 1) != nullptr) {
    values_.emplace_back(L, -1);
    lua_pop(L, 1);
  }
}

void CapturedVariables::put_back(lua_State* L) const noexcept {
  if (lua_checkstack(L, 3) == 0) return;  // out of memory: the next step of the script says so
  function_.push(L);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i].push(L);
    lua_setupvalue(L, -2, static_cast<int>(i) + 1);
  }
  lua_pop(L, 1);
}

void Traces::enter(lua_State* L, std::uint64_t run, const std::string& who,
                   const std::shared_ptr<const Surroundings>& surroundings, bool of_cell) {
  for (const Entered& each : entered_)
    if (each.run == run) return;
  std::vector<Surroundings::Seen> now = surroundings->look(L);
  for (const auto& seen : now)
    for (const Left& left : left_)
      if (left.run != run && left.value.same_variable(seen) && left.value.same_value(seen))
        fail("state_outside",
             "{}: an earlier run or fork of {} has changed {}, {}, so that the result would depend on it; {}",
             who, left.who, seen.name, seen.by, surroundings->remedy());
  entered_.push_back({run, who, surroundings, of_cell, std::move(now)});
}

void Traces::leave(lua_State* L) {
  const std::vector<Entered> all = std::exchange(entered_, {});
  for (const Entered& entered : all) {
    std::vector<Surroundings::Seen> now = entered.surroundings->look(L);
    for (const auto& before : entered.before)
      for (auto& seen : now) {
        if (!seen.same_variable(before) || seen.same_value(before)) continue;
        std::erase_if(left_, [&](const Left& left) { return left.value.same_variable(seen); });
        left_.push_back({entered.run, entered.who, entered.of_cell, std::move(seen)});
        break;
      }
  }
}

std::string Traces::left_since(std::uint64_t run) const {
  for (const Left& left : left_)
    if (left.run > run && !left.of_cell)
      return fmt::format("{} has changed {}, {}", left.who, left.value.name, left.value.by);
  return {};
}

void Traces::check_fork(lua_State* L, std::uint64_t run, const std::string& who,
                        const Surroundings& surroundings) const {
  const auto refuse = [&](const Surroundings::Seen& seen) {
    fail("not_copyable", "{}: a fork cannot copy {}, {} and which has changed since; {}", who, seen.name,
         seen.by, surroundings.remedy());
  };
  for (const auto& seen : surroundings.look(L)) {
    for (const Left& left : left_)
      if (left.run == run && left.value.same_variable(seen) && left.value.same_value(seen)) refuse(seen);
    for (const Entered& entered : entered_)
      for (const auto& before : entered.before)
        if (entered.run == run && before.same_variable(seen) && !before.same_value(seen)) refuse(seen);
  }
}

}  // namespace perigee::session
