// Gantt charts in Lua: reading them, placing tasks on them, and heuristics that choose on a planner's chart.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/interpreter/session.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"
#include "tests/support/random_scenario.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// One host behind one link: file 1 takes 2 s, file 5 takes 4 s, the others 1 s.
const char* const kOneHost = R"(
c = cost.chart { times = { { 5 }, { 3 }, { 2 } }, transfers = { 2, 1, 1, 1, 4, 1 },
                 inputs = { { 1 }, { 1, 3 }, { 5 } }, outputs = { { 2 }, { 4 }, { 6 } } }
)";

// Two clusters: machines 1 and 2 (half as fast) behind a link that takes 2 s for file 1 and 1 s for file 2,
// machine 3 behind one that takes 4 s and 2 s.
const char* const kTwoClusters = R"(
c = cost.chart { times = { { 4, 8, 2 }, { 6, 12, 3 } }, clusters = { 1, 1, 2 }, transfers = { { 2, 4 }, { 1, 2 } },
                 inputs = { { 1 }, { 1 } }, outputs = { { 2 }, { 2 } }, now = 10 }
)";

struct ChartsTwin {
  const char *copy, *native;
};
constexpr ChartsTwin kChartsTwins[] = {
    {"my_min_min", "min_min"},         {"my_max_min", "max_min"},
    {"my_sufferage", "sufferage"},     {"my_extended_sufferage", "extended_sufferage"},
    {"my_sufferage_2", "sufferage_2"}, {"my_xsufferage", "xsufferage"},
    {"chosen_min_min", "min_min"}};

Simulation planned(const Catalogue& catalogue, std::uint64_t seed, const ConfigPtr& map,
                   std::map<std::string, Value> given) {
  given["map"] = map;
  const ConfigPtr config = catalogue.configure("planner", given);
  RunOptions options;
  options.seed = seed;
  return {random_scenario(seed, config->entry->accepts),
          {"planner", config->make_policy(), config->entry->accepts, config->entry->instants},
          perfect_estimator(),
          options};
}

// The scenario of small runs: two clusters, four tasks that share a file.
const char* const kChartsScenario = R"(
s = scenario {
  platform = platform { cluster "near" { nodes = 2, link = { bandwidth = 10 } },
                        cluster "far" { nodes = 1, link = { bandwidth = 5 } } },
  workload = workload.tasks(4, function(i)
    return { time = 6, inputs = { file("common", 20), file("own" .. i, 10) }, output = 10 }
  end),
}
)";

}  // namespace

TEST_CASE("transfers, computation and output of a task on a chart of the script's own") {
  // The numbers of the C++ chart: see tests/runtime/cost/chart_test.cpp.
  Session session;
  session.run(kOneHost);
  CHECK(session.run("print(c:computed(1, 1), c:completion(1, 1), c:place(1, 1))") == "7.0\t8.0\t8.0\n");
  // File 1 is there at 2; file 3 is sent from 2 to 3; the machine is free at 7; home from 10 to 11.
  CHECK(session.run("print(c:file_ready(1, 1), c:file_ready(3, 1), c:place(2, 1))") == "2.0\tfalse\t11.0\n");
  // 4 s of transfer fit between 3 and 7, before the output of the first one.
  CHECK(
      session.run("p = c:plan(3, 1) print(p.start, p.finish, p.complete, #p.transfers, p.transfers[1].file, "
                  "p.transfers[1].start, p.transfers[2].home)") == "10.0\t12.0\t13.0\t2\t5\t3.0\ttrue\n");
  CHECK(session.run(
            "for _, t in ipairs(c:transfers(1)) do print(t.file, t.home, t.task, t.start, t.finish) end") ==
        "1\tfalse\t1\t0.0\t2.0\n3\tfalse\t2\t2.0\t3.0\n2\ttrue\t1\t7.0\t8.0\n4\ttrue\t2\t10.0\t11.0\n");
  CHECK(session.run(
            "for _, t in ipairs(c:computations()) do print(t.task, t.machine, t.start, t.finish, t.complete) "
            "end") == "1\t1\t2.0\t7.0\t8.0\n2\t1\t7.0\t10.0\t11.0\n");
  CHECK(
      session.run("f = c:link_free(1) for _, i in ipairs(f) do print(i.from, i.to) end print(#c:free(1))") ==
      "3.0\t7.0\n8.0\t10.0\n11.0\tinf\n2\n");
  CHECK(
      session.run("print(c:makespan(), c:ready(1), c:machine(2), c:machine(3), c:waits(2), #c:waiting())") ==
      "11.0\t10.0\t1\tfalse\tfalse\t1\n");
}

TEST_CASE("what a rule may know of a task, by hand") {
  Session session;
  session.run(kTwoClusters);
  // Machine 1: file there at 12, computed at 16, home at 17. Machine 2: 20, 21. Machine 3: 14, 16, 18.
  CHECK(
      session.run("print(c:best(1), c:second(1), c:best_machine(1), c:completion(1, 2), c:computed(1, 3))") ==
      "17.0\t18.0\t1\t21.0\t16.0\n");
  CHECK(session.run("print(c:time(1), c:time(1, 3), c:cluster_best(1, 2), c:cluster_machine(1, 2), "
                    "table.unpack(c:cluster_bests(1)))") == "4.0\t2.0\t18.0\t3\t17.0\t18.0\n");
  CHECK(session.run("print(c:first_jump(1)) print(c:first_jump(1, 'none')) print(c:first_jump(2))") ==
        "1.0\t1\n0.0\t2\n0.0\t1\n");
  // In six clusters at 1, 2, 10, 12, 13 and 30: the steps 1, 8, 2, 1, 17 have mean 5.8 and deviation 6.2; of
  // 1, 2, 22, 24 and 26 they are 1, 20, 2, 2: mean 6.25 and deviation 7.9. The groups' means are 7.6 before
  // it and 30 after, 1.5 and 24.
  session.run(
      "j = cost.chart { times = { { 1, 2, 10, 12, 13, 30 }, { 1, 2, 22, 24, 26, math.huge } }, clusters = { "
      "1, 2, 3, 4, 5, 6 } }");
  CHECK(
      session.run("print(j:first_jump(1)) print(j:first_jump(1, 'largest', 'group')) print(j:first_jump(2)) "
                  "print(j:first_jump(2, nil, 'group'))") == "17.0\t5\n22.4\t5\n20.0\t2\n22.5\t2\n");
  // Task 2: 12, 18, 19 on machine 1; 14, 17, 19 on machine 3, which computes it first.
  CHECK(session.run("print(c:best(2), c:best_machine(2), c:usage(1), c:usage(2), c:transfer_time(1, 2))") ==
        "19.0\t3\t2\t0\t4.0\n");
  CHECK(session.run(
            "print(c:tasks(), c:machines(), c:clusters(), c:files(), c:cluster(3), c:now(), c:horizon(), "
            "c:inputs(1)[1], c:outputs(1)[1])") == "2\t3\t2\t2\t2\t10.0\tinf\t1\t2\n");
  // After task 1 on machine 1 its file is there at 12: task 2 would wait for the machine until 16, or for its
  // file until 14.
  CHECK(session.run(
            "d = c:copy() d:place(1, 1) print(d:completion(2, 1), d:completion(2, 3), c:waits(1), d)") ==
        "23.0\t19.0\ttrue\tgantt chart of 2 tasks on 3 machines in 2 clusters, 1 placed\n");
}

TEST_CASE("a chart begins with what is there and what is taken") {
  Session session;
  session.run(
      R"(c = cost.chart { times = { { 5, 5 } }, clusters = { 1, 2 }, transfers = { 3 }, inputs = { { 1 } },
                                  stores = { {}, { 1 } }, ready = { 0, 9 }, link_ready = { 4, math.huge } })");
  CHECK(
      session.run("print(c:completion(1, 1), c:completion(1, 2), c:file_ready(1, 1), c:file_ready(1, 2))") ==
      "12.0\t14.0\tfalse\t0.0\n");
  CHECK(session.run("c:place(1, 2) c:gantt(60)") ==
        "machine 1|                                                 |\n"
        "machine 2|································▐1██████████████▌|\n"
        "         ++-----------------+----------------+-------------+\n"
        "          0 s               5                10\n"
        "█ computing  · held\n");
}

TEST_CASE("mappers fill a chart") {
  Session session;
  session.run(kTwoClusters);
  CHECK(session.run(
            "print(c:copy():fill('min_min', { count = 1 }), c:fill('min_min'), c:machine(1), c:machine(2), "
            "c:makespan())") == "1\t2\t1\t3\t19.0\n");
  session.run(kOneHost);
  CHECK(
      session.run(
          "heuristic 'last' { choose = function(c) local w = c:waiting() if #w > 1 then return w[#w], 1 end "
          "end } print(c:fill('last'), c:machine(1), c:machine(2), c:makespan())") == "2\tfalse\t1\t12.0\n");
  CHECK_THAT(session.error("c:fill 'mct'"), Contains("fill: mct cannot choose on a Gantt chart"));
  // A mapper that fails leaves the chart as it was.
  session.run(kOneHost);
  CHECK_THAT(session.error(
                 "heuristic 'fails' { choose = function(c) if not c:waits(1) then c:best(1) end return 1, 1 "
                 "end } c:fill 'fails'"),
             Contains("task 1 does not wait"));
  CHECK(session.run("print(#c:waiting(), #c:computations())") == "3\t0\n");
}

TEST_CASE("wrong charts and wrong calls are one clear error") {
  const std::pair<const char*, const char*> cases[] = {
      {"cost.chart {}", "cost.chart: 'times' is missing"},
      {"cost.chart { times = { { 0/0 } } }", "nan"},
      {"cost.chart { times = { { 1 } }, clusters = { 1, 1 } }", "2 clusters for 1 machines"},
      {"cost.chart { times = { { 1 } }, clusters = { 2 } }", "clusters[1] must be 1 to 1, got 2"},
      {"cost.chart { times = { { 1 } }, inputs = { { 1 } } }",
       "inputs[1] names a file, but transfers has none"},
      {"cost.chart { times = { { 1 } }, transfers = { 1 }, inputs = { { 2 } } }",
       "inputs[1][1] must be 1 to 1, got 2"},
      {"cost.chart { times = { { 1 } }, transfers = { { 1, 2 } } }",
       "file 1 has 2 transfer times for 1 clusters"},
      {"cost.chart { times = { { 1 } }, transfers = { -1 } }", "transfers[1] must be >= 0 s, got -1"},
      {"cost.chart { times = { { 1 } }, transfers = { 0/0 } }", "transfers[1]"},
      {"cost.chart { times = { { 1 } }, inputs = {} }", "0 lists of inputs for 1 tasks"},
      {"cost.chart { times = { { 1 } }, ready = { 1, 2 } }", "2 times for 1 machines"},
      {"cost.chart { times = { { 1 } }, tims = 1 }", "did you mean 'times'?"},
      {"c:place(4, 1)", "task must be 1 to 3, got 4"},
      {"c:place(1, 2)", "machine must be 1 to 1, got 2"},
      {"c:place(0/0, 1)", "task must be a whole number, got nan"},
      {"c:place(1, 1) c:place(1, 1)", "task 1 does not wait"},
      {"c:best(2.5)", "task must be a whole number, got 2.5"},
      {"c:first_jump(2, 'most')", "got 'most'"},
      {"c:first_jump(2, nil, 'groups')", "by its \"jump\" or by the next \"group\", got 'groups'"},
      {"c:bets(2)", "a gantt chart has no field 'bets'; did you mean 'best'?"},
      {"c:stream()", "no heuristic's"},
      {"cost.chart { times = { { math.huge } } }:place(1, 1)", "task 1 would never be complete on machine 1"},
  };
  for (const auto& [text, message] : cases) {
    INFO(text);
    Session session;
    session.run(kOneHost);
    CHECK_THAT(session.error(text), Contains(message));
  }
}

namespace {

void check_chart_twins(std::uint64_t count) {
  Session session;
  session.interpreter().run_file((source_folder() / "scripts/pst/heuristics.lua").string());
  const Catalogue& catalogue = session.interpreter().catalogue();
  const std::map<std::string, Value> options[] = {
      {}, {{"keep", 1.0}, {"planning_time", 2.0}, {"replan", std::string("both")}}, {{"interval", 7.0}}};
  std::uint64_t events = 0;
  for (const ChartsTwin& twin : kChartsTwins)
    for (const auto& given : options)
      for (std::uint64_t seed = 1; seed <= count; ++seed) {
        INFO(twin.copy << ", seed " << seed);
        Simulation mine = planned(catalogue, seed, catalogue.configure(twin.copy), given);
        Simulation native = planned(catalogue, seed, catalogue.configure(twin.native), given);
        mine.run_until(20);
        Simulation fork = mine;
        mine.run();
        fork.run();
        native.run();
        REQUIRE(mine.outcome().status == RunStatus::complete);
        REQUIRE(mine.outcome().physical == native.outcome().physical);
        REQUIRE(fork.outcome().full == mine.outcome().full);
        events += mine.outcome().events;
      }
  CHECK(events > 10'000);
  // A key is drawn from as a native one is.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Simulation mine = planned(catalogue, seed, catalogue.configure("my_sufferage_2"), {{"random", 0.05}});
    Simulation native = planned(catalogue, seed, catalogue.configure("sufferage_2"), {{"random", 0.05}});
    mine.run();
    native.run();
    REQUIRE(mine.outcome().physical == native.outcome().physical);
  }
}

}  // namespace

TEST_CASE("copies in Lua of the heuristics on a chart plan as the native ones, random grids with failures") {
  check_chart_twins(10);
}

TEST_CASE("the same on many more grids", "[.long]") { check_chart_twins(100); }

TEST_CASE("a key that is pure is asked only for tasks whose completions changed") {
  // Tasks 1 and 2 run on machine 1 alone, 3 and 4 on machine 2 in another cluster; the smallest best goes
  // first.
  const std::string chart =
      "cost.chart { times = { { 1, math.huge }, { 1, math.huge }, { math.huge, 2 }, "
      "{ math.huge, 2 } }, clusters = { 1, 2 } }";
  const auto asked = [&](const char* pure) {
    Session session;
    return session.run(
        fmt::format("local asked = 0 heuristic 'counted' {{ pure = {}, smallest = true, pick = "
                    "function(c, task) asked = asked + 1 return c:best(task) end }} {}:fill "
                    "'counted' print(asked)",
                    pure, chart));
  };
  CHECK(asked("false") == "10\n");  // 4 + 3 + 2 + 1
  // All four; task 2, when 1 is placed; 3 once more, for it is chosen by an old key; 4, when 3 is placed.
  CHECK(asked("true") == "7\n");
  // Keys 1 to 4; task 4 goes first; 3 is asked again and goes next; 2 is then chosen by its old key.
  Session session;
  CHECK_THAT(
      session.error(
          "local n = 0 heuristic 'liar' { pure = true, pick = function() n = n + 1 return n end }\n" + chart +
          ":fill 'liar'"),
      Contains("pick is not pure: for task 2 it said 2 before and 6 now") && Contains("heuristic 'liar'"));
}

TEST_CASE("a heuristic with pick is used on matrices and on charts as it is") {
  Session session;
  session.run(kChartsScenario);
  session.run(
      "heuristic 'patient' { pick = function(c, task) return c:second(task) - c:best(task) + c:time(task) "
      "end }");
  CHECK(session.run(
            "print(map('patient', etc { { 3, 5 }, { 2, 8 } }).makespan, s:run { policy = planner { map = "
            "'patient' } }.status)") == "5.0\tcomplete\n");
  CHECK(session.run(
            "heuristic 'first' { choose = function(c) local t = c:waiting()[1] if t then return t, "
            "c:best_machine(t) end end }"
            "print(map('first', etc { { 3, 5 }, { 2, 8 } }).makespan, map('mct', etc { { 3, 5 }, { 2, 8 } })"
            ".makespan, s:run { policy = planner { map = 'first' } }.status)") == "5.0\t5.0\tcomplete\n");
  // `place` chooses the machine.
  CHECK(session.run(
            "heuristic 'far' { pick = function(c, task) return -task end, place = function(c, task) return 3 "
            "end } for _, j in ipairs(s:run { policy = planner { map = 'far' } }:jobs()) do print(j.hosts) "
            "end") == "far.1\nfar.1\nfar.1\nfar.1\n");
}

TEST_CASE("a heuristic's wrong answer on a chart is one error that names it, its line and the call") {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"pick = function(c, task) return 0/0 end", "pick must return a number, got nan for task 1",
       "pick for task 1 of 4 on a Gantt chart"},
      {"pick = function(c, task) return nil end", "pick must return a number, got nil",
       "pick for task 1 of 4"},
      {"pick = function(c, task) return 1, 'x' end", "pick must return a number, got 'x'",
       "pick for task 1 of 4"},
      {"pick = function(c, task) return c:best(task + 4) end", "task must be 1 to 4, got 5",
       "pick for task 1 of 4"},
      {"pick = function() return 1 end, place = function() return 7 end",
       "what place returns must be 1 to 3, got 7", "place for task 1 of 4 on a Gantt chart"},
      {"choose = function(c) return 1 end", "the machine that choose returns must be a whole number, got nil",
       "choose on a Gantt chart of 4 tasks"},
      {"choose = function(c) return 5, 1 end", "the task that choose returns must be 1 to 4, got 5",
       "choose on a Gantt chart of 4 tasks"},
      {"choose = function(c) return 0/0, 1 end",
       "the task that choose returns must be a whole number, got nan", "choose on a Gantt chart of 4 tasks"},
      {"choose = function(c) return 1, 4 end", "the machine that choose returns must be 1 to 3, got 4",
       "choose on a Gantt chart of 4 tasks"},
      {"choose = function(c) return 1, 1 end", "choose returned task 1, which does not wait",
       "choose on a Gantt chart of 4 tasks"},
      {"choose = function(c) c:place(1, 1) end", "can only be looked at; chart:copy() makes one",
       "choose on a Gantt chart of 4 tasks"},
      {"choose = function(c) sim:run() end", "this simulation is running: its own callbacks cannot steer it",
       "choose on a Gantt chart of 4 tasks"},
  };
  for (const auto& [fields, message, note] : cases) {
    INFO(fields);
    Session session;
    session.run(kChartsScenario);
    const std::string error =
        session.error(std::string("\nheuristic 'mine' { ") + fields +
                      " } sim = s:start { policy = planner { map = 'mine' } }\nsim:run()");
    CHECK_THAT(error, Contains(message) && Contains(note) && Contains("script.lua:2") && Contains("'mine'"));
  }
}

TEST_CASE("an absent host is no answer") {
  Session session;
  session.run(kChartsScenario);
  CHECK_THAT(session.error(
                 "heuristic 'mine' { choose = function(c) local t = c:waiting()[1] if t then return t, 2 end "
                 "end } sim = s:start { policy = planner { map = 'mine' } } sim:fail 'near.2' sim:run()"),
             Contains("the machine that choose returns is 2, which is away"));
}

TEST_CASE("words that have no meaning on a matrix are an error there, and what was kept is of no use") {
  Session session;
  CHECK_THAT(
      session.error(
          "heuristic 'used' { pick = function(c, task) return c:usage(1) end } map('used', etc { { 1 } })"),
      Contains("a mapping view has no field 'usage'") && Contains("Gantt chart"));
  CHECK_THAT(session.error("heuristic 'two' { pick = function() return 1, 2 end } map('two', etc { { 1 } })"),
             Contains("a second number, which decides between equals on a Gantt chart"));
  session.run(kChartsScenario);
  CHECK_THAT(session.error("local kept heuristic 'keeps' { pick = function(c) kept = c return 1 end }"
                           "s:run { policy = planner { map = 'keeps' } } kept:best(1)"),
             Contains("this Gantt chart belongs to a call that is over"));
  CHECK_THAT(session.error("heuristic 'whole' { map = function(p) end } planner { map = 'whole' }"),
             Contains("must be able to choose on a Gantt chart") && Contains("whole is not"));
  CHECK_THAT(session.error("heuristic 'both' { choose = function(c) end, pick = function(c) end }"),
             Contains("pick does not go with choose"));
}

TEST_CASE("sim:chart is what a planner would begin with now") {
  Session session;
  session.run(kChartsScenario);
  // Nothing has begun: all four tasks wait, and a planner's makespan is that of its chart.
  CHECK(
      session.run("c = s:start { policy = 'workqueue' }:chart() print(c, c:task_name(1), c:machine_name(3), "
                  "c:cluster_name(2), c:file_name(c:inputs(1)[1]))") ==
      "gantt chart of 4 tasks on 3 machines in 2 clusters, 0 placed\ttask 1\tfar.1\tfar\tcommon\n");
  CHECK(session.run("c:fill 'min_min' print(c:makespan() == s:run { policy = planner { map = 'min_min' } "
                    "}.makespan)") == "true\n");
  // Under workqueue task 1 has its files at 3, the others wait for theirs.
  session.run("sim = s:start { policy = 'workqueue' } sim:run_until(3)");
  CHECK(session.run("c = sim:chart() print(c:now(), c:tasks(), c:task_name(1), c:ready(1), "
                    "c:file_ready(c:inputs(1)[1], "
                    "1), sim:now())") == "3.0\t3\ttask 2\t9.0\t3.0\t3.0\n");
  // Both links are at work until 4. Task 2 could be on far.1 from 6 to 12, and its output at home at 14.
  CHECK(session.run("own = c:inputs(1)[2] print(c:file_name(own), c:file_ready(own, 1), "
                    "c:file_ready(c:inputs(1)[1], 2), "
                    "c:best(1), c:second(1), c:link_free(1)[1].from)") ==
        "own2\t4.0\t4.0\t11.0\t14.0\t4.0\n");
  CHECK(session.run(
            "before = sim:result().fingerprint c:fill 'max_min' print(before == sim:result().fingerprint, "
            "sim:run().fingerprint == s:run { policy = 'workqueue' }.fingerprint)") == "true\ttrue\n");
  CHECK(session.run("print(sim:over(), sim:chart():tasks())") == "true\t0\n");
  // A planner of one's own: what takes it 5 s begins at 5, file own1 of 10 B before common of 20 B, each over
  // a link of 10 B/s; computed from 8 to 14, and then complete.
  session.run(
      "c = s:start { policy = 'workqueue' }:chart(planner { planning_time = 5, order = 'smallest', "
      "completion = 'compute' })");
  CHECK(session.run("p = c:plan(1, 1) print(c:now(), p.start, p.complete) for _, t in ipairs(p.transfers) do "
                    "print(c:file_name(t.file), t.start, t.finish) end") ==
        "0.0\t8.0\t14.0\nown1\t5.0\t6.0\ncommon\t6.0\t8.0\ntask 1.out\t14.0\t15.0\n");
  CHECK_THAT(session.error("s:start { policy = 'workqueue' }:chart 'workqueue'"),
             Contains("workqueue draws no Gantt chart; a planner does"));
  CHECK_THAT(session.error("s:start { policy = 'workqueue' }:chart 'min_min'"),
             Contains("'min_min' is a mapper"));
}
