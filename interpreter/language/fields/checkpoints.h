// The fields of the words about checkpoints.
#pragma once

#include "interpreter/host/field_row.h"

namespace perigee::language::checkpoint_fields {

inline constexpr FieldRow kCost =
    number_field("cost", Dimension::seconds, kPositive, {}, "of writing one, s").must_be_given();
inline constexpr FieldRow kMtbf = number_field("mtbf", Dimension::seconds, kPositive, {},
                                               "mean time between failures of all its hosts together, s")
                                      .must_be_given();
inline constexpr FieldRow kBest[] = {kCost, kMtbf};

inline constexpr FieldRow kTime =
    number_field("time", Dimension::seconds, kPositive, {}, "of the work without checkpoints and failures, s")
        .must_be_given();
inline constexpr FieldRow kInterval =
    number_field("interval", Dimension::seconds, kPositive, {}, "of computing between two of them, s")
        .must_be_given();
inline constexpr FieldRow kAnyCost =
    number_field("cost", Dimension::seconds, kNotNegative, 0, "of writing one, s ({default})");
inline constexpr FieldRow kRestart = number_field("restart", Dimension::seconds, kNotNegative, 0,
                                                  "before work goes on from one, s ({default})");
inline constexpr FieldRow kMttr = number_field("mttr", Dimension::seconds, kNotNegative, 0,
                                               "mean time until the hosts are back, s ({default})");
// The table `checkpoint` of a job.
inline constexpr FieldRow kCostOfJob = number_field("cost", Dimension::seconds, kNotNegative, 0,
                                                    "of writing one, s ({default}); or bytes and link");
inline constexpr FieldRow kBytes = number_field(
    "bytes", Dimension::bytes, kPositive, {},
    "of one, B: writing and reading it is a transfer on `link`, while which the job stands still");
inline constexpr FieldRow kLink =
    text_field("link", "", "the link of the platform over which `bytes` go, shared as that link is");
inline constexpr FieldRow kEvery =
    other_field("interval",
                "of computing between two of them, s, or \"young\" or \"daly\": by the failures of its hosts")
        .of_type("number|string")
        .must_be_given();
inline constexpr FieldRow kStore = choice_field(
    "store", "shared|local", "who can read one: any hosts, or only the very hosts that wrote it ({default})");
inline constexpr FieldRow kOfJob[] = {kEvery, kCostOfJob, kBytes, kLink, kRestart, kStore};

inline constexpr FieldRow kExpected[] = {kTime, kInterval, kAnyCost, kRestart, kMtbf, kMttr};

}  // namespace perigee::language::checkpoint_fields
