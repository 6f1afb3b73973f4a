// Experiments whose cells several workers compute.
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
