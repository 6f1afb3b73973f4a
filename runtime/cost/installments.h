// Ways to cut a load that a master sends over one outgoing port to workers that compute meanwhile.
//
// Sources, whose formulas are as handed down, not compared with the originals:
//   multi-installment  Bharadwaj, Ghose, Mani and Robertazzi, Scheduling Divisible Loads, 1996, chapter 10
//   UMR, RUMR          Yang and Casanova, IPDPS 2003, HPDC 2003
//   MRRS               Elnaffar and Loc, 2005
//   probing            Ghose, Kim and Kim, IEEE TPDS 16(10), 2005
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "runtime/layers.h"

namespace perigee::cost {

// One worker as the master sees it; a run is the unit of the load.
struct Worker {
  double speed = 1;                                       // S: runs/s computed, > 0
  double rate = std::numeric_limits<double>::infinity();  // B: runs/s sent, > 0
  double send_latency = 0;                                // nLat: s before each transfer, >= 0
  double start_latency = 0;                               // cLat: s before each computation, >= 0
};

// Rounds shares (>= 0) to whole numbers with the same sum. The largest remainders are rounded up; ties: the
// first ones. A share within 1e-9 of a whole number counts as that number.
std::vector<double> largest_remainder(std::span<const double> shares);

// Fractions of a load, in order of sending.
struct Cut {
  std::vector<std::uint32_t> worker;
  std::vector<double> fraction;  // sum 1
  double time = 0;               // s for each run of the load, latencies left out
};

// Gives `installments` (>= 1) to each worker in turn. No worker idles between two of them, and the last ones
// end together; latencies are left out. With equal workers this is the published recursion. Errors
// "bad_link", "bad_speed", "bad_size".
Cut multi_installment(std::span<const Worker> workers, std::size_t installments);

// One installment to each worker, in ascending order of their sending time (ties: by place). All end
// together; latencies are left out. Errors as above.
Cut single_installment(std::span<const Worker> workers);

// Rounds in which all workers compute equally long while the next round is sent.
struct RoundPlan {
  std::size_t rounds = 0;
  std::vector<std::uint32_t> worker;  // the workers that take part, in order of sending
  std::vector<double> time;           // per round: s that each worker computes, its start included
  std::vector<double> chunk;          // runs, round by round, a row of workers each; all > 0
  double makespan = 0;                // s
};

struct RoundOptions {
  std::size_t rounds = 0;  // 0: of 1 to `most` the number with the smallest makespan (ties: fewest)
  std::size_t most = 100;  // rounds
  // h: the share of the first round's sending that the makespan counts. 1/2 = the last round is cut anew so
  // that all end together.
  double first_share = 1;
  double tail = 0;  // tLat: s of a transfer that overlap with the next
};

// UMR for `load` runs (> 0), with all workers in the order given. Error "infeasible_rounds" if every number
// of rounds leaves some worker without runs in a round; also "bad_link", "bad_speed", "bad_size".
RoundPlan umr(double load, std::span<const Worker> workers, const RoundOptions& options = {});

// MRRS by prefixes. Workers are taken by ascending speed / rate (ties: by place) while the sum of these is
// below 1, at least one. UMR is run for each prefix of them; the one with the smallest makespan counts (ties:
// the shortest). Errors as above.
RoundPlan mrrs(double load, std::span<const Worker> workers, const RoundOptions& options = {});

// RUMR: UMR deals one part of `load` runs, and factoring the rest. `error` (>= 0, NaN = unknown) is the
// relative deviation of predicted times.
struct RobustSplit {
  double planned = 0, factored = 0;  // runs
};
RobustSplit rumr_split(double load, std::span<const Worker> workers, double error);
// Runs of one chunk of the second phase, not rounded, when `left` runs are left.
double rumr_chunk(double left, std::span<const Worker> workers, double error);

}  // namespace perigee::cost
