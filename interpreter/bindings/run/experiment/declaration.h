// An experiment as its script declares it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/experiments/design.h"
#include "interpreter/host/stack.h"
#include "interpreter/session/surroundings.h"
#include "interpreter/values/schedulers.h"

namespace perigee::bindings {

struct Declaration {
  experiments::Design design;
  Reference run, measure;            // functions; the second may be missing
  Reference levels;                  // [factor][level] = value
  Reference factors_meta;            // metatable of the first argument of run
  std::vector<std::string> metrics;  // metrics to be kept; empty = all
  Surroundings surroundings;         // the variables that the functions see
  // The functions of the script and the other values that cells depend on, for their key.
  std::vector<std::pair<std::string, Reference>> functions, values = {};
  std::string unknown = {};  // a value among them of which no key can be made; empty = there is none

  void add_function(const std::string& name, const Reference& function) {
    surroundings.add(name, function);
    functions.emplace_back(name, function);
  }
};

// An experiment of one factor with the levels 1 to `count`, whose `run` is a function in C++. Its cells have this seed.
Declaration counted_declaration(lua_State* L, const std::string& name, const std::string& factor,
                                std::size_t count, Reference run, std::uint64_t seed);

// Reads the table at `index`.
Declaration declaration_at(lua_State* L, int index, const std::string& name);

// The metatable of that table, which refuses names that are no factors.
Reference factors_meta(lua_State* L, const std::vector<experiments::Factor>& factors);
// Pushes the table of a combination's levels that `run` is given.
void push_levels(lua_State* L, const Declaration& declaration, const std::vector<std::uint32_t>& combination);
// Pushes a list of the factors' names.
void push_names(lua_State* L, const std::vector<experiments::Factor>& factors);

// Whether the text is the name of a factor, or of a measure, which has full stops between its words.
bool is_name(std::string_view text, char between = '_');
// The cell that shows a level and distinguishes it from others; nothing when the value is no level.
std::optional<Cell> level_at(lua_State* L, int index);
// The nearest of the known names, or all of them when they are few.
std::string nearest_or_all(std::string_view name, const std::vector<std::string>& known);

inline constexpr std::string_view kHalfWidth = "_half_width";  // the end of such a column's name

}  // namespace perigee::bindings
