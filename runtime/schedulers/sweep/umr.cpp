// Uniform multi-round: all hosts compute each round equally long; meanwhile the next one is sent.
//
// Source: Yang and Casanova, UMR: a multi-round algorithm for scheduling divisible workloads, IPDPS 2003. The
// number of rounds is the best of 1 to 100; the authors minimise with a Lagrange multiplier. The last round
// is not cut anew. Error "infeasible_rounds" if some host would get nothing in some round. Runs left by a
// host that goes are dealt out in one installment. Cost: O(H M^2) for up to M rounds.

#include "runtime/schedulers/sweep/uniform_rounds.h"

namespace perigee::sweep {
namespace {

class Umr final : public CoordinatorOf<Umr, UniformRounds> {
 public:
  explicit Umr(std::size_t rounds) : CoordinatorOf(rounds, false) {}
};

}  // namespace

Entry umr() {
  Entry entry = sweep_entry("umr");
  entry.summary = "rounds in which all hosts compute equally long while the next one is sent";
  entry.source = "Yang and Casanova, IPDPS 2003";
  entry.complexity = "O(H M^2) for up to M rounds";
  entry.ties = "fewest rounds; order of hosts";
  entry.parameters = {uniform_rounds_parameter()};
  entry.make_policy = [](const Arguments& given) { return std::make_unique<Umr>(uniform_rounds(given)); };
  return entry;
}

}  // namespace perigee::sweep
