// What readers of IRMaSim's files say of a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/readers/irmasim.h"
#include "tests/support/faults.h"
#include "tests/support/layers.h"

namespace perigee::test {

inline std::string workload_fault(std::string_view text, std::string_view name = "w.json") {
  return fault_line([&] { parse_irmasim_workload(text, name); });
}

inline std::vector<std::string> texts(const std::vector<IrmasimIgnored>& ignored) {
  std::vector<std::string> all;
  for (const IrmasimIgnored& each : ignored) all.push_back(each.text());
  return all;
}

}  // namespace perigee::test
