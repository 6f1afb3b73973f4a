// The hosts of a run: whether they are up, how fast they compute, what runs on them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/engine/state/activities.h"
#include "runtime/engine/state/presence.h"
#include "runtime/engine/state/rate.h"
#include "runtime/model/platform.h"

namespace perigee::engine {

enum class Power : std::uint8_t { on, shutting, off, booting };
std::string_view name_of(Power power);
std::string_view text_of(Power power);  // for messages: "shutting down"

struct HostView {
  bool up = true;           // as far as the policy has been told
  bool exclusive = false;   // as declared
  Power power = Power::on;  // what is not on has no idle cores
  std::uint8_t state = 0;   // of speed, in PowerModel::states
  std::int32_t cores = 1;
  std::int32_t idle = 1;     // cores that a start may take now; 0 while down, held or reserved
  std::int32_t running = 0;  // activities, and incoming data of a sweep's runs
  std::uint32_t queued = 0;  // posted here
  ClusterId cluster;
  std::int32_t architecture = 0;
  double speed = 1;  // op/s of one core now, availability not counted
};

// Each host has a list of what runs on it, in order of start, which goes through the activities themselves. A
// hold has the host for one work: what that work starts then runs inside the hold, on the cores that the hold
// has.
class Hosts {
 public:
  explicit Hosts(const Platform& platform);  // which outlives this

  std::size_t size() const { return hosts_.size(); }
  std::span<const HostView> views() const { return views_; }
  const HostView& operator[](HostId host) const { return views_[host.index]; }
  std::size_t bytes() const { return hosts_.size() * (sizeof(State) + sizeof(HostView)); }

  // ---- presence ----

  const Presence& presence(HostId host) const { return at(host).presence; }
  bool is_up(HostId host) const { return at(host).presence.is_up(); }
  Presence::Begun begin_outage(HostId host, const Outage& outage);
  bool end_outage(HostId host, const Outage& outage) {
    ++changes_;
    return at(host).presence.end(outage);
  }
  bool recover(HostId host);        // see Presence::recover
  bool notice_outage(HostId host);  // see Presence::notice
  void leave(HostId host);
  void join(HostId host);
  // The host changes clusters while it is away: first its outages, then where it is.
  void move_outages(HostId host, const Outages& from, const Outages& to);
  void move(HostId host, ClusterId cluster) {
    views_[host.index].cluster = cluster;
    any_moved_ = true;
    ++changes_;
  }
  bool any_has_moved() const {
    return any_moved_;
  }  // some host is or was in another cluster than it was declared in
  void set_architecture(HostId host, std::int32_t architecture) {
    views_[host.index].architecture = architecture;
    ++changes_;
  }
  // Another number after each change of the presence, speed, rate or architecture of a host, whoever was told.
  std::uint64_t changes() const { return changes_; }

  // ---- rates ----

  const Rate& rate(HostId host) const { return at(host).rate; }  // relative to its nominal speed
  // From now on; a null profile leaves the old one, a NaN the old factor.
  void install(HostId host, double factor, const Profile* availability, Time now);
  void tell_speed(HostId host);  // the factor to the policy

  // ---- power ----

  // Where it is on its way to: how long that takes, and whether it boots when it has been shut down.
  struct Transition {
    Time until = kNever;
    std::uint32_t serial = 0;  // of the last one
    bool boots_next = false;
  };
  const Transition& transition(HostId host) const { return at(host).transition; }
  // All cores of a host that is not on are taken. `until`: the end of the transition that it is in.
  void set_power(HostId host, Power power, Time until = kNever);
  void boot_next(HostId host) { at(host).transition.boots_next = true; }
  // The factor on the speed beside that of changes.
  void set_speed_state(HostId host, std::uint8_t state, double factor);

  // ---- use ----

  std::uint32_t first_on(HostId host) const { return at(host).first; }   // slot; kNone: nothing runs
  std::uint32_t hold_on(HostId host) const { return at(host).held_by; }  // slot; kNone: nobody holds it
  bool is_idle(HostId host) const { return at(host).used == 0 && at(host).held_by == kNone; }
  // The work for which it is held; invalid: for nobody.
  WorkId held_for(HostId host) const { return at(host).held_by != kNone ? at(host).held_for : WorkId(); }
  // Cores that the work may have now, if the host is up. An exclusive host serves one activity at a time.
  std::int32_t free_cores(HostId host, WorkId work) const {
    const State& state = at(host);
    const bool held = state.held_by != kNone;
    if (held && state.held_for != work) return 0;
    const std::int32_t used = held ? state.held_used : state.used;
    return state.exclusive && used > 0 ? 0 : state.cores - used;
  }
  [[gnu::always_inline]] inline void occupy(Activities& activities, std::uint32_t slot);
  [[gnu::always_inline]] inline void vacate(Activities& activities, std::uint32_t slot);
  void hold(HostId host, std::uint32_t slot, WorkId work);  // the host is idle
  void free(HostId host);                                   // from its hold; what still runs inside stays
  void show_queued(HostId host, std::size_t posts) {
    views_[host.index].queued = static_cast<std::uint32_t>(posts);
  }

 private:
  struct State {
    Presence presence;
    bool exclusive = false;                     // as declared
    std::int32_t cores = 1;                     // as declared
    std::int32_t used = 0;                      // cores
    std::uint32_t first = kNone, last = kNone;  // slots of what runs, by start
    std::uint32_t held_by = kNone;              // slot of a hold
    std::int32_t held_used = 0;                 // cores used inside it
    WorkId held_for;
    Rate rate;
    double changed = 1, told = 1;  // the factor of changes, and as far as the policy has been told
    double by_state = 1;           // that of the state of speed
    Transition transition;
  };
  State& at(HostId host) { return hosts_[host.index]; }
  const State& at(HostId host) const { return hosts_[host.index]; }
  [[gnu::always_inline]] inline void show(HostId host);

  const Platform* platform_;
  std::vector<State> hosts_;
  std::vector<HostView> views_;
  bool any_moved_ = false;
  std::uint64_t changes_ = 0;
};

inline void Hosts::show(HostId host) {
  const State& state = at(host);
  HostView& view = views_[host.index];
  view.up = state.presence.seems_up();
  const bool closed = !view.up || state.held_by != kNone || (state.exclusive && state.used > 0);
  view.idle = closed ? 0 : state.cores - state.used;
}

inline void Hosts::occupy(Activities& activities, std::uint32_t slot) {
  Activity& activity = activities[slot];
  State& state = at(activity.host);
  (state.held_by != kNone ? state.held_used : state.used) += activity.cores;
  activity.previous = state.last;
  activity.next = kNone;
  (state.last == kNone ? state.first : activities[state.last].next) = slot;
  state.last = slot;
  ++views_[activity.host.index].running;
  show(activity.host);
}

inline void Hosts::vacate(Activities& activities, std::uint32_t slot) {
  const Activity& activity = activities[slot];
  State& state = at(activity.host);
  (state.held_by != kNone ? state.held_used : state.used) -= activity.cores;
  (activity.previous == kNone ? state.first : activities[activity.previous].next) = activity.next;
  (activity.next == kNone ? state.last : activities[activity.next].previous) = activity.previous;
  --views_[activity.host.index].running;
  show(activity.host);
}

}  // namespace perigee::engine
