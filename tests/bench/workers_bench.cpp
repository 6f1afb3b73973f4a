// Cells that workers in other processes compute, beside threads: whole runs of the program `perigee`, each several
// times. The numbers are medians, with the least and the largest. Real time is disturbed by all that runs beside;
// processor time less so.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/growth.h"
#include "tests/support/folder.h"

namespace {

namespace fs = std::filesystem;

constexpr int kRuns = 5;
const std::string kScript =
    "local n, steps = setting('cells', 1), setting('steps', 0)\n"
    "experiment 'cells' { replications = n, run = function(f, seed)\n"
    "  for i = 1, steps do end\n"
    "  return { x = seed }\n"
    "end }\n";

struct Taken {
  double real = 0, processor = 0;  // s; of the processor, of all processes that it has waited for, too
};

class Process {
 public:
  explicit Process(std::vector<std::string> words) : words_(std::move(words)) {
    std::vector<char*> pointers;
    for (std::string& each : words_) pointers.push_back(each.data());
    pointers.push_back(nullptr);
    if (posix_spawn(&id_, pointers[0], nullptr, nullptr, pointers.data(), environ) != 0)
      throw std::runtime_error("cannot be started: " + words_[0]);
  }
  Taken wait() {
    int status = 0;
    rusage usage = {};
    if (wait4(id_, &status, 0, &usage) != id_ || status != 0)
      throw std::runtime_error(fmt::format("it has failed: {}", fmt::join(words_, " ")));
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(),
            seconds(usage.ru_utime) + seconds(usage.ru_stime)};
  }

 private:
  std::vector<std::string> words_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  pid_t id_ = 0;
};

// A run of kScript. `how` are options: --workers or --jobs.
class Study {
 public:
  Study() : script_(folder_.write("cells.lua", kScript)) {}
  Process begin(const std::string& how, bool stored, double cells, long steps = 0) const {
    fs::remove_all(out());
    std::istringstream words(how);
    std::vector<std::string> all = {PERIGEE_BINARY, "run", "--quiet", script_};
    all.insert(all.end(), std::istream_iterator<std::string>(words), {});
    for (const std::string& each : {fmt::format("cells={}", cells), fmt::format("steps={}", steps)})
      all.insert(all.end(), {"--set", each});
    if (stored) all.insert(all.end(), {"--out", out()});
    return Process(std::move(all));
  }
  std::string out() const { return (folder_.path / "out").string(); }

 private:
  perigee::test::Folder folder_;
  std::string script_;
};

void tell(benchmark::State& state, const std::string& what, const std::vector<double>& values) {
  state.counters[what] = perigee::test::growth::middle(values);
  state.counters["least"] = *std::ranges::min_element(values);
  state.counters["largest"] = *std::ranges::max_element(values);
}

// Each run() gives a value.
void repeat(benchmark::State& state, const std::string& what, const std::function<double()>& run) {
  for (auto _ : state) {
    std::vector<double> values;
    for (int i = 0; i < kRuns; ++i) values.push_back(run());
    tell(state, what, values);
  }
}

constexpr double kEmpty = 200'000;  // cells

// state.range(0): workers; state.range(1): whether the results are stored.
void empty_cells(benchmark::State& state, const char* by) {
  const Study study;
  std::vector<double> processor;
  repeat(state, "cells/s", [&] {
    const Taken taken =
        study.begin(fmt::format("{}{}", by, state.range(0)), state.range(1) != 0, kEmpty).wait();
    processor.push_back(1e6 * taken.processor / kEmpty);
    return kEmpty / taken.real;
  });
  state.counters["us_of_all"] = perigee::test::growth::middle(processor);
}

// Processor time of the coordinator alone for an empty cell that is stored: of its workers it is not the parent.
void coordinator(benchmark::State& state) {
  const Study study;
  repeat(state, "us_a_cell", [&] {
    Process run = study.begin("--workers listen:127.0.0.1", true, kEmpty);
    const std::string access = study.out() + "/workers.json";
    while (!fs::exists(access) || fs::file_size(access) == 0) usleep(1000);
    std::vector<Process> workers;
    for (int i = 0; i < state.range(0); ++i) workers.push_back(Process({PERIGEE_BINARY, "work", access}));
    const Taken taken = run.wait();
    for (Process& each : workers) each.wait();
    return 1e6 * taken.processor / kEmpty;
  });
}

// How many times as long as threads processes take for cells of about a millisecond. They take turns.
void cells_of_a_millisecond(benchmark::State& state) {
  constexpr double kCells = 5'000;
  constexpr long kSteps = 250'000;  // of Lua, in each cell
  const Study study;
  std::vector<double> processor, ms;
  repeat(state, "times_threads", [&] {
    const auto taken = [&](const char* by) {
      return study.begin(fmt::format("{}{}", by, state.range(0)), true, kCells, kSteps).wait();
    };
    const Taken threads = taken("--jobs "), processes = taken("--workers local:");
    processor.push_back(processes.processor / threads.processor);
    ms.push_back(1e3 * threads.processor / kCells);
    return processes.real / threads.real;
  });
  state.counters["processor"] = perigee::test::growth::middle(processor);
  state.counters["ms_a_cell"] = perigee::test::growth::middle(ms);
}

// A run with one cell by a worker, less one without workers: till a worker is there, has run the script and has
// answered, and has ended.
void ready(benchmark::State& state) {
  const Study study;
  repeat(state, "ms", [&] {
    const double alone = study.begin("--jobs 1", false, 1).wait().real;
    return 1e3 * (study.begin("--workers local:1", false, 1).wait().real - alone);
  });
}

void of_all(benchmark::internal::Benchmark* bench) {
  bench->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
}

BENCHMARK(ready)->Name("workers/ready")->Apply(of_all);
BENCHMARK_CAPTURE(empty_cells, local, "--workers local:")
    ->Name("workers/empty_cells/local")
    ->ArgNames({"workers", "stored"})
    ->ArgsProduct({{1, 2, 4, 8}, {0, 1}})
    ->Apply(of_all);
BENCHMARK_CAPTURE(empty_cells, threads, "--jobs ")
    ->Name("workers/empty_cells/threads")
    ->ArgNames({"threads", "stored"})
    ->ArgsProduct({{1, 2, 4, 8}, {0, 1}})
    ->Apply(of_all);
BENCHMARK(coordinator)->Name("workers/coordinator")->ArgName("workers")->Arg(1)->Arg(4)->Apply(of_all);
BENCHMARK(cells_of_a_millisecond)
    ->Name("workers/cells_of_a_millisecond")
    ->ArgName("workers")
    ->Arg(1)
    ->Arg(2)
    ->Arg(4)
    ->Apply(of_all);

}  // namespace
