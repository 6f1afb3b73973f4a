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
  // A count that depends on the fields of the record that have a value yet, by their places; the others are empty
  // values. Null: none.
  std::function<std::uint64_t(const Datum& record)> of = {};
};
inline constexpr std::uint64_t kMostElements = 1'000'000;

struct NamedVariable;

struct Variable {
  enum class Kind : std::uint8_t { real, whole, choice, list, matrix, permutation, dag, record };
  Kind kind = Kind::real;
  double low = 0, high = 1;  // real, whole; of a choice: 0 and the number of choices less 1
  bool logarithmic = false;  // real: drawn and moved on the scale of its logarithm
  double step = 0.1;      // real: the farthest move, as a share of the width; 0: it is drawn and never moved
  CountRange count = {};  // list: elements; matrix: rows; permutation: n; dag: tasks
  CountRange columns = {};              // matrix
  std::vector<Variable> of = {};        // list, matrix, dag: of each element, entry or edge; one exactly
  std::vector<NamedVariable> fields;    // record. No initializer: its type is not complete here
  std::vector<std::size_t> order = {};  // record: the places of its fields, as they are drawn; empty: in turn
  std::shared_ptr<const void> kept = {};  // what its owner keeps with it
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

// A count that is a function is followed after whatever happens to a case: a list, matrix, permutation or graph that is
// too short is filled by draws, one that is too long is cut at its end (R2). Error "bad_space" where a function says more
// than kMostElements.

// A draw: numbers uniform (on the scale of the logarithm where so declared), counts uniform in their range; of a dag,
// each edge with probability 1/2. Error "bad_space" where 100 draws were refused by `valid`, with the share that was.
Datum draw(const Space& space, kernel::Stream& stream);
// A neighbour, as the table of docs/duel.md has it (R1 to R3): one parameter is picked, each with weight 1 for a number
// or choice and 1 + its count of elements (entries, edges) for others, 0 where it has no move. Half of the moves of a list
// or matrix change an element; its others, and all those of a graph, are equally likely. A permutation or graph whose
// count is a range has moves of one number or task more or less too. Always inside the bounds. A neighbour that `valid`
// refuses is drawn again, at most 100 times; then the value itself. Error "bad_space" where the script's own move leaves
// the space, counts that are functions apart.
Datum neighbour(const Space& space, const Datum& value, kernel::Stream& stream);
// A neighbour as PISA makes them: each kind of move of each field of the case that is possible is equally likely, fields
// of a record within it each for itself. Kinds are: change one number, wherever it is in the field, by a step (an order by
// one of its moves); add an element, row, column or edge; drop one. Refusals as above.
Datum neighbour_by_kind(const Space& space, const Datum& value, kernel::Stream& stream);
// A child of two cases: each parameter from either; lists and matrices are cut at one row, behind which the other parent
// follows, whose size the child has; graphs take each edge of the union with probability 1/2, and the parents' common
// edges from either. Refusals as above; then `a`.
Datum crossed(const Space& space, const Datum& a, const Datum& b, kernel::Stream& stream);

// The number of cases, exact below 2^53; +inf with reals (of unequal bounds), where a count is a function, and where no
// double holds it. `valid` does not count.
double size(const Space& space);
// The cases in lexicographic order, where size() is finite: fields as they stand; of a list, matrix, permutation or graph
// its counts before its items; of a graph each pair of tasks without an edge before those with one. Cases that `valid`
// refuses are left out. Nothing: no more.
std::optional<Datum> first(const Space& space);
std::optional<Datum> next(const Space& space, const Datum& value);
// Why the value is no case of the space, for a person, "jobs[3].cores: must be ..."; empty: it is one. The value may have
// any form.
std::string why_outside(const Space& space, const Datum& value);
// Whether all parameters are reals (a record of reals, lists and matrices of fixed sizes of reals); the name of the first
// that is not: "jobs.cores".
std::optional<std::string> not_real(const Space& space);
// The reals of such a space on [0, 1] each (of their logarithms where so declared), in order; and back. A number outside of
// [0, 1] is cut.
std::vector<double> to_unit(const Space& space, const Datum& value);
Datum from_unit(const Space& space, std::span<const double> unit);

// The smallest case for which `still` holds, as it does for `value`. Delta debugging (Zeller and Hildebrandt, IEEE TSE
// 28(2), 2002: ddmin, of which only the complements are tried): elements of each list, rows and columns of each matrix,
// edges and tasks of each graph and numbers of each permutation are taken away in halves, quarters, ... and one by one;
// then each whole number is moved to its least value, halfway, a quarter of the way, ... and by 1; each real to the
// simplest value near it: its bounds, 0 where that is the nearest whole number, then itself with 1, 2, 3, ... digits; again
// until nothing changes or `budget` calls of `still` are spent. The order of attempts is fixed.
//
// Lists may become shorter than their least, and matrices smaller, down to one row and one column. An element counted by a
// function is never taken away by itself; it follows. A case that `valid` refuses is no attempt. Choices stay.
struct Shrunk {
  Datum value;
  std::uint64_t calls = 0;
  bool minimal = false;  // the budget sufficed: nothing more can be taken away, lowered or simplified alone
};
Shrunk shrink(const Space& space, Datum value, const std::function<bool(const Datum&)>& still,
              std::uint64_t budget);

// Each real, and each whole number whose range is wider than 20, times 1 + u, u uniform in [-share, share], cut to the
// bounds (a whole number rounded to the nearest). Refusals as of a neighbour.
Datum shaken(const Space& space, const Datum& value, double share, kernel::Stream& stream);

}  // namespace perigee::space
