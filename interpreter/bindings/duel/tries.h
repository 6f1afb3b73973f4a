// The rounds of a duel: each try of its search is a cell of an experiment, and goes on where it stood the round before.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/bindings/duel/sides.h"
#include "interpreter/session/surroundings.h"
#include "runtime/space/search.h"

namespace perigee::bindings {

// A duel as declared: the sides to tell apart, and the effort that the search may make.
struct DuelDesign {
  Compared compared;
  ConfigPtr search;
  std::uint64_t budget = 0;   // evaluations, of all tries
  std::uint64_t planned = 0;  // those that the search paces itself for, >= budget
  Seconds time = kNever;      // of wall clock, after which no round begins
  bool robust = false;        // the 25 % quantile over shaken draws in place of the score
  std::uint64_t number = 0;   // of the duel in its script, from 1
};

// One better case than all before it, of one try.
struct Step {
  std::uint64_t evaluation = 0, nth = 0;  // of the try, from 1; the try, from 1
  double score = 0;                       // see Found::score
};

struct Found {
  std::optional<Datum> worst;  // nothing: no case counted
  // Larger is worse for a: the logarithm of a ratio, or a difference; +inf = none can be worse, -inf where no case counted.
  double score = 0;
  std::array<double, 2> of = {};  // the measures of a and b on the worst case
  std::uint64_t evaluations = 0, tries = 0, rounds = 0;
  std::array<std::uint64_t, kReasons> uncounted = {};  // cases that did not count, by Uncounted
  std::optional<Datum> first_uncounted;                // of the first try that has one; its reason:
  Uncounted first_reason = Uncounted::none;
  std::vector<Step> steps = {};  // by try
  bool ended = false;            // the search came to a case than which none can be worse
  bool late = false;             // the time was over before the budget was
  std::uint64_t used = 0;        // the budget that repeats a search that was late
};

// The number of the next duel of the script.
std::uint64_t next_duel(lua_State* L);
// Searches. Error "not_pure", "not_finite_space", "not_real", or of a case. Every interpreter that runs the script comes
// to the same.
Found searched(lua_State* L, const DuelDesign& design);

// The variables that the functions of the space and of both sides see besides their arguments.
Surroundings surroundings_of(const Compared& compared);
// The score of a case in a cell's surroundings: the same wherever it is asked for.
Scored score_of(lua_State* L, const Compared& compared, const Datum& value);
// The 25 % quantile of the score over 16 draws shaken by 5 %; NaN where fewer than half of them count.
inline constexpr std::uint64_t kRobustDraws = 16;
double robust_score(lua_State* L, Evaluator& evaluate, const Space& space, const Datum& value,
                    std::uint64_t seed);

}  // namespace perigee::bindings
