#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"

namespace perigee::batch {

// The jobs that run on each host, by their expected end. It is predicted when a job starts, and again when
// its host reports a change. A job that runs longer is expected to end now.
class RunningJobs {
 public:
  struct Job {
    Time end;
    std::int32_t cores;  // cores that become idle when it ends
    ActivityId id;
    WorkId work = {};
    std::int32_t share = 0;   // cores that it has there, where others may not have the rest
    bool over_hosts = false;  // it runs on others too
    bool on_lowest = true;    // of its hosts this is the lowest
  };

  void reset(Sim& sim) {
    hosts_.resize(sim.view().hosts().size());
    first_end_.assign(hosts_.size(), kNever);
    knows_first_ = false;
    cores_.assign(hosts_.size(), 0);
    alone_.assign(hosts_.size(), 0);
    over_hosts_.clear();
    posts_wait_ = false;
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      look_at(sim, HostId(h));
      posts_wait_ = posts_wait_ || sim.view().hosts()[h].queued > 0;
    }
  }

  // Takes note of jobs that ended. False if anything else happened, or if a job ended at an unexpected time.
  bool follow(Sim& sim, std::span<const Event> events) {
    bool as_expected = true;
    for (const Event& event : events) {
      if (event.kind == EventKind::arrived || event.kind == EventKind::mark) continue;
      const HostId host = event.on.host();
      if ((event.kind == EventKind::ended || event.kind == EventKind::killed) && host.valid()) {
        as_expected &= erase(host, event.activity(), sim.now());
        continue;
      }
      as_expected = false;
      if (event.kind == EventKind::lost) forget(event.activity());
      if (host.valid()) look_at(sim, host);
    }
    for (std::size_t h = 0; h < hosts_.size() && posts_wait_; ++h) {  // they may have started in the meantime
      if (accounted(sim, HostId(h))) continue;
      as_expected = false;
      look_at(sim, HostId(h));
    }
    return as_expected;
  }

  // Starts the work and returns its expected end.
  Time start(Sim& sim, WorkId work, HostId host) {
    const ActivityId id = sim.start(work, host);
    const Time end = sim.estimate().end_of(sim, id);
    insert(host, {end, cores_of(sim.view(), work, host), id, work, sim.view().workload()[work].cores});
    return end;
  }

  // The same of a job with a Shape, or of one that takes a single share.
  Time start(Sim& sim, WorkId work, std::span<const Share> shares) {
    const ActivityId id = sim.start(work, shares);
    const Time end = sim.estimate().end_of(sim, id);
    for (const Share& share : shares) insert_share(sim.view(), work, share, shares, end, id);
    if (shares.size() > 1) remember(sim.view(), work, shares, end, id);
    return end;
  }

  // The jobs by expected end; ties: in order of start.
  std::span<const Job> on(HostId host) const { return hosts_[host.index]; }

  // The number of jobs on each host that are on no other.
  std::span<const std::uint32_t> alone() const { return alone_; }

  // A job on several hosts, and the cores of each that become idle when it ends.
  struct OverHosts {
    ActivityId id;
    Time end;
    std::vector<Share> taken;
  };
  // Calls f(job) for each of them, in no order.
  template <class F>
  void each_over_hosts(F f) const {
    for (const auto& [serial, job] : over_hosts_) f(job);
  }

  // The earliest expected end; +inf if nothing runs.
  Time first_end() const {
    if (!std::exchange(knows_first_, true)) {
      first_ = kNever;
      for (const Time each : first_end_) first_ = std::min(first_, each);
    }
    return first_;
  }

  // The cores of a host that a share of the work keeps from others.
  static std::int32_t cores_taken(const View& view, WorkId work, const Share& share) {
    const HostView& host = view[share.host];
    if (host.exclusive) return host.cores;
    const Shape* shape = view.workload().shape_of(work);
    return shape != nullptr && shape->exclusive ? host.cores : share.cores;
  }
  // The cores that a work of one host takes from it.
  static std::int32_t cores_of(const View& view, WorkId work, HostId host) {
    const HostView& declared = view[host];
    return declared.exclusive ? declared.cores : view.workload()[work].cores;
  }

 private:
  void look_at(Sim& sim, HostId host) {
    hosts_[host.index].clear();
    set_first_end(host, kNever);
    cores_[host.index] = 0;
    alone_[host.index] = 0;
    for (const ActivityId id : sim.running_on(host)) {
      const auto activity = sim.activity(id);
      if (activity->kind != ActivityKind::compute) continue;
      const Time end = sim.estimate().end_of(sim, id);
      if (sim.view().workload().shape_of(activity->work) == nullptr) {
        insert(host, {end, cores_of(sim.view(), activity->work, host), id, activity->work,
                      sim.view().workload()[activity->work].cores});
        continue;
      }
      const std::vector<Share> shares = sim.allocation(id);
      for (const Share& share : shares) {
        if (share.host != host) erase_on(share.host, id);  // what changes one of its hosts changes its end
        insert_share(sim.view(), activity->work, share, shares, end, id);
      }
      if (shares.size() > 1) remember(sim.view(), activity->work, shares, end, id);
    }
  }

  void insert_share(const View& view, WorkId work, const Share& share, std::span<const Share> shares,
                    Time end, ActivityId id) {
    insert(share.host, {end, cores_taken(view, work, share), id, work, share.cores, shares.size() > 1,
                        share.host == shares.front().host});
  }

  void remember(const View& view, WorkId work, std::span<const Share> shares, Time end, ActivityId id) {
    OverHosts& job = over_hosts_[id.serial];
    job.id = id;
    job.end = end;
    job.taken.assign(shares.begin(), shares.end());
    for (Share& share : job.taken) share.cores = cores_taken(view, work, share);
  }

  // The job is over, on all of its hosts.
  void forget(ActivityId id) {
    const auto known = over_hosts_.find(id.serial);
    if (known == over_hosts_.end()) return;
    for (const Share& share : known->second.taken) erase_on(share.host, id);
    over_hosts_.erase(known);
  }

  void set_first_end(HostId host, Time end) {
    Time& first = first_end_[host.index];
    if (first == first_ && end > first) knows_first_ = false;
    first = end;
    first_ = std::min(first_, end);
  }

  void insert(HostId host, const Job& job) {
    std::vector<Job>& jobs = hosts_[host.index];
    jobs.insert(std::ranges::upper_bound(jobs, job.end, {}, &Job::end), job);
    set_first_end(host, jobs.front().end);
    cores_[host.index] += job.cores;
    if (!job.over_hosts) ++alone_[host.index];
  }

  // Returns the job that was erased; none if it is not there.
  std::optional<Job> erase_on(HostId host, ActivityId id) {
    std::vector<Job>& jobs = hosts_[host.index];
    const auto at = std::ranges::find(jobs, id, &Job::id);
    if (at == jobs.end()) return std::nullopt;
    const Job erased = *at;
    jobs.erase(at);
    set_first_end(host, jobs.empty() ? kNever : jobs.front().end);
    cores_[host.index] -= erased.cores;
    if (!erased.over_hosts) --alone_[host.index];
    return erased;
  }

  bool erase(HostId host, ActivityId id, Time now) {
    const std::optional<Job> erased = erase_on(host, id);
    if (!erased) return false;
    if (erased->over_hosts) forget(id);
    return erased->end == now;
  }

  bool accounted(const Sim& sim, HostId host) const {
    const HostView& now = sim.view()[host];
    return now.idle + cores_[host.index] == now.cores || !now.up || sim.is_held(host);
  }

  std::vector<std::vector<Job>> hosts_;  // by expected end
  // Per host: the earliest of these ends, the cores that its jobs keep from others, and the number of jobs that are on no
  // other host.
  std::vector<Time> first_end_;
  std::vector<std::int32_t> cores_;
  std::vector<std::uint32_t> alone_;
  std::unordered_map<std::uint32_t, OverHosts> over_hosts_;  // jobs on several, by serial
  bool posts_wait_ = false;                                  // another policy has posted them
  mutable Time first_ = kNever;                              // the least of first_end_, once it was asked for
  mutable bool knows_first_ = false;
};

}  // namespace perigee::batch
