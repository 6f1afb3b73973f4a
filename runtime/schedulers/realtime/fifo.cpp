// Divisible loads with deadlines, admitted in the order of arrival.
#include "runtime/schedulers/realtime/admission.h"

namespace perigee::realtime {

Entry fifo() {
  Entry entry = admission_entry(
      "fifo", "first in, first out: divisible loads, admitted if all can be in time", LoadOrder::arrival);
  entry.source =
      "Mamat, 2011, section 4.2 and Figure 4.1 (FIFO-OPR-MN, FIFO-OPR-AN, FIFO-EPR-MN, FIFO-EPR-AN)";
  entry.ties = "order of input; hosts by free time, then lowest";
  return entry;
}

}  // namespace perigee::realtime
