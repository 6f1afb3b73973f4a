// Random streams: the rng of generators, stream("name" [, seed]), stream.splitmix(seed).
#include <fmt/format.h>

#include <cmath>

#include "interpreter/bindings/parts.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

namespace {

template <class F>
auto with_generator(lua_State* L, F&& draw) {
  RandomValue* value = lean<RandomValue>(L);
  return values::with_generator(value != nullptr ? *value : check<RandomValue>(L, 1), std::forward<F>(draw));
}

double number(lua_State* L, int index, const char* function, const char* name) {
  if (lua_type(L, index) == LUA_TNUMBER)
    if (const double plain = lua_tonumber(L, index); std::abs(plain) < kAbsurd) return plain;
  return number_at(L, index, fmt::format("{}: {}", function, name), Dimension::count, kAnyNumber);
}

// Seconds, bytes and other quantities are plain numbers here; texts with units are refused.
template <class F>
int two(lua_State* L, const char* function, const char* first, const char* second, F&& draw) {
  return guard(L, [&] {
    const double a = number(L, 2, function, first), b = number(L, 3, function, second);
    lua_pushnumber(L, with_generator(L, [&](auto& generator) { return draw(generator, a, b); }));
    return 1;
  });
}

int uniform(lua_State* L) {
  if (lua_gettop(L) == 1)
    return guard(L, [&] {
      lua_pushnumber(L, with_generator(L, [](auto& generator) { return generator.uniform(); }));
      return 1;
    });
  return two(L, "uniform", "low", "high", [](auto& g, double a, double b) { return g.uniform(a, b); });
}
int random_normal(lua_State* L) {
  return two(L, "normal", "mean", "sd", [](auto& g, double a, double b) { return g.normal(a, b); });
}
int random_lognormal(lua_State* L) {
  return two(L, "lognormal", "mean", "sd", [](auto& g, double a, double b) { return g.lognormal(a, b); });
}
int lognormal_mu_sigma(lua_State* L) {
  return two(L, "lognormal_mu_sigma", "mu", "sigma",
             [](auto& g, double a, double b) { return g.lognormal_mu_sigma(a, b); });
}
int random_gamma(lua_State* L) {
  return two(L, "gamma", "shape", "scale", [](auto& g, double a, double b) { return g.gamma(a, b); });
}
int gamma_mean_sd(lua_State* L) {
  return two(L, "gamma_mean_sd", "mean", "sd",
             [](auto& g, double a, double b) { return g.gamma_mean_sd(a, b); });
}
int random_weibull(lua_State* L) {
  return two(L, "weibull", "shape", "scale", [](auto& g, double a, double b) { return g.weibull(a, b); });
}
int random_pareto(lua_State* L) {
  return two(L, "pareto", "shape", "minimum", [](auto& g, double a, double b) { return g.pareto(a, b); });
}

int random_exponential(lua_State* L) {
  return guard(L, [&] {
    const double mean = number(L, 2, "exponential", "mean");
    lua_pushnumber(L, with_generator(L, [&](auto& g) { return g.exponential(mean); }));
    return 1;
  });
}

int erlang(lua_State* L) {
  return guard(L, [&] {
    const auto k = integer_at(L, 2, "erlang: k", 1, 1'000'000);
    const double mean = number(L, 3, "erlang", "mean");
    did_work(static_cast<std::uint64_t>(k));
    lua_pushnumber(L,
                   with_generator(L, [&](auto& g) { return g.erlang(static_cast<std::uint64_t>(k), mean); }));
    return 1;
  });
}

int triangular(lua_State* L) {
  return guard(L, [&] {
    const double low = number(L, 2, "triangular", "low"), mode = number(L, 3, "triangular", "mode"),
                 high = number(L, 4, "triangular", "high");
    lua_pushnumber(L, with_generator(L, [&](auto& g) { return g.triangular(low, mode, high); }));
    return 1;
  });
}

int hyperexponential(lua_State* L) {
  return guard(L, [&] {
    const auto p = numbers_at(L, 2, "hyperexponential: p", Dimension::count, kNotNegative);
    const auto means = numbers_at(L, 3, "hyperexponential: means", Dimension::count, kPositive);
    lua_pushnumber(L, with_generator(L, [&](auto& g) { return g.hyperexponential(p, means); }));
    return 1;
  });
}

int random_poisson(lua_State* L) {
  return guard(L, [&] {
    const double mean = number(L, 2, "poisson", "mean");
    lua_pushinteger(L, static_cast<lua_Integer>(with_generator(L, [&](auto& g) { return g.poisson(mean); })));
    return 1;
  });
}

int bernoulli(lua_State* L) {
  return guard(L, [&] {
    const double p = number(L, 2, "bernoulli", "p");
    lua_pushboolean(L, with_generator(L, [&](auto& g) { return g.bernoulli(p); }) ? 1 : 0);
    return 1;
  });
}

// rng:integer(low, high), both included.
int integer(lua_State* L) {
  return guard(L, [&] {
    const auto low = integer_at(L, 2, "integer: low", std::numeric_limits<std::int64_t>::min(),
                                std::numeric_limits<std::int64_t>::max());
    const auto high = integer_at(L, 3, "integer: high", std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::max());
    if (low > high) fail("bad_parameter", "integer: the interval {} to {} is empty", low, high);
    const std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    const std::uint64_t drawn = with_generator(L, [&](auto& g) { return width == 0 ? g() : g.below(width); });
    const std::uint64_t value = static_cast<std::uint64_t>(low) + drawn;  // unsigned, because it must wrap
    lua_pushinteger(L, static_cast<lua_Integer>(value));
    return 1;
  });
}

// rng:discrete(weights) -> index, from 1.
int discrete(lua_State* L) {
  return guard(L, [&] {
    const auto weights = numbers_at(L, 2, "discrete: weights", Dimension::count, kNotNegative);
    lua_pushinteger(
        L, static_cast<lua_Integer>(with_generator(L, [&](auto& g) { return g.discrete(weights); })) + 1);
    return 1;
  });
}

// rng:choice(list) -> one of its values.
int choice(lua_State* L) {
  return guard(L, [&] {
    if (lua_type(L, 2) != LUA_TTABLE || lua_rawlen(L, 2) == 0)
      fail("bad_type", "choice: a list with something in it is needed, got {}", shown(L, 2));
    const auto count = static_cast<std::uint64_t>(list_length(L, 2, "choice"));
    const std::uint64_t drawn = with_generator(L, [&](auto& g) { return g.below(count); });
    lua_rawgeti(L, 2, static_cast<lua_Integer>(drawn) + 1);
    return 1;
  });
}

// rng:shuffle(list), in place; returns it.
int shuffle(lua_State* L) {
  return guard(L, [&] {
    if (lua_type(L, 2) != LUA_TTABLE) fail("bad_type", "shuffle: a list is needed, got {}", shown(L, 2));
    std::vector<lua_Integer> order(static_cast<std::size_t>(list_length(L, 2, "shuffle")));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<lua_Integer>(i) + 1;
    with_generator(L, [&](auto& g) {
      g.shuffle(order);
      return 0;
    });
    lua_createtable(L, static_cast<int>(std::min<std::size_t>(order.size(), 1 << 30)), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      lua_rawgeti(L, 2, order[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      lua_rawgeti(L, -1, static_cast<lua_Integer>(i) + 1);
      lua_rawseti(L, 2, static_cast<lua_Integer>(i) + 1);
    }
    lua_settop(L, 2);
    return 1;
  });
}

// rng:sub(k): a stream of its own, independent of the numbers drawn here.
int sub(lua_State* L) {
  return guard(L, [&] {
    const auto k =
        static_cast<std::uint64_t>(integer_at(L, 2, "sub: k", 0, std::numeric_limits<std::int64_t>::max()));
    auto& value = check<RandomValue>(L, 1);
    const Stream* stream = value.is_view ? value.borrowed : std::get_if<Stream>(&value.own);
    if (stream == nullptr) fail("bad_call", "sub: a splitmix generator has no streams below it");
    push_new(L, RandomValue{stream->sub(k)});
    return 1;
  });
}

// stream("name" [, seed])
int make_random_stream(lua_State* L) {
  return guard(L, [&] {
    const auto name = text_at(L, 2);
    if (!name) fail("bad_type", "stream: a name is needed, got {}", shown(L, 2));
    const std::uint64_t seed = lua_isnoneornil(L, 3)
                                   ? Interpreter::of(L).cell().seed()
                                   : static_cast<std::uint64_t>(integer_at(
                                         L, 3, "stream: seed", 0, std::numeric_limits<std::int64_t>::max()));
    Interpreter::of(L).cell().note_seed(seed);
    push_new(L, RandomValue{Stream(seed, *name)});
    return 1;
  });
}

int make_splitmix(lua_State* L) {
  return guard(L, [&] {
    const auto seed = integer_at(L, 1, "stream.splitmix: seed", std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::max());
    Interpreter::of(L).cell().note_seed(static_cast<std::uint64_t>(seed));
    push_new(L, RandomValue{SplitMix64(static_cast<std::uint64_t>(seed))});
    return 1;
  });
}

constexpr luaL_Reg kRandomMethods[] = {{"uniform", uniform},
                                       {"integer", integer},
                                       {"exponential", random_exponential},
                                       {"normal", random_normal},
                                       {"lognormal", random_lognormal},
                                       {"lognormal_mu_sigma", lognormal_mu_sigma},
                                       {"gamma", random_gamma},
                                       {"gamma_mean_sd", gamma_mean_sd},
                                       {"weibull", random_weibull},
                                       {"erlang", erlang},
                                       {"hyperexponential", hyperexponential},
                                       {"pareto", random_pareto},
                                       {"triangular", triangular},
                                       {"poisson", random_poisson},
                                       {"bernoulli", bernoulli},
                                       {"discrete", discrete},
                                       {"choice", choice},
                                       {"shuffle", shuffle},
                                       {"sub", sub},
                                       {nullptr, nullptr}};

}  // namespace

void open_random(lua_State* L) {
  new_type<RandomValue>(L, kRandomMethods);
  lua_newtable(L);
  lua_pushcfunction(L, make_splitmix);
  lua_setfield(L, -2, "splitmix");
  freeze(L, "stream");
  lua_getmetatable(L, -1);
  lua_pushcfunction(L, make_random_stream);
  lua_setfield(L, -2, "__call");
  lua_pop(L, 1);
  define(L, "stream");
}

}  // namespace perigee::bindings
