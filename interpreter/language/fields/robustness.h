// The fields of robustness { } and of its table `shake`.
#pragma once

#include "interpreter/host/field_row.h"
#include "interpreter/language/fields/runs.h"

namespace perigee::language {

namespace shake_fields {

inline constexpr FieldRow kTimes = number_field(
    "times", Dimension::fraction, {0, 1}, 0,
    "run times are multiplied by 1 + u, u uniform from minus to plus this share, \"10 %\" ({default})");
inline constexpr FieldRow kSizes =
    number_field("sizes", Dimension::fraction, {0, 1}, 0,
                 "the same of files and of what loads and sweeps are sent ({default})");
inline constexpr FieldRow kArrivals =
    number_field("arrivals", Dimension::seconds, kNotNegative, 0,
                 "arrivals are shifted by up to so many seconds, either way but not below 0 ({default})");
inline constexpr FieldRow kFailures = number_field("failures", Dimension::count, kPositive, 1,
                                                   "drawn failures come so many times as often ({default})");
inline constexpr FieldRow kRepairs = number_field("repairs", Dimension::count, kPositive, {},
                                                  "drawn repairs are so many times as fast (as failures)");
inline constexpr FieldRow kAll[] = {kTimes, kSizes, kArrivals, kFailures, kRepairs};

}  // namespace shake_fields

namespace robustness_fields {

inline constexpr std::int64_t kMostRuns = 1'000'000;

inline constexpr FieldRow kScenario =
    other_field("scenario", "what is declared").of_type("scenario").must_be_given();
inline constexpr FieldRow kMeasure =
    other_field("measure", "a metric, or function(result) that returns a number, or nil where there is none")
        .of_type("string|fun(result: result): number?")
        .must_be_given();
inline constexpr FieldRow kShake =
    other_field("shake",
                "{ times =, sizes =, arrivals =, failures =, repairs = }: how far the truth may be from it")
        .of_type("table")
        .must_be_given();
inline constexpr FieldRow kN = whole_field("n", {1, kMostRuns}, 1000, "how many runs ({default})");
inline constexpr FieldRow kDeadline =  // of the dimension of the metric
    number_field("deadline", Dimension::count, kAnyNumber, {},
                 "the measure that shall not be exceeded: how probable that is (none)")
        .of_type("number|string");
inline constexpr FieldRow kSeed = whole_field(
    "seed", {0}, {}, "of what is declared and of what is drawn around it, a whole number >= 0 (--seed)");
inline constexpr FieldRow kName =
    text_field("name", {}, "by which its runs are stored (\"robustness of\" and the policy)");
inline constexpr FieldRow kInformation = {
    "information",
    FieldKind::other,
    Dimension::count,
    {},
    "declared perfect",
    {},
    "what policies know of times, as in s:run, but not the drawn truth ({default})",
    "string|table"};
inline constexpr FieldRow kAll[] = {run_fields::kPolicy,
                                    kScenario,
                                    kMeasure,
                                    kShake,
                                    kN,
                                    kDeadline,
                                    kSeed,
                                    kName,
                                    kInformation,
                                    run_fields::kHorizon,
                                    run_fields::kWarmup,
                                    run_fields::kAsk,
                                    run_fields::kTolerance,
                                    run_fields::kSubmitFirst};

}  // namespace robustness_fields

}  // namespace perigee::language
