// How far the experiments of results folders are.
#pragma once

#include <string>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::experiments {

struct Status {
  std::string text;                // lines
  std::vector<std::string> wrong;  // messages about folders that are no results folders
};
// One folder: a line for each experiment, then its state. Several: a line each, then the sum of each
// experiment.
Status status_of(const std::vector<std::string>& folders);

}  // namespace perigee::experiments
