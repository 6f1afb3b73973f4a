// Spaces of cases: parameters in short, and random spaces.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/space/space.h"
#include "tests/support/layers.h"

namespace perigee::test {

inline space::Variable numbers(space::Variable::Kind kind, double low, double high) {
  space::Variable variable;
  variable.kind = kind;
  variable.low = low;
  variable.high = high;
  return variable;
}
inline space::Variable real(double low, double high) {
  return numbers(space::Variable::Kind::real, low, high);
}
inline space::Variable log_real(double low, double high) {
  space::Variable variable = real(low, high);
  variable.logarithmic = true;
  return variable;
}
inline space::Variable whole(double low, double high) {
  return numbers(space::Variable::Kind::whole, low, high);
}
inline space::Variable choice(double values) { return numbers(space::Variable::Kind::choice, 0, values - 1); }

inline space::Variable counted(space::Variable::Kind kind, space::CountRange count) {
  space::Variable variable;
  variable.kind = kind;
  variable.count = std::move(count);
  return variable;
}
inline space::Variable list(space::CountRange count, space::Variable of) {
  space::Variable variable = counted(space::Variable::Kind::list, std::move(count));
  variable.of = {std::move(of)};
  return variable;
}
inline space::Variable matrix(space::CountRange rows, space::CountRange columns, space::Variable of) {
  space::Variable variable = list(std::move(rows), std::move(of));
  variable.kind = space::Variable::Kind::matrix;
  variable.columns = std::move(columns);
  return variable;
}
inline space::Variable permutation(space::CountRange n) {
  return counted(space::Variable::Kind::permutation, std::move(n));
}
inline space::Variable dag(space::CountRange tasks, space::Variable edge) {
  space::Variable variable = list(std::move(tasks), std::move(edge));
  variable.kind = space::Variable::Kind::dag;
  return variable;
}
inline space::Variable record(std::vector<space::NamedVariable> fields, std::vector<std::size_t> order = {}) {
  space::Variable variable;
  variable.kind = space::Variable::Kind::record;
  variable.fields = std::move(fields);
  variable.order = std::move(order);
  return variable;
}
inline space::Space space_of(std::vector<space::NamedVariable> fields, std::vector<std::size_t> order = {}) {
  space::Space out;
  out.root = record(std::move(fields), std::move(order));
  return out;
}

// As many as the whole number of that place among the fields says, plus `more`.
inline space::CountRange as_many_as(std::size_t field, std::uint64_t more = 0) {
  return {0, 0, [field, more](const space::Datum& record) {
            const double n = record.items.at(field).number;
            return n >= 0 && n < 1e6 ? static_cast<std::uint64_t>(n) + more : 0;
          }};
}

// A random parameter with at most `depth` others around its numbers. Finite: without reals.
inline space::Variable random_variable(Stream& random, int depth, bool finite) {
  const auto count = [&](std::uint64_t most) {
    const std::uint64_t least = random.below(most);
    const std::uint64_t more = random.below(most - least + 1);
    return space::CountRange{least, least + more};
  };
  const std::uint64_t kind = random.below(depth > 0 ? 8 : 3);
  switch (kind) {
    case 0: {
      if (finite) return whole(2, 2);
      const double low = random.uniform(0.1, 2);
      space::Variable out = real(low, low + random.uniform(0, 30));
      out.logarithmic = random.bernoulli(0.3);
      return out;
    }
    case 1: {
      const double low = static_cast<double>(random.below(7)) - 3;
      return whole(low, low + static_cast<double>(random.below(finite ? 3 : 40)));
    }
    case 2:
      return choice(1 + static_cast<double>(random.below(3)));
    case 3: {
      const auto n = count(finite ? 2 : 6);
      return list(n, random_variable(random, depth - 1, finite));
    }
    case 4: {
      const auto rows = count(finite ? 2 : 4);
      const auto columns = count(finite ? 2 : 4);
      return matrix(rows, columns, random_variable(random, depth - 1, finite));
    }
    case 5:
      return permutation(count(finite ? 3 : 6));
    case 6: {
      const auto tasks = count(finite ? 3 : 6);
      return dag(tasks, random_variable(random, depth - 1, finite));
    }
    default: {
      std::vector<space::NamedVariable> fields;
      const std::uint64_t most = 1 + random.below(3);
      for (std::uint64_t i = 0; i < most; ++i)
        fields.push_back({"f" + std::to_string(i), random_variable(random, depth - 1, finite)});
      return record(std::move(fields));
    }
  }
}

// A random space: without reals; of any parameters; or of any, and of such whose counts are functions. The latter are a
// list, a permutation, a graph and a matrix, with as many elements as the last field says, which is drawn first.
enum class Form { finite, any, functions };
inline space::Space random_space(std::uint64_t seed, Form form = Form::functions) {
  Stream random(seed, "random space");
  const bool finite = form == Form::finite;
  std::vector<space::NamedVariable> fields;
  const std::uint64_t most = 1 + random.below(finite ? 2 : 4);
  for (std::uint64_t i = 0; i < most; ++i)
    fields.push_back({"p" + std::to_string(i), random_variable(random, finite ? 1 : 3, finite)});
  if (form != Form::functions) return space_of(std::move(fields));
  const std::size_t n = fields.size() + 4;
  fields.push_back({"costs", list(as_many_as(n), real(1, 2))});
  fields.push_back({"order", permutation(as_many_as(n, 1))});
  fields.push_back({"graph", dag(as_many_as(n), whole(0, 3))});
  fields.push_back({"times", matrix(as_many_as(n), {1, 3}, list(as_many_as(n), whole(1, 4)))});
  fields.push_back({"n", whole(0, 5)});
  std::vector<std::size_t> order{n};
  for (std::size_t i = 0; i < n; ++i) order.push_back(i);
  return space_of(std::move(fields), std::move(order));
}

// Whether the value is one of the parameter's, with all that it is made of. `record`: the record around it. Shorter: lists
// and matrices may be, as the smallest case has them.
inline bool is_inside(const space::Variable& variable, const space::Datum& value, const space::Datum& record,
                      bool shorter = false) {
  using Kind = space::Variable::Kind;
  const auto& items = value.items;
  const auto counts = [&](const space::CountRange& range, std::size_t n, bool may_be_fewer) {
    if (range.of) return range.of(record) == n;
    return n <= range.most && (n >= range.least || (shorter && may_be_fewer));
  };
  const auto is_count = [](double x) { return x >= 0 && x < 1e9 && std::floor(x) == x; };
  switch (variable.kind) {
    case Kind::real:
      return items.empty() && value.number >= variable.low && value.number <= variable.high;
    case Kind::whole:
    case Kind::choice:
      return items.empty() && value.number >= variable.low && value.number <= variable.high &&
             std::floor(value.number) == value.number;
    case Kind::list:
      if (value.number != 0 || !counts(variable.count, items.size(), true)) return false;
      for (const auto& item : items)
        if (!is_inside(variable.of[0], item, record, shorter)) return false;
      return true;
    case Kind::matrix:
      if (value.number != 0 || !counts(variable.count, items.size(), true)) return false;
      for (const auto& row : items) {
        if (row.number != 0 || row.items.size() != items[0].items.size()) return false;
        if (!counts(variable.columns, row.items.size(), true)) return false;
        for (const auto& entry : row.items)
          if (!is_inside(variable.of[0], entry, record, shorter)) return false;
      }
      return true;
    case Kind::permutation: {
      if (value.number != 0 || !counts(variable.count, items.size(), false)) return false;
      std::vector<double> all;
      for (const auto& item : items) {
        if (!item.items.empty()) return false;
        all.push_back(item.number);
      }
      std::sort(all.begin(), all.end());
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] != static_cast<double>(i + 1)) return false;
      return true;
    }
    case Kind::dag: {
      if (!is_count(value.number) || !counts(variable.count, static_cast<std::size_t>(value.number), false))
        return false;
      for (std::size_t e = 0; e < items.size(); ++e) {
        const auto& edge = items[e];
        if (edge.number != 0 || edge.items.size() != 3) return false;
        const auto &from = edge.items[0], &to = edge.items[1];
        if (!from.items.empty() || !to.items.empty() || !is_count(from.number) || !is_count(to.number))
          return false;
        if (from.number < 1 || from.number >= to.number || to.number > value.number)
          return false;  // so acyclic
        if (e > 0) {
          const auto &other_from = items[e - 1].items[0].number, &other_to = items[e - 1].items[1].number;
          if (from.number < other_from || (from.number == other_from && to.number <= other_to)) return false;
        }
        if (!is_inside(variable.of[0], edge.items[2], record, shorter)) return false;
      }
      return true;
    }
    case Kind::record:
      if (value.number != 0 || items.size() != variable.fields.size()) return false;
      for (std::size_t i = 0; i < items.size(); ++i)
        if (!is_inside(variable.fields[i].parameter, items[i], value, shorter)) return false;
      return true;
  }
  return false;
}
inline bool is_inside(const space::Space& space, const space::Datum& value, bool shorter = false) {
  return is_inside(space.root, value, {}, shorter);
}

// A list of numbers.
inline space::Datum data(const std::vector<double>& numbers) {
  space::Datum out;
  for (const double number : numbers) out.items.push_back(space::Datum{number});
  return out;
}
inline space::Datum edge(double from, double to, double value) { return data({from, to, value}); }

// Whether a count of so many draws is within five standard deviations of the binomial number of that share.
inline bool near_share(int count, int draws, double share) {
  return std::fabs(count - draws * share) <= 5 * std::sqrt(draws * share * (1 - share));
}

// An order of values, for sets of them.
struct ByNumbers {
  bool operator()(const space::Datum& a, const space::Datum& b) const {
    return space::packed(a) < space::packed(b);
  }
};

}  // namespace perigee::test
