#include <algorithm>
#include <array>

#include "tests/support/searches.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using space::Datum;
using space::Space;

namespace {

// The cases of all tries, and of each.
std::vector<Datum> all_cases(const Space& space, std::size_t tries, std::uint64_t evaluations) {
  std::vector<Datum> all;
  for (std::size_t nth = 0; nth < tries; ++nth) {
    const Asked asked = drive(
        *begun("exhaustive", {}, space, evaluations, 1, nth, tries), [](const Datum&) { return 0.0; }, 3);
    all.insert(all.end(), asked.cases.begin(), asked.cases.end());
  }
  return all;
}

std::string refused(const Space& space, std::uint64_t budget) {
  try {
    (void)search_of("exhaustive")->tries(space, budget);
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == "not_finite_space");
    return error.diagnostic().message;
  }
  return "";
}

// Makespan of the mapper that gives each of three tasks to the machine that ends it first (lower of equals), and the least
// one, on two machines.
struct Ends {
  double first, least;
};
Ends ends_of(const std::array<std::array<double, 2>, 3>& time) {
  std::array<double, 2> busy{};
  for (const auto& task : time) {
    const std::size_t machine = busy[1] + task[1] < busy[0] + task[0] ? 1 : 0;
    busy[machine] += task[machine];
  }
  double least = 1e9;
  for (unsigned mapping = 0; mapping < 8; ++mapping) {
    std::array<double, 2> load{};
    for (std::size_t i = 0; i < 3; ++i) load[mapping >> i & 1] += time[i][mapping >> i & 1];
    least = std::min(least, std::max(load[0], load[1]));
  }
  return {std::max(busy[0], busy[1]), least};
}

}  // namespace

TEST_CASE("each case is tried once, in the order of loops within loops") {
  const Space space = space_of({{"a", whole(1, 3)}, {"b", choice(2)}, {"c", whole(-1, 2)}});
  std::vector<Datum> expected;
  for (double a = 1; a <= 3; ++a)
    for (double b = 0; b < 2; ++b)
      for (double c = -1; c <= 2; ++c) expected.push_back({0, {{a}, {b}, {c}}});
  for (std::size_t tries = 1; tries <= 8; ++tries) {
    INFO(tries);
    CHECK(all_cases(space, tries, 24) == expected);
  }
  CHECK(all_cases(space, 2, 5).size() == 10);  // no more than it may
}

TEST_CASE("cases that are refused belong to no try") {
  Space space = space_of({{"a", whole(0, 9)}, {"b", whole(0, 9)}});
  space.valid = [](const Datum& value) { return value.items[0].number >= value.items[1].number; };
  CHECK(all_cases(space, 3, 100).size() == 55);
  space.valid = [](const Datum&) { return false; };
  CHECK(all_cases(space, 3, 100).empty());
}

TEST_CASE("there are as many tries as have evaluations for all of their cases") {
  for (const double cases : {1.0, 2.0, 7.0, 20.0, 64.0, 4096.0, 20736.0})
    for (const std::uint64_t more : {0, 1, 5, 1000}) {
      const Space space = space_of({{"a", whole(1, cases)}});
      const std::uint64_t budget = static_cast<std::uint64_t>(cases) + more;
      const std::size_t tries = search_of("exhaustive")->tries(space, budget);
      INFO(cases << " cases, budget " << budget << ", " << tries << " tries");
      CHECK(tries >= 1);
      CHECK(tries <= 8);
      CHECK(static_cast<double>(all_cases(space, tries, budget / tries).size()) == cases);
    }
  CHECK(search_of("exhaustive")->tries(space_of({{"a", whole(1, 4096)}}), 4096) == 8);
}

TEST_CASE("what cannot be counted, or not within the budget, is refused") {
  CHECK(refused(space_of({{"a", whole(1, 30)}, {"b", choice(4)}}), 100) ==
        "exhaustive: the space has 120 cases, more than the budget of 100");
  CHECK_THAT(refused(space_of({{"a", real(1, 2)}}), 100), Catch::Matchers::Contains("cannot be counted"));
  CHECK_THAT(refused(space_of({{"a", list(as_many_as(1), whole(1, 2))}, {"b", whole(1, 2)}}, {1, 0}), 100),
             Catch::Matchers::Contains("cannot be counted"));
}

TEST_CASE("exhaustive search finds the worst case of a tiny space, as loops do") {
  // Three tasks on two machines, times 1 to 3: the ratio of earliest completion and optimum.
  const Space space = space_of({{"times", matrix({3, 3}, {2, 2}, whole(1, 3))}});
  const auto log_ratio = [](const Datum& value) {
    std::array<std::array<double, 2>, 3> time{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 2; ++j) time[i][j] = value.items[0].items[i].items[j].number;
    const Ends ends = ends_of(time);
    return std::log(ends.first / ends.least);
  };
  const Asked asked = drive(*begun("exhaustive", {}, space, 729, 1), log_ratio);
  CHECK(asked.cases.size() == 729);
  double worst = 0;
  for (int code = 0; code < 729; ++code) {
    std::array<std::array<double, 2>, 3> time{};
    int rest = code;
    for (auto& task : time)
      for (double& each : task) {
        each = 1 + rest % 3;
        rest /= 3;
      }
    const Ends ends = ends_of(time);
    worst = std::max(worst, ends.first / ends.least);
  }
  CHECK(worst == 2);  // times 1 1, 1 2, 2 3: Ibarra and Kim 1977, the bound for two machines
  CHECK(std::exp(*std::ranges::max_element(asked.scores)) == Approx(worst).epsilon(1e-14));
}
