// Quantiles of values of which not all are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "runtime/layers.h"

namespace perigee::statistics {

// Keeps up to `most` values >= 0 and gives their exact quantiles. For more values it keeps how many lie in each
// of 1024 bins to a doubling. It then gives a value within kError of the quantile, relative to that. Neither
// depends on the order of the values.
class QuantileSketch {
 public:
  static constexpr double kError = 1.0 / 2048;
  static constexpr std::size_t kMost = std::size_t{1} << 16;
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  explicit QuantileSketch(std::size_t most = kMost) : most_(most) {}

  void add(double value);  // finite and >= 0
  std::size_t count() const { return count_; }
  bool is_exact() const { return bins_.empty(); }
  // By type 7 of sample_quantile(). Error "bad_parameter" without values, and unless 0 <= p <= 1.
  double quantile(double p) const;
  std::size_t bytes() const;

 private:
  std::size_t most_, count_ = 0;
  std::vector<double> values_;                           // all, while they are kept
  std::unordered_map<std::uint64_t, std::size_t> bins_;  // by the leading bits
};

}  // namespace perigee::statistics
