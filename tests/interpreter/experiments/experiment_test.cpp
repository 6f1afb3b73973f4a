// experiment "name" { } as scripts use it.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "interpreter/experiments/coordinator.h"
#include "interpreter/interpreter.h"
#include "tests/support/folder.h"

using namespace perigee;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using perigee::test::Folder;

namespace {

struct Ended {
  std::string out, warnings, error;
  std::size_t cells = 0, stored = 0;  // of the last experiment
};

Ended run(const std::string& script, InterpreterOptions options, bool is_file) {
  Ended ended;
  options.output = [&](std::string_view more) { ended.out += more; };
  options.warnings = [&](std::string_view line) { ended.warnings += std::string(line) + "\n"; };
  options.on_cells = [&](const CellProgress* progress) {
    if (progress == nullptr) return;
    ended.cells = progress->total;
    ended.stored = progress->stored;
  };
  Interpreter interpreter(std::move(options));
  try {
    if (is_file)
      interpreter.run_file(script);
    else
      interpreter.run_text("test.lua", script);
    interpreter.check_settings();
  } catch (const Error& error) {
    ended.error = explain(error, interpreter);
  }
  return ended;
}
Ended of_text(const std::string& script, InterpreterOptions options = {}) {
  return run(script, std::move(options), false);
}
Ended of_file(const std::string& path, InterpreterOptions options = {}) {
  return run(path, std::move(options), true);
}
std::string output_of(const std::string& script) {
  const Ended ended = of_text(script);
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

TEST_CASE("check looks at the declaration and runs nothing") {
  InterpreterOptions options;
  options.check = true;
  CHECK(of_text("local e = experiment 'e' { run = function() error 'never' end }\nprint(e:table 'x')\n"
                "if e:rows()[1].x > 2 then print(e) end",
                options)
            .error == "");
  CHECK_THAT(of_text("experiment 'e' { factors = { a = 3 }, run = function() end }", options).error,
             Contains("factor 'a' must be a list"));
}

// ---- seeds ----

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
  CHECK_THAT(failure(run + ", measure = { 'makespam' }"), Contains("makespam") && Contains("makespan"));
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
  const Ended ended = of_text(
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
  const Ended failed = of_text(script, options);
  CHECK(failed.out == "19\t20\texperiment 'e' of 20 cells, 1 failed\n");
  CHECK(failed.warnings == "experiment 'e': cell 7 (a = 3, replication 2, seed " + options.settings["bad"] +
                               ") failed: test.lua:3: no luck; --cell 7 repeats it\n");
  const Ended listed = of_text(
      script + "for _, row in ipairs(e:failures()) do print(row.cell, row.a, row.message) end", options);
  CHECK_THAT(listed.out, Contains("7\t3\ttest.lua:3: no luck\n"));
}

TEST_CASE("a limit ends a cell, not the experiment, and no cell pays for another") {
  InterpreterOptions options;
  options.steps = 20000;
  const std::string script =
      "local e = experiment 'e' { factors = { a = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 } }, run = function(f)\n"
      "  for i = 1, f.a == 4 and 1e9 or 3000 do end return { x = f.a } end }\n"
      "print(#e:rows())\nfor i = 1, 5000 do end print 'on'";
  const Ended ended = of_text(script, options);
  CHECK(ended.error == "");
  CHECK(ended.out == "9\non\n");
  CHECK_THAT(ended.warnings, Contains("cell 4") && Contains("more than 20000 steps"));
  options.steps = 0;
  options.memory = 8 << 20;
  const Ended memory = of_text(
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
  CHECK_THAT(of_text(global).error, Contains("the global 'n', which 'generator in line 3' uses"));
  CHECK(
      output_of("local s = function() local n = 0 return n, scenario { platform = platform { host 'a' {} },\n"
                "workload = workload.tasks(3, function() n = n + 1 return { time = n } end) }, function() "
                "return n end end\n"
                "local e = experiment 'e' { replications = 2, run = function() local _, s, n = s()\n"
                "  s:run { policy = 'fcfs' } return { n = nil, count = n() } end }\n"
                "print(e:rows()[1].count, e:rows()[2].count)") == "3\t3\n");
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
    const Ended ended = of_file(script, options);
    CHECK(ended.error == "");
    CHECK(ended.cells == 6);
    return ended.stored;
  };
  CHECK(stored() == 0);
  const std::string first = of_file(script, options).out;
  CHECK(stored() == 6);
  CHECK(of_file(script, options).out == first);

  folder.write("d2.csv", "x\n20\n");  // only what read it
  const Ended changed = of_file(script, options);
  CHECK(changed.stored == 3);
  CHECK(changed.out == "1\t0\n20\t0\n1\t0\n20\t0\n1\t0\n20\t0\n");
  CHECK(stored() == 6);

  options.settings["y"] = "5";
  CHECK(stored() == 0);
  CHECK(stored() == 6);
  options.settings.clear();
  CHECK(stored() == 6);
  options.seed = 2;
  CHECK(stored() == 0);
  options.seed = 1;
  CHECK(stored() == 6);
  folder.write("m.lua", "return 2");
  CHECK(stored() == 0);
  folder.write("s.lua", "-- changed\n" + text);
  CHECK(stored() == 0);
  folder.write("s.lua", text);
  CHECK(stored() == 6);
  fs::remove(folder.path / "d2.csv");
  const Ended gone = of_file(script, options);
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
  const Ended again = of_file(script, options);
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
  const Ended one = of_file(script, options);
  REQUIRE(one.error == "");
  REQUIRE(one.out.size() > 1000);
  for (const unsigned jobs : {2u, 4u, 7u}) {
    options.jobs = jobs;
    const Ended many = of_file(script, options);
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
    const Ended one = of_file(script, options);
    CHECK(one.error + one.out != "");
    options.jobs = 3;
    for (int i = 0; i < 10; ++i) {
      const Ended many = of_file(script, options);
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
  Ended ended;
  options.output = [&](std::string_view more) { ended.out += more; };
  options.warnings = [&](std::string_view line) { ended.warnings += std::string(line); };
  options.on_cells = [&, first = true](const CellProgress*) mutable {
    if (std::exchange(first, false)) folder.write("s.lua", "error 'another script'");
  };
  Interpreter interpreter(std::move(options));
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
  Interpreter interpreter(std::move(options));
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
  const Ended third = of_file(script, options);
  CHECK_THAT(third.out, Contains("experiment 'e', cell 3 (a = 1, replication 2, seed ") &&
                            Contains("cell\t1\nx = 1\ny = nan\n") && !Contains("never"));
  options.cell = "e:4";
  const Ended fourth = of_file(script, options);
  CHECK_THAT(fourth.out, Contains("cell\t2\n"));
  CHECK_THAT(fourth.error, Contains("s.lua:2: error: bad") && Contains("in experiment 'e', cell 4 (a = 2, "));
  options.cell = "g:1";
  CHECK_THAT(of_file(script, options).out, Contains("z = 2\n"));
  options.cell = "5";
  CHECK_THAT(of_file(script, options).error, Contains("--cell 5: experiment 'e' has cells 1 to 4"));
}
