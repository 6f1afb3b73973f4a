// The fields of spaces of cases, and of duels in them.
#pragma once

#include "interpreter/host/field_row.h"
#include "interpreter/language/fields/runs.h"

namespace perigee::language {

// The fields of vary.real { } and its like; low and high, or the choices, stand in front without names.
namespace vary_fields {

inline constexpr FieldRow kScale =
    choice_field("scale", "linear|log", "on which it is drawn and moved ({default}); log: low must be > 0");
inline constexpr FieldRow kStep = number_field("step", Dimension::fraction, {0, 1, true}, 0.1,
                                               "the farthest move, as a share of the width ({default})");
inline constexpr FieldRow kCount =
    other_field("n", "how many: a number, { least, most }, or a function of the parameters before it")
        .of_type("integer|integer[]|fun(x: table): integer")
        .must_be_given();
inline constexpr FieldRow kOf = other_field("of", "what each is: a parameter, or a table of named ones")
                                    .of_type("variable|table")
                                    .must_be_given();
inline constexpr FieldRow kRows = other_field("rows", "a number, { least, most }, or a function")
                                      .of_type("integer|integer[]|fun(x: table): integer")
                                      .must_be_given();
inline constexpr FieldRow kColumns = other_field("columns", "a number, { least, most }, or a function")
                                         .of_type("integer|integer[]|fun(x: table): integer")
                                         .must_be_given();
inline constexpr FieldRow kEdge =
    other_field("edge", "the value of each edge: a parameter").of_type("variable").must_be_given();
inline constexpr FieldRow kAfter =
    other_field("after",
                "names of the parameters that a function of its count reads (all without such a function)")
        .of_type("string[]");

inline constexpr FieldRow kReal[] = {kScale, kStep};
inline constexpr FieldRow kList[] = {kCount, kOf, kAfter};
inline constexpr FieldRow kMatrix[] = {kRows, kColumns, kOf, kAfter};
inline constexpr FieldRow kPermutation[] = {kCount, kAfter};
inline constexpr FieldRow kDag[] = {kCount, kEdge, kAfter};

}  // namespace vary_fields

// Besides these, a space has its parameters.
namespace space_fields {

inline constexpr FieldRow kScenario =
    other_field("scenario", "scenario(x, seed) makes the scenario of a case")
        .of_type("fun(x: table, seed: integer): scenario");
inline constexpr FieldRow kProblem =
    other_field("problem",
                "problem(x, seed), in its place: an etc matrix, a mapping problem or a graph problem")
        .of_type("fun(x: table, seed: integer): etc|mapping problem|graph problem");
inline constexpr FieldRow kValid =
    other_field("valid", "valid(x) says whether a case counts; the others are drawn again (all do)")
        .of_type("fun(x: table): boolean");
inline constexpr FieldRow kMove =
    other_field("move", "move(x, rng), a move of one's own: changes x, and returns it; nil: none")
        .of_type("fun(x: table, rng: random stream): table|nil");
inline constexpr FieldRow kAll[] = {kScenario, kProblem, kValid, kMove};

}  // namespace space_fields

namespace duel_fields {

inline constexpr FieldRow kA =
    other_field(
        "a",
        "the side of which the worst case is looked for: a scheduler, or a function(x, seed) that returns a "
        "result or a number")
        .of_type("string|scheduler|function")
        .must_be_given();
inline constexpr FieldRow kB = other_field("b", "the side that it is compared with")
                                   .of_type("string|scheduler|function")
                                   .must_be_given();
inline constexpr FieldRow kSpace = other_field("space", "the cases").of_type("space").must_be_given();
inline constexpr FieldRow kMeasure =
    other_field("measure", "a metric (makespan), or function(result, x)").of_type("string|function");
inline constexpr FieldRow kBetter =
    choice_field("better", "less|more", "of a measure that is a function ({default})");
inline constexpr FieldRow kBy = choice_field(
    "by", "ratio|difference", "ratio: a / b, or b / a where more is better; difference: a - b ({default})");
inline constexpr FieldRow kBudget =
    whole_field("budget", {1, 1e12}, 10000, "evaluations of all tries together ({default})");
inline constexpr FieldRow kTime =
    number_field("time", Dimension::seconds, kPositive, {},
                 "wall-clock time after which no round begins; the answer says what repeats it (none)");
inline constexpr FieldRow kPlanned =
    whole_field("planned", {1, 1e12}, {},
                "evaluations that the search paces itself for, of which budget is the beginning (budget)");
inline constexpr FieldRow kSearch =
    other_field("search", "how cases are looked for (annealing)").of_type("string|scheduler");
inline constexpr FieldRow kSeeds =
    whole_field("seeds", {1, 10000}, 1, "runs of each case, whose mean is compared ({default})");
inline constexpr FieldRow kIncomplete = choice_field(
    "incomplete", "skip|worst",
    "cases in which a run of a is not complete do not count; worst: that ends the search ({default})");
inline constexpr FieldRow kZero =
    choice_field("zero", "skip|worst",
                 "cases in which b is 0 do not count; worst: a > 0 there ends the search ({default})");
inline constexpr FieldRow kErrors =
    choice_field("errors", "stop|skip", "an error in a case stops the duel; skip: is counted ({default})");
inline constexpr FieldRow kSearchFor =
    choice_field("search_for", "worst|robust",
                 "robust: the 25 % quantile of the ratio over 16 draws shaken by 5 % ({default})");
inline constexpr FieldRow kShrink =
    whole_field("shrink", {0, 1e9}, 2000, "evaluations for the smallest case ({default})");
inline constexpr FieldRow kKeep = number_field("keep", Dimension::fraction, {0, 1, true}, 0.95,
                                               "share of the ratio that the smallest case keeps ({default})");
inline constexpr FieldRow kShake = numbers_field("shake", Dimension::fraction, {0, 1, true},
                                                 "shares by which numbers are shaken ({ 0.01, 0.05, 0.2 })");
inline constexpr FieldRow kDraws =
    whole_field("draws", {1, 1e6}, 200, "shaken draws of each share ({default})");
inline constexpr FieldRow kAll[] = {kA,
                                    kB,
                                    kSpace,
                                    kMeasure,
                                    kBetter,
                                    kBy,
                                    kBudget,
                                    kTime,
                                    kPlanned,
                                    kSearch,
                                    run_fields::kSeed,
                                    kSeeds,
                                    kIncomplete,
                                    kZero,
                                    kErrors,
                                    kSearchFor,
                                    kShrink,
                                    kKeep,
                                    kShake,
                                    kDraws,
                                    run_fields::kHorizon,
                                    run_fields::kWarmup,
                                    run_fields::kInformation};

inline constexpr FieldRow kSmall =
    flag_field("small", false, "true: the smallest case in place of the worst ({default})");
inline constexpr FieldRow kWrite[] = {kSmall};

// tournament { } takes those of a duel but a, b and space.
inline constexpr FieldRow kSchedulers =
    other_field("schedulers", "a list; each is duelled with each other one")
        .of_type("(string|scheduler)[]")
        .must_be_given();
inline constexpr FieldRow kOneSpace = other_field("space", "the cases").of_type("space");
inline constexpr FieldRow kSpaces =
    other_field("spaces", "several, in place of space: a list").of_type("space[]");
inline constexpr FieldRow kBudgetOfPair =
    whole_field("budget", {1, 1e12}, 2000, "evaluations of each pair in each space ({default})");
inline constexpr FieldRow kTournament[] = {kSchedulers,
                                           kOneSpace,
                                           kSpaces,
                                           kMeasure,
                                           kBetter,
                                           kBy,
                                           kBudgetOfPair,
                                           kTime,
                                           kPlanned,
                                           kSearch,
                                           run_fields::kSeed,
                                           kSeeds,
                                           kIncomplete,
                                           kZero,
                                           kErrors,
                                           kSearchFor,
                                           kShrink,
                                           kKeep,
                                           kShake,
                                           kDraws,
                                           run_fields::kHorizon,
                                           run_fields::kWarmup,
                                           run_fields::kInformation};

}  // namespace duel_fields

}  // namespace perigee::language
