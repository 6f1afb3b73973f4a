// The worked example of Sim-PETEK, 2010, chapter 3: Table 3.1 and the packages stated there.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

namespace perigee::test {

struct Node {
  std::string name;
  std::int32_t cores, slots;
  double tau;  // seconds of a simulation
};

// A to E: 8 runs of 10 trials take 10 s on A, 4 take 25 s on B and 10 s on C, 2 take 20 s on D and 10 s on E.
inline std::vector<Node> chapter3_nodes() {
  return {{"A", 8, 8, 1}, {"B", 4, 4, 2.5}, {"C", 4, 4, 1}, {"D", 2, 1, 1}, {"E", 2, 1, 0.5}};
}

inline std::shared_ptr<Scenario> sweep_scenario(const std::vector<Node>& nodes, double runs = 60,
                                                std::int32_t trials = 10) {
  PlatformSpec::ClusterSpec cluster;
  cluster.name = "n";
  const auto workload = sweep_of(runs, trials);
  workload->works[0].form = TimeForm::by_host;
  workload->works[0].times = 0;
  for (const Node& node : nodes) {
    Host host;
    host.name = node.name;
    host.cores = node.cores;
    host.slots = node.slots;
    cluster.hosts.push_back(host);
    workload->times.push_back(node.tau);
  }
  return scenario_of(platform_of({cluster}), workload);
}

// The assumed case of Figures 3.14 and 3.15: from 25 s on B has 0.625 of its speed, so that 2 runs take 20 s.
inline std::shared_ptr<Scenario> assumed_case() {
  auto scenario = sweep_scenario(chapter3_nodes());
  Happening slower = happening(25, HappeningKind::change, ResourceId::of(HostId(1)), Cause::change);
  slower.factor = 0.625;
  scenario->happenings = {slower};
  return scenario;
}

inline PolicySetup policy_of(const ConfigPtr& config) {
  return {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants};
}

inline Simulation started(const std::shared_ptr<const Scenario>& scenario, const std::string& name,
                          const std::map<std::string, Value>& given) {
  return {scenario, policy_of(Catalogue().configure(name, given)), perfect_estimator(), {}};
}

// Runs the scenario to its end; the validator must find nothing.
inline Outcome outcome_of(const std::shared_ptr<const Scenario>& scenario, const std::string& name,
                          const std::map<std::string, Value>& given) {
  Simulation simulation = started(scenario, name, given);
  simulation.run();
  Outcome outcome = simulation.outcome();
  const auto problems = validate(outcome);
  if (!problems.empty()) throw Error({"invalid_trace", problems.front(), {}, {}});
  return outcome;
}

// The timeline of a host in the publication's form, "0-10:8 25-37:9": from, to and runs. + begins a copy, x
// follows what another copy made pointless, and ! what was lost.
inline std::string timeline(const Outcome& outcome, const std::string& host) {
  const ResourceId on = ResourceId::of(outcome.scenario->platform->host(host));
  std::string text;
  double from = 0;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    if (record.on != on || record.what != ActivityKind::compute) continue;
    if (record.kind == RecordKind::started) from = record.time;
    const bool ended = record.kind == RecordKind::ended, lost = record.kind == RecordKind::lost;
    if (!ended && !lost && record.kind != RecordKind::superseded) continue;
    text += fmt::format("{}{}{:.6g}-{:.6g}:{}{}", text.empty() ? "" : " ", record.copy != 0 ? "+" : "", from,
                        record.time, record.size,
                        ended  ? ""
                        : lost ? "!"
                               : "x");
  }
  return text;
}

inline Time makespan(const std::shared_ptr<const Scenario>& scenario, const std::string& name,
                     const std::map<std::string, Value>& given) {
  return outcome_of(scenario, name, given).end;
}

}  // namespace perigee::test
