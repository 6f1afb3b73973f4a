// scenario { platform =, workload =, events = { outage { ... }, ... }, on_failure = { ... } }
#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>

#include "interpreter/bindings/declare/scenario.h"

#include "interpreter/bindings/declare/events.h"
#include "interpreter/bindings/declare/queues.h"
#include "interpreter/bindings/declare/workload/stream.h"
#include "interpreter/bindings/declare/workload/workload.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/language/fields/events.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

namespace {

int make_scenario(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"scenario"}, scenario_fields::kAll);
    auto value = std::make_shared<ScenarioValue>();
    if (!fields.push(scenario_fields::kPlatform)) fields.fail(nullptr, "'platform' is missing");
    value->platform = check<PlatformValue>(L, -1, "scenario: platform");
    if (!fields.push(scenario_fields::kWorkload)) fields.fail(nullptr, "'workload' is missing");
    const auto& work = check<WorkloadValue>(L, -1, "scenario: workload");
    did_work(work.steps_to_copy());
    value->workload = work;
    lua_pop(L, 2);
    value->base.platform = value->platform.platform;
    if (fields.push(scenario_fields::kEvents)) {
      read_events_of(L, lua_gettop(L), value->platform, value->base);
      lua_pop(L, 1);
    }
    value->queues = queues_at(fields, value->platform);
    value->base.at_limit = static_cast<AtLimit>(fields.choice(scenario_fields::kAtLimit));
    if (fields.push(scenario_fields::kOnFailure)) {
      const Fields rules(L, -1, {"scenario: on_failure"}, scenario_fields::kRulesOnFailure);
      const auto rule = [&](const FieldRow& field) { return static_cast<OnFailure>(rules.choice(field)); };
      value->base.compute_rule = rule(scenario_fields::kCompute);
      value->base.transfer_rule = rule(scenario_fields::kTransfer);
      value->base.hold_rule = rule(scenario_fields::kHold);
      value->base.keeps_stores = rules.choice(scenario_fields::kStore) == 0;
      value->base.requeue_stranded = rules.flag(scenario_fields::kRequeueStranded);
      lua_pop(L, 1);
    }
    {
      Scenario checked = value->base;
      checked.workload = std::make_shared<const Workload>();
      checked.check();
    }
    push_new(L, ScenarioPtr(std::move(value)));
    return 1;
  });
}

int scenario_text(lua_State* L) {
  return guard(L, [&] {
    const ScenarioValue& value = *check<ScenarioPtr>(L, 1);
    host::push(L, fmt::format("scenario of {} of work on {} hosts", value.workload.pieces(),
                              value.platform.platform->hosts().size()));
    return 1;
  });
}

bool scenario_property(lua_State* L, int index, std::string_view name) {
  const ScenarioValue& value = *check<ScenarioPtr>(L, index);
  if (name == "platform")
    push_new(L, value.platform);
  else if (name == "workload") {
    did_work(value.workload.steps_to_copy());
    push_new(L, value.workload);
  } else
    return false;
  return true;
}

constexpr luaL_Reg kScenarioMeta[] = {{"__tostring", scenario_text}, {nullptr, nullptr}};

}  // namespace

extern const luaL_Reg kScenarioMethods[];  // run, start, compare: simulation.cpp

std::shared_ptr<const Scenario> scenario_for(lua_State* L, ScenarioValue& scenario, std::uint64_t seed) {
  Interpreter& interpreter = Interpreter::of(L);
  const bool stopped = interpreter.stopped();  // by Ctrl-C: the run under way is kept, which nobody pays for
  const std::uint64_t before = stopped ? 0 : interpreter.settle_steps();
  if (scenario.last && scenario.last->seed == seed) {
    interpreter.note_reads(scenario.last->reads);
    if (!stopped) interpreter.spend(scenario.last->steps);
    return scenario.last->scenario;
  }
  if (scenario.realizing) fail("bad_call", "a generator of the workload cannot run its own scenario");
  struct Flag {
    bool& on;
    explicit Flag(bool& flag) : on(flag) { on = true; }
    ~Flag() { on = false; }
  };
  const Flag flag(scenario.realizing);
  const CellState::Reading reading(interpreter.cell());
  auto made = std::make_shared<Scenario>(scenario.base);
  made->workload = std::make_shared<const Workload>(
      realize(L, scenario.workload, scenario.platform, seed, nullptr, scenario.queues));
  made->stream = stream_of(L, scenario.workload, scenario.platform, scenario.queues, seed);
  try {
    made->check();
  } catch (const Error& error) {
    Diagnostic diagnostic = error.diagnostic();
    if (!diagnostic.where.known() && !scenario.workload.parts.empty())
      diagnostic.where = scenario.workload.parts.front().declared_at;
    throw Error(std::move(diagnostic));
  }
  std::shared_ptr<const Scenario> shared = std::move(made);
  scenario.last = ScenarioValue::Realized{seed, shared, reading.reads(), interpreter.settle_steps() - before};
  return shared;
}

void open_scenario(lua_State* L) {
  new_type<ScenarioPtr>(L, kScenarioMethods, kScenarioMeta, scenario_property, {"platform", "workload"});
  define(L, "scenario", make_scenario);
  open_events(L);
}

}  // namespace perigee::bindings
