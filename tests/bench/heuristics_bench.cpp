// Heuristics in Lua beside the native mapper that decides the same, and the bare cost of calls between the
// two languages: of C++ into Lua and of Lua into C.
#include <benchmark/benchmark.h>

#include <memory>
#include <random>
#include <string>

#include "interpreter/bindings/words.h"
#include "interpreter/session/interpreter.h"
#include "runtime/cost/etc.h"
#include "runtime/model/etc_generators.h"
#include "tests/bench/growth.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

constexpr const char* kHeuristics = R"lua(
heuristic "key_pure" { pure = true, pick = function(c, task) return c:second(task) - c:best(task) end }
heuristic "key" { pick = function(c, task) return c:second(task) - c:best(task) end }
-- The whole mapper: a call for each waiting task at each step ...
heuristic "mapper" { map = function(problem)
  local waiting = problem:waiting()
  while true do
    local first, most = nil, -1
    for i, task in ipairs(waiting) do
      local best, second = problem:two_best(task)
      if second - best > most then first, most = i, second - best end
    end
    if not first then return end
    local task = table.remove(waiting, first)
    problem:assign(task, problem:best_machine(task))
  end
end }
-- ... minimum completion time with a call for each time of a row ...
heuristic "mct_rows" { map = function(problem)
  local machines = problem:machines()
  for task = 1, problem:tasks() do
    local row, machine, soonest = problem:row(task), nil, math.huge
    for m = 1, machines do
      local done = problem:ready(m) + row[m]
      if done < soonest then machine, soonest = m, done end
    end
    if machine then problem:assign(task, machine) end
  end
end }
-- ... and with one for each task.
heuristic "mct_best" { map = function(problem)
  for task = 1, problem:tasks() do
    local machine = problem:best_machine(task)
    if machine then problem:assign(task, machine) end
  end
end }
)lua";

const EtcMatrix& matrix(std::size_t tasks, std::size_t machines, Consistency consistency) {
  static EtcMatrix etc;
  static Consistency made{};
  if (etc.tasks != tasks || made != consistency) {
    Stream stream(1, "bench");
    etc = range_based_etc(tasks, machines, {3000, 1000}, stream);
    make_consistent(etc, made = consistency);
  }
  return etc;
}

void map_with(benchmark::State& state, const char* name, std::size_t tasks, std::size_t machines,
              Consistency consistency) {
  Interpreter interpreter(open_words);
  interpreter.run_text("bench.lua", kHeuristics);
  const std::unique_ptr<Mapper> mapper = interpreter.catalogue().configure(name)->make_mapper();
  const EtcMatrix& etc = matrix(tasks, machines, consistency);
  Mapping out;
  for (auto _ : state) mapper->map(problem_of(etc), out);
  state.counters["makespan"] = out.makespan;
}

// A function of two arguments that gives one back.
void call_into_lua(benchmark::State& state) {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  host::protect(L, [&](lua_State*) {
    luaL_loadstring(L, "return function(a, b) return b end");
    lua_call(L, 0, 1);
    for (auto _ : state) {
      lua_pushvalue(L, 1);
      lua_pushinteger(L, 1);
      lua_pushnumber(L, 2);
      lua_call(L, 2, 1);
      benchmark::DoNotOptimize(lua_tonumber(L, -1));
      lua_pop(L, 1);
    }
  });
}

int constant(lua_State* L) {
  lua_pushnumber(L, 2);
  return 1;
}

// A thousand calls of a C function that does nothing, less the loop around them.
void calls_out_of_lua(benchmark::State& state, bool empty) {
  Interpreter interpreter(open_words);
  lua_State* L = interpreter.main();
  host::protect(L, [&](lua_State*) {
    luaL_loadstring(L, empty ? "local f = ... return function() for i = 1, 1000 do local x = i end end"
                             : "local f = ... return function() for i = 1, 1000 do local x = f(i) end end");
    lua_pushcfunction(L, constant);
    lua_call(L, 1, 1);
    for (auto _ : state) {
      lua_pushvalue(L, 1);
      lua_call(L, 0, 0);
    }
  });
}

const int registered = [] {
  const auto add = [](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(("lua/" + name).c_str(), run)
        ->Repetitions(5)
        ->ReportAggregatesOnly(true)
        ->MinTime(0.05);
  };
  add("call into Lua", call_into_lua);
  add("1000 calls out of Lua", [](benchmark::State& state) { calls_out_of_lua(state, false); });
  add("1000 times round the loop", [](benchmark::State& state) { calls_out_of_lua(state, true); });
  for (const auto& [name, native] : {std::pair{"key_pure", "sufferage"},
                                     {"key", "sufferage"},
                                     {"mapper", "sufferage"},
                                     {"mct_best", "mct"},
                                     {"mct_rows", "mct"}})
    add_growth({.name = fmt::format("heuristic/{}", name),
                .measured = fmt::format("the heuristic `{}` of tests/bench, in Lua", name),
                .floor = fmt::format("the native mapper that decides alike, `{}`", native),
                .unit = "times",
                .sizes = {128 * 8, 256 * 16, 512 * 32},
                .make = [name = name, native = native](double size) -> AtSize {
                  const auto machines = static_cast<std::size_t>(std::lround(std::sqrt(size / 16)));
                  Stream stream(1, "bench");
                  const auto etc = std::make_shared<EtcMatrix>(
                      range_based_etc(16 * machines, machines, {3000, 1000}, stream));
                  const auto interpreter = std::make_shared<Interpreter>(open_words);
                  interpreter->run_text("bench.lua", kHeuristics);
                  const auto mapping = [etc, interpreter](const char* with) {
                    return seconds_taken([&] {
                      Mapping out;
                      interpreter->catalogue().configure(with)->make_mapper()->map(problem_of(*etc), out);
                      benchmark::DoNotOptimize(out.makespan);
                    });
                  };
                  return {[=] { return mapping(name); }, [=] { return mapping(native); }};
                }});
  const std::pair<std::size_t, std::size_t> shapes[] = {{512, 16}, {2048, 64}};
  for (const auto& [tasks, machines] : shapes)
    for (const Consistency consistency : {Consistency::inconsistent, Consistency::consistent})
      for (const char* name : {"sufferage", "key_pure", "key", "mapper", "mct", "mct_best", "mct_rows"}) {
        if (tasks > 512 && (name == std::string("key") || name == std::string("mapper"))) continue;
        const bool is_consistent = consistency == Consistency::consistent;
        benchmark::RegisterBenchmark(
            fmt::format("lua/{}x{}/{}/{}", tasks, machines, is_consistent ? "consistent" : "inconsistent",
                        name)
                .c_str(),
            [=](benchmark::State& state) { map_with(state, name, tasks, machines, consistency); })
            ->Repetitions(5)
            ->ReportAggregatesOnly(true)
            ->MinTime(0.05)
            ->Unit(benchmark::kMillisecond);
      }
  return 0;
}();

}  // namespace
