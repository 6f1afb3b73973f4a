#include "runtime/results/platform_changes.h"

#include <algorithm>
#include <cmath>

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

void install(Rates& rates, const Happening& happening, const Scenario& scenario, Time at) {
  Rates::Rate next = rates.all.back();
  next.from = at;
  if (!std::isnan(happening.factor)) next.factor = happening.factor;
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
  for (const PlatformChange& change : platform_changes(outcome)) {
    Rates* rates = nullptr;
    if (change.on.kind() == ResourceKind::host)
      rates = &out.hosts[change.on.at()];
    else if (change.on.kind() == ResourceKind::link)
      rates = &out.links[change.on.at()];
    else if (change.on.kind() == ResourceKind::store)
      rates = &out.links[platform[change.on.store()].link.index];
    if (rates == nullptr) continue;
    if (change.happening == nullptr) {
      rates->known = false;
      continue;
    }
    install(*rates, *change.happening, *outcome.scenario, outcome.trace[change.record].time);
    if (change.on.kind() == ResourceKind::host && change.happening->architecture >= 0)
      rates->architectures.emplace_back(change.record, change.happening->architecture);
  }
  return out;
}

}  // namespace perigee::results
