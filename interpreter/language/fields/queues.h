// The fields of queue and qos.
#pragma once

#include <cstdint>

#include "interpreter/host/field_row.h"

namespace perigee::language {

namespace queue_fields {

inline constexpr std::int64_t kMost = 1'000'000'000;
inline constexpr FieldRow kHosts =
    other_field("hosts", "names of the hosts and clusters that its jobs may use: a list, or one (all)")
        .of_type("string|string[]");
inline constexpr FieldRow kTier =
    whole_field("tier", {0, kMost}, 1, "jobs of a larger one come before all others ({default})");
inline constexpr FieldRow kQosTier = whole_field("tier", {0, kMost}, {}, "in place of the queue's (that)");
inline constexpr FieldRow kPriority = number_field(
    "priority", Dimension::count, kNotNegative, 0,
    "its share of the largest one is a factor of backfill { priority = multifactor { } } ({default})");
inline constexpr FieldRow kMaxTime = number_field(
    "max_time", Dimension::seconds, kPositive, kNever,
    "jobs that ask for more time, s, are rejected: the lesser of limit and what is declared (none)");
inline constexpr FieldRow kMaxNodes =
    whole_field("max_nodes", {1, kMost}, {}, "jobs that ask for more nodes are rejected (none)");
inline constexpr FieldRow kMaxCores =
    whole_field("max_cores", {1, kMost}, {}, "jobs that ask for more cores in all are rejected (none)");
inline constexpr FieldRow kMaxRunning =
    whole_field("max_running", {1, kMost}, {}, "jobs that run at a time; the others are passed over (none)");
inline constexpr FieldRow kMaxRunningUser =
    whole_field("max_running_user", {1, kMost}, {}, "the same of each user (none)");
inline constexpr FieldRow kMaxCoresUser = whole_field(
    "max_cores_user", {1, kMost}, {},
    "cores that the running jobs of each user ask for; a job that asks for more is rejected (none)");
inline constexpr FieldRow kDefaultTime =
    number_field("default_time", Dimension::seconds, kPositive, kNever,
                 "limit of its jobs that have neither limit nor estimate, s (none)");
inline constexpr FieldRow kAll[] = {kHosts,    kTier,       kPriority,       kMaxTime,      kMaxNodes,
                                    kMaxCores, kMaxRunning, kMaxRunningUser, kMaxCoresUser, kDefaultTime};

inline constexpr FieldRow kUsage = number_field(
    "usage", Dimension::count, kNotNegative, 1,
    "by which the core-seconds of its jobs are multiplied, where users' fair shares are reckoned "
    "({default})");
inline constexpr FieldRow kQos[] = {kQosTier, kPriority, kUsage, kMaxRunningUser};

}  // namespace queue_fields

}  // namespace perigee::language
