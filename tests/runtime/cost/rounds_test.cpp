#include "runtime/cost/rounds.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace perigee;
using namespace perigee::test;

TEST_CASE("rounds along a sine: Sim-PETEK, 2010, Figure 3.10") {
  // 1500 runs, peak 5, k 50, m 33.
  const std::vector<int> published = {14, 26, 36, 43, 45, 45, 45, 45, 45, 44, 44, 44, 44, 43, 43, 42, 42, 41,
                                      41, 40, 39, 39, 38, 37, 36, 35, 35, 34, 33, 32, 31, 30, 28, 27, 26, 25,
                                      24, 23, 21, 20, 19, 18, 16, 15, 14, 12, 11, 9,  8,  7,  5,  4,  2,  1};
  for (std::size_t r = 0; r < published.size(); ++r) {
    INFO("round " << r + 1);
    CHECK(std::floor(sine_quota(1500, 5, 50, 33, static_cast<double>(r) + 1)) == published[r]);
  }
  CHECK(sine_quota(1500, 5, 50, 33, 55) == sine_quota(1500, 5, 50, 33, 54));  // the last is repeated
  CHECK(sine_quota(1500, 5, 50, 33, 1e6) == sine_quota(1500, 5, 50, 33, 54));
}

TEST_CASE("the quotas of 60 runs, 1/3/2.3") {
  const double quota[] = {26.087, 22.592, 13.043};  // 60 / 2.3 times 1, sin 120 degrees, sin 150 degrees
  for (int r = 1; r <= 3; ++r)
    CHECK(sine_quota(60, 1, 3, 2.3, r) == Approx(quota[r - 1]).margin(5e-4).epsilon(0));
}

TEST_CASE("the m that just covers all runs") {
  struct Row {
    double peak, k, most;
  };
  for (const Row& row :
       {Row{1, 3, 2.3660}, {1, 5, 3.6569}, {2, 15, 10.7477}, {3, 30, 20.9603}, {5, 50, 34.9852}}) {
    INFO(row.peak << "/" << row.k);
    const double most = full_cover(row.peak, row.k);
    CHECK(most == Approx(row.most).margin(5e-5).epsilon(0));
    double sum = 0;  // term by term, by another sine
    for (int r = 1; r < row.peak; ++r) sum += std::sin(r * M_PI / (2 * row.peak));
    for (int i = static_cast<int>(row.k); i < 2 * row.k; ++i) sum += std::sin(i * M_PI / (2 * row.k));
    CHECK(most == Approx(sum).epsilon(1e-12));
  }
  // Shares as in Table 3.4 and section 3.3.1: 4.4 become 5; 1.8 of units of 2 become 2; 19 of units of 8
  // are 16.
  CHECK(whole_share(4.4) == 5);
  CHECK(whole_share(0) == 0);
  CHECK(unit_share(1.8, 2) == 2);
  CHECK(unit_share(19.2, 8) == 16);
  CHECK(filling_unit(15, 10) == 3);
  CHECK(published_unit(8) == 8);
  CHECK(published_unit(4) == 2);
  CHECK(full_cover(1, 1) == Approx(1).epsilon(1e-12));
}
