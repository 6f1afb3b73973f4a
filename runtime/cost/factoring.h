// Chunks that shrink batch by batch, so that the later ones even out the differences between hosts.
//
// Sources: Hummel, Schonberg and Flynn, CACM 35(8), 1992 (factoring); Hummel, Schmidt, Uma and Wein, SPAA
// 1996 (weights); Banicescu and Velusamy, IPDPS 2002, Carino and Banicescu, J. Supercomputing 44(1), 2008
// (weights learnt while running). Formulas as handed down, not compared with the originals.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/layers.h"

namespace perigee::cost {

// x >= 1: a batch gives each of `hosts` (>= 1) hosts the share 1 / (x hosts) of the `left` (> 0) runs. `cv` =
// standard deviation over mean of a run's time; NaN = FAC2, in which each batch is half of the runs left.
double batch_factor(double left, std::size_t hosts, double cv, bool first);

// Runs of one chunk: ceil(left / (x hosts) * weight), at least 1; weights have the mean 1.
double factoring_chunk(double left, std::size_t hosts, double factor, double weight = 1);

// The chunk size of each batch, until no run of `runs` (whole, >= 1) is left. Errors "bad_size",
// "bad_number", "too_large" (a million batches).
std::vector<double> factoring_sequence(double runs, std::size_t hosts, double cv);

// Seconds a run takes on one host, from its measurements in order of time. Later measurements weigh more: sum
// k time_k / sum k runs_k.
struct WeightedMean {
  double time = 0, runs = 0;  // s and runs, as weighted sums
  std::size_t count = 0;

  void add(double runs_done, double seconds) {
    ++count;
    time += static_cast<double>(count) * seconds;
    runs += static_cast<double>(count) * runs_done;
  }
  double seconds_a_run() const { return time / runs; }
};

// The weight of each host, by speed, with sum = hosts. NaN or 0 = not measured: weight 1 before scaling.
std::vector<double> weights_of(std::span<const double> seconds_a_run);

}  // namespace perigee::cost
