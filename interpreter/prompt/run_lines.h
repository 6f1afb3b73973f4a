// Lines that tell how far a run is.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "interpreter/layers.h"
#include "runtime/engine/simulation.h"

namespace perigee::prompt {

// Two lines a second, the first when the run has taken half of one.
class RunLines {
 public:
  std::string next(const Simulation& simulation);  // empty: it is not yet time for one
  bool shown() const { return shown_; }            // whether there was a line of this run
  void end() { *this = {}; }                       // of the run

 private:
  std::optional<std::chrono::steady_clock::time_point> begin_;
  std::chrono::steady_clock::time_point last_;
  std::uint64_t first_ = 0;  // events at the beginning
  bool shown_ = false;
};

}  // namespace perigee::prompt
