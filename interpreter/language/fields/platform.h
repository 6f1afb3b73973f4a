// The fields of the words that a platform is made of.
#pragma once

#include <cstdint>
#include <limits>

#include "interpreter/host/field_row.h"

namespace perigee::language {

namespace link_fields {

inline constexpr FieldRow kFrom =
    text_field("from", "origin", "the node of the network at one end ({default})");
inline constexpr FieldRow kTo =
    text_field("to", {}, "the node of the network at the other end").must_be_given();
inline constexpr FieldRow kBandwidth =
    profile_field("bandwidth", Dimension::bytes_per_second, {0, std::numeric_limits<double>::infinity()}, {},
                  "B/s: a number or profile, >= 0")
        .must_be_given();
inline constexpr FieldRow kLatency =
    profile_field("latency", Dimension::seconds, kNotNegative, 0,
                  "before the data of each transfer, s: a number or profile ({default})");
inline constexpr FieldRow kSharing = choice_field(
    "sharing", "exclusive|fair|unlimited", "of transfers at the same time ({default}: one after the other)");
inline constexpr FieldRow kOvertake = flag_field(
    "overtake", false, "true: what cannot start does not block what is posted behind it ({default})");
inline constexpr FieldRow kPower =
    other_field("power",
                "what it draws: { idle =, busy = }, W; busy while anything is sent over it (unknown)")
        .of_type("table");
inline constexpr FieldRow kAll[] = {kFrom, kTo, kBandwidth, kLatency, kSharing, kOvertake, kPower};

// The fields of the gateway of a cluster, which is the table `link` of its table.
inline constexpr FieldRow kName = text_field("name", "", "of the link (that of the cluster, and .link)");
inline constexpr FieldRow kGateway[] = {kBandwidth, kLatency, kSharing, kOvertake, kName, kPower};

}  // namespace link_fields

namespace host_fields {

inline constexpr std::int64_t kMostCores = 1'000'000;

inline constexpr FieldRow kCores = whole_field("cores", {1, kMostCores}, 1, "of the host ({default})");
inline constexpr FieldRow kSpeed =
    number_field("speed", Dimension::operations_per_second, kPositive, 1, "of one core, op/s ({default})");
inline constexpr FieldRow kAvailability =
    profile_field("availability", Dimension::fraction, {0, 1}, 1,
                  "share of the speed that is there: a number or profile from 0 to 1 ({default})");
inline constexpr FieldRow kLink =
    other_field(
        "link",
        "its gateway, outside of a cluster: a table of bandwidth, latency, sharing, overtake, power and name")
        .of_type("table");
inline constexpr FieldRow kArchitecture =
    text_field("architecture", "", "a name, by which work may have other times");
inline constexpr FieldRow kSlots =  // 0: as many as cores
    whole_field("slots", {1, kMostCores}, 0,
                "simulations of a package that run at a time (as many as cores)");
inline constexpr FieldRow kSetup =
    number_field("setup", Dimension::seconds, kNotNegative, 0, "time before each computation, s ({default})");
inline constexpr FieldRow kExclusive =
    flag_field("exclusive", false, "true: one activity at a time, whatever the cores ({default})");
inline constexpr FieldRow kOvertake = link_fields::kOvertake;
inline constexpr FieldRow kAt =
    text_field("at", "origin", "the node of the network where its gateway leads ({default})");
inline constexpr FieldRow kSwitch =
    text_field("switch", "", "a name: the leaf switch where it hangs (that of its cluster)");
inline constexpr FieldRow kMemory =
    number_field("memory", Dimension::bytes, kNotNegative, {},
                 "B that its jobs share, by their own field memory (never short)");
inline constexpr FieldRow kResources =
    other_field("resources", "what else its jobs share, a number of each: { gpu = 4 } (none)")
        .of_type("table<string, integer>");
inline constexpr FieldRow kPower =
    other_field(
        "power",
        "what it draws: { idle =, busy =, epsilon =, off =, down =, boot =, shutdown =, states = } (unknown)")
        .of_type("table");
inline constexpr FieldRow kStore =
    number_field("store", Dimension::bytes, kNotNegative, {},
                 "B that the files in the store of its cluster may have together (no limit)");
inline constexpr FieldRow kAll[] = {kCores,  kSpeed,  kAvailability, kLink,     kArchitecture,
                                    kSlots,  kSetup,  kExclusive,    kOvertake, kAt,
                                    kSwitch, kMemory, kResources,    kPower,    kStore};

}  // namespace host_fields

namespace licence_fields {

inline constexpr std::int64_t kMostLicences = 1'000'000'000;
inline constexpr FieldRow kCount =
    whole_field("count", {0, kMostLicences}, {}, "of them for the jobs of all hosts").must_be_given();
inline constexpr FieldRow kAll[] = {kCount};

}  // namespace licence_fields

// The fields of complete { }.
namespace complete_fields {

inline constexpr FieldRow kBandwidth =
    number_field("bandwidth", Dimension::bytes_per_second, {0, kNever, true}, kNever,
                 "B/s of the link between every two clusters, or a matrix: bandwidth[from][to] (no limit)")
        .of_type("number|string|table");
inline constexpr FieldRow kLatency =
    number_field(
        "latency", Dimension::seconds, kNotNegative, 0,
        "s of the link between every two clusters, a list with that of each cluster that sends, or a matrix: "
        "latency[from][to] ({default})")
        .of_type("number|string|table");
inline constexpr FieldRow kAll[] = {kBandwidth, kLatency};

}  // namespace complete_fields

// A cluster has the fields of its hosts, as defaults.
namespace cluster_fields {

using namespace host_fields;

inline constexpr std::int64_t kMostNodes = 1'000'000;

inline constexpr FieldRow kNodes = whole_field(
    "nodes", {1, kMostNodes}, 1, "hosts: a number of equal ones, name.1, name.2, ... ({default})");
inline constexpr FieldRow kLink =
    other_field("link", "its gateway: a table of bandwidth, latency, sharing, overtake, power and name")
        .of_type("table");
inline constexpr FieldRow kPerSwitch = whole_field(
    "per_switch", {1, kMostNodes}, {},
    "hosts at a switch: the first so many hang at name.s1, the next at name.s2, ... (all at one switch)");
inline constexpr FieldRow kAll[] = {kNodes,     kCores,  kSpeed,     kAvailability, kLink, kArchitecture,
                                    kSlots,     kSetup,  kExclusive, kOvertake,     kAt,   kSwitch,
                                    kPerSwitch, kMemory, kResources, kPower,        kStore};

}  // namespace cluster_fields

}  // namespace perigee::language
