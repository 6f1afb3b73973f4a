#include "runtime/cost/graph_schedule.h"

#include <bit>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "tests/runtime/schedulers/textbook_graphs.h"
#include "tests/support/graphs.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

bool same_times(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(
      a, b, {}, [](double x) { return std::bit_cast<std::uint64_t>(x); },
      [](double x) { return std::bit_cast<std::uint64_t>(x); });
}

// All that the schedule tells about the task, against a list of what each machine does.
void check_like(const GraphSchedule& schedule, const textbook::GraphState& plain, std::size_t task) {
  std::vector<double> values;
  schedule.arrivals(task, values);
  CHECK(same_times(values, plain.by_machine([&](std::size_t m) { return plain.arrival(task, m); })));
  schedule.starts(task, values);
  CHECK(same_times(values, plain.by_machine([&](std::size_t m) { return plain.start(task, m); })));
  const std::vector<double> starts = values;
  schedule.finishes(task, values);
  const std::vector<double> finishes = plain.by_machine([&](std::size_t m) { return plain.finish(task, m); });
  CHECK(same_times(values, finishes));
  const std::optional<std::size_t> best = textbook::first_of_least(finishes),
                                   first = textbook::first_of_least(starts);
  CHECK(schedule.least_finish(task).machine == (best ? *best : kUnmapped));
  CHECK(schedule.least_start(task).machine == (first ? *first : kUnmapped));
  for (std::size_t m = 0; m < finishes.size(); ++m) {
    CHECK(schedule.arrival(task, m) == plain.arrival(task, m));
    CHECK(schedule.start(task, m) == starts[m]);
    CHECK(schedule.finish(task, m) == finishes[m]);
    CHECK(schedule.end(m) == plain.end(m));
  }
  if (!best) return;
  CHECK(schedule.least_finish(task).start == starts[*best]);
  double second = kInfinity;
  for (std::size_t m = 0; m < finishes.size(); ++m)
    if (m != *best) second = std::min(second, finishes[m]);
  CHECK(schedule.second(task) == second);
}

}  // namespace

TEST_CASE("a graph schedule tells the same as lists of what machines do, through places and undos") {
  std::mt19937_64 rng(1);
  for (int round = 0; round < 300; ++round) {
    const GraphProblem problem = random_graph({.most_tasks = 20, .whole_numbers = round % 2 == 0}, rng);
    const bool insertion = round % 3 != 0;
    GraphSchedule schedule(problem, insertion ? GraphFit::insertion : GraphFit::append);
    std::vector<textbook::GraphState> states;  // one for each number of placed tasks
    states.reserve(problem.tasks() + 1);
    states.emplace_back(problem, insertion);
    INFO("round " << round);
    for (int step = 0; step < 40; ++step) {
      const textbook::GraphState& now = states.back();
      std::vector<std::uint32_t> ready;
      for (const std::size_t task : now.all_ready()) ready.push_back(static_cast<std::uint32_t>(task));
      CHECK(schedule.ready_tasks() == ready);
      CHECK(schedule.first_ready() == (ready.empty() ? kUnmapped : ready.front()));
      CHECK(schedule.makespan() == now.plan.makespan);
      CHECK(std::ranges::equal(schedule.order(), now.plan.order));
      if (!ready.empty()) check_like(schedule, now, ready[rng() % ready.size()]);
      if (states.size() > 1 && rng() % 4 == 0) {
        schedule.undo();
        states.pop_back();
      } else if (!ready.empty()) {
        const std::uint32_t task = ready[rng() % ready.size()];
        std::vector<std::size_t> able;
        for (std::size_t m = 0; m < problem.machines; ++m)
          if (problem.time(task, m) < kInfinity) able.push_back(m);
        const std::size_t machine = able[rng() % able.size()];
        textbook::GraphState next = now;
        next.place(task, machine);
        states.push_back(next);
        schedule.place(task, machine);
        CHECK(schedule.planned(task).start == next.plan.start[task]);
      }
    }
    GraphPlan plan;
    schedule.write(plan);
    CHECK(plan.machine == states.back().plan.machine);
  }
}

TEST_CASE("thousands of gaps on one machine: the first that holds a task is found, also after undos") {
  std::mt19937_64 rng(2);
  constexpr std::uint32_t kTasks = 3000;
  for (const bool whole : {true, false}) {
    std::vector<std::vector<double>> rows(kTasks, {0});
    for (auto& row : rows)
      row[0] = whole ? static_cast<double>(rng() % 4) : static_cast<double>(rng() >> 11) * 0x1p-51;
    GraphProblem problem = graph_problem(rows, {});
    for (std::uint32_t t = 0; t < kTasks; ++t)
      problem.release.push_back(whole ? static_cast<double>(rng() % 9000)
                                      : static_cast<double>(rng() >> 11) * 0x1p-40);
    struct Taken {
      double from, to;
    };
    std::vector<Taken> taken;  // by time
    const auto earlier = [](const Taken& a, const Taken& b) {
      return a.from != b.from ? a.from < b.from : a.to < b.to;
    };
    const auto take = [&](double start, double time) {
      const Taken now{start, start + time};
      taken.insert(std::ranges::upper_bound(taken, now, earlier), now);
    };
    GraphSchedule schedule(problem);
    const auto place = [&](std::uint32_t task) {
      const double time = rows[task][0], release = problem.release[task];
      double gap = 0, start = -1;
      for (const Taken& each : taken) {
        if (start < 0 && gap < each.from && std::max(gap, release) + time <= each.from)
          start = std::max(gap, release);
        gap = std::max(gap, each.to);
      }
      if (start < 0) start = std::max(gap, release);
      REQUIRE(schedule.start(task, 0) == start);
      schedule.place(task, 0);
      REQUIRE(schedule.planned(task).start == start);
      take(start, time);
    };
    for (std::uint32_t task = 0; task < kTasks; ++task) place(task);
    for (std::uint32_t i = 0; i < kTasks / 2; ++i) schedule.undo();
    taken.clear();
    for (std::uint32_t task = 0; task < kTasks / 2; ++task) take(schedule.planned(task).start, rows[task][0]);
    for (std::uint32_t task = kTasks; task-- > kTasks / 2;) place(task);
    while (!schedule.order().empty()) schedule.undo();
    CHECK(schedule.end(0) == 0);
    CHECK(schedule.makespan() == 0);
  }
}

TEST_CASE("what is placed may have predecessors that are not; they do not count") {
  const GraphProblem problem = graph_problem({{1, 1}, {2, 2}, {3, 3}}, {{1, 3, 10}, {2, 3, 10}});
  GraphSchedule schedule(problem);
  schedule.place(0, 0);
  CHECK(schedule.waits(2) == 1);
  CHECK_FALSE(schedule.is_ready(2));
  CHECK(schedule.arrival(2, 0) == 1);
  CHECK(schedule.arrival(2, 1) == 11);
  schedule.place(2, 1);
  CHECK(schedule.planned(2).start == 11);
  schedule.place(1, 1);  // in the gap before
  CHECK(schedule.planned(1).start == 0);
  GraphSchedule copy = schedule;
  copy.undo();
  CHECK(schedule.is_placed(1));
  CHECK_FALSE(copy.is_placed(1));
  CHECK(copy.ready_tasks() == std::vector<std::uint32_t>{1});
}

TEST_CASE("a start may be asked for with and without gaps, whatever the schedule does") {
  const GraphProblem problem = graph_problem({{4}, {2}, {3}}, {});
  GraphProblem later = problem;
  later.release = {5, 0, 0};
  GraphSchedule schedule(later);
  schedule.place(0, 0);  // 5 to 9
  CHECK(schedule.start(1, 0) == 0);
  CHECK(schedule.start(1, 0, GraphFit::append) == 9);
  schedule.place(1, 0, GraphFit::append);
  CHECK(schedule.planned(1).start == 9);
  CHECK(schedule.finish(2, 0, GraphFit::insertion) == 3);
  CHECK(schedule.finish(2, 0, GraphFit::append) == 14);
}
