// Gantt charts, those of scripts and the chart of a planner as heuristics see it. Tasks, machines (the
// chart's hosts), clusters and files count from 1.
#include "interpreter/values/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/bindings/compute/chart.h"
#include "interpreter/bindings/gantt.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/callbacks/mapper_call.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/language/fields/matrices.h"
#include "interpreter/session/interpreter.h"
#include "runtime/results/chart_run.h"

namespace perigee::bindings {

namespace {

using V = const ChartView&;
using I = std::size_t;

struct OfChart {
  static const ChartView* lean(lua_State* L) {
    const auto* chart = host::lean<ChartValue>(L);
    return chart != nullptr && chart->call->alive ? &chart->view() : nullptr;
  }
  static const ChartView& checked(lua_State* L) {
    const ChartValue& chart = check<ChartValue>(L, 1);
    if (!chart.call->alive) fail("stale", "this Gantt chart belongs to a call that is over");
    return chart.view();
  }
  static std::size_t tasks(V view) { return view.chart().problem().tasks(); }
  static std::size_t machines(V view) { return view.chart().problem().hosts(); }
  static bool readable(V, std::size_t) { return true; }
  static void require(V, std::size_t) {}
};
struct OfWaitingTask : OfChart {
  static bool readable(V view, std::size_t task) { return view.waits(static_cast<std::uint32_t>(task)); }
  static void require(V view, std::size_t task) {
    if (!readable(view, task)) fail("bad_call", "task {} does not wait: it has its place already", task + 1);
  }
};

const ChartPlan& plan_at(lua_State* L) { return check<ChartValue>(L, 1).plan; }
const ChartProblem& chart_problem_of(V view) { return view.chart().problem(); }

std::size_t task_at(lua_State* L, V view) {
  const std::size_t task = place_at(L, 2, "task", OfChart::tasks(view));
  OfWaitingTask::require(view, task);
  return task;
}
std::size_t machine_at(lua_State* L, int index, V view) {
  return place_at(L, index, "machine", OfChart::machines(view));
}
std::size_t cluster_at(lua_State* L, int index, V view) {
  return place_at(L, index, "cluster", chart_problem_of(view).clusters);
}

double best(V view, I task) { return view.candidate(static_cast<std::uint32_t>(task)).best; }
double second(V view, I task) { return view.candidate(static_cast<std::uint32_t>(task)).second; }
std::uint32_t best_machine(V view, I task) { return view.best_host(static_cast<std::uint32_t>(task)); }
double completion(V view, I task, I machine) { return view.chart().completion(task, machine).complete; }
double computed(V view, I task, I machine) { return view.chart().completion(task, machine).computed; }
double ready(V view, I machine) {
  const std::span<const Slot> free = view.chart().host(machine).free();
  return free.empty() || free.back().end < kNever ? kNever : free.back().start;
}
std::uint32_t cluster_of(V view, I machine) { return chart_problem_of(view).cluster[machine]; }
static_assert(ChartProblem::kAway == kUnmapped && BestInCluster::kNone == kUnmapped);  // false in scripts

double chart_time_of(V view, I task, I machine) {
  const Seconds time = chart_problem_of(view).time_of(task, machine);
  if (!std::isnan(time)) return time;
  const Slot slot = view.chart().plan(task, machine).slot;
  return slot.end < kNever ? slot.end - slot.start : kNever;
}
double time_on_best(V view, I task) {
  const std::uint32_t machine = best_machine(view, task);
  return machine == kUnmapped ? kNever : chart_time_of(view, task, machine);
}

// chart:time(task [, machine]): on the best machine unless one is named.
int time(lua_State* L) {
  if (lua_isnoneornil(L, 3)) return of_task<OfWaitingTask, time_on_best>(L);
  return of_task_and_machine<OfChart, chart_time_of>(L);
}

// chart:machine(task): the machine where the task was placed, or false.
std::uint32_t placed_on(V view, I task) {
  for (const ChartTask& each : view.placed())
    if (each.task == task) return each.host;
  return kUnmapped;
}

double makespan(V view) {
  Time latest = view.chart().now();
  for (const ChartTask& each : view.placed()) latest = std::max(latest, each.complete);
  return latest;
}

void push_chart_places(lua_State* L, std::span<const std::uint32_t> places) {
  lua_createtable(L, static_cast<int>(places.size()), 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    push_answer(L, places[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

int waiting(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    Interpreter::of(L).count(view.waiting().size());
    lua_createtable(L, static_cast<int>(view.waiting().size()), 0);
    lua_Integer count = 0;
    for (const std::uint32_t task : view.waiting()) {
      if (view.best_host(task) == BestInCluster::kNone) continue;
      push_answer(L, task);
      lua_rawseti(L, -2, ++count);
    }
    return 1;
  });
}

template <bool machine>
int of_cluster(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    const auto task = static_cast<std::uint32_t>(task_at(L, view));
    const BestInCluster& found = view.in_cluster(task, cluster_at(L, 3, view));
    if constexpr (machine)
      push_answer(L, found.host);
    else
      push_answer(L, found.first.complete);
    return 1;
  });
}

// chart:cluster_bests(task): the completions of the task in the clusters where it can be complete, ascending.
int cluster_bests(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    const std::span<const Time> times = view.candidate(static_cast<std::uint32_t>(task_at(L, view))).clusters;
    lua_createtable(L, static_cast<int>(times.size()), 0);
    for (std::size_t i = 0; i < times.size(); ++i) {
      lua_pushnumber(L, times[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

// chart:first_jump(task [, "largest" | "none" | "classic" [, "jump" | "group"]]) -> height (by how much the
// next group of clusters is later), number of clusters before that group
int jump(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    const std::size_t task = task_at(L, view);
    NoJump otherwise = NoJump::largest;
    if (!lua_isnoneornil(L, 3)) {
      const auto word = text_at(L, 3);
      if (word != "largest" && word != "none" && word != "classic")
        fail("bad_type",
             "first_jump: where no step stands out there are \"largest\", \"none\" and \"classic\", got {}",
             shown(L, 3));
      otherwise = word == "none" ? NoJump::none : word == "classic" ? NoJump::classic : NoJump::largest;
    }
    Suffering as = Suffering::jump;
    if (!lua_isnoneornil(L, 4)) {
      const auto word = text_at(L, 4);
      if (word != "jump" && word != "group")
        fail("bad_type", "first_jump: a task suffers by its \"jump\" or by the next \"group\", got {}",
             shown(L, 4));
      if (word == "group") as = Suffering::group;
    }
    const std::span<const Time> times = view.candidate(static_cast<std::uint32_t>(task)).clusters;
    const Jump found = first_jump(times, otherwise);
    lua_pushnumber(L, suffering(times, found, as));
    push_answer(L, found.clusters);
    return 2;
  });
}

// ---- files ----

std::size_t chart_file_at(lua_State* L, V view) {
  return place_at(L, 2, "file", chart_problem_of(view).files);
}

template <bool home>
int files_of(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    const std::size_t task = place_at(L, 2, "task", OfChart::tasks(view));
    push_chart_places(L, home ? chart_problem_of(view).outputs[task] : chart_problem_of(view).inputs[task]);
    return 1;
  });
}

// chart:usage(file): the number of waiting tasks that need the file. Tasks of the planner that this plan
// leaves out count too.
int usage(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    const ChartPlan& plan = plan_at(L);
    push_answer(L, std::size_t{plan.uses[plan.files[chart_file_at(L, view)].index]});
    return 1;
  });
}

// chart:task_name(task), machine_name(machine), cluster_name(cluster), file_name(file)
int task_name(lua_State* L) {
  return guard(L, [&] {
    const std::size_t task = place_at(L, 2, "task", OfChart::tasks(OfChart::checked(L)));
    const ChartPlan& plan = plan_at(L);
    host::push(L, plan.workload->name_of(plan.tasks[task]));
    return 1;
  });
}
int machine_name(lua_State* L) {
  return guard(L, [&] {
    const std::size_t machine = machine_at(L, 2, OfChart::checked(L));
    const ChartPlan& plan = plan_at(L);
    host::push(L, (*plan.platform)[plan.hosts[machine]].name);
    return 1;
  });
}
int cluster_name(lua_State* L) {
  return guard(L, [&] {
    const std::size_t cluster = cluster_at(L, 2, OfChart::checked(L));
    host::push(L, (*plan_at(L).platform)[ClusterId(cluster)].name);
    return 1;
  });
}
int file_name(lua_State* L) {
  return guard(L, [&] {
    const std::size_t file = chart_file_at(L, OfChart::checked(L));
    const ChartPlan& plan = plan_at(L);
    host::push(L, plan.workload->files[plan.files[file].index].name);
    return 1;
  });
}

// chart:horizon(): the time up to which the planner plans.
int horizon(lua_State* L) {
  return guard(L, [&] {
    OfChart::checked(L);
    lua_pushnumber(L, plan_at(L).horizon);
    return 1;
  });
}

// chart:file_ready(file, cluster): the time when the file is there, at the earliest now; false when nobody
// sends it.
int file_ready(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    const std::size_t file = chart_file_at(L, view);
    const Time at = view.chart().file_from(file, cluster_at(L, 3, view));
    if (std::isnan(at))
      lua_pushboolean(L, 0);
    else
      lua_pushnumber(L, at);
    return 1;
  });
}

// chart:transfer_time(file, cluster): the time of a transfer that begins now.
int chart_transfer_time(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    const ChartProblem& problem = chart_problem_of(view);
    const std::size_t file = chart_file_at(L, view), cluster = cluster_at(L, 3, view);
    const Seconds time = problem.transfer_of(file, cluster);
    const Time now = view.chart().now();
    lua_pushnumber(L, std::isnan(time) ? problem.transfer_end(file, cluster, now) - now : time);
    return 1;
  });
}

// ---- planned work ----

void chart_set(lua_State* L, const char* name, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, name);
}
void set_place(lua_State* L, const char* name, std::uint32_t place) {
  push_answer(L, place);
  lua_setfield(L, -2, name);
}

void push_transfer(lua_State* L, const ChartTransfer& transfer, std::uint32_t task) {
  lua_createtable(L, 0, 6);
  set_place(L, "task", task);
  set_place(L, "file", transfer.file);
  set_place(L, "cluster", transfer.cluster);
  lua_pushboolean(L, transfer.home ? 1 : 0);
  lua_setfield(L, -2, "home");
  chart_set(L, "start", transfer.slot.start);
  chart_set(L, "finish", transfer.slot.end);
}

void push_computation(lua_State* L, const ChartTask& placed) {
  lua_createtable(L, 0, 6);
  set_place(L, "task", placed.task);
  set_place(L, "machine", placed.host);
  chart_set(L, "start", placed.slot.start);
  chart_set(L, "finish", placed.slot.end);
  chart_set(L, "complete", placed.complete);
}

// chart:plan(task, machine): the task as it would be placed there.
int plan(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    const std::size_t task = task_at(L, view);
    const ChartTask planned = view.chart().plan(task, machine_at(L, 3, view));
    push_computation(L, planned);
    lua_createtable(L, static_cast<int>(planned.transfers.size()), 0);
    lua_Integer count = 0;
    for (const ChartTransfer& each : planned.transfers) {
      push_transfer(L, each, planned.task);
      lua_rawseti(L, -2, ++count);
    }
    lua_setfield(L, -2, "transfers");
    return 1;
  });
}

// chart:computations([machine]): the placed computations, in order of start.
int computations(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    const bool all = lua_isnoneornil(L, 2);
    const std::size_t machine = all ? 0 : machine_at(L, 2, view);
    std::vector<const ChartTask*> found;
    for (const ChartTask& each : view.placed())
      if (all || each.host == machine) found.push_back(&each);
    Interpreter::of(L).count(view.placed().size());
    std::ranges::stable_sort(found, {}, [](const ChartTask* each) { return each->slot.start; });
    lua_createtable(L, static_cast<int>(found.size()), 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
      push_computation(L, *found[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

// chart:transfers([cluster])
int transfers(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    const bool all = lua_isnoneornil(L, 2);
    const std::size_t cluster = all ? 0 : cluster_at(L, 2, view);
    std::vector<std::pair<const ChartTransfer*, std::uint32_t>> found;
    for (const ChartTask& task : view.placed())
      for (const ChartTransfer& each : task.transfers)
        if (all || each.cluster == cluster) found.emplace_back(&each, task.task);
    Interpreter::of(L).count(found.size());
    std::ranges::stable_sort(found, {}, [](const auto& each) { return each.first->slot.start; });
    lua_createtable(L, static_cast<int>(found.size()), 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
      push_transfer(L, *found[i].first, found[i].second);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

void push_free(lua_State* L, const Timeline& line) {
  lua_createtable(L, static_cast<int>(line.free().size()), 0);
  lua_Integer count = 0;
  for (const Slot& each : line.free()) {
    lua_createtable(L, 0, 2);
    chart_set(L, "from", each.start);
    chart_set(L, "to", each.end);
    lua_rawseti(L, -2, ++count);
  }
}

// chart:free(machine), chart:link_free(cluster): the intervals in which nothing is planned.
int free_intervals(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    push_free(L, view.chart().host(machine_at(L, 2, view)));
    return 1;
  });
}
int link_free(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    push_free(L, view.chart().link(cluster_at(L, 2, view)));
    return 1;
  });
}

// ---- filling ----

ChartValue& chart_changeable_at(lua_State* L) {
  OfChart::checked(L);
  auto& chart = check<ChartValue>(L, 1);
  if (!chart.own)
    fail("bad_call",
         "this Gantt chart is the planner's, which can only be "
         "looked at; chart:copy() makes one that can be filled");
  if (chart.busy > 0)
    fail("bad_call",
         "this Gantt chart is being filled by a mapper; chart:copy() makes one that can be changed");
  return chart;
}

// chart:place(task, machine) -> the time when the task is complete
int place(lua_State* L) {
  return guard(L, [&] {
    ChartView& view = chart_changeable_at(L).own->view();
    const std::size_t task = task_at(L, view), machine = machine_at(L, 3, view);
    if (!(completion(view, task, machine) < kNever))
      fail("bad_call", "task {} would never be complete on machine {}", task + 1, machine + 1);
    Interpreter::of(L).count(view.waiting().size());
    lua_pushnumber(
        L, view.place(static_cast<std::uint32_t>(task), static_cast<std::uint32_t>(machine)).complete);
    return 1;
  });
}

// chart:fill(mapper [, { seed = n, count = n }]) -> the number of tasks that it placed
int fill(lua_State* L) {
  return guard(L, [&] {
    lua_settop(L, 3);
    ChartValue& chart = chart_changeable_at(L);
    const ConfigPtr config = scheduler_at(L, 2, "fill: the mapper", Role::mapper);
    std::uint64_t seed = Interpreter::of(L).cell().seed();
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
    if (!lua_isnil(L, 3)) {
      const Fields fields(L, 3, {"fill"}, map_fields::kFill);
      if (fields.has(map_fields::kSeed)) seed = static_cast<std::uint64_t>(fields.integer(map_fields::kSeed));
      Interpreter::of(L).cell().note_seed(seed);
      most = fields.integer(map_fields::kCount, most);
    }
    const Entry& entry = *config->entry;
    if (!entry.charts()) fail("bad_parameter", "fill: {} cannot choose on a Gantt chart", entry.name);
    const std::unique_ptr<ChartMapper> mapper =
        entry.make_chart_rule ? chart_mapper(entry.make_chart_rule(Arguments(*config)), std::nullopt)
                              : entry.make_chart_mapper(Arguments(*config));
    struct Busy {
      int& count;
      explicit Busy(int& of) : count(++of) {}
      ~Busy() { --count; }
    } busy(chart.busy);
    Stream stream(seed, "planner");
    ChartDraft filled(std::as_const(*chart.own));  // a copy, so that an error leaves the chart unchanged
    std::int64_t placed = 0;
    for (; placed < most && !filled.view().waiting().empty(); ++placed) {
      Interpreter::of(L).count(filled.view().waiting().size());
      const ChartChoice next = mapper->next(filled.view(), chart.plan, stream);
      if (next.is_none()) break;
      filled.view().place(next.task, next.host);
    }
    chart.own = std::make_unique<ChartDraft>(filled);
    lua_pushinteger(L, placed);
    return 1;
  });
}

int chart_copy(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    const ChartValue& chart = check<ChartValue>(L, 1);
    const ChartProblem& problem = chart_problem_of(view);
    const std::size_t entries =
        problem.tasks() * (2 + problem.clusters) + problem.files * problem.clusters / 4;
    constexpr std::size_t kStepsOfCopy = 200;
    Interpreter::of(L).count(kStepsOfCopy + entries);
    push_new(L, ChartValue{chart.call, chart.plan, chart.data, std::make_unique<ChartDraft>(view)});
    // Lua does not see the size of the chart and would collect too late.
    lua_gc(L, LUA_GCSTEP,
           static_cast<int>(std::min<std::size_t>(entries * sizeof(BestInCluster) / 1024, 1 << 20)));
    return 1;
  });
}

int chart_stream(lua_State* L) {
  return guard(L, [&] {
    OfChart::checked(L);
    push_stream(L, *check<ChartValue>(L, 1).call);
    return 1;
  });
}

int chart_text(lua_State* L) {
  return guard(L, [&] {
    const ChartValue& chart = check<ChartValue>(L, 1);
    if (!chart.call->alive) {
      host::push(L, "gantt chart of a call that is over");
      return 1;
    }
    V view = chart.view();
    host::push(L, fmt::format("gantt chart of {} tasks on {} machines in {} clusters, {} placed",
                              OfChart::tasks(view), OfChart::machines(view), chart_problem_of(view).clusters,
                              view.placed().size()));
    return 1;
  });
}

// chart:gantt([width])
int draw_chart(lua_State* L) {
  return guard(L, [&] {
    V view = OfChart::checked(L);
    print_gantt(L, as_run(view, plan_at(L)), 2);
    lua_settop(L, 1);
    return 1;
  });
}

constexpr luaL_Reg kChart[] = {
    {"tasks", of_all<OfChart, [](V v) { return OfChart::tasks(v); }>},
    {"machines", of_all<OfChart, [](V v) { return OfChart::machines(v); }>},
    {"clusters", of_all<OfChart, [](V v) { return chart_problem_of(v).clusters; }>},
    {"files", of_all<OfChart, [](V v) { return chart_problem_of(v).files; }>},
    {"now", of_all<OfChart, [](V v) { return v.chart().now(); }>},
    {"horizon", horizon},
    {"cluster", of_machine<OfChart, cluster_of>},
    {"waits", of_task<OfChart, [](V v, I t) { return v.waits(static_cast<std::uint32_t>(t)); }>},
    {"waiting", waiting},
    {"best", of_task<OfWaitingTask, best>},
    {"second", of_task<OfWaitingTask, second>},
    {"best_machine", of_task<OfWaitingTask, best_machine>},
    {"time", time},
    {"completion", of_task_and_machine<OfWaitingTask, completion>},
    {"computed", of_task_and_machine<OfWaitingTask, computed>},
    {"cluster_best", of_cluster<false>},
    {"cluster_machine", of_cluster<true>},
    {"cluster_bests", cluster_bests},
    {"first_jump", jump},
    {"ready", of_machine<OfChart, ready>},
    {"free", free_intervals},
    {"link_free", link_free},
    {"inputs", files_of<false>},
    {"outputs", files_of<true>},
    {"task_name", task_name},
    {"machine_name", machine_name},
    {"cluster_name", cluster_name},
    {"file_name", file_name},
    {"usage", usage},
    {"file_ready", file_ready},
    {"transfer_time", chart_transfer_time},
    {"plan", plan},
    {"place", place},
    {"fill", fill},
    {"machine", of_task<OfChart, placed_on>},
    {"computations", computations},
    {"transfers", transfers},
    {"makespan", of_all<OfChart, makespan>},
    {"gantt", draw_chart},
    {"copy", chart_copy},
    {"stream", chart_stream},
    {nullptr, nullptr}};
constexpr luaL_Reg kChartMeta[] = {{"__tostring", chart_text}, {nullptr, nullptr}};

}  // namespace

// Adds the functions to the table of `cost`, which is on top of the stack.
void add_charts(lua_State* L) {
  new_type<ChartValue>(L, kChart, kChartMeta);
  lua_pushcfunction(L, make_chart);
  lua_setfield(L, -2, "chart");
}

}  // namespace perigee::bindings
