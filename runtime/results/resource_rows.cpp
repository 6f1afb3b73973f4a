#include "runtime/results/resource_rows.h"

#include <algorithm>
#include <limits>

namespace perigee {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::vector<ResourceRow> resource_rows(const Outcome& outcome, const Executions& executions, Time from) {
  const Platform& platform = *outcome.scenario->platform;
  const std::span<const Host> hosts = platform.hosts();
  const std::span<const Link> links = platform.links();
  const Time to = std::max(from, outcome.end);
  std::vector<ResourceRow> rows;
  std::vector<std::size_t> link_row(links.size(), kNone);
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    rows.emplace_back();
    rows.back().id = ResourceId::of(HostId(h));
    rows.back().name = hosts[h].name;
  }
  for (std::size_t l = 0; l < links.size(); ++l) {
    if (links[l].implied) continue;
    link_row[l] = rows.size();
    rows.emplace_back();
    rows.back().id = ResourceId::of(LinkId(l));
    rows.back().name = links[l].name;
  }

  struct Interval {
    Time from, to;
    bool well = false;
  };
  std::vector<std::vector<Interval>> holds(hosts.size()), transfers(links.size());
  for (const Execution& execution : executions.all) {
    if (execution.kind == ActivityKind::hold)
      for (const ResourceId on : executions.on(execution))
        if (on.kind() == ResourceKind::host) holds[on.at()].push_back({execution.started, execution.ended});
    if (execution.is_transfer())
      for (const ResourceId on : executions.on(execution))
        if (on.kind() == ResourceKind::link)
          transfers[on.at()].push_back(
              {execution.started, execution.ended, execution.how == RecordKind::ended});
  }
  for (std::size_t h = 0; h < hosts.size(); ++h)
    for (const Interval& hold : holds[h])
      rows[h].held += overlap(hold.from, hold.to, from, to) * hosts[h].cores;

  for (const Execution& execution : executions.all) {
    const bool well = execution.how == RecordKind::ended;
    const bool counted = execution.ended >= from;
    const bool aborted = !well && execution.how != RecordKind::started;
    for (const ResourceId on : executions.on(execution)) {
      if (on.kind() == ResourceKind::link) {
        if (on.at() >= links.size() || link_row[on.at()] == kNone) continue;
        ResourceRow& row = rows[link_row[on.at()]];
        if (!counted || !execution.is_transfer()) continue;
        ++row.activities;
        const double bytes = bytes_of(outcome, execution);
        if (well) row.bytes += bytes;
        if (well && execution.kind == ActivityKind::transfer_out) row.bytes_out += bytes;
        if (!aborted) continue;
        ++row.aborted;
        row.aborted_bytes += bytes;
        continue;
      }
      if (on.kind() != ResourceKind::host || on.at() >= hosts.size()) continue;
      ResourceRow& row = rows[on.at()];
      if (counted) ++row.activities;
      if (counted && aborted) ++row.aborted;
      if (counted && well && execution.kind == ActivityKind::compute) ++row.computed;
      const bool hold = execution.kind == ActivityKind::hold;
      if (hold && !(execution.work.valid() &&
                    (*outcome.scenario->workload)[execution.work].kind == WorkKind::reservation))
        continue;
      const double cores = hold ? hosts[on.at()].cores : execution.cores;
      const double time = overlap(execution.started, execution.ended, from, to) * cores;
      row.busy += time;
      if (well)
        row.useful += time;
      else if (aborted)
        row.lost += time;
      if (execution.kind == ActivityKind::chunk && counted) {
        const double bytes = bytes_of(outcome, execution);
        if (well) row.bytes += bytes;
        if (aborted) row.aborted_bytes += bytes;
      }
      if (hold) continue;
      row.held += time;  // but not what runs inside a hold, which counts already
      const std::vector<Interval>& held = holds[on.at()];
      auto inside = std::partition_point(held.begin(), held.end(),
                                         [&](const Interval& i) { return i.to <= execution.started; });
      for (; inside != held.end() && inside->from < execution.ended; ++inside)
        row.held -= overlap(std::max(execution.started, inside->from), std::min(execution.ended, inside->to),
                            from, to) *
                    cores;
    }
  }
  const Absences away = absences(outcome);
  const double span = to - from;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    for (const Away& a : away.hosts[h]) rows[h].down += overlap(a.from, a.to, from, to);
    rows[h].utilization = span > 0 ? rows[h].busy / (span * hosts[h].cores) : kNaN;
  }
  for (std::size_t l = 0; l < links.size(); ++l) {
    if (link_row[l] == kNone) continue;
    ResourceRow& row = rows[link_row[l]];
    Time covered = from, well_covered = from;
    for (const Interval& transfer : transfers[l]) {  // by start
      row.busy += overlap(transfer.from, transfer.to, covered, to);
      covered = std::max(covered, transfer.to);
      if (!transfer.well) continue;
      row.useful += overlap(transfer.from, transfer.to, well_covered, to);
      well_covered = std::max(well_covered, transfer.to);
    }
    row.held = row.busy;
    row.lost = row.busy - row.useful;
    for (const Away& a : away.links[l]) row.down += overlap(a.from, a.to, from, to);
    row.utilization = span > 0 ? row.busy / span : kNaN;
  }
  return rows;
}

std::vector<ResourceRow> resource_rows(const Outcome& outcome) {
  return resource_rows(outcome, executions(outcome), std::max(first_arrival(outcome), outcome.warmup));
}

Table resources(const Outcome& outcome) {
  Table table;
  table.columns = {"resource",  "kind",     "cluster",     "cores",        "busy",  "held",
                   "lost",      "down",     "utilization", "activities",   "bytes", "bytes_in",
                   "bytes_out", "computed", "aborted",     "aborted_bytes"};
  table.units = {"", "", "", "", "s", "s", "s", "s", "", "", "B", "B", "B", "", "", "B"};
  const Platform& platform = *outcome.scenario->platform;
  for (const ResourceRow& row : resource_rows(outcome)) {
    const HostId host = row.id.host();
    Cell cluster;
    if (host.valid() && platform[host].cluster.valid()) cluster = platform[platform[host].cluster].name;
    table.rows.push_back({row.name, std::string(name_of(row.id.kind())), cluster,
                          host.valid() ? Cell(static_cast<double>(platform[host].cores)) : Cell(), row.busy,
                          row.held, row.lost, row.down, row.utilization, static_cast<double>(row.activities),
                          row.bytes, row.bytes - row.bytes_out, row.bytes_out,
                          host.valid() ? Cell(static_cast<double>(row.computed)) : Cell(),
                          static_cast<double>(row.aborted), row.aborted_bytes});
  }
  return table;
}

}  // namespace perigee
