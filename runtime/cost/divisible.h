// Costs of divisible loads in a cluster of identical nodes. The head of the cluster feeds them through one
// channel, one chunk after another (Mamat, 2011, Chapters 4 and 6). A node computes a chunk once all of it
// has come.
//
// Loads are in units of any size > 0, times in seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/kernel/ids.h"

namespace perigee::cost {

inline constexpr double kSliver = 1e-9;  // the part of a load that is not left behind: it goes with the rest

// The times are those of one unit of load. A set-up is paid for each transmission or computation, whatever
// its size.
struct UnitCosts {
  Seconds transmission = 0;        // >= 0
  Seconds computation = 0;         // >= 0; the two together > 0
  Seconds transmission_setup = 0;  // >= 0
  Seconds computation_setup = 0;   // >= 0
  friend bool operator==(const UnitCosts&, const UnitCosts&) = default;
};

// How a load is divided among nodes that are free at the same time.
enum class Partition : std::uint8_t {
  optimal,  // all nodes finish together (OPR, equations 4.2 to 4.6)
  equal,    // equal chunks (EPR, equations 4.8 to 4.10)
};
std::string_view name_of(Partition partition);

inline constexpr std::size_t kEveryNode = std::numeric_limits<std::size_t>::max();

// The time of a load on n >= 1 nodes that are all free when its first transmission begins.
class DivisibleCosts {
 public:
  // Error "bad_costs" naming the cost that is out of its range. For up to `tabulated` nodes, the terms that
  // do not depend on the load are computed once.
  DivisibleCosts(const UnitCosts& costs, Partition partition, std::size_t tabulated = 0);

  const UnitCosts& unit() const { return unit_; }
  Partition partition() const { return partition_; }
  std::size_t tabulated() const { return table_.size(); }

  // The time until the last node has finished (equations 4.6 and 4.8). Beyond useful_nodes(), the optimal
  // rule's value is that of its equations, which then describe chunks of negative size.
  Seconds time(double load, std::size_t nodes) const;
  // The number of nodes with the least time; kEveryNode if each further node helps. Up to this number, each
  // node makes the time shorter, and each chunk is larger than 0.
  std::size_t useful_nodes(double load) const;
  // The smallest number of useful nodes, at most `nodes`, whose time is at most `within` (equations 4.7 and
  // 4.10), by tolerant comparison; 0 if there is none.
  std::size_t fewest_nodes(double load, Seconds within, std::size_t nodes) const;
  // The same where `most` is known to be at most useful_nodes(load).
  std::size_t fewest_useful_nodes(double load, Seconds within, std::size_t most) const;
  // The chunks in the order of transmission, as fractions of the load (equations 4.2 to 4.4).
  std::vector<double> fractions(double load, std::size_t nodes) const;
  // The derivative of a load's node-seconds by the number of nodes (equation 4.1): time(n + 1) (n + 1) -
  // time(n) n.
  Seconds workload_derivative(double load, std::size_t nodes) const;

 private:
  struct OnNodes {
    double rest = 0;          // 1 - (1 - share_)^n: of the channel's time, what the chunks need
    double extra_setups = 0;  // of transmissions, beyond one, in the common end
  };
  OnNodes on(std::size_t nodes) const;
  double extra_setups(double nodes) const;
  UnitCosts unit_;
  Partition partition_;
  double share_;  // of a unit's time, its transmission: tau / (tau + chi)
  double decay_;  // -ln(chi / (tau + chi)): logarithm of a chunk's size over the next one's without setups
  std::vector<OnNodes> table_;
};

// a <= b up to the relative tolerance of admission tests.
bool at_most(double a, double b, double tolerance = 1e-9);

// The same load without setups, on nodes that become free at different times (Chuprat and Baruah, 2008).
// Chunks go to the nodes in order. Each is sent as soon as the channel and its node are free, and is as large
// as the node can finish by the common end.
class StaggeredNodes {
 public:
  // `free` is ascending and finite, and is read while this lives. The channel is free from `channel` on.
  StaggeredNodes(const UnitCosts& costs, std::span<const Time> free, Time channel);

  // The load that the first `nodes` nodes can finish by `end`.
  double load_by(Time end, std::size_t nodes) const;
  // The smallest number of first nodes that finish the load by `end`; 0 if even all nodes cannot.
  std::size_t fewest_nodes(double load, Time end) const;
  // The earliest common end of the load on the first `nodes` nodes, at least 1.
  Time completion(double load, std::size_t nodes) const;
  // The chunk of each node if all end at `end`; of as many as `out` has room for.
  std::vector<double> chunks(Time end, std::size_t nodes) const;
  void chunks(Time end, std::span<double> out) const;

 private:
  template <class F>
  void walk(Time end, std::size_t nodes, F&& chunk) const;
  UnitCosts unit_;
  std::span<const Time> free_;
  Time channel_;
};

}  // namespace perigee::cost
