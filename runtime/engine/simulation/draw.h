#pragma once

#include "runtime/kernel/math.h"
#include "runtime/kernel/random.h"
#include "runtime/model/scenario.h"

namespace perigee::engine {

// An up or down time with the given mean.
inline Seconds draw(Stream& stream, FailureLaw law, Seconds mean, double shape) {
  if (law == FailureLaw::exponential) return stream.exponential(mean);
  return stream.weibull(shape, mean / math::tgamma(1 + 1 / shape));
}

}  // namespace perigee::engine
