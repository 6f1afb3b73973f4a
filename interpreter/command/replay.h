// Makes a saved result again from its replay card.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::command {

// The folders that a replay may read besides the card's own, and the limits of the replay.
struct ReplayOptions {
  std::vector<std::string> data = {};  // folders
  std::uint64_t steps = 0;
  std::uint64_t memory = 0;  // 0 = as in a run
};

// Runs the card's script again up to the outcome that the card is about, and discards its output. `card` is a
// manifest.json or its folder. True and "identical" on `out` when that outcome is the same to the last bit;
// else false and the first event that differs on `out`. Error when the card or a data file of it cannot be
// used.
bool replay(const std::string& card, std::ostream& out, const ReplayOptions& given = {});

}  // namespace perigee::command
