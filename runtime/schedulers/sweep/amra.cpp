// AMRA: rounds without a barrier. An idle host gets its share of a round, which is learnt from the packages
// that came back.
//
// ENPR are recomputed at each instant with an end, once every host that was given a package has finished
// one. Cost: O(H) a recomputation, O(I log I) an instant with I idle hosts. Ties: larger NPP, then order
// of hosts.

#include "runtime/schedulers/sweep/asynchronous.h"

namespace perigee::sweep {

Entry amra() {
  Entry entry = rounds_entry("amra", false);
  entry.summary =
      "an idle host gets its share of a round by measured power, rounded up, without waiting for others";
  entry.source = "Sim-PETEK, 2010, section 3.2, Figures 3.6 and 3.7";
  entry.make_policy = [](const Arguments& given) {
    return asynchronous(Quota::of_rounds(given), Rounds::learning(given), {.whole = true});
  };
  return entry;
}

}  // namespace perigee::sweep
