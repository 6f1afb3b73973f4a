// ISSSE-AMRA: SSSE-AMRA, in which hosts that have nothing left to do copy packages that they would end
// earlier.
//
// It concerns a host that becomes idle when all runs are dealt out: its package has ended or was lost, or
// it has just come. The host takes the package that ends last, among those that it would end earlier;
// copies begun before in the instant count too. Among equal ends, it takes the one whose host is served
// first. The first copy to end counts. Cost: O(R log R) an instant with R packages under way in the end,
// before that the cost of amra. Ties: those of amra.

#include "runtime/schedulers/sweep/asynchronous.h"

namespace perigee::sweep {

Entry issse_amra() {
  Entry entry = rounds_entry("issse_amra", true);
  entry.summary = "ssse_amra that in the end copies the latest packages to hosts that end them earlier";
  entry.source = "Sim-PETEK, 2010, section 3.3.3, Figures 3.13 to 3.15";
  entry.parameters.push_back(units_parameter());
  entry.parameters.push_back(threshold_parameter());
  entry.parameters.push_back({.name = "redistribute",
                              .type = ParameterType::choice,
                              .summary = "who copies: hosts that have just become idle, by the end "
                                         "or loss of a package or by coming, or any that is idle",
                              .fallback = "completed",
                              .choices = {"completed", "idle"}});
  entry.parameters.push_back(
      {.name = "estimate",
       .type = ParameterType::choice,
       .summary = "ends are estimated as the run knows them, or from the NPP of the hosts",
       .fallback = "exact",
       .choices = {"exact", "measured"}});
  entry.make_policy = [](const Arguments& given) {
    return asynchronous(Quota::of_sine(given), Rounds::learning(given),
                        {.capped = given.choice("sizing") == "capped",
                         .redistributes = true,
                         .any_idle = given.choice("redistribute") == "idle",
                         .measured_ends = given.choice("estimate") == "measured",
                         .units = given.per_round("units"),
                         .threshold = given.per_round("threshold")});
  };
  return entry;
}

}  // namespace perigee::sweep
