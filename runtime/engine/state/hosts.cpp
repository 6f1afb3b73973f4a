#include "runtime/engine/state/hosts.h"

#include <cmath>

namespace perigee::engine {

std::string_view name_of(Power power) {
  switch (power) {
    case Power::on:
      return "on";
    case Power::shutting:
      return "shutting";
    case Power::off:
      return "off";
    case Power::booting:
      return "booting";
  }
  return "on";
}

std::string_view text_of(Power power) { return power == Power::shutting ? "shutting down" : name_of(power); }

Hosts::Hosts(const Platform& platform)
    : platform_(&platform), hosts_(platform.hosts().size()), views_(platform.hosts().size()) {
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    const Host& host = platform.hosts()[h];
    hosts_[h].exclusive = host.exclusive;
    hosts_[h].cores = host.cores;
    hosts_[h].rate.profile = host.availability;
    views_[h] = {.exclusive = host.exclusive,
                 .cores = host.cores,
                 .idle = host.cores,
                 .cluster = host.cluster,
                 .architecture = host.architecture,
                 .speed = host.speed};
  }
}

Presence::Begun Hosts::begin_outage(HostId host, const Outage& outage) {
  ++changes_;
  const Presence::Begun begun = at(host).presence.begin(outage);
  show(host);
  return begun;
}

bool Hosts::notice_outage(HostId host) {
  ++changes_;
  const bool is_news = at(host).presence.notice();
  show(host);
  return is_news;
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
  if (!std::isnan(factor)) {
    at(host).changed = factor;
    rate.factor = factor * at(host).by_state;
  }
  if (availability == nullptr) return;
  rate.profile = *availability;
  rate.since = now;
}

void Hosts::tell_speed(HostId host) {
  ++changes_;
  State& state = at(host);
  state.told = state.changed;
  views_[host.index].speed = (*platform_)[host].speed * (state.told * state.by_state);
}

void Hosts::set_power(HostId host, Power power, Time until) {
  ++changes_;
  State& state = at(host);
  views_[host.index].power = power;
  state.used = power == Power::on ? 0 : state.cores;
  state.transition = {until, state.transition.serial + 1, false};
  show(host);
}

void Hosts::set_speed_state(HostId host, std::uint8_t which, double factor) {
  ++changes_;
  State& state = at(host);
  state.by_state = factor;
  state.rate.factor = state.changed * factor;
  views_[host.index].state = which;
  views_[host.index].speed = (*platform_)[host].speed * (state.told * factor);
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
