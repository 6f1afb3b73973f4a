// Where figures are drawn and written, and where not.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "interpreter/bindings/words.h"
#include "interpreter/session/interpreter.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kLines = R"lua(
  local s = scenario { platform = platform { host "a" {} }, workload = workload.tasks { { time = 1 }, { time = 5 } } }
  local r = s:run { policy = "fcfs" }
  plot({ { x = 1, y = 2 }, { x = 2, y = 3 } }, { x = "x", y = "y", file = "lines" })
  r:plot { file = "gantt" }
  r:jobs():csv "jobs"
)lua";

struct PlotsSession {
  fs::path folder;
  InterpreterOptions options;
  std::string printed;

  PlotsSession() {
    std::string name = (fs::temp_directory_path() / "plots-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
    options.out = (folder / "out").string();
    options.output = [this](std::string_view text) { printed += text; };
    options.warnings = [](std::string_view) {};
  }
  ~PlotsSession() { fs::remove_all(folder); }

  // The message of the error that ends it, if any.
  std::string operator()(const std::string& text, int times = 1) {
    Interpreter interpreter(open_words, options);
    try {
      while (times-- > 0) interpreter.run_text("script.lua", text);
    } catch (const Error& error) {
      return error.diagnostic().message;
    }
    return "";
  }
  std::size_t files() const {
    if (!fs::exists(folder / "out")) return 0;
    std::size_t count = 0;  // but for the list of them
    for (const auto& each : fs::recursive_directory_iterator(folder / "out"))
      count += each.path().filename() == ".perigee-files" ? 0 : 1;
    return count;
  }
};

// Without gnuplot.
struct NoPrograms {
  std::string before = std::getenv("PATH");
  explicit NoPrograms(const fs::path& folder) { setenv("PATH", folder.c_str(), 1); }
  ~NoPrograms() { setenv("PATH", before.c_str(), 1); }
};

}  // namespace

TEST_CASE("a run writes its figures and tables below --out") {
  PlotsSession session;
  CHECK(session(kLines) == "");
  CHECK(session.files() == 5);  // two figures with their numbers, a table; nothing half written is left
  CHECK(session.printed.find("x") != std::string::npos);
  CHECK(session.printed.find("a|") != std::string::npos);
}

TEST_CASE("by takes several columns, whose values together are a series") {
  PlotsSession session;
  CHECK(session("local rows = {} for _, policy in ipairs { 'p', 'q' } do for n = 1, 2 do for x = 1, 2 do\n"
                "  rows[#rows + 1] = { x = x, y = x * n, n = n, policy = policy } end end end\n"
                "plot(rows, { x = 'x', y = 'y', by = { 'policy', 'n' }, file = 'f', text = false })") == "");
  std::ifstream data(session.folder / "out" / "f.csv");
  std::ostringstream text;
  text << data.rdbuf();
  for (const char* series : {"p, 1", "p, 2", "q, 1", "q, 2"})
    CHECK_THAT(text.str(), Catch::Matchers::Contains(series));
  CHECK_THAT(session("plot({ { x = 1, y = 1, n = 1 } }, { x = 'x', y = 'y', by = { 'n', 'm' } })"),
             Catch::Matchers::Contains("by: there is no column 'm'"));
}

TEST_CASE("without --out figures are only printed") {
  PlotsSession session;
  session.options.out.clear();
  CHECK(session("plot({ { x = 1, y = 2 } }, { x = 'x', y = 'y' })") == "");
  CHECK_FALSE(session.printed.empty());
  CHECK(
      session("plot({ { x = 1, y = 2 } }, { x = 'x', y = 'y' }):csv()").find("attempt to call a nil value") !=
      std::string::npos);
}

TEST_CASE("a second figure of the same name: an error in a script, the next try at the prompt") {
  PlotsSession session;
  CHECK(session(kLines, 2) == "plot: 'lines.svg' was written before, at script.lua:4");
  session.options.interactive = true;
  CHECK(session(kLines, 2) == "");
  CHECK(session.files() == 5);
}

TEST_CASE("check draws nothing, but looks at what is known") {
  PlotsSession session;
  const NoPrograms none(session.folder);
  session.options.check = true;
  CHECK(session(kLines) == "");
  CHECK(session("plot({ { x = 1 } }, { x = 'x', y = 'z' })") ==
        "plot: y: there is no column 'z'; there are x");
  CHECK(session.files() == 0);
  CHECK(session.printed.empty());
}

TEST_CASE("a replay draws and writes nothing") {
  PlotsSession session;
  const NoPrograms none(session.folder);
  session.options.on_outcome = [](std::uint64_t, const Outcome&) { return true; };
  CHECK(session(kLines) == "");
  CHECK(session.files() == 0);
}

TEST_CASE("without gnuplot there is one clear error, and what needs none is drawn") {
  PlotsSession session;
  const NoPrograms none(session.folder);
  CHECK(session(kLines) ==
        "plot: figures need the program gnuplot, which is not there: install the package gnuplot-nox");
  CHECK(session.files() == 0);
  session.options.out.clear();
  CHECK(session("plot({ { x = 'a', y = 2 } }, { x = 'x', y = 'y' })") == "");
  CHECK_FALSE(session.printed.empty());
}

TEST_CASE("figures count against --steps") {
  PlotsSession session;
  session.options.steps = 50'000;
  CHECK(session("for i = 1, 10 do plot({ { x = 'a', y = 2 } }, { x = 'x', y = 'y', text = false }) end")
            .find("--steps") != std::string::npos);
}

TEST_CASE("links that lead out of --out are not followed") {
  PlotsSession session;
  fs::create_directories(session.folder / "out");
  fs::create_directories(session.folder / "elsewhere");
  fs::create_directory_symlink(session.folder / "elsewhere", session.folder / "out" / "link");
  std::ofstream(session.folder / "elsewhere" / "kept") << "kept";
  fs::create_symlink(session.folder / "elsewhere" / "kept", session.folder / "out" / "b.svg");
  const auto draw = [&](const std::string& file) {
    return session("plot({ { x = 'a', y = 2 } }, { x = 'x', y = 'y', file = '" + file + "' })");
  };
  CHECK(draw("link/a").find("leads out of the output folder") != std::string::npos);
  CHECK(draw("b").find("leads out of the output folder") != std::string::npos);
  CHECK(draw("../elsewhere/a").find("must be below the output folder") != std::string::npos);
  std::ifstream kept(session.folder / "elsewhere" / "kept");
  std::string text;
  kept >> text;
  CHECK(text == "kept");
  CHECK(std::distance(fs::directory_iterator(session.folder / "elsewhere"), fs::directory_iterator()) == 1);
}
