// Source: Mamat, 2011, section 5.4, see the header.
#include "runtime/cost/reservation.h"

#include <algorithm>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"

namespace perigee::cost {

Reserved reservation_of(const UnitCosts& costs, std::size_t nodes, double load, Time arrival, Seconds within,
                        Seconds advance) {
  if (costs.transmission_setup > 0 || costs.computation_setup > 0)
    fail("bad_costs", "loads with set-ups are not converted to reservations");
  const Seconds transmission = load * costs.transmission;
  if (!(transmission < within))
    fail("not_convertible", "a load of {} that is sent in {} s cannot be reserved for within {} s",
         format_number(load), format_number(transmission), format_number(within));
  const DivisibleCosts on(costs, Partition::optimal);
  const std::size_t fewest = on.fewest_nodes(load, within, nodes);
  if (fewest == 0)
    fail("not_convertible",
         "a load of {} takes {:.6g} s on all nodes, {}: it cannot be reserved for within {} s",
         format_number(load), on.time(load, nodes), nodes, format_number(within));
  const Seconds time = on.time(load, fewest);
  return {.asked = std::max(0.0, arrival - advance),
          .from = arrival,
          .to = arrival + time,
          .nodes = fewest,
          .io_ratio = transmission / time};
}

}  // namespace perigee::cost
