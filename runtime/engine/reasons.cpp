#include "runtime/engine/reasons.h"

#include <array>

namespace perigee::engine {
namespace {

struct ReasonRow {
  Reason number;  // enters the fingerprint, so that it stays
  std::string_view name;
  std::string_view meaning = {};
};

constexpr std::array kReasons = {
    ReasonRow{Reason::none, "none"},
    ReasonRow{Reason::outage, "outage"},
    ReasonRow{Reason::failure, "failure"},
    ReasonRow{Reason::reservation, "reservation"},
    ReasonRow{Reason::membership, "membership"},
    ReasonRow{Reason::change, "change"},
    ReasonRow{Reason::cancelled, "cancelled"},
    ReasonRow{Reason::superseded, "superseded"},
    ReasonRow{Reason::predecessor, "predecessor"},
    ReasonRow{Reason::stranded, "stranded"},
    ReasonRow{Reason::deadline, "deadline"},
    ReasonRow{Reason::infeasible, "infeasible", "no host could ever run it"},
    ReasonRow{Reason::policy, "policy"},
    ReasonRow{Reason::late, "late"},
    ReasonRow{Reason::head, "head", "the head could not even send it by its deadline"},
    ReasonRow{Reason::succ, "succ", "a load that waits behind it would be late"},
    ReasonRow{Reason::self, "self", "it would be late itself"},
    ReasonRow{Reason::plan, "plan", "with it, not all that waits can be planned in time"},
    ReasonRow{Reason::io, "io", "the channel is taken then"},
    ReasonRow{Reason::nodes, "nodes", "too few nodes are free then"},
    ReasonRow{Reason::tasks, "tasks", "a load that waits would be late"},
    ReasonRow{Reason::past, "past", "it is over"},
    ReasonRow{Reason::bound, "bound", "it would take too large a share of the time that is left"},
};

constexpr bool in_order_of_number() {
  for (std::size_t i = 0; i < kReasons.size(); ++i)
    if (static_cast<std::size_t>(kReasons[i].number) != i) return false;
  return true;
}
static_assert(in_order_of_number());

const ReasonRow& row_of(Reason reason) { return kReasons.at(static_cast<std::size_t>(reason)); }

}  // namespace

std::string_view name_of(Reason reason) { return row_of(reason).name; }
std::string_view meaning_of(Reason reason) { return row_of(reason).meaning; }

}  // namespace perigee::engine
