// The cost of keeping finished cells, in processor time for each: put alone, with a commit for each cell or
// for some hundreds of them.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "interpreter/experiments/store.h"
#include "tests/support/layers.h"

namespace {

namespace fs = std::filesystem;
using namespace perigee::experiments;

Design design_of(std::uint64_t combinations) {
  Design design;
  design.name = "study";
  design.factors = {{"nodes", {}}, {"policy", {"workqueue"}}};
  design.level_keys = {{}, {"w"}};
  for (std::uint64_t c = 0; c < combinations; ++c) {
    design.factors[0].levels.emplace_back(static_cast<double>(c));
    design.level_keys[0].push_back(std::to_string(c));
    design.combinations.push_back({static_cast<std::uint32_t>(c), 0});
  }
  design.key = "0123456789abcdef0123456789abcdef";
  design.replications.least = design.replications.most = 1'000'000'000;
  return design;
}

CellOutcome outcome_of(std::int64_t measures) {
  CellOutcome outcome;
  std::vector<std::string> names;
  for (std::int64_t m = 0; m < measures; ++m) names.push_back("makespan_" + std::to_string(m));
  outcome.names = std::make_shared<const std::vector<std::string>>(std::move(names));
  outcome.values.resize(outcome.names->size());
  return outcome;
}

// state.range(0): measures of a cell; state.range(1): cells of a commit.
void put(benchmark::State& state) {
  const fs::path folder = fs::temp_directory_path() / ("perigee_bench_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  {
    Store store(folder.string());
    const Design design = design_of(20);
    CellOutcome outcome = outcome_of(state.range(0));
    std::uint64_t cell = 0;
    for (auto _ : state) {
      ++cell;
      for (double& value : outcome.values) value = 1000 + static_cast<double>(cell) * 0.123456789;
      store.put(design, cell, outcome);
      if (cell % static_cast<std::uint64_t>(state.range(1)) == 0) store.commit();
    }
  }
  fs::remove_all(folder);
}
BENCHMARK(put)->ArgsProduct({{1, 20}, {1, 64, 1000}})->Unit(benchmark::kMicrosecond);

}  // namespace
