// Named, bounded parameters, and the space of the cases that they span.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/kernel/random.h"
#include "runtime/space/datum.h"

namespace perigee::space {

struct Variable;

// How many elements, rows, columns or tasks there are: least to most, drawn; or what a function of the values
// before it in the same record says, so many exactly.
struct CountRange {
  std::uint64_t least = 0, most = 0;
  // Of the fields of the record that have a value yet, by their places; the others are empty values. Null: none.
  std::function<std::uint64_t(const Datum& record)> of = {};
};
inline constexpr std::uint64_t kMostElements = 1'000'000;

struct NamedVariable;

struct Variable {
  enum class Kind : std::uint8_t { real, whole, choice, list, matrix, permutation, dag, record };
  Kind kind = Kind::real;
  double low = 0, high = 1;  // real, whole; of a choice: 0 and the number of choices less 1
  bool logarithmic = false;  // real: drawn and moved on the scale of its logarithm
  double step = 0.1;         // real: the farthest move, as a share of the width
  CountRange count = {};     // list: elements; matrix: rows; permutation: n; dag: tasks
  CountRange columns = {};   // matrix
  std::vector<Variable> of =
      {};  // list, matrix, dag: the parameter of each element, entry or edge; one exactly
  std::vector<NamedVariable> fields = {};  // record
  std::vector<std::size_t> order = {};     // record: the places of its fields, in which they are drawn
  std::shared_ptr<const void> kept = {};   // what its owner keeps with it
};

struct NamedVariable {
  std::string name;
  Variable parameter;
};

// A set of cases: what is searched.
struct Space {
  Variable root;  // a record
  // Refuses a case before it is built; null: none is refused.
  std::function<bool(const Datum&)> valid = {};
  // A move of the script's own, taken as often as all others together; nothing: it made none of its own. Null: there is
  // none.
  std::function<std::optional<Datum>(const Datum&, kernel::Stream&)> move = {};
};

// A draw: numbers uniform (on the scale of the logarithm where so declared), counts uniform in their range; of a dag,
// each edge with probability 1/2. Error "bad_space" where 100 draws were refused by `valid`, with the share that was.
Datum draw(const Space& space, kernel::Stream& stream);
// A neighbour, as the table of docs/duel.md has it (R1 to R3): one parameter is picked, each with weight 1 for a number
// or choice and 1 + its count of elements for others. Always inside the bounds. A neighbour that `valid` refuses is drawn
// again, at most 100 times; then the value itself.
Datum neighbour(const Space& space, const Datum& value, kernel::Stream& stream);
// A neighbour as PISA makes them: each kind of move of each field of the case is equally likely. Kinds are: change one
// number, wherever it is in the field; add an element or edge; drop one. Refusals as above.
Datum neighbour_by_kind(const Space& space, const Datum& value, kernel::Stream& stream);
// A child of two cases: each parameter from either; lists and matrices are cut at one row; graphs take each edge of the
// union with probability 1/2, and the parents' common edges from either.
Datum crossed(const Space& space, const Datum& a, const Datum& b, kernel::Stream& stream);

// The number of cases, +inf with reals (of unequal bounds) or where a count is a function; `valid` does not count.
double size(const Space& space);
// The cases in lexicographic order, where size() is finite; those that `valid` refuses are left out. Nothing: no more.
std::optional<Datum> first(const Space& space);
std::optional<Datum> next(const Space& space, const Datum& value);
// Why the value is no case of the space, for a person; empty: it is one.
std::string why_outside(const Space& space, const Datum& value);
// Whether all parameters are reals (a record of reals, lists and matrices of fixed sizes of reals); the name of the first
// that is not: "jobs.cores".
std::optional<std::string> not_real(const Space& space);
// The reals of such a space on [0, 1] each (of their logarithms where so declared), in order; and back.
std::vector<double> to_unit(const Space& space, const Datum& value);
Datum from_unit(const Space& space, std::span<const double> unit);

// The smallest case (delta debugging, Zeller and Hildebrandt, IEEE TSE 28(2), 2002, algorithm ddmin, on each list,
// matrix and graph), for which `still` holds: elements, rows, columns and edges are taken away in halves, quarters, ... and
// one by one; then each whole number is moved to its least value or halfway to it; each real to the simplest value near
// it (bounds first, then 0 or 1 digits, 2, 3); again until nothing changes or `budget` calls of `still` are spent. Lists may
// become shorter than their least. The order of trials is fixed.
struct Shrunk {
  Datum value;
  std::uint64_t calls = 0;
  bool minimal = false;  // the budget sufficed: nothing more can be taken away alone
};
Shrunk shrink(const Space& space, Datum value, const std::function<bool(const Datum&)>& still,
              std::uint64_t budget);

// Each real, and each whole number whose range is wider than 20, times 1 + u, u uniform in [-share, share], cut to the
// bounds (a whole number rounded to the nearest).
Datum shaken(const Space& space, const Datum& value, double share, kernel::Stream& stream);

}  // namespace perigee::space
