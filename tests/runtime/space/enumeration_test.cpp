#include <catch2/catch.hpp>
#include <limits>
#include <numeric>
#include <vector>

#include "runtime/space/space.h"
#include "tests/support/layers.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using space::Datum;
using Kind = space::Variable::Kind;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<Datum> all_of(const space::Variable& variable);

// Every row with one value of each, the last one fastest.
std::vector<std::vector<Datum>> product(const std::vector<std::vector<Datum>>& values) {
  std::vector<std::vector<Datum>> rows{{}};
  for (const auto& of_one : values) {
    std::vector<std::vector<Datum>> longer;
    for (const auto& row : rows)
      for (const Datum& value : of_one) {
        longer.push_back(row);
        longer.back().push_back(value);
      }
    rows = longer;
  }
  return rows;
}

// Every value of a parameter, by products of all values of what it is made of.
std::vector<Datum> all_of(const space::Variable& variable) {
  std::vector<Datum> all;
  const auto lists = [](const space::Variable& of, std::size_t n) {
    return product(std::vector<std::vector<Datum>>(n, all_of(of)));
  };
  switch (variable.kind) {
    case Kind::real:
      return {Datum{variable.low}};
    case Kind::whole:
    case Kind::choice:
      for (double x = variable.low; x <= variable.high; ++x) all.push_back(Datum{x});
      return all;
    case Kind::list:
      for (std::size_t n = variable.count.least; n <= variable.count.most; ++n)
        for (auto& items : lists(variable.of[0], n)) all.push_back({0, items});
      return all;
    case Kind::matrix:
      for (std::size_t rows = variable.count.least; rows <= variable.count.most; ++rows)
        for (std::size_t columns = variable.columns.least; columns <= variable.columns.most; ++columns) {
          for (auto& entries : lists(variable.of[0], rows * columns)) {
            Datum value;
            for (std::size_t r = 0; r < rows; ++r)
              value.items.push_back({0,
                                     {entries.begin() + static_cast<std::ptrdiff_t>(r * columns),
                                      entries.begin() + static_cast<std::ptrdiff_t>((r + 1) * columns)}});
            all.push_back(value);
          }
          if (rows == 0) break;  // the same for any number of columns
        }
      return all;
    case Kind::permutation:
      for (std::size_t n = variable.count.least; n <= variable.count.most; ++n) {
        std::vector<Datum> numbers;
        for (std::size_t i = 1; i <= n; ++i) numbers.push_back(Datum{static_cast<double>(i)});
        for (auto& items : product(std::vector<std::vector<Datum>>(n, numbers)))
          if (is_inside(permutation({n, n}), {0, items}, {})) all.push_back({0, items});
      }
      return all;
    case Kind::dag: {
      // A pair of tasks has no edge, marked by a number no edge has, or one of each value.
      const Datum none{-1};
      for (std::size_t n = variable.count.least; n <= variable.count.most; ++n) {
        std::vector<std::vector<Datum>> pairs;
        for (std::size_t from = 1; from <= n; ++from)
          for (std::size_t to = from + 1; to <= n; ++to) {
            pairs.push_back({none});
            for (const Datum& value : all_of(variable.of[0]))
              pairs.back().push_back(
                  {0, {Datum{static_cast<double>(from)}, Datum{static_cast<double>(to)}, value}});
          }
        for (auto& edges : product(pairs)) {
          std::erase(edges, none);
          all.push_back({static_cast<double>(n), edges});
        }
      }
      return all;
    }
    case Kind::record: {
      std::vector<std::vector<Datum>> fields;
      for (const auto& field : variable.fields) fields.push_back(all_of(field.parameter));
      for (auto& items : product(fields)) all.push_back({0, items});
      return all;
    }
  }
  return all;
}

std::vector<Datum> enumerated(const space::Space& cases) {
  std::vector<Datum> all;
  for (auto value = space::first(cases); value; value = space::next(cases, *value)) all.push_back(*value);
  return all;
}

}  // namespace

TEST_CASE("the sizes of spaces whose cases are counted by hand") {
  // Three tasks on two machines, times 1 to 4; four jobs of 1 to 3 cores and times 1 to 4.
  const auto times = space_of({{"times", matrix({3, 3}, {2, 2}, whole(1, 4))}});
  CHECK(space::size(times) == 4096);
  CHECK(enumerated(times).size() == 4096);
  const auto jobs =
      space_of({{"jobs", list({4, 4}, record({{"cores", whole(1, 3)}, {"time", whole(1, 4)}}))}});
  CHECK(space::size(jobs) == 20736);
  CHECK(enumerated(jobs).size() == 20736);

  CHECK(space::size(space_of({})) == 1);
  CHECK(space::size(space_of({{"x", list({0, 3}, choice(2))}})) == 1 + 2 + 4 + 8);
  CHECK(space::size(space_of({{"x", matrix({0, 2}, {1, 2}, choice(3))}})) == 1 + 3 + 9 + 9 + 81);
  CHECK(space::size(space_of({{"x", permutation({2, 4})}})) == 2 + 6 + 24);
  CHECK(space::size(space_of({{"x", dag({3, 4}, choice(2))}})) == 27 + 729);
  CHECK(space::size(space_of({{"x", dag({0, 2}, choice(2))}})) == 1 + 1 + 3);
  CHECK(space::size(space_of({{"x", real(2, 2)}, {"y", choice(7)}})) == 7);
  CHECK(space::size(space_of({{"x", whole(-1e15, 1e15)}})) == 2e15 + 1);
  CHECK(space::size(space_of({{"x", matrix({0, 1'000'000}, {1, 1'000'000}, choice(1))}})) == 1e12 + 1);
}

TEST_CASE("no finite number of cases: reals, counts that are functions, more than a number holds") {
  CHECK(space::size(space_of({{"x", real(1, 2)}})) == kInfinity);
  CHECK(space::size(space_of({{"x", list({0, 1}, real(1, 2))}})) == kInfinity);
  CHECK(space::size(space_of({{"n", whole(1, 2)}, {"x", list(as_many_as(0), choice(2))}})) == kInfinity);
  CHECK(space::size(space_of({{"x", permutation({1'000'000, 1'000'000})}})) == kInfinity);
  CHECK(space::size(space_of({{"x", matrix({0, 1'000'000}, {0, 1'000'000}, choice(2))}})) == kInfinity);
  // A list of no reals is one case.
  CHECK(space::size(space_of({{"x", list({0, 0}, real(1, 2))}})) == 1);
}

TEST_CASE("next gives each case once, in the order of products") {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto cases = random_space(seed, Form::finite);
    if (space::size(cases) > 3000) continue;
    ++compared;
    const auto all = all_of(cases.root);
    REQUIRE(space::size(cases) == static_cast<double>(all.size()));
    REQUIRE(enumerated(cases) == all);
  }
  CHECK(compared > 100);
}

TEST_CASE("cases that valid refuses are left out") {
  auto cases = space_of({{"x", whole(1, 6)}, {"y", whole(1, 6)}});
  cases.valid = [](const Datum& value) { return value.items[0].number + value.items[1].number == 7; };
  CHECK(enumerated(cases) ==
        std::vector{data({1, 6}), data({2, 5}), data({3, 4}), data({4, 3}), data({5, 2}), data({6, 1})});
  cases.valid = [](const Datum&) { return false; };
  CHECK_FALSE(space::first(cases));
}
