// Schedulers of the literature: the worked example of Sim-PETEK (2010), section 3.1, check values of their
// own, and a simulation of a few lines that shares nothing with the engine.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "runtime/cost/calibration.h"
#include "runtime/cost/factoring.h"
#include "runtime/cost/installments.h"
#include "runtime/engine/why.h"
#include "runtime/results/metrics.h"
#include "runtime/results/validator.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

using namespace perigee;
using namespace perigee::test;

namespace {

struct GridNode {
  int cores, slots;
  double tau;  // s of a simulation
  double latency = 0, bandwidth = 0, setup = 0;
};
// Table 3.1, with the run times of section 3.1.
const std::vector<GridNode> kLiteratureNodes = {{8, 8, 1}, {4, 4, 2.5}, {4, 4, 1}, {2, 1, 1}, {2, 1, .5}};

std::shared_ptr<Scenario> scenario_for(const std::vector<GridNode>& nodes, double runs, std::int32_t trials,
                                       double bytes = 0, std::size_t sweeps = 1) {
  PlatformSpec spec;
  auto workload = std::make_shared<Workload>();
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    auto cluster = cluster_of({1}, std::string(1, static_cast<char>('A' + n)), nodes[n].cores);
    cluster.hosts[0].slots = nodes[n].slots;
    cluster.hosts[0].setup = nodes[n].setup;
    if (bytes > 0) cluster = with_link(cluster, nodes[n].bandwidth, nodes[n].latency);
    cluster.at = "hub";
    spec.clusters.push_back(cluster);
  }
  spec.routers = {"hub"};  // one port: the link to it is exclusive, and no link is slower for it
  PlatformSpec::LinkSpec port;
  port.link.name = "port";
  port.link.bandwidth = Profile(1e18);
  port.from = "origin";
  port.to = "hub";
  spec.links = {port};
  for (std::size_t s = 0; s < sweeps; ++s) {
    Work work;
    work.kind = WorkKind::sweep;
    work.form = TimeForm::by_host;
    work.times = 0;
    work.extra = static_cast<std::uint32_t>(s);
    workload->works.push_back(work);
    WorkExtra extra;
    extra.size = runs;
    extra.trials = trials;
    extra.bytes = bytes;
    workload->extras.push_back(extra);
  }
  for (const GridNode& node : nodes) workload->times.push_back(node.tau);
  return scenario_of(std::make_shared<const Platform>(spec), workload);
}

PolicySetup literature_policy(const std::string& name, const std::map<std::string, Value>& given = {}) {
  const ConfigPtr config = Catalogue().configure(name, given);
  return {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants};
}

Outcome literature_run(std::shared_ptr<Scenario> scenario, const std::string& name,
                       const std::map<std::string, Value>& given = {}) {
  scenario->check();
  Simulation simulation(std::move(scenario), literature_policy(name, given));
  simulation.run();
  Outcome outcome = simulation.outcome();
  INFO(name << (outcome.waiting.empty() ? std::string() : ": " + outcome.waiting.front()));
  REQUIRE(outcome.status == RunStatus::complete);
  const auto violations = validate(outcome);
  INFO((violations.empty() ? std::string() : violations.front()));
  REQUIRE(violations.empty());
  return outcome;
}

// Runs of each package in order of start.
struct Given {
  std::uint32_t host;
  double runs, from, to;
  bool operator==(const Given&) const = default;
};
std::vector<Given> given_in(const Outcome& outcome) {
  std::map<std::uint32_t, std::size_t> place;
  std::vector<Given> all;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& r = outcome.trace[i];
    if (r.what != ActivityKind::compute) continue;
    if (r.kind == RecordKind::started) {
      place[r.activity] = all.size();
      all.push_back({r.on.host().index, r.size, r.time, -1});
    }
    if (r.kind == RecordKind::ended) all[place[r.activity]].to = r.time;
  }
  return all;
}
// "8 4 4": runs of the packages of one host, in order.
std::string sizes(const std::vector<Given>& all, std::uint32_t host) {
  std::string out;
  for (const Given& each : all)
    if (each.host == host) out += (out.empty() ? "" : " ") + std::to_string(static_cast<int>(each.runs));
  return out;
}
std::vector<double> note_values(const Outcome& outcome, const std::string& name) {
  for (const Note& note : outcome.trace.notes())
    if (note.name == name) return note.values;
  return {};
}

// Idle nodes take next(node, left) runs: more cores first, then more runs/s in the last job, then in order of
// the list.
double by_hand(const std::vector<GridNode>& nodes, double runs, int trials,
               const std::function<double(std::size_t, double)>& next) {
  std::vector<double> until(nodes.size(), 0), power(nodes.size(), 0), size(nodes.size(), 0),
      since(nodes.size());
  double left = runs, end = 0;
  while (left > 0) {
    const double now = std::ranges::min(until);
    std::vector<std::size_t> idle;
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (until[n] <= now + 1e-9) {
        if (size[n] > 0) power[n] = size[n] / (until[n] - since[n]);
        idle.push_back(n);
      }
    std::stable_sort(idle.begin(), idle.end(), [&](std::size_t a, std::size_t b) {
      if (nodes[a].cores != nodes[b].cores) return nodes[a].cores > nodes[b].cores;
      return power[a] > power[b] + 1e-10;
    });
    for (const std::size_t n : idle) {
      if (left == 0) break;
      size[n] = std::min(left, next(n, left));
      left -= size[n];
      since[n] = now;
      until[n] = now + std::ceil(size[n] * trials / nodes[n].slots) * nodes[n].tau;
      end = std::max(end, until[n]);
    }
  }
  return end;
}

}  // namespace

TEST_CASE("the worked example under the schedulers of the literature") {
  // Static: 12 runs each, D 120 simulations of 1 s one after another.
  const auto makespan = [](const std::string& name, const std::map<std::string, Value>& given = {}) {
    return literature_run(scenario_for(kLiteratureNodes, 60, 10), name, given).end;
  };
  CHECK(makespan("static_round_robin") == 120);
  CHECK(makespan("workqueue", {{"chunk", 1.}, {"order", "cores"}}) == 52.5);
  CHECK(makespan("workqueue", {{"chunk", 4.}, {"order", "cores"}}) == 50);
  CHECK(makespan("factoring") == 60);
  CHECK(makespan("calibrated") == 50);
  CHECK(makespan("calibrated", {{"single", true}}) == 55);
  // Without data two-phase probing is calibration in a single installment: 22 6 14 4 9 of 55 runs.
  CHECK(makespan("two_phase") == 55);
}

TEST_CASE("static_round_robin: the first hosts have a run more") {
  const auto all = given_in(literature_run(scenario_for(kLiteratureNodes, 12, 10), "static_round_robin"));
  REQUIRE(all.size() == 5);
  CHECK(sizes(all, 0) + sizes(all, 1) + sizes(all, 2) + sizes(all, 3) + sizes(all, 4) == "33222");
  CHECK(given_in(literature_run(scenario_for(kLiteratureNodes, 3, 10), "static_round_robin")).size() == 3);
}

TEST_CASE("factoring: batches by half") {
  // 60 runs: five chunks of 6, 30 left: five of 3, 15: 2 (15/10 up), 5: 1.
  const auto all = given_in(literature_run(scenario_for(kLiteratureNodes, 60, 10), "factoring"));
  std::vector<double> runs;
  for (const Given& each : all) runs.push_back(each.runs);
  CHECK(runs == std::vector<double>{6, 6, 6, 6, 6, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1});
}

TEST_CASE("calibrated: the worked example") {
  const Outcome outcome = literature_run(scenario_for(kLiteratureNodes, 60, 10), "calibrated");
  const std::vector<double> found = note_values(outcome, "calibration");  // k, CV; host, F, alpha each
  const double expected[] = {2.096234, .533196, 1, .394737, 10, 2, .105263, 3, 3,
                             .263158,  7,       4, .078947, 2,  5, .157895, 4};
  REQUIRE(found.size() == std::size(expected));
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).margin(5e-7));
  const auto all = given_in(outcome);
  for (std::size_t i = 0; i < 5; ++i) CHECK(all[i] == Given{static_cast<std::uint32_t>(i), 1, 0, all[i].to});
  // After the barrier at 10 s, hosts are served in descending F: A C E B D.
  std::vector<std::uint32_t> order;
  for (std::size_t i = 5; i < 10; ++i) {
    CHECK(all[i].from == 10);
    order.push_back(all[i].host);
  }
  CHECK(order == std::vector<std::uint32_t>{0, 2, 4, 1, 3});
  CHECK(sizes(all, 1).substr(0, 3) == "1 3");
}

TEST_CASE("calibrated: fits, what they need, and what happens where they cannot be made") {
  auto nodes = kLiteratureNodes;
  for (GridNode& node : nodes) node.bandwidth = 1e18, node.latency = node.tau / 10;
  // All hosts have the same availability, so the fit is singular.
  const Outcome same = literature_run(scenario_for(nodes, 60, 10, 1), "calibrated", {{"mode", "univariate"}});
  CHECK(note_values(same, "calibration").size() == 17);
  CHECK(std::ranges::count(same.trace.notes(), std::string("fit_fallback"), &Note::name) == 1);
  // Without links there is no latency.
  try {
    literature_run(scenario_for(kLiteratureNodes, 60, 10), "calibrated", {{"mode", "multivariate"}});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.diagnostic().code == "missing_availability");
    CHECK_THAT(error.diagnostic().message, Catch::Contains("cluster 'A' has no link"));
  }
  // Availabilities and latencies that differ: the indices are those of the fit.
  PlatformSpec spec;
  const double available[] = {1, .4, .9, .3, .7}, latency[] = {.1, .5, .2, .2, .4};
  for (std::size_t h = 0; h < 5; ++h) {
    auto cluster = with_link(cluster_of({1}, std::string(1, static_cast<char>('A' + h))), 1, latency[h]);
    cluster.hosts[0].availability = Profile(available[h]);
    spec.clusters.push_back(cluster);
  }
  const auto scenario = scenario_of(std::make_shared<const Platform>(spec), sweep_of(60, 10));
  const Outcome fitted = literature_run(scenario, "calibrated", {{"mode", "multivariate"}});
  std::vector<double> times;
  for (const double a : available) times.push_back(10 / a);  // ten simulations of 1 s
  const Calibration expected = calibrate(CalibrationMode::multivariate, times, available, latency, 55, false);
  const std::vector<double> found = note_values(fitted, "calibration");
  REQUIRE(found.size() == 17);
  CHECK(!expected.fell_back);
  for (std::size_t h = 0; h < 5; ++h) {
    CHECK(found[3 * h + 3] == Approx(expected.fitness[h]));
    CHECK(found[3 * h + 4] == expected.packages[h]);
  }
}

TEST_CASE("calibrated: recalibration follows a host that becomes slow") {
  // Two equal hosts; the second has a tenth of its speed from 30 s on. Recalibrated it gets fewer runs.
  const auto end = [](bool recalibrate) {
    auto scenario = scenario_of(platform_of({cluster_of({1, 1})}), sweep_of(200, 1));
    scenario->happenings = {happening(30, HappeningKind::change, ResourceId::of(HostId(1)), Cause::change)};
    scenario->happenings[0].factor = 0.1;
    return literature_run(scenario, "calibrated", {{"recalibrate", recalibrate}}).end;
  };
  CHECK(end(true) <= end(false));
}

TEST_CASE("weighted and adaptive factoring") {
  // By cores 8 4 4 2 2 of 20: of 30 runs in the first batch 12 6 6 3 3.
  const auto all = given_in(literature_run(scenario_for(kLiteratureNodes, 60, 10), "weighted_factoring"));
  for (std::uint32_t host = 0; host < 5; ++host)
    CHECK(all[host].runs == std::vector<double>{12, 6, 6, 3, 3}[host]);
  // By the estimates, .8 .16 .4 .1 .2 runs/s of 1.66: 30 * share, up: 14.46 2.89 7.23 1.81 3.61.
  const auto estimated = given_in(literature_run(scenario_for(kLiteratureNodes, 60, 10), "weighted_factoring",
                                                 {{"weights", "estimate"}}));
  for (std::uint32_t host = 0; host < 5; ++host)
    CHECK(estimated[host].runs == std::vector<double>{15, 3, 8, 2, 4}[host]);
  // Learnt weights: the first batch knows nothing, 6 each. AWF-B learns at a batch, AWF only at the next
  // sweep.
  const std::map<std::string, std::vector<double>> second = {
      // A takes the sixth chunk at 8 s, when it alone has finished (6 runs in 8 s): its weight is 1 among
      // equals. Then C at 15 s.
      {"batch", {6, 6, 6, 6, 6, 3}},
      {"chunk", {6, 6, 6, 6, 6, 3}},
      {"sweep", {6, 6, 6, 6, 6, 3}}};
  for (const auto& [when, runs] : second) {
    const auto learnt = given_in(
        literature_run(scenario_for(kLiteratureNodes, 60, 10), "adaptive_factoring", {{"learns", when}}));
    for (std::size_t i = 0; i < runs.size(); ++i) CHECK(learnt[i].runs == runs[i]);
  }
  // The second sweep begins with weights measured in the first one: runs and times of all its packages.
  const Outcome two = literature_run(scenario_for(kLiteratureNodes, 60, 10, 0, 2), "adaptive_factoring",
                                     {{"learns", "sweep"}});
  const auto both = given_in(two);
  std::vector<double> runs(5, 0), times(5, 0), first(5, 0);
  const double opened = std::max_element(both.begin(), both.begin() + 20, [](const Given& a, const Given& b) {
                          return a.to < b.to;
                        })->to;
  for (const Given& each : both) {
    if (each.from >= opened && first[each.host] == 0) first[each.host] = each.runs;
    if (each.from >= opened) continue;
    runs[each.host] += each.runs;
    times[each.host] += each.to - each.from;
  }
  double speeds = 0;
  for (std::size_t h = 0; h < 5; ++h) speeds += runs[h] / times[h];
  for (std::size_t h = 0; h < 5; ++h) CHECK(first[h] == std::ceil(30 * runs[h] / times[h] / speeds - 1e-9));
}

TEST_CASE("on demand: as a few lines of simulation have it") {
  Stream random(17, "on demand");
  for (int round = 0; round < 300; ++round) {
    INFO("round " << round);
    std::vector<GridNode> nodes(1 + random.below(6));
    for (GridNode& node : nodes) {
      node.cores = 1 << random.below(4);
      node.slots = 1 + static_cast<int>(random.below(8));
      node.tau = random.uniform(0.5, 3);  // no two ends coincide
    }
    const double runs = static_cast<double>(1 + random.below(200));
    const auto trials = static_cast<std::int32_t>(1 + random.below(10));
    const double chunk = static_cast<double>(1 + random.below(5));
    CHECK(
        literature_run(scenario_for(nodes, runs, trials), "workqueue", {{"chunk", chunk}, {"order", "cores"}})
            .end == Approx(by_hand(nodes, runs, trials, [&](std::size_t, double) { return chunk; })));
    const std::vector<double> sequence = factoring_sequence(runs, nodes.size(), NAN);
    std::size_t taken = 0;
    CHECK(literature_run(scenario_for(nodes, runs, trials), "factoring").end ==
          Approx(by_hand(nodes, runs, trials,
                         [&](std::size_t, double) { return sequence[taken++ / nodes.size()]; })));
    std::vector<double> tiles, shares;
    double cores = 0;
    for (const GridNode& node : nodes) cores += node.cores;
    for (const GridNode& node : nodes) shares.push_back(runs * node.cores / cores);
    tiles = largest_remainder(shares);
    double borrowed = 0;
    const Outcome fractiled = literature_run(scenario_for(nodes, runs, trials), "fractiling");
    CHECK(fractiled.end == Approx(by_hand(nodes, runs, trials, [&](std::size_t n, double) {
            const std::size_t tile =
                tiles[n] > 0 ? n : static_cast<std::size_t>(std::ranges::max_element(tiles) - tiles.begin());
            const double size = std::ceil(tiles[tile] / 2);
            tiles[tile] -= size;
            if (tile != n) borrowed += size;
            return size;
          })));
    CHECK(note_values(fractiled, "borrowed") == std::vector<double>{borrowed / runs});
  }
}

TEST_CASE("fractiling: a host's packages lie in its tile until it is empty") {
  // 40 runs, 2 hosts of the same cores: tiles [0, 20) and [20, 40); half of each: 10 5 3 1 1.
  const Outcome outcome = literature_run(scenario_for({{1, 1, 1}, {1, 1, 1}}, 40, 1), "fractiling");
  CHECK(sizes(given_in(outcome), 0) == "10 5 3 1 1");
  CHECK(sizes(given_in(outcome), 1) == "10 5 3 1 1");
  CHECK(note_values(outcome, "borrowed") == std::vector<double>{0});
  for (std::size_t i = 0; i < outcome.trace.size(); ++i)
    if (const Record& r = outcome.trace[i]; r.kind == RecordKind::started)
      CHECK((r.first >= 20) == (r.on.host().index == 1));
}

TEST_CASE("multi_installment in the engine: the published fractions") {
  // w = 1 s, z = 0.2 s for the whole load, cut into a million runs.
  const double runs = 1e6;
  const GridNode node{1, 1, 1 / runs, 0, runs / .2};
  const Outcome outcome =
      literature_run(scenario_for({node, node}, runs, 1, 1), "multi_installment", {{"installments", 2.}});
  CHECK(outcome.end == Approx(.536927).margin(2e-6));
  const auto all = given_in(outcome);
  const double printed[] = {.110512, .148248, .404313, .336927};
  REQUIRE(all.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(all[i].runs / runs == Approx(printed[i]).margin(2e-6));
}

TEST_CASE("umr in the engine: 7 rounds, 104.15512 s") {
  // W = 1000, N = 10, S = 1, B = 20, cLat = .3, nLat = .1, with a run cut into 10^5.
  const double parts = 1e5;
  const GridNode node{1, 1, 1 / parts, .1, 20 * parts, .3};
  const Outcome outcome =
      literature_run(scenario_for(std::vector<GridNode>(10, node), 1000 * parts, 1, 1), "umr");
  CHECK(outcome.end == Approx(104.15512).margin(1e-4));
  const std::vector<double> plan = note_values(outcome, "rounds");
  REQUIRE(plan.size() == 3);
  CHECK(plan[0] == 7);
  CHECK(plan[1] == 10);
  CHECK(plan[2] == Approx(104.15512).margin(5e-6));
  const auto all = given_in(outcome);
  REQUIRE(all.size() == 70);
  const double chunks[] = {2.11024, 2.82047, 4.24094, 7.08189, 12.76378, 24.12756, 46.85512};
  std::map<std::uint32_t, std::size_t> round;
  for (const Given& each : all) CHECK(each.runs / parts == Approx(chunks[round[each.host]++]).margin(2e-5));
  CHECK(literature_run(scenario_for(std::vector<GridNode>(10, node), 1000 * parts, 1, 1), "umr",
                       {{"rounds", 1.}})
            .end > outcome.end);
}

TEST_CASE("plans for hosts and links of all kinds end when they are predicted to") {
  Stream random(23, "plans");
  for (int round = 0; round < 60; ++round) {
    INFO("round " << round);
    const double runs = 1e7;
    std::vector<GridNode> nodes(1 + random.below(5));
    for (GridNode& node : nodes)
      node = {1,
              1,
              random.uniform(1, 3) / 1e5,
              random.uniform(0, .3),
              random.uniform(3, 12) * 1e5,
              random.uniform(0, .3)};
    for (const std::string name : {"umr", "mrrs"}) {
      const Outcome outcome = literature_run(scenario_for(nodes, runs, 1, 1), name);
      CHECK(outcome.end == Approx(note_values(outcome, "rounds").at(2)).epsilon(1e-5));
      if (name == "mrrs") {
        std::vector<std::uint32_t> hosts;
        for (const Given& each : given_in(outcome)) hosts.push_back(each.host);
        std::sort(hosts.begin(), hosts.end());
        hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
        CHECK(static_cast<double>(hosts.size()) == note_values(outcome, "rounds").at(1));
      }
    }
    for (GridNode& node : nodes) node.latency = node.setup = 0;
    const Outcome outcome =
        literature_run(scenario_for(nodes, runs, 1, 1), "multi_installment", {{"installments", 3.}});
    CHECK(outcome.end == Approx(note_values(outcome, "installments").at(1)).epsilon(1e-5));
  }
}

TEST_CASE("rumr: the published splits; then factoring") {
  const double parts = 100;
  const GridNode node{1, 1, 1 / parts, .1, 20 * parts, .3};
  const std::vector<GridNode> nodes(10, node);
  const auto split = [&](const Value& error) {
    const Outcome outcome =
        literature_run(scenario_for(nodes, 1000 * parts, 1, 1), "rumr", {{"error", error}});
    const std::vector<double> values = note_values(outcome, "split");
    REQUIRE(values.size() == 2);
    return std::pair(values[0] / parts, values[1] / parts);
  };
  CHECK(split(.2) == std::pair(800., 200.));
  CHECK(split(.01) == std::pair(1000., 0.));
  CHECK(split(1.5) == std::pair(0., 1000.));
  CHECK(split("unknown") == std::pair(800., 200.));
  // All by factoring, with the bound (0.3 + 10 * 0.1) * 100 / 1.5 = 86.7 runs: half of the runs left, in
  // tens.
  const auto all =
      given_in(literature_run(scenario_for(nodes, 1000 * parts, 1, 1), "rumr", {{"error", 1.5}}));
  CHECK(all.front().runs == 5000);
  std::vector<double> kinds;
  for (const Given& each : all)
    if (kinds.empty() || each.runs != kinds.back()) kinds.push_back(each.runs);
  CHECK(kinds[1] == 2500);
  CHECK(std::ranges::count(kinds, 87.) == 1);
}

TEST_CASE("two_phase: what it measures, and then all end together") {
  // Speeds and links differ, no latency: after the probes the estimates are exact.
  const double parts = 1e5;
  const std::vector<GridNode> nodes = {
      {1, 1, 1 / parts, 0, 4 * parts}, {1, 1, 2 / parts, 0, 8 * parts}, {1, 1, .5 / parts, 0, 2 * parts}};
  const double runs = 100 * parts;
  const Outcome outcome = literature_run(scenario_for(nodes, runs, 1, 1), "two_phase", {{"probe", .02}});
  const auto all = given_in(outcome);
  REQUIRE(all.size() == 6);
  for (std::size_t i = 0; i < 3; ++i) CHECK(all[i].runs == std::round(.02 * runs / 3));
  // Ascending time to send: B, A, C; all end at the same time.
  std::vector<std::uint32_t> order;
  for (std::size_t i = 3; i < 6; ++i) {
    order.push_back(all[i].host);
    CHECK(all[i].to == Approx(outcome.end).epsilon(1e-6));
  }
  CHECK(order == std::vector<std::uint32_t>{1, 0, 2});
  const Cut cut = single_installment(
      std::vector<Worker>{{parts, 4 * parts}, {parts / 2, 8 * parts}, {2 * parts, 2 * parts}});
  const double left = runs - 3 * all[0].runs;
  for (std::size_t i = 0; i < 3; ++i) CHECK(all[3 + i].runs / left == Approx(cut.fraction[i]).epsilon(1e-5));
  // A host that has answered goes on in the meantime, and the end is earlier.
  CHECK(literature_run(scenario_for(kLiteratureNodes, 60, 10), "two_phase", {{"mode", "continue"}}).end < 55);
}

TEST_CASE("what a plan refuses: rounds that are too many, links that carry nothing") {
  const GridNode node{1, 1, 1, .5, 2, .1};
  const auto code = [&](const GridNode& of, const std::string& name,
                        const std::map<std::string, Value>& given) {
    try {
      literature_run(scenario_for({of, of}, 20, 1, 1), name, given);
    } catch (const Error& error) {
      return error.diagnostic().code;
    }
    return std::string("none");
  };
  CHECK(code(node, "umr", {{"rounds", 50.}}) == "infeasible_rounds");
  CHECK(code(node, "mrrs", {{"rounds", 50.}}) == "infeasible_rounds");
  CHECK(code(node, "rumr", {{"rounds", 50.}, {"error", 0.}}) == "infeasible_rounds");
  GridNode dead = node;
  dead.bandwidth = 0;
  for (const char* name : {"umr", "mrrs", "rumr", "multi_installment"})
    CHECK(code(dead, name, {}) == "bad_link");
}

TEST_CASE("a lost host's runs are dealt again, none twice") {
  for (const char* name :
       {"static_round_robin", "factoring", "weighted_factoring", "adaptive_factoring", "fractiling",
        "multi_installment", "umr", "mrrs", "rumr", "two_phase", "calibrated"}) {
    INFO(name);
    for (const double bytes : {0., 3.}) {
      auto nodes = kLiteratureNodes;
      for (GridNode& node : nodes) node.bandwidth = 100, node.latency = .1;
      auto scenario = scenario_for(nodes, 60, 10, bytes);
      // A goes at 4 s for good, C is away from 12 to 20 s.
      scenario->happenings = {
          happening(4, HappeningKind::leave, ResourceId::of(HostId(0)), Cause::membership),
          happening(12, HappeningKind::down, ResourceId::of(HostId(2))),
          happening(20, HappeningKind::up, ResourceId::of(HostId(2)))};
      std::vector<int> done(60, 0);
      const Outcome outcome = literature_run(scenario, name);
      for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
        const Record& r = outcome.trace[i];
        if (r.what != ActivityKind::compute || r.kind != RecordKind::ended) continue;
        for (double k = r.first; k < r.first + r.size; ++k) ++done[static_cast<std::size_t>(k)];
      }
      CHECK(done == std::vector<int>(60, 1));
    }
  }
}
