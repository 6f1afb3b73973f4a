// The prompt without a terminal.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "interpreter/repl.h"

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using perigee::InterpreterOptions;
using perigee::Repl;

namespace {

struct Session {
  std::string printed;
  Repl repl;
  Session()
      : repl([this] {
          InterpreterOptions options;
          options.output = [this](std::string_view text) { printed += text; };
          options.warnings = [](std::string_view) {};
          return options;
        }()) {}
  // What is seen after the lines: what was printed, values, errors.
  std::string operator()(const std::string& lines) {
    std::istringstream in(lines);
    std::string line, seen;
    printed.clear();
    while (std::getline(in, line)) {
      const Repl::Reply reply = repl.feed(line);
      seen += std::exchange(printed, {}) + reply.output + reply.error;
    }
    return seen;
  }
  std::vector<std::string> complete(const std::string& text) {
    return repl.complete(text, text.size()).candidates;
  }
};

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

const char* const kScenario = R"(s = scenario {
  platform = platform { cluster "fast" { nodes = 2 }, cluster "slow" { nodes = 1 } },
  workload = workload.tasks(9, function(i) return { time = 10 * i, arrival = i } end),
}
)";

}  // namespace

TEST_CASE("an expression is shown, a statement is run") {
  Session session;
  CHECK(session("1 + 2") == "3\n");
  CHECK(session("x = 4").empty());
  CHECK(session("x") == "4\n");
  CHECK(session("nil").empty());
  CHECK(session("x, 'a'") == "4\na\n");
  CHECK(session("print(x)") == "4\n");
  CHECK(session("_ + 1") == "5\n");
  CHECK(session("").empty());
  CHECK(session("-- nothing").empty());
  CHECK(session("return 7") == "7\n");
}

TEST_CASE("locals of an input stay") {
  Session session;
  session("local n, t = 3, { 1 }\nlocal function twice(x) return 2 * x end");
  CHECK(session("twice(n)") == "6\n");
}

TEST_CASE("an input goes on until it is complete") {
  Session session;
  CHECK(session.repl.feed("for i = 1, 2 do").needs_more);
  CHECK(session.repl.feed("  print(i)").needs_more);
  CHECK(session("end") == "1\n2\n");
  CHECK(session.repl.feed("1 +").needs_more);
  CHECK(session("2") == "3\n");
  CHECK(session.repl.feed("f(").needs_more);
  session.repl.cancel();
  CHECK(session("5") == "5\n");
  CHECK(session.repl.feed("x = {").needs_more);
  CHECK_THAT(session.repl.finish().error, Contains("<eof>"));
}

TEST_CASE("an error names the input and leaves the session as it was") {
  Session session;
  session("speed = 3");
  CHECK(session("sped") == "prompt:2: error: there is no 'sped'; did you mean 'speed'?\n    2 | sped\n");
  CHECK_THAT(session("x = = 1"), Contains("prompt:3: error: unexpected symbol near '='"));
  CHECK(session("speed") == "3\n");
  CHECK_THAT(session(":lod x"), Contains("did you mean ':load'?"));
}

TEST_CASE("values are readable") {
  Session session;
  CHECK(session("{ 1, 'two', x = { y = true } }") == "{ 1, \"two\", x = { y = true } }\n");
  CHECK(session("{ { name = 'a', n = 1 }, { name = 'b', n = 20 } }") ==
        "name   n\n--------\na      1\nb     20\n");
  CHECK(session("{}") == "{}\n");
  session("t = {}; t.t = t");
  CHECK(session("t") == "{ t = { itself } }\n");
  session("long = {}; for i = 1, 200 do long[i] = i end");
  CHECK_THAT(session("long"), Contains("... 150 more"));
}

TEST_CASE("a simulation is looked at, changed, forked and compared") {
  Session session;
  session(kScenario);
  CHECK(session("sim = s:start { policy = 'workqueue' }").empty());
  CHECK(session("sim:run_until(15)") == "simulation of workqueue at t = 15 s, running\n");
  CHECK_THAT(session("sim:hosts()"), Contains("fast.1  up") && Contains("task 2"));
  CHECK_THAT(session("sim:jobs()"), Contains("task 1  task  finished"));
  CHECK_THAT(session("sim:queue()"), Contains("waits"));
  CHECK(session("#sim:hosts(), sim:hosts()[3].host") == "3\nslow.1\n");
  CHECK_THAT(session("sim:gantt(60)"), Contains("fast.1|"));
  session("a, b = sim:fork(), sim:fork()\nb:fail 'slow.1'");
  CHECK_THAT(session("b:step(); b:hosts()\nb:hosts()"), Contains("slow.1  down"));
  session("b:recover 'slow.1'; a:set_policy 'fcfs'");
  CHECK_THAT(session("a:run()"), Contains("makespan") && Contains("fcfs"));
  session("b:run()");
  CHECK_THAT(session("compare(a, b)"), Contains("policy") && Contains("workqueue"));
}

TEST_CASE("help comes from the catalogue and the vocabulary") {
  Session session;
  CHECK_THAT(session("?sufferage"), Contains("the task that loses most") && Contains("form"));
  CHECK_THAT(session("help(sufferage)"), Contains("the task that loses most"));
  CHECK_THAT(session("help(outage)"), Contains("outage {"));
  CHECK_THAT(session("?workload"), Contains("workload.tasks"));
  CHECK_THAT(session("?makespan"), Contains("a metric"));
  session(kScenario);
  CHECK_THAT(session("?s:run"), Contains("horizon"));
  CHECK_THAT(session("help(s)"), Contains("s:start"));
  CHECK_THAT(session("?suferage"), Contains("did you mean 'sufferage'?"));
  CHECK_THAT(session(":help"), Contains(":write FILE") && Contains("schedulers"));
}

TEST_CASE("completion knows what may stand here") {
  Session session;
  session(kScenario);
  session("sim = s:start { policy = 'workqueue' }");
  CHECK(session.complete("scen") == std::vector<std::string>{"scenario"});
  CHECK(session.complete("math.sq") == std::vector<std::string>{"sqrt"});
  CHECK(session.complete("sim:run") == std::vector<std::string>{"run", "run_until"});
  CHECK(session.complete("sim:fail \"slow.1") == std::vector<std::string>{"slow.1\""});
  CHECK(has(session.complete("outage { host = \"fast."), "fast.2\""));
  CHECK(session.complete("sufferage { fo") == std::vector<std::string>{"form = "});
  CHECK(session.complete("sufferage { form = \"pa") == std::vector<std::string>{"passes\""});
  CHECK(session.complete("s:run { policy = \"workq") == std::vector<std::string>{"workqueue\""});
  CHECK(session.complete("s:run { pol") == std::vector<std::string>{"policy = "});
  CHECK(has(session.complete("mapped { map = \"suff"), "sufferage\""));
  CHECK(has(session.complete("workload.tasks(3, function() return { ti"), "time = "));
  CHECK(session.complete(":wr") == std::vector<std::string>{":write"});
  CHECK(session.complete("?suffer").front() == "sufferage");
  CHECK(session.complete("nothing_like_this").empty());
  CHECK(session.complete("unknown.f").empty());
}

TEST_CASE("a session is written as a script that repeats it") {
  const fs::path folder = fs::temp_directory_path() / ("perigee_repl_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "other.lua") << "local n = 5\nfunction bump(x) return x + n end\n";
  Session session;
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
  perigee::Interpreter again(options);
  again.run_file(file);
  CHECK(printed == "10\n");
  fs::remove_all(folder);
}

TEST_CASE("an interrupt stops what runs and nothing else") {
  std::string printed;
  InterpreterOptions options;
  options.output = [&](std::string_view text) { printed += text; };
  Repl* self = nullptr;
  options.on_progress = [&](const perigee::Simulation*) { self->interpreter().interrupt(); };
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
