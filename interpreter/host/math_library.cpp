#include "interpreter/host/libraries.h"

#include <fmt/format.h>

#include "interpreter/host/guest.h"
#include "interpreter/host/stack.h"
#include "interpreter/host/unknown.h"
#include "runtime/kernel/math.h"

namespace perigee::host {

namespace {

template <double (*function)(double)>
int apply(lua_State* L) {
  if (is_unknown(L, 1)) {
    push_unknown(L);
    return 1;
  }
  lua_pushnumber(L, function(luaL_checknumber(L, 1)));
  return 1;
}

int logarithm(lua_State* L) {
  const double x = luaL_checknumber(L, 1);
  if (lua_isnoneornil(L, 2)) {
    lua_pushnumber(L, math::log(x));
  } else {
    const double base = luaL_checknumber(L, 2);
    lua_pushnumber(L, base == 2    ? math::log2(x)
                      : base == 10 ? math::log10(x)
                                   : math::log(x) / math::log(base));
  }
  return 1;
}

int power(lua_State* L) {
  lua_pushnumber(L, math::pow(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
  return 1;
}

int hypotenuse(lua_State* L) {
  lua_pushnumber(L, math::hypot(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
  return 1;
}

int arctangent(lua_State* L) {
  lua_pushnumber(L, math::atan2(luaL_checknumber(L, 1), luaL_optnumber(L, 2, 1)));
  return 1;
}

constexpr luaL_Reg kMath[] = {{"exp", apply<math::exp>},
                              {"log", logarithm},
                              {"log1p", apply<math::log1p>},
                              {"expm1", apply<math::expm1>},
                              {"pow", power},
                              {"hypot", hypotenuse},
                              {"cbrt", apply<math::cbrt>},
                              {"sin", apply<math::sin>},
                              {"cos", apply<math::cos>},
                              {"tan", apply<math::tan>},
                              {"asin", apply<math::asin>},
                              {"acos", apply<math::acos>},
                              {"atan", arctangent},
                              {"sinh", apply<math::sinh>},
                              {"cosh", apply<math::cosh>},
                              {"tanh", apply<math::tanh>},
                              {"erf", apply<math::erf>},
                              {"erfc", apply<math::erfc>},
                              {"gamma", apply<math::tgamma>},
                              {"lgamma", apply<math::lgamma>},
                              {nullptr, nullptr}};

}  // namespace

void open_math(lua_State* L, const luaL_Reg* own) {
  open_library(L, "math", luaopen_math);
  remove_field(L, "randomseed");
  luaL_setfuncs(L, kMath, 0);
  luaL_setfuncs(L, own, 0);
  absorb_all(L);
  freeze(L, "math");
  define(L, "math");
}

}  // namespace perigee::host
