#include "runtime/model/etc_generators.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"

namespace perigee::model {

namespace {

constexpr std::size_t kMostTimes = std::size_t{1} << 31;
constexpr std::uint64_t kStepsOfGamma = 10;  // to draw one, see did_work()

EtcMatrix empty_matrix(std::size_t tasks, std::size_t machines) {
  if (tasks == 0 || machines == 0)
    fail("bad_parameter", "a matrix has at least one task and one machine, got {} x {}", tasks, machines);
  if (tasks > kMostTimes / machines)
    fail("bad_parameter", "a matrix has at most {} times, got {} x {}", kMostTimes, tasks, machines);
  will_take_matrix(tasks, machines);
  did_work(tasks * machines);
  return {tasks, machines, std::vector<double>(tasks * machines)};
}

void check(const char* name, double value, double least, bool above) {
  if (std::isfinite(value) && (above ? value > least : value >= least)) return;
  fail("bad_parameter", "{} must be {} {} and finite, got {}", name, above ? ">" : ">=", least, value);
}

struct Moments {
  double mean, cv;
};
Moments moments_of(std::span<const double> values) {
  double sum = 0, squares = 0;
  for (const double x : values) sum += x;
  const double mean = sum / static_cast<double>(values.size());
  for (const double x : values) squares += (x - mean) * (x - mean);
  return {mean, std::sqrt(squares / static_cast<double>(values.size() - 1)) / mean};
}

}  // namespace

void make_consistent(EtcMatrix& etc, Consistency consistency) {
  if (consistency == Consistency::inconsistent) return;
  const std::size_t step = consistency == Consistency::consistent ? 1 : 2;
  std::vector<double> times;
  did_work(etc.values.size());
  for (std::size_t t = 0; t < etc.tasks; ++t) {
    look_at_work();
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
    look_at_work();  // the steps are counted already, but a large matrix takes seconds
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
  const bool by_machine = variation.first == DrawFirst::machines ||
                          (variation.first == DrawFirst::larger && variation.task_cv < variation.machine_cv);
  const double outer = by_machine ? variation.machine_cv : variation.task_cv;
  const double inner = by_machine ? variation.task_cv : variation.machine_cv;
  std::vector<double> means(by_machine ? machines : tasks);
  const auto draw_mean = [&] { return rng.gamma_mean_sd(variation.mean, outer * variation.mean); };
  if (by_machine) std::ranges::generate(means, draw_mean);
  for (std::size_t t = 0; t < tasks; ++t) {
    did_work(machines * kStepsOfGamma);
    if (!by_machine) means[t] = draw_mean();
    for (std::size_t m = 0; m < machines; ++m) {
      const double mean = means[by_machine ? m : t];
      etc.values[t * machines + m] = mean > 0 ? rng.gamma_mean_sd(mean, inner * mean) : 0;
    }
  }
  return etc;
}

void truncate(EtcMatrix& etc, double unit) {
  check("unit", unit, 0, true);
  for (double& time : etc.values)
    if (std::isfinite(time)) time = std::floor(time / unit) * unit;
}

template <class Generator>
EtcMatrix gamma_etc(const EtcMatrix& means, double sd, double cv, Generator& rng) {
  check("sd", sd, 0, false);
  check("cv", cv, 0, false);
  did_work(means.values.size() * kStepsOfGamma);
  will_take_matrix(means.tasks, means.machines);
  EtcMatrix etc = means;
  for (double& time : etc.values)
    if (time > 0 && std::isfinite(time)) time = rng.gamma_mean_sd(time, sd + cv * time);
  return etc;
}

EtcSummary summary_of(const EtcMatrix& etc) {
  EtcSummary out;
  std::vector<double> rows;
  double variations = 0;
  did_work(etc.values.size() / 4);
  for (std::size_t t = 0; t < etc.tasks; ++t) {
    const Moments row = moments_of(std::span(etc.values).subspan(t * etc.machines, etc.machines));
    rows.push_back(row.mean);
    variations += row.cv;
  }
  const Moments of_rows = moments_of(rows);
  out.mean = of_rows.mean;
  out.task_cv = of_rows.cv;
  out.machine_cv = variations / static_cast<double>(etc.tasks);
  for (std::size_t a = 0; a < etc.machines && out.consistent; ++a)
    for (std::size_t b = a + 1; b < etc.machines && out.consistent; ++b) {
      bool less = false, more = false;
      did_work(etc.tasks);
      for (std::size_t t = 0; t < etc.tasks; ++t) {
        less = less || etc.at(t, a) < etc.at(t, b);
        more = more || etc.at(t, a) > etc.at(t, b);
      }
      out.consistent = !(less && more);
    }
  return out;
}

template EtcMatrix range_based_etc(std::size_t, std::size_t, const RangeBased&, Stream&);
template EtcMatrix range_based_etc(std::size_t, std::size_t, const RangeBased&, SplitMix64&);
template EtcMatrix cv_based_etc(std::size_t, std::size_t, const CvBased&, Stream&);
template EtcMatrix cv_based_etc(std::size_t, std::size_t, const CvBased&, SplitMix64&);
template EtcMatrix gamma_etc(const EtcMatrix&, double, double, Stream&);
template EtcMatrix gamma_etc(const EtcMatrix&, double, double, SplitMix64&);

}  // namespace perigee::model
