// Hosts are switched off and on, and change their states of speed.
#include <fmt/format.h>

#include "runtime/engine/sim.h"

namespace perigee::engine {

const PowerModel& Sim::power_model(HostId host, std::string_view action) const {
  if (host.index >= state_.hosts.size()) bad_host(host, action);
  const Host& declared = (*state_.platform)[host];
  if (declared.power == nullptr)
    bad(fmt::format("{} host '{}'", action, declared.name), "it declares no power");
  return *declared.power;
}

// The switch of a host is no progress of works: see idle_ends_.
void Sim::record_power(HostId host) {
  ++idle_ends_;
  const HostView& view = state_.hosts[host];
  Record record;
  record.time = state_.now;
  record.first = static_cast<double>(view.power);
  record.size = view.state + 1.0;
  record.on = ResourceId::of(host);
  record.kind = RecordKind::powered;
  trace_.add(record);
}

void Sim::begin_transition(HostId host, Power power) {
  const PowerModel& model = *(*state_.platform)[host].power;
  const Seconds takes = power == Power::booting ? model.boot.time : model.shutdown.time;
  const Time until = state_.now + takes;
  state_.hosts.set_power(host, power, until);
  record_power(host);
  ++progressing_;
  push(Due::power, until, state_.hosts.transition(host).serial, host.index);
}

// A host that is down does not come on.
void Sim::end_transition(HostId host) {
  --progressing_;
  const bool boots = state_.hosts[host].power == Power::booting;
  const bool next = state_.hosts.transition(host).boots_next;
  const bool comes_on = boots && state_.hosts.is_up(host);
  state_.hosts.set_power(host, comes_on ? Power::on : Power::off);
  record_power(host);
  if (next) return begin_transition(host, Power::booting);
  if (boots) state_.posts.touch(host);
  tell(EventKind::powered, ResourceId::of(host), Reason::none, true);
  if (boots && !comes_on) show_outage(host);
}

void Sim::cut_transition(HostId host) {
  const Power power = state_.hosts[host].power;
  if (power != Power::shutting && power != Power::booting) return;
  --progressing_;
  state_.hosts.set_power(host, Power::off);
  record_power(host);
  tell(EventKind::powered, ResourceId::of(host), Reason::outage, true);
  if (power == Power::booting) show_outage(host);
}

// It does not come on, which everybody sees.
void Sim::show_outage(HostId host) {
  if (state_.hosts.notice_outage(host)) tell(EventKind::down, ResourceId::of(host), Reason::outage, true);
}

void Sim::keep_on(HostId host) {
  const HostView& view = state_.hosts[host];
  if (view.power == Power::off && view.up) begin_transition(host, Power::booting);
  if (view.power == Power::shutting) state_.hosts.boot_next(host);
}

void Sim::power_off(HostId host) {
  (void)power_model(host, "power off");
  const HostView& view = state_.hosts[host];
  const auto refuse = [&](std::string_view problem) {
    bad(fmt::format("power off host '{}'", (*state_.platform)[host].name), problem);
  };
  if (!view.up) refuse("the host is down");
  if (view.power != Power::on) refuse(fmt::format("it is {} already", engine::text_of(view.power)));
  if (state_.hosts.hold_on(host) != kNone) refuse("it is held");
  if (!state_.hosts.is_idle(host) || view.running > 0) refuse("something runs there");
  if (is_suspended_on(host)) refuse("a suspended job is to go on there");
  begin_transition(host, Power::shutting);
}

void Sim::power_on(HostId host) {
  (void)power_model(host, "power on");
  const HostView& view = state_.hosts[host];
  const auto refuse = [&](std::string_view problem) {
    bad(fmt::format("power on host '{}'", (*state_.platform)[host].name), problem);
  };
  if (!view.up) refuse("the host is down");
  if (view.power == Power::on) refuse("it is on");
  if (view.power == Power::booting || state_.hosts.transition(host).boots_next)
    refuse("it is switched on already");
  if (view.power == Power::shutting)
    state_.hosts.boot_next(host);
  else
    begin_transition(host, Power::booting);
}

void Sim::set_state(HostId host, std::size_t state) {
  const PowerModel& model = power_model(host, "set the state of");
  if (state >= model.states.size())
    bad(fmt::format("set the state of host '{}' to {}", (*state_.platform)[host].name, state + 1),
        fmt::format("it has {} state{} of speed", model.states.size(), model.states.size() == 1 ? "" : "s"));
  if (state == state_.hosts[host].state) return;
  change_rate(host, [&] {
    state_.hosts.set_speed_state(host, static_cast<std::uint8_t>(state), model.states[state].factor);
  });
  record_power(host);
  tell(EventKind::changed, ResourceId::of(host), Reason::change, true);
}

Time Sim::on_from(HostId host) const {
  const HostView& view = state_.hosts[host];
  const Hosts::Transition& transition = state_.hosts.transition(host);
  if (view.power == Power::on) return state_.now;
  const Seconds boot = (*state_.platform)[host].power->boot.time;
  if (view.power == Power::booting) return transition.until;
  return view.power == Power::shutting ? transition.until + boot : state_.now + boot;
}

}  // namespace perigee::engine
