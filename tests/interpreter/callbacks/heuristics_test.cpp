// Heuristics in Lua: they decide as native ones do, they are shown the values that C++ computes, and wrong
// ones get clear errors.
#include <catch2/catch.hpp>

#include <bit>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>

#include "interpreter/bindings/words.h"
#include "runtime/cost/draft.h"
#include "runtime/cost/etc.h"
#include "runtime/cost/greedy.h"
#include "runtime/cost/greedy_largest.h"
#include "tests/interpreter/session.h"
#include "tests/runtime/schedulers/random_matrices.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"
#include "tests/support/random_scenario.h"
#include "tests/support/small_search.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

bool heuristics_same(const Mapping& a, const Mapping& b) {
  if (a.order != b.order || a.machine != b.machine || a.makespan != b.makespan ||
      a.completion.size() != b.completion.size())
    return false;
  for (std::size_t i = 0; i < a.completion.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a.completion[i]) != std::bit_cast<std::uint64_t>(b.completion[i]))
      return false;
  return true;
}

Case any_case(std::uint64_t round, std::size_t most_tasks, std::mt19937_64& rng) {
  Case c = make(static_cast<Kind>(round % kKinds), rng() % most_tasks, 1 + rng() % 9, rng() % 2 == 0, rng);
  if (round % 3 == 0) add_cores(c, rng() % 2 == 0, rng);
  return c;
}

std::string exact(double value) {  // as Lua reads it
  if (std::isinf(value)) return "math.huge";
  char text[40];
  std::snprintf(text, sizeof text, "%a", value);
  return text;
}
template <class T>
std::string list(const std::vector<T>& values, T more = 0) {
  std::string out = "{ ";
  for (const T value : values) {
    if constexpr (std::is_floating_point_v<T>)
      out += exact(value) + ", ";
    else
      out += std::to_string(value + more) + ", ";
  }
  return out + "}";
}

// The problem as a script makes it.
std::string script_of(const Case& c) {
  std::string out = "cost.problem { etc = { ";
  for (std::size_t t = 0; t < c.tasks; ++t) {
    const auto first = c.etc.begin() + static_cast<std::ptrdiff_t>(t * c.machines);
    out += list(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(c.machines))) + ", ";
  }
  out += "}";
  if (!c.ready.empty()) out += ", ready = " + list(c.ready);
  if (!c.first_core.empty()) {
    out += ", cores = { ";
    for (std::size_t m = 0; m < c.machines; ++m)
      out += std::to_string(c.first_core[m + 1] - c.first_core[m]) + ", ";
    out += "}, widths = " + list(c.width);
  }
  return out + (c.whole_machine ? ", whole_machine = true }" : " }");
}

std::string script(const char* name) {
  return (source_folder() / "scripts/tutorial" / std::string(name).append(".lua")).string();
}

// A copy in Lua, and the native mapper.
struct HeuristicsTwin {
  const char *file, *copy, *native, *form;
};
constexpr HeuristicsTwin kHeuristicsTwins[] = {{"min_min", "my_min_min", "min_min", "classic"},
                                               {"max_min", "my_max_min", "max_min", "classic"},
                                               {"sufferage", "my_sufferage", "sufferage", "greedy"},
                                               {"sufferage", "my_sufferage_passes", "sufferage", "passes"}};

}  // namespace

TEST_CASE("the copies in scripts/tutorial map every kind of matrix as the native mappers do, to the bit") {
  Session session;
  for (const char* file : {"min_min", "max_min", "sufferage"}) session.interpreter().run_file(script(file));
  const Catalogue& catalogue = session.interpreter().catalogue();
  std::mt19937_64 rng(41);
  Mapping mine, native;
  for (std::uint64_t round = 0; round < 400; ++round) {
    const Case c = any_case(round, 30, rng);
    for (const HeuristicsTwin& twin : kHeuristicsTwins) {
      INFO(twin.copy << " in round " << round);
      catalogue.configure(twin.copy)->make_mapper()->map(c.problem(), mine);
      catalogue.configure(twin.native, {{"form", twin.form}})->make_mapper()->map(c.problem(), native);
      REQUIRE(heuristics_same(mine, native));
    }
  }
}

TEST_CASE("the copies in scripts/tutorial decide as the native ones in random scenarios") {
  Session session;
  for (const char* file : {"min_min", "max_min", "sufferage"}) session.interpreter().run_file(script(file));
  const Catalogue& catalogue = session.interpreter().catalogue();
  std::size_t decided = 0;
  for (const char* policy : {"mapped", "planned"})
    for (const HeuristicsTwin& twin : kHeuristicsTwins)
      for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        INFO(policy << " with " << twin.copy << ", seed " << seed);
        const auto outcome = [&](const ConfigPtr& mapper) {
          const ConfigPtr config = catalogue.configure(policy, {{"map", mapper}});
          RunOptions options;
          options.seed = seed;
          Simulation run(
              random_scenario(seed, config->entry->accepts),
              {"the policy", config->make_policy(), config->entry->accepts, config->entry->instants},
              perfect_estimator(), options);
          run.run();
          return run.outcome();
        };
        const Outcome mine = outcome(catalogue.configure(twin.copy));
        const Outcome native = outcome(catalogue.configure(twin.native, {{"form", twin.form}}));
        REQUIRE(mine.full == native.full);
        decided += mine.events;
      }
  CHECK(decided > 10'000);
}

TEST_CASE("every native mapper is called from Lua as it is from C++, and its answer returned") {
  Session session;
  Catalogue& catalogue = session.interpreter().catalogue();
  std::vector<ConfigPtr> mappers;
  const Catalogue natives;
  for (const auto& entry : natives.entries())
    if (entry->role == Role::mapper && !gives_up(*entry))
      mappers.push_back(catalogue.configure(entry->name, small_search(*entry)));
  REQUIRE(mappers.size() > 10);
  for (const ConfigPtr& mapper : mappers)
    session.run("heuristic 'as_" + mapper->entry->name + "' { map = function(problem) return map(" +
                (mapper->values.empty() ? "'" + mapper->entry->name + "'" : mapper->text()) +
                ", problem, { seed = 7 }) end }");
  std::mt19937_64 rng(42);
  Mapping lua, native;
  for (std::uint64_t round = 0; round < 60; ++round) {
    const Case c = any_case(round, 14, rng);
    for (const ConfigPtr& mapper : mappers) {
      INFO(mapper->text() << " in round " << round);
      const auto direct = mapper->make_mapper();
      direct->reseed(Stream(7, "map"));
      direct->map(c.problem(), native);
      catalogue.configure("as_" + mapper->entry->name)->make_mapper()->map(c.problem(), lua);
      REQUIRE(heuristics_same(lua, native));
    }
  }
}

TEST_CASE("the functions of cost and the readings of a problem are those of C++, to the bit") {
  std::mt19937_64 rng(43);
  for (std::uint64_t round = 0; round < 120; ++round) {
    Session session;
    const Case c = any_case(round, 12, rng);
    if (c.tasks == 0) continue;
    const MappingProblem problem = c.problem();
    std::string expected, text = "p = " + script_of(c) + R"lua(
      local function show(x) return type(x) == "number" and string.format("%a", x) or tostring(x) end
      function say(...) local all = { ... } for i = 1, #all do all[i] = show(all[i]) end print(table.concat(all, " ")) end
      function say_mapping(m)
        for t = 1, #m.machine do say(m.machine[t], m.completion[t]) end
        say(m.makespan, table.concat(m.order, " "))
      end
)lua";
    const auto say = [&](std::initializer_list<double> values) {
      std::string line;
      for (const double value : values) {
        char one[40];
        std::snprintf(one, sizeof one, "%a", value);
        line += (line.empty() ? "" : " ") + std::string(one);
      }
      expected += line + "\n";
    };
    const auto number = [](std::uint32_t place) {
      if (place == kUnmapped) return std::string("false");
      char one[40];
      std::snprintf(one, sizeof one, "%a", place + 1.0);
      return std::string(one);
    };
    const auto say_mapping = [&](const Mapping& m) {
      for (std::size_t t = 0; t < m.machine.size(); ++t) {
        char end[40];
        std::snprintf(end, sizeof end, "%a", m.completion[t]);
        expected += number(m.machine[t]) + " " + (std::isnan(m.completion[t]) ? "false" : end) + "\n";
      }
      char makespan[40];
      std::snprintf(makespan, sizeof makespan, "%a", m.makespan);
      std::string order;
      for (const std::uint32_t task : m.order) order += (order.empty() ? "" : " ") + std::to_string(task + 1);
      expected += std::string(makespan) + " " + order + "\n";
    };
    Mapping m;
    text += "say(cost.makespan_bound(p))\n";
    say({makespan_bound(problem)});
    for (const bool longest : {false, true}) {
      const auto order = by_length(problem, longest);
      text += std::string("say_mapping(cost.map_in_order(p, cost.by_length(p, ") +
              (longest ? "true" : "false") + ")))\n";
      map_in_order(problem, order, m);
      say_mapping(m);
    }
    for (const LargestKey key : {LargestKey::best, LargestKey::sufferage}) {
      text += std::string("say_mapping(cost.greedy_largest(p, '") +
              (key == LargestKey::best ? "best" : "sufferage") + "'))\n";
      greedy_largest(problem, key, m);
      say_mapping(m);
    }
    text += "say_mapping(cost.greedy_by_key(p, function(c, t) return c:best(t) end, { largest = false }))\n";
    greedy_by_key(
        problem, [](const GreedyView& v, std::size_t t) { return v.best(t); }, false, true, m);
    say_mapping(m);
    text += "say_mapping(cost.greedy_by_key(p, function(c, t) return c:second(t) - c:time(t) end))\n";
    greedy_by_key(
        problem, [](const GreedyView& v, std::size_t t) { return v.second(t) - v.time(t); }, true, false, m);
    say_mapping(m);
    text += "say_mapping(cost.map_as(p, cost.greedy_largest(p, 'best')))\n";
    greedy_largest(problem, LargestKey::best, m);
    say_mapping(m);
    Draft draft(problem);
    for (std::size_t step = 0; step < 6; ++step) {
      const std::size_t t = rng() % c.tasks, on = rng() % c.machines;
      if (draft.waits(t) && draft.fits(t, on)) {
        text += "p:assign(" + std::to_string(t + 1) + ", " + std::to_string(on + 1) + ")\n";
        draft.assign(t, static_cast<std::uint32_t>(on));
      }
      const MachineTimes& times = draft.times();
      const std::string at = "(" + std::to_string(t + 1) + ", " + std::to_string(on + 1) + ")";
      text += "say(p:etc" + at + ", p:start" + at + ", p:finish" + at + ", p:completion" + at + ", p:fits" +
              at + " and 1 or 0, p:row(" + std::to_string(t + 1) + ")[" + std::to_string(on + 1) + "])\n";
      say({problem.time(t, on), times.start(t, on), times.end(t, on), times.completion(t, on),
           draft.fits(t, on) ? 1.0 : 0.0, problem.time(t, on)});
      const TwoSmallest two = times.two_best(t);
      text += "say(p:best(" + std::to_string(t + 1) + "), p:second(" + std::to_string(t + 1) + "), p:ready(" +
              std::to_string(on + 1) + "), p:makespan(), cost.makespan_bound(p))\n";
      say({times.best(t).value, two.second, times.ready(on), draft.mapping().makespan,
           makespan_bound(Rest(draft).problem())});
      text += "say(p:best_machine(" + std::to_string(t + 1) + "), (select(3, p:two_best(" +
              std::to_string(t + 1) + "))), p:cores(" + std::to_string(on + 1) + "), p:width(" +
              std::to_string(t + 1) + "))\n";
      const std::uint32_t best = two.best < kInf ? two.at : kUnmapped;
      expected += number(best) + " " + number(best) + " ";
      say({static_cast<double>(problem.cores(on)), static_cast<double>(problem.width_of(t))});
      const std::span<const double> free = times.free(on);
      text += "say(table.unpack(p:free(" + std::to_string(on + 1) + ")))\n";
      std::string line;
      for (const double value : free) {
        char one[40];
        std::snprintf(one, sizeof one, "%a", value);
        line += (line.empty() ? "" : " ") + std::string(one);
      }
      expected += line + "\n";
    }
    text += "say_mapping(p:mapping())\nsay_mapping(map('min_min', p))\n";
    say_mapping(draft.mapping());
    const Rest rest(draft);
    Catalogue().configure("min_min")->make_mapper()->map(rest.problem(), m);
    say_mapping(rest.join(m));
    INFO(text);
    REQUIRE(session.run(text) == expected);
  }
}

TEST_CASE("scans over lists are those of C++") {
  Session session;
  CHECK(session.run("print(cost.smallest { 4, 2, 8, 2 })  print(cost.smallest {})  print(cost.smallest { "
                    "math.huge })") == "2.0\t2\ninf\tfalse\ninf\tfalse\n");
  CHECK(session.run("print(cost.smallest_sum({ 4, 2, 8 }, { 0, 5, 1 }))") == "4.0\t1\n");
  CHECK(session.run("print(cost.two_smallest_sums({ 4, 2, 8 }, { 0, 5, 1 }))") == "4.0\t7.0\t1\t2\n");
  CHECK(session.run("print(cost.two_smallest_sums({ 4 }, { 1 }))") == "5.0\tinf\t1\tfalse\n");
  CHECK(session.run("print(cost.three_smallest_sums({ 4, 2, 8 }, { 0, 5, 1 }))") == "4.0\t7.0\t9.0\t1\t2\n");
  // Task 1 ends at 3 or 5 at best, task 2 at 4 or 4, task 3 at 2 or never: that loses most.
  const std::string three = "local m = { { 3, 5 }, { 4, 4 }, { 2, math.huge } } ";
  CHECK(session.run(three + "print(cost.latest_best(m)) print(cost.largest_sufferage(m))") ==
        "4.0\t2\ninf\t3\n");
  // With task 3 on machine 1 they end at 5 at best both; task 1 loses nothing elsewhere, task 2 loses 2.
  CHECK(session.run(three + "local p = cost.problem { etc = m } p:assign(3, 1) "
                            "print(cost.latest_best(p)) print(cost.largest_sufferage(p))") ==
        "5.0\t1\n2.0\t2\n");
  CHECK(session.run("print(cost.latest_best { { math.huge } })") == "-inf\tfalse\n");
  CHECK_THAT(session.error("cost.smallest_sum({ 4, 2 }, { 0 })"), Contains("2 times and 1 ready times"));
}

TEST_CASE("a mapping goes on from what is assigned, for all that waits or for some of it") {
  Session session;
  // Two machines; 3 tasks of 4 s and 6 s each. By hand: task 1 on machine 2 until 6; then min-min puts task 2
  // on machine 1 (4 s) and task 3 there too (8 s, on machine 2 it would be 12).
  const std::string made =
      "local p = cost.problem { etc = { { 4, 6 }, { 4, 6 }, { 4, 6 } } } p:assign(1, 2) ";
  CHECK(session.run(
            made +
            "local a = map('min_min', p) print(table.concat(a.machine, ' '), table.concat(a.order, ' '), "
            "a.makespan, a.completion[3], p:makespan())") == "2 1 1\t1 2 3\t8.0\t8.0\t6.0\n");
  CHECK(session.run(
            made +
            "local a = map('min_min', p, { tasks = { 3 } }) print(a.machine[1], a.machine[2], a.machine[3], "
            "table.concat(a.order, ' '))") == "2\tfalse\t1\t1 3\n");
  CHECK(session.run(
            made +
            "print(table.concat(cost.by_length(p), ' '), #p:waiting(), p:undo(), p:undo(), #p:waiting())") ==
        "2 3\t2\ttrue\tfalse\t3\n");
  CHECK(
      session.run(
          made +
          "local q = p:copy() q:assign(2, 1) print(p:machine(2), q:machine(2), p:makespan_of { 1, 2, 1 })") ==
      "false\t1\t8.0\n");
  CHECK_THAT(session.error(made + "map('mct', p, { tasks = { 2, 1 } })"),
             Contains("map: task 1 is assigned already"));
  CHECK_THAT(session.error(made + "map('mct', p, { ready = { 0, 0 } })"),
             Contains("has ready times of its own"));
  CHECK_THAT(session.error("map('mct', { { 1 } }, { tasks = { 1 } })"),
             Contains("a matrix is mapped as a whole"));
  CHECK_THAT(session.error(made + "cost.map_in_order(p, { 1 })"), Contains("task 1 does not wait"));
  CHECK_THAT(session.error(made + "cost.map_in_order(p, { 2, 2 })"),
             Contains("task 2 is in the order twice"));
}

TEST_CASE("a problem that a script makes is checked") {
  Session session;
  const auto error = [&](const std::string& fields) {
    return session.error("cost.problem { " + fields + " }");
  };
  CHECK_THAT(error(""), Contains("'etc' is missing"));
  CHECK_THAT(error("etc = { { 1, -2 } }"), Contains("row 1[2] must be >= 0"));
  CHECK_THAT(error("etc = { { 1, 2 } }, ready = { 1 }"), Contains("1 ready times for 2 machines"));
  CHECK_THAT(error("etc = { { 1, 2 } }, cores = { 2, 2 }, ready = { 1, 2 }"),
             Contains("2 ready times for 4 cores"));
  CHECK_THAT(error("etc = { { 1, 2 } }, cores = { 2, 0 }"), Contains("cores[2] must be 1 to"));
  CHECK_THAT(error("etc = { { 1, 2 } }, cores = { 600000, 600000 }"), Contains("1000000 cores are the most"));
  CHECK_THAT(error("etc = { { 1, 2 } }, widths = { 1 }"), Contains("widths need cores"));
  CHECK_THAT(error("etc = { { 1, 2 } }, now = 3"), Contains("now needs cores"));
  CHECK_THAT(error("etc = { { 1, 2 } }, clusters = { 1, 3 }"), Contains("clusters[2] must be 1 to 2, got 3"));
  CHECK_THAT(error("etc = { { 1, 2 } }, cluster = { 1, 1 }"), Contains("did you mean 'clusters'?"));
  CHECK(session.run("local p = cost.problem { etc = { { 5, 3, 1 } }, clusters = { 2, 2, 1 } } "
                    "print(p:clusters(), p:cluster(1), p:cluster_best(1, 2), p:cluster_machine(1, 2), p)") ==
        "2\t2\t3.0\t2\tmapping problem of 1 tasks on 3 machines, 0 assigned\n");
}

TEST_CASE("no task begins before now, and how uneven a problem is comes from Lua as from C++") {
  Session session;
  // One core has been free since 2, now is 5: the task takes it from 5 to 9.
  CHECK(session.run("local p = cost.problem { etc = { { 4 } }, cores = { 2 }, ready = { 2, 8 }, now = 5 } "
                    "print(p:now(), p:start(1, 1), p:finish(1, 1), p:ready(1))") == "5.0\t5.0\t9.0\t8.0\n");
  // Machine 1 takes 1 and 3 s: mean 2, deviation 1; machine 2 takes 4 and 4. Task 1 takes 1 and 4 s, task 2 3
  // and 4.
  CHECK(session.run("local p = cost.problem { etc = { { 1, 4 }, { 3, 4 } }, ready = { 1, 4 } } "
                    "print(cost.load_balance(p), cost.task_heterogeneity(p)) "
                    "print(math.abs(cost.machine_heterogeneity(p) - (1.5 / 2.5 + 0.5 / 3.5) / 2) < 1e-12)") ==
        "0.25\t0.25\ntrue\n");
}

TEST_CASE("a mapper's wrong answer is one error at its function's line") {
  const auto error = [](const std::string& body) {
    Session session;
    return session.error(
        "local m = etc { { 1, 2 }, { 3, math.huge }, { 5, 6 } }\n"
        "heuristic 'mine' {\n  map = function(p)\n    " +
        body + "\n  end,\n}\nmap('mine', m)");
  };
  const std::pair<const char*, const char*> wrong[] = {
      {"", "3: error: heuristic 'mine': task 1 is forgotten, but fits machine 1; assign it"},
      {"p:assign(1, 1) p:assign(3, 2)",
       "3: error: heuristic 'mine': task 2 is forgotten, but fits machine 1"},
      {"return 5",
       "3: error: heuristic 'mine': map must return nothing, a list of machines or a mapping, got 5"},
      {"return p", "map must return nothing, a list of machines or a mapping, got a mapping problem"},
      {"return { 1, 1 }",
       "3: error: heuristic 'mine': task 3 is forgotten, but fits machine 1; give it a machine"},
      {"return {}", "task 1 is forgotten"},
      {"return { 1, 1, 3 }", "the machine of task 3 must be 1 to 2, or false, got 3"},
      {"return { 1, 1, 0 }", "the machine of task 3 must be 1 to 2, or false, got 0"},
      {"return { 1, 1, 1.5 }", "the machine of task 3 must be 1 to 2, or false, got 1.5"},
      {"return { 1, 1, 0/0 }", "the machine of task 3 must be 1 to 2, or false, got"},
      {"return { 1, 1, true }", "the machine of task 3 must be 1 to 2, or false, got true"},
      {"return { 1, 1, 'x' }", "the machine of task 3 must be 1 to 2, or false, got 'x'"},
      {"return { 1, 1, 2, 2 }", "4 machines for 3 tasks"},
      {"return { 1, 2, 1 }", "3: error: heuristic 'mine': task 2 is on machine 2, where it cannot run"},
      {"return { machine = 5 }", "the field machine must be a list, got 5"},
      {"return { machine = { 1, 1, 2 }, order = { 1, 2 } }", "task 3 has a machine, but is not in the order"},
      {"return { machine = { 1, 1, 2 }, order = { 1, 2, 2, 3 } }", "task 2 is in the order twice"},
      {"return { machine = { 1, 1, 2 }, order = { 1, 2, 3, 4 } }", "order[4] must be 1 to 3, got 4"},
      {"return { machine = { 1, false, 2 }, order = { 1, 2, 3 } }",
       "task 2 is in the order, but has no machine"},
      {"p:assign(1, 1) p:assign(1, 2)", "4: error: task 1 is assigned to machine 1 already"},
      {"p:leave_out(1) p:assign(1, 2)", "4: error: task 1 is left out"},
      {"p:assign(2, 2)", "4: error: task 2 cannot run on machine 2"},
      {"p:assign(4, 1)", "4: error: task must be 1 to 3, got 4"},
      {"p:assign(1, 3)", "4: error: machine must be 1 to 2, got 3"},
      {"p:assign(1, 1.5)", "machine must be a whole number, got 1.5"},
      {"p:best('x')", "task must be a whole number, got 'x'"},
      {"p:cluster_best(1, 3)", "cluster must be 1 to 2, got 3"},
      {"p:bets(1)", "a mapping problem has no field 'bets'; did you mean 'best'?"},
      {"local x = p:row(1).x", "a matrix row has no field 'x'"},
      {"local x = p:row(1)[4]", "machine must be 1 to 2, got 4"},
      {"p:row(1)[1] = 3", "a matrix row cannot be changed"},
      {"math.random()", "from c:stream() or problem:stream() in a heuristic"},
  };
  for (const auto& [body, message] : wrong) {
    INFO(body);
    const std::string text = error(body);
    CHECK_THAT(text, Contains(message));
    CHECK_THAT(text, Contains("in heuristic 'mine', map of 3 tasks to 2 machines"));
  }
  CHECK(error("return { 1, 1, false }") == "none");
  CHECK(error("p:leave_out(3) p:assign(2, 1) p:assign(1, 1)") == "none");
  CHECK(error("return { machine = { 1, 1, 2.0 }, order = { 3, 2, 1 } }") == "none");
}

TEST_CASE("what a heuristic is declared with is checked") {
  Session session;
  CHECK_THAT(session.error("heuristic 'x' { }"), Contains("'pick' is missing"));
  CHECK_THAT(session.error("heuristic 'x' { map = 5 }"), Contains("map must be a function, got 5"));
  for (const char* field : {"pick = print", "place = print", "smallest = true", "pure = false"})
    CHECK_THAT(session.error(std::string("heuristic 'x' { map = print, ") + field + " }"),
               Contains("does not go with map, which is the whole mapper"));
}

TEST_CASE("views that a script keeps are of no use after the call") {
  Session session;
  session.run(
      "heuristic 'keeps' { map = function(p) kept = { p, p:copy(), p:row(1), p:stream(), p:mapping() } "
      "for t = 1, p:tasks() do p:assign(t, 1) end end }\n"
      "heuristic 'keeps_c' { pick = function(c, task) kept_c = { c, c:stream() } return 0 end }\n"
      "kept, kept_c = false, false  map('keeps', { { 1 }, { 2 } })  map('keeps_c', { { 1 } })");
  for (const char* use :
       {"kept[1]:best(1)", "kept[1]:tasks()", "kept[1]:assign(1, 1)", "kept[1]:undo()", "kept[2]:best(1)",
        "kept[2]:copy()", "map('mct', kept[1])", "map('mct', kept[1], { tasks = { 1 } })",
        "cost.makespan_bound(kept[2])", "local x = #kept[3]", "local x = kept[3][1]", "kept[4]:uniform()",
        "kept_c[1]:best(1)", "kept_c[2]:uniform()"}) {
    INFO(use);
    CHECK_THAT(session.error(use), Contains("belongs to a call that is over"));
  }
  CHECK(session.run("print(kept[1], kept[5].makespan)") == "mapping problem of a call that is over\t0.0\n");
}

TEST_CASE("a problem stays as it is while it is mapped") {
  Session session;
  const std::string inner =
      "local p = cost.problem { etc = { { 1, 2 }, { 3, 4 } } }\n"
      "heuristic 'inner' { map = function(q) p:assign(1, 1) end }\n";
  CHECK_THAT(session.error(inner + "map('inner', p)"),
             Contains("cannot be changed here: it is being mapped"));
  CHECK_THAT(session.error("local p = cost.problem { etc = { { 1, 2 } } } "
                           "cost.greedy_by_key(p, function() p:leave_out(1) return 1 end)"),
             Contains("cannot be changed here: it is being mapped"));
  // ... and can be changed again afterwards, also after an error.
  CHECK(session.run("local p = cost.problem { etc = { { 1, 2 } } } "
                    "pcall(cost.greedy_by_key, p, function() error 'no' end) print(p:assign(1, 2))") ==
        "2.0\n");
}

TEST_CASE("heuristics call each other, and a heuristic of the script by its name") {
  Session session;
  CHECK(
      session.run(
          "heuristic 'first' { pick = function(c, t) return -t end }\n"
          "heuristic 'second' { map = function(p) local a = map('first', p) a.machine[1] = 2 return a end }\n"
          "local a = map('second', { { 1, 5 }, { 1, 5 } }) print(table.concat(a.machine, ' '), "
          "a.makespan)") == "2 1\t5.0\n");
}

TEST_CASE("what a heuristic draws comes from the seed of its run, and a fork goes on with it") {
  const std::string declared = R"lua(
    heuristic "lottery" { map = function(p)
      local rng = p:stream()
      for _, task in ipairs(p:waiting()) do
        local machine
        repeat machine = rng:integer(1, p:machines()) until p:fits(task, machine)
        p:assign(task, machine)
      end
    end }
    heuristic "raffle" { pick = function(c, task) return c:stream():uniform() end }
    s = scenario { platform = platform { cluster "a" { nodes = 3 } },
                   workload = workload.tasks(30, function(i, rng) return { time = rng:uniform(1, 9), arrival = i } end) }
  )lua";
  Session session;
  session.run(declared);
  for (const char* name : {"lottery", "raffle"}) {
    INFO(name);
    const std::string policy = std::string("mapped { map = '") + name + "' }";
    const auto fingerprint = [&](int seed) {
      return session.run("print(s:run { policy = " + policy + ", seed = " + std::to_string(seed) +
                         " }.fingerprint)");
    };
    CHECK(fingerprint(1) == fingerprint(1));
    CHECK(session.run("local sim = s:start { policy = " + policy +
                      ", seed = 1 } sim:run_until(12) local fork = sim:fork() "
                      "print(sim:run().fingerprint == fork:run().fingerprint, sim:result().fingerprint)") ==
          "true\t" + fingerprint(1));
  }
  // The workload is the same whatever is drawn in the mapper; the numbers of two heuristics are their own.
  CHECK(session.run(
            "local m = etc.range_based { tasks = 40, machines = 5 } "
            "local function text(n, seed) return table.concat(map(n, m, { seed = seed }).machine, ' ') end "
            "print(text('lottery', 1) == text('lottery', 1), text('lottery', 1) == text('lottery', 2))") ==
        "true\tfalse\n");
  // Natives that a heuristic calls draw from its stream, other numbers each time.
  CHECK(session.run(
            "heuristic 'twice' { map = function(p) local a, b = map('random', p), map('random', p) "
            "print(table.concat(a.machine) == table.concat(b.machine)) return b end } "
            "local m = etc.range_based { tasks = 40, machines = 5 } "
            "print(map('twice', m, { seed = 3 }).makespan == map('twice', m, { seed = 3 }).makespan)") ==
        "false\nfalse\ntrue\n");
}

TEST_CASE("a heuristic in a simulation sees the clusters of its hosts") {
  Session session;
  CHECK(session.run(R"lua(
    heuristic "looks" { map = function(p)
      local clusters = {}
      for m = 1, p:machines() do clusters[m] = p:cluster(m) end
      print(p:tasks(), p:clusters(), table.concat(clusters, " "), p:cluster_best(1, 1), p:cluster_best(1, 2), p:cluster_machine(1, 2))
      return map("mct", p)
    end }
    local s = scenario {
      platform = platform { cluster "slow" { nodes = 2, cores = 2 }, cluster "fast" { nodes = 1, speed = 5 } },
      workload = workload.tasks { { ops = 10 } } }
    s:run { policy = mapped { map = "looks" } }
    s:run { policy = planned { map = "looks" } })lua") ==
        "1\t2\t1 1 1 1 2\t10.0\t2.0\t5\n1\t2\t1 1 2\t10.0\t2.0\t3\n");
}

TEST_CASE("an error inside map adds the simulated time, and --steps ends an endless one") {
  Session session;
  const std::string text = session.error(
      "heuristic 'broken' {\n map = function(p)\n  return p:best(1) + nil\n end }\n"
      "scenario { platform = platform { host 'a' {} }, workload = workload.tasks { { time = 1, arrival = 4.5 "
      "} } }"
      ":run { policy = mapped { map = 'broken' } }");
  CHECK_THAT(text, Contains("script.lua:3: error: attempt to"));
  CHECK_THAT(text, Contains("in heuristic 'broken', map of 1 tasks to 1 machines"));
  CHECK_THAT(text, Contains("at t = 4.5 s"));
  InterpreterOptions few;
  few.steps = 100'000;
  Interpreter confined(open_words, few);
  CHECK_THROWS_WITH(
      confined.run_text("endless.lua",
                        "heuristic 'endless' { map = function(p) while true do pcall(p.assign, p, 1, "
                        "1) p:undo() end end } map('endless', { { 1 } })"),
      Contains("takes more than 100000 steps"));
}

TEST_CASE("what a heuristic's map leaves in captured variables is noticed by the next run") {
  Session session;
  const std::string text =
      "local count = 0\nheuristic 'counts' { map = function(p) count = count + 1 return map('mct', p) end }\n"
      "map('counts', { { 1 } })  map('counts', { { 1 } })";
  CHECK_THAT(session.error(text), Contains("an earlier run or fork of heuristic 'counts' has changed"));
}
