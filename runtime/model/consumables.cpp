#include "runtime/model/consumables.h"

#include "runtime/kernel/quantity.h"

namespace perigee::model {

std::string amount_text(std::string_view consumable, double amount) {
  return consumable == kMemory ? format_quantity(amount, Dimension::bytes) : format_number(amount);
}

}  // namespace perigee::model
