// Numbers about a run, from its trace only: a stored trace and a live run give the same.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::results {

enum class Better : std::uint8_t { neither, lower, higher };

// What a metric is, whether or not a run has it.
struct MetricInfo {
  std::string_view name, unit, what;
  Better better = Better::neither;
};
std::span<const MetricInfo> metric_infos();
// Error "unknown_metric" with the nearest name.
const MetricInfo& metric_info(std::string_view name);

struct Metric {
  MetricInfo info;
  double value = 0;  // NaN = there is none, as the largest of nothing; sums and means of nothing are 0
};

// Of one run. Averages are over the works that finished at `warmup` or later, each with its full times;
// counts are of works and activities that were settled then; shares of time are over [max(first arrival,
// warmup), end]. At trace level `work` there is nothing that needs activities, at `none` only the counts of
// works. Each part of the run is looked at when the first metric needs it, and once, also for the copies of
// this; not from several threads at a time.
class Metrics {
 public:
  explicit Metrics(std::shared_ptr<const Outcome> outcome);

  // NaN when the trace's level does not tell it. Both: Error "unknown_metric" when there is no such metric.
  double operator[](std::string_view name) const;
  bool has(std::string_view name) const;  // measured, be it NaN
  std::vector<Metric> all() const;        // in the order of metric_infos()

 private:
  std::shared_ptr<class Measurement> of_;
};
Metrics measure(const Outcome& outcome);

}  // namespace perigee::results
