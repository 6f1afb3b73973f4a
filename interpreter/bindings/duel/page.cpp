// The page of a duel as print(d) shows it.
#include <fmt/format.h>

#include <cmath>

#include "interpreter/bindings/duel/cases.h"
#include "interpreter/bindings/duel/duel.h"
#include "interpreter/bindings/run/compare.h"
#include "interpreter/session/interpreter.h"
#include "runtime/results/metrics.h"

namespace perigee::bindings {

namespace {

std::string number_of(double value) { return fmt::format("{:.6g}", value); }

// "9.5 / 5 = 1.9"
std::string ratio_text(const Compared& compared, const std::array<double, 2>& of, double score) {
  const char* const sign = compared.difference ? "-" : "/";
  const bool turned = compared.more_is_better;
  return fmt::format("{} {} {} = {}", number_of(of[turned ? 1 : 0]), sign, number_of(of[turned ? 0 : 1]),
                     number_of(compared.ratio_of(score)));
}

std::string literal_of(const Side& side) {
  return side.function.valid()                      ? side.text
         : side.text.find('{') == std::string::npos ? fmt::format("\"{}\"", side.text)
                                                    : side.text;
}

// What decides on the worst case besides sides, space, search, budget and seed, where it is not the default.
std::string options_text(const Compared& compared, bool robust) {
  std::string text;
  if (compared.measure.valid()) {
    text += "measure = <function>, ";
    if (compared.more_is_better) text += "better = \"more\", ";
  } else {
    if (compared.metric != "makespan") text += fmt::format("measure = \"{}\", ", compared.metric);
    const Better usual = metric_info(compared.metric).better;
    if (usual == Better::neither || compared.more_is_better != (usual == Better::higher))
      text += fmt::format("better = \"{}\", ", compared.more_is_better ? "more" : "less");
  }
  if (compared.difference) text += "by = \"difference\", ";
  if (compared.seeds > 1) text += fmt::format("seeds = {}, ", compared.seeds);
  if (compared.incomplete_ends) text += "incomplete = \"worst\", ";
  if (compared.zero_ends) text += "zero = \"worst\", ";
  if (compared.skips_errors) text += "errors = \"skip\", ";
  if (robust) text += "search_for = \"robust\", ";
  const RunOptions& options = compared.request.options;
  if (options.horizon < kNever) text += fmt::format("horizon = {}, ", options.horizon);
  if (options.warmup > 0) text += fmt::format("warmup = {}, ", options.warmup);
  if (compared.information.valid()) text += "information = <information>, ";
  return text;
}

std::string indented(const std::string& text) {
  std::string out = "  ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

// "by task: 1 2 1, makespan 9.5"
std::string mapping_text(lua_State* L, int index) {
  index = lua_absindex(L, index);
  for (const char* field : {"machine", "host"}) {
    if (lua_getfield(L, index, field) == LUA_TTABLE) {
      std::string places;
      for (lua_Integer i = 1; i <= static_cast<lua_Integer>(lua_rawlen(L, -1)); ++i) {
        lua_rawgeti(L, -1, i);
        places += fmt::format(" {}", lua_tointeger(L, -1));
        lua_pop(L, 1);
      }
      lua_pop(L, 1);
      lua_getfield(L, index, "makespan");
      const double makespan = lua_tonumber(L, -1);
      lua_pop(L, 1);
      return fmt::format("{} of task 1, 2, ...:{}; makespan {}", field, places, number_of(makespan));
    }
    lua_pop(L, 1);
  }
  return {};
}

}  // namespace

bool push_comparison(lua_State* L, const DuelValue& duel, const Datum& value) {
  const Compared& compared = duel.hunt.compared;
  const Interpreter::InCell in_cell(Interpreter::of(L), compared.seed, false);
  Evaluator evaluate(compared);
  ComparisonValue both;
  for (std::size_t side = 0; side < 2; ++side) {
    evaluate.push_outcome(L, value, side);
    const auto* result = test<ResultValue>(L, -1);
    if (result == nullptr) {
      lua_pop(L, static_cast<int>(1));
      return false;
    }
    both.results.push_back(*result);
    lua_pop(L, 1);
    both.names.push_back(fmt::format("{}: {}", side == 0 ? "a" : "b", compared.sides[side].text));
  }
  push_new(L, std::move(both));
  return true;
}

std::string page_of(lua_State* L, DuelValue& duel, PageOf what_of) {
  const Balanced balanced(L);
  const Compared& compared = duel.hunt.compared;
  const Found& found = duel.found;
  std::string page =
      fmt::format("duel of a = {} against b = {} in the space '{}', by {}\n", compared.sides[0].text,
                  compared.sides[1].text, compared.space->name, compared.measure_text());
  const char* const what = compared.difference ? "difference" : "ratio";
  if (std::isinf(found.score))
    page += "worst: a case than which none can be worse\n";
  else
    page += fmt::format("worst {}: {}\n", what,
                        duel.hunt.robust ? number_of(duel.ratio()) + ", the 25 % quantile when shaken by 5 %"
                                         : ratio_text(compared, found.of, found.score));
  page += fmt::format("found by {}: {} evaluations in {} {}, seed {}\n", duel.hunt.search->text(),
                      found.evaluations, found.tries, found.tries == 1 ? "try" : "tries", compared.seed);
  for (const std::string& line : uncounted_lines(found)) page += fmt::format("not counted: {}\n", line);
  if (duel.back)
    page += fmt::format("back, the worst {} of b against a: {}\n", what, number_of(duel.back->ratio()));
  if (duel.shrink > 0 && std::isfinite(found.score)) {
    const Shrunk& small = smallest_of(L, duel);
    const Scored again = score_of(L, compared, small.value);
    page += fmt::format("the smallest case that keeps {:g} % of it, {}, after {} evaluations{}:\n",
                        100 * duel.keep, ratio_text(compared, again.of, again.score), small.calls,
                        small.minimal ? "" : ", which did not suffice");
    page += indented(text_of_case(L, compared.space->space, small.value, true)) + "\n";
  } else {
    page += "the case:\n" + indented(text_of_case(L, compared.space->space, duel.worst(), true)) + "\n";
  }
  if (std::isfinite(found.score)) {
    for (const ShakenRow& row : shaken_of(L, duel))
      page +=
          row.counted == 0
              ? fmt::format("numbers shaken by {:g} %: no draw counts\n", 100 * row.share)
              : fmt::format(
                    "numbers shaken by {:g} %: {} {}, 5 % to 95 %: {} to {}, above {} in {:.3g} % of {} draws\n",
                    100 * row.share, what, number_of(row.median), number_of(row.low), number_of(row.high),
                    compared.difference ? 0 : 1, 100 * row.above, row.counted);
    if (is_knife_edge(duel, shaken_of(L, duel)))
      page +=
          "a knife edge: a tie or a rounding makes it, for it goes when the numbers are shaken by the least share\n";
  }
  page += fmt::format(
      "repeated by duel {{ a = {}, b = {}, space = <{}>, {}search = {}, budget = {}, seed = {} }}\n",
      literal_of(compared.sides[0]), literal_of(compared.sides[1]), compared.space->name,
      options_text(compared, duel.hunt.robust), duel.hunt.search->text(),
      found.late ? found.evaluations : duel.hunt.budget, compared.seed);
  const Datum& shown_case = duel.small ? duel.small->value : duel.worst();
  if (compared.sides[0].scheduler && compared.sides[1].scheduler && compared.space->is_problem) {
    for (std::size_t side = 0; side < 2; ++side) {
      const Interpreter::InCell in_cell(Interpreter::of(L), compared.seed, false);
      Evaluator(compared).push_outcome(L, shown_case, side);
      page += fmt::format("{}: {}\n", compared.sides[side].text, mapping_text(L, -1));
      lua_pop(L, 1);
    }
  } else if (what_of == PageOf::all && push_comparison(L, duel, shown_case)) {
    page += "\n" + shown_comparison(L, check<ComparisonValue>(L, -1)) + "\n";
  }
  page.pop_back();
  return page;
}

}  // namespace perigee::bindings
