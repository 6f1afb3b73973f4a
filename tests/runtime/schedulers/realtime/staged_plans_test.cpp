// Admission of loads and reservations (Mamat, 2011, Algorithms 1 and 2): reasons of refusals worked out by
// hand, and rules that random requests must never break.
#include "runtime/schedulers/realtime/staged_plans.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "runtime/cost/reservation.h"
#include "runtime/schedulers/realtime/reasons.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

Reason reserve(StagedPlans& plans, Time now, Time from, Time to, Time io_until, std::size_t nodes,
               std::vector<std::uint32_t>* chosen = nullptr) {
  static std::uint32_t id = 1000;
  StagedPlans::Reservation wanted{++id, from, to, io_until};
  const Reason reason = plans.reserve(now, wanted, nodes);
  if (chosen != nullptr) *chosen = wanted.nodes;
  return reason;
}

struct Sent {
  std::uint32_t id;
  std::uint32_t node;
  Time start, sent, end;
};

}  // namespace

TEST_CASE("reservations are refused for the first reason that applies") {
  StagedPlans plans(2, 1e-9);
  const UnitCosts costs{1, 1};
  std::vector<std::uint32_t> chosen;
  CHECK(reserve(plans, 0, 4, 8, 6, 1, &chosen) == Reason::none);
  CHECK(chosen == std::vector<std::uint32_t>{0});
  // Node 1, in [0, 4) until its reservation, does 2, and the other the rest.
  REQUIRE(plans.arrive(0, {1, costs, 3, 8, 0}));
  REQUIRE(plans.next_start() == 0);
  const StagedPlans::Plan first = plans.send();
  REQUIRE(first.chunks.size() == 2);
  CHECK(first.chunks[0].size == 2);
  CHECK(first.chunks[0].end == 4);
  CHECK(first.chunks[1].node == 1);
  CHECK(first.chunks[1].start == 2);
  CHECK(first.chunks[1].end == 4);
  CHECK(plans.node_free(0) == 4);
  CHECK(plans.node_free(1) == 4);

  CHECK(reserve(plans, 1, 0.5, 9, 0.5, 1) == refusal::past);
  CHECK(reserve(plans, 1, 2, 5, 2.5, 1) == refusal::io);          // chunks are sent until 3
  CHECK(reserve(plans, 1, 5, 9, 5.5, 1) == refusal::io);          // the reservation's io lasts until 6
  CHECK(reserve(plans, 1, 3.5, 9, 3.6, 1) == refusal::nodes);     // both compute until 4
  CHECK(reserve(plans, 1, 6, 9, 6, 2) == refusal::nodes);         // one is reserved until 8
  CHECK(reserve(plans, 1, 8, 9, 8, 2, &chosen) == Reason::none);  // intervals are half open
  CHECK(chosen == std::vector<std::uint32_t>{0, 1});

  // From 6, when the channel is free again, to 8 node 1 does 1.
  CHECK_FALSE(plans.arrive(1, {2, costs, 1.1, 8, 1}));
  REQUIRE(plans.arrive(1, {3, costs, 1, 8, 1}));
  CHECK(plans.next_start() == 6);
  CHECK(plans.plans()[0].end() == 8);
  CHECK(reserve(plans, 2, 7, 8, 7, 1) == refusal::tasks);
  CHECK_FALSE(plans.arrive(2, {4, costs, 0.1, 8, 2}));
  CHECK(plans.next_start() == 6);  // the plan is as it was
  CHECK(reserve(plans, 2, 9, 10, 9, 1) == Reason::none);
  CHECK(plans.surprises() == 0);
}

TEST_CASE("what is given up is free again, what is lost is sent as early as it can be") {
  StagedPlans plans(2, 1e-9);
  StagedPlans::Reservation wanted{7, 4, 8, 6};
  REQUIRE(plans.reserve(0, wanted, 2) == Reason::none);
  CHECK(reserve(plans, 0, 5, 6, 5, 1) == refusal::nodes);
  plans.give_up(7);
  CHECK(reserve(plans, 0, 5, 6, 5.5, 2) == Reason::none);
  // Behind the reservation; before it a node does only 2.5.
  const StagedPlans::Plan late = plans.send_late(0, {9, {1, 1}, 20, 3, 0});
  double sum = 0;
  for (const StagedNodes::Chunk& chunk : late.chunks) sum += chunk.size;
  CHECK(sum == Approx(20));
  plans.set_free(0, kNever);
  plans.set_free(1, kNever);
  CHECK(plans.send_late(1, {10, {1, 1}, 1, 3, 0}).chunks.empty());
}

TEST_CASE("of random loads and reservations whatever is admitted is kept, and estimates are never wrong") {
  std::mt19937_64 rng(2011);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::size_t loads = 0, reservations = 0, refused = 0, in_stages = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = 1 + rng() % 16;
    const UnitCosts costs{1, std::pow(10, 3 * uniform(rng) - 1)};
    const DivisibleCosts all(costs, Partition::optimal);
    const double pace = all.time(10, 1) / static_cast<double>(count) / (0.3 + 1.2 * uniform(rng));
    const double advance = static_cast<double>(rng() % 3) * pace, laxity = 1 + 9 * uniform(rng);
    struct Request {
      Time at;
      bool reserves;
      double size;
      Time deadline;
      Reserved reserved;
    };
    std::vector<Request> requests;
    Time now = 0;
    for (int i = 0; i < 80; ++i) {
      now += -pace * std::log(1 - uniform(rng));
      const double size = 0.5 + 19.5 * uniform(rng);
      const Seconds within = all.time(size, count) * (1.001 + laxity * uniform(rng));
      if (rng() % 3 == 0) {
        Reserved reserved = reservation_of(costs, count, size, now, within, advance);
        if (rng() % 4 == 0) reserved.io_ratio = 0;
        requests.push_back({reserved.asked, true, 0, 0, reserved});
      } else {
        requests.push_back({now, false, size, now + within, {}});
      }
    }
    std::ranges::stable_sort(requests, {}, &Request::at);
    StagedPlans plans(count, 1e-9);
    std::vector<Sent> sent;
    std::vector<StagedPlans::Reservation> kept;
    std::vector<double> left(requests.size());
    const auto send_until = [&](Time end) {
      while (plans.next_start() <= end) {
        const StagedPlans::Plan plan = plans.send();
        in_stages += plan.chunks.back().stage > plan.chunks.front().stage ? 1 : 0;
        for (const StagedNodes::Chunk& chunk : plan.chunks) {
          sent.push_back({plan.id, chunk.node, chunk.start, chunk.sent, chunk.end});
          left[plan.id] -= chunk.size;
        }
      }
    };
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Request& request = requests[i];
      send_until(request.at);
      const auto id = static_cast<std::uint32_t>(i);
      if (request.reserves) {
        const Reserved& r = request.reserved;
        StagedPlans::Reservation wanted{id, r.from, r.to, r.from + (r.to - r.from) * r.io_ratio};
        if (plans.reserve(request.at, wanted, r.nodes) == Reason::none)
          kept.push_back(wanted), ++reservations;
        else
          ++refused;
      } else if (plans.arrive(request.at, {id, costs, request.size, request.deadline, request.at})) {
        left[i] = request.size;
        ++loads;
      } else {
        ++refused;
      }
    }
    send_until(1e300);
    CAPTURE(round, count, costs.computation);
    CHECK(plans.surprises() == 0);
    const auto apart = [](Time a, Time b, Time c, Time d) {
      const double slack = 1e-9 * std::max(1.0, std::max(b, d)) * 10;
      return std::min(b, d) <= std::max(a, c) + slack;
    };
    bool all_apart = true, in_time = true;
    for (std::size_t a = 0; a < sent.size(); ++a) {
      in_time = in_time && at_most(sent[a].end, requests[sent[a].id].deadline);
      for (std::size_t b = 0; b < a; ++b) {
        all_apart = all_apart && apart(sent[a].start, sent[a].sent, sent[b].start, sent[b].sent);
        if (sent[a].node == sent[b].node)
          all_apart = all_apart && apart(sent[a].start, sent[a].end, sent[b].start, sent[b].end);
      }
      for (const StagedPlans::Reservation& each : kept) {
        all_apart = all_apart && apart(sent[a].start, sent[a].sent, each.from, each.io_until);
        for (const std::uint32_t node : each.nodes)
          if (node == sent[a].node)
            all_apart = all_apart && apart(sent[a].start, sent[a].end, each.from, each.to);
      }
    }
    for (std::size_t a = 0; a < kept.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        all_apart = all_apart && apart(kept[a].from, kept[a].io_until, kept[b].from, kept[b].io_until);
        for (const std::uint32_t node : kept[a].nodes)
          if (std::ranges::find(kept[b].nodes, node) != kept[b].nodes.end())
            all_apart = all_apart && apart(kept[a].from, kept[a].to, kept[b].from, kept[b].to);
      }
    CHECK(all_apart);
    CHECK(in_time);
    for (const double rest : left) CHECK(std::fabs(rest) < 1e-9);
  }
  CHECK(loads > 3000);
  CHECK(reservations > 1000);
  CHECK(refused > 3000);
  CHECK(in_stages > 300);
}
