// The fields of the words that make speed-ups, and of the sizes of moldable jobs.
#pragma once

#include <cstdint>

#include "interpreter/host/field_row.h"

namespace perigee::language::speedup_fields {

inline constexpr std::int64_t kMostCores = 100'000'000;

inline constexpr FieldRow kTime = number_field(
    "time", Dimension::seconds, kPositive, {},
    "of the job on one core, s, where a job has it as its time; under ops, operations of each core");
inline constexpr FieldRow kOps = number_field("ops", Dimension::operations, kPositive, {},
                                              "in place of time, where a job has it as its ops");
inline constexpr FieldRow kSerial =
    number_field("serial", Dimension::fraction, {0, 1}, {}, "share of the time that no further core shortens")
        .must_be_given();
inline constexpr FieldRow kParallelism =
    number_field("parallelism", Dimension::count, {1, kAbsurd}, {}, "average parallelism, >= 1")
        .must_be_given();
inline constexpr FieldRow kSigma = number_field("sigma", Dimension::count, kNotNegative, {},
                                                "how much the parallelism varies; 0 = not at all")
                                       .must_be_given();
inline constexpr FieldRow kAmdahl[] = {kTime, kOps, kSerial};
inline constexpr FieldRow kDowney[] = {kTime, kOps, kParallelism, kSigma};

// A range of sizes.
inline constexpr FieldRow kLeast = whole_field("least", {1, kMostCores}, 1, "the smallest size ({default})");
inline constexpr FieldRow kMost =
    whole_field("most", {1, kMostCores}, {}, "the largest size").must_be_given();
inline constexpr FieldRow kRange[] = {kLeast, kMost};

}  // namespace perigee::language::speedup_fields
