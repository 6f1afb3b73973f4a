#include "interpreter/prompt/prompt_text.h"

#include <array>

#include "interpreter/bindings/run/compare.h"
#include "interpreter/bindings/show/texts.h"
#include "interpreter/host/texts.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"
#include "runtime/results/compare.h"

namespace perigee::prompt {

std::string pretty(lua_State* L, int index) {
  const int width = Interpreter::of(L).output().width();
  if (const auto* result = test<ResultValue>(L, index)) {
    const std::array<Outcome, 1> outcomes{*result->outcome};
    std::string table = comparison_table(outcomes, {}, {}, static_cast<std::size_t>(width));
    if (!table.empty()) table.pop_back();
    return plain_text(L, index) + "\n" + table;
  }
  if (const auto* comparison = test<ComparisonValue>(L, index)) return shown_comparison(L, *comparison);
  return is_plain_table(L, index) ? table_text(L, index, width, kMostRows) : plain_text(L, index);
}

void set_last_value(lua_State* L, int index) {
  index = lua_absindex(L, index);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushliteral(L, "_");
  lua_pushvalue(L, index);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

const void* last_value(lua_State* L) {
  const Balanced balanced(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_pushliteral(L, "_");
  lua_rawget(L, -2);
  return lua_topointer(L, -1);
}

}  // namespace perigee::prompt
