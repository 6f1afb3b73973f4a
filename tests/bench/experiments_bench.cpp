// The cost of an experiment besides its runs: cells that do nothing, kept in memory or stored.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "interpreter/bindings/words.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"

namespace {

namespace fs = std::filesystem;

void cells(benchmark::State& state, bool stored) {
  const fs::path folder = fs::temp_directory_path() / ("perigee_bench_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string script = (folder / "cells.lua").string();
  std::ofstream(script)
      << "experiment 'cells' { replications = 1000, run = function(f, seed) return { x = seed } end }";
  std::uint64_t round = 0;
  for (auto _ : state) {
    perigee::test::InterpreterOptions options;
    options.jobs = static_cast<unsigned>(state.range(0));
    options.seed = ++round;  // new cells
    if (stored) options.out = folder.string();
    perigee::test::Interpreter interpreter(perigee::bindings::open_words, std::move(options));
    interpreter.run_file(script);
  }
  fs::remove_all(folder);
  state.counters["cell"] = benchmark::Counter(1000.0 * static_cast<double>(state.iterations()),
                                              benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(cells, in_memory, false)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(cells, stored, true)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
