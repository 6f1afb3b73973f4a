// The methods of `sim` about works that wait for others, and about who has their files.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/bindings/run/policy_sim.h"
#include "interpreter/values/graph_problems.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/schedulers/workflow/present_graph.h"

namespace perigee::bindings {

namespace {

void push_graph_numbers(lua_State* L, std::span<const std::uint32_t> numbers) {
  lua_createtable(L, static_cast<int>(numbers.size()), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>(numbers[i]) + 1);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

using workflow::Promise;

using Neighbours = std::span<const std::uint32_t> (Precedence::*)(std::size_t) const;

template <Neighbours neighbours>
int neighbours_of(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const auto& precedence = sim.view().workload().precedence;
    push_graph_numbers(
        L, precedence != nullptr ? (*precedence.*neighbours)(work.index) : std::span<const std::uint32_t>{});
  });
}

int is_ready(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const WorkState state = sim.view()[work].state;
    lua_pushboolean(L, state != WorkState::future && sim.is_ready(work) ? 1 : 0);
  });
}

int workflow(lua_State* L) {
  return of_work(L, [&](Sim& sim, WorkId work) {
    const std::uint32_t number = sim.view().workload().workflow_of(work);
    lua_pushinteger(L, number == model::kNone ? 0 : static_cast<lua_Integer>(number) + 1);
  });
}

// sim:workflow_tasks(workflow)
int workflow_tasks(lua_State* L) {
  return guard(L, [&] {
    const auto& workflows = sim_at(L).view().workload().workflows;
    const auto number = integer_at(L, 2, "workflow_tasks: workflow", 1, std::ssize(workflows));
    const model::Workflow& found = workflows[static_cast<std::size_t>(number) - 1];
    lua_createtable(L, static_cast<int>(found.tasks), 0);
    for (std::uint32_t i = 0; i < found.tasks; ++i) {
      lua_pushinteger(L, static_cast<lua_Integer>(found.first.index) + i + 1);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
    return 1;
  });
}

// sim:holders(file): the clusters that have it, ascending, after 0 where the origin has it.
int holders(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const FileId file = file_at(L, 2, sim);
    lua_newtable(L);
    lua_Integer count = 0;
    const auto add = [&](lua_Integer holder) {
      lua_pushinteger(L, holder);
      lua_rawseti(L, -2, ++count);
    };
    if (sim.at_home(file)) add(0);
    for (std::size_t c = 0; c < sim.view().platform().clusters().size(); ++c)
      if (sim.in_store(file, ClusterId(c))) add(static_cast<lua_Integer>(c) + 1);
    return 1;
  });
}

// When posted works are expected to run: they keep the order of their queue on each host, and wait for their data.
std::vector<std::pair<WorkId, Promise>> promised(Sim& sim) {
  struct Queue {
    std::vector<std::uint32_t> tasks, machines;
    std::size_t placed = 0;
  };
  std::vector<Queue> queues(sim.view().hosts().size());
  std::vector<WorkId> works;
  for (std::size_t h = 0; h < queues.size(); ++h) {
    if (!sim.view()[HostId(h)].up) continue;
    for (const ActivityId id : sim.queued_on(ResourceId::of(HostId(h)))) {
      const auto activity = sim.activity(id);
      if (!activity || activity->kind != ActivityKind::compute || !activity->work.valid()) continue;
      queues[h].tasks.push_back(static_cast<std::uint32_t>(works.size()));
      works.push_back(activity->work);
    }
  }
  if (works.empty()) return {};
  const GraphProblem present = workflow::present_graph(sim, works);
  for (std::uint32_t m = 0; m < present.hosts.size(); ++m)
    queues[present.hosts[m].index].machines.push_back(m);
  GraphSchedule schedule(present, GraphFit::append);
  const auto place = [&](const Queue& queue, std::uint32_t task) {
    const std::size_t m = first_least(
        queue.machines.size(), [&](std::size_t i) { return schedule.finish(task, queue.machines[i]); });
    if (m != kNoChoice) schedule.place(task, queue.machines[m]);
    return m != kNoChoice;
  };
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (Queue& queue : queues)
      for (; queue.placed < queue.tasks.size(); ++queue.placed) {
        const std::uint32_t task = queue.tasks[queue.placed];
        if (!schedule.is_placed(task) && (!schedule.is_ready(task) || !place(queue, task))) break;
        goes_on = true;
      }
    // The head of each queue waits for one that is not a head: the lowest that is ready comes first.
    for (Queue& queue : queues)
      for (std::size_t i = queue.placed; !goes_on && i < queue.tasks.size(); ++i)
        goes_on = schedule.is_ready(queue.tasks[i]) && place(queue, queue.tasks[i]);
  }
  std::vector<std::pair<WorkId, Promise>> promises;
  for (std::uint32_t task = 0; task < works.size(); ++task)
    if (schedule.is_placed(task)) {
      const GraphPlacement& planned = schedule.planned(task);
      promises.emplace_back(works[task],
                            Promise{present.hosts[planned.machine], planned.start, planned.finish});
    }
  return promises;
}

// sim:graph([workflow]): the tasks that have arrived and that nobody has given to a host, as a graph problem
int graph_of_sim(lua_State* L) {
  return guard(L, [&] {
    Sim& sim = sim_at(L);
    const View& view = sim.view();
    const auto& workflows = view.workload().workflows;
    std::optional<std::uint32_t> only;
    if (!lua_isnoneornil(L, 2))
      only = static_cast<std::uint32_t>(integer_at(L, 2, "graph: workflow", 1, std::ssize(workflows)) - 1);
    std::vector<WorkId> works;
    for (const WorkId work : workflow::left_works(view))
      if (view.workload()[work].kind == WorkKind::task &&
          (!only || view.workload().workflow_of(work) == *only))
        works.push_back(work);
    push_new(L, GraphProblemValue::of(
                    std::make_shared<GraphProblemData>(workflow::present_graph(sim, works, promised(sim)))));
    return 1;
  });
}

constexpr luaL_Reg kPrecedence[] = {{"predecessors", neighbours_of<&Precedence::predecessors>},
                                    {"successors", neighbours_of<&Precedence::successors>},
                                    {"is_ready", is_ready},
                                    {"workflow", workflow},
                                    {"workflow_tasks", workflow_tasks},
                                    {"holders", holders},
                                    {"graph", graph_of_sim}};

}  // namespace

std::span<const luaL_Reg> precedence_of_sim() { return kPrecedence; }

}  // namespace perigee::bindings
