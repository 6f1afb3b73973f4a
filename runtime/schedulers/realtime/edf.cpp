// Divisible loads with deadlines, admitted in the order of their deadlines.
#include "runtime/schedulers/realtime/admission.h"

namespace perigee::realtime {

Entry edf() {
  Entry entry = admission_entry(
      "edf", "earliest deadline first: divisible loads, admitted if all can be in time", LoadOrder::deadline);
  entry.source = "Mamat, 2011, section 4.2 and Figure 4.1 (EDF-OPR-MN, EDF-OPR-AN, EDF-EPR-MN, EDF-EPR-AN)";
  entry.ties = "earliest arrival, order of input; hosts by free time, then lowest";
  return entry;
}

}  // namespace perigee::realtime
