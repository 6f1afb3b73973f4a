// Confidence intervals of a probability.
#pragma once

#include <cstddef>

#include "runtime/layers.h"

namespace perigee::statistics {

// How often something happened in n independent trials, and an interval of its probability.
struct Proportion {
  std::size_t successes, n;
  double low, high;   // 0 and 1 for n = 0
  double confidence;  // 0.95 = 95 %

  double share() const;  // successes / n; NaN for n = 0
};

// The interval of Clopper and Pearson (Biometrika 26(4), 1934): it holds the true probability at the stated
// rate at least, for any n. low is the (1 - confidence) / 2 quantile of the beta distribution with parameters
// successes and n - successes + 1, high the (1 + confidence) / 2 quantile of that with successes + 1 and
// n - successes. Error "bad_parameter" unless 0 < confidence < 1 and successes <= n.
Proportion clopper_pearson(std::size_t successes, std::size_t n, double confidence = 0.95);

}  // namespace perigee::statistics
