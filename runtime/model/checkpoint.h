// Checkpoints of jobs: when a job writes down how far it is, and what that costs.
#pragma once

#include <cstdint>

#include "runtime/kernel/ids.h"

namespace perigee::model {

// A dump begins after so many seconds of computing since the last one, and is worth something from its end on. None
// begins when the job would end at that time or before.
struct Checkpoint {
  enum class Rule : std::uint8_t { given, young, daly };
  Rule rule = Rule::given;         // of the interval; young, daly: see cost/checkpoint.h, `cost` > 0
  Seconds interval = 0;            // > 0, where it is given
  Seconds cost = 0;                // in which nothing progresses
  Seconds restart = 0;             // before a job goes on from a dump, beside its set-up
  bool local = false;              // only the very hosts of the dump can go on from it
  bool estimate_is_given = false;  // what is declared of the run time says all, dumps included
  // A dump that is sent over a link, and read over it again, in place of `cost`. `restart` then comes before the reading.
  LinkId link = {};  // invalid: there is none
  double bytes = 0;  // > 0 with a link
};

}  // namespace perigee::model
