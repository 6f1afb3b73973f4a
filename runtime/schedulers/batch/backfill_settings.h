// The settings of backfill: its parameters and their meaning.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/mold.h"
#include "runtime/schedulers/batch/power_saving.h"
#include "runtime/schedulers/batch/preemption.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::batch {

struct BackfillSettings {
  enum class Ranking : std::uint8_t { arrival, shortest, smallest, largest };
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  Ranking ranking = Ranking::arrival;
  ClonePtr<Rule> priority = {};  // a function, in place of the ranking
  HostRule host = HostChoice::fastest;
  Mold mold = kDefaultMold;
  std::size_t reserve = kAll, depth = kAll, main_depth = kAll, max_start = kAll, max_user = kAll;
  Seconds min_age = 0, window = kNever, interval = 0, resolution = 0;
  bool licences = true;
  Preemption preemption{{}};
  PowerSettings power = {};

  // To multiples of the resolution.
  Time rounded_up(Time at) const {
    if (resolution == 0 || at == kNever) return at;
    return std::max(at, std::ceil(at / resolution) * resolution);
  }
  Time rounded_down(Time at) const {
    if (resolution == 0) return at;
    return std::min(at, std::floor(at / resolution) * resolution);
  }
  // Whether the time is a multiple of the interval.
  bool is_multiple(Time at) const { return std::round(at / interval) * interval == at; }
  Time multiple_from(Time at) const {
    const double first = std::floor(at / interval) - 1;
    for (int i = 0; i < 4; ++i)
      if (const Time multiple = (first + i) * interval; multiple >= at) return multiple;
    return at;  // more multiples than numbers
  }
};

std::vector<Parameter> backfill_parameters();
BackfillSettings backfill_settings(const Arguments& given);

}  // namespace perigee::batch
