// Source: Yang and Casanova, IPDPS 2003 (UMR); for policies built on it see mrrs.cpp and rumr.cpp.
#include "runtime/schedulers/sweep/uniform_rounds.h"

#include <fmt/format.h>

#include "runtime/schedulers/sweep/workers.h"

namespace perigee::sweep {

std::vector<Share> UniformRounds::plan(Sim& sim, double left, std::span<const HostId> hosts, bool again) {
  return again ? in_one_installment(sim, work(), left, hosts) : rounds_of(sim, left, hosts);
}

std::vector<Share> UniformRounds::rounds_of(Sim& sim, double load, std::span<const HostId> hosts) {
  const std::vector<Worker> workers = workers_of(sim, work(), hosts);
  const RoundPlan plan = selects_ ? mrrs(load, workers, options_) : umr(load, workers, options_);
  rounds_ = plan.rounds;
  const double values[] = {static_cast<double>(plan.rounds), static_cast<double>(plan.worker.size()),
                           plan.makespan};
  sim.note("rounds", values);
  std::vector<std::uint32_t> to;
  for (std::size_t j = 0; j < plan.rounds; ++j) to.insert(to.end(), plan.worker.begin(), plan.worker.end());
  return whole_shares(hosts, to, plan.chunk);
}

std::string UniformRounds::rule() const {
  return fmt::format("{} rounds, in each of which all hosts compute equally long", rounds_);
}

Parameter uniform_rounds_parameter() {
  return {.name = "rounds",
          .type = ParameterType::integer,
          .summary = "their number; auto: that with the smallest predicted makespan, of 1 to 100",
          .fallback = "auto",
          .min = 1,
          .max = 10000,
          .words = {"auto"}};
}

std::size_t uniform_rounds(const Arguments& given) {
  return given.is("rounds", "auto") ? 0 : static_cast<std::size_t>(given.number("rounds"));
}

}  // namespace perigee::sweep
