// Coordinators of sweeps beyond the publication's example: hosts that fail and come, several sweeps,
// functions of the round, questions. All numbers are worked out by hand.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "runtime/engine/why.h"
#include "runtime/results/explanation.h"
#include "runtime/schedulers/sweep/node_power.h"
#include "runtime/schedulers/sweep/round_state.h"
#include "runtime/schedulers/sweep/rounds.h"
#include "tests/runtime/schedulers/sweep/chapter3.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using Answers = std::function<Rule::Answer(double, const RoundState&)>;

class CoordinatorSays final : public Rule {
 public:
  explicit CoordinatorSays(Answers answers) : answers_(std::move(answers)) {}
  std::unique_ptr<Rule> clone() const override { return std::make_unique<CoordinatorSays>(*this); }
  std::string text() const override { return "says"; }
  Answer ask_round(double round, const RoundState& state) override { return answers_(round, state); }

 private:
  Answers answers_;
};
RulePtr says(Answers answers) { return std::make_shared<const CoordinatorSays>(std::move(answers)); }

// Hosts of one core and one slot; a simulation takes 1 s on each.
std::vector<Node> equal_nodes(std::size_t count) {
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < count; ++i)
    nodes.push_back({std::string(1, static_cast<char>('X' + i)), 1, 1, 1});
  return nodes;
}

ResourceId coordinator_host(std::uint32_t index) { return ResourceId::of(HostId(index)); }

void add_sweep(Scenario& scenario, double runs, Time arrival) {
  auto workload = std::make_shared<Workload>(*scenario.workload);
  Work work = workload->works.front();
  work.extra = static_cast<std::uint32_t>(workload->extras.size());
  work.arrival = arrival;
  workload->extras.push_back(workload->extras.front());
  workload->extras.back().size = runs;
  workload->works.push_back(work);
  scenario.workload = workload;
}

std::vector<double> sums(const Outcome& outcome) {
  std::vector<double> all;
  for (const PowerUpdate& update : power_history(outcome.trace.notes())) {
    all.push_back(0);
    for (const double share : update.enpr) all.back() += share;
  }
  return all;
}

}  // namespace

TEST_CASE("runs of a host that fails are dealt out again; it comes back with the share of its cores") {
  // 12 runs, 6 a round. Y loses runs 2 and 3 at 1 s. At 2 s X has half of the ENPR, 3 runs, but only those
  // two stand at the front of the queue; Z gets 3. Y is back at 3 s with a third, 2 runs. At 4 s X would get
  // 3, with 1/2 * 1/3 + 1/2 * 1/2 of the ENPR, but 1 is left.
  auto scenario = sweep_scenario(equal_nodes(3), 12, 1);
  scenario->happenings = {happening(1, HappeningKind::down, coordinator_host(1)),
                          happening(3, HappeningKind::up, coordinator_host(1))};
  const Outcome outcome = outcome_of(scenario, "amra", {{"rounds", 2.0}});
  CHECK(outcome.end == 5);
  CHECK(timeline(outcome, "X") == "0-2:2 2-4:2 4-5:1");
  CHECK(timeline(outcome, "Y") == "0-1:2! 3-5:2");
  CHECK(timeline(outcome, "Z") == "0-2:2 2-5:3");
  const std::vector<std::vector<double>> shares = {{1.0 / 3, 1.0 / 3, 1.0 / 3},
                                                   {.5, 0, .5},
                                                   {.5, 0, .5},
                                                   {1.0 / 3, 1.0 / 3, 1.0 / 3},
                                                   {5.0 / 12, 1.0 / 6, 5.0 / 12}};
  const std::vector<PowerUpdate> updates = power_history(outcome.trace.notes());
  REQUIRE(updates.size() == shares.size());
  for (std::size_t u = 0; u < shares.size(); ++u)
    for (std::size_t h = 0; h < 3; ++h) CHECK(updates[u].enpr[h] == Approx(shares[u][h]).epsilon(1e-12));
}

TEST_CASE("what stands still on a host that stays down is copied when nothing else is under way") {
  auto scenario = sweep_scenario(equal_nodes(2), 4, 1);
  scenario->compute_rule = OnFailure::resumed;
  scenario->happenings = {happening(1, HappeningKind::down, coordinator_host(1))};
  for (const std::string name : {"amrs", "amra"}) {
    const Outcome outcome = outcome_of(scenario, name, {{"rounds", 1.0}});
    CHECK(timeline(outcome, "X") == "0-2:2 +2-4:2");
    CHECK(timeline(outcome, "Y") == "0-4:2x");
    CHECK(outcome.status == RunStatus::complete);
  }
}

TEST_CASE("the next round of amrs does not wait for a host that has gone; one that comes waits for it") {
  // 12 runs, 6 a round, 2 each. Z loses its own at 1 s; the round ends at 2 s, and X and Y get 3 each. Z is
  // back at 3 s. At 5 s 2 runs are left; X and Y have 5/12 of the ENPR, 3 runs each, and that fills the
  // round.
  auto scenario = sweep_scenario(equal_nodes(3), 12, 1);
  scenario->happenings = {happening(1, HappeningKind::down, coordinator_host(2)),
                          happening(3, HappeningKind::up, coordinator_host(2))};
  const Outcome outcome = outcome_of(scenario, "amrs", {{"rounds", 2.0}});
  CHECK(timeline(outcome, "X") == "0-2:2 2-5:3 5-7:2");
  CHECK(timeline(outcome, "Y") == "0-2:2 2-5:3");
  CHECK(timeline(outcome, "Z") == "0-1:2!");
  CHECK(outcome.end == 7);
}

TEST_CASE("a host that joins later takes part, one that cannot run the sweep does not") {
  auto scenario = sweep_scenario(chapter3_nodes());
  auto workload = std::make_shared<Workload>(*scenario->workload);
  workload->times[3] = kNever;  // D
  scenario->workload = workload;
  Happening join = happening(12, HappeningKind::join, coordinator_host(4), Cause::membership);
  scenario->happenings = {join};
  for (const std::string name : {"amrs", "amra", "samra", "ssse_amra", "issse_amra"}) {
    INFO(name);
    const Outcome outcome = outcome_of(scenario, name, {});
    CHECK(outcome.status == RunStatus::complete);
    CHECK(timeline(outcome, "D").empty());
    if (name != "amrs") CHECK(!timeline(outcome, "E").empty());  // amrs fills its rounds before E is asked
    for (const double sum : sums(outcome)) CHECK(sum == Approx(1).epsilon(1e-12));
    const PowerUpdate first = power_history(outcome.trace.notes()).front();
    CHECK(first.enpr == std::vector<double>{0.5, 0.25, 0.25, 0, 0});  // 8, 4 and 4 cores
  }
}

TEST_CASE("sweeps are dealt out one after another, and what was learnt of hosts is forgotten") {
  // 4 runs on X and Y, of which Y is three times slower; the second sweep, there since 1 s, begins when the
  // first is finished, with equal shares again.
  auto scenario = sweep_scenario({{"X", 1, 1, 1}, {"Y", 1, 1, 3}}, 4, 1);
  add_sweep(*scenario, 4, 1);
  add_sweep(*scenario, 2, 0.5);  // arrives before it
  const Outcome outcome = outcome_of(scenario, "amra", {{"rounds", 1.0}});
  CHECK(timeline(outcome, "X") == "0-2:2 6-7:1 9-11:2");
  CHECK(timeline(outcome, "Y") == "0-6:2 6-9:1 9-15:2");
  CHECK(outcome.end == 15);
  for (const PowerUpdate& update : power_history(outcome.trace.notes()))
    if (update.time == 6 || update.time == 9) {
      CHECK(update.enpr == std::vector<double>{.5, .5});
      CHECK(update.npp == std::vector<double>{0, 0});
      CHECK(update.work.index == (update.time == 6 ? 2 : 1));
    }
}

TEST_CASE("a copy takes its whole host, whatever the cores of the original's") {
  // One round of 3 runs of 4 trials. X gets 2 runs, 8 simulations on 4 slots of 10 s each: 20 s. Y gets 1
  // run, 4 s, and would then need 8 s for those of X.
  const std::map<std::string, Value> one_round = {{"peak", 1.0}, {"k", 1.0}};
  const Outcome outcome =
      outcome_of(sweep_scenario({{"X", 4, 4, 10}, {"Y", 2, 1, 1}}, 3, 4), "issse_amra", one_round);
  CHECK(timeline(outcome, "X") == "0-12:2x");
  CHECK(timeline(outcome, "Y") == "0-4:1 +4-12:2");
  // By its NPP, Y needs 2 / 0.25 s too, and X, which has ended nothing, needs forever.
  auto measured = one_round;
  measured["estimate"] = "measured";
  CHECK(makespan(sweep_scenario({{"X", 4, 4, 10}, {"Y", 2, 1, 1}}, 3, 4), "issse_amra", measured) == 12);
}

TEST_CASE("sweeps that take no time, and a sweep of one run") {
  for (const std::string name : {"amrs", "amra", "samra", "ssse_amra", "issse_amra"}) {
    INFO(name);
    auto nodes = chapter3_nodes();
    CHECK(makespan(sweep_scenario(nodes, 1, 1), name, {}) == 1);
    for (Node& node : nodes) node.tau = 0;
    CHECK(makespan(sweep_scenario(nodes), name, {}) == 0);
  }
}

TEST_CASE("runs of a round as a function of it") {
  // 20 runs in the first round, 40 in the others. At 10 s A, C and E get twice what they had, D at 20 s too;
  // B gets ceil(40 * .148193) = 6 at 25 s, 15 waves of 2.5 s, and A the last 2 at 30 s.
  std::vector<double> rounds, dealt;
  const auto runs = says([&](double round, const RoundState& state) -> Rule::Answer {
    CHECK(state.runs == 60);
    CHECK(std::isnan(state.quota));
    CHECK(!state.host.valid());
    rounds.push_back(round);
    dealt.push_back(state.dealt);
    return round == 1 ? 20.0 : 40.0;
  });
  const Outcome outcome = outcome_of(sweep_scenario(chapter3_nodes()), "amra", {{"runs_in_round", runs}});
  CHECK(timeline(outcome, "A") == "0-10:8 10-30:16 30-33:2");
  CHECK(timeline(outcome, "B") == "0-25:4 25-62.5:6");
  CHECK(timeline(outcome, "D") == "0-20:2 20-60:4");
  CHECK(rounds == std::vector<double>{1, 2});
  CHECK(dealt == std::vector<double>{0, 20});
}

TEST_CASE("probes, units, thresholds and the learning rate as functions") {
  const auto scenario = sweep_scenario(chapter3_nodes());
  const std::map<std::string, Value> three = {{"rounds", 3.0}};
  const auto outcome = [&](const std::string& name, Answers answers) {
    auto given = three;
    given[name] = says(std::move(answers));
    return outcome_of(scenario, "samra", given);
  };
  const Outcome probes = outcome("probe", [](double round, const RoundState& state) -> Rule::Answer {
    CHECK(round == 1);
    return state.host.index == 0 ? 3.0 : 1.0;
  });
  CHECK(timeline(probes, "A").starts_with("0-4:3 "));  // 30 simulations, 4 waves
  CHECK(timeline(probes, "C").starts_with("0-3:1 "));
  CHECK(probes.end == outcome("probe", [](double, const RoundState& state) -> Rule::Answer {
                        return state.view.platform()[state.host].name == "A" ? 3.0 : 1.0;
                      }).end);
  // The published units are those of a function that says so, and 4 for 8 slots is "gcd" with 10 trials.
  auto sine = std::map<std::string, Value>{{"peak", 1.0}, {"k", 3.0}, {"m", 2.3}};
  sine["units"] = says([](double, const RoundState& state) -> Rule::Answer {
    const double slots = state.view.platform()[state.host].slots;
    return slots == 1 ? 1.0 : slots / 2;
  });
  CHECK(makespan(scenario, "ssse_amra", sine) == 40);
  CHECK(outcome("threshold", [](double, const RoundState&) -> Rule::Answer { return 0.08; }).end == 38);
  auto alpha = three;
  alpha["alpha"] = says([](double recomputed, const RoundState&) -> Rule::Answer { return 1 / recomputed; });
  CHECK(makespan(scenario, "amrs", alpha) == 60);
  alpha["alpha"] = says([](double, const RoundState&) -> Rule::Answer { return 0.0; });
  CHECK_THROWS_WITH(makespan(scenario, "amrs", alpha),
                    "alpha: says must be a finite number, > 0 and <= 1; in round 1 it is 0");
  alpha["alpha"] = says([](double, const RoundState&) -> Rule::Answer { return "half"; });
  CHECK_THROWS_WITH(makespan(scenario, "amrs", alpha), Catch::Contains("in round 1 it is \"half\""));
}

TEST_CASE("ENPR that stay in proportion to the cores") {
  // Always 8, 4, 4, 2 and 2 runs: 20 at 0 s, 14 at 10 s (A, C, E), 16 at 20 s (A, C, E, D), 4 at 25 s (B);
  // the last 6 go to A at 30 s, 8 waves. B ends at 50 s.
  const Outcome outcome =
      outcome_of(sweep_scenario(chapter3_nodes()), "amra", {{"rounds", 3.0}, {"adaptive", false}});
  CHECK(timeline(outcome, "A") == "0-10:8 10-20:8 20-30:8 30-38:6");
  CHECK(timeline(outcome, "B") == "0-25:4 25-50:4");
  CHECK(outcome.end == 50);
  CHECK(power_history(outcome.trace.notes()).size() == 1);
}

TEST_CASE("hosts below the threshold are passed over until nothing else is under way") {
  // At first no host has 0.5. A is served, because nothing is under way; then it has more.
  const Outcome outcome =
      outcome_of(sweep_scenario(chapter3_nodes()), "samra", {{"rounds", 3.0}, {"threshold", 0.5}});
  CHECK(timeline(outcome, "B").empty());
  CHECK(timeline(outcome, "A").starts_with("0-10:8 "));
}

TEST_CASE("a fork in mid-run goes on by itself, back and forth") {
  for (const std::string name : {"amrs", "amra", "samra", "ssse_amra", "issse_amra"}) {
    INFO(name);
    Simulation whole = started(assumed_case(), name, {});
    whole.run();
    for (Time t = 0; t < whole.now(); t += 3.7) {
      Simulation base = started(assumed_case(), name, {});
      base.run_until(t);
      Simulation fork = base, other = base;
      other.inject(happening(t + 1, HappeningKind::down, coordinator_host(0)));
      other.inject(happening(t + 4, HappeningKind::up, coordinator_host(0)));
      other.run();
      CHECK(other.status() == RunStatus::complete);
      CHECK(validate(other.outcome()).empty());
      fork.run();
      CHECK(fork.outcome().full == whole.outcome().full);
      base.run();
      CHECK(base.outcome().full == whole.outcome().full);
    }
  }
}

TEST_CASE("a coordinator takes over from another policy, and is taken over from") {
  const Catalogue catalogue;
  for (const std::string name : {"amrs", "amra", "samra", "ssse_amra", "issse_amra"})
    for (const std::string other : {"workqueue", "samra"}) {
      INFO(name << " and " << other);
      for (const bool first : {true, false}) {
        auto scenario = sweep_scenario(chapter3_nodes());
        add_sweep(*scenario, 11, 3);
        Simulation simulation = started(scenario, first ? name : other, {});
        simulation.run_until(9);
        simulation.set_policy(policy_of(catalogue.configure(first ? other : name)));
        simulation.run();
        CHECK(simulation.status() == RunStatus::complete);
        CHECK(validate(simulation.outcome()).empty());
      }
    }
}

TEST_CASE("what is refused, and what is only noted") {
  const auto refused = [](const std::string& name, const std::map<std::string, Value>& given) {
    try {
      (void)Catalogue().configure(name, given);
    } catch (const Error& error) {
      return error.diagnostic().message;
    }
    return std::string("nothing");
  };
  CHECK(refused("amra", {{"rounds", 0.0}}) == "amra: rounds must be from 1 to 100000, got 0");
  CHECK(refused("amra", {{"rounds", 2.5}}) == "amra: rounds must be an integer, got 2.5");
  CHECK(refused("samra", {{"alpha", 0.0}}) == "samra: alpha must be > 0 and <= 1, got 0");
  CHECK(refused("samra", {{"alpha", 1.5}}) == "samra: alpha must be > 0 and <= 1, got 1.5");
  CHECK(refused("samra", {{"alpha", "1/rounds"}}) ==
        "samra: alpha must be a number, \"1/round\" or a function of (round, state), got \"1/rounds\"; did "
        "you mean "
        "'1/round'?");
  CHECK(refused("samra", {{"threshold", 1.0}}) == "samra: threshold must be >= 0 and < 1, got 1");
  CHECK(refused("ssse_amra", {{"peak", 0.0}}) == "ssse_amra: peak must be from 1 to 100000, got 0");
  CHECK(refused("ssse_amra", {{"peak", 4.0}, {"k", 3.0}}) == "ssse_amra: k must be >= peak = 4, got 3");
  CHECK(refused("issse_amra", {{"m", 0.0}}) == "issse_amra: m must be > 0 and <= 1000000000, got 0");
  CHECK(refused("issse_amra", {{"rounds", 3.0}}) ==
        "issse_amra has no parameter 'rounds'; it takes: peak, k, m, sizing, runs_in_round, alpha, adaptive, "
        "units, threshold, redistribute, estimate");
  CHECK(refused("amra", {{"rounds", 3.0}, {"runs_in_round", 20.0}}) ==
        "amra: rounds and runs_in_round are both given; one of them says how many runs a round has");
  CHECK(Catalogue().configure("issse_amra", {{"m", 10.5}, {"alpha", "1/round"}})->text() ==
        "issse_amra { m = 10.5, alpha = \"1/round\" }");

  const auto warnings = [](const std::string& name, const std::map<std::string, Value>& given) {
    return sweep_warnings(outcome_of(sweep_scenario(chapter3_nodes()), name, given).trace.notes());
  };
  CHECK(warnings("amra", {{"rounds", 60.0}}).empty());
  CHECK(warnings("amra", {{"rounds", 61.0}}) ==
        std::vector<std::string>{"rounds = 61 for 60 runs: there are at most as many rounds as runs"});
  CHECK(warnings("ssse_amra", {{"peak", 1.0}, {"k", 3.0}, {"m", 2.366}}).empty());
  CHECK(warnings("ssse_amra", {{"peak", 1.0}, {"k", 3.0}, {"m", 2.367}}) ==
        std::vector<std::string>{
            "m = 2.367 is above 2.36603: the rounds do not cover all runs, and the last one is repeated"});
  CHECK(warnings("calibrated", {}).empty());
  CHECK(warnings("calibrated", {{"mode", "univariate"}, {"recalibrate", true}}).size() == 1);  // all alike
}

TEST_CASE("why: which host, how many runs, from which ENPR") {
  const auto scenario = sweep_scenario(chapter3_nodes());
  const auto begin = [&] { return started(scenario, "ssse_amra", {{"peak", 1.0}, {"k", 3.0}, {"m", 2.3}}); };
  Simulation now = begin();
  now.run();
  const Decision decision = why(now, WorkId(0), begin(), [](Simulation& again) { again.step(); });
  CHECK(decision.kind == Decision::Kind::started);
  CHECK(decision.time == 30);  // A and C got their last packages then, C behind A
  CHECK(scenario->platform->operator[](decision.host).name == "C");
  CHECK_THAT(decision.rule,
             Catch::Contains("round 3 has 13.0435 runs, C has the ENPR 0.230723: 3.00943 runs"));
  REQUIRE(decision.hosts.find(0) != nullptr);
  CHECK(decision.hosts.find(0)->score == Approx(.461446).margin(5e-7).epsilon(0));
  CHECK(decision.hosts.find(0)->note == "NPP 0.8 runs/s, busy");
  CHECK(decision.hosts.score == "ENPR");
}
