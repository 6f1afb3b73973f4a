// The words for spaces of cases and for duels in them.
#include "interpreter/language/fields/duels.h"
#include "interpreter/language/fields/plots.h"
#include "interpreter/language/words/families.h"

namespace perigee::language {

namespace {

constexpr std::string_view kVariable = "variable";

constexpr Word kAllWordsOfDuels[] = {
    {"vary",
     "real",
     "vary.real { 1, 100, scale = \"log\" }",
     "a number of that range, both bounds included",
     vary_fields::kReal,
     {.returns = kVariable, .fails = "the bounds are no finite numbers in ascending order"}},
    {"vary",
     "whole",
     "vary.whole { 1, 3 }",
     "a whole number of that range",
     {},
     {.returns = kVariable, .fails = "the bounds are no whole numbers in ascending order"}},
    {"vary",
     "choice",
     "vary.choice { \"a\", \"b\" }",
     "one of these values",
     {},
     {.returns = kVariable, .fails = "there is no value"}},
    {"vary", "flag", "vary.flag", "true or false", {}, {.returns = kVariable}},
    {"vary",
     "list",
     "vary.list { n = { 3, 8 }, of = vary.real { 1, 9 } }",
     "a list, whose elements are numbers, lists or tables with names",
     vary_fields::kList,
     {.returns = kVariable}},
    {"vary",
     "matrix",
     "vary.matrix { rows = 4, columns = { 2, 3 }, of = vary.real { 1, 9 } }",
     "a list of rows of equal length",
     vary_fields::kMatrix,
     {.returns = kVariable}},
    {"vary",
     "permutation",
     "vary.permutation { n = 5 }",
     "an order of 1 to n",
     vary_fields::kPermutation,
     {.returns = kVariable}},
    {"vary",
     "dag",
     "vary.dag { n = 5, edge = vary.real { 0, 9 } }",
     "edges { from, to, value } of a graph without cycles, from lower to higher numbers",
     vary_fields::kDag,
     {.returns = kVariable}},
    {"",
     "space",
     "space \"name\" { n = vary.whole { 1, 3 }, scenario = function(x, seed) ... end }",
     "a set of cases: named parameters, and a function that makes a scenario or a problem of them",
     space_fields::kAll,
     {.returns = "space",
      .fails = "a bound is missing or not finite; there is neither scenario nor problem",
      .example = R"(local small = space "small" {
  times = vary.list { n = { 3, 6 }, of = vary.real { 1, 9 } },
  scenario = function(x)
    local tasks = {}
    for i, time in ipairs(x.times) do tasks[i] = { time = time } end
    return scenario { platform = platform { cluster "c" { nodes = 2 } }, workload = workload.tasks(tasks) }
  end,
}
print(small:size(), #small:draw(1).times))"}},
    {"space",
     "draw",
     "s:draw(seed)",
     "a case: a table with a value for each parameter",
     {},
     {.returns = "table"}},
    {"space",
     "size",
     "s:size()",
     "the number of cases; math.huge where one of them is a real number",
     {},
     {.returns = "number"}},
    {"space",
     "at",
     "s:at(case [, seed])",
     "the scenario or problem of a case",
     {},
     {.fails = "it is none of the space"}},
    {"",
     "duel",
     "duel { a = \"easy\", b = \"conservative\", space = small_days }",
     "searches the case in which a is worst against b",
     duel_fields::kAll,
     {.returns = "duel",
      .fails =
          "no case counts; the space answers differently for the same case; a side does not fit the space",
      .example = R"(local machines = space "two machines" {
  times = vary.matrix { rows = 3, columns = 2, of = vary.whole { 1, 4 } },
  problem = function(x) return etc(x.times) end,
}
print(duel { a = "mct", b = "min_min", space = machines, budget = 500 }.ratio))"}},
    {"duel",
     "small",
     "d:small()",
     "the smallest case that keeps most of the ratio; its ratio; whether nothing more can be taken away",
     {},
     {.returns = "table, number, boolean"}},
    {"duel",
     "shaken",
     "d:shaken()",
     "the ratio when the numbers of the case are shaken; whether the case is a knife edge",
     {},
     {.returns = "rows, boolean"}},
    {"duel",
     "robust",
     "d:robust()",
     "the 25 % quantile of the ratio over 16 draws shaken by 5 %; nil where few count",
     {},
     {.returns = "number"}},
    {"duel",
     "difference",
     "d:difference()",
     "where the two runs part; why, on both sides, as a text",
     {},
     {.returns = "difference, string", .fails = "the sides are no runs"}},
    {"duel",
     "history",
     "d:history()",
     "a row for each better case that a try came to",
     {},
     {.returns = "rows"}},
    {"duel", "plot", "d:plot { x = \"evaluation\", y = \"best\" }", "the best ratio against evaluations",
     plot_fields::kAll},
    {"duel", "write", "d:write(name)",
     "the smallest case as a script of its own below --out: both runs, and what they come to"},
    {"duel", "back", "d:back()", "the duel of b against a, with the same effort", {}, {.returns = "duel"}},
};

}  // namespace

constinit const std::span<const Word> kWordsOfDuels = kAllWordsOfDuels;

}  // namespace perigee::language
