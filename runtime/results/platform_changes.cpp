#include "runtime/results/platform_changes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perigee::results {

std::vector<PlatformChange> platform_changes(const Outcome& outcome) {
  struct Listed {
    const Happening* happening;
    bool used = false;
  };
  std::vector<Listed> listed;
  for (const auto* list : {&outcome.scenario->happenings, &outcome.injected})
    for (const Happening& each : *list)
      if (each.kind == HappeningKind::change || each.kind == HappeningKind::join) listed.push_back({&each});
  const auto time_of = [](const Listed& each) { return each.happening->at; };
  std::ranges::stable_sort(listed, {}, time_of);

  std::vector<PlatformChange> out;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    const bool joined = record.kind == RecordKind::joined;
    if (!joined && record.kind != RecordKind::changed) continue;
    out.push_back({i, record.on});
    const HappeningKind kind = joined ? HappeningKind::join : HappeningKind::change;
    const double near = kEps * std::max(1.0, std::abs(record.time));
    for (auto each = std::ranges::lower_bound(listed, record.time - near, {}, time_of);
         each != listed.end() && each->happening->at <= record.time + near; ++each)
      if (!each->used && each->happening->kind == kind && each->happening->on == record.on) {
        each->used = true;
        out.back().happening = each->happening;
        break;
      }
  }
  return out;
}

namespace {

// The two factors on the speed of a host, or the bandwidth of a link.
struct Factors {
  double changed = 1, by_state = 1;
};

void install(Rates& rates, Factors& factors, const Happening& happening, const Scenario& scenario, Time at) {
  Rates::Rate next = rates.all.back();
  next.from = at;
  if (!std::isnan(happening.factor)) factors.changed = happening.factor;
  next.factor = factors.changed * factors.by_state;
  if (happening.profile != kNone) {
    next.profile = &scenario.profiles[happening.profile];
    next.anchor = happening.at;
  }
  if (happening.latency != kNone) {
    next.latency = &scenario.profiles[happening.latency];
    next.latency_anchor = happening.at;
  }
  rates.all.push_back(next);
}

}  // namespace

std::int32_t Rates::architecture(std::size_t record) const {
  std::int32_t found = architectures.front().second;
  for (const auto& [from, architecture] : architectures)
    if (from < record) found = architecture;
  return found;
}

ResourceRates rates_of(const Outcome& outcome) {
  const Platform& platform = *outcome.scenario->platform;
  ResourceRates out;
  for (const Host& host : platform.hosts()) {
    out.hosts.push_back({.all = {{0, 1, &host.availability, 0}}});
    out.hosts.back().architectures = {{0, host.architecture}};
  }
  for (const Link& link : platform.links())
    out.links.push_back({.all = {{0, 1, &link.bandwidth, 0, &link.latency}}});
  std::vector<Factors> of_hosts(out.hosts.size()), of_links(out.links.size());
  const std::vector<PlatformChange> changes = platform_changes(outcome);
  auto change = changes.begin();
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    if (record.kind == RecordKind::powered) {
      const std::size_t h = record.on.at();
      const auto state = static_cast<std::size_t>(record.size) - 1;
      const double factor = platform.hosts()[h].power->states[state].factor;
      if (std::exchange(of_hosts[h].by_state, factor) == factor) continue;
      out.hosts[h].all.push_back(out.hosts[h].all.back());
      out.hosts[h].all.back().from = record.time;
      out.hosts[h].all.back().factor = of_hosts[h].changed * factor;
    }
    if (change == changes.end() || change->record != i) continue;
    const PlatformChange& now = *change++;
    Rates* rates = nullptr;
    Factors* factors = nullptr;
    if (now.on.kind() == ResourceKind::host) {
      rates = &out.hosts[now.on.at()];
      factors = &of_hosts[now.on.at()];
    } else if (now.on.kind() == ResourceKind::link || now.on.kind() == ResourceKind::store) {
      const std::size_t link =
          now.on.kind() == ResourceKind::link ? now.on.at() : platform[now.on.store()].link.index;
      rates = &out.links[link];
      factors = &of_links[link];
    }
    if (rates == nullptr) continue;
    if (now.happening == nullptr) {
      rates->known = false;
      continue;
    }
    install(*rates, *factors, *now.happening, *outcome.scenario, record.time);
    if (now.on.kind() == ResourceKind::host && now.happening->architecture >= 0)
      rates->architectures.emplace_back(i, now.happening->architecture);
  }
  return out;
}

}  // namespace perigee::results
