// edf_reservations in the engine: it admits what the plans alone admit, and promises are kept.
#include <cmath>
#include <map>
#include <random>

#include "runtime/cost/reservation.h"
#include "runtime/results/job_rows.h"
#include "runtime/schedulers/realtime/reasons.h"
#include "runtime/schedulers/realtime/staged_plans.h"
#include "tests/runtime/schedulers/realtime/loads.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

struct Wanted {
  Time arrival;
  std::int32_t hosts;
  Time from, to;
  double io_ratio;
};

// The loads, then the reservations.
std::shared_ptr<Scenario> scenario_of(const Head& head, const std::vector<Load>& loads,
                                      const std::vector<Wanted>& reservations) {
  auto scenario = scenario_of_loads(head, loads);
  auto workload = std::make_shared<Workload>(*scenario->workload);
  for (const Wanted& wanted : reservations) {
    Work work;
    work.kind = WorkKind::reservation;
    work.arrival = wanted.arrival;
    work.extra = static_cast<std::uint32_t>(workload->extras.size());
    WorkExtra extra;
    extra.hosts = wanted.hosts;
    extra.from = wanted.from;
    extra.to = wanted.to;
    extra.io_ratio = wanted.io_ratio;
    workload->extras.push_back(extra);
    workload->works.push_back(work);
  }
  scenario->workload = workload;
  return scenario;
}

Simulation simulation_of(std::shared_ptr<Scenario> scenario) {
  const ConfigPtr config = Catalogue().configure("edf_reservations");
  return {scenario,
          {"edf_reservations", config->make_policy(), config->entry->accepts, config->entry->instants},
          perfect_estimator(),
          {}};
}

std::map<std::uint32_t, Reason> refusals(const Outcome& outcome) {
  std::map<std::uint32_t, Reason> out;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i)
    if (const Record& record = outcome.trace[i]; record.kind == RecordKind::rejected)
      out[record.work.index] = record.why;
  return out;
}

// Loads, and reservations that are made of loads and asked for in advance. At some times they are too many.
std::shared_ptr<Scenario> random_requests(const Head& head, std::mt19937_64& rng) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const DivisibleCosts all(head.costs, Partition::optimal);
  const double pace = all.time(10, 1) / static_cast<double>(head.nodes) / (0.3 + 1.2 * uniform(rng));
  const double advance = static_cast<double>(rng() % 3) * pace, laxity = 1 + 9 * uniform(rng);
  std::vector<Load> loads;
  std::vector<Wanted> reservations;
  Time now = 0;
  for (int i = 0; i < 50; ++i) {
    now += -pace * std::log(1 - uniform(rng));
    const double size = 0.5 + 19.5 * uniform(rng);
    const Seconds within = all.time(size, head.nodes) * (1.001 + laxity * uniform(rng));
    if (rng() % 3 == 0) {
      const Reserved each = reservation_of(head.costs, head.nodes, size, now, within, advance);
      reservations.push_back({each.asked, static_cast<std::int32_t>(each.nodes), each.from, each.to,
                              rng() % 4 == 0 ? 0 : each.io_ratio});
    } else {
      loads.push_back({now, size, within});
    }
  }
  return scenario_of(head, loads, reservations);
}

Head random_head(std::mt19937_64& rng) {
  return {1 + rng() % 12, {1, std::pow(10, std::uniform_real_distribution<double>(-1, 2)(rng))}};
}

}  // namespace

TEST_CASE("loads and reservations are admitted, refused and carried out as worked out by hand") {
  // A unit takes 1 s on the channel and 1 s on a node. At 0 load 0 is sent to node 1 until 3, and computed
  // until 6; so the first reservation is of node 2.
  const Outcome outcome =
      finish(simulation_of(scenario_of({2, {1, 1}}, {{0, 3, 8}, {1, 1.1, 7}, {1.5, 0.5, 3}},
                                       {{0, 1, 4, 8, 0.5},      // 3: io until 6
                                        {1, 1, 0.5, 9, 0},      // 4: begins too early
                                        {1, 1, 2, 5, 1.0 / 6},  // 5: needs the channel at 2
                                        {1, 1, 3.5, 9, 0},      // 6: no node is free then
                                        {1, 2, 8, 9, 0},        // 7
                                        {2, 1, 3, 4, 0}})));    // 8: load 2 needs node 2
  // Load 1 could have half a unit on node 2 from 3 on, before the reservation, and surely nothing behind it.
  CHECK(refusals(outcome) == std::map<std::uint32_t, Reason>{{1, refusal::plan},
                                                             {4, refusal::past},
                                                             {5, refusal::io},
                                                             {6, refusal::nodes},
                                                             {8, refusal::tasks}});
  const auto jobs = job_rows(outcome);
  const auto check = [&](std::size_t job, Time start, Time end, std::vector<HostId> hosts) {
    CAPTURE(job);
    CHECK(jobs[job].state == WorkState::finished);
    CHECK(jobs[job].start == Approx(start));
    CHECK(jobs[job].finish == Approx(end));
    CHECK(jobs[job].hosts == hosts);
  };
  check(0, 0, 6, {HostId(0)});
  check(2, 3, 4, {HostId(1)});  // until the reservation begins
  check(3, 4, 8, {HostId(1)});
  check(7, 8, 9, {HostId(0), HostId(1)});
}

TEST_CASE("what was admitted is kept in the engine, and nothing else is admitted than by the plans alone") {
  std::mt19937_64 rng(5);
  std::size_t loads_kept = 0, reservations_kept = 0, refused = 0;
  for (int round = 0; round < 120; ++round) {
    const Head head = random_head(rng);
    StagedPlans plans(head.nodes, 1e-9);
    const auto scenario = random_requests(head, rng);
    const Workload& workload = *scenario->workload;
    std::vector<std::uint32_t> order(workload.size());
    for (std::uint32_t w = 0; w < order.size(); ++w) order[w] = w;
    std::ranges::stable_sort(order, {}, [&](std::uint32_t w) { return workload.works[w].arrival; });
    std::map<std::uint32_t, Reason> expected;
    for (const std::uint32_t w : order) {
      const Work& work = workload.works[w];
      const WorkExtra& extra = workload.extras[work.extra];
      while (plans.next_start() <= work.arrival) plans.send();
      Reason why = Reason::none;
      if (work.kind == WorkKind::load) {
        if (!plans.arrive(work.arrival, {w, head.costs, extra.size, work.deadline, work.arrival}))
          why = refusal::plan;
      } else {
        StagedPlans::Reservation wanted{
            w, extra.from, extra.to,
            std::min(extra.to, extra.from + (extra.to - extra.from) * extra.io_ratio)};
        why = plans.reserve(work.arrival, wanted, static_cast<std::size_t>(extra.hosts));
      }
      if (why != Reason::none) expected[w] = why;
    }
    CAPTURE(round, head.nodes, head.costs.computation);
    const Outcome outcome = finish(simulation_of(scenario));
    CHECK(refusals(outcome) == expected);
    refused += expected.size();
    for (const JobRow& row : job_rows(outcome)) {
      if (row.state == WorkState::rejected) continue;
      CHECK(row.state == WorkState::finished);
      if (row.kind == WorkKind::load) {
        ++loads_kept;
        CHECK(at_most(row.finish, row.deadline));
        continue;
      }
      ++reservations_kept;
      const WorkExtra& extra = workload.extras[workload[row.id].extra];
      CHECK(row.start == Approx(extra.from).epsilon(1e-9));
      CHECK(row.finish == Approx(extra.to).epsilon(1e-9));
      CHECK(row.hosts.size() == static_cast<std::size_t>(extra.hosts));
    }
  }
  CHECK(loads_kept > 1000);
  CHECK(reservations_kept > 500);
  CHECK(refused > 1000);
}

TEST_CASE("who takes over in the middle keeps what was promised") {
  std::mt19937_64 rng(51);
  std::size_t kept = 0;
  for (int round = 0; round < 120; ++round) {
    const auto scenario = random_requests(random_head(rng), rng);
    const Outcome alone = finish(simulation_of(scenario));
    Simulation simulation = simulation_of(scenario);
    simulation.run_until(alone.end * std::uniform_real_distribution<double>(0, 1)(rng));
    const ConfigPtr config = Catalogue().configure("edf_reservations");
    simulation.set_policy(
        {"edf_reservations", config->make_policy(), config->entry->accepts, config->entry->instants});
    CAPTURE(round);
    for (const JobRow& row : job_rows(finish(std::move(simulation)))) {
      if (row.state == WorkState::rejected) continue;
      CHECK(row.state == WorkState::finished);
      kept += row.kind == WorkKind::reservation ? 1 : 0;
    }
  }
  CHECK(kept > 500);
}

TEST_CASE(
    "a reservation whose node is down when it begins expires, and what was meant for the node goes "
    "elsewhere") {
  auto scenario = scenario_of({2, {1, 1}}, {{2, 4, 18}}, {{0, 2, 1, 2, 1}, {0, 1, 5, 8, 0}});
  // The load is meant for node 1, before and behind its reservation. Node 1 goes away at 2.5 while it
  // receives. Then node 2 has 0.75 from 3.5, when the channel was planned to be free, to 5, where a
  // reservation begins. The rest follows.
  scenario->happenings = {happening(2.5, HappeningKind::down, ResourceId::of(HostId(0))),
                          happening(30, HappeningKind::up, ResourceId::of(HostId(0)))};
  const auto jobs = job_rows(finish(simulation_of(scenario)));
  CHECK(jobs[0].state == WorkState::finished);
  CHECK(jobs[0].finish == Approx(5 + 2 * 3.25));
  CHECK(jobs[0].hosts.back() == HostId(1));
  CHECK(jobs[1].state == WorkState::finished);
  CHECK(jobs[1].finish == 2);
  CHECK(jobs[2].state == WorkState::expired);
}

TEST_CASE("reservations and setups are refused by policies that do not know them, before the run") {
  const std::vector<Load> loads = {{0, 1, 50}};
  const std::vector<Wanted> reservations = {{0, 1, 1, 2, 0}};
  const auto refusal = [&](const char* policy, std::shared_ptr<Scenario> scenario) {
    const ConfigPtr config = Catalogue().configure(policy);
    Simulation simulation(scenario,
                          {policy, config->make_policy(), config->entry->accepts, config->entry->instants},
                          perfect_estimator(), {});
  };
  for (const char* policy : {"fifo", "edf", "mwf", "edf_iit_1", "edf_iit_2", "fast_edf_iit"})
    CHECK_THROWS_WITH(refusal(policy, scenario_of({2, {1, 4}}, loads, reservations)),
                      Contains("does not accept work of kind 'reservation'"));
  CHECK_THROWS_WITH(refusal("edf_reservations", scenario_of({2, {1, 4, 1, 0}}, loads, reservations)),
                    Contains("'latency' = 1"));
  CHECK_THROWS_WITH(refusal("edf_reservations", scenario_of({2, {1, 4, 0, 2}}, loads, reservations)),
                    Contains("'setup' = 2"));
}
