// distribution: probability distributions as values. sampler: random variates made from functions.
#include <fmt/format.h>

#include <utility>

#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/statistics.h"
#include "interpreter/language/fields/distributions.h"
#include "interpreter/session/interpreter.h"
#include "runtime/kernel/constants.h"

namespace perigee::bindings {

template <>
struct Shown<Distribution> {
  static std::string text(const Distribution& distribution) { return distribution.text(); }
};

namespace {

// ---- distributions

int distribution_uniform(lua_State* L) {
  const Fields fields(L, 1, {"distribution.uniform"}, distribution_fields::kUniform);
  push_new(L, distributions::uniform(fields.number(distribution_fields::kLow),
                                     fields.number(distribution_fields::kHigh)));
  return 1;
}
int exponential(lua_State* L) {
  const Fields fields(L, 1, {"distribution.exponential"}, distribution_fields::kExponential);
  push_new(L, distributions::exponential(fields.number(distribution_fields::kMean)));
  return 1;
}
int normal(lua_State* L) {
  const Fields fields(L, 1, {"distribution.normal"}, distribution_fields::kNormal);
  push_new(L, distributions::normal(fields.number(distribution_fields::kAnyMean),
                                    fields.number(distribution_fields::kSd)));
  return 1;
}

// Whether the table has the parameters { a, b }, not { c, d }. Error unless it has just one of these pairs.
bool has_first_pair(const Fields& fields, const FieldRow& a, const FieldRow& b, const FieldRow& c,
                    const FieldRow& d) {
  const bool first = fields.has(a) || fields.has(b), second = fields.has(c) || fields.has(d);
  if (first == second)
    fields.fail("", "either {} and {}, or {} and {} are needed", a.name, b.name, c.name, d.name);
  return first;
}
int lognormal(lua_State* L) {
  const Fields fields(L, 1, {"distribution.lognormal"}, distribution_fields::kLognormal);
  if (has_first_pair(fields, distribution_fields::kMean, distribution_fields::kSd, distribution_fields::kMu,
                     distribution_fields::kSigma))
    push_new(L, distributions::lognormal(fields.number(distribution_fields::kMean),
                                         fields.number(distribution_fields::kSd)));
  else
    push_new(L, distributions::lognormal_mu_sigma(fields.number(distribution_fields::kMu),
                                                  fields.number(distribution_fields::kSigma)));
  return 1;
}
int distribution_gamma(lua_State* L) {
  const Fields fields(L, 1, {"distribution.gamma"}, distribution_fields::kGamma);
  if (has_first_pair(fields, distribution_fields::kMean, distribution_fields::kSd,
                     distribution_fields::kShape, distribution_fields::kScale))
    push_new(L, distributions::gamma_mean_sd(fields.number(distribution_fields::kMean),
                                             fields.number(distribution_fields::kSd)));
  else
    push_new(L, distributions::gamma(fields.number(distribution_fields::kShape),
                                     fields.number(distribution_fields::kScale)));
  return 1;
}
int distribution_erlang(lua_State* L) {
  const Fields fields(L, 1, {"distribution.erlang"}, distribution_fields::kErlang);
  const auto k = static_cast<std::uint64_t>(fields.integer(distribution_fields::kK));
  push_new(L, distributions::erlang(k, fields.number(distribution_fields::kMean)));
  return 1;
}
int distribution_hyperexponential(lua_State* L) {
  const Fields fields(L, 1, {"distribution.hyperexponential"}, distribution_fields::kHyperexponential);
  const auto list = [&](const FieldRow& field) {
    if (!fields.push(field)) fields.fail(field, "'{}' is missing", field.name);
    auto values = list_at(L, -1, fmt::format("{}: {}", fields.subject(), field.name).c_str());
    lua_pop(L, 1);
    return values;
  };
  push_new(L, distributions::hyperexponential(list(distribution_fields::kProbabilities),
                                              list(distribution_fields::kMeans)));
  return 1;
}
int weibull(lua_State* L) {
  const Fields fields(L, 1, {"distribution.weibull"}, distribution_fields::kWeibull);
  push_new(L, distributions::weibull(fields.number(distribution_fields::kShape),
                                     fields.number(distribution_fields::kScale)));
  return 1;
}
int pareto(lua_State* L) {
  const Fields fields(L, 1, {"distribution.pareto"}, distribution_fields::kPareto);
  push_new(L, distributions::pareto(fields.number(distribution_fields::kShape),
                                    fields.number(distribution_fields::kMinimum)));
  return 1;
}
int distribution_triangular(lua_State* L) {
  const Fields fields(L, 1, {"distribution.triangular"}, distribution_fields::kTriangular);
  push_new(L, distributions::triangular(fields.number(distribution_fields::kLow),
                                        fields.number(distribution_fields::kMode),
                                        fields.number(distribution_fields::kHigh)));
  return 1;
}
int poisson(lua_State* L) {
  const Fields fields(L, 1, {"distribution.poisson"}, distribution_fields::kPoisson);
  push_new(L, distributions::poisson(fields.number(distribution_fields::kMeanCount)));
  return 1;
}
int deterministic(lua_State* L) {
  const Fields fields(L, 1, {"distribution.deterministic"}, distribution_fields::kDeterministic);
  push_new(L, distributions::deterministic(fields.number(distribution_fields::kValue)));
  return 1;
}
int empirical(lua_State* L) {
  push_new(L, distributions::empirical(list_at(L, 1, "distribution.empirical: values")));
  return 1;
}
// { {x, F}, ... }
int tabulated(lua_State* L) {
  if (lua_type(L, 1) != LUA_TTABLE)
    fail("bad_type", "distribution.tabulated: a list of {{x, F}} is needed, got {}", shown(L, 1));
  std::vector<double> x, cdf;
  const lua_Integer count = list_length(L, 1, "distribution.tabulated");
  Interpreter::of(L).count(static_cast<std::uint64_t>(count));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, 1, i);
    const auto point =
        numbers_at(L, -1, fmt::format("distribution.tabulated[{}]", i), Dimension::count, kAnyNumber);
    if (point.size() != 2)
      fail("bad_type", "distribution.tabulated[{}] must be {{x, F}}, got {} numbers", i, point.size());
    x.push_back(point[0]);
    cdf.push_back(point[1]);
    lua_pop(L, 1);
  }
  push_new(L, distributions::tabulated(std::move(x), std::move(cdf)));
  return 1;
}

int mean(lua_State* L) { return push_number(L, check<Distribution>(L, 1).mean()); }
int sd(lua_State* L) { return push_number(L, check<Distribution>(L, 1).sd()); }
constexpr Range kAnyPlace{};  // infinity is allowed
int cdf(lua_State* L) {
  const auto& d = check<Distribution>(L, 1);
  return push_number(L, d.cdf(number_arg(L, 2, "cdf: x", kAnyPlace)));
}
int tail(lua_State* L) {
  const auto& d = check<Distribution>(L, 1);
  return push_number(L, d.tail(number_arg(L, 2, "tail: x", kAnyPlace)));
}
int density(lua_State* L) {
  const auto& d = check<Distribution>(L, 1);
  return push_number(L, d.density(number_arg(L, 2, "density: x", kAnyPlace)));
}
int quantile_of(lua_State* L) {
  const auto& d = check<Distribution>(L, 1);
  return push_number(L, d.quantile(number_arg(L, 2, "quantile: p", kProbability)));
}
int draw(lua_State* L) {
  const auto& d = check<Distribution>(L, 1);
  auto& rng = check<RandomValue>(L, 2, "draw: the stream");
  return push_number(L, with_generator(rng, [&](auto& generator) { return d.draw(generator); }));
}
// d:truncated { low =, high = } with at least one of the two
int truncated(lua_State* L) {
  const auto& d = check<Distribution>(L, 1);
  const Fields fields(L, 2, {"truncated"}, distribution_fields::kTruncated);
  if (!fields.has(distribution_fields::kFrom) && !fields.has(distribution_fields::kUpTo))
    fields.fail("", "low, high or both are needed");
  push_new(L, d.truncated(fields.number(distribution_fields::kFrom, -kInfinity),
                          fields.number(distribution_fields::kUpTo, kInfinity)));
  return 1;
}

// ---- samplers: functions of a stream

// A number drawn from the value at `part`: a distribution, or a function of the stream. The stream is
// argument 1.
double draw_from(lua_State* L, int part, const char* what) {
  if (const auto* distribution = test<Distribution>(L, part))
    return with_generator(check<RandomValue>(L, 1), [&](auto& rng) { return distribution->draw(rng); });
  lua_pushvalue(L, part);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  const double value = number_arg(L, -1, what);
  lua_pop(L, 1);
  return value;
}
// f(x) if there is a function f at `function`, else the number there.
double value_at(lua_State* L, int function, double x, const char* what) {
  if (lua_type(L, function) == LUA_TNUMBER) return number_arg(L, function, what);
  lua_pushvalue(L, function);
  lua_pushnumber(L, x);
  lua_call(L, 1, 1);
  const double value = number_arg(L, -1, what);
  lua_pop(L, 1);
  return value;
}
void need_stream(lua_State* L) { check<RandomValue>(L, 1, "a sampler's argument"); }
void need_part(lua_State* L, int index, const std::string& what) {
  if (lua_type(L, index) != LUA_TFUNCTION && test<Distribution>(L, index) == nullptr)
    fail("bad_type", "{} must be a distribution or a function of the stream, got {}", what, shown(L, index));
}
void need_function(lua_State* L, int index, const char* what) {
  if (lua_type(L, index) != LUA_TFUNCTION)
    fail("bad_type", "{} must be a function, got {}", what, shown(L, index));
}

int draw_inverse(lua_State* L) {
  need_stream(L);
  const double u = with_generator(check<RandomValue>(L, 1), [](auto& rng) { return rng.open(); });
  return push_number(
      L, value_at(L, lua_upvalueindex(1), u, "sampler.inverse_transform: what the function returned"));
}
int inverse_transform(lua_State* L) {
  need_function(L, 1, "sampler.inverse_transform: the inverse of F");
  lua_settop(L, 1);
  lua_pushcclosure(L, word<draw_inverse>, 1);
  return 1;
}

// Pushes a copy of the list at `index`, whose entries are parts.
std::size_t push_parts(lua_State* L, int index, const char* function) {
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "{}: parts must be a list of distributions or functions, got {}", function,
         shown(L, index));
  const lua_Integer count = list_length(L, index, fmt::format("{}: parts", function));
  Interpreter::of(L).count(static_cast<std::uint64_t>(count));
  lua_newtable(L);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, index, i);
    need_part(L, -1, fmt::format("{}: part {}", function, i));
    lua_rawseti(L, -2, i);
  }
  return static_cast<std::size_t>(count);
}

int draw_composition(lua_State* L) {  // upvalues: probabilities, parts
  need_stream(L);
  const auto p = numbers_at(L, lua_upvalueindex(1), "probabilities", Dimension::count, kProbability);
  const std::size_t j =
      with_generator(check<RandomValue>(L, 1), [&](auto& rng) { return sampling::composition(rng, p); });
  lua_rawgeti(L, lua_upvalueindex(2), static_cast<lua_Integer>(j) + 1);
  return push_number(L, draw_from(L, lua_gettop(L), "sampler.composition: what a part returned"));
}
int composition(lua_State* L) {
  const auto p = list_at(L, 1, "sampler.composition: probabilities");
  sampling::check_composition(p);
  push_value(L, p);
  const std::size_t parts = push_parts(L, 2, "sampler.composition");
  if (parts != p.size())
    fail("bad_parameter", "sampler.composition: as many probabilities as parts are needed, got {} and {}",
         p.size(), parts);
  lua_pushcclosure(L, word<draw_composition>, 2);
  return 1;
}

int draw_convolution(lua_State* L) {  // upvalues: parts, number of draws from all of them
  need_stream(L);
  const auto parts = static_cast<lua_Integer>(lua_rawlen(L, lua_upvalueindex(1)));
  const lua_Integer times = lua_tointeger(L, lua_upvalueindex(2));
  double sum = 0;
  for (lua_Integer k = 0; k < times; ++k)
    for (lua_Integer i = 1; i <= parts; ++i) {
      Interpreter::of(L).count(1);
      lua_rawgeti(L, lua_upvalueindex(1), i);
      sum += draw_from(L, lua_gettop(L), "sampler.convolution: what a part returned");
      lua_settop(L, 1);
    }
  return push_number(L, sum);
}
// sampler.convolution(n, part) or (parts)
int convolution(lua_State* L) {
  lua_Integer times = 1;
  if (lua_type(L, 1) == LUA_TNUMBER) {
    times = integer_at(L, 1, "sampler.convolution: n", 1, 1'000'000);
    need_part(L, 2, "sampler.convolution: the part");
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, 1);
  } else if (push_parts(L, 1, "sampler.convolution") == 0) {
    fail("bad_parameter", "sampler.convolution: needs at least one part, got none");
  }
  lua_pushinteger(L, times);
  lua_pushcclosure(L, word<draw_convolution>, 2);
  return 1;
}

int draw_accepted(lua_State* L) {  // upvalues: density, majorant, proposal
  need_stream(L);
  lua_settop(L, 1);
  for (std::uint64_t tries = 1;; ++tries) {
    Interpreter::of(L).count(1);
    const double y =
        draw_from(L, lua_upvalueindex(3), "sampler.acceptance_rejection: what the proposal returned");
    const double f =
        value_at(L, lua_upvalueindex(1), y, "sampler.acceptance_rejection: what density returned");
    const double t =
        value_at(L, lua_upvalueindex(2), y, "sampler.acceptance_rejection: what majorant returned");
    const double u = with_generator(check<RandomValue>(L, 1), [](auto& rng) { return rng.open(); });
    if (sampling::accepts(y, f, t, u, tries)) return push_number(L, y);
  }
}
// sampler.acceptance_rejection { density = f, majorant = t, proposal = part }
int acceptance_rejection(lua_State* L) {
  const Fields fields(L, 1, {"sampler.acceptance_rejection"}, distribution_fields::kAcceptance);
  for (const FieldRow& field : distribution_fields::kAcceptance)
    if (!fields.push(field)) fields.fail(field, "'{}' is missing", field.name);
  need_function(L, -3, "sampler.acceptance_rejection: density");
  if (lua_type(L, -2) == LUA_TNUMBER)
    fields.inside(distribution_fields::kMajorant, [&] {
      return number_at(L, -2, "sampler.acceptance_rejection: majorant", Dimension::count, kPositive);
    });
  else
    need_function(L, -2, "sampler.acceptance_rejection: majorant, unless a number,");
  need_part(L, -1, "sampler.acceptance_rejection: proposal");
  lua_pushcclosure(L, word<draw_accepted>, 3);
  return 1;
}

constexpr luaL_Reg kDistributionMethods[] = {{"mean", word<mean>},       {"sd", word<sd>},
                                             {"cdf", word<cdf>},         {"tail", word<tail>},
                                             {"density", word<density>}, {"quantile", word<quantile_of>},
                                             {"draw", word<draw>},       {"truncated", word<truncated>},
                                             {nullptr, nullptr}};
constexpr luaL_Reg kDistributions[] = {{"uniform", word<distribution_uniform>},
                                       {"exponential", word<exponential>},
                                       {"normal", word<normal>},
                                       {"lognormal", word<lognormal>},
                                       {"gamma", word<distribution_gamma>},
                                       {"erlang", word<distribution_erlang>},
                                       {"hyperexponential", word<distribution_hyperexponential>},
                                       {"weibull", word<weibull>},
                                       {"pareto", word<pareto>},
                                       {"triangular", word<distribution_triangular>},
                                       {"poisson", word<poisson>},
                                       {"deterministic", word<deterministic>},
                                       {"empirical", word<empirical>},
                                       {"tabulated", word<tabulated>},
                                       {nullptr, nullptr}};
constexpr luaL_Reg kSamplers[] = {{"inverse_transform", word<inverse_transform>},
                                  {"composition", word<composition>},
                                  {"convolution", word<convolution>},
                                  {"acceptance_rejection", word<acceptance_rejection>},
                                  {nullptr, nullptr}};

}  // namespace

void open_distributions(lua_State* L) {
  constexpr luaL_Reg kMeta[] = {{"__tostring", to_text<Distribution>}, {nullptr, nullptr}};
  new_type<Distribution>(L, kDistributionMethods, kMeta);
  push_module(L, "distribution", kDistributions);
  define(L, "distribution");
  push_module(L, "sampler", kSamplers);
  define(L, "sampler");
}

}  // namespace perigee::bindings
