// How a computation grows. It is run at three sizes, beside the least that its work needs (its floor), and is
// repeated at each of them. The counter `exponent` is the slope of the line through the logarithms of the sizes and
// of the medians: 1 is linear, 2 quadratic. `times_floor` is the median ratio at the largest size. The label tells
// the page of `./dev bench --page` what was measured, against what, at which sizes, and the medians over the first.
#pragma once

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/runs.h"

namespace perigee::test {

// A size: both functions do what is measured there, and say what it took, in s or B.
struct AtSize {
  std::function<double()> ours, floor;
};

struct Growth {
  std::string name, measured, floor, unit;  // the unit is that of the sizes
  std::array<double, 3> sizes;
  std::function<AtSize(double size)> make;
};

namespace growth {

inline double middle(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Least squares on logarithms.
inline double slope(const std::array<double, 3>& sizes, const std::array<double, 3>& taken) {
  double mean_x = 0, mean_y = 0, above = 0, below = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    mean_x += std::log(sizes[i]) / 3;
    mean_y += std::log(taken[i]) / 3;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    above += (std::log(sizes[i]) - mean_x) * (std::log(taken[i]) - mean_y);
    below += (std::log(sizes[i]) - mean_x) * (std::log(sizes[i]) - mean_x);
  }
  return above / below;
}

inline void measure(benchmark::State& state, const Growth& row) {
  constexpr std::size_t kLeast = 3, kMost = 15;
  constexpr double kEnough = 3;  // s
  for (auto _ : state) {
    std::array<AtSize, 3> at;
    for (std::size_t i = 0; i < 3; ++i) at[i] = row.make(row.sizes[i]);
    // The sizes take turns, so that a machine that becomes slower or faster does so for all of them.
    std::array<std::vector<double>, 3> taken, bare;
    std::vector<double> ratios;
    const double from = seconds_of_thread();
    for (std::size_t round = 0; round < kLeast || (round < kMost && seconds_of_thread() - from < kEnough);
         ++round) {
      for (std::size_t i = 0; i < 3; ++i) {
        taken[i].push_back(at[i].ours());
        bare[i].push_back(at[i].floor());
      }
      ratios.push_back(taken[2].back() / bare[2].back());
    }
    std::array<double, 3> ours{}, floor{};
    for (std::size_t i = 0; i < 3; ++i) {
      ours[i] = middle(taken[i]);
      floor[i] = middle(bare[i]);
    }
    state.counters["exponent"] = slope(row.sizes, ours);
    state.counters["floor_exponent"] = slope(row.sizes, floor);
    state.counters["times_floor"] = middle(ratios);
    state.counters["times_floor_least"] = *std::ranges::min_element(ratios);
    state.counters["times_floor_most"] = *std::ranges::max_element(ratios);
    state.SetLabel(fmt::format("{} | {} | {:.0f}, {:.0f}, {:.0f} {} | 1, {:.3g}, {:.3g}", row.measured,
                               row.floor, row.sizes[0], row.sizes[1], row.sizes[2], row.unit,
                               ours[1] / ours[0], ours[2] / ours[0]));
  }
}

}  // namespace growth

inline void add_growth(Growth row) {
  benchmark::RegisterBenchmark(("growth/" + row.name).c_str(),
                               [row](benchmark::State& state) { growth::measure(state, row); })
      ->Iterations(1)
      ->Repetitions(1)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace perigee::test
