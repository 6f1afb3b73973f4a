// Plans of divisible loads with deadlines among advance reservations of nodes and the channel. Loads are
// planned in the order of deadlines, in stages around the reservations (runtime/cost/stages.h). A reservation
// is accepted if its interval is free and all waiting loads can still be in time.
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
    double size = 0;  // units
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

  // Plans the load and all waiting loads anew; false leaves everything as it was. Ids are unique and times do
  // not decrease. Chunks that were to start by `now` have been sent. O(W N log N) with W waiting loads for N
  // nodes.
  bool arrive(Time now, const Load& load);
  // Chooses so many nodes, the lowest free ones, and plans all waiting loads anew. Otherwise returns the
  // reason: `past`: it begins before now; `io`: the channel is not free; `nodes`: too few nodes are free;
  // `tasks`: some load could not be in time. `reservation.nodes` are chosen here.
  Reason reserve(Time now, Reservation& reservation, std::size_t nodes);

  const std::vector<Plan>& plans() const { return plans_; }  // in the order of deadlines
  Time next_start() const;  // of the first transmission; kNever: nothing waits
  Plan send();              // the one that starts first is carried out, and will not change any more

  // Sends a load, or a rest of one, that is lost or late: as early as possible, in time or not.
  Plan send_late(Time now, Load load);
  // Plans all waiting loads anew, late ones as early as possible.
  void renew(Time now);

  Time node_free(std::size_t node) const { return computed_[node]; }
  // The node is away (kNever), or done with its earlier work from then on. Plans stay as they were.
  void set_free(std::size_t node, Time at);
  void set_channel_busy(const TimeRange& busy);
  void adopt(const Reservation& reservation);  // as it is
  void give_up(std::uint32_t reservation);

  // How often a load estimated to be in time could not be planned. Theorem 5.3.5 says that this never
  // happens.
  std::uint64_t surprises() const { return surprises_; }

 private:
  // The times when nodes and the channel are free for the next plan.
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
