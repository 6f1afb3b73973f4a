// When to write checkpoints, and what work takes with them, on hosts whose failures are exponential.
//
// Sources: Young, CACM 17(9), 1974; Daly, Future Generation Computer Systems 22(3), 2006 (equation 37).
#pragma once

#include "runtime/kernel/ids.h"
#include "runtime/layers.h"

namespace perigee::cost {

// Seconds of computing between two dumps of `dump` s each, mean time between failures `mtbf` s. All > 0.
Seconds young_interval(Seconds dump, Seconds mtbf);  // sqrt(2 C M)
// sqrt(2 C M) (1 + sqrt(x) / 3 + x / 9) - C with x = C / 2M; M where C >= 2M.
Seconds daly_interval(Seconds dump, Seconds mtbf);

struct Checkpointed {
  Seconds time = 0;      // of the work without dumps and failures, > 0
  Seconds interval = 0;  // of computing between dumps, > 0; none is written at the end
  Seconds dump = 0;      // of each, >= 0
  Seconds restart =
      0;  // before a later attempt goes on from a dump, >= 0; one without any begins anew without it
  Seconds mtbf = 0;  // mean time between failures while it holds its hosts, > 0
  Seconds mttr = 0;  // mean time until they are back, in which none fails, >= 0
};
// The mean time from the first start to the end. With K = ceil(T / t) segments, of which the last takes
// l = T - (K - 1) t, it is (M + D) (e^(T/M) - 1) where K = 1, else
// (M + D) (e^((t+C)/M) - 1 + e^(R/M) ((K - 2) (e^((t+C)/M) - 1) + e^(l/M) - 1)). Infinite where that is beyond
// all numbers.
Seconds checkpointed_time(const Checkpointed& work);

}  // namespace perigee::cost
