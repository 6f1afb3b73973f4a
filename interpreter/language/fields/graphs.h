// The fields of the words that make task graphs.
#pragma once

#include "interpreter/host/field_row.h"
#include "runtime/model/task_graph.h"

namespace perigee::language::graph_fields {

inline constexpr Range kCounts{1, static_cast<double>(model::kMostGraphTasks)};
inline constexpr Range kShares{0, 1};

// Every generator takes these: either amounts, or costs that are drawn.
inline constexpr FieldRow kOps =
    other_field("ops", "of each task, op: a number, or a function of the task, rng and the task's name (0)")
        .of_type("number|string|fun(task: integer, rng: random stream, name: string): number|string");
inline constexpr FieldRow kSize =
    other_field(
        "size",
        "of the file on each edge, B: a number, or a function of the task that writes it, rng and the task "
        "that reads it (no files: tasks wait only)")
        .of_type("number|string|fun(task: integer, rng: random stream, reader: integer): number|string");
inline constexpr FieldRow kHosts =
    whole_field("hosts", kCounts, {}, "times are drawn for so many hosts, instead of ops and size (none)");
inline constexpr FieldRow kCcr = number_field(
    "ccr", Dimension::count, kNotNegative, {},
    "of costs that are drawn: bytes of an edge over the time of a task, in the mean, at a bandwidth of 1 B/s");
inline constexpr FieldRow kBeta = number_field(
    "beta", Dimension::count, {0, 2}, {},
    "of costs that are drawn: the times of a task are within beta / 2 of their mean on either side");
inline constexpr FieldRow kMean =
    number_field("mean", Dimension::seconds, kPositive, 50, "of all times that are drawn, s ({default})");
inline constexpr FieldRow kRng =
    other_field("rng", "a random stream, needed where something is drawn").of_type("random stream");

// Generators that draw the shape too take these.
inline constexpr FieldRow kShapeRng =
    other_field("rng", "a random stream, of the shape first").of_type("random stream").must_be_given();

// The shapes.
inline constexpr FieldRow kN = whole_field("n", kCounts, {}, "tasks").must_be_given();
inline constexpr FieldRow kChain[] = {kN, kOps, kSize, kHosts, kCcr, kBeta, kMean, kRng};
inline constexpr FieldRow kWidth = whole_field("width", kCounts, {}, "tasks side by side").must_be_given();
inline constexpr FieldRow kStages = whole_field("stages", kCounts, 1, "one after another ({default})");
inline constexpr FieldRow kForkJoin[] = {kWidth, kStages, kOps, kSize, kHosts, kCcr, kBeta, kMean, kRng};
inline constexpr FieldRow kBranching =
    whole_field("branching", {2, kCounts.max}, 2, "children of each task but the leaves ({default})");
inline constexpr FieldRow kDepth =
    whole_field("depth", {0, kCounts.max}, {}, "edges from the root to each leaf").must_be_given();
inline constexpr FieldRow kTree[] = {kBranching, kDepth, kOps, kSize, kHosts, kCcr, kBeta, kMean, kRng};
inline constexpr FieldRow kR = whole_field("r", kCounts, {}, "rows").must_be_given();
inline constexpr FieldRow kC = whole_field("c", kCounts, {}, "columns").must_be_given();
inline constexpr FieldRow kGrid[] = {kR, kC, kOps, kSize, kHosts, kCcr, kBeta, kMean, kRng};
inline constexpr FieldRow kMatrixSize =
    whole_field("size", {2, kCounts.max}, {}, "columns of the matrix").must_be_given();
inline constexpr FieldRow kBytes =
    other_field("bytes", "what `size` is to other graphs, B (no files)").of_type(kSize.type);
inline constexpr FieldRow kGaussian[] = {kMatrixSize, kOps, kBytes, kHosts, kCcr, kBeta, kMean, kRng};
inline constexpr FieldRow kPoints =
    whole_field("points", {2, kCounts.max}, {}, "a power of two").must_be_given();
inline constexpr FieldRow kFft[] = {kPoints, kOps, kSize, kHosts, kCcr, kBeta, kMean, kRng};
inline constexpr FieldRow kTiles =
    whole_field("tiles", kCounts, {}, "the matrix is so many tiles wide and high").must_be_given();
inline constexpr FieldRow kTiled[] = {kTiles, kOps, kSize, kHosts, kCcr, kBeta, kMean, kRng};

inline constexpr FieldRow kTasks = whole_field("tasks", kCounts, {}, "so many").must_be_given();
inline constexpr FieldRow kAlpha =
    number_field("alpha", Dimension::count, kPositive, 1,
                 "layers have about alpha times the square root of the tasks, in the mean ({default})");
inline constexpr FieldRow kDegree =
    whole_field("degree", kCounts, {}, "most successors that a task draws").must_be_given();
inline constexpr FieldRow kLayered[] = {kTasks, kAlpha, kDegree, kOps,  kSize,
                                        kHosts, kCcr,   kBeta,   kMean, kShapeRng};
inline constexpr FieldRow kFat =
    number_field("fat", Dimension::count, kShares, 0.5, "levels have about tasks ^ fat tasks ({default})");
inline constexpr FieldRow kRegularity =
    number_field("regularity", Dimension::count, kShares, 0.5, "1: all levels are equally wide ({default})");
inline constexpr FieldRow kDensity =
    number_field("density", Dimension::count, kShares, 0.5,
                 "the share of the level above that a task may wait for ({default})");
inline constexpr FieldRow kJump =
    whole_field("jump", kCounts, 1, "levels that an edge may reach up ({default})");
inline constexpr FieldRow kLevels[] = {kTasks, kFat,   kRegularity, kDensity, kJump, kOps,
                                       kSize,  kHosts, kCcr,        kBeta,    kMean, kShapeRng};

inline constexpr FieldRow kTimes =
    other_field(
        "times",
        "an etc matrix or a list of rows: s of each task on each host; math.huge: it cannot run there")
        .of_type("etc matrix|number[][]")
        .must_be_given();
inline constexpr FieldRow kEdges =
    other_field(
        "edges",
        "{ { from, to, bytes }, ... }: numbers or names of tasks; without bytes the one waits only (none)")
        .of_type("{ [1]: integer|string, [2]: integer|string, [3]: number|string|nil }[]");
inline constexpr FieldRow kNames =
    other_field("names", "a list of the names of the tasks (task 1, task 2, ...)").of_type("string[]");
inline constexpr FieldRow kMatrix[] = {kTimes, kEdges, kNames};

// Files.
inline constexpr FieldRow kForm = choice_field(
    "form", "ops|time", "what run times become: operations, or seconds on every host ({default})");
inline constexpr FieldRow kReference =
    number_field("reference", Dimension::operations_per_second, kPositive, 1,
                 "op/s of the host of the run times: operations are run time times reference ({default})");
inline constexpr FieldRow kTime = number_field("time", Dimension::seconds, kNotNegative, {},
                                               "of tasks of which the file tells no run time, s (an error)");
inline constexpr FieldRow kOlder =
    flag_field("older", false, "true: versions 1.3 and 1.4 are read too ({default})");
inline constexpr FieldRow kWfFormat[] = {kForm, kReference, kTime, kOlder};
inline constexpr FieldRow kDummies =
    choice_field("dummies", "keep|drop", "the tasks of no time that begin and end the graph ({default})");
inline constexpr FieldRow kStg[] = {kDummies};

}  // namespace perigee::language::graph_fields
