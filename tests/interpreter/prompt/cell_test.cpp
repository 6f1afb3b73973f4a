// NotebookSession of notebooks: what of them is shown, and how a script repeats them.
#include <catch2/catch.hpp>

#include <fstream>
#include <string>
#include <vector>

#include "interpreter/prompt/prompt_text.h"
#include "tests/interpreter/prompt/repl_session.h"
#include "tests/support/folder.h"

using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

struct NotebookSession {
  ReplSession session;
  int count = 0;
  std::string shown;
  NotebookSession() {
    session.repl.show_values_by(
        [this](lua_State* L, int index) { shown += perigee::prompt::pretty(L, index) + "\n"; });
  }
  // Texts that are printed, then shown, then said.
  std::string operator()(const std::string& text) {
    shown.clear();
    session.printed.clear();
    const auto reply = session.repl.cell("In [" + std::to_string(++count) + "]", text);
    return session.printed + shown + reply.output + reply.error;
  }
  // The output of the session's script when it is run.
  std::string again() {
    std::string printed;
    InterpreterOptions options;
    options.output = [&](std::string_view text) { printed += text; };
    perigee::test::Interpreter interpreter(perigee::bindings::open_words, options);
    interpreter.run_text("session.lua", session.repl.script());
    return printed;
  }
};

}  // namespace

TEST_CASE("the value of a last expression is shown behind statements") {
  NotebookSession cell;
  CHECK(cell("x = 3\nx") == "3\n");
  CHECK(cell("x = x + 1; x, x * 2  -- both") == "4\n8\n");
  CHECK(cell("local y = 5\nlocal function f() y = y + 1 return y end\nf()") == "6\n");
  CHECK(cell("y") == "6\n");  // the local as it was at the end
  CHECK(cell("print 'a'\nx + 1") == "a\n5\n");
  CHECK(cell("z = 1").empty());
  CHECK(cell("x = 7\n(x + 1) * 2") == "16\n");
  CHECK(cell("local t = {\n  1,\n  2,\n}\n#t") == "2\n");
  CHECK(cell("local s = [[\nx\n]]\ns") == "x\n\n");
  CHECK(cell("for i = 1, 2 do\n  print(i)\nend") == "1\n2\n");
  CHECK(cell("return 1, 2") == "1\n2\n");
  CHECK(cell("-- nothing").empty());
  CHECK(cell("x = 2\nnil").empty());
  CHECK(cell("x = 1\n\n-- end\n") == "");
  CHECK(cell.again() == "3\n4\t8\n6\n6\na\n5\n16\n2\nx\n\n1\n2\n1\t2\n");
}

TEST_CASE("a cell means what Lua reads, where lines can be read in two ways") {
  NotebookSession cell;
  cell("f = function(x) return x end\ng = 5");
  CHECK(cell("h = f\n(g)").empty());  // one call
  CHECK(cell("h") == "5\n");
  CHECK(cell("k = g\n-h").empty());
  CHECK(cell("k") == "0\n");
  CHECK(cell("if g == 5 then\n  k = f\nend\nf(g)") == "5\n");
}

TEST_CASE("a value that has drawn itself is not shown again, also behind prints") {
  NotebookSession cell;
  cell(kReplScenario);
  const std::string drawn = cell("r = s:run { policy = 'workqueue' }\nprint 'before'\nr:gantt(60)");
  CHECK_THAT(drawn, Contains("fast.1"));
  CHECK(drawn.find("makespan") == std::string::npos);
  CHECK_THAT(cell("print 'before'\nr"), Contains("makespan"));
  CHECK(cell("t = r:jobs()\n#t") == "9\n");
  const std::string figure = cell("t:plot { x = 'id', y = 'finish', width = 60, height = 8 }");
  CHECK(figure.find("response") == std::string::npos);  // the rows of the figure are not shown below it
}

TEST_CASE("an error of a cell names its own line") {
  NotebookSession cell;
  cell("a = 1");
  CHECK_THAT(cell("local b = a\n\nb = b + no_such_name\nb"),
             Catch::Matchers::StartsWith("In [2]:3: error: "));
  CHECK_THAT(cell("x = 3\nx +"), Catch::Matchers::StartsWith("In [3]:2: error: "));
  CHECK_THAT(cell("function fails()\n  error 'as wished'\nend"), Catch::Matchers::Equals(""));
  CHECK_THAT(cell("fails()"), Contains("In [4]:2: error: as wished"));
  CHECK(cell("b = 2\nerror { code = b }\nb").starts_with("In [6]:2: "));
  CHECK(cell.again().empty());  // the script fails in the same places, and goes on
}

TEST_CASE("commands stand before the text of a cell") {
  const Folder folder;
  folder.write("other.lua", "loaded = 7\n");
  NotebookSession cell;
  cell.session.repl.confine_commands(folder.path.string());
  const std::string other = (folder.path / "other.lua").string(), to = (folder.path / "session.lua").string();
  CHECK(cell(":load \"" + other + "\"\n\nloaded + 1") == "8\n");
  CHECK_THAT(cell("loaded = loaded + 1\n?min_min"), Contains("error"));  // not behind it
  CHECK_THAT(cell("?min_min"), Contains("min_min"));
  CHECK(cell("min_min?") == cell("?min_min"));
  CHECK_THAT(cell("help"), Contains(":write"));
  CHECK_THAT(cell(":time loaded = 9\nloaded"), Catch::Matchers::StartsWith("9\ntook "));
  CHECK_THAT(cell(":nothing"), Contains("there is no command ':nothing'"));
  CHECK_THAT(cell(":load other.txt"), Contains("in a notebook the file must end in .lua"));
  CHECK_THAT(cell(":write '/tmp/elsewhere.lua'"), Contains("below the notebook's folder"));
  CHECK_THAT(cell(":write " + to), Contains("written to"));
  CHECK_THAT(cell(":load " + to + "\nno_such_name"), Contains("In [12]:2: error"));
  CHECK_THAT(cell.session.repl.script(), Contains("loaded = 7"));
  CHECK_THAT(cell("\n:time\nloaded = 8\nloaded"), Catch::Matchers::StartsWith("8\ntook "));
  CHECK_THAT(cell(":time\n"), Contains(":time needs something to run"));
}

TEST_CASE("a cell is complete when Lua can read it") {
  NotebookSession cell;
  using State = Repl::State;
  const auto state = [&](const std::string& text) { return cell.session.repl.state_of_cell(text); };
  CHECK(state("x = 3\nx") == State::complete);
  CHECK(state("f {") == State::incomplete);
  CHECK(state("if a then\n  b()") == State::incomplete);
  CHECK(state("s = [[") == State::incomplete);
  CHECK(state("x = = 3") == State::invalid);
  CHECK(state("end") == State::invalid);
  CHECK(state(":write x") == State::complete);
  CHECK(state("") == State::complete);
}
