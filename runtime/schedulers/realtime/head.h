// What the head of a cluster knows of its nodes, its channel and a divisible load. For policies with the
// demands of demands.h.
#pragma once

#include <vector>

#include "runtime/cost/divisible.h"
#include "runtime/engine/sim.h"

namespace perigee::realtime {

inline const Link& head_link(const View& view) { return view.platform()[view.platform().clusters()[0].link]; }

struct HeadLoad {
  double size = 0;
  UnitCosts costs;
};
// With what the slowest of the hosts that are up is estimated to take for a unit; while none is, as declared.
HeadLoad load_of(Sim& sim, WorkId work);

// When the host is estimated to be done with what it has been given; now when it has nothing.
Time free_from(Sim& sim, HostId host);

// When the head's channel is estimated to be done with what it has been given; now when it has nothing.
Time channel_free_from(Sim& sim);

// What every head does: loads are tested as they arrive, what is due is sent, by a timer where nothing else
// happens, and what was lost is sent again.
class Head : public Policy {
 public:
  void react(Sim& sim, std::span<const Event> events) final;

 protected:
  virtual void arrived(Sim& sim, WorkId work, Time at) = 0;
  virtual void host_changed(Sim& sim, HostId host) = 0;  // it went or came, or lost what it had
  virtual void plan_again(Sim&) {}                       // nothing moves although something waits
  // Sends the first lost piece of the load, if any; false when no host is up.
  virtual bool send_again(Sim& sim, WorkId work) = 0;
  virtual void send_due(Sim& sim) = 0;  // by due()
  virtual Time next_due() const = 0;    // kNever: nothing waits

  // For begin(): all that was known of an earlier run is forgotten; and, once the view has been read, go on.
  void start_anew(Sim& sim);
  void go_on(Sim& sim);
  void lost(WorkId work);            // in part
  Time due() const { return due_; }  // the last time of this instant

 private:
  void take_back(Sim& sim, HostId host);
  void send_lost(Sim& sim);

  std::vector<WorkId> lost_;
  Time due_ = 0;
  TimerId timer_;
  Time timer_at_ = kNever;
};

}  // namespace perigee::realtime
