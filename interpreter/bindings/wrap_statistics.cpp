// stats: intervals, summaries, fits, closed forms, accumulators. distribution: probability distributions as
// values. sampler: variates made of functions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpreter/bindings/declarations.h"
#include "interpreter/bindings/runs.h"
#include "interpreter/interpreter.h"
#include "runtime/results/table.h"
#include "runtime/statistics/accumulators.h"
#include "runtime/statistics/distribution.h"
#include "runtime/statistics/fit.h"
#include "runtime/statistics/interval.h"
#include "runtime/statistics/queues.h"
#include "runtime/statistics/sample.h"

namespace perigee {

using namespace lua;

namespace lua {

struct IntervalValue {
  Interval interval;
  bool is_difference = false;
};

template <>
struct TypeName<IntervalValue> {
  static constexpr const char* value = "confidence interval";
};
template <>
struct TypeName<Summary> {
  static constexpr const char* value = "summary";
};
template <>
struct TypeName<Histogram> {
  static constexpr const char* value = "histogram";
};
template <>
struct TypeName<Fit> {
  static constexpr const char* value = "fitted curve";
};
template <>
struct TypeName<MM1> {
  static constexpr const char* value = "steady M/M/1 queue";
};
template <>
struct TypeName<MMC> {
  static constexpr const char* value = "steady M/M/c queue";
};
template <>
struct TypeName<MG1> {
  static constexpr const char* value = "steady M/G/1 queue";
};
template <>
struct TypeName<Observations> {
  static constexpr const char* value = "tally of observations";
};
template <>
struct TypeName<TimeWeighted> {
  static constexpr const char* value = "time-weighted statistic";
};
template <>
struct TypeName<LittlesLaw> {
  static constexpr const char* value = "check of Little's law";
};
template <>
struct TypeName<Distribution> {
  static constexpr const char* value = "probability distribution";
};

}  // namespace lua

namespace {

constexpr Range kProbability{0, 1, false};

// ---- words

bool holds_unknown(lua_State* L, int index, int depth) {
  if (is_unknown(L, index)) return true;
  if (depth == 0 || lua_type(L, index) != LUA_TTABLE) return false;
  luaL_checkstack(L, 6, "a list");
  index = lua_absindex(L, index);
  const Balanced balanced(L);
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1))
    if (holds_unknown(L, -1, depth - 1)) return true;
  return false;
}

// What Lua calls. In check mode what depends on a run is not known.
template <int (*Body)(lua_State*)>
int word(lua_State* L) {
  return guard(L, [&] {
    if (Interpreter::of(L).checking())
      for (int i = 1; i <= lua_gettop(L); ++i)
        if (holds_unknown(L, i, 2)) {
          push_unknown(L);
          return 1;
        }
    return Body(L);
  });
}

// A number that may be absent: NaN is nil.
int push_number(lua_State* L, double value) {
  if (std::isnan(value))
    lua_pushnil(L);
  else
    lua_pushnumber(L, value);
  return 1;
}
int push_count(lua_State* L, std::size_t count) {
  lua_pushinteger(L, static_cast<lua_Integer>(count));
  return 1;
}
template <class T>
int push_list(lua_State* L, const std::vector<T>& values) {
  lua_createtable(L, static_cast<int>(std::min<std::size_t>(values.size(), 1 << 30)), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if constexpr (std::is_integral_v<T>)
      lua_pushinteger(L, static_cast<lua_Integer>(values[i]));
    else
      lua_pushnumber(L, values[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}

template <class T>
struct Field {
  const char* name;
  int (*push)(lua_State* L, const T& value);
};
// A field that is a number: member or member function.
template <auto Get, class T>
int push_field(lua_State* L, const T& value) {
  return push_number(L, std::invoke(Get, value));
}

template <class T>
struct Shown;  // its `text` and, as properties, `fields`

template <class T>
bool read_field(lua_State* L, int index, std::string_view name) {
  const T& value = check<T>(L, index);
  for (const Field<T>& field : Shown<T>::fields)
    if (name == field.name) return field.push(L, value) == 1;
  return false;
}

template <class T>
int to_text(lua_State* L) {
  return guard(L, [&] {
    lua::push(L, Shown<T>::text(check<T>(L, 1)));
    return 1;
  });
}

template <class T>
void open_type(lua_State* L, const luaL_Reg* methods) {
  static constexpr luaL_Reg kMeta[] = {{"__tostring", to_text<T>}, {nullptr, nullptr}};
  std::vector<std::string> names;
  for (const Field<T>& field : Shown<T>::fields) names.emplace_back(field.name);
  new_type<T>(L, methods, kMeta, read_field<T>, names);
}

std::vector<double> list_at(lua_State* L, int index, const char* what) {
  std::vector<double> values = numbers_at(L, index, what, Dimension::count, kAnyNumber);
  Interpreter::of(L).count(values.size());
  return values;
}

double number_arg(lua_State* L, int index, const char* what, Range range = kAnyNumber) {
  return number_at(L, index, what, Dimension::count, range);
}

// `{ confidence = 0.95 }` at `index`, if there is one.
double confidence_at(lua_State* L, int index, const char* function) {
  if (lua_isnoneornil(L, index)) return 0.95;
  const Fields fields(L, index, {function}, {"confidence"});
  return fields.number("confidence", Dimension::count, 0.95, kAnyNumber);
}

// ---- intervals

template <>
struct Shown<IntervalValue> {
  static std::string text(const IntervalValue& value) {
    return value.is_difference ? difference_text(value.interval) : value.interval.text();
  }
  using T = IntervalValue;
  static constexpr Field<T> fields[] = {
      {"mean", [](lua_State* L, const T& v) { return push_number(L, v.interval.mean); }},
      {"sd", [](lua_State* L, const T& v) { return push_number(L, v.interval.sd); }},
      {"half_width", [](lua_State* L, const T& v) { return push_number(L, v.interval.half_width); }},
      {"relative_half_width",
       [](lua_State* L, const T& v) { return push_number(L, v.interval.relative_half_width()); }},
      {"low", [](lua_State* L, const T& v) { return push_number(L, v.interval.low()); }},
      {"high", [](lua_State* L, const T& v) { return push_number(L, v.interval.high()); }},
      {"n", [](lua_State* L, const T& v) { return push_count(L, v.interval.n); }},
      {"confidence", [](lua_State* L, const T& v) { return push_number(L, v.interval.confidence); }},
      {"distinguishable", [](lua_State* L, const T& v) {
         lua_pushboolean(L, distinguishable(v.interval) ? 1 : 0);
         return 1;
       }}};
};

int interval(lua_State* L) {
  const double confidence = confidence_at(L, 2, "stats.interval");
  push_new(L, IntervalValue{student_interval(list_at(L, 1, "stats.interval: values"), confidence)});
  return 1;
}

int paired(lua_State* L) {
  const double confidence = confidence_at(L, 3, "stats.paired");
  const auto a = list_at(L, 1, "stats.paired: a"), b = list_at(L, 2, "stats.paired: b");
  push_new(L, IntervalValue{paired_interval(a, b, confidence), true});
  return 1;
}

int contains(lua_State* L) {
  const Interval& interval = check<IntervalValue>(L, 1).interval;
  lua_pushboolean(L, interval.contains(number_arg(L, 2, "contains: x")) ? 1 : 0);
  return 1;
}

int needed(lua_State* L) {
  const Interval& pilot = check<IntervalValue>(L, 1).interval;
  return push_count(L, replications_needed(pilot, number_arg(L, 2, "replications_needed: relative")));
}

// stats.replicate { run = function(i) ... end, relative = 0.05, ... } -> interval
int replicate(lua_State* L) {
  const Fields fields(L, 1, {"stats.replicate"}, {"run", "relative", "confidence", "at_least", "at_most"});
  constexpr std::int64_t kMost = 1'000'000'000;
  StoppingRule rule;
  rule.relative = fields.number("relative", Dimension::count, rule.relative, kPositive);
  rule.confidence = fields.number("confidence", Dimension::count, rule.confidence, kAnyNumber);
  rule.at_least = static_cast<std::size_t>(fields.integer("at_least", 10, 2, kMost));
  rule.at_most = static_cast<std::size_t>(fields.integer(
      "at_most", std::max<std::int64_t>(1000, static_cast<std::int64_t>(rule.at_least)), 2, kMost));
  rule.check();
  if (!fields.push("run")) fields.fail("run", "'run' is missing: a function of the replication's number");
  const int run = lua_gettop(L);
  Observations values;
  Interval so_far = interval_of(values, rule.confidence);
  while (values.count() < rule.at_most && !rule.met(so_far)) {
    lua_pushvalue(L, run);
    push_count(L, values.count() + 1);
    Interpreter::of(L).count(1);
    lua_call(L, 1, 1);
    if (is_unknown(L, -1)) return 1;
    values.add(number_arg(L, -1, "stats.replicate: what run returned"));
    lua_settop(L, run);
    so_far = interval_of(values, rule.confidence);
  }
  push_new(L, IntervalValue{so_far});
  return 1;
}

// ---- lists

template <>
struct Shown<Summary> {
  static std::string text(const Summary& summary) { return summary.text(); }
  static constexpr Field<Summary> fields[] = {
      {"n", [](lua_State* L, const Summary& s) { return push_count(L, s.n); }},
      {"mean", push_field<&Summary::mean>},
      {"sd", push_field<&Summary::sd>},
      {"min", push_field<&Summary::min>},
      {"q1", push_field<&Summary::q1>},
      {"median", push_field<&Summary::median>},
      {"q3", push_field<&Summary::q3>},
      {"max", push_field<&Summary::max>}};
};

int summary(lua_State* L) {
  push_new(L, summarize(list_at(L, 1, "stats.summary: values")));
  return 1;
}

// stats.quantile(list, p [, { type = 7 }])
int quantile(lua_State* L) {
  std::int64_t type = 7;
  if (!lua_isnoneornil(L, 3)) type = Fields(L, 3, {"stats.quantile"}, {"type"}).integer("type", 7, 1, 9);
  const auto values = list_at(L, 1, "stats.quantile: values");
  return push_number(L, sample_quantile(values, number_arg(L, 2, "stats.quantile: p", kProbability),
                                        static_cast<int>(type)));
}

template <>
struct Shown<Histogram> {
  static std::string text(const Histogram& histogram) { return histogram.text(); }
  static constexpr Field<Histogram> fields[] = {
      {"n", [](lua_State* L, const Histogram& h) { return push_count(L, h.n()); }},
      {"edges", [](lua_State* L, const Histogram& h) { return push_list(L, h.edges); }},
      {"counts", [](lua_State* L, const Histogram& h) { return push_list(L, h.counts); }},
      {"below", [](lua_State* L, const Histogram& h) { return push_count(L, h.below); }},
      {"above", [](lua_State* L, const Histogram& h) { return push_count(L, h.above); }}};
};

// stats.histogram(list [, { bins = 20 } or { edges = {...} }])
int make_histogram(lua_State* L) {
  const auto values = list_at(L, 1, "stats.histogram: values");
  if (lua_isnoneornil(L, 2)) {
    push_new(L, histogram(values, freedman_diaconis(values)));
    return 1;
  }
  const Fields fields(L, 2, {"stats.histogram"}, {"bins", "edges"});
  if (fields.has("bins") && fields.has("edges")) fields.fail("bins", "either bins or edges, not both");
  if (fields.push("edges")) {
    push_new(L, histogram(values, list_at(L, -1, "stats.histogram: edges")));
  } else {
    const std::size_t usual = std::clamp<std::size_t>(freedman_diaconis(values), 1, 1'000'000);
    const auto bins = fields.integer("bins", static_cast<std::int64_t>(usual), 1, 1'000'000);
    Interpreter::of(L).count(static_cast<std::uint64_t>(bins));
    push_new(L, histogram(values, static_cast<std::size_t>(bins)));
  }
  return 1;
}

// h:table() -> rows of from, to, count and density, the share for each unit of width.
int histogram_table(lua_State* L) {
  const Histogram& histogram = check<Histogram>(L, 1);
  const auto n = static_cast<double>(histogram.n());
  Table table{{"from", "to", "count", "density"}, {}};
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const auto count = static_cast<double>(histogram.counts[i]);
    const double from = histogram.edges[i], to = histogram.edges[i + 1];
    table.rows.push_back({from, to, count, n > 0 ? Cell(count / n / (to - from)) : Cell()});
  }
  push_table(L, table);
  return 1;
}

// ---- fits

template <>
struct Shown<Fit> {
  static std::string text(const Fit& fit) { return fit.text(); }
  static constexpr Field<Fit> fields[] = {
      {"coefficients", [](lua_State* L, const Fit& f) { return push_list(L, f.coefficients); }},
      {"r_squared", push_field<&Fit::r_squared>},
      {"r_squared_log", push_field<&Fit::r_squared_log>},
      {"n", [](lua_State* L, const Fit& f) { return push_count(L, f.n); }}};
};

template <Fit::Curve Curve>
int fit_curve(lua_State* L) {
  const auto x = list_at(L, 1, "stats.fit: x"), y = list_at(L, 2, "stats.fit: y");
  push_new(L, fit(Curve, x, y));
  return 1;
}
constexpr auto linear = fit_curve<Fit::Curve::linear>;
constexpr auto quadratic = fit_curve<Fit::Curve::quadratic>;
constexpr auto exponential_fit = fit_curve<Fit::Curve::exponential>;

int predict(lua_State* L) {
  const Fit& fit = check<Fit>(L, 1);
  return push_number(L, fit.predict(number_arg(L, 2, "predict: x")));
}

// ---- closed forms

template <class Queue>
std::string queue_text(const Queue& queue) {
  return fmt::format(
      "{}: utilization {:.4g}, mean response {:.5g}, mean wait {:.5g}, mean number {:.5g}, of these wait "
      "{:.5g}",
      TypeName<Queue>::value, queue.utilization(), queue.mean_response(), queue.mean_wait(),
      queue.mean_number(), queue.mean_queue());
}

template <>
struct Shown<MM1> {
  static std::string text(const MM1& queue) { return queue_text(queue); }
  static constexpr Field<MM1> fields[] = {{"lambda", push_field<&MM1::lambda>},
                                          {"mu", push_field<&MM1::mu>},
                                          {"utilization", push_field<&MM1::utilization>},
                                          {"mean_number", push_field<&MM1::mean_number>},
                                          {"var_number", push_field<&MM1::var_number>},
                                          {"mean_queue", push_field<&MM1::mean_queue>},
                                          {"var_queue", push_field<&MM1::var_queue>},
                                          {"mean_response", push_field<&MM1::mean_response>},
                                          {"var_response", push_field<&MM1::var_response>},
                                          {"mean_wait", push_field<&MM1::mean_wait>},
                                          {"var_wait", push_field<&MM1::var_wait>}};
};
template <>
struct Shown<MMC> {
  static std::string text(const MMC& queue) { return queue_text(queue); }
  static constexpr Field<MMC> fields[] = {
      {"lambda", push_field<&MMC::lambda>},
      {"mu", push_field<&MMC::mu>},
      {"servers",
       [](lua_State* L, const MMC& q) { return push_count(L, static_cast<std::size_t>(q.servers)); }},
      {"utilization", push_field<&MMC::utilization>},
      {"erlang_b", push_field<&MMC::erlang_b>},
      {"erlang_c", push_field<&MMC::erlang_c>},
      {"mean_number", push_field<&MMC::mean_number>},
      {"mean_queue", push_field<&MMC::mean_queue>},
      {"mean_response", push_field<&MMC::mean_response>},
      {"mean_wait", push_field<&MMC::mean_wait>}};
};
template <>
struct Shown<MG1> {
  static std::string text(const MG1& queue) { return queue_text(queue); }
  static constexpr Field<MG1> fields[] = {{"lambda", push_field<&MG1::lambda>},
                                          {"mean", push_field<&MG1::mean>},
                                          {"second_moment", push_field<&MG1::second_moment>},
                                          {"utilization", push_field<&MG1::utilization>},
                                          {"mean_number", push_field<&MG1::mean_number>},
                                          {"mean_queue", push_field<&MG1::mean_queue>},
                                          {"mean_response", push_field<&MG1::mean_response>},
                                          {"mean_wait", push_field<&MG1::mean_wait>}};
};

int make_mm1(lua_State* L) {
  const Fields fields(L, 1, {"stats.mm1"}, {"lambda", "mu"});
  push_new(L, mm1(fields.number("lambda", Dimension::count, std::nullopt, kPositive),
                  fields.number("mu", Dimension::count, std::nullopt, kPositive)));
  return 1;
}
int make_mmc(lua_State* L) {
  const Fields fields(L, 1, {"stats.mmc"}, {"lambda", "mu", "servers"});
  const auto servers = fields.integer("servers", std::nullopt, 1, 1'000'000);
  push_new(L, mmc(fields.number("lambda", Dimension::count, std::nullopt, kPositive),
                  fields.number("mu", Dimension::count, std::nullopt, kPositive), servers));
  return 1;
}
// stats.mg1 { lambda =, service = distribution } or { lambda =, mean =, sd = or second_moment = }
int make_mg1(lua_State* L) {
  const Fields fields(L, 1, {"stats.mg1"}, {"lambda", "service", "mean", "sd", "second_moment"});
  const double lambda = fields.number("lambda", Dimension::count, std::nullopt, kPositive);
  if (int{fields.has("service")} + int{fields.has("sd")} + int{fields.has("second_moment")} != 1 ||
      fields.has("service") == fields.has("mean"))
    fields.fail("",
                "the service is told by a distribution, service, or by mean and either sd or second_moment");
  if (fields.push("service")) {
    const auto& service = check<Distribution>(L, -1, "stats.mg1: service");
    const double mean = service.mean(), sd = service.sd();
    push_new(L, mg1(lambda, mean, sd * sd + mean * mean));
    return 1;
  }
  const double mean = fields.number("mean", Dimension::count, std::nullopt, kPositive);
  const double sd = fields.number("sd", Dimension::count, 0.0, kNotNegative);
  push_new(L, mg1(lambda, mean,
                  fields.number("second_moment", Dimension::count, mean * mean + sd * sd, kPositive)));
  return 1;
}

constexpr std::int64_t kManyJobs = 1'000'000'000'000;
template <auto Get>
int of_number(lua_State* L) {
  const auto& queue = check<MM1>(L, 1);
  return push_number(L, (queue.*Get)(integer_at(L, 2, "the number of jobs", 0, kManyJobs)));
}
constexpr auto probability = of_number<&MM1::probability>;
constexpr auto at_least = of_number<&MM1::at_least>;
constexpr auto queue_probability = of_number<&MM1::queue_probability>;

template <auto Get>
int of_time(lua_State* L) {
  const auto& queue = check<MM1>(L, 1);
  return push_number(L, (queue.*Get)(number_arg(L, 2, "t")));
}
constexpr auto response_cdf = of_time<&MM1::response_cdf>;
constexpr auto wait_cdf = of_time<&MM1::wait_cdf>;

template <auto Get>
int of_probability(lua_State* L) {
  const auto& queue = check<MM1>(L, 1);
  return push_number(L, (queue.*Get)(number_arg(L, 2, "p", kProbability)));
}
constexpr auto response_quantile = of_probability<&MM1::response_quantile>;
constexpr auto wait_quantile = of_probability<&MM1::wait_quantile>;

// ---- accumulators. Their state changes: another identity lets forks notice.

template <>
struct Shown<Observations> {
  static std::string text(const Observations& seen) {
    if (seen.count() == 0) return "no values";
    return fmt::format("mean {:.5g}, sd {:.5g}, min {:.5g}, max {:.5g}, last {:.5g} (n = {})", seen.mean(),
                       seen.sd(), seen.min(), seen.max(), seen.last(), seen.count());
  }
  static constexpr Field<Observations> fields[] = {
      {"n", [](lua_State* L, const Observations& o) { return push_count(L, o.count()); }},
      {"mean", push_field<&Observations::mean>},
      {"sd", push_field<&Observations::sd>},
      {"min", push_field<&Observations::min>},
      {"max", push_field<&Observations::max>},
      {"last", push_field<&Observations::last>}};
};
int observations(lua_State* L) {
  push_new(L, Observations());
  return 1;
}
int add(lua_State* L) {
  auto& seen = check<Observations>(L, 1);
  seen.add(number_arg(L, 2, "add: value"));
  renew_identity(L, 1);
  return 0;
}
int reset_observations(lua_State* L) {
  check<Observations>(L, 1).reset();
  renew_identity(L, 1);
  return 0;
}

template <>
struct Shown<TimeWeighted> {
  static std::string text(const TimeWeighted& x) {
    if (!(x.period() > 0)) return fmt::format("no time yet, value {:.5g} since {:.5g}", x.value(), x.now());
    return fmt::format("mean {:.5g}, sd {:.5g}, min {:.5g}, max {:.5g}, last {:.5g} (period {:.5g})",
                       x.mean(), x.sd(), x.min(), x.max(), x.value(), x.period());
  }
  static constexpr Field<TimeWeighted> fields[] = {
      {"mean", push_field<&TimeWeighted::mean>},   {"sd", push_field<&TimeWeighted::sd>},
      {"min", push_field<&TimeWeighted::min>},     {"max", push_field<&TimeWeighted::max>},
      {"value", push_field<&TimeWeighted::value>}, {"period", push_field<&TimeWeighted::period>},
      {"now", push_field<&TimeWeighted::now>}};
};
// stats.time_weighted [{ value = 0, start = 0 }]
int time_weighted(lua_State* L) {
  double value = 0, start = 0;
  if (!lua_isnoneornil(L, 1)) {
    const Fields fields(L, 1, {"stats.time_weighted"}, {"value", "start"});
    value = fields.number("value", Dimension::count, 0.0, kAnyNumber);
    start = fields.number("start", Dimension::seconds, 0.0, kAnyNumber);
  }
  push_new(L, TimeWeighted(value, start));
  return 1;
}
double time_arg(lua_State* L, const char* what) {
  return number_at(L, 2, what, Dimension::seconds, kAnyNumber);
}
int set(lua_State* L) {
  auto& x = check<TimeWeighted>(L, 1);
  x.set(time_arg(L, "set: time"), number_arg(L, 3, "set: value"));
  renew_identity(L, 1);
  return 0;
}
int advance_time(lua_State* L) {
  auto& x = check<TimeWeighted>(L, 1);
  x.advance(time_arg(L, "advance: time"));
  renew_identity(L, 1);
  return 0;
}
int reset_time_weighted(lua_State* L) {
  auto& x = check<TimeWeighted>(L, 1);
  x.reset(time_arg(L, "reset: time"));
  renew_identity(L, 1);
  return 0;
}

template <>
struct Shown<LittlesLaw> {
  static std::string text(const LittlesLaw& law) {
    return fmt::format("rate * time = {:.5g}, number = {:.5g}: {:.2f} % apart", law.rate * law.time,
                       law.number, 100 * std::fabs(law.relative_difference()));
  }
  static constexpr Field<LittlesLaw> fields[] = {
      {"rate", push_field<&LittlesLaw::rate>},
      {"time", push_field<&LittlesLaw::time>},
      {"number", push_field<&LittlesLaw::number>},
      {"relative_difference", push_field<&LittlesLaw::relative_difference>}};
};
int make_littles_law(lua_State* L) {
  const Fields fields(L, 1, {"stats.littles_law"}, {"rate", "time", "number"});
  push_new(L, littles_law(fields.number("rate", Dimension::count, std::nullopt, kNotNegative),
                          fields.number("time", Dimension::seconds, std::nullopt, kNotNegative),
                          fields.number("number", Dimension::count, std::nullopt, kNotNegative)));
  return 1;
}

// ---- distributions

template <>
struct Shown<Distribution> {
  static std::string text(const Distribution& distribution) { return distribution.text(); }
};

double needed_number(const Fields& fields, const char* name, Range range = kAnyNumber) {
  return fields.number(name, Dimension::count, std::nullopt, range);
}

int uniform(lua_State* L) {
  const Fields fields(L, 1, {"distribution.uniform"}, {"low", "high"});
  push_new(L, distributions::uniform(needed_number(fields, "low"), needed_number(fields, "high")));
  return 1;
}
int exponential(lua_State* L) {
  const Fields fields(L, 1, {"distribution.exponential"}, {"mean"});
  push_new(L, distributions::exponential(needed_number(fields, "mean", kPositive)));
  return 1;
}
int normal(lua_State* L) {
  const Fields fields(L, 1, {"distribution.normal"}, {"mean", "sd"});
  push_new(L,
           distributions::normal(needed_number(fields, "mean"), needed_number(fields, "sd", kNotNegative)));
  return 1;
}

// One of two pairs of parameters: { a, b } or { c, d }.
bool has_first_pair(const Fields& fields, const char* a, const char* b, const char* c, const char* d) {
  const bool first = fields.has(a) || fields.has(b), second = fields.has(c) || fields.has(d);
  if (first == second) fields.fail("", "either {} and {}, or {} and {} are needed", a, b, c, d);
  return first;
}
int lognormal(lua_State* L) {
  const Fields fields(L, 1, {"distribution.lognormal"}, {"mean", "sd", "mu", "sigma"});
  if (has_first_pair(fields, "mean", "sd", "mu", "sigma"))
    push_new(L, distributions::lognormal(needed_number(fields, "mean", kPositive),
                                         needed_number(fields, "sd", kNotNegative)));
  else
    push_new(L, distributions::lognormal_mu_sigma(needed_number(fields, "mu"),
                                                  needed_number(fields, "sigma", kNotNegative)));
  return 1;
}
int gamma(lua_State* L) {
  const Fields fields(L, 1, {"distribution.gamma"}, {"mean", "sd", "shape", "scale"});
  if (has_first_pair(fields, "mean", "sd", "shape", "scale"))
    push_new(L, distributions::gamma_mean_sd(needed_number(fields, "mean", kPositive),
                                             needed_number(fields, "sd", kNotNegative)));
  else
    push_new(L, distributions::gamma(needed_number(fields, "shape", kPositive),
                                     needed_number(fields, "scale", kPositive)));
  return 1;
}
int erlang(lua_State* L) {
  const Fields fields(L, 1, {"distribution.erlang"}, {"k", "mean"});
  const auto k = static_cast<std::uint64_t>(fields.integer("k", std::nullopt, 1, 1'000'000));
  push_new(L, distributions::erlang(k, needed_number(fields, "mean", kPositive)));
  return 1;
}
int hyperexponential(lua_State* L) {
  const Fields fields(L, 1, {"distribution.hyperexponential"}, {"probabilities", "means"});
  const auto list = [&](const char* name) {
    if (!fields.push(name)) fields.fail(name, "'{}' is missing", name);
    auto values = list_at(L, -1, name);
    lua_pop(L, 1);
    return values;
  };
  push_new(L, distributions::hyperexponential(list("probabilities"), list("means")));
  return 1;
}
int weibull(lua_State* L) {
  const Fields fields(L, 1, {"distribution.weibull"}, {"shape", "scale"});
  push_new(L, distributions::weibull(needed_number(fields, "shape", kPositive),
                                     needed_number(fields, "scale", kPositive)));
  return 1;
}
int pareto(lua_State* L) {
  const Fields fields(L, 1, {"distribution.pareto"}, {"shape", "minimum"});
  push_new(L, distributions::pareto(needed_number(fields, "shape", kPositive),
                                    needed_number(fields, "minimum", kPositive)));
  return 1;
}
int triangular(lua_State* L) {
  const Fields fields(L, 1, {"distribution.triangular"}, {"low", "mode", "high"});
  push_new(L, distributions::triangular(needed_number(fields, "low"), needed_number(fields, "mode"),
                                        needed_number(fields, "high")));
  return 1;
}
int poisson(lua_State* L) {
  const Fields fields(L, 1, {"distribution.poisson"}, {"mean"});
  push_new(L, distributions::poisson(needed_number(fields, "mean", {0, 1e15, false})));
  return 1;
}
int deterministic(lua_State* L) {
  const Fields fields(L, 1, {"distribution.deterministic"}, {"value"});
  push_new(L, distributions::deterministic(needed_number(fields, "value")));
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
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, 1));
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
constexpr Range kAnyPlace{};  // infinity too
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
// d:truncated { low =, high = }, one of them at least
int truncated(lua_State* L) {
  const auto& d = check<Distribution>(L, 1);
  const Fields fields(L, 2, {"truncated"}, {"low", "high"});
  if (!fields.has("low") && !fields.has("high")) fields.fail("", "low, high or both are needed");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  push_new(L, d.truncated(fields.number("low", Dimension::count, -kInfinity, kAnyPlace),
                          fields.number("high", Dimension::count, kInfinity, kAnyPlace)));
  return 1;
}

// ---- samplers: functions of a stream

// A number from what is at `part`, a distribution or a function of the stream, which is argument 1.
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
// f(x) of a function at `function`, or the number there.
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

// A copy of the list at `index`, whose entries are parts; pushed.
std::size_t push_parts(lua_State* L, int index, const char* function) {
  if (lua_type(L, index) != LUA_TTABLE)
    fail("bad_type", "{}: parts must be a list of distributions or functions, got {}", function,
         shown(L, index));
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, index));
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
  push_list(L, p);
  const std::size_t parts = push_parts(L, 2, "sampler.composition");
  if (parts != p.size())
    fail("bad_parameter", "sampler.composition: as many probabilities as parts are needed, got {} and {}",
         p.size(), parts);
  lua_pushcclosure(L, word<draw_composition>, 2);
  return 1;
}

int draw_convolution(lua_State* L) {  // upvalues: parts, how often all of them
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
  const Fields fields(L, 1, {"sampler.acceptance_rejection"}, {"density", "majorant", "proposal"});
  for (const char* name : {"density", "majorant", "proposal"})
    if (!fields.push(name)) fields.fail(name, "'{}' is missing", name);
  need_function(L, -3, "sampler.acceptance_rejection: density");
  if (lua_type(L, -2) != LUA_TNUMBER)
    need_function(L, -2, "sampler.acceptance_rejection: majorant, unless a number,");
  need_part(L, -1, "sampler.acceptance_rejection: proposal");
  lua_pushcclosure(L, word<draw_accepted>, 3);
  return 1;
}

constexpr luaL_Reg kNoMethods[] = {{nullptr, nullptr}};
constexpr luaL_Reg kIntervalMethods[] = {
    {"contains", word<contains>}, {"replications_needed", word<needed>}, {nullptr, nullptr}};
constexpr luaL_Reg kHistogramMethods[] = {{"table", word<histogram_table>}, {nullptr, nullptr}};
constexpr luaL_Reg kFitMethods[] = {{"predict", word<predict>}, {nullptr, nullptr}};
constexpr luaL_Reg kMM1Methods[] = {{"probability", word<probability>},
                                    {"at_least", word<at_least>},
                                    {"queue_probability", word<queue_probability>},
                                    {"response_cdf", word<response_cdf>},
                                    {"wait_cdf", word<wait_cdf>},
                                    {"response_quantile", word<response_quantile>},
                                    {"wait_quantile", word<wait_quantile>},
                                    {nullptr, nullptr}};
constexpr luaL_Reg kObservationsMethods[] = {
    {"add", word<add>}, {"reset", word<reset_observations>}, {nullptr, nullptr}};
constexpr luaL_Reg kTimeWeightedMethods[] = {{"set", word<set>},
                                             {"advance", word<advance_time>},
                                             {"reset", word<reset_time_weighted>},
                                             {nullptr, nullptr}};
constexpr luaL_Reg kDistributionMethods[] = {{"mean", word<mean>},       {"sd", word<sd>},
                                             {"cdf", word<cdf>},         {"tail", word<tail>},
                                             {"density", word<density>}, {"quantile", word<quantile_of>},
                                             {"draw", word<draw>},       {"truncated", word<truncated>},
                                             {nullptr, nullptr}};
constexpr luaL_Reg kStats[] = {{"interval", word<interval>},
                               {"paired", word<paired>},
                               {"replicate", word<replicate>},
                               {"summary", word<summary>},
                               {"quantile", word<quantile>},
                               {"histogram", word<make_histogram>},
                               {"mm1", word<make_mm1>},
                               {"mmc", word<make_mmc>},
                               {"mg1", word<make_mg1>},
                               {"observations", word<observations>},
                               {"time_weighted", word<time_weighted>},
                               {"littles_law", word<make_littles_law>},
                               {nullptr, nullptr}};
constexpr luaL_Reg kFit[] = {{"linear", word<linear>},
                             {"quadratic", word<quadratic>},
                             {"exponential", word<exponential_fit>},
                             {nullptr, nullptr}};
constexpr luaL_Reg kDistributions[] = {{"uniform", word<uniform>},
                                       {"exponential", word<exponential>},
                                       {"normal", word<normal>},
                                       {"lognormal", word<lognormal>},
                                       {"gamma", word<gamma>},
                                       {"erlang", word<erlang>},
                                       {"hyperexponential", word<hyperexponential>},
                                       {"weibull", word<weibull>},
                                       {"pareto", word<pareto>},
                                       {"triangular", word<triangular>},
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

void open_statistics(lua_State* L) {
  open_type<IntervalValue>(L, kIntervalMethods);
  open_type<Summary>(L, kNoMethods);
  open_type<Histogram>(L, kHistogramMethods);
  open_type<Fit>(L, kFitMethods);
  open_type<MM1>(L, kMM1Methods);
  open_type<MMC>(L, kNoMethods);
  open_type<MG1>(L, kNoMethods);
  open_type<Observations>(L, kObservationsMethods);
  open_type<TimeWeighted>(L, kTimeWeightedMethods);
  open_type<LittlesLaw>(L, kNoMethods);
  constexpr luaL_Reg kMeta[] = {{"__tostring", to_text<Distribution>}, {nullptr, nullptr}};
  new_type<Distribution>(L, kDistributionMethods, kMeta);

  lua_newtable(L);
  luaL_setfuncs(L, kStats, 0);
  push_module(L, "stats.fit", kFit);
  lua_setfield(L, -2, "fit");
  freeze(L, "stats");
  define(L, "stats");
  push_module(L, "distribution", kDistributions);
  define(L, "distribution");
  push_module(L, "sampler", kSamplers);
  define(L, "sampler");
}

}  // namespace perigee
