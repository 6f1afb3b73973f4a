#include "runtime/statistics/quantile_sketch.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/random.h"
#include "runtime/statistics/sample.h"
#include "tests/support/layers.h"

using namespace perigee;

TEST_CASE("quantiles are exact up to the bound, and within the stated error behind it") {
  Stream random(5, "values");
  for (const double scale : {1e-9, 1.0, 1e12}) {
    std::vector<double> values;
    QuantileSketch few(1000), exact(5000);
    for (int i = 0; i < 5000; ++i) {
      const double value = i % 50 == 0 ? 0 : scale * std::pow(random.uniform(0, 1), 4);
      values.push_back(value);
      few.add(value);
      exact.add(value);
      if (i == 999) CHECK(few.is_exact());
    }
    CHECK_FALSE(few.is_exact());
    CHECK(exact.is_exact());
    for (const double p : {0.0, 0.01, 0.02, 0.1, 0.5, 0.737, 0.95, 0.999, 1.0}) {
      const double expected = sample_quantile(values, p);
      INFO("scale " << scale << ", p " << p);
      CHECK(exact.quantile(p) == expected);
      CHECK(std::abs(few.quantile(p) - expected) <= QuantileSketch::kError * expected);
    }
  }
}

TEST_CASE("a sketch does not depend on the order of values; p is checked") {
  QuantileSketch up(10), down(10);
  for (int i = 1; i <= 100; ++i) {
    up.add(i);
    down.add(101 - i);
  }
  for (const double p : {0.0, 0.3, 0.5, 0.95, 1.0}) CHECK(up.quantile(p) == down.quantile(p));
  CHECK_THROWS_AS(up.quantile(1.5), Error);
  CHECK_THROWS_AS(QuantileSketch().quantile(0.5), Error);
}
