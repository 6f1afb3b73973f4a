// The state of a run at a time: the clock, what is simulated, and the owners of all that changes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "runtime/engine/state/activities.h"
#include "runtime/engine/state/hosts.h"
#include "runtime/engine/state/links.h"
#include "runtime/engine/state/posts.h"
#include "runtime/engine/state/presence.h"
#include "runtime/engine/state/queue_use.h"
#include "runtime/engine/state/readiness.h"
#include "runtime/engine/state/stock.h"
#include "runtime/engine/state/stores.h"
#include "runtime/engine/state/timers.h"
#include "runtime/engine/state/works.h"
#include "runtime/model/scenario.h"

namespace perigee::engine {

struct State;

// Everything a policy may see of the state, as arrays indexed by id. Every View is the base of a State.
class View {
 public:
  Time now() const;
  std::uint64_t instant() const;  // counted from 1
  const Platform& platform() const;
  const Workload& workload() const;
  std::span<const HostView> hosts() const;
  std::span<const LinkView> links() const;
  const Sliding<WorkView>& works() const;  // of a stream those that are still needed
  const HostView& operator[](HostId id) const;
  const WorkView& operator[](WorkId id) const;
  std::size_t unsettled() const;  // works that have arrived and are not finished, rejected or expired
  std::size_t works_in(WorkState in) const;
  bool thinking() const;
  // The free amount of each consumable of the platform on the host, and of each licence.
  std::span<const double> free_on(HostId host) const;
  std::span<const double> free_licences() const;
  // By this, and then by input, works stand in line: their arrival, or when they were sent to its end.
  Time place_in_line(WorkId work) const;

 protected:
  View() = default;
  View(const View&) = default;
  View& operator=(const View&) = default;
  ~View() = default;

 private:
  [[gnu::always_inline]] inline const State& state() const;
};

// The last whole dump of a job, from which it goes on when it is lost.
struct Saved {
  double share = 0;           // of its time, in (0, 1)
  std::vector<HostId> hosts;  // that wrote it, ascending
};

// A value. Each owner keeps its own part in order; the verbs of Sim keep them in agreement.
struct State : View {
  std::shared_ptr<const Scenario> scenario;
  const Platform* platform;  // of the scenario
  const Workload* workload;
  std::vector<Happening> injected;  // further ones, from outside and of processes, in order
  Time now = 0;
  std::uint64_t instant = 0;  // see View

  Activities activities;
  Hosts hosts;
  Links links;
  std::vector<Presence> clusters;  // outages of whole clusters; each counts for link and hosts too
  Stores stores;
  Stock stock;
  QueueUse queue_use;
  Works works;
  Readiness readiness;
  Posts posts;
  Timers timers;
  std::vector<Window> windows;      // of the scenario, by the time when they become known
  std::size_t windows_known = 0;    // the first ones
  std::map<WorkId, Saved> saved;    // of unsettled works: the last whole dump
  std::map<WorkId, Time> requeued;  // unsettled works whose limit was over: since when they stand in line
  std::uint32_t thinker = kNone;    // slot of the activity that is scheduling time

  explicit State(std::shared_ptr<const Scenario> declared);
  void extend(std::shared_ptr<const Workload> longer);  // it begins with the present works
  // The scenario has a workload with the same works, and perhaps more of them, without files.
  void adopt(std::shared_ptr<const Scenario> of_its_own);

  void show_queued(HostId host) { hosts.show_queued(host, posts[host].size()); }
  void show_queued(LinkId link) { links.show_queued(link, posts[link].size()); }
  const Presence& presence(ResourceId on) const {
    return on.kind() == ResourceKind::host   ? hosts.presence(on.host())
           : on.kind() == ResourceKind::link ? links.presence(on.link())
                                             : clusters[on.at()];
  }
};

inline const State& View::state() const { return static_cast<const State&>(*this); }

inline Time View::now() const { return state().now; }
inline std::uint64_t View::instant() const { return state().instant; }
inline const Platform& View::platform() const { return *state().platform; }
inline const Workload& View::workload() const { return *state().workload; }
inline std::span<const HostView> View::hosts() const { return state().hosts.views(); }
inline std::span<const LinkView> View::links() const { return state().links.views(); }
inline const Sliding<WorkView>& View::works() const { return state().works.views(); }
inline const HostView& View::operator[](HostId id) const { return state().hosts[id]; }
inline const WorkView& View::operator[](WorkId id) const { return state().works[id]; }
inline std::size_t View::unsettled() const { return state().works.unsettled(); }
inline std::size_t View::works_in(WorkState in) const { return state().works.count_in(in); }
inline std::span<const double> View::free_on(HostId host) const { return state().stock.free_on(host); }
inline std::span<const double> View::free_licences() const { return state().stock.free_licences(); }
inline Time View::place_in_line(WorkId work) const {
  if (!state().requeued.empty()) [[unlikely]]
    if (const auto at = state().requeued.find(work); at != state().requeued.end()) return at->second;
  return workload()[work].arrival;
}
inline bool View::thinking() const { return state().thinker != kNone; }

}  // namespace perigee::engine
