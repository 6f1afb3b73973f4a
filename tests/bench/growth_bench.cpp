// How the time of each mapper of the catalogue grows with the matrix. Tasks and machines double from one size to
// the next. The counter `exponent` is the slope of the line through the logarithms of the times and of the sizes of
// the matrix, tasks times machines: 1 for a pass over the matrix, 1.5 for a pass at each choice of a task.
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cost/etc.h"
#include "runtime/cost/scan.h"
#include "runtime/model/etc_generators.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/bench/growth.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;
using bench::grow;

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
void grow_with_matrix(benchmark::State& state, Consistency consistency, Run&& run) {
  grow(
      state, std::vector<std::size_t>{0, 1, 2},
      [&](std::size_t i) { return [&run, &etc = matrix(i, consistency)] { run(etc); }; },
      [&](std::size_t i) {
        const EtcMatrix& etc = matrix(i, consistency);
        return std::pair(std::to_string(etc.tasks) + "x" + std::to_string(etc.machines),
                         static_cast<double>(etc.values.size()));
      });
}

const int registered = [] {
  const Catalogue catalogue;
  for (const Consistency consistency : {Consistency::inconsistent, Consistency::consistent}) {
    const std::string kind = consistency == Consistency::consistent ? "consistent/" : "inconsistent/";
    const auto add = [&](const std::string& name, auto run) {
      benchmark::RegisterBenchmark(
          ("growth/" + kind + name).c_str(),
          [=](benchmark::State& state) { grow_with_matrix(state, consistency, run); })
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
