// The fields of the words that make matrices of times, and of those that map them.
#pragma once

#include <cstdint>

#include "interpreter/host/field_row.h"

namespace perigee::language {

namespace etc_fields {

inline constexpr Range kSizes{1, 1'000'000'000};
inline constexpr FieldRow kTasks = whole_field("tasks", kSizes, {}, "rows").must_be_given();
inline constexpr FieldRow kMachines = whole_field("machines", kSizes, {}, "columns").must_be_given();
inline constexpr FieldRow kRead[] = {kTasks, kMachines};

// Fields of the generators.
inline constexpr FieldRow kClass = choice_field("class", "hihi|hilo|lohi|lolo",
                                                "heterogeneity of tasks, then of machines: \"hilo\" "
                                                "= high of tasks, low of machines ({default})");
inline constexpr FieldRow kTaskRange = number_field("task_range", Dimension::count, kAnyNumber, {},
                                                    "times of tasks are uniform in [1, range) (by class)");
inline constexpr FieldRow kMachineRange =
    number_field("machine_range", Dimension::count, kAnyNumber, {},
                 "factors of machines are uniform in [1, range) (by class)");
inline constexpr FieldRow kTaskCv =
    number_field("task_cv", Dimension::count, kAnyNumber, {},
                 "coefficient of variation of the tasks' mean times (by class)");
inline constexpr FieldRow kMachineCv =
    number_field("machine_cv", Dimension::count, kAnyNumber, {},
                 "coefficient of variation of one task's times (by class)");
inline constexpr FieldRow kConsistency =
    choice_field("consistency", "inconsistent|consistent|semi_consistent",
                 "whether a machine that is faster for one task is so for all ({default})");
inline constexpr FieldRow kRng =
    other_field("rng", "a random stream (numbers of --seed)").of_type("random stream");
inline constexpr FieldRow kRangeBased[] = {kTasks,        kMachines,    kClass, kTaskRange,
                                           kMachineRange, kConsistency, kRng};

inline constexpr FieldRow kMean =
    number_field("mean", Dimension::seconds, kAnyNumber, 1000, "of all times, s ({default})");
inline constexpr FieldRow kFirst = choice_field(
    "first", "larger|tasks|machines", "of which means are drawn first ({default}: of those that vary more)");
inline constexpr FieldRow kWhole =  // 0: they are not cut
    number_field("whole", Dimension::seconds, kNotNegative, 0,
                 "times are cut to whole multiples of so many s (none)");
inline constexpr FieldRow kCvBased[] = {kTasks,     kMachines, kMean,  kClass,       kTaskCv,
                                        kMachineCv, kFirst,    kWhole, kConsistency, kRng};

inline constexpr FieldRow kMeans =
    other_field("mean", "an etc matrix: the means of the times").of_type("etc matrix").must_be_given();
inline constexpr FieldRow kSd =
    number_field("sd", Dimension::seconds, kNotNegative, 0, "standard deviation of each time, s ({default})");
inline constexpr FieldRow kCv =
    number_field("cv", Dimension::count, kNotNegative, 0,
                 "standard deviation of each time as a share of its mean, beside sd ({default})");
inline constexpr FieldRow kGamma[] = {kMeans, kSd, kCv, kRng};

}  // namespace etc_fields

// The fields of map() and of words like it.
namespace map_fields {

inline constexpr FieldRow kReady =
    numbers_field("ready", Dimension::seconds, kTimeOrNever,
                  "a list: when each machine of a matrix is free, s (0); math.huge: it takes nothing");
inline constexpr FieldRow kTasks =
    other_field("tasks", "a list of those of a mapping problem that are to be mapped (all that wait)")
        .of_type("integer[]");
inline constexpr FieldRow kSeed = whole_field("seed", {0}, {}, "of what the mapper draws (--seed)");
inline constexpr FieldRow kValues =
    flag_field("values", false, "true: `value` too, the number by which each task was chosen ({default})");
inline constexpr FieldRow kTree = flag_field(
    "tree", false,
    "true: `tree` too, each vertex of a search on a tree, as a_star is, with f in its parts ({default})");
inline constexpr FieldRow kMap[] = {kReady, kTasks, kSeed, kValues, kTree};

// A Gantt chart's fill() takes these.
inline constexpr FieldRow kCount = whole_field("count", {0}, {}, "so many tasks at most (all)");
inline constexpr FieldRow kFill[] = {kSeed, kCount};

}  // namespace map_fields

// The fields of cost.greedy_by_key.
namespace greedy_fields {

inline constexpr FieldRow kLargest =
    flag_field("largest", true, "true: the largest key comes first ({default})");
inline constexpr FieldRow kPure = flag_field(
    "pure", false,
    "true: the key depends on nothing but the task, its best and second, on a Gantt chart its completions in "
    "the clusters too, and is asked for only when these change ({default})");
inline constexpr FieldRow kPlace =
    other_field("place", "place(c, task, args) returns the machine (the one that completes the task first)")
        .of_type("fun(c: mapping view, task: integer): integer");
inline constexpr FieldRow kByKey[] = {kLargest, kPure, kPlace};

}  // namespace greedy_fields

// The coefficients of cost.scheduling_time.
namespace scheduling_time_fields {

constexpr FieldRow coefficient(std::string_view name, std::string_view meaning) {
  return number_field(name, Dimension::seconds, kAnyNumber, 0, meaning);
}

inline constexpr FieldRow kA4 =
    coefficient("a4", "s for each tasks^2 machines ({default}; without the table that of Breitinger 1999)");
inline constexpr FieldRow kA3 = coefficient("a3", "s for each task and machine ({default})");
inline constexpr FieldRow kA2 = coefficient("a2", "s for each task ({default})");
inline constexpr FieldRow kA1 = coefficient("a1", "s for each machine ({default})");
inline constexpr FieldRow kA0 = coefficient("a0", "s ({default})");
inline constexpr FieldRow kAll[] = {kA4, kA3, kA2, kA1, kA0};

}  // namespace scheduling_time_fields

}  // namespace perigee::language
