#pragma once

#include <algorithm>
#include <span>
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
  };

  void reset(Sim& sim) {
    hosts_.resize(sim.view().hosts().size());
    for (std::size_t h = 0; h < hosts_.size(); ++h) look_at(sim, HostId(h));
  }

  // Takes note of jobs that ended. False if anything else happened, or if a job ended at an unexpected time.
  bool follow(Sim& sim, std::span<const Event> events) {
    bool as_expected = true;
    for (const Event& event : events) {
      if (event.kind == EventKind::arrived) continue;
      const HostId host = event.on.host();
      if (event.kind == EventKind::ended && host.valid()) {
        as_expected &= erase(host, event.activity(), sim.now());
        continue;
      }
      as_expected = false;
      if (host.valid()) look_at(sim, host);
    }
    // Posts of another policy may have started in the meantime.
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      if (accounted(sim.view(), HostId(h))) continue;
      as_expected = false;
      look_at(sim, HostId(h));
    }
    return as_expected;
  }

  // Starts the work and returns its expected end.
  Time start(Sim& sim, WorkId work, HostId host) {
    const ActivityId id = sim.start(work, host);
    const Time end = sim.estimate().end_of(sim, id);
    insert(host, {end, cores_of(sim.view(), work, host), id});
    return end;
  }

  // The jobs by expected end; ties: in order of start.
  std::span<const Job> on(HostId host) const { return hosts_[host.index].jobs; }

  // The cores that the work takes from the host.
  static std::int32_t cores_of(const View& view, WorkId work, HostId host) {
    const Host& declared = view.platform()[host];
    return declared.exclusive ? declared.cores : view.workload()[work].cores;
  }

 private:
  struct Running {
    std::vector<Job> jobs;
    std::int32_t cores = 0;
  };

  void look_at(Sim& sim, HostId host) {
    Running& running = hosts_[host.index];
    running = {};
    for (const ActivityId id : sim.running_on(host)) {
      const auto activity = sim.activity(id);
      if (activity->kind != ActivityKind::compute) continue;
      insert(host, {sim.estimate().end_of(sim, id), cores_of(sim.view(), activity->work, host), id});
    }
  }

  void insert(HostId host, const Job& job) {
    Running& running = hosts_[host.index];
    running.jobs.insert(std::ranges::upper_bound(running.jobs, job.end, {}, &Job::end), job);
    running.cores += job.cores;
  }

  bool erase(HostId host, ActivityId id, Time now) {
    Running& running = hosts_[host.index];
    const auto at = std::ranges::find(running.jobs, id, &Job::id);
    if (at == running.jobs.end()) return false;
    const bool on_time = at->end == now;
    running.cores -= at->cores;
    running.jobs.erase(at);
    return on_time;
  }

  bool accounted(const View& view, HostId host) const {
    return !view[host].up || view[host].idle + hosts_[host.index].cores == view.platform()[host].cores;
  }

  std::vector<Running> hosts_;
};

}  // namespace perigee::batch
