// EDF-IIT-1 and EDF-IIT-2 keep the plans before a new load. They must equal planning all loads anew.
#include "runtime/schedulers/realtime/staggered_plans.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/runtime/schedulers/realtime/textbook_admission.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// Plans the loads one after the other, with all nodes sorted before each; false if one is late.
bool plan_plainly(const UnitCosts& costs, const std::vector<Time>& free,
                  std::vector<StaggeredPlans::Plan>& loads) {
  std::vector<std::pair<Time, std::uint32_t>> nodes;
  for (std::size_t node = 0; node < free.size(); ++node)
    nodes.emplace_back(free[node], static_cast<std::uint32_t>(node));
  Time channel = 0;
  for (StaggeredPlans::Plan& plan : loads) {
    std::ranges::sort(nodes);
    std::vector<Time> at;
    for (const auto& [time, node] : nodes) at.push_back(time);
    const StaggeredNodes costed(costs, at, channel);
    const std::size_t fewest = costed.fewest_nodes(plan.size, plan.deadline);
    if (fewest == 0) return false;
    const std::vector<double> sizes = costed.chunks(costed.completion(plan.size, fewest), fewest);
    double left = plan.size;
    plan.chunks.clear();
    plan.end = 0;
    for (std::size_t i = 0; i < fewest; ++i) {
      const double size = i + 1 < fewest ? std::min(sizes[i], left) : left;
      if (size <= 0) continue;
      const Time start = std::max(channel, at[i]);
      channel = start + size * costs.transmission;
      nodes[i].first = channel + size * costs.computation;
      plan.chunks.push_back({nodes[i].second, size, start, nodes[i].first});
      plan.end = std::max(plan.end, nodes[i].first);
      left -= size;
    }
    if (!at_most(plan.end, plan.deadline)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("two loads on two nodes, by hand") {
  // Sending a unit takes 1 s, computing it 3 s. 7 units by 20 on two nodes: 4 and 3, [0, 16) both. 1 unit by
  // 20 then on one node, [16, 20).
  for (const IdleTimes rule : {IdleTimes::exact, IdleTimes::as_heterogeneity}) {
    StaggeredPlans plans({1, 3}, 2, rule, 1e-9);
    REQUIRE(plans.arrive(0, 0, 7, 20));
    REQUIRE(plans.next_start() == 0);
    const StaggeredPlans::Plan first = plans.send();
    REQUIRE(plans.arrive(1, 1, 1, 20));
    REQUIRE(first.chunks.size() == 2);
    CHECK(first.chunks[0].size == Approx(4));
    CHECK(first.chunks[1].start == Approx(4));
    CHECK(first.end == Approx(16));
    CHECK(plans.next_start() == Approx(16));
    CHECK(plans.plans()[0].end == Approx(20));
    CHECK_FALSE(plans.arrive(2, 2, 2, 19));
    CHECK(plans.plans().size() == 1);
  }
}

TEST_CASE("a node that is free earlier gets a larger chunk, and all end together") {
  // Node 1 is busy until 4, node 2 free. 5 units of 1 + 1 s by 8: node 2 alone takes 10 s. Both end at e:
  // node 2 gets e / 2, sent until e / 2; node 1 from max(4, e / 2).
  StaggeredPlans plans({1, 1}, 2, IdleTimes::exact, 1e-9);
  plans.set_free(0, 4);
  REQUIRE(plans.arrive(0, 0, 5, 8));
  // With e <= 8 the second starts at 4 and gets (e - 4) / 2: e - 2 = 5.
  const StaggeredPlans::Plan plan = plans.send();
  REQUIRE(plan.chunks.size() == 2);
  CHECK(plan.chunks[0].node == 1);
  CHECK(plan.chunks[0].size == Approx(3.5));
  CHECK(plan.chunks[1].start == Approx(4));
  CHECK(plan.end == Approx(7));
}

TEST_CASE("plans made from where they change are those made anew") {
  std::mt19937_64 rng(66);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::size_t admitted = 0, refused = 0, longest = 0;
  for (int round = 0; round < 60; ++round) {
    const UnitCosts costs{1, std::pow(10, 3 * uniform(rng) - 1)};
    const std::size_t nodes = 1 + rng() % 16;
    const IdleTimes rule = round % 2 == 0 ? IdleTimes::exact : IdleTimes::as_heterogeneity;
    StaggeredPlans plans(costs, nodes, rule, 1e-9);
    TextbookPlans textbook{costs, rule, std::vector<double>(nodes, 0.0)};
    const double laxity = round % 3 == 0 ? 100 : 4;
    double now = 0;
    for (std::uint32_t id = 0; id < 120; ++id) {
      const double size = 1 + 20 * uniform(rng),
                   together = DivisibleCosts(costs, Partition::optimal).time(size, nodes);
      now += -std::log(1 - uniform(rng)) * together * (round % 3 == 0 ? 0.3 : 0.7);
      const TextbookPlans::Load load{now, size, now + together * (1 + laxity * uniform(rng)), id};
      while (plans.next_start() <= now) {
        const StaggeredPlans::Plan plan = plans.send();
        REQUIRE(plan.id == textbook.waiting[0].load.id);
        textbook.send();
        double sum = 0, sent = 0;
        for (const StaggeredPlans::Chunk& chunk : plan.chunks) {
          CHECK(chunk.size > 0);
          CHECK(chunk.start >= sent);
          sent = chunk.start + chunk.size * costs.transmission;
          sum += chunk.size;
        }
        CHECK(sum == Approx(plan.size).epsilon(1e-12));
        CHECK(at_most(plan.end, plan.deadline));
      }
      const bool expected = textbook.arrive(load), found = plans.arrive(id, now, size, load.deadline);
      if (textbook.margin < 1e-7 && expected != found) break;
      CAPTURE(round, id, textbook.margin);
      REQUIRE(found == expected);
      ++(found ? admitted : refused);
      longest = std::max(longest, plans.plans().size());
      REQUIRE(plans.plans().size() == textbook.waiting.size());
      for (std::size_t i = 0; i < textbook.waiting.size(); ++i) {
        REQUIRE(plans.plans()[i].id == textbook.waiting[i].load.id);
        REQUIRE(plans.plans()[i].end == Approx(textbook.waiting[i].end).epsilon(1e-9));
      }
    }
  }
  CHECK(admitted > 1000);
  CHECK(refused > 1000);
  CHECK(longest > 40);
}

TEST_CASE(
    "plans are to the bit those of a sort of the nodes for each load, also when nodes are free together") {
  std::mt19937_64 rng(12);
  std::size_t admitted = 0, refused = 0, on_one = 0, on_many = 0;
  for (int round = 0; round < 100; ++round) {
    const UnitCosts costs{1, static_cast<double>(1 + rng() % 8)};
    const std::size_t nodes = 1 + rng() % 40;
    StaggeredPlans plans(costs, nodes, IdleTimes::exact, 1e-9);
    std::vector<Time> free(nodes);
    for (std::size_t node = 0; node < nodes; ++node)
      plans.set_free(node, free[node] = static_cast<double>(rng() % 4));
    for (std::uint32_t id = 0; id < 60; ++id) {
      const auto size = static_cast<double>(1 + rng() % 6);
      const double deadline = size * 10 + static_cast<double>(rng() % (round % 2 == 0 ? 40 : 400));
      std::vector<StaggeredPlans::Plan> expected = plans.plans();
      const auto place = std::ranges::upper_bound(expected, deadline, {}, &StaggeredPlans::Plan::deadline);
      expected.insert(place, {{id, size, deadline, 0}});
      const bool fits = plan_plainly(costs, free, expected);
      REQUIRE(plans.arrive(id, 0, size, deadline) == fits);
      ++(fits ? admitted : refused);
      if (!fits) continue;
      REQUIRE(plans.plans().size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(round, id, i);
        REQUIRE(plans.plans()[i].id == expected[i].id);
        REQUIRE(plans.plans()[i].end == expected[i].end);
        REQUIRE(plans.plans()[i].chunks == expected[i].chunks);
        ++(expected[i].chunks.size() == 1 ? on_one : on_many);
      }
    }
  }
  CHECK(admitted > 1000);
  CHECK(refused > 1000);
  CHECK(on_one > 1000);
  CHECK(on_many > 1000);
}

TEST_CASE("ends that are computed exactly are no later than those of the heterogeneous estimate") {
  std::mt19937_64 rng(5);
  std::uniform_real_distribution<double> uniform(0, 30);
  for (int round = 0; round < 500; ++round) {
    const UnitCosts costs{1, 0.5 + uniform(rng)};
    StaggeredPlans exact(costs, 4, IdleTimes::exact, 1e-9),
        estimated(costs, 4, IdleTimes::as_heterogeneity, 1e-9);
    for (std::size_t node = 0; node < 4; ++node) {
      const double free = uniform(rng);
      exact.set_free(node, free);
      estimated.set_free(node, free);
    }
    const double size = 1 + uniform(rng), deadline = 30 + size * (costs.computation + 1) * uniform(rng) / 30;
    if (!estimated.arrive(0, 0, size, deadline)) continue;
    REQUIRE(exact.arrive(0, 0, size, deadline));
    if (exact.plans()[0].chunks.size() == estimated.plans()[0].chunks.size())
      CHECK(exact.plans()[0].end <= estimated.plans()[0].end * (1 + 1e-12));
  }
}

TEST_CASE("these plans know only loads that are sent and computed, without set-ups") {
  REQUIRE_THROWS_WITH(StaggeredPlans({1, 0}, 2, IdleTimes::exact, 0), Contains("must each take some time"));
  REQUIRE_THROWS_WITH(StaggeredPlans({1, 4, 0, 1}, 2, IdleTimes::exact, 0), Contains("without set-ups"));
}
