#include "runtime/results/measurement.h"

#include <cmath>

namespace perigee::results {

Measurement::Counts Measurement::count_works() const {
  Counts n;
  const bool has_works = level() != TraceLevel::none;
  const Trace& trace = outcome().trace;
  const auto deadline_of = [&](std::size_t work) { return scenario().workload->works[work].deadline; };
  std::vector<std::uint8_t> counted(outcome().works.size(), has_works ? 0 : 1);  // those arrived
  if (has_works) {
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (trace[i].time < outcome().warmup) continue;
      const std::size_t of_arrived = trace[i].work.valid() ? counted[trace[i].work.index] : 0;
      switch (trace[i].kind) {
        case RecordKind::arrived:
          ++n.arrived;
          counted[trace[i].work.index] = 1;
          break;
        case RecordKind::finished:
          ++n.finished;
          break;
        case RecordKind::rejected:
          ++n.rejected;
          n.refused += of_arrived;
          break;
        case RecordKind::expired:
          ++n.expired;
          if (deadline_of(trace[i].work.index) < kNever) n.late += of_arrived;
          break;
        case RecordKind::missed:
          ++n.missed;
          n.late += of_arrived;
          break;
        default:
          break;
      }
    }
  }
  const std::vector<WorkState>& states = outcome().works;
  for (std::size_t w = 0; w < states.size(); ++w)
    if (states[w] != WorkState::future && states[w] < WorkState::finished && counted[w] != 0 &&
        outcome().end > deadline_of(w) + kEps * std::max(1.0, deadline_of(w)))
      ++n.late;
  for (const WorkState state : states) {
    if (state < WorkState::finished) ++n.unfinished;
    if (state == WorkState::future) ++n.future;
    if (state == WorkState::waiting || state == WorkState::rejected) ++n.queued;
    if (state == WorkState::running || state == WorkState::computed) ++n.executing;
    if (has_works) continue;
    if (state != WorkState::future) ++n.arrived;
    if (state == WorkState::finished) ++n.finished;
    if (state == WorkState::rejected) ++n.rejected, ++n.refused;
    if (state == WorkState::expired) ++n.expired;
  }
  return n;
}

Measurement::Finishes Measurement::follow_works() const {
  const std::vector<Work>& works = scenario().workload->works;
  const Trace& trace = outcome().trace;
  std::vector<Time> arrival(works.size()), finish(works.size(), kNaN);
  for (std::size_t w = 0; w < works.size(); ++w) arrival[w] = works[w].arrival;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Record& record = trace[i];
    if (record.work.index >= works.size()) continue;
    if (record.kind == RecordKind::arrived) arrival[record.work.index] = record.time;
    if (record.kind == RecordKind::finished) finish[record.work.index] = record.time;
  }
  Finishes all;
  for (std::size_t w = 0; w < works.size(); ++w) {
    if (std::isnan(finish[w]) || finish[w] < outcome().warmup) continue;
    all.last = std::isnan(all.last) ? finish[w] : std::max(all.last, finish[w]);
    all.responses.push_back(finish[w] - arrival[w]);
    all.response.add(all.responses.back());
  }
  return all;
}

Measurement::Works Measurement::sum_up_works() {
  Works all;
  for (const JobRow& row : jobs()) {
    if (std::isnan(row.finish) || row.finish < outcome().warmup) continue;
    all.wait.add(row.wait);
    all.scheduler_wait.add(row.scheduler_wait);
    all.queue_wait.add(row.queue_wait);
    all.quality.add(row.quality);
    all.run.add(row.run);
    if (row.run == 0) ++all.zero_run;
    all.core_seconds += row.core_seconds;
    all.slowdown.add(row.slowdown);
    all.bounded_slowdown.add(row.bounded_slowdown);
    if (!(row.requested > 0)) continue;
    all.user_slowdown.add(row.response / row.requested);
    all.relative_run.add(row.run / row.requested);
  }
  return all;
}

Measurement::Use Measurement::use_from(Time from) {
  Use all;
  const Seconds span = outcome().end - from;
  for (const ResourceRow& row : resource_rows(outcome(), runs(), from)) {
    if (row.id.kind() == ResourceKind::link) {
      ++all.links;
      all.link_busy += row.busy;
      continue;
    }
    const double cores = (*scenario().platform)[row.id.host()].cores;
    all.busy += row.busy;
    all.held += row.held;
    all.useful += row.useful;
    all.lost += row.lost;
    all.capacity += cores * std::max(span, 0.0);
    all.up += cores * std::max(span - row.down, 0.0);
  }
  return all;
}

// Core-seconds from the end of the run to its later horizon; each host stays as it was.
double Measurement::up_after_end() {
  const Seconds rest = outcome().horizon - outcome().end;
  if (outcome().status == RunStatus::running || !(rest > 0 && rest < kNever)) return 0;
  const Absences away = absences(outcome());
  double cores = 0;
  for (std::size_t h = 0; h < away.hosts.size(); ++h)
    if (away.hosts[h].empty() || away.hosts[h].back().came_back)
      cores += (*scenario().platform)[HostId(h)].cores;
  return rest * cores;
}

Measurement::Activities Measurement::count_activities() {
  Activities all;
  for (const Execution& run : runs().all) {
    if (run.kind == ActivityKind::think)
      all.thinking += overlap(run.started, run.ended, from(), outcome().end);
    if (run.ended < from()) continue;
    if (run.how == RecordKind::lost) ++all.lost;
    if (run.how == RecordKind::cancelled) ++all.cancelled;
    if (run.how == RecordKind::superseded) ++all.superseded;
    if (run.copy) ++all.copies;
    if (run.how == RecordKind::ended) all.bytes += bytes_of(outcome(), run);
  }
  return all;
}

Measurement::Hosts Measurement::sum_up_hosts() {
  Hosts all;
  all.span = end_of_rows(outcome());
  for (const HostRow& row : host_rows(outcome(), runs())) {
    ++all.count;
    all.finish.add(row.last_finish);
    all.useful += row.useful;
    all.duplicate += row.duplicate;
    all.redundant += row.redundant;
    all.idle += row.idle;
  }
  return all;
}

double Measurement::fairness() {
  double sum = 0, squares = 0, n = 0;
  for (const UserRow& user : user_rows(outcome(), jobs())) {
    const double x = user.mean_bounded_slowdown;
    if (std::isnan(x)) continue;
    sum += x;
    squares += x * x;
    ++n;
  }
  return squares > 0 ? sum * sum / (n * squares) : kNaN;
}

}  // namespace perigee::results
