// sim:why(work), sim:why_not(work, host), for results too: the candidates of a decision, and the rule that
// decided.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/simulation.h"
#include "interpreter/bindings/run/why.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/bindings/tables.h"
#include "runtime/results/explanation.h"
#include "runtime/schedulers/reasons.h"

namespace perigee::bindings {

struct DecisionValue {
  Decision decision;
  std::shared_ptr<const Platform> platform;
  std::shared_ptr<const Workload> workload;
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::DecisionValue> {
  static constexpr const char* value = "decision";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

// Error where the number of a work of a stream is not that of one that is remembered.
void check_remembered(std::int64_t number, const Workload& workload, bool streams, std::string_view what) {
  const auto first = static_cast<std::int64_t>(workload.works.first());
  if (number <= first)
    fail(
        "forgotten",
        "{}: work {} is forgotten, as the first {} works of the stream are, which are settled; a run with trace = "
        "\"full\" keeps them, and sim:back_to makes them anew",
        what, number, first);
  if (streams && number > static_cast<std::int64_t>(workload.size()))
    fail("unknown_name", "{}: the stream has not made work {} yet; it has made {}", what, number,
         workload.size());
}

// The number in a name that the workload gives, such as "task 3" or "job 12"; 0 = it is none.
std::int64_t number_in(std::string_view name) {
  for (const WorkKind kind : {WorkKind::task, WorkKind::job, WorkKind::load}) {
    const std::string_view word = name_of(kind);
    std::int64_t number = 0;
    if (!name.starts_with(word) || name.size() < word.size() + 2 || name[word.size()] != ' ') continue;
    const auto [end, error] =
        std::from_chars(name.data() + word.size() + 1, name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size() && number > 0) return number;
  }
  return 0;
}

// Reads a work: a number, or a name such as "task 3". `streams`: more works may come from a stream.
WorkId why_work_at(lua_State* L, int index, const Workload& workload, bool streams, std::string_view what) {
  const std::size_t first = workload.works.first();
  if (const auto name = text_at(L, index)) {
    std::vector<std::size_t> called;
    for (std::size_t w = first; w < workload.size(); ++w)
      if (workload.name_of(WorkId(w)) == *name) called.push_back(w);
    if (called.size() > 1)
      fail("ambiguous_name",
           "{}: {} works are called '{}', the first ones are number {} and {}; give a number", what,
           called.size(), *name, called[0] + 1, called[1] + 1);
    if (!called.empty()) return WorkId(called.front());
    if (const std::int64_t number = number_in(*name); number > 0 && (streams || first > 0))
      check_remembered(number, workload, streams, what);
    std::vector<std::string> names;
    for (std::size_t w = first; w < workload.size(); ++w) names.push_back(workload.name_of(WorkId(w)));
    fail("unknown_name", "{}: there is no work '{}'{}", what, *name, did_you_mean(*name, names));
  }
  if (lua_isinteger(L, index) != 0 && lua_tointeger(L, index) > 0 && (streams || first > 0))
    check_remembered(lua_tointeger(L, index), workload, streams, what);
  return WorkId(
      integer_at(L, index, fmt::format("{}: the work", what), 1, static_cast<std::int64_t>(workload.size())) -
      1);
}

HostId why_host_at(lua_State* L, int index, const Platform& platform, std::string_view what) {
  const std::span<const Host> hosts = platform.hosts();
  if (const auto name = text_at(L, index)) {
    std::vector<std::string> names;
    for (std::size_t h = 0; h < hosts.size(); ++h) {
      if (hosts[h].name == *name) return HostId(h);
      names.push_back(hosts[h].name);
    }
    constexpr std::size_t kMost = 12;
    const std::string nearest = did_you_mean(*name, names);
    const bool all = names.size() <= kMost;
    names.resize(std::min(names.size(), kMost));
    if (!nearest.empty()) fail("unknown_name", "{}: there is no host '{}'{}", what, *name, nearest);
    fail("unknown_name", "{}: there is no host '{}'; there are {}{}", what, *name, fmt::join(names, ", "),
         all ? "" : ", ...");
  }
  return HostId(
      integer_at(L, index, fmt::format("{}: the host", what), 1, static_cast<std::int64_t>(hosts.size())) -
      1);
}

// Runs the simulation again from before the work's arrival. Its callbacks print nothing, for they printed it
// before.
Decision ask(Interpreter& interpreter, const Simulation& now, const History& history, WorkId work) {
  did_work(steps_to_copy(now) + steps_to_repeat(now.events()));
  const Interpreter::InRun in_run(interpreter);
  const Interpreter::Repeating repeating(interpreter);
  const Interpreter::Advancing advancing(interpreter);
  bool interrupted = false;
  const auto look = [&](const Simulation&) {
    interrupted = interrupted || interpreter.asked_to_stop(true);
    return !interrupted;
  };
  Decision decision;
  say_when(now, [&] {
    const Time from = arrival_of(now.trace(), work);
    Simulation again = history.before(from, look);
    if (interrupted) return;
    const auto step = history.step_from(from);
    decision = why(now, work, std::move(again), [&, done = std::uint64_t{0}](Simulation& past) mutable {
      step(past);
      if (++done % kOften == 0 && !look(past)) stop_between(interpreter, now);
    });
  });
  if (interrupted) stop_between(interpreter, now);
  return decision;
}

// The decision of argument 1, a simulation or a result, about the work that is argument 2.
DecisionValue decision_at(lua_State* L, std::string_view what) {
  Interpreter& interpreter = Interpreter::of(L);
  const auto answer = [&](const Simulation& now, const History& history) -> DecisionValue {
    const Scenario& scenario = now.scenario();
    const WorkId work = why_work_at(L, 2, *scenario.workload, scenario.stream != nullptr, what);
    return {ask(interpreter, now, history, work), scenario.platform, scenario.workload};
  };
  if (auto* result = test<ResultValue>(L, 1)) {
    if (!result->history)
      fail("bad_call", "{}: only results of s:run, and of simulations that s:start began, can be asked",
           what);
    const std::shared_ptr<const History> history = result->history;
    const Time end = result->outcome->end;
    did_work(steps_to_repeat(result->outcome->events));
    const Interpreter::InRun in_run(interpreter);
    const Interpreter::Repeating repeating(interpreter);
    return answer(history->at(end), *history);
  }
  SimulationValue& value = simulation_at(L);
  const Busy busy(L, value);
  if (!value.history) fail("bad_call", "{}: only a simulation that s:start began keeps its past", what);
  if (const Simulation& now = seen(value); &now != value.simulation.get()) {
    const WorkId work = why_work_at(L, 2, now.view().workload(), now.scenario().stream != nullptr, what);
    if (now.view()[work].state != value.simulation->view()[work].state)
      return {why_changed(now, work), now.scenario().platform, now.scenario().workload};
  }
  return answer(*value.simulation, *value.history);
}

void push_name(lua_State* L, const std::string& name) { host::push(L, name); }

bool decision_property(lua_State* L, int index, std::string_view name) {
  const auto& value = check<DecisionValue>(L, index);
  const Decision& decision = value.decision;
  if (name == "time") {
    lua_pushnumber(L, decision.time);
  } else if (name == "started") {
    if (decision.started < kNever)
      lua_pushnumber(L, decision.started);
    else
      lua_pushnil(L);
  } else if (name == "action") {
    host::push(L, name_of(decision.kind));
  } else if (name == "work") {
    push_name(L, value.workload->name_of(decision.work));
  } else if (name == "chosen") {
    if (decision.host.valid())
      push_name(L, results::hosts_text(decision, *value.platform, " "));
    else
      lua_pushnil(L);
  } else if (name == "policy") {
    host::push(L, decision.policy);
  } else if (name == "reason") {
    host::push(L, schedulers::name_of(decision.reason));
  } else if (name == "rule") {
    host::push(L, decision.rule);
  } else if (name == "decided") {
    host::push(L, decision.also_on.empty() ? what_decided(decision.hosts, decision.host.index, true,
                                                          *value.platform, *value.workload)
                                           : std::string());
  } else if (name == "score") {
    host::push(L, decision.hosts.score);
  } else if (name == "better") {
    host::push(L, decision.hosts.better == Prefer::smallest  ? "smallest"
                  : decision.hosts.better == Prefer::largest ? "largest"
                                                             : "neither");
  } else if (name == "candidates") {
    push_table(L, candidates(decision.hosts, true, *value.platform, *value.workload));
  } else if (name == "works") {
    push_table(L, candidates(decision.works, false, *value.platform, *value.workload));
  } else if (name == "notes") {
    lua_createtable(L, static_cast<int>(decision.notes.size()), 0);
    for (std::size_t i = 0; i < decision.notes.size(); ++i) {
      host::push(L, decision.notes[i]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
    }
  } else {
    return false;
  }
  return true;
}

constexpr std::uint64_t kStepsOfCandidate = 20;  // steps to place a candidate among the others

int decision_text(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<DecisionValue>(L, 1);
    did_work(kStepsOfCandidate * (value.platform->hosts().size() + value.workload->size()));
    std::string text = text_of(value.decision, *value.platform, *value.workload);
    text.pop_back();  // print adds one
    host::push(L, text);
    return 1;
  });
}

// decision:why_not(host)
int decision_why_not(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<DecisionValue>(L, 1);
    const HostId host = why_host_at(L, 2, *value.platform, "why_not");
    host::push(L, results::why_not(value.decision, host, *value.platform, *value.workload));
    return 1;
  });
}

constexpr luaL_Reg kWhyMethods[] = {{"why_not", decision_why_not}, {nullptr, nullptr}};
constexpr luaL_Reg kWhyMeta[] = {{"__tostring", decision_text}, {nullptr, nullptr}};

}  // namespace

int why(lua_State* L) {
  return guard(L, [&] {
    push_new(L, decision_at(L, "why"));
    return 1;
  });
}

int why_not(lua_State* L) {
  return guard(L, [&] {
    const Platform* platform = platform_of(L, 1);
    if (platform == nullptr) wrong_type(L, 1, "why_not", "simulation or result");
    const HostId host = why_host_at(L, 3, *platform, "why_not");
    const DecisionValue value = decision_at(L, "why_not");
    host::push(L, results::why_not(value.decision, host, *value.platform, *value.workload));
    return 1;
  });
}

pages::Whys whys_of(Interpreter& interpreter, const ResultValue& result) {
  constexpr std::uint64_t kMostEvents = 3'000'000, kFewest = 20, kMost = 300;
  const Outcome& outcome = *result.outcome;
  pages::Whys whys;
  if (!result.history || outcome.trace.has_forgotten()) return whys;
  const auto most = static_cast<std::size_t>(
      std::clamp(kMostEvents / std::max<std::uint64_t>(1, outcome.events), kFewest, kMost));
  // Works that arrived, those that waited longest first.
  std::vector<Time> arrived(outcome.scenario->workload->size(), kNever), waited(arrived.size(), -1);
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    const Record& record = outcome.trace[i];
    if (!record.work.valid() || record.work.index >= arrived.size()) continue;
    if (record.kind == RecordKind::arrived) arrived[record.work.index] = record.time;
    const bool starts = record.kind == RecordKind::started && record.what == ActivityKind::compute;
    if (starts && waited[record.work.index] < 0)
      waited[record.work.index] = record.time - arrived[record.work.index];
  }
  std::vector<WorkId> works;
  for (std::size_t w = 0; w < arrived.size(); ++w)
    if (arrived[w] < kNever) works.push_back(WorkId(w));
  const std::size_t all = works.size();
  std::ranges::stable_sort(works, [&](WorkId a, WorkId b) { return waited[a.index] > waited[b.index]; });
  if (works.size() > most) works.resize(most);
  std::ranges::sort(works, {}, [](WorkId each) { return each.index; });
  try {
    const Interpreter::InRun in_run(interpreter);
    const Interpreter::Repeating repeating(interpreter);
    const Simulation end = result.history->at(outcome.end);
    for (const WorkId work : works) {
      const Decision decision = ask(interpreter, end, *result.history, work);
      whys.texts.emplace_back(work,
                              text_of(decision, *outcome.scenario->platform, *outcome.scenario->workload));
    }
  } catch (const Stopped&) {
    throw;
  } catch (const Error& error) {
    whys.left_out = fmt::format("The page does not say why: {}", error.what());
    return whys;
  }
  if (works.size() < all)
    whys.left_out = fmt::format(
        "The page says why for the {} works of {} that waited longest. For others ask r:why(\"NAME\") in the script or "
        "at the prompt.",
        works.size(), all);
  return whys;
}

void open_why(lua_State* L) {
  new_type<DecisionValue>(L, kWhyMethods, kWhyMeta, decision_property,
                          {"time", "started", "action", "work", "chosen", "policy", "reason", "rule",
                           "decided", "score", "better", "candidates", "works", "notes"});
}

}  // namespace perigee::bindings
