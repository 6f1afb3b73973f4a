#include "runtime/results/capacity.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "runtime/results/executions.h"

namespace perigee::results {
namespace {

// The state of a run from one record to the next.
class CapacityFollower {
 public:
  CapacityFollower(const Outcome& outcome, Time from)
      : platform_(*outcome.scenario->platform),
        workload_(*outcome.scenario->workload),
        now_(from),
        hosts_(platform_.hosts().size()),
        works_(workload_.size()) {
    const Absent absent = model::absent_at_start(*outcome.scenario);
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      hosts_[h].left = absent.hosts[h] != 0;
      idle_ += cores_idle(h);
    }
  }

  void take(const Record& record) {
    go_to(record.time);
    if (record.on.kind() == ResourceKind::host && record.on.at() < hosts_.size()) take_host(record);
    if (!record.work.valid() || record.work.index >= works_.size()) return;
    const WorkKind kind = workload_[record.work].kind;
    if (kind == WorkKind::job || kind == WorkKind::task) take_work(record);
  }

  void go_to(Time time) {
    if (!(time > now_)) return;
    const double lost = std::min(static_cast<double>(idle_), asked_) * (time - now_);
    sums_.lost += lost;
    if (!line_.empty() &&
        static_cast<double>(workload_.width_of(WorkId(line_.begin()->second))) <= static_cast<double>(idle_))
      sums_.fragmented += lost;
    now_ = time;
  }
  const IdleCapacity& sums() const { return sums_; }

 private:
  struct HostState {
    bool down = false, left = false;
    std::int64_t used = 0;
    std::int32_t closers = 0;  // what runs there and closes it
  };
  struct WorkStanding {
    std::uint32_t place = 0;   // in line: of its arrival
    std::int32_t running = 0;  // computations, without those that are suspended
    bool is_here = false, is_over = false;
  };

  static bool takes_cores(const Record& record) {
    return record.kind == RecordKind::started || record.kind == RecordKind::resumed;
  }
  static bool gives_cores_back(const Record& record) {
    return (record.kind > RecordKind::started && record.kind <= RecordKind::superseded) ||
           record.kind == RecordKind::suspended;
  }

  std::int64_t cores_idle(std::size_t h) const {
    const HostState& host = hosts_[h];
    if (host.down || host.left || host.closers > 0) return 0;
    return std::max<std::int64_t>(0, platform_.hosts()[h].cores - host.used);
  }

  bool closes(const Record& record) const {
    if (record.what == ActivityKind::hold) return true;
    if (platform_[record.on.host()].exclusive) return true;
    const bool known = record.work.valid() && record.work.index < works_.size();
    const model::Shape* shape = known ? workload_.shape_of(record.work) : nullptr;
    return shape != nullptr && shape->exclusive;
  }

  void take_host(const Record& record) {
    const std::size_t h = record.on.at();
    HostState& host = hosts_[h];
    idle_ -= cores_idle(h);
    int by = 0;
    const std::pair here(record.activity, static_cast<std::uint32_t>(h));
    if (takes_cores(record))
      by = under_way_.insert(here).second ? 1 : 0;
    else if (gives_cores_back(record))
      by = under_way_.erase(here) > 0 ? -1 : 0;
    if (record.kind == RecordKind::down || record.kind == RecordKind::up)
      host.down = record.kind == RecordKind::down;
    if (record.kind == RecordKind::left || record.kind == RecordKind::joined)
      host.left = record.kind == RecordKind::left;
    if (by != 0 && closes(record))
      host.closers += by;
    else if (record.what == ActivityKind::compute || record.what == ActivityKind::chunk)
      host.used += std::int64_t{by} * record.cores;
    idle_ += cores_idle(h);
  }

  // A computation has a record for each of its hosts, one after the other.
  void take_work(const Record& record) {
    if (const model::Shape* shape = workload_.shape_of(record.work);
        shape != nullptr && shape->reservation.valid())
      return;  // it waits for its reservation, not for what is idle
    WorkStanding& work = works_[record.work.index];
    const bool computes = record.what == ActivityKind::compute;
    const bool was_waiting = waits(work);
    if (record.kind == RecordKind::arrived) {
      work.is_here = true;
      work.place = next_place_++;
    } else if (record.kind == RecordKind::finished || record.kind == RecordKind::rejected ||
               record.kind == RecordKind::expired || record.kind == RecordKind::killed ||
               (computes && record.kind == RecordKind::ended)) {
      work.is_over = true;
    } else if (record.kind == RecordKind::stranded) {
      work.is_over = false;
    } else if (computes && takes_cores(record) && serials_.insert(record.activity).second) {
      ++work.running;
    }
    if (computes && gives_cores_back(record) && serials_.erase(record.activity) > 0) --work.running;
    if (waits(work) == was_waiting) return;
    const std::pair place(work.place, record.work.index);
    const auto width = static_cast<double>(workload_.width_of(record.work));
    if (was_waiting)
      line_.erase(place);
    else
      line_.insert(place);
    asked_ += was_waiting ? -width : width;
  }

  static bool waits(const WorkStanding& work) { return work.is_here && !work.is_over && work.running == 0; }

  const Platform& platform_;
  const Workload& workload_;
  Time now_;
  std::int64_t idle_ = 0;  // cores
  double asked_ = 0;       // cores, by all that wait
  std::vector<HostState> hosts_;
  std::vector<WorkStanding> works_;
  std::uint32_t next_place_ = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> under_way_;  // activity, host
  std::set<std::uint32_t> serials_;                              // computations under way
  std::set<std::pair<std::uint32_t, std::uint32_t>> line_;       // place, work
  IdleCapacity sums_;
};

}  // namespace

IdleCapacity idle_capacity(const Outcome& outcome, Time from) {
  CapacityFollower follower(outcome, from);
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) follower.take(outcome.trace[i]);
  follower.go_to(outcome.end);
  return follower.sums();
}

}  // namespace perigee::results
