// Suspensions of computations: what they give back and keep.
#include "runtime/results/validator/check.h"

namespace perigee::validation {

void Check::suspend(std::size_t a, const Record& r) {
  Act& act = acts_[a];
  if (act.kind != ActivityKind::compute || !act.work.valid() || partial(act.work))
    bad(r.time, act, "only jobs and tasks are suspended");
  if (act.is_suspended()) return bad(r.time, act, "it is suspended already");
  act.pauses.push_back({r.time});
  for (const ResourceId on : act.on) {
    if (on.kind() != ResourceKind::host) continue;
    HostNow& host = hosts_[on.at()];
    std::erase(host.acts, a);
    host.suspended.push_back(a);
  }
  if (!act.transfers.empty())  // it gives its link back
    must_go_.push_back({act.transfers.back(), "its job is suspended"});
}

void Check::resume(std::size_t a, const Record& r) {
  if (!acts_[a].is_suspended()) return bad(r.time, acts_[a], "it is resumed, but was not suspended");
  acts_[a].pauses.back().to = r.time;
  for (std::size_t i = 0; i < acts_[a].on.size(); ++i) {
    const ResourceId on = acts_[a].on[i];
    if (on.kind() != ResourceKind::host) continue;
    const HostNow& host = hosts_[on.at()];
    if (!host.up() && !(host.present && host.silent))
      bad(r.time, acts_[a], "it is resumed while '{}' is away", platform_.name_of(on));
    std::erase(hosts_[on.at()].suspended, a);
    take_host(a, on.host(), acts_[a].over_hosts() ? acts_[a].cores_of[i] : acts_[a].cores);
  }
  acts_[a].interrupted = !up(acts_[a]);
}

}  // namespace perigee::validation
