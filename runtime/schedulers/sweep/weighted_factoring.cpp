// Weighted factoring: factoring with chunks in proportion to the weight of their host.
//
// Source: Hummel, Schmidt, Uma and Wein, Load-sharing in heterogeneous systems via weighted factoring, SPAA
// 1996. A batch is over when as many chunks have been taken as there are hosts. Cost: O(H log H) an instant.
// Ties: as factoring.

#include "runtime/schedulers/sweep/batches.h"

namespace perigee::sweep {

Entry weighted_factoring() {
  Entry entry = sweep_entry("weighted_factoring");
  entry.summary = "factoring with chunks in proportion to the weights of the hosts";
  entry.source = "Hummel, Schmidt, Uma and Wein, SPAA 1996";
  entry.complexity = "O(H log H) an instant";
  entry.ties = "more cores, more runs/s in the last package, order of hosts";
  entry.parameters = {cv_parameter(),
                      {.name = "weights",
                       .type = ParameterType::choice,
                       .summary = "by cores, or by the runs a second that the run's estimates promise",
                       .fallback = "cores",
                       .choices = {"cores", "estimate"}}};
  entry.make_policy = [](const Arguments& given) {
    using Weights = BatchSettings::Weights;
    return batches({.cv = cv_of(given),
                    .weights = given.choice("weights") == "cores" ? Weights::cores : Weights::estimate});
  };
  return entry;
}

}  // namespace perigee::sweep
