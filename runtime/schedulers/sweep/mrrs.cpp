// Multi-round with resource selection: UMR for the hosts whose links are fast for their speed.
//
// Source: Elnaffar and Loc, Multi-round scheduling of divisible loads (MRRS), 2005. Hosts are sorted by speed
// over link rate and added while the sum of these is below 1; the prefix with the smallest predicted makespan
// takes part. This is "prefix" selection; the authors select in a more elaborate way. Cost: O(H^2 M^2) for up
// to M rounds. Ties: fewest hosts, fewest rounds, order of hosts.

#include "runtime/schedulers/sweep/uniform_rounds.h"

namespace perigee::sweep {
namespace {

class Mrrs final : public CoordinatorOf<Mrrs, UniformRounds> {
 public:
  explicit Mrrs(std::size_t rounds) : CoordinatorOf(rounds, true) {}
};

}  // namespace

Entry mrrs() {
  Entry entry = sweep_entry("mrrs");
  entry.summary = "umr for the hosts whose links are fast enough, chosen by prefixes";
  entry.source = "Elnaffar and Loc, 2005, with selection by prefixes";
  entry.complexity = "O(H^2 M^2) for up to M rounds";
  entry.ties = "fewest hosts, fewest rounds, order of hosts";
  entry.parameters = {uniform_rounds_parameter()};
  entry.make_policy = [](const Arguments& given) { return std::make_unique<Mrrs>(uniform_rounds(given)); };
  return entry;
}

}  // namespace perigee::sweep
