#include "interpreter/session/interpreter.h"
#include "interpreter/session/explain.h"

#include <catch2/catch.hpp>

#include <string>

#include "interpreter/bindings/words.h"
#include "interpreter/values/runs.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;
using Catch::Matchers::Equals;

namespace {

std::string interpreter_output_of(const std::string& text, InterpreterOptions options = {}) {
  std::string out;
  options.output = [&](std::string_view more) { out += more; };
  Interpreter interpreter(open_words, std::move(options));
  interpreter.run_text("test.lua", text);
  return out;
}

std::string error_of(const std::string& text, InterpreterOptions options = {}) {
  options.output = [](std::string_view) {};
  Interpreter interpreter(open_words, std::move(options));
  try {
    interpreter.run_text("test.lua", text);
  } catch (const Error& error) {
    return explain(error, interpreter);
  }
  return "no error";
}

}  // namespace

TEST_CASE("a script prints through the interpreter's output") {
  CHECK(interpreter_output_of("print(1, 'a', true, nil, 2.5)") == "1\ta\ttrue\tnil\t2.5\n");
}

TEST_CASE("interpreters side by side know nothing of each other") {
  Interpreter a(open_words), b(open_words);
  a.run_text("a.lua", "shared = 1  heuristic 'mine' { pick = function() return 0 end }");
  CHECK_THROWS_WITH(b.run_text("b.lua", "print(shared)"), Contains("there is no 'shared'"));
  CHECK_THROWS_WITH(b.run_text("b.lua", "print(mine)"), Contains("there is no 'mine'"));
  CHECK(b.catalogue().find("mine") == nullptr);
  CHECK(a.catalogue().find("mine") != nullptr);
}

TEST_CASE("globals last from one text to the next, as at a prompt") {
  std::string out;
  InterpreterOptions options;
  options.output = [&](std::string_view more) { out += more; };
  Interpreter interpreter(open_words, options);
  interpreter.run_text("1", "x = 2");
  CHECK_THROWS(interpreter.run_text("2", "error 'no'"));
  interpreter.run_text("3", "print(x)");
  CHECK(out == "2\n");
}

TEST_CASE("an error shows place, source line and the calls that led there") {
  CHECK_THAT(error_of("local function f(x) return x.y.z end\n\nf({})\n"),
             Equals("test.lua:1: error: attempt to index a nil value (field 'y')\n"
                    "    1 | local function f(x) return x.y.z end\n"
                    "  calls, innermost first:\n"
                    "    test.lua:1: in 'f'\n"
                    "    test.lua:3: in the main chunk\n"));
  CHECK_THAT(error_of("\nlocal x = 5 6\n"),
             Contains("test.lua:2: error: ") && Contains("    2 | local x = 5 6"));
  CHECK_THAT(error_of("error({})"), Contains("the script raised a table"));
  CHECK_THAT(error_of("error()"), Contains("the script raised nil"));
  CHECK_THAT(error_of("error('plain', 0)"), Contains("error: plain"));
}

TEST_CASE("a table that is raised is shown by its message and its fields") {
  CHECK_THAT(error_of("error { message = 'too few' }"), Contains("test.lua:1: error: too few\n"));
  CHECK_THAT(error_of("error { message = 'too few', code = 7, of = {} }"),
             Contains("error: too few (code = 7, of = a table)\n"));
  CHECK_THAT(error_of("error { 3, x = 'y' }"),
             Contains("error: the script raised a table: 1 = 3, x = 'y'\n"));
  CHECK_THAT(error_of("error { 1, 2, 3, 4, 5, 6 }"), Contains("4 = 4, 5 = 5, ...\n"));
  CHECK_THAT(error_of("error(setmetatable({ message = 'm' }, {}))"),
             Contains("error: the script raised a table\n"));
}

TEST_CASE("an error while a text is compiled names its file") {
  InterpreterOptions options;
  options.steps = 1000;
  CHECK_THAT(error_of("local t = {" + std::string(100000, ' ') + "}", options),
             Contains("test.lua: error: the script takes more than 1000 steps"));
  CHECK_THAT(error_of("return " + std::string(100000, '(')), Contains("test.lua: error: C stack overflow"));
}

TEST_CASE("of a long line an error shows the part that it is about") {
  std::string ones;
  for (int i = 0; i < 100000; ++i) ones += "1,";
  const auto shown_line = [](const std::string& said) {
    const std::size_t at = said.find(" | ") + 3;
    return said.substr(at, said.find('\n', at) - at);
  };
  for (const auto& [script, end] :
       {std::pair{"local t = {" + ones + "} + ]", "1,1,} + ]"},
        std::pair{"local t = {" + ones + "} print(t.x.y)", "1,1,} print(t.x.y)"}}) {
    const std::string line = shown_line(error_of(script));
    CHECK(line.size() < 220);
    CHECK(line.starts_with("..."));
    CHECK(line.ends_with(end));
  }
  const std::string begins = shown_line(error_of("error 'it is so' local t = {" + ones + "}"));
  CHECK(begins.size() < 220);
  CHECK(begins.starts_with("error 'it is so'"));
  CHECK(begins.ends_with("..."));
  const std::string text = error_of("local t = '" + std::string(100000, 'a') + "\n");
  CHECK(text.size() < 1000);
  CHECK_THAT(text, Contains("unfinished string near ''aaaa") && Contains("begins at line 1, column 11"));
}

TEST_CASE("an error raised by a binding can be caught, read and raised again") {
  CHECK(interpreter_output_of(
            "local ok, e = pcall(function()\n  return platform { host 'a' { speed = 0 } } end)\n"
            "print(ok, e.code, e.line, e.message)") ==
        "false\tout_of_range\t2\thost 'a': speed must be > 0 op/s, got 0\n");
  CHECK_THAT(error_of("local ok, e = pcall(host, 3)\nerror(e)"), Contains("host: a name comes first"));
}

TEST_CASE("limits stop a script, and what it prints afterwards is nothing") {
  InterpreterOptions few;
  few.steps = 10000;
  CHECK_THAT(error_of("while true do pcall(error) end", few), Contains("more than 10000 steps"));
  InterpreterOptions small;
  small.memory = 4'000'000;
  CHECK_THAT(error_of("local t = {} for i = 1, 1e8 do t[i] = i end", small),
             Contains("needs more memory than 4 MB"));
  CHECK_THAT(error_of("local s = ('x'):rep(3e7)", small), Contains("needs more memory than 4 MB"));
  InterpreterOptions tiny;
  tiny.memory = 1000;
  CHECK_THROWS_WITH(Interpreter(open_words, tiny), Contains("memory"));
}

TEST_CASE("a stop ends coroutines, handlers and closing variables") {
  InterpreterOptions few;
  few.steps = 50000;
  CHECK_THAT(error_of(R"lua(
    local forever = function() while true do end end
    local closing <close> = setmetatable({}, { __close = forever })
    while true do
      coroutine.resume(coroutine.create(forever))
      xpcall(forever, forever)
    end)lua",
                      few),
             Contains("more than 50000 steps"));
}

TEST_CASE("deep recursion is an error, in Lua and through C") {
  CHECK_THAT(error_of("local function f() return 1 + f() end f()"),
             Contains("stack overflow") && Contains("more calls"));
  CHECK_THAT(error_of("local f f = function() return (('x'):gsub('.', f)) end f()"),
             Contains("stack overflow"));
  CHECK_THAT(error_of("local function f() return pcall(f) end assert(f())  error('end', 0)"),
             Contains("error: "));
  CHECK_THAT(
      error_of("local t = {} for i = 1, 1e5 do t = { t } end\n"
               "scenario { platform = platform { host 'a' {} }, workload = workload.tasks {}, events = t }"),
      Contains("too deep"));
  CHECK_THAT(error_of("local s = ('('):rep(1e5) local f, e = load('return ' .. s) error(e, 0)"),
             Contains("error: "));
}

TEST_CASE("math draws from the script's stream and gives the same numbers for the same seed") {
  const std::string text =
      "print(math.random(), math.random(6), math.random(-3, 3), math.sin(1), math.exp(0.1))";
  InterpreterOptions other;
  other.seed = 2;
  CHECK(interpreter_output_of(text) == interpreter_output_of(text));
  CHECK(interpreter_output_of(text) != interpreter_output_of(text, other));
}

TEST_CASE("the power operator gives the bits of math.pow, not glibc's") {
  CHECK(interpreter_output_of(R"lua(
    local rng, different = stream("powers", 1), 0
    for i = 1, 20000 do
      local x, y = rng:uniform(0, 50), rng:uniform(-20, 20)
      if x ^ y ~= math.pow(x, y) then different = different + 1 end
    end
    print(different))lua") == "0\n");
}

TEST_CASE("check mode declares, runs nothing and prints nothing") {
  InterpreterOptions check;
  check.check = true;
  CHECK(interpreter_output_of(R"lua(
    local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
    local r = s:run { policy = "workqueue" }
    print(r.makespan, ("%g %d %s"):format(r.makespan, r.events, r.status), r.makespan + 1, -r.makespan .. "x")
    for _, job in ipairs(r:jobs()) do print(job) end
    for k in pairs(r:metrics()) do print(k) end
    assert(r.makespan > 3 and r.status == "complete")
    local m = math.max(math.floor(r.makespan / 2), 3)
    r:gantt()
    r:save "anywhere"
    print(s:compare { "fcfs", mapped { map = "mct" } })
    local sim = s:start { policy = "fcfs" }
    sim:run_until(m)
    sim:fail("a", { at = 600 })
    sim:submit({ time = 3 }, { at = 700 })
    print(sim:quote({ time = 3 }, { at = 700 }), sim:planned():where(function(row) return row.at > 650 end))
    print(compare(sim:fork(), sim))
  )lua",
                              check) == "");
  const std::string start =
      "local sim = scenario { platform = platform { host 'a' {} }, workload = workload.tasks { { time = 1 } "
      "} }"
      ":start { policy = 'fcfs' }\n";
  CHECK_THAT(error_of(start + "sim:submit({ time = 3 }, { att = 9 })", check),
             Contains("submit: unknown field 'att'; did you mean 'at'?"));
  CHECK_THAT(error_of(start + "sim:quote({ tme = 3 }, { at = 9 })", check),
             Contains("quote: unknown field 'tme'; did you mean 'time'?"));
  CHECK_THAT(error_of("local s = scenario { platform = platform { host 'a' {} }, workload = workload.tasks { "
                      "{ time = 1 } } }\n"
                      "s:run { policy = 'workque' }",
                      check),
             Contains("did you mean 'workqueue'?"));
  CHECK_THAT(error_of("local s = scenario { platform = platform { host 'a' {} },\n"
                      " workload = workload.tasks(2, function() return { time = -1 } end) }\n"
                      "s:run { policy = 'workqueue' }",
                      check),
             Contains("task 1: time must be >= 0 s, got -1"));
}

TEST_CASE("every catalogue entry has a constructor with its parameters") {
  Interpreter interpreter(open_words);
  for (const auto& entry : interpreter.catalogue().entries()) {
    INFO(entry->name);
    interpreter.run_text("test.lua",
                         "local c = " + entry->name + " {}  assert(c.name == '" + entry->name + "')");
    CHECK_THROWS_WITH(
        interpreter.run_text("test.lua", "local c = " + entry->name + " { no_such_parameter = 1 }"),
        Contains("no_such_parameter"));
  }
}

TEST_CASE("outcomes are counted in the order of the script, and enough can be enough") {
  InterpreterOptions options;
  std::vector<std::uint64_t> seen;
  options.on_outcome = [&](std::uint64_t ordinal, const Outcome&) {
    seen.push_back(ordinal);
    return ordinal < 2;
  };
  options.output = [](std::string_view) {};
  Interpreter interpreter(open_words, options);
  CHECK_THROWS_AS(interpreter.run_text("test.lua", R"lua(
    local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 } } }
    for i = 1, 5 do pcall(s.run, s, { policy = "workqueue" }) end)lua"),
                  Stopped);
  CHECK(interpreter.done());
  CHECK(seen == std::vector<std::uint64_t>{1, 2});
}
