#include "runtime/results/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "runtime/results/executions.h"
#include "runtime/results/grid_measures.h"
#include "runtime/results/packages.h"
#include "runtime/results/queues.h"
#include "runtime/results/subtasks.h"
#include "runtime/statistics/sample.h"

namespace perigee {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Seconds kShortest =
    10;  // run time below which bounded slowdown counts it as this (Feitelson et al., JSSPP 1997)

using enum Better;
constexpr auto kInfos = std::to_array<MetricInfo>({
    {"makespan", "s", "time of the last finish", lower},
    {"total_time", "s", "last finish - first arrival", lower},
    {"arrived", "works", "works submitted"},
    {"finished", "works", "works finished", higher},
    {"rejected", "works", "works rejected", lower},
    {"expired", "works", "works given up after they were submitted", lower},
    {"unfinished", "works", "works submitted or to come that are not settled at the end", lower},
    {"future", "works", "works that have not arrived at the end", lower},
    {"queued", "works", "works that have arrived and do not run at the end, those rejected among them",
     lower},
    {"executing", "works", "works that run at the end"},
    {"zero_run", "works", "works finished that took no time, and have no slowdown"},
    {"missed", "works", "works finished after their deadline", lower},
    {"reject_ratio", "", "rejected / arrived", lower},
    {"miss_ratio", "", "works not finished by their deadline / (arrived - rejected)", lower},
    {"total_wait", "s", "start - arrival, sum over finished works", lower},
    {"mean_wait", "s", "start - arrival, mean over finished works", lower},
    {"min_wait", "s", "start - arrival, smallest", lower},
    {"max_wait", "s", "start - arrival, largest", lower},
    {"mean_scheduler_wait", "s", "wait until the scheduler took it up, mean over finished works", lower},
    {"max_scheduler_wait", "s", "wait until the scheduler took it up, largest", lower},
    {"mean_queue_wait", "s", "start - release, wait in the queue of its host, mean over finished works",
     lower},
    {"max_queue_wait", "s", "start - release, largest", lower},
    {"total_run", "s", "finish - start, sum over finished works"},
    {"mean_run", "s", "finish - start, mean over finished works"},
    {"min_run", "s", "finish - start, smallest"},
    {"max_run", "s", "finish - start, largest"},
    {"mean_response", "s", "finish - arrival, mean over finished works", lower},
    {"min_response", "s", "finish - arrival, smallest", lower},
    {"max_response", "s", "finish - arrival, largest", lower},
    {"median_response", "s", "finish - arrival, median over finished works", lower},
    {"p95_response", "s", "finish - arrival, which 95 % of the finished works do not exceed", lower},
    {"total_slowdown", "", "response / (finish - start), sum over finished works that took time", lower},
    {"mean_slowdown", "", "response / (finish - start), mean over finished works that took time", lower},
    {"min_slowdown", "", "response / (finish - start), smallest", lower},
    {"max_slowdown", "", "response / (finish - start), largest", lower},
    {"total_bounded_slowdown", "", "max(response / max(finish - start, 10 s), 1), sum over finished works",
     lower},
    {"mean_bounded_slowdown", "", "max(response / max(finish - start, 10 s), 1), mean over finished works",
     lower},
    {"min_bounded_slowdown", "", "max(response / max(finish - start, 10 s), 1), smallest", lower},
    {"max_bounded_slowdown", "", "max(response / max(finish - start, 10 s), 1), largest", lower},
    {"total_user_slowdown", "", "response / requested time, sum over finished works", lower},
    {"mean_user_slowdown", "", "response / requested time, mean over finished works", lower},
    {"min_user_slowdown", "", "response / requested time, smallest", lower},
    {"max_user_slowdown", "", "response / requested time, largest", lower},
    {"total_relative_run", "", "(finish - start) / requested time, sum over finished works"},
    {"mean_relative_run", "", "(finish - start) / requested time, mean over finished works"},
    {"min_relative_run", "", "(finish - start) / requested time, smallest"},
    {"max_relative_run", "", "(finish - start) / requested time, largest"},
    {"mean_quality", "", "stated quality of service on the host that served it, mean over finished works"},
    {"fairness", "",
     "Jain's index of the users' mean bounded slowdowns: 1 = all alike, 1 / users = one has all", higher},
    {"flowtime", "s", "sum of finish - arrival", lower},
    {"throughput", "1/s", "works finished per second from the first arrival to the end", higher},
    {"utilization", "", "utilization.busy", higher},
    {"utilization.busy", "", "core-seconds computing or receiving / core-seconds of all cores", higher},
    {"utilization.held", "", "core-seconds busy or kept by holds / core-seconds of all cores", higher},
    {"utilization.useful", "", "core-seconds of activities that ended well / core-seconds of all cores",
     higher},
    {"utilization.up", "", "core-seconds busy / core-seconds of cores that are up", higher},
    {"utilization.system", "",
     "core-seconds busy / core-seconds of cores that are up, from time 0 to the end, whatever the warm-up",
     higher},
    {"utilization.jobs", "", "(finish - start) * cores, sum over finished works / (total_time * all cores)",
     higher},
    {"scheduler_utilization", "", "time that the scheduler thinks / time"},
    {"busy_time", "s", "core-seconds computing or receiving"},
    {"lost_time", "s", "core-seconds of activities lost, cancelled or superseded", lower},
    {"lost", "activities", "activities lost to failures", lower},
    {"cancelled", "activities", "activities cancelled", lower},
    {"superseded", "activities", "copies and originals that another one made pointless", lower},
    {"copies", "activities", "computations started again beside their original"},
    {"bytes_moved", "B", "bytes of the transfers that ended well"},
    {"link_utilization", "", "time with a transfer / time, mean over the declared links"},
    {"package_count", "activities", "packages of sweeps that were given to hosts, copies included"},
    {"duplicate_time", "s", "of copies, sum over the hosts", lower},
    {"redundant_time", "s", "of originals that a copy made pointless, sum over the hosts", lower},
    {"idle_time", "s", "of hosts that compute nothing up to the makespan, sum over the hosts", lower},
    {"finish_spread", "s", "last finish of the last host - that of the first, of those that had work", lower},
    {"utilization.hosts", "", "time of computations that ended well, copies aside / (hosts * makespan)",
     higher},
    {"ideal_time", "s", "all sweeps on all hosts at nominal speed, if runs were divisible at will"},
    {"efficiency", "", "ideal_time / makespan", higher},
    {"efficiency.available", "",
     "core-seconds of dedicated hosts that the finished tasks took / those that hosts had up to the makespan",
     higher},
    {"lower_bound", "s",
     "no schedule of what finished ends before, on hosts and links as they came, went and changed"},
    {"bound_ratio", "", "makespan / lower_bound", lower},
    {"estimate_error", "",
     "mean of |estimate when it began - what it took| / what it took, of computations and transfers that "
     "ended well; none with perfect information",
     lower},
    {"computation_ratio", "",
     "run times of all works / time to move the files of each, one by one, at the mean bandwidth"},
    {"chain.computation", "s", "computations on the critical chain"},
    {"chain.transfer", "s", "transfers on the critical chain"},
    {"chain.waiting", "s", "time up to the makespan in which nothing of the critical chain went on"},
    {"bytes_in", "B", "bytes of the transfers to clusters that ended well, chunks among them", lower},
    {"bytes_out", "B", "bytes of the transfers to the origin that ended well"},
    {"redundancy", "", "bytes of files sent to clusters / bytes of the distinct inputs of what was computed",
     lower},
    {"sends", "files", "distinct input files that a cluster was sent, sum over the clusters", lower},
    {"shared_sends", "files", "the same of files that several works need", lower},
    {"aborted_transfers", "activities", "transfers lost, cancelled or superseded", lower},
    {"aborted_bytes", "B", "bytes that these were to move", lower},
    {"plan_count", "plans", "plans made"},
    {"plan_count.timer", "plans", "plans made because it was time"},
    {"plan_count.idle", "plans", "plans made because a host was idle"},
    {"plan_count.add", "plans", "plans made because hosts came"},
    {"plan_count.remove", "plans", "plans made because hosts went"},
    {"plan_count.arrival", "plans", "plans made because tasks arrived"},
    {"plan_count.starved", "plans", "plans made because nothing moved"},
    {"assignments_per_plan", "works/plan", "tasks placed, mean over the plans"},
    {"mean_deviation", "", "share of what a plan predicted that was not so, mean of what was noted", lower},
    {"stolen", "works", "tasks that a host took from the queue of another"},
});

struct Statistics {
  std::size_t count = 0;
  double sum = 0, least = kNaN, most = kNaN;
  void add(double x) {
    if (std::isnan(x)) return;
    least = count == 0 ? x : std::min(least, x);
    most = count == 0 ? x : std::max(most, x);
    ++count;
    sum += x;
  }
  double mean() const { return count > 0 ? sum / static_cast<double>(count) : kNaN; }
};

// What is declared for each work on the host on which that takes longest; NaN where there is none, or none
// that ends. Sizes of sweeps and loads count whole.
class RequestedTimes {
 public:
  explicit RequestedTimes(const Scenario& scenario) : scenario_(scenario) {
    const std::span<const Host> hosts = scenario.platform->hosts();
    for (std::size_t h = 1; h < hosts.size(); ++h)
      if (hosts[h].speed < hosts[slowest_.index].speed) slowest_ = HostId(h);
  }
  Seconds operator[](WorkId work) const {
    const Platform& platform = *scenario_.platform;
    const Workload& workload = *scenario_.workload;
    if (workload[work].kind == WorkKind::reservation || platform.hosts().empty()) return kNaN;
    const auto on = [&](HostId host) {
      return declared_time(workload, {work, 0, workload.size_of(work)}, platform[host], host,
                           platform[host].architecture);
    };
    if (workload[work].form == TimeForm::seconds || workload[work].form == TimeForm::operations)
      return on(slowest_);
    Seconds longest = kNaN;
    for (std::size_t h = 0; h < platform.hosts().size(); ++h)
      if (const Seconds time = on(HostId(h)); time < kNever && !(time <= longest)) longest = time;
    return longest;
  }

 private:
  const Scenario& scenario_;
  HostId slowest_ = HostId(0);
};

Time first_arrival(const Outcome& outcome) {
  const Trace& trace = outcome.trace;
  for (std::size_t i = 0; i < trace.size(); ++i)
    if (trace[i].kind == RecordKind::arrived) return trace[i].time;
  return 0;
}

double overlap(Time a, Time b, Time from, Time to) {
  return std::max(0.0, std::min(b, to) - std::max(a, from));
}

std::vector<JobRow> job_rows(const Outcome& outcome, const Executions& executions) {
  const Workload& workload = *outcome.scenario->workload;
  const Trace& trace = outcome.trace;
  std::vector<JobRow> rows(workload.size());
  const RequestedTimes requested(*outcome.scenario);
  for (std::size_t w = 0; w < rows.size(); ++w) {
    JobRow& row = rows[w];
    const Work& work = workload.works[w];
    row.id = WorkId(w);
    row.name = workload.name_of(row.id);
    if (work.user.valid() && work.user.index < workload.users.size())
      row.user = workload.users[work.user.index];
    row.kind = work.kind;
    row.arrival = work.arrival;
    row.release = row.queue_wait = row.quality = kNaN;
    row.start = row.finish = row.wait = row.response = row.run = row.slowdown = row.bounded_slowdown = kNaN;
    if (w < outcome.works.size()) row.state = outcome.works[w];
    row.deadline = work.deadline;
    row.cores = work.cores;
    row.requested = requested[row.id];
  }
  std::vector<std::size_t> stranded(rows.size(), 0);  // what ended before did not count in the end
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Record& record = trace[i];
    if (record.work.index >= rows.size()) continue;
    if (record.kind == RecordKind::arrived)
      rows[record.work.index].arrival = record.time;
    else if (record.kind == RecordKind::finished)
      rows[record.work.index].finish = record.time;
    else if (record.kind == RecordKind::missed)
      rows[record.work.index].missed = true;
    else if (record.kind == RecordKind::stranded)
      stranded[record.work.index] = i;
  }
  // Served by what ended well; by whatever started while nothing has.
  for (const bool well : {true, false})
    for (const Execution& execution : executions.all) {
      if (execution.work.index >= rows.size()) continue;
      JobRow& row = rows[execution.work.index];
      const bool serves = execution.kind == ActivityKind::compute || execution.kind == ActivityKind::chunk ||
                          (execution.kind == ActivityKind::hold && row.kind == WorkKind::reservation);
      if (!serves || (execution.how == RecordKind::ended) != well) continue;
      if (well ? execution.start_record < stranded[execution.work.index]
               : !std::isnan(row.start) || execution.how != RecordKind::started)
        continue;
      if (std::isnan(row.start) || execution.started < row.start) {
        row.start = execution.started;
        row.release = execution.posted;
      }
      if (execution.kind == ActivityKind::compute) row.cores = execution.cores;
      for (const ResourceId on : executions.on(execution))
        if (on.kind() == ResourceKind::host &&
            std::find(row.hosts.begin(), row.hosts.end(), on.host()) == row.hosts.end())
          row.hosts.push_back(on.host());
    }
  const std::vector<Seconds> scheduler_wait = outcome.trace.level() == TraceLevel::full
                                                  ? scheduler_waits(outcome)
                                                  : std::vector<Seconds>(rows.size(), kNaN);
  for (JobRow& row : rows) {
    row.wait = row.start - row.arrival;
    row.scheduler_wait = scheduler_wait[row.id.index];
    row.queue_wait = row.start - row.release;
    if (const auto quality = workload.quality_of(row.id, outcome.scenario->platform->hosts().size());
        !quality.empty() && !row.hosts.empty())
      row.quality = quality[row.hosts.front().index];
    row.response = row.finish - row.arrival;
    row.run = row.finish - row.start;
    if (row.run > 0) row.slowdown = row.response / row.run;
    if (!std::isnan(row.run))
      row.bounded_slowdown = std::max(row.response / std::max(row.run, kShortest), 1.0);
  }
  return rows;
}

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

std::vector<UserRow> user_rows(const std::vector<JobRow>& rows, const std::vector<std::string>& users,
                               Time warmup) {
  std::vector<UserRow> all;
  std::map<std::string, Statistics, std::less<>> wait, response, slowdown, bounded;
  std::map<std::string, std::size_t, std::less<>> index;
  for (const std::string& user : users)
    if (index.emplace(user, all.size()).second) {
      all.emplace_back();
      all.back().user = user;
    }
  for (const JobRow& row : rows) {
    const auto found = index.find(row.user);
    if (found == index.end()) continue;
    UserRow& user = all[found->second];
    ++user.works;
    if (std::isnan(row.finish) || row.finish < warmup) continue;
    ++user.finished;
    if (!std::isnan(row.run)) user.core_seconds += row.run * row.cores;
    wait[row.user].add(row.wait);
    response[row.user].add(row.response);
    slowdown[row.user].add(row.slowdown);
    bounded[row.user].add(row.bounded_slowdown);
  }
  for (UserRow& user : all) {
    user.mean_wait = wait[user.user].mean();
    user.mean_response = response[user.user].mean();
    user.mean_slowdown = slowdown[user.user].mean();
    user.mean_bounded_slowdown = bounded[user.user].mean();
  }
  return all;
}

// (sum x)^2 / (n sum x^2): Jain, Chiu, Hawe, DEC-TR-301, 1984.
double fairness_of(const std::vector<UserRow>& users) {
  double sum = 0, squares = 0, n = 0;
  for (const UserRow& user : users) {
    const double x = user.mean_bounded_slowdown;
    if (std::isnan(x)) continue;
    sum += x;
    squares += x * x;
    ++n;
  }
  return squares > 0 ? sum * sum / (n * squares) : kNaN;
}

}  // namespace

std::span<const MetricInfo> metric_infos() { return kInfos; }

const MetricInfo& metric_info(std::string_view name) {
  std::vector<std::string> names;
  for (const MetricInfo& info : kInfos) {
    if (info.name == name) return info;
    names.emplace_back(info.name);
  }
  fail("unknown_metric", "unknown metric '{}'{}", name, did_you_mean(name, names));
}

bool Metrics::has(std::string_view name) const {
  return std::any_of(all.begin(), all.end(), [&](const Metric& metric) { return metric.name == name; });
}

double Metrics::operator[](std::string_view name) const {
  for (const Metric& metric : all)
    if (metric.name == name) return metric.value;
  metric_info(name);
  return kNaN;
}

Metrics measure(const Outcome& outcome) {
  const Time warmup = outcome.warmup;
  Metrics metrics;
  const auto add = [&](std::string_view name, double value) {
    const MetricInfo& info = metric_info(name);
    metrics.all.push_back({std::string(info.name), value, std::string(info.unit), std::string(info.what)});
  };
  const TraceLevel level = outcome.trace.level();
  const bool has_works = level != TraceLevel::none, has_activities = level == TraceLevel::full;
  const Trace& trace = outcome.trace;
  const Executions runs = executions(outcome);
  const std::vector<JobRow> rows = job_rows(outcome, runs);

  std::size_t arrived = 0, finished = 0, rejected = 0, expired = 0, unfinished = 0, missed = 0, late = 0;
  const auto deadline_of = [&](std::size_t work) { return outcome.scenario->workload->works[work].deadline; };
  if (has_works) {
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (trace[i].time < warmup) continue;
      switch (trace[i].kind) {
        case RecordKind::arrived:
          ++arrived;
          break;
        case RecordKind::finished:
          ++finished;
          break;
        case RecordKind::rejected:
          ++rejected;
          break;
        case RecordKind::expired:
          ++expired;
          if (deadline_of(trace[i].work.index) < kNever) ++late;
          break;
        case RecordKind::missed:
          ++missed;
          ++late;
          break;
        default:
          break;
      }
    }
  }
  for (std::size_t w = 0; w < outcome.works.size(); ++w)
    if (outcome.works[w] != WorkState::future && outcome.works[w] < WorkState::finished &&
        deadline_of(w) >= warmup && outcome.end > deadline_of(w) + kEps * std::max(1.0, deadline_of(w)))
      ++late;
  std::size_t future = 0, queued = 0, executing = 0;
  for (const WorkState state : outcome.works) {
    if (state < WorkState::finished) ++unfinished;
    if (state == WorkState::future) ++future;
    if (state == WorkState::waiting || state == WorkState::rejected) ++queued;
    if (state == WorkState::running || state == WorkState::computed) ++executing;
    if (has_works) continue;
    if (state != WorkState::future) ++arrived;
    if (state == WorkState::finished) ++finished;
    if (state == WorkState::rejected) ++rejected;
    if (state == WorkState::expired) ++expired;
  }

  Statistics wait, scheduler_wait, queue_wait, quality, ran, response, slowdown, bounded, user_slowdown,
      relative_run;
  std::vector<double> responses;
  Time last = kNaN;
  std::size_t zero_run = 0;
  double core_seconds = 0;
  for (const JobRow& row : rows) {
    if (std::isnan(row.finish) || row.finish < warmup) continue;
    last = std::isnan(last) ? row.finish : std::max(last, row.finish);
    response.add(row.response);
    responses.push_back(row.response);
    wait.add(row.wait);
    scheduler_wait.add(row.scheduler_wait);
    queue_wait.add(row.queue_wait);
    quality.add(row.quality);
    ran.add(row.run);
    if (row.run == 0) ++zero_run;
    if (row.run > 0) core_seconds += row.run * row.cores;
    slowdown.add(row.slowdown);
    bounded.add(row.bounded_slowdown);
    if (row.requested > 0) {
      user_slowdown.add(row.response / row.requested);
      relative_run.add(row.run / row.requested);
    }
  }
  const Time first = first_arrival(outcome), from = std::max(first, warmup);
  const double span = outcome.end - from;

  if (has_works) {
    add("makespan", last);
    add("total_time", std::isnan(last) ? 0 : last - first);
  }
  add("arrived", static_cast<double>(arrived));
  add("finished", static_cast<double>(finished));
  add("rejected", static_cast<double>(rejected));
  add("expired", static_cast<double>(expired));
  add("unfinished", static_cast<double>(unfinished));
  add("future", static_cast<double>(future));
  add("queued", static_cast<double>(queued));
  add("executing", static_cast<double>(executing));
  if (has_activities) add("zero_run", static_cast<double>(zero_run));
  if (has_works) add("missed", static_cast<double>(missed));
  add("reject_ratio", arrived > 0 ? static_cast<double>(rejected) / static_cast<double>(arrived) : kNaN);
  if (has_works)
    add("miss_ratio",
        arrived > rejected ? static_cast<double>(late) / static_cast<double>(arrived - rejected) : kNaN);
  // Of a run that is over and had nothing to do, as IRMaSim has it; a window in which nothing finished has
  // none.
  const double mean_of_nothing = outcome.warmup > 0 || outcome.status != RunStatus::complete ? kNaN : 0;
  const auto add_all = [&](std::string_view what, const Statistics& s) {
    if (what != "response") add("total_" + std::string(what), s.sum);
    add("mean_" + std::string(what), s.count > 0 ? s.mean() : mean_of_nothing);
    add("min_" + std::string(what), s.least);
    add("max_" + std::string(what), s.most);
  };
  if (has_activities) {
    add_all("wait", wait);
    for (const auto& [what, s] :
         {std::pair{"scheduler_wait", &scheduler_wait}, std::pair{"queue_wait", &queue_wait}}) {
      add(std::string("mean_") + what, s->count > 0 ? s->mean() : mean_of_nothing);
      add(std::string("max_") + what, s->most);
    }
    add_all("run", ran);
  }
  if (has_works) {
    add_all("response", response);
    add("median_response", responses.empty() ? kNaN : sample_quantile(responses, 0.5));
    add("p95_response", responses.empty() ? kNaN : sample_quantile(responses, 0.95));
  }
  if (has_activities) {
    add_all("slowdown", slowdown);
    add_all("bounded_slowdown", bounded);
    add_all("user_slowdown", user_slowdown);
    add_all("relative_run", relative_run);
    add("mean_quality", quality.mean());
    add("fairness", fairness_of(user_rows(rows, outcome.scenario->workload->users, warmup)));
  }
  if (has_works) {
    add("flowtime", response.sum);
    add("throughput", span > 0 ? static_cast<double>(finished) / span : kNaN);
  }
  if (!has_activities) return metrics;

  double busy = 0, held = 0, useful = 0, lost_time = 0, capacity = 0, up = 0, link_busy = 0;
  std::size_t links = 0;
  for (const ResourceRow& row : resource_rows(outcome, runs, from)) {
    if (row.id.kind() == ResourceKind::link) {
      ++links;
      link_busy += row.busy;
      continue;
    }
    const double cores = (*outcome.scenario->platform)[row.id.host()].cores;
    busy += row.busy;
    held += row.held;
    useful += row.useful;
    lost_time += row.lost;
    capacity += cores * std::max(span, 0.0);
    up += cores * std::max(span - row.down, 0.0);
  }
  std::size_t lost = 0, cancelled = 0, superseded = 0, copies = 0;
  double bytes = 0;
  for (const Execution& run : runs.all) {
    if (run.ended < from) continue;
    if (run.how == RecordKind::lost) ++lost;
    if (run.how == RecordKind::cancelled) ++cancelled;
    if (run.how == RecordKind::superseded) ++superseded;
    if (run.copy) ++copies;
    if (run.how == RecordKind::ended) bytes += bytes_of(outcome, run);
  }
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : kNaN; };
  add("utilization", share(busy, capacity));
  add("utilization.busy", share(busy, capacity));
  add("utilization.held", share(held, capacity));
  add("utilization.useful", share(useful, capacity));
  add("utilization.up", share(busy, up));
  double all_busy = 0, all_up = 0;
  for (const ResourceRow& row : resource_rows(outcome, runs, 0)) {
    if (row.id.kind() == ResourceKind::link) continue;
    const double cores = (*outcome.scenario->platform)[row.id.host()].cores;
    all_busy += row.busy;
    all_up += cores * std::max(outcome.end - row.down, 0.0);
  }
  add("utilization.system", share(all_busy, all_up));
  add("utilization.jobs",
      share(core_seconds, (last - first) * static_cast<double>(outcome.scenario->platform->total_cores())));
  double thinking = 0;
  for (const Execution& run : runs.all)
    if (run.kind == ActivityKind::think) thinking += overlap(run.started, run.ended, from, outcome.end);
  add("scheduler_utilization", share(thinking, span));
  add("busy_time", busy);
  add("lost_time", lost_time);
  add("lost", static_cast<double>(lost));
  add("cancelled", static_cast<double>(cancelled));
  add("superseded", static_cast<double>(superseded));
  add("copies", static_cast<double>(copies));
  add("bytes_moved", bytes);
  add("link_utilization", share(link_busy, static_cast<double>(links) * span));

  // Of the whole run, whatever the warm-up.
  Statistics finish;
  double useful_hosts = 0, duplicate = 0, redundant = 0, idle = 0;
  const std::vector<HostRow> of_hosts = host_rows(outcome, runs);
  for (const HostRow& row : of_hosts) {
    finish.add(row.last_finish);
    useful_hosts += row.useful;
    duplicate += row.duplicate;
    redundant += row.redundant;
    idle += row.idle;
  }
  const Seconds ideal = ideal_time(*outcome.scenario);
  add("package_count", static_cast<double>(package_rows(outcome, runs).size()));
  add("duplicate_time", duplicate);
  add("redundant_time", redundant);
  add("idle_time", idle);
  add("finish_spread", finish.most - finish.least);
  add("utilization.hosts", share(useful_hosts, static_cast<double>(of_hosts.size()) * last));
  add("ideal_time", ideal);
  add("efficiency", share(ideal, last));

  const GridMeasures grid = grid_measures(outcome, runs, last);
  add("efficiency.available", grid.efficiency);
  add("lower_bound", grid.lower_bound);
  add("bound_ratio", grid.bound_ratio);
  add("estimate_error", outcome.estimate_error);
  add("computation_ratio", grid.computation_ratio);
  const CriticalChain chain = critical_chain(outcome, runs);
  add("chain.computation", chain.computation);
  add("chain.transfer", chain.transfer);
  add("chain.waiting", chain.waiting);
  add("bytes_in", grid.bytes_in);
  add("bytes_out", grid.bytes_out);
  add("redundancy", grid.redundancy);
  add("sends", static_cast<double>(grid.sends));
  add("shared_sends", static_cast<double>(grid.shared_sends));
  add("aborted_transfers", static_cast<double>(grid.aborted_transfers));
  add("aborted_bytes", grid.aborted_bytes);
  const PlanMeasures plan = plan_measures(outcome);
  add("plan_count", static_cast<double>(plan.plans));
  for (std::size_t cause = 0; cause < kPlanCauses.size(); ++cause)
    add(fmt::format("plan_count.{}", kPlanCauses[cause]), static_cast<double>(plan.by_cause[cause]));
  add("assignments_per_plan", plan.assignments);
  add("mean_deviation", plan.deviation);
  add("stolen", static_cast<double>(plan.stolen));
  return metrics;
}

std::vector<JobRow> job_rows(const Outcome& outcome) { return job_rows(outcome, executions(outcome)); }

Table jobs(const Outcome& outcome) {
  const Platform& platform = *outcome.scenario->platform;
  Table table;
  table.columns = {"id",       "name",      "kind",    "user",           "arrival",    "start",  "finish",
                   "wait",     "response",  "run",     "slowdown",       "state",      "hosts",  "cores",
                   "deadline", "requested", "release", "scheduler_wait", "queue_wait", "quality"};
  table.units = {"", "", "", "", "s", "s", "s", "s", "s", "s", "", "", "", "", "s", "s", "s", "s", "s", ""};
  for (const JobRow& row : job_rows(outcome)) {
    std::string hosts;
    for (const HostId host : row.hosts) hosts += (hosts.empty() ? "" : " ") + platform[host].name;
    table.rows.push_back({static_cast<double>(row.id.index) + 1,
                          row.name,
                          std::string(name_of(row.kind)),
                          row.user,
                          row.arrival,
                          row.start,
                          row.finish,
                          row.wait,
                          row.response,
                          row.run,
                          row.slowdown,
                          std::string(name_of(row.state)),
                          hosts,
                          static_cast<double>(row.cores),
                          row.deadline < kNever ? Cell(row.deadline) : Cell(),
                          row.requested,
                          row.release,
                          row.scheduler_wait,
                          row.queue_wait,
                          std::isnan(row.quality) ? Cell() : Cell(row.quality)});
  }
  return table;
}

std::vector<UserRow> user_rows(const Outcome& outcome) {
  return user_rows(job_rows(outcome), outcome.scenario->workload->users, outcome.warmup);
}

Table users(const Outcome& outcome) {
  Table table;
  table.columns = {"user",      "works",         "finished",      "core_seconds",
                   "mean_wait", "mean_response", "mean_slowdown", "mean_bounded_slowdown"};
  table.units = {"", "works", "works", "s", "s", "s", "", ""};
  for (const UserRow& row : user_rows(outcome))
    table.rows.push_back({row.user, static_cast<double>(row.works), static_cast<double>(row.finished),
                          row.core_seconds, row.mean_wait, row.mean_response, row.mean_slowdown,
                          row.mean_bounded_slowdown});
  return table;
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
