// The prompt without a terminal.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "interpreter/bindings/words.h"
#include "interpreter/command/replay.h"
#include "interpreter/language/vocabulary.h"
#include "interpreter/prompt/repl.h"
#include "tests/support/layers.h"

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using perigee::test::InterpreterOptions;
using perigee::test::Repl;

namespace {

struct ReplSession {
  std::string printed;
  Repl repl;
  ReplSession()
      : repl([this] {
          InterpreterOptions options;
          options.output = [this](std::string_view text) { printed += text; };
          options.warnings = [](std::string_view) {};
          return options;
        }()) {}
  // The text seen after the lines: printed text, values, errors.
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

const char* const kReplScenario = R"(s = scenario {
  platform = platform { cluster "fast" { nodes = 2 }, cluster "slow" { nodes = 1 } },
  workload = workload.tasks(9, function(i) return { time = 10 * i, arrival = i } end),
}
)";

}  // namespace

TEST_CASE("an expression is shown, a statement is run") {
  ReplSession session;
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

TEST_CASE("constants of an input stay") {
  ReplSession session;
  session(
      "local n <const>, t = 3, { 1 }\nlocal text < const > = '<const>'\nlocal function more() return n + #t "
      "end");
  CHECK(session("more()") == "4\n");
  CHECK(session("text") == "<const>\n");
  CHECK_THAT(session("local m <const> = 1; m = 2"), Contains("attempt to assign to const variable 'm'"));
}

TEST_CASE("locals of an input stay") {
  ReplSession session;
  session("local n, t = 3, { 1 }\nlocal function twice(x) return 2 * x end");
  CHECK(session("twice(n)") == "6\n");
}

TEST_CASE("an input goes on until it is complete") {
  ReplSession session;
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
  ReplSession session;
  session("speed = 3");
  CHECK(session("sped") == "prompt:2: error: there is no 'sped'; did you mean 'speed'?\n    2 | sped\n");
  CHECK_THAT(session("x = = 1"), Contains("prompt:3: error: unexpected symbol near '='"));
  CHECK(session("speed") == "3\n");
  CHECK_THAT(session(":lod x"), Contains("did you mean ':load'?"));
}

TEST_CASE("a hint on a syntax error is about its own input") {
  ReplSession session;
  session("function g() error 'no' end");
  CHECK_THAT(session("def f(x):"), Contains("line 2: a block has no colon"));
  CHECK_THAT(session("x = = 1"), Contains("prompt:3: error") && !Contains("a block has no colon"));
  CHECK_THAT(session("g()"), Contains("1 | function g() error 'no' end"));
}

TEST_CASE("odd input is an error, never the end of the program") {
  ReplSession session;
  CHECK_THAT(session(std::string(100000, '(')), Contains("overflow"));
  CHECK_THAT(session("x = " + std::string(100000, '{')), Contains("overflow"));
  CHECK_THAT(session("\xFF\xFE"), Contains("unexpected symbol"));
  CHECK(session(std::string("#('a\0b')", 8)) == "3\n");
  std::string many;
  for (int i = 0; i < 3000; ++i) many += "z = 1\n";
  session(many);
  CHECK_THAT(session("zz"), Contains("there is no 'zz'; did you mean 'z'?") && Contains("| zz\n"));
}

TEST_CASE("values are readable") {
  ReplSession session;
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
  ReplSession session;
  session(kReplScenario);
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
  session("c = s:start { policy = 'workqueue' }");
  CHECK(session("c:fail('slow.1', { at = 600 })") ==
        "simulation of workqueue at t = 0 s, running, 1 planned\n");
  CHECK(session("c:planned()") ==
        " at  action  name    options\n----------------------------\n600  fail    slow.1        -\n");
  CHECK(session.complete("c:planned():wh") == std::vector<std::string>{"where"});
}

TEST_CASE("a simulation goes on to a condition, back in time, and into several futures") {
  ReplSession session;
  session(kReplScenario);
  session("sim = s:start { policy = 'workqueue' }");
  // Three hosts; tasks 1 to 9, of 10 to 90 s, come at 1 to 9 s: three wait when the sixth has come.
  CHECK(session("sim:when(function(s) return s.queue == 3 end)") ==
        "simulation of workqueue at t = 6 s, running\ntrue\n");
  CHECK(session("sim.state.running, sim.state.unsettled, sim.state.up") == "3\n6\n3\n");
  CHECK_THAT(session("sim.state"), Contains("at t = 6 s: queue 3, running 3, finished 0,"));
  CHECK_THAT(session("sim.state.queues"), Contains("did you mean 'queue'?"));
  session("sim:fail 'slow.1'");
  session("a, b = sim:fork(2)");
  CHECK(session("a:run().makespan == b:run().makespan, sim:now()") == "true\n6.0\n");
  CHECK(session("sim:run_until(40); sim:back_to(6); return sim.state.down") == "1\n");
  CHECK(session("sim:run().fingerprint == a:result().fingerprint") == "true\n");
  CHECK(session("sim:back_to(5.5):run().fingerprint == s:run { policy = 'workqueue' }.fingerprint") ==
        "true\n");
  CHECK_THAT(session("sim:back_to(1e6)"), Contains("still to come") && Contains("run_until"));
  CHECK(session("sim:when(function(s) return s.queue > 50 end)") ==
        "simulation of workqueue at t = 183 s, complete\nfalse\n");
  CHECK_THAT(session("?process"), Contains("sim:wait_for(") && Contains("sim:stream(name)"));
  CHECK_THAT(session("?sim"), Contains("sim:back_to(t)") && Contains("sim:when("));
  CHECK_THAT(session("help(sim.state)"), Contains("s.utilization"));
  CHECK(has(session.complete("sim:ba"), "back_to"));
  CHECK(has(session.complete("sim.sta"), "state"));
  CHECK(has(session.complete("process { keep"), "keeps_alive = "));
}

TEST_CASE("a session with conditions, forks and returns is written as a script that repeats it") {
  ReplSession session;
  std::string expected;
  for (const char* input :
       {kReplScenario, "sim = s:start { policy = 'workqueue' }",
        "back, held = sim:when(function(s) return s.queue > 2 end)", "held, sim.state", "sim:fail 'slow.1'",
        "a, b = sim:fork(2)", "b:back_to(3)", "a:run().makespan, b:run().makespan", "sim:run_until(90)",
        "sim:back_to(20)", "_:run().fingerprint"})
    expected += session(input);
  std::string printed;
  InterpreterOptions options;
  options.output = [&](std::string_view text) { printed += text; };
  perigee::test::Interpreter again(perigee::bindings::open_words, options);
  again.run_text("session.lua", session.repl.script());
  std::replace(printed.begin(), printed.end(), '\t', '\n');
  CHECK(printed == expected);
}

TEST_CASE("help comes from the catalogue and the vocabulary") {
  ReplSession session;
  CHECK_THAT(session("?sufferage"), Contains("the task that loses most") && Contains("form"));
  CHECK_THAT(session("help(sufferage)"), Contains("the task that loses most"));
  CHECK_THAT(session("help(outage)"), Contains("outage {"));
  CHECK_THAT(session("?workload"), Contains("workload.tasks"));
  CHECK_THAT(session("?makespan"), Contains("a metric"));
  session(kReplScenario);
  CHECK_THAT(session("?s:run"), Contains("horizon") && !Contains("full|work"));
  CHECK_THAT(session("?s:run"),
             Contains("full, work, none") && Contains("fails when the policy does not accept"));
  session("r = s:run { policy = 'fcfs' }");
  CHECK_THAT(session("?r.end_time"), Contains("of the run, s"));
  CHECK_THAT(session("?r"), Contains("r:metrics() has them all") && !Contains("superseded(self") &&
                                !Contains("share of time that a server is busy"));
  CHECK_THAT(session("?r.mean_wait"), Contains("start - arrival, mean over finished works, in s"));
  CHECK_THAT(session("?r:jobs"),
             Contains("start - arrival, s") && Contains("response / run; none when run = 0"));
  CHECK_THAT(session("?mtbf"), Contains("failures {") && Contains("mean time up between failures, s"));
  CHECK_THAT(session("?median"), Contains("a field of a summary: the middle"));
  CHECK_THAT(session("?problem"), Contains("problem:machine_heterogeneity()"));
  CHECK_THAT(session("?workload.etc"), Contains("rows of an ETC matrix"));
  CHECK_THAT(session("?oversize"),
             Contains("workload.swf(path") && Contains("oversize: error, drop, clip, split"));
  CHECK_THAT(session("?speed"), Contains("sim:speed(host)") && Contains("cluster \"name\"") &&
                                    Contains("its field speed"));  // methods and fields alike
  CHECK_THAT(session("?deadline"), Contains("sim:deadline(work)") && Contains("workload.tasks {"));
  CHECK_THAT(session("?overzise"), Contains("did you mean 'oversize'?"));
  CHECK_THAT(session("help(s)"), Contains("s:start"));
  CHECK_THAT(session("?suferage"), Contains("did you mean 'sufferage'?"));
  CHECK_THAT(session(":help"), Contains(":write FILE") && Contains("schedulers"));
}

TEST_CASE("what callbacks are given has help under the names of the manual") {
  ReplSession session;
  CHECK_THAT(session("?rng"), Contains("rng:lognormal(mean, sd)"));
  CHECK_THAT(session("?c"), Contains("c:best_machine(task)"));
  CHECK_THAT(session("?sim"), Contains("sim:cancel_timer(id)"));
  CHECK_THAT(session("?problem"), Contains("problem:cluster_best(task, cluster)"));
  CHECK_THAT(session("?problem:undo"),
             Contains("takes the last assign or leave_out back") && !Contains("copy"));
  CHECK(session.complete("function(problem) problem:cluster_") ==
        std::vector<std::string>{"cluster_best", "cluster_machine"});
  CHECK(session.complete("heuristic \"x\" { pick = function(c, task) return c:sec") ==
        std::vector<std::string>{"second"});
  CHECK_THAT(session("?rng:poisson"), Contains("rng:poisson(mean)") && !Contains("weibull"));
  session(kReplScenario);
  session("sim = s:start { policy = 'fcfs' }");
  CHECK_THAT(session("?sim"), Contains("sim:run_until(t)") && Contains("sim:cancel_timer(id)"));
  CHECK_THAT(session("?sim:hosts"), Contains("a table of the hosts"));
}

TEST_CASE("every function and method has help") {
  // Standard Lua is not perigee's to explain.
  const std::set<std::string> lua = {"assert",   "error",     "getmetatable", "ipairs", "load",   "pairs",
                                     "pcall",    "print",     "rawequal",     "rawget", "rawlen", "rawset",
                                     "require",  "select",    "setmetatable", "type",   "xpcall", "tonumber",
                                     "tostring", "coroutine", "math",         "string", "table",  "utf8",
                                     "_VERSION", "_G"};
  ReplSession session;
  lua_State* L = session.repl.interpreter().main();
  const auto names_in = [&](int table) {  // with or without the view that protects it
    std::vector<std::string> names;
    table = lua_absindex(L, table);
    for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1))
      if (lua_type(L, -2) == LUA_TSTRING) names.emplace_back(lua_tostring(L, -2));
    return names;
  };
  const auto field = [&](int table, const std::string& name) {
    table = lua_absindex(L, table);
    lua_pushstring(L, name.c_str());
    return lua_rawget(L, table);
  };
  std::size_t methods = 0, words = 0;
  for (const std::string& type : names_in(LUA_REGISTRYINDEX)) {
    if (field(LUA_REGISTRYINDEX, type) == LUA_TTABLE && field(1, "__name") == LUA_TSTRING &&
        perigee::host::push_type_index(L, 1) && lua_getupvalue(L, -1, 1) != nullptr && lua_istable(L, -1))
      for (const std::string& method : names_in(-1)) {
        INFO(type << ":" << method);
        CHECK(perigee::test::find_word(type, method) != nullptr);
        ++methods;
      }
    lua_settop(L, 0);
  }
  field(LUA_REGISTRYINDEX, "perigee.vocabulary");
  for (const std::string& name : names_in(1)) {
    if (lua.contains(name) || session.repl.interpreter().catalogue().find(name)) continue;
    INFO(name);
    CHECK(perigee::test::find_word("", name) != nullptr);
    ++words;
    field(1, name);
    if (luaL_getmetafield(L, -1, "__index") == LUA_TTABLE) lua_replace(L, 2);
    if (lua_istable(L, 2) && name != "args")
      for (const std::string& part : names_in(2)) {
        INFO(name << "." << part);
        CHECK(perigee::test::find_word(name, part) != nullptr);
        ++words;
      }
    lua_settop(L, 1);
  }
  lua_settop(L, 0);
  CHECK(methods > 90);
  CHECK(words > 30);
}

TEST_CASE("work is submitted at the prompt") {
  ReplSession session;
  session(
      "s = scenario { platform = platform { cluster 'c' { nodes = 1 } }, workload = workload.tasks { { time "
      "= 10 } } }");
  session("sim = s:start { policy = 'workqueue', validate = true }\nsim:run_until(4)");
  CHECK(session("sim:submit { name = 'more', time = 3 }") == "simulation of workqueue at t = 4 s, running\n");
  session("sim:submit { { time = 1, arrival = 30 }, { time = 2 } }\nsim:step()");
  CHECK_THAT(session("sim:queue()"), Contains("more") && Contains("task 4"));
  CHECK_THAT(session("sim:submit { time = 1, arrival = 2 }"), Contains("is before the present, t = 4 s"));
  CHECK_THAT(session("sim:submit { tme = 1 }"), Contains("did you mean 'time'?"));
  CHECK_THAT(session("sim:submit(7)"), Contains("a list of them or a workload is needed, got 7"));
  CHECK(session("sim:run().makespan") == "31.0\n");  // 10 + 3 + 2, and 30 + 1
  CHECK(session("sim:submit { time = 1 }") == "simulation of workqueue at t = 31 s, running\n");
  CHECK(session("sim:run().makespan") == "32.0\n");
}

TEST_CASE("completion follows what calls return") {
  ReplSession session;
  session(
      "s = scenario { platform = platform { cluster 'c' { nodes = 2 } }, workload = workload.tasks { { time "
      "= 1 } } "
      "}\nsim = s:start { policy = 'fcfs' }");
  CHECK(session.complete("sim:run().makes") == std::vector<std::string>{"makespan"});
  CHECK(session.complete("sim:back_to(3):run():why(\"task 1\").candi") ==
        std::vector<std::string>{"candidates"});
  CHECK(session.complete("s:run { policy = \"fcfs\" }:jo") == std::vector<std::string>{"jobs"});
  CHECK(session.complete("sim.state.que") == std::vector<std::string>{"queue", "queued_on"});
  CHECK(session.complete("etc.range_based { tasks = 4 }:summ") == std::vector<std::string>{"summary"});
  CHECK(session.complete("compare(sim:run(), sim:run()):first_d") ==
        std::vector<std::string>{"first_difference"});
  CHECK(session.complete("sim:result():jobs():cs") == std::vector<std::string>{"csv"});
  CHECK(session.complete("mapped \"min_m") == std::vector<std::string>{"min_min\""});
  CHECK(session.complete("x = [[min_m").empty());
  CHECK(session.complete("map([[min_m") == std::vector<std::string>{"min_min]]"});
  for (const char* odd :
       {":x", ".", "):x", "}.", "(1).x", "f().x", "s:nothing():x", "s:run", "'a'.x", "a.b:c().d"})
    session.complete(odd);
}

TEST_CASE("a text that does not end is an error at once") {
  ReplSession session;
  CHECK_THAT(session("x = \"abc"), Contains("unfinished string"));
  CHECK(session.repl.feed("x = \"abc\\").needs_more);
  CHECK(session("def\"").empty());
  CHECK(session.repl.feed("x = [[abc").needs_more);
  CHECK(session("def]]").empty());
}

TEST_CASE("completion knows what may stand here") {
  ReplSession session;
  session(kReplScenario);
  session("sim = s:start { policy = 'workqueue' }");
  CHECK(session.complete("scen") == std::vector<std::string>{"scenario"});
  CHECK(session.complete("require \"grid") == std::vector<std::string>{"grids\""});
  CHECK(session.complete("local grids = require 'grids' grids.app") ==
        std::vector<std::string>{"application"});
  CHECK_THAT(session("?loads.algorithm"), Contains("loads.algorithm(name)\n  The scheduler of a name"));
  CHECK(session.complete("math.sq") == std::vector<std::string>{"sqrt"});
  CHECK(session.complete("sim:run") == std::vector<std::string>{"run", "run_until", "running_on"});
  CHECK(session.complete("sim:fail \"slow.1") == std::vector<std::string>{"slow.1\""});
  CHECK(has(session.complete("outage { host = \"fast."), "fast.2\""));
  CHECK(!has(session.complete("outage { host = \"fa"), "fast\""));
  CHECK(has(session.complete("outage { cluster = \"fa"), "fast\""));
  CHECK(session.complete("workload.swf(\"x\", { over") ==
        std::vector<std::string>{"overrun = ", "oversize = "});
  CHECK(session.complete("workload.swf(\"x\", { overrun = \"c") == std::vector<std::string>{"cut\""});
  CHECK(session.complete("failures { law = \"w") == std::vector<std::string>{"weibull\""});
  CHECK(session.complete("s:run { ask = \"e") == std::vector<std::string>{"each\""});
  CHECK(session.complete("scenario { on_failure = { hold = \"re") ==
        std::vector<std::string>{"restarted\"", "resumed\""});
  CHECK(session.complete("cluster \"x\" { link = { sharing = \"f") == std::vector<std::string>{"fair\""});
  CHECK(session.complete("platform.ir") == std::vector<std::string>{"irmasim"});
  CHECK(session.complete("sufferage { fo") == std::vector<std::string>{"form = "});
  CHECK(session.complete("sufferage { form = \"pa") == std::vector<std::string>{"passes\""});
  CHECK(session.complete("s:run { policy = \"workq") == std::vector<std::string>{"workqueue\""});
  CHECK(session.complete("s:run { pol") == std::vector<std::string>{"policy = "});
  CHECK(has(session.complete("mapped { map = \"suff"), "sufferage\""));
  CHECK(has(session.complete("best_of { \"min_min\", \"suff"), "sufferage\""));
  CHECK(!has(session.complete("best_of { \"fc"), "fcfs\""));
  CHECK(session.complete("then_improve { with = \"t") == std::vector<std::string>{"tabu\""});
  CHECK(session.complete("switch { wh") == std::vector<std::string>{"when = "});
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

TEST_CASE("of a long table the first rows are shown") {
  ReplSession session;
  session(
      "s = scenario { platform = platform { cluster 'c' { nodes = 9 } }, workload = workload.tasks(5000, "
      "function(i) return { time = 1, name = 'the ' .. i .. '.' } end) }");
  const std::string rows = session("s:run { policy = 'workqueue' }:jobs()");
  CHECK_THAT(rows, Contains("the 200.") && !Contains("the 201.") &&
                       Catch::Matchers::EndsWith("\n... and 4800 more rows\n"));
  CHECK_THAT(session("print(_)"), Contains("the 5000.") && !Contains("more rows"));
  CHECK_THAT(session("{ all = _ }"), Contains("... and 4800 more rows"));
  const std::string own =
      session("(function() local t = {} for i = 1, 300 do t[i] = { a = i, b = 2 } end return t end)()");
  CHECK_THAT(own, Contains("200") && Catch::Matchers::EndsWith("\n... and 100 more rows\n"));
}
