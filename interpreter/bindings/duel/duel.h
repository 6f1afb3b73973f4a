// A duel with what it has found.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/bindings/duel/tries.h"
#include "runtime/results/table.h"

namespace perigee::bindings {

// The ratio when the numbers of a case are shaken by up to `share`.
struct ShakenRow {
  double share = 0, median = 0, low = 0, high = 0;  // low, high: the 5 % and 95 % quantiles
  double above = 0;                                 // share of the draws above 1 (above 0 of a difference)
  std::uint64_t counted = 0;
  bool moved =
      false;  // some draw differs from the case: one without reals, or whole numbers of a wide range, has none
};

struct DuelValue {
  DuelDesign design;
  Found found;
  std::uint64_t shrink = 2000;  // evaluations for the smallest case, 0 to 10^9; 0 = it is the worst case
  std::uint64_t draws = 200;    // shaken draws of each share, 1 to 10^6
  double keep = 0.95;           // share of the ratio that the smallest case keeps, in (0, 1]
  std::vector<double> shake = {0.01, 0.05, 0.2};  // shares by which numbers are shaken, each in (0, 1]
  std::vector<Surroundings::Seen> seen = {};      // by the functions, when the search was over
  std::vector<Reference> outcomes = {};           // of a and b on the worst case, once they are asked for
  std::optional<Shrunk> small = {};
  std::optional<std::vector<ShakenRow>> shaken = {};
  std::optional<ShakenRow> small_shaken = {};  // the smallest case, by the least share
  std::shared_ptr<DuelValue> back = {};

  const Datum& worst() const { return *found.worst; }
  double ratio() const {
    return design.robust ? design.compared.ratio_of(found.score)
                         : design.compared.ratio_of(found.score, found.of);
  }
};
using DuelPtr = std::shared_ptr<DuelValue>;

// A space, and the value that the script gave.
struct Arena {
  SpacePtr space;
  Reference object;
};
Arena arena_at(lua_State* L, int index, std::string_view what);
// Reads measure, effort and options of runs. `budget`: the row of that field.
DuelValue duel_at(const Fields& fields, const Arena& arena, std::array<Side, 2> sides,
                  const FieldRow& budget);
// Searches; error "no_case" where no case counts.
void fight(lua_State* L, DuelValue& duel);
// The smallest case, and the ratio when numbers are shaken; worked out once.
const Shrunk& smallest_of(lua_State* L, DuelValue& duel);
const std::vector<ShakenRow>& shaken_of(lua_State* L, DuelValue& duel);
const ShakenRow& small_shaken_of(lua_State* L, DuelValue& duel);
// Whether shaking by the least share takes more than half of what the ratio has above 1, in the median. Nothing: no number
// of the case could be shaken.
std::optional<bool> is_knife_edge(const Compared& compared, double ratio, const ShakenRow& row);
// "12 cases: a run is not complete", a line for each reason.
std::vector<std::string> uncounted_lines(const Found& found);
// The page that print(d) shows; of words alone, without tables and charts of the two runs.
enum class PageOf : std::uint8_t { all, words };
std::string page_of(lua_State* L, DuelValue& duel, PageOf what);
Table rows_of_shaken(const std::vector<ShakenRow>& rows);
Table history_of(const DuelValue& duel);
// Pushes a comparison of the two runs on the case, or nothing and returns false where the sides are no runs.
bool push_comparison(lua_State* L, const DuelValue& duel, const Datum& value);

// By which what was found is known, for keys of cells that depend on it.
std::string text_of_answer(const DuelValue& duel);

// A text, or a table of texts and numbers, as a script would write it.
std::string as_literal(lua_State* L, const Reference& value);

int write_duel(lua_State* L);  // d:write(name)

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::DuelPtr> {
  static constexpr const char* value = "answer";
};

}  // namespace perigee::host
