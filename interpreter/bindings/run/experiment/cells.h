// The cells of an experiment that this interpreter computes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "interpreter/bindings/run/experiment/declaration.h"
#include "interpreter/experiments/coordinator.h"

namespace perigee::bindings {

// Computes cells until none is left to do, here or elsewhere.
void compute_cells(lua_State* L, const Declaration& declaration, experiments::Experiment& experiment);
// Computes and shows the cell of --cell, and ends the script, where that cell is one of this experiment, the
// script's `nth`, counted from 0.
void show_chosen_cell(lua_State* L, const Declaration& declaration, std::size_t nth);
// Sets the key by which cells are stored; it is made of everything that they depend on.
void find_key(lua_State* L, Declaration& declaration);
// Calls the script's functions for one cell, run and perhaps measure, and leaves their answer on the stack.
void call_for_cell(lua_State* L, const Declaration& declaration,
                   const std::vector<std::uint32_t>& combination, std::uint64_t seed);
// The name of a measure, a key in the answer of `who`; nothing when the measure is not kept.
std::optional<std::string_view> measure_at(lua_State* L, int key, const Declaration& declaration,
                                           std::string_view who);

}  // namespace perigee::bindings
