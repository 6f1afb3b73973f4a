#include "interpreter/bindings/duel/tries.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "interpreter/bindings/duel/cases.h"
#include "interpreter/bindings/run/experiment/carried_out.h"
#include "interpreter/session/interpreter.h"
#include "runtime/kernel/random.h"

namespace perigee::bindings {

namespace {

constexpr std::uint64_t kLeastOfRound = 100;  // evaluations of a try
constexpr std::uint64_t kMostRounds = 20;
constexpr std::uint64_t kShareOfLate = 8;
constexpr std::uint64_t kLookedAtTwice = 20;  // cases whose purity is checked
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kLowest = -std::numeric_limits<double>::infinity();

// How far a try is. A cell gives it as numbers, and the next round's cell takes it up.
struct TryState {
  double over = 0, late = 0;
  double evaluations = 0;
  double score = kLowest;
  std::array<double, 2> of = {};
  std::optional<Datum> worst;
  std::array<double, kReasons> uncounted = {};
  std::optional<Datum> first_uncounted;
  double first_reason = 0;
  std::vector<std::pair<double, double>> steps;  // evaluation, score
  std::vector<double> search;

  std::vector<double> packed() const {
    std::vector<double> out{over, late, evaluations, score, of[0], of[1], first_reason};
    out.insert(out.end(), uncounted.begin(), uncounted.end());
    for (const auto* datum : {&worst, &first_uncounted}) {
      out.push_back(*datum ? 1 : 0);
      if (*datum) pack(**datum, out);
    }
    out.push_back(static_cast<double>(steps.size()));
    for (const auto& [evaluation, at] : steps) {
      out.push_back(evaluation);
      out.push_back(at);
    }
    out.insert(out.end(), search.begin(), search.end());
    return out;
  }

  static TryState unpacked(std::span<const double> in) {
    const auto take = [&] {
      PERIGEE_ASSERT(!in.empty(), "a try's state is whole");
      const double first = in.front();
      in = in.subspan(1);
      return first;
    };
    TryState state;
    for (double* number : {&state.over, &state.late, &state.evaluations, &state.score, &state.of[0],
                           &state.of[1], &state.first_reason})
      *number = take();
    for (double& count : state.uncounted) count = take();
    for (auto* datum : {&state.worst, &state.first_uncounted}) {
      if (take() == 0) continue;
      *datum = unpack(in);
      PERIGEE_ASSERT(*datum, "a try's case is whole");
    }
    for (double left = take(); left > 0; --left) {
      const double evaluation = take();
      state.steps.emplace_back(evaluation, take());
    }
    state.search.assign(in.begin(), in.end());
    return state;
  }
};

// The state of a try among the measures of a cell: s000001, s000002, ...
void push_state_numbers(lua_State* L, const std::vector<double>& numbers) {
  lua_createtable(L, 0, static_cast<int>(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    lua_pushnumber(L, numbers[i]);
    lua_setfield(L, -2, fmt::format("s{:07}", i + 1).c_str());
  }
}

using Clock = std::chrono::steady_clock;

struct Round {
  const DuelDesign& design;
  std::size_t tries;
  std::uint64_t evaluations;  // of each try in this round
  bool first;
  const std::vector<TryState>& states;
  Clock::time_point begun;
};

std::uint64_t evaluations_of_score(const DuelDesign& design) { return design.robust ? kRobustDraws : 1; }
// Scores that so many evaluations allow.
std::uint64_t scores_of(const DuelDesign& design, std::uint64_t evaluations) {
  return std::max<std::uint64_t>(evaluations / evaluations_of_score(design), 1);
}

// The scores of a try, when the tries share so many evaluations.
std::uint64_t share_of(const DuelDesign& design, std::uint64_t evaluations, std::size_t tries,
                       std::size_t nth) {
  const std::uint64_t all = scores_of(design, evaluations);
  return all / tries + (nth < all % tries ? 1 : 0);
}

bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

[[noreturn]] void not_pure(lua_State* L, const Compared& compared, const Datum& value, const Scored& one,
                           const Scored& other) {
  const std::size_t side = same_number(one.of[0], other.of[0]) ? 1 : 0;
  fail(
      "not_pure",
      "the space '{}' or a side answers differently for the same case: {} of {} is {}, then {}; in the case {}",
      compared.space->name, compared.measure_text(), side == 0 ? "a" : "b", format_number(one.of[side]),
      format_number(other.of[side]), text_of_case(L, compared.space->space, value));
}

// One try in one round: as a cell's function.
TryState gone_on(lua_State* L, const Round& round, std::size_t nth) {
  const DuelDesign& design = round.design;
  const Space& space = design.compared.space->space;
  TryState state = round.states[nth];
  if (state.over != 0) return state;
  const std::uint64_t planned = share_of(design, design.planned, round.tries, nth);
  const std::uint64_t whole = share_of(design, design.budget, round.tries, nth);
  const std::unique_ptr<CaseSearch> search = design.search->make_search();
  search->begin(space, Try{planned, nth, round.tries, Stream(design.compared.seed, "search").sub(nth)});
  if (!state.search.empty() && !search->load(state.search))
    fail("bad_store", "the state of try {} of {} is none of '{}'", nth + 1, round.tries,
         design.search->text());
  Evaluator evaluate(design.compared);
  const std::uint64_t until =
      std::min(whole, static_cast<std::uint64_t>(state.evaluations) + round.evaluations);
  while (state.over == 0 && static_cast<std::uint64_t>(state.evaluations) < until) {
    const std::vector<Datum> cases = search->ask(until - static_cast<std::uint64_t>(state.evaluations));
    if (cases.empty()) state.over = 1;
    std::vector<double> scores;
    for (const Datum& each : cases) {
      Scored scored = evaluate(L, each);
      if (nth == 0 && round.first && static_cast<std::uint64_t>(state.evaluations) < kLookedAtTwice) {
        const Scored again = evaluate(L, each);
        if (!same_number(scored.of[0], again.of[0]) || !same_number(scored.of[1], again.of[1]))
          not_pure(L, design.compared, each, scored, again);
      }
      ++state.evaluations;
      if (scored.why != Uncounted::none) {
        ++state.uncounted[static_cast<std::size_t>(scored.why)];
        if (!state.first_uncounted) {
          state.first_uncounted = each;
          state.first_reason = static_cast<double>(scored.why);
        }
      }
      double score = scored.score;
      if (design.robust && std::isfinite(score))
        score = robust_score(L, evaluate, space, each, design.compared.seed);
      if (score > state.score) {
        state.score = score;
        state.of = scored.of;
        state.worst = each;
        state.steps.emplace_back(state.evaluations, score);
      }
      scores.push_back(score);
      if (std::isinf(score) && score > 0) state.over = 1;
    }
    scores.resize(cases.size(), kNone);
    if (!cases.empty()) search->tell(scores);
  }
  if (static_cast<std::uint64_t>(state.evaluations) >= whole) state.over = 1;
  state.search.clear();
  if (state.over == 0) search->save(state.search);
  if (design.time < kNever)
    state.late = std::chrono::duration<double>(Clock::now() - round.begun).count() >= design.time ? 1 : 0;
  return state;
}

// Upvalue: the round.
int cell_of_round(lua_State* L) {
  return guard(L, [&] {
    const auto& round = *static_cast<const Round*>(lua_touserdata(L, lua_upvalueindex(1)));
    lua_getfield(L, 1, "try");
    const auto nth = static_cast<std::size_t>(lua_tointeger(L, -1)) - 1;
    push_state_numbers(L, gone_on(L, round, nth).packed());
    return 1;
  });
}

std::string text_of_state(const std::vector<TryState>& states) {
  std::string all;
  for (const TryState& state : states)
    for (const double number : state.packed()) all += fmt::format("{} ", number);
  return all;
}

Declaration declaration_of_round(lua_State* L, const Round& round, const std::string& name) {
  const DuelDesign& design = round.design;
  lua_pushlightuserdata(L, const_cast<void*>(static_cast<const void*>(&round)));
  lua_pushcclosure(L, cell_of_round, 1);
  Reference run(L, -1);
  lua_pop(L, 1);
  Declaration declaration =
      counted_declaration(L, name, "try", round.tries, std::move(run), design.compared.seed);
  for (const auto& [what, function] : design.compared.space->functions)
    declaration.add_function(what, function);
  const char* const sides[] = {"a", "b"};
  for (std::size_t i = 0; i < 2; ++i) {
    const Side& side = design.compared.sides[i];
    if (side.function.valid()) declaration.add_function(sides[i], side.function);
    if (side.scheduler) declaration.values.emplace_back(fmt::format("the side {}", sides[i]), side.object);
  }
  const Compared& compared = design.compared;
  if (compared.measure.valid()) declaration.add_function("measure", compared.measure);
  declaration.values.emplace_back("the space", compared.space_object);
  if (compared.information.valid()) declaration.values.emplace_back("the information", compared.information);
  const RunOptions& options = compared.request.options;
  declaration.design.parts.push_back(
      {"the duel",
       hash_text(fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", compared.measure_text(),
                             compared.more_is_better, compared.difference, compared.seed, compared.seeds,
                             compared.incomplete_ends, compared.zero_ends, compared.skips_errors,
                             design.search->text(), design.budget, design.planned, design.time, design.robust,
                             options.horizon, options.warmup, compared.request.instants.tolerance))});
  declaration.design.parts.push_back({"the rounds before", hash_text(text_of_state(round.states))});
  return declaration;
}

std::string name_of_round(const DuelDesign& design, std::uint64_t round,
                          const std::vector<TryState>& states) {
  const Compared& compared = design.compared;
  std::string name = fmt::format("{}{} ({}): {} against {} in '{}' by {}", kRoundOfDuel, design.number, round,
                                 compared.sides[0].text, compared.sides[1].text, compared.space->name,
                                 compared.measure_text());
  double best = kLowest;
  for (const TryState& state : states) best = std::max(best, state.score);
  if (std::isfinite(best)) name += fmt::format(", worst so far {:.4g}", compared.ratio_of(best));
  return name;
}

// The error of the first try that failed. It is computed again for that, since of a cell's error the text alone is kept.
[[noreturn]] void rethrow(lua_State* L, const Round& round, const Experiment& experiment) {
  std::size_t nth = 0;
  for (const auto& [number, outcome] : experiment.outcomes) {
    if (outcome.failed()) {
      const Interpreter::InCell in_cell(Interpreter::of(L), round.design.compared.seed, false);
      gone_on(L, round, nth);
      throw Error({"case_failed", "duel: " + outcome.error, experiment.design.where, {}});
    }
    ++nth;
  }
  fail("case_failed", "duel: a try has failed");
}

// Gathers the finds of all tries in `found`.
void gather(const DuelDesign& design, const std::vector<TryState>& states, Found& found) {
  found.score = kLowest;
  for (std::size_t nth = 0; nth < states.size(); ++nth) {
    const TryState& state = states[nth];
    found.evaluations += static_cast<std::uint64_t>(state.evaluations) * evaluations_of_score(design);
    for (std::size_t i = 0; i < kReasons; ++i)
      found.uncounted[i] += static_cast<std::uint64_t>(state.uncounted[i]);
    if (state.first_uncounted && !found.first_uncounted) {
      found.first_uncounted = state.first_uncounted;
      found.first_reason = static_cast<Uncounted>(static_cast<std::size_t>(state.first_reason));
    }
    for (const auto& [evaluation, score] : state.steps)
      found.steps.push_back({static_cast<std::uint64_t>(evaluation), nth + 1, score});
    if (!state.worst || state.score <= found.score) continue;
    found.score = state.score;
    found.of = state.of;
    found.worst = state.worst;
  }
}

}  // namespace

Scored score_of(lua_State* L, const Compared& compared, const Datum& value) {
  Interpreter& interpreter = Interpreter::of(L);
  Evaluator evaluate(compared);
  if (interpreter.cell().under_way()) return evaluate(L, value);
  constexpr std::uint64_t kStepsOfCase = 500;  // its own are counted in the cell
  interpreter.count(kStepsOfCase);
  const Interpreter::InCell in_cell(interpreter, compared.seed, false);
  return evaluate(L, value);
}

Surroundings surroundings_of(const Compared& compared) {
  Surroundings all;
  for (const auto& [what, function] : compared.space->functions) all.add(what, function);
  const char* const sides[] = {"a", "b"};
  for (std::size_t i = 0; i < 2; ++i)
    if (compared.sides[i].function.valid()) all.add(sides[i], compared.sides[i].function);
  if (compared.measure.valid()) all.add("measure", compared.measure);
  return all;
}

double robust_score(lua_State* L, Evaluator& evaluate, const Space& space, const Datum& value,
                    std::uint64_t seed) {
  constexpr double kShare = 0.05;
  std::vector<double> scores;
  const Stream all(seed, "robust");
  for (std::uint64_t draw = 0; draw < kRobustDraws; ++draw) {
    Stream stream = all.sub(draw);
    const double score = evaluate(L, shaken(space, value, kShare, stream)).score;
    if (!std::isnan(score)) scores.push_back(score);
  }
  if (scores.size() < kRobustDraws / 2) return kNone;
  std::ranges::sort(scores);
  return scores[(scores.size() - 1) / 4];
}

std::uint64_t next_duel(lua_State* L) {
  constexpr const char* kDuels = "perigee.duels";  // in the registry: their number
  lua_getfield(L, LUA_REGISTRYINDEX, kDuels);
  const lua_Integer number = lua_tointeger(L, -1) + 1;
  lua_pushinteger(L, number);
  lua_setfield(L, LUA_REGISTRYINDEX, kDuels);
  lua_pop(L, 1);
  return static_cast<std::uint64_t>(number);
}

Found searched(lua_State* L, const DuelDesign& design) {
  const std::unique_ptr<CaseSearch> search = design.search->make_search();
  const Space& space = design.compared.space->space;
  const std::size_t tries = std::max<std::size_t>(search->tries(space, scores_of(design, design.planned)), 1);
  const std::uint64_t most = share_of(design, design.budget, tries, 0);
  const std::uint64_t even = std::max(kLeastOfRound, (most + kMostRounds - 1) / kMostRounds);
  std::uint64_t before = 0;  // evaluations of a try in the rounds so far
  std::vector<TryState> states(tries);
  Found found;
  found.tries = tries;
  const Clock::time_point begun = Clock::now();
  const auto over = [&] {
    return std::ranges::all_of(states, [](const TryState& each) { return each.over != 0; });
  };
  while (!over() && !found.ended && !found.late) {
    // Where time is limited, a round takes an eighth of what those before it took: the end is not missed by more.
    const std::uint64_t of_round =
        design.time < kNever ? std::max(kLeastOfRound, before / kShareOfLate) : even;
    before += of_round;
    const Round round{design, tries, of_round, found.rounds == 0, states, begun};
    Declaration declaration = declaration_of_round(L, round, name_of_round(design, found.rounds + 1, states));
    const ExperimentPtr experiment = carried_out(L, declaration, false);
    experiment->failures_read = true;
    if (experiment->failed > 0) rethrow(L, round, *experiment);
    if (experiment->partial)
      fail(
          "needs_results",
          "a duel goes on from round to round with the results of all its tries, which a shard lacks; --workers "
          "shares it among machines");
    std::vector<TryState> next;
    for (const auto& [number, outcome] : experiment->outcomes)
      next.push_back(TryState::unpacked(outcome.values));
    states = std::move(next);
    ++found.rounds;
    found.ended = std::ranges::any_of(
        states, [](const TryState& each) { return std::isinf(each.score) && each.score > 0; });
    found.late = !over() && std::ranges::any_of(states, [](const TryState& each) { return each.late != 0; });
  }
  found.used = before * tries * evaluations_of_score(design);
  gather(design, states, found);
  if (found.worst && !design.robust) {
    const Scored again = score_of(L, design.compared, *found.worst);
    if (!same_number(again.of[0], found.of[0]) || !same_number(again.of[1], found.of[1]))
      not_pure(L, design.compared, *found.worst, {found.score, found.of}, again);
  }
  return found;
}

}  // namespace perigee::bindings
