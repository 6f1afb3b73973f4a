// The greedy mapping of a heuristic with `pick`, and of cost.greedy.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/values/mappings.h"

namespace perigee::callbacks {

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

}  // namespace perigee::callbacks
