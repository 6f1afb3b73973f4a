// Plans of divisible loads with deadlines among advance reservations of nodes and the channel: loads in the
// order of deadlines, in stages around what is reserved (runtime/cost/stages.h); a reservation is accepted
// when its interval is free and all loads that wait can still be in time.
//
// Source: Mamat, 2011, Chapter 5 (Algorithms 1 and 2).
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/cost/stages.h"
#include "runtime/engine/event.h"

namespace perigee::realtime {

class StagedPlans {
 public:
  struct Load {
    std::uint32_t id = 0;
    UnitCosts costs = {};
    double size = 0;
    Time deadline = 0, arrival = 0;
  };
  struct Plan : Load {
    std::vector<StagedNodes::Chunk> chunks = {};
    Time start() const { return chunks.empty() ? kNever : chunks.front().start; }
    Time end() const;
  };
  struct Reservation {
    std::uint32_t id = 0;
    Time from = 0, to = 0, io_until = 0;
    std::vector<std::uint32_t> nodes = {};
  };

  StagedPlans(std::size_t nodes, double tolerance);

  // Plans all that wait and the load anew; false leaves all as it was. Ids are unique; times do not decrease,
  // and what was to start by `now` has been sent. O(W N log N) with W loads that wait for N nodes.
  bool arrive(Time now, const Load& load);
  // Chooses so many nodes, the lowest that are free, and plans all that wait anew; else says why not:
  // `past`: it begins before now; `io`: the channel is not free; `nodes`: too few nodes are; `tasks`: some
  // load could not be in time. `reservation.nodes` are chosen here.
  Reason reserve(Time now, Reservation& reservation, std::size_t nodes);

  const std::vector<Plan>& plans() const { return plans_; }  // in the order of deadlines
  Time next_start() const;  // of the first transmission; kNever: nothing waits
  Plan send();              // the one that starts first is carried out, and will not change any more

  // What is lost or late all the same: of a load, as early as it can be, in time or not; it is sent.
  Plan send_late(Time now, Load load);
  // All that wait anew, late ones as early as they can be.
  void renew(Time now);

  Time node_free(std::size_t node) const { return computed_[node]; }
  // The node is not there (kNever), or done with what it had from then on. Plans are as they were.
  void set_free(std::size_t node, Time at);
  void set_channel_busy(const TimeRange& busy);
  void adopt(const Reservation& reservation);  // as it is
  void give_up(std::uint32_t reservation);

  // How often a load that was estimated to be in time could not be planned: Theorem 5.3.5 says never.
  std::uint64_t surprises() const { return surprises_; }

 private:
  // When nodes and the channel are free for what is planned next.
  struct State {
    std::vector<Time> free;
    std::vector<TimeRange> channel;
  };
  void forget(Time now);
  bool plan(const State& state, Time now, Time deadline, Plan& plan);
  bool plan_all(Time now, std::vector<Plan>& plans, bool late);
  Time surely_enough(const State& state, Time now, const Load& load) const;
  static void occupy(State& state, const Plan& plan);
  void carry_out(const Plan& plan);
  static void insert(std::vector<TimeRange>& channel, const TimeRange& busy);

  double tolerance_;
  State sent_;                                       // after all that has been sent
  std::vector<Time> computed_;                       // per node, the end of its last computation
  std::vector<std::vector<ReservedNode>> reserved_;  // per node, ascending
  std::vector<Reservation> reservations_;            // accepted and not over
  std::vector<Plan> plans_;
  std::uint64_t surprises_ = 0;
};

}  // namespace perigee::realtime
