#include "runtime/cost/head_costs.h"

#include <catch2/catch.hpp>

#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

TEST_CASE("loads with less time than all nodes need are found") {
  PlatformSpec::ClusterSpec cluster = with_link(cluster_of({1, 1}), 2, 0.5);
  cluster.hosts[1].setup = 1;
  const auto slow = platform_of({cluster});
  const UnitCosts costs = head_costs(*slow, 4, 3);
  CHECK((costs.transmission == 2 && costs.computation == 3));
  CHECK((costs.transmission_setup == 0.5 && costs.computation_setup == 1));

  // Without set-ups 8 units on two nodes take 8 * 2 / (1 - 0.6^2) = 25 s (equation 6.1).
  const auto plain = platform_of({with_link(cluster_of({1, 1}), 2)});
  const auto workload = load_of(8, 3, 4);
  workload->works[0].arrival = 10;
  workload->works[0].deadline = 35;
  CHECK(tight_deadlines(*plain, *workload).count == 0);
  workload->works[0].deadline = 34.9;
  workload->works.push_back(workload->works[0]);
  workload->works.push_back(workload->works[0]);
  workload->works[1].deadline = kNever;
  const TightDeadlines tight = tight_deadlines(*plain, *workload);
  CHECK(tight.count == 2);
  CHECK(tight.first == WorkId(0));
  CHECK(tight.takes == Approx(25).epsilon(1e-12));
  CHECK(tight.has == Approx(24.9).epsilon(1e-12));

  // The declared cost counts: a third of the time, so that 8 * 2 / (1 - (1 / 3)^2) = 18 s.
  workload->works[0].estimate = 1;
  CHECK(tight_deadlines(*plain, *workload).first == WorkId(2));
}
