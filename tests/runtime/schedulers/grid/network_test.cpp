// The planner and workqueue on clusters behind networks of several hops.
#include <catch2/catch.hpp>

#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/grids.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

PlatformSpec::LinkSpec edge(const std::string& name, const std::string& from, const std::string& to,
                            double bandwidth, Seconds latency = 0) {
  PlatformSpec::LinkSpec made;
  made.link.name = name;
  made.link.bandwidth = Profile(bandwidth);
  made.link.latency = Profile(latency);
  made.link.sharing = Sharing::fair;
  made.from = from;
  made.to = to;
  return made;
}

PlatformSpec::ClusterSpec behind(const std::string& router, PlatformSpec::ClusterSpec cluster) {
  cluster.at = router;
  return cluster;
}

// Puts each cluster behind an edge of its own, which takes half of the latency.
PlatformSpec star(PlatformSpec spec) {
  for (std::size_t c = 0; c < spec.clusters.size(); ++c) {
    auto& cluster = spec.clusters[c];
    cluster.at = "r" + std::to_string(c);
    spec.routers.push_back(cluster.at);
    auto own = edge("edge" + std::to_string(c), "origin", cluster.at, 1);
    own.link.bandwidth = cluster.link.bandwidth;
    own.link.latency = cluster.link.latency = Profile(cluster.link.latency.at(0) / 2);
    spec.links.push_back(own);
  }
  return spec;
}

Outcome network_run(const std::shared_ptr<const Scenario>& scenario, const ConfigPtr& config) {
  Simulation simulation(
      scenario, {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants},
      perfect_estimator(), {});
  simulation.run();
  const Outcome outcome = simulation.outcome();
  const auto violations = validate(outcome);
  INFO((violations.empty() ? std::string() : violations.front()));
  CHECK(violations.empty());
  return outcome;
}

// The last time at which each task begins, its host, and the time when it is finished.
struct NetworkTimes {
  Time begins = 0, finished = 0;
  std::uint32_t host = 0;
};
std::vector<NetworkTimes> times_of(const Outcome& outcome) {
  std::vector<NetworkTimes> times(outcome.works.size());
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    if (record.kind == RecordKind::started && record.what == ActivityKind::compute) {
      times[record.work.index].begins = record.time;
      times[record.work.index].host = record.on.index();
    }
    if (record.kind == RecordKind::finished) times[record.work.index].finished = record.time;
  }
  return times;
}

// Workqueue, and the planner with every mapper that can choose on a chart.
std::vector<ConfigPtr> grid_policies() {
  const Catalogue catalogue;
  std::vector<ConfigPtr> policies = {catalogue.configure("workqueue", {})};
  for (const auto& entry : catalogue.entries())
    if (entry->make_chart_rule)
      policies.push_back(catalogue.configure("planner", {{"map", catalogue.configure(entry->name, {})}}));
  return policies;
}

}  // namespace

TEST_CASE("networks: edges that no other cluster uses are as one link") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Stream random(seed, "grid");
    PlatformSpec direct;
    const std::size_t clusters = 1 + random.below(3);
    for (std::size_t c = 0; c < clusters; ++c) {
      auto cluster =
          with_link(cluster_of(std::vector<double>(1 + random.below(3), 1.0 + static_cast<double>(c)),
                               std::string(1, static_cast<char>('a' + c))),
                    10, static_cast<double>(random.below(4)));
      if (random.below(2) == 0) cluster.link.bandwidth = Profile::circular({10, 4, 0, 16}, 5);
      if (random.below(2) == 0) cluster.hosts[0].availability = Profile::circular({1, 0.25, 0}, 5);
      direct.clusters.push_back(cluster);
    }
    std::vector<double> sizes = {40, 90};
    std::vector<FiledTask> tasks;
    for (std::uint32_t t = 0; t < 12; ++t) {
      sizes.push_back(static_cast<double>(random.below(30)));
      sizes.push_back(static_cast<double>(random.below(30)));
      tasks.push_back({static_cast<double>(1 + random.below(20)), {t % 2, 2 + 2 * t}, {3 + 2 * t}});
    }
    const auto scenario_on = [&](const PlatformSpec& spec) {
      auto scenario = scenario_of(std::make_shared<const Platform>(spec), filed_tasks(sizes, tasks));
      const auto gone = ResourceId::of(HostId(0u)), link = ResourceId::of(scenario->platform->link("a.link"));
      scenario->happenings = {happening(20, HappeningKind::leave, gone, Cause::membership),
                              happening(30, HappeningKind::down, link),
                              happening(37, HappeningKind::up, link),
                              happening(41, HappeningKind::join, gone, Cause::membership)};
      return scenario;
    };
    for (const ConfigPtr& policy : grid_policies()) {
      INFO(policy->text() << ", seed " << seed);
      const Outcome near = network_run(scenario_on(direct), policy),
                    far = network_run(scenario_on(star(direct)), policy);
      REQUIRE(near.status == RunStatus::complete);
      REQUIRE(far.status == RunStatus::complete);
      const auto one = times_of(near), other = times_of(far);
      for (std::size_t t = 0; t < one.size(); ++t) {
        CHECK(other[t].host == one[t].host);
        CHECK(other[t].begins == Approx(one[t].begins).epsilon(1e-9));
        CHECK(other[t].finished == Approx(one[t].finished).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("networks: clusters share an edge, by hand") {
  PlatformSpec spec;
  spec.routers = {"r"};
  spec.links = {edge("backbone", "origin", "r", 10)};
  spec.clusters = {behind("r", with_link(cluster_of({1}, "a"), 10)),
                   behind("r", with_link(cluster_of({1}, "b"), 10))};
  const auto platform = std::make_shared<const Platform>(spec);
  // Both files come at 5 B/s until 4, when the first is there. The second has 20 B left, which come
  // at 10 B/s.
  const Outcome outcome =
      network_run(scenario_of(platform, filed_tasks({20, 40, 10, 10}, {{3, {0}, {2}}, {3, {1}, {3}}})),
                  Catalogue().configure("workqueue", {}));
  const auto times = times_of(outcome);
  CHECK(times[0].begins == 4);
  CHECK(times[0].finished == 8);
  CHECK(times[1].begins == 6);
  CHECK(times[1].finished == 10);
}

TEST_CASE("networks: another way is taken while an edge is down, by hand") {
  PlatformSpec spec;
  spec.routers = {"r1", "r2", "r"};
  spec.links = {edge("e1", "origin", "r1", 10, 1), edge("e2", "origin", "r2", 10, 2),
                edge("f1", "r1", "r", 10), edge("f2", "r2", "r", 10)};
  spec.clusters = {behind("r", with_link(cluster_of({1}, "a"), 10))};
  for (const ConfigPtr& policy : grid_policies()) {
    INFO(policy->text());
    auto scenario =
        scenario_of(std::make_shared<const Platform>(spec), filed_tasks({20, 10}, {{1, {0}, {1}}}));
    // Latency 1 and 20 B: at 3; computed at 4; latency 1 and 10 B.
    CHECK(times_of(network_run(scenario, policy))[0].finished == 6);
    const auto link = ResourceId::of(scenario->platform->link("f1"));
    scenario->happenings = {happening(3.5, HappeningKind::down, link),
                            happening(50, HappeningKind::up, link)};
    CHECK(times_of(network_run(scenario, policy))[0].finished == 7);  // latency 2
    // The transfer is cut at 2, and the 10 B moved are lost. It starts again over the other edge and ends by
    // 6.
    scenario->happenings[0].at = 2;
    const auto times = times_of(network_run(scenario, policy));
    CHECK(times[0].begins == 6);
    CHECK(times[0].finished == 10);
  }
}

TEST_CASE("networks: a cluster that cannot be reached is used as little as one without hosts") {
  PlatformSpec spec;
  spec.routers = {"r"};
  spec.links = {edge("e", "origin", "r", 100)};
  spec.clusters = {behind("r", with_link(cluster_of({4, 4}, "fast"), 100)),
                   with_link(cluster_of({1}, "slow"), 10)};
  for (const ConfigPtr& policy : grid_policies()) {
    if (policy->entry->name == "workqueue") continue;  // it asks for no estimates
    INFO(policy->text());
    auto scenario = scenario_of(std::make_shared<const Platform>(spec),
                                filed_tasks({10, 10}, {{4, {0}, {}}, {4, {1}, {}}}));
    const auto link = ResourceId::of(scenario->platform->link("e"));
    scenario->happenings = {happening(0, HappeningKind::down, link)};
    const Outcome outcome = network_run(scenario, policy);
    CHECK(outcome.status == RunStatus::complete);
    for (const NetworkTimes& each : times_of(outcome)) CHECK(each.host == 2);
    CHECK(std::max(times_of(outcome)[0].finished, times_of(outcome)[1].finished) == 9);
  }
}
