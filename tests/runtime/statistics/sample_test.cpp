#include "runtime/statistics/sample.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/random.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

TEST_CASE("quantiles of the nine types are those of R 4.2") {
  const std::vector<double> values{3, 1, 4, 1, 5, 9, 2, 6, 5, 3.5};
  const double p[] = {0, 0.1, 0.25, 0.3, 0.5, 0.77, 0.95, 1};
  const double expected[9][8] = {{1, 1, 2, 2, 3.5, 5, 9, 9},
                                 {1, 1, 2, 2.5, 3.75, 5, 9, 9},
                                 {1, 1, 1, 2, 3.5, 5, 9, 9},
                                 {1, 1, 1.5, 2, 3.5, 5, 7.5, 9},
                                 {1, 1, 2, 2.5, 3.75, 5.2, 9, 9},
                                 {1, 1, 1.75, 2.3, 3.75, 5.47, 9, 9},
                                 {1, 1, 2.25, 2.7, 3.75, 5, 7.65, 9},
                                 {1, 1, 23 / 12., 2.4333333333333333, 3.75, 5.29, 9, 9},
                                 {1, 1, 1.9375, 2.45, 3.75, 5.2675, 9, 9}};
  for (int type = 1; type <= 9; ++type)
    for (std::size_t i = 0; i < 8; ++i) {
      CAPTURE(type, p[i]);
      CHECK(sample_quantile(values, p[i], type) == Approx(expected[type - 1][i]).epsilon(1e-14));
    }
  CHECK(sample_quantile(values, 0.95) == sample_quantile(values, 0.95, 7));
  CHECK(sample_quantile(std::vector<double>{42}, 0.3) == 42);
}

TEST_CASE("a summary by hand") {
  const Summary s = summarize(std::vector<double>{4, 2, 1, 3});
  CHECK(s.n == 4);
  CHECK(s.mean == 2.5);
  CHECK(s.sd == Approx(std::sqrt(5 / 3.0)).epsilon(1e-15));
  CHECK(s.min == 1);
  CHECK(s.q1 == 1.75);
  CHECK(s.median == 2.5);
  CHECK(s.q3 == 3.25);
  CHECK(s.max == 4);
  CHECK(s.text() == "mean 2.5, sd 1.291, min 1, quartiles 1.75 2.5 3.25, max 4 (n = 4)");
  CHECK(summarize({}).n == 0);
  CHECK(std::isnan(summarize({}).mean));
  CHECK(summarize({}).text() == "no values");
}

TEST_CASE("a value on an edge belongs to the bin on its right, the last edge to the last bin") {
  const Histogram h =
      histogram(std::vector<double>{-1, 0, 0.5, 1, 1.5, 2, 3, 3.1, 7}, std::vector<double>{0, 1, 2, 3});
  CHECK(h.counts == std::vector<std::size_t>{2, 2, 2});
  CHECK(h.below == 1);
  CHECK(h.above == 2);
  CHECK(h.n() == 9);
  CHECK(h.text() == "9 values in 3 bins from 0 to 3: 2 2 2 (1 below, 2 above)");
  const Histogram none = histogram({}, std::vector<double>{0, 1});
  CHECK(none.n() == 0);
}

TEST_CASE("bins of the same width") {
  const Histogram h = histogram(std::vector<double>{2, 4, 4, 7, 10}, 4);
  CHECK(h.edges == std::vector<double>{2, 4, 6, 8, 10});
  CHECK(h.counts == std::vector<std::size_t>{1, 2, 1, 1});
  const Histogram equal = histogram(std::vector<double>{5, 5, 5}, 2);
  CHECK(equal.edges == std::vector<double>{4.5, 5, 5.5});
  CHECK(equal.counts == std::vector<std::size_t>{0, 3});
  const Histogram wide = histogram(std::vector<double>{-1.7e308, 1.7e308}, 2);
  CHECK(wide.edges[1] == 0);
  // Every value is in some bin, whatever rounding does to the edges.
  Stream rng(5, "bins");
  std::vector<double> values(997);
  for (double& x : values) x = rng.normal(1e6, 0.3);
  for (std::size_t bins = 1; bins < 200; ++bins) {
    const Histogram all = histogram(values, bins);
    CHECK(all.n() == 997);
    CHECK(all.below + all.above == 0);
  }
}

TEST_CASE("the number of bins by Freedman and Diaconis") {
  // 0 .. 999: quartiles 249.75 and 749.25, width 2 * 499.5 / 10 = 99.9, 999 / 99.9 = 10.
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i);
  const auto bins = freedman_diaconis(values);
  CHECK((bins == 10 || bins == 11));  // 10 exactly, and the cube root may round either way
  values.push_back(1e6);              // far out: not a bin for every 100
  CHECK(freedman_diaconis(values) == 1001);
  CHECK(freedman_diaconis(std::vector<double>{1, 2, 2, 2, 2, 2, 2, 9}) == 4);  // Sturges: 1 + log2 8
  CHECK(freedman_diaconis(std::vector<double>{3, 3, 3}) == 1);
  CHECK(freedman_diaconis(std::vector<double>{3}) == 1);
  CHECK(freedman_diaconis({}) == 1);
}

TEST_CASE("bad lists") {
  using V = std::vector<double>;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(sample_quantile({}, 0.5), "quantile: needs at least one value, got none");
  CHECK_THROWS_WITH(sample_quantile(V{1}, 1.5), "quantile: p must be in [0, 1], got 1.5");
  CHECK_THROWS_WITH(sample_quantile(V{1}, kNan), Contains("got nan"));
  CHECK_THROWS_WITH(sample_quantile(V{1}, 0.5, 10), "quantile: the type must be 1 to 9, got 10");
  CHECK_THROWS_WITH(sample_quantile(V{1, kNan}, 0.5), Contains("each value must be finite, got nan at 2"));
  CHECK_THROWS_WITH(summarize(V{kNan}), Contains("summary: each value must be finite"));
  CHECK_THROWS_WITH(histogram(V{1}, V{1}), "histogram: needs at least two edges, got 1");
  CHECK_THROWS_WITH(histogram(V{1}, V{1, 1}), "histogram: the edges must ascend, got 1 after 1");
  CHECK_THROWS_WITH(histogram(V{1}, V{1, kNan}), Contains("each edge must be finite, got nan"));
  CHECK_THROWS_WITH(histogram(V{1}, 0), "histogram: the number of bins must be 1 to 1000000, got 0");
  CHECK_THROWS_WITH(histogram({}, 3), "histogram: without values the edges must be given");
}
