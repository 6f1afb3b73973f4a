// The processor time of a thread, and whole runs, for benchmarks.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <ctime>
#include <memory>
#include <utility>

#include "runtime/engine/simulation.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"

namespace perigee::test {

inline double seconds_of_thread() {  // other programs on the machine do not count
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class F>
double seconds_taken(F&& run) {
  const double from = seconds_of_thread();
  run();
  return seconds_of_thread() - from;
}

// Nobody checks that it is complete.
inline Simulation finished_run(const std::shared_ptr<const Scenario>& scenario, const ConfigPtr& config,
                               std::unique_ptr<Estimator> estimator, TraceLevel level = TraceLevel::none) {
  RunOptions options;
  options.level = level;
  const Entry& entry = *config->entry;
  Simulation run(scenario, {config->text(), config->make_policy(), entry.accepts, entry.instants},
                 std::move(estimator), std::move(options));
  run.run();
  benchmark::DoNotOptimize(run.trace().physical());
  return run;
}

// The activities that began, of a trace that is whole.
inline std::size_t begun_in(const Trace& trace) {
  std::size_t begun = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) begun += trace[i].kind == RecordKind::started ? 1 : 0;
  return begun;
}

}  // namespace perigee::test
