#include "runtime/engine/state/outages.h"

#include <algorithm>

namespace perigee::engine {

bool Outages::any_announced() const { return std::ranges::any_of(all_, &Outage::announced); }

bool Outages::any_by_hand() const {
  return std::ranges::any_of(all_,
                             [](const Outage& each) { return each.origin() == OutageOrigin::intervention; });
}

bool Outages::any_reserved() const { return std::ranges::any_of(all_, &Outage::is_reservation); }

bool Outages::any_to_recover() const {
  return std::ranges::any_of(all_, [](const Outage& each) { return !each.is_reservation(); });
}

bool Outages::only_drawn() const {
  return !all_.empty() &&
         std::ranges::all_of(all_, [](const Outage& each) { return each.origin() == OutageOrigin::drawn; });
}

Outage Outages::ended_by(const Outage& up) const {
  const auto free = [](OutageOrigin origin) {
    return origin == OutageOrigin::intervention || origin == OutageOrigin::process;
  };
  if (!free(up.origin())) return up;
  const Outage* found = nullptr;
  int rank = 0;
  for (const Outage& each : all_) {
    if (each.is_reservation() != up.is_reservation()) continue;
    const int its = each.origin() == up.origin() ? 3 : free(each.origin()) ? 2 : 1;
    if (its > rank || (its == rank && its > 1)) found = &each;
    rank = std::max(rank, its);
  }
  return found == nullptr ? up : *found;
}

bool Outages::end(const Outage& outage) {
  for (std::size_t k = all_.size(); k-- > 0;) {
    if (all_[k].number != outage.number || all_[k].is_reservation() != outage.is_reservation()) continue;
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(k));
    return true;
  }
  return false;
}

void Outages::move(const Outages& from, const Outages& to) {
  for (const Outage& each : from.all_) end(each);
  all_.insert(all_.end(), to.all_.begin(), to.all_.end());
}

}  // namespace perigee::engine
