// Every search of the catalogue.
#include <cmath>
#include <limits>

#include "runtime/schedulers/catalogue.h"
#include "tests/support/rounds.h"
#include "tests/support/searches.h"
#include "tests/support/spaces.h"

using namespace perigee;
using namespace perigee::test;
using space::Datum;
using space::Space;

namespace {

constexpr double kUncounted = std::numeric_limits<double>::quiet_NaN(),
                 kEnd = std::numeric_limits<double>::infinity();

std::vector<std::string> searches() {
  std::vector<std::string> names;
  const Catalogue catalogue;
  for (const auto& entry : catalogue.entries())
    if (entry->role == Role::search) names.push_back(entry->name);
  return names;
}

// 3 x 4 x 14 cases.
Space small_space() {
  return space_of({{"hosts", whole(1, 3)},
                   {"kind", choice(4)},
                   {"times", list({1, 3}, whole(0, 1))},
                   {"fixed", real(2, 2)}});
}
// Small, and one on which the search is at home.
std::vector<Space> spaces_for(const std::string& name) {
  if (name == "cma_es")
    return {space_of({{"a", real(-1, 2)}, {"b", log_real(0.01, 10)}}),
            space_of({{"c", list({5, 5}, real(0, 1))}, {"m", matrix({2, 2}, {2, 2}, real(0, 9))}})};
  std::vector<Space> spaces = {small_space()};
  if (name == "exhaustive") return spaces;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) spaces.push_back(random_space(seed));
  return spaces;
}

// A number for each case that is far from smooth; some cases do not count.
double rough(const Datum& value) {
  const std::vector<double> all = packed(value);
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) sum += std::sin(all[i] * 7.3 + static_cast<double>(i));
  return std::fmod(std::abs(sum) * 1000, 7) < 1 ? kUncounted : sum;
}

std::vector<double> state_of(const space::CaseSearch& search) {
  std::vector<double> state;
  search.save(state);
  return state;
}

}  // namespace

TEST_CASE("there are six searches, and each asks for cases inside, as many as it may") {
  const std::vector<std::string> names = searches();
  CHECK(names ==
        std::vector<std::string>{"random_search", "exhaustive", "annealing", "pisa", "genetic", "cma_es"});
  for (const std::string& name : names)
    for (const Space& space : spaces_for(name))
      for (const std::uint64_t evaluations : {0, 1, 2, 39, 40, 41, 700}) {
        INFO(name << ", " << evaluations);
        const auto search = begun(name, {}, space, evaluations, 1);
        const Asked asked = drive(*search, rough);
        const double most = name == "exhaustive" ? size(space) : kEnd;
        CHECK(static_cast<double>(asked.cases.size()) == std::min(static_cast<double>(evaluations), most));
        for (const Datum& each : asked.cases) REQUIRE(why_outside(space, each) == "");
        CHECK(search->ask(10).empty());
      }
}

TEST_CASE(
    "a search is the same again, however many cases are taken at a time, and another one with another seed") {
  for (const std::string& name : searches())
    for (const Space& space : spaces_for(name)) {
      INFO(name);
      const Asked whole = drive(*begun(name, {}, space, 300, 5), rough);
      for (const std::size_t most :
           thorough() ? std::vector<std::size_t>{1, 3, 7, 64} : std::vector<std::size_t>{7})
        CHECK(drive(*begun(name, {}, space, 300, 5), rough, most) == whole);
      if (name != "exhaustive" && whole.cases.front() != whole.cases.back())
        CHECK(!(drive(*begun(name, {}, space, 300, 6), rough) == whole));
      Asked twin = drive(*begun(name, {}, space, 300, 5, 1, 2), rough);
      if (name != "exhaustive" && whole.cases.front() != whole.cases.back()) CHECK(!(twin == whole));
    }
}

TEST_CASE("a search that is loaded or cloned in the middle goes on to the bit") {
  for (const std::string& name : searches())
    for (const Space& space : spaces_for(name))
      for (const std::size_t rounds :
           thorough() ? std::vector<std::size_t>{0, 1, 2, 13, 50} : std::vector<std::size_t>{0, 13}) {
        INFO(name << " after " << rounds);
        const auto search = begun(name, {}, space, 160, 3);
        drive(*search, rough, 5, rounds);
        const std::vector<double> state = state_of(*search);
        const auto loaded = begun(name, {}, space, 160, 3);
        REQUIRE(loaded->load(state));
        CHECK(std::ranges::equal(state_of(*loaded), state, {}, Asked::bits, Asked::bits));
        const auto cloned = search->clone();
        const Asked rest = drive(*search, rough);
        CHECK(drive(*loaded, rough) == rest);
        CHECK(drive(*cloned, rough) == rest);
      }
}

TEST_CASE("numbers that are no state are refused, and change nothing") {
  for (const std::string& name : searches()) {
    INFO(name);
    const Space space = spaces_for(name).front();
    const auto search = begun(name, {}, space, 100, 3);
    drive(*search, rough, 5, 4);
    const std::vector<double> state = state_of(*search);
    const auto other = begun(name, {}, space, 100, 3);
    for (std::size_t length = 0; length < state.size(); ++length)
      CHECK_FALSE(other->load(std::span(state).first(length)));
    std::vector<double> longer = state;
    longer.push_back(0);
    CHECK_FALSE(other->load(longer));
    for (const double wrong : {-1.0, 0.5, 1e300, kUncounted, kEnd})
      for (const std::size_t at : {0, 1}) {
        std::vector<double> changed = state;
        changed[at] = wrong;
        CHECK_FALSE(other->load(changed));
      }
    // Any other change is refused, or gives a state with which the search goes on inside.
    for (std::size_t at = 0; at < state.size(); ++at)
      for (const double wrong : {-1.0, 1.0, 1e9, kUncounted}) {
        std::vector<double> changed = state;
        changed[at] = wrong;
        const auto third = begun(name, {}, space, 100, 3);
        if (!third->load(changed)) continue;
        for (const Datum& each : drive(*third, rough).cases) REQUIRE(why_outside(space, each) == "");
      }
    CHECK(drive(*other, rough) == drive(*begun(name, {}, space, 100, 3), rough));
  }
}

TEST_CASE("where nothing counts a search goes on, and where a case cannot be worse it ends") {
  for (const std::string& name : searches()) {
    INFO(name);
    const Space space = spaces_for(name).front();
    const Asked none = drive(*begun(name, {}, space, 150, 1), [](const Datum&) { return kUncounted; });
    CHECK(none.cases.size() == 150);
    const auto search = begun(name, {}, space, 180, 1);
    const auto end = [calls = 0](const Datum&) mutable { return ++calls == 17 ? kEnd : 0.0; };
    CHECK(drive(*search, end, 1).cases.size() == 17);
    const auto loaded = begun(name, {}, space, 180, 1);
    REQUIRE(loaded->load(state_of(*search)));
    CHECK(loaded->ask(1).empty());
  }
}

TEST_CASE("what is not valid is never asked for") {
  for (const std::string& name : searches()) {
    INFO(name);
    Space space = spaces_for(name).front();
    space.valid = [](const Datum& value) { return packed(value)[2] <= 2; };  // of the first field
    const Asked asked = drive(*begun(name, {}, space, 100, 1), rough);
    CHECK(asked.cases.size() == 100);
    for (const Datum& each : asked.cases) CHECK(each.items[0].number <= 2);
  }
}

TEST_CASE("tries are no more than evaluations") {
  for (const std::string& name : searches()) {
    INFO(name);
    const Space space = spaces_for(name).front();
    const auto search = search_of(name);
    if (name == "exhaustive") continue;  // has a test of its own
    CHECK(search->tries(space, 1'000'000) == (name == "genetic" ? 4 : name == "cma_es" ? 1 : 10));
    CHECK(search->tries(space, 1) == 1);
    CHECK(search->tries(space, 0) == 1);
    CHECK(search_of(name, {{"tries", 300.0}})->tries(space, 7) == 7);
    CHECK(search_of(name, {{"tries", 300.0}})->tries(space, 5000) == 300);
  }
}

namespace {

// Three tasks of sizes in [0.1, 1] on two machines, the second one v times as fast: the tasks in turn, each to the machine
// that ends it first (lower of equals), against the best of the eight mappings.
double log_ratio_of_two(const Datum& value) {
  const double speed[] = {1, value.items[0].number};
  double busy[] = {0, 0}, best = kEnd;
  for (const Datum& size : value.items[1].items) {
    const int machine = busy[1] + size.number / speed[1] < busy[0] + size.number ? 1 : 0;
    busy[machine] += size.number / speed[machine];
  }
  for (unsigned mapping = 0; mapping < 8; ++mapping) {
    double load[] = {0, 0};
    for (std::size_t i = 0; i < 3; ++i)
      load[mapping >> i & 1] += value.items[1].items[i].number / speed[mapping >> i & 1];
    best = std::min(best, std::max(load[0], load[1]));
  }
  return std::log(std::max(busy[0], busy[1]) / best);
}

}  // namespace

TEST_CASE(
    "searches come near the golden ratio, the bound of list schedules on two related machines, and not above it") {
  // Cho and Sahni, SIAM J. Computing 9(1), 1980.
  const double bound = std::log((1 + std::sqrt(5.0)) / 2);
  const Space space = space_of({{"speed", real(1, 3)}, {"sizes", list({3, 3}, real(0.1, 1))}});
  for (const std::string name : {"random_search", "annealing", "pisa", "genetic", "cma_es"})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      INFO(name << ", seed " << seed);
      const std::size_t tries = search_of(name)->tries(space, 20'000);
      double best = 0;
      for (std::size_t nth = 0; nth < tries; ++nth) {
        const Asked asked =
            drive(*begun(name, {}, space, 20'000 / tries, seed, nth, tries), log_ratio_of_two);
        best = std::max(best, *std::ranges::max_element(asked.scores));
      }
      CHECK(best <= bound + 1e-12);
      CHECK(std::exp(best - bound) >= (name == "random_search" || name == "pisa" ? 0.96 : 0.99));
    }
}

TEST_CASE("a search that learns finds more than draws on a hill") {
  // The sum of 12 numbers from 0 to 8, its top 96. Hardly a draw of 3000 has 80.
  const Space space = space_of({{"x", list({12, 12}, whole(0, 8))}});
  const auto height = [](const Datum& value) {
    double sum = 0;
    for (const Datum& each : value.items[0].items) sum += each.number / 96;
    return sum;
  };
  const auto best = [&](const std::string& name) {
    const Asked asked = drive(*begun(name, {}, space, 3000, 1), height);
    return *std::ranges::max_element(asked.scores);
  };
  const double drawn = best("random_search");
  CHECK(drawn < 0.9);
  CHECK(best("annealing") > 0.97);
  CHECK(best("genetic") > 0.97);
  CHECK(best("pisa") > drawn);
}
