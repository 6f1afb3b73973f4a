// Functions of a script as values of a scheduler's parameters: switch { when = function(problem) ... end, ...
// }, amra { runs_in_round = function(round, state) ... end }, easy { host = function(sim, work, hosts) ... end }.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <type_traits>

#include "interpreter/callbacks/lua_policy.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/language/check_names.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/surroundings.h"
#include "interpreter/values/graph_problems.h"
#include "interpreter/values/mappings.h"
#include "interpreter/values/schedulers.h"
#include "runtime/schedulers/realtime/period_state.h"
#include "runtime/schedulers/sweep/round_state.h"

namespace perigee::callbacks {

// `state` in a function of (round, state) or (period, state). Valid while the function runs.
struct RoundView {
  const sweep::RoundState* state = nullptr;
};
struct PeriodView {
  const realtime::PeriodState* state = nullptr;
};

}  // namespace perigee::callbacks

namespace perigee::host {

template <>
struct TypeName<callbacks::RoundView> {
  static constexpr const char* value = "round state";
};
template <>
struct TypeName<callbacks::PeriodView> {
  static constexpr const char* value = "period state";
};

}  // namespace perigee::host

namespace perigee::callbacks {

namespace {

// NaN is nil: there is nothing to tell.
bool push_number(lua_State* L, double value) {
  lua_Integer whole = 0;
  if (std::isnan(value))
    lua_pushnil(L);
  else if (lua_numbertointeger(value, &whole) && static_cast<double>(whole) == value)
    lua_pushinteger(L, whole);
  else
    lua_pushnumber(L, value);
  return true;
}
bool push_rule_list(lua_State* L, std::span<const double> values) {
  lua_createtable(L, static_cast<int>(values.size()), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    lua_pushnumber(L, values[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
  return true;
}

const std::vector<std::string> kRoundFields = {"time", "runs", "dealt", "undealt", "trials", "quota",
                                               "enpr", "npp",  "host",  "name",    "cores",  "slots"};

// Pushes a field of the sweep and of the current host. Without a current host the field covers all hosts by
// number.
bool round_field(lua_State* L, int index, std::string_view name) {
  if (std::ranges::find(kRoundFields, name) == kRoundFields.end()) return false;
  const sweep::RoundState* state = check<RoundView>(L, index).state;
  if (state == nullptr) fail("stale", "this state belongs to a call that is over");
  const Workload& workload = state->view.workload();
  if (name == "time") return push_number(L, state->view.now());
  if (name == "runs") return push_number(L, state->runs);
  if (name == "dealt") return push_number(L, state->dealt);
  if (name == "undealt") return push_number(L, state->runs - state->dealt);
  if (name == "trials") return push_number(L, workload.extras[workload[state->work].extra].trials);
  if (name == "quota") {
    if (std::isnan(state->quota))
      fail("unknown_field",
           "the runs of the round are what this function says: its state has no 'quota' yet");
    return push_number(L, state->quota);
  }
  const bool one = state->host.valid();
  if (name == "enpr")
    return one ? push_number(L, state->power.enpr(state->host)) : push_rule_list(L, state->power.enpr());
  if (name == "npp")
    return one ? push_number(L, state->power.npp(state->host)) : push_rule_list(L, state->power.npp());
  if (!one)
    fail("unknown_field",
         "this function is asked for all hosts together: its state has no '{}', and lists in enpr and npp",
         name);
  const Host& host = state->view.platform()[state->host];
  if (name == "host") return push_number(L, state->host.index + 1.0);
  if (name == "cores") return push_number(L, host.cores);
  if (name == "slots") return push_number(L, host.slots);
  host::push(L, host.name);
  return true;
}

using PeriodNumber = std::pair<std::string_view, double realtime::PeriodState::*>;
constexpr PeriodNumber kPeriodNumbers[] = {{"bound", &realtime::PeriodState::bound},
                                           {"miss_ratio", &realtime::PeriodState::miss_ratio},
                                           {"misses", &realtime::PeriodState::misses},
                                           {"resolved", &realtime::PeriodState::resolved},
                                           {"arrived", &realtime::PeriodState::arrived},
                                           {"rejected", &realtime::PeriodState::rejected},
                                           {"utilization", &realtime::PeriodState::utilization}};

std::vector<std::string> period_fields() {
  std::vector<std::string> names = {"time"};
  for (const auto& [name, member] : kPeriodNumbers) names.emplace_back(name);
  return names;
}

bool period_field(lua_State* L, int index, std::string_view name) {
  const auto found = std::ranges::find(kPeriodNumbers, name, &PeriodNumber::first);
  if (name != "time" && found == std::end(kPeriodNumbers)) return false;
  const realtime::PeriodState* state = check<PeriodView>(L, index).state;
  if (state == nullptr) fail("stale", "this state belongs to a call that is over");
  return push_number(L, name == "time" ? state->view.now() : state->*found->second);
}

// The `sim` that a function of (sim, work) is shown. It looks only; what it draws is of the run's streams.
struct SimOfRule final : SimOwner {
  std::map<std::string, Reference> streams;
  Reference object;  // keeps the view alive
  SimView* view = nullptr;

  Reference& stream(const std::string& name) override { return streams[name]; }
  void consider(Considered) override {}
  void push(lua_State* L, Sim& sim, WorkId work) {
    view = &push_new(L, SimView{.sim = &sim, .owner = this, .looks_only = true});
    object = Reference(L, -1);
    lua_pushinteger(L, static_cast<lua_Integer>(work.index) + 1);
  }
  void expire(lua_State* L) {
    if (view != nullptr) view->sim = nullptr;
    for (auto& [name, stream] : streams) {
      if (!stream.valid()) continue;
      stream.push(L);
      if (auto* random = test<RandomValue>(L, -1)) random->borrowed = nullptr;
      lua_pop(L, 1);
    }
  }
};

class LuaRule final : public Rule {
 public:
  LuaRule(Interpreter& interpreter, std::string text, const Reference& function)
      : interpreter_(&interpreter), text_(std::move(text)), function_(function) {
    surroundings_->add("function", function);
  }

  std::unique_ptr<Rule> clone() const override {
    interpreter_->traces().check_fork(interpreter_->running(), run_, text_, *surroundings_);
    auto copy = std::make_unique<LuaRule>(*this);
    copy->run_ = interpreter_->traces().new_run();
    return copy;
  }

  std::string text() const override { return text_; }

  Answer ask(const MappingProblem& problem) override {
    struct Shown {
      MapperCallPtr call = std::make_shared<MapperCall>();
      ~Shown() { call->alive = false; }
    } shown_problem;
    return answer(
        [&](lua_State* L) {
          push_new(L, ProblemValue{shown_problem.call, nullptr, Draft(problem), 1});  // to be looked at
          return 1;
        },
        "true or false, a number or a name",
        fmt::format("for {} tasks on {} machines", problem.tasks, problem.machines));
  }

  Answer ask_graph(const GraphView& view, std::size_t task) override {
    return of_graph(view, task, std::nullopt);
  }
  Answer ask_graph(const GraphView& view, std::size_t task, std::size_t machine) override {
    return of_graph(view, task, machine);
  }

  Answer ask_round(double round, const sweep::RoundState& state) override {
    return of_round<RoundView>("round", round, state);
  }
  Answer ask_period(double period, const realtime::PeriodState& state) override {
    return of_round<PeriodView>("period", period, state);
  }

  Answer ask_work(Sim& sim, WorkId work) override {
    const ShownSim shown_sim(*interpreter_);
    return answer(
        [&](lua_State* L) {
          shown_sim.owner->push(L, sim, work);
          return 2;
        },
        "a number", place_of(sim, work));
  }

  Hosts ask_hosts(Sim& sim, WorkId work, std::span<const HostId> hosts) override {
    Hosts chosen;
    choose(sim, work, hosts, [&](lua_State* L) { chosen = hosts_of_answer(L, text_, sim, work, hosts); });
    return chosen;
  }

  std::vector<WorkId> ask_works(Sim& sim, WorkId work, std::span<const WorkId> works) override {
    std::vector<WorkId> chosen;
    choose(sim, work, works, [&](lua_State* L) { chosen = works_of_answer(L, sim, works); });
    return chosen;
  }

 private:
  // Calls the function with a list of ids, and read(L) with its answer on top.
  template <class Id, class Read>
  void choose(Sim& sim, WorkId work, std::span<const Id> from, Read read) {
    const ShownSim shown_sim(*interpreter_);
    called(
        [&](lua_State* L) {
          shown_sim.owner->push(L, sim, work);
          lua_createtable(L, static_cast<int>(from.size()), 0);
          for (std::size_t i = 0; i < from.size(); ++i) {
            lua_pushinteger(L, static_cast<lua_Integer>(from[i].index) + 1);
            lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
          }
          return 3;
        },
        read, place_of(sim, work));
  }

  // A list of some of the works that were given; nil: none.
  std::vector<WorkId> works_of_answer(lua_State* L, const Sim& sim, std::span<const WorkId> given) const {
    std::vector<WorkId> works;
    if (lua_isnil(L, -1)) return works;
    if (lua_type(L, -1) != LUA_TTABLE)
      fail("bad_answer", "{} must return a list of works, got {}", text_, shown(L, -1));
    const int list = lua_gettop(L);
    const lua_Integer count = list_length(L, list, text_ + ": its answer");
    const Workload& workload = sim.view().workload();
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(L, list, i);
      const WorkId work(place_at(L, -1, text_ + ": a work that it returned", sim.view().works().size()));
      lua_pop(L, 1);
      if (std::ranges::find(given, work) == given.end())
        fail("bad_answer", "{} returned {}, which is none of the works that it was given", text_,
             workload.name_of(work));
      if (std::ranges::find(works, work) != works.end())
        fail("bad_answer", "{} returned {} twice", text_, workload.name_of(work));
      works.push_back(work);
    }
    return works;
  }

  Answer of_graph(const GraphView& view, std::size_t task, std::optional<std::size_t> machine) {
    struct Shown {
      MapperCallPtr call = std::make_shared<MapperCall>();
      ~Shown() { call->alive = false; }
    } shown_problem;
    return answer(
        [&](lua_State* L) {
          push_new(L, GraphProblemValue{.call = shown_problem.call,
                                        .data = {},
                                        .costs = &view.costs,
                                        .own = {},
                                        .shown = &view.schedule});
          lua_pushinteger(L, static_cast<lua_Integer>(task) + 1);
          if (machine) lua_pushinteger(L, static_cast<lua_Integer>(*machine) + 1);
          return machine ? 3 : 2;
        },
        "a number",
        [&] {
          return machine ? fmt::format("for task {} on machine {}", task + 1, *machine + 1)
                         : fmt::format("for task {}", task + 1);
        });
  }

  // The view of a call, and what it has drawn from; both end with the call.
  struct ShownSim {
    explicit ShownSim(Interpreter& of) : interpreter(of), owner(std::make_unique<SimOfRule>()) {}
    ShownSim(const ShownSim&) = delete;
    ShownSim& operator=(const ShownSim&) = delete;
    ~ShownSim() { owner->expire(interpreter.running()); }
    Interpreter& interpreter;
    std::unique_ptr<SimOfRule> owner;
  };

  static std::string place_of(const Sim& sim, WorkId work) {
    return fmt::format("for {} at t = {} s", sim.view().workload().name_of(work), format_number(sim.now()));
  }

  // Calls the function with the arguments that `push_arguments` pushes. Its answer must be a value of those
  // kinds. An error has a note on the place.
  template <class PushArguments, class Where>
  Answer answer(PushArguments push_arguments, std::string_view kinds, const Where& where) {
    Answer answer;
    called(
        push_arguments,
        [&](lua_State* L) {
          if (const auto name = text_at(L, -1))
            answer = std::string(*name);
          else if (lua_type(L, -1) == LUA_TBOOLEAN)
            answer = lua_toboolean(L, -1) != 0;
          else if (lua_type(L, -1) == LUA_TNUMBER)
            answer = static_cast<double>(lua_tonumber(L, -1));
          else
            fail("bad_answer", "{} must return {}, {}", text_, kinds,
                 lua_isnil(L, -1) ? "but it returned nothing" : fmt::format("got {}", shown(L, -1)));
        },
        where);
    return answer;
  }

  // Calls the function, and read(L) with its answer on top. `where`: a text, or a function that makes it.
  template <class PushArguments, class Read, class Where>
  void called(PushArguments push_arguments, Read read, const Where& where) {
    struct Leave {
      Interpreter& interpreter;
      ~Leave() {
        if (!interpreter.in_run()) interpreter.leave_run();
      }
    } leave{*interpreter_};
    try {
      protect(interpreter_->running(), [&](lua_State* L) {
        interpreter_->traces().enter(L, run_, text_, surroundings_);
        function_.push(L);
        lua_call(L, push_arguments(L), 1);
        read(L);
      });
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      Diagnostic diagnostic = error.diagnostic();
      if constexpr (std::is_invocable_v<Where>)
        diagnostic.notes.push_back(fmt::format("in {} {}", text_, where()));
      else
        diagnostic.notes.push_back(fmt::format("in {} {}", text_, where));
      const auto* script = dynamic_cast<const ScriptError*>(&error);
      throw ScriptError(std::move(diagnostic), script ? script->trace() : std::vector<std::string>());
    }
  }

  template <class View, class State>
  Answer of_round(std::string_view what, double number, const State& state) {
    struct Expire {
      View* view = nullptr;
      Reference object;  // keeps it alive
      ~Expire() {
        if (view != nullptr) view->state = nullptr;
      }
    } shown_state;
    return answer(
        [&](lua_State* L) {
          lua_pushinteger(L, static_cast<lua_Integer>(number));
          shown_state.view = &push_new(L, View{&state});
          shown_state.object = Reference(L, -1);
          return 2;
        },
        "a number",
        fmt::format("in {} {} at t = {} s", what, format_number(number), format_number(state.view.now())));
  }

  Interpreter* interpreter_;
  std::string text_;
  Reference function_;
  std::shared_ptr<Surroundings> surroundings_ = std::make_shared<Surroundings>(kKeepsNothing);
  std::uint64_t run_ = 0;  // 0: a value of a parameter, which is never asked
};

}  // namespace

// A list of hosts, or of { host, cores } each; nil: no hosts will do.
Rule::Hosts hosts_of_answer(lua_State* L, const std::string& who, const Sim& sim, WorkId work,
                            std::span<const HostId> given) {
  if (lua_isnil(L, -1)) return {};
  const View& view = sim.view();
  if (lua_type(L, -1) != LUA_TTABLE)
    fail("bad_answer", "{} must return a list of hosts, got {}", who, shown(L, -1));
  const int list = lua_gettop(L);
  const lua_Integer count = list_length(L, list, who + ": its answer");
  std::vector<HostId> hosts;
  std::vector<Share> shares;
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L, list, i);
    std::int32_t cores = 0;
    if (lua_type(L, -1) == LUA_TTABLE) {
      lua_rawgeti(L, -1, 2);
      lua_Integer number = 0;
      if (lua_isinteger(L, -1) != 0) number = lua_tointeger(L, -1);
      if (number < 1 || number > Shape::kMost)
        fail("bad_answer", "{}: entry {} of its list must be {{ host, cores }}, with cores >= 1; got {}", who,
             i, shown(L, -1));
      cores = static_cast<std::int32_t>(number);
      lua_pop(L, 1);
      lua_rawgeti(L, -1, 1);
      lua_remove(L, -2);
    }
    const HostId host(place_at(L, -1, who + ": a host that it returned", view.hosts().size()));
    lua_pop(L, 1);
    if (!std::ranges::binary_search(given, host))
      fail("bad_answer", "{} returned {}, which is none of the hosts that it was given", who,
           view.platform()[host].name);
    if (cores > 0)
      shares.push_back({host, cores});
    else
      hosts.push_back(host);
  }
  if (!shares.empty() && !hosts.empty())
    fail("bad_answer", "{} returned hosts with their cores beside hosts without", who);
  std::vector<HostId> all = hosts;
  for (const Share& share : shares) all.push_back(share.host);
  std::ranges::sort(all);
  if (const auto twice = std::ranges::adjacent_find(all); twice != all.end())
    fail("bad_answer", "{} returned {} twice", who, view.platform()[*twice].name);
  if (shares.empty()) return hosts;
  std::ranges::sort(shares, {}, &Share::host);
  if (const std::string problem = sim.misfit_of(work, shares); !problem.empty())
    fail("bad_answer", "{}: {}: {}", who, view.workload().name_of(work), problem);
  return shares;
}

RulePtr rule_at(lua_State* L, int index, std::string_view of) {
  check_methods(L, index, 1,
                {of.starts_with("c,") ? TypeName<GraphProblemValue>::value
                 : of.empty()         ? TypeName<ProblemValue>::value
                                      : TypeName<SimView>::value});
  check_fields(L, index, 2, {TypeName<RoundView>::value, TypeName<PeriodView>::value});
  lua_Debug place;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &place);
  const char* file = *place.source == '@' ? place.source + 1 : place.short_src;
  return std::make_shared<LuaRule>(
      Interpreter::of(L), fmt::format("function ({}:{})", file, place.linedefined), Reference(L, index));
}

void open_rules(lua_State* L) {
  constexpr luaL_Reg kNoMethods[] = {{nullptr, nullptr}};
  new_type<RoundView>(L, kNoMethods, nullptr, round_field, kRoundFields);
  new_type<PeriodView>(L, kNoMethods, nullptr, period_field, period_fields());
}

}  // namespace perigee::callbacks
