// The fields of the words about statistics of lists, closed forms of queues and accumulators.
#pragma once

#include <cstdint>

#include "interpreter/host/field_row.h"
#include "interpreter/language/fields/distributions.h"

namespace perigee::language {

namespace statistics_fields {

// All words that make intervals take this.
inline constexpr FieldRow kConfidence = number_field("confidence", Dimension::fraction, kAnyNumber, 0.95,
                                                     "of intervals, between 0 and 1 or \"95 %\" ({default})");
inline constexpr FieldRow kInterval[] = {kConfidence};

inline constexpr Range kReplications{2, 1'000'000'000};
inline constexpr FieldRow kRun =
    other_field("run", "run(i) makes the i-th value").of_type("fun(i: integer): number").must_be_given();
inline constexpr FieldRow kRelative =
    number_field("relative", Dimension::fraction, kPositive, 0.05,
                 "the half-width as a share of the mean that is narrow enough ({default})");
inline constexpr FieldRow kAtLeast = whole_field("at_least", kReplications, 10, "values ({default})");
inline constexpr FieldRow kAtMost =  // or at_least, where that is more
    whole_field("at_most", kReplications, 1000, "values ({default})");
inline constexpr FieldRow kReplicate[] = {kRun, kRelative, kConfidence, kAtLeast, kAtMost};

inline constexpr FieldRow kType = whole_field("type", {1, 9}, 7, "of the quantile, 1 to 9 ({default})");
inline constexpr FieldRow kQuantile[] = {kType};

inline constexpr std::int64_t kMostBins = 1'000'000;
inline constexpr FieldRow kBins = whole_field("bins", {1, kMostBins}, {}, "of a histogram: how many");
inline constexpr FieldRow kEdges =
    numbers_field("edges", Dimension::count, kAnyNumber, "of the bins, ascending");
inline constexpr FieldRow kHistogram[] = {kBins, kEdges};

inline constexpr FieldRow kValue =
    number_field("value", Dimension::count, kAnyNumber, 0, "at the start ({default})");
inline constexpr FieldRow kStart =
    number_field("start", Dimension::seconds, kAnyNumber, 0, "time at which it begins, s ({default})");
inline constexpr FieldRow kTimeWeighted[] = {kValue, kStart};

inline constexpr FieldRow kRate =
    number_field("rate", Dimension::count, kNotNegative, {}, "arrivals per second").must_be_given();
inline constexpr FieldRow kTime =
    number_field("time", Dimension::seconds, kNotNegative, {}, "mean time in the system, s").must_be_given();
inline constexpr FieldRow kNumber =
    number_field("number", Dimension::count, kNotNegative, {}, "mean number in the system").must_be_given();
inline constexpr FieldRow kLittlesLaw[] = {kRate, kTime, kNumber};

}  // namespace statistics_fields

// The fields of stats.mm1, stats.mmc and stats.mg1.
namespace queue_fields {

inline constexpr FieldRow kLambda =
    number_field("lambda", Dimension::count, kPositive, {}, "arrivals per second").must_be_given();
inline constexpr FieldRow kMu =
    number_field("mu", Dimension::count, kPositive, {}, "services per second").must_be_given();
inline constexpr FieldRow kMM1[] = {kLambda, kMu};

inline constexpr FieldRow kServers =
    whole_field("servers", {1, 1'000'000}, {}, "their number").must_be_given();
inline constexpr FieldRow kMMC[] = {kLambda, kMu, kServers};

inline constexpr FieldRow kService =
    other_field("service", "the distribution of service times, in place of mean and sd or second_moment")
        .of_type("probability distribution");
inline constexpr FieldRow kMean = distribution_fields::kMean;
inline constexpr FieldRow kSd = distribution_fields::kSd;
inline constexpr FieldRow kSecondMoment =
    number_field("second_moment", Dimension::count, kPositive, {}, "of service times, in place of sd");
inline constexpr FieldRow kMG1[] = {kLambda, kService, kMean, kSd, kSecondMoment};

}  // namespace queue_fields

}  // namespace perigee::language
