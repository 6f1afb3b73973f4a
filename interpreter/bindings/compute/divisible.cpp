// cost.divisible and cost.staggered: the functions of runtime/cost/divisible.h for divisible loads, under the
// same names.
#include <algorithm>
#include <cmath>
#include <vector>

#include "interpreter/language/fields/loads.h"
#include "interpreter/session/interpreter.h"
#include "runtime/cost/divisible.h"

namespace perigee::bindings {

struct StaggeredValue {
  UnitCosts costs;
  std::vector<Time> free;
  Time channel;
  StaggeredNodes nodes() const { return {costs, free, channel}; }
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::DivisibleCosts> {
  static constexpr const char* value = "divisible costs";
};
template <>
struct TypeName<bindings::StaggeredValue> {
  static constexpr const char* value = "staggered nodes";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

constexpr std::int64_t kManyNodes = 1 << 20;

double load_at(lua_State* L, int index) {
  return number_at(L, index, "the load", Dimension::count, kPositive);
}

std::size_t nodes_at(lua_State* L, int index, std::int64_t most = kManyNodes) {
  return static_cast<std::size_t>(integer_at(L, index, "the number of nodes", 1, most));
}

// Pushes a number of nodes. 0 is pushed as false, kEveryNode as math.huge.
int push_nodes(lua_State* L, std::size_t nodes) {
  if (nodes == 0)
    lua_pushboolean(L, 0);
  else if (nodes == kEveryNode)
    lua_pushnumber(L, HUGE_VAL);
  else
    lua_pushinteger(L, static_cast<lua_Integer>(nodes));
  return 1;
}

int push_numbers(lua_State* L, const std::vector<double>& numbers) {
  lua_createtable(L, static_cast<int>(numbers.size()), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    lua_pushnumber(L, numbers[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}

UnitCosts unit_costs_at(const Fields& fields, bool setups) {
  UnitCosts costs{.transmission = fields.number(divisible_fields::kTransmission),
                  .computation = fields.number(divisible_fields::kComputation)};
  if (costs.transmission + costs.computation == 0)
    fields.fail(divisible_fields::kTransmission,
                "a unit of load must take time to be transmitted or to be computed");
  if (!setups) return costs;
  costs.transmission_setup = fields.number(divisible_fields::kTransmissionSetup);
  costs.computation_setup = fields.number(divisible_fields::kComputationSetup);
  return costs;
}

// ---- cost.divisible { } ----

int divisible(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.divisible"}, divisible_fields::kDivisible);
    const bool equal = fields.choice(divisible_fields::kPartition) == 1;
    push_new(L, DivisibleCosts(unit_costs_at(fields, true), equal ? Partition::equal : Partition::optimal));
    return 1;
  });
}

template <class F>
int of_costs(lua_State* L, F&& body) {
  return guard(L, [&] { return body(check<DivisibleCosts>(L, 1)); });
}

int divisible_time(lua_State* L) {
  return of_costs(L, [&](const DivisibleCosts& costs) {
    lua_pushnumber(L, costs.time(load_at(L, 2), nodes_at(L, 3)));
    return 1;
  });
}
int useful_nodes(lua_State* L) {
  return of_costs(
      L, [&](const DivisibleCosts& costs) { return push_nodes(L, costs.useful_nodes(load_at(L, 2))); });
}
// costs:fewest_nodes(load, within [, nodes])
int fewest_nodes(lua_State* L) {
  return of_costs(L, [&](const DivisibleCosts& costs) {
    const double within = number_at(L, 3, "the time that it may take", Dimension::seconds);
    const std::size_t most = lua_isnoneornil(L, 4) ? kEveryNode : nodes_at(L, 4);
    return push_nodes(L, costs.fewest_nodes(load_at(L, 2), within, most));
  });
}
int fractions(lua_State* L) {
  return of_costs(L, [&](const DivisibleCosts& costs) {
    const double load = load_at(L, 2);
    const std::size_t nodes = nodes_at(L, 3);
    if (nodes > costs.useful_nodes(load))
      fail("bad_call", "fractions: on {} nodes some chunk would not be larger than 0; {} are useful", nodes,
           costs.useful_nodes(load));
    Interpreter::of(L).count(nodes);
    return push_numbers(L, costs.fractions(load, nodes));
  });
}
int workload_derivative(lua_State* L) {
  return of_costs(L, [&](const DivisibleCosts& costs) {
    lua_pushnumber(L, costs.workload_derivative(load_at(L, 2), nodes_at(L, 3)));
    return 1;
  });
}

constexpr luaL_Reg kDivisible[] = {{"time", divisible_time},
                                   {"useful_nodes", useful_nodes},
                                   {"fewest_nodes", fewest_nodes},
                                   {"fractions", fractions},
                                   {"workload_derivative", workload_derivative},
                                   {nullptr, nullptr}};

// ---- cost.staggered { } ----

int staggered(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.staggered"}, divisible_fields::kStaggered);
    StaggeredValue value{.costs = unit_costs_at(fields, false), .free = {}, .channel = 0};
    if (!fields.push(divisible_fields::kFree))
      fields.fail(divisible_fields::kFree,
                  "'free' is missing: a list of the times at which the nodes are free");
    value.free = fields.numbers(divisible_fields::kFree, "cost.staggered: free");
    if (value.free.empty()) fields.fail(divisible_fields::kFree, "'free' must name at least one node");
    std::ranges::sort(value.free);
    value.channel = fields.number(divisible_fields::kChannel);
    push_new(L, std::move(value));
    return 1;
  });
}

// Calls body(nodes, number of nodes), and counts its work against --steps.
template <class F>
int of_staggered(lua_State* L, F&& body) {
  return guard(L, [&] {
    const StaggeredValue& value = check<StaggeredValue>(L, 1);
    Interpreter::of(L).count(value.free.size());
    return body(value.nodes(), static_cast<std::int64_t>(value.free.size()));
  });
}
std::size_t first_nodes_at(lua_State* L, int index, std::int64_t all) {
  return lua_isnoneornil(L, index) ? static_cast<std::size_t>(all) : nodes_at(L, index, all);
}
double end_at(lua_State* L, int index) {
  return number_at(L, index, "the common end", Dimension::seconds, kNotNegative);
}

int load_by(lua_State* L) {
  return of_staggered(L, [&](const StaggeredNodes& nodes, std::int64_t all) {
    lua_pushnumber(L, nodes.load_by(end_at(L, 2), first_nodes_at(L, 3, all)));
    return 1;
  });
}
int fewest_staggered(lua_State* L) {
  return of_staggered(L, [&](const StaggeredNodes& nodes, std::int64_t) {
    return push_nodes(L, nodes.fewest_nodes(load_at(L, 2), end_at(L, 3)));
  });
}
int divisible_completion(lua_State* L) {
  return of_staggered(L, [&](const StaggeredNodes& nodes, std::int64_t all) {
    lua_pushnumber(L, nodes.completion(load_at(L, 2), first_nodes_at(L, 3, all)));
    return 1;
  });
}
int chunks(lua_State* L) {
  return of_staggered(L, [&](const StaggeredNodes& nodes, std::int64_t all) {
    return push_numbers(L, nodes.chunks(end_at(L, 2), first_nodes_at(L, 3, all)));
  });
}

constexpr luaL_Reg kStaggered[] = {{"load_by", load_by},
                                   {"fewest_nodes", fewest_staggered},
                                   {"completion", divisible_completion},
                                   {"chunks", chunks},
                                   {nullptr, nullptr}};

}  // namespace

// Adds the functions to the table `cost`, which is on top of the stack.
void add_divisible_costs(lua_State* L) {
  new_type<DivisibleCosts>(L, kDivisible);
  new_type<StaggeredValue>(L, kStaggered);
  lua_pushcfunction(L, divisible);
  lua_setfield(L, -2, "divisible");
  lua_pushcfunction(L, staggered);
  lua_setfield(L, -2, "staggered");
}

}  // namespace perigee::bindings
