// HYBRID: its changes from exact plans to the fast test and back, which break no promise.
#include "runtime/schedulers/realtime/hybrid_admission.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/runtime/schedulers/realtime/textbook_admission.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// Algorithms 9 to 11 over both tests as printed. It changes tests only if no load loses a guarantee.
struct HybridAdmissionTextbook {
  UnitCosts costs;
  std::size_t threshold;
  TextbookPlans plans;
  TextbookFast fast;
  bool is_fast = false;
  double margin = 1;  // of the last arrival

  HybridAdmissionTextbook(const UnitCosts& unit, std::size_t nodes, std::size_t many)
      : costs(unit),
        threshold(many),
        plans{unit, IdleTimes::exact, std::vector<double>(nodes, 0.0)},
        fast{unit, std::vector<double>(nodes, 0.0)} {}

  std::size_t waiting() const { return is_fast ? fast.queue.size() : plans.waiting.size(); }

  void send_until(double now) {
    if (is_fast)
      while (fast.next_dispatch() <= now) REQUIRE(fast.dispatch() < 0);
    else
      while (plans.next_start() <= now) plans.send();
  }

  void go_fast(double now) {
    TextbookFast next{costs, plans.free};
    double busy = 0;  // Algorithm 10
    for (const double free : plans.free) busy += std::max(free - now, 0.0);
    double completion = now + next.on_all(busy / costs.computation);
    next.channel = plans.channel;
    next.last = now;
    next.last_completion = completion;
    next.has_dispatched = true;
    for (const TextbookPlans::Plan& plan : plans.waiting) {  // Algorithm 11
      completion += next.on_all(plan.load.size);
      margin = std::min(margin, std::fabs(plan.load.deadline - completion) / plan.load.deadline);
      if (completion > plan.load.deadline) return;
      next.queue.push_back({plan.load.deadline, plan.load.size, plan.load.size, completion, plan.load.id});
    }
    fast = next;
    is_fast = true;
  }

  void go_exact(double now) {
    TextbookPlans next{costs, IdleTimes::exact, fast.free};
    next.channel = fast.channel;
    std::vector<TextbookPlans::Plan> list;
    for (const TextbookFast::Load& load : fast.queue)
      list.push_back({{now, load.left, load.deadline, load.id}});
    const bool feasible = next.replan(list, now);
    margin = std::min(margin, next.margin);
    if (!feasible) return;
    plans = next;
    is_fast = false;
  }

  bool arrive(const TextbookPlans::Load& load) {
    margin = 1;
    if (!is_fast && waiting() >= threshold)
      go_fast(load.at);
    else if (is_fast && waiting() < threshold)
      go_exact(load.at);
    const bool admitted = is_fast ? fast.arrive(load.id, load.at, load.size, load.deadline) == Reason::none
                                  : plans.arrive(load);
    margin = std::min(margin, is_fast ? fast.margin : plans.margin);
    return admitted;
  }
};

}  // namespace

TEST_CASE("one load waits: the fast test takes over, behind what the nodes are busy with, by hand") {
  // Two nodes, 1 s to send and 3 s to compute a unit: on both together 1 / (1 - (3/4)^2) = 16/7 s. 7 units by
  // 20 are sent as 4 and 3, and keep both nodes busy until 16.
  const auto begun = [](Time deadline) {
    HybridAdmission head({1, 3}, 2, 1, 1e-9);
    CHECK(head.arrive(0, 0, 7, 20) == Reason::none);
    CHECK(head.next_dispatch() == 0);
    head.dispatch([](const HybridAdmission::Chunk&) {});
    CHECK(head.node_free(0) == Approx(16));
    CHECK(head.node_free(1) == Approx(16));
    CHECK(head.arrive(1, 1, 7, deadline) == Reason::none);
    CHECK_FALSE(head.is_fast());
    CHECK_FALSE(head.last_switch().has_value());
    return head;
  };
  // At 2 the nodes are busy for 14 s each: 28/3 units, 64/3 s on both together. Then 16 s for the second
  // load.
  HybridAdmission head = begun(60);
  CHECK(head.arrive(2, 2, 7, 50) == Reason::none);
  REQUIRE(head.last_switch().has_value());
  CHECK((head.last_switch()->to_fast && head.last_switch()->done && head.last_switch()->waiting == 1));
  REQUIRE(head.is_fast());
  std::vector<Time> completions;
  head.fast().queue().for_each(
      [&](const DeadlineQueue::Load& load, double slack) { completions.push_back(load.deadline - slack); });
  REQUIRE(completions.size() == 2);
  CHECK(completions[0] == Approx(2 + 64.0 / 3 + 16));  // the third, which goes first
  CHECK(completions[1] == Approx(2 + 64.0 / 3 + 32));
  // By 39 the second load could be planned, 16 s from 16 on both nodes, but 2 + 64/3 + 16 is later.
  head = begun(39);
  CHECK(head.arrive(2, 2, 7, 60) == Reason::none);
  REQUIRE(head.last_switch().has_value());
  CHECK((head.last_switch()->to_fast && !head.last_switch()->done));
  CHECK_FALSE(head.is_fast());
  CHECK(head.exact().plans()[0].end == Approx(32));
}

TEST_CASE("when the queue is empty again, plans are exact again") {
  HybridAdmission head({1, 3}, 2, 1, 1e-9);
  CHECK(head.arrive(0, 0, 7, 20) == Reason::none);
  head.dispatch([](const HybridAdmission::Chunk&) {});
  CHECK(head.arrive(1, 1, 7, 60) == Reason::none);
  CHECK(head.arrive(2, 2, 7, 61) == Reason::none);
  REQUIRE(head.is_fast());
  double sent = 0;
  while (head.waiting() > 0) {
    REQUIRE(head.next_dispatch() < 62);
    head.dispatch([&](const HybridAdmission::Chunk& chunk) { sent += chunk.size; });
  }
  CHECK(sent == Approx(14));
  const Time channel = head.channel_free(), busy = std::max(head.node_free(0), head.node_free(1));
  CHECK(busy <= 61);
  CHECK(head.arrive(3, 100, 7, 120) == Reason::none);
  CHECK((head.last_switch() && !head.last_switch()->to_fast && head.last_switch()->done));
  CHECK_FALSE(head.is_fast());
  CHECK(head.channel_free() == channel);
  CHECK(head.exact().plans()[0].end == Approx(116));
}

TEST_CASE("random arrivals are decided as by the lists, and no admitted load is late") {
  std::mt19937_64 rng(63);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::size_t admitted = 0, rejected = 0, to_fast = 0, to_exact = 0, refused = 0;
  for (int round = 0; round < 250; ++round) {
    const UnitCosts costs{1, std::pow(10, 3 * uniform(rng) - 1)};
    const std::size_t nodes = 1 + rng() % 16, threshold = 1 + rng() % 6;
    HybridAdmission head(costs, nodes, threshold, 1e-9);
    HybridAdmissionTextbook textbook(costs, nodes, threshold);
    const double laxity = round % 2 == 0 ? 30 : 5, load = 0.4 + uniform(rng);
    std::vector<double> left, deadlines;
    const auto dispatch = [&] {
      head.dispatch([&](const HybridAdmission::Chunk& chunk) {
        REQUIRE(chunk.size > 0);
        left[chunk.id] -= chunk.size;
        REQUIRE(at_most(chunk.start + chunk.size * (costs.transmission + costs.computation),
                        deadlines[chunk.id]));
        REQUIRE((std::fabs(left[chunk.id]) < 1e-9) == chunk.last);
      });
    };
    double now = 0;
    for (std::uint32_t id = 0; id < 150; ++id) {
      const double size = 1 + 20 * uniform(rng),
                   together = DivisibleCosts(costs, Partition::optimal).time(size, nodes);
      now += -std::log(1 - uniform(rng)) * together / load;
      left.push_back(size);
      deadlines.push_back(now + together * (1 + laxity * uniform(rng)));
      while (head.next_dispatch() <= now) dispatch();
      textbook.send_until(now);
      const bool expected = textbook.arrive({now, size, deadlines.back(), id});
      const bool found = head.arrive(id, now, size, deadlines.back()) == Reason::none;
      if (textbook.margin < 1e-7 && (expected != found || head.is_fast() != textbook.is_fast)) break;
      CAPTURE(round, id, nodes, threshold, textbook.margin);
      REQUIRE(head.is_fast() == textbook.is_fast);
      REQUIRE(found == expected);
      REQUIRE(head.waiting() == textbook.waiting());
      ++(found ? admitted : rejected);
      if (const auto& change = head.last_switch())
        ++(!change->done ? refused : change->to_fast ? to_fast : to_exact);
    }
    while (head.waiting() > 0) dispatch();
  }
  CAPTURE(admitted, rejected, to_fast, to_exact, refused);
  CHECK(admitted > 10'000);
  CHECK(rejected > 3000);
  CHECK(to_fast > 300);
  CHECK(to_exact > 300);
  CHECK(refused > 100);
}

TEST_CASE("with a threshold that is never reached it is EDF-IIT-2") {
  std::mt19937_64 rng(617);
  std::uniform_real_distribution<double> uniform(0, 1);
  const UnitCosts costs{1, 100};
  HybridAdmission head(costs, 16, 1000, 1e-9);
  StaggeredPlans plans(costs, 16, IdleTimes::exact, 1e-9);
  double now = 0;
  std::size_t rejected = 0;
  for (std::uint32_t id = 0; id < 2000; ++id) {
    const double size = 400 * uniform(rng);
    now += -std::log(1 - uniform(rng)) * 1500;
    const Time deadline = now + 4000 * uniform(rng);
    while (plans.next_start() <= now) plans.send();
    while (head.next_dispatch() <= now) head.dispatch([](const HybridAdmission::Chunk&) {});
    const bool admitted = plans.arrive(id, now, size, deadline);
    REQUIRE((head.arrive(id, now, size, deadline) == Reason::none) == admitted);
    rejected += admitted ? 0 : 1;
  }
  CHECK(rejected > 200);
  CHECK(rejected < 1800);
}

TEST_CASE("the hybrid test knows only loads that are sent and computed, without set-ups") {
  REQUIRE_THROWS_WITH(HybridAdmission({0, 4}, 2, 1, 0), Contains("must each take some time"));
  REQUIRE_THROWS_WITH(HybridAdmission({1, 4, 1, 0}, 2, 1, 0), Contains("set-ups"));
}
