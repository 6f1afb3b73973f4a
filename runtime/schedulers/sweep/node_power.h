// The power of hosts as a coordinator has learnt it (Sim-PETEK, 2010, section 3.1, Figures 3.3 and 3.4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/engine/trace.h"
#include "runtime/model/platform.h"

namespace perigee::engine {
class Sim;
}

namespace perigee::sweep {

// For each host its ENPR, the share of a round that it is expected to get, and its NPP, the runs a second of
// its own last package. The hosts that are up count; their ENPR add up to 1. A value.
class NodePower {
 public:
  // The hosts that count begin with shares in proportion to their cores, and without NPP.
  void open(std::span<const Host> hosts, std::span<const std::uint8_t> counts);
  // go(): the other hosts share what the host had. come(): the host gets the share of its cores, and the
  // others make room in proportion.
  void go(HostId host, std::span<const Host> hosts);
  void come(HostId host, std::span<const Host> hosts);

  // A package of so many runs took so long. A package that took no time is passed over.
  void measure(HostId host, double runs, Seconds took);
  // See blend_enpr() of runtime/cost/rounds.h; 0 < alpha <= 1. A host without NPP has the ratio 0.
  void recompute(double alpha);

  double enpr(HostId host) const { return enpr_[host.index]; }
  double npp(HostId host) const { return npp_[host.index]; }  // 0: it has finished no package
  std::span<const double> enpr() const { return enpr_; }      // per host, 0 for those that do not count
  std::span<const double> npp() const { return npp_; }

  // The order in which hosts are served: larger ENPR first, then larger NPP, both rounded to 9 decimals, then
  // in order of declaration.
  bool before(HostId a, HostId b) const;
  static double rounded(double value);  // to 9 decimals
  void sort(std::vector<HostId>& hosts) const;

 private:
  friend std::vector<struct PowerUpdate> power_history(std::span<const Note> notes);
  void share_by_cores(std::span<const Host> hosts);

  std::vector<double> enpr_, npp_;
  std::vector<std::uint8_t> counts_;
};

// Notes of a coordinator from which its ENPR can be computed again. A run on a thousand hosts recomputes them
// ten thousand times, but between two recomputations only the NPP of a host or two change.
//   sweep  number of the work from 1, its runs: a sweep is opened
//   enpr   one value per host: where a sweep begins and where a host comes or goes
//   npp    alpha, then host (from 1) and NPP of each that has a new one: ENPR are recomputed
void note_sweep(Sim& sim, WorkId work, double runs);
void note_shares(Sim& sim, const NodePower& power);
void note_recomputation(Sim& sim, double alpha, std::span<const HostId> measured, const NodePower& power);

// One state of the shares, computed from these notes.
struct PowerUpdate {
  Time time = 0;
  WorkId work;
  std::vector<double> enpr, npp;  // per host; NPP 0: none yet
  bool recomputed = false;        // false: the hosts have changed, or a sweep has begun
};
// ENPR and NPP at the beginning of each sweep and after each change, to the last bit.
std::vector<PowerUpdate> power_history(std::span<const Note> notes);

}  // namespace perigee::sweep
