// Divisible loads with deadlines, admitted in the order of their workload derivatives.
#include "runtime/schedulers/realtime/admission.h"

namespace perigee::realtime {

Entry mwf() {
  Entry entry = admission_entry(
      "mwf", "maximum workload derivative first: divisible loads, admitted if all can be in time",
      LoadOrder::workload_derivative);
  entry.source = "Mamat, 2011, equation 4.1 and Figure 4.1 (MWF-OPR-MN, MWF-EPR-MN)";
  entry.ties = "earliest deadline, earliest arrival, order of input; hosts by free time, then lowest";
  return entry;
}

}  // namespace perigee::realtime
