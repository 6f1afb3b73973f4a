#include "runtime/schedulers/reasons.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "runtime/schedulers/realtime/reasons.h"

namespace perigee::schedulers {
namespace {

constexpr ReasonRow kOfEngine[] = {
    {Reason::none, "none"},
    {Reason::outage, "outage"},
    {Reason::failure, "failure"},
    {Reason::reservation, "reservation"},
    {Reason::membership, "membership"},
    {Reason::change, "change"},
    {Reason::cancelled, "cancelled"},
    {Reason::superseded, "superseded"},
    {Reason::predecessor, "predecessor"},
    {Reason::stranded, "stranded"},
    {Reason::deadline, "deadline"},
    {Reason::infeasible, "infeasible", "no host could ever run it"},
    {Reason::policy, "policy"},
    {Reason::late, "late"},
};

// Reasons that are younger than the families' own.
constexpr ReasonRow kMoreOfEngine[] = {{Reason::limit, "limit"},
                                       {Reason::maintenance, "maintenance"},
                                       {Reason::recovered, "recovered", "its outputs are back"}};

constexpr auto kReasons = [] {
  std::array<ReasonRow, std::size(kOfEngine) + std::size(realtime::kRefusals) + std::size(kMoreOfEngine)>
      all{};
  const auto behind =
      std::ranges::copy(realtime::kRefusals, std::ranges::copy(kOfEngine, all.begin()).out).out;
  std::ranges::copy(kMoreOfEngine, behind);
  return all;
}();

constexpr bool in_order_of_number() {
  for (std::size_t i = 0; i < kReasons.size(); ++i)
    if (static_cast<std::size_t>(kReasons[i].number) != i) return false;
  return true;
}
static_assert(in_order_of_number() && kReasons.size() <= engine::kMostReasons);

const ReasonRow& row_of(Reason reason) { return kReasons.at(static_cast<std::size_t>(reason)); }

}  // namespace

std::string_view name_of(Reason reason) { return row_of(reason).name; }
std::string_view meaning_of(Reason reason) { return row_of(reason).meaning; }

}  // namespace perigee::schedulers
