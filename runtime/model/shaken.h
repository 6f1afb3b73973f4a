// Scenarios whose truth differs from what is declared: the same declarations, other run times, sizes, arrivals
// and failures. Policies are told the same of works and files as before.
#pragma once

#include <cstdint>

#include "runtime/model/scenario.h"

namespace perigee::model {

// How far the truth may be from what is declared. The defaults change nothing.
struct Shake {
  double times = 0;      // share, 0 to 1: run times are multiplied by 1 + u, u uniform in (-times, times)
  double sizes = 0;      // the same, of the sizes of files and of the bytes that loads and sweeps are sent
  Seconds arrivals = 0;  // >= 0: arrivals are shifted by a time uniform in (-arrivals, arrivals), not below 0
  double failures = 1;   // > 0: drawn failures come so many times as often
  double repairs = 1;    // > 0: drawn repairs are so many times as fast
  bool operator==(const Shake&) const = default;
};

// The parts of a scenario that a shake could change.
struct Shakeable {
  bool times = false;     // a work has a run time above 0
  bool sizes = false;     // a file has a size above 0, or bytes are sent
  bool arrivals = false;  // something else than reservations arrives
  bool failures = false;  // failures are drawn
};
Shakeable shakeable(const Scenario& scenario);

// A scenario drawn around the declared one. It depends on the scenario, the shake and the seed alone. Times,
// sizes and arrivals have a stream each, so that shaking one of them changes no draw of another.
// - There is one factor for each work, whatever the host and the size of a moldable job, and one for each file.
//   The factors multiply the truth; estimates and limits stay. A work or file without an estimate of its own
//   is declared as it was.
// - A deadline moves with the arrival of its work, so that the time allowed stays. The tasks of a workflow move
//   together. Works keep their order of input.
// - Reservations and what the scenario lists as events stay.
// Error "bad_shake" when a value is out of its range, when a mean time of drawn failures would be below
// kShortestMean, and for a stream of works, which is not there beforehand.
Scenario shaken(const Scenario& scenario, const Shake& shake, std::uint64_t seed);

}  // namespace perigee::model
