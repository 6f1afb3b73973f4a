// The time of a package of weighted runs, which policies estimate again and again: beside a heap of slots.
#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <queue>

#include "runtime/kernel/random.h"
#include "runtime/model/workload.h"
#include "tests/support/layers.h"

namespace perigee::test {
namespace {

Workload weighted(std::size_t runs, std::int32_t trials, bool noisy) {
  Workload workload;
  workload.works.emplace_back();
  Work& work = workload.works.back();
  work.kind = WorkKind::sweep;
  work.amount = work.estimate = 1;
  work.extra = 0;
  WorkExtra extra{.size = static_cast<double>(runs), .trials = trials, .weights = 0};
  Stream rng(1, "weights");
  for (std::size_t r = 0; r < runs; ++r) workload.times.push_back(rng.uniform(0.8, 1.2));
  if (noisy) {
    extra.noise = static_cast<std::uint32_t>(workload.times.size());
    for (std::size_t i = 0; i < runs * static_cast<std::size_t>(trials); ++i)
      workload.times.push_back(rng.lognormal(1, 0.1));
  }
  workload.extras.push_back(extra);
  return workload;
}

double by_heap(const Workload& workload, std::int32_t slots) {
  const WorkExtra& extra = workload.extras[0];
  std::priority_queue<double, std::vector<double>, std::greater<>> free;
  for (std::int32_t s = 0; s < slots; ++s) free.push(0);
  double last = 0;
  const auto trials = static_cast<std::size_t>(extra.trials);
  for (std::size_t run = 0; run < static_cast<std::size_t>(extra.size); ++run)
    for (std::size_t trial = 0; trial < trials; ++trial) {
      double time = workload.times[extra.weights + run];
      if (extra.noise != kNone) time *= workload.times[extra.noise + run * trials + trial];
      const double end = free.top() + time;
      free.pop();
      free.push(end);
      last = std::max(last, end);
    }
  return last;
}

// 2000 runs of 100 trials, the largest case of Sim-PETEK, on a host of so many slots.
void package(benchmark::State& state, std::int32_t slots, bool noisy) {
  const Workload workload = weighted(2000, 100, noisy);
  Host host;
  host.slots = slots;
  using Clock = std::chrono::steady_clock;
  std::chrono::duration<double> heap{}, ours{};
  for (auto _ : state) {
    const auto begin = Clock::now();
    const double expected = by_heap(workload, slots);
    const auto middle = Clock::now();
    const double time = true_time(workload, {WorkId(0), 0, 2000}, host, HostId(0), 0);
    const auto end = Clock::now();
    if (time != expected) state.SkipWithError("other bits");
    heap += middle - begin;
    ours += end - middle;
    state.SetIterationTime(std::chrono::duration<double>(end - middle).count());
  }
  state.counters["ns_per_simulation"] =
      ours.count() / static_cast<double>(state.iterations()) / 200'000 * 1e9;
  state.counters["times_faster_than_heap"] = heap / ours;
  state.SetLabel("times_faster_than_heap = each simulation takes the first free slot out of a heap");
}

BENCHMARK_CAPTURE(package, 15_slots, 15, false)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(package, 15_slots_noisy, 15, true)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace perigee::test
