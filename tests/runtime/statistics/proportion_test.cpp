#include "runtime/statistics/proportion.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// The probability of at least k successes in n trials, term by term.
double at_least(std::size_t k, std::size_t n, double p) {
  double term = std::pow(1 - p, static_cast<double>(n)), sum = k == 0 ? term : 0;
  for (std::size_t i = 1; i <= n; ++i) {
    term *= static_cast<double>(n - i + 1) / static_cast<double>(i) * p / (1 - p);
    if (i >= k) sum += term;
  }
  return sum;
}

}  // namespace

TEST_CASE("Clopper and Pearson: at the ends of the interval the tails are what is left of the confidence") {
  for (const double confidence : {0.9, 0.95, 0.99})
    for (const std::size_t n : {1U, 2U, 10U, 37U, 100U})
      for (std::size_t k = 0; k <= n; k += 1 + n / 10) {
        INFO(k << " of " << n);
        const Proportion found = clopper_pearson(k, n, confidence);
        CHECK(found.share() == static_cast<double>(k) / static_cast<double>(n));
        if (k > 0) CHECK(at_least(k, n, found.low) == Approx((1 - confidence) / 2).epsilon(1e-9));
        if (k < n) CHECK(at_least(n - k, n, 1 - found.high) == Approx((1 - confidence) / 2).epsilon(1e-9));
      }
}

TEST_CASE("Clopper and Pearson: closed forms where nothing or everything succeeds") {
  const Proportion none = clopper_pearson(0, 10), all = clopper_pearson(10, 10);
  CHECK(none.low == 0);
  CHECK(none.high == Approx(1 - std::pow(0.025, 0.1)).epsilon(1e-12));
  CHECK(all.low == Approx(std::pow(0.025, 0.1)).epsilon(1e-12));
  CHECK(all.high == 1);
  const Proportion nothing = clopper_pearson(0, 0);
  CHECK(nothing.low == 0);
  CHECK(nothing.high == 1);
  CHECK(std::isnan(nothing.share()));
}

TEST_CASE("Clopper and Pearson: the interval holds the true probability often enough") {
  constexpr std::size_t n = 20;
  for (double p = 0.01; p < 1; p += 0.01) {
    double held = 0;
    for (std::size_t k = 0; k <= n; ++k) {
      const Proportion found = clopper_pearson(k, n);
      if (found.low <= p && p <= found.high) held += at_least(k, n, p) - (k < n ? at_least(k + 1, n, p) : 0);
    }
    INFO(p);
    CHECK(held >= 0.95);
  }
}

TEST_CASE("Clopper and Pearson: what cannot be is refused") {
  CHECK_THROWS_WITH(clopper_pearson(3, 2), Contains("successes must be at most n = 2, got 3"));
  CHECK_THROWS_WITH(clopper_pearson(1, 2, 1), Contains("confidence must be between 0 and 1"));
}
