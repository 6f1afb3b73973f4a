// The reasons for which admission tests refuse a load (Mamat, 2011, Chapters 4 to 7).
#pragma once

#include "runtime/schedulers/reasons.h"

namespace perigee::realtime {

namespace refusal {

inline constexpr Reason head{14}, succ{15}, self{16}, plan{17}, io{18}, nodes{19}, tasks{20}, past{21},
    bound{22};

}  // namespace refusal

inline constexpr schedulers::ReasonRow kRefusals[] = {
    {refusal::head, "head", "the head could not even send it by its deadline"},
    {refusal::succ, "succ", "a load that waits behind it would be late"},
    {refusal::self, "self", "it would be late itself"},
    {refusal::plan, "plan", "with it, not all that waits can be planned in time"},
    {refusal::io, "io", "the channel is taken then"},
    {refusal::nodes, "nodes", "too few nodes are free then"},
    {refusal::tasks, "tasks", "a load that waits would be late"},
    {refusal::past, "past", "it is over"},
    {refusal::bound, "bound", "it would take too large a share of the time that is left"},
};

}  // namespace perigee::realtime
