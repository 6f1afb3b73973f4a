#include "runtime/model/etc_generators.h"

#include <algorithm>
#include <cmath>

#include "runtime/kernel/error.h"

namespace perigee {

namespace {

constexpr std::size_t kMostTimes = std::size_t{1} << 31;

EtcMatrix empty_matrix(std::size_t tasks, std::size_t machines) {
  if (tasks == 0 || machines == 0)
    fail("bad_parameter", "a matrix has at least one task and one machine, got {} x {}", tasks, machines);
  if (tasks > kMostTimes / machines)
    fail("bad_parameter", "a matrix has at most {} times, got {} x {}", kMostTimes, tasks, machines);
  return {tasks, machines, std::vector<double>(tasks * machines)};
}

void check(const char* name, double value, double least, bool above) {
  if (std::isfinite(value) && (above ? value > least : value >= least)) return;
  fail("bad_parameter", "{} must be {} {} and finite, got {}", name, above ? ">" : ">=", least, value);
}

}  // namespace

void make_consistent(EtcMatrix& etc, Consistency consistency) {
  if (consistency == Consistency::inconsistent) return;
  const std::size_t step = consistency == Consistency::consistent ? 1 : 2;
  std::vector<double> times;
  for (std::size_t t = 0; t < etc.tasks; ++t) {
    double* const row = etc.values.data() + t * etc.machines;
    times.clear();
    for (std::size_t m = 0; m < etc.machines; m += step) times.push_back(row[m]);
    std::ranges::sort(times);
    for (std::size_t i = 0; i < times.size(); ++i) row[i * step] = times[i];
  }
}

template <class Generator>
EtcMatrix range_based_etc(std::size_t tasks, std::size_t machines, const RangeBased& ranges, Generator& rng) {
  check("task_range", ranges.task_range, 1, true);
  check("machine_range", ranges.machine_range, 1, true);
  EtcMatrix etc = empty_matrix(tasks, machines);
  for (std::size_t t = 0; t < tasks; ++t) {
    const double q = 1 + rng.unit() * (ranges.task_range - 1);
    for (std::size_t m = 0; m < machines; ++m)
      etc.values[t * machines + m] = q * (1 + rng.unit() * (ranges.machine_range - 1));
  }
  return etc;
}

template <class Generator>
EtcMatrix cv_based_etc(std::size_t tasks, std::size_t machines, const CvBased& variation, Generator& rng) {
  check("mean", variation.mean, 0, true);
  check("task_cv", variation.task_cv, 0, false);
  check("machine_cv", variation.machine_cv, 0, false);
  EtcMatrix etc = empty_matrix(tasks, machines);
  const bool by_machine = variation.task_cv < variation.machine_cv;
  const double outer = by_machine ? variation.machine_cv : variation.task_cv;
  const double inner = by_machine ? variation.task_cv : variation.machine_cv;
  std::vector<double> means(by_machine ? machines : tasks);
  const auto draw_mean = [&] { return rng.gamma_mean_sd(variation.mean, outer * variation.mean); };
  if (by_machine) std::ranges::generate(means, draw_mean);
  for (std::size_t t = 0; t < tasks; ++t) {
    if (!by_machine) means[t] = draw_mean();
    for (std::size_t m = 0; m < machines; ++m) {
      const double mean = means[by_machine ? m : t];
      etc.values[t * machines + m] = mean > 0 ? rng.gamma_mean_sd(mean, inner * mean) : 0;
    }
  }
  return etc;
}

template EtcMatrix range_based_etc(std::size_t, std::size_t, const RangeBased&, Stream&);
template EtcMatrix range_based_etc(std::size_t, std::size_t, const RangeBased&, SplitMix64&);
template EtcMatrix cv_based_etc(std::size_t, std::size_t, const CvBased&, Stream&);
template EtcMatrix cv_based_etc(std::size_t, std::size_t, const CvBased&, SplitMix64&);

}  // namespace perigee
