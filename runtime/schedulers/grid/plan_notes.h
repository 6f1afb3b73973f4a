// Notes of planners, written during a run and read again where it is measured.
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

// Why a plan is made. Notes hold the number of a cause, so the order must not change.
enum class PlanCause : std::uint8_t { none, timer, idle, add, remove, arrival, starved };
// The names of all but `none`, from 1.
inline constexpr std::array<std::string_view, 6> kPlanCauses = {"timer",  "idle",    "add",
                                                                "remove", "arrival", "starved"};

// Each read function returns none for any other note, and for a script's note of other content.

// `plan`: a plan has been made.
struct PlanNote {
  PlanCause cause;
  double tasks;  // number of tasks placed
  Seconds interval;

  void write(Sim& sim) const;
  static std::optional<PlanNote> read(const Note& note);
};

// `deviation`: how much of the prediction for now is wrong, and the resulting interval and margin.
struct DeviationNote {
  double deviation;  // 0 to 1
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
