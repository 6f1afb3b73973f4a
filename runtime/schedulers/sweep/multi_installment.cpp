// Multi-installment: a number of chunks for each host in turn, cut so that no host idles between two of them
// and the last ones end together. It does not say which number of installments is best.
//
// Source: Bharadwaj, Ghose, Mani and Robertazzi, Scheduling Divisible Loads in Parallel and Distributed
// Systems, 1996. Each host has a speed and a link; latencies do not count in it. Runs left by a host that
// goes are dealt out in one installment. Cost: O(H^2 M) for M installments. Ties: the host order.

#include <fmt/format.h>

#include "runtime/schedulers/sweep/planned_sweep.h"
#include "runtime/schedulers/sweep/workers.h"

namespace perigee::sweep {
namespace {

class MultiInstallment final : public CoordinatorOf<MultiInstallment, PlannedSweep> {
 public:
  explicit MultiInstallment(std::size_t installments) : installments_(installments) {}

 protected:
  std::vector<Share> plan(Sim& sim, double left, std::span<const HostId> hosts, bool again) override {
    if (again) return in_one_installment(sim, work(), left, hosts);
    const Cut cut = cost::multi_installment(workers_of(sim, work(), hosts), installments_);
    const double values[] = {static_cast<double>(installments_), left * cut.time};
    sim.note("installments", values);
    std::vector<double> chunks = cut.fraction;
    for (double& chunk : chunks) chunk *= left;
    return whole_shares(hosts, cut.worker, chunks);
  }
  std::string rule() const override {
    return fmt::format("{} installments, so that no host idles and the last ones end together",
                       installments_);
  }

 private:
  std::size_t installments_;
};

}  // namespace

Entry multi_installment() {
  Entry entry = sweep_entry("multi_installment");
  entry.summary = "several chunks for each host, cut so that it never waits for the next";
  entry.source = "Bharadwaj, Ghose, Mani and Robertazzi, 1996, chapter 10";
  entry.complexity = "O(H^2 M) for M installments";
  entry.ties = "order of hosts; of equal remainders the chunk that is sent first is rounded up";
  entry.parameters = {{.name = "installments",
                       .type = ParameterType::integer,
                       .summary = "chunks for each host",
                       .fallback = 2.0,
                       .min = 1,
                       .max = 1000}};
  entry.make_policy = [](const Arguments& given) {
    return std::make_unique<MultiInstallment>(static_cast<std::size_t>(given.number("installments")));
  };
  return entry;
}

}  // namespace perigee::sweep
