// The fields of workload.periodic.
#pragma once

#include "interpreter/host/field_row.h"

namespace perigee::language::periodic_fields {

inline constexpr FieldRow kHorizon =
    number_field("horizon", Dimension::seconds, kPositive, {}, "jobs arrive before it, s").must_be_given();
inline constexpr FieldRow kWhole[] = {kHorizon};

// Fields of a task.
inline constexpr FieldRow kName =
    text_field("name", "", "of the task, and the user of its jobs, which are called NAME.1, NAME.2, ...");
inline constexpr FieldRow kPeriod =
    number_field("period", Dimension::seconds, kPositive, {}, "between the arrivals of its jobs, s")
        .must_be_given();
inline constexpr FieldRow kTime =
    number_field("time", Dimension::seconds, kNotNegative, {}, "run time of each job, s").must_be_given();
inline constexpr FieldRow kDeadline = number_field("deadline", Dimension::seconds, kPositive, {},
                                                   "of each job after its arrival, s (the period)");
inline constexpr FieldRow kOffset =
    number_field("offset", Dimension::seconds, kNotNegative, 0, "arrival of the first job, s ({default})");
inline constexpr FieldRow kTask[] = {kName, kPeriod, kTime, kDeadline, kOffset};
// For help: of tasks, and beside them.
inline constexpr FieldRow kAll[] = {kPeriod, kTime, kDeadline, kOffset, kName, kHorizon};

}  // namespace perigee::language::periodic_fields
