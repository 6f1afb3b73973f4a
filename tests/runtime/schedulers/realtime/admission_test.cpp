// edf, fifo and mwf: admission by planning whole loads (Mamat, 2011, Chapter 4).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <tuple>
#include <vector>

#include "runtime/cost/divisible.h"
#include "runtime/results/job_rows.h"
#include "tests/runtime/schedulers/realtime/loads.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// Figure 4.1 as it is written, over plain lists; the result is the set of accepted loads.
struct AdmissionTextbook {
  Head head;
  std::string order;
  Partition partition;
  bool all, shared;
  struct Plan {
    std::size_t load;
    double start;
    std::size_t nodes;
    double end;
    double derivative;
  };
  std::vector<double> free = std::vector<double>(head.nodes, 0.0);
  double channel = 0;
  std::vector<Plan> waiting = {};

  // The smallest number that is in time, by trying each.
  std::size_t fewest(const DivisibleCosts& costs, double size, double room) const {
    for (std::size_t n = 1; n <= std::min(head.nodes, costs.useful_nodes(size)); ++n)
      if (at_most(costs.time(size, n), room)) return n;
    return 0;
  }

  void commit(double now, const std::vector<Load>& loads) {
    std::vector<Plan> left;
    for (const Plan& plan : waiting) {
      if (plan.start > now) {
        left.push_back(plan);
        continue;
      }
      std::sort(free.begin(), free.end());
      std::fill_n(free.begin(), plan.nodes, plan.end);
      channel = plan.start + static_cast<double>(plan.nodes) * head.costs.transmission_setup +
                loads[plan.load].size * head.costs.transmission;
    }
    waiting = left;
  }

  bool arrives(std::size_t load, const std::vector<Load>& loads) {
    const double now = loads[load].arrival;
    commit(now, loads);
    const DivisibleCosts costs(head.costs, partition);
    const auto deadline = [&](const Plan& plan) {
      return loads[plan.load].arrival + loads[plan.load].within;
    };
    std::vector<Plan> list = waiting;
    list.push_back({load, 0, 0, 0, 0});
    for (Plan& plan : list) {
      const std::size_t n = fewest(costs, loads[plan.load].size, deadline(plan) - now);
      if (order == "mwf" && n == 0) return false;
      plan.derivative = n == 0 ? 0 : costs.workload_derivative(loads[plan.load].size, n);
    }
    std::sort(list.begin(), list.end(), [&](const Plan& a, const Plan& b) {
      if (order == "mwf" && a.derivative != b.derivative) return a.derivative > b.derivative;
      const bool by_deadline = order != "fifo" && deadline(a) != deadline(b);
      return by_deadline ? deadline(a) < deadline(b) : a.load < b.load;  // loads are in order of arrival
    });
    std::vector<double> at;
    for (const double time : free) at.push_back(std::max(time, now));
    double sent = std::max(channel, now);
    for (Plan& plan : list) {
      std::sort(at.begin(), at.end());
      const double size = loads[plan.load].size;
      plan.nodes = 0;
      if (all) {
        plan.nodes = std::min(head.nodes, costs.useful_nodes(size));
        plan.start = std::max(at[plan.nodes - 1], shared ? sent : 0);
      }
      for (std::size_t k = 0; k < at.size() && plan.nodes == 0; ++k) {
        const double start = std::max(at[k], shared ? sent : 0);
        const auto there = static_cast<std::size_t>(
            std::count_if(at.begin(), at.end(), [&](double time) { return time <= start; }));
        const std::size_t n = fewest(costs, size, deadline(plan) - start);
        if (n == 0) return false;
        if (n <= there) plan.nodes = n, plan.start = start;
      }
      plan.end = plan.start + costs.time(size, plan.nodes);
      if (!at_most(plan.end, deadline(plan))) return false;
      std::fill_n(at.begin(), plan.nodes, plan.end);
      sent = plan.start + static_cast<double>(plan.nodes) * head.costs.transmission_setup +
             size * head.costs.transmission;
    }
    waiting = list;
    return true;
  }
};

}  // namespace

TEST_CASE("edf: two loads on two nodes, by hand") {
  // Sending a unit takes 1 s and computing it 3 s, so that two nodes get 4/7 and 3/7. The first load, 7 units
  // within 20 s, needs both: 28 * 4/7 = 16 s. The second, 2 units within 24 s of time 1, is planned after it:
  // on one node from 16 to 24.
  const Head head{2, {1, 3}};
  const Outcome outcome = run(head, {{0, 7, 20}, {1, 2, 24}}, "edf");
  const std::vector<JobRow> rows = job_rows(outcome);
  CHECK(rows[0].finish == Approx(16).epsilon(1e-12));
  CHECK(rows[0].hosts.size() == 2);
  CHECK(rows[1].finish == Approx(24).epsilon(1e-12));
  CHECK(rows[1].hosts.size() == 1);
  // Both nodes together would end it at 16 + 8 * 4/7 = 20.57: too late within 19, and the first stays as it
  // was.
  const std::vector<JobRow> late = job_rows(run(head, {{0, 7, 20}, {1, 2, 19}}, "fifo"));
  CHECK(late[0].finish == Approx(16).epsilon(1e-12));
  CHECK(late[1].state == WorkState::rejected);
}

TEST_CASE("edf puts a waiting load behind one with an earlier deadline; fifo rejects that one") {
  // One node, 2 s a unit in all. The first load takes [0, 10); then the waiting ones follow. The third needs
  // 4 s by 15.
  const std::vector<Load> loads = {{0, 5, 10}, {1, 5, 29}, {2, 2, 13}};
  const Head head{1, {1, 1}};
  const std::vector<JobRow> edf = job_rows(run(head, loads, "edf"));
  CHECK(edf[2].finish == 14);
  CHECK(edf[1].finish == 24);
  CHECK(accepted(run(head, loads, "fifo")) == std::vector<bool>{true, true, false});
}

TEST_CASE("mwf puts the larger workload derivative first, and has none with all nodes") {
  // Only computing takes time, so a further node costs nothing but its part of the sending. With 1 s to send
  // a unit, the node-seconds grow with the size. One node is busy until 8; then the larger load goes first,
  // though its deadline is later.
  const std::vector<Load> loads = {{0, 4, 8}, {1, 1, 19}, {2, 3, 20}};
  const Head head{1, {1, 1}};
  CHECK(job_rows(run(head, loads, "edf"))[1].finish == 10);
  const std::vector<JobRow> mwf = job_rows(run(head, loads, "mwf"));
  CHECK(mwf[2].finish == 14);
  CHECK(mwf[1].finish == 16);
  REQUIRE_THROWS_WITH(Catalogue().configure("mwf", {{"nodes", "all"}}),
                      Contains("mwf: nodes = \"all\" needs the order of edf or fifo"));
}

TEST_CASE("what Figure 4.1 admits on random loads, with each order, rule, number of nodes and channel") {
  std::mt19937_64 rng(41);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::size_t admitted = 0, refused = 0;
  for (int round = 0; round < 240; ++round) {
    const bool setups = round % 3 != 0;
    Head head{1 + rng() % 12,
              {1, 0.5 + 20 * uniform(rng), setups ? 3 * uniform(rng) : 0, setups ? 3 * uniform(rng) : 0},
              round % 2 == 0 ? Sharing::exclusive : Sharing::unlimited};
    const std::string order = std::vector<std::string>{"edf", "fifo", "mwf"}[rng() % 3];
    const Partition partition = rng() % 2 == 0 ? Partition::optimal : Partition::equal;
    const bool all = order != "mwf" && rng() % 2 == 0;
    const DivisibleCosts costs(head.costs, partition);
    std::vector<Load> loads(40);
    double now = 0;
    for (Load& load : loads) {
      load.size = 1 + 20 * uniform(rng);
      now +=
          -std::log(1 - uniform(rng)) * 10 * (1 + head.costs.computation) / static_cast<double>(head.nodes);
      load.arrival = now;
      load.within = costs.time(load.size, std::min(head.nodes, costs.useful_nodes(load.size))) *
                    (0.9 + 5 * uniform(rng));
    }
    CAPTURE(round, order, all, head.nodes);
    const Outcome outcome =
        run(head, loads, order,
            {{"partition", std::string(name_of(partition))}, {"nodes", all ? "all" : "fewest"}});
    AdmissionTextbook textbook{head, order, partition, all, head.sharing == Sharing::exclusive};
    std::vector<bool> expected;
    for (std::size_t load = 0; load < loads.size(); ++load) expected.push_back(textbook.arrives(load, loads));
    CHECK(accepted(outcome) == expected);
    for (const JobRow& row : job_rows(outcome)) {
      if (row.state != WorkState::finished) {
        ++refused;
        continue;
      }
      ++admitted;
      CHECK(at_most(row.finish, row.deadline));  // the guarantee
    }
  }
  CHECK(admitted > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("loads planned as if each had a channel of its own are late on a single one") {
  // Two nodes, 4 s to send and 4 s to compute each load; both are planned from 0 to 8 on a node each.
  const std::vector<Load> loads = {{0, 4, 8}, {0, 4, 8}};
  const Head alone{2, {1, 1}, Sharing::unlimited}, shared{2, {1, 1}, Sharing::exclusive};
  const auto misses = [&](const Outcome& outcome) {
    const auto rows = job_rows(outcome);
    return std::count_if(rows.begin(), rows.end(), [](const JobRow& row) { return row.missed; });
  };
  CHECK(misses(run(alone, loads, "edf")) == 0);
  CHECK(accepted(run(shared, loads, "edf")) == std::vector<bool>{true, false});
  const Outcome replayed = run(shared, loads, "edf", {{"channel", "load"}});
  CHECK(misses(replayed) == 1);
  CHECK(job_rows(replayed)[1].finish == 12);
}

TEST_CASE("with all nodes a load may wait for more than it can use") {
  // With a set-up of 10 s, two of four nodes are useful. The first load takes both until 35, the second one
  // takes the others. If told to, it waits for all nodes.
  const Head head{4, {0.5, 10, 10, 0}, Sharing::unlimited};
  const DivisibleCosts costs(head.costs, Partition::optimal);
  REQUIRE(costs.useful_nodes(2) == 2);
  const std::vector<Load> loads = {{0, 2, 100}, {1, 2, 200}};
  const double time = costs.time(2, 2);
  CHECK(job_rows(run(head, loads, "edf", {{"nodes", "all"}}))[1].finish == Approx(1 + time));
  CHECK(job_rows(run(head, loads, "edf", {{"nodes", "all"}, {"wait_for_all", true}}))[1].finish ==
        Approx(2 * time));
}

TEST_CASE("a head that cannot plan says why") {
  const auto refusal = [](std::shared_ptr<const Platform> platform) {
    auto scenario = std::make_shared<Scenario>(*scenario_of_loads({1, {1, 1}}, {{0, 1, 5}}));
    scenario->platform = std::move(platform);
    const ConfigPtr config = Catalogue().configure("edf");
    Simulation simulation(scenario,
                          {"edf", config->make_policy(), config->entry->accepts, config->entry->instants},
                          perfect_estimator(), {});
    simulation.run();
  };
  REQUIRE_THROWS_WITH(refusal(platform_of({cluster_of({1}, "a"), cluster_of({1}, "b")})),
                      Contains("policy 'edf' does not accept 2 clusters: its head feeds one"));
  auto changing = with_link(cluster_of({1}), 1);
  changing.link.bandwidth = Profile::circular({1, 2}, 5);
  REQUIRE_THROWS_WITH(refusal(platform_of({changing})),
                      Contains("policy 'edf' does not accept the changing bandwidth of link 'c.link'"));
}
