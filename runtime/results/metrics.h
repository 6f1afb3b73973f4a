// Numbers about a run, computed only from its trace: a stored trace and a live run give the same numbers.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::results {

enum class Better : std::uint8_t { neither, lower, higher };

// The description of a metric, whether or not a run has it.
struct MetricInfo {
  std::string_view name, unit, what;
  Better better = Better::neither;
};
std::span<const MetricInfo> metric_infos();
// Error "unknown_metric" with the nearest name. Runs have "utilization.queue.NAME" and "utilization.user.NAME" besides,
// whose `name` is a view of the argument.
MetricInfo metric_info(std::string_view name);
bool is_metric(std::string_view name);

struct Metric {
  MetricInfo info;
  double value = 0;  // NaN = there is none, as the largest of nothing; sums and means of nothing are 0
};

// The metrics of one run. Averages are over the works that finished at `warmup` or later, each with its full
// times. Counts are of works and activities that were settled then. Shares of time are over [max(first
// arrival, warmup), end]. Trace level `work` lacks everything that needs activities; level `none` has only
// the counts of works. Each part of the run is looked at once, when the first metric needs it, also for
// copies of this object. Not for use from several threads at a time.
class Metrics {
 public:
  explicit Metrics(std::shared_ptr<const Outcome> outcome);

  // NaN if the trace's level does not tell it. Both give Error "unknown_metric" if there is no such metric.
  double operator[](std::string_view name) const;
  bool has(std::string_view name) const;  // measured, be it NaN
  std::vector<Metric> all() const;        // in the order of metric_infos()

 private:
  std::shared_ptr<class Measurement> of_;
};
Metrics measure(const Outcome& outcome);

}  // namespace perigee::results
