#include "runtime/engine/state/presence.h"

namespace perigee::engine {

Presence::Begun Presence::begin(const Outage& outage) {
  const Begun begun{is_up(), outages_.empty(), outage.announced && !told_down_};
  outages_.begin(outage);
  told_down_ = told_down_ || outage.announced;
  return begun;
}

void Presence::move(const Outages& from, const Outages& to) {
  Outages own = outages_;
  own.move(from, {});
  outages_.move(from, to);
  told_down_ = to.any_announced() || (!own.empty() && told_down_);
}

}  // namespace perigee::engine
