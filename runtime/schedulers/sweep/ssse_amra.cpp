// SSSE-AMRA: slow start, slow end. Rounds grow and shrink along a sine.
//
// A round is over when as many runs have been dealt out as it and the rounds before it have, rounded down.
// If its last package goes beyond that, the excess counts for the next round. Cost and ties: those of
// amra.

#include "runtime/schedulers/sweep/asynchronous.h"

namespace perigee::sweep {

Entry ssse_amra() {
  Entry entry = rounds_entry("ssse_amra", true);
  entry.summary = "rounds first grow, then shrink along a sine; an idle host gets its share without waiting";
  entry.source = "Sim-PETEK, 2010, section 3.3.2, Figures 3.10 to 3.12";
  entry.parameters.push_back(units_parameter());
  entry.parameters.push_back(threshold_parameter());
  entry.make_policy = [](const Arguments& given) {
    return asynchronous(Quota::of_sine(given), Rounds::learning(given),
                        {.capped = given.choice("sizing") == "capped",
                         .units = given.per_round("units"),
                         .threshold = given.per_round("threshold")});
  };
  return entry;
}

}  // namespace perigee::sweep
