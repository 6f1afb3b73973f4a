// A session at the prompt: its script, interrupts, what is defined again.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "interpreter/command/replay.h"
#include "interpreter/language/vocabulary.h"
#include "tests/interpreter/prompt/repl_session.h"

namespace fs = std::filesystem;
using namespace perigee::test;
using Catch::Matchers::Contains;

TEST_CASE("a session is written as a script that repeats it") {
  const fs::path folder = fs::temp_directory_path() / ("perigee_repl_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "other.lua") << "local n = 5\nfunction bump(x) return x + n end\n";
  ReplSession session;
  CHECK(session(":load " + (folder / "other.lua").string()).empty());
  CHECK(session("bump(n)") == "10\n");
  session("local y = 2\nno_such_name\n:time y = bump(y)");
  const std::string file = (folder / "session.lua").string();
  CHECK_THAT(session(":write " + file), Contains("written to"));
  CHECK_THAT(session(":write " + file), Contains("written to"));
  CHECK_THAT(session(":write " + (folder / "other.lua").string()), Contains("choose another name"));
  std::string printed;
  InterpreterOptions options;
  options.output = [&](std::string_view text) { printed += text; };
  perigee::test::Interpreter again(perigee::bindings::open_words, options);
  again.run_file(file);
  CHECK(printed == "10\n");
  fs::remove_all(folder);
}

TEST_CASE("what cannot stand in a script as it was typed is written so that it can") {
  ReplSession session;
  session(kReplScenario);
  session("return 7\nx = 3 return x + 1\n40 + 2\n_ + 1\nsim = s:start { policy = 'workqueue' }");
  session(
      "sim:run_until(8) sim:fail 'nowhere'\nsim:submit { time = 5 }\nsim:fail 'slow.1'\nsim:set_policy "
      "'fcfs'");
  const std::string expected = session("sim:run().fingerprint");
  std::string printed;
  InterpreterOptions options;
  options.output = [&](std::string_view text) { printed += text; };
  perigee::test::Interpreter again(perigee::bindings::open_words, options);
  again.run_text("session.lua", session.repl.script());
  CHECK_THAT(printed, Catch::Matchers::StartsWith("7\n4\n42\n43\n"));
  CHECK_THAT(printed, Contains("\n" + expected));
}

TEST_CASE("a result that is saved in a session can be made again") {
  const fs::path folder = fs::temp_directory_path() / ("perigee_card_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const fs::path file = folder / "other.lua";
  const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
  {
    InterpreterOptions options;
    options.out = (folder / "out").string();
    options.output = options.warnings = [](std::string_view) {};
    Repl* self = nullptr;
    int calls = 0;
    options.on_progress = [&](const perigee::test::Simulation* simulation) {
      if (simulation != nullptr && ++calls == 3) self->interpreter().interrupt();
    };
    Repl repl(options);
    self = &repl;
    std::string errors;
    const auto feed = [&](const std::string& text) {
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) errors += repl.feed(line).error;
    };
    write("n = 500");
    feed(":load " + file.string());
    feed(R"(s = scenario {
  platform = platform { cluster "c" { nodes = 2 } },
  workload = workload.tasks(n, function(i, rng) return { time = rng:uniform(5, 15), arrival = 4 * i } end),
}
sim = s:start { policy = "workqueue" }
sim:run(); never = 1
sim:fail "c.1"; nothing_of_the_kind()
sim:submit { time = 100 }
s:run { policy = "workqueue" }; nothing_of_the_kind()
)");
    write("sim:recover 'c.1'");  // the same file, changed
    feed(":load " + file.string());
    feed("sim:set_policy 'fcfs'\nsim:run():save 'mine'");
    CHECK_THAT(errors, Contains("interrupted at t = ") && Contains("nothing_of_the_kind"));
    CHECK_THAT(errors, !Contains("internal"));
  }
  fs::remove(file);
  std::ostringstream out;
  CHECK(perigee::test::replay((folder / "out" / "mine").string(), out));
  CHECK_THAT(out.str(), Catch::Matchers::StartsWith("identical: fcfs with seed 1"));
  fs::remove_all(folder);
}

TEST_CASE("an interrupt stops what runs and nothing else") {
  std::string printed;
  InterpreterOptions options;
  options.output = [&](std::string_view text) { printed += text; };
  Repl* self = nullptr;
  options.on_progress = [&](const perigee::test::Simulation*) { self->interpreter().interrupt(); };
  Repl repl(options);
  self = &repl;
  const auto feed = [&](const std::string& text) {
    std::istringstream lines(text);
    Repl::Reply reply;
    for (std::string line; std::getline(lines, line);) reply = repl.feed(line);
    return reply;
  };
  feed(R"(s = scenario {
  platform = platform { cluster "c" { nodes = 2 } },
  workload = workload.tasks(5000, function(i) return { time = 10, arrival = i } end),
})");
  feed("sim = s:start { policy = 'workqueue' }");
  CHECK_THAT(feed("sim:run()").error, Contains("interrupted at t = "));
  CHECK(feed("sim:status()").output == "running\n");
  CHECK_THAT(feed("pcall(function() s:run { policy = 'workqueue' } end)").error,
             Contains("_ is the simulation"));
  CHECK_THAT(feed("_").output, Contains("running"));
}

TEST_CASE("an interrupt inside a callback waits for the end of the instant, for sim:step() too") {
  InterpreterOptions options;
  Repl* self = nullptr;
  options.output = [&](std::string_view) { self->interpreter().interrupt(); };
  Repl repl(options);
  self = &repl;
  const auto feed = [&](const std::string& text) {
    std::istringstream lines(text);
    Repl::Reply reply;
    for (std::string line; std::getline(lines, line);) reply = repl.feed(line);
    return reply;
  };
  // One host: task i, of 10 s, starts at 10 (i - 1) s. The interrupt comes at the third, in the midst of
  // decide.
  feed(R"(s = scenario {
  platform = platform { cluster "c" { nodes = 1 } },
  workload = workload.tasks(200, function(i) return { time = 10 } end),
}
policy "slow" {
  begin = function(self) self.next = 1 end,
  decide = function(self, sim)
    if sim:now() == 20 then print "now" end
    for i = 1, 20000 do end
    if self.next <= 200 and sim:idle_cores(1) > 0 then
      sim:start(self.next, 1)
      self.next = self.next + 1
    end
  end,
})");
  for (const char* go : {"while sim:step() do end", "sim:run()"}) {
    CAPTURE(go);
    CHECK(feed("sim = s:start { policy = 'slow', validate = true }").error.empty());
    const std::string error = feed(go).error;  // sim:run() looks every so many instants
    CHECK_THAT(error, Catch::Matchers::StartsWith("interrupted at t = "));
    if (std::string(go) != "sim:run()") CHECK_THAT(error, Contains("t = 20 s"));
    CHECK(feed("sim:status()").output == "running\n");
    CHECK(feed("sim:step()").output == "true\n");
    CHECK(feed("sim:run().makespan").output == "2000.0\n");
  }
}

TEST_CASE(
    "an interrupt stops a condition that is waited for, and a way back, where the simulation is whole") {
  InterpreterOptions options;
  Repl* self = nullptr;
  int calls = 0, stop_at = 0;
  options.output = [](std::string_view) {};
  options.on_progress = [&](const perigee::test::Simulation* simulation) {
    if (simulation != nullptr && ++calls == stop_at) self->interpreter().interrupt();
  };
  Repl repl(options);
  self = &repl;
  const auto feed = [&](const std::string& text, int stop = 0) {
    calls = 0;
    stop_at = stop;
    std::istringstream lines(text);
    Repl::Reply reply;
    for (std::string line; std::getline(lines, line);) reply = repl.feed(line);
    return reply;
  };
  // It keeps a function: its past is computed from the start.
  feed(R"(policy "closed" {
  begin = function(self) self.next = function(list) return table.remove(list, 1) end self.works = {} end,
  arrived = function(self, sim, works) for _, w in ipairs(works) do self.works[#self.works + 1] = w end end,
  decide = function(self, sim)
    for _, h in ipairs(sim:hosts()) do
      while sim:idle_cores(h) > 0 and #self.works > 0 do sim:start(self.next(self.works), h) end
    end
  end,
})");
  feed(R"(s = scenario {
  platform = platform { cluster "c" { nodes = 2 } },
  workload = workload.tasks(2000, function(i) return { time = 10, arrival = i } end),
})");
  for (const std::string policy : {"closed", "workqueue"}) {
    feed("sim = s:start { policy = '" + policy + "' }");
    CHECK_THAT(feed("sim:when(function(s) return s.queue > 1e6 end)", 5).error,
               Contains("interrupted at t = "));
    const std::string at = feed("sim:now()").output;
    CHECK(std::stod(at) > 100);
    CHECK_THAT(feed("sim:back_to(sim:now() - 10)", 2).error, Contains("interrupted at t = "));
    CHECK(feed("sim:now()").output == at);
    CHECK(feed("sim:run().fingerprint == s:run { policy = '" + policy + "' }.fingerprint").output ==
          "true\n");
  }
  CHECK_THAT(repl.script(), Contains("-- interrupted: sim:when(") && Contains("sim:run_until("));
  feed("t = sim:now() - 10");
  CHECK_THAT(feed("sim:back_to(t)", 2).error, Contains("interrupted at t = "));
  CHECK_THAT(repl.script(), Contains("-- interrupted, it left the simulation as it was: sim:back_to(t)"));
}

TEST_CASE("a policy or heuristic is defined again") {
  ReplSession session;
  session(
      "s = scenario { platform = platform { cluster 'c' { nodes = 1 } }, workload = workload.tasks { { "
      "time = 10 }, { time = 30 } } }");
  const auto define = [&](const char* name, const char* order) {
    return session(std::string("policy '") + name + "' { begin = function(self) self.order = " + order +
                   " end, decide = function(self, sim) if #self.order > 0 and sim:idle_cores(1) > 0 then " +
                   "sim:start(table.remove(self.order, 1), 1) end end }");
  };
  CHECK_THAT(define("workqueue", "{ 1, 2 }"), Contains("there is already a scheduler 'workqueue'"));
  CHECK_THAT(session("heuristic 'min_min' { pick = function(c, t) return 0 end }"),
             Contains("there is already a scheduler 'min_min'"));
  define("mine", "{ 1, 2 }");
  session("sim = s:start { policy = 'mine' }; b = mine {}");
  CHECK_THAT(define("mine", "{ 2, 1 }"), !Contains("error"));
  // The short task first: they wait 0 s and 10 s; the long one first: 0 s and 30 s.
  const std::string runs =
      "sim:run().mean_wait, s:run { policy = 'mine' }.mean_wait, s:run { policy = mine "
      "}.mean_wait, s:run { policy = b }.mean_wait, s:run { policy = mine {} }.mean_wait";
  const std::string expected = "5.0\n15.0\n15.0\n5.0\n15.0\n";
  CHECK(session(runs) == expected);
  session(
      "heuristic 'h' { pick = function(c, t) return c:time(t) end }\n"
      "heuristic 'h' { pick = function(c, t) return -c:time(t) end }");
  const std::string order = session("map(h, etc { { 1, 2 }, { 4, 3 } })");
  CHECK_THAT(order, !Contains("error"));
  std::size_t count = 0;
  for (const auto& entry : session.repl.interpreter().catalogue().entries())
    count += entry->name == "mine" || entry->name == "h" ? 1 : 0;
  CHECK(count == 2);

  std::string printed;
  InterpreterOptions options;
  options.output = [&](std::string_view text) { printed += text; };
  perigee::test::Interpreter again(perigee::bindings::open_words, options);
  again.run_text("session.lua", session.repl.script());
  CHECK_THAT(printed, Contains("5.0\t15.0\t15.0\t5.0\t15.0\n"));
  perigee::test::Interpreter strict(perigee::bindings::open_words);  // a script does so only where it says so
  CHECK_THROWS_WITH(
      strict.run_text("twice.lua", "for i = 1, 2 do heuristic 'h' { pick = function() return 0 end } end"),
      Contains("there is already a scheduler 'h'"));
}

TEST_CASE("what an input did before it failed is in the script of the session") {
  const fs::path folder = fs::temp_directory_path() / ("perigee_failed_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "half.lua") << "half = 8\nerror 'no more'\n";
  ReplSession session;
  CHECK_THAT(session("x = 1 y = nope"), Contains("there is no 'nope'"));
  CHECK(session("x") == "1\n");
  session("local n = 2\nn = 5 nope()\n#{} + nope\nz = = 1\nend) w = (function() nope()");
  CHECK_THAT(session(":load " + (folder / "half.lua").string()), Contains("no more"));
  CHECK(session("n, half") == "5\n8\n");
  session("_ = 'mine' nope()");
  CHECK(session("return _") == "mine\n");
  std::string printed;
  InterpreterOptions options;
  options.output = [&](std::string_view text) { printed += text; };
  perigee::test::Interpreter again(perigee::bindings::open_words, options);
  again.run_text("session.lua", session.repl.script());
  CHECK(printed == "1\n5\t8\nmine\n");
  fs::remove_all(folder);
}

TEST_CASE("what an interrupt left behind is in the script of the session") {
  InterpreterOptions options;
  Repl* self = nullptr;
  std::string stops;
  int calls = 0;
  options.output = [](std::string_view) {};
  options.on_progress = [&](const perigee::test::Simulation* simulation) {
    if (simulation != nullptr && simulation->policy_name() == stops && ++calls == 3)
      self->interpreter().interrupt();
  };
  Repl repl(options);
  self = &repl;
  const auto feed = [&](const std::string& text) {
    std::istringstream lines(text);
    Repl::Reply reply;
    for (std::string line; std::getline(lines, line);) reply = repl.feed(line);
    return reply;
  };
  const auto interrupted = [&](const std::string& text, const char* policy) {
    calls = 0;
    stops = policy;
    const std::string error = feed(text).error;
    stops.clear();
    return error;
  };
  std::string expected;
  const auto look = [&] { expected += feed("_:fork():run().fingerprint, _").output; };
  feed(R"(s = scenario {
  platform = platform { cluster "c" { nodes = 2 }, host "h" { speed = 3 } },
  workload = workload.tasks(500, function(i, rng) return { ops = rng:integer(1, 30), arrival = i } end),
})");
  CHECK_THAT(interrupted("r = s:run({ policy = 'workqueue', seed = 4 })", "workqueue"),
             Contains("_ is the simulation"));
  look();
  CHECK_THAT(interrupted("s:compare { 'workqueue', 'fcfs', seed = 5, metrics = { 'makespan' } }", "fcfs"),
             Contains("_ is the simulation"));
  look();
  CHECK_THAT(expected, Contains("simulation of workqueue at") && Contains("simulation of fcfs at"));
  std::string printed;
  InterpreterOptions plain;
  plain.output = [&](std::string_view text) { printed += text; };
  perigee::test::Interpreter again(perigee::bindings::open_words, plain);
  again.run_text("session.lua", repl.script());
  std::replace(printed.begin(), printed.end(), '\t', '\n');
  CHECK(printed == expected);
  const fs::path file = fs::temp_directory_path() / ("perigee_left_" + std::to_string(::getpid()));
  CHECK_THAT(feed(":write " + file.string()).output, !Contains("differ"));
  CHECK_THAT(interrupted("x = 1 s:run { policy = 'fcfs' }", "fcfs"), Contains("interrupted"));
  CHECK_THAT(feed(":write " + file.string()).output, Contains("may differ from the session"));
  CHECK_THAT(repl.script(), Contains("-- interrupted, from here on this script may differ"));
  fs::remove(file);
}
