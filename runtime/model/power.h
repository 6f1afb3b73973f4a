// The power that a host draws, by its state and what it computes.
#pragma once

#include <vector>

#include "runtime/kernel/ids.h"
#include "runtime/layers.h"

namespace perigee::model {

// A state of speed (a p-state): the factor on the host's speed, and its power in W.
struct SpeedState {
  double factor = 1;   // > 0
  double idle = 0;     // no core is busy
  double epsilon = 0;  // the limit of few busy cores; between idle and busy
  double busy = 0;     // all cores are busy
};

// The way from on to off, or back.
struct PowerTransition {
  Seconds time = 0;
  double power = 0;                               // W meanwhile
  double energy() const { return power * time; }  // J
};

struct PowerModel {
  std::vector<SpeedState> states;  // one at least; the first has the factor 1 and is that of the start
  double off = 0;                  // W while it is off
  double down = 0;                 // W while an outage keeps it away
  PowerTransition boot, shutdown;
};

// The power of a link, W; it is busy from the start of a transfer over it until no transfer is under way.
struct LinkPower {
  double idle = 0, busy = 0;
};

}  // namespace perigee::model
