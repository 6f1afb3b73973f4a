// Notes of a planner, written and read again.
// Source: Berman et al., LIP RR 1999-46, sections 5.5 to 5.6.5 (causes of a plan, deviations, steals).
#include "runtime/schedulers/grid/plan_notes.h"

#include "runtime/engine/sim.h"

namespace perigee::grid {
namespace {

constexpr std::string_view kPlan = "plan", kDeviation = "deviation", kSteal = "steal";

bool is(const Note& note, std::string_view name) { return note.name == name && note.values.size() >= 3; }
double number(auto id) { return static_cast<double>(id.index); }

}  // namespace

void PlanNote::write(Sim& sim) const {
  sim.note(kPlan, std::array{static_cast<double>(cause), tasks, interval});
}
std::optional<PlanNote> PlanNote::read(const Note& note) {
  if (!is(note, kPlan)) return std::nullopt;
  PlanNote out{PlanCause::none, note.values[1], note.values[2]};
  for (std::size_t c = 1; c <= kPlanCauses.size(); ++c)
    if (note.values[0] == static_cast<double>(c)) out.cause = static_cast<PlanCause>(c);
  return out;
}

void DeviationNote::write(Sim& sim) const { sim.note(kDeviation, std::array{deviation, interval, margin}); }
std::optional<DeviationNote> DeviationNote::read(const Note& note) {
  if (!is(note, kDeviation)) return std::nullopt;
  return DeviationNote{note.values[0], note.values[1], note.values[2]};
}

void StealNote::write(Sim& sim) const {
  sim.note(kSteal, std::array{number(thief), number(victim), number(work)});
}
std::optional<StealNote> StealNote::read(const Note& note) {
  if (!is(note, kSteal)) return std::nullopt;
  const auto id = [&](std::size_t i) {  // invalid: no such number
    const double value = note.values[i];
    return value >= 0 && value < 4e9 ? static_cast<std::int64_t>(value) : -1;
  };
  const auto host = [&](std::size_t i) { return id(i) < 0 ? HostId() : HostId(id(i)); };
  return StealNote{host(0), host(1), id(2) < 0 ? WorkId() : WorkId(id(2))};
}

}  // namespace perigee::grid
