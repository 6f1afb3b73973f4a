// The prompt without a terminal.
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
  CHECK(session.complete("duel { search = \"anne") == std::vector<std::string>{"annealing\""});
  CHECK(session.complete("s:run { policy = \"anne").empty());
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
