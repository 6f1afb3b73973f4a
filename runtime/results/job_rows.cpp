#include "runtime/results/job_rows.h"

#include <algorithm>
#include <map>

#include "runtime/kernel/constants.h"
#include "runtime/results/queues.h"
#include "runtime/schedulers/reasons.h"
#include "runtime/statistics/accumulators.h"

namespace perigee::results {
namespace {

// In the bounded slowdown, shorter run times count as this (Feitelson et al., JSSPP 1997).
constexpr Seconds kShortest = 10;

// The declared time of each work on the host where it takes longest; NaN if there is none, or none that is
// finite. The whole size of sweeps and loads counts.
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

// The rows of works, filled in step by step.
class JobRows {
 public:
  JobRows(const Outcome& outcome, const Executions& executions)
      : outcome_(outcome),
        executions_(executions),
        workload_(*outcome.scenario->workload),
        rows_(workload_.size()),
        stranded_(rows_.size(), 0) {}

  std::vector<JobRow> rows() {
    declare();
    follow_works();
    // Activities that ended well serve the work; if there are none, any activity that is under way.
    for (const bool well : {true, false})
      for (const Execution& execution : executions_.all)
        if (serves(execution, well)) add(execution);
    derive();
    return std::move(rows_);
  }

 private:
  void declare() {
    const RequestedTimes requested(*outcome_.scenario);
    for (std::size_t w = 0; w < rows_.size(); ++w) {
      JobRow& row = rows_[w];
      const Work& work = workload_.works[w];
      row.id = WorkId(w);
      row.name = workload_.name_of(row.id);
      if (work.user.valid() && work.user.index < workload_.users.size())
        row.user = workload_.users[work.user.index];
      row.kind = work.kind;
      row.arrival = work.arrival;
      row.release = row.queue_wait = row.quality = kNaN;
      row.start = row.finish = row.wait = row.response = row.run = row.slowdown = row.bounded_slowdown = kNaN;
      if (w < outcome_.works.size()) row.state = outcome_.works[w];
      row.deadline = work.deadline;
      row.cores = work.cores;
      row.requested = requested[row.id];
      const bool in_parts = work.kind == WorkKind::sweep || work.kind == WorkKind::load;
      row.size = in_parts ? workload_.size_of(row.id) : kNaN;
    }
  }

  void follow_works() {
    const Trace& trace = outcome_.trace;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const Record& record = trace[i];
      if (record.work.index >= rows_.size()) continue;
      JobRow& row = rows_[record.work.index];
      if (record.kind == RecordKind::arrived)
        row.arrival = record.time;
      else if (record.kind == RecordKind::finished)
        row.finish = record.time;
      else if (record.kind == RecordKind::missed)
        row.missed = true;
      else if (record.kind == RecordKind::rejected || record.kind == RecordKind::expired)
        row.reason = record.why;
      else if (record.kind == RecordKind::stranded)
        stranded_[record.work.index] = i;
    }
  }

  bool serves(const Execution& execution, bool well) const {
    if (execution.work.index >= rows_.size()) return false;
    const JobRow& row = rows_[execution.work.index];
    const bool may = execution.kind == ActivityKind::compute || execution.kind == ActivityKind::chunk ||
                     (execution.kind == ActivityKind::hold && row.kind == WorkKind::reservation);
    if (!may || (execution.how == RecordKind::ended) != well) return false;
    return well ? execution.start_record >= stranded_[execution.work.index]
                : std::isnan(row.start) && execution.how == RecordKind::started;
  }

  void add(const Execution& execution) {
    JobRow& row = rows_[execution.work.index];
    if (std::isnan(row.start) || execution.started < row.start) {
      row.start = execution.started;
      row.release = execution.posted;
    }
    if (execution.kind == ActivityKind::compute) row.cores = execution.cores;
    for (const ResourceId on : executions_.on(execution)) {
      if (on.kind() != ResourceKind::host) continue;
      const std::int32_t cores = execution.kind == ActivityKind::hold
                                     ? (*outcome_.scenario->platform)[on.host()].cores
                                     : execution.cores;
      if (execution.how == RecordKind::ended)
        row.core_seconds += (execution.ended - execution.started) * cores;
      if (std::find(row.hosts.begin(), row.hosts.end(), on.host()) == row.hosts.end())
        row.hosts.push_back(on.host());
    }
  }

  void derive() {
    const std::vector<Seconds> scheduler_wait = outcome_.trace.level() == TraceLevel::full
                                                    ? scheduler_waits(outcome_)
                                                    : std::vector<Seconds>(rows_.size(), kNaN);
    for (JobRow& row : rows_) {
      row.wait = row.start - row.arrival;
      row.scheduler_wait = scheduler_wait[row.id.index];
      row.queue_wait = row.start - row.release;
      if (const auto quality = workload_.quality_of(row.id, outcome_.scenario->platform->hosts().size());
          !quality.empty() && !row.hosts.empty())
        row.quality = quality[row.hosts.front().index];
      row.response = row.finish - row.arrival;
      row.run = row.finish - row.start;
      if (row.run > 0) row.slowdown = row.response / row.run;
      if (!std::isnan(row.run))
        row.bounded_slowdown = std::max(row.response / std::max(row.run, kShortest), 1.0);
    }
  }

  const Outcome& outcome_;
  const Executions& executions_;
  const Workload& workload_;
  std::vector<JobRow> rows_;
  std::vector<std::size_t> stranded_;  // activities that ended before this record did not count in the end
};

}  // namespace

std::vector<JobRow> job_rows(const Outcome& outcome, const Executions& executions) {
  return JobRows(outcome, executions).rows();
}

std::vector<UserRow> user_rows(const Outcome& outcome, const std::vector<JobRow>& rows) {
  std::vector<UserRow> all;
  std::map<std::string, Totals, std::less<>> wait, response, slowdown, bounded;
  std::map<std::string, std::size_t, std::less<>> index;
  for (const std::string& user : outcome.scenario->workload->users)
    if (index.emplace(user, all.size()).second) {
      all.emplace_back();
      all.back().user = user;
    }
  for (const JobRow& row : rows) {
    const auto found = index.find(row.user);
    if (found == index.end()) continue;
    UserRow& user = all[found->second];
    ++user.works;
    if (std::isnan(row.finish) || row.finish < outcome.warmup) continue;
    ++user.finished;
    user.core_seconds += row.core_seconds;
    wait[row.user].add(row.wait);
    response[row.user].add(row.response);
    slowdown[row.user].add(row.slowdown);
    bounded[row.user].add(row.bounded_slowdown);
  }
  for (UserRow& user : all) {
    if (outcome.trace.level() != TraceLevel::full) user.core_seconds = kNaN;
    user.mean_wait = wait[user.user].mean();
    user.mean_response = response[user.user].mean();
    user.mean_slowdown = slowdown[user.user].mean();
    user.mean_bounded_slowdown = bounded[user.user].mean();
  }
  return all;
}

std::vector<JobRow> job_rows(const Outcome& outcome) {
  return job_rows(outcome, executions_if_kept(outcome));
}

Table jobs(const Outcome& outcome) {
  const Platform& platform = *outcome.scenario->platform;
  Table table;
  table.columns = {"id",         "name",    "kind",     "user",      "arrival",  "start",
                   "finish",     "wait",    "response", "run",       "slowdown", "state",
                   "hosts",      "cores",   "deadline", "requested", "release",  "scheduler_wait",
                   "queue_wait", "quality", "size",     "reason"};
  table.units = {"", "", "", "",  "s", "s", "s", "s", "s", "s", "",
                 "", "", "", "s", "s", "s", "s", "s", "",  "",  ""};
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
                          std::isnan(row.quality) ? Cell() : Cell(row.quality),
                          std::isnan(row.size) ? Cell() : Cell(row.size),
                          row.reason == Reason::none ? Cell() : Cell(std::string(schedulers::name_of(row.reason)))});
  }
  return table;
}

std::vector<UserRow> user_rows(const Outcome& outcome) { return user_rows(outcome, job_rows(outcome)); }

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

}  // namespace perigee::results
