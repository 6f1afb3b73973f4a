// The fields of the words about divisible loads.
#pragma once

#include "interpreter/host/field_row.h"

namespace perigee::language {

namespace random_loads_fields {

inline constexpr FieldRow kLoad =
    number_field("load", Dimension::fraction, kPositive, {},
                 "share of what all nodes compute that arrives, each load counted on one node: a number or a "
                 "function of time (this or mean_interarrival)")
        .of_type("number|string|fun(time: number): number");
inline constexpr FieldRow kMeanInterarrival = number_field("mean_interarrival", Dimension::seconds, kPositive,
                                                           {}, "mean time between arrivals, s (by the load)");
inline constexpr FieldRow kHorizon =
    number_field("horizon", Dimension::seconds, kPositive, {}, "loads arrive before it, s").must_be_given();
inline constexpr FieldRow kMeanSize =
    number_field("mean_size", Dimension::count, kPositive, {},
                 "of the normal distribution of sizes, cut off at 0, and its standard deviation")
        .must_be_given();
inline constexpr FieldRow kTime = number_field("time", Dimension::seconds, kNotNegative, {},
                                               "that a node is estimated to compute a unit, s")
                                      .must_be_given();
inline constexpr FieldRow kBytes =
    number_field("bytes", Dimension::bytes, kNotNegative, {}, "estimated to be sent for a unit")
        .must_be_given();
inline constexpr FieldRow kDeadlineRatio =
    number_field("deadline_ratio", Dimension::count, kPositive, {},
                 "mean relative deadline, by the time on all nodes of a load of mean size; > 2/3")
        .must_be_given();
inline constexpr FieldRow kDeadlineReference = choice_field(
    "deadline_reference", "effective|raw",
    "time on all nodes: of those that make a load shorter, or by the equation for all ({default})");
inline constexpr FieldRow kReserved =
    number_field("reserved", Dimension::fraction, {0, 1}, 0,
                 "share of the loads that become reservations of as long and as many nodes ({default})");
inline constexpr FieldRow kAdvance =
    number_field("advance", Dimension::seconds, kNotNegative, 0,
                 "how long before they begin reservations are asked for, s ({default})");
inline constexpr FieldRow kAdvanceFactor =
    number_field("advance_factor", Dimension::count, kNotNegative, 0,
                 "the same in mean times between arrivals ({default})");
inline constexpr FieldRow kCostFactors =
    numbers_field("cost_factors", Dimension::count, kPositive,
                  "{ least, largest }: true cost by estimated cost, uniform, of the transmission and of the "
                  "computation of each load ({ 1, 1 })");
inline constexpr FieldRow kAll[] = {
    kLoad,          kMeanInterarrival,  kHorizon,  kMeanSize, kTime,          kBytes,
    kDeadlineRatio, kDeadlineReference, kReserved, kAdvance,  kAdvanceFactor, kCostFactors};

}  // namespace random_loads_fields

namespace divisible_fields {

constexpr FieldRow seconds(std::string_view name, std::optional<double> fallback, std::string_view meaning) {
  return number_field(name, Dimension::seconds, kNotNegative, fallback, meaning);
}

inline constexpr FieldRow kTransmission = seconds("transmission", {}, "of a unit of load, s").must_be_given();
inline constexpr FieldRow kComputation = seconds("computation", {}, "of a unit of load, s").must_be_given();
inline constexpr FieldRow kTransmissionSetup =
    seconds("transmission_setup", 0, "of each transmission, s ({default})");
inline constexpr FieldRow kComputationSetup =
    seconds("computation_setup", 0, "of each computation, s ({default})");
inline constexpr FieldRow kPartition =
    choice_field("partition", "optimal|equal",
                 "\"optimal\": chunks that end together; \"equal\": of one size ({default})");
inline constexpr FieldRow kDivisible[] = {kTransmission, kComputation, kTransmissionSetup, kComputationSetup,
                                          kPartition};

inline constexpr FieldRow kFree =
    numbers_field("free", Dimension::seconds, kNotNegative, "a list: when each node is free, s")
        .must_be_given();
inline constexpr FieldRow kChannel = seconds("channel", 0, "when the head's channel is free, s ({default})");
inline constexpr FieldRow kStaggered[] = {kTransmission, kComputation, kFree, kChannel};

}  // namespace divisible_fields

}  // namespace perigee::language
