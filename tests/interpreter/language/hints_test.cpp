// Text as people who come from other languages write it, and the hints that they get.
#include "interpreter/language/hints.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "interpreter/bindings/words.h"
#include "interpreter/session/explain.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

std::string said_of(const std::string& script) {
  Interpreter interpreter(open_words);
  try {
    interpreter.run_text("s.lua", script);
  } catch (const Error& error) {
    return explain(error, interpreter);
  }
  return {};
}

}  // namespace

TEST_CASE("a comparison is told from its results") {
  const std::string c =
      "local c = scenario { platform = platform { host 'a' {} }, workload = workload.tasks { { time = 1 } } "
      "}:compare { 'fcfs' }\n";
  CHECK_THAT(said_of(c + "print(c.makespan)"), Contains("it is of a result: c:result(1).makespan"));
  CHECK_THAT(said_of(c + "print(c[1])"), Contains("its results are c:result(1), c:result(2), ...\n"));
}

TEST_CASE("people from other languages are told how it is written here") {
  const std::pair<const char*, const char*> cases[] = {
      {"local t = { 5 } print(t[0] + 1)", "a list begins at 1"},
      {"local t, i = { 5 }, 7 print(t[i] + 1)", "there is no such entry; the first is t[1]"},
      {"local x = 1 if c else 2", "c and a or b"},
      {"local y = x ? 1 : 2", "c and a or b"},
      {"print(f\"value {n}\")", "string.format"},
      {"local x = 1 x += 1", "there is no +=; write x = x + 1"},
      {"local x = 1 x -= 1", "there is no -=; write x = x - 1"},
      {"local x = 1 x *= 2", "there is no *=; write x = x * 2"},
      {"local x = 1 x /= 2", "there is no /=; write x = x / 2"},
      {"with open('x') as f: pass", "a script reads files by csv.read"},
      {"local t = { 1, 2, 3 } print(t[1:2])", "a part of a list is written { table.unpack(t, 1, 5) }"},
      {"local x = 1 # comment", "a comment begins with --"},
      {"/* comment */", "a comment begins with --"},
      {"local sim = { now = print } print(sim.now + 1)", "it is a function: call it"},
      {"local sim = { now = print } if sim.now > 1 then end", "it is a function that is compared"},
      {"local x = 3 print(\"%d\" % x)", "string.format(\"%d jobs\", n)"},
      {"print(\"%d %d\" % (3, 4))", "string.format(\"%d jobs\", n)"},
      {"print(len({}))", "the length of t is #t"},
      {"local t = {} print(t.length + 1)", "the length of t is #t"},
      {"local x = {} x.append(1)", "table.insert(t, x)"},
      {"if x then print(1) elif y then end", "elseif"},
      {"if x then\n  print(1)\nelse if y then\n  print(2)\nend\nend\nend\nfor i = 1, 2 do", "end too many"},
      {"local x = 1\nif x == 1 then\n  print(1)\nelse if x == 2 then\n  print(2)\nend\n",
       "line 4: else if begins an if with an end of its own"},
      {"def f():\n  return 1", "a block has no colon"},
      {"if (x == 1) {\n  print(1)\n}", "line 1: a block has no braces"},
      {"function f(x) {\n  return x\n}", "line 1: a block has no braces"},
      {"import numpy", "require"},
      {"for i in range(3) do end", "counts, 10 included"},
      {"local x = 1\nx++", "there is no ++"},
      {"if a && b then end", "'and' is a word"},
      {"if a || b then end", "'or' is a word"},
      {"if !a then end", "'not' is a word"},
      {"local x = null", "nothing is written nil"},
      {"if x is None then end", "x == nil"},
      {"if x is not None then end", "x ~= nil"},
      {"if x in t then end", "for _, x in ipairs(t) do"},
      {"local f = lambda x: x", "function(x)"},
      {"local f = x => x", "function(x)"},
      {"if x = 1 then end", "equal is written =="},
      {"if x\n  print(1)\nend", "a condition ends with then"},
      {"print(2 ** 3)", "x ^ y"},
      {"let x = 1", "local x = 1"},
      {"local x = 5 print x", ""},
      {"print x", "a call has parentheses"},
      {"for i = 1, 2 do continue end", "goto next"},
      {"local function f(x = 3) end", "no default"},
      {"print(workload.tasks(n = 3))", "arguments have no names"},
      {"local s = \"abc\" print(s.upper())", "s:upper()"},
      {"throw \"x\"", "error(text)"},
      {"for i in enumerate({}) do end", "ipairs(t)"},
      {"print(1)\nprint(platform { host \"a })\nprint \"b\"",
       "the text that begins at line 2, column 23, has no \" at its end"},
      {"print('it is\n')", "the text that begins at line 1, column 7, has no ' at its end"},
      {"print(({ { 1 } })[1][0] + 1)", "a list begins at 1"},
      {"local r = { makespan = 1 } print(r:makespan())", "x.makespan, without colon"},
      {"local t = function(i, rng) { time = 5 } end", "a function returns a table by return"},
      {"heuristic \"longest\" function(c, task) return 1 end", "its functions stand in a table"},
      {"print(stats.mean { 1, 2 })", "stats.summary(list)"},
      {"policy \"p\" { decide = function(sim) sim:hosts() end } scenario { platform = platform { host \"a\" "
       "{} }, workload = workload.tasks { { time = 1 } } }:run { policy = \"p\" }",
       "decide = function(self, sim)"},
      {"policy \"p\" { decide = function(self, sim) sim:waiting() end } scenario { platform = platform { host "
       "\"a\" {} }, workload = workload.tasks { { time = 1 } } }:run { policy = \"p\" }",
       "arrived(self, sim, works)"},
      {"scenario { platform = platform { host \"a\" {} }, workload = workload.tasks { { time = 1 } } "
       "}:compare "
       "{ policies = { \"fcfs\" } }",
       "the policies stand in the table itself"},
      {"print(scenario { platform = platform { host \"a\" {} }, workload = workload.tasks { { time = 1 } } "
       "}:start "
       "{ policy = \"fcfs\" }.makespan)",
       "sim:result()"},
      {"print(round(2.5))", "there is no 'round'\n"},
      {"print(round(2.5))", "(x + 0.5) // 1"},
      {"print(abs(-1))", "it is in math: math.abs\n"},
      {"print(str(3))", "there is no 'str'\n"},
      {"print(range(3))", "there is no 'range'\n"},
      {"for i = 0, 10: print(i)", "a block has no colon"},
      {"if x > 1: print(1)", "a block has no colon"},
      {"try:\n  print(1)\nexcept:\n  print(2)", "errors are caught by pcall(f, ...)"},
      {"local x = 1\ndel x", "table.remove(t, 1)"},
      {"pass", "a block may be empty"},
      {"global x", "local x = 1 above them"},
      {"x: int = 5", "a variable has no type"},
      {"local s = \"abc\"[1:2]", "a part of a text is (\"abc\"):sub(1, 2)"},
      {"local s = \"abc\"\nprint(s[1])", "the first letter of a text is s:sub(1, 1)"},
      {"print(\"x\" in {})", "for _, x in ipairs(t) do"},
      {"print(isinstance(3, 4))", "type(x) == \"number\""},
      {"for a, b in zip({}, {}) do end", "two lists are gone through"},
      {"print(\"a\", end=\"\")", "print writes a whole line"},
      {"print({ 1, 2, 3 }[1])", "needs parentheses: ({ 1, 2, 3 })[1]"},
      {"print('it''s')", "the other quotes"},
      {"print(math.inf)", "there is no 'math.inf'\n"},
      {"print(math.inf)", "infinity is math.huge"},
      {"host \"a\" { availability = 70 }", "must be >= 0 and <= 1, got 70; per cent are written \"70 %\""},
      {"heuristic \"h\" { pick = function(c) return c:best() end } map(\"h\", etc { { 1 } })",
       "it is written c:best(task)"},
      {"policy \"p\" { arrived = function(self, sim, works) sim:start(\"a\", works[1]) end } scenario { "
       "platform = "
       "platform { host \"a\" {} }, workload = workload.tasks { { time = 1 } } }:run { policy = \"p\" }",
       "it is written sim:start(work, host"},
      {"policy \"p\" { arrived = function(self, sim, works) for w in works do end end } scenario { platform "
       "= "
       "platform { host \"a\" {} }, workload = workload.tasks { { time = 1 } } }:run { policy = \"p\" }",
       "for i, x in ipairs(t) do"},
      {"print(1)\nexit", "line 2: a script ends with its last line; return, outside of functions, ends it"},
      {"quit\nprint(2)", "line 1: a script ends with its last line"},
      {"local x = 3\nif x > 2 then exit end", "line 2: a script ends with its last line"},
      {"if 3 > 2 then quit() end", "a script ends with its last line; return, outside of functions"},
      {"exit(1)", "a script ends with its last line"},
      {"os.exit(1)", "a script ends with its last line"},
      {"print(1)\nhelp", "line 2: it is written help \"fcfs\", or in a shell perigee help fcfs"},
      {"help sjf", "line 1: it is written help \"sjf\", or in a shell perigee help sjf"},
      {"experiment \"e\" { measure = { \"makespan\", \"status\" }, run = function() return scenario { "
       "platform = "
       "platform { host \"a\" {} }, workload = workload.tasks { { time = 1 } } }:run { policy = \"fcfs\" } "
       "end }",
       "how a run ended is r.status, a text; `unfinished` counts"},
      {"print [[ a", "a text that begins with [[ ends with ]]"},
  };
  for (const auto& [script, hint] : cases) {
    INFO(script);
    const std::string said = said_of(script);
    CHECK_THAT(said, Contains("error: ") && Contains(hint));
  }
}

TEST_CASE("a function without the first of its arguments is told how it is written") {
  const std::string s =
      "local s = scenario { platform = platform { host 'a' {} }, workload = workload.tasks { { time = 1 } } "
      "}\n";
  CHECK_THAT(
      said_of(s +
              "policy 'p' { arrived = function(sim, works) for _, w in ipairs(works) do sim:start(w, 1) end "
              "end } s:run { policy = 'p' }"),
      Contains("it is written arrived = function(self, sim, works), not function(sim, works)"));
  CHECK_THAT(said_of("heuristic 'h' { pick = function(task) return -task end } map('h', etc { { 1, 2 } })"),
             Contains("it is written pick = function(c, task, args), not function(task)"));
  CHECK_THAT(said_of("heuristic 'h' { pick = function(task) return -task end }\n" + s +
                     "s:run { policy = planner { map = 'h' } }"),
             Contains("it is written pick = function(c, task, args), not function(task)"));
  CHECK_THAT(
      said_of(s + "policy 'p' { arrived = function(self, sim) sim:start(w, 1) end } s:run { policy = 'p' }"),
      !Contains("it is written"));
  CHECK_THAT(said_of("heuristic 'h' { pick = function(c, t) return t.x.y end } map('h', etc { { 1, 2 } })"),
             !Contains("it is written"));
}

TEST_CASE("no hint is given where none fits") {
  for (const char* script : {"local x = nil + 1", "local t = {} t.a.b = 1", "error 'it is so'",
                             "local function f() return f + 1 end f()", "print(1) = 2"}) {
    INFO(script);
    CHECK(said_of(script).find("note: ") == std::string::npos);
  }
}
