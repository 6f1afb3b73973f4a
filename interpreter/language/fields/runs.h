// The fields of the words that run scenarios.
#pragma once

#include "interpreter/host/field_row.h"

namespace perigee::language {

// Options of s:run, s:start and s:compare.
namespace run_fields {

// A flag that falls back to what is known only when the run is asked for.
constexpr FieldRow flag_of_run(std::string_view name, std::string_view meaning) {
  return {name, FieldKind::flag, Dimension::count, {}, {}, {}, meaning};
}

inline constexpr FieldRow kPolicy =
    other_field("policy", "a name, or a policy with its parameters").must_be_given();
inline constexpr FieldRow kSeed =
    whole_field("seed", {0}, {}, "of all that is drawn in the run, a whole number >= 0 (--seed)");
inline constexpr FieldRow kHorizon =
    number_field("horizon", Dimension::seconds, kPositive, {}, "where the run is cut off, s (none)");
inline constexpr FieldRow kWarmup = number_field("warmup", Dimension::seconds, kNotNegative, 0,
                                                 "metrics pass over what finished before, s ({default})");
inline constexpr FieldRow kTrace =
    choice_field("trace", "full|work|none", "how much is kept: all, without activities, nothing ({default})");
inline constexpr FieldRow kValidate =
    flag_of_run("validate", "true: the trace is checked again after the run (--validate)");
inline constexpr FieldRow kInformation = {
    "information",
    FieldKind::other,  // a text of terms, or the table of information_fields
    Dimension::count,
    {},
    "perfect",
    "perfect|declared|learnt|nominal|current|mean|last|run_avg|adapt_mse|adapt_mae|...",
    "what policies know of times, a text of one word or more, or { amounts =, rates =, "
    "error =, error_seed =, age =, sample_period =, running =, overdue = } ({default})",
    "string|table"};
inline constexpr FieldRow kAsk = choice_field("ask", "once|phases|each",
                                              "when the policy is asked: once an instant, after each "
                                              "phase of it, after each event (as the policy declares)");
inline constexpr FieldRow kTolerance =
    number_field("tolerance", Dimension::count, {0, 1}, {},
                 "events within tolerance * max(1, t) of time t are one instant (as the policy declares)");
inline constexpr FieldRow kSubmitFirst = flag_of_run(
    "submit_first", "true: arrivals come before the ends of the same instant (as the policy declares)");
inline constexpr FieldRow kRun[] = {kPolicy,   kSeed,        kHorizon, kWarmup,    kTrace,
                                    kValidate, kInformation, kAsk,     kTolerance, kSubmitFirst};

inline constexpr FieldRow kDecisionTimes[] = {kPolicy,      kSeed, kHorizon,   kWarmup,
                                              kInformation, kAsk,  kTolerance, kSubmitFirst};

inline constexpr FieldRow kMetrics =
    other_field("metrics", "a list of names of metrics (a choice of them)").of_type("string[]");
inline constexpr FieldRow kNames =
    other_field("names", "a list of what the rows are called, one for each").of_type("string[]");
inline constexpr FieldRow kScenarioCompare[] = {kSeed,     kHorizon,     kWarmup,  kTrace,
                                                kValidate, kInformation, kMetrics, kNames};
inline constexpr FieldRow kCompare[] = {kNames};

inline constexpr FieldRow kReady =
    numbers_field("ready", Dimension::seconds, {0},
                  "a list: when each machine of the matrix is free, s (0); math.huge: it takes nothing");
inline constexpr FieldRow kProfile[] = {kReady, kSeed};

}  // namespace run_fields

// The fields of the table `information`.
namespace information_fields {

inline constexpr FieldRow kAmounts = choice_field(
    "amounts", "true|declared|learnt",
    "what policies know of the time that work takes and of the size of files: \"true\", \"declared\" or "
    "\"learnt\" ({default})");
inline constexpr FieldRow kRates = {
    "rates",
    FieldKind::text,
    Dimension::count,
    {},
    {},
    "perfect|nominal|current|mean|last|run_avg|adapt_mse|adapt_mae|...",
    "what policies know of availability, bandwidth and latency: \"perfect\", \"nominal\", \"current\", "
    "\"mean\" or a forecast (\"perfect\"; \"nominal\" unless amounts are true)"};
inline constexpr FieldRow kError = number_field(
    "error", Dimension::fraction, kAnyNumber, 0,
    "each estimated duration is multiplied by 1 + error (2u - 1), with u drawn from 0 to 1 ({default})");
inline constexpr FieldRow kErrorSeed =
    whole_field("error_seed", {0}, {}, "of what the errors are drawn from (the run's seed)");
inline constexpr FieldRow kAge = number_field("age", Dimension::seconds, kAnyNumber, 0,
                                              "measurements younger than that are not known, s ({default})");
inline constexpr FieldRow kSamplePeriod = number_field("sample_period", Dimension::seconds, kAnyNumber, 5,
                                                       "between measurements for a forecast, s ({default})");
inline constexpr FieldRow kRunning =
    choice_field("running", "estimate|progress",
                 "how the end of what runs is foretold: \"estimate\" or \"progress\" ({default})");
inline constexpr FieldRow kOverdue =
    number_field("overdue", Dimension::seconds, kAnyNumber, {},
                 "from now, the end of what should have ended, s (10; 0 with nominal rates)");
inline constexpr FieldRow kAll[] = {kAmounts, kRates,        kError,   kErrorSeed,
                                    kAge,     kSamplePeriod, kRunning, kOverdue};

}  // namespace information_fields

namespace process_fields {

inline constexpr FieldRow kRun =
    other_field("run", "the function").of_type("fun(sim: process)").must_be_given();
inline constexpr FieldRow kName =
    text_field("name", {}, "what messages call it (\"process\" and its number)");
inline constexpr FieldRow kKeepsAlive = flag_field(
    "keeps_alive", false,
    "true: as long as it waits for a time the run goes on, although all work is settled ({default})");
inline constexpr FieldRow kAll[] = {kRun, kName, kKeepsAlive};

}  // namespace process_fields

}  // namespace perigee::language
