// The settings for Boost.Math. It is used on Real and without wider types in between, so that its results
// have the same bits on every CPU. A result that is too large is infinite; it throws anything else that it
// refuses.
#pragma once

#include <boost/math/policies/policy.hpp>

#include "runtime/kernel/math.h"

namespace perigee::statistics {

using BoostPolicy = boost::math::policies::policy<
    boost::math::policies::promote_float<false>, boost::math::policies::promote_double<false>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::discrete_quantile<boost::math::policies::integer_round_up>>;

}  // namespace perigee::statistics
