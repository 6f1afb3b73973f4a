// Random matrices of expected times to compute, as used in comparisons of mapping heuristics.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/kernel/random.h"
#include "runtime/model/etc.h"

namespace perigee::model {

// consistent: a machine that is faster than another for one task is faster for all tasks. inconsistent: it
// need not be. semi_consistent: it is so among the machines with an even number, from 0. Braun et al. 2001,
// section 2.
enum class Consistency : std::uint8_t { inconsistent, consistent, semi_consistent };

// Sorts the times of each task in ascending order. `semi_consistent` sorts only the times on machines with an
// even number, among themselves.
void make_consistent(EtcMatrix& etc, Consistency consistency);

struct RangeBased {
  double task_range = 3000;     // > 1; Braun's heterogeneity of tasks: high 3000, low 100
  double machine_range = 1000;  // > 1; of machines: high 1000, low 10
};

// Ali et al. 2000: for each task q uniform in [1, task_range), for each machine a time q * u with u uniform
// in [1, machine_range). Draws task by task. Error "bad_parameter", also for no tasks or no machines.
template <class Generator>
EtcMatrix range_based_etc(std::size_t tasks, std::size_t machines, const RangeBased& ranges, Generator& rng);

// The means that are drawn first: those that vary more (Ali et al. 2000), always those of the tasks
// (Breitinger 1999, Appendix B.2), or always those of the machines.
enum class DrawFirst : std::uint8_t { larger, tasks, machines };

struct CvBased {
  double mean = 1000;       // s, > 0
  double task_cv = 0.6;     // coefficients of variation, >= 0: high 0.6, low 0.1
  double machine_cv = 0.6;  // >= 0, the same
  DrawFirst first = DrawFirst::larger;
};

// Ali et al. 2000. Each task has a mean q, gamma-distributed with the mean and task_cv. Each time is
// gamma-distributed with mean q and machine_cv. If machines are drawn first, the roles are exchanged: the
// mean of each machine is drawn first, then the times, task by task.
template <class Generator>
EtcMatrix cv_based_etc(std::size_t tasks, std::size_t machines, const CvBased& variation, Generator& rng);

// Rounds the times down to whole multiples of `unit` (s, > 0). Breitinger 1999, Appendix B.2, uses 1 ms.
void truncate(EtcMatrix& etc, double unit);

// Gamma-distributed times with these means. The standard deviation is `sd` seconds plus `cv` times the mean,
// neither negative. They are the true times of computations when the matrix is the expected one (Breitinger
// 1999, section IV.B). Draws for every entry, task by task; 0 and +inf stay as they are.
template <class Generator>
EtcMatrix gamma_etc(const EtcMatrix& means, double sd, double cv, Generator& rng);

// A description of a matrix (Ali et al. 2000). Coefficients of variation use the sample's n - 1; they are NaN
// for fewer than two values. consistent: no two machines change their order from one task to another.
struct EtcSummary {
  double mean = 0;        // s, of the means of rows
  double task_cv = 0;     // of the means of rows
  double machine_cv = 0;  // mean over rows
  bool consistent = true;
};
EtcSummary summary_of(const EtcMatrix& etc);

extern template EtcMatrix range_based_etc(std::size_t, std::size_t, const RangeBased&, Stream&);
extern template EtcMatrix range_based_etc(std::size_t, std::size_t, const RangeBased&, SplitMix64&);
extern template EtcMatrix cv_based_etc(std::size_t, std::size_t, const CvBased&, Stream&);
extern template EtcMatrix cv_based_etc(std::size_t, std::size_t, const CvBased&, SplitMix64&);
extern template EtcMatrix gamma_etc(const EtcMatrix&, double, double, Stream&);
extern template EtcMatrix gamma_etc(const EtcMatrix&, double, double, SplitMix64&);

}  // namespace perigee::model
