// Shares of the runs of a sweep for each host, from one measured run on each.
//
// Source: Gonzalez-Velez and Cole, as given by Sim-PETEK (2010), section 2.5.3, equations 2.1 to 2.6.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/layers.h"

namespace perigee::cost {

enum class CalibrationMode {
  times,         // (2.1) from the measured times alone
  univariate,    // (2.2) from a fit t = c0 + c1 a
  multivariate,  // (2.3) from a fit t = c0 + c1 l + c2 a^2
};

struct Calibration {
  std::vector<double> fitness;   // F per host, sum 1
  std::vector<double> fitted;    // s, per host: the times from which F comes
  std::vector<double> packages;  // alpha per host, runs, >= 1 (2.4)
  double cv = 0;                 // of the measured times (2.5)
  double k = 1;                  // installments, >= 1 (2.6)
  bool fell_back = false;        // the fit was singular or gave a time <= 1e-9 s: the measured times count
};

// `times`: s of a run on each host, > 0. `left`: runs to be dealt, >= 0. `single`: one installment, k = 1.
// `availability` (0 to 1] and `latency` (s) have one value per host if the mode needs them. Errors
// "missing_availability", "bad_availability", "bad_time".
Calibration calibrate(CalibrationMode mode, std::span<const double> times,
                      std::span<const double> availability, std::span<const double> latency, double left,
                      bool single);

}  // namespace perigee::cost
