#include "runtime/engine/state/stock.h"

#include "runtime/kernel/error.h"

namespace perigee::engine {

Stock::Stock(const Platform& platform) : width_(platform.consumables().size()) {
  if (width_ > 0)
    for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
      const std::span<const double> all = platform.supplies(HostId(h));
      free_.insert(free_.end(), all.begin(), all.end());
    }
  for (const Licence& licence : platform.licences()) licences_.push_back(licence.count);
}

void Stock::add(const Demand& demand, const Share& share, double sign) {
  for (const Demand::OfHost& item : demand.of_hosts) {
    double& free = free_[share.host.index * width_ + item.what];
    free += sign * item.of(share.cores);
    PERIGEE_ASSERT(free >= 0, "more is taken of a consumable than there is");
  }
}

void Stock::add_licences(const Demand& demand, double sign) {
  for (const Demand::OfAll& item : demand.licences) {
    licences_[item.what] += sign * item.count;
    PERIGEE_ASSERT(licences_[item.what] >= 0, "more licences are taken than there are");
  }
}

}  // namespace perigee::engine
