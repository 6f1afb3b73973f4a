// Estimated durations are the declared ones to the last bit, whenever they are asked for.
#include <catch2/catch.hpp>

#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// The matrix of all works on all hosts, asked when the last work arrives.
std::vector<double> matrix_of(std::shared_ptr<Scenario> scenario, std::unique_ptr<Estimator> estimator) {
  std::vector<double> out;
  Simulation run(std::move(scenario),
                 toy({},
                     [&](Sim& sim, std::span<const Event>, std::vector<double>&) {
                       const std::size_t works = sim.view().works().size();
                       if (!out.empty() || sim.view().works().back().state != WorkState::waiting) return;
                       std::vector<WorkId> all;
                       for (std::size_t w = 0; w < works; ++w) all.emplace_back(w);
                       std::vector<HostId> hosts;
                       for (std::size_t h = 0; h < sim.view().hosts().size(); ++h) hosts.emplace_back(h);
                       out.resize(all.size() * hosts.size());
                       sim.estimate().matrix(sim, all, hosts, out);
                     }),
                 std::move(estimator));
  run.run();
  return out;
}

}  // namespace

TEST_CASE("durations at any time are those declared, and equal ones are equal") {
  // 0.3 + 0.1 - 0.3 is not 0.1, and at 1e9 s times are 1.2e-7 s apart.
  for (const double at : {0.0, 0.3, 0.7, 12345.678, 1e9})
    for (const bool perfect : {true, false}) {
      INFO("at " << at << (perfect ? ", perfect" : ", declared"));
      const auto workload = tasks_of({{0.1}, {0.7}, {0.1 + 1e-12}, {0.2, at}});
      PlatformSpec::ClusterSpec cluster = cluster_of({1, 2, 1, 1});
      cluster.hosts[2].setup = 0.3;
      cluster.hosts[3].availability = Profile(0.5);
      auto scenario = scenario_of(platform_of({cluster}), workload);
      const std::vector<double> found =
          matrix_of(scenario, perfect ? perfect_estimator() : declared_estimator());
      REQUIRE(found.size() == 16);
      for (std::size_t w = 0; w < 4; ++w) {
        const double seconds = workload->works[w].amount;
        CHECK(found[4 * w] == seconds);
        CHECK(found[4 * w + 1] == seconds / 2);
        CHECK(found[4 * w + 2] == 0.3 + seconds);
        if (perfect)
          CHECK(found[4 * w + 3] == seconds / 0.5);  // declared times are those of a host that is ours
      }
      CHECK(found[8] > found[0]);
    }
}

TEST_CASE("durations where the rate changes: exact up to the step, and as long as it takes beyond") {
  // The host has half the speed from 10 s on. The question comes at 7.3, with 2.7 s to go: 0.1 and 2.6 s end
  // before the step. 5 s do not: 2.7 s, and 2.3 s at half the speed.
  const auto workload = tasks_of({{0.1}, {2.6}, {5}, {1, 7.3}});
  PlatformSpec::ClusterSpec cluster = cluster_of({1});
  cluster.hosts[0].availability = Profile::steps({0, 10}, {1, 0.5});
  const auto scenario = scenario_of(platform_of({cluster}), workload);
  const std::vector<double> found = matrix_of(scenario, perfect_estimator());
  REQUIRE(found.size() == 4);
  CHECK(found[0] == 0.1);
  CHECK(found[1] == 2.6);
  CHECK(found[2] == Approx(2.7 + 4.6).epsilon(1e-14));
  CHECK(found[3] == 1);
  // A host that never works again, and one that does nothing until 8 s.
  cluster = cluster_of({1, 1});
  cluster.hosts[0].availability = Profile::steps({0, 5}, {1, 0});
  cluster.hosts[1].availability = Profile::steps({0, 1, 8}, {1, 0, 1});
  const std::vector<double> stopped =
      matrix_of(scenario_of(platform_of({cluster}), workload), perfect_estimator());
  REQUIRE(stopped.size() == 8);
  CHECK(stopped[0] == kNever);
  CHECK(stopped[1] == Approx(0.7 + 0.1).epsilon(1e-14));
}
