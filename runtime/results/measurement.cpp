#include "runtime/results/measurement.h"

#include <cmath>

#include "runtime/results/queues.h"

namespace perigee::results {

Measurement::Measurement(std::shared_ptr<const Outcome> outcome) : outcome_(std::move(outcome)) {
  const auto accounts = Accounts::kept_by(*outcome_);
  if (!accounts) return;
  kept_ = true;
  all_ = std::move(*accounts);
  all_->end(*outcome_);
}

const Accounts& Measurement::all() {
  return once(all_, [&] { return follow(TraceLevel::full); });
}

Accounts Measurement::follow(TraceLevel depth) const {
  const Trace& trace = outcome().trace;
  Accounts accounts(outcome().scenario, outcome().warmup, depth, QuantileSketch::kAll);
  for (std::size_t i = 0; i < trace.size(); ++i) accounts.take(trace[i]);
  for (const Note& note : trace.notes()) accounts.take(note);
  accounts.end(outcome());
  return accounts;
}

Totals Measurement::sum_up_scheduler_waits() const {
  const Trace& trace = outcome().trace;
  const std::vector<Seconds> waits = scheduler_waits(outcome());
  std::vector<std::uint8_t> counts(waits.size(), 0);
  for (std::size_t i = 0; i < trace.size(); ++i)
    if (trace[i].kind == RecordKind::finished && trace[i].time >= outcome().warmup)
      counts[trace[i].work.index] = 1;
  Totals all;
  for (std::size_t w = 0; w < waits.size(); ++w)
    if (counts[w] != 0) all.add(waits[w]);
  return all;
}

double Measurement::held() {
  if (use().knows_held) return use().held;
  double held = 0;
  for (const ResourceRow& row : resource_rows(outcome()))
    if (row.id.kind() == ResourceKind::host) held += row.held;
  return held;
}

// Core-seconds from the end of the run to its later horizon; each host stays as it was.
double Measurement::up_after_end() {
  const Seconds rest = outcome().horizon - outcome().end;
  if (outcome().status == RunStatus::running || !(rest > 0 && rest < kNever)) return 0;
  const Absences& away = all().absences();
  double cores = 0;
  for (std::size_t h = 0; h < away.hosts.size(); ++h)
    if (away.hosts[h].empty() || away.hosts[h].back().came_back)
      cores += (*scenario().platform)[HostId(h)].cores;
  return rest * cores;
}

double Measurement::utilization_of(const GroupMetric& group) {
  const model::Workload& workload = *scenario().workload;
  const bool of_queue = group.of == GroupMetric::Of::queue;
  std::vector<std::string> names;
  if (!of_queue) names = workload.users;
  if (of_queue && workload.queues != nullptr)
    for (const model::Queue& queue : workload.queues->queues) names.push_back(queue.name);
  double busy = 0;
  bool known = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != group.name) continue;
    known = true;
    busy += of_queue ? all().groups().of_queue(i) : all().groups().of_user(i);
  }
  if (!known)
    fail("unknown_metric", "the run has no {} '{}'{}", of_queue ? "queue" : "user", group.name,
         did_you_mean(group.name, names));
  return share(busy, use().capacity);
}

Measurement::Hosts Measurement::sum_up_hosts() {
  Hosts sums;
  sums.span = all().end_of_rows();
  for (const HostRow& row : all().hosts()) {
    ++sums.count;
    sums.finish.add(row.last_finish);
    sums.useful += row.useful;
    sums.duplicate += row.duplicate;
    sums.redundant += row.redundant;
    sums.idle += row.idle;
  }
  return sums;
}

}  // namespace perigee::results
