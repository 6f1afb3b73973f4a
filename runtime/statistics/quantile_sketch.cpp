#include "runtime/statistics/quantile_sketch.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/statistics/sample.h"

namespace perigee::statistics {
namespace {

constexpr int kDropped = 52 - 10;  // bits of a double behind the 10 leading ones of its fraction

std::uint64_t bin_of(double value) { return std::bit_cast<std::uint64_t>(value + 0.0) >> kDropped; }

// The middle of the bin, from which no value of it is further away than half its width.
double middle_of(std::uint64_t bin) {
  if (bin == 0) return 0;
  return std::bit_cast<double>(bin << kDropped | std::uint64_t{1} << (kDropped - 1));
}

}  // namespace

void QuantileSketch::add(double value) {
  ++count_;
  if (!bins_.empty()) {
    ++bins_[bin_of(value)];
    return;
  }
  values_.push_back(value);
  if (values_.size() <= most_) return;
  for (const double each : values_) ++bins_[bin_of(each)];
  values_ = {};
}

double QuantileSketch::quantile(double p) const {
  if (bins_.empty()) return sample_quantile(values_, p);
  if (!(p >= 0 && p <= 1)) fail("bad_parameter", "quantile: p must be from 0 to 1, got {}", p);
  std::vector<std::pair<std::uint64_t, std::size_t>> bins(bins_.begin(), bins_.end());
  std::sort(bins.begin(), bins.end());
  const auto sorted = [&](std::size_t k) {
    auto bin = bins.begin();
    for (; k >= bin->second; ++bin) k -= bin->second;
    return middle_of(bin->first);
  };
  return quantile_of_sorted(count_, sorted, p);
}

std::size_t QuantileSketch::bytes() const {
  constexpr std::size_t kPerBin = 48;
  return values_.size() * sizeof(double) + bins_.size() * kPerBin;
}

}  // namespace perigee::statistics
