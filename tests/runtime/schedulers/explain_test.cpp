// Explanations of why a mapper puts a task where it does.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "runtime/cost/etc.h"
#include "runtime/cost/explain.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/runtime/schedulers/random_matrices.h"
#include "tests/support/layers.h"
#include "tests/support/small_search.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// Every mapper but `optimal`, with each value of each parameter that is a choice; searches are small.
std::vector<ConfigPtr> every_mapper() {
  const Catalogue catalogue;
  std::vector<ConfigPtr> all;
  for (const auto& entry : catalogue.entries()) {
    if (entry->role != Role::mapper || gives_up(*entry)) continue;
    all.push_back(catalogue.configure(entry->name, small_search(*entry)));
    for (const Parameter& parameter : entry->parameters)
      for (const std::string& choice : parameter.choices)
        all.push_back(catalogue.configure(entry->name, {{parameter.name, choice}}));
  }
  return all;
}

// The first of the best candidates that could have been chosen.
std::uint32_t best_of(const Comparison& comparison) {
  const Comparison::Candidate* best = nullptr;
  for (const auto& each : comparison.candidates) {
    if (!each.open) continue;
    const bool better = best == nullptr || (comparison.better == Prefer::smallest ? each.score < best->score
                                                                                  : each.score > best->score);
    if (better) best = &each;
  }
  return best == nullptr ? kUnmapped : best->index;
}

double explain_score_of(const Comparison& comparison, std::uint32_t index) {
  const auto* found = comparison.find(index);
  REQUIRE(found != nullptr);
  return found->score;
}

MappingStep explained(const std::string& name, const MappingProblem& problem, std::size_t task,
                      const std::map<std::string, Value>& given = {}) {
  const auto mapper = Catalogue().configure(name, given)->make_mapper();
  Mapping answer;
  mapper->map(problem, answer);
  MappingStep step;
  mapper->explain(problem, answer, task, step);
  return step;
}

}  // namespace

TEST_CASE("min_min and sufferage explained by hand") {
  // Three tasks on two machines, all free at 0:
  //   task 1: 4, 6   task 2: 3, 9   task 3: 5, 5
  const EtcMatrix etc{3, 2, {4, 6, 3, 9, 5, 5}};
  // min_min: best completions 4, 3, 5, so task 2 goes to machine 1. Then machine 1 is ready at 3: task 1
  // completes at 7 or 6, task 3 at 8 or 5, so task 3 goes to machine 2; task 1 at 7 or 11 goes to machine 1.
  const MappingStep second = explained("min_min", problem_of(etc), 2);
  CHECK(second.number == 2);
  CHECK(second.machine == 1);
  CHECK(second.tasks.better == Prefer::smallest);
  REQUIRE(second.tasks.candidates.size() == 2);
  CHECK(explain_score_of(second.tasks, 0) == 6);
  CHECK(explain_score_of(second.tasks, 2) == 5);
  CHECK(explain_score_of(second.machines, 0) == 8);
  CHECK(explain_score_of(second.machines, 1) == 5);
  CHECK(explained("min_min", problem_of(etc), 0).number == 3);
  // sufferage: 2, 6, 0, so task 2 goes first. Then task 1 suffers 7 - 6 = 1 and task 3 8 - 5 = 3.
  const MappingStep suffers = explained("sufferage", problem_of(etc), 2);
  CHECK(suffers.number == 2);
  CHECK(suffers.tasks.better == Prefer::largest);
  CHECK(explain_score_of(suffers.tasks, 0) == 1);
  CHECK(explain_score_of(suffers.tasks, 2) == 3);
  // In passes tasks 1 and 2 claim machine 1 with 2 and 6, task 3 machine 1 with 0, its lower index: task 2
  // holds it, and is alone in its pass; the second pass is the same as the greedy form's second step.
  const MappingStep held = explained("sufferage", problem_of(etc), 1, {{"form", std::string("passes")}});
  CHECK(held.number == 1);
  REQUIRE(held.tasks.candidates.size() == 3);
  CHECK(explain_score_of(held.tasks, 0) == 2);
  CHECK(explain_score_of(held.tasks, 1) == 6);
  CHECK(explain_score_of(held.tasks, 2) == 0);
}

TEST_CASE("duplex says whose answer it took") {
  // Lengths 1, 1, 2 on two equal machines: min_min ends at 3, max_min at 2.
  const EtcMatrix etc{3, 2, {1, 1, 1, 1, 2, 2}};
  const MappingStep step = explained("duplex", problem_of(etc), 2);
  CHECK(step.number == 1);
  CHECK(step.tasks.better == Prefer::largest);
  CHECK_THAT(step.rule, Catch::Contains("of max_min is taken, with a makespan of 2 s against 3 s"));
}

TEST_CASE("a search says what the makespan would be elsewhere") {
  // The best mapping has tasks 1 and 2 on machine 1, 3 on machine 2, makespan 4; with task 3 moved to machine
  // 1 it is 8, with task 1 moved to machine 2 it is 4 + 6 = 10.
  const EtcMatrix etc{3, 2, {2, 6, 2, 6, 4, 4}};
  const MappingStep step = explained("local_search", problem_of(etc), 2);
  CHECK(step.machine == 1);
  CHECK(explain_score_of(step.machines, 1) == 4);
  CHECK(explain_score_of(step.machines, 0) == 8);
  CHECK(explain_score_of(explained("local_search", problem_of(etc), 0).machines, 1) == 10);
}

TEST_CASE("A* says what f the leaves of a vertex have") {
  // IRMaSim thesis, Figure 4: nodes of speed 1 and 1.5, jobs of 1, 3 and 3. By hand, with job 1 on node 1:
  // g = 1, h1 = 2 - 1, h2 = (4 - 1) / 2; on node 2: g = 2 / 3, h1 = 8 / 3 - g, h2 = (4 - 2 / 3) / 2.
  const EtcMatrix etc{3, 2, {1, 1 / 1.5, 3, 2, 3, 2}};
  const MappingStep first = explained("a_star", problem_of(etc), 0);
  CHECK(first.number == 1);
  CHECK(first.machine == 1);
  CHECK(first.machines.score == "f = g + max(h1, h2), s");
  CHECK(explain_score_of(first.machines, 0) == 2.5);
  CHECK(explain_score_of(first.machines, 1) == Approx(8.0 / 3));
  const MappingStep last = explained("a_star", problem_of(etc), 2);
  CHECK(last.machine == 1);
  CHECK(explain_score_of(last.machines, 0) == 6);
  CHECK(explain_score_of(last.machines, 1) == 3);
}

TEST_CASE("every mapper's explanation has the task where the mapping has it, and the best candidate there") {
  std::mt19937_64 rng(11);
  const auto mappers = every_mapper();
  std::set<std::string> compared_tasks, compared_machines;
  for (int round = 0; round < 120; ++round) {
    Case c = make(static_cast<Kind>(round % kKinds), 1 + rng() % 10, 1 + rng() % 5, round % 2 == 0, rng);
    const bool cores = round % 3 == 0;
    if (cores) add_cores(c, round % 2 == 0, rng);
    const MappingProblem problem = c.problem();
    for (const ConfigPtr& config : mappers) {
      INFO(config->text() << ", round " << round);
      const auto mapper = config->make_mapper();
      mapper->reseed(Stream(round, "explain"));
      Mapping answer;
      mapper->map(problem, answer);
      std::vector<double> ready(c.machines, 0.0);  // as the order of choice fills the machines
      if (!c.ready.empty() && !cores) ready = c.ready;
      const bool passes = config->text().find("passes") != std::string::npos;  // ready times stand still
      for (std::size_t i = 0; i < answer.order.size(); ++i) {
        const std::uint32_t task = answer.order[i], machine = answer.machine[task];
        INFO("task " << task);
        MappingStep step;
        mapper->explain(problem, answer, task, step);
        REQUIRE(step.number == i + 1);
        REQUIRE(step.machine == machine);
        REQUIRE(step.machines.candidates.size() == c.machines);
        REQUIRE(step.machines.find(machine)->open);
        if (step.machines.better != Prefer::neither) {
          compared_machines.insert(config->entry->name);
          // pairing decides by time between equal completions
          if (config->entry->name == "pairing")
            REQUIRE(explain_score_of(step.machines, best_of(step.machines)) ==
                    explain_score_of(step.machines, machine));
          else
            REQUIRE(best_of(step.machines) == machine);
        }
        if (step.machines.score == "completion, s" && !cores && !passes)
          for (const auto& each : step.machines.candidates)
            if (!std::isnan(each.score))
              REQUIRE(each.score == ready[each.index] + problem.time(task, each.index));
        if (!step.tasks.candidates.empty()) {
          compared_tasks.insert(config->entry->name);
          REQUIRE(best_of(step.tasks) == task);
        }
        // The key of each candidate, computed again by looking at every machine.
        if (!cores && !passes &&
            (step.tasks.score == "best completion, s" || step.tasks.score == "sufferage, s"))
          for (const auto& each : step.tasks.candidates) {
            double best = kInf, next = kInf;
            for (std::size_t m = 0; m < c.machines; ++m) {
              const double end = ready[m] + problem.time(each.index, m);
              next = std::min(next, std::max(best, end));
              best = std::min(best, end);
            }
            REQUIRE(each.score == (step.tasks.score[0] == 'b' ? best : next - best));
          }
        ready[machine] += problem.time(task, machine);
      }
      for (std::size_t task = 0; task < c.tasks; ++task) {
        if (answer.machine[task] != kUnmapped) continue;
        MappingStep step;
        mapper->explain(problem, answer, task, step);
        REQUIRE(step.number == 0);
        for (const auto& each : step.machines.candidates) REQUIRE((!each.open && !each.note.empty()));
      }
    }
  }
  CHECK(compared_tasks == std::set<std::string>{"min_min", "max_min", "duplex", "sufferage",
                                                "extended_sufferage", "sufferage_2", "xsufferage", "pairing",
                                                "best_of", "switch"});
  CHECK(compared_machines == std::set<std::string>{"olb", "met", "mct", "min_min", "max_min", "duplex",
                                                   "sufferage", "extended_sufferage", "sufferage_2",
                                                   "xsufferage", "kpb", "switching", "pairing", "best_of",
                                                   "switch"});
}

TEST_CASE("the values by which both forms of max-min choose are those of the grouping study") {
  // By hand from Figure 7 of Breitinger (1999) and from the program in its Appendix B.7.
  const std::vector<double> etc{9,  12, 10, 8, 7,  9,  15, 14, 16, 4, 5,  6,  11, 9,
                                12, 6,  8,  7, 13, 12, 11, 3,  4,  2, 10, 10, 9};
  const MappingProblem problem{.tasks = 9, .machines = 3, .etc = etc};
  const auto in_order_of_choice = [&](const std::string& adds) {
    const auto mapper = Catalogue().configure("max_min", {{"adds", adds}})->make_mapper();
    Mapping answer;
    mapper->map(problem, answer);
    const std::vector<double> of_tasks = decision_values(*mapper, problem, answer);
    std::vector<double> values;
    for (const std::uint32_t task : answer.order) values.push_back(of_tasks[task]);
    return values;
  };
  CHECK(in_order_of_choice("time") == std::vector<double>{14, 11, 11, 20, 20, 24, 26, 26, 28});
  CHECK(in_order_of_choice("completion") == std::vector<double>{14, 11, 11, 20, 20, 24, 37, 37, 42});
}

TEST_CASE("decision values where the order is fixed are those of the machines; none of what runs nowhere") {
  const std::vector<double> etc{3, 5, kNever, kNever, 4, 1};
  const MappingProblem problem{.tasks = 3, .machines = 2, .etc = etc};
  const auto mapper = Catalogue().configure("mct", {})->make_mapper();
  Mapping answer;
  mapper->map(problem, answer);
  const std::vector<double> values = decision_values(*mapper, problem, answer);
  CHECK(values[0] == 3);
  CHECK(std::isnan(values[1]));
  CHECK(values[2] == 1);
}
