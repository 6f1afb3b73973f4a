// The fields of multifactor and of cost.fair_share.
#pragma once

#include <limits>

#include "interpreter/host/field_row.h"

namespace perigee::language::priority_fields {

inline constexpr Range kPositiveOrNever{0, std::numeric_limits<double>::infinity(), true};
constexpr FieldRow weight(std::string_view name, std::string_view meaning) {
  return number_field(name, Dimension::count, kNotNegative, 0, meaning);
}

inline constexpr FieldRow kAge = weight("age", "weight of the time that the job has waited ({default})");
inline constexpr FieldRow kSize = weight("size", "weight of its part of all hosts and cores ({default})");
inline constexpr FieldRow kFairShare =
    weight("fair_share", "weight of how much less its user has had than a fair share ({default})");
inline constexpr FieldRow kQueue =
    weight("queue", "weight of its queue's part of the largest priority of a queue ({default})");
inline constexpr FieldRow kQos = weight("qos", "the same of its quality of service ({default})");
inline constexpr FieldRow kMaxAge = number_field("max_age", Dimension::seconds, kPositive, 604800,
                                                 "who waits so long has all of the factor age, s (a week)");
inline constexpr FieldRow kFavour =
    choice_field("favour", "large|small", "which jobs size favours ({default})");
inline constexpr FieldRow kHalfLife =
    number_field("half_life", Dimension::seconds, kPositiveOrNever, 604800,
                 "after it, what was used counts half as much, s; math.huge: nothing is forgotten (a week)");
inline constexpr FieldRow kShares =
    other_field(
        "shares",
        "shares of users, and of accounts with users below them: { physics = { share = 40, ada = 1, bob = 2 }, "
        "eve = 60 }; who is not listed has 1 (1 each)")
        .of_type("table");
inline constexpr FieldRow kPeriod =
    number_field("period", Dimension::seconds, kNotNegative, 0,
                 "usage is reckoned at multiples of it, s; 0: at any time ({default})");
inline constexpr FieldRow kAll[] = {kAge,    kSize,   kFairShare, kQueue,  kQos,
                                    kMaxAge, kFavour, kHalfLife,  kShares, kPeriod};

inline constexpr FieldRow kUsage =
    other_field(
        "usage",
        "by user, the part of the machine that each has used, 0 to 1 and so all together (0 of users that are not listed)")
        .of_type("table<string, number>")
        .must_be_given();
inline constexpr FieldRow kTree =
    other_field("shares", "as of multifactor: { A = { share = 40, ada = 1 }, eve = 60 }")
        .of_type("table")
        .must_be_given();
inline constexpr FieldRow kFairShares[] = {kTree, kUsage};

}  // namespace perigee::language::priority_fields
