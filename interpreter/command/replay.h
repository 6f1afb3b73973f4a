// Replay cards: the data with which anybody can make a saved result again.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::interpreter {

class Interpreter;

// The part of a manifest that replay reads: the script and its modules, settings, the seed, the hashes of
// data files and their places below the script's folder or that of --data, and the ordinal of this outcome
// among the script's. For a session at the prompt it has every input so far.
nlohmann::json replay_card(const Interpreter& interpreter, std::uint64_t ordinal);

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

}  // namespace perigee::interpreter
