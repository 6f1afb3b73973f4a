// Divisible loads among advance reservations. Nodes and the channel are promised to others for intervals; a
// load is sent and computed in the stages between them (Mamat, 2011, Chapter 5). Loads have no set-ups. Nodes
// are identical, behind one channel that carries one chunk at a time.
//
// Loads are in units of any size > 0, times in seconds; intervals are half open, [from, to).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/cost/divisible.h"

namespace perigee::cost {

struct TimeRange {
  Time from = 0, to = 0;
};

// A node reserved from `from` to `to`, and the channel with it until io_until.
struct ReservedNode {
  Time from = 0, to = 0, io_until = 0;
};

class StagedNodes {
 public:
  struct Chunk {
    std::uint32_t node = 0;
    std::uint32_t stage = 0;            // ascending
    double size = 0;                    // units
    Time start = 0, sent = 0, end = 0;  // of its transmission, and the end of its computation
  };

  // Nodes are free from `free` on (kNever: never), except in `reserved`: one list per node, ascending and
  // disjoint. The channel is free except in `channel`, ascending and disjoint, which includes the channel's
  // intervals of the reservations. All spans are read while this lives.
  StagedNodes(const UnitCosts& costs, std::span<const Time> free, std::span<const TimeRange> channel,
              std::span<const std::vector<ReservedNode>> reserved, Time now, Time deadline, double tolerance);

  // A load that the first `nodes` nodes, in the order in which they are free for a chunk, will surely do by
  // the deadline (Algorithm 3). Each node may use all the time that reservations and earlier nodes do not
  // need.
  double load_by(std::size_t nodes) const;
  // The smallest number of first nodes, at least `from`, that can do the load by the deadline; 0: there is
  // none.
  std::size_t fewest_nodes(double load, std::size_t from = 1) const;
  // The load on the first `nodes` nodes (Algorithm 4), in the order of transmission. Empty if it is not done
  // by the deadline, which Theorem 5.3.5 excludes for fewest_nodes().
  std::vector<Chunk> chunks(double load, std::size_t nodes) const;

 private:
  struct Node {
    Time free;
    std::uint32_t at;
  };
  Time settle(Time time, std::uint32_t node) const;
  void find_stages();
  template <class F>
  void estimate(F&& node) const;

  UnitCosts unit_;
  std::span<const TimeRange> channel_;
  std::span<const std::vector<ReservedNode>> reserved_;
  Time deadline_;
  double tolerance_;
  std::vector<Node> nodes_;        // present nodes, the first free ones first
  std::vector<TimeRange> stages_;  // in each, chunks are sent until `from` and computed until `to`
};

}  // namespace perigee::cost
