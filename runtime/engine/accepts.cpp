// Whether a policy accepts a work, by the flags of the policy.
#include <fmt/format.h>

#include "runtime/engine/policy.h"
#include "runtime/kernel/quantity.h"
#include "runtime/model/scenario.h"

namespace perigee::engine {
namespace {

std::string field_of(const Demand& demand, const Platform& platform) {
  if (demand.of_hosts.empty()) return "'licences'";
  return platform.consumables()[demand.of_hosts.front().what] == model::kMemory ? "'memory'" : "'resources'";
}

// The field by which the job has a Shape.
std::string field_of(const Shape& shape, std::int32_t cores, const Platform& platform) {
  if (shape.sizes != nullptr)
    return fmt::format("{} of {} to {}", shape.nodes > 0 ? "'nodes'" : "'processes'",
                       shape.sizes->allowed.front(), shape.sizes->allowed.back());
  if (shape.nodes == 1 && shape.reservation.valid()) return "'reservation'";
  if (shape.nodes == 1 && shape.demand != nullptr) return field_of(*shape.demand, platform);
  if (shape.nodes == 1 && shape.takes_turns) return "'queue' or 'qos' with a maximum of what runs";
  if (shape.nodes == 1 && !shape.exclusive && shape.only == nullptr) return "'checkpoint'";
  if (shape.nodes > 1) return fmt::format("'nodes' = {}", shape.nodes);
  if (shape.nodes == 0) return fmt::format("'processes' = {}", cores);
  return shape.exclusive ? "'exclusive'" : shape.only != nullptr ? "'only'" : "'same'";
}

// The field of the work that the policy does not accept, with its value where that says more. Empty: there is none.
std::string refused_field(const Accepts& accepts, const Scenario& scenario, const Workload& workload,
                          WorkId id) {
  const Work& work = workload[id];
  if (!accepts.files && work.input_count > 0) return "'inputs'";
  if (!accepts.files && work.output_count > 0) return "'outputs'";
  if (!accepts.files && work.kind == WorkKind::sweep && workload.extras[work.extra].bytes > 0)
    return "'bytes'";
  if (const Shape* shape = workload.shape_of(id); shape != nullptr) {
    if (!accepts.several_hosts && !(accepts.memory && shape->is_plain_but_for_demand()))
      return field_of(*shape, work.cores, *scenario.platform);
    if (shape->demand != nullptr && !accepts.memory) return field_of(*shape->demand, *scenario.platform);
  }
  if (!accepts.limits && workload.limit_of(id) < kNever && scenario.at_limit != AtLimit::keep)
    return fmt::format("'limit' = {} s", format_number(workload.limit_of(id)));
  if (!accepts.several_cores && work.cores > 1) return fmt::format("'cores' = {}", work.cores);
  return {};
}

}  // namespace

std::string refusal_of(const Accepts& accepts, const Scenario& scenario, const Workload& workload,
                       WorkId id) {
  const WorkKind kind = workload[id].kind;
  const bool accepted = kind == WorkKind::task    ? accepts.tasks
                        : kind == WorkKind::job   ? accepts.jobs
                        : kind == WorkKind::sweep ? accepts.sweeps
                        : kind == WorkKind::load  ? accepts.loads
                                                  : accepts.reservations;
  if (!accepted) return fmt::format("work of kind '{}' ({})", name_of(kind), workload.name_of(id));
  const std::string field = refused_field(accepts, scenario, workload, id);
  return field.empty() ? field : fmt::format("{}, which {} has", field, workload.name_of(id));
}

}  // namespace perigee::engine
