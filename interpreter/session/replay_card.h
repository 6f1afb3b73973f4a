// Replay cards: the data with which anybody can make a saved result again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "interpreter/layers.h"
#include "runtime/results/export.h"

namespace perigee::session {

class Interpreter;

// results::save, with the card as a part of the manifest. The card has the script and its modules, settings, the seed,
// and the ordinal of this outcome among the script's. It has the hashes of data files and their places below the
// script's folder or that of --data. For a session at the prompt it has every input so far.
std::vector<std::string> save_with_card(const Interpreter& interpreter, const Outcome& outcome,
                                        std::uint64_t ordinal, const std::filesystem::path& dir,
                                        const results::Saving& saving);

// The same card alone, as JSON.
std::string card_text(const Interpreter& interpreter, const Outcome& outcome, std::uint64_t ordinal);
// The same; `manifest` is the text of results::manifest() of the outcome.
std::string card_text(const Interpreter& interpreter, const std::string& manifest, std::uint64_t ordinal);

}  // namespace perigee::session
