#include "runtime/results/job_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "runtime/kernel/constants.h"
#include "runtime/results/energy.h"
#include "runtime/results/queues.h"
#include "runtime/schedulers/reasons.h"
#include "runtime/statistics/accumulators.h"

namespace perigee::results {
namespace {

// In the bounded slowdown, shorter run times count as this (Feitelson et al., JSSPP 1997).
constexpr Seconds kShortest = 10;

// The rows of works, filled in step by step.
class JobRows {
 public:
  JobRows(const Outcome& outcome, const Executions& executions)
      : outcome_(outcome),
        executions_(executions),
        workload_(*outcome.scenario->workload),
        first_(workload_.works.first()),
        rows_(workload_.size() - first_) {}

  std::vector<JobRow> rows() {
    declare();
    follow_works();
    // Attempts that count come first.
    for (const bool well : {true, false})
      for (const Execution& execution : executions_.all)
        if ((execution.how == RecordKind::ended || !execution.saved_at.empty()) == well) add(execution);
    derive();
    return std::move(rows_);
  }

 private:
  void declare() {
    for (std::size_t w = first_; w < workload_.size(); ++w) {
      JobRow& row = rows_[w - first_];
      const Work& work = workload_.works[w];
      row.id = WorkId(w);
      row.name = workload_.name_of(row.id);
      if (work.user.valid() && work.user.index < workload_.users.size())
        row.user = workload_.users[work.user.index];
      row.kind = work.kind;
      row.arrival = work.arrival;
      if (outcome_.works.has(w)) row.state = outcome_.works[w];
      row.deadline = work.deadline;
      row.cores = static_cast<std::int32_t>(workload_.width_of(row.id));
      row.requested = requested_.of(*outcome_.scenario, row.id);
      const bool in_parts = work.kind == WorkKind::sweep || work.kind == WorkKind::load;
      row.size = in_parts ? workload_.size_of(row.id) : kNaN;
      const Shape* shape = workload_.shape_of(row.id);
      row.nodes = work.kind == WorkKind::reservation ? 0 : shape != nullptr ? shape->nodes : 1;
      row.limit = workload_.limit_of(row.id);
    }
  }

  void follow_works() {
    const Trace& trace = outcome_.trace;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const Record& record = trace[i];
      if (!workload_.works.has(record.work.index)) continue;
      JobRow& row = rows_[record.work.index - first_];
      if (record.kind == RecordKind::arrived)
        row.arrival = record.time;
      else if (record.kind == RecordKind::finished)
        row.finish = record.time;
      else if (record.kind == RecordKind::missed)
        row.missed = true;
      else if (record.kind == RecordKind::rejected || record.kind == RecordKind::expired)
        row.reason = record.why;
      else if (record.kind == RecordKind::killed)
        row.reason = record.why, row.finish = record.time;
      else if (record.kind == RecordKind::stranded ||
               (record.kind == RecordKind::saved && record.size == 0)) {
        before_[record.work] = row.stranded;
        row.strand(i);
      } else if (record.kind == RecordKind::recovered)
        row.stranded = before_.at(record.work);
    }
  }

  void add(const Execution& execution) {
    if (!workload_.works.has(execution.work.index)) return;
    JobRow& row = rows_[execution.work.index - first_];
    if (execution.kind == ActivityKind::compute) ++row.attempts;
    if (!row.is_served_by(execution, row.kind)) return;
    const std::span<const UsedResource> on = executions_.on(execution);
    row.Service::add(execution, on, *outcome_.scenario->platform);
    if (execution.kind == ActivityKind::compute) {
      row.cores = execution.cores;
      row.allocation.clear();
      for (const UsedResource& each : on)
        if (each.kind() == ResourceKind::host) row.allocation.push_back({each.host(), each.cores});
      const Shape* shape = workload_.shape_of(row.id);
      const bool moldable = shape != nullptr && shape->sizes != nullptr;
      if (shape != nullptr && (shape->nodes == 0 || moldable))
        row.nodes = static_cast<std::int32_t>(row.allocation.size());
      if (moldable) row.requested = requested_.of(*outcome_.scenario, row.id, row);
    }
    for (const ResourceId each : on)
      if (each.kind() == ResourceKind::host && std::ranges::find(row.hosts, each.host()) == row.hosts.end())
        row.hosts.push_back(each.host());
  }

  void derive() {
    const std::vector<Seconds> scheduler_wait = outcome_.trace.level() == TraceLevel::full
                                                    ? scheduler_waits(outcome_)
                                                    : std::vector<Seconds>(workload_.size(), kNaN);
    for (JobRow& row : rows_) {
      static_cast<ServiceTimes&>(row) = times_of(row, *outcome_.scenario, row.id);
      row.scheduler_wait = scheduler_wait[row.id.index];
    }
  }

  const Outcome& outcome_;
  const Executions& executions_;
  const Workload& workload_;
  const RequestedTimes requested_{*outcome_.scenario->platform};
  const std::size_t first_;  // work that has a row
  std::vector<JobRow> rows_;
  std::map<WorkId, std::uint32_t> before_;  // of those that were stranded: Service::stranded before that
};

}  // namespace

bool Service::is_served_by(const Execution& execution, WorkKind kind) const {
  const bool may = execution.kind == ActivityKind::compute || execution.kind == ActivityKind::chunk ||
                   (execution.kind == ActivityKind::hold && kind == WorkKind::reservation);
  if (!may) return false;
  const bool killed = execution.how == RecordKind::cancelled && execution.why == Reason::limit;
  if (execution.how == RecordKind::ended || killed || !execution.saved_at.empty())
    return execution.start_record >= stranded;
  return std::isnan(start) && execution.how == RecordKind::started;
}

void Service::add(const Execution& execution, std::span<const UsedResource> on, const Platform& platform) {
  if (std::isnan(start) || execution.started < start) {
    start = execution.started;
    release = execution.posted;
  }
  const Seconds away = execution.suspended(), had = execution.ended - execution.started - away;
  held += had;
  suspended += away;
  resumes = resumes || !execution.saved_at.empty();
  hosts_held = cores_held = 0;
  for (const UsedResource& each : on) {
    if (each.kind() != ResourceKind::host) continue;
    const std::int32_t cores =
        execution.kind == ActivityKind::hold ? platform[each.host()].cores : each.cores;
    if (execution.how == RecordKind::ended) core_seconds += had * cores;
    if (!first_host.valid()) first_host = each.host();
    ++hosts_held;
    cores_held += each.cores;
  }
}

void Service::strand(std::size_t record) {
  Service anew;
  anew.arrival = arrival;
  anew.stranded = static_cast<std::uint32_t>(record);
  *this = anew;
}

ServiceTimes times_of(const Service& service, const Scenario& scenario, WorkId work) {
  ServiceTimes times{.wait = service.start - service.arrival,
                     .response = service.finish - service.arrival,
                     .run = service.finish - service.start - service.suspended,
                     .slowdown = kNaN,
                     .bounded_slowdown = kNaN,
                     .queue_wait = service.start - service.release,
                     .quality = kNaN};
  if (service.resumes && !std::isnan(service.finish)) times.run = service.held;
  if (times.run > 0) times.slowdown = times.response / times.run;
  if (!std::isnan(times.run))
    times.bounded_slowdown = std::max(times.response / std::max(times.run, kShortest), 1.0);
  const auto quality = scenario.workload->quality_of(work, scenario.platform->hosts().size());
  if (!quality.empty() && service.first_host.valid()) times.quality = quality[service.first_host.index];
  return times;
}

RequestedTimes::RequestedTimes(const Platform& platform) {
  const std::span<const Host> hosts = platform.hosts();
  for (std::size_t h = 1; h < hosts.size(); ++h)
    if (hosts[h].speed < hosts[slowest_.index].speed) slowest_ = HostId(h);
}

Seconds RequestedTimes::of(const Scenario& scenario, WorkId work) const { return in_size(scenario, work, 0); }

Seconds RequestedTimes::of(const Scenario& scenario, WorkId work, const Service& service) const {
  const Shape* shape = scenario.workload->shape_of(work);
  if (shape == nullptr || shape->sizes == nullptr) return of(scenario, work);
  return in_size(scenario, work, shape->nodes > 0 ? service.hosts_held : service.cores_held);
}

Seconds RequestedTimes::in_size(const Scenario& scenario, WorkId work, std::int32_t mold) const {
  const Platform& platform = *scenario.platform;
  const Workload& workload = *scenario.workload;
  if (workload[work].kind == WorkKind::reservation || platform.hosts().empty()) return kNaN;
  const auto on = [&](HostId host) {
    return declared_time(workload, {work, 0, workload.size_of(work), mold}, platform[host], host,
                         platform[host].architecture);
  };
  if (workload[work].form == TimeForm::seconds || workload[work].form == TimeForm::operations)
    return on(slowest_);
  Seconds longest = kNaN;
  for (std::size_t h = 0; h < platform.hosts().size(); ++h)
    if (const Seconds time = on(HostId(h)); time < kNever && !(time <= longest)) longest = time;
  return longest;
}

std::vector<JobRow> job_rows(const Outcome& outcome, const Executions& executions) {
  return JobRows(outcome, executions).rows();
}

std::string_view name_of(GroupBy by) {
  switch (by) {
    case GroupBy::user:
      return "user";
    case GroupBy::queue:
      return "queue";
    case GroupBy::qos:
      return "qos";
    case GroupBy::account:
      return "account";
  }
  return "";
}

namespace {

std::vector<std::string> names_of_groups(const Workload& workload, GroupBy by) {
  if (by == GroupBy::user) return workload.users;
  std::vector<std::string> names;
  if (workload.queues == nullptr) return names;
  if (by == GroupBy::account) return workload.queues->accounts;
  if (by == GroupBy::queue)
    for (const model::Queue& queue : workload.queues->queues) names.push_back(queue.name);
  else
    for (const model::Qos& qos : workload.queues->qos) names.push_back(qos.name);
  return names;
}

// Empty: it names none.
std::string group_of(const Workload& workload, GroupBy by, const JobRow& row) {
  if (by == GroupBy::user) return row.user;
  if (by == GroupBy::queue) {
    const model::Queue* queue = workload.queue_of(row.id);
    return queue != nullptr ? queue->name : std::string();
  }
  if (by == GroupBy::qos) {
    const model::Qos* qos = workload.qos_of(row.id);
    return qos != nullptr ? qos->name : std::string();
  }
  const std::uint32_t extra = workload.queues != nullptr ? workload[row.id].extra : kNone;
  const std::uint32_t account = extra != kNone ? workload.extras[extra].account : kNone;
  return account != kNone ? workload.queues->accounts[account] : std::string();
}

}  // namespace

std::vector<GroupRow> group_rows(const Outcome& outcome, GroupBy by, const std::vector<JobRow>& rows) {
  const Workload& workload = *outcome.scenario->workload;
  std::vector<GroupRow> all;
  struct Sums {
    Totals wait, response, slowdown, bounded;
  };
  std::vector<Sums> sums;
  std::map<std::string, std::size_t, std::less<>> index;
  for (const std::string& name : names_of_groups(workload, by))
    if (index.emplace(name, all.size()).second) {
      all.emplace_back().name = name;
      sums.emplace_back();
    }
  for (const JobRow& row : rows) {
    const auto found = index.find(group_of(workload, by, row));
    if (found == index.end()) continue;
    GroupRow& group = all[found->second];
    ++group.works;
    if (std::isnan(row.finish) || row.finish < outcome.warmup) continue;
    ++group.finished;
    group.core_seconds += row.core_seconds;
    Sums& sum = sums[found->second];
    sum.wait.add(row.wait);
    sum.response.add(row.response);
    sum.slowdown.add(row.slowdown);
    sum.bounded.add(row.bounded_slowdown);
  }
  for (std::size_t g = 0; g < all.size(); ++g) {
    if (outcome.trace.level() != TraceLevel::full) all[g].core_seconds = kNaN;
    all[g].mean_wait = sums[g].wait.mean();
    all[g].mean_response = sums[g].response.mean();
    all[g].mean_slowdown = sums[g].slowdown.mean();
    all[g].mean_bounded_slowdown = sums[g].bounded.mean();
  }
  return all;
}

void check_all_works_are_kept(const Outcome& outcome) {
  if (const std::size_t first = outcome.works.first(); first > 0)
    fail(
        "not_measured",
        "the first {} works of the stream are settled and forgotten; run it with trace = \"full\" to keep them",
        first);
}

std::vector<JobRow> job_rows(const Outcome& outcome) {
  check_all_works_are_kept(outcome);
  return job_rows(outcome, executions_if_kept(outcome));
}

namespace {

// The rows of works as a table. Some columns are there only where a work of the run has a value of theirs.
class JobTable {
 public:
  explicit JobTable(const Outcome& outcome)
      : outcome_(outcome),
        platform_(*outcome.scenario->platform),
        workload_(*outcome.scenario->workload),
        rows_(job_rows(outcome)),
        knows_attempts_(outcome.trace.level() == TraceLevel::full) {}

  Table table() {
    table_.columns = {"id",         "name",    "kind",     "user",      "arrival",  "start",
                      "finish",     "wait",    "response", "run",       "slowdown", "state",
                      "hosts",      "cores",   "deadline", "requested", "release",  "scheduler_wait",
                      "queue_wait", "quality", "size",     "reason"};
    table_.units = {"", "", "", "",  "s", "s", "s", "s", "s", "s", "",
                    "", "", "", "s", "s", "s", "s", "s", "",  "",  ""};
    add_columns();
    for (const JobRow& row : rows_) {
      add(row);
      add_rest(row);
    }
    return std::move(table_);
  }

 private:
  void add_columns() {
    for (std::size_t w = workload_.works.first(); w < workload_.size() && !has_shapes_; ++w)
      has_shapes_ = workload_.shape_of(WorkId(w)) != nullptr || workload_.limit_of(WorkId(w)) < kNever;
    if (has_shapes_) {
      table_.columns.insert(table_.columns.end(), {"nodes", "allocation", "attempts", "limit"});
      table_.units.insert(table_.units.end(), {"", "", "", "s"});
    }
    for (std::size_t w = workload_.works.first(); w < workload_.size() && !has_queues_; ++w)
      has_queues_ = workload_.queue_of(WorkId(w)) != nullptr;
    if (has_queues_) add_column("queue", "");
    if (!workload_.workflows.empty()) add_column("workflow", "");
    any_suspended_ = std::ranges::any_of(rows_, [](const JobRow& row) { return row.suspended > 0; });
    if (any_suspended_) add_column("suspended", "s");
    if (platform_.has_power() && knows_attempts_) {
      energy_ = energy_of(outcome_);
      add_column("energy", "J");
    }
  }
  void add_column(const char* name, const char* unit) {
    table_.columns.emplace_back(name);
    table_.units.emplace_back(unit);
  }

  void add(const JobRow& row) {
    std::string hosts;
    for (const HostId host : row.hosts) hosts += (hosts.empty() ? "" : " ") + platform_[host].name;
    table_.rows.push_back(
        {static_cast<double>(row.id.index) + 1,
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

  void add_rest(const JobRow& row) {
    std::vector<Cell>& cells = table_.rows.back();
    if (has_shapes_) {
      std::string allocation;
      for (const Share& each : row.allocation)
        allocation +=
            fmt::format("{}{}:{}", allocation.empty() ? "" : " ", platform_[each.host].name, each.cores);
      cells.push_back(row.nodes > 0 ? Cell(static_cast<double>(row.nodes)) : Cell());
      cells.emplace_back(std::move(allocation));
      cells.push_back(knows_attempts_ ? Cell(static_cast<double>(row.attempts)) : Cell());
      cells.push_back(row.limit < kNever ? Cell(row.limit) : Cell());
    }
    if (has_queues_) {
      const model::Queue* queue = workload_.queue_of(row.id);
      cells.push_back(queue != nullptr ? Cell(queue->name) : Cell());
    }
    if (!workload_.workflows.empty()) {
      const std::uint32_t number = workload_.workflow_of(row.id);
      cells.push_back(number != kNone ? Cell(workload_.workflows[number].name) : Cell());
    }
    if (any_suspended_) cells.emplace_back(row.suspended);
    if (energy_) cells.emplace_back(energy_->of_work(row.id));
  }

  const Outcome& outcome_;
  const Platform& platform_;
  const Workload& workload_;
  const std::vector<JobRow> rows_;
  const bool knows_attempts_;
  bool has_shapes_ = false, has_queues_ = false, any_suspended_ = false;
  std::optional<EnergyMeter> energy_;
  Table table_;
};

}  // namespace

Table jobs(const Outcome& outcome) { return JobTable(outcome).table(); }

Table attempts(const Outcome& outcome) {
  const Platform& platform = *outcome.scenario->platform;
  const Workload& workload = *outcome.scenario->workload;
  Table table;
  table.columns = {"work", "start", "finish", "hosts", "cores", "state", "reason"};
  table.units = {"", "s", "s", "", "", "", ""};
  const Executions all = executions(outcome);
  const bool any_suspended =
      std::ranges::any_of(all.all, [](const Execution& each) { return !each.suspensions.empty(); });
  if (any_suspended) {
    table.columns.emplace_back("suspended");
    table.units.emplace_back("s");
  }
  std::vector<std::uint32_t> last(workload.size());  // serial, per work
  for (const Execution& each : all.all)
    if (each.work.valid() && each.kind != ActivityKind::dump) last[each.work.index] = each.serial;
  for (const Execution& each : all.all) {
    if (each.kind != ActivityKind::compute || !each.work.valid()) continue;
    std::string hosts;
    for (const UsedResource& on : all.on(each)) hosts += (hosts.empty() ? "" : " ") + platform.name_of(on);
    const bool runs = each.how == RecordKind::started, limited = each.why == Reason::limit;
    const bool waits_again = limited || (each.how == RecordKind::cancelled && each.why == Reason::policy);
    const bool is_suspended = runs && !each.suspensions.empty() && each.suspensions.back().to >= each.ended;
    const bool killed = limited && outcome.works.has(each.work.index) &&
                        last[each.work.index] == each.serial &&
                        outcome.works[each.work.index] == WorkState::killed;
    table.rows.push_back(
        {workload.name_of(each.work), each.started, runs ? Cell() : Cell(each.ended), hosts,
         static_cast<double>(each.cores),
         std::string(is_suspended  ? "suspended"
                     : runs        ? "running"
                     : killed      ? "killed"
                     : waits_again ? "requeued"
                                   : name_of(each.how)),
         each.why == Reason::none ? Cell() : Cell(std::string(schedulers::name_of(each.why)))});
    if (any_suspended) table.rows.back().emplace_back(each.suspended());
  }
  return table;
}

std::vector<GroupRow> group_rows(const Outcome& outcome, GroupBy by) {
  return group_rows(outcome, by, job_rows(outcome));
}

Table groups(const Outcome& outcome, GroupBy by) {
  if (outcome.trace.level() == TraceLevel::none)
    fail(
        "not_measured",
        "when works ended was not kept of this run; run it with trace = \"full\", or trace = \"work\" for their "
        "numbers");
  Table table;
  table.columns = {std::string(name_of(by)),
                   "works",
                   "finished",
                   "core_seconds",
                   "mean_wait",
                   "mean_response",
                   "mean_slowdown",
                   "mean_bounded_slowdown"};
  table.units = {"", "works", "works", "s", "s", "s", "", ""};
  const std::vector<JobRow> jobs = job_rows(outcome);
  for (const GroupRow& row : group_rows(outcome, by, jobs))
    table.rows.push_back({row.name, static_cast<double>(row.works), static_cast<double>(row.finished),
                          row.core_seconds, row.mean_wait, row.mean_response, row.mean_slowdown,
                          row.mean_bounded_slowdown});
  if (!outcome.scenario->platform->has_power() || outcome.trace.level() != TraceLevel::full) return table;
  const EnergyMeter meter = energy_of(outcome);
  std::map<std::string, double> energies;  // J
  for (const JobRow& job : jobs)
    energies[group_of(*outcome.scenario->workload, by, job)] += meter.of_work(job.id);
  table.columns.emplace_back("energy");
  table.units.emplace_back("J");
  for (std::vector<Cell>& row : table.rows) row.emplace_back(energies[std::get<std::string>(row.front())]);
  return table;
}

Table users(const Outcome& outcome) { return groups(outcome, GroupBy::user); }

}  // namespace perigee::results
