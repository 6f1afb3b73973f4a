#include <algorithm>
#include <limits>

#include "runtime/kernel/error.h"
#include "runtime/kernel/work.h"
#include "runtime/space/parts.h"

namespace perigee::space {

namespace {

using Kind = Variable::Kind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// base^exponent for base >= 1, exact below 2^53.
double power(double base, double exponent) {
  double result = 1;
  while (exponent > 0 && result < kInfinity && base > 1) {
    result *= base;
    --exponent;
  }
  return result;
}

// The sum of base^exponent(n) over the counts; exponents ascend.
template <class Exponent>
double sum_of_powers(const CountRange& range, double base, Exponent exponent) {
  if (range.of) return kInfinity;
  if (base == 1) return static_cast<double>(range.most - range.least) + 1;
  double sum = 0;
  for (std::uint64_t n = range.least; n <= range.most && sum < kInfinity; ++n)
    sum += power(base, exponent(static_cast<double>(n)));
  return sum;
}

double size_of(const Variable& variable) {
  switch (variable.kind) {
    case Kind::real:
      return variable.low == variable.high ? 1 : kInfinity;
    case Kind::whole:
    case Kind::choice:
      return variable.high - variable.low + 1;
    case Kind::list:
      return sum_of_powers(variable.count, size_of(variable.of.front()), [](double n) { return n; });
    case Kind::matrix: {
      if (variable.count.of || variable.columns.of) return kInfinity;
      const double entry = size_of(variable.of.front());
      double sum = 0;
      for (std::uint64_t rows = variable.count.least; rows <= variable.count.most && sum < kInfinity; ++rows)
        sum += rows == 0 ? 1  // a matrix without rows has no columns
                         : sum_of_powers(variable.columns, entry,
                                         [&](double columns) { return static_cast<double>(rows) * columns; });
      return sum;
    }
    case Kind::permutation: {
      if (variable.count.of) return kInfinity;
      double sum = 0, orders = 1;  // n!
      for (std::uint64_t n = 0; n <= variable.count.most && sum < kInfinity; ++n) {
        if (n > 0) orders *= static_cast<double>(n);
        if (n >= variable.count.least) sum += orders;
        if (orders == kInfinity) return kInfinity;
      }
      return sum;
    }
    case Kind::dag:
      return sum_of_powers(variable.count, 1 + size_of(variable.of.front()),
                           [](double n) { return n * (n - 1) / 2; });
    case Kind::record: {
      double product = 1;
      for (const NamedVariable& field : variable.fields) product *= size_of(field.parameter);
      return product;
    }
  }
  return kInfinity;
}

// ---- an odometer: the last place moves fastest

Datum first_of(const Variable& variable);

Datum first_list(const Variable& list, std::size_t count) {
  return {0, std::vector<Datum>(count, count == 0 ? Datum{} : first_of(list.of.front()))};
}

Datum first_matrix(const Variable& matrix, std::size_t rows, std::size_t columns) {
  return {0, std::vector<Datum>(rows, rows == 0 ? Datum{} : first_list(matrix, columns))};
}

Datum first_permutation(std::size_t n) {
  Datum value;
  for (std::size_t i = 1; i <= n; ++i) value.items.push_back(Datum{static_cast<double>(i)});
  return value;
}

Datum first_of(const Variable& variable) {
  switch (variable.kind) {
    case Kind::list:
      return first_list(variable, variable.count.least);
    case Kind::matrix:
      return first_matrix(variable, variable.count.least, variable.columns.least);
    case Kind::permutation:
      return first_permutation(variable.count.least);
    case Kind::dag:
      return {static_cast<double>(variable.count.least)};
    case Kind::record: {
      Datum value;
      for (const NamedVariable& field : variable.fields) value.items.push_back(first_of(field.parameter));
      return value;
    }
    default:
      return {variable.low};
  }
}

// Moves on to the next value, or behind the last one back to the first: false.
bool advance(const Variable& variable, Datum& value);

bool advance_elements(const Variable& of, std::vector<Datum>& items) {
  for (std::size_t i = items.size(); i-- > 0;)
    if (advance(of, items[i])) return true;
  return false;
}

bool advance_rows(const Variable& of, std::vector<Datum>& rows) {
  for (std::size_t i = rows.size(); i-- > 0;)
    if (advance_elements(of, rows[i].items)) return true;
  return false;
}

// Each pair of tasks, from the last one back: without an edge, then with one of each value.
bool advance_edges(const Variable& graph, Datum& value) {
  auto& edges = value.items;  // the last one is never of a pair behind the one looked at
  const auto tasks = static_cast<std::size_t>(value.number);
  for (std::size_t from = tasks; from-- > 1;)
    for (std::size_t to = tasks; to > from; --to) {
      if (edges.empty() || from_of(edges.back()) != from || to_of(edges.back()) != to) {
        edges.push_back(make_edge(from, to, first_of(graph.of.front())));
        return true;
      }
      if (advance(graph.of.front(), edges.back().items[2])) return true;
      edges.pop_back();
    }
  return false;
}

bool advance(const Variable& variable, Datum& value) {
  did_work(1);
  switch (variable.kind) {
    case Kind::real:
      PERIGEE_ASSERT(variable.low == variable.high, "reals cannot be enumerated");
      return false;
    case Kind::whole:
    case Kind::choice:
      if (value.number < variable.high) {
        ++value.number;
        return true;
      }
      value.number = variable.low;
      return false;
    case Kind::list:
      if (advance_elements(variable.of.front(), value.items)) return true;
      if (value.items.size() < variable.count.most) {
        value = first_list(variable, value.items.size() + 1);
        return true;
      }
      break;
    case Kind::matrix: {
      if (advance_rows(variable.of.front(), value.items)) return true;
      const std::size_t rows = value.items.size(), columns = columns_of(value);
      if (rows > 0 && columns < variable.columns.most) {
        value = first_matrix(variable, rows, columns + 1);
        return true;
      }
      if (rows < variable.count.most) {
        value = first_matrix(variable, rows + 1, variable.columns.least);
        return true;
      }
      break;
    }
    case Kind::permutation:
      if (std::ranges::next_permutation(value.items, {}, &Datum::number).found) return true;
      if (value.items.size() < variable.count.most) {
        value = first_permutation(value.items.size() + 1);
        return true;
      }
      break;
    case Kind::dag:
      if (advance_edges(variable, value)) return true;
      if (value.number < static_cast<double>(variable.count.most)) {
        value = Datum{value.number + 1};
        return true;
      }
      break;
    case Kind::record:
      for (std::size_t i = variable.fields.size(); i-- > 0;)
        if (advance(variable.fields[i].parameter, value.items[i])) return true;
      return false;
  }
  value = first_of(variable);
  return false;
}

}  // namespace

double size(const Space& space) { return size_of(space.root); }

std::optional<Datum> first(const Space& space) {
  Datum value = first_of(space.root);
  if (is_valid(space, value)) return value;
  return next(space, value);
}

std::optional<Datum> next(const Space& space, const Datum& value) {
  Datum following = value;
  while (advance(space.root, following))
    if (is_valid(space, following)) return following;
  return std::nullopt;
}

}  // namespace perigee::space
