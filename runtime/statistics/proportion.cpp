#include "runtime/statistics/proportion.h"

#include <boost/math/special_functions/beta.hpp>
#include <limits>

#include "runtime/kernel/error.h"
#include "runtime/statistics/boost_math.h"
#include "runtime/statistics/checks.h"

namespace perigee::statistics {

double Proportion::share() const {
  return n == 0 ? std::numeric_limits<double>::quiet_NaN()
                : static_cast<double>(successes) / static_cast<double>(n);
}

Proportion clopper_pearson(std::size_t successes, std::size_t n, double confidence) {
  need(confidence > 0 && confidence < 1, "proportion", "confidence", "between 0 and 1, both excluded",
       confidence);
  if (successes > n)
    fail("bad_parameter", "proportion: successes must be at most n = {}, got {}", n, successes);
  const auto yes = static_cast<double>(successes), no = static_cast<double>(n - successes);
  const Real tail((1 - confidence) / 2);
  const double low =
      successes == 0 ? 0 : boost::math::ibeta_inv(Real(yes), Real(no + 1), tail, BoostPolicy()).value;
  const double high =
      successes == n ? 1 : boost::math::ibetac_inv(Real(yes + 1), Real(no), tail, BoostPolicy()).value;
  return {successes, n, low, high, confidence};
}

}  // namespace perigee::statistics
