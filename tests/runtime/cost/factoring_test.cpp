#include "runtime/cost/factoring.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("FAC2: 1000 runs, 4 hosts") {
  // Half of the runs left, in four: 1000 -> 125, 500 -> 62.5 up, 248 -> 31, 124 -> 15.5 up, 60, 28, 12, 4
  // left.
  CHECK(factoring_sequence(1000, 4, NAN) == std::vector<double>{125, 63, 31, 16, 8, 4, 2, 1});
}

TEST_CASE("probabilistic factoring") {
  // R = 400, N = 4, cv = 0.5: b = 4 / 40 * 0.5 = 0.05; x0 = 1 + .0025 + .05 sqrt(2.0025) = 1.0732548;
  // 400 / (4.2930192) = 93.17... -> 94.
  CHECK(batch_factor(400, 4, .5, true) == Approx(1.0732548).margin(5e-8));
  CHECK(factoring_sequence(400, 4, .5).front() == 94);
  // 24 left: b = 4 / (2 sqrt 24) / 2 = .2041241; x1 = 2 + .0416667 + .2041241 sqrt(4.0416667) = 2.4520388.
  CHECK(batch_factor(24, 4, .5, false) == Approx(2.4520388).margin(5e-8));
  CHECK(factoring_sequence(400, 4, .5)[1] == 3);  // 24 / 9.808 = 2.45
  // Runs that all take the same time: one batch is all.
  CHECK(factoring_sequence(400, 4, 0) == std::vector<double>{100});
}

TEST_CASE("weights: chunks by speed; the later measurements weigh more") {
  CHECK(factoring_chunk(60, 5, 2, 2) == 12);  // 60 / 10 * 2
  CHECK(factoring_chunk(60, 5, 2, .5) == 3);
  CHECK(factoring_chunk(1, 5, 2, .5) == 1);
  // Two measurements, 4 runs in 8 s and then 2 runs in 10 s: (1 * 8 + 2 * 10) / (1 * 4 + 2 * 2) = 3.5 s a
  // run.
  WeightedMean mean;
  mean.add(4, 8);
  mean.add(2, 10);
  CHECK(mean.seconds_a_run() == Approx(3.5));
  // 1, 2 and 4 s a run: speeds 4 : 2 : 1, sum 3.
  const std::vector<double> weights = weights_of(std::vector<double>{1, 2, 4});
  CHECK(weights[0] == Approx(12 / 7.));
  CHECK(weights[1] == Approx(6 / 7.));
  CHECK(weights[2] == Approx(3 / 7.));
  // The third is not measured: the two others have 4/3 and 2/3, and it has 1.
  const std::vector<double> some = weights_of(std::vector<double>{1, 2, NAN});
  CHECK(some[0] == Approx(4 / 3.));
  CHECK(some[1] == Approx(2 / 3.));
  CHECK(some[2] == Approx(1));
  CHECK(weights_of(std::vector<double>{NAN, 0}) == std::vector<double>{1, 1});
}

TEST_CASE("factoring: what is refused") {
  CHECK_THROWS_AS(factoring_sequence(0, 4, NAN), Error);
  CHECK_THROWS_AS(factoring_sequence(2.5, 4, NAN), Error);
  CHECK_THROWS_AS(factoring_sequence(10, 0, NAN), Error);
  CHECK_THROWS_AS(factoring_sequence(10, 4, -1), Error);
}
