// Admitted loads are in time, by the validator, in cases that are hard for a head: equal instants and
// deadlines, deadlines that can just be kept, slivers of loads, and every way in which the channel can be
// shared.
#include "runtime/results/job_rows.h"
#include "runtime/results/metrics.h"
#include "tests/runtime/schedulers/realtime/loads.h"
#include "tests/support/layers.h"
#include "tests/support/rounds.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

struct Variant {
  std::string policy;
  std::map<std::string, Value> given;
  bool set_ups;
};

const std::vector<Variant> kSafe = {
    {"fifo", {}, true},
    {"edf", {}, true},
    {"mwf", {}, true},
    {"fifo", {{"partition", "equal"}}, true},
    {"edf", {{"partition", "equal"}}, true},
    {"mwf", {{"partition", "equal"}}, true},
    {"edf", {{"nodes", "all"}}, true},
    {"fifo", {{"nodes", "all"}, {"wait_for_all", true}}, true},
    {"edf", {{"nodes", "all"}, {"partition", "equal"}}, true},
    {"edf", {{"channel", "head"}}, true},
    {"edf_iit_1", {}, false},
    {"edf_iit_2", {}, false},
    {"fast_edf_iit", {}, false},
};

struct PromisesCase {
  Head head;
  std::vector<Load> loads;
};

// Few different times, sizes and deadlines, so that they coincide. Some deadlines are exactly the time of a
// load.
PromisesCase promises_random_case(std::uint64_t seed, bool set_ups) {
  Stream random(seed, "promises");
  const auto one_of = [&](std::initializer_list<double> values) {
    return values.begin()[random.below(values.size())];
  };
  PromisesCase out{{1 + random.below(8), {one_of({0.001, 0.1, 1, 20}), one_of({0.1, 1, 4, 100})}}, {}};
  out.head.sharing = static_cast<Sharing>(random.below(3));
  if (set_ups && random.below(2) == 0) {
    out.head.costs.transmission_setup = one_of({0, 0.5, 10});
    out.head.costs.computation_setup = one_of({0, 0.5, 10});
  }
  const DivisibleCosts costs(out.head.costs, Partition::optimal);
  const Seconds typical = costs.time(4, std::min(out.head.nodes, costs.useful_nodes(4)));
  const std::size_t loads = 2 + random.below(25);
  Time now = 0;
  for (std::size_t l = 0; l < loads; ++l) {
    if (random.below(3) != 0) now += typical * one_of({0.125, 0.25, 1, 3});
    const double size = random.below(6) == 0 ? one_of({1e-9, 1e-6, 1e3}) : one_of({1, 2, 4, 8});
    const std::size_t nodes = std::min(1 + random.below(out.head.nodes), costs.useful_nodes(size));
    const Seconds just = costs.time(size, nodes);
    const Seconds within = random.below(3) == 0 ? just * one_of({1, 1 - 1e-12, 1 + 5e-10, 2})
                                                : typical * one_of({0.5, 1, 2, 4, 8});
    out.loads.push_back({now, size, within});
  }
  return out;
}

}  // namespace

TEST_CASE("no admitted load is late under policies that keep deadlines") {
  for (const Variant& variant : kSafe) {
    std::size_t admitted = 0, refused = 0;
    for (std::uint64_t seed = 1; seed <= rounds(500); ++seed) {
      const PromisesCase each = promises_random_case(seed, variant.set_ups);
      INFO(variant.policy << ", seed " << seed);
      const Outcome outcome = run(each.head, each.loads, variant.policy, variant.given);
      REQUIRE(outcome.keeps_deadlines);
      for (const JobRow& row : job_rows(outcome)) ++(row.state == WorkState::rejected ? refused : admitted);
    }
    CHECK(admitted > rounds(1000));
    CHECK(refused > rounds(1000));
  }
}

TEST_CASE("a head goes on without nodes that are gone for good, or come later") {
  std::size_t lost = 0;
  for (const Variant& variant : kSafe)
    for (std::uint64_t seed = 1; seed <= rounds(200); ++seed) {
      const PromisesCase each = promises_random_case(seed, variant.set_ups);
      const auto scenario = scenario_of_loads(each.head, each.loads);
      Stream random(seed, "nodes that go");
      const Time last = each.loads.back().arrival + each.loads.back().within;
      for (std::size_t h = 1; h < each.head.nodes; ++h) {  // the first one stays
        const ResourceId host = ResourceId::of(HostId(h));
        const Time at = last * random.uniform();
        if (random.below(3) == 0) scenario->happenings.push_back(happening(at, HappeningKind::down, host));
        if (random.below(3) == 0)
          scenario->happenings.push_back(happening(at, HappeningKind::leave, host, Cause::membership));
        if (random.below(3) == 0)
          scenario->happenings.push_back(happening(at / 2, HappeningKind::join, host, Cause::membership));
      }
      scenario->check();
      const ConfigPtr config = Catalogue().configure(variant.policy, variant.given);
      Simulation simulation(
          scenario, {variant.policy, config->make_policy(), config->entry->accepts, config->entry->instants});
      simulation.run();
      const Outcome outcome = simulation.outcome();
      const auto violations = validate(outcome);
      INFO(variant.policy << ", seed " << seed << (violations.empty() ? "" : ": " + violations.front())
                          << (outcome.waiting.empty() ? "" : "; " + outcome.waiting.front()));
      REQUIRE(outcome.status == RunStatus::complete);
      REQUIRE(violations.empty());
      lost += static_cast<std::size_t>(measure(outcome)["lost"]);
    }
  CHECK(lost > rounds(500));
}

TEST_CASE("a head that takes over finishes what another one has admitted") {
  std::size_t taken = 0;
  for (std::uint64_t seed = 1; seed <= rounds(300); ++seed) {
    const PromisesCase each = promises_random_case(seed, false);
    const Variant &from = kSafe[seed % kSafe.size()], &to = kSafe[(seed / kSafe.size()) % kSafe.size()];
    const auto setup = [](const Variant& variant) {
      const ConfigPtr config = Catalogue().configure(variant.policy, variant.given);
      return PolicySetup{variant.policy, config->make_policy(), config->entry->accepts,
                         config->entry->instants};
    };
    Simulation simulation(scenario_of_loads(each.head, each.loads), setup(from));
    simulation.run_until(each.loads[each.loads.size() / 2].arrival);
    if (simulation.over()) continue;
    simulation.set_policy(setup(to));
    simulation.run();
    const Outcome outcome = simulation.outcome();
    INFO(from.policy << " to " << to.policy << ", seed " << seed);
    REQUIRE(outcome.status == RunStatus::complete);
    REQUIRE(validate(outcome).empty());
    REQUIRE_FALSE(outcome.keeps_deadlines);
    for (const WorkState state : outcome.works)
      CHECK((state == WorkState::finished || state == WorkState::rejected || state == WorkState::expired));
    ++taken;
  }
  CHECK(taken > rounds(200));
}

TEST_CASE("the validator reports a promise that is not kept, where it holds") {
  const Head head{4, {1, 4}};
  Outcome literal = run(head, {{0, 8, 16}, {1, 1, 4}}, "fast_edf_iit", {{"start", "literal"}});
  CHECK_FALSE(literal.keeps_deadlines);
  literal.keeps_deadlines = true;
  REQUIRE(validate(literal) ==
          std::vector<std::string>{"t = 5: load 2 was accepted, but is not finished by its deadline 5"});
  auto untrue = std::make_shared<Scenario>(*literal.scenario);  // declared times are wrong
  auto workload = std::make_shared<Workload>(*untrue->workload);
  for (Work& work : workload->works) work.estimate = 3;
  untrue->workload = workload;
  Outcome estimated = literal;
  estimated.scenario = untrue;
  CHECK(validate(estimated).empty());

  // Two nodes, 4 s to send and 4 s to compute each load; both are planned from 0 to 8 on a node each.
  Outcome loads = run({2, {1, 1}}, {{0, 4, 8}, {0, 4, 8}}, "edf", {{"channel", "load"}});
  CHECK_FALSE(loads.keeps_deadlines);
  loads.keeps_deadlines = true;
  REQUIRE(validate(loads) ==
          std::vector<std::string>{"t = 8: load 2 was accepted, but is not finished by its deadline 8"});
  CHECK(run({2, {1, 1}, Sharing::unlimited}, {{0, 4, 8}}, "edf", {{"channel", "load"}}).keeps_deadlines);
  CHECK_FALSE(run(head, {{0, 4, 8}}, "edf", {{"tolerance", 1e-6}}).keeps_deadlines);
}
