// The activities that took resources, as a trace tells of them: the common ground of metrics, exports and
// pictures.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/kernel/sliding.h"

namespace perigee::results {

// A resource that an activity has, and so many cores of it, as recorded.
struct UsedResource : ResourceId {
  std::int32_t cores = 0;
};

// One activity, from `started` to the record that ended it.
struct Execution {
  std::uint32_t serial = 0;
  ActivityKind kind = ActivityKind::none;
  // ended, lost, cancelled, superseded; started = under way at the end; of a spell `suspended` too
  RecordKind how = RecordKind::started;
  Reason why = Reason::none;
  bool copy = false;
  WorkId work;
  FileId file;
  double first = 0, size = 0;   // runs or units, as in Piece
  std::int32_t cores = 0;       // as recorded, of a job on all its hosts; a hold has all cores of its hosts
  Time posted = 0;              // when it began to wait on its resource; `started` if it was not posted
  Time started = 0, ended = 0;  // `ended` of what is under way: the end of the run
  struct Stand {
    Time from = 0, to = std::numeric_limits<Time>::infinity();
    bool reads = false;  // it goes on from the dump; otherwise it writes one
  };
  std::vector<Stand> stands =
      {};  // of a job, while a dump of it waits for its link or goes over it, ascending
  struct Suspension {
    Time from = 0, to = std::numeric_limits<Time>::infinity();
    std::size_t from_record = 0, to_record = 0;  // places in the trace
  };
  std::vector<Suspension> suspensions = {};  // ascending
  std::vector<Time> saved_at = {};           // when dumps of it were whole, from which another one may go on
  std::size_t start_record = 0, end_record = 0;  // places in the trace; end_record = its size when under way
  std::uint32_t resources = 0, resource_count = 0;  // in the list of resources that is kept beside

  bool is_transfer() const {
    return kind == ActivityKind::transfer_in || kind == ActivityKind::transfer_out ||
           kind == ActivityKind::chunk || kind == ActivityKind::dump;
  }
  // Calls f(a, b) for each part of its time in which it was not suspended.
  template <class F>
  void each_spell(F&& f) const {
    Time from = started;
    for (const Suspension& each : suspensions) {
      if (each.from > from) f(from, each.from);
      from = std::min(each.to, ended);
    }
    if (suspensions.empty() || from < ended) f(from, ended);
  }
  Seconds suspended() const {
    Seconds sum = 0;
    for (const Suspension& each : suspensions) sum += std::min(each.to, ended) - each.from;
    return sum;
  }
};

// Makes executions of the records of a run, in order of start. Executions that are handed over are forgotten.
class ExecutionFollower {
 public:
  // `place` counts the records. True if an execution begins with this one.
  bool take(const Record& record, std::size_t place);
  // Calls f(execution, its resources) for each that is over, up to the first that is not.
  template <class F>
  void hand_over(F&& f) {
    while (!all_.empty() && all_[all_.first()].how != RecordKind::started) hand_over_first(f);
  }
  // At the end of the run, those under way too. `places`: the number of records.
  template <class F>
  void hand_over_all(Time end, std::size_t places, F&& f) {
    while (!all_.empty()) {
      Execution& first = all_[all_.first()];
      if (first.how == RecordKind::started) {
        first.ended = std::max(first.started, end);
        first.end_record = places;
      }
      hand_over_first(f);
    }
  }
  std::size_t bytes() const { return all_.bytes() + resources_.bytes() + by_serial_.bytes(); }

 private:
  struct Known {
    Time posted = std::numeric_limits<Time>::quiet_NaN();  // NaN = not posted
    std::uint32_t number = kNone;                          // in all_; kNone = not started
    bool is_untold() const { return number == kNone && std::isnan(posted); }
    bool over = false;  // nothing more is to come
  };

  void begin(const Record& record, std::size_t place, Known& known);
  void stand(const Record& dump);
  template <class F>
  void hand_over_first(F&& f) {
    const Execution& first = all_[all_.first()];
    on_.clear();
    for (std::uint32_t r = 0; r < first.resource_count; ++r) on_.push_back(resources_[first.resources + r]);
    f(first, std::span<const UsedResource>(on_));
    if (const auto job = jobs_.find(first.work); job != jobs_.end() && job->second == all_.first())
      jobs_.erase(job);
    by_serial_[first.serial].over = true;
    resources_.drop_before(std::size_t{first.resources} + first.resource_count);
    all_.drop_before(all_.first() + 1);
    forget_serials();
  }
  void forget_serials();

  Sliding<Execution> all_;
  Sliding<UsedResource> resources_;
  Sliding<Known> by_serial_;
  std::vector<UsedResource> on_;
  bool follows_dumps_ = false;            // some job has sent one over a link
  std::map<WorkId, std::uint32_t> jobs_;  // then: the last computation of each work, in all_
};

struct Executions {
  std::vector<Execution> all;  // in order of start
  std::vector<UsedResource> resources;

  std::span<const UsedResource> on(const Execution& execution) const {
    return std::span(resources).subspan(execution.resources, execution.resource_count);
  }
};
// Error "not_measured" if the run did not keep its activities.
Executions executions(const Outcome& outcome);
// One for each spell in which it had its cores, which pictures show: those that suspensions part.
Executions spells(Executions whole);
// The same as executions(); without executions if the run did not keep them.
Executions executions_if_kept(const Outcome& outcome);

// All the bytes that a transfer or chunk moves.
double bytes_of(const Workload& workload, const Execution& execution);

// The arrival of the first work; 0 if none arrived, or if the trace does not tell.
Time first_arrival(const Outcome& outcome);

// The length of the common part of [a, b] and [from, to].
Seconds overlap(Time a, Time b, Time from, Time to);

// A time when a resource was away, by its `down`, `up`, `left` and `joined` records.
struct Away {
  Time from, to;  // `to` = the end of the run when it did not come back
  Reason why;
  bool came_back = true;
};
struct Absences {
  std::vector<std::vector<Away>> hosts, links;  // each disjoint and ascending
};
Absences absences(const Outcome& outcome);

// Makes them of the records of a run.
class AbsenceFollower {
 public:
  explicit AbsenceFollower(const Scenario& scenario);
  void take(const Record& record);
  // At the end of the run.
  void end(Time end);
  // So far: who is away comes back at kNever.
  const Absences& all() const { return all_; }

 private:
  struct Whereabouts {
    bool down = false, left = false;
    bool is_away() const { return down || left; }
  };
  Absences all_;
  std::vector<Whereabouts> hosts_, links_;
};

// Calls f(a, b) for each part of [from, to] for which the resource was there: an activity that waits for it
// to come back does nothing meanwhile.
template <class F>
void each_present(const std::vector<Away>& away, Time from, Time to, F&& f) {
  auto next = std::ranges::partition_point(away, [&](const Away& a) { return a.to <= from; });
  for (; next != away.end() && next->from < to; ++next) {
    if (next->from > from) f(from, next->from);
    from = std::max(from, next->to);
  }
  if (from < to) f(from, to);
}

// In pictures a host has a lane for each core. It has a single lane if all work is sweeps and loads, which
// take whole hosts.
bool by_whole_hosts(const Workload& workload);
// The text in the bar of an execution: the number of its work, counted from 1, or from 0 if works are called
// "task0", "task1", ... For a sweep it is "runs", or "work:runs" if there are several works.
std::string bar_label(const Workload& workload, const Execution& execution);

// The user of a work; "no user" where it has none.
std::string user_label(const Workload& workload, WorkId work);

// A core of its host that an execution has. Executions take the lowest cores that are free when they start.
struct Lane {
  std::uint32_t execution = 0;  // in Executions::all
  std::int32_t core = 0;        // a hold has none: -1
};
// Per host, in order of start. An execution has one lane for each of its cores.
std::vector<std::vector<Lane>> lanes(const Outcome& outcome, const Executions& executions);

// Whether a computation had several hosts at a time: pictures then have a bar for each host of it, not core.
bool spans_hosts(const Executions& executions);
// Lanes of hosts, not cores: an execution has one lane of each of its hosts, the lowest that is free. There are as many
// as activities are there at a time.
struct HostLanes {
  std::vector<std::vector<Lane>> of;  // per host, in order of start; `core` counts the lanes
  std::vector<std::int32_t> counts;   // per host
};
HostLanes host_lanes(const Outcome& outcome, const Executions& executions);

// Adds what the policies know at the end of the run of hosts being away from then until `to`, for pictures that go
// beyond the end.
void add_windows_to_come(Absences& away, const Outcome& outcome, Time to);

}  // namespace perigee::results
