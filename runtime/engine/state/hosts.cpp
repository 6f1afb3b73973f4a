#include "runtime/engine/state/hosts.h"

#include <cmath>

namespace perigee::engine {

Hosts::Hosts(const Platform& platform)
    : platform_(&platform), hosts_(platform.hosts().size()), views_(platform.hosts().size()) {
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    const Host& host = platform.hosts()[h];
    hosts_[h].exclusive = host.exclusive;
    hosts_[h].cores = host.cores;
    hosts_[h].rate.profile = host.availability;
    views_[h] = {true, host.exclusive, host.cores,        host.cores, 0,
                 0,    host.cluster,   host.architecture, host.speed};
  }
}

Presence::Begun Hosts::begin_outage(HostId host, const Outage& outage) {
  ++changes_;
  const Presence::Begun begun = at(host).presence.begin(outage);
  show(host);
  return begun;
}

bool Hosts::recover(HostId host) {
  ++changes_;
  const bool told = at(host).presence.recover();
  show(host);
  return told;
}

void Hosts::leave(HostId host) {
  ++changes_;
  at(host).presence.leave();
  show(host);
}

void Hosts::join(HostId host) {
  ++changes_;
  at(host).presence.join();
  show(host);
}

void Hosts::move_outages(HostId host, const Outages& from, const Outages& to) {
  ++changes_;
  at(host).presence.move(from, to);
  show(host);
}

void Hosts::install(HostId host, double factor, const Profile* availability, Time now) {
  ++changes_;
  Rate& rate = at(host).rate;
  if (!std::isnan(factor)) rate.factor = factor;
  if (availability == nullptr) return;
  rate.profile = *availability;
  rate.since = now;
}

void Hosts::tell_speed(HostId host) {
  ++changes_;
  views_[host.index].speed = (*platform_)[host].speed * at(host).rate.factor;
}

void Hosts::hold(HostId host, std::uint32_t slot, WorkId work) {
  State& state = at(host);
  state.held_by = slot;
  state.held_for = work;
  state.held_used = 0;
  state.used = state.cores;
  ++views_[host.index].running;
  show(host);
}

void Hosts::free(HostId host) {
  State& state = at(host);
  state.held_by = kNone;
  state.held_for = {};
  state.used = state.held_used;
  state.held_used = 0;
  --views_[host.index].running;
  show(host);
}

}  // namespace perigee::engine
