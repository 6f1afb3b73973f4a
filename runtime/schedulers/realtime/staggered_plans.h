// Plans of divisible loads on nodes that become free at different times, in the order of deadlines. A load is
// admitted if it and all waiting loads end in time. Loads have no set-ups and one cost. The cluster has
// identical nodes behind one channel.
//
// Source: Mamat, 2011, section 6.4 (EDF-IIT-1 and EDF-IIT-2, after Lin et al. and Chuprat and Baruah).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/cost/divisible.h"

namespace perigee::realtime {

enum class IdleTimes : std::uint8_t {
  as_heterogeneity,  // EDF-IIT-1: nodes that are free earlier count as faster, and get larger chunks
  exact,             // EDF-IIT-2: the chunks of all nodes end together
};

class StaggeredPlans {
 public:
  struct Chunk {
    std::uint32_t node = 0;
    double size = 0;          // units
    Time start = 0, end = 0;  // of its transmission, of its computation
    friend bool operator==(const Chunk&, const Chunk&) = default;
  };
  struct Load {
    std::uint32_t id = 0;
    double size = 0;  // units
    Time deadline = 0, arrival = 0;
  };
  struct Plan : Load {
    std::vector<Chunk> chunks = {};  // in the order of transmission, one after the other
    Time end = 0;
  };

  // Error "bad_costs" unless both costs are larger than 0 and there are no set-ups.
  StaggeredPlans(const UnitCosts& costs, std::size_t nodes, IdleTimes idle_times, double tolerance);

  // Plans the load and those with later deadlines; false leaves everything as it was. Ids are unique. Chunks
  // that were to start by now must have been sent. O(W N) with W waiting loads for N nodes; EDF-IIT-1 O(W
  // N^2) at worst.
  bool arrive(std::uint32_t id, Time now, double size, Time deadline);
  // Called when no load waits. Plans these loads, in the order of deadlines; false changes nothing.
  bool take_over(std::span<const Load> loads, Time now) { return replan(0, loads, now); }

  bool empty() const { return plans_.empty(); }
  const std::vector<Plan>& plans() const { return plans_; }  // in the order of deadlines
  // The start of the first plan's first transmission; kNever: no load waits.
  Time next_start() const { return plans_.empty() ? kNever : plans_.front().chunks.front().start; }
  // The first plan is carried out, and will not change any more.
  Plan send();

  Time node_free(std::size_t node) const { return free_[node]; }
  Time channel_free() const { return channel_; }
  // The node is away (kNever), or free from then on. Plans stay as they were until the next arrival.
  void set_free(std::size_t node, Time at);
  void set_channel_free(Time at);  // not before `at`

 private:
  struct Taken {
    Time free = 0;
    std::uint32_t node = 0;
    friend auto operator<=>(const Taken&, const Taken&) = default;
  };
  // Nodes by (time at which they are free, index), and the channel.
  struct State {
    std::vector<Time> free;
    std::vector<std::uint32_t> node;
    Time channel = 0;
    void put_back(std::span<const Taken> taken);
  };

  State state_at(Time now) const;
  // Plans these loads in place of the plans from `first` on.
  bool replan(std::size_t first, std::span<const Load> loads, Time now);
  bool plan(State& state, Plan& plan);
  void divide_exactly(const State& state, const Plan& plan, std::vector<double>& sizes) const;
  void divide_by_speed(const State& state, const Plan& plan, std::vector<double>& sizes) const;

  UnitCosts costs_;
  DivisibleCosts together_;  // of nodes that are free at the same time
  IdleTimes idle_times_;
  double tolerance_;
  std::vector<Plan> plans_;
  // Per plan, the state before it. Only some are kept; those before a new plan stay valid.
  std::vector<std::shared_ptr<const State>> before_;
  std::vector<Time> free_;  // per node, of all that has been sent
  Time channel_ = 0;
  // Their memory is used again.
  std::vector<Plan> anew_;
  std::vector<double> sizes_;
  std::vector<Taken> taken_;
};

}  // namespace perigee::realtime
