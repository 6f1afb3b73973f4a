// The free amounts of the consumables: memory and resources of hosts, and licences.
#pragma once

#include <span>
#include <vector>

#include "runtime/model/platform.h"
#include "runtime/model/workload.h"

namespace perigee::engine {

class Stock {
 public:
  explicit Stock(const Platform& platform);  // all of it

  // By consumable and by licence of the platform.
  std::span<const double> free_on(HostId host) const {
    return std::span(free_).subspan(host.index * width_, width_);
  }
  std::span<const double> free_licences() const { return licences_; }

  // A share of a job takes what it needs, which is there, or gives it back.
  void take(const Demand& demand, const Share& share) { add(demand, share, -1); }
  void give_back(const Demand& demand, const Share& share) { add(demand, share, 1); }
  void take_licences(const Demand& demand) { add_licences(demand, -1); }
  void give_licences_back(const Demand& demand) { add_licences(demand, 1); }

 private:
  void add(const Demand& demand, const Share& share, double sign);
  void add_licences(const Demand& demand, double sign);

  std::size_t width_ = 0;     // consumables
  std::vector<double> free_;  // host by host
  std::vector<double> licences_;
};

}  // namespace perigee::engine
