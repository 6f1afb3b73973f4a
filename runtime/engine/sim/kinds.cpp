// The kinds of activity, a row each.
#include "runtime/engine/sim/shared.h"

namespace perigee::engine {

// clang-format off
constexpr std::array<Sim::Kind, 8> Sim::kKinds = {{
    {.kind = ActivityKind::none, .name = "none"},
    {.kind = ActivityKind::compute, .name = "compute", .on_host = true, .rule = &Scenario::compute_rule,
     .check = &Sim::check_compute, .fill_in = &Sim::fill_in_compute, .withdrawn = &Sim::piece_withdrawn,
     .obstacle = &Sim::obstacle_of_compute, .begin = &Sim::begin_posted_compute,
     .ended = &Sim::compute_ended, .lost = &Sim::piece_lost},
    {.kind = ActivityKind::transfer_in, .name = "transfer_in", .on_route = true,
     .check = &Sim::check_transfer, .fill_in = &Sim::fill_in_transfer, .withdrawn = &Sim::transfer_given_up,
     .obstacle = &Sim::obstacle_of_transfer, .begin = &Sim::enter_link,
     .ended = &Sim::file_arrived, .lost = &Sim::transfer_given_up},
    {.kind = ActivityKind::transfer_out, .name = "transfer_out", .on_route = true,
     .check = &Sim::check_transfer, .fill_in = &Sim::fill_in_transfer, .withdrawn = &Sim::transfer_given_up,
     .obstacle = &Sim::obstacle_of_transfer, .begin = &Sim::enter_link,
     .ended = &Sim::file_came_home, .lost = &Sim::transfer_given_up},
    {.kind = ActivityKind::chunk, .name = "chunk", .on_host = true, .on_route = true,
     .check = &Sim::check_chunk, .fill_in = &Sim::fill_in_chunk,
     .obstacle = &Sim::obstacle_of_chunk, .begin = &Sim::begin_chunk,
     .ended = &Sim::chunk_ended},
    {.kind = ActivityKind::hold, .name = "hold", .rule = &Scenario::hold_rule,
     .check = &Sim::check_hold,
     .obstacle = &Sim::obstacle_of_hold, .begin = &Sim::begin_hold,
     .ended = &Sim::hold_ended, .lost = &Sim::hold_lost},
    {.kind = ActivityKind::think, .name = "think",
     .ended = &Sim::thinking_ended},
    {.kind = ActivityKind::dump, .name = "dump", .on_route = true,
     .obstacle = &Sim::obstacle_of_dump, .begin = &Sim::enter_route,
     .ended = &Sim::dump_sent},
}};
// clang-format on

std::string_view name_of(ActivityKind kind) {
  static_assert([] {
    for (std::size_t k = 0; k < Sim::kKinds.size(); ++k)
      if (static_cast<std::size_t>(Sim::kKinds[k].kind) != k) return false;
    return true;
  }());
  return Sim::row_of(kind).name;
}

}  // namespace perigee::engine
