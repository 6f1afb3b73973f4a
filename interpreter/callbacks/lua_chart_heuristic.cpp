// Heuristics of the script on a Gantt chart: `pick` is a key of each task that waits, `choose` says which
// task goes where.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/callbacks/lua_heuristic.h"
#include "interpreter/values/charts.h"

namespace perigee::callbacks {

namespace {

// The keys of `pick`, and the machine where `place` puts the task chosen by them.
class ChartCalls {
 public:
  explicit ChartCalls(const HeuristicAtWork& work) : work_(work) {}

  const Heuristic& heuristic() const { return work_.heuristic(); }

  // body(L), with arguments and chart at kArguments and kChart of its stack.
  template <class F>
  void with_chart(const ChartView& view, const ChartPlan& plan, Stream& stream, const Reference& function,
                  std::string_view name, F&& body) {
    task_ = BestInCluster::kNone;
    work_.in_script(
        stream,
        [&] {
          const std::size_t tasks = view.chart().problem().tasks();
          return HeuristicAtWork::Asked{
              function, name,
              task_ == BestInCluster::kNone
                  ? fmt::format("in {}, {} on a Gantt chart of {} tasks", heuristic().who(), name, tasks)
                  : fmt::format("in {}, {} for task {} of {} on a Gantt chart", heuristic().who(), name,
                                task_ + 1, tasks)};
        },
        [&](lua_State* L, const MapperCallPtr& call) {
          luaL_checkstack(L, 10, "heuristic");
          function.push(L);
          work_.arguments().push(L);
          push_new(L, ChartValue{.call = call, .plan = plan, .shown = &view});
          body(L);
        });
  }

  // Calls the function with the chart and, unless it is kNone, a task.
  void call(lua_State* L, std::uint32_t task, int results) {
    lua_pushvalue(L, kFunction);
    lua_pushvalue(L, kChart);
    if (task != BestInCluster::kNone) lua_pushinteger(L, static_cast<lua_Integer>(task) + 1);
    lua_pushvalue(L, kArguments);
    task_ = task;
    lua_call(L, task != BestInCluster::kNone ? 3 : 2, results);
  }

  void keys(const ChartView& view, const ChartPlan& plan, Stream& stream, std::vector<ChartRule::Key>& out) {
    const bool pure = heuristic().pure;
    if (view.placed().empty()) {
      known_.assign(view.chart().problem().tasks(), {});
      asked_.assign(known_.size(), 0);
    }
    out.assign(view.waiting().size(), {});
    with_chart(view, plan, stream, heuristic().pick, "pick", [&](lua_State* L) {
      for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint32_t task = view.waiting()[i];
        if (view.best_host(task) == BestInCluster::kNone) continue;
        if (!pure || asked_[task] <= view.changed(task)) {
          known_[task] = ask(L, task);
          asked_[task] = view.placed().size() + 1;
        }
        out[i] = known_[task];
      }
      if (pure) check_first(L, view, out);
    });
  }

  std::uint32_t place(const ChartView& view, const ChartPlan& plan, Stream& stream, std::uint32_t task) {
    std::uint32_t machine = 0;
    with_chart(view, plan, stream, heuristic().place, "place", [&](lua_State* L) {
      call(L, task, 1);
      machine = machine_at(L, -1, "what place returns", view, task);
    });
    return machine;
  }

  ChartChoice choose(const ChartView& view, const ChartPlan& plan, Stream& stream) {
    ChartChoice chosen;
    with_chart(view, plan, stream, heuristic().choose, "choose", [&](lua_State* L) {
      call(L, BestInCluster::kNone, 2);
      if (lua_isnil(L, -2) && lua_isnil(L, -1)) return;
      const std::size_t tasks = view.chart().problem().tasks();
      std::size_t task = 0;
      if (!lean_index(L, -2, tasks, task))
        task = place_at(L, -2, fmt::format("{}: the task that choose returns", heuristic().who()), tasks);
      chosen.task = static_cast<std::uint32_t>(task);
      if (!view.waits(chosen.task))
        fail("bad_choice",
             "{}: choose returned task {}, which does not wait; c:waiting() lists those that do",
             heuristic().who(), task + 1);
      chosen.host = machine_at(L, -1, "the machine that choose returns", view, chosen.task);
    });
    return chosen;
  }

 private:
  static constexpr int kFunction = 1, kArguments = 2, kChart = 3;  // on the stack

  ChartRule::Key ask(lua_State* L, std::uint32_t task) {
    call(L, task, 2);
    ChartRule::Key key{key_at(L, -2, heuristic().who(), task), 0};
    if (!lua_isnil(L, -1)) key.second = key_at(L, -1, heuristic().who(), task);
    lua_pop(L, 2);
    return key;
  }

  // Asks once more for the key of the task that a key declared pure has chosen.
  void check_first(lua_State* L, const ChartView& view, std::span<const ChartRule::Key> keys) {
    const ChartChoice first = cost::choose(view, keys, !heuristic().smallest);
    if (first.is_none() || asked_[first.task] == view.placed().size() + 1) return;
    const ChartRule::Key now = ask(L, first.task), then = known_[first.task];
    if (now.first != then.first || now.second != then.second)
      fail("not_pure",
           "{}: pick is not pure: for task {} it said {} before and {} now, though its "
           "completions are the same; without `pure = true` it is asked for each choice",
           heuristic().who(), first.task + 1, format_number(then.first), format_number(now.first));
  }

  std::uint32_t machine_at(lua_State* L, int index, std::string_view what, const ChartView& view,
                           std::uint32_t task) const {
    const std::size_t machines = view.chart().problem().hosts();
    std::size_t machine = 0;
    if (!lean_index(L, index, machines, machine))
      machine = place_at(L, index, fmt::format("{}: {}", heuristic().who(), what), machines);
    if (view.chart().problem().cluster[machine] == ChartProblem::kAway)
      fail("bad_choice", "{}: {} is {}, which is away", heuristic().who(), what, machine + 1);
    if (!(view.chart().completion(task, machine).complete < kNever))
      fail("bad_choice", "{}: {} is {}, where task {} would never be complete", heuristic().who(), what,
           machine + 1, task + 1);
    return static_cast<std::uint32_t>(machine);
  }

  HeuristicAtWork work_;
  std::uint32_t task_ = 0;  // the task of the call under way
  // Per task of the plan under way: its key, and how many tasks had been placed, plus one, when it was asked
  // for.
  std::vector<ChartRule::Key> known_;
  std::vector<std::size_t> asked_;
};

class LuaChartRule final : public ChartRule {
 public:
  explicit LuaChartRule(const HeuristicAtWork& work) : calls_(work) {}
  std::unique_ptr<ChartRule> clone() const override { return std::make_unique<LuaChartRule>(*this); }
  void keys(const ChartView& view, const ChartPlan& plan, Stream& stream, std::vector<Key>& out) override {
    calls_.keys(view, plan, stream, out);
  }
  bool largest_first() const override { return !calls_.heuristic().smallest; }

 private:
  ChartCalls calls_;
};

class LuaChartMapper final : public ChartMapper {
 public:
  explicit LuaChartMapper(const HeuristicAtWork& work) : calls_(work) {}
  std::unique_ptr<ChartMapper> clone() const override { return std::make_unique<LuaChartMapper>(*this); }
  ChartChoice next(const ChartView& view, const ChartPlan& plan, Stream& stream) override {
    if (calls_.heuristic().choose.valid()) return calls_.choose(view, plan, stream);
    calls_.keys(view, plan, stream, keys_);
    ChartChoice chosen = choose(view, keys_, !calls_.heuristic().smallest);
    if (!chosen.is_none()) chosen.host = calls_.place(view, plan, stream, chosen.task);
    return chosen;
  }
  void explain(const ChartView& view, const ChartPlan& plan, const ChartChoice& choice,
               MappingStep& out) const override {
    ChartMapper::explain(view, plan, choice, out);
    out.rule = fmt::format("{} has a `choose` of its own, which does not say what it compared",
                           calls_.heuristic().who());
    if (calls_.heuristic().choose.valid()) return;
    explain_keys(view, keys_, !calls_.heuristic().smallest, "key", choice, out);
    out.rule = fmt::format("the waiting task with the {} key goes where `place` says",
                           calls_.heuristic().smallest ? "smallest" : "largest");
    out.machines.better = Prefer::neither;
    out.machines.ties = {};
  }

 private:
  ChartCalls calls_;
  std::vector<ChartRule::Key> keys_;
};

}  // namespace

void set_chart_makers(Interpreter& interpreter, const std::shared_ptr<const Heuristic>& heuristic,
                      Entry& entry) {
  const auto at_work = [&interpreter, heuristic](const Arguments& arguments) {
    return HeuristicAtWork(interpreter, heuristic, arguments);
  };
  if (heuristic->pick.valid() && !heuristic->place.valid())
    entry.make_chart_rule = [at_work](const Arguments& arguments) -> std::unique_ptr<ChartRule> {
      return std::make_unique<LuaChartRule>(at_work(arguments));
    };
  else if (heuristic->pick.valid() || heuristic->choose.valid())
    entry.make_chart_mapper = [at_work](const Arguments& arguments) -> std::unique_ptr<ChartMapper> {
      return std::make_unique<LuaChartMapper>(at_work(arguments));
    };
}

}  // namespace perigee::callbacks
