#include "runtime/results/resource_rows.h"

#include <algorithm>
#include <optional>

#include "runtime/kernel/constants.h"
#include "runtime/results/energy.h"

namespace perigee::results {
namespace {

bool is_well(const Execution& execution) { return execution.how == RecordKind::ended; }
bool is_aborted(const Execution& execution) {
  return !is_well(execution) && execution.how != RecordKind::started;
}

}  // namespace

ResourceUse::ResourceUse(const Scenario& scenario)
    : holds_(scenario.platform->hosts().size()),
      outside_(holds_.size(), 0),
      covered_(scenario.platform->links().size()) {
  rows_.reserve(holds_.size() + covered_.size());
  for (std::size_t h = 0; h < holds_.size(); ++h) rows_.emplace_back().id = ResourceId::of(HostId(h));
  link_row_.assign(covered_.size(), kNone);
  for (std::size_t l = 0; l < covered_.size(); ++l) {
    if (scenario.platform->links()[l].implied) continue;
    link_row_[l] = rows_.size();
    rows_.emplace_back().id = ResourceId::of(LinkId(l));
  }
}

void ResourceUse::set_from(Time from) {
  from_ = from;
  std::ranges::fill(covered_, Covered{from, from});
}

void ResourceUse::take(const Record& record) {
  if (record.what != ActivityKind::hold || !record.on.host().valid()) return;
  std::vector<Hold>& holds = holds_[record.on.at()];
  const auto hold = std::find_if(holds.rbegin(), holds.rend(),
                                 [&](const Hold& each) { return each.serial == record.activity; });
  if (record.kind == RecordKind::started && hold == holds.rend())
    holds.push_back({record.time, kNever, record.activity});
  if (record.kind >= RecordKind::ended && hold != holds.rend() && hold->to == kNever) hold->to = record.time;
}

void ResourceUse::add_hold(const Scenario& scenario, const Execution& execution,
                           std::span<const UsedResource> on) {
  for (const ResourceId each : on) {
    if (!each.host().valid()) continue;
    rows_[each.at()].held +=
        within(execution.started, execution.ended) * (*scenario.platform)[each.host()].cores;
    if (outside_[each.at()] != 0) knows_held_ = false;
  }
}

void ResourceUse::add(const Scenario& scenario, const Execution& execution, std::span<const UsedResource> on,
                      const Absences& away) {
  for (const UsedResource& each : on) {
    const std::size_t at = each.at();
    if (each.kind() == ResourceKind::link && at < link_row_.size() && link_row_[at] != kNone)
      add_to_link(scenario, at, execution, away.links[at]);
    if (each.kind() == ResourceKind::host && at < holds_.size())
      add_to_host(scenario, at, each.cores, execution, away.hosts[at]);
  }
}

void ResourceUse::add_to_link(const Scenario& scenario, std::size_t link, const Execution& execution,
                              const std::vector<Away>& away) {
  if (!execution.is_transfer()) return;
  ResourceRow& row = rows_[link_row_[link]];
  const auto moving_since = [&](Time& covered) {
    Seconds sum = 0;
    each_present(away, execution.started, execution.ended,
                 [&](Time a, Time b) { sum += overlap(a, b, covered, to_); });
    covered = std::max(covered, execution.ended);
    return sum;
  };
  row.busy += moving_since(covered_[link].any);
  if (is_well(execution)) row.useful += moving_since(covered_[link].well);
  if (!counted(execution)) return;
  ++row.activities;
  const double bytes = bytes_of(*scenario.workload, execution);
  if (is_well(execution)) row.bytes += bytes;
  if (is_well(execution) && execution.kind == ActivityKind::transfer_out) row.bytes_out += bytes;
  if (!is_aborted(execution)) return;
  ++row.aborted;
  row.aborted_bytes += bytes;
}

void ResourceUse::add_to_host(const Scenario& scenario, std::size_t host, std::int32_t used,
                              const Execution& execution, const std::vector<Away>& away) {
  ResourceRow& row = rows_[host];
  const bool counts = counted(execution);
  if (counts) ++row.activities;
  if (counts && is_aborted(execution)) ++row.aborted;
  if (counts && is_well(execution) && execution.kind == ActivityKind::compute) ++row.computed;
  const double all_cores = (*scenario.platform)[HostId(host)].cores;
  const bool hold = execution.kind == ActivityKind::hold;
  if (hold && !(execution.work.valid() && (*scenario.workload)[execution.work].kind == WorkKind::reservation))
    return;
  const double cores = hold ? all_cores : used;
  const Shape* shape = execution.work.valid() ? scenario.workload->shape_of(execution.work) : nullptr;
  if (shape != nullptr && shape->reservation.valid()) return;  // it counts with its reservation
  const double kept = shape != nullptr && shape->exclusive ? all_cores : cores;
  double time = 0;
  execution.each_spell([&](Time from, Time to) {
    each_present(away, from, to, [&](Time a, Time b) {
      time += within(a, b) * cores;
      if (hold) return;
      const double outside = within(a, b) * kept - held_within(host, a, b) * kept;
      row.held += outside;
      if (outside != 0) outside_[host] = 1;
    });
  });
  row.busy += time;
  if (is_well(execution))
    row.useful += time;
  else if (is_aborted(execution))
    row.lost += time;
  if (execution.kind == ActivityKind::chunk && counts) {
    const double bytes = bytes_of(*scenario.workload, execution);
    if (is_well(execution)) row.bytes += bytes;
    if (is_aborted(execution)) row.aborted_bytes += bytes;
  }
}

// Activities inside a hold count with the hold.
Seconds ResourceUse::held_within(std::size_t host, Time from, Time to) const {
  const std::vector<Hold>& held = holds_[host];
  auto inside = std::partition_point(held.begin(), held.end(), [&](const Hold& i) { return i.to <= from; });
  Seconds sum = 0;
  for (; inside != held.end() && inside->from < to; ++inside)
    sum += within(std::max(from, inside->from), std::min(to, inside->to));
  return sum;
}

std::vector<ResourceRow> ResourceUse::rows(const Scenario& scenario, const Absences& away, Time end) {
  to_ = std::max(from_, end);
  const Seconds span = to_ - from_;
  for (ResourceRow& row : rows_) {
    const std::size_t at = row.id.at();
    const bool is_host = row.id.kind() == ResourceKind::host;
    for (const Away& each : is_host ? away.hosts[at] : away.links[at]) row.down += within(each.from, each.to);
    if (!is_host) {
      row.held = row.busy;
      row.lost = row.busy - row.useful;
    }
    const double whole = is_host ? span * (*scenario.platform)[HostId(at)].cores : span;
    row.utilization = to_ > from_ ? row.busy / whole : kNaN;
  }
  return rows_;
}

std::vector<ResourceRow> resource_rows(const Outcome& outcome) {
  const Scenario& scenario = *outcome.scenario;
  const Executions runs = executions(outcome);
  const Absences away = absences(outcome);
  ResourceUse use(scenario);
  use.set_from(std::max(first_arrival(outcome), outcome.warmup));
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) use.take(outcome.trace[i]);
  for (const Execution& run : runs.all)
    if (run.kind == ActivityKind::hold) use.add_hold(scenario, run, runs.on(run));
  for (const Execution& run : runs.all) use.add(scenario, run, runs.on(run), away);
  std::vector<ResourceRow> rows = use.rows(scenario, away, outcome.end);
  for (ResourceRow& row : rows) row.name = scenario.platform->name_of(row.id);
  return rows;
}

Table resources(const Outcome& outcome) {
  Table table;
  table.columns = {"resource",  "kind",     "cluster",     "cores",        "busy",  "held",
                   "lost",      "down",     "utilization", "activities",   "bytes", "bytes_in",
                   "bytes_out", "computed", "aborted",     "aborted_bytes"};
  table.units = {"", "", "", "", "s", "s", "s", "s", "", "", "B", "B", "B", "", "", "B"};
  const Platform& platform = *outcome.scenario->platform;
  std::optional<EnergyMeter> energy;
  if ((platform.has_power() || platform.has_link_power()) && outcome.trace.level() == TraceLevel::full) {
    energy = energy_of(outcome);
    table.columns.emplace_back("energy");
    table.units.emplace_back("J");
  }
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
    if (energy && host.valid() && platform[host].power != nullptr)
      table.rows.back().emplace_back(energy->hosts()[host.index].all());
    if (const LinkId link = row.id.link(); energy && link.valid() && platform[link].power)
      table.rows.back().emplace_back(energy->links()[link.index]);
  }
  return table;
}

}  // namespace perigee::results
