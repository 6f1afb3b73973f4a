// How a time grows with a size: the slope of the line through the logarithms of both.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

namespace perigee::bench {

// Least squares.
inline double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double mean_x = 0, mean_y = 0, above = 0, below = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / static_cast<double>(x.size());
    mean_y += y[i] / static_cast<double>(x.size());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    above += (x[i] - mean_x) * (y[i] - mean_y);
    below += (x[i] - mean_x) * (x[i] - mean_x);
  }
  return above / below;
}

// Processor time, the shortest of three: other programs on the machine do not count.
template <class Run>
double shortest_of_three(Run&& run) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < 3; ++repetition) {
    const std::clock_t begin = std::clock();
    run();
    shortest = std::min(shortest, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return shortest;
}

// Calls make(size) for each size, which returns what is timed: the making of inputs does not count. `label` names a
// size in the counters.
template <class Size, class Make, class Label>
void grow(benchmark::State& state, const std::vector<Size>& sizes, Make&& make, Label&& label) {
  std::vector<double> size, time;
  for (auto _ : state) {
    for (const Size& each : sizes) {
      auto run = make(each);
      const double seconds = shortest_of_three(run);
      const auto [name, magnitude] = label(each);
      size.push_back(std::log(magnitude));
      time.push_back(std::log(std::max(seconds, 1.0 / CLOCKS_PER_SEC)));
      state.counters[name + ", ms"] = seconds * 1e3;
    }
  }
  state.counters["exponent"] = slope(size, time);
}

}  // namespace perigee::bench
