// Mapping problems and mappings as scripts see them: in a heuristic, in map() and in the functions of `cost`.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/values/declarations.h"
#include "runtime/cost/draft.h"
#include "runtime/cost/greedy.h"

namespace perigee::values {

// A call of a heuristic. The objects that it is shown are valid as long as the call lasts.
struct MapperCall {
  bool alive = true;
  Stream* stream = nullptr;  // the heuristic's stream; null = none
  Reference rng = {};        // a view of the stream, once the script has asked for it
};
using MapperCallPtr = std::shared_ptr<MapperCall>;

// `problem`.
struct ProblemValue {
  MapperCallPtr call;                // a problem that the script has made has a call that never ends
  std::shared_ptr<const void> data;  // the data of a problem that the script has made
  Draft draft;
  int busy = 0;  // > 0: the problem is being mapped or only shown and must not change
};

}  // namespace perigee::values

namespace perigee::host {

template <>
struct TypeName<values::ProblemValue> {
  static constexpr const char* value = "mapping problem";
};

}  // namespace perigee::host

namespace perigee::values {

// ---- methods that read a value of a task, of a machine, or of both ----
//
// Kind tells the object:
//   Kind::lean(L)                the object when argument 1 is one and valid, else null
//   Kind::checked(L)             the object or an Error
//   Kind::tasks(object), Kind::machines(object)   their numbers
//   Kind::require(object, task)  complains unless Kind::readable(object, task)

inline std::size_t place_at(lua_State* L, int index, std::string_view what, std::size_t count) {
  return static_cast<std::size_t>(integer_at(L, index, what, 1, static_cast<std::int64_t>(count))) - 1;
}

inline void push_answer(lua_State* L, double value) { lua_pushnumber(L, value); }
inline void push_answer(lua_State* L, bool value) { lua_pushboolean(L, value ? 1 : 0); }
inline void push_answer(lua_State* L, std::size_t count) {
  lua_pushinteger(L, static_cast<lua_Integer>(count));
}
inline void push_answer(lua_State* L, std::uint32_t place) {  // kUnmapped = false
  if (place == kUnmapped)
    lua_pushboolean(L, 0);
  else
    lua_pushinteger(L, static_cast<lua_Integer>(place) + 1);
}

template <class Kind, auto read>
int of_task(lua_State* L) {
  const auto* object = Kind::lean(L);
  if (std::size_t task = 0;
      object != nullptr && lean_index(L, 2, Kind::tasks(*object), task) && Kind::readable(*object, task)) {
    push_answer(L, read(*object, task));
    return 1;
  }
  return guard(L, [&] {
    const auto& checked = Kind::checked(L);
    const std::size_t task = place_at(L, 2, "task", Kind::tasks(checked));
    Kind::require(checked, task);
    push_answer(L, read(checked, task));
    return 1;
  });
}

template <class Kind, auto read>
int of_machine(lua_State* L) {
  const auto* object = Kind::lean(L);
  if (std::size_t machine = 0; object != nullptr && lean_index(L, 2, Kind::machines(*object), machine)) {
    push_answer(L, read(*object, machine));
    return 1;
  }
  return guard(L, [&] {
    const auto& checked = Kind::checked(L);
    push_answer(L, read(checked, place_at(L, 2, "machine", Kind::machines(checked))));
    return 1;
  });
}

template <class Kind, auto read>
int of_task_and_machine(lua_State* L) {
  const auto* object = Kind::lean(L);
  if (std::size_t task = 0, machine = 0; object != nullptr && lean_index(L, 2, Kind::tasks(*object), task) &&
                                         lean_index(L, 3, Kind::machines(*object), machine)) {
    push_answer(L, read(*object, task, machine));
    return 1;
  }
  return guard(L, [&] {
    const auto& checked = Kind::checked(L);
    const std::size_t task = place_at(L, 2, "task", Kind::tasks(checked));
    push_answer(L, read(checked, task, place_at(L, 3, "machine", Kind::machines(checked))));
    return 1;
  });
}

template <class Kind, auto read>
int of_all(lua_State* L) {
  return guard(L, [&] {
    push_answer(L, read(Kind::checked(L)));
    return 1;
  });
}

}  // namespace perigee::values
