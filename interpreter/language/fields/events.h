// The fields of scenarios and of the events in them.
#pragma once

#include "interpreter/host/field_row.h"

namespace perigee::language {

// Fields of what happens to hosts, clusters and links. Words take some of these.
namespace event_fields {

inline constexpr FieldRow kHost = text_field("host", {}, "the name of one host");
inline constexpr FieldRow kHosts = other_field("hosts", "a list of names of hosts").of_type("string[]");
inline constexpr FieldRow kCluster = text_field("cluster", {}, "the name of a cluster, its hosts included");
inline constexpr FieldRow kLink = text_field("link", {}, "the name of a link");
inline constexpr FieldRow kFrom =
    number_field("from", Dimension::seconds, kNotNegative, {}, "s").must_be_given();
inline constexpr FieldRow kTo =
    number_field("to", Dimension::seconds, kNotNegative, {}, "s, > from").must_be_given();
inline constexpr FieldRow kAt = number_field("at", Dimension::seconds, kNotNegative, {}, "when, s");
inline constexpr FieldRow kGivenAt = kAt.must_be_given();  // of events that are declared
inline constexpr FieldRow kAnnounced =
    flag_field("announced", true, "whether the policy is told ({default})");

inline constexpr FieldRow kKnown =
    number_field("known", Dimension::seconds, kNotNegative, {},
                 "since when policies know of it and plan around it, s (from)");
inline constexpr FieldRow kOutage[] = {kHost, kCluster, kLink, kFrom, kTo, kAnnounced, kKnown};
inline constexpr FieldRow kReserve[] = {kHosts, kHost, kCluster, kLink, kFrom, kTo, kAnnounced, kKnown};

inline constexpr FieldRow kAll = flag_field("all", false, "true: every host");
inline constexpr FieldRow kKnownBefore =
    number_field("known", Dimension::seconds, kNotNegative, 0,
                 "since when policies know of it and plan around it, s ({default})");
inline constexpr FieldRow kEvery =
    number_field("every", Dimension::seconds, kPositive, {}, "s until it comes again (it comes once)");
inline constexpr std::int64_t kMostTimes = 100'000;
inline constexpr FieldRow kTimes =
    whole_field("times", {1, kMostTimes}, 1, "how often it comes, beside every ({default})");
inline constexpr FieldRow kMaintenance[] = {kHosts, kHost,        kCluster, kAll,  kFrom,
                                            kTo,    kKnownBefore, kEvery,   kTimes};
inline constexpr FieldRow kKnownMember =
    number_field("known", Dimension::seconds, kNotNegative, {},
                 "since when policies know of it and plan around it, s (at)");
inline constexpr FieldRow kLeave[] = {kHost, kCluster, kGivenAt, kKnownMember};

inline constexpr FieldRow kName = text_field("name", {}, "that the policy is told").must_be_given();
inline constexpr FieldRow kMark[] = {kGivenAt, kName};

// By hand or by a process; by hand perhaps later.
inline constexpr FieldRow kAnnouncedNow[] = {kAnnounced};
inline constexpr FieldRow kAnnouncedAt[] = {kAt, kAnnounced};
inline constexpr FieldRow kLater[] = {kAt};

}  // namespace event_fields

namespace failure_fields {

using event_fields::kAll;
inline constexpr FieldRow kMtbf =
    number_field("mtbf", Dimension::seconds, kPositive, {}, "mean time up between failures, s")
        .must_be_given();
inline constexpr FieldRow kMttr =
    number_field("mttr", Dimension::seconds, kPositive, {}, "mean time to repair, s").must_be_given();
inline constexpr FieldRow kLaw = choice_field("law", "exponential|weibull", "of times up ({default})");
inline constexpr FieldRow kShape =
    number_field("shape", Dimension::count, kPositive, 1, "of the Weibull law of times up ({default})");
inline constexpr FieldRow kRepairLaw =
    choice_field("repair_law", "exponential|weibull", "of times to repair ({default})");
inline constexpr FieldRow kRepairShape = number_field("repair_shape", Dimension::count, kPositive, 1,
                                                      "of the Weibull law of times to repair ({default})");

inline constexpr FieldRow kFailures[] = {
    event_fields::kHosts, event_fields::kHost, event_fields::kCluster,  kAll, kMtbf, kMttr, kLaw, kShape,
    kRepairLaw,           kRepairShape,        event_fields::kAnnounced};

}  // namespace failure_fields

namespace join_fields {

using event_fields::kAt;

inline constexpr FieldRow kCluster =
    text_field("cluster", {}, "the name of what joins; with host, the cluster that the host joins");
inline constexpr FieldRow kArchitecture =
    text_field("architecture", {}, "the host's from then on (as before)");
inline constexpr FieldRow kWithHosts =
    flag_field("with_hosts", true, "whether a cluster's hosts come with it ({default})");

inline constexpr FieldRow kJoin[] = {event_fields::kHost, kCluster,   event_fields::kGivenAt,
                                     kArchitecture,       kWithHosts, event_fields::kKnownMember};
inline constexpr FieldRow kJoinNow[] = {kCluster, kArchitecture, kWithHosts};
inline constexpr FieldRow kJoinAt[] = {kAt, kCluster, kArchitecture, kWithHosts};

}  // namespace join_fields

namespace change_fields {

using event_fields::kAnnounced;
using event_fields::kAt;

inline constexpr FieldRow kSpeed = number_field("speed", Dimension::operations_per_second, kNotNegative, {},
                                                "of the host from then on, op/s");
inline constexpr FieldRow kFactor = number_field("factor", Dimension::fraction, kNotNegative, {},
                                                 "of the host's or link's nominal speed from then on");
inline constexpr FieldRow kAvailability =
    profile_field("availability", Dimension::fraction, {0, 1}, {},
                  "of the host from then on: a number or profile that begins there");
inline constexpr FieldRow kBandwidth =
    profile_field("bandwidth", Dimension::bytes_per_second, kNotNegative, {},
                  "of the link from then on, B/s: a number or profile that begins there");
inline constexpr FieldRow kLatency =
    profile_field("latency", Dimension::seconds, kNotNegative, {},
                  "of the link from then on, s: a number or profile that begins there");

inline constexpr FieldRow kChange[] = {event_fields::kHost,
                                       event_fields::kLink,
                                       event_fields::kGivenAt,
                                       kSpeed,
                                       kFactor,
                                       kAvailability,
                                       kBandwidth,
                                       kLatency,
                                       kAnnounced};
inline constexpr FieldRow kChangeNow[] = {kSpeed, kFactor, kAvailability, kBandwidth, kLatency, kAnnounced};
inline constexpr FieldRow kChangeAt[] = {kAt,        kSpeed,   kFactor,   kAvailability,
                                         kBandwidth, kLatency, kAnnounced};

}  // namespace change_fields

namespace scenario_fields {

inline constexpr FieldRow kPlatform =
    other_field("platform", "its platform").of_type("platform").must_be_given();
inline constexpr FieldRow kWorkload =
    other_field("workload", "its workload").of_type("workload").must_be_given();
inline constexpr FieldRow kEvents =
    other_field("events", "a list of events, and of lists of them (none)").of_type("table");
inline constexpr FieldRow kOnFailure =
    other_field(
        "on_failure",
        "what becomes of activities: compute, transfer and hold, each \"lost\", \"resumed\" or \"restarted\" "
        "(\"lost\"); requeue_stranded: work is done again whose outputs left with their cluster (true); store: "
        "files of a cluster that comes back are \"kept\" or \"lost\" (\"kept\")")
        .of_type("table");
inline constexpr FieldRow kAtLimit = choice_field(
    "at_limit", "kill|keep|requeue|checkpoint",
    "what becomes of a job whose limit and grace are over ({default}): keep = nothing; requeue = it waits "
    "again if a checkpoint is whole; checkpoint = it writes one at its limit, then as requeue");
inline constexpr FieldRow kQueues =
    other_field("queues", "to which jobs are submitted: a list of queue \"name\" { } (none)")
        .of_type("queue[]");
inline constexpr FieldRow kQos =
    other_field("qos", "qualities of service of jobs: a list of qos \"name\" { } (none)").of_type("queue[]");
inline constexpr FieldRow kAll[] = {kPlatform, kWorkload, kEvents, kOnFailure, kAtLimit, kQueues, kQos};

// The fields of the table `on_failure`.
inline constexpr std::string_view kRules = "lost|resumed|restarted";
inline constexpr FieldRow kCompute = choice_field("compute", kRules, "computations ({default})");
inline constexpr FieldRow kTransfer = choice_field("transfer", kRules, "transfers ({default})");
inline constexpr FieldRow kHold = choice_field("hold", kRules, "reservations ({default})");
inline constexpr FieldRow kRequeueStranded = flag_field(
    "requeue_stranded", true, "true: work is done again whose outputs left with their cluster ({default})");
inline constexpr FieldRow kStore =
    choice_field("store", "kept|lost", "files of a cluster that leaves and comes back ({default})");
inline constexpr FieldRow kRulesOnFailure[] = {kCompute, kTransfer, kHold, kRequeueStranded, kStore};

}  // namespace scenario_fields

}  // namespace perigee::language
