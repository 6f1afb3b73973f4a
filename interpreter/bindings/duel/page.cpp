// The page of a duel as print(d) shows it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "interpreter/bindings/duel/cases.h"
#include "interpreter/bindings/duel/duel.h"
#include "interpreter/bindings/run/compare.h"
#include "interpreter/bindings/script/lua_text.h"
#include "interpreter/session/interpreter.h"
#include "runtime/results/metrics.h"

namespace perigee::bindings {

namespace {

std::string page_number(double value) { return fmt::format("{:.6g}", value); }

// "9.5 / 5 = 1.9"
std::string ratio_text(const Compared& compared, const std::array<double, 2>& of, double score) {
  const char* const sign = compared.difference ? "-" : "/";
  const bool turned = compared.more_is_better;
  return fmt::format("{} {} {} = {}", page_number(of[turned ? 1 : 0]), sign, page_number(of[turned ? 0 : 1]),
                     page_number(compared.ratio_of(score)));
}

std::string literal_of(const Side& side) {
  return side.function.valid()                      ? side.text
         : side.text.find('{') == std::string::npos ? fmt::format("\"{}\"", side.text)
                                                    : side.text;
}

// The options that decide on the worst case besides sides, space, search, budget and seed, where they are not the defaults.
std::string options_text(lua_State* L, const Compared& compared, bool robust) {
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
  if (compared.information.valid())
    text += fmt::format("information = {}, ", as_literal(L, compared.information));
  return text;
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
      return fmt::format("{} of task 1, 2, ...:{}; makespan {}", field, places, page_number(makespan));
    }
    lua_pop(L, 1);
  }
  return {};
}

}  // namespace

bool push_comparison(lua_State* L, const DuelValue& duel, const Datum& value) {
  const Compared& compared = duel.design.compared;
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

namespace {

const char* what_of(const Compared& compared) { return compared.difference ? "difference" : "ratio"; }

std::string shaken_line(const Compared& compared, const ShakenRow& row) {
  if (!row.moved)
    return fmt::format(
        "  shaken by {:g} %: nothing changes, for there are no reals, nor whole numbers of a wide range\n",
        100 * row.share);
  if (row.counted == 0) return fmt::format("  shaken by {:g} %: no draw counts\n", 100 * row.share);
  return fmt::format("  shaken by {:g} %: {} {}, 5 % to 95 %: {} to {}, above {} in {:.3g} % of {} draws\n",
                     100 * row.share, what_of(compared), page_number(row.median), page_number(row.low),
                     page_number(row.high), compared.difference ? 0 : 1, 100 * row.above, row.counted);
}

std::string edge_line(const std::optional<bool>& edge) {
  return edge && *edge ? "  a knife edge: a tie or a rounding makes it, not a weakness\n" : "";
}

// How well the tries agree: the least and the largest of their worst ratios.
std::string tries_text(const DuelValue& duel) {
  std::map<std::uint64_t, double> best;
  for (const Step& step : duel.found.steps) best[step.nth] = step.score;  // each better than those before it
  if (best.size() < 2) return {};
  const auto [least, most] =
      std::ranges::minmax_element(best, {}, [](const auto& each) { return each.second; });
  const Compared& compared = duel.design.compared;
  return fmt::format(", which came to {} to {}", page_number(compared.ratio_of(least->second)),
                     page_number(compared.ratio_of(most->second)));
}

std::string worst_text(lua_State* L, DuelValue& duel) {
  const Compared& compared = duel.design.compared;
  const Found& found = duel.found;
  std::string page;
  if (std::isinf(found.score))
    page += "worst: a case than which none can be worse\n";
  else
    page +=
        fmt::format("worst {}: {}\n", what_of(compared),
                    duel.design.robust ? page_number(duel.ratio()) + ", the 25 % quantile when shaken by 5 %"
                                       : ratio_text(compared, found.of, found.score));
  if (std::isfinite(found.score) && !(found.score > 0))
    page += "  no case was found in which a is worse than b\n";
  page += fmt::format("  found by {}: {} evaluations in {} {}{}, seed {}\n", duel.design.search->text(),
                      found.evaluations, found.tries, found.tries == 1 ? "try" : "tries", tries_text(duel),
                      compared.seed);
  for (const std::string& line : uncounted_lines(found)) page += fmt::format("  not counted: {}\n", line);
  if (std::isfinite(found.score)) {
    for (const ShakenRow& row : shaken_of(L, duel)) {
      page += shaken_line(compared, row);
      if (!row.moved) break;
    }
    if (!shaken_of(L, duel).empty())
      page += edge_line(is_knife_edge(compared, duel.ratio(), shaken_of(L, duel).front()));
  }
  if (duel.back)
    page += fmt::format("back, the worst {} of b against a: {}\n", what_of(compared),
                        page_number(duel.back->ratio()));
  return page;
}

std::string small_text(lua_State* L, DuelValue& duel) {
  const Compared& compared = duel.design.compared;
  const Space& space = compared.space->space;
  if (duel.shrink == 0 || std::isinf(duel.found.score))
    return "the case:\n  " + indented(text_of_case(L, space, duel.worst(), true)) + "\n";
  const Shrunk& small = smallest_of(L, duel);
  const Scored again = score_of(L, compared, small.value);
  std::string page = fmt::format("the smallest case that keeps {:g} % of it: {}, after {} evaluations{}\n",
                                 100 * duel.keep, ratio_text(compared, again.of, again.score), small.calls,
                                 small.minimal ? "" : ", which did not suffice");
  const ShakenRow& row = small_shaken_of(L, duel);
  page += shaken_line(compared, row);
  page += edge_line(is_knife_edge(compared, compared.ratio_of(again.score, again.of), row));
  return page + "  " + indented(text_of_case(L, space, small.value, true)) + "\n";
}

}  // namespace

std::string page_of(lua_State* L, DuelValue& duel, PageOf parts) {
  const Balanced balanced(L);
  const Compared& compared = duel.design.compared;
  std::string page =
      fmt::format("duel of a = {} against b = {} in the space '{}', by {}\n", compared.sides[0].text,
                  compared.sides[1].text, compared.space->name, compared.measure_text());
  page += worst_text(L, duel);
  const std::uint64_t used = duel.found.late ? duel.found.used : duel.design.budget;
  page += fmt::format(
      "  repeated by duel {{ a = {}, b = {}, space = <{}>, {}search = {}, budget = {}, {}seed = {} }}\n",
      literal_of(compared.sides[0]), literal_of(compared.sides[1]), compared.space->name,
      options_text(L, compared, duel.design.robust), duel.design.search->text(), used,
      used == duel.design.planned ? "" : fmt::format("planned = {}, ", duel.design.planned), compared.seed);
  page += small_text(L, duel);
  const Datum& shown_case = duel.small ? duel.small->value : duel.worst();
  if (compared.sides[0].scheduler && compared.sides[1].scheduler && compared.space->is_problem) {
    for (std::size_t side = 0; side < 2; ++side) {
      const Interpreter::InCell in_cell(Interpreter::of(L), compared.seed, false);
      Evaluator(compared).push_outcome(L, shown_case, side);
      page += fmt::format("{}: {}\n", compared.sides[side].text, mapping_text(L, -1));
      lua_pop(L, 1);
    }
  } else if (parts == PageOf::all && push_comparison(L, duel, shown_case)) {
    page += "\nboth runs of the smallest case:\n" + shown_comparison(L, check<ComparisonValue>(L, -1)) + "\n";
  }
  page.pop_back();
  return page;
}

}  // namespace perigee::bindings
