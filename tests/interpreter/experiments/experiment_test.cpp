// experiment "name" { } as scripts use it.
#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "interpreter/bindings/words.h"
#include "interpreter/experiments/coordinator.h"
#include "interpreter/session/explain.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
using namespace perigee::test;
using namespace perigee::experiments;
using namespace perigee::test;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using perigee::test::Folder;

namespace {

struct ExperimentEnded {
  std::string out, warnings, error;
  std::size_t cells = 0, stored = 0;  // of the last experiment
};

ExperimentEnded run(const std::string& script, InterpreterOptions options, bool is_file) {
  ExperimentEnded ended;
  options.output = [&](std::string_view more) { ended.out += more; };
  options.warnings = [&](std::string_view line) { ended.warnings += std::string(line) + "\n"; };
  options.on_cells = [&](const CellProgress* progress) {
    if (progress == nullptr) return;
    ended.cells = progress->total;
    ended.stored = progress->stored;
  };
  Interpreter interpreter(open_words, std::move(options));
  try {
    if (is_file)
      interpreter.run_file(script);
    else
      interpreter.run_text("test.lua", script);
    interpreter.settings().check();
  } catch (const Error& error) {
    ended.error = explain(error, interpreter);
  }
  return ended;
}
ExperimentEnded of_text(const std::string& script, InterpreterOptions options = {}) {
  return run(script, std::move(options), false);
}
ExperimentEnded of_file(const std::string& path, InterpreterOptions options = {}) {
  return run(path, std::move(options), true);
}
std::string output_of(const std::string& script) {
  const ExperimentEnded ended = of_text(script);
  CHECK(ended.error == "");
  return ended.out;
}

const std::string kWorld =
    "local s = scenario { platform = platform { host 'a' {}, host 'b' { speed = 2 } },\n"
    "  workload = workload.tasks(8, function(i, rng) return { ops = rng:uniform(5, 15), arrival = i } end) "
    "}\n";

}  // namespace

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
  CHECK_THAT(error("s:run { policy = 'fcfs' }:plot { kind = 'gannt' }"),
             Contains("kind must be one of gantt, utilization, queue, got 'gannt'; did you mean 'gantt'?"));
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
  CHECK_THAT(failure("measure = { 'utilization' }, run = function() return s:run { policy = 'fcfs', trace = "
                     "'none' } end"),
             Contains("trace = \"full\""));
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

TEST_CASE("finished cells are computed once; what they depend on starts them anew") {
  const Folder folder;
  folder.write("m.lua", "return 1");
  folder.write("d1.csv", "x\n1\n");
  folder.write("d2.csv", "x\n2\n");
  const std::string text =
      "local m = require 'm'\n"
      "local e = experiment 'e' { factors = { file = { 'd1.csv', 'd2.csv' } }, replications = 3,\n"
      "  run = function(f) return { x = csv.read(f.file)[1].x, y = setting('y', 0) } end }\n"
      "for _, row in ipairs(e:rows()) do print(row.x, row.y) end\n";
  const std::string script = folder.write("s.lua", text);
  InterpreterOptions options;
  options.out = (folder.path / "out").string();
  const auto stored = [&] {
    const ExperimentEnded ended = of_file(script, options);
    CHECK(ended.error == "");
    CHECK(ended.cells == 6);
    return ended.stored;
  };
  CHECK(stored() == 0);
  const std::string first = of_file(script, options).out;
  CHECK(stored() == 6);
  CHECK(of_file(script, options).out == first);

  folder.write("d2.csv", "x\n20\n");  // only cells that read it
  const ExperimentEnded changed = of_file(script, options);
  CHECK(changed.stored == 3);
  CHECK(changed.out == "1\t0\n20\t0\n1\t0\n20\t0\n1\t0\n20\t0\n");
  CHECK_THAT(changed.warnings,
             Contains("3 stored cells are not taken, for something has changed that they looked "
                      "for: the file 'd2.csv'\n"));
  CHECK(stored() == 6);

  options.settings["y"] = "5";
  const ExperimentEnded other_setting = of_file(script, options);
  CHECK(other_setting.stored == 0);
  CHECK_THAT(other_setting.warnings,
             Contains("6 stored cells are not taken, for something has changed that they "
                      "looked for: the setting 'y'\n"));
  CHECK(stored() == 6);
  options.settings.clear();
  CHECK(stored() == 6);
  options.seed = 2;
  CHECK(stored() == 0);
  options.seed = 1;
  CHECK(stored() == 6);
  folder.write("m.lua", "return 2");  // which run does not reach
  CHECK(stored() == 6);
  folder.write("s.lua", "-- changed\n" + text + "print 'more'");
  CHECK(stored() == 6);
  fs::remove(folder.path / "d2.csv");
  const ExperimentEnded gone = of_file(script, options);
  CHECK(gone.stored == 3);
  CHECK_THAT(gone.warnings, Contains("d2.csv: there is no such file"));
}

TEST_CASE("a file read before the experiment counts for all its cells, one read in an earlier one too") {
  const Folder folder;
  folder.write("d.csv", "x\n1\n");
  const std::string before = folder.write(
      "before.lua",
      "local x = csv.read('d.csv')[1].x\nexperiment 'e' { run = function() return { x = x } end }");
  const std::string earlier =
      folder.write("earlier.lua",
                   "local e = experiment 'a' { run = function() return { x = csv.read('d.csv')[1].x } end }\n"
                   "local x = e:rows()[1].x\nexperiment 'b' { run = function() return { x = x } end }");
  InterpreterOptions options;
  options.out = (folder.path / "out").string();
  for (const std::string& script : {before, earlier}) {
    folder.write("d.csv", "x\n1\n");
    CHECK(of_file(script, options).stored == 0);
    CHECK(of_file(script, options).stored == 1);
    folder.write("d.csv", "x\n2\n");
    CHECK(of_file(script, options).stored == 0);
    CHECK(of_file(script, options).stored == 1);
  }
}

TEST_CASE("a cell is kept as long as what it can reach stays the same") {
  const Folder folder;
  InterpreterOptions options;
  options.out = (folder.path / "out").string();
  const std::string script = (folder.path / "s.lua").string();
  const std::string modules[] = {"return { f = function() return 1 end }",
                                 "return { f = function() return 2 end }"};
  // How many of the cells of `after` are known once `before` has run, each with the same module or another.
  const auto known = [&](const std::string& before, const std::string& after, int module = 0) {
    fs::remove_all(folder.path / "out");
    folder.write("m.lua", modules[0]);
    folder.write("s.lua", before);
    const ExperimentEnded first = of_file(script, options);
    CHECK(first.error == "");
    CHECK(first.stored == 0);
    folder.write("m.lua", modules[module]);
    folder.write("s.lua", after);
    const ExperimentEnded second = of_file(script, options);
    CHECK(second.error == "");
    const bool said = second.warnings.find("are not taken, for something has changed: ") != std::string::npos;
    CHECK(said == (second.stored == 0));
    InterpreterOptions fresh = options;  // stored cells equal computed ones
    fresh.out = (folder.path / "fresh").string();
    fs::remove_all(folder.path / "fresh");
    CHECK(of_file(script, fresh).out == second.out);
    return second.stored;
  };
  const std::string rest = " } for _, r in ipairs(e:rows()) do print(r.x) end";
  const auto one = [&](const std::string& before, const std::string& run) {
    return before + "\nlocal e = experiment 'e' { replications = 2, run = " + run + rest;
  };
  const auto same = [&](const std::string& a, const std::string& b) { CHECK(known(a, b) == 2); };
  const auto differs = [&](const std::string& a, const std::string& b) { CHECK(known(a, b) == 0); };
  const std::string plain = one("local n = 1", "function(f) return { x = n } end");

  // Changes that do not matter.
  same(plain, "-- a comment\n\n" + plain);
  same(plain, plain + "\nprint 'plotting code' local x = 1 / 3");
  same(plain, one("local unused = 7 local n = 1 function other() end", "function(f) return { x = n } end"));
  same(plain, one("local n = 1", "function(f) --[[ why ]]\n\n return { x = n } end"));

  // Values, constants, functions however deep.
  differs(plain, one("local n = 2", "function(f) return { x = n } end"));
  differs(plain, one("local n = 1.0", "function(f) return { x = n } end"));
  differs(one("local n <const> = 1", "function(f) return { x = n } end"),
          one("local n <const> = 2", "function(f) return { x = n } end"));
  differs(one("n = 1", "function(f) return { x = n } end"), one("n = 2", "function(f) return { x = n } end"));
  differs(one("n = 1", "function(f) return { x = n } end"),
          one("n = 1 n = 3", "function(f) return { x = n } end"));
  const std::string calls = "function(f) return { x = g() } end";
  differs(one("local function h() return 1 end local function g() return h() end", calls),
          one("local function h() return 2 end local function g() return h() end", calls));
  differs(one("function h() return 1 end function g() return h() end", calls),
          one("function h() return 2 end function g() return h() end", calls));
  same(one("local function h() return 1 end local function g() return h() end", calls),
       one("local y = 0 local function h()\n return 1 end local function g() return h() -- x\n end", calls));
  differs(one("local function make(k) return function() return k end end local g = make(1)", calls),
          one("local function make(k) return function() return k end end local g = make(2)", calls));
  differs(one("local t = { a = { b = 1 } }", "function(f) return { x = t.a.b } end"),
          one("local t = { a = { b = 2 } }", "function(f) return { x = t.a.b } end"));
  const auto with_metatable = [&](const char* n) {
    return one(fmt::format("local t = setmetatable({{}}, {{ __index = function() return {} end }})", n),
               "function(f) return { x = t.a } end");
  };
  differs(with_metatable("1"), with_metatable("2"));
  differs(one("local a = { 1 } local b = a", "function(f) return { x = a == b and 1 or 0 } end"),
          one("local a = { 1 } local b = { 1 }", "function(f) return { x = a == b and 1 or 0 } end"));
  // An array with a hole has two borders; which one # finds depends on how it was written.
  const std::string length = "function(f) return { x = #t } end";
  differs(one("local t = { 1, nil, 3 }", length), one("local t = {} t[1] = 1 t[3] = 3", length));
  same(one("local t = { 1, nil, 3 }", length), one("-- three\nlocal t = { 1, nil, 3 }", length));
  same(one("local t = { 1, 2, a = 1 }", length), one("local t = { a = 1 } t[2] = 2 t[1] = 1", length));
  // Functions that share a variable, and such that have one each.
  const auto shares = [&](const char* read) {
    return one(fmt::format("local n, m = 0, 0 local add = function() n = n + 1 end\n"
                           "local get = function() return {} end local back = function() n = n - 1 end",
                           read),
               "function(f) add() local x = get() back() return { x = x } end");
  };
  differs(shares("n"), shares("m"));
  differs(one("local g = load 'return 1'", calls), one("local g = load 'return 2'", calls));
  differs(one("n = 1 local g = load 'return n'", calls), one("n = 2 local g = load 'return n'", calls));
  differs(one("n = 1 local l = load", "function(f) return { x = l('return n')() } end"),
          one("n = 2 local l = load", "function(f) return { x = l('return n')() } end"));
  differs(one("n = 1", "function(f) return { x = _ENV['n'] } end"),
          one("n = 2", "function(f) return { x = _ENV['n'] } end"));
  differs(one("local g = math.floor", "function(f) return { x = g(1.5) } end"),
          one("local g = math.ceil", "function(f) return { x = g(1.5) } end"));
  differs(one("local rng = stream 'a'", "function(f) return { x = rng:sub(1):uniform() } end"),
          one("local rng = stream 'b'", "function(f) return { x = rng:sub(1):uniform() } end"));

  // Modules.
  const std::string uses = one("local m = require 'm'", "function(f) return { x = m.f() } end");
  CHECK(known(uses, uses, 0) == 2);
  CHECK(known(uses, uses, 1) == 0);
  const std::string hides_it =
      one("require 'm' local r = require", "function(f) return { x = r('m').f() } end");
  CHECK(known(hides_it, hides_it, 1) == 0);
  const std::string requires_it = one("require 'm'", "function(f) return { x = require('m').f() } end");
  CHECK(known(requires_it, requires_it, 1) == 0);
  CHECK(known(one("require 'm'", "function(f) return { x = 1 } end"),
              one("require 'm'", "function(f) return { x = 1 } end"), 1) == 2);

  // Changes of the measures.
  const auto measured = [&](const std::string& measure) {
    return "local function twice(x) return 2 * x end\nlocal e = experiment 'e' { replications = 2,\n"
           "run = function() return { x = 1, y = 2 } end,\nmeasure = " +
           measure + rest;
  };
  differs(measured("function(r) return { x = r.x } end"),
          measured("function(r) return { x = twice(r.x) } end"));
  differs(measured("{ 'x' }"), measured("{ 'x', 'y' }"));

  // Native values, by how they were made.
  const auto world = [&](const std::string& host, const std::string& time, const std::string& more = "") {
    return one(more + "\nlocal k = 1 local p = platform { cluster 'c' { nodes = 2, speed = " + host +
                   " } }\n"
                   "local s = scenario { platform = p, workload = workload.tasks(3, function(i, rng)\n"
                   "return { ops = " +
                   time + " } end) }",
               "function(f) return { x = s:run { policy = 'fcfs' }.makespan } end");
  };
  same(world("1", "i"), world("1", "i", "-- elsewhere\nlocal other = platform { host 'x' {} }"));
  differs(world("1", "i"), world("2", "i"));
  differs(world("1", "i"), world("1", "i + 1"));
  std::string later = world("1", "i + k");
  later.replace(later.find("k = 1"), 5, "k = 2");
  differs(world("1", "i + k"), later);
  const auto chosen = [&](const std::string& before, const std::string& policy) {
    return one(
        before +
            "\nlocal s = scenario { platform = platform { host 'a' {}, host 'b' { speed = 2 } },\n"
            "workload = workload.tasks(5, function(i) return { ops = 7 * i % 5 + 1 } end) }\nlocal p = " +
            policy,
        "function(f) return { x = s:run { policy = p }.makespan } end");
  };
  differs(chosen("", "mapped { map = 'min_min' }"), chosen("", "mapped { map = 'olb' }"));
  const auto heuristic = [&](const std::string& key) {
    return chosen("heuristic 'mine' { pick = function(c, task) return " + key + " end }",
                  "mapped { map = 'mine' }");
  };
  differs(heuristic("c:best(task)"), heuristic("-c:best(task)"));
  const auto by_name = [&](const std::string& sign) {
    return one(
        "local sign = " + sign +
            " heuristic 'mine' { pick = function(c, task) return sign * c:best(task) end }",
        "function(f) return { x = map('mi' .. 'ne', etc { { 3, 3 }, { 1, 1 }, { 2, 2 } }).makespan } end");
  };
  CHECK(known(by_name("1"), by_name("-1")) == 0);  // any run may use any heuristic, by name
  // A simulation cannot be told from run to run: the whole text counts.
  const auto simulated = [&](const std::string& more) {
    return one(
        "local s = scenario { platform = platform { host 'a' {} }, workload = workload.tasks(2, function() "
        "return { time = 1 } end) }\nlocal sim = s:start { policy = 'fcfs' } sim:step()" +
            more,
        "function(f) local a = sim:fork() return { x = a:run().makespan } end");
  };
  same(simulated(""), simulated("  -- a comment"));
  differs(simulated(""), simulated(" local unused = 1"));
}

TEST_CASE("more replications and levels compute only what is new") {
  const Folder folder;
  InterpreterOptions options;
  options.out = (folder.path / "out").string();
  const std::string script = (folder.path / "s.lua").string();
  const auto stored = [&](const std::string& factors, const std::string& replications) {
    folder.write("s.lua",
                 "local e = experiment 'e' { factors = " + factors + ", replications = " + replications +
                     ",\n  run = function(f, seed) return { x = math.random() + (tonumber(f.a) or 0), y = "
                     "math.type(f.a) == 'float' and 1 or 0 } end }\n"
                     "for _, r in ipairs(e:rows()) do print(r.a, r.replication, r.x, r.y) end");
    const ExperimentEnded ended = of_file(script, options);
    CHECK(ended.error == "");
    InterpreterOptions fresh = options;
    fresh.out.clear();
    CHECK(of_file(script, fresh).out == ended.out);
    return std::pair(ended.stored, ended.cells);
  };
  using Two = std::pair<std::size_t, std::size_t>;
  CHECK(stored("{ a = { 1, 2 } }", "3") == Two{0, 6});
  CHECK(stored("{ a = { 1, 2 } }", "4") == Two{6, 8});
  CHECK(stored("{ a = { 0, 1, 2, 3 } }", "4") == Two{8, 16});
  CHECK(stored("{ a = { 3, 1 } }", "2") == Two{4, 4});
  CHECK(stored("{ a = { 1.0 } }", "1") == Two{0, 1});
  CHECK(stored("{ a = { '1' } }", "1") == Two{0, 1});
  CHECK(stored("{ a = { 0.0 } }", "1") == Two{0, 1});
  CHECK(stored("{ a = { -0.0 } }", "1") == Two{0, 1});
  CHECK(stored("{ a = { 1 }, b = { 1 } }", "1") == Two{0, 1});
  CHECK(stored("{ { 'b', { 1 } }, { 'a', { 1, 2 } } }", "1") == Two{1, 2});
  CHECK(stored("{ a = { fcfs {} } }", "1") == Two{0, 1});
  CHECK(stored("{ a = { mapped { map = 'mct' } } }", "1") == Two{0, 1});
}

TEST_CASE("a cell is computed anew when a file appears that it had looked for") {
  const Folder folder;
  InterpreterOptions options;
  options.out = (folder.path / "out").string();
  const std::string script =
      folder.write("s.lua",
                   "local e = experiment 'e' { run = function() local there = pcall(csv.read, 'new.csv')\n"
                   "  return { x = there and 1 or 0 } end } print(e:rows()[1].x)");
  CHECK(of_file(script, options).out == "0\n");
  CHECK(of_file(script, options).stored == 1);
  folder.write("new.csv", "x\n1\n");
  const ExperimentEnded there = of_file(script, options);
  CHECK(there.stored == 0);
  CHECK(there.out == "1\n");

  // The file <half> comes before <half.host>; the task of 10 s takes 20 s at 50 %, 40 s at 25 %.
  folder.write("g.txt", "GridDescription 1\n0:ADD_CLUSTER <c> <l> <1>\n0:ADD_HOST <c> <h> <half> <1> <0>\n");
  folder.write("l.link", "LinkBehavior 1 1\n0 1000\n");
  folder.write("half.host", "1\n50\n");
  const std::string grid = folder.write("grid.lua",
                                        "local e = experiment 'e' { run = function()\n"
                                        "  local p, events = platform.pst 'g.txt'\n"
                                        "  return scenario { platform = p, events = events,\n"
                                        "    workload = workload.tasks { { time = 10 } } }:run { policy = "
                                        "'workqueue' } end, measure = { 'makespan' } }\n"
                                        "print(e:rows()[1].makespan)");
  CHECK(of_file(grid, options).out == "20\n");
  CHECK(of_file(grid, options).stored == 1);
  folder.write("half", "1\n25\n");
  const ExperimentEnded other = of_file(grid, options);
  CHECK(other.stored == 0);
  CHECK(other.out == "40\n");
}

TEST_CASE("cells that share a workload depend on what its generator has read") {
  // Two tasks of m seconds on one host, in cells of one seed.
  const Folder folder;
  InterpreterOptions options;
  options.out = (folder.path / "out").string();
  const std::string script =
      folder.write("s.lua",
                   "local s = scenario { platform = platform { host 'a' {} },\n"
                   "  workload = workload.tasks(2, function() return { time = setting('m', 1) } end) }\n"
                   "local e = experiment 'e' { factors = { k = { 1, 2, 3 } }, replications = 1, measure = { "
                   "'makespan' },\n"
                   "  run = function(f) return s:run { policy = 'fcfs', seed = 5 } end }\n"
                   "for _, r in ipairs(e:rows()) do print(r.makespan) end");
  options.settings["m"] = "10";
  CHECK(of_file(script, options).out == "20\n20\n20\n");
  CHECK(of_file(script, options).stored == 3);
  options.settings["m"] = "20";
  const ExperimentEnded other = of_file(script, options);
  CHECK(other.stored == 0);
  CHECK(other.out == "40\n40\n40\n");
}

TEST_CASE("cells that share a workload are warned of alike, whichever of them made it") {
  // A job of 8 cores where hosts have 4: cut in two, in each run.
  const Folder folder;
  folder.write("log.swf", "1 0 0 10 8 -1 -1 8 10 -1 1 1 1 1 1 1 -1 -1\n");
  for (const char* before : {"", "s:run { policy = 'fcfs' }"})
    for (const unsigned jobs : {1u, 2u}) {
      InterpreterOptions options;
      options.jobs = jobs;
      const ExperimentEnded ended = of_file(
          folder.write(
              "s.lua",
              fmt::format("local s = scenario {{ platform = platform {{ cluster 'c' {{ nodes = 2, "
                          "cores = 4 }} }},\n"
                          "  workload = workload.swf('log.swf', {{ oversize = 'split' }}) }}\n{}\n"
                          "local e = experiment 'e' {{ factors = {{ policy = {{ 'fcfs', 'easy', 'sjf' "
                          "}} }}, replications = 2,\n"
                          "  run = function(f) return s:run {{ policy = f.policy, seed = 1 }} end }}\n"
                          "for _, w in ipairs(e:warnings()) do\n"
                          "  if not w.warning:find 'seed' then print(w.policy, w.cells) end end",
                          before)),
          options);
      CHECK(ended.out == "fcfs\t2\neasy\t2\nsjf\t2\n");
    }
}

TEST_CASE("what an experiment has saved another script loads, with its tables and comparisons") {
  const Folder folder;
  const std::string shows =
      "print(e:rows()) print(e:table()) print(e:table('x', { warnings = true }))\n"
      "print(e:compare('x', { factor = 'a', baseline = 2 })) print(e:failures()) print(e:warnings())\n"
      "print(e:csv(), e:json(), #e)";
  const std::string makes = folder.write(
      "makes.lua",
      "local s = scenario { platform = platform { host 'a' { cores = 2 } },\n"
      "  workload = workload.jobs(3, function(i) return { cores = i, time = 10 } end) }\n"
      "local e = experiment 'e, f' { factors = { { 'b', { 'x, \"y\"', true } }, { 'a', { 1, 2.5, 2 } } }, "
      "replications = 2,\n"
      "  where = function(f) return f.a ~= 2.5 or f.b == true end,\n"
      "  run = function(f, seed) if f.a == 2.5 and math.random() < 0.5 then error 'no luck' end\n"
      "    s:run { policy = 'fcfs' }\n"
      "    return { x = f.a + math.random(), y = f.a == 1 and 0 / 0 or 1 / 0, z = f.a == 2 and 7 or nil } "
      "end }\n" +
          shows + "\ne:save 'sub/e'");
  InterpreterOptions options;
  options.out = (folder.path / "out").string();
  const ExperimentEnded made = of_file(makes, options);
  CHECK(made.error == "");
  const std::string loads = folder.write("loads.lua", "local e = experiment.load 'out/sub/e'\n" + shows);
  const ExperimentEnded loaded = of_file(loads);
  CHECK(loaded.error == "");
  CHECK(loaded.warnings == "");
  CHECK(loaded.out == made.out);
  CHECK_THAT(made.out, Contains("pieces of work rejected"));

  // Its last line is a checksum of all before it.
  const auto load_with = [&](const std::string& from, const std::string& to) {
    std::ifstream stream(folder.path / "out/sub/e.json");
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    const std::size_t at = text.find(from);
    REQUIRE(at != text.npos);
    text.replace(at, from.size(), to);
    folder.write("changed.json", text);
    return of_file(folder.write("changed.lua", "experiment.load 'changed'")).error;
  };
  CHECK(load_with("\"y\"", "\"y\"") == "");
  CHECK_THAT(load_with("\"z\":7", "\"z\":5"),
             Contains("changed.json is not what e:save writes: it was changed since"));
  CHECK_THAT(load_with("\"count\":", "\"count\":1"), Contains("it was changed since"));
  CHECK_THAT(load_with(",\n\"checksum", ",\n\"checksun"), Contains("it was changed since"));

  folder.write("bad.json", "{ \"experiment\": 3 }");
  CHECK_THAT(of_file(folder.write("bad.lua", "experiment.load 'bad'")).error,
             Contains("bad.json is not what e:save writes: "));
  CHECK_THAT(of_file(folder.write("none.lua", "experiment.load 'none'")).error,
             Contains("none.json: there is no such file"));
}

TEST_CASE("a file below --out that perigee has not written is not replaced") {
  const Folder folder;
  const std::string script = folder.write(
      "s.lua",
      "local e = experiment 'e' { factors = { a = { 1, 2 } }, run = function(f) return { x = f.a } end }\n"
      "if setting('save', false) then e:save 'e' end\n"
      "e:rows():csv 'notes' e:rows():plot { x = 'a', y = 'x', file = 'figure', text = false }");
  InterpreterOptions options;
  options.out = (folder.path / "out").string();
  CHECK(of_file(script, options).error == "");
  CHECK(of_file(script, options).error == "");  // perigee replaces its own files
  for (const char* file : {"notes.csv", "figure.svg", "figure.csv", "e.json", "e.csv"}) {
    fs::remove_all(folder.path / "out");
    fs::create_directory(folder.path / "out");
    folder.write(std::string("out/") + file, "mine");
    options.settings["save"] = "true";
    CHECK_THAT(of_file(script, options).error,
               Contains(std::string(file) + " is there already, and perigee did not write it"));
    std::ifstream kept(folder.path / "out" / file);
    std::string text;
    kept >> text;
    CHECK(text == "mine");
  }
}

TEST_CASE("failed cells are tried again") {
  const Folder folder;
  const std::string script =
      folder.write("s.lua",
                   "local e = experiment 'e' { factors = { a = { 1, 2 } }, run = function(f)\n"
                   "  for i = 1, f.a == 2 and 1e6 or 1 do end return { x = f.a } end } print(#e:rows())");
  InterpreterOptions options;
  options.out = (folder.path / "out").string();
  options.steps = 50000;
  CHECK(of_file(script, options).out == "1\n");
  options.steps = 0;
  const ExperimentEnded again = of_file(script, options);
  CHECK(again.stored == 1);
  CHECK(again.out == "2\n");
}

// ---- workers ----

TEST_CASE("any number of workers finds the same, in one experiment after another") {
  const Folder folder;
  const std::string script = folder.write(
      "s.lua", kWorld +
                   "local rounds = { least = 3, most = 12, half_width = '5 %', measure = 'makespan' }\n"
                   "local best\n"
                   "for i = 1, 3 do\n"
                   "  local e = experiment('e' .. i) { factors = { policy = { 'fcfs', 'workqueue' }, k = { "
                   "1, 2, best or 3 } },\n"
                   "    replications = rounds, run = function(f) if f.k == 2 and i == 2 then error 'no' end\n"
                   "      return { makespan = s:run { policy = f.policy }.makespan * f.k, draw = "
                   "math.random() } end }\n"
                   "  best = 3 + math.ceil(e:table('makespan')[1].makespan)\n"
                   "  print(e:csv()) print(e:json()) print(e:failures())\n"
                   "end");
  InterpreterOptions options;
  const ExperimentEnded one = of_file(script, options);
  REQUIRE(one.error == "");
  REQUIRE(one.out.size() > 1000);
  for (const unsigned jobs : {2u, 4u, 7u}) {
    options.jobs = jobs;
    const ExperimentEnded many = of_file(script, options);
    CHECK(many.out == one.out);
    CHECK(many.warnings == one.warnings);
    CHECK(many.error == "");
  }
}

TEST_CASE("an error is the same for any number of workers") {
  const Folder folder;
  const std::string outside =
      folder.write("outside.lua",
                   "local n = 0\nexperiment 'e' { replications = 40, run = function(f, seed)\n"
                   "if seed % 3 == 0 then n = n + 1 end return { x = 1 } end }");
  const std::string after = folder.write(
      "after.lua",
      "experiment 'e' { replications = 40, run = function(f, seed) return { x = 1 } end }\nerror 'after'");
  const std::string caught =
      folder.write("caught.lua",
                   "local n = 0\nprint(pcall(experiment 'e', { replications = 40, run = function(f, seed)\n"
                   "n = n + 1 return { x = 1 } end }))\n"
                   "print(#experiment 'f' { replications = 40, run = function() return { x = 1 } end })");
  const std::string twice =
      folder.write("twice.lua",
                   "local t = { replications = 40, run = function(f, seed) return { x = 1 } end }\n"
                   "experiment 'e' (t) print(pcall(experiment 'e', t)) print(#experiment 'f' (t))");
  for (const std::string& script : {outside, after, caught, twice}) {
    InterpreterOptions options;
    const ExperimentEnded one = of_file(script, options);
    CHECK(one.error + one.out != "");
    options.jobs = 3;
    for (int i = 0; i < 10; ++i) {
      const ExperimentEnded many = of_file(script, options);
      CHECK(many.error == one.error);
      CHECK(many.out == one.out);
      CHECK(many.warnings == one.warnings);
    }
  }
}

TEST_CASE("a worker that cannot follow the script is told of, and its part is done by others") {
  const Folder folder;
  // It waits for the worker, which comes to another script: this one has changed itself meanwhile.
  const std::string script =
      folder.write("s.lua",
                   "local e = experiment 'e' { replications = 6000, run = function(f, seed)\n"
                   "  for i = 1, 20000 do end return { x = 1 } end } print(#e)");
  InterpreterOptions options;
  options.jobs = 2;
  options.on_cells = {};
  ExperimentEnded ended;
  options.output = [&](std::string_view more) { ended.out += more; };
  options.warnings = [&](std::string_view line) { ended.warnings += std::string(line); };
  options.on_cells = [&, first = true](const CellProgress*) mutable {
    if (std::exchange(first, false)) folder.write("s.lua", "error 'another script'");
  };
  Interpreter interpreter(open_words, std::move(options));
  interpreter.run_file(script);
  CHECK(ended.out == "6000\n");
  CHECK_THAT(ended.warnings, Contains("a worker could not follow the script") && Contains("another script"));
}

TEST_CASE("an interpreter goes down while its workers are at work") {
  const Folder folder;
  const std::string script = folder.write(
      "s.lua",
      "local main = setting('main', 0)\nexperiment 'e' { replications = 2, run = function(f, seed)\n"
      "  for i = 1, 1e6 do end return { x = 1 } end }\n"
      "experiment 'f' { replications = 4, run = function() for i = 1, 1e6 do end return { x = 1 } end }\n"
      "error 'over'");
  InterpreterOptions options;
  options.jobs = 4;
  options.settings["main"] = "1";
  for (int i = 0; i < 5; ++i) CHECK_THAT(of_file(script, options).error, Contains("over"));
}

TEST_CASE("Ctrl-C at the prompt stops an experiment, which can be declared again") {
  InterpreterOptions options;
  std::string out;
  Interpreter* running = nullptr;
  options.interactive = true;
  options.output = [&](std::string_view more) { out += more; };
  options.on_cells = [&](const CellProgress* progress) {
    if (running != nullptr && progress != nullptr && progress->done == 3) running->interrupt();
  };
  Interpreter interpreter(open_words, std::move(options));
  const std::string text =
      "e = experiment 'e' { replications = 9, run = function(f, seed) for i = 1, 5000 do end\n"
      "return { x = math.random() } end } print(#e, e:rows()[9].x)";
  interpreter.run_text("1", text);
  const std::string whole = std::exchange(out, "");
  running = &interpreter;
  CHECK_THROWS_WITH(interpreter.run_text("2", text), Contains("interrupted"));
  CHECK(out.empty());
  running = nullptr;
  interpreter.resume();
  interpreter.run_text("3", "print(math.random())");
  interpreter.run_text("4", text);
  CHECK_THAT(out, Contains(whole));
}

// ---- one cell ----

TEST_CASE("one cell can be repeated by itself, with what it prints") {
  const Folder folder;
  const std::string script = folder.write(
      "s.lua",
      "local e = experiment 'e' { factors = { a = { 1, 2 } }, replications = 2, run = function(f, seed)\n"
      "  print('cell', f.a) if f.a == 2 then error 'bad' end return { x = f.a, y = 0 / 0 } end }\n"
      "local g = experiment 'g' { run = function(f, seed) return { n_ = 1, z = #e:rows() } end }\n"
      "print 'never'");
  InterpreterOptions options;
  options.out = (folder.path / "out").string();
  CHECK_THAT(of_file(script, options).out, !Contains("cell"));  // silent otherwise
  options.cell = "3";
  const ExperimentEnded third = of_file(script, options);
  CHECK_THAT(third.out, Contains("experiment 'e', cell 3 (a = 1, replication 2, seed ") &&
                            Contains("cell\t1\nx = 1\ny = nan\n") && !Contains("never"));
  options.cell = "e:4";
  const ExperimentEnded fourth = of_file(script, options);
  CHECK_THAT(fourth.out, Contains("cell\t2\n"));
  CHECK_THAT(fourth.error, Contains("s.lua:2: error: bad") && Contains("in experiment 'e', cell 4 (a = 2, "));
  options.cell = "g:1";
  CHECK_THAT(of_file(script, options).out, Contains("z = 2\n"));
  options.cell = "5";
  CHECK_THAT(of_file(script, options).error, Contains("--cell 5: experiment 'e' has cells 1 to 4"));
}
