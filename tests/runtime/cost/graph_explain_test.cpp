#include "runtime/cost/graph_explain.h"

#include <catch2/catch.hpp>
#include <random>

#include "runtime/schedulers/catalogue.h"
#include "tests/support/graphs.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

// Task 9 of the HEFT paper is the seventh that HEFT places. Its data comes from 2 (at 40 on P1, 16 bytes), 4 (26 on P2)
// and 5 (38 on P3, 13): 56, 26 and 51 on P2. It would end on P1 at 51 + 18, on P3 at 56 + 20.
TEST_CASE("a step of heft: what the task waited for, the ready tasks, and the machines") {
  const GraphProblem problem = heft_paper();
  const auto heft = Catalogue().configure("heft")->make_graph_scheduler();
  GraphPlan plan;
  heft->schedule(problem, plan);
  GraphStep step;
  heft->explain(problem, plan, 8, step);
  CHECK(step.number == 7);
  CHECK(step.machine == 1);
  CHECK(step.start == 56);
  CHECK(step.finish == 68);
  REQUIRE(step.inputs.size() == 3);
  const double arrivals[] = {56, 26, 51};
  for (std::size_t i = 0; i < 3; ++i) CHECK(step.inputs[i].arrival == arrivals[i]);
  CHECK(step.inputs[0].finish == 40);
  REQUIRE(step.machines.candidates.size() == 3);
  CHECK(step.machines.candidates[0].score == 69);
  CHECK(step.machines.candidates[1].score == 68);
  CHECK(step.machines.candidates[2].score == 76);
  REQUIRE(step.tasks.find(8) != nullptr);
  CHECK(step.tasks.find(8)->score == Approx(44.333).margin(1e-3));
  CHECK(step.tasks.find(6)->score == Approx(42.667).margin(1e-3));
  CHECK_FALSE(step.rule.empty());
}

TEST_CASE("every step of every graph scheduler can be explained, and the machine is there") {
  const Catalogue catalogue;
  std::mt19937_64 rng(1);
  for (int round = 0; round < 20; ++round) {
    const GraphProblem problem =
        random_graph({.most_tasks = 6, .whole_numbers = round % 2 == 0, .all_can_run = true}, rng);
    for (const auto& entry : catalogue.entries()) {
      if (entry->role != Role::graph) continue;
      INFO(entry->name);
      const auto scheduler = catalogue.configure(entry->name)->make_graph_scheduler();
      GraphPlan plan;
      scheduler->schedule(problem, plan);
      for (std::size_t i = 0; i < plan.order.size(); ++i) {
        GraphStep step;
        scheduler->explain(problem, plan, plan.order[i], step);
        CHECK(step.number == i + 1);
        CHECK(step.machine == plan.machine[plan.order[i]]);
        CHECK(step.start == plan.start[plan.order[i]]);
        CHECK(step.machines.find(step.machine) != nullptr);
        const Comparison::Candidate* chosen = step.tasks.find(plan.order[i]);
        if (!step.tasks.candidates.empty()) CHECK(chosen != nullptr);
      }
    }
  }
}
