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
inline constexpr FieldRow kExpected[] = {kTime, kInterval, kAnyCost, kRestart, kMtbf, kMttr};

}  // namespace perigee::language::checkpoint_fields
