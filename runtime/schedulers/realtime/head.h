// The head of a cluster: its knowledge of the nodes, the channel and a divisible load. For policies that
// accept only platforms of `one_channel`.
#pragma once

#include <vector>

#include "runtime/cost/divisible.h"
#include "runtime/engine/sim.h"

namespace perigee::realtime {

inline const Link& head_link(const View& view) { return view.platform()[view.platform().clusters()[0].link]; }

struct HeadLoad {
  double size = 0;  // units
  UnitCosts costs;
};
// The time of a unit is the estimate for the slowest host that is up; while none is up, it is the declared
// time.
HeadLoad load_of(Sim& sim, WorkId work);

// The estimated time when the host is done with everything given to it; now if it has nothing.
Time free_from(Sim& sim, HostId host);

// The estimated time when the head's channel is done with everything given to it; now if it has nothing.
Time channel_free_from(Sim& sim);

// The common part of all heads. Loads are tested as they arrive. Chunks are sent when they are due, by a
// timer if nothing else happens then. Lost pieces are sent again.
class Head : public Policy {
 public:
  void react(Sim& sim, std::span<const Event> events) final;

 protected:
  virtual void arrived(Sim& sim, WorkId work, Time at) = 0;
  virtual void host_changed(Sim& sim, HostId host) = 0;  // it went or came, or lost what it had
  virtual void plan_again(Sim&) {}                       // nothing moves although something waits
  // Sends the first lost piece of the load, if any; false if no host is up.
  virtual bool send_again(Sim& sim, WorkId work) = 0;
  virtual void send_due(Sim& sim) = 0;  // by due()
  virtual Time next_due() const = 0;    // kNever: nothing waits

  // For begin(). start_anew() forgets everything of an earlier run. go_on() is called once the view has been
  // read.
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
