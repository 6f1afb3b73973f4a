// The two sides of a duel, and what is measured of them on a case.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/values/duels.h"
#include "interpreter/values/runs.h"
#include "interpreter/values/schedulers.h"

namespace perigee::bindings {

// A scheduler, or a function(x, seed) that returns a result or a number.
struct Side {
  ConfigPtr scheduler = {};
  Reference function = {};
  Reference object = {};  // as the script gave it
  std::string text = {};  // "easy", "function (study.lua:12)"
};

// Why a case does not count.
enum class Uncounted : std::uint8_t { none, absent, not_a_number, not_positive, incomplete, zero, error };
inline constexpr std::size_t kReasons = 7;
std::string_view name_of(Uncounted why);  // "the measure is absent"

// The two sides, the space and the measure by which they are compared.
struct Compared {
  SpacePtr space;
  Reference space_object = {}, information = {};  // as the script gave them
  std::array<Side, 2> sides;
  std::string metric = "makespan";  // unless there is a function:
  Reference measure = {};           // measure(result, x)
  bool more_is_better = false, difference = false;
  RunRequest request = {};  // of every run, without policy and seed
  std::uint64_t seed = 1, seeds = 1;
  bool incomplete_ends = false, zero_ends = false, skips_errors = false;

  RunRequest request_of(const Side& side, std::uint64_t of_seed, TraceLevel level) const;
  std::string measure_text() const;     // "makespan", "the measure"
  double ratio_of(double score) const;  // the score of a ratio is its logarithm
  // The ratio of the measures that have this score: without the rounding of logarithms.
  double ratio_of(double score, const std::array<double, 2>& of) const;
};

struct Scored {
  double score;              // as CaseSearch takes it
  std::array<double, 2> of;  // the measures of both sides; NaN where there is none
  Uncounted why = Uncounted::none;
  std::string error = {};  // of a case that an error left out
};

// The side in a field, with its role checked against the space. Error "bad_side".
Side side_in(const Fields& fields, const FieldRow& field, const SpaceValue& space);
// The side at `index`, which `field` has.
Side side_at(const Fields& fields, const FieldRow& field, int index, const SpaceValue& space);

// Measures cases.
class Evaluator {
 public:
  explicit Evaluator(const Compared& compared) : compared_(compared) {}

  // Error of the script or of a run, with the case as Lua text, unless errors are skipped.
  Scored operator()(lua_State* L, const Datum& value);
  // Pushes what side `which` comes to on the case, for a reader: a result with its whole trace, a mapping or a schedule,
  // or the number that a function returned.
  void push_outcome(lua_State* L, const Datum& value, std::size_t which);
  // Pushes the scenario or problem of the case.
  void push_built(lua_State* L, const Datum& value);

 private:
  struct Measured {
    double value = 0;
    Uncounted why = Uncounted::none;
  };
  Scored scored(lua_State* L, const Datum& value);
  void build(lua_State* L, const Datum& value, std::uint64_t seed);
  Measured measured(lua_State* L, int built, const Datum& value, std::size_t which, std::uint64_t seed);
  Measured of_run(lua_State* L, int built, const Datum& value, const Side& side, std::uint64_t seed);
  Measured of_problem(lua_State* L, int built, const Datum& value, const Side& side, std::uint64_t seed);
  Measured of_result(lua_State* L, const ResultValue& result, const Datum& value);
  Measured by_function(lua_State* L, const Datum& value);
  bool is_done(const Outcome& outcome) const;

  const Compared& compared_;
  enum class Keeps : std::uint8_t {
    works,
    accounts,
    trace
  } keeps_ = Keeps::works;  // as little as the metric takes
};

}  // namespace perigee::bindings
