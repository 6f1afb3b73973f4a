// Evaluations of duels: cases of random search on one thread, beside a loop of a script that makes the same runs. Items
// are evaluations, of both sides.
#include <benchmark/benchmark.h>

#include <string>

#include "interpreter/bindings/words.h"
#include "interpreter/session/interpreter.h"

namespace {

using perigee::session::Interpreter;
using perigee::session::InterpreterOptions;

constexpr int kCases = 2000;

// 30 jobs on 4 hosts.
const std::string kDays = R"(
local machines = platform { cluster "n" { nodes = 4, cores = 4 } }
local cases = space "days" {
  jobs = vary.list { n = 30, of = { cores = vary.whole { 1, 4 }, gap = vary.real { 0, 20 }, time = vary.real { 1, 60 } } },
  scenario = function(x)
    local clock = 0
    for _, job in ipairs(x.jobs) do clock = clock + job.gap  job.arrival = clock  job.gap = nil end
    return scenario { platform = machines, workload = workload.jobs(x.jobs) }
  end,
}
local a, b = "easy", "fcfs"
)";
// 16 tasks on 4 machines.
const std::string kMatrices = R"(
local cases = space "matrices" {
  times = vary.matrix { rows = 16, columns = 4, of = vary.real { 1, 100 } },
  problem = function(x) return etc(x.times) end,
}
local a, b = "min_min", "max_min"
)";
const std::string kDuel = R"(
duel { a = a, b = b, space = cases, search = random_search { tries = 1 }, budget = setting("cases", 1), shrink = 0 }
)";
const std::string kRuns = R"(
for seed = 1, setting("cases", 1) do
  local s = cases:at(cases:draw(seed))
  for _, side in ipairs { a, b } do local r = s:run { policy = side, trace = "none" } end
end
)";
const std::string kMaps = R"(
for seed = 1, setting("cases", 1) do
  local m = cases:at(cases:draw(seed))
  for _, side in ipairs { a, b } do local r = map(side, m) end
end
)";

void run(benchmark::State& state, const std::string& text) {
  for ([[maybe_unused]] const auto& each : state) {
    InterpreterOptions options;
    options.output = options.warnings = [](std::string_view) {};
    options.jobs = 1;
    options.settings["cases"] = std::to_string(kCases);
    Interpreter interpreter(perigee::bindings::open_words, options);
    interpreter.run_text("bench", text);
  }
  state.SetItemsProcessed(state.iterations() * kCases);
}

void duel_of_policies(benchmark::State& state) { run(state, kDays + kDuel); }
void runs_of_policies(benchmark::State& state) { run(state, kDays + kRuns); }
void duel_of_mappers(benchmark::State& state) { run(state, kMatrices + kDuel); }
void maps_of_mappers(benchmark::State& state) { run(state, kMatrices + kMaps); }
BENCHMARK(duel_of_policies)->Unit(benchmark::kMillisecond);
BENCHMARK(runs_of_policies)->Unit(benchmark::kMillisecond);
BENCHMARK(duel_of_mappers)->Unit(benchmark::kMillisecond);
BENCHMARK(maps_of_mappers)->Unit(benchmark::kMillisecond);

}  // namespace
