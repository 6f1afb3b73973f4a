// Hosts that are switched off and on, and their states of speed, from the trace alone.
#include "runtime/results/validator/check.h"

namespace perigee::validation {

void Check::powered(const Record& r) {
  if (r.on.kind() != ResourceKind::host || platform_[r.on.host()].power == nullptr) {
    bad(r.time, "'{}' has no power to change", r.on.valid() ? platform_.name_of(r.on) : "nothing");
    return;
  }
  const PowerModel& model = *platform_[r.on.host()].power;
  HostNow& host = hosts_[r.on.at()];
  const std::string& name = platform_[r.on.host()].name;
  const double states = static_cast<double>(model.states.size());
  if (r.first < 0 || r.first > static_cast<double>(Power::booting) || r.size < 1 || r.size > states) {
    bad(r.time, "host '{}' gets a power or a state of speed that does not exist", name);
    return;
  }
  const auto power = static_cast<Power>(r.first);
  const auto state = static_cast<std::size_t>(r.size) - 1;
  if (state != host.state) {
    if (power != host.power) bad(r.time, "host '{}' changes its power and its state of speed at once", name);
    host.state = state;
    Step next = timeline(r.on).back();
    next.at = r.time;
    next.by_state = model.states[state].factor;
    timeline(r.on).push_back(next);
    return;
  }
  const Power before = std::exchange(host.power, power);
  const Time due = std::exchange(host.power_until, kNever);
  const bool is_due = near(r.time, due), was_cut = host.away_since == r.time;
  const auto wrong = [&](std::string_view what) {
    bad(r.time, "host '{}', which is {}, becomes {}: {}", name, name_of(before), name_of(power), what);
  };
  switch (power) {
    case Power::on:
      if (before != Power::booting) wrong("it did not boot");
      if (!is_due) wrong(fmt::format("it was to boot until {}", text(due)));
      if (!host.up()) wrong("it is away");
      return;
    case Power::shutting:
      if (before != Power::on) wrong("it is not on");
      if (!host.acts.empty() || host.held_by != SIZE_MAX) wrong("it is in use");
      host.power_until = r.time + model.shutdown.time;
      return;
    case Power::off:
      if (before != Power::shutting && before != Power::booting) wrong("it was not on its way there");
      if (before == Power::booting && host.up()) wrong("nothing keeps it from being on");
      if (!is_due && !was_cut) wrong(fmt::format("it was on its way until {}", text(due)));
      return;
    case Power::booting:
      if (before != Power::off) wrong("it is not off");
      host.power_until = r.time + model.boot.time;
      return;
  }
}

void Check::power_at_the_end() {
  for (std::size_t h = 0; h < hosts_.size(); ++h)
    if (hosts_[h].power_until < outcome_.end - slack(outcome_.end))
      bad(hosts_[h].power_until, "host '{}' does not end {}", platform_.hosts()[h].name,
          hosts_[h].power == Power::booting ? "to boot" : "to shut down");
}

}  // namespace perigee::validation
