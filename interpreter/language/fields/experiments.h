// The fields of experiments, of what is asked of their results, and of claims.
#pragma once

#include <cstdint>

#include "interpreter/host/field_row.h"

namespace perigee::language {

namespace experiment_fields {

inline constexpr std::int64_t kMostReplications = 1'000'000;

inline constexpr FieldRow kFactors = other_field("factors",
                                                 "{ name = { level, ... } }, or in an order of their own { { "
                                                 "\"name\", { level, ... } }, ... }; a level "
                                                 "may have a name, { \"name\", value }")
                                         .of_type("table");
inline constexpr FieldRow kReplications =
    whole_field(  // or the table of replications_fields
        "replications", {1, kMostReplications}, {},
        "a number (1); or, until the intervals of a measure are narrow enough, { measure =, half_width = (a "
        "number or a share, \"5 %\"), most =, least = (2), confidence = (0.95) }")
        .of_type("integer|table");
inline constexpr FieldRow kRun =
    other_field("run", "run(f, seed) computes one cell: returns a result or a table of numbers")
        .must_be_given();
inline constexpr FieldRow kMeasure =
    other_field("measure",
                "a list of the metrics that are kept, or a function that makes a table of numbers (all)")
        .of_type("string[]|function");
inline constexpr FieldRow kWhere =
    other_field("where", "where(f) says whether a combination is wanted (all are)");
inline constexpr FieldRow kAll[] = {kFactors, kReplications, kRun, kMeasure, kWhere};

// The tables of its results take these.
inline constexpr FieldRow kConfidence =
    number_field("confidence", Dimension::fraction, {0, 0.999999, true}, 0.95,
                 "of intervals, between 0 and 1 or \"95 %\" ({default})");
inline constexpr FieldRow kWarnings =
    flag_field("warnings", false, "true: a column warned, how many of the cells have warnings ({default})");
inline constexpr FieldRow kTable[] = {kConfidence, kWarnings};

inline constexpr FieldRow kFactor = text_field("factor", {}, "whose levels are compared").must_be_given();
inline constexpr FieldRow kBaseline =
    other_field("baseline", "the level that others are compared with (the first)");
inline constexpr FieldRow kCompare[] = {kFactor, kBaseline, kConfidence};

}  // namespace experiment_fields

// The fields of the table `replications`.
namespace replications_fields {

using experiment_fields::kMostReplications;

inline constexpr FieldRow kLeast =
    whole_field("least", {2, kMostReplications}, 2, "so many at least ({default})");
inline constexpr FieldRow kMost =
    whole_field("most", {2, kMostReplications}, {}, "so many at most").must_be_given();
inline constexpr FieldRow kHalfWidth =  // a text is a fraction
    number_field("half_width", Dimension::count, kPositive, {},
                 "of the interval that is narrow enough: a number, or a share of the mean such as \"5 %\"")
        .of_type("number|string")
        .must_be_given();
inline constexpr FieldRow kMeasure = text_field("measure", {}, "whose interval it is").must_be_given();
inline constexpr FieldRow kConfidence =
    number_field("confidence", Dimension::fraction, {0, 1, true}, 0.95, "of that interval ({default})");
inline constexpr FieldRow kAll[] = {kLeast, kMost, kHalfWidth, kMeasure, kConfidence};

}  // namespace replications_fields

namespace claim_fields {

inline constexpr FieldRow kSource =
    text_field("source", {}, "the publication, and where in it").must_be_given();
inline constexpr FieldRow kSays = text_field("says", {}, "what it says").must_be_given();
inline constexpr FieldRow kHolds = flag_field("holds", false, "whether that holds here");
inline constexpr FieldRow kValue =
    number_field("value", Dimension::count, kAnyNumber, {}, "the number found here, in place of holds");
inline constexpr FieldRow kPublished =
    number_field("published", Dimension::count, kAnyNumber, {}, "the number that was published");
inline constexpr FieldRow kWithin =
    number_field("within", Dimension::fraction, kNotNegative, 0,
                 "how far the two may differ, as a share of what was published ({default})");
inline constexpr FieldRow kMargin =
    number_field("margin", Dimension::count, kNotNegative, 0, "how far the two may differ ({default})");
inline constexpr FieldRow kFound =
    text_field("found", "", "what was found, for the page on findings (the two numbers)");
inline constexpr FieldRow kVerdict =
    choice_field("verdict", "reproduces|does not reproduce|source in error", "what becomes of it")
        .must_be_given();
inline constexpr FieldRow kAll[] = {kSource, kSays,   kHolds, kValue,  kPublished,
                                    kWithin, kMargin, kFound, kVerdict};

}  // namespace claim_fields

}  // namespace perigee::language
