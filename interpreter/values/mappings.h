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

namespace perigee::interpreter::lua {

// A call of a heuristic. The objects that it is shown are valid as long as the call lasts.
struct MapperCall {
  bool alive = true;
  Stream* stream = nullptr;  // the heuristic's stream; null = none
  Reference rng = {};        // a view of the stream, once the script has asked for it
};
using MapperCallPtr = std::shared_ptr<MapperCall>;

// The scope of one call.
class InMapperCall {
 public:
  InMapperCall(lua_State* L, Stream& stream);
  ~InMapperCall();
  InMapperCall(const InMapperCall&) = delete;
  InMapperCall& operator=(const InMapperCall&) = delete;
  const MapperCallPtr& call() const { return call_; }

 private:
  lua_State* L_;
  MapperCallPtr call_;
};
// Pushes the heuristic's stream. Error when the call has none.
void push_stream(lua_State* L, MapperCall& call);

// `problem`.
struct ProblemValue {
  MapperCallPtr call;                // a problem that the script has made has a call that never ends
  std::shared_ptr<const void> data;  // the data of a problem that the script has made
  Draft draft;
  int busy = 0;  // > 0: the problem is being mapped or only shown and must not change
};
template <>
struct TypeName<ProblemValue> {
  static constexpr const char* value = "mapping problem";
};

// An argument that is an etc matrix, a list of its rows, or a `problem`. A `problem` stands for its waiting
// tasks, or for those of them that `only` names; it cannot be changed while this object lives.
class ProblemArgument {
 public:
  ProblemArgument(lua_State* L, int index, std::string_view what,
                  std::optional<std::span<const std::uint32_t>> only = std::nullopt);
  ~ProblemArgument();
  ProblemArgument(const ProblemArgument&) = delete;
  ProblemArgument& operator=(const ProblemArgument&) = delete;

  const MappingProblem& problem() const { return problem_; }
  const ProblemValue* value() const { return value_; }  // null for a matrix
  void set_ready(std::vector<double> ready);            // for a matrix
  bool has(std::size_t task) const { return !rest_ || rest_->has(task); }
  // Adds a mapping of problem() to the assignments that the problem has already.
  Mapping join(Mapping mapping) const { return rest_ ? rest_->join(std::move(mapping)) : mapping; }

 private:
  std::shared_ptr<const EtcMatrix> etc_;
  std::vector<double> ready_;
  ProblemValue* value_ = nullptr;
  std::optional<Rest> rest_;
  MappingProblem problem_;
};

// A machine whose ready time is +inf takes no task: its times become +inf, and its ready time 0.
std::shared_ptr<const EtcMatrix> close_machines(std::shared_ptr<const EtcMatrix> etc,
                                                std::vector<double>& ready);
// The range of ready times of machines or cores, for numbers_at().
inline constexpr Range kReady{0, std::numeric_limits<double>::infinity(), false};

// The matrix whose list of rows is at `index`.
EtcMatrix etc_at(lua_State* L, int index);
// A list of whole numbers 1 .. count at `index`, as places from 0.
std::vector<std::uint32_t> places_at(lua_State* L, int index, const std::string& what, std::size_t count);

// Pushes { machine, order, completion, makespan } and the findings of a search. The value false marks a task
// that has no machine.
void push_mapping(lua_State* L, const Mapping& mapping);
// A mapping as map_as() takes it: a list with a machine or false for each task, or a table like that of
// push_mapping(). Tasks that have neither go to `missing`; they are an Error when it is null.
struct GivenMapping {
  std::vector<std::uint32_t> machine, order;
};
GivenMapping given_mapping_at(lua_State* L, int index, const std::string& who, const MappingProblem& problem,
                              std::vector<std::uint32_t>* missing = nullptr);

// A greedy mapping whose key is a function on the stack.
struct GreedyLoop {
  std::string who;                     // in messages
  int pick, place = 0, arguments = 0;  // places on the stack; 0 = none
  bool largest = true, pure = false;
  // The call under way.
  std::string_view function = "pick";
  std::size_t task = 0;

  void run(lua_State* L, const MappingProblem& problem, const MapperCallPtr& call, Mapping& out);
  // Tells how a task came to its machine in the answer of run(). The functions are asked for the keys again.
  void explain(lua_State* L, const MappingProblem& problem, const MapperCallPtr& call, const Mapping& answer,
               std::size_t explained, MappingStep& out);

 private:
  // Calls use(key, place).
  template <class F>
  void with_functions(lua_State* L, const MapperCallPtr& call, F&& use);
};

// ---- methods that read a value of a task, of a machine, or of both ----
//
// Kind tells the object: Kind::lean(L) is the object when argument 1 is one and valid, else null;
// Kind::checked(L) is the object or an Error; Kind::tasks(object) and Kind::machines(object) count;
// Kind::require(object, task) complains unless Kind::readable(object, task).

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

}  // namespace perigee::interpreter::lua
