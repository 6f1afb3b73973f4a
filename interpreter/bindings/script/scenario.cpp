// scenario { ... } as text.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "interpreter/bindings/declare/scenario.h"
#include "interpreter/bindings/script/parts.h"
#include "interpreter/language/fields/events.h"
#include "runtime/kernel/work.h"
#include "runtime/model/work_stream.h"

namespace perigee::bindings {

namespace {

using namespace language;

struct ScenarioOf {
  const Scenario& scenario;
  const std::vector<std::string>& architectures;
};

void say_text(LuaTable& t, const FieldRow& f, std::string text) {
  if (!text.empty()) t.field(f.name, std::move(text));
}

template <OnFailure Scenario::*rule>
void say_rule(LuaTable& t, const FieldRow& f, const Scenario& of) {
  t.choice(f, static_cast<std::size_t>(of.*rule));
}
constexpr Said<Scenario> kOfRules[] = {
    {scenario_fields::kCompute, say_rule<&Scenario::compute_rule>},
    {scenario_fields::kTransfer, say_rule<&Scenario::transfer_rule>},
    {scenario_fields::kHold, say_rule<&Scenario::hold_rule>},
    {scenario_fields::kRequeueStranded,
     [](LuaTable& t, const FieldRow& f, const Scenario& of) { t.flag(f, of.requeue_stranded); }},
    {scenario_fields::kStore,
     [](LuaTable& t, const FieldRow& f, const Scenario& of) { t.choice(f, of.keeps_stores ? 0 : 1); }}};

constexpr Said<ScenarioOf> kOfScenario[] = {
    {scenario_fields::kPlatform,
     [](LuaTable& t, const FieldRow& f, const ScenarioOf& of) {
       say_text(t, f, script_of(*of.scenario.platform, of.architectures));
     }},
    {scenario_fields::kWorkload,
     [](LuaTable& t, const FieldRow& f, const ScenarioOf& of) {
       say_text(t, f, workload_text(of.scenario, of.architectures));
     }},
    {scenario_fields::kEvents,
     [](LuaTable& t, const FieldRow& f, const ScenarioOf& of) {
       say_text(t, f, events_text(of.scenario, of.architectures));
     }},
    {scenario_fields::kOnFailure,
     [](LuaTable& t, const FieldRow& f, const ScenarioOf& of) {
       LuaTable rules;
       say_all<Scenario>(rules, kOfRules, of.scenario);
       if (!rules.empty()) t.field(f.name, rules.text());
     }},
    {scenario_fields::kAtLimit,
     [](LuaTable& t, const FieldRow& f, const ScenarioOf& of) {
       t.choice(f, static_cast<std::size_t>(of.scenario.at_limit));
     }},
    {scenario_fields::kQueues,
     [](LuaTable& t, const FieldRow& f, const ScenarioOf& of) { say_text(t, f, queues_text(of.scenario)); }},
    {scenario_fields::kQos,
     [](LuaTable& t, const FieldRow& f, const ScenarioOf& of) { say_text(t, f, qos_text(of.scenario)); }}};

// All works of a stream.
Workload drained(const model::WorkStream& stream, const Platform& platform) {
  const std::unique_ptr<model::WorkStream> own = stream.clone();
  Workload all, made;
  all.architectures = static_cast<std::uint32_t>(own->architectures());
  for (own->next(made); !made.works.empty(); own->next(made)) {
    did_work(made.works.count());
    if (all.works.size() + made.works.count() > kMostWrittenWorks)
      fail("too_large", "the stream gives more than {} works, too many for a text", kMostWrittenWorks);
    const auto extras = static_cast<std::uint32_t>(all.extras.size()),
               times = static_cast<std::uint32_t>(all.times.size());
    for (Work work : made.works) {
      if (work.times != model::kNone) work.times += times;
      if (work.estimates != model::kNone) work.estimates += times;
      if (work.extra != model::kNone) work.extra += extras;
      all.works.push_back(work);
    }
    all.times.insert(all.times.end(), made.times.begin(), made.times.end());
    all.extras.insert(all.extras.end(), made.extras.begin(), made.extras.end());
  }
  all.users.assign(own->users().begin(), own->users().end());
  all.queues = own->queues();
  all.check(platform);
  return all;
}

}  // namespace

std::string script_of(const Scenario& scenario, const std::vector<std::string>& architectures) {
  LuaTable table;
  say_all<ScenarioOf>(table, kOfScenario, {scenario, architectures});
  return "scenario " + table.lines();
}

std::string script_of(lua_State* L, ScenarioValue& scenario, std::uint64_t seed) {
  const std::shared_ptr<const Scenario> made = scenario_for(L, scenario, seed);
  did_work(20 * made->workload->size() + made->happenings.size());
  if (made->stream == nullptr) return script_of(*made, scenario.platform.architectures);
  Scenario whole = *made;
  whole.workload = std::make_shared<const Workload>(drained(*made->stream, *made->platform));
  whole.stream = nullptr;
  return script_of(whole, scenario.platform.architectures);
}

std::vector<WrittenWord> written_words() {
  std::vector<WrittenWord> words;
  words.push_back({"scenario", scenario_fields::kAll, {}});
  add_names(words.back().writes, kOfScenario);
  words.push_back({"on_failure", scenario_fields::kRulesOnFailure, {}});
  add_names(words.back().writes, kOfRules);
  add_platform_words(words);
  add_workload_words(words);
  add_queue_words(words);
  add_event_words(words);
  add_problem_words(words);
  return words;
}

}  // namespace perigee::bindings
