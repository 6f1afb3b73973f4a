// cost.graph, the methods of a graph problem, and schedule(): the functions of runtime/cost for task graphs. Tasks and
// machines count from 1.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/bindings/compute/mappings.h"
#include "interpreter/bindings/declare/graphs.h"
#include "interpreter/bindings/declare/network.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/script/script.h"
#include "interpreter/callbacks/mapper_call.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/language/fields/graph_problems.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/graph_problems.h"
#include "interpreter/values/graphs.h"
#include "runtime/kernel/work.h"
#include "runtime/model/routes.h"

namespace perigee::bindings {

namespace {

const GraphProblemValue& graph_problem_at(lua_State* L, int index = 1) {
  const auto& value = check<GraphProblemValue>(L, index);
  if (!value.call->alive) fail("stale", "this graph problem belongs to a call that is over");
  return value;
}

GraphProblemValue& changeable_graph_problem(lua_State* L) {
  graph_problem_at(L);
  auto& value = check<GraphProblemValue>(L, 1);
  if (value.own == nullptr)
    fail("bad_call",
         "this graph problem is only shown to a function; c:copy() makes one that can be changed");
  return value;
}

struct OfGraphProblem {
  static const GraphProblemValue* lean(lua_State* L) {
    const auto* value = host::lean<GraphProblemValue>(L);
    return value != nullptr && value->call->alive ? value : nullptr;
  }
  static const GraphProblemValue& checked(lua_State* L) { return graph_problem_at(L); }
  static std::size_t tasks(const GraphProblemValue& value) { return value.problem().tasks(); }
  static std::size_t machines(const GraphProblemValue& value) { return value.problem().machines; }
  static bool readable(const GraphProblemValue&, std::size_t) { return true; }
  static void require(const GraphProblemValue&, std::size_t) {}
};

using G = const GraphProblemValue&;
using I = std::size_t;

std::size_t graph_task(lua_State* L, int index, G value) {
  return place_at(L, index, "task", value.problem().tasks());
}
std::size_t graph_machine(lua_State* L, int index, G value) {
  return place_at(L, index, "machine", value.problem().machines);
}

RankOptions rank_options_at(lua_State* L, int index, std::string_view what) {
  RankOptions options;
  if (lua_isnoneornil(L, index)) return options;
  const Fields fields(L, index, {what}, graph_problem_fields::kRank);
  options.computation = static_cast<GraphMean>(fields.choice(graph_problem_fields::kComputation));
  options.communication = static_cast<GraphMean>(fields.choice(graph_problem_fields::kCommunication));
  options.rates = fields.choice(graph_problem_fields::kMeanTransfer) == 1;
  return options;
}

// A method of a task and of options of ranks.
template <const std::vector<double>& (GraphCosts::*rank)(const RankOptions&) const>
int graph_rank(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    const std::size_t task = graph_task(L, 2, value);
    lua_pushnumber(L, (value.costs->*rank)(rank_options_at(L, 3, "rank"))[task]);
    return 1;
  });
}

int graph_mean_time(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    const std::size_t task = graph_task(L, 2, value);
    const auto how = text_at(L, 3);
    lua_pushnumber(L, value.costs->mean_time(task, how ? graph_mean_of(*how) : GraphMean::mean));
    return 1;
  });
}

// The arc from one task to another; null = there is none.
const GraphArc* graph_arc(lua_State* L, G value) {
  return value.problem().arcs.find(graph_task(L, 2, value), graph_task(L, 3, value));
}

// c:mean_transfer(i, j [, how]); how = "rates": at mean latency and bandwidth
int graph_mean_transfer(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    const GraphArc* arc = graph_arc(L, value);
    const auto how = text_at(L, 4);
    const bool rates = how == "rates";
    const GraphMean mean = how && !rates ? graph_mean_of(*how) : GraphMean::mean;
    lua_pushnumber(L, arc != nullptr ? value.costs->mean_transfer(*arc, mean, rates) : 0);
    return 1;
  });
}

// c:transfer(i, j, p, q)
int graph_transfer(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    const GraphArc* arc = graph_arc(L, value);
    const std::size_t from = graph_machine(L, 4, value), to = graph_machine(L, 5, value);
    lua_pushnumber(L, arc != nullptr ? value.problem().transfer(*arc, from, to) : 0);
    return 1;
  });
}

// c:bytes(i, j): of all files from the one to the other; nil = there is no edge
int graph_bytes(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    const GraphArc* arc = graph_arc(L, value);
    if (arc == nullptr)
      lua_pushnil(L);
    else
      lua_pushnumber(L, arc->bytes);
    return 1;
  });
}

template <std::span<const GraphArc> (GraphArcs::*arcs)(std::size_t) const>
int graph_neighbours(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    const auto found = (value.problem().arcs.*arcs)(graph_task(L, 2, value));
    lua_createtable(L, static_cast<int>(found.size()), 0);
    lua_Integer place = 0;
    for (const GraphArc& arc : found) {
      push_answer(L, arc.task);
      lua_rawseti(L, -2, ++place);
    }
    return 1;
  });
}

void push_tasks(lua_State* L, std::span<const std::uint32_t> tasks) {
  lua_createtable(L, static_cast<int>(tasks.size()), 0);
  lua_Integer place = 0;
  for (const std::uint32_t task : tasks) {
    push_answer(L, task);
    lua_rawseti(L, -2, ++place);
  }
}

// c:critical_path([options]) -> tasks, length
int graph_critical_path(lua_State* L) {
  return guard(L, [&] {
    const CriticalPath path =
        graph_problem_at(L).costs->critical_path(rank_options_at(L, 2, "critical_path"));
    push_tasks(L, path.tasks);
    lua_pushnumber(L, path.length);
    return 2;
  });
}

template <double (GraphSchedule::*read)(std::size_t, std::size_t, GraphFit) const>
int graph_at_machine(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    const std::size_t task = graph_task(L, 2, value), machine = graph_machine(L, 3, value);
    GraphFit fit = value.schedule().fit();
    if (!lua_isnoneornil(L, 4))
      fit = Fields(L, 4, {"start"}, graph_problem_fields::kStart).flag(graph_problem_fields::kInsertion)
                ? GraphFit::insertion
                : GraphFit::append;
    lua_pushnumber(L, (value.schedule().*read)(task, machine, fit));
    return 1;
  });
}

int graph_ready_tasks(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    did_work(value.problem().tasks() / 16);
    push_tasks(L, value.schedule().ready_tasks());
    return 1;
  });
}

// c:place(i, p [, { insertion = }]) -> its finish there
int graph_place(lua_State* L) {
  return guard(L, [&] {
    GraphProblemValue& value = changeable_graph_problem(L);
    const std::size_t task = graph_task(L, 2, value), machine = graph_machine(L, 3, value);
    if (value.schedule().is_placed(task))
      fail("bad_call", "task {} is placed on machine {} already; c:undo() takes the last one back", task + 1,
           value.schedule().planned(task).machine + 1);
    if (!(value.problem().time(task, machine) < std::numeric_limits<double>::infinity()))
      fail("bad_call", "task {} cannot run on machine {}", task + 1, machine + 1);
    if (value.schedule().waits(task) > 0)
      fail("bad_call", "task {} waits for {} task{} that {} not placed", task + 1,
           value.schedule().waits(task), value.schedule().waits(task) == 1 ? "" : "s",
           value.schedule().waits(task) == 1 ? "is" : "are");
    GraphFit fit = value.schedule().fit();
    if (!lua_isnoneornil(L, 4))
      fit = Fields(L, 4, {"place"}, graph_problem_fields::kStart).flag(graph_problem_fields::kInsertion)
                ? GraphFit::insertion
                : GraphFit::append;
    Interpreter::of(L).count(1);
    value.own->place(task, machine, fit);
    lua_pushnumber(L, value.schedule().planned(task).finish);
    return 1;
  });
}

int graph_undo(lua_State* L) {
  return guard(L, [&] {
    GraphSchedule& schedule = *changeable_graph_problem(L).own;
    const bool any = !schedule.order().empty();
    if (any) schedule.undo();
    lua_pushboolean(L, any ? 1 : 0);
    return 1;
  });
}

int graph_copy(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    Interpreter::of(L).count(value.problem().tasks() + value.problem().machines);
    push_new(L, GraphProblemValue{value.call, value.data, value.costs,
                                  std::make_unique<GraphSchedule>(value.schedule())});
    return 1;
  });
}

// c:work(i), c:machine_host(p): the work of a task and the host of a machine, of the run or platform that the problem is
// made of
int graph_work(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    const std::size_t task = graph_task(L, 2, value);
    if (value.problem().works.empty())
      fail("bad_call",
           "work: the tasks of this graph problem are not works of a run; those of sim:graph() are");
    lua_pushinteger(L, static_cast<lua_Integer>(value.problem().works[task].index) + 1);
    return 1;
  });
}

int graph_machine_host(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    const std::size_t machine = graph_machine(L, 2, value);
    if (value.problem().hosts.empty())
      fail(
          "bad_call",
          "machine_host: the machines of this graph problem are not cores of a platform; those of sim:graph() "
          "and cost.graph(g, platform) are");
    lua_pushinteger(L, static_cast<lua_Integer>(value.problem().hosts[machine].index) + 1);
    return 1;
  });
}

// c:stream(): that of the heuristic
int graph_stream(lua_State* L) {
  return guard(L, [&] {
    push_stream(L, *graph_problem_at(L).call);
    return 1;
  });
}

// c:planned(i) -> start, finish; nothing while it is not placed
int graph_planned(lua_State* L) {
  return guard(L, [&] {
    G value = graph_problem_at(L);
    const std::size_t task = graph_task(L, 2, value);
    if (!value.schedule().is_placed(task)) return 0;
    lua_pushnumber(L, value.schedule().planned(task).start);
    lua_pushnumber(L, value.schedule().planned(task).finish);
    return 2;
  });
}

int graph_problem_text(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<GraphProblemValue>(L, 1);
    host::push(L, value.call->alive ? fmt::format("graph problem of {} tasks on {} machines, {} placed",
                                                  value.problem().tasks(), value.problem().machines,
                                                  value.schedule().order().size())
                                    : std::string("graph problem of a call that is over"));
    return 1;
  });
}

constexpr luaL_Reg kGraphProblem[] = {
    {"script", write_graph_problem},
    {"tasks", of_all<OfGraphProblem, [](G c) { return c.problem().tasks(); }>},
    {"machines", of_all<OfGraphProblem, [](G c) { return c.problem().machines; }>},
    {"predecessors", graph_neighbours<&GraphArcs::before>},
    {"successors", graph_neighbours<&GraphArcs::behind>},
    {"bytes", graph_bytes},
    {"time", of_task_and_machine<OfGraphProblem, [](G c, I t, I m) { return c.problem().time(t, m); }>},
    {"transfer", graph_transfer},
    {"mean_time", graph_mean_time},
    {"mean_transfer", graph_mean_transfer},
    {"upward_rank", graph_rank<&GraphCosts::upward_rank>},
    {"downward_rank", graph_rank<&GraphCosts::downward_rank>},
    {"static_level", of_task<OfGraphProblem, [](G c, I t) { return c.costs->static_level()[t]; }>},
    {"alap", graph_rank<&GraphCosts::alap>},
    {"critical_path", graph_critical_path},
    {"oct", of_task_and_machine<OfGraphProblem, [](G c, I t, I m) { return c.costs->oct(t, m); }>},
    {"bil", of_task_and_machine<OfGraphProblem, [](G c, I t, I m) { return c.costs->bil(t, m); }>},
    {"arrival",
     of_task_and_machine<OfGraphProblem, [](G c, I t, I m) { return c.schedule().arrival(t, m); }>},
    {"start", graph_at_machine<&GraphSchedule::start>},
    {"finish", graph_at_machine<&GraphSchedule::finish>},
    {"completion",
     of_task_and_machine<OfGraphProblem, [](G c, I t, I m) { return c.schedule().finish(t, m); }>},
    {"free", of_machine<OfGraphProblem, [](G c, I m) { return c.schedule().end(m); }>},
    {"best", of_task<OfGraphProblem, [](G c, I t) { return c.schedule().best(t); }>},
    {"second", of_task<OfGraphProblem, [](G c, I t) { return c.schedule().second(t); }>},
    {"best_machine", of_task<OfGraphProblem, [](G c, I t) { return c.schedule().best_machine(t); }>},
    {"ready_tasks", graph_ready_tasks},
    {"waits", of_task<OfGraphProblem, [](G c, I t) { return !c.schedule().is_placed(t); }>},
    {"place", graph_place},
    {"undo", graph_undo},
    {"copy", graph_copy},
    {"makespan", of_all<OfGraphProblem, [](G c) { return c.schedule().makespan(); }>},
    {"host", of_task<OfGraphProblem, [](G c, I t) { return c.schedule().planned(t).machine; }>},
    {"planned", graph_planned},
    {"work", graph_work},
    {"machine_host", graph_machine_host},
    {"stream", graph_stream},
    {nullptr, nullptr}};
constexpr luaL_Reg kGraphProblemMeta[] = {{"__tostring", graph_problem_text}, {nullptr, nullptr}};

// ---- cost.graph ----

int push_graph_problem(lua_State* L, GraphProblem problem, std::optional<PlatformValue> platform = {}) {
  check_graph_problem(problem);
  Interpreter::of(L).count(problem.tasks() + problem.machines);
  push_new(
      L, GraphProblemValue::of(std::make_shared<GraphProblemData>(std::move(problem), std::move(platform))));
  return 1;
}

// The network, ready times and `now` that a script gives beside the tasks.
void read_surroundings(const Fields& fields, GraphProblem& problem) {
  problem.network =
      GraphNetwork(problem.clusters(), read_network(fields, graph_problem_fields::kBandwidth, false),
                   read_network(fields, graph_problem_fields::kLatency, true));
  problem.now = fields.number(graph_problem_fields::kNow);
  if (!fields.push(graph_problem_fields::kReady)) return;
  problem.ready = fields.numbers(graph_problem_fields::kReady, "cost.graph: ready");
  lua_pop(fields.state(), 1);
  if (problem.ready.size() != problem.machines)
    fields.fail(graph_problem_fields::kReady, "{} ready times for {} machines", problem.ready.size(),
                problem.machines);
}

// The tasks, edges and names in the table at 1.
GraphValue graph_of_matrix(lua_State* L) {
  lua_createtable(L, 0, 3);
  for (const FieldRow* field : {&graph_fields::kTimes, &graph_fields::kEdges, &graph_fields::kNames}) {
    lua_getfield(L, 1, std::string(field->name).c_str());
    lua_setfield(L, -2, std::string(field->name).c_str());
  }
  lua_pushcfunction(L, graph_matrix);
  lua_insert(L, -2);
  lua_call(L, 1, 1);
  GraphValue made = check<GraphValue>(L, -1);
  lua_pop(L, 1);
  return made;
}

// Routes as they are at time 0, with nothing else on them.
GraphNetwork network_at_start(const Platform& platform) {
  const std::size_t clusters = platform.clusters().size();
  if (const auto& complete = platform.complete(); complete)
    return {clusters, complete->bandwidth, complete->latency};
  constexpr double kUnreachable = 1e15;  // s
  std::vector<double> bandwidth(clusters * clusters, kNever), latency(clusters * clusters, kUnreachable);
  const std::vector<Seconds> latencies = model::latencies_at(platform, 0);
  for (std::size_t from = 0; from < clusters; ++from) {
    const std::vector<model::Route> routes = model::all_routes(platform, ClusterId(from), {}, latencies);
    for (std::size_t to = 0; to < clusters; ++to) {
      if (routes[to].empty()) continue;
      const std::size_t pair = from * clusters + to;
      latency[pair] = 0;
      for (const LinkId link : routes[to]) {
        latency[pair] += latencies[link.index];
        if (!platform[link].implied)
          bandwidth[pair] = std::min(bandwidth[pair], platform[link].bandwidth.at(0));
      }
    }
  }
  return {clusters, std::move(bandwidth), std::move(latency)};
}

// When inputs that no task makes can be in each cluster.
std::vector<double> release_at_start(const TaskGraph& graph, const Platform& platform) {
  const std::size_t clusters = platform.clusters().size();
  const std::vector<std::uint32_t> makers = model::makers_of(graph);
  const std::vector<Seconds> latencies = model::latencies_at(platform, 0);
  const std::vector<model::Route> routes = model::all_routes(platform, {}, latencies);
  std::vector<double> release(graph.tasks.size() * clusters, 0.0);
  bool any = false;
  for (std::size_t t = 0; t < graph.tasks.size(); ++t)
    for (const std::uint32_t file : graph.tasks[t].inputs) {
      if (makers[file] != model::kNone) continue;
      for (std::size_t c = 0; c < clusters; ++c) {
        Seconds latency = 0;
        double bandwidth = kNever;
        for (const LinkId link : routes[c]) {
          latency += latencies[link.index];
          if (!platform[link].implied) bandwidth = std::min(bandwidth, platform[link].bandwidth.at(0));
        }
        const double at = latency + (graph.files[file].size > 0 ? graph.files[file].size / bandwidth : 0);
        any = any || at > 0;
        release[t * clusters + c] = std::max(release[t * clusters + c], at);
      }
    }
  if (!any) release.clear();
  return release;
}

// A machine for each core, at the speed that it is declared with.
GraphProblem graph_on_platform(const GraphValue& graph, const Platform& platform) {
  std::vector<HostId> hosts;
  std::vector<double> speeds;
  std::vector<std::uint32_t> kind, cluster;
  for (std::size_t h = 0; h < platform.hosts().size(); ++h) {
    const Host& host = platform.hosts()[h];
    speeds.push_back(graph->form == TimeForm::operations ? host.speed : 1);
    for (std::int32_t core = 0; core < (host.exclusive ? 1 : host.cores); ++core) {
      kind.push_back(static_cast<std::uint32_t>(h));
      cluster.push_back(host.cluster.index);
      hosts.emplace_back(h);
    }
  }
  const bool by_host = graph->form == TimeForm::by_host;
  if (by_host && graph->hosts != speeds.size())
    fail("workflow_hosts", "cost.graph: the graph has times for {} hosts, the platform has {}", graph->hosts,
         speeds.size());
  GraphProblem problem = graph_problem_of(graph, by_host ? std::vector<double>{} : speeds);
  problem.machines = kind.size();
  problem.kind = MachineGroups(std::move(kind));
  problem.cluster = MachineGroups(std::move(cluster));
  problem.network = network_at_start(platform);
  problem.release = release_at_start(*graph, platform);
  problem.hosts = std::move(hosts);
  return problem;
}

// cost.graph { times =, edges = }, cost.graph(g [, { ... }]), cost.graph(g, platform)
int make_graph_problem(lua_State* L) {
  return guard(L, [&] {
    if (const auto* graph = test<GraphValue>(L, 1)) {
      if (const auto* platform = test<PlatformValue>(L, 2)) {
        return push_graph_problem(L, graph_on_platform(*graph, *platform->platform), *platform);
      }
      if ((*graph)->form != TimeForm::by_host)
        fail("bad_type", "cost.graph: the graph has no times by host, so a platform must follow, got {}",
             shown(L, 2));
      GraphProblem problem = graph_problem_of(*graph);
      if (lua_isnoneornil(L, 2)) {
        problem.network = GraphNetwork(problem.clusters(), {1}, {0});
        return push_graph_problem(L, std::move(problem));
      }
      const Fields fields(L, 2, {"cost.graph"}, graph_problem_fields::kOfGraph);
      read_surroundings(fields, problem);
      return push_graph_problem(L, std::move(problem));
    }
    const Fields fields(L, 1, {"cost.graph"}, graph_problem_fields::kOwn);
    GraphProblem problem = graph_problem_of(graph_of_matrix(L));
    read_surroundings(fields, problem);
    return push_graph_problem(L, std::move(problem));
  });
}

// cost.sub_deadlines(g or c, deadline [, options of ranks]): when each task must end
int sub_deadlines(lua_State* L) {
  return guard(L, [&] {
    if (const auto* graph = test<GraphValue>(L, 1)) {
      if ((*graph)->form != TimeForm::by_host)
        fail("bad_type",
             "cost.sub_deadlines: the graph has no times by host; cost.graph(g, platform) gives it some");
      GraphProblem problem = graph_problem_of(*graph);
      problem.network = GraphNetwork(problem.clusters(), {1}, {0});
      push_graph_problem(L, std::move(problem));
      lua_replace(L, 1);
    }
    G value = graph_problem_at(L);
    const auto deadline = number_at(L, 2, "cost.sub_deadlines: deadline", Dimension::seconds, kAnyNumber);
    const std::vector<double> ends =
        value.costs->sub_deadlines(deadline, rank_options_at(L, 3, "cost.sub_deadlines"));
    Interpreter::of(L).count(ends.size());
    lua_createtable(L, static_cast<int>(ends.size()), 0);
    for (std::size_t t = 0; t < ends.size(); ++t) {
      lua_pushnumber(L, ends[t]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(t) + 1);
    }
    return 1;
  });
}

// ---- schedule ----

void push_times(lua_State* L, const std::vector<double>& times, const std::vector<std::uint32_t>& machine) {
  lua_createtable(L, static_cast<int>(times.size()), 0);
  for (std::size_t t = 0; t < times.size(); ++t) {
    if (machine[t] == kUnmapped)
      lua_pushboolean(L, 0);
    else
      lua_pushnumber(L, times[t]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(t) + 1);
  }
}

}  // namespace

void push_graph_plan(lua_State* L, const GraphPlan& plan) {
  lua_createtable(L, 0, 5);
  lua_createtable(L, static_cast<int>(plan.machine.size()), 0);
  for (std::size_t t = 0; t < plan.machine.size(); ++t) {
    push_answer(L, plan.machine[t]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(t) + 1);
  }
  lua_setfield(L, -2, "host");
  push_times(L, plan.start, plan.machine);
  lua_setfield(L, -2, "start");
  push_times(L, plan.finish, plan.machine);
  lua_setfield(L, -2, "finish");
  push_tasks(L, plan.order);
  lua_setfield(L, -2, "order");
  lua_pushnumber(L, plan.makespan);
  lua_setfield(L, -2, "makespan");
}

namespace {

// schedule(scheduler, problem [, { seed = }]) -> { host, start, finish, order, makespan }. A task that can run nowhere
// has false.
int schedule(lua_State* L) {
  return guard(L, [&] {
    lua_settop(L, 3);
    Interpreter& interpreter = Interpreter::of(L);
    const ConfigPtr config = scheduler_at(L, 1, "schedule: the scheduler", Role::graph);
    std::optional<std::uint64_t> seed;
    if (!lua_isnil(L, 3)) {
      const Fields fields(L, 3, {"schedule"}, graph_problem_fields::kSchedule);
      if (fields.has(graph_problem_fields::kSeed))
        seed = static_cast<std::uint64_t>(fields.integer(graph_problem_fields::kSeed));
    }
    G value = graph_problem_at(L, 2);
    const std::shared_ptr<const GraphProblemData> kept = value.data;
    const GraphProblem& problem = value.problem();
    const std::unique_ptr<GraphScheduler> scheduler = config->make_graph_scheduler();
    if (seed) interpreter.cell().note_seed(*seed);
    scheduler->reseed(Stream(seed.value_or(interpreter.cell().seed()), "schedule"));
    GraphPlan plan;
    scheduler->schedule(problem, plan);
    interpreter.count(problem.tasks());
    push_graph_plan(L, plan);
    return 1;
  });
}

}  // namespace

// Into the table on top of the stack, which becomes `cost`.
void add_graph_costs(lua_State* L) {
  new_type<GraphProblemValue>(L, kGraphProblem, kGraphProblemMeta);
  lua_pushcfunction(L, make_graph_problem);
  lua_setfield(L, -2, "graph");
  lua_pushcfunction(L, sub_deadlines);
  lua_setfield(L, -2, "sub_deadlines");
  define(L, "schedule", schedule);
}

}  // namespace perigee::bindings
