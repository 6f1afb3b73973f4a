// Oddities that readers of logs found, as scripts see them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perigee::readers {

struct LogFinding {
  std::string_view anomaly;     // its name, of static storage
  std::int64_t count = 0;       // > 0
  std::int64_t first_line = 0;  // of the file; 0 = it belongs to no line
  std::string what;             // "jobs that took no time"
  std::string policy;           // "duplicates = last", or empty where there is no choice
  std::string done;             // "left out"
  bool operator==(const LogFinding&) const = default;
};

}  // namespace perigee::readers
