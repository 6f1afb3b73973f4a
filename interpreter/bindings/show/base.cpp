// Words that every script has: print, require, math.random.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/show/items.h"
#include "interpreter/bindings/show/texts.h"
#include "interpreter/host/sandbox.h"
#include "interpreter/host/texts.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

namespace {

int print_values(lua_State* L) {
  return guard(L, [&] {
    Interpreter& interpreter = Interpreter::of(L);
    if (interpreter.checking()) return 0;
    std::string out;
    const int count = lua_gettop(L), width = interpreter.output().width();
    for (int i = 1; i <= count; ++i) {
      if (i > 1) out += '\t';
      if (is_plain_table(L, i)) {
        out += table_text(L, i, width, std::numeric_limits<std::size_t>::max());
        continue;
      }
      push_text(L, i, width);
      out += *host::text_at(L, -1);
      lua_pop(L, 1);
    }
    out += '\n';
    if (count == 1 && interpreter.output().has_audience())
      if (const auto item = item_of(L, 1)) {
        interpreter.output().show(out, false, [&] { return *item; });
        return 0;
      }
    interpreter.output().print(out);
    return 0;
  });
}

int require(lua_State* L) {
  return guard(L, [&] {
    const auto name = host::text_at(L, 1);
    if (!name) fail("bad_type", "require: the name of a module is needed, got {}", host::shown(L, 1));
    Interpreter::of(L).modules().require(L, *name);
    return 1;
  });
}

// math.random draws from the stream "script" of the script's seed.
int random_number(lua_State* L) {
  return guard(L, [&] {
    if (Interpreter::of(L).in_run())
      fail("bad_call",
           "math.random draws from the script's own stream, so a run would depend on "
           "what ran before; draw from sim:stream(name) in a policy, from c:stream() "
           "or problem:stream() in a heuristic, from the generator's rng in a workload");
    Stream& stream = Interpreter::of(L).script_stream();
    if (lua_gettop(L) == 0) {
      lua_pushnumber(L, stream.uniform());
      return 1;
    }
    const bool one = lua_gettop(L) == 1;
    const lua_Integer low = one ? 1 : luaL_checkinteger(L, 1);
    const lua_Integer high = luaL_checkinteger(L, one ? 1 : 2);
    if (low > high) fail("bad_parameter", "math.random: the interval {} to {} is empty", low, high);
    const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t drawn = width == 0 ? stream() : stream.below(width);
    const std::uint64_t value = static_cast<std::uint64_t>(low) + drawn;  // wraps as it should
    lua_pushinteger(L, static_cast<lua_Integer>(value));
    return 1;
  });
}

}  // namespace

void open_script(lua_State* L) {
  static constexpr luaL_Reg kBase[] = {{"print", print_values}, {"require", require}, {nullptr, nullptr}};
  static constexpr luaL_Reg kMath[] = {{"random", random_number}, {nullptr, nullptr}};
  open_sandbox(L, kBase, kMath);
}

}  // namespace perigee::bindings
