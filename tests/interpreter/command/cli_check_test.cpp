// `perigee check` as a user calls it: what it finds in scripts that do not run.
#include <catch2/catch.hpp>

#include <string>

#include "tests/interpreter/command/run_perigee.h"
#include "tests/support/folder.h"

using namespace perigee::test;
using Catch::Matchers::Contains;

TEST_CASE("check runs nothing and finds what is wrong") {
  const Folder folder;
  folder.write("s.lua", kCliScript);
  const CliEnded good = run_perigee(folder, "check s.lua");
  CHECK(good.status == 0);
  CHECK(good.out == "s.lua: nothing wrong was found\n");
  folder.write("loop.lua", std::string(kCliScript) + "for i = 1, r.makespan do end\n");
  const CliEnded loop = run_perigee(folder, "check loop.lua");
  CHECK(loop.status == 0);
  CHECK_THAT(loop.err, Contains("needs the result of a run"));
  // Values collected from results are missing. A missing value is no error of the script.
  folder.write("rows.lua",
               std::string(kCliScript) +
                   "local by = {}\nfor _, job in ipairs(r:jobs()) do by[job.name] = job.wait end\n"
                   "print(stats.summary(by).mean)\nprint(1 + by['task 1'])\nlocal x = mth.pi\n");
  const CliEnded rows = run_perigee(folder, "check rows.lua");
  CHECK_THAT(rows.err, Contains("needs the result of a run") && Contains("there is no 'mth'"));
  CHECK(rows.status == 1);
  folder.write("stepping.lua",
               std::string(kCliScript) +
                   "local sim = s:start { policy = 'fcfs' }\n"
                   "while sim:step() do end\nrepeat until not sim:step()\n"
                   "while sim:now() < 10 do sim:step() end\nrepeat sim:step() until sim:now() >= 10\n");
  CHECK(run_perigee(folder, "check stepping.lua --steps 100000").status == 0);
  folder.write("bad.lua", std::string(kCliScript) + "s:run { policy = 'fcfs', sed = 1 }\n");
  const CliEnded bad = run_perigee(folder, "check bad.lua");
  CHECK(bad.status == 1);
  CHECK_THAT(bad.err, Contains("unknown field 'sed'; did you mean 'seed'?"));
}

TEST_CASE("check looks into functions that do not run") {
  const Folder folder;
  const auto problem = [&](const std::string& text) {
    folder.write("s.lua", text);
    const CliEnded ended = run_perigee(folder, "check s.lua");
    CHECK(ended.status == (ended.err.empty() ? 0 : 1));
    return ended.err.substr(0, ended.err.find('\n'));
  };
  CHECK(problem("local function f()\n  return mth.pi\nend\n") ==
        "s.lua:2: error: there is no 'mth'; did you mean 'math'?");
  CHECK(problem("local function f() return os.time() end") ==
        "s.lua:1: error: 'os' is not available: scripts have no access to the system");
  CHECK(problem("heuristic 'mine' {\n pick = function(c, task)\n  return c:bst(task)\n end }") ==
        "s.lua:3: error: a mapping view or a gantt chart has no field 'bst'; did you mean 'best'?");
  CHECK(problem("heuristic 'mine' { map = function(p) p:asign(1, 1) end }") ==
        "s.lua:1: error: a mapping problem has no field 'asign'; did you mean 'assign'?");
  CHECK(problem("policy 'mine' {\n decide = function(self, s) self:hosts() s:strat(1, 1) end }") ==
        "s.lua:2: error: a sim has no field 'strat'; did you mean 'start'?");
  CHECK(problem("local s = scenario { platform = platform { host 'a' {} }, workload = workload.tasks { { "
                "time = 1 } },\n"
                "  events = { process(function(sim) sim:faill 'a' end) } }") ==
        "s.lua:2: error: a process has no field 'faill'; did you mean 'fail'?");
  CHECK(problem("local s = switch { when = function(p) return p:taks() > 3 end }") ==
        "s.lua:1: error: a mapping problem has no field 'taks'; did you mean 'tasks'?");
  // Fields of the tables that words take.
  CHECK(problem("local function f()\n  return workload.tasks { { time = 1 }, {\n    tim = 10 } }\nend") ==
        "s.lua:3: error: tasks: unknown field 'tim'; did you mean 'time'?");
  CHECK(problem("local function f()\n  return cluster 'c' { nodes = 2, sped = 3 }\nend") ==
        "s.lua:2: error: cluster: unknown field 'sped'; did you mean 'speed'?");
  CHECK(problem("local function f()\n  return grouped { map = 'mct', sizee = 3 }\nend") ==
        "s.lua:2: error: grouped: unknown field 'sizee'; did you mean 'size'?");
  CHECK(problem("heuristic 'mine' { parameters = { a = 1 }, pick = function(c, t) return c:best(t) end }\n"
                "local function f() return mine { b = 2 } end") == "s.lua:2: error: mine: unknown field 'b'");
  CHECK(problem("policy 'mine' { decide = function(self, sim)\n  sim:post(1, f(2), { rnk = 2 })\nend }\n"
                "local function f() end") ==
        "s.lua:2: error: post: unknown field 'rnk'; did you mean 'rank'?");
  CHECK(problem("policy 'mine' { decide = function(self, sim) sim:hold { host = 1, to = 2 } end }") ==
        "s.lua:1: error: hold: unknown field 'host'; did you mean 'hosts'?");
  CHECK(problem("local function f(host)\n  local a, b = host { any = 2 }, { cluster = host }\n"
                "  a, b = 1, { x = 1 }\n"
                "  return cluster 'c' { nodes = (function() local z = 1 do a, z = 1, 2 end return z end)(), "
                "speed = "
                "f { other = 1 } }, experiment 'e' { factors = { n = { 1 } }, run = function(f) a, b = 2, 3 "
                "if f then "
                "b, n = 2, 1 end return {} end }\nend\nn = 1")
            .empty());
  CHECK(problem("print(pcall(function() return cluster 'c' { sped = 3 } end))").empty());
  // A name is fine if it is declared, even later or at the script's end, or if it may be something else.
  CHECK(problem("local a <const>, b = 1, { time = 2 }\nlater = function() return last end\nlast = "
                "tostring(a) .. tostring(b.x)\n"
                "for i, k in pairs({}) do goto go; print(i, k, [[mth]], 'mth') ::go:: end -- mth\n"
                "local function g(x, ...) return x, ... end\nfunction named() return named end\n")
            .empty());
  CHECK(problem("heuristic 'mine' { pick = function(c) local c = { f = function() return 1 end } return "
                "c:f() end }")
            .empty());
}

TEST_CASE("check knows the fields of what a run gives") {
  const Folder folder;
  const auto problem = [&](const std::string& text) {
    folder.write(
        "s.lua",
        "local s = scenario { platform = platform { host 'a' {} }, workload = workload.tasks { { time = "
        "1 } } }\n" +
            text);
    const CliEnded ended = run_perigee(folder, "check s.lua");
    CHECK(ended.status == (ended.err.empty() ? 0 : 1));
    return ended.err.substr(0, ended.err.find('\n'));
  };
  CHECK(problem("print(s:run { policy = 'fcfs' }.makspan)") ==
        "s.lua:2: error: a result has no field 'makspan'; did you mean 'makespan'?");
  CHECK(problem("local sim = s:start { policy = 'fcfs' }\nlocal a, b = sim:fork(2)\nb:run_untill(3)") ==
        "s.lua:4: error: a simulation has no field 'run_untill'; did you mean 'run_until'?");
  CHECK(problem("local sim = s:start { policy = 'fcfs' }\nprint(sim.state.queu)") ==
        "s.lua:3: error: a state has no field 'queu'; did you mean 'queue'?");
  CHECK(problem("local sim = s:start { policy = 'fcfs' }\nprint(sim:when(print):back_to(3):why(1).chosn)") ==
        "s.lua:3: error: a decision has no field 'chosn'; did you mean 'chosen'?");
  CHECK(problem("local c = s:compare { 'fcfs' }\nprint(c:result(1):jobz())") ==
        "s.lua:3: error: a result has no field 'jobz'; did you mean 'jobs'?");
  CHECK(problem("local sim = s:start { policy = 'fcfs' }\nlocal now, holds = sim:when(print)\n"
                "local a, b = sim:fork(2)\nlocal c = compare(a:run(), now:result())\n"
                "print(holds.x, #c, c:first_difference().time + 1, a:result()['utilization.held'] > 2)\n"
                "for _, row in ipairs(b:result():jobs()) do print(row.wait) end\n"
                "print(tostring(a) .. sim.state.queue, a == b, sim:why(1).candidates[1].host)")
            .empty());
  const std::string sim = "local sim = s:start { policy = 'fcfs' }\n";
  CHECK(problem(sim + "sim:submit({ time = 5 }, { at = 5 }):leave('a'):run()").empty());
  CHECK(problem(sim + "sim:submit({ time = 5 }, { att = 5 })") ==
        "s.lua:3: error: submit: unknown field 'att'; did you mean 'at'?");
  CHECK(problem(sim + "sim:submit { { time = 5 }, { tme = 5 } }") ==
        "s.lua:3: error: submit: unknown field 'tme'; did you mean 'time'?");
  CHECK(problem(sim + "sim:leave('a'):fail('a', 600)") ==
        "s.lua:3: error: fail: argument 2 must be a table, got 600; it is written sim:fail(name [, { at = t "
        "}])");
  CHECK(problem(sim + "sim:run(5)") ==
        "s.lua:3: error: run takes no arguments, got 1, the last of them 5; it is written sim:run()");
  CHECK(problem(sim + "sim:set_policy 'workqeue'") ==
        "s.lua:3: error: unknown scheduler 'workqeue'; did you mean 'workqueue'?");
  CHECK(problem(sim + "sim:fail 'a.7'") == "s.lua:3: error: there is no host, cluster or link 'a.7'");
  CHECK(problem(sim + "sim:fail('a', { at = 5 }):run_until(3)\nsim:change('b', { speed = 2 })") ==
        "s.lua:4: error: there is no host, cluster or link 'b'");
  CHECK_THAT(problem(sim + "sim:run_until '10 KB'"), Contains("s.lua:3: error: run_until: time"));
  CHECK_THAT(problem(sim + "sim:back_to '10 KB'"), Contains("s.lua:3: error: back_to: time"));
  CHECK_THAT(problem(sim + "sim:fail('a', { at = '10 KB' })"), Contains("s.lua:3: error: fail: at"));
  CHECK(problem(sim + "sim:fail('a', { at = '10 min' }):run_until '1 h'").empty());
  CHECK(problem("local r = s:run { policy = 'fcfs' }\ncompare(r, r, { names = { 'x' } })") ==
        "s.lua:3: error: compare: names must be a list of 2 names, one for each row, got 1");
  CHECK(problem("print(s:run { policy = 'fcfs' }:jobs():where(print):sort_by 'wiat')") ==
        "s.lua:2: error: sort_by: there is no column 'wiat'; did you mean 'wait'?");
  CHECK(problem("local t = s:run { policy = 'fcfs' }:jobs():columns { 'name', 'wait' }\n"
                "print(t:sort_by('wait', 'descending'))\nprint(t:sort_by 'start')") ==
        "s.lua:4: error: sort_by: there is no column 'start'; there are name, wait");
  CHECK(problem("local name = s:run { policy = 'fcfs' }:jobs()[1].name\n"
                "print(s:run { policy = 'fcfs' }:hosts():sort_by(name):columns { name })")
            .empty());
  CHECK(problem(sim + "sim:when(function(s) return s:isup 'a' end)") ==
        "s.lua:3: error: a state has no field 'isup'; did you mean 'is_up'?");
  CHECK(problem(sim + "sim:when(function(s) return s.que > 5 end)") ==
        "s.lua:3: error: a state has no field 'que'; did you mean 'queue'?");
  CHECK(problem(sim + "sim:when(function(s) return s.queue > 5 and s:is_up 'a' end)").empty());
  // It may be the error that is caught.
  CHECK(problem("local ok, e = pcall(function() return s:run { policy = 'fcfs' } end)\nprint(e.message)")
            .empty());
}

TEST_CASE("check knows the levels and the measures of an experiment") {
  const Folder folder;
  const auto problem = [&](const std::string& run, const std::string& after) {
    folder.write("s.lua",
                 "local s = scenario { platform = platform { host 'a' {} }, workload = workload.tasks { { "
                 "time = 1 } } }\n"
                 "local e = experiment 'e' { factors = { policy = { 'fcfs', 'sjf' } }, run = function(f) " +
                     run + " end }\n" + after);
    const CliEnded ended = run_perigee(folder, "check s.lua");
    CHECK(ended.status == (ended.err.empty() ? 0 : 1));
    return ended.err.substr(0, ended.err.find('\n'));
  };
  const std::string result = "return s:run { policy = f.policy }";
  CHECK(problem(result, "e:compare('makespan', { factor = 'policy', baseline = 'easy' })") ==
        "s.lua:3: error: compare: factor 'policy' has no level easy; there are fcfs, sjf");
  CHECK(problem(result, "e:compare('makespan', { factor = 'policy', baseline = 'sjf' })").empty());
  CHECK(problem(result, "e:compare('makspan', { factor = 'policy' })") ==
        "s.lua:3: error: compare: the experiment has no measure 'makspan'; did you mean 'makespan'?");
  CHECK(problem(result, "print(e:table('utilization.held')[1]['utilization.held'])").empty());
  CHECK(problem(result, "e:table('makespan'):plot { x = 'policy' }") ==
        "s.lua:3: error: plot: 'y' is missing: the column to draw, or a list of columns");
  // So do the functions of the standard library.
  const std::string studies = "local studies = require 'studies' ";
  CHECK(problem(result, studies + "studies.plot(e, { x = 'polcy', y = 'makespan' })") ==
        "s.lua:3: error: plot: x: there is no column 'polcy'; did you mean 'policy'?");
  CHECK(problem(result, studies + "studies.plot(e, { x = 'policy', y = 'makespan', bye = 3 })") ==
        "s.lua:3: error: plot: unknown field 'bye'; did you mean 'by'?");
  CHECK_THAT(problem(result, studies + "studies.print(e, 'makespan', 'polcy', 'cell')"),
             Contains("columns: there is no column 'polcy'; did you mean 'policy'?"));
  CHECK_THAT(problem(result, studies + "studies.ratio(e, 'makespan', 'policy', 'sfj', 'fcfs')"),
             Contains("factor 'policy' has no level sfj; did you mean 'sjf'?"));
  CHECK(problem(result, studies + "studies.ratioo(e, 'makespan', 'policy', 'sjf', 'fcfs')") ==
        "s.lua:3: error: there is no 'studies.ratioo'; did you mean 'ratio'?");
  CHECK(problem(result, studies + "studies.ratio(e, 'makespan', 'policy', 'sjf', 'fcfs')").empty());
  // The entries of a table of the script may depend on the results of a run.
  CHECK(problem("local t = {} for _, job in ipairs(" + result.substr(7) +
                    ":jobs()) do t[job.name] = job.wait end return t",
                "e:table('task')")
            .empty());
}

TEST_CASE("check reads an experiment of many levels") {
  const Folder folder;
  folder.write("s.lua",
               "local levels = {}\nfor i = 1, 100000 do levels[i] = i end\n"
               "experiment 'e' { factors = { a = levels }, run = function(f) return { x = f.a } end }");
  CHECK(run_perigee(folder, "check s.lua --steps 60000000").status == 0);
}

TEST_CASE("check calls the function of an experiment with each level") {
  const Folder folder;
  const auto problem = [&](const std::string& text) {
    folder.write("s.lua", text);
    const CliEnded ended = run_perigee(folder, "check s.lua");
    CHECK(ended.status == (ended.err.empty() ? 0 : 1));
    return ended.err.substr(0, ended.err.find('\n'));
  };
  const std::string make =
      "local function s(f)\n  return scenario { platform = platform { host 'a' {} }, workload = "
      "workload.tasks { "
      "{ time = f.size } } }\nend\n";
  CHECK(problem(make + "experiment 'e' { factors = { size = { 1, -2 } },\n"
                       "  run = function(f) return s(f):run { policy = 'fcfs' } end }") ==
        "s.lua:2: error: task 1: time must be >= 0 s, got -2");
  CHECK(problem(make + "experiment 'e' { factors = { size = { 1 }, policy = { 'fcfs', 'workqeue' } },\n"
                       "  run = function(f) return s(f):run { policy = f.policy } end }") ==
        "s.lua:5: error: unknown scheduler 'workqeue'; did you mean 'workqueue'?");
  CHECK(problem(make +
                "experiment 'e' { factors = { size = { 1 } },\n"
                "  run = function(f) return s(f):run { policy = 'fcfs' } end, measure = { 'makespn' } }") ==
        "s.lua:4: error: unknown metric 'makespn'; did you mean 'makespan'?");
  CHECK(problem(make +
                "local e = experiment 'e' { factors = { size = { 1 } }, run = function(f)\n"
                "  local r = s(f):run { policy = 'fcfs' }\n"
                "  for i = 1, r.makespan do print(i) end\n"
                "  return { mine = r.makespan }\nend, measure = { 'mine' } }\nprint(e:tabel('mine'))") ==
        "s.lua:9: error: an experiment has no field 'tabel'; did you mean 'table'?");
}
