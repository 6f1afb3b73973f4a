// duel { a =, b =, space = }: the case in which a is worst against b, and the methods of what was found.
#include "interpreter/bindings/duel/duel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "interpreter/bindings/duel/cases.h"
#include "interpreter/bindings/methods.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/experiment/carried_out.h"
#include "interpreter/bindings/run/request.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/host/unknown.h"
#include "interpreter/language/fields/duels.h"
#include "interpreter/session/interpreter.h"
#include "runtime/results/metrics.h"
#include "runtime/statistics/sample.h"

namespace perigee::bindings {

namespace {

void read_measure(const Fields& fields, Compared& compared) {
  lua_State* L = fields.state();
  if (fields.push(duel_fields::kMeasure)) {
    if (lua_type(L, -1) == LUA_TFUNCTION) {
      compared.measure = Reference(L, -1);
    } else if (const auto name = text_at(L, -1)) {
      compared.metric = *name;
    } else {
      fields.fail(duel_fields::kMeasure, "measure must be a metric or a function(result, x), got {}",
                  shown(L, -1));
    }
    lua_pop(L, 1);
  }
  if (compared.measure.valid()) {
    compared.more_is_better = fields.choice(duel_fields::kBetter) == 1;
    return;
  }
  if (compared.space->is_problem && compared.metric != "makespan")
    fields.fail(
        duel_fields::kMeasure,
        "of problems without a clock the only metric is makespan, got '{}'; a function(mapping, x) measures others",
        compared.metric);
  const MetricInfo info = fields.inside(duel_fields::kMeasure, [&] { return metric_info(compared.metric); });
  if (info.better == Better::neither && !fields.has(duel_fields::kBetter))
    fields.fail(duel_fields::kMeasure,
                "of '{}' neither less nor more is better; say better = \"less\" or \"more\"",
                compared.metric);
  compared.more_is_better = fields.has(duel_fields::kBetter) ? fields.choice(duel_fields::kBetter) == 1
                                                             : info.better == Better::higher;
}

ConfigPtr search_in(const Fields& fields) {
  lua_State* L = fields.state();
  if (!fields.push(duel_fields::kSearch)) return Interpreter::of(L).catalogue().configure("annealing");
  ConfigPtr search = fields.inside(
      duel_fields::kSearch, [&] { return scheduler_at(L, -1, fields.subject() + ": search", Role::search); });
  lua_pop(L, 1);
  return search;
}

}  // namespace

DuelValue duel_at(const Fields& fields, const Arena& arena, std::array<Side, 2> sides,
                  const FieldRow& budget) {
  lua_State* L = fields.state();
  DuelValue duel;
  Compared& compared = duel.design.compared;
  compared.space = arena.space;
  compared.space_object = arena.object;
  compared.sides = std::move(sides);
  read_measure(fields, compared);
  compared.difference = fields.choice(duel_fields::kBy) == 1;
  compared.seeds = static_cast<std::uint64_t>(fields.integer(duel_fields::kSeeds));
  compared.incomplete_ends = fields.choice(duel_fields::kIncomplete) == 1;
  compared.zero_ends = fields.choice(duel_fields::kZero) == 1;
  compared.skips_errors = fields.choice(duel_fields::kErrors) == 1;
  RunRequest& request = compared.request;
  read_options(fields, request);
  request.validate = false;
  compared.seed = request.options.seed;
  if (compared.seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) - compared.seeds)
    fields.fail(run_fields::kSeed, "seed {} is too large for {} of them", compared.seed, compared.seeds);
  if (fields.push(run_fields::kInformation)) {
    compared.information = Reference(L, -1);
    lua_pop(L, 1);
  }
  duel.design.search = search_in(fields);
  duel.design.budget = static_cast<std::uint64_t>(fields.integer(budget));
  duel.design.planned = fields.has(duel_fields::kPlanned)
                            ? static_cast<std::uint64_t>(fields.integer(duel_fields::kPlanned))
                            : duel.design.budget;
  if (duel.design.planned < duel.design.budget)
    fields.fail(duel_fields::kPlanned, "planned must be at least the budget, {}, got {}", duel.design.budget,
                duel.design.planned);
  if (fields.has(duel_fields::kTime)) duel.design.time = fields.number(duel_fields::kTime);
  duel.design.robust = fields.choice(duel_fields::kSearchFor) == 1;
  duel.shrink = static_cast<std::uint64_t>(fields.integer(duel_fields::kShrink));
  duel.keep = fields.number(duel_fields::kKeep);
  duel.draws = static_cast<std::uint64_t>(fields.integer(duel_fields::kDraws));
  if (fields.push(duel_fields::kShake)) {
    duel.shake = fields.numbers(duel_fields::kShake, fmt::format("{}: shake", fields.subject()));
    lua_pop(L, 1);
  }
  return duel;
}

Arena arena_at(lua_State* L, int index, std::string_view what) {
  return {check<SpacePtr>(L, index, what), Reference(L, index)};
}

std::vector<std::string> uncounted_lines(const Found& found) {
  std::vector<std::string> lines;
  for (std::size_t i = 1; i < kReasons; ++i)
    if (found.uncounted[i] > 0)
      lines.push_back(fmt::format("{} case{}: {}", found.uncounted[i], found.uncounted[i] == 1 ? "" : "s",
                                  name_of(static_cast<Uncounted>(i))));
  return lines;
}

void fight(lua_State* L, DuelValue& duel) {
  Interpreter& interpreter = Interpreter::of(L);
  duel.design.number = next_duel(L);
  duel.found = searched(L, duel.design);
  const Compared& compared = duel.design.compared;
  const std::vector<std::string> lines = uncounted_lines(duel.found);
  if (duel.found.evaluations == 0)
    fail("no_case", "duel in '{}': there is no case, for 'valid' refuses each", compared.space->name);
  duel.seen = surroundings_of(compared).look(L);
  if (!duel.found.worst)
    fail("no_case", "{}: no case counted of {}: {}; the first: {}",
         fmt::format("duel in '{}'", compared.space->name), duel.found.evaluations, fmt::join(lines, "; "),
         duel.found.first_uncounted ? text_of_case(L, compared.space->space, *duel.found.first_uncounted)
                                    : "none");
  std::uint64_t left_out = 0;
  for (const std::uint64_t count : duel.found.uncounted) left_out += count;
  if (left_out > 0 && 10 * left_out >= 9 * duel.found.evaluations)
    interpreter.output().warn(fmt::format("duel in '{}': {} of {} cases do not count: {}",
                                          compared.space->name, left_out, duel.found.evaluations,
                                          fmt::join(lines, "; ")));
  if (duel.found.late)
    interpreter.output().warn(fmt::format(
        "duel in '{}': the time was over after {} evaluations; budget = {}, planned = {} repeats it",
        compared.space->name, duel.found.evaluations, duel.found.used, duel.design.planned));
}

namespace {

// While it lives, what is worked out of a duel must leave what its functions see as it was when the search was over.
class Untouched {
 public:
  Untouched(lua_State* L, const DuelValue& duel) : L_(L), duel_(duel) { check(); }
  void check() const {
    const auto seen = surroundings_of(duel_.design.compared).changed_since(L_, duel_.seen);
    if (seen)
      fail("not_pure",
           "duel in '{}': {}, {}, is another since the search, so that the answer would be of other cases",
           duel_.design.compared.space->name, seen->name, seen->by);
  }

 private:
  lua_State* L_;
  const DuelValue& duel_;
};

}  // namespace

const Shrunk& smallest_of(lua_State* L, DuelValue& duel) {
  if (duel.small) return *duel.small;
  const Untouched untouched(L, duel);
  const Compared& compared = duel.design.compared;
  if (std::isinf(duel.found.score) || duel.shrink == 0) {
    duel.small = Shrunk{duel.worst(), 0, false};
    return *duel.small;
  }
  // `keep` is a share of what a loses to b: a ratio below 2 keeps its excess over 1.
  const double ratio = duel.ratio();
  const double wanted = compared.difference ? ratio - (1 - duel.keep) * std::abs(ratio)
                        : ratio < 2         ? 1 + duel.keep * (ratio - 1)
                                            : duel.keep * ratio;
  Compared quiet = compared;
  quiet.skips_errors = true;
  duel.small = space::shrink(
      compared.space->space, duel.worst(),
      [&](const Datum& value) {
        const Scored scored = score_of(L, quiet, value);
        return scored.why == Uncounted::none && compared.ratio_of(scored.score, scored.of) >= wanted;
      },
      duel.shrink);
  untouched.check();
  return *duel.small;
}

namespace {

// The ratio over draws of the case, its numbers shaken by up to `share`.
ShakenRow shaken_by(lua_State* L, const DuelValue& duel, const Datum& value, double share,
                    const Stream& all) {
  Compared quiet = duel.design.compared;
  quiet.skips_errors = true;
  ShakenRow row{.share = share};
  std::vector<double> ratios;
  for (std::uint64_t draw = 0; draw < duel.draws; ++draw) {
    Stream stream = all.sub(draw);
    const Datum drawn = shaken(quiet.space->space, value, share, stream);
    row.moved = row.moved || drawn != value;
    const Scored scored = score_of(L, quiet, drawn);
    if (!std::isnan(scored.score)) ratios.push_back(quiet.ratio_of(scored.score, scored.of));
  }
  std::ranges::sort(ratios);
  const double none = std::numeric_limits<double>::quiet_NaN(), even = quiet.difference ? 0 : 1;
  row.counted = ratios.size();
  const auto quantile = [&](double p) {
    return ratios.empty() ? none
                          : statistics::quantile_of_sorted(
                                ratios.size(), [&](std::size_t k) { return ratios[k]; }, p);
  };
  row.median = quantile(0.5);
  row.low = quantile(0.05);
  row.high = quantile(0.95);
  row.above = ratios.empty()
                  ? none
                  : static_cast<double>(std::ranges::count_if(ratios, [&](double r) { return r > even; })) /
                        static_cast<double>(ratios.size());
  return row;
}

}  // namespace

const std::vector<ShakenRow>& shaken_of(lua_State* L, DuelValue& duel) {
  if (duel.shaken) return *duel.shaken;
  const Untouched untouched(L, duel);
  std::vector<ShakenRow> rows;
  for (std::size_t i = 0; i < duel.shake.size(); ++i)
    rows.push_back(
        shaken_by(L, duel, duel.worst(), duel.shake[i], Stream(duel.design.compared.seed, "shaken").sub(i)));
  untouched.check();
  duel.shaken = std::move(rows);
  return *duel.shaken;
}

const ShakenRow& small_shaken_of(lua_State* L, DuelValue& duel) {
  if (!duel.small_shaken)
    duel.small_shaken =
        shaken_by(L, duel, smallest_of(L, duel).value, duel.shake.empty() ? 0.01 : duel.shake.front(),
                  Stream(duel.design.compared.seed, "shaken small"));
  return *duel.small_shaken;
}

std::optional<bool> is_knife_edge(const Compared& compared, double ratio, const ShakenRow& row) {
  const double even = compared.difference ? 0 : 1;
  if (!row.moved || !std::isfinite(ratio) || !(ratio > even)) return std::nullopt;
  return !(row.median - even >= (ratio - even) / 2);
}

namespace {

DuelValue& found_at(lua_State* L) { return *check<DuelPtr>(L, 1); }

int duel(lua_State* L) {
  return guard(L, [&] {
    Interpreter& interpreter = Interpreter::of(L);
    refuse_inside(L, "a duel");
    const Fields fields(L, 1, {"duel"}, duel_fields::kAll);
    if (!fields.push(duel_fields::kSpace)) fields.fail(nullptr, "'space' is missing: the cases");
    const Arena arena = arena_at(L, -1, "duel: space");
    lua_pop(L, 1);
    auto made = std::make_shared<DuelValue>(duel_at(
        fields, arena,
        {side_in(fields, duel_fields::kA, *arena.space), side_in(fields, duel_fields::kB, *arena.space)},
        duel_fields::kBudget));
    if (interpreter.checking()) {
      push_unknown(L, TypeName<DuelPtr>::value);
      return 1;
    }
    fight(L, *made);
    push_new(L, DuelPtr(std::move(made)));
    return 1;
  });
}

// Pushes what side `which` comes to on the worst case; worked out once for both.
void push_side(lua_State* L, DuelValue& duel, std::size_t which) {
  if (duel.outcomes.empty()) {
    const Interpreter::InCell in_cell(Interpreter::of(L), duel.design.compared.seed, false);
    Evaluator evaluate(duel.design.compared);
    std::vector<Reference> both;
    for (std::size_t side = 0; side < 2; ++side) {
      protect(L, [&](lua_State* in) {
        evaluate.push_outcome(in, duel.worst(), side);
        both.emplace_back(in, -1);
        lua_pop(in, 1);
      });
    }
    duel.outcomes = std::move(both);
  }
  duel.outcomes[which].push(L);
}

bool duel_property(lua_State* L, int index, std::string_view name) {
  DuelValue& duel = *check<DuelPtr>(L, index);
  const Compared& compared = duel.design.compared;
  if (name == "ratio") {
    lua_pushnumber(L, duel.ratio());
  } else if (name == "case") {
    push_case(L, compared.space->space, duel.worst());
  } else if (name == "seed") {
    lua_pushinteger(L, static_cast<lua_Integer>(compared.seed));
  } else if (name == "a" || name == "b") {
    push_side(L, duel, name == "a" ? 0 : 1);
  } else if (name == "of_a" || name == "of_b") {
    lua_pushnumber(L, duel.found.of[name == "of_a" ? 0 : 1]);
  } else if (name == "evaluations") {
    lua_pushinteger(L, static_cast<lua_Integer>(duel.found.evaluations));
  } else if (name == "uncounted") {
    lua_newtable(L);
    for (std::size_t i = 1; i < kReasons; ++i) {
      lua_pushinteger(L, static_cast<lua_Integer>(duel.found.uncounted[i]));
      lua_setfield(L, -2, std::string(name_of(static_cast<Uncounted>(i))).c_str());
    }
  } else {
    return false;
  }
  return true;
}

// d:small() -> the smallest case, its ratio, whether nothing more can be taken away
int small(lua_State* L) {
  return guard(L, [&] {
    DuelValue& duel = found_at(L);
    const Shrunk& found = smallest_of(L, duel);
    const Compared& compared = duel.design.compared;
    const Scored scored = score_of(L, compared, found.value);
    push_case(L, compared.space->space, found.value);
    lua_pushnumber(L, compared.ratio_of(scored.score, scored.of));
    lua_pushboolean(L, found.minimal ? 1 : 0);
    return 3;
  });
}

}  // namespace

Table rows_of_shaken(const std::vector<ShakenRow>& rows) {
  Table table{{"shake", "median", "low", "high", "above", "counted"}, {}, {}};
  for (const ShakenRow& row : rows)
    table.rows.push_back(
        {row.share, row.median, row.low, row.high, row.above, static_cast<double>(row.counted)});
  for (auto& row : table.rows)
    for (Cell& cell : row)
      if (const auto* number = std::get_if<double>(&cell); number != nullptr && std::isnan(*number))
        cell = Cell{};
  return table;
}

namespace {

// d:shaken([{ small = true }]) -> rows; whether the case is a knife edge, nil where that cannot be told
int shaken_table(lua_State* L) {
  return guard(L, [&] {
    DuelValue& duel = found_at(L);
    bool small = false;
    if (!lua_isnoneornil(L, 2))
      small = Fields(L, 2, {"shaken"}, duel_fields::kWrite).flag(duel_fields::kSmall);
    const Compared& compared = duel.design.compared;
    std::optional<bool> edge;
    if (small) {
      const Scored scored = score_of(L, compared, smallest_of(L, duel).value);
      edge = is_knife_edge(compared, compared.ratio_of(scored.score, scored.of), small_shaken_of(L, duel));
      push_table(L, rows_of_shaken({small_shaken_of(L, duel)}));
    } else {
      const std::vector<ShakenRow>& rows = shaken_of(L, duel);
      if (!rows.empty()) edge = is_knife_edge(compared, duel.ratio(), rows.front());
      push_table(L, rows_of_shaken(rows));
    }
    if (edge)
      lua_pushboolean(L, *edge ? 1 : 0);
    else
      lua_pushnil(L);
    return 2;
  });
}

// d:robust(): the 25 % quantile of the ratio over 16 draws shaken by 5 %
int robust(lua_State* L) {
  return guard(L, [&] {
    DuelValue& duel = found_at(L);
    const Compared& compared = duel.design.compared;
    const Interpreter::InCell in_cell(Interpreter::of(L), compared.seed, false);
    Compared quiet = compared;
    quiet.skips_errors = true;
    Evaluator evaluate(quiet);
    const double score = robust_score(L, evaluate, compared.space->space, duel.worst(), compared.seed);
    if (std::isnan(score))
      lua_pushnil(L);
    else
      lua_pushnumber(L, compared.ratio_of(score));
    return 1;
  });
}

}  // namespace

Table history_of(const DuelValue& duel) {
  Table table{{"evaluation", "try", "ratio", "best"}, {}, {}};
  const Compared& compared = duel.design.compared;
  std::vector<Step> steps = duel.found.steps;
  for (Step& step : steps)
    step.evaluation = (step.evaluation - 1) * duel.found.tries + step.nth;  // tries side by side
  std::ranges::stable_sort(steps, {}, &Step::evaluation);
  double best = -std::numeric_limits<double>::infinity();
  for (const Step& step : steps) {
    best = std::max(best, step.score);
    table.rows.push_back({static_cast<double>(step.evaluation), static_cast<double>(step.nth),
                          compared.ratio_of(step.score), compared.ratio_of(best)});
  }
  return table;
}

namespace {

int history(lua_State* L) {
  return guard(L, [&] {
    push_table(L, history_of(found_at(L)));
    return 1;
  });
}

// d:plot([{ ... }]): the best ratio against evaluations of a try
int plot_history(lua_State* L) {
  guard(L, [&] {
    push_table(L, history_of(found_at(L)));
    lua_replace(L, 1);
    if (lua_gettop(L) == 1) lua_newtable(L);
    const auto fallback = [&](const char* field, const char* value) {
      if (lua_getfield(L, 2, field) == LUA_TNIL) {
        lua_pushstring(L, value);
        lua_setfield(L, 2, field);
      }
      lua_pop(L, 1);
    };
    fallback("x", "evaluation");
    fallback("y", "best");
    fallback("kind", "steps");
    return 0;
  });
  return plot(L);
}

int back(lua_State* L) {
  return guard(L, [&] {
    DuelValue& duel = found_at(L);
    if (!duel.back) {
      refuse_inside(L, "a duel");
      auto other = std::make_shared<DuelValue>();
      other->design = duel.design;
      std::swap(other->design.compared.sides[0], other->design.compared.sides[1]);
      other->shrink = duel.shrink;
      other->draws = duel.draws;
      other->keep = duel.keep;
      other->shake = duel.shake;
      fight(L, *other);
      duel.back = std::move(other);
    }
    push_new(L, DuelPtr(duel.back));
    return 1;
  });
}

// d:difference() -> the first difference of the two runs, and why on both sides as a text
int difference(lua_State* L) {
  return guard(L, [&] {
    DuelValue& duel = found_at(L);
    if (!push_comparison(L, duel, duel.worst()))
      fail("bad_call", "difference: the sides of this duel are no runs of a scenario");
    const int comparison = lua_gettop(L);
    lua_getfield(L, comparison, "first_difference");
    lua_pushvalue(L, comparison);
    lua_call(L, 1, 1);
    const int found = lua_gettop(L);
    std::string all;
    const char* const records[] = {"first", "second"};
    for (std::size_t side = 0; side < 2; ++side) {
      lua_getfield(L, found, records[side]);
      if (lua_istable(L, -1) == 0) continue;
      lua_getfield(L, -1, "work");
      const auto work = text_at(L, -1);
      if (!work) continue;
      lua_getfield(L, comparison, "result");
      lua_pushvalue(L, comparison);
      lua_pushinteger(L, static_cast<lua_Integer>(side) + 1);
      lua_call(L, 2, 1);
      lua_getfield(L, -1, "why");
      lua_pushvalue(L, -2);
      host::push(L, *work);
      lua_call(L, 2, 1);
      std::size_t size = 0;
      const char* text = luaL_tolstring(L, -1, &size);
      all += fmt::format("{}{}: {}", all.empty() ? "" : "\n\n", duel.design.compared.sides[side].text,
                         std::string_view(text, size));
    }
    lua_settop(L, found);
    host::push(L, all);
    return 2;
  });
}

int duel_text(lua_State* L) {
  return guard(L, [&] {
    host::push(L, page_of(L, found_at(L), PageOf::all));
    return 1;
  });
}

constexpr luaL_Reg kDuel[] = {{"small", small},           {"shaken", shaken_table}, {"robust", robust},
                              {"difference", difference}, {"history", history},     {"plot", plot_history},
                              {"write", write_duel},      {"back", back},           {"report", report},
                              {nullptr, nullptr}};
constexpr luaL_Reg kDuelMeta[] = {{"__tostring", duel_text}, {nullptr, nullptr}};

}  // namespace

std::string text_of_answer(const DuelValue& duel) {
  std::string all =
      fmt::format("{} {} {}", duel.found.score, duel.design.compared.seed, duel.found.evaluations);
  for (const double number : packed(duel.worst())) all += fmt::format(" {}", number);
  return all;
}

void open_duels(lua_State* L) {
  new_type<DuelPtr>(L, kDuel, kDuelMeta, duel_property,
                    {"ratio", "case", "seed", "a", "b", "of_a", "of_b", "evaluations", "uncounted"});
  define(L, "duel", duel);
  Interpreter::of(L).contents().note(TypeName<DuelPtr>::value, [](lua_State* state, int index) {
    return text_of_answer(**test<DuelPtr>(state, index));
  });
}

}  // namespace perigee::bindings
