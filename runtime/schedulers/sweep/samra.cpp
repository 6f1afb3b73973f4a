// SAMRA: AMRA with probes as first packages. Its packages fill the waves of their hosts.
//
// Probes do not reduce the runs in a round.
// Cost and ties: those of amra.

#include "runtime/schedulers/sweep/asynchronous.h"

namespace perigee::sweep {

Entry samra() {
  Entry entry = rounds_entry("samra", false);
  entry.summary = "amra that begins with probes; packages are multiples of what fills a host's slots";
  entry.source = "Sim-PETEK, 2010, section 3.3.1, Figures 3.8 and 3.9";
  entry.parameters.push_back(units_parameter());
  entry.parameters.push_back(
      {.name = "probe",
       .type = ParameterType::integer,
       .summary = "runs in the first package of a host; published, slots / gcd(slots, 10)",
       .fallback = "published",
       .min = 1,
       .max = 1e9,
       .words = {"published"},
       .by_round = true});
  entry.parameters.push_back(threshold_parameter());
  entry.make_policy = [](const Arguments& given) {
    return asynchronous(Quota::of_rounds(given), Rounds::learning(given),
                        {.probes = true,
                         .units = given.per_round("units"),
                         .probe = given.per_round("probe"),
                         .threshold = given.per_round("threshold")});
  };
  return entry;
}

}  // namespace perigee::sweep
