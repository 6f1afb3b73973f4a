#include "interpreter/experiments/design.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <set>

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
using namespace perigee::test;
using namespace perigee::experiments;
using namespace perigee::test;

namespace {

Design two_factors() {
  Design design;
  design.name = "d";
  design.factors = {{"policy", {"fcfs", "workqueue"}}, {"size", {1.0, 2.5, 4.0}}};
  for (std::uint32_t p = 0; p < 2; ++p)
    for (std::uint32_t s = 0; s < 3; ++s) design.combinations.push_back({p, s});
  design.replications.least = design.replications.most = 2;
  return design;
}

CellOutcome design_with(const std::string& name, double value) {
  CellOutcome outcome;
  outcome.names = std::make_shared<const std::vector<std::string>>(1, name);
  outcome.values = {value};
  return outcome;
}

}  // namespace

TEST_CASE("cells are numbered by replication, then by combination, the last factor fastest") {
  const Design design = two_factors();
  CHECK(design.number(0, 1) == 1);
  CHECK(design.number(5, 1) == 6);
  CHECK(design.number(0, 2) == 7);
  CHECK(design.combination_of(9) == 2);
  CHECK(design.replication_of(9) == 2);
  CHECK(design.levels_text(design.combination_of(9)) == "policy = fcfs, size = 4");
  CHECK(design.most_cells() == 12);
  for (std::uint64_t cell = 1; cell <= 12; ++cell)
    CHECK(design.number(design.combination_of(cell), design.replication_of(cell)) == cell);
}

TEST_CASE("the seed of a replication depends on script seed, name and replication only, and fits a double") {
  Design design = two_factors(), fewer = design, renamed = design, reseeded = design;
  fewer.factors.pop_back();
  fewer.combinations = {{0}, {1}};
  fewer.context = "another script";
  renamed.name = "e";
  reseeded.seed = 2;
  std::set<std::uint64_t> seen;
  for (std::uint64_t r = 1; r <= 1000; ++r) {
    const std::uint64_t seed = design.seed_of(r);
    CHECK(seed < std::uint64_t{1} << 52);
    CHECK(fewer.seed_of(r) == seed);
    seen.insert({seed, renamed.seed_of(r), reseeded.seed_of(r)});
  }
  CHECK(seen.size() == 3000);
}

TEST_CASE("a fixed number of replications is one round") {
  const Design design = two_factors();
  const auto cells = next_round(design, {});
  REQUIRE(cells.size() == 12);
  for (std::size_t i = 0; i < 12; ++i) CHECK(cells[i] == i + 1);
  CellOutcomes all;
  for (const std::uint64_t cell : cells) all[cell] = design_with("x", 1);
  CHECK(next_round(design, all).empty());
}

TEST_CASE("replications are added to a combination until its interval is narrow enough") {
  Design design;
  design.name = "d";
  design.factors = {{"a", {1.0, 2.0}}};
  design.combinations = {{0}, {1}};
  Replications& rule = design.replications;
  rule = {3, 100, 1.0, false, "x", 0.95};
  REQUIRE(next_round(design, {}) == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6});

  // First combination: 9, 10, 11, so sd = 1 and the half-width is t(2) / sqrt(3) = 4.3027 / 1.7321 = 2.4842
  // (t tables). At a target of 1 the deviation asks for 3 * 2.4842^2 = 18.5 replications; no more than twice
  // as many at a time: 6, which are cells 7, 9, 11. Second combination: always 5, half-width 0.
  CellOutcomes all;
  for (std::uint64_t r = 1; r <= 3; ++r) {
    all[design.number(0, r)] = design_with("x", 8.0 + static_cast<double>(r));
    all[design.number(1, r)] = design_with("x", 5.0);
  }
  CHECK(next_round(design, all) == std::vector<std::uint64_t>{7, 9, 11});
  rule.half_width = 2.4;  // 3 * (2.4842 / 2.4)^2 = 3.2: one more
  CHECK(next_round(design, all) == std::vector<std::uint64_t>{7});
  rule.half_width = 2.5;
  CHECK(next_round(design, all).empty());
  rule.relative = true;  // of the mean, 10: 2.4842 is 24.842 %
  rule.half_width = 0.249;
  CHECK(next_round(design, all).empty());
  rule.half_width = 0.248;
  CHECK(next_round(design, all) == std::vector<std::uint64_t>{7});
  rule.most = 3;
  CHECK(next_round(design, all).empty());

  // Failed cells and values that are none count as done, but tell nothing.
  rule = {3, 8, 2.4, false, "x", 0.95};
  all[1] = {};
  all[3] = design_with("x", std::numeric_limits<double>::quiet_NaN());
  CHECK(next_round(design, all) == std::vector<std::uint64_t>{7, 9, 11});
}

TEST_CASE("designs have one digest exactly when they are the same") {
  const double next = std::nextafter(2.5, 3.0);
  std::vector<Design> all(1, two_factors());
  const auto other = [&](auto&& change) {
    all.push_back(two_factors());
    change(all.back());
  };
  other([](Design& d) { d.name = "e"; });
  other([](Design& d) { d.factors[0].name = "polic"; });
  other([](Design& d) { d.factors[0].levels[1] = "workqueue "; });
  other([](Design& d) { d.factors[1].levels[1] = "2.5"; });  // a text, which looks the same
  other([](Design& d) { d.factors[1].levels[0] = true; });
  other([](Design& d) { d.factors[1].levels[0] = "true"; });
  other([&](Design& d) { d.factors[1].levels[1] = next; });
  other([](Design& d) { std::swap(d.factors[0], d.factors[1]); });
  other([](Design& d) { std::swap(d.factors[0].levels[0], d.factors[0].levels[1]); });
  other([](Design& d) { d.factors[1].levels.push_back(5.0); });
  other([](Design& d) { d.combinations.pop_back(); });
  other([](Design& d) { std::swap(d.combinations[0], d.combinations[1]); });
  other([](Design& d) { d.replications.least = 1; });
  other([](Design& d) { d.replications.most = 3; });
  other([](Design& d) { d.replications.half_width = 0.1; });
  other([](Design& d) { d.replications.half_width = std::nextafter(0.1, 1.0); });
  other([](Design& d) { d.replications.relative = true; });
  other([](Design& d) { d.replications.measure = "makespan"; });
  other([](Design& d) { d.replications.confidence = 0.99; });
  other([](Design& d) { d.seed = 2; });
  other([](Design& d) { d.context = "another script"; });
  // Letters that move from one text to the next.
  other([](Design& d) { d.name = "dp", d.factors[0].name = "olicy"; });
  other([](Design& d) { d.factors[0].levels = {"fcf", "sworkqueue"}; });
  other([](Design& d) { d.replications.measure = "m", d.context = "c"; });
  other([](Design& d) { d.replications.measure = "mc"; });
  for (const Design& a : all)
    for (const Design& b : all) {
      CHECK(a.same_as(b) == (&a == &b));
      CHECK((a.digest() == b.digest()) == (&a == &b));
    }
  // A line of the script and what is stored are no part of it.
  Design moved = two_factors();
  moved.where = {"s.lua", 7};
  moved.key = "k";
  CHECK(moved.same_as(all[0]));
  CHECK(moved.digest() == all[0].digest());
}

TEST_CASE("hashes of texts are fixed and differ") {
  CHECK(hash_text("").size() == 32);
  CHECK(hash_text("a") != hash_text("b"));
  CHECK(hash_text("a") == hash_text("a"));
  CHECK(hash_text("a").substr(0, 16) != hash_text("a").substr(16));
}
