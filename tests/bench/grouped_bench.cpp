// The study of Breitinger (1999): Table 2, and one point of it. 30 replications of 110 s at a load of 0.995
// on 15 machines, per group size; the argument is the number of workers. And a pool in which much waits.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "interpreter/bindings/words.h"
#include "interpreter/session/interpreter.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

namespace {

namespace fs = std::filesystem;

// An experiment over these group sizes, written as a script would.
void study(benchmark::State& state, const char* sizes) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("perigee_bench_{}", ::getpid());
  fs::create_directories(folder);
  const std::string script = (folder / "study.lua").string();
  std::ofstream(script) << fmt::format(R"(
local s = scenario {{
  platform = platform {{ cluster "m" {{ nodes = 15 }} }},
  workload = workload.etc(function(rng)
    local arriving, arrivals, t = rng:sub(1), {{}}, 0
    while t <= 110 do
      arrivals[#arrivals + 1] = t
      t = t + arriving:exponential(0.067)
    end
    local declared = etc.cv_based {{ tasks = #arrivals, machines = 15, mean = 1, task_cv = 0.5, machine_cv = 0.1,
                                    first = "tasks", whole = "1 ms", rng = rng:sub(2) }}
    return declared, {{ arrivals = arrivals, times = etc.gamma {{ mean = declared, sd = "5 ms", rng = rng:sub(3) }} }}
  end),
}}
experiment "study" {{
  factors = {{ {{ "size", {} }} }}, replications = 30,
  run = function(f, seed)
    return s:run {{ policy = grouped {{ size = f.size, ready = "zero", flush = false, map = max_min {{ adds = "completion" }} }},
                   seed = seed, horizon = 110, warmup = 10, information = "declared", trace = "work" }}
  end,
  measure = {{ "mean_response" }},
}})",
                                       sizes);
  for (auto _ : state) {
    perigee::test::InterpreterOptions options;
    options.jobs = static_cast<unsigned>(state.range(0));
    perigee::test::Interpreter interpreter(perigee::bindings::open_words, std::move(options));
    interpreter.run_file(script);
  }
  fs::remove_all(folder);
}

BENCHMARK_CAPTURE(
    study, table2_of_breitinger,
    "{ 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43, 45, 47, 49, 51 }")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(study, one_group_size, "{ 17 }")->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

// So many works collect, with priorities, until the last has come; they are mapped as one group then.
void full_pool(benchmark::State& state) {
  const auto works = static_cast<std::size_t>(state.range(0));
  auto workload = std::make_shared<perigee::test::Workload>();
  perigee::test::Stream random(1, "bench");
  for (std::size_t w = 0; w < works; ++w) {
    perigee::test::Work work;
    work.amount = work.estimate = 1;
    work.arrival = static_cast<double>(w);
    work.priority = random.uniform(0, 1);
    workload->works.push_back(work);
  }
  auto scenario = std::make_shared<perigee::test::Scenario>();
  scenario->platform = perigee::test::platform_of({perigee::test::cluster_of({1, 1})});
  scenario->workload = workload;
  const auto config = perigee::test::Catalogue().configure(
      "grouped", {{"size", static_cast<double>(works)}, {"timeout", 1e9}, {"map", std::string("met")}});
  for (auto _ : state) {
    perigee::test::Simulation simulation(
        scenario, {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants});
    simulation.run();
    benchmark::DoNotOptimize(simulation.events());
  }
  state.counters["work"] =
      benchmark::Counter(static_cast<double>(works) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(full_pool)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace
