// The fields of the table `power` of hosts and clusters, and of the tables in it.
#pragma once

#include "interpreter/host/field_row.h"

namespace perigee::language::power_fields {

inline constexpr FieldRow kIdle =
    number_field("idle", Dimension::watts, kNotNegative, {}, "W while no core is busy");
inline constexpr FieldRow kBusy =
    number_field("busy", Dimension::watts, kNotNegative, {}, "W while all cores are busy");
inline constexpr FieldRow kEpsilon =
    number_field("epsilon", Dimension::watts, kNotNegative, {},
                 "W towards which it falls with ever fewer busy cores (idle)");
inline constexpr FieldRow kOff =
    number_field("off", Dimension::watts, kNotNegative, 0, "W while it is switched off ({default})");
inline constexpr FieldRow kDown =
    number_field("down", Dimension::watts, kNotNegative, {}, "W while an outage keeps it away (off)");
inline constexpr FieldRow kBoot =
    other_field("boot", "from off to on: { time =, power = } or { time =, energy = } (no time)")
        .of_type("table");
inline constexpr FieldRow kShutdown =
    other_field("shutdown", "from on to off, likewise (no time)").of_type("table");
inline constexpr FieldRow kStates =
    other_field("states",
                "in place of idle, busy and epsilon: states of speed, a list of { factor =, idle =, busy =, "
                "epsilon = }, the first with factor = 1")
        .of_type("table[]");
inline constexpr FieldRow kAll[] = {kIdle, kBusy, kEpsilon, kOff, kDown, kBoot, kShutdown, kStates};

inline constexpr FieldRow kFactor =
    number_field("factor", Dimension::count, kPositive, 1, "of the host's speed ({default})");
inline constexpr FieldRow kState[] = {kFactor, kIdle.must_be_given(), kBusy.must_be_given(), kEpsilon};

inline constexpr FieldRow kTime =
    number_field("time", Dimension::seconds, kNotNegative, 0, "that it takes, s ({default})");
inline constexpr FieldRow kPower =
    number_field("power", Dimension::watts, kNotNegative, 0, "W meanwhile ({default})");
inline constexpr FieldRow kEnergy =
    number_field("energy", Dimension::joules, kNotNegative, {}, "in place of power: J for all of it");
// Fields of a link.
inline constexpr FieldRow kLink[] = {
    number_field("idle", Dimension::watts, kNotNegative, {}, "W while nothing is sent over it")
        .must_be_given(),
    number_field("busy", Dimension::watts, kNotNegative, {}, "W while anything is").must_be_given()};

inline constexpr FieldRow kTransition[] = {kTime, kPower, kEnergy};

}  // namespace perigee::language::power_fields
