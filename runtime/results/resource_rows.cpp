#include "runtime/results/resource_rows.h"

#include <algorithm>

#include "runtime/kernel/constants.h"

namespace perigee::results {
namespace {

// Sums up the executions on each resource in [from, to].
class ResourceUse {
 public:
  ResourceUse(const Outcome& outcome, const Executions& executions, Time from)
      : outcome_(outcome),
        executions_(executions),
        hosts_(outcome.scenario->platform->hosts()),
        links_(outcome.scenario->platform->links()),
        from_(from),
        to_(std::max(from, outcome.end)),
        away_(absences(outcome)) {}

  std::vector<ResourceRow> rows() {
    name_rows();
    gather_intervals();
    for (const Execution& execution : executions_.all)
      for (const ResourceId on : executions_.on(execution)) {
        if (on.kind() == ResourceKind::link && on.at() < links_.size() && link_row_[on.at()] != kNone)
          add_to_link(rows_[link_row_[on.at()]], execution);
        if (on.kind() == ResourceKind::host && on.at() < hosts_.size()) add_to_host(on.at(), execution);
      }
    for (std::size_t h = 0; h < hosts_.size(); ++h) finish_host(h, away_.hosts[h]);
    for (std::size_t l = 0; l < links_.size(); ++l)
      if (link_row_[l] != kNone) finish_link(l, away_.links[l]);
    return std::move(rows_);
  }

 private:
  struct Use {
    Time from, to;
    bool well = false;
  };

  Seconds within(Time a, Time b) const { return overlap(a, b, from_, to_); }
  bool counted(const Execution& execution) const { return execution.ended >= from_; }
  static bool well(const Execution& execution) { return execution.how == RecordKind::ended; }
  static bool aborted(const Execution& execution) {
    return !well(execution) && execution.how != RecordKind::started;
  }

  void name_rows() {
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      rows_.emplace_back();
      rows_.back().id = ResourceId::of(HostId(h));
      rows_.back().name = hosts_[h].name;
    }
    link_row_.assign(links_.size(), kNone);
    for (std::size_t l = 0; l < links_.size(); ++l) {
      if (links_[l].implied) continue;
      link_row_[l] = rows_.size();
      rows_.emplace_back();
      rows_.back().id = ResourceId::of(LinkId(l));
      rows_.back().name = links_[l].name;
    }
  }

  void gather_intervals() {
    holds_.resize(hosts_.size());
    transfers_.resize(links_.size());
    for (const Execution& execution : executions_.all)
      for (const ResourceId on : executions_.on(execution)) {
        const Use interval{execution.started, execution.ended, well(execution)};
        if (execution.kind == ActivityKind::hold && on.kind() == ResourceKind::host)
          holds_[on.at()].push_back(interval);
        if (execution.is_transfer() && on.kind() == ResourceKind::link)
          transfers_[on.at()].push_back(interval);
      }
    for (std::size_t h = 0; h < hosts_.size(); ++h)
      for (const Use& hold : holds_[h]) rows_[h].held += within(hold.from, hold.to) * hosts_[h].cores;
  }

  void add_to_link(ResourceRow& row, const Execution& execution) const {
    if (!counted(execution) || !execution.is_transfer()) return;
    ++row.activities;
    const double bytes = bytes_of(outcome_, execution);
    if (well(execution)) row.bytes += bytes;
    if (well(execution) && execution.kind == ActivityKind::transfer_out) row.bytes_out += bytes;
    if (!aborted(execution)) return;
    ++row.aborted;
    row.aborted_bytes += bytes;
  }

  void add_to_host(std::size_t host, const Execution& execution) {
    ResourceRow& row = rows_[host];
    const bool counts = counted(execution);
    if (counts) ++row.activities;
    if (counts && aborted(execution)) ++row.aborted;
    if (counts && well(execution) && execution.kind == ActivityKind::compute) ++row.computed;
    const bool hold = execution.kind == ActivityKind::hold;
    if (hold && !(execution.work.valid() &&
                  (*outcome_.scenario->workload)[execution.work].kind == WorkKind::reservation))
      return;
    const double cores = hold ? hosts_[host].cores : execution.cores;
    double time = 0;
    each_present(away_.hosts[host], execution.started, execution.ended, [&](Time a, Time b) {
      time += within(a, b) * cores;
      if (!hold) row.held += within(a, b) * cores - held_within(host, a, b) * cores;
    });
    row.busy += time;
    if (well(execution))
      row.useful += time;
    else if (aborted(execution))
      row.lost += time;
    if (execution.kind == ActivityKind::chunk && counts) {
      const double bytes = bytes_of(outcome_, execution);
      if (well(execution)) row.bytes += bytes;
      if (aborted(execution)) row.aborted_bytes += bytes;
    }
  }

  // Activities inside a hold count with the hold.
  Seconds held_within(std::size_t host, Time from, Time to) const {
    const std::vector<Use>& held = holds_[host];
    auto inside = std::partition_point(held.begin(), held.end(), [&](const Use& i) { return i.to <= from; });
    Seconds sum = 0;
    for (; inside != held.end() && inside->from < to; ++inside)
      sum += within(std::max(from, inside->from), std::min(to, inside->to));
    return sum;
  }

  void finish_host(std::size_t host, const std::vector<Away>& away) {
    ResourceRow& row = rows_[host];
    for (const Away& a : away) row.down += within(a.from, a.to);
    row.utilization = to_ > from_ ? row.busy / ((to_ - from_) * hosts_[host].cores) : kNaN;
  }

  void finish_link(std::size_t link, const std::vector<Away>& away) {
    ResourceRow& row = rows_[link_row_[link]];
    Time covered = from_, well_covered = from_;
    for (const Use& transfer : transfers_[link]) {  // by start
      row.busy += moving(away, transfer, covered);
      covered = std::max(covered, transfer.to);
      if (!transfer.well) continue;
      row.useful += moving(away, transfer, well_covered);
      well_covered = std::max(well_covered, transfer.to);
    }
    row.held = row.busy;
    row.lost = row.busy - row.useful;
    for (const Away& a : away) row.down += within(a.from, a.to);
    row.utilization = to_ > from_ ? row.busy / (to_ - from_) : kNaN;
  }

  Seconds moving(const std::vector<Away>& away, const Use& transfer, Time since) const {
    Seconds sum = 0;
    each_present(away, transfer.from, transfer.to, [&](Time a, Time b) { sum += overlap(a, b, since, to_); });
    return sum;
  }

  const Outcome& outcome_;
  const Executions& executions_;
  const std::span<const Host> hosts_;
  const std::span<const Link> links_;
  const Time from_, to_;
  const Absences away_;
  std::vector<ResourceRow> rows_;
  std::vector<std::size_t> link_row_;  // kNone: implied
  std::vector<std::vector<Use>> holds_, transfers_;
};

}  // namespace

std::vector<ResourceRow> resource_rows(const Outcome& outcome, const Executions& executions, Time from) {
  return ResourceUse(outcome, executions, from).rows();
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

}  // namespace perigee::results
