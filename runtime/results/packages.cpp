#include "runtime/results/packages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel/constants.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/schedulers/sweep/node_power.h"

namespace perigee::results {
namespace {

HostId host_among(std::span<const UsedResource> resources) {
  for (const ResourceId on : resources)
    if (on.kind() == ResourceKind::host) return on.host();
  return {};
}

// Only the recomputations among the policy's notes.
std::vector<sweep::PowerUpdate> recomputations(const Outcome& outcome) {
  std::vector<sweep::PowerUpdate> all = sweep::power_history(outcome.trace.notes());
  std::erase_if(all, [](const sweep::PowerUpdate& each) { return !each.recomputed; });
  return all;
}

}  // namespace

std::string_view name_of(Use use) {
  switch (use) {
    case Use::useful:
      return "useful";
    case Use::duplicate:
      return "duplicate";
    case Use::redundant:
      return "redundant";
    case Use::lost:
      return "lost";
    case Use::running:
      return "running";
  }
  return "useful";
}

Use use_of(const Execution& execution) {
  if (execution.copy) return Use::duplicate;
  if (execution.how == RecordKind::superseded) return Use::redundant;
  if (execution.how == RecordKind::lost || execution.how == RecordKind::cancelled) return Use::lost;
  return execution.how == RecordKind::started ? Use::running : Use::useful;
}

std::vector<PackageRow> package_rows(const Outcome& outcome, const Executions& executions) {
  std::vector<PackageRow> rows;
  for (const Execution& each : executions.all)
    if (each.kind == ActivityKind::compute && each.work.valid() &&
        (*outcome.scenario->workload)[each.work].kind == WorkKind::sweep)
      rows.push_back({each.work, host_among(executions.on(each)), each.first, each.size, each.started,
                      each.how == RecordKind::started ? kNaN : each.ended, use_of(each)});
  std::stable_sort(rows.begin(), rows.end(), [](const PackageRow& a, const PackageRow& b) {
    return a.start != b.start ? a.start < b.start : a.host.index < b.host.index;
  });
  return rows;
}

Table packages(const Outcome& outcome) {
  Table table;
  table.columns = {"work", "host", "first", "runs", "start", "finish", "use"};
  table.units = {"", "", "", "", "s", "s", ""};
  for (const PackageRow& row : package_rows(outcome, executions(outcome)))
    table.rows.push_back({outcome.scenario->workload->name_of(row.work),
                          (*outcome.scenario->platform)[row.host].name, row.first, row.size, row.start,
                          row.finish, std::string(name_of(row.use))});
  return table;
}

Time end_of_rows(const Outcome& outcome) {
  if (outcome.status != RunStatus::complete) return outcome.end;
  Time last = kNaN;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i)
    if (outcome.trace[i].kind == RecordKind::finished) last = outcome.trace[i].time;
  return std::isnan(last) ? outcome.end : last;
}

HostUse::HostUse(const Platform& platform, std::size_t most_waiting)
    : rows_(platform.hosts().size()), most_waiting_(most_waiting), last_finish_(kNaN) {
  for (std::size_t h = 0; h < rows_.size(); ++h) {
    rows_[h].host = HostId(h);
    rows_[h].last_finish = kNaN;
  }
}

void HostUse::add(const Execution& execution, std::span<const UsedResource> on, const Platform& platform,
                  const Absences& away) {
  if (execution.kind != ActivityKind::compute) return;
  for (const UsedResource& each : on) {
    if (each.kind() != ResourceKind::host || each.at() >= rows_.size()) continue;
    Execution there = execution;
    there.cores = each.cores;
    add_on(each.host(), there, platform, away);
  }
}

void HostUse::add_on(HostId host, const Execution& execution, const Platform& platform,
                     const Absences& away) {
  std::size_t next = waiting_.first();
  for (; next < waiting_.size() && waiting_[next].execution.ended <= last_finish_; ++next)
    sum_up(waiting_[next].host, waiting_[next].execution, last_finish_, platform, away);
  if (next > waiting_.first()) waiting_.drop_before(next);
  if (waiting_.empty() && execution.ended <= last_finish_)
    sum_up(host, execution, last_finish_, platform, away);
  else
    waiting_.push_back({host, execution});
  if (waiting_.count() <= most_waiting_) return;
  const Computation& first = waiting_[waiting_.first()];
  sum_up(first.host, first.execution, kNever, platform, away);
  uncut_until_ = std::max(uncut_until_, first.execution.ended);
  waiting_.drop_before(waiting_.first() + 1);
}

void HostUse::sum_up(HostId at, const Execution& each, Time end, const Platform& platform,
                     const Absences& away) {
  const std::size_t host = at.index;
  HostRow& row = rows_[host];
  ++row.computations;
  if (each.how == RecordKind::ended) row.runs += each.size;
  if (each.how != RecordKind::started && !(row.last_finish >= each.ended)) row.last_finish = each.ended;
  Seconds time = 0;
  each.each_spell([&](Time from, Time to) {
    each_present(away.hosts[host], from, to, [&](Time a, Time b) {
      time += overlap(a, b, 0, end) * each.cores / platform.hosts()[host].cores;
    });
  });
  switch (use_of(each)) {
    case Use::useful:
      row.useful += time;
      break;
    case Use::duplicate:
      row.duplicate += time;
      break;
    case Use::redundant:
      row.redundant += time;
      break;
    case Use::lost:
      row.lost += time;
      break;
    case Use::running:
      row.running += time;
      break;
  }
}

std::vector<HostRow> HostUse::rows(Time end, const Platform& platform, const Absences& away) {
  for (std::size_t i = waiting_.first(); i < waiting_.size(); ++i)
    sum_up(waiting_[i].host, waiting_[i].execution, end, platform, away);
  waiting_.drop_before(waiting_.size());
  for (HostRow& row : rows_)
    row.idle = std::max(0.0, end - (row.useful + row.duplicate + row.redundant + row.lost + row.running));
  return rows_;
}

std::vector<HostRow> host_rows(const Outcome& outcome, const Executions& executions) {
  const Platform& platform = *outcome.scenario->platform;
  const Absences away = absences(outcome);
  HostUse use(platform);
  for (const Execution& each : executions.all) use.add(each, executions.on(each), platform, away);
  return use.rows(end_of_rows(outcome), platform, away);
}

Table hosts(const Outcome& outcome) {
  Table table;
  table.columns = {"host",      "runs", "computations", "useful", "duplicate",
                   "redundant", "lost", "running",      "idle",   "last_finish"};
  table.units = {"", "", "", "s", "s", "s", "s", "s", "s", "s"};
  for (const HostRow& row : host_rows(outcome, executions(outcome)))
    table.rows.push_back({(*outcome.scenario->platform)[row.host].name, row.runs,
                          static_cast<double>(row.computations), row.useful, row.duplicate, row.redundant,
                          row.lost, row.running, row.idle, row.last_finish});
  return table;
}

Seconds ideal_time(const Scenario& scenario) {
  const Workload& workload = *scenario.workload;
  const Platform& platform = *scenario.platform;
  if (workload.size() == 0) return kNaN;
  Seconds sum = 0;
  for (const Work& work : workload.works) {
    if (work.kind != WorkKind::sweep) return kNaN;
    double rate = 0;  // simulations per second
    for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
      const Host& host = platform.hosts()[h];
      const Seconds one = model::detail::unit_time(workload, work, work.amount, work.times, host, HostId(h),
                                                   host.architecture);
      if (one < kNever) rate += host.slots / one;
    }
    const WorkExtra& extra = workload.extras[work.extra];
    double simulations = 0;
    for (std::size_t run = 0; run < static_cast<std::size_t>(extra.size); ++run) {
      double trials = extra.trials;
      if (extra.noise != kNone) {
        trials = 0;
        const std::size_t first = extra.noise + run * static_cast<std::size_t>(extra.trials);
        for (std::size_t i = 0; i < static_cast<std::size_t>(extra.trials); ++i)
          trials += workload.times[first + i];
      }
      simulations += trials * (extra.weights == kNone ? 1 : workload.times[extra.weights + run]);
    }
    sum += simulations / rate;
  }
  return sum;
}

Table enpr(const Outcome& outcome) {
  Table table;
  table.columns = {"time", "sweep", "host", "enpr", "npp"};
  table.units = {"s", "", "", "", "1/s"};
  const Workload& workload = *outcome.scenario->workload;
  for (const sweep::PowerUpdate& each : sweep::power_history(outcome.trace.notes())) {
    if (each.work.index >= workload.size() || each.enpr.size() != outcome.scenario->platform->hosts().size())
      continue;  // the note is of another form
    for (std::size_t h = 0; h < each.enpr.size(); ++h)
      table.rows.push_back({each.time, workload.name_of(each.work),
                            outcome.scenario->platform->hosts()[h].name, each.enpr[h],
                            each.npp[h] > 0 ? Cell(each.npp[h]) : Cell()});
  }
  return table;
}

std::string petek_record(const Outcome& outcome) {
  const Platform& platform = *outcome.scenario->platform;
  const Executions runs = executions(outcome);
  const auto time = [](double t) {
    return std::isnan(t) ? std::string("null") : fmt::format("{:.6f}", t == 0 ? 0.0 : t);
  };
  const auto name = [&](HostId host) { return readers::json_string(platform[host].name); };
  const auto list = [](const auto& items, auto text_of) {
    std::string out = "[";
    for (const auto& item : items) out += (out.size() > 1 ? "," : "") + text_of(item);
    return out + "]";
  };
  const auto plain = [](double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string("null");
  };
  return fmt::format(
      R"({{"makespan":{},"jobs":{},"nodes":{},"enpr_updates":{}}})", time(end_of_rows(outcome)),
      list(package_rows(outcome, runs),
           [&](const PackageRow& row) {
             return fmt::format(
                 R"({{"node":{},"start":{},"finish":{},"runs":{:.0f},"first_run":{:.0f},"kind":"{}"}})",
                 name(row.host), time(row.start), time(row.finish), row.size, row.first,
                 row.use == Use::useful || row.use == Use::running ? "job" : name_of(row.use));
           }),
      list(
          host_rows(outcome, runs),
          [&](const HostRow& row) {
            return fmt::format(
                R"({{"name":{},"runs":{:.0f},"useful":{},"duplicate":{},"redundant":{},"idle":{},"last_finish":{}}})",
                name(row.host), row.runs, time(row.useful), time(row.duplicate), time(row.redundant),
                time(row.idle), time(row.last_finish));
          }),
      list(recomputations(outcome), [&](const sweep::PowerUpdate& each) {
        return fmt::format(R"({{"t":{},"enpr":{},"npp":{}}})", time(each.time), list(each.enpr, plain),
                           list(each.npp, [&](double npp) { return npp > 0 ? plain(npp) : "null"; }));
      }));
}

}  // namespace perigee::results
