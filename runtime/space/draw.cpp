#include <algorithm>
#include <cstdint>

#include "runtime/kernel/error.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"
#include "runtime/space/parts.h"

namespace perigee::space {

namespace {

// Says how much room and work so many new elements are.
void will_draw(double elements, const char* of) {
  constexpr double kFew = 1000;
  if (elements > kFew)
    will_take(elements * sizeof(Datum), [&] { return fmt::format("{:.0f} {} of a case", elements, of); });
  did_work(static_cast<std::uint64_t>(std::min(elements, 1e15)));
}

// The value with other counts: cut at its end, or filled by draws.

void fit_list(const Variable& list, Datum& value, std::size_t count, const Datum& before, Stream& stream) {
  if (count > value.items.size())
    will_draw(static_cast<double>(count - value.items.size()), "elements of a list");
  if (count < value.items.size()) value.items.resize(count);
  while (value.items.size() < count) value.items.push_back(draw_value(list.of.front(), before, stream));
}

void fit_matrix(const Variable& matrix, Datum& value, std::size_t rows, std::size_t columns,
                const Datum& before, Stream& stream) {
  if (rows > value.items.size() || columns > columns_of(value))
    will_draw(static_cast<double>(rows) * static_cast<double>(columns + 1), "entries of a matrix");
  value.items.resize(rows);
  for (Datum& row : value.items) fit_list(matrix, row, columns, before, stream);
}

void fit_permutation(Datum& value, std::size_t n, Stream& stream) {
  std::erase_if(value.items, [&](const Datum& item) { return item.number > static_cast<double>(n); });
  while (value.items.size() < n) {
    const std::size_t next = value.items.size() + 1;
    value.items.insert(value.items.begin() + static_cast<std::ptrdiff_t>(stream.below(next)),
                       Datum{static_cast<double>(next)});
  }
}

void fit_graph(const Variable& graph, Datum& value, std::size_t tasks, const Datum& before, Stream& stream) {
  const auto had = static_cast<std::size_t>(value.number);
  value.number = static_cast<double>(tasks);
  if (tasks <= had) {
    std::erase_if(value.items, [&](const Datum& edge) { return to_of(edge) > tasks; });
    return;
  }
  const double pairs = static_cast<double>(tasks) * static_cast<double>(tasks - 1) / 2;
  will_draw(4 * pairs, "numbers of edges of a graph");
  for (std::size_t to = std::max<std::size_t>(had, 1) + 1; to <= tasks; ++to)
    for (std::size_t from = 1; from < to; ++from)
      if (stream.bernoulli(0.5))
        value.items.push_back(make_edge(from, to, draw_value(graph.of.front(), before, stream)));
  sort_edges(value);
}

}  // namespace

std::uint64_t draw_count(const CountRange& range, const Datum& before, Stream& stream) {
  if (!range.of)
    return range.least == range.most ? range.least : range.least + stream.below(range.most - range.least + 1);
  const std::uint64_t count = range.of(before);
  if (count > kMostElements)
    fail("bad_space", "a count that is a function must be at most {}, got {}", kMostElements, count);
  return count;
}

Datum draw_value(const Variable& variable, const Datum& before, Stream& stream) {
  Datum value;
  switch (variable.kind) {
    case Variable::Kind::real:
      value.number = real_at(variable, stream.unit());
      break;
    case Variable::Kind::whole:
    case Variable::Kind::choice:
      value.number =
          variable.low +
          static_cast<double>(stream.below(static_cast<std::uint64_t>(variable.high - variable.low) + 1));
      break;
    case Variable::Kind::list:
      fit_list(variable, value, draw_count(variable.count, before, stream), before, stream);
      break;
    case Variable::Kind::matrix: {
      const std::size_t rows = draw_count(variable.count, before, stream);
      fit_matrix(variable, value, rows, draw_count(variable.columns, before, stream), before, stream);
      break;
    }
    case Variable::Kind::permutation: {
      const std::size_t n = draw_count(variable.count, before, stream);
      will_draw(static_cast<double>(n), "numbers of a permutation");
      for (std::size_t i = 1; i <= n; ++i) value.items.push_back(Datum{static_cast<double>(i)});
      stream.shuffle(value.items);
      break;
    }
    case Variable::Kind::dag:
      fit_graph(variable, value, draw_count(variable.count, before, stream), before, stream);
      break;
    case Variable::Kind::record:
      value.items.resize(variable.fields.size());
      for (const std::size_t i : order_of(variable))
        value.items[i] = draw_value(variable.fields[i].parameter, value, stream);
      break;
  }
  return value;
}

void follow_counts(const Variable& variable, Datum& value, const Datum& before, Stream& stream) {
  if (!has_functions(variable)) return;
  switch (variable.kind) {
    case Variable::Kind::list:
      if (variable.count.of)
        fit_list(variable, value, draw_count(variable.count, before, stream), before, stream);
      for (Datum& element : value.items) follow_counts(variable.of.front(), element, before, stream);
      break;
    case Variable::Kind::matrix: {
      const std::size_t rows =
          variable.count.of ? draw_count(variable.count, before, stream) : value.items.size();
      // A matrix without rows does not say how many columns it has.
      const std::size_t columns = variable.columns.of || value.items.empty()
                                      ? draw_count(variable.columns, before, stream)
                                      : columns_of(value);
      fit_matrix(variable, value, rows, columns, before, stream);
      for (Datum& row : value.items)
        for (Datum& entry : row.items) follow_counts(variable.of.front(), entry, before, stream);
      break;
    }
    case Variable::Kind::permutation:
      if (variable.count.of) fit_permutation(value, draw_count(variable.count, before, stream), stream);
      break;
    case Variable::Kind::dag:
      if (variable.count.of)
        fit_graph(variable, value, draw_count(variable.count, before, stream), before, stream);
      for (Datum& edge : value.items) follow_counts(variable.of.front(), edge.items[2], before, stream);
      break;
    case Variable::Kind::record: {
      // Each count sees the fields before it only, as when they were drawn.
      Datum followed;
      followed.items.resize(value.items.size());
      for (const std::size_t i : order_of(variable)) {
        follow_counts(variable.fields[i].parameter, value.items[i], followed, stream);
        followed.items[i] = std::move(value.items[i]);
      }
      value.items = std::move(followed.items);
      break;
    }
    default:
      break;
  }
}

Datum draw(const Space& space, Stream& stream) {
  for (int refused = 0; refused < kMostRefusals; ++refused) {
    Datum value = draw_value(space.root, {}, stream);
    if (is_valid(space, value)) return value;
  }
  fail("bad_space", "valid: must accept some of the cases, but refused {0} of {0} draws (100 %)",
       kMostRefusals);
}

}  // namespace perigee::space
