// workload.periodic { { period = 4, time = 1 }, ..., horizon = 100 }: the jobs of tasks that come again and again.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/declare/workload/records.h"
#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/language/fields/periodic.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

namespace {

constexpr const char* kPeriodicWord = "workload.periodic";

struct PeriodicTask {
  std::string name;
  Seconds period = 0, time = 0, deadline = 0, offset = 0;
  Time arrival_of(double job) const { return offset + job * period; }  // jobs count from 0
};

PeriodicTask periodic_task_at(lua_State* L, int index, std::int64_t number) {
  const std::string subject = fmt::format("{}: task {}", kPeriodicWord, number);
  const Fields fields(L, index, {subject}, periodic_fields::kTask);
  PeriodicTask task;
  task.name = fields.text(periodic_fields::kName);
  task.period = fields.number(periodic_fields::kPeriod);
  task.time = fields.number(periodic_fields::kTime);
  task.deadline = fields.number(periodic_fields::kDeadline, task.period);
  task.offset = fields.number(periodic_fields::kOffset);
  return task;
}

WorkRecord job_of(const PeriodicTask& task, double job) {
  WorkRecord record;
  record.kind = WorkKind::job;
  record.time.form = TimeForm::seconds;
  record.time.amount = task.time;
  record.arrival = task.arrival_of(job);
  record.deadline = record.arrival + task.deadline;
  record.priority = 1 / task.period;
  if (task.name.empty()) return record;
  record.name = fmt::format("{}.{:.0f}", task.name, job + 1);
  record.user = task.name;
  return record;
}

}  // namespace

int periodic(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {kPeriodicWord}, periodic_fields::kWhole, true);
    const Time horizon = fields.number(periodic_fields::kHorizon);
    std::vector<PeriodicTask> tasks;
    double count = 0;
    for (std::int64_t i = 1; i <= fields.count(); ++i) {
      lua_rawgeti(L, 1, i);
      tasks.push_back(inside_entry(L, 1, i, [&] { return periodic_task_at(L, lua_gettop(L), i); }));
      lua_pop(L, 1);
      count += std::max(0.0, std::ceil((horizon - tasks.back().offset) / tasks.back().period));
    }
    check_pieces(count, sizeof(WorkRecord));
    struct Release {
      Time at;
      std::size_t task;
      double job;
    };
    std::vector<Release> releases;
    for (std::size_t t = 0; t < tasks.size(); ++t)
      for (double job = 0; tasks[t].arrival_of(job) < horizon; ++job)
        releases.push_back({tasks[t].arrival_of(job), t, job});
    std::ranges::stable_sort(releases, {}, &Release::at);
    auto records = std::make_shared<WorkRecords>();
    for (const Release& each : releases) records->add(job_of(tasks[each.task], each.job));
    WorkloadPart part;
    part.kind = WorkKind::job;
    part.declared_at = caller(L);
    part.count = static_cast<std::int64_t>(releases.size());
    part.records = std::move(records);
    WorkloadValue value;
    value.parts.push_back(std::move(part));
    push_new(L, std::move(value));
    return 1;
  });
}

}  // namespace perigee::bindings
