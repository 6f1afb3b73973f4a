// Moves: how a search goes from a case to one beside it.
#include <algorithm>
#include <limits>

#include "runtime/kernel/error.h"
#include "runtime/kernel/work.h"
#include "runtime/space/parts.h"

namespace perigee::space {

namespace {

using Kind = Variable::Kind;

constexpr std::uint64_t kRare = 20;  // once in so many moves of a number: a bound, a new draw

std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

// A new draw, or a copy of the element before position `at`, or of the first.
Datum new_element(const Variable& of, const std::vector<Datum>& items, std::size_t at, const Datum& before,
                  Stream& stream) {
  if (items.empty() || stream.bernoulli(0.5)) return draw_value(of, before, stream);
  return items[at == 0 ? 0 : at - 1];
}

void insert_element(const Variable& of, std::vector<Datum>& items, std::size_t at, const Datum& before,
                    Stream& stream) {
  Datum element = new_element(of, items, at, before, stream);
  items.insert(items.begin() + offset(at), std::move(element));
}

void erase_at(std::vector<Datum>& items, std::size_t at) { items.erase(items.begin() + offset(at)); }

void swap_two(std::vector<Datum>& items, Stream& stream) {
  const std::size_t i = stream.below(items.size());
  const std::size_t j = stream.below(items.size() - 1);
  std::swap(items[i], items[j < i ? j : j + 1]);
}

// ---- matrices

void add_row(const Place& place, Stream& stream) {
  auto& rows = place.value.items;
  const Datum earlier = before(place);
  const std::size_t at = stream.below(rows.size() + 1);
  Datum row;
  if (!rows.empty() && stream.bernoulli(0.5)) {
    row = rows[at == 0 ? 0 : at - 1];
  } else {
    const std::size_t columns =
        rows.empty() ? draw_count(place.variable.columns, earlier, stream) : columns_of(place.value);
    for (std::size_t i = 0; i < columns; ++i)
      row.items.push_back(draw_value(place.variable.of.front(), earlier, stream));
  }
  rows.insert(rows.begin() + offset(at), std::move(row));
}

void add_column(const Place& place, Stream& stream) {
  const Datum earlier = before(place);
  const std::size_t at = stream.below(columns_of(place.value) + 1);
  const bool copy = columns_of(place.value) > 0 && stream.bernoulli(0.5);
  for (Datum& row : place.value.items) {
    Datum entry =
        copy ? row.items[at == 0 ? 0 : at - 1] : draw_value(place.variable.of.front(), earlier, stream);
    row.items.insert(row.items.begin() + offset(at), std::move(entry));
  }
}

void drop_column(const Place& place, Stream& stream) {
  const std::size_t at = stream.below(columns_of(place.value));
  for (Datum& row : place.value.items) erase_at(row.items, at);
}

void swap_columns(const Place& place, Stream& stream) {
  const std::size_t columns = columns_of(place.value);
  const std::size_t i = stream.below(columns);
  std::size_t j = stream.below(columns - 1);
  if (j >= i) ++j;
  for (Datum& row : place.value.items) std::swap(row.items[i], row.items[j]);
}

bool may_add_row(const Place& place) { return may_grow(place.variable.count, place.value.items.size()); }
bool may_drop_row(const Place& place) { return may_shrink(place.variable.count, place.value.items.size()); }
bool may_add_column(const Place& place) {
  return !place.value.items.empty() && may_grow(place.variable.columns, columns_of(place.value));
}
bool may_drop_column(const Place& place) {
  return !place.value.items.empty() && may_shrink(place.variable.columns, columns_of(place.value));
}

// ---- graphs

std::size_t tasks_of(const Datum& graph) { return static_cast<std::size_t>(graph.number); }

std::size_t missing_edges(const Datum& graph) {
  const std::size_t tasks = tasks_of(graph);
  return tasks < 2 ? 0 : tasks * (tasks - 1) / 2 - graph.items.size();
}

// The `nth` pair without an edge in ascending order, and where its edge belongs.
void add_edge(const Place& place, Stream& stream) {
  Datum& graph = place.value;
  std::size_t nth = stream.below(missing_edges(graph));
  const std::size_t tasks = tasks_of(graph);
  std::size_t next = 0;  // edge
  for (std::size_t from = 1; from < tasks; ++from) {
    did_work(1);
    std::size_t end = next;
    while (end < graph.items.size() && from_of(graph.items[end]) == from) ++end;
    const std::size_t missing = tasks - from - (end - next);
    if (nth >= missing) {
      nth -= missing;
      next = end;
      continue;
    }
    std::size_t to = from + 1 + nth;
    for (; next < end && to_of(graph.items[next]) <= to; ++next) ++to;
    graph.items.insert(graph.items.begin() + offset(next),
                       make_edge(from, to, draw_value(place.variable.of.front(), before(place), stream)));
    return;
  }
}

// A pair of tasks whose exchange leaves each edge in the order of positions: no edge from the first to one at or before
// the second, and none to the second from one at or behind the first. (0, 0): there is none.
std::pair<std::size_t, std::size_t> exchangeable_tasks(const Datum& graph, Stream& stream) {
  const std::size_t tasks = tasks_of(graph);
  std::vector<std::size_t> first_after(tasks + 1, tasks + 1), last_before(tasks + 1, 0);
  for (const Datum& edge : graph.items) {
    const std::size_t from = from_of(edge), to = to_of(edge);
    first_after[from] = std::min(first_after[from], to);
    last_before[to] = std::max(last_before[to], from);
  }
  const std::size_t start = stream.below(tasks);
  std::vector<std::size_t> others;
  for (std::size_t k = 0; k < tasks; ++k) {
    const std::size_t i = (start + k) % tasks + 1;
    for (std::size_t j = i + 1; j < first_after[i]; ++j)
      if (last_before[j] < i) others.push_back(j);
    did_work(1 + first_after[i] - i);
    if (!others.empty()) return {i, others[stream.below(others.size())]};
  }
  return {0, 0};
}

void exchange_tasks(Datum& graph, std::size_t i, std::size_t j) {
  for (Datum& edge : graph.items)
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
      double& task = edge.items[end].number;
      if (task == static_cast<double>(i))
        task = static_cast<double>(j);
      else if (task == static_cast<double>(j))
        task = static_cast<double>(i);
    }
  sort_edges(graph);
}

// A task at any position, with each of its edges with probability 1/2.
void add_task(const Place& place, Stream& stream) {
  Datum& graph = place.value;
  const std::size_t tasks = tasks_of(graph) + 1;
  const std::size_t at = 1 + stream.below(tasks);
  for (Datum& edge : graph.items)
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}})
      if (edge.items[end].number >= static_cast<double>(at)) ++edge.items[end].number;
  const Datum earlier = before(place);
  for (std::size_t other = 1; other <= tasks; ++other)
    if (other != at && stream.bernoulli(0.5))
      graph.items.push_back(make_edge(std::min(at, other), std::max(at, other),
                                      draw_value(place.variable.of.front(), earlier, stream)));
  graph.number = static_cast<double>(tasks);
  sort_edges(graph);
}

void drop_task(Datum& graph, Stream& stream) {
  const std::size_t at = 1 + stream.below(tasks_of(graph));
  std::erase_if(graph.items, [&](const Datum& edge) { return from_of(edge) == at || to_of(edge) == at; });
  for (Datum& edge : graph.items)
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}})
      if (edge.items[end].number > static_cast<double>(at)) --edge.items[end].number;
  graph.number -= 1;
}

// ---- what is moved, and how

// R3. Zero where nothing can be moved.
std::uint64_t weight_of(const Place& place);

// The elements, entries or edges that can be moved themselves.
std::vector<Place> movable_elements(const Place& place) {
  std::vector<Place> movable;
  const auto look = [&](Datum& element) {
    const Place inner = element_at(place, element);
    if (weight_of(inner) > 0) movable.push_back(inner);
  };
  switch (place.variable.kind) {
    case Kind::list:
      std::ranges::for_each(place.value.items, look);
      break;
    case Kind::matrix:
      for (Datum& row : place.value.items) std::ranges::for_each(row.items, look);
      break;
    case Kind::dag:
      for (Datum& edge : place.value.items) look(edge.items[2]);
      break;
    default:
      break;
  }
  return movable;
}

enum class Move : std::uint8_t {
  change,
  add,
  drop,
  swap,
  add_column,
  drop_column,
  swap_columns,
  add_task,
  drop_task
};

// The moves of a list, matrix, permutation or graph that are possible, a change of an element left out.
std::vector<Move> moves_of_whole(const Place& place) {
  const Variable& variable = place.variable;
  const std::size_t count = place.value.items.size();
  std::vector<Move> moves;
  const auto offer = [&](bool possible, Move move) {
    if (possible) moves.push_back(move);
  };
  switch (variable.kind) {
    case Kind::list:
      offer(may_grow(variable.count, count), Move::add);
      offer(may_shrink(variable.count, count), Move::drop);
      offer(count > 1 && !is_single(variable.of.front()), Move::swap);
      break;
    case Kind::matrix: {
      const bool differ = !is_single(variable.of.front());
      offer(may_add_row(place), Move::add);
      offer(may_drop_row(place), Move::drop);
      offer(count > 1 && columns_of(place.value) > 0 && differ, Move::swap);
      offer(may_add_column(place), Move::add_column);
      offer(may_drop_column(place), Move::drop_column);
      offer(columns_of(place.value) > 1 && differ, Move::swap_columns);
      break;
    }
    case Kind::permutation:
      offer(count > 1, Move::swap);
      offer(may_grow(variable.count, count), Move::add);
      offer(may_shrink(variable.count, count), Move::drop);
      break;
    case Kind::dag:
      offer(missing_edges(place.value) > 0, Move::add);
      offer(count > 0, Move::drop);
      offer(missing_edges(place.value) > 0 && count > 0, Move::swap);
      offer(may_grow(variable.count, tasks_of(place.value)), Move::add_task);
      offer(may_shrink(variable.count, tasks_of(place.value)), Move::drop_task);
      break;
    default:
      break;
  }
  return moves;
}

std::uint64_t weight_of(const Place& place) {
  switch (place.variable.kind) {
    case Kind::real:
    case Kind::whole:
    case Kind::choice:
      return can_move_number(place) ? 1 : 0;
    case Kind::record: {
      std::uint64_t weight = 0;
      for (std::size_t i = 0; i < place.value.items.size(); ++i) weight += weight_of(field_at(place, i));
      return weight;
    }
    default: {
      if (moves_of_whole(place).empty() && movable_elements(place).empty()) return 0;
      const std::size_t rows = place.value.items.size();
      return 1 + (place.variable.kind == Kind::matrix ? rows * columns_of(place.value) : rows);
    }
  }
}

void move_number(const Place& place, Stream& stream) {
  const Variable& variable = place.variable;
  // R1
  if (variable.kind != Kind::choice && stream.below(kRare) == 0) {
    place.value = variable.kind == Kind::whole ? draw_value(variable, {}, stream)
                                               : Datum{stream.bernoulli(0.5) ? variable.low : variable.high};
    return;
  }
  step_number(place, stream);
}

void make_move(const Place& place, Move move, Stream& stream) {
  const bool matrix = place.variable.kind == Kind::matrix;
  switch (move) {
    case Move::change:
      break;
    case Move::add:
      matrix ? add_row(place, stream) : add_one(place, stream);
      break;
    case Move::drop:
      if (matrix)
        erase_at(place.value.items, stream.below(place.value.items.size()));
      else
        drop_one(place, stream);
      break;
    case Move::swap:
      if (place.variable.kind == Kind::permutation) {
        move_permutation(place, stream);
      } else if (place.variable.kind != Kind::dag) {
        swap_two(place.value.items, stream);
      } else if (const auto [i, j] = exchangeable_tasks(place.value, stream); i != 0) {
        exchange_tasks(place.value, i, j);
      } else {
        add_one(place, stream);
      }
      break;
    case Move::add_column:
      add_column(place, stream);
      break;
    case Move::drop_column:
      drop_column(place, stream);
      break;
    case Move::swap_columns:
      swap_columns(place, stream);
      break;
    case Move::add_task:
      add_task(place, stream);
      break;
    case Move::drop_task:
      drop_task(place.value, stream);
      break;
  }
}

void move_value(const Place& place, Stream& stream) {
  did_work(1 + place.value.items.size());
  switch (place.variable.kind) {
    case Kind::real:
    case Kind::whole:
    case Kind::choice:
      if (can_move_number(place)) move_number(place, stream);
      return;
    case Kind::record: {
      std::vector<std::uint64_t> weights;
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < place.value.items.size(); ++i)
        sum += weights.emplace_back(weight_of(field_at(place, i)));
      if (sum == 0) return;
      std::uint64_t rest = stream.below(sum);
      std::size_t field = 0;
      for (; rest >= weights[field]; ++field) rest -= weights[field];
      move_value(field_at(place, field), stream);
      return;
    }
    default:
      break;
  }
  std::vector<Move> moves = moves_of_whole(place);
  const std::vector<Place> elements = movable_elements(place);
  // Every second move changes an element, of a graph one in as many as there are kinds.
  const std::size_t changes = elements.empty()                                    ? 0
                              : place.variable.kind == Kind::dag || moves.empty() ? 1
                                                                                  : moves.size();
  moves.insert(moves.end(), changes, Move::change);
  if (moves.empty()) return;
  const Move move = moves[stream.below(moves.size())];
  if (move == Move::change)
    move_value(elements[stream.below(elements.size())], stream);
  else
    make_move(place, move, stream);
}

}  // namespace

bool can_move_number(const Place& place) {
  const Variable& variable = place.variable;
  const bool number =
      variable.kind == Kind::real || variable.kind == Kind::whole || variable.kind == Kind::choice;
  return number && variable.low < variable.high && variable.step > 0;
}

void step_number(const Place& place, Stream& stream) {
  const Variable& variable = place.variable;
  double& number = place.value.number;
  if (variable.kind == Kind::real) {
    number = real_at(variable, unit_of(variable, number) + variable.step * (2 * stream.unit() - 1));
  } else if (variable.kind == Kind::whole) {
    const bool up = number <= variable.low || (number < variable.high && stream.bernoulli(0.5));
    number += up ? 1 : -1;
  } else {
    const double other = static_cast<double>(stream.below(static_cast<std::uint64_t>(variable.high)));
    number = other < number ? other : other + 1;
  }
}

void move_permutation(const Place& place, Stream& stream) {
  auto& items = place.value.items;
  if (items.size() < 3 || stream.bernoulli(0.5)) {
    swap_two(items, stream);
    return;
  }
  const std::size_t from = stream.below(items.size());
  const std::size_t to = stream.below(items.size() - 1);
  const Datum taken = items[from];
  erase_at(items, from);
  items.insert(items.begin() + offset(to < from ? to : to + 1), taken);
}

bool can_add(const Place& place) {
  switch (place.variable.kind) {
    case Kind::list:
    case Kind::permutation:
      return may_grow(place.variable.count, place.value.items.size());
    case Kind::matrix:
      return may_add_row(place) || may_add_column(place);
    case Kind::dag:
      return missing_edges(place.value) > 0;
    default:
      return false;
  }
}

bool can_drop(const Place& place) {
  switch (place.variable.kind) {
    case Kind::list:
    case Kind::permutation:
      return may_shrink(place.variable.count, place.value.items.size());
    case Kind::matrix:
      return may_drop_row(place) || may_drop_column(place);
    case Kind::dag:
      return !place.value.items.empty();
    default:
      return false;
  }
}

void add_one(const Place& place, Stream& stream) {
  auto& items = place.value.items;
  const std::size_t at = stream.below(items.size() + 1);
  switch (place.variable.kind) {
    case Kind::list:
      insert_element(place.variable.of.front(), items, at, before(place), stream);
      break;
    case Kind::permutation:
      items.insert(items.begin() + offset(at), Datum{static_cast<double>(items.size() + 1)});
      break;
    case Kind::matrix:
      if (may_add_row(place) && (!may_add_column(place) || stream.bernoulli(0.5)))
        add_row(place, stream);
      else
        add_column(place, stream);
      break;
    case Kind::dag:
      add_edge(place, stream);
      break;
    default:
      break;
  }
}

void drop_one(const Place& place, Stream& stream) {
  auto& items = place.value.items;
  switch (place.variable.kind) {
    case Kind::list:
    case Kind::dag:
      erase_at(items, stream.below(items.size()));
      break;
    case Kind::permutation: {
      const auto last = static_cast<double>(items.size());
      std::erase_if(items, [&](const Datum& item) { return item.number == last; });
      break;
    }
    case Kind::matrix:
      if (may_drop_row(place) && (!may_drop_column(place) || stream.bernoulli(0.5)))
        erase_at(items, stream.below(items.size()));
      else
        drop_column(place, stream);
      break;
    default:
      break;
  }
}

Datum neighbour(const Space& space, const Datum& value, Stream& stream) {
  for (int refused = 0; refused < kMostRefusals; ++refused) {
    std::optional<Datum> moved;
    if (space.move && stream.bernoulli(0.5)) {
      moved = space.move(value, stream);
      if (moved) {
        // Its counts are made to follow, which needs a value of the right form.
        if (const std::string why = why_outside_but_counts(space, *moved); !why.empty())
          fail("bad_space", "move: must give a case of the space; {}", why);
      }
    }
    if (!moved) {
      moved = value;
      move_value({space.root, *moved}, stream);
    }
    follow_counts(space, *moved, stream);
    if (is_valid(space, *moved)) return *std::move(moved);
  }
  return value;
}

}  // namespace perigee::space
