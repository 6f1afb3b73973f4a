// Parts that the functions of a space share: places in a case, counts, draws of one parameter, moves of one number.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "runtime/kernel/random.h"
#include "runtime/space/space.h"

namespace perigee::space {

// A value within a case, with its parameter, and the nearest record around it.
struct Place {
  const Variable& variable;
  Datum& value;
  const Variable* record = nullptr;  // null: there is none
  const Datum* around = nullptr;     // its value
  std::size_t field = 0;             // which of its fields the place is in
};

inline Place element_at(const Place& place, Datum& element) {
  return {place.variable.of.front(), element, place.record, place.around, place.field};
}
inline Place field_at(const Place& record, std::size_t i) {
  return {record.variable.fields[i].parameter, record.value.items[i], &record.variable, &record.value, i};
}

// Calls visit(place) for the place and all places within it, from outside inwards, first to last. Rows of a matrix,
// numbers of a permutation and edges of a graph are no places; entries and the values of edges are.
template <class Visit>
void walk(const Place& place, Visit&& visit) {
  visit(place);
  switch (place.variable.kind) {
    case Variable::Kind::record:
      for (std::size_t i = 0; i < place.value.items.size(); ++i) walk(field_at(place, i), visit);
      break;
    case Variable::Kind::list:
      for (Datum& element : place.value.items) walk(element_at(place, element), visit);
      break;
    case Variable::Kind::matrix:
      for (Datum& row : place.value.items)
        for (Datum& entry : row.items) walk(element_at(place, entry), visit);
      break;
    case Variable::Kind::dag:
      for (Datum& edge : place.value.items) walk(element_at(place, edge.items[2]), visit);
      break;
    default:
      break;
  }
}

// The places of the fields of a record, in which they are drawn.
std::vector<std::size_t> order_of(const Variable& record);
// A count in the parameter is a function.
bool has_functions(const Variable& variable);
// The parameter has one value only, or, where a count is a function, one for each count.
bool is_single(const Variable& variable);

inline bool is_exact(const CountRange& range) { return !range.of && range.least == range.most; }
inline bool may_grow(const CountRange& range, std::size_t now) { return !range.of && now < range.most; }
inline bool may_shrink(const CountRange& range, std::size_t now) { return !range.of && now > range.least; }

// A matrix without rows has none.
inline std::size_t columns_of(const Datum& matrix) {
  return matrix.items.empty() ? 0 : matrix.items.front().items.size();
}

// `before`: the values that a count may be a function of, see CountRange.
Datum before(const Place& place);  // empty where no count in the place is a function
std::uint64_t draw_count(const CountRange& range, const Datum& before, kernel::Stream& stream);
Datum draw_value(const Variable& variable, const Datum& before, kernel::Stream& stream);
// Draws or cuts what has another count than its function says.
void follow_counts(const Variable& variable, Datum& value, const Datum& before, kernel::Stream& stream);
inline void follow_counts(const Space& space, Datum& value, kernel::Stream& stream) {
  follow_counts(space.root, value, {}, stream);
}
// why_outside(), where counts that are functions may be any.
std::string why_outside_but_counts(const Space& space, const Datum& value);
inline bool is_valid(const Space& space, const Datum& value) { return !space.valid || space.valid(value); }
inline constexpr int kMostRefusals = 100;

// A real's place between its bounds, from 0 to 1, on its scale; and the real there. Both ends are exact.
double unit_of(const Variable& real, double value);
double real_at(const Variable& real, double unit);

// Edges { from, to, value } of a graph.
inline Datum make_edge(std::size_t from, std::size_t to, Datum value) {
  return {0, {Datum{static_cast<double>(from)}, Datum{static_cast<double>(to)}, std::move(value)}};
}
inline std::size_t from_of(const Datum& edge) { return static_cast<std::size_t>(edge.items[0].number); }
inline std::size_t to_of(const Datum& edge) { return static_cast<std::size_t>(edge.items[1].number); }
void sort_edges(Datum& graph);

// Moves of one place.
bool can_move_number(const Place& place);  // a real, whole number or choice with more than one value
void step_number(const Place& place, kernel::Stream& stream);  // a step, without the rare draws of R1
void move_permutation(const Place& place, kernel::Stream& stream);
// Elements, rows or columns, edges: whether one can be added or taken away, and one of them.
bool can_add(const Place& place);
bool can_drop(const Place& place);
void add_one(const Place& place, kernel::Stream& stream);
void drop_one(const Place& place, kernel::Stream& stream);

}  // namespace perigee::space
