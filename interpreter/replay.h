// Replay cards: what a saved result needs so that anybody can make it again.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::interpreter {

class Interpreter;

// The part of a manifest that replay reads: the script and its modules, settings, seed, the hashes of data files
// and where they were below the script's folder or that of --data, and which of the script's outcomes this one is. Of a session at the prompt it has every input so far.
nlohmann::json replay_card(const Interpreter& interpreter, std::uint64_t ordinal);

// What a replay may read besides the card's own folder, and its limits.
struct ReplayOptions {
  std::vector<std::string> data = {};  // folders
  std::uint64_t steps = 0;
  std::uint64_t memory = 0;  // 0 = as in a run
};

// Runs the card's script again, its output discarded, up to the outcome that the card is about. `card` is a
// manifest.json or its folder. True and "identical" on `out` when that outcome is the same to the last bit;
// else false and the first event that differs. Error when the card or a data file of it cannot be used.
bool replay(const std::string& card, std::ostream& out, const ReplayOptions& given = {});

}  // namespace perigee::interpreter
