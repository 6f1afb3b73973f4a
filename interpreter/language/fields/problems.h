// The fields of the words with which scripts make mapping problems and Gantt charts of their own.
#pragma once

#include "interpreter/host/field_row.h"

namespace perigee::language {

namespace problem_fields {

inline constexpr FieldRow kEtc =
    other_field("etc", "an etc matrix or a list of rows").of_type("etc matrix|number[][]").must_be_given();
inline constexpr FieldRow kReady =  // with cores none is math.huge
    numbers_field("ready", Dimension::seconds, kTimeOrNever,
                  "a list: when each machine is free, or with cores each core, s (0)");
inline constexpr FieldRow kCores =
    other_field("cores", "a list: how many each machine has (each machine is one queue)")
        .of_type("integer[]");
inline constexpr FieldRow kWidths =
    other_field("widths", "a list: the cores that each task takes of one machine at once (1)")
        .of_type("integer[]");
inline constexpr FieldRow kNow = number_field("now", Dimension::seconds, kNotNegative, 0,
                                              "with cores: no task begins before, s ({default})");
inline constexpr FieldRow kClusters =
    other_field("clusters", "a list: the number of each machine's cluster (each is its own)")
        .of_type("integer[]");
inline constexpr FieldRow kWholeMachine = flag_field(
    "whole_machine", false,
    "true: machines are compared by the end of all that they have, not of the task alone ({default})");
inline constexpr FieldRow kAll[] = {kEtc, kReady, kCores, kWidths, kNow, kClusters, kWholeMachine};

}  // namespace problem_fields

namespace own_chart_fields {

inline constexpr FieldRow kTimes =
    other_field(
        "times",
        "of each task on each machine, s: an etc matrix or a list of rows; math.huge = cannot run there")
        .of_type("etc matrix|number[][]")
        .must_be_given();
inline constexpr FieldRow kClusters =
    other_field("clusters", "a list: the number of each machine's cluster (1)").of_type("integer[]");
// The range holds for each entry, or for each entry of an entry.
inline constexpr FieldRow kTransfers =
    numbers_field("transfers", Dimension::seconds, kTimeOrNever,
                  "a list with an entry for each file: s of its transfer, or a list with those of each "
                  "cluster (no files)")
        .of_type("(number|string|number[])[]");
inline constexpr FieldRow kInputs =
    other_field("inputs", "a list with the list of input files of each task, in the order of sending (none)")
        .of_type("integer[][]");
inline constexpr FieldRow kOutputs =
    other_field("outputs", "a list with the list of output files of each task (none)").of_type("integer[][]");
inline constexpr FieldRow kStores =
    other_field("stores", "a list with the list of files that each cluster has from the beginning (none)")
        .of_type("integer[][]");
inline constexpr FieldRow kReady =
    numbers_field("ready", Dimension::seconds, kTimeOrNever, "a list: when each machine is free, s (now)");
inline constexpr FieldRow kLinkReady = numbers_field("link_ready", Dimension::seconds, kTimeOrNever,
                                                     "a list: when each cluster's link is free, s (now)");
inline constexpr FieldRow kNow =
    number_field("now", Dimension::seconds, kNotNegative, 0, "nothing begins before, s ({default})");
inline constexpr FieldRow kAll[] = {kTimes,  kClusters, kTransfers, kInputs, kOutputs,
                                    kStores, kReady,    kLinkReady, kNow};

}  // namespace own_chart_fields

}  // namespace perigee::language
