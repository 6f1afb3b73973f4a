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
        .of_type("fun(f: table<string, any>, seed: integer): result|table<string, number>")
        .must_be_given();
inline constexpr FieldRow kMeasure =
    other_field("measure",
                "a list of the metrics that are kept, or a function that makes a table of numbers (all)")
        .of_type("string[]|function");
inline constexpr FieldRow kWhere =
    other_field("where", "where(f) says whether a combination is wanted (all are)")
        .of_type("fun(f: table<string, any>): boolean");
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

// The fields of the table `statements`, and of its records.
namespace statements_fields {

inline constexpr FieldRow kSource =
    text_field("source", {}, "the publication as claims cite it, \"Author 2001\"").must_be_given();
inline constexpr FieldRow kTitle = text_field("title", "", "its title");
inline constexpr FieldRow kAll[] = {kSource, kTitle};

}  // namespace statements_fields

namespace statement_fields {

inline constexpr FieldRow kNumber =
    text_field("number", {}, "by which claims name it, \"S2-17\"").must_be_given();
inline constexpr FieldRow kWhere = text_field("where", {}, "section, table or figure").must_be_given();
inline constexpr FieldRow kKind =
    choice_field("kind", "comparison|number|formula|example|feature|explanation|conclusion|error",
                 "what it is; error: a fault of the publication ({default})");
inline constexpr FieldRow kSays =
    text_field("says", {}, "what it says, in its full strength").must_be_given();
inline constexpr FieldRow kMissing =
    text_field("missing", "", "why it cannot be tested; it has no claim then");
inline constexpr FieldRow kData =
    text_field("data", "",
               "what it takes to test it that is not part of perigee: the claim is made when that is passed");
inline constexpr FieldRow kAll[] = {kNumber, kWhere, kKind, kSays, kMissing, kData};

}  // namespace statement_fields

namespace claim_fields {

inline constexpr FieldRow kStatement =
    text_field("statement", "", "the number of the statement, which says source and says");
inline constexpr FieldRow kSource = text_field("source", "", "the publication, and where in it");
inline constexpr FieldRow kSays = text_field("says", "", "what it says");
inline constexpr FieldRow kHolds =
    other_field("holds", "whether that holds here: true, false or \"not decided\"").of_type("boolean|string");
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
    choice_field("verdict", "reproduces|does not reproduce|not decided|source in error|left open",
                 "what becomes of it; left open: the publication asks, and found is an answer")
        .must_be_given();
inline constexpr FieldRow kChosen =
    text_field("chosen", "", "the rule or setting that was chosen so that it holds, where one was");
inline constexpr FieldRow kNote = text_field("note", "", "what a reader of the page should know besides");
inline constexpr FieldRow kAll[] = {kStatement, kSource, kSays,  kHolds,   kValue,  kPublished,
                                    kWithin,    kMargin, kFound, kVerdict, kChosen, kNote};

}  // namespace claim_fields

}  // namespace perigee::language
