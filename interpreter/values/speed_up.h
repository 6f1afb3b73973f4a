#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/host/stack.h"
#include "interpreter/layers.h"

namespace perigee::values {

// speedup.amdahl { }, speedup.downey { } and speedup.table { }: the run time of a job by its size.
struct SpeedUp {
  enum class Law : std::uint8_t { amdahl, downey, table };
  Law law = Law::amdahl;
  // On one core: s, or operations of each core. None is needed to ask for speed-ups alone.
  std::optional<double> alone = {};
  enum class Unit : std::uint8_t { number, seconds, operations };
  Unit unit = Unit::number;  // as it was written
  double serial = 0;         // of Amdahl: share of the time that no further core shortens, 0 to 1
  double parallelism = 1;    // of Downey: on average, >= 1
  double sigma = 0;          // of Downey: how much it varies, >= 0; 0 = not at all
  std::vector<std::pair<std::int32_t, double>> times = {};  // of a table, by size, ascending
};

}  // namespace perigee::values

namespace perigee::host {

template <>
struct TypeName<values::SpeedUp> {
  static constexpr const char* value = "speed-up";
};

}  // namespace perigee::host
