#include <algorithm>

#include "runtime/kernel/math.h"
#include "runtime/space/parts.h"

namespace perigee::space {

Datum shaken(const Space& space, const Datum& value, double share, Stream& stream) {
  constexpr double kWide =
      20;  // a whole number of a narrower range is a count or a kind rather than a measure
  for (int refused = 0; refused < kMostRefusals; ++refused) {
    Datum moved = value;
    walk({space.root, moved}, [&](const Place& place) {
      const Variable& variable = place.variable;
      const bool real = variable.kind == Variable::Kind::real;
      if (!real && !(variable.kind == Variable::Kind::whole && variable.high - variable.low > kWide)) return;
      double& number = place.value.number;
      number *= 1 + share * (2 * stream.unit() - 1);
      if (!real) number = math::round(number);
      number = std::clamp(number, variable.low, variable.high);
    });
    follow_counts(space, moved, stream);
    if (is_valid(space, moved)) return moved;
  }
  return value;
}

}  // namespace perigee::space
