// Notes of planners: written while a run is under way, and read again where it is measured.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/engine/trace.h"

namespace perigee::engine {
class Sim;
}

namespace perigee::grid {

// Why a plan is made. Notes hold its number, so that the order stays as it is.
enum class PlanCause : std::uint8_t { none, timer, idle, add, remove, arrival, starved };
// The names of all but `none`, from 1.
inline constexpr std::array<std::string_view, 6> kPlanCauses = {"timer",  "idle",    "add",
                                                                "remove", "arrival", "starved"};

// Each reads what its note says; none when it is another note, or one of a script that says something else.

// `plan`: a plan has been made.
struct PlanNote {
  PlanCause cause;
  double tasks;  // that it placed
  Seconds interval;

  void write(Sim& sim) const;
  static std::optional<PlanNote> read(const Note& note);
};

// `deviation`: how much of what was predicted for now is not so, and what follows from it.
struct DeviationNote {
  double deviation;
  Seconds interval, margin;

  void write(Sim& sim) const;
  static std::optional<DeviationNote> read(const Note& note);
};

// `steal`: a host took a task from the queue of another.
struct StealNote {
  HostId thief, victim;
  WorkId work;

  void write(Sim& sim) const;
  static std::optional<StealNote> read(const Note& note);
};

}  // namespace perigee::grid
