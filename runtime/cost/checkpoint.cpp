#include "runtime/cost/checkpoint.h"

#include "runtime/kernel/math.h"

namespace perigee::cost {

Seconds young_interval(Seconds dump, Seconds mtbf) { return math::sqrt(2 * dump * mtbf); }

Seconds daly_interval(Seconds dump, Seconds mtbf) {
  if (dump >= 2 * mtbf) return mtbf;
  const double x = dump / (2 * mtbf);
  return young_interval(dump, mtbf) * (1 + math::sqrt(x) / 3 + x / 9) - dump;
}

Seconds checkpointed_time(const Checkpointed& work) {
  const double held = work.mtbf + work.mttr;
  // Mean number of mean times that a stretch of so many seconds takes, failures included.
  const auto stretch = [&](Seconds seconds) { return math::expm1(seconds / work.mtbf); };
  const double segments = math::ceil(work.time / work.interval);
  if (segments <= 1) return held * stretch(work.time);
  const double first = stretch(work.interval + work.dump);
  const double last = stretch(work.time - (segments - 1) * work.interval);
  const double middle = segments > 2 ? (segments - 2) * first : 0;
  return held * (first + math::exp(work.restart / work.mtbf) * (middle + last));
}

}  // namespace perigee::cost
