// The fields of cost.graph, and of the options of its methods.
#pragma once

#include <limits>

#include "interpreter/host/field_row.h"
#include "interpreter/language/fields/graphs.h"

namespace perigee::language::graph_problem_fields {

inline constexpr FieldRow kBandwidth =
    number_field("bandwidth", Dimension::bytes_per_second, {0, kNever, true}, 1,
                 "B/s between every two machines, or a matrix: bandwidth[from][to] ({default})")
        .of_type("number|string|table");
inline constexpr FieldRow kLatency =
    number_field("latency", Dimension::seconds, kNotNegative, 0,
                 "s between every two machines, a list with that of each machine that sends, or a matrix: "
                 "latency[from][to] ({default})")
        .of_type("number|string|table");
inline constexpr FieldRow kReady =
    numbers_field("ready", Dimension::seconds, kNotNegative, "a list: when each machine is free, s (0)");
inline constexpr FieldRow kNow =
    number_field("now", Dimension::seconds, kNotNegative, 0, "no task begins before, s ({default})");
// With the tasks and edges of graph.matrix before them.
inline constexpr FieldRow kOwn[] = {
    graph_fields::kTimes, graph_fields::kEdges, graph_fields::kNames, kBandwidth, kLatency, kReady, kNow};
inline constexpr FieldRow kOfGraph[] = {kBandwidth, kLatency, kReady, kNow};

inline constexpr FieldRow kComputation =
    choice_field("computation", "mean|median|best|worst|none",
                 "what counts for a task, of its times on all machines ({default})");
inline constexpr FieldRow kCommunication =
    choice_field("communication", "mean|median|best|worst|none",
                 "what counts for an edge, of its times between all machines ({default})");
inline constexpr FieldRow kMeanTransfer =
    choice_field("mean_transfer", "times|rates",
                 "the mean of an edge: of its times, or the time at mean rates ({default})");
inline constexpr FieldRow kRank[] = {kComputation, kCommunication, kMeanTransfer};

inline constexpr FieldRow kInsertion = flag_field(
    "insertion", true, "true: also in a gap between others; false: only behind everything there ({default})");
inline constexpr FieldRow kStart[] = {kInsertion};

inline constexpr FieldRow kSeed = whole_field("seed", {0}, {}, "of what the scheduler draws (--seed)");
inline constexpr FieldRow kSchedule[] = {kSeed};

}  // namespace perigee::language::graph_problem_fields
