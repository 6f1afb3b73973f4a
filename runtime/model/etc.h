// Matrices of expected times to compute (ETC), as values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/layers.h"

namespace perigee::model {

struct EtcMatrix {
  std::size_t tasks = 0;
  std::size_t machines = 0;
  std::vector<double> values;  // values[task * machines + machine], seconds, >= 0; +inf = cannot run there
  std::vector<std::string> task_names = {};     // empty = unnamed
  std::vector<std::string> machine_names = {};  // empty = unnamed

  double at(std::size_t task, std::size_t machine) const { return values[task * machines + machine]; }

  friend bool operator==(const EtcMatrix&, const EtcMatrix&) = default;
};

}  // namespace perigee::model
