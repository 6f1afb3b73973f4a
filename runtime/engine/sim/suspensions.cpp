// Computations that stand still and go on, and policies that have them do so.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/engine/sim/shared.h"

namespace perigee::engine {

// The rest of a fixed phase, and of a dump, is done when the activity goes on.
void Sim::stand_still(std::uint32_t slot, Reason why) {
  Activity& activity = state_.activities[slot];
  if (activity.allocation != kNone) give_up_dump(slot, why);
  bring_up_to_date(slot);
  activity.fixed_left = std::max(0.0, activity.since - state_.now);
  if (activity.end < kNever) --progressing_;
  activity.stage = Stage::paused;
  activity.end = kNever;
  if (activity.allocation != kNone) expect_dump(slot);
}

void Sim::compute_on(std::uint32_t slot) {
  go_on_to_limit(slot);
  Activity& activity = state_.activities[slot];
  activity.since = state_.now + activity.fixed_left;
  activity.stage = Stage::moving;
  activity.end = end_of_compute(activity);
  if (activity.end < kNever) ++progressing_;
  push_end(slot);
  if (activity.allocation != kNone) expect_dump(slot);
}

void Sim::suspend(ActivityId running) {
  const Activity& activity = live(running, "suspend");
  const auto refuse = [&](std::string_view why) {
    bad(activity.work.valid() ? fmt::format("suspend {}", text_of(activity.piece()))
                              : fmt::format("suspend activity {}", running.serial),
        why);
  };
  if (activity.kind != ActivityKind::compute) refuse("it is no computation");
  if (activity.stage == Stage::posted) refuse("it has not started; withdraw it instead");
  if (activity.suspended) refuse("it is suspended already");
  if (state_.works.is_dealt_in_parts(activity.work)) refuse("it is a part of a work; cancel it instead");
  if (activity.twin != kNone) refuse("it has a copy; cancel one of them instead");
  const std::uint32_t slot = running.slot;
  stop_limit(slot);
  if (activity.stage == Stage::paused)  // a host of it is away
    state_.activities.thaw(slot);
  else
    stand_still(slot, Reason::policy);
  if (activity.allocation == kNone) {
    leave_host(slot);
  } else {
    for (const Allocation::Part& part : state_.activities.allocation_of(activity).parts)
      leave_host(part.slot);
  }
  state_.activities.suspend(slot, state_.now);
  record(RecordKind::suspended, activity, Reason::policy);
  note_undone();
}

std::string Sim::obstacle_of_resume(ActivityId suspended) const {
  if (!state_.activities.lives(suspended)) return "it is over";
  const Activity& activity = state_.activities[suspended.slot];
  if (!activity.suspended) return "it is not suspended";
  const Shape* shape = state_.workload->shape_of(activity.work);
  const auto problem_on = [&](const Activity& there) -> std::string {
    const std::string& name = (*state_.platform)[there.host].name;
    if (!state_.hosts[there.host].up) return fmt::format("host '{}' is down", name);
    const WorkId holder = shape != nullptr ? holder_of(*shape, activity.work) : activity.work;
    const std::int32_t idle = state_.hosts.free_cores(there.host, holder);
    if (idle >= there.cores) return {};
    return fmt::format("it needs {} of the {} cores of host '{}', {} {} idle", there.cores,
                       (*state_.platform)[there.host].cores, name, idle, idle == 1 ? "is" : "are");
  };
  if (activity.allocation == kNone) return problem_on(activity);
  for (const Allocation::Part& part : state_.activities.allocation_of(activity).parts)
    if (std::string problem = problem_on(state_.activities[part.slot]); !problem.empty()) return problem;
  return {};
}

void Sim::resume(ActivityId suspended) {
  const Activity& before = live(suspended, "resume");
  if (const std::string problem = obstacle_of_resume(suspended); !problem.empty())
    bad(before.work.valid() ? fmt::format("resume {}", text_of(before.piece()))
                            : fmt::format("resume activity {}", suspended.serial),
        problem);
  const std::uint32_t slot = suspended.slot;
  Activity& activity = state_.activities[slot];
  if (activity.allocation == kNone) {
    state_.hosts.occupy(state_.activities, slot);
  } else {
    for (const Allocation::Part& part : state_.activities.allocation_of(activity).parts)
      state_.hosts.occupy(state_.activities, part.slot);
  }
  activity.started += state_.now - state_.activities.resume(slot);
  record(RecordKind::resumed, activity, Reason::policy);
  if (resources_up(activity)) return compute_on(slot);
  go_on_to_limit(slot);  // on a host that nobody was told is down
  state_.activities.freeze(slot);
}

bool Sim::is_suspended_on(HostId host) const {
  return std::ranges::any_of(state_.activities.suspended(), [&](const Activities::Suspension& each) {
    const Activity& activity = state_.activities[each.slot];
    if (activity.allocation == kNone) return activity.host == host;
    return std::ranges::any_of(state_.activities.allocation_of(activity).parts,
                               [&](const Allocation::Part& part) { return part.share.host == host; });
  });
}

std::vector<ActivityId> Sim::suspended() const {
  std::vector<ActivityId> ids;
  for (const Activities::Suspension& each : state_.activities.suspended())
    ids.push_back(state_.activities.id_of(each.slot));
  return ids;
}

}  // namespace perigee::engine
