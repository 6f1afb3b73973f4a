// Heuristics of the script for task graphs: `rank` or `pick` says which ready task comes next, and perhaps `place` where
// it goes; or `schedule` places all tasks itself.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/callbacks/lua_heuristic.h"
#include "interpreter/values/graph_problems.h"
#include "runtime/cost/graph_choice.h"
#include "runtime/cost/graph_explain.h"
#include "runtime/cost/graph_schedule.h"
#include "runtime/kernel/constants.h"

namespace perigee::callbacks {

namespace {

class LuaGraphScheduler final : public GraphScheduler {
 public:
  explicit LuaGraphScheduler(const HeuristicAtWork& work) : work_(work), stream_(0, work_.heuristic().name) {}

  std::unique_ptr<GraphScheduler> clone() const override {
    return std::make_unique<LuaGraphScheduler>(*this);
  }

  void reseed(const Stream& stream) override { stream_ = stream.sub(hash_name(heuristic().name)); }

  void schedule(const GraphProblem& problem, GraphPlan& out) override {
    const GraphCosts costs(problem);
    GraphSchedule schedule(problem, heuristic().fit);
    if (heuristic().schedule.valid())
      place_all(costs, schedule);
    else
      in_script(costs, schedule, stream_, [&] { place_each(schedule); });
    schedule.write(out);
  }

  // The functions are asked again, with a copy of the stream.
  void explain(const GraphProblem& problem, const GraphPlan& plan, std::size_t task,
               GraphStep& out) override {
    const GraphCosts costs(problem);
    const GraphSchedule nothing(problem, heuristic().fit),
        before = before_graph_step(problem, plan, task, heuristic().fit, out);
    if (heuristic().schedule.valid() || heuristic().place.valid())
      show_finishes(before, task, out);
    else
      compare_finishes(before, task, out);
    if (heuristic().schedule.valid()) {
      out.rule = fmt::format("{} has a `schedule` of its own, which does not say what it compared",
                             heuristic().who());
      return;
    }
    Stream stream = stream_;
    const bool ranked = heuristic().rank.valid();
    std::vector<double> keys(problem.tasks());
    in_script(costs, ranked ? nothing : before, stream, [&] {
      for (std::uint32_t t = 0; t < keys.size(); ++t)
        if (before.is_ready(t)) keys[t] = key(t);
    });
    compare_ready(before, keys, ranked ? "rank" : "key", out);
    out.tasks.better = heuristic().smallest ? Prefer::smallest : Prefer::largest;
    out.rule =
        fmt::format("the ready task with the {} {} goes {}", heuristic().smallest ? "smallest" : "largest",
                    ranked ? "rank" : "key",
                    heuristic().place.valid() ? "where `place` says" : "to the machine that ends it first");
  }

 private:
  const Heuristic& heuristic() const { return work_.heuristic(); }

  // body(), in which functions of the script can be asked about this schedule.
  template <class F>
  void in_script(const GraphCosts& costs, const GraphSchedule& schedule, Stream& stream, F&& body) {
    task_ = kUnmapped;
    asked_ = heuristic().rank.valid() ? "rank" : "pick";
    const auto asked = [&]() -> HeuristicAtWork::Asked {
      const std::size_t tasks = costs.tasks();
      return {function(), asked_,
              task_ == kUnmapped
                  ? fmt::format("in {}, {} of {} tasks", heuristic().who(), asked_, tasks)
                  : fmt::format("in {}, {} for task {} of {}", heuristic().who(), asked_, task_ + 1, tasks)};
    };
    work_.in_script(stream, asked, [&](lua_State* L, const MapperCallPtr& call) {
      luaL_checkstack(L, 10, "heuristic");
      L_ = L;
      push_new(L,
               GraphProblemValue{.call = call, .data = {}, .costs = &costs, .own = {}, .shown = &schedule});
      work_.arguments().push(L);
      body();
    });
  }
  static constexpr int kProblem = 1, kArguments = 2;  // on the stack

  const Reference& function() const {
    return asked_ == "place" ? heuristic().place : asked_ == "rank" ? heuristic().rank : heuristic().pick;
  }

  // Calls the function of that name; its answer is on top of the stack.
  void ask(std::string_view name, std::uint32_t task) {
    asked_ = name;
    task_ = task;
    function().push(L_);
    lua_pushvalue(L_, kProblem);
    lua_pushinteger(L_, static_cast<lua_Integer>(task) + 1);
    lua_pushvalue(L_, kArguments);
    lua_call(L_, 3, 1);
  }

  double key(std::uint32_t task) {
    ask(heuristic().rank.valid() ? "rank" : "pick", task);
    const double key = key_at(L_, -1, heuristic().who(), task, asked_);
    lua_pop(L_, 1);
    return key;
  }
  // The greatest of these comes first.
  double priority(std::uint32_t task) { return heuristic().smallest ? -key(task) : key(task); }

  void place(GraphSchedule& schedule, std::uint32_t task) {
    if (!heuristic().place.valid()) return schedule.place(task, schedule.least_finish(task).machine);
    ask("place", task);
    const GraphProblem& problem = schedule.problem();
    std::size_t machine = 0;
    if (!lean_index(L_, -1, problem.machines, machine))
      machine = place_at(L_, -1, fmt::format("{}: what place returns", heuristic().who()), problem.machines);
    if (!(problem.time(task, machine) < kInfinity))
      fail("bad_place", "{}: place chose machine {} for task {}, which cannot run there", heuristic().who(),
           machine + 1, task + 1);
    lua_pop(L_, 1);
    schedule.place(task, machine);
  }

  void place_each(GraphSchedule& schedule) {
    const std::size_t tasks = schedule.problem().tasks();
    if (heuristic().rank.valid()) {
      std::vector<double> priorities(tasks, 0);
      for (std::uint32_t task = 0; task < tasks; ++task)
        if (schedule.placeable(task)) priorities[task] = priority(task);
      return place_by_priority(schedule, priorities, [&](std::uint32_t task) { place(schedule, task); });
    }
    for (std::vector<std::uint32_t> ready = schedule.ready_tasks(); !ready.empty();
         ready = schedule.ready_tasks()) {
      std::vector<double> keys;
      for (const std::uint32_t task : ready) keys.push_back(-priority(task));
      const std::size_t first = first_least(keys);
      place(schedule, ready[first == kNoChoice ? 0 : first]);
    }
  }

  void place_all(const GraphCosts& costs, GraphSchedule& schedule) {
    const std::string who = heuristic().who();
    const auto asked = [&]() -> HeuristicAtWork::Asked {
      return {
          heuristic().schedule, "schedule",
          fmt::format("in {}, schedule of {} tasks on {} machines", who, costs.tasks(), costs.machines())};
    };
    work_.in_script(stream_, asked, [&](lua_State* L, const MapperCallPtr& call) {
      luaL_checkstack(L, 10, "heuristic");
      push_new(L, GraphProblemValue{.call = call,
                                    .data = {},
                                    .costs = &costs,
                                    .own = std::make_unique<GraphSchedule>(std::move(schedule))});
      heuristic().schedule.push(L);
      lua_pushvalue(L, -2);
      work_.arguments().push(L);
      lua_call(L, 2, 1);
      if (lua_isnil(L, -1)) lua_pop(L, 1);  // the problem that it was given
      const auto* answer = test<GraphProblemValue>(L, -1);
      if (answer == nullptr || answer->call != call)
        fail(
            "bad_schedule",
            "{}: schedule must return nothing, or the copy of its problem on which the tasks are placed, got {}",
            who, shown(L, -1));
      schedule = answer->schedule();
      for (std::size_t t = 0; t < costs.tasks(); ++t)
        if (schedule.placeable(t) && !schedule.is_placed(t))
          fail("bad_schedule", "{}: schedule left task {} without a machine; it must place all that can run",
               who, t + 1);
    });
  }

  HeuristicAtWork work_;
  Stream stream_;
  // The call under way.
  lua_State* L_ = nullptr;
  std::string_view asked_;
  std::uint32_t task_ = kUnmapped;
};

}  // namespace

void set_graph_maker(Interpreter& interpreter, const std::shared_ptr<const Heuristic>& heuristic,
                     Entry& entry) {
  entry.make_graph_scheduler = [&interpreter,
                                heuristic](const Arguments& arguments) -> std::unique_ptr<GraphScheduler> {
    return std::make_unique<LuaGraphScheduler>(HeuristicAtWork(interpreter, heuristic, arguments));
  };
}

}  // namespace perigee::callbacks
