// cost: functions that cut sweeps and loads (runtime/cost/factoring.h, calibration.h, installments.h,
// rounds.h). Hosts and workers count from 1.
#include <fmt/format.h>

#include <limits>
#include <span>
#include <vector>

#include "interpreter/language/fields/sweeps.h"
#include "interpreter/session/interpreter.h"
#include "runtime/cost/calibration.h"
#include "runtime/cost/factoring.h"
#include "runtime/cost/installments.h"
#include "runtime/cost/rounds.h"

namespace perigee::bindings {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMostHosts = worker_fields::kMostHosts;
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

std::vector<double> list_in(const Fields& fields, const FieldRow& field) {
  lua_State* L = fields.state();
  if (!fields.push(field)) return {};
  std::vector<double> values = fields.numbers(field, fmt::format("{}: {}", fields.subject(), field.name));
  lua_pop(L, 1);
  Interpreter::of(L).count(values.size());
  return values;
}

std::vector<Worker> workers_in(const Fields& fields) {
  lua_State* L = fields.state();
  const FieldRow& field = worker_fields::kWorkers;
  if (!fields.push(field)) fields.fail(field, "workers must be given: a list of {{ speed = ... }}");
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail(field, "workers must be a list of {{ speed = ... }}, got {}", shown(L, -1));
  const int table = lua_gettop(L);
  const lua_Integer count = list_length(L, table, fmt::format("{}: workers", fields.subject()));
  if (count > kMostHosts) fields.fail(field, "{} workers are too many", count);
  std::vector<Worker> workers;
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, table, i);
    inside_entry(L, table, i, [&] {
      const Fields one(L, lua_gettop(L), {"worker", {}, i}, worker_fields::kAll);
      workers.push_back({one.number(worker_fields::kSpeed), one.number(worker_fields::kRate),
                         one.number(worker_fields::kSendLatency), one.number(worker_fields::kStartLatency)});
    });
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  Interpreter::of(L).count(workers.size());
  return workers;
}

// cost.factoring { runs =, hosts = [, cv =] }
int factoring_list(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.factoring"}, factoring_fields::kAll);
    const double runs = fields.number(factoring_fields::kRuns);
    const auto hosts = static_cast<std::size_t>(fields.integer(factoring_fields::kHosts));
    const std::vector<double> chunks =
        factoring_sequence(runs, hosts, fields.number(factoring_fields::kCv, kUnknown));
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
    const Fields fields(L, 1, {"cost.calibrate"}, calibration_fields::kAll);
    if (!fields.has(calibration_fields::kTimes))
      fields.fail(calibration_fields::kTimes, "times must be given: s of a run on each host");
    const auto mode = static_cast<CalibrationMode>(fields.choice(calibration_fields::kMode));
    const auto not_used = [&](const FieldRow& field, std::string_view modes) {
      if (fields.has(field))
        fields.fail(field, "mode \"{}\" takes no {}; it belongs to {}",
                    fields.text(calibration_fields::kMode), field.name, modes);
    };
    if (mode == CalibrationMode::times)
      not_used(calibration_fields::kAvailability, "\"univariate\" and \"multivariate\"");
    if (mode != CalibrationMode::multivariate) not_used(calibration_fields::kLatency, "\"multivariate\"");
    const Calibration found = calibrate(
        mode, list_in(fields, calibration_fields::kTimes), list_in(fields, calibration_fields::kAvailability),
        list_in(fields, calibration_fields::kLatency), fields.number(calibration_fields::kLeft),
        fields.flag(calibration_fields::kSingle));
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
    const Fields fields(L, 1, {"cost.multi_installment"}, installment_fields::kSeveral);
    const std::vector<Worker> workers = workers_in(fields);
    const auto installments = static_cast<std::size_t>(fields.integer(installment_fields::kInstallments));
    if (workers.size() * installments > static_cast<std::size_t>(kMostHosts))
      fields.fail(installment_fields::kInstallments, "{} installments to {} workers are too many",
                  installments, workers.size());
    Interpreter::of(L).count(workers.size() * workers.size() * installments);
    push_cut(L, multi_installment(workers, installments));
    return 1;
  });
}

// cost.single_installment { workers = }
int one_installment(lua_State* L) {
  return guard(L, [&] {
    push_cut(L, single_installment(
                    workers_in(Fields(L, 1, {"cost.single_installment"}, installment_fields::kOne))));
    return 1;
  });
}

// cost.umr and cost.mrrs { load =, workers = [, rounds =, first_share =, tail = ] }
template <bool selects>
int rounds_of(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {selects ? "cost.mrrs" : "cost.umr"}, round_fields::kUniform);
    const double load = fields.number(round_fields::kLoad);
    const std::vector<Worker> workers = workers_in(fields);
    RoundOptions options;
    if (fields.has(round_fields::kRounds))
      options.rounds = static_cast<std::size_t>(fields.integer(round_fields::kRounds));
    options.first_share = fields.number(round_fields::kFirstShare);
    options.tail = fields.number(round_fields::kTail);
    const std::size_t tried = options.rounds > 0 ? 1 : options.most,
                      longest = options.rounds > 0 ? options.rounds : options.most;
    if (workers.size() * longest > static_cast<std::size_t>(kMostHosts) * 100)
      fields.fail(round_fields::kRounds, "{} rounds of {} workers are too many", longest, workers.size());
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
    const Fields fields(L, 1, {"cost.rumr_split"}, round_fields::kSplit);
    const RobustSplit out = rumr_split(fields.number(round_fields::kLoad), workers_in(fields),
                                       fields.number(round_fields::kError, kUnknown));
    lua_pushnumber(L, out.planned);
    lua_pushnumber(L, out.factored);
    return 2;
  });
}

// cost.rumr_chunk { left =, workers = [, error = ] }
int robust_chunk(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.rumr_chunk"}, round_fields::kChunk);
    lua_pushnumber(L, rumr_chunk(fields.number(round_fields::kLeft), workers_in(fields),
                                 fields.number(round_fields::kError, kUnknown)));
    return 1;
  });
}

constexpr Range kRuns = quota_fields::kRuns.range;

double whole_at(lua_State* L, int index, const char* what, std::int64_t most) {
  return static_cast<double>(integer_at(L, index, what, 1, most));
}

// cost.sine_quota { runs =, peak =, k =, round = [, m = ] }
int quota_of_round(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.sine_quota"}, quota_fields::kAll);
    const auto peak = static_cast<double>(fields.integer(quota_fields::kPeak));
    const auto k = static_cast<double>(fields.integer(quota_fields::kK));
    if (k < peak) fields.fail(quota_fields::kK, "k must be >= peak = {}, got {}", peak, k);
    const double m = fields.has(quota_fields::kM) ? fields.number(quota_fields::kM) : full_cover(peak, k);
    const auto round = static_cast<double>(fields.integer(quota_fields::kRound));
    Interpreter::of(L).count(static_cast<std::size_t>(peak));
    lua_pushnumber(L, sine_quota(fields.number(quota_fields::kRuns), peak, k, m, round));
    return 1;
  });
}
// cost.full_cover(peak, k)
int covering_m(lua_State* L) {
  return guard(L, [&] {
    const double peak = whole_at(L, 1, "full_cover: peak", quota_fields::kMostRounds),
                 k = whole_at(L, 2, "full_cover: k", quota_fields::kMostRounds);
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
    const Fields fields(L, 1, {"cost.blend_enpr"}, enpr_fields::kAll);
    std::vector<double> enpr = list_in(fields, enpr_fields::kEnpr);
    const std::vector<double> npp = list_in(fields, enpr_fields::kNpp);
    if (enpr.empty() || enpr.size() != npp.size())
      fields.fail(enpr_fields::kNpp, "enpr and npp must be lists with a number for each host, got {} and {}",
                  enpr.size(), npp.size());
    blend_enpr(enpr, npp, fields.number(enpr_fields::kAlpha));
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
