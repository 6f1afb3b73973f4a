#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee::model {

// Consumables are counts that works take while they run and give back: memory (B) and named resources of hosts, and
// licences, of which the platform has so many for all hosts together. They are whole numbers up to kMostOfConsumable,
// kept as doubles, so that sums are exact.
inline constexpr double kMostOfConsumable = 9007199254740992;  // 2^53
// The supply of what never runs short, as the memory of a host that declares none.
inline constexpr double kNeverShort = std::numeric_limits<double>::infinity();
inline constexpr std::string_view kMemory = "memory";
// So much of it, for people: "2 GB", "4".
std::string amount_text(std::string_view consumable, double amount);

// The consumables that a job takes. Entries ascend by `what`.
struct Demand {
  struct OfHost {
    std::uint32_t what = 0;  // in Platform::consumables()
    double each = 0;         // of each of its hosts
    double per_core = 0;     // and for each of its cores there
    double of(std::int32_t cores) const { return each + per_core * cores; }
    bool operator==(const OfHost&) const = default;
  };
  struct OfAll {
    std::uint32_t what = 0;  // in Platform::licences()
    double count = 0;        // for the whole job
    bool operator==(const OfAll&) const = default;
  };
  std::vector<OfHost> of_hosts;
  std::vector<OfAll> licences;
  bool operator==(const Demand&) const = default;

  // The most cores that a share on a host may have, of so many, where so much of each consumable is free; 0 = it fits
  // on no core.
  std::int32_t cores_within(std::span<const double> free, std::int32_t cores) const {
    for (const OfHost& item : of_hosts) {
      const double room = free[item.what];
      if (item.of(cores) <= room) continue;
      if (!(item.of(1) <= room)) return 0;
      cores = static_cast<std::int32_t>(std::clamp<double>((room - item.each) / item.per_core, 1, cores));
      while (item.of(cores) > room) --cores;
    }
    return cores;
  }
  // The first that a share of so many cores finds too little of, null = it fits; and the same of licences.
  const OfHost* short_of(std::span<const double> free, std::int32_t cores) const {
    for (const OfHost& item : of_hosts)
      if (!(item.of(cores) <= free[item.what])) return &item;
    return nullptr;
  }
  const OfAll* short_of_licence(std::span<const double> free) const {
    for (const OfAll& item : licences)
      if (!(item.count <= free[item.what])) return &item;
    return nullptr;
  }
  bool fits(std::span<const double> free, std::int32_t cores) const {
    return short_of(free, cores) == nullptr;
  }
  bool fits_licences(std::span<const double> free) const { return short_of_licence(free) == nullptr; }
};

// The same by names, before a platform says what they are.
struct NamedDemand {
  using Counts = std::vector<std::pair<std::string, double>>;
  double memory = 0, memory_per_core = 0;  // B, whole
  Counts resources = {}, resources_per_core = {}, licences = {};
  auto operator<=>(const NamedDemand&) const = default;
};

}  // namespace perigee::model
