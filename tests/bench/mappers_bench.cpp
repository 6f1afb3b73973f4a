// Every mapper of the catalogue on each kind of random matrix, beside the floor: one pass that finds the
// smallest time of each row. Mappers that search, by their integer parameters, meet few large ones.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cost/etc.h"
#include "runtime/cost/scan.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

// consistent: all tasks rank the machines alike; semi-consistent: they agree about every other machine;
// related: time = size / speed; noisy: the same, each time off by up to a tenth; ties: small whole numbers.
enum Kind { inconsistent, semi_consistent, consistent, related, noisy, ties };
constexpr const char* kKindNames[] = {"inconsistent", "semi_consistent", "consistent",
                                      "related",      "noisy",           "ties"};

EtcMatrix make(std::size_t tasks, std::size_t machines, Kind kind) {
  std::mt19937_64 rng(1);
  const auto uniform = [&rng] { return static_cast<double>(rng() >> 11) * 0x1p-53; };
  EtcMatrix etc{tasks, machines, {}};
  etc.values.reserve(tasks * machines);
  std::vector<double> speed(machines), row(machines), sorted;
  for (double& s : speed) s = 1 + 3 * uniform();
  for (std::size_t t = 0; t < tasks; ++t) {
    const double size =
        1 + 2999 * uniform();  // range-based: task heterogeneity 3000, machine heterogeneity 1000
    for (std::size_t m = 0; m < machines; ++m) {
      const double u = uniform();
      row[m] = kind == related ? size / speed[m]
               : kind == noisy ? size / speed[m] * (0.9 + 0.2 * u)
               : kind == ties  ? std::floor(1 + 20 * u)
                               : size * (1 + 999 * u);
    }
    if (kind == consistent) std::ranges::sort(row);
    if (kind == semi_consistent) {
      sorted.clear();
      for (std::size_t m = 0; m < machines; m += 2) sorted.push_back(row[m]);
      std::ranges::sort(sorted);
      for (std::size_t m = 0; m < machines; m += 2) row[m] = sorted[m / 2];
    }
    etc.values.insert(etc.values.end(), row.begin(), row.end());
  }
  return etc;
}

const EtcMatrix& matrix(std::size_t tasks, std::size_t machines, Kind kind) {  // one at a time in memory
  static EtcMatrix etc;
  static int made = -1;
  if (etc.tasks != tasks || etc.machines != machines || made != kind) {
    etc = make(tasks, machines, kind);
    made = kind;
  }
  return etc;
}

void floor_of(benchmark::State& state, std::size_t tasks, std::size_t machines, Kind kind) {
  const EtcMatrix& etc = matrix(tasks, machines, kind);
  const std::vector<double> ready(machines, 0.0);
  for (auto _ : state) {
    double sum = 0;
    for (std::size_t t = 0; t < tasks; ++t)
      sum += smallest_sum(etc.values.data() + t * machines, ready).value;
    benchmark::DoNotOptimize(sum);
  }
}

void map_with(benchmark::State& state, const ConfigPtr& config, std::size_t tasks, std::size_t machines,
              Kind kind) {
  const EtcMatrix& etc = matrix(tasks, machines, kind);
  const std::unique_ptr<Mapper> mapper = config->make_mapper();
  Mapping out;
  for (auto _ : state) {
    mapper->map(problem_of(etc), out);
    benchmark::DoNotOptimize(out.completion.data());
    benchmark::ClobberMemory();
  }
  state.counters["makespan"] = out.makespan;
}

const int registered = [] {
  const Catalogue catalogue;
  std::vector<ConfigPtr> configs;
  for (const auto& entry : catalogue.entries()) {
    if (entry->role != Role::mapper || entry->name == "optimal") continue;  // for a dozen tasks
    configs.push_back(catalogue.configure(entry->name));
    for (const Parameter& parameter : entry->parameters)
      for (const std::string& choice : parameter.choices)
        if (Value(choice) != parameter.fallback)
          configs.push_back(catalogue.configure(entry->name, {{parameter.name, choice}}));
  }
  for (const double nodes : {1024.0, 16384.0})
    configs.push_back(catalogue.configure("a_star", {{"max_tree_nodes", nodes}}));
  const auto searches = [](const ConfigPtr& config) {
    return std::ranges::any_of(config->entry->parameters,
                               [](const Parameter& p) { return p.type == ParameterType::integer; });
  };
  const std::pair<std::size_t, std::size_t> shapes[] = {{512, 16}, {4096, 256}, {16384, 512}};
  for (const auto& [tasks, machines] : shapes)
    for (const Kind kind : {inconsistent, semi_consistent, consistent, related, noisy, ties}) {
      const std::string shape =
          std::to_string(tasks) + "x" + std::to_string(machines) + "/" + kKindNames[kind] + "/";
      const auto add = [&](const std::string& name, auto run) {
        benchmark::RegisterBenchmark((shape + name).c_str(), run)
            ->Repetitions(5)
            ->ReportAggregatesOnly(true)
            ->MinTime(0.05)
            ->Unit(benchmark::kMillisecond);
      };
      add("floor", [=](benchmark::State& state) { floor_of(state, tasks, machines, kind); });
      for (const ConfigPtr& config : configs)
        if (!searches(config) || tasks == 512 || (tasks == 4096 && kind == inconsistent))
          add(config->text(),
              [=](benchmark::State& state) { map_with(state, config, tasks, machines, kind); });
    }
  return 0;
}();

}  // namespace
