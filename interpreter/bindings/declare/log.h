// w.log: what scripts see of a log that jobs were read from, whatever its format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/values/declarations.h"
#include "runtime/model/readers/findings.h"

namespace perigee::values {

struct LogValue {
  std::string name;
  std::int64_t jobs = 0;
  std::int64_t kept = 0;  // jobs of the workload, on a platform that is wide enough for all
  std::int64_t lines = 0;
  double first_submit = 0;                    // s of the log; time 0 of the run
  std::int32_t max_procs = 0, max_nodes = 0;  // 0 = it does not tell
  std::int32_t cores_per_node = 0;            // of its machine, where nodes and processors do not tell; 0 = 1
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<std::string_view> anomalies;  // the names of all that may be found, of static storage
  std::vector<readers::LogFinding> report;
  std::vector<std::string> limitations;
};

}  // namespace perigee::values
