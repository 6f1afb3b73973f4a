#include "runtime/results/executions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/kernel/constants.h"

namespace perigee::results {
namespace {

bool ends_activity(RecordKind kind) {
  return kind == RecordKind::ended || kind == RecordKind::lost || kind == RecordKind::cancelled ||
         kind == RecordKind::superseded;
}

void close(Execution::Suspension& suspension, const Record& record, std::size_t place) {
  suspension.to = record.time;
  suspension.to_record = place;
}

// There is a record for each host.
void suspend_or_resume(std::vector<Execution::Suspension>& all, const Record& record, std::size_t place) {
  const bool is_suspended = !all.empty() && all.back().to == kNever;
  if (record.kind == RecordKind::suspended && !is_suspended)
    all.push_back({.from = record.time, .from_record = place});
  if (record.kind == RecordKind::resumed && is_suspended) close(all.back(), record, place);
}

}  // namespace

bool ExecutionFollower::take(const Record& record, std::size_t place) {
  const std::size_t serial = record.activity;
  if (record.what == ActivityKind::dump) [[unlikely]]
    stand(record);
  if (record.kind == RecordKind::saved && record.size > 0 && serial >= by_serial_.first() &&
      serial < by_serial_.size() && by_serial_[serial].number != kNone && !by_serial_[serial].over)
    all_[by_serial_[serial].number].saved_at.push_back(record.time);
  if (record.kind >= RecordKind::suspended && serial >= by_serial_.first() && serial < by_serial_.size() &&
      by_serial_[serial].number != kNone && !by_serial_[serial].over) [[unlikely]]
    suspend_or_resume(all_[by_serial_[serial].number].suspensions, record, place);
  if (record.kind < RecordKind::posted || record.kind > RecordKind::superseded || serial < by_serial_.first())
    return false;
  by_serial_.extend(serial + 1);
  Known& known = by_serial_[serial];
  if (known.over) return false;
  if (record.kind == RecordKind::posted) known.posted = record.time;
  const bool begins = record.kind == RecordKind::started && known.number == kNone;
  if (begins) begin(record, place, known);
  if (known.number == kNone) {
    known.over = record.kind == RecordKind::withdrawn;
    return false;
  }
  Execution& execution = all_[known.number];
  // The records of a start are adjacent.
  if (record.kind == RecordKind::started &&
      execution.resources + execution.resource_count == resources_.size()) {
    resources_.push_back({record.on, record.cores});
    if (execution.kind == ActivityKind::compute && execution.resource_count > 0)
      execution.cores += record.cores;
    ++execution.resource_count;
  }
  // Further records of an end are those of its other resources.
  if (ends_activity(record.kind) && execution.how == RecordKind::started) {
    execution.how = record.kind;
    execution.why = record.why;
    execution.ended = record.time;
    execution.end_record = place;
    if (!execution.suspensions.empty() && execution.suspensions.back().to == kNever)
      close(execution.suspensions.back(), record, place);
  }
  return begins;
}

void ExecutionFollower::begin(const Record& record, std::size_t place, Known& known) {
  known.number = static_cast<std::uint32_t>(all_.size());
  Execution made;
  made.serial = record.activity;
  made.kind = record.what;
  made.copy = record.copy != 0;
  made.work = record.work;
  made.file = record.file;
  made.first = record.first;
  made.size = record.size;
  made.cores = record.cores;
  made.started = record.time;
  made.posted = std::isnan(known.posted) ? record.time : known.posted;
  made.start_record = place;
  made.resources = static_cast<std::uint32_t>(resources_.size());
  all_.push_back(made);
  if (follows_dumps_ && made.kind == ActivityKind::compute && made.work.valid())
    jobs_[made.work] = known.number;
}

// The job of the dump stands still from its posting to its end, however it ends.
void ExecutionFollower::stand(const Record& dump) {
  if (!std::exchange(follows_dumps_, true))
    for (std::size_t number = all_.first(); number < all_.size(); ++number)
      if (all_[number].kind == ActivityKind::compute && all_[number].work.valid())
        jobs_[all_[number].work] = static_cast<std::uint32_t>(number);
  const auto found = jobs_.find(dump.work);
  if (found == jobs_.end() || found->second < all_.first() || dump.kind == RecordKind::started) return;
  std::vector<Execution::Stand>& stands = all_[found->second].stands;
  if (dump.kind == RecordKind::posted)
    stands.push_back({.from = dump.time, .reads = dump.first == 1});
  else if (!stands.empty())
    stands.back().to = std::min(stands.back().to, dump.time);
}

void ExecutionFollower::forget_serials() {
  // Serials grow with the first records of activities, so that those without any have none to come.
  std::size_t first = by_serial_.first();
  while (first < by_serial_.size() && (by_serial_[first].over || by_serial_[first].is_untold())) ++first;
  by_serial_.drop_before(first);
}

Executions executions(const Outcome& outcome) {
  if (outcome.trace.level() != TraceLevel::full)
    fail("not_measured", "what ran where and when was not kept of this run; run it with trace = \"full\"");
  const Trace& trace = outcome.trace;
  ExecutionFollower follower;
  for (std::size_t i = 0; i < trace.size(); ++i) follower.take(trace[i], i);
  Executions out;
  follower.hand_over_all(outcome.end, trace.size(), [&](Execution run, std::span<const UsedResource> on) {
    run.resources = static_cast<std::uint32_t>(out.resources.size());
    out.resources.insert(out.resources.end(), on.begin(), on.end());
    out.all.push_back(run);
  });
  return out;
}

Executions spells(Executions whole) {
  if (std::ranges::all_of(whole.all, [](const Execution& each) { return each.suspensions.empty(); }))
    return whole;
  Executions parts;
  parts.resources = std::move(whole.resources);
  for (const Execution& each : whole.all) {
    Execution spell = each;
    spell.suspensions.clear();
    for (const Execution::Suspension& suspension : each.suspensions) {
      spell.how = RecordKind::suspended;
      spell.ended = suspension.from;
      spell.end_record = suspension.from_record;
      parts.all.push_back(spell);
      spell.posted = spell.started = std::min(suspension.to, each.ended);
      spell.start_record = suspension.to_record;
    }
    if (!each.suspensions.empty() && each.suspensions.back().to >= each.ended) continue;
    spell.how = each.how;
    spell.ended = each.ended;
    spell.end_record = each.end_record;
    parts.all.push_back(std::move(spell));
  }
  std::ranges::stable_sort(parts.all, {}, &Execution::start_record);
  return parts;
}

Executions executions_if_kept(const Outcome& outcome) {
  return outcome.trace.level() == TraceLevel::full ? executions(outcome) : Executions();
}

double bytes_of(const Workload& workload, const Execution& execution) {
  if (execution.kind != ActivityKind::chunk) return execution.is_transfer() ? execution.size : 0;
  if (!execution.work.valid() || workload[execution.work].extra == kNone) return 0;
  return execution.size * workload.extras[workload[execution.work].extra].bytes;
}

Time first_arrival(const Outcome& outcome) {
  const Trace& trace = outcome.trace;
  for (std::size_t i = 0; i < trace.size(); ++i)
    if (trace[i].kind == RecordKind::arrived) return trace[i].time;
  return 0;
}

Seconds overlap(Time a, Time b, Time from, Time to) {
  return std::max(0.0, std::min(b, to) - std::max(a, from));
}

AbsenceFollower::AbsenceFollower(const Scenario& scenario)
    : hosts_(scenario.platform->hosts().size()), links_(scenario.platform->links().size()) {
  all_.hosts.resize(hosts_.size());
  all_.links.resize(links_.size());
  const auto leave_out = [](Whereabouts& whereabouts, std::vector<Away>& away) {
    whereabouts.left = true;
    away = {{0, kNever, Reason::membership, false}};
  };
  const Absent absent = absent_at_start(scenario);
  for (std::size_t h = 0; h < hosts_.size(); ++h)
    if (absent.hosts[h] != 0) leave_out(hosts_[h], all_.hosts[h]);
  for (std::size_t c = 0; c < absent.clusters.size(); ++c)
    if (const std::size_t l = scenario.platform->clusters()[c].link.index; absent.clusters[c] != 0)
      leave_out(links_[l], all_.links[l]);
}

void AbsenceFollower::take(const Record& record) {
  if (record.kind < RecordKind::up || record.kind > RecordKind::left) return;
  const bool is_host = record.on.kind() == ResourceKind::host;
  if (!is_host && record.on.kind() != ResourceKind::link) return;
  const std::size_t at = record.on.at();
  if (at >= (is_host ? hosts_ : links_).size()) return;
  Whereabouts& whereabouts = (is_host ? hosts_ : links_)[at];
  std::vector<Away>& away = (is_host ? all_.hosts : all_.links)[at];
  const bool was_away = whereabouts.is_away();
  if (record.kind == RecordKind::down || record.kind == RecordKind::up)
    whereabouts.down = record.kind == RecordKind::down;
  if (record.kind == RecordKind::left || record.kind == RecordKind::joined)
    whereabouts.left = record.kind == RecordKind::left;
  if (whereabouts.is_away() == was_away) return;
  if (!was_away) {
    away.push_back({record.time, kNever, record.why, false});
  } else if (record.time > away.back().from) {
    away.back().to = record.time;
    away.back().came_back = true;
  } else {
    away.pop_back();
  }
}

void AbsenceFollower::end(Time end) {
  for (auto* all : {&all_.hosts, &all_.links})
    for (std::vector<Away>& away : *all) {
      if (away.empty() || away.back().came_back) continue;
      away.back().to = end;
      if (!(end > away.back().from)) away.pop_back();
    }
}

Absences absences(const Outcome& outcome) {
  AbsenceFollower follower(*outcome.scenario);
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) follower.take(outcome.trace[i]);
  follower.end(outcome.end);
  return follower.all();
}

bool by_whole_hosts(const Workload& workload) {
  return workload.size() > 0 && std::ranges::all_of(workload.works, [](const Work& work) {
           return work.kind == WorkKind::sweep || work.kind == WorkKind::load;
         });
}

namespace {

std::string number_of(const Workload& workload, WorkId work) {
  const std::string from_1 = fmt::format("{}", work.index + 1);
  if (workload.names.empty()) return from_1;
  std::string stem = workload.name_of(WorkId(0));
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (stem.back() != '0' || (stem.size() > 1 && digit(stem[stem.size() - 2]))) return from_1;
  stem.pop_back();
  const auto called = [&](std::size_t index) { return fmt::format("{}{}", stem, index); };
  const std::size_t last = workload.size() - 1;
  if (workload.name_of(WorkId(last)) != called(last)) return from_1;
  const std::string name = workload.name_of(work);
  return name == called(work.index) ? name.substr(stem.size()) : name;
}

}  // namespace

std::string bar_label(const Workload& workload, const Execution& execution) {
  if (!execution.work.valid()) return "";
  const std::string number = number_of(workload, execution.work);
  if (workload[execution.work].kind != WorkKind::sweep) return number;
  if (workload.size() == 1) return fmt::format("{:.0f}", execution.size);
  return fmt::format("{}:{:.0f}", number, execution.size);
}

std::string user_label(const Workload& workload, WorkId work) {
  const UserId user = workload[work].user;
  return user.valid() && user.index < workload.users.size() ? workload.users[user.index] : "no user";
}

namespace {

// Calls on_start(host, execution, cores) and on_end(host, execution) host by host, in order of the records.
template <class OnHost, class OnStart, class OnEnd>
void each_edge(const Outcome& outcome, const Executions& executions, OnHost&& on_host, OnStart&& on_start,
               OnEnd&& on_end) {
  const std::span<const Host> hosts = outcome.scenario->platform->hosts();
  struct Edge {
    std::size_t record;
    std::uint32_t execution;
    bool starts;
    std::int32_t cores = 0;
  };
  std::vector<std::vector<Edge>> edges(hosts.size());
  for (std::uint32_t e = 0; e < executions.all.size(); ++e)
    for (const UsedResource& on : executions.on(executions.all[e]))
      if (on.kind() == ResourceKind::host && on.at() < hosts.size()) {
        edges[on.at()].push_back({executions.all[e].start_record, e, true, on.cores});
        edges[on.at()].push_back({executions.all[e].end_record, e, false});
      }
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    std::stable_sort(edges[h].begin(), edges[h].end(),
                     [](const Edge& a, const Edge& b) { return a.record < b.record; });
    on_host(h);
    for (const Edge& edge : edges[h])
      edge.starts ? on_start(h, edge.execution, edge.cores) : on_end(h, edge.execution);
  }
}

}  // namespace

std::vector<std::vector<Lane>> lanes(const Outcome& outcome, const Executions& executions) {
  const std::span<const Host> hosts = outcome.scenario->platform->hosts();
  std::vector<std::vector<Lane>> out(hosts.size());
  std::vector<std::uint32_t> owner;  // per core
  each_edge(
      outcome, executions,
      [&](std::size_t h) { owner.assign(static_cast<std::size_t>(hosts[h].cores), kNone); },
      [&](std::size_t h, std::uint32_t execution, std::int32_t cores) {
        if (executions.all[execution].kind == ActivityKind::hold) {
          out[h].push_back({execution, -1});
          return;
        }
        std::int32_t wanted = std::max(1, cores);
        for (std::size_t core = 0; core < owner.size() && wanted > 0; ++core) {
          if (owner[core] != kNone) continue;
          owner[core] = execution;
          out[h].push_back({execution, static_cast<std::int32_t>(core)});
          --wanted;
        }
      },
      [&](std::size_t, std::uint32_t execution) {
        std::replace(owner.begin(), owner.end(), execution, kNone);
      });
  return out;
}

bool spans_hosts(const Executions& executions) {
  return std::ranges::any_of(executions.all, [&](const Execution& each) {
    return each.kind == ActivityKind::compute &&
           std::ranges::count(executions.on(each), ResourceKind::host, &UsedResource::kind) > 1;
  });
}

HostLanes host_lanes(const Outcome& outcome, const Executions& executions) {
  const std::size_t hosts = outcome.scenario->platform->hosts().size();
  HostLanes all{std::vector<std::vector<Lane>>(hosts), std::vector<std::int32_t>(hosts)};
  std::vector<std::uint32_t> owner;  // per lane
  each_edge(
      outcome, executions, [&](std::size_t) { owner.clear(); },
      [&](std::size_t h, std::uint32_t execution, std::int32_t) {
        if (executions.all[execution].kind == ActivityKind::hold) {
          all.of[h].push_back({execution, -1});
          return;
        }
        auto free = std::ranges::find(owner, kNone);
        if (free == owner.end()) free = owner.insert(free, kNone);
        *free = execution;
        const auto lane = static_cast<std::int32_t>(free - owner.begin());
        all.of[h].push_back({execution, lane});
        all.counts[h] = std::max(all.counts[h], lane + 1);
      },
      [&](std::size_t, std::uint32_t execution) { std::ranges::replace(owner, execution, kNone); });
  return all;
}

void add_windows_to_come(Absences& away, const Outcome& outcome, Time to) {
  if (!(to > outcome.end)) return;
  const auto reason = [](model::Cause cause) {
    switch (cause) {
      case model::Cause::maintenance:
        return Reason::maintenance;
      case model::Cause::reservation:
        return Reason::reservation;
      case model::Cause::membership:
        return Reason::membership;
      default:
        return Reason::outage;
    }
  };
  std::vector<std::vector<Away>> to_come(away.hosts.size());
  for (const model::Window& window : model::windows_of(*outcome.scenario)) {
    if (window.known > outcome.end || window.from >= to || window.to <= outcome.end) continue;
    const Away made{std::max(window.from, outcome.end), std::min(window.to, to), reason(window.cause)};
    for (std::size_t h = 0; h < to_come.size(); ++h) {
      const Host& host = outcome.scenario->platform->hosts()[h];
      if (window.on == ResourceId::of(HostId(h)) ||
          (window.on.kind() == ResourceKind::store && window.on.at() == host.cluster.at()))
        to_come[h].push_back(made);
    }
  }
  for (std::size_t h = 0; h < to_come.size(); ++h) {
    std::ranges::stable_sort(to_come[h], {}, &Away::from);
    Time free = outcome.end;
    for (Away each : to_come[h]) {
      each.from = std::max(each.from, free);
      if (!(each.to > each.from)) continue;
      free = each.to;
      away.hosts[h].push_back(each);
    }
  }
}

}  // namespace perigee::results
