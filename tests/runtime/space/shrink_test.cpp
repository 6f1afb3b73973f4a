#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "runtime/space/space.h"
#include "tests/support/layers.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using space::Datum;
using Kind = space::Variable::Kind;

namespace {

double with_digits(double number, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, number);
  return std::strtod(text, nullptr);
}

std::vector<Datum> without_each(const Datum& value) {
  std::vector<Datum> all;
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    all.push_back(value);
    all.back().items.erase(all.back().items.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return all;
}

// The graph without a task.
Datum without_task(const Datum& graph, double task) {
  Datum out{graph.number - 1};
  for (const Datum& e : graph.items) {
    const double from = e.items[0].number, to = e.items[1].number;
    if (from == task || to == task) continue;
    out.items.push_back({0, {Datum{from - (from > task)}, Datum{to - (to > task)}, e.items[2]}});
  }
  return out;
}

// Everything that is the value but for one thing: an element, row, column, edge, task or digit less, a whole number that
// is lower, a real at a bound. No counts that are functions.
std::vector<Datum> reductions(const space::Variable& variable, const Datum& value) {
  std::vector<Datum> all;
  const auto add_inner = [&](const space::Variable& of, std::size_t i) {
    for (Datum& less : reductions(of, value.items[i])) {
      all.push_back(value);
      all.back().items[i] = std::move(less);
    }
  };
  switch (variable.kind) {
    case Kind::real: {
      if (value.number == variable.low || value.number == variable.high || value.number == 0) return {};
      all = {Datum{variable.low}, Datum{variable.high}};
      if (variable.low <= 0 && variable.high >= 0 && std::fabs(value.number) < 0.5) all.push_back(Datum{0});
      for (int digits = 1; with_digits(value.number, digits) != value.number; ++digits)
        if (const double x = with_digits(value.number, digits); x >= variable.low && x <= variable.high)
          all.push_back(Datum{x});
      return all;
    }
    case Kind::whole:
      for (const double x : {variable.low, std::ceil((variable.low + value.number) / 2), value.number - 1})
        if (x >= variable.low && x < value.number) all.push_back(Datum{x});
      return all;
    case Kind::choice:
      return {};
    case Kind::list:
      all = without_each(value);
      for (std::size_t i = 0; i < value.items.size(); ++i) add_inner(variable.of[0], i);
      return all;
    case Kind::matrix: {
      if (value.items.empty()) return {};
      if (value.items.size() > 1) all = without_each(value);
      const std::size_t columns = value.items[0].items.size();
      for (std::size_t c = 0; columns > 1 && c < columns; ++c) {
        all.push_back(value);
        for (Datum& row : all.back().items)
          row.items.erase(row.items.begin() + static_cast<std::ptrdiff_t>(c));
      }
      for (std::size_t r = 0; r < value.items.size(); ++r)
        for (std::size_t c = 0; c < columns; ++c)
          for (const Datum& less : reductions(variable.of[0], value.items[r].items[c])) {
            all.push_back(value);
            all.back().items[r].items[c] = less;
          }
      return all;
    }
    case Kind::permutation:
      if (value.items.size() <= variable.count.least) return {};
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        Datum less;
        for (std::size_t k = 0; k < value.items.size(); ++k)
          if (k != i)
            less.items.push_back(
                Datum{value.items[k].number - (value.items[k].number > value.items[i].number)});
        all.push_back(less);
      }
      return all;
    case Kind::dag:
      all = without_each(value);
      if (value.number > static_cast<double>(variable.count.least))
        for (double task = 1; task <= value.number; ++task) all.push_back(without_task(value, task));
      for (std::size_t i = 0; i < value.items.size(); ++i)
        for (const Datum& less : reductions(variable.of[0], value.items[i].items[2])) {
          all.push_back(value);
          all.back().items[i].items[2] = less;
        }
      return all;
    case Kind::record:
      for (std::size_t i = 0; i < value.items.size(); ++i) add_inner(variable.fields[i].parameter, i);
      return all;
  }
  return all;
}

double sum_of(const Datum& value) {
  double sum = std::fabs(value.number);
  for (const Datum& item : value.items) sum += sum_of(item);
  return sum;
}

// A test that holds for the value, and otherwise by chance: monotone, or not.
std::function<bool(const Datum&)> random_test(const Datum& value, Stream& random) {
  const double keep = random.uniform(0.2, 0.9) * sum_of(value);
  const std::size_t numbers = space::packed(value).size();
  const std::uint64_t kind = random.below(3);
  const std::uint64_t salt = random();
  return [=](const Datum& now) {
    if (kind == 0) return sum_of(now) >= keep;
    if (kind == 1) return sum_of(now) >= keep / 2 && space::packed(now).size() % 3 == numbers % 3;
    if (now == value) return true;
    SplitMix64 hash(salt);
    std::uint64_t bits = 0;
    for (const double x : space::packed(now))
      bits ^= SplitMix64::mix(hash() ^ static_cast<std::uint64_t>(std::llround(8 * x)));
    return bits % 16 == 0;
  };
}

const std::function<bool(const Datum&)> kAlways = [](const Datum&) { return true; };

}  // namespace

TEST_CASE("nothing can be taken away from the smallest case: each removal tried, on 150 random tests") {
  std::size_t tried = 0, shrunk_at_all = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const auto cases = random_space(seed, Form::any);
    Stream random(seed, "tests");
    const Datum value = space::draw(cases, random);
    const auto test = random_test(value, random);
    std::uint64_t calls = 0;
    const auto still = [&](const Datum& now) {
      ++calls;
      CHECK(is_inside(cases, now, true));
      return test(now);
    };
    const auto found = space::shrink(cases, value, still, 1'000'000);
    INFO("seed " << seed);
    REQUIRE(found.minimal);
    REQUIRE(found.calls == calls);
    REQUIRE(test(found.value));
    for (const Datum& less : reductions(cases.root, found.value)) {
      ++tried;
      REQUIRE_FALSE(test(less));
    }
    shrunk_at_all += found.value != value;
    REQUIRE(space::shrink(cases, value, test, 1'000'000).value == found.value);
  }
  CHECK(tried > 1000);
  CHECK(shrunk_at_all > 75);
}

TEST_CASE("halves, quarters, one by one; then whole numbers to their least, halfway, by one") {
  const auto cases = space_of({{"x", list({4, 9}, whole(1, 100))}});
  std::vector<Datum> asked;
  const auto found = space::shrink(
      cases, {0, {data({50, 3, 20, 9, 11, 2})}},
      [&](const Datum& value) {
        asked.push_back(value.items[0]);
        return sum_of(value) >= 10;
      },
      2000);
  CHECK(found.value == Datum{0, {data({10})}});
  CHECK(found.minimal);
  // By hand.
  const std::vector first{data({9, 11, 2}), data({}),  data({2}), data({9, 11}), data({11}),
                          data({}),         data({1}), data({6}), data({9}),     data({10}),
                          data({1}),        data({6}), data({8}), data({9})};
  REQUIRE(asked.size() >= first.size());
  asked.resize(first.size());
  CHECK(asked == first);
}

TEST_CASE("reals become the simplest near them, bounds first") {
  const auto simplest = [](space::Variable parameter, double from, double low, double high) {
    const auto found = space::shrink(
        space_of({{"x", std::move(parameter)}}), data({from}),
        [&](const Datum& value) { return value.items[0].number > low && value.items[0].number < high; },
        2000);
    CHECK(found.minimal);
    return found.value.items[0].number;
  };
  CHECK(simplest(real(0, 100), 37.4218, 37.3, 37.45) == 37.4);
  CHECK(simplest(real(0, 100), 37.4218, 37.421, 37.422) == 37.4218);
  CHECK(simplest(real(0, 100), 37.4218, 36, 39) == 37);
  CHECK(simplest(real(0, 100), 37.4218, 30, 50) == 40);
  CHECK(simplest(real(0, 100), 37.4218, 30, 200) == 100);
  CHECK(simplest(real(0, 100), 37.4218, -1, 200) == 0);
  CHECK(simplest(real(1, 3), 1.618033988749895, 1.55, 1.65) == 1.6);
  CHECK(simplest(real(-5, 5), 0.3, -1, 1) == 0);
  CHECK(simplest(real(-5, 5), -0.7321, -1, -0.1) == -0.7);
  CHECK(simplest(log_real(1e-9, 1e9), 0.0000123456, 1e-5, 1e-4) == 1.2e-5);
  CHECK(simplest(log_real(1e-9, 1e9), 123456789, 1.2e8, 1.3e8) == 123000000);
  // A number that needs them keeps all its digits.
  CHECK(simplest(real(0, 1), 0.1 + 0.2, 0.30000000000000003, 0.3000000000000001) == 0.1 + 0.2);
  CHECK(simplest(real(0, 1), 0.12345678901234566, 0.123456, 0.1234569) == 0.1234568);
}

TEST_CASE("lists may become shorter than their least, matrices down to one entry; choices stay") {
  const auto cases = space_of({{"list", list({3, 5}, real(1, 2))},
                               {"matrix", matrix({3, 3}, {2, 2}, whole(1, 9))},
                               {"graph", dag({3, 5}, whole(0, 9))},
                               {"order", permutation({2, 4})},
                               {"choice", choice(4)}});
  Stream random(1, "shorter");
  Datum value = space::draw(cases, random);
  value.items[4].number = 3;
  const auto found = space::shrink(cases, value, kAlways, 2000);
  CHECK(found.minimal);
  REQUIRE(found.value.items.size() == 5);
  CHECK(found.value.items[0] == Datum{});
  CHECK(found.value.items[1] == Datum{0, {data({1})}});
  CHECK(found.value.items[2] == Datum{3});
  CHECK(found.value.items[3].items.size() == 2);
  CHECK(found.value.items[4].number == 3);
}

TEST_CASE("what a function counts follows, and is not taken away by itself") {
  const auto cases = space_of({{"n", whole(0, 9)},
                               {"list", list(as_many_as(0), real(1, 2))},
                               {"times", matrix(as_many_as(0), {2, 2}, real(1, 2))}});
  Stream random(2, "follow");
  Datum value = space::draw(cases, random);
  while (value.items[0].number < 7) value = space::draw(cases, random);
  const auto found = space::shrink(
      cases, value,
      [&](const Datum& now) {
        CHECK(is_inside(cases, now, true));
        return now.items[1].items.size() >= 3;
      },
      2000);
  CHECK(found.value == Datum{0, {Datum{3}, data({1, 1, 1}), {0, {data({1}), data({1}), data({1})}}}});
}

TEST_CASE("what a function counts may stand before that of which it is a function") {
  space::CountRange as_many;
  as_many.of = [](const Datum& record) { return static_cast<std::uint64_t>(record.items[1].items.size()); };
  auto cases =
      space_of({{"follows", matrix(as_many, as_many, real(1, 2))}, {"list", list({0, 9}, real(1, 2))}});
  cases.root.order = {1, 0};
  Stream random(3, "before");
  Datum value = space::draw(cases, random);
  while (value.items[1].items.size() < 7) value = space::draw(cases, random);
  const auto found = space::shrink(
      cases, value, [&](const Datum& now) { return now.items[1].items.size() >= 2; }, 2000);
  CHECK(found.minimal);
  CHECK(found.value == Datum{0, {Datum{0, {data({1, 1}), data({1, 1})}}, data({1, 1})}});
}

TEST_CASE("a spent budget ends it: what was found until then, not minimal") {
  const auto cases = space_of({{"x", list({0, 40}, real(0, 1))}});
  Stream random(3, "budget");
  Datum value = space::draw(cases, random);
  while (value.items[0].items.size() < 30) value = space::draw(cases, random);
  const double keep = sum_of(value) / 3;
  const auto still = [&](const Datum& now) { return sum_of(now) >= keep; };
  const auto whole_run = space::shrink(cases, value, still, 100'000);
  REQUIRE(whole_run.minimal);
  double last = sum_of(value) + 1;
  for (const std::uint64_t budget :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{10}, whole_run.calls - 1}) {
    std::uint64_t calls = 0;
    const auto found = space::shrink(
        cases, value, [&](const Datum& now) { return ++calls, still(now); }, budget);
    CHECK_FALSE(found.minimal);
    CHECK(found.calls == budget);
    CHECK(calls == budget);
    CHECK(still(found.value));
    CHECK(sum_of(found.value) <= last);
    last = sum_of(found.value);
  }
  CHECK(space::shrink(cases, value, still, whole_run.calls).minimal);
}

TEST_CASE("what valid refuses is not asked for") {
  auto cases = space_of({{"x", list({0, 9}, whole(1, 9))}});
  cases.valid = [](const Datum& value) { return value.items[0].items.size() % 2 == 0; };
  const auto found = space::shrink(
      cases, {0, {data({1, 2, 3, 4, 5, 6})}},
      [&](const Datum& value) {
        CHECK(value.items[0].items.size() % 2 == 0);
        return value.items[0].items.size() >= 3;
      },
      2000);
  CHECK(found.value == Datum{0, {data({1, 1, 1, 1})}});
}
