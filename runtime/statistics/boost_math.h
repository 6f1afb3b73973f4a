// How Boost.Math is used: on Real, so that its results have the same bits on every CPU, without
// wider types in between; what it refuses it throws (std::exception).
#pragma once

#include <boost/math/policies/policy.hpp>

#include "runtime/kernel/math.h"

namespace perigee {

using BoostPolicy = boost::math::policies::policy<boost::math::policies::promote_float<false>,
                                                  boost::math::policies::promote_double<false>>;

}  // namespace perigee
