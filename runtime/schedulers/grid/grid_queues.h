// The queues of the hosts and links of a grid at its origin, how they are served between plans, and what is
// in no queue.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/schedulers/grid/planner_settings.h"

namespace perigee::grid {

// A value.
class GridQueues {
 public:
  static constexpr std::uint32_t kNowhere = 0xffffffffU;

  struct Queued {
    WorkId work;
    Time start;  // planned
  };
  struct Sending {
    FileId file;
    WorkId work;  // of an output; invalid: an input
    Time start;   // planned
    bool home() const { return work.valid(); }
  };
  struct Activity {
    ActivityId id;
    WorkId work;  // of a computation, or of an output
    FileId file;
  };
  struct Server {  // a core of a host
    HostId host;
    std::vector<Queued> queue = {};
    Activity running = {};
    std::uint32_t failures = 0;  // of the host, with its first core
  };
  struct Channel {  // of a cluster
    std::vector<Sending> queue = {};
    Activity sending = {};
    bool away = false;  // the cluster: hosts that come before it are of no use
    std::uint32_t failures = 0;
  };
  // New entries, until they join the queues.
  struct Fresh {
    struct Task {
      std::uint32_t server;
      Queued entry;
    };
    struct Transfer {
      std::uint32_t cluster;
      Sending entry;
    };
    std::vector<Task> tasks = {};
    std::vector<Transfer> transfers = {};
    std::vector<std::uint32_t> failures = {}, cluster_failures = {};  // when they were made
  };

  explicit GridQueues(const PlannerSettings& settings) : settings_(settings) {}

  // From the policy before: what is under way goes on where it is, all else is in no queue.
  void adopt(Sim& sim);

  std::vector<Server>& servers() { return servers_; }
  std::vector<Channel>& channels() { return channels_; }
  const std::vector<Server>& servers() const { return servers_; }
  const std::vector<Channel>& channels() const { return channels_; }
  std::span<const WorkId> pool() const { return pool_; }  // in no queue, ascending
  bool is_up(const Sim& sim, std::uint32_t server) const {
    const HostView& host = sim.view()[servers_[server].host];
    return host.up && !channels_[host.cluster.index].away;
  }
  bool any_up(const Sim& sim) const {
    for (std::uint32_t s = 0; s < servers_.size(); ++s)
      if (is_up(sim, s)) return true;
    return false;
  }
  // As estimated; in `overdue` from now when it should have ended.
  Time end_of_running(Sim& sim, const Activity& activity) const;

  // What the events of an instant say, and then take_back once.
  void enter(const Sim& sim, WorkId work);  // it waits, and is in no queue
  void lost(const Sim& sim, const Event& event);
  void host_failed(const Sim& sim, HostId host);
  void cluster_failed(ClusterId cluster);
  void cluster_back(const Sim& sim, ClusterId cluster);  // outputs that waited for it go first
  void link_back(const Sim& sim, LinkId link);
  // What is over is not running; what is queued on hosts of clusters that are away, or was settled by
  // somebody else, is not queued; transfers that were cut while their cluster stayed are to be made again.
  void take_back(const Sim& sim);

  // Figure 10: starts what can start; whether an idle host asks for a plan.
  bool serve(Sim& sim);

  // Queues keep their first tasks, and links what these need or what has been computed, or is being so.
  // Whether a task left its queue.
  bool truncate(const Sim& sim);
  // Where things stand, for `join`.
  void mark(Fresh& fresh) const;
  // The new entries join those that were kept, in the order of planned starts; not those on what has failed
  // meanwhile, even if it is back.
  void join(const Sim& sim, const Fresh& fresh);

 private:
  std::uint32_t& server_of(WorkId work);
  ClusterId cluster_of(const Sim& sim, std::uint32_t server) const {
    return sim.view()[servers_[server].host].cluster;
  }
  void unqueue(const Sim& sim, WorkId work);  // it has just left the queue of a host
  void forget_outputs(WorkId work);
  void fetch_stranded(const Sim& sim, ClusterId cluster);
  class FileSet;
  // Inputs of tasks in the queues of a cluster that are not there, nor on their way.
  FileSet needed(const Sim& sim) const;
  bool asks_for_plan() const;
  void send_next(Sim& sim, ClusterId cluster);
  bool stops_at(Sim& sim, const Sending& entry) const;
  void start(Sim& sim, WorkId work, std::uint32_t server);
  bool steal(Sim& sim, std::uint32_t thief);

  PlannerSettings settings_;
  std::vector<Server> servers_;
  std::vector<std::uint32_t> first_server_;  // per host, and the number of all
  std::vector<Channel> channels_;            // per cluster
  std::vector<std::uint32_t> server_of_;     // per work, in whose queue it is, or where it runs or ran
  std::vector<WorkId> pool_;                 // ascending
};

}  // namespace perigee::grid
