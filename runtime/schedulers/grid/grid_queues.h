// The queues of a grid's hosts and links at its origin, the rules by which they are served between plans, and
// the work that is in no queue.
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
    std::vector<std::uint32_t> failures = {}, cluster_failures = {};  // counts when they were made
  };

  explicit GridQueues(const PlannerSettings& settings) : settings_(settings) {}

  // Takes over from another policy: what is under way goes on where it is, and all other work is in no queue.
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
  // The estimated end. If that is over, it is `overdue` from now.
  Time end_of_running(Sim& sim, const Activity& activity) const;

  // Takes in the events of an instant. take_back() must follow once.
  void enter(const Sim& sim, WorkId work);  // the work waits, and is in no queue
  void lost(const Sim& sim, const Event& event);
  void host_failed(const Sim& sim, HostId host);
  void cluster_failed(ClusterId cluster);
  void cluster_back(const Sim& sim, ClusterId cluster);  // outputs that waited for it go first
  void link_back(const Sim& sim, LinkId link);
  void recovered(const Sim& sim, WorkId work);  // it need not be done again
  // Activities that are over no longer count as running. Work leaves its queue if its host's cluster is away
  // or if it has been settled. Transfers that were cut while their cluster stayed are queued again.
  void take_back(const Sim& sim);

  // Figure 10: starts what can start. True if an idle host asks for a plan.
  bool serve(Sim& sim);

  // Queues keep their first tasks. Links keep the inputs of these, and the outputs of tasks that run or have
  // been computed. True if a task left its queue.
  bool truncate(const Sim& sim);
  // Notes the failures so far, for `join`.
  void mark(Fresh& fresh) const;
  // The new entries join the kept ones, in the order of planned starts. Entries on hosts or clusters that
  // have failed since mark() are dropped, even if these are back.
  void join(const Sim& sim, const Fresh& fresh);

 private:
  std::uint32_t& server_of(WorkId work);
  ClusterId cluster_of(const Sim& sim, std::uint32_t server) const {
    return sim.view()[servers_[server].host].cluster;
  }
  void unqueue(const Sim& sim, WorkId work);  // the work has just left the queue of a host
  void forget_outputs(WorkId work);
  void fetch_stranded(const Sim& sim, ClusterId cluster);
  // Works that waited may do so no longer, because files that others made have gone or come back.
  void look_again() { settled_ = kUnknown; }
  class FileSet;
  // The inputs of queued tasks of a cluster that are neither there nor on their way.
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
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
  std::size_t settled_ = 0;  // works that were given up, at the last take_back
};

}  // namespace perigee::grid
