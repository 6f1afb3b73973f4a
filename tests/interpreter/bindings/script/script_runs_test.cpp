// Scenarios and problems as texts of Lua, made again: they run to the same fingerprint, and what is not plain is refused.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "tests/interpreter/bindings/script/said.h"
#include "tests/interpreter/session.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

// Runs the declaration and its text, each in an interpreter of its own, with the same policy and seed.
void check_same_run(const std::string& declaration, const std::string& policy, std::uint64_t seed = 7) {
  INFO(declaration);
  const std::string run = fmt::format(":run {{ policy = {}, seed = {} }}", policy, seed),
                    show = "print(r.fingerprint, r.status, r.makespan)";
  Session first, second;
  const std::string text =
      said(first, fmt::format("s = {} print(s:script {{ seed = {}, name = 'again' }})", declaration, seed));
  INFO(text);
  const std::string expected = said(first, "local r = s" + run + " " + show);
  CHECK(said(second, text + "local r = again" + run + " " + show) == expected);
  CHECK(said(second, text + "print(again:script { seed = 8, name = 'again' })") == text);
}

}  // namespace

TEST_CASE("a text runs to the same fingerprint in another interpreter") {
  const std::string small = "platform { cluster 'c' { nodes = 3, cores = 4 } }";
  check_same_run(
      "scenario { platform = " + small +
          ", workload = workload.tasks(20, function(i, rng) return { time = rng:uniform(1, 9), arrival = i } end) }",
      "'fcfs'");
  check_same_run(
      "scenario { platform = " + small +
          ", workload = workload.jobs(30, function(i, rng) return { time = rng:exponential(5), arrival = i, cores "
          "= rng:integer(1, 4), estimate = 20, user = 'u' .. i % 3 } end), events = { failures { all = true, "
          "mtbf = 40, mttr = 3 }, outage { host = 'c.2', from = 9, to = 12, announced = false } }, on_failure = "
          "{ compute = 'restarted' } }",
      "'easy'");
  check_same_run(
      "scenario { platform = " + small +
          ", workload = workload.stream(50, function(i, rng) return { time = rng:uniform(1, 4), arrival = i } end) }",
      "'fcfs'");
  check_same_run(
      "scenario { platform = platform { cluster 'c' { nodes = 3, link = { bandwidth = 5 } } }, workload = "
      "workload.merge { workload.sweep { time = 3, runs = 7, trials = 2, noise = 0.3 }, workload.sweep { time = 1, "
      "runs = 4, weights = { 1, 2, 0.5, 3 }, bytes = 2, arrival = 5 } } }",
      "'workqueue'");
  check_same_run(
      "scenario { platform = " + small +
          ", workload = workload.jobs { { time = speedup.amdahl { time = 100, serial = 0.1 }, nodes = { least = 1, "
          "most = 3 } }, { time = speedup.table { [1] = 9, [3] = 5 }, nodes = { 1, 3 }, estimate = 20 } } }",
      "'easy'");
}

TEST_CASE("lists of tasks are told apart where names mean different files") {
  // Two files of one name, two tasks of one name, and a file that has the name of another list's output.
  check_same_run(
      "scenario { platform = platform { cluster 'c' { nodes = 2, link = { bandwidth = 3 } } }, workload = "
      "workload.merge { "
      "workload.tasks { { name = 'a', time = 1, outputs = { file('x', 3) } }, { name = 'b', time = 2, inputs = { 'x' } } }, "
      "workload.tasks { { name = 'a', time = 3, outputs = { file('x', 5) } }, { name = 'b', time = 4, after = { 'a' } } }, "
      "workload.tasks { { name = 'a', time = 1, inputs = { file('x', 9) } } }, "
      "workload.workflow { name = 'w', home = 'none', tasks = { { name = 'a', time = 3, outputs = { file('x', 5), "
      "file('y', 2, { home = true }) } }, { name = 'b', time = 4, inputs = { 'x' } } } } } }",
      "'workqueue'");
}

TEST_CASE("names of any bytes keep apart") {
  check_same_run(
      R"lua(scenario {
        platform = platform {
          host "\"a\\\n\0\255]]" { architecture = "end" },
          cluster "--[[ x" { nodes = 2 },
        },
        workload = workload.jobs {
          { name = "\"}, }, error()", time = { ["end"] = 3, [""] = 4 }, user = "'\r\n" },
        },
        events = { outage { host = "\"a\\\n\0\255]]", from = 1, to = 2 } },
      })lua",
      "'fcfs'");
}

TEST_CASE("problems are made again") {
  Session session;
  const auto check = [&](const std::string& made) {
    INFO(made);
    const std::string text = said(session, "print((" + made + "):script())");
    INFO(text);
    CHECK(said(session, "print(load([====[" + text + "]====])():script())") == text);
    return one_line(text);
  };
  CHECK_THAT(check("etc { { 0.1, math.huge }, { 1e-300, 3 } }"),
             Contains("etc { { 0.1, math.huge }, { 1e-300, 3 } }"));
  check("cost.problem { etc = { { 1, 2 }, { 3, 4 } }, ready = { 5, 0.1 }, clusters = { 1, 1 } }");
  check(
      "cost.problem { etc = { { 1, 2 }, { 3, 4 } }, cores = { 2, 1 }, widths = { 1, 1 }, now = 3, whole_machine = true, "
      "ready = { 1, 2, 3 } }");
  check(
      "cost.graph { times = { { 1, 2 }, { 3, 4 }, { math.huge, 1 } }, edges = { { 1, 2, 7.5 }, { 1, 3 }, { 2, 3, 0 } } }");
  check(
      "cost.graph { times = { { 1, 2 }, { 3, 4 } }, edges = { { 1, 2, 7 } }, bandwidth = { { 0, 2 }, { 3, 0 } }, latency = { "
      "1, 2 }, ready = { 1, 0 }, now = 2 }");
  check("cost.graph { times = { { 1, 2 }, { 3, 4 } }, edges = { { 1, 2, 7 } }, latency = { 1, 2 } }");
  const std::string on_platform =
      "cost.graph(graph.fork_join { width = 3, ops = function(i) return i end, size = 2 }, platform { cluster 'c' { nodes = 2, "
      "cores = 2, speed = 3, link = { bandwidth = 5 } }, host 'a' { link = { bandwidth = 1, latency = 2 } } })";
  check(on_platform);
  CHECK(
      said(
          session,
          "local c = " + on_platform +
              " for _, name in ipairs { 'heft', 'peft' } do local again = load(c:script())() local a, b = schedule(name, "
              "c), schedule(name, again) print(a.makespan == b.makespan and table.concat(a.start, ' ') == "
              "table.concat(b.start, ' ') and 'same' or 'other') end") == "same\nsame");
}

TEST_CASE("what is no plain declaration is an error that names it") {
  Session session;
  const std::string p =
      "platform = platform { cluster 'c' { nodes = 2 } }, workload = workload.tasks { { time = 1 } }";
  CHECK_THAT(session.error("scenario { " + p + ", events = { process(function(sim) end) } }:script()"),
             Contains("has a process"));
  CHECK_THAT(session.error("scenario { " + p + " }:script { name = 'end' }"),
             Contains("name must be that of a variable"));
  CHECK_THAT(session.error("scenario { " + p + " }:script { seed = -1 }"), Contains("seed must be >= 0"));
  CHECK_THAT(
      session.error(
          "scenario { platform = platform { cluster 'c' { nodes = 2 } }, workload = workload.etc(etc { { 1, 2 } }) "
          "}:script { sed = 1 }"),
      Contains("sed"));
}
