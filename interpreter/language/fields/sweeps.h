// The fields of the words that cut sweeps and loads into packages.
#pragma once

#include <cstdint>
#include <limits>

#include "interpreter/host/field_row.h"

namespace perigee::language {

namespace worker_fields {

inline constexpr std::int64_t kMostHosts = 1'000'000;
inline constexpr double kEndless = std::numeric_limits<double>::infinity();

// The entries of the list.
inline constexpr FieldRow kSpeed =
    number_field("speed", Dimension::count, kPositive, {}, "runs/s").must_be_given();
inline constexpr FieldRow kRate =
    number_field("rate", Dimension::count, {0, kEndless, true}, kEndless, "runs/s sent (infinite)");
inline constexpr FieldRow kSendLatency =
    number_field("send_latency", Dimension::seconds, kNotNegative, 0, "s ({default})");
inline constexpr FieldRow kStartLatency =
    number_field("start_latency", Dimension::seconds, kNotNegative, 0, "s ({default})");
inline constexpr FieldRow kAll[] = {kSpeed, kRate, kSendLatency, kStartLatency};

inline constexpr FieldRow kWorkers =
    other_field("workers",
                "a list of { speed = runs/s, rate = runs/s sent (infinite), send_latency = s (0), "
                "start_latency = s (0) }")
        .of_type("table[]")
        .must_be_given();

}  // namespace worker_fields

namespace factoring_fields {

inline constexpr FieldRow kRuns =
    number_field("runs", Dimension::count, {0, 1e15, true}, {}, "to be dealt, a whole number")
        .must_be_given();
inline constexpr FieldRow kHosts =
    whole_field("hosts", {1, worker_fields::kMostHosts}, {}, "how many take chunks").must_be_given();
inline constexpr FieldRow kCv =
    number_field("cv", Dimension::count, kNotNegative, {},
                 "standard deviation over mean of a run's time (none: FAC2, which halves what is left)");
inline constexpr FieldRow kAll[] = {kRuns, kHosts, kCv};

}  // namespace factoring_fields

namespace calibration_fields {

inline constexpr FieldRow kTimes =
    numbers_field("times", Dimension::seconds, kPositive, "a list: s of a run on each host").must_be_given();
inline constexpr FieldRow kLeft =
    number_field("left", Dimension::count, {0, 1e15}, {}, "runs that are still to be dealt").must_be_given();
inline constexpr FieldRow kMode =
    choice_field("mode", "times|univariate|multivariate",
                 "from measured times, or from times fitted to availability, to latency too ({default})");
inline constexpr FieldRow kAvailability =
    numbers_field("availability", Dimension::fraction, kAnyNumber,
                  "a list: of each host, above 0 and at most 1; for the fits");
inline constexpr FieldRow kLatency = numbers_field("latency", Dimension::seconds, kNotNegative,
                                                   "a list: of each host, s; for the multivariate fit");
inline constexpr FieldRow kSingle = flag_field("single", false, "true: one installment, k = 1 ({default})");
inline constexpr FieldRow kAll[] = {kTimes, kLeft, kMode, kAvailability, kLatency, kSingle};

}  // namespace calibration_fields

namespace installment_fields {

using worker_fields::kWorkers;

inline constexpr FieldRow kInstallments =
    whole_field("installments", {1, worker_fields::kMostHosts}, {}, "to each worker, from 1").must_be_given();
inline constexpr FieldRow kSeveral[] = {kWorkers, kInstallments};
inline constexpr FieldRow kOne[] = {kWorkers};

}  // namespace installment_fields

// The fields of cost.umr, cost.mrrs and of robust UMR.
namespace round_fields {

using worker_fields::kWorkers;

inline constexpr FieldRow kLoad =
    number_field("load", Dimension::count, kPositive, {}, "runs, above 0").must_be_given();
inline constexpr FieldRow kRounds =
    whole_field("rounds", {1, 100'000}, {}, "their number (that with the smallest makespan, of 1 to 100)");
inline constexpr FieldRow kFirstShare =
    number_field("first_share", Dimension::fraction, {0, 1}, 1,
                 "of the first round's sending that the makespan counts: "
                 "1, or 0.5 where the last round is cut anew ({default})");
inline constexpr FieldRow kTail = number_field("tail", Dimension::seconds, kNotNegative, 0,
                                               "s of each transfer that overlap with the next ({default})");
inline constexpr FieldRow kUniform[] = {kLoad, kWorkers, kRounds, kFirstShare, kTail};

inline constexpr FieldRow kError = number_field("error", Dimension::fraction, kNotNegative, {},
                                                "relative deviation of predicted times (none: unknown)");
inline constexpr FieldRow kSplit[] = {kLoad, kWorkers, kError};

inline constexpr FieldRow kLeft =
    number_field("left", Dimension::count, kNotNegative, {}, "runs that are left").must_be_given();
inline constexpr FieldRow kChunk[] = {kLeft, kWorkers, kError};

}  // namespace round_fields

// The fields of cost.sine_quota.
namespace quota_fields {

inline constexpr std::int64_t kMostRounds = 100'000;

inline constexpr FieldRow kRuns =
    number_field("runs", Dimension::count, {0, 1e15}, {}, "of the sweep").must_be_given();
inline constexpr FieldRow kPeak =
    whole_field("peak", {1, kMostRounds}, {}, "the round with the most runs").must_be_given();
inline constexpr FieldRow kK =
    whole_field("k", {1, kMostRounds}, {}, "rounds from the peak on until the sine is 0, at least peak")
        .must_be_given();
inline constexpr FieldRow kM =
    number_field("m", Dimension::count, kPositive, {}, "the peak has runs / m (cost.full_cover(peak, k))");
inline constexpr FieldRow kRound =
    whole_field("round", {1, std::numeric_limits<std::int32_t>::max()}, {}, "from 1").must_be_given();
inline constexpr FieldRow kAll[] = {kRuns, kPeak, kK, kM, kRound};

}  // namespace quota_fields

// The fields of cost.blend_enpr.
namespace enpr_fields {

inline constexpr FieldRow kEnpr =
    numbers_field("enpr", Dimension::fraction, kNotNegative, "a list: the share of each host so far")
        .must_be_given();
inline constexpr FieldRow kNpp =
    numbers_field("npp", Dimension::count, kNotNegative,
                  "a list: runs/s of each host's last package, 0 = none has ended")
        .must_be_given();
inline constexpr FieldRow kAlpha =
    number_field("alpha", Dimension::fraction, {0, 1, true}, 0.5,
                 "what is taken of the measured power, above 0 and at most 1 ({default})");
inline constexpr FieldRow kAll[] = {kEnpr, kNpp, kAlpha};

}  // namespace enpr_fields

}  // namespace perigee::language
