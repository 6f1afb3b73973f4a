// Adaptive weighted factoring: weights are learnt from the packages that the hosts have finished; later
// packages count more.
//
// Source: Banicescu and Velusamy, IPDPS 2002 (AWF: weights change after each step, here after each sweep, for
// the next one); Carino and Banicescu, J. Supercomputing 44(1), 2008 (AWF-B: at each batch; AWF-C: after each
// chunk). A host that has finished nothing has the weight 1 before scaling. Cost: O(H) a recomputation. Ties:
// as factoring.

#include "runtime/schedulers/sweep/batches.h"

namespace perigee::sweep {

Entry adaptive_factoring() {
  Entry entry = sweep_entry("adaptive_factoring");
  entry.summary = "weighted factoring with weights learnt from what the hosts have finished";
  entry.source = "Banicescu and Velusamy, IPDPS 2002; Carino and Banicescu, J. Supercomputing 44(1), 2008";
  entry.complexity = "O(H) a recomputation, O(H log H) an instant";
  entry.ties = "more cores, more runs/s in the last package, order of hosts";
  entry.parameters = {cv_parameter(),
                      {.name = "learns",
                       .type = ParameterType::choice,
                       .summary = "when weights are recomputed: sweep (AWF), batch (AWF-B) or chunk (AWF-C)",
                       .fallback = "chunk",
                       .choices = {"sweep", "batch", "chunk"}}};
  entry.make_policy = [](const Arguments& given) {
    using Learns = BatchSettings::Learns;
    const std::string& when = given.choice("learns");
    return batches({.cv = cv_of(given),
                    .weights = BatchSettings::Weights::learnt,
                    .learns = when == "sweep"   ? Learns::per_sweep
                              : when == "batch" ? Learns::per_batch
                                                : Learns::per_chunk});
  };
  return entry;
}

}  // namespace perigee::sweep
