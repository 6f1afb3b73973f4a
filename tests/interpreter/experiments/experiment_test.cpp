// experiment "name" { } as scripts use it.
#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/interpreter/experiments/ended.h"
#include "tests/support/folder.h"

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

// ---- declaration ----

TEST_CASE("factors are combined in the order of their names, or in the order of a list") {
  const std::string rest =
      ", run = function(f) return { x = 1 } end }\n"
      "for _, row in ipairs(e:rows()) do print(row.cell, row.b, row.a, row.replication) end";
  CHECK(output_of("local e = experiment 'e' { replications = 2, factors = { b = { 1, 2 }, a = { 'x' } }" +
                  rest) == "1\t1\tx\t1\n2\t2\tx\t1\n3\t1\tx\t2\n4\t2\tx\t2\n");
  CHECK(output_of("local e = experiment 'e' { factors = { { 'b', { 1, 2 } }, { 'a', { true, 'y' } } }" +
                  rest) == "1\t1\ttrue\t1\n2\t1\ty\t1\n3\t2\ttrue\t1\n4\t2\ty\t1\n");
  CHECK(output_of("local e = experiment 'e' { factors = { b = { 1, 2, 3 }, a = { 1, 2 } },\n"
                  "where = function(f) return f.a < f.b end" +
                  rest) == "1\t2\t1\t1\n2\t3\t1\t1\n3\t3\t2\t1\n");
  CHECK(output_of("print(#experiment 'e' { run = function(f) return { x = 1 } end })") == "1\n");
}

TEST_CASE("levels reach run as they are; policies are shown as in a comparison") {
  CHECK(output_of("local e = experiment 'e' { factors = { p = { 'fcfs', mapped { map = 'mct' }, workqueue }, "
                  "on = { true } },\n"
                  "run = function(f) assert(f.on == true); local kind = type(f.p)\n"
                  "  return { text = kind == 'string' and 1 or 0 } end }\n"
                  "for _, row in ipairs(e:rows()) do print(row.p, row.text) end") ==
        "fcfs\t1\nmapped { map = mct }\t0\nworkqueue\t0\n");
}

TEST_CASE("levels with names may be anything, and are shown by their names") {
  CHECK(
      output_of(
          "local e = experiment 'e' { factors = { grid = { { 'small', { nodes = 2 } }, { 'large', { nodes = "
          "9 } } },\n"
          "  policy = { { 'first', fcfs {} }, 'sjf' } }, run = function(f) return { size = f.grid.nodes, t = "
          "tostring(f.policy) == 'fcfs' and 1 or 0 } end }\n"
          "for _, row in ipairs(e:rows()) do print(row.grid, row.policy, row.size, row.t) end\n"
          "print(e:compare('size', { factor = 'grid', baseline = 'small' })[1].difference)") ==
      "small\tfirst\t2\t1\nsmall\tsjf\t2\t0\nlarge\tfirst\t9\t1\nlarge\tsjf\t9\t0\n7\n");
}

TEST_CASE("mistakes in a declaration are named with what is allowed") {
  const auto error = [](const std::string& fields) {
    return of_text("experiment 'e' {\n" + fields + " }").error;
  };
  const std::string run = "run = function(f) return {} end";
  CHECK_THAT(error("factors = {}"), Contains("experiment 'e': 'run' is missing"));
  CHECK_THAT(error("run = 3"), Contains("run must be a function, got 3"));
  CHECK_THAT(error("repeat_ = 3, " + run), Contains("repeat_"));
  CHECK_THAT(error("replication = 3, " + run), Contains("did you mean 'replications'?"));
  CHECK_THAT(error("replications = 0, " + run), Contains("replications"));
  CHECK_THAT(error("replications = { most = 4, half_width = 1 }, " + run), Contains("'measure' is missing"));
  CHECK_THAT(error("replications = { least = 5, most = 4, half_width = 1, measure = 'x' }, " + run),
             Contains("most must be >= least, got 4 and 5"));
  CHECK_THAT(error("replications = { most = 4, measure = 'x' }, " + run),
             Contains("'half_width' is missing"));
  CHECK_THAT(error("factors = { a = 3 }, " + run), Contains("factor 'a' must be a list of levels, got 3"));
  CHECK_THAT(error("factors = { a = {} }, " + run), Contains("factor 'a' has no levels"));
  CHECK_THAT(error("factors = { a = { 1, 2, 1 } }, " + run), Contains("factor 'a' has the level 1 twice"));
  CHECK_THAT(error("factors = { a = { 1, '1' } }, " + run), Contains("factor 'a' has the level 1 twice"));
  CHECK_THAT(error("factors = { a = { {} } }, " + run), Contains("a level is a number, a text"));
  CHECK_THAT(error("factors = { a = { x = 1 } }, " + run), Contains("got the key 'x'"));
  CHECK_THAT(error("factors = { a = { 0 / 0 } }, " + run), Contains("a level is a number, a text"));
  CHECK_THAT(error("factors = { seed = { 1 } }, " + run), Contains("'seed' cannot be the name of a factor"));
  CHECK_THAT(error("factors = { ['a b'] = { 1 } }, " + run), Contains("got 'a b'"));
  CHECK_THAT(error("factors = { { 'a' } }, " + run), Contains("entries { \"name\", { level, ... } }"));
  CHECK_THAT(error("factors = { { 'a', { 1 } }, { 'a', { 2 } } }, " + run),
             Contains("'a' is declared twice"));
  CHECK_THAT(error("factors = { a = { 1 } }, where = function() end, " + run),
             Contains("leaves no combination"));
  CHECK_THAT(error("measure = { 'x', 'x' }, " + run), Contains("measure names 'x' twice"));
  CHECK_THAT(error("measure = {}, " + run), Contains("measure must be a list of metrics or a function"));
  CHECK_THAT(error("replications = 1000000, factors = { a = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 } }, " + run),
             Contains("cells are too many"));
  CHECK_THAT(of_text("experiment { }").error, Contains("experiment: a name comes first"));
  CHECK_THAT(of_text("experiment 'e' { " + run + " } experiment 'e' { " + run + " }").error,
             Contains("'e' is declared twice"));
  CHECK_THAT(
      of_text("experiment 'e' { factors = { size = { 1 } }, run = function(f) return { x = f.sise } end }")
          .warnings,
      Contains("there is no factor 'sise'; did you mean 'size'?"));
  CHECK_THAT(of_text("experiment 'e' { run = function() experiment 'f' { " + run + " } end }").warnings,
             Contains("an experiment cannot be part of"));
}

TEST_CASE("check looks at the declaration, and at what run does where nothing is unknown") {
  InterpreterOptions options;
  options.check = true;
  CHECK_THAT(of_text("experiment 'e' { run = function() error 'always' end }", options).error,
             Contains("always"));
  CHECK(of_text("local e = experiment 'e' { run = function() return { x = 1 } end }\nprint(e:table 'x')\n"
                "if e:rows()[1].x > 2 then print(e) end",
                options)
            .error == "");
  CHECK_THAT(of_text("experiment 'e' { factors = { a = 3 }, run = function() end }", options).error,
             Contains("factor 'a' must be a list"));
  CHECK_THAT(
      of_text("experiment 'e' { factors = { a = { 1 } }, run = function() return { n = 3 } end }", options)
          .error,
      Contains("run returned 'n', which is a column of its own"));
  CHECK_THAT(
      of_text(
          kWorld +
              "experiment 'e' { factors = { a = { 1 } }, run = function() return s:run { policy = 'fcfs' } "
              "end,\nmeasure = function(r) return { seed = r.makespan } end }",
          options)
          .error,
      Contains("measure returned 'seed', which is a column of its own"));
}

// ---- seeds ----

TEST_CASE("check follows what an experiment, its tables and its plots are given") {
  InterpreterOptions options;
  options.check = true;
  const auto error = [&](const std::string& after,
                         const std::string& measure = "{ 'makespan', 'mean_wait' }") {
    const std::string text =
        of_text(kWorld +
                    "local e = experiment 'e' { factors = { load = { 1, 2 }, policy = { 'fcfs' } },\n"
                    "run = function(f) return s:run { policy = f.policy } end, measure = " +
                    measure + " }\n" + after,
                options)
            .error;
    CHECK((text.empty() || text.starts_with("test.lua:5: error: ")));
    return text;
  };
  for (const char* good :
       {"e:table('makespan', { confidence = 0.9 }):plot { x = 'load', y = 'makespan', by = 'policy' }",
        "print(e:compare('mean_wait', { factor = 'load', baseline = 1 })[1].verdict)",
        "plot(e:rows(), { x = 'load', y = 'makespan', kind = 'box' })",
        "e:rows():csv 'all' e:csv() e:save 'e'",
        "local t = e:rows() for _, row in ipairs(t) do row.gain = 1 end t:plot { x = 'load', y = 'gain' }",
        "local t = e:rows() for i = 1, #t do t[i].gain = 1 end t:plot { x = 'load', y = 'gain' }",
        "e:table():plot { x = 'load', y = 'mean_wait' } print(e:rows()[1].mean_wait + 1)",
        "s:run { policy = 'fcfs' }:plot { kind = 'queue' } s:run { policy = 'fcfs' }:jobs():plot { x = "
        "'name', y = 'wait' }"})
    CHECK(error(good) == "");
  CHECK_THAT(error("plot(e:rows(), { titel = 'x' })"),
             Contains("plot: unknown field 'titel'; did you mean 'title'?"));
  CHECK_THAT(error("e:rows():plot { x = 'load', y = 'makspan' }"),
             Contains("there is no column 'makspan'; did you mean 'makespan'?"));
  CHECK_THAT(error("e:table('makespan'):plot { x = 'lod', y = 'makespan' }"),
             Contains("there is no column 'lod'"));
  CHECK_THAT(error("e:table('makespan'):plott {}"),
             Contains("a table has no field 'plott'; did you mean 'plot'?"));
  CHECK_THAT(error("e:table('makspan')"), Contains("has no measure 'makspan'; did you mean 'makespan'?"));
  CHECK_THAT(error("e:table('makespan', { confidense = 0.9 })"), Contains("unknown field 'confidense'"));
  CHECK_THAT(error("e:compare('makespan', { factr = 'load' })"),
             Contains("unknown field 'factr'; did you mean 'factor'?"));
  CHECK_THAT(error("e:compare('makespan', { factor = 'm' })"), Contains("the experiment has no factor 'm'"));
  CHECK_THAT(error("e:compare('y', { factr = 'a' })", "function(r) return { y = 1 } end"),
             Contains("'factr'"));
  CHECK_THAT(error("print(e:rows()[1].makspan)"), Contains("no column 'makspan'"));
  CHECK_THAT(
      error("s:run { policy = 'fcfs' }:plot { kind = 'gannt' }"),
      Contains("kind must be one of gantt, utilization, queue, power, got 'gannt'; did you mean 'gantt'?"));
  CHECK_THAT(error("s:run { policy = 'fcfs' }:plot { titel = 'x' }"), Contains("unknown field 'titel'"));
  CHECK_THAT(error("s:run { policy = 'fcfs' }:jobs():plot { titel = 'x' }"),
             Contains("unknown field 'titel'"));
}

TEST_CASE("a replication has its own seed and workload, shared by all combinations") {
  const std::string out = output_of(
      "local s = scenario { platform = platform { host 'a' {}, host 'b' { speed = 2 } }, workload =\n"
      "  workload.tasks(8, function(i, rng) return { ops = 10, arrival = rng:uniform(0, 30) } end) }\n"
      "local e = experiment 'e' { factors = { policy = { 'fcfs', 'workqueue', mapped { map = 'mct' } } },\n"
      "  replications = 4, run = function(f) return s:run { policy = f.policy } end,\n"
      "  measure = function(r) local sum = 0\n"
      "    for _, job in ipairs(r:jobs()) do sum = sum + job.arrival end return { arrivals = sum } end }\n"
      "local rows, seen = e:rows(), {}\n"
      "for i, row in ipairs(rows) do\n"
      "  local first = rows[3 * (row.replication - 1) + 1]\n"
      "  assert(row.seed == first.seed and row.arrivals == first.arrivals)\n"
      "  if row == first then assert(not seen[row.seed] and not seen[row.arrivals])\n"
      "    seen[row.seed], seen[row.arrivals] = true, true end\n"
      "end\nprint(#rows)");
  CHECK(out == "12\n");
}

TEST_CASE("runs, streams and math.random take the seed of the cell unless they name one") {
  CHECK(
      output_of(
          kWorld +
          "local e = experiment 'e' { replications = 3, factors = { a = { 1, 2 } },\n"
          "run = function(f, seed)\n"
          "  local r = s:run { policy = 'fcfs' }\n"
          "  assert(r.seed == seed and s:run { policy = 'fcfs', seed = seed }.fingerprint == r.fingerprint)\n"
          "  assert(s:run { policy = 'fcfs', seed = 3 }.seed == 3)\n"
          "  return { drawn = math.random(), stream = stream('x'):uniform() - stream('x', seed):uniform() }\n"
          "end }\n"
          "local rows = e:rows()\n"
          "for i = 1, 6, 2 do print(rows[i].drawn == rows[i + 1].drawn, rows[i].stream) end\n"
          "print(rows[1].drawn ~= rows[3].drawn)") == "true\t0\ntrue\t0\ntrue\t0\ntrue\n");
}

TEST_CASE("an experiment takes nothing from the script's own random numbers") {
  CHECK(output_of("math.random() experiment 'e' { run = function() return { x = math.random() } end }\n"
                  "print(math.random())") == output_of("math.random() print(math.random())"));
}

TEST_CASE("another seed of the script gives other replications") {
  const std::string script =
      "print(experiment 'e' { run = function(f, seed) return { x = seed } end }:rows()[1].x)";
  InterpreterOptions options;
  options.seed = 2;
  CHECK(of_text(script).out != of_text(script, options).out);
}

// ---- measures ----

TEST_CASE("measures are all metrics, those of a list, a function's or run's own") {
  const std::string begin = kWorld + "local e = experiment 'e' { ";
  const std::string run = "run = function(f, seed) return s:run { policy = 'fcfs', seed = 3 } end";
  const std::string end = " }\nlocal r, row = s:run { policy = 'fcfs', seed = 3 }, e:rows()[1]\n";
  CHECK(output_of(begin + run + end +
                  "print(row.makespan == r.makespan, row.mean_wait == r.mean_wait, row.finished)") ==
        "true\ttrue\t8\n");
  CHECK(output_of(begin + run + ", measure = { 'mean_wait', 'makespan' }" + end +
                  "print(row.makespan == r.makespan, row.mean_wait == r.mean_wait,\n"
                  "  e:csv():match '[^\\n]*')") == "true\ttrue\tcell,replication,seed,mean_wait,makespan\n");
  CHECK(output_of(begin + run + ", measure = function(r, f) return { double = 2 * r.makespan } end" + end +
                  "print(row.double == 2 * r.makespan)") == "true\n");
  CHECK(output_of(begin + "measure = { 'y' }, run = function() return { y = 2, x = 1 } end" + end +
                  "print(row.y, pcall(function() return row.x end))")
            .starts_with("2\tfalse\t"));
  const auto failure = [&](const std::string& fields) { return of_text(begin + fields + " }").warnings; };
  CHECK_THAT(failure("run = function() end"),
             Contains("run must return a result or a table of numbers, got nil"));
  CHECK_THAT(failure("run = function() return { x = 'a' } end"),
             Contains("a measure is a number, or absent"));
  CHECK_THAT(failure("run = function() return { 1 } end"), Contains("with the key 1"));
  CHECK_THAT(failure("run = function() return { seed = 1 } end"), Contains("a column of its own"));
  CHECK_THAT(failure("factors = { a = { 1 } }, run = function() return { a = 1 } end"),
             Contains("'a' is a measure and a factor"));
  CHECK_THAT(of_text(begin + run + ", measure = { 'makespam' } }").error,
             Contains("unknown metric 'makespam'; did you mean 'makespan'?"));
  CHECK_THAT(failure(run + ", measure = function() return 3 end"),
             Contains("measure must return a result or a table of numbers, got 3"));
  CHECK(
      failure(
          "measure = { 'utilization' }, run = function() return s:run { policy = 'fcfs', trace = 'none' } end") ==
      "");
}

TEST_CASE("a measure that is to decide on replications must be one") {
  CHECK_THAT(
      of_text("local e = experiment 'e' {\n"
              "replications = { most = 1000, half_width = 1, measure = 'makespam' },\n"
              "run = function(f, seed) return { makespan = seed } end }")
          .error,
      Contains("test.lua:1: error: experiment 'e': replications: no cell has the measure 'makespam'; did "
               "you mean 'makespan'?"));
}

TEST_CASE("what is absent and what is not finite stays so") {
  CHECK(output_of("local e = experiment 'e' { factors = { a = { 1, 2, 3 } }, run = function(f)\n"
                  "  return { x = f.a == 1 and 0 / 0 or f.a == 2 and math.huge or nil } end }\n"
                  "local rows = e:rows()\n"
                  "print(rows[1].x ~= rows[1].x, rows[2].x, rows[3].x)\n"
                  "print((e:csv():gsub(',%d+,', ',#,')))") ==
        "true\tinf\tnil\n"
        "cell,a,replication,seed,x\n1,#,1,#,nan\n"
        "2,#,1,#,inf\n3,#,1,#,\n\n");
}

// ---- failures and state ----

TEST_CASE("a failing cell is named, and loses nothing") {
  const ExperimentEnded ended = of_text(
      "local e = experiment 'e' { factors = { a = { 1, 2, 3, 4 } }, replications = 5,\n"
      "run = function(f, seed) if f.a == 3 and seed == math.tointeger(setting('bad', 0)) then\n"
      "  error 'no luck' end return { x = f.a } end }\n"
      "print(e:rows()[7].seed)");
  InterpreterOptions options;
  options.settings["bad"] = ended.out.substr(0, ended.out.size() - 1);
  const std::string script =
      "local e = experiment 'e' { factors = { a = { 1, 2, 3, 4 } }, replications = 5,\n"
      "run = function(f, seed) if f.a == 3 and seed == math.tointeger(setting('bad', 0)) then\n"
      "  error 'no luck' end return { x = f.a } end }\n"
      "print(#e:rows(), #e, e)\n";
  const ExperimentEnded failed = of_text(script, options);
  CHECK(failed.out == "19\t20\texperiment 'e' of 20 cells, 1 failed\n");
  CHECK(failed.warnings == "experiment 'e': cell 7 (a = 3, replication 2, seed " + options.settings["bad"] +
                               ") failed: test.lua:3: no luck; --cell 7 repeats it\n");
  const ExperimentEnded listed = of_text(
      script + "for _, row in ipairs(e:failures()) do print(row.cell, row.a, row.message) end", options);
  CHECK_THAT(listed.out, Contains("7\t3\ttest.lua:3: no luck\n"));
}

TEST_CASE("cells that fail alike are told of together, by an option that a shell takes") {
  const ExperimentEnded ended = of_text(
      "experiment 'first' { run = function() return { x = 1 } end }\n"
      "local e = experiment \"it's\" { factors = { a = { 1, 2 } }, replications = 500,\n"
      "run = function(f) if f.a == 2 then return { x = f.b } end error 'no' end } e:failures()");
  CHECK(ended.warnings.starts_with(
      "experiment 'it's': 500 of 1000 cells, first cell 1 (a = 1, replication 1, seed "));
  CHECK_THAT(ended.warnings, Contains("failed: test.lua:3: no; --cell 'it'\\''s:1' repeats the first\n") &&
                                 Contains("500 of 1000 cells, first cell 2 ") &&
                                 Contains("there is no factor 'b'"));
  CHECK(std::count(ended.warnings.begin(), ended.warnings.end(), '\n') == 2);
}

TEST_CASE("a run that cannot go on fails its cell unless the script looks at the end of its runs") {
  // Forgets every other task: 2 of 4 are never started.
  const std::string drops =
      "local s = scenario { platform = platform { host 'a' {} },\n"
      "  workload = workload.tasks(4, function(i) return { time = 10, arrival = i } end) }\n"
      "policy 'drops' { begin = function(self) self.w, self.n = {}, 0 end,\n"
      "  arrived = function(self, sim, works) for _, x in ipairs(works) do self.n = self.n + 1\n"
      "    if self.n % 2 == 0 then self.w[#self.w + 1] = x end end end,\n"
      "  decide = function(self, sim) while #self.w > 0 and sim:idle_cores(1) > 0 do\n"
      "    sim:start(table.remove(self.w, 1), 1) end end }\n"
      "local function result(f) return s:run { policy = f.policy } end\n"
      "local e = experiment 'e' { factors = { policy = { 'fcfs', 'drops' } }, replications = 3, run = ";
  for (const unsigned jobs : {1u, 3u}) {
    const Folder folder;
    InterpreterOptions options;
    options.jobs = jobs;
    const std::string script =
        folder.write("s.lua", drops + "result, measure = { 'makespan' } } print(#e:rows())");
    const ExperimentEnded ended = of_file(script, options);
    CHECK(ended.out == "3\n");
    CHECK_THAT(ended.warnings, Contains("3 of 6 cells, first cell 2 (policy = drops, replication 1, seed ") ||
                                   Contains("cell 2 (policy = drops"));
    CHECK_THAT(ended.warnings, Contains("with work left, for nothing can happen any more"));
  }
  const std::string rows = " } print(#e:rows(), e:rows()[2].unfinished)";
  CHECK(output_of(drops + "result, measure = { 'unfinished' }" + rows) == "6\t2\n");
  CHECK(output_of(drops +
                  "function(f) local r = result(f)\n"
                  "return { unfinished = r.status == 'complete' and 0 or r.unfinished } end" +
                  rows) == "6\t2\n");
  CHECK(output_of(drops + "result, measure = function(r) return { unfinished = r.unfinished } end" + rows) ==
        "6\t2\n");
  // Cells that are kept are told.
  CHECK(output_of(drops + "result, measure = { 'unfinished' } } local w = e:warnings() "
                          "print(#w, w[1].policy, w[1].cells, w[1].warning)") ==
        "1\tdrops\t3\tcells kept whose runs stopped with work left\n");
  CHECK(
      output_of(
          "local s = scenario { platform = platform { host 'a' {} }, workload = workload.tasks { { time = 9 "
          "} } }\n"
          "local e = experiment 'e' { factors = { t = { 1 } }, replications = 2, measure = { 'finished' },\n"
          "run = function(f) local sim = s:start { policy = 'fcfs' } sim:run_until(f.t) return sim:result() "
          "end }\n"
          "print(#e:rows(), e:warnings()[1].warning)") == "2\tcells measured before the end of their runs\n");
}

TEST_CASE("cells whose results were taken before the end of their runs warn, however they are measured") {
  const std::string begin =
      "local s = scenario { platform = platform { host 'a' {} }, workload = workload.tasks { { time = 9 } } "
      "}\n"
      "local function half(t) local sim = s:start { policy = 'fcfs' } sim:run_until(t) return sim:result() "
      "end\n"
      "local e = experiment 'e' { replications = 2, ";
  const std::string end = " } print(#e:rows(), #e:warnings() > 0 and e:warnings()[1].warning, #e:warnings())";
  const char* const warned = "2\tcells measured before the end of their runs\t1\n";
  const char* const silent = "2\tfalse\t0\n";
  const auto with = [&](const std::string& fields) { return output_of(begin + fields + end); };
  CHECK(with("run = function() return half(1) end") == warned);
  CHECK(with("run = function() return half(1) end, measure = function(r) return { m = r.makespan } end") ==
        warned);
  CHECK(with("run = function() local r = half(1) return { m = r.makespan, b = r.mean_wait } end") == warned);
  CHECK(with("run = function() return { m = half(1):jobs()[1].wait or 0 } end") == warned);
  // A run that has ended, a script that looks how its run stands, and one that measures nothing of the result.
  CHECK(with("run = function() return { m = half(10).makespan } end") == silent);
  CHECK(with("run = function() local r = half(1) return { m = r.status == 'running' and r.makespan } end") ==
        silent);
  CHECK(with("run = function() return { m = half(1).end_time } end") == silent);
}

TEST_CASE("warnings of runs are summed up for each combination, for any number of workers, stored or not") {
  // Two of the jobs 1 to 6, those of 5 and 6 cores, fit no host of 4 cores.
  const Folder folder;
  const std::string script =
      folder.write("s.lua",
                   "local s = scenario { platform = platform { host 'a' { cores = 4 } },\n"
                   "  workload = workload.jobs(6, function(i) return { cores = i, time = 10 } end) }\n"
                   "local e = experiment 'e' { factors = { policy = { 'fcfs', 'easy' } }, replications = 3,\n"
                   "  run = function(f) return s:run { policy = f.policy } end, measure = { 'finished' } }\n"
                   "for _, w in ipairs(e:warnings()) do print(w.policy, w.cells, w.count, w.warning) end\n"
                   "print(e:table('finished', { warnings = true })[1].warned)");
  const auto lines = [](const std::string& policy, int first) {
    return "experiment 'e', policy = " + policy +
           ": in 3 of 3 cells: 6 pieces of work rejected that no host can run; --cell " +
           std::to_string(first) + " shows the first\n";
  };
  InterpreterOptions options;
  options.out = (folder.path / "out").string();
  for (const unsigned jobs : {1u, 3u, 1u}) {
    options.jobs = jobs;
    if (jobs == 3) options.out = (folder.path / "other").string();
    const ExperimentEnded ended = of_file(script, options);
    CHECK(ended.error == "");
    CHECK(ended.out ==
          "fcfs\t3\t6\tpieces of work rejected that no host can run\n"
          "easy\t3\t6\tpieces of work rejected that no host can run\n3\n");
    CHECK(ended.warnings == lines("fcfs", 1) + lines("easy", 2));
  }
  CHECK(of_file(script, options).stored == 6);
}

TEST_CASE("what is said once in a cell is said outside of it too") {
  const Folder folder;
  folder.write("log.swf", "1 0 0 10 8 -1 -1 8 10 -1 1 1 1 1 1 1 -1 -1\n");
  const std::string script = folder.write(
      "s.lua",
      "local s = scenario { platform = platform { cluster 'c' { nodes = 2, cores = 4 } },\n"
      "  workload = workload.swf('log.swf', { oversize = 'split' }) }\n"
      "experiment 'e' { replications = 2, run = function() return s:run { policy = 'fcfs' } end }\n"
      "print 'alone' s:run { policy = 'fcfs' }");
  const std::string warnings = of_file(script).warnings;
  CHECK_THAT(warnings, Contains("experiment 'e': in 2 of 2 cells: log.swf: 1 ") && Contains("\nlog.swf: 1 "));
}

TEST_CASE("a limit ends a cell, not the experiment, and no cell pays for another") {
  InterpreterOptions options;
  options.steps = 20000;
  const std::string script =
      "local e = experiment 'e' { factors = { a = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 } }, run = function(f)\n"
      "  for i = 1, f.a == 4 and 1e9 or 3000 do end return { x = f.a } end }\n"
      "print(#e:rows())\nfor i = 1, 5000 do end print 'on'";
  const ExperimentEnded ended = of_text(script, options);
  CHECK(ended.error == "");
  CHECK(ended.out == "9\non\n");
  CHECK_THAT(ended.warnings, Contains("cell 4") && Contains("more than 20000 steps"));
  options.steps = 0;
  options.memory = 8 << 20;
  const ExperimentEnded memory = of_text(
      "local e = experiment 'e' { factors = { a = { 1, 2, 3 } }, run = function(f)\n"
      "  local t = {} for i = 1, f.a == 2 and 1e9 or 10 do t[i] = i end return { x = f.a } end } "
      "print(#e:rows())",
      options);
  CHECK(memory.out == "2\n");
  CHECK_THAT(memory.warnings, Contains("cell 2") && Contains("--memory"));
}

TEST_CASE("a cell that leaves something behind is an error, whatever it is") {
  const auto error = [](const std::string& before, const std::string& body) {
    return of_text(kWorld + before + "\nexperiment 'e' { factors = { a = { 1, 2, 3 } }, replications = 2,\n" +
                   "run = function(f, seed) " + body + " return { x = 1 } end }")
        .error;
  };
  CHECK(error("local n = 0", "local n = n + 1") == "");
  CHECK_THAT(error("local n = 0", "if f.a == 2 then n = n + 1 end"),
             Contains("experiment 'e': cell 2 (a = 2, replication 1, seed ") &&
                 Contains("it has changed the variable 'n', which 'run' captured") &&
                 Contains("depend on the order of the cells"));
  CHECK_THAT(error("n = 0", "n = f.a"), Contains("it has changed the global 'n', which 'run' uses"));
  CHECK_THAT(error("local t = { {} }", "t[1].x = f.a"), Contains("the variable 't'"));
  CHECK_THAT(error("n = 0 local function add() n = n + 1 end", "add()"), Contains("the variable 'add'"));
  CHECK_THAT(error("local rng = stream 'x'", "rng:uniform()"), Contains("the variable 'rng'"));
  CHECK_THAT(error("local c = cost.chart { times = { { 1 }, { 2 } } }", "c:place(c:waiting()[1], 1)"),
             Contains("it has changed the variable 'c', which 'run' captured"));
  CHECK_THAT(error("local p = cost.problem { etc = { { 1 }, { 2 } } }", "p:leave_out(1)"),
             Contains("it has changed the variable 'p', which 'run' captured"));
  CHECK(error("local p = cost.problem { etc = { { 1 }, { 2 } } }", "p:assign(1, 1) p:undo()") == "");
  CHECK_THAT(error("local n = 0", "n = n + 1 error 'later'"), Contains("the variable 'n'"));
  CHECK_THAT(error("local n = 0 policy 'p' { decide = function(self, sim) n = n + 1 end }",
                   "s:run { policy = 'p', horizon = 9 }"),
             Contains("policy 'p' has changed the variable 'n', which 'decide' captured"));
}

TEST_CASE("a generator begins each cell with the variables that it had") {
  const std::string script =
      "local n = 0\nlocal s = scenario { platform = platform { host 'a' {} }, workload = workload.tasks(3,\n"
      "  function(i, rng) n = n + 1 return { time = n } end) }\n"
      "local e = experiment 'e' { replications = 4, run = function() local r = s:run { policy = 'fcfs' }\n"
      "  return { makespan = r.makespan } end }\n"
      "for _, row in ipairs(e:rows()) do assert(row.makespan == 1 + 2 + 3) end print(n)";
  CHECK(output_of(script) == "0\n");
  std::string global = script;
  global.replace(global.find("local n"), 7, "n");
  CHECK_THAT(of_text(global).error, Contains("the global 'n', which 'the function in line 3' uses"));
  CHECK(
      output_of("local s = function() local n = 0 return n, scenario { platform = platform { host 'a' {} },\n"
                "workload = workload.tasks(3, function() n = n + 1 return { time = n } end) }, function() "
                "return n end end\n"
                "local e = experiment 'e' { replications = 2, run = function() local _, s, n = s()\n"
                "  s:run { policy = 'fcfs' } return { n = nil, count = n() } end }\n"
                "print(e:rows()[1].count, e:rows()[2].count)") == "0\t0\n");
}

TEST_CASE("modules are loaded before the cells") {
  const Folder folder;
  folder.write("m.lua", "return { x = 1 }");
  const std::string late =
      folder.write("late.lua", "local e = experiment 'e' { run = function() return require 'm' end }");
  CHECK_THAT(of_file(late).warnings, Contains("'m' must be loaded before a cell"));
  const std::string early = folder.write(
      "early.lua",
      "require 'm'\nprint(experiment 'e' { run = function() return require 'm' end }:rows()[1].x)");
  CHECK(of_file(early).out == "1\n");
}

// ---- stored cells ----
