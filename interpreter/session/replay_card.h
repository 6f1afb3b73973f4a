// Replay cards: the data with which anybody can make a saved result again.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "interpreter/layers.h"

namespace perigee::session {

class Interpreter;

// The part of a manifest that replay reads. It has the script and its modules, settings, the seed, and the
// ordinal of this outcome among the script's. It has the hashes of data files and their places below the
// script's folder or that of --data. For a session at the prompt it has every input so far.
nlohmann::json replay_card(const Interpreter& interpreter, std::uint64_t ordinal);

}  // namespace perigee::session
