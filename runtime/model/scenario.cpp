#include "runtime/model/scenario.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perigee::model {

std::string_view name_of(OnFailure rule) {
  switch (rule) {
    case OnFailure::lost:
      return "lost";
    case OnFailure::resumed:
      return "resumed";
    case OnFailure::restarted:
      return "restarted";
  }
  return "lost";
}

void Scenario::check() const {
  if (platform->hosts().empty()) fail("bad_platform", "the platform has no hosts");
  workload->check(*platform);
  for (const Happening& happening : happenings) {
    check(happening);
    for (const std::uint32_t profile : {happening.profile, happening.latency})
      if (profile != kNone && profile >= profiles.size())
        fail_at(happening.declared_at, "bad_event", "'{}': no such profile", platform->name_of(happening.on));
  }
  for (const FailureModel& model : failures) {
    const auto positive = [&](std::string_view field, double value) {
      if (!(value > 0) || !(value < kNever))
        fail_at(model.declared_at, "bad_failures", "failures: {} must be finite and > 0, got {}", field,
                value);
    };
    const auto lasting = [&](std::string_view field, double value) {
      if (!(value >= kShortestMean) || !(value < kNever))
        fail_at(model.declared_at, "bad_failures", "failures: {} must be finite and >= {} s, got {}", field,
                kShortestMean, value);
    };
    lasting("mtbf", model.mtbf);
    lasting("mttr", model.mttr);
    positive("shape", model.shape);
    positive("repair_shape", model.repair_shape);
    if (model.hosts.empty()) fail_at(model.declared_at, "bad_failures", "failures: no hosts");
  }
}

void Scenario::check(const Happening& happening) const {
  const auto who = [&] { return platform->name_of(happening.on); };
  if (!(happening.at >= 0) || !(happening.at < kNever))
    fail_at(happening.declared_at, "bad_event", "an event must be at a finite time >= 0 s, got {}",
            happening.at);
  if (happening.known < kNever &&
      (!(happening.known >= 0) || happening.known > happening.at || !happening.announced))
    fail_at(happening.declared_at, "bad_event",
            "what happens at {} s is known at {} s: that must be from 0 s to then, and it must be announced",
            happening.at, happening.known);
  if (happening.kind != HappeningKind::mark && !happening.on.valid())
    fail_at(happening.declared_at, "bad_event", "an event needs a host, link or cluster");
  if (happening.kind == HappeningKind::change && (happening.factor < 0 || happening.factor == kNever))
    fail_at(happening.declared_at, "bad_event",
            "'{}': speed must be finite and >= 0, got {} times the nominal one", who(), happening.factor);
  if (happening.latency != kNone && happening.on.kind() == ResourceKind::host)
    fail_at(happening.declared_at, "bad_event", "host '{}': only a link has a latency", who());
  if (happening.kind == HappeningKind::join && workload)
    workload->check_architecture(happening.architecture, who(), happening.declared_at);
  const bool moves = happening.kind == HappeningKind::leave || happening.kind == HappeningKind::join;
  if (moves && happening.on.kind() == ResourceKind::link)
    fail_at(happening.declared_at, "bad_event",
            "link '{}': hosts and clusters leave and join; a link has outages", who());
}

namespace {

// Hosts that leave and join, as far as that is known beforehand.
class Absences {
 public:
  Absences(const Scenario& scenario, std::vector<Window>& windows) : windows_(windows) {
    const Absent absent = absent_at_start(scenario);
    for (std::size_t h = 0; h < absent.hosts.size(); ++h) {
      hosts_.push_back({.cluster = scenario.platform->hosts()[h].cluster});
      if (absent.hosts[h] != 0) hosts_.back().since = 0;
    }
    std::vector<std::uint32_t> order(scenario.happenings.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t k) { return scenario.happenings[k].at; });
    for (const std::uint32_t k : order) add(scenario.happenings[k]);
    for (std::size_t h = 0; h < hosts_.size(); ++h)
      if (hosts_[h].known < kNever) window(HostId(h), hosts_[h].known, kNever);
  }

 private:
  struct HostPlace {
    ClusterId cluster;
    Time since = kNever;  // it left; kNever: it is there
    Time known = kNever;  // since when that it would leave was known
  };

  void add(const Happening& each) {
    if (each.kind == HappeningKind::leave) {
      for (std::size_t h = 0; h < hosts_.size(); ++h)
        if (each.on == ResourceId::of(HostId(h)) ||
            (each.on.kind() == ResourceKind::store && hosts_[h].cluster == each.on.store()))
          if (hosts_[h].since == kNever) hosts_[h].since = each.at, hosts_[h].known = each.known;
    } else if (each.kind == HappeningKind::join && each.on.kind() == ResourceKind::host) {
      HostPlace& host = hosts_[each.on.at()];
      if (each.cluster.valid()) host.cluster = each.cluster;
      if (host.since == kNever) return;
      const bool foreseen = each.known <= host.known;
      if (host.known < kNever) window(each.on.host(), host.known, foreseen ? each.at : kNever);
      if (each.known < kNever && (!foreseen || host.known == kNever))
        window(each.on.host(), each.known, each.at);
      host.since = host.known = kNever;
    }
  }
  void window(HostId host, Time known, Time to) {
    windows_.push_back({.known = known,
                        .from = hosts_[host.index].since,
                        .to = to,
                        .on = ResourceId::of(host),
                        .cause = Cause::membership});
  }

  std::vector<Window>& windows_;
  std::vector<HostPlace> hosts_;
};

}  // namespace

std::vector<Window> windows_of(const Scenario& scenario) {
  std::vector<Window> windows;
  const bool known_members = std::ranges::any_of(scenario.happenings, [](const Happening& each) {
    return each.kind != HappeningKind::down && each.known < kNever;
  });
  if (known_members) Absences(scenario, windows);
  for (std::size_t k = 0; k < scenario.happenings.size(); ++k) {
    const Happening& down = scenario.happenings[k];
    if (down.kind != HappeningKind::down || down.known == kNever) continue;
    Window window{.known = down.known, .from = down.at, .on = down.on, .cause = down.cause};
    for (const Happening& up : scenario.happenings)
      if (up.kind == HappeningKind::up && up.outage == down.outage && up.on == down.on && up.at >= down.at)
        window.to = std::min(window.to, up.at);
    windows.push_back(window);
  }
  std::ranges::stable_sort(windows, {}, &Window::known);
  return windows;
}

Absent absent_at_start(const Scenario& scenario) {
  const Platform& platform = *scenario.platform;
  Absent absent{std::vector<std::uint8_t>(platform.hosts().size()),
                std::vector<std::uint8_t>(platform.clusters().size())};
  std::vector<std::uint8_t> host_known(absent.hosts.size()), cluster_known(absent.clusters.size());
  std::vector<std::uint32_t> order(scenario.happenings.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t k) { return scenario.happenings[k].at; });
  for (const std::uint32_t k : order) {
    const Happening& happening = scenario.happenings[k];
    const bool joins = happening.kind == HappeningKind::join;
    if (!joins && happening.kind != HappeningKind::leave) continue;
    if (happening.on.kind() == ResourceKind::host) {
      const std::size_t host = happening.on.at();
      if (host_known[host] == 0 && joins) absent.hosts[host] = 1;
      host_known[host] = 1;
    } else if (happening.on.kind() == ResourceKind::store) {
      const ClusterId cluster = happening.on.store();
      const std::vector<HostId>& hosts = platform[cluster].hosts;
      if (cluster_known[cluster.index] == 0 && joins) {
        absent.clusters[cluster.index] = 1;
        for (const HostId host : hosts) absent.hosts[host.index] = 1;
      }
      cluster_known[cluster.index] = 1;
      if (!joins)
        for (const HostId host : hosts) host_known[host.index] = 1;
    }
  }
  return absent;
}

}  // namespace perigee::model
