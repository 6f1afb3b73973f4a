// Spaces of cases: parameters in short, and random spaces.
#pragma once

#include <cstdint>
#include <optional>
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
            return static_cast<std::uint64_t>(record.items.at(field).number) + more;
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

// A random space. Not finite: its last field is a whole number that is drawn first, and a list, a permutation, a graph
// and a matrix before it have as many elements as it says.
inline space::Space random_space(std::uint64_t seed, bool finite = false) {
  Stream random(seed, "random space");
  std::vector<space::NamedVariable> fields;
  const std::uint64_t most = 1 + random.below(finite ? 2 : 4);
  for (std::uint64_t i = 0; i < most; ++i)
    fields.push_back({"p" + std::to_string(i), random_variable(random, finite ? 1 : 3, finite)});
  if (finite) return space_of(std::move(fields));
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

}  // namespace perigee::test
