// cost: functions that cut sweeps and loads (runtime/cost/factoring.h, calibration.h, installments.h,
// rounds.h). Hosts and workers count from 1.
#include "interpreter/session/interpreter.h"
#include "runtime/cost/calibration.h"
#include "runtime/cost/factoring.h"
#include "runtime/cost/installments.h"
#include "runtime/cost/rounds.h"

namespace perigee::bindings {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMostHosts = 1'000'000;
constexpr std::int64_t kMostRounds = 100'000;
constexpr std::int64_t kMostSlots = 1'000'000'000;

void set_cost(lua_State* L, const char* name, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}

void push_list(lua_State* L, std::span<const double> values) {
  lua_createtable(L, static_cast<int>(values.size()), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    lua_pushnumber(L, values[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}
// Pushes a list of whole numbers.
void push_runs(lua_State* L, std::span<const double> runs) {
  lua_createtable(L, static_cast<int>(runs.size()), 0);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>(runs[i]));
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}
void set_cost(lua_State* L, const char* name, std::span<const double> values) {
  push_list(L, values);
  lua_setfield(L, -2, name);
}
void set_cost(lua_State* L, const char* name, std::span<const std::uint32_t> places) {
  lua_createtable(L, static_cast<int>(places.size()), 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>(places[i]) + 1);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_setfield(L, -2, name);
}

std::vector<double> list_in(const Fields& fields, const char* name, Dimension dimension, Range range) {
  lua_State* L = fields.state();
  if (!fields.push(name)) return {};
  std::vector<double> values = numbers_at(L, -1, fields.subject() + ": " + name, dimension, range);
  lua_pop(L, 1);
  Interpreter::of(L).count(values.size());
  return values;
}

std::vector<Worker> workers_in(const Fields& fields) {
  lua_State* L = fields.state();
  constexpr Range kRate{0, std::numeric_limits<double>::infinity(), true};
  if (!fields.push("workers")) fields.fail("workers", "workers must be given: a list of {{ speed = ... }}");
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail("workers", "workers must be a list of {{ speed = ... }}, got {}", shown(L, -1));
  const int table = lua_gettop(L);
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, table));
  if (count > kMostHosts) fields.fail("workers", "{} workers are too many", count);
  std::vector<Worker> workers;
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, table, i);
    const Fields one(L, lua_gettop(L), {"worker", {}, i}, {"speed", "rate", "send_latency", "start_latency"});
    workers.push_back({one.number("speed", Dimension::count, std::nullopt, kPositive),
                       one.number("rate", Dimension::count, std::numeric_limits<double>::infinity(), kRate),
                       one.number("send_latency", Dimension::seconds, 0, kNotNegative),
                       one.number("start_latency", Dimension::seconds, 0, kNotNegative)});
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  Interpreter::of(L).count(workers.size());
  return workers;
}

// cost.factoring { runs =, hosts = [, cv =] }
int factoring_list(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.factoring"}, {"runs", "hosts", "cv"});
    const double runs = fields.number("runs", Dimension::count, std::nullopt, {0, 1e15, true});
    const auto hosts = static_cast<std::size_t>(fields.integer("hosts", std::nullopt, 1, kMostHosts));
    const std::vector<double> chunks =
        factoring_sequence(runs, hosts, fields.number("cv", Dimension::count, kUnknown, kNotNegative));
    Interpreter::of(L).count(chunks.size());
    push_runs(L, chunks);
    return 1;
  });
}

// cost.speed_weights(seconds_a_run)
int speed_weights(lua_State* L) {
  return guard(L, [&] {
    const std::vector<double> times =
        numbers_at(L, 1, "speed_weights: the times", Dimension::seconds, kNotNegative);
    Interpreter::of(L).count(times.size());
    push_list(L, weights_of(times));
    return 1;
  });
}

// cost.largest_remainder(shares)
int remainders(lua_State* L) {
  return guard(L, [&] {
    const std::vector<double> shares =
        numbers_at(L, 1, "largest_remainder: the shares", Dimension::count, {0, 1e15, false});
    Interpreter::of(L).count(shares.size());
    push_runs(L, largest_remainder(shares));
    return 1;
  });
}

// cost.calibrate { times =, left = [, mode =, availability =, latency =, single = ] }
int calibration(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.calibrate"},
                        {"times", "left", "mode", "availability", "latency", "single"});
    if (!fields.has("times")) fields.fail("times", "times must be given: s of a run on each host");
    const auto mode =
        static_cast<CalibrationMode>(fields.choice("mode", 0, {"times", "univariate", "multivariate"}));
    const Calibration found =
        calibrate(mode, list_in(fields, "times", Dimension::seconds, kPositive),
                  list_in(fields, "availability", Dimension::fraction, kAnyNumber),
                  list_in(fields, "latency", Dimension::seconds, kNotNegative),
                  fields.number("left", Dimension::count, std::nullopt, {0, 1e15, false}),
                  fields.flag("single", false));
    lua_createtable(L, 0, 6);
    set_cost(L, "fitness", found.fitness);
    set_cost(L, "fitted", found.fitted);
    push_runs(L, found.packages);
    lua_setfield(L, -2, "packages");
    set_cost(L, "cv", found.cv);
    set_cost(L, "k", found.k);
    lua_pushboolean(L, found.fell_back);
    lua_setfield(L, -2, "fell_back");
    return 1;
  });
}

void push_cut(lua_State* L, const Cut& cut) {
  lua_createtable(L, 0, 3);
  set_cost(L, "worker", cut.worker);
  set_cost(L, "fraction", cut.fraction);
  set_cost(L, "time", cut.time);
}

// cost.multi_installment { workers =, installments = }
int several_installments(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.multi_installment"}, {"workers", "installments"});
    const std::vector<Worker> workers = workers_in(fields);
    const auto installments =
        static_cast<std::size_t>(fields.integer("installments", std::nullopt, 1, kMostHosts));
    if (workers.size() * installments > static_cast<std::size_t>(kMostHosts))
      fields.fail("installments", "{} installments to {} workers are too many", installments, workers.size());
    Interpreter::of(L).count(workers.size() * workers.size() * installments);
    push_cut(L, multi_installment(workers, installments));
    return 1;
  });
}

// cost.single_installment { workers = }
int one_installment(lua_State* L) {
  return guard(L, [&] {
    push_cut(L, single_installment(workers_in(Fields(L, 1, {"cost.single_installment"}, {"workers"}))));
    return 1;
  });
}

// cost.umr and cost.mrrs { load =, workers = [, rounds =, first_share =, tail = ] }
template <bool selects>
int rounds_of(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {selects ? "cost.mrrs" : "cost.umr"},
                        {"load", "workers", "rounds", "first_share", "tail"});
    const double load = fields.number("load", Dimension::count, std::nullopt, kPositive);
    const std::vector<Worker> workers = workers_in(fields);
    RoundOptions options;
    if (fields.has("rounds"))
      options.rounds = static_cast<std::size_t>(fields.integer("rounds", 1, 1, 100'000));
    options.first_share = fields.number("first_share", Dimension::fraction, 1, {0, 1, false});
    options.tail = fields.number("tail", Dimension::seconds, 0, kNotNegative);
    const std::size_t tried = options.rounds > 0 ? 1 : options.most,
                      longest = options.rounds > 0 ? options.rounds : options.most;
    if (workers.size() * longest > static_cast<std::size_t>(kMostHosts) * 100)
      fields.fail("rounds", "{} rounds of {} workers are too many", longest, workers.size());
    Interpreter::of(L).count(workers.size() * longest * tried * (selects ? workers.size() : 1));
    const RoundPlan plan = selects ? mrrs(load, workers, options) : umr(load, workers, options);
    lua_createtable(L, 0, 5);
    lua_pushinteger(L, static_cast<lua_Integer>(plan.rounds));
    lua_setfield(L, -2, "rounds");
    set_cost(L, "worker", plan.worker);
    set_cost(L, "time", plan.time);
    lua_createtable(L, static_cast<int>(plan.rounds), 0);
    for (std::size_t j = 0; j < plan.rounds; ++j) {
      push_list(L, std::span(plan.chunk).subspan(j * plan.worker.size(), plan.worker.size()));
      lua_rawseti(L, -2, static_cast<lua_Integer>(j) + 1);
    }
    lua_setfield(L, -2, "chunk");
    set_cost(L, "makespan", plan.makespan);
    return 1;
  });
}

// cost.rumr_split { load =, workers = [, error = ] } -> planned, factored
int split(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.rumr_split"}, {"load", "workers", "error"});
    const RobustSplit out =
        rumr_split(fields.number("load", Dimension::count, std::nullopt, kPositive), workers_in(fields),
                   fields.number("error", Dimension::fraction, kUnknown, kNotNegative));
    lua_pushnumber(L, out.planned);
    lua_pushnumber(L, out.factored);
    return 2;
  });
}

// cost.rumr_chunk { left =, workers = [, error = ] }
int robust_chunk(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.rumr_chunk"}, {"left", "workers", "error"});
    lua_pushnumber(
        L, rumr_chunk(fields.number("left", Dimension::count, std::nullopt, kNotNegative), workers_in(fields),
                      fields.number("error", Dimension::fraction, kUnknown, kNotNegative)));
    return 1;
  });
}

constexpr Range kRuns{0, 1e15, false};

double whole_at(lua_State* L, int index, const char* what, std::int64_t most) {
  return static_cast<double>(integer_at(L, index, what, 1, most));
}

// cost.sine_quota { runs =, peak =, k =, round = [, m = ] }
int quota_of_round(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.sine_quota"}, {"runs", "peak", "k", "round", "m"});
    const auto peak = static_cast<double>(fields.integer("peak", std::nullopt, 1, kMostRounds));
    const auto k = static_cast<double>(fields.integer("k", std::nullopt, 1, kMostRounds));
    if (k < peak) fields.fail("k", "k must be >= peak = {}, got {}", peak, k);
    const double m =
        fields.has("m") ? fields.number("m", Dimension::count, std::nullopt, kPositive) : full_cover(peak, k);
    const auto round = static_cast<double>(
        fields.integer("round", std::nullopt, 1, std::numeric_limits<std::int32_t>::max()));
    Interpreter::of(L).count(static_cast<std::size_t>(peak));
    lua_pushnumber(
        L, sine_quota(fields.number("runs", Dimension::count, std::nullopt, kRuns), peak, k, m, round));
    return 1;
  });
}
// cost.full_cover(peak, k)
int covering_m(lua_State* L) {
  return guard(L, [&] {
    const double peak = whole_at(L, 1, "full_cover: peak", kMostRounds),
                 k = whole_at(L, 2, "full_cover: k", kMostRounds);
    if (k < peak) fail("out_of_range", "full_cover: k must be >= peak = {}, got {}", peak, k);
    Interpreter::of(L).count(static_cast<std::size_t>(peak));
    lua_pushnumber(L, full_cover(peak, k));
    return 1;
  });
}

int push_whole(lua_State* L, double runs) {
  lua_pushinteger(L, static_cast<lua_Integer>(runs));
  return 1;
}
// cost.whole_share(share)
int share_rounded_up(lua_State* L) {
  return guard(L, [&] {
    return push_whole(L, whole_share(number_at(L, 1, "whole_share: share", Dimension::count, kRuns)));
  });
}
// cost.unit_share(share, unit)
int share_in_units(lua_State* L) {
  return guard(L, [&] {
    return push_whole(L, unit_share(number_at(L, 1, "unit_share: share", Dimension::count, kRuns),
                                    whole_at(L, 2, "unit_share: unit", kMostSlots)));
  });
}
// cost.filling_unit(slots, trials)
int unit_by_trials(lua_State* L) {
  return guard(L, [&] {
    return push_whole(L, filling_unit(whole_at(L, 1, "filling_unit: slots", kMostSlots),
                                      whole_at(L, 2, "filling_unit: trials", kMostSlots)));
  });
}
// cost.published_unit(slots)
int unit_as_published(lua_State* L) {
  return guard(
      L, [&] { return push_whole(L, published_unit(whole_at(L, 1, "published_unit: slots", kMostSlots))); });
}

// cost.blend_enpr { enpr =, npp = [, alpha = ] }
int next_enpr(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.blend_enpr"}, {"enpr", "npp", "alpha"});
    std::vector<double> enpr = list_in(fields, "enpr", Dimension::fraction, kNotNegative);
    const std::vector<double> npp = list_in(fields, "npp", Dimension::count, kNotNegative);
    if (enpr.empty() || enpr.size() != npp.size())
      fields.fail("npp", "enpr and npp must be lists with a number for each host, got {} and {}", enpr.size(),
                  npp.size());
    blend_enpr(enpr, npp, fields.number("alpha", Dimension::fraction, 0.5, {0, 1, true}));
    push_list(L, enpr);
    return 1;
  });
}

constexpr luaL_Reg kSweepCosts[] = {{"factoring", factoring_list},
                                    {"speed_weights", speed_weights},
                                    {"largest_remainder", remainders},
                                    {"calibrate", calibration},
                                    {"multi_installment", several_installments},
                                    {"single_installment", one_installment},
                                    {"umr", rounds_of<false>},
                                    {"mrrs", rounds_of<true>},
                                    {"rumr_split", split},
                                    {"rumr_chunk", robust_chunk},
                                    {"sine_quota", quota_of_round},
                                    {"full_cover", covering_m},
                                    {"whole_share", share_rounded_up},
                                    {"unit_share", share_in_units},
                                    {"filling_unit", unit_by_trials},
                                    {"published_unit", unit_as_published},
                                    {"blend_enpr", next_enpr},
                                    {nullptr, nullptr}};

}  // namespace

// Adds the functions to the table on top of the stack.
void add_sweep_costs(lua_State* L) { luaL_setfuncs(L, kSweepCosts, 0); }

}  // namespace perigee::bindings
