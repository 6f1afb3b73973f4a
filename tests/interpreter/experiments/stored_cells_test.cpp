// Which cells of an experiment are kept, and when they are computed anew.
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
