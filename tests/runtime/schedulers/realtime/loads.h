// Scenarios of divisible loads for the policies of the family realtime.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cost/divisible.h"
#include "runtime/results/job_rows.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

namespace perigee::test {

struct Load {
  Time arrival;
  double size;
  Seconds within;  // from its arrival to its deadline
};

struct Head {
  std::size_t nodes;
  UnitCosts costs;
  Sharing sharing = Sharing::exclusive;
};

// A unit is one byte.
inline std::shared_ptr<Scenario> scenario_of_loads(const Head& head, const std::vector<Load>& loads) {
  auto cluster = cluster_of(std::vector<double>(head.nodes, 1.0));
  for (Host& host : cluster.hosts) host.setup = head.costs.computation_setup;
  cluster = with_link(cluster, 1 / head.costs.transmission, head.costs.transmission_setup, head.sharing);
  auto workload = std::make_shared<Workload>();
  for (const Load& load : loads) {
    Work work;
    work.kind = WorkKind::load;
    work.amount = work.estimate = head.costs.computation;
    work.arrival = load.arrival;
    work.deadline = load.arrival + load.within;
    work.extra = static_cast<std::uint32_t>(workload->extras.size());
    WorkExtra extra;
    extra.size = load.size;
    extra.bytes = 1;
    workload->extras.push_back(extra);
    workload->works.push_back(work);
  }
  return scenario_of(platform_of({cluster}), workload);
}

// Runs the simulation to its end; the result must be valid.
inline Outcome finish(Simulation simulation) {
  simulation.run();
  Outcome outcome = simulation.outcome();
  REQUIRE(outcome.status == RunStatus::complete);
  const auto violations = validate(outcome);
  INFO((violations.empty() ? std::string() : violations.front()));
  REQUIRE(violations.empty());
  return outcome;
}

inline Outcome run(const Head& head, const std::vector<Load>& loads, const std::string& policy,
                   const std::map<std::string, Value>& given = {}) {
  const ConfigPtr config = Catalogue().configure(policy, given);
  Simulation simulation(scenario_of_loads(head, loads),
                        {policy, config->make_policy(), config->entry->accepts, config->entry->instants},
                        perfect_estimator(), {});
  return finish(std::move(simulation));
}

inline std::vector<bool> accepted(const Outcome& outcome) {
  std::vector<bool> out;
  for (const JobRow& row : job_rows(outcome)) out.push_back(row.state == WorkState::finished);
  return out;
}

}  // namespace perigee::test
