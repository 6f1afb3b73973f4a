// How the time of each mapper of the catalogue grows with the matrix. Tasks and machines double from one size to
// the next. The counter `exponent` is the slope of the line through the logarithms of the times and of the sizes of
// the matrix, tasks times machines: 1 for a pass over the matrix, 1.5 for a pass at each choice of a task.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cost/etc.h"
#include "runtime/cost/scan.h"
#include "runtime/model/etc_generators.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

struct Shape {
  std::size_t tasks, machines;
};
constexpr std::array<Shape, 3> kShapes{{{256, 16}, {512, 32}, {1024, 64}}};

const EtcMatrix& matrix(std::size_t i, Consistency consistency) {
  static std::array<EtcMatrix, kShapes.size()> kept;
  static std::array<Consistency, kShapes.size()> made{};
  if (kept[i].tasks == 0 || made[i] != consistency) {
    Stream stream(1, "bench");
    kept[i] = range_based_etc(kShapes[i].tasks, kShapes[i].machines, {3000, 1000}, stream);
    make_consistent(kept[i], made[i] = consistency);
  }
  return kept[i];
}

template <class Run>
double shortest_of_three(Run&& run) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < 3; ++repetition) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    shortest =
        std::min(shortest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return shortest;
}

// Least squares.
double slope(const std::array<double, kShapes.size()>& x, const std::array<double, kShapes.size()>& y) {
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

template <class Run>
void grow(benchmark::State& state, Consistency consistency, Run&& run) {
  std::array<double, kShapes.size()> size{}, time{};
  for (auto _ : state) {
    for (std::size_t i = 0; i < kShapes.size(); ++i) {
      const EtcMatrix& etc = matrix(i, consistency);
      const double seconds = shortest_of_three([&] { run(etc); });
      size[i] = std::log(static_cast<double>(etc.values.size()));
      time[i] = std::log(seconds);
      state.counters[std::to_string(etc.tasks) + "x" + std::to_string(etc.machines) + ", ms"] = seconds * 1e3;
    }
  }
  state.counters["exponent"] = slope(size, time);
}

const int registered = [] {
  const Catalogue catalogue;
  for (const Consistency consistency : {Consistency::inconsistent, Consistency::consistent}) {
    const std::string kind = consistency == Consistency::consistent ? "consistent/" : "inconsistent/";
    const auto add = [&](const std::string& name, auto run) {
      benchmark::RegisterBenchmark(("growth/" + kind + name).c_str(),
                                   [=](benchmark::State& state) { grow(state, consistency, run); })
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    };
    add("floor", [](const EtcMatrix& etc) {
      const std::vector<double> ready(etc.machines, 0.0);
      double sum = 0;
      for (std::size_t t = 0; t < etc.tasks; ++t)
        sum += smallest_sum(etc.values.data() + t * etc.machines, ready).value;
      benchmark::DoNotOptimize(sum);
    });
    for (const auto& entry : catalogue.entries()) {
      if (entry->role != Role::mapper) continue;
      const ConfigPtr config = catalogue.configure(entry->name);
      add(entry->name, [config](const EtcMatrix& etc) {
        Mapping out;
        config->make_mapper()->map(problem_of(etc), out);
        benchmark::DoNotOptimize(out.completion.data());
      });
    }
  }
  return 0;
}();

}  // namespace
