// stats: intervals, summaries, fits, closed forms, accumulators.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/statistics.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/language/fields/statistics.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/runs.h"
#include "runtime/results/table.h"
#include "runtime/statistics/accumulators.h"
#include "runtime/statistics/fit.h"
#include "runtime/statistics/forecast.h"
#include "runtime/statistics/interval.h"
#include "runtime/statistics/queues.h"
#include "runtime/statistics/sample.h"

namespace perigee::bindings {

struct IntervalValue : Interval {
  bool is_difference = false;
  std::optional<StoppingRule> rule = {};  // the rule of stats.replicate
  bool distinguishable() const { return statistics::distinguishable(*this); }
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::IntervalValue> {
  static constexpr const char* value = "confidence interval";
};
template <>
struct TypeName<bindings::Summary> {
  static constexpr const char* value = "summary";
};
template <>
struct TypeName<bindings::Histogram> {
  static constexpr const char* value = "histogram";
};
template <>
struct TypeName<bindings::Fit> {
  static constexpr const char* value = "fitted curve";
};
template <>
struct TypeName<bindings::MM1> {
  static constexpr const char* value = "steady M/M/1 queue";
};
template <>
struct TypeName<bindings::MMC> {
  static constexpr const char* value = "steady M/M/c queue";
};
template <>
struct TypeName<bindings::MG1> {
  static constexpr const char* value = "steady M/G/1 queue";
};
template <>
struct TypeName<bindings::Observations> {
  static constexpr const char* value = "tally of observations";
};
template <>
struct TypeName<bindings::TimeWeighted> {
  static constexpr const char* value = "time-weighted statistic";
};
template <>
struct TypeName<bindings::LittlesLaw> {
  static constexpr const char* value = "check of Little's law";
};

}  // namespace perigee::host

namespace perigee::bindings {

template <class Queue>
std::string queue_text(const Queue& queue) {
  return fmt::format(
      "{}: utilization {:.4g}, mean response {:.5g}, mean "
      "wait {:.5g}, mean number {:.5g}, of these wait {:.5g}",
      TypeName<Queue>::value, queue.utilization(), queue.mean_response(), queue.mean_wait(),
      queue.mean_number(), queue.mean_queue());
}

// Pushes whether stats.replicate reached its goal; nil for other intervals.
inline int push_reached(lua_State* L, const IntervalValue& value) {
  if (value.rule)
    lua_pushboolean(L, value.rule->met(value) ? 1 : 0);
  else
    lua_pushnil(L);
  return 1;
}

template <>
struct Shown<IntervalValue> {
  static std::string text(const IntervalValue& value) {
    std::string text = value.is_difference ? difference_text(value) : value.text();
    if (value.rule && !value.rule->met(value))
      text += fmt::format(", not within {:.6g} % of the mean", 100 * value.rule->relative);
    return text;
  }
  static constexpr Field<IntervalValue> fields[] = {
      {"mean", push_field<&IntervalValue::mean>},
      {"sd", push_field<&IntervalValue::sd>},
      {"half_width", push_field<&IntervalValue::half_width>},
      {"relative_half_width", push_field<&IntervalValue::relative_half_width>},
      {"low", push_field<&IntervalValue::low>},
      {"high", push_field<&IntervalValue::high>},
      {"n", push_field<&IntervalValue::n>},
      {"confidence", push_field<&IntervalValue::confidence>},
      {"distinguishable", push_field<&IntervalValue::distinguishable>},
      {"reached", push_reached}};
};

template <>
struct Shown<Summary> {
  static std::string text(const Summary& summary) { return summary.text(); }
  static constexpr Field<Summary> fields[] = {
      {"n", push_field<&Summary::n>},   {"mean", push_field<&Summary::mean>},
      {"sd", push_field<&Summary::sd>}, {"min", push_field<&Summary::min>},
      {"q1", push_field<&Summary::q1>}, {"median", push_field<&Summary::median>},
      {"q3", push_field<&Summary::q3>}, {"max", push_field<&Summary::max>}};
};

template <>
struct Shown<Histogram> {
  static std::string text(const Histogram& histogram) { return histogram.text(); }
  static constexpr Field<Histogram> fields[] = {{"n", push_field<&Histogram::n>},
                                                {"edges", push_field<&Histogram::edges>},
                                                {"counts", push_field<&Histogram::counts>},
                                                {"below", push_field<&Histogram::below>},
                                                {"above", push_field<&Histogram::above>}};
};

template <>
struct Shown<Fit> {
  static std::string text(const Fit& fit) { return fit.text(); }
  static constexpr Field<Fit> fields[] = {{"coefficients", push_field<&Fit::coefficients>},
                                          {"r_squared", push_field<&Fit::r_squared>},
                                          {"r_squared_log", push_field<&Fit::r_squared_log>},
                                          {"n", push_field<&Fit::n>}};
};

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
  static constexpr Field<MMC> fields[] = {{"lambda", push_field<&MMC::lambda>},
                                          {"mu", push_field<&MMC::mu>},
                                          {"servers", push_field<&MMC::servers>},
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

template <>
struct Shown<Observations> {
  static std::string text(const Observations& seen) {
    if (seen.count() == 0) return "no values";
    return fmt::format("mean {:.5g}, sd {:.5g}, min {:.5g}, max {:.5g}, last {:.5g} (n = {})",
                       seen.mean() + 0.0, seen.sd(), seen.min() + 0.0, seen.max() + 0.0, seen.last() + 0.0,
                       seen.count());
  }
  static constexpr Field<Observations> fields[] = {
      {"n", push_field<&Observations::count>}, {"mean", push_field<&Observations::mean>},
      {"sd", push_field<&Observations::sd>},   {"min", push_field<&Observations::min>},
      {"max", push_field<&Observations::max>}, {"last", push_field<&Observations::last>}};
};

template <>
struct Shown<TimeWeighted> {
  static std::string text(const TimeWeighted& x) {
    if (!(x.period() > 0)) return fmt::format("no time yet, value {:.5g} since {:.5g}", x.value(), x.now());
    return fmt::format("mean {:.5g}, sd {:.5g}, min {:.5g}, max {:.5g}, last {:.5g} (period {:.5g})",
                       x.mean() + 0.0, x.sd(), x.min() + 0.0, x.max() + 0.0, x.value() + 0.0, x.period());
  }
  static constexpr Field<TimeWeighted> fields[] = {
      {"mean", push_field<&TimeWeighted::mean>},   {"sd", push_field<&TimeWeighted::sd>},
      {"min", push_field<&TimeWeighted::min>},     {"max", push_field<&TimeWeighted::max>},
      {"value", push_field<&TimeWeighted::value>}, {"period", push_field<&TimeWeighted::period>},
      {"now", push_field<&TimeWeighted::now>}};
};

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

namespace {

// The last argument, a table that may be absent: then it is as if it were empty.
Fields options_at(lua_State* L, int index, const char* function, std::span<const FieldRow> rows) {
  if (lua_isnoneornil(L, index)) {
    lua_settop(L, index - 1);
    lua_newtable(L);
  }
  return {L, index, {function}, rows};
}

double confidence_at(lua_State* L, int index, const char* function) {
  return confidence_in(options_at(L, index, function, statistics_fields::kInterval));
}

// ---- intervals

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
  const Interval& interval = check<IntervalValue>(L, 1);
  lua_pushboolean(L, interval.contains(number_arg(L, 2, "contains: x")) ? 1 : 0);
  return 1;
}

int needed(lua_State* L) {
  const Interval& pilot = check<IntervalValue>(L, 1);
  return push_value(L,
                    replications_needed(pilot, share_arg(L, 2, "replications_needed: relative", kPositive)));
}

// stats.replicate { run = function(i) ... end, relative = 0.05, ... } -> interval
int replicate(lua_State* L) {
  const Fields fields(L, 1, {"stats.replicate"}, statistics_fields::kReplicate);
  StoppingRule rule;
  rule.relative = fields.number(statistics_fields::kRelative);
  rule.confidence = confidence_in(fields);
  rule.at_least = static_cast<std::size_t>(fields.integer(statistics_fields::kAtLeast));
  rule.at_most = static_cast<std::size_t>(fields.integer(statistics_fields::kAtMost));
  if (!fields.has(statistics_fields::kAtMost)) rule.at_most = std::max(rule.at_most, rule.at_least);
  rule.check();
  if (!fields.push(statistics_fields::kRun))
    fields.fail(statistics_fields::kRun, "'run' is missing: a function of the replication's number");
  if (lua_type(L, -1) != LUA_TFUNCTION && !is_unknown(L, -1))
    fields.fail(statistics_fields::kRun, "run must be a function of the replication's number, got {}",
                shown(L, -1));
  const int run = lua_gettop(L);
  Observations values;
  Interval so_far = interval_of(values, rule.confidence);
  while (values.count() < rule.at_most && !rule.met(so_far)) {
    lua_pushvalue(L, run);
    push_value(L, values.count() + 1);
    Interpreter::of(L).count(1);
    lua_call(L, 1, 1);
    if (is_unknown(L, -1)) return 1;
    values.add(number_arg(L, -1, "stats.replicate: what run returned"));
    lua_settop(L, run);
    so_far = interval_of(values, rule.confidence);
  }
  push_new(L, IntervalValue{so_far, false, rule});
  return 1;
}

// ---- lists

int summary(lua_State* L) {
  push_new(L, summarize(list_at(L, 1, "stats.summary: values")));
  return 1;
}

// stats.quantile(list, p [, { type = 7 }])
int quantile(lua_State* L) {
  const auto type =
      options_at(L, 3, "stats.quantile", statistics_fields::kQuantile).integer(statistics_fields::kType);
  const auto values = list_at(L, 1, "stats.quantile: values");
  return push_number(
      L, sample_quantile(values, share_arg(L, 2, "stats.quantile: p", kProbability), static_cast<int>(type)));
}

// stats.forecast(list, "median(5)")
int forecast_next(lua_State* L) {
  const auto values = list_at(L, 1, "stats.forecast: values");
  const auto method = text_at(L, 2);
  if (!method)
    fail("bad_type", "stats.forecast: the method is a text, as in \"median(5)\", got {}", shown(L, 2));
  return push_number(L, forecast(values, forecast_method(*method)));
}

// stats.histogram(list [, { bins = 20 } or { edges = {...} }])
int make_histogram(lua_State* L) {
  const auto values = list_at(L, 1, "stats.histogram: values");
  if (lua_isnoneornil(L, 2)) {
    push_new(L, histogram(values, freedman_diaconis(values)));
    return 1;
  }
  const Fields fields(L, 2, {"stats.histogram"}, statistics_fields::kHistogram);
  if (fields.has(statistics_fields::kBins) && fields.has(statistics_fields::kEdges))
    fields.fail(statistics_fields::kBins, "either bins or edges, not both");
  if (fields.push(statistics_fields::kEdges)) {
    push_new(L, histogram(values, list_at(L, -1, "stats.histogram: edges")));
  } else {
    const std::size_t usual =
        std::clamp<std::size_t>(freedman_diaconis(values), 1, statistics_fields::kMostBins);
    const auto bins = fields.integer(statistics_fields::kBins, static_cast<std::int64_t>(usual));
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

template <Fit::Curve Curve>
int fit_curve(lua_State* L) {
  const auto x = list_at(L, 1, "stats.fit: x"), y = list_at(L, 2, "stats.fit: y");
  push_new(L, fit(Curve, x, y));
  return 1;
}
constexpr auto linear = fit_curve<Fit::Curve::linear>;
constexpr auto quadratic = fit_curve<Fit::Curve::quadratic>;
constexpr auto exponential_fit = fit_curve<Fit::Curve::exponential>;

// stats.fit.terms({ { ... }, ... }, y) -> coefficients
int terms(lua_State* L) {
  if (lua_type(L, 1) != LUA_TTABLE)
    fail("bad_type", "stats.fit.terms: a list of points is needed, each the list of its terms, got {}",
         shown(L, 1));
  std::vector<std::vector<double>> rows;
  const lua_Integer count = list_length(L, 1, "stats.fit.terms");
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, 1, i);
    rows.push_back(list_at(L, -1, fmt::format("stats.fit.terms: point {}", i).c_str()));
    lua_pop(L, 1);
  }
  lua_newtable(L);
  lua_Integer place = 0;
  for (const double coefficient : fit_terms(rows, list_at(L, 2, "stats.fit.terms: y"))) {
    lua_pushnumber(L, coefficient);
    lua_rawseti(L, -2, ++place);
  }
  return 1;
}

int predict(lua_State* L) {
  const Fit& fit = check<Fit>(L, 1);
  return push_number(L, fit.predict(number_arg(L, 2, "predict: x")));
}

// ---- closed forms

int make_mm1(lua_State* L) {
  const Fields fields(L, 1, {"stats.mm1"}, queue_fields::kMM1);
  push_new(L, mm1(fields.number(queue_fields::kLambda), fields.number(queue_fields::kMu)));
  return 1;
}
int make_mmc(lua_State* L) {
  const Fields fields(L, 1, {"stats.mmc"}, queue_fields::kMMC);
  const auto servers = fields.integer(queue_fields::kServers);
  push_new(L, mmc(fields.number(queue_fields::kLambda), fields.number(queue_fields::kMu), servers));
  return 1;
}
// stats.mg1 { lambda =, service = distribution } or { lambda =, mean =, sd = or second_moment = }
int make_mg1(lua_State* L) {
  const Fields fields(L, 1, {"stats.mg1"}, queue_fields::kMG1);
  const double lambda = fields.number(queue_fields::kLambda);
  const bool has_service = fields.has(queue_fields::kService);
  if (int{has_service} + int{fields.has(queue_fields::kSd)} + int{fields.has(queue_fields::kSecondMoment)} !=
          1 ||
      has_service == fields.has(queue_fields::kMean))
    fields.fail("",
                "the service is told by a distribution, service, or by mean and either sd or second_moment");
  if (fields.push(queue_fields::kService)) {
    const auto& service = check<Distribution>(L, -1, "stats.mg1: service");
    const double mean = service.mean(), sd = service.sd();
    push_new(L, mg1(lambda, mean, sd * sd + mean * mean));
    return 1;
  }
  const double mean = fields.number(queue_fields::kMean);
  const double sd = fields.number(queue_fields::kSd, 0.0);
  push_new(L, mg1(lambda, mean, fields.number(queue_fields::kSecondMoment, mean * mean + sd * sd)));
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

// stats.time_weighted [{ value = 0, start = 0 }]
int time_weighted(lua_State* L) {
  const Fields fields = options_at(L, 1, "stats.time_weighted", statistics_fields::kTimeWeighted);
  const double value = fields.number(statistics_fields::kValue);
  push_new(L, TimeWeighted(value, fields.number(statistics_fields::kStart)));
  return 1;
}
double time_arg(lua_State* L, const char* what) {
  return number_at(L, 2, what, Dimension::seconds, kAnyNumber);
}
int statistics_set(lua_State* L) {
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

int make_littles_law(lua_State* L) {
  const Fields fields(L, 1, {"stats.littles_law"}, statistics_fields::kLittlesLaw);
  push_new(L, littles_law(fields.number(statistics_fields::kRate), fields.number(statistics_fields::kTime),
                          fields.number(statistics_fields::kNumber)));
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
constexpr luaL_Reg kTimeWeightedMethods[] = {{"set", word<statistics_set>},
                                             {"advance", word<advance_time>},
                                             {"reset", word<reset_time_weighted>},
                                             {nullptr, nullptr}};
constexpr luaL_Reg kStats[] = {{"interval", word<interval>},
                               {"paired", word<paired>},
                               {"replicate", word<replicate>},
                               {"summary", word<summary>},
                               {"quantile", word<quantile>},
                               {"forecast", word<forecast_next>},
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
                             {"terms", word<terms>},
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

  open_distributions(L);
  lua_newtable(L);
  luaL_setfuncs(L, kStats, 0);
  push_module(L, "stats.fit", kFit);
  lua_setfield(L, -2, "fit");
  freeze(L, "stats");
  define(L, "stats");
}

}  // namespace perigee::bindings
