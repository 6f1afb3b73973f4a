// Factoring: batches of equal chunks, one for each host. A host takes its chunk when it is idle. Each batch
// is a part of the runs left.
//
// Source: Hummel, Schonberg and Flynn, Factoring: a method for scheduling parallel loops, CACM 35(8), 1992;
// FAC2 and the probabilistic form. Cost: O(H log H) an instant. Ties: more cores, runs/s of the last package,
// order of hosts.

#include "runtime/schedulers/sweep/batches.h"

namespace perigee::sweep {

Entry factoring() {
  Entry entry = sweep_entry("factoring");
  entry.summary =
      "an idle host takes a chunk of a batch; chunks are equal in a batch and shrink from one to the next";
  entry.source = "Hummel, Schonberg and Flynn, CACM 35(8), 1992";
  entry.complexity = "O(H log H) an instant";
  entry.ties = "more cores, more runs/s in the last package, order of hosts";
  entry.parameters = {cv_parameter()};
  entry.make_policy = [](const Arguments& given) { return batches({.cv = cv_of(given)}); };
  return entry;
}

}  // namespace perigee::sweep
