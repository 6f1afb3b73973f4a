// Statistics of a list of values.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/layers.h"

namespace perigee::statistics {

// The value below which a share p of the values lies, by one of the nine definitions of Hyndman and Fan
// (The American Statistician 50(4), 1996). Type 7, the usual one, interpolates between the values at
// 1 + p (n - 1). Error "bad_parameter" without values, unless all are finite, 0 <= p <= 1, and type is 1
// to 9.
double sample_quantile(std::span<const double> values, double p, int type = 7);
// The same for n >= 1 values, given that `sorted(k)` is the k-th smallest, 0 <= k < n.
double quantile_of_sorted(std::size_t n, const std::function<double(std::size_t)>& sorted, double p,
                          int type = 7);

struct Summary {
  std::size_t n;
  double mean, sd, min, q1, median, q3, max;  // quartiles of type 7; all NaN for n = 0
  std::string text() const;
};
// Error "bad_parameter" unless all values are finite.
Summary summarize(std::span<const double> values);

// Bin i holds the values from edges[i] up to edges[i + 1]. A value on an edge belongs to the bin above it;
// the last bin also holds its right edge.
struct Histogram {
  std::vector<double> edges;         // ascending, one more than bins
  std::vector<std::size_t> counts;   // of each bin
  std::size_t below = 0, above = 0;  // values outside of the edges
  std::size_t n() const;             // all of them
  std::string text() const;
};
// Error "bad_parameter" unless all values are finite and there are at least two edges, ascending.
Histogram histogram(std::span<const double> values, std::vector<double> edges);
// Makes so many bins of the same width from the smallest value to the largest. If these are equal, the bins
// are around them, 1 wide in all or wider for large numbers. Error also without values, and unless
// 1 <= bins <= 1e6.
Histogram histogram(std::span<const double> values, std::size_t bins);
// The number of bins by the rule of Freedman and Diaconis (1981): width 2 IQR / n^(1/3), but never more bins
// than values. If the quartiles are equal, Sturges' rule is used: 1 + ceil(log2 n).
std::size_t freedman_diaconis(std::span<const double> values);

}  // namespace perigee::statistics
