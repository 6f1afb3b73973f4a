#include "runtime/results/chart_run.h"

#include <algorithm>
#include <vector>

namespace perigee::results {
namespace {

// A pointer to an object that somebody else owns; valid as long as that lives.
template <class T>
std::shared_ptr<const T> borrowed(const T* object) {
  return {std::shared_ptr<const T>(), object};
}

struct Planned {
  Slot slot;
  ActivityKind kind;
  WorkId work;
  FileId file;
  ResourceId on;
};

// The shortest gap that a host's timeline keeps; shorter ones are forgotten.
Seconds shortest_on(const ChartProblem& problem, std::size_t host) {
  Seconds shortest = kNever;
  for (std::size_t t = 0; t < problem.tasks(); ++t) {
    const Seconds time = problem.time_of(t, host);
    shortest = std::min(shortest, time >= 0 ? time : 0);
  }
  return shortest < kNever ? shortest * (1 - 1e-6) : 0;
}

// Adds holds where the host is neither free nor has a placed task. Spans shorter than `shortest` may be
// forgotten gaps, and are left out.
void add_held(const Timeline& line, ResourceId host, std::vector<Slot> placed, Time now, Time until,
              Seconds shortest, std::vector<Planned>& out) {
  for (const Slot& each : line.free()) placed.push_back(each);
  std::ranges::sort(placed, {}, &Slot::start);
  placed.push_back({until, kNever});
  Time from = now;
  for (const Slot& each : placed) {
    if (each.start - from > chart_slack(from) && each.start - from >= shortest)
      out.push_back({{from, each.start}, ActivityKind::hold, {}, {}, host});
    from = std::max(from, each.end);
  }
}

}  // namespace

Outcome as_run(const ChartView& view, const ChartPlan& plan) {
  const Chart& chart = view.chart();
  std::vector<Planned> all;
  Outcome out;
  out.end = chart.now();
  std::vector<std::vector<Slot>> placed(chart.problem().hosts());
  for (const ChartTask& task : view.placed()) {
    const WorkId work = plan.tasks[task.task];
    all.push_back({task.slot, ActivityKind::compute, work, {}, ResourceId::of(plan.hosts[task.host])});
    placed[task.host].push_back(task.slot);
    out.end = std::max(out.end, task.complete);
    for (const ChartTransfer& each : task.transfers)
      all.push_back({each.slot, each.home ? ActivityKind::transfer_out : ActivityKind::transfer_in, work,
                     plan.files[each.file], ResourceId::of((*plan.platform)[ClusterId(each.cluster)].link)});
  }
  if (!all.empty())
    for (std::size_t h = 0; h < placed.size(); ++h)
      add_held(chart.host(h), ResourceId::of(plan.hosts[h]), std::move(placed[h]), chart.now(), out.end,
               shortest_on(chart.problem(), h), all);
  struct Moment {
    Time at;
    bool starts;
    std::uint32_t serial;
  };
  std::vector<Moment> moments;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (!(all[i].slot.start < all[i].slot.end)) continue;
    moments.push_back({all[i].slot.start, true, i});
    moments.push_back({all[i].slot.end, false, i});
  }
  std::ranges::stable_sort(moments, [](const Moment& a, const Moment& b) {
    return a.at != b.at ? a.at < b.at : a.starts < b.starts;
  });
  for (const Moment& each : moments) {
    const Planned& planned = all[each.serial];
    Record record;
    record.time = each.at;
    record.kind = each.starts ? RecordKind::started : RecordKind::ended;
    record.what = planned.kind;
    record.work = planned.work;
    record.file = planned.file;
    record.on = planned.on;
    record.activity = each.serial + 1;
    record.size = 1;
    record.cores = 1;
    out.trace.add(record);
  }
  Scenario scenario;
  scenario.platform = borrowed(plan.platform);
  scenario.workload = borrowed(plan.workload);
  out.scenario = std::make_shared<const Scenario>(std::move(scenario));
  return out;
}

}  // namespace perigee::results
