#include "runtime/results/executions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perigee::results {
namespace {

bool ends_activity(RecordKind kind) {
  return kind == RecordKind::ended || kind == RecordKind::lost || kind == RecordKind::cancelled ||
         kind == RecordKind::superseded;
}

}  // namespace

Executions executions(const Outcome& outcome) {
  if (outcome.trace.level() != TraceLevel::full)
    fail("not_measured", "what ran where and when was not kept of this run; run it with trace = \"full\"");
  const Trace& trace = outcome.trace;
  Executions out;
  std::vector<std::uint32_t> by_serial;  // kNone = not started
  std::vector<Time> posted;              // by serial; NaN = not posted
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Record& record = trace[i];
    const std::uint32_t serial = record.activity;
    if (record.kind == RecordKind::posted) {
      if (serial >= posted.size())
        posted.resize(std::size_t{serial} + serial / 2 + 16, std::numeric_limits<Time>::quiet_NaN());
      posted[serial] = record.time;
    } else if (record.kind == RecordKind::started) {
      if (serial >= by_serial.size()) by_serial.resize(std::size_t{serial} + serial / 2 + 16, kNone);
      if (by_serial[serial] == kNone) {
        by_serial[serial] = static_cast<std::uint32_t>(out.all.size());
        Execution made;
        made.serial = serial;
        made.kind = record.what;
        made.copy = record.copy != 0;
        made.work = record.work;
        made.file = record.file;
        made.first = record.first;
        made.size = record.size;
        made.cores = record.cores;
        made.started = record.time;
        made.posted = serial < posted.size() && !std::isnan(posted[serial]) ? posted[serial] : record.time;
        made.ended = std::max(record.time, outcome.end);
        made.start_record = i;
        made.end_record = trace.size();
        made.resources = static_cast<std::uint32_t>(out.resources.size());
        out.all.push_back(made);
      }
      Execution& execution = out.all[by_serial[serial]];
      if (execution.resources + execution.resource_count ==
          out.resources.size()) {  // records of a start are adjacent
        out.resources.push_back(record.on);
        ++execution.resource_count;
      }
    } else if (ends_activity(record.kind) && serial < by_serial.size() && by_serial[serial] != kNone) {
      Execution& execution = out.all[by_serial[serial]];
      if (execution.how != RecordKind::started) continue;  // its other resources
      execution.how = record.kind;
      execution.why = record.why;
      execution.ended = record.time;
      execution.end_record = i;
    }
  }
  return out;
}

Executions executions_if_kept(const Outcome& outcome) {
  return outcome.trace.level() == TraceLevel::full ? executions(outcome) : Executions();
}

double bytes_of(const Outcome& outcome, const Execution& execution) {
  if (execution.kind != ActivityKind::chunk) return execution.is_transfer() ? execution.size : 0;
  const Workload& workload = *outcome.scenario->workload;
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

namespace {

// How long a resource is away: down, or not a member.
class Whereabouts {
 public:
  void leave_out() {
    left_ = true;
    why_ = Reason::membership;
  }

  void take(const Record& record, std::vector<Away>& away) {
    const bool was_away = is_away();
    switch (record.kind) {
      case RecordKind::down:
        down_ = true;
        break;
      case RecordKind::left:
        left_ = true;
        break;
      case RecordKind::up:
        down_ = false;
        break;
      case RecordKind::joined:
        left_ = false;
        break;
      default:
        return;
    }
    if (is_away() && !was_away) {
      since_ = record.time;
      why_ = record.why;
    } else if (!is_away() && was_away && record.time > since_) {
      away.push_back({since_, record.time, why_});
    }
  }

  void end(Time at, std::vector<Away>& away) const {
    if (is_away() && at > since_) away.push_back({since_, at, why_, false});
  }

 private:
  bool is_away() const { return down_ || left_; }

  bool down_ = false, left_ = false;
  Time since_ = 0;
  Reason why_ = Reason::none;
};

}  // namespace

Absences absences(const Outcome& outcome) {
  const Platform& platform = *outcome.scenario->platform;
  std::vector<Whereabouts> hosts(platform.hosts().size()), links(platform.links().size());
  Absences out;
  out.hosts.resize(hosts.size());
  out.links.resize(links.size());
  const Absent absent = absent_at_start(*outcome.scenario);
  for (std::size_t h = 0; h < hosts.size(); ++h)
    if (absent.hosts[h] != 0) hosts[h].leave_out();
  for (std::size_t c = 0; c < absent.clusters.size(); ++c)
    if (absent.clusters[c] != 0) links[platform.clusters()[c].link.index].leave_out();
  const Trace& trace = outcome.trace;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Record& record = trace[i];
    if (record.kind < RecordKind::up || record.kind > RecordKind::left) continue;
    const bool is_host = record.on.kind() == ResourceKind::host;
    if (!is_host && record.on.kind() != ResourceKind::link) continue;
    const std::size_t at = record.on.at();
    if (at >= (is_host ? hosts : links).size()) continue;
    (is_host ? hosts : links)[at].take(record, (is_host ? out.hosts : out.links)[at]);
  }
  for (std::size_t h = 0; h < hosts.size(); ++h) hosts[h].end(outcome.end, out.hosts[h]);
  for (std::size_t l = 0; l < links.size(); ++l) links[l].end(outcome.end, out.links[l]);
  return out;
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

std::vector<std::vector<Lane>> lanes(const Outcome& outcome, const Executions& executions) {
  const std::span<const Host> hosts = outcome.scenario->platform->hosts();
  struct Edge {
    std::size_t record;
    std::uint32_t execution;
    bool starts;
  };
  std::vector<std::vector<Edge>> edges(hosts.size());
  for (std::uint32_t e = 0; e < executions.all.size(); ++e)
    for (const ResourceId on : executions.on(executions.all[e]))
      if (on.kind() == ResourceKind::host && on.at() < hosts.size()) {
        edges[on.at()].push_back({executions.all[e].start_record, e, true});
        edges[on.at()].push_back({executions.all[e].end_record, e, false});
      }
  std::vector<std::vector<Lane>> out(hosts.size());
  std::vector<std::uint32_t> owner;  // per core
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    std::stable_sort(edges[h].begin(), edges[h].end(),
                     [](const Edge& a, const Edge& b) { return a.record < b.record; });
    owner.assign(static_cast<std::size_t>(hosts[h].cores), kNone);
    for (const Edge& edge : edges[h]) {
      if (!edge.starts) {
        std::replace(owner.begin(), owner.end(), edge.execution, kNone);
        continue;
      }
      const Execution& execution = executions.all[edge.execution];
      if (execution.kind == ActivityKind::hold) {
        out[h].push_back({edge.execution, -1});
        continue;
      }
      std::int32_t wanted = std::max(1, execution.cores);
      for (std::size_t core = 0; core < owner.size() && wanted > 0; ++core) {
        if (owner[core] != kNone) continue;
        owner[core] = edge.execution;
        out[h].push_back({edge.execution, static_cast<std::int32_t>(core)});
        --wanted;
      }
    }
  }
  return out;
}

}  // namespace perigee::results
