// cost: the functions of runtime/cost, with the names, units and results of runtime/cost. Tasks and machines
// count from 1.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "interpreter/bindings/compute/mappings.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/callbacks/greedy_loop.h"
#include "interpreter/callbacks/mapper_call.h"
#include "interpreter/language/fields/matrices.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/mappings.h"
#include "runtime/cost/etc.h"
#include "runtime/cost/greedy_largest.h"
#include "runtime/cost/scan.h"
#include "runtime/cost/scheduling_time.h"

namespace perigee::bindings {

namespace {

constexpr std::string_view kArgument = "argument 1";

// Counts the size of the problem against --steps.
void count(lua_State* L, const MappingProblem& problem) {
  Interpreter::of(L).count(problem.tasks + problem.etc.size() / 16);
}

template <auto of>
int cost_number(lua_State* L) {
  return guard(L, [&] {
    const ProblemArgument given(L, 1, kArgument);
    count(L, given.problem());
    lua_pushnumber(L, of(given.problem()));
    return 1;
  });
}

// cost.by_length(problem [, longest_first])
int length_order(lua_State* L) {
  return guard(L, [&] {
    if (!lua_isnoneornil(L, 2) && !lua_isboolean(L, 2))
      fail("bad_type", "by_length: longest_first must be true or false, got {}", shown(L, 2));
    const ProblemArgument given(L, 1, kArgument);
    count(L, given.problem());
    lua_newtable(L);
    lua_Integer place = 0;
    for (const std::uint32_t task : by_length(given.problem(), lua_toboolean(L, 2) != 0)) {
      if (!given.has(task)) continue;
      push_answer(L, task);
      lua_rawseti(L, -2, ++place);
    }
    return 1;
  });
}

int in_order(lua_State* L) {
  return guard(L, [&] {
    const ProblemArgument given(L, 1, kArgument);
    count(L, given.problem());
    const std::vector<std::uint32_t> order =
        places_at(L, 2, "map_in_order: the order", given.problem().tasks);
    std::vector<std::uint8_t> seen(given.problem().tasks, 0);
    for (const std::uint32_t task : order) {
      if (!given.has(task)) fail("bad_mapping", "map_in_order: task {} does not wait", task + 1);
      if (seen[task] != 0) fail("bad_mapping", "map_in_order: task {} is in the order twice", task + 1);
      seen[task] = 1;
    }
    Mapping mapping;
    map_in_order(given.problem(), order, mapping);
    push_mapping(L, given.join(std::move(mapping)));
    return 1;
  });
}

// cost.map_as(problem, machines [, order]) or (problem, mapping): maps the whole problem, whatever is
// assigned already.
int as_given(lua_State* L) {
  return guard(L, [&] {
    const ProblemArgument argument(L, 1, kArgument);
    count(L, argument.problem());
    const MappingProblem problem =
        argument.value() != nullptr ? argument.value()->draft.problem() : argument.problem();
    GivenMapping given = given_mapping_at(L, 2, "map_as", problem);
    if (!lua_isnoneornil(L, 3)) given.order = places_at(L, 3, "map_as: the order", problem.tasks);
    Mapping mapping;
    map_as(problem, given.machine, given.order, mapping);
    push_mapping(L, mapping);
    return 1;
  });
}

// cost.greedy_by_key(problem, key [, { largest = true, pure = false, place = f }])
int by_key(lua_State* L) {
  return guard(L, [&] {
    lua_settop(L, 3);
    GreedyLoop loop{.who = "greedy_by_key", .pick = 2};
    if (lua_type(L, 2) != LUA_TFUNCTION)
      fail("bad_type", "greedy_by_key: the key must be a function(c, task), got {}", shown(L, 2));
    if (!lua_isnil(L, 3)) {
      const Fields fields(L, 3, {"greedy_by_key"}, greedy_fields::kByKey);
      loop.largest = fields.flag(greedy_fields::kLargest);
      loop.pure = fields.flag(greedy_fields::kPure);
      if (fields.push(greedy_fields::kPlace)) {
        if (lua_type(L, -1) != LUA_TFUNCTION)
          fields.fail(greedy_fields::kPlace, "place must be a function(c, task), got {}", shown(L, -1));
        loop.place = lua_gettop(L);
      }
    }
    const ProblemArgument given(L, 1, kArgument);
    count(L, given.problem());
    Stream none;
    const InMapperCall own(L, none);
    own.call()->stream = given.value() != nullptr ? given.value()->call->stream : nullptr;
    Mapping mapping;
    loop.run(L, given.problem(), own.call(), mapping);
    push_mapping(L, given.join(std::move(mapping)));
    return 1;
  });
}

// cost.greedy_largest(problem, "best" or "sufferage")
int largest(lua_State* L) {
  return guard(L, [&] {
    const auto key = text_at(L, 2);
    if (!key || (*key != "best" && *key != "sufferage"))
      fail("bad_parameter", "greedy_largest: the key must be \"best\" or \"sufferage\", got {}", shown(L, 2));
    const ProblemArgument given(L, 1, kArgument);
    count(L, given.problem());
    Mapping mapping;
    greedy_largest(given.problem(), *key == "best" ? LargestKey::best : LargestKey::sufferage, mapping);
    push_mapping(L, given.join(std::move(mapping)));
    return 1;
  });
}

// ---- scans of lists of numbers ----

std::vector<double> cost_times_at(lua_State* L, int index, const char* what) {
  std::vector<double> times = numbers_at(L, index, what, Dimension::seconds, kTimeOrNever);
  Interpreter::of(L).count(times.size());
  return times;
}

void push_found(lua_State* L, double value, std::uint32_t at) {
  push_answer(L, value < std::numeric_limits<double>::infinity() ? at : kUnmapped);
}

// cost.smallest(list) -> value, place
int smallest_argument(lua_State* L) {
  return guard(L, [&] {
    const Smallest found = smallest(cost_times_at(L, 1, "smallest: the list"));
    lua_pushnumber(L, found.value);
    push_found(L, found.value, found.at);
    return 2;
  });
}

struct Sums {
  std::vector<double> times, ready;
};
Sums sums_at(lua_State* L) {
  Sums sums{cost_times_at(L, 1, "the times"), cost_times_at(L, 2, "the ready times")};
  if (sums.times.size() != sums.ready.size())
    fail("bad_call", "{} times and {} ready times", sums.times.size(), sums.ready.size());
  return sums;
}

// cost.smallest_sum(times, ready) -> value, place
int smallest_sum_of(lua_State* L) {
  return guard(L, [&] {
    const Sums sums = sums_at(L);
    const Smallest found = smallest_sum(sums.times.data(), sums.ready);
    lua_pushnumber(L, found.value);
    push_found(L, found.value, found.at);
    return 2;
  });
}

// cost.two_smallest_sums(times, ready) -> best, second, and their places
int two_smallest_sums_of(lua_State* L) {
  return guard(L, [&] {
    const Sums sums = sums_at(L);
    const TwoSmallest found = two_smallest_sums(sums.times.data(), sums.ready);
    lua_pushnumber(L, found.best);
    lua_pushnumber(L, found.second);
    push_found(L, found.best, found.at);
    push_found(L, found.second, found.next);
    return 4;
  });
}

// cost.scheduling_time(tasks, machines [, { a4 =, a3 =, a2 =, a1 =, a0 = }])
int scheduling_time(lua_State* L) {
  return guard(L, [&] {
    constexpr std::int64_t kMost = 1'000'000'000;
    const auto tasks = integer_at(L, 1, "scheduling_time: tasks", 0, kMost);
    const auto machines = integer_at(L, 2, "scheduling_time: machines", 1, kMost);
    SchedulingTime time;
    if (!lua_isnoneornil(L, 3)) {
      const Fields fields(L, 3, {"scheduling_time"}, scheduling_time_fields::kAll);
      time = {fields.number(scheduling_time_fields::kA4), fields.number(scheduling_time_fields::kA3),
              fields.number(scheduling_time_fields::kA2), fields.number(scheduling_time_fields::kA1),
              fields.number(scheduling_time_fields::kA0)};
    }
    const double seconds = time(static_cast<double>(tasks), static_cast<double>(machines));
    if (!(seconds < std::numeric_limits<double>::infinity()))
      fail("bad_call", "scheduling_time: beyond all numbers for {} tasks and {} machines", tasks, machines);
    lua_pushnumber(L, seconds);
    return 1;
  });
}

// cost.three_smallest_sums(times, ready) -> best, second, third, and the places of the first two
int three_smallest_sums_of(lua_State* L) {
  return guard(L, [&] {
    const Sums sums = sums_at(L);
    const ThreeSmallest found = three_smallest_sums(sums.times.data(), sums.ready);
    lua_pushnumber(L, found.best);
    lua_pushnumber(L, found.second);
    lua_pushnumber(L, found.third);
    push_found(L, found.best, found.at);
    push_found(L, found.second, found.next);
    return 5;
  });
}

// cost.latest_best(problem), cost.largest_sufferage(problem) -> value, task. Both scan the waiting tasks by
// blocks.
template <auto scan>
int greatest_of(lua_State* L) {
  return guard(L, [&] {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    const ProblemArgument given(L, 1, kArgument);
    count(L, given.problem());
    const std::size_t tasks = given.problem().tasks, blocks = 4 * (tasks / (4 * kBlock) + 1);
    std::vector<double> best(blocks * kBlock, std::numeric_limits<double>::quiet_NaN()),
        position(best.size());
    std::vector<double> second(best.size(), kNever), low(blocks, kNever), bound(blocks), limit(blocks);
    std::vector<std::uint32_t> waiting(blocks);
    std::vector<Smallest> known(blocks);
    std::vector<std::uint8_t> is_known(blocks);
    const MachineTimes times(given.problem());
    for (std::size_t task = 0; task < tasks; ++task) {
      const TwoSmallest ends = times.two_best(task);
      if (!given.has(task) || !(ends.best < kNever)) continue;
      best[task] = ends.best;
      second[task] = ends.second;
      position[task] = static_cast<double>(task);
      low[task / kBlock] = std::min(low[task / kBlock], ends.best);
      ++waiting[task / kBlock];
    }
    TimedColumn scratch{};
    const Greatest found = scan({{},
                                 blocks,
                                 best.data(),
                                 second.data(),
                                 position.data(),
                                 low.data(),
                                 waiting.data(),
                                 bound.data(),
                                 limit.data(),
                                 known.data(),
                                 is_known.data(),
                                 &scratch},
                                0);
    lua_pushnumber(L, found.value);
    push_answer(L, found.value > -kNever ? found.at : kUnmapped);
    return 2;
  });
}

constexpr luaL_Reg kCost[] = {
    {"makespan_bound", cost_number<makespan_bound>},
    {"load_balance",
     cost_number<[](const MappingProblem& problem) { return load_balance(MachineTimes(problem)); }>},
    {"task_heterogeneity", cost_number<task_heterogeneity>},
    {"machine_heterogeneity", cost_number<machine_heterogeneity>},
    {"by_length", length_order},
    {"map_in_order", in_order},
    {"map_as", as_given},
    {"greedy_by_key", by_key},
    {"greedy_largest", largest},
    {"scheduling_time", scheduling_time},
    {"smallest", smallest_argument},
    {"smallest_sum", smallest_sum_of},
    {"two_smallest_sums", two_smallest_sums_of},
    {"three_smallest_sums", three_smallest_sums_of},
    {"latest_best", greatest_of<latest_best>},
    {"largest_sufferage", greatest_of<largest_sufferage>},
    {nullptr, nullptr}};

}  // namespace

void add_sweep_costs(lua_State* L);       // sweep_costs.cpp
void add_checkpoint_costs(lua_State* L);  // checkpoint_costs.cpp
void add_power_costs(lua_State* L);       // power_costs.cpp
void add_fair_share_costs(lua_State* L);  // fair_share.cpp
void add_divisible_costs(lua_State* L);   // divisible.cpp
void add_charts(lua_State* L);            // chart.cpp
void add_graph_costs(lua_State* L);       // graph_costs.cpp

// Pops the function on top of the stack, which becomes cost.problem.
void open_cost(lua_State* L) {
  lua_newtable(L);
  luaL_setfuncs(L, kCost, 0);
  add_sweep_costs(L);
  add_checkpoint_costs(L);
  add_power_costs(L);
  add_fair_share_costs(L);
  add_divisible_costs(L);
  add_charts(L);
  add_graph_costs(L);
  lua_insert(L, -2);
  lua_setfield(L, -2, "problem");
  freeze(L, "cost");
  define(L, "cost");
}

}  // namespace perigee::bindings
