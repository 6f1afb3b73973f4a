// Core-seconds that attempts held, by what they went into.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/executions.h"

namespace perigee::results {

// A further part is a name here, a metric core_time.NAME, and where CoreTime::Spending spends time on it.
enum class CorePart : std::uint8_t {
  useful,    // what counts in the end, or may still do: the attempt goes on
  setup,     // fixed phases
  restart,   // reading dumps
  dump,      // writing those that are whole
  standing,  // it stood still and kept its cores, for a host was away
  lost,      // it was lost, cancelled or superseded, or begun anew: all that was done in vain
  killed,    // ended at its limit; of lost and killed attempts only what came after the last whole dump
};
inline constexpr std::size_t kCoreParts = 7;

// Sums up the attempts of jobs and tasks, which are their computations. The parts add up to all that they held: so
// many cores of each host from start to end, and all cores of the hosts of an exclusive job.
class CoreTime {
 public:
  // The attempt, which is over or under way at the end of the run, and the absences up to its end. The time before
  // `from` does not count.
  void add(const Scenario& scenario, const Execution& attempt, std::span<const UsedResource> on,
           const Absences& away, Time from);

  // At this record the work has lost its dumps: what they held was in vain.
  void forget_dumps(WorkId work, std::size_t record);

  double of(CorePart part) const { return sums_[static_cast<std::size_t>(part)]; }  // core-seconds
  double all() const;
  double waste() const;  // all but useful / all; NaN while there is nothing

 private:
  class Spending;
  using Sums = std::array<double, kCoreParts>;
  struct Gap {
    Time from, to;
  };
  void find_gaps(const Execution& attempt, std::span<const UsedResource> on, const Absences& away);

  Sums sums_{};
  struct Dumped {
    bool is_saved = false;                  // there is a whole dump
    std::size_t gone = 0;                   // what began before this record did not count in the end
    std::array<double, kCoreParts> kept{};  // of what counts until now by dumps
  };
  std::map<WorkId, Dumped> dumped_;  // works with checkpoints
  std::vector<Gap> gaps_;            // while a host of the attempt is away: disjoint and ascending
};

}  // namespace perigee::results
