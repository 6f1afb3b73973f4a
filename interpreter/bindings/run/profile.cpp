// profile("mine", matrix), profile(policy, scenario): the functions in which a scheduler of the script spends
// its time.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "interpreter/bindings/compute/mappings.h"
#include "interpreter/bindings/parts.h"
#include "interpreter/bindings/run/simulation.h"
#include "interpreter/bindings/simulation_value.h"
#include "interpreter/bindings/tables.h"
#include "interpreter/callbacks/schedulers.h"
#include "interpreter/language/fields/runs.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/session/profiler.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/mappings.h"
#include "interpreter/values/profiles.h"

namespace perigee::bindings {

struct ProfileValue {
  std::string subject, problem;
  std::uint64_t callbacks = 0, instructions = 0;
  Table functions, lines, native;
  std::vector<std::string> same_as, advice;
  double seconds = 0;  // without the profiler; shown on a terminal only
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::ProfileValue> {
  static constexpr const char* value = "profile";
};

}  // namespace perigee::host

namespace perigee::bindings {

namespace {

using EtcValue = std::shared_ptr<const EtcMatrix>;

constexpr std::size_t kTried = 24;  // small problems on which a heuristic is compared with others
constexpr std::size_t kProfileMostWorks = 2000;  // works of a scenario on which a policy is compared
constexpr std::size_t kShown = 12;               // rows of each table

EtcMatrix small_problem(std::size_t k, std::vector<double>& ready) {
  Stream stream(k, "profile");
  EtcMatrix etc;
  etc.tasks = 1 + stream.below(16);
  etc.machines = 1 + stream.below(6);
  for (std::size_t i = 0; i < etc.tasks * etc.machines; ++i)
    etc.values.push_back(k % 3 == 0 ? 1 + static_cast<double>(stream.below(5)) : stream.uniform(1, 100));
  ready.clear();
  if (k % 2 == 1)
    for (std::size_t m = 0; m < etc.machines; ++m) ready.push_back(static_cast<double>(stream.below(50)));
  return etc;
}

bool same(const Mapping& a, const Mapping& b) { return a.machine == b.machine && a.order == b.order; }

Mapping mapping_of(Mapper& mapper, const MappingProblem& problem, std::uint64_t seed) {
  Mapping out;
  mapper.reseed(Stream(seed, "map"));
  mapper.map(problem, out);
  return out;
}

// Calls f() to count its instructions, then again to measure its time.
template <class F>
Profiler watched(lua_State* L, std::size_t scan, double& seconds, F&& f) {
  Interpreter& interpreter = Interpreter::of(L);
  Profiler profiler(L, scan);
  {
    const Interpreter::Watched watching(interpreter, L, profiler);
    f();
  }
  profiler.finish();
  const auto begin = std::chrono::steady_clock::now();
  f();
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return profiler;
}

std::string place_text(const Profiler::Place& place) {
  return fmt::format("{}:{}", place.first, place.second);
}

template <class Rows>
void sort_rows(Rows& rows, std::size_t column) {
  std::ranges::stable_sort(rows, [column](const auto& a, const auto& b) {
    return std::get<double>(a[column]) > std::get<double>(b[column]);
  });
}

void fill_tables(const Interpreter& interpreter, const Profiler& profiler, ProfileValue& value) {
  value.callbacks = profiler.callbacks();
  value.instructions = profiler.instructions();
  const double all = std::max(1.0, static_cast<double>(profiler.instructions()));
  const auto source = [&](const Profiler::Place& place) -> std::string {
    const std::string line = interpreter.sources().line({place.first, place.second});
    const std::size_t from = line.find_first_not_of(" \t");
    return from == std::string::npos ? "" : line.substr(from, 60);
  };
  value.functions.columns = {"function", "calls", "instructions", "share", "source"};
  for (const auto& [place, function] : profiler.functions())
    value.functions.rows.push_back({place_text(place), static_cast<double>(function.calls),
                                    static_cast<double>(function.instructions),
                                    static_cast<double>(function.instructions) / all, source(place)});
  sort_rows(value.functions.rows, 2);
  value.lines.columns = {"line", "instructions", "share", "source"};
  for (const auto& [place, count] : profiler.lines())
    value.lines.rows.push_back(
        {place_text(place), static_cast<double>(count), static_cast<double>(count) / all, source(place)});
  sort_rows(value.lines.rows, 1);
  value.native.columns = {"function", "calls", "per_callback"};
  const double callbacks = std::max(1.0, static_cast<double>(profiler.callbacks()));
  for (const auto& [name, calls] : profiler.native())
    value.native.rows.push_back({name, static_cast<double>(calls), static_cast<double>(calls) / callbacks});
  sort_rows(value.native.rows, 1);
}

// Advises native functions that can replace loops over all machines.
void advise_scans(const Profiler& profiler, std::string_view of_what, ProfileValue& value) {
  for (const auto& [name, callbacks] : profiler.scans()) {
    const auto ends = [&](std::string_view end) { return name.ends_with(end); };
    std::string instead;
    if (ends(":completion"))
      instead = fmt::format("{0}:best(task) is the least of them and {0}:second(task) the next",
                            name.substr(0, name.find(':')));
    else if (ends(":ready") && profiler.scans().contains(name.substr(0, name.find(':')) + ":time"))
      instead = name.substr(0, name.find(':')) + ":completion(task, machine) is ready and time together";
    else if (ends(":estimate"))
      instead = "mapped { map = ... } gives a heuristic all of them at once, as one matrix";
    if (!instead.empty())
      value.advice.push_back(fmt::format("{} was called for every {} in {} of {} callbacks: {}", name,
                                         of_what, callbacks, profiler.callbacks(), instead));
  }
}

// "a, which is native", "a, b and c, which are native"
std::string natives_text(std::vector<std::string> names) {
  if (names.size() == 1) return names.front() + ", which is native";
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}, which are native", fmt::join(names, ", "), last);
}

// Small problems and a mapper's answers to them, beside the one that is profiled: is its key pure, and is
// there a native mapper that does the same?
class Trials {
 public:
  using MakeMapper = std::function<std::unique_ptr<Mapper>()>;

  Trials(const Config& config, const MappingProblem& problem, const Mapping& answer, std::uint64_t seed)
      : problem_(problem), answer_(answer), seed_(seed) {
    for (std::size_t k = 0; k < kTried; ++k) {
      Trial& each = trials_.emplace_back();
      each.etc = small_problem(k, each.ready);
      try {
        each.answer = mapping_of(*config.make_mapper(), problem_of(each.etc, each.ready), seed);
      } catch (const Stopped&) {
        throw;
      } catch (const Error&) {
        trials_.pop_back();  // the heuristic may only accept problems like the script's own
      }
    }
  }

  // With the problem that is profiled.
  std::size_t size() const { return trials_.size() + 1; }

  bool same_everywhere(const MakeMapper& make) const {
    if (!same(answer_, mapping_of(*make(), problem_, seed_))) return false;
    return std::ranges::all_of(trials_, [&](const Trial& each) {
      return same(each.answer, mapping_of(*make(), problem_of(each.etc, each.ready), seed_));
    });
  }

  bool is_pure(const KeyedMapper& keyed) const {
    try {
      return same_everywhere([&] { return keyed.as_pure(); });
    } catch (const Stopped&) {
      throw;
    } catch (const Error&) {
      return false;
    }
  }

  std::vector<std::string> natives_like(const Config& config) const {
    std::vector<std::string> alike;
    const Catalogue natives;
    for (const auto& entry : natives.entries()) {
      if (entry->role != Role::mapper || entry->name == config.entry->name || entry->improves) continue;
      try {
        const ConfigPtr native = natives.configure(entry->name);
        const Mapping one = mapping_of(*native->make_mapper(), problem_of(EtcMatrix{1, 1, {1}}), seed_);
        if (!one.search.curve.empty()) continue;  // a search would take too long
        if (same_everywhere([&] { return native->make_mapper(); })) alike.push_back(entry->name);
      } catch (const Error&) {
        continue;  // the mapper needs parameters
      }
    }
    return alike;
  }

 private:
  struct Trial {
    EtcMatrix etc;
    std::vector<double> ready;
    Mapping answer;
  };
  const MappingProblem& problem_;
  const Mapping& answer_;
  std::uint64_t seed_;
  std::vector<Trial> trials_;
};

ProfileValue profile_mapper(lua_State* L, const ConfigPtr& config, const EtcMatrix& etc,
                            const std::vector<double>& ready, std::uint64_t seed) {
  Interpreter& interpreter = Interpreter::of(L);
  const Interpreter::InRun in_run(interpreter);
  ProfileValue value;
  value.subject = config->text();
  value.problem = fmt::format("{} tasks on {} machines", etc.tasks, etc.machines);
  const MappingProblem problem = problem_of(etc, ready);
  const std::unique_ptr<Mapper> mapper = config->make_mapper();
  const auto* keyed = dynamic_cast<const KeyedMapper*>(mapper.get());
  const bool by_task = keyed != nullptr && keyed->has_key();
  const std::size_t scan = by_task ? etc.machines : etc.tasks * etc.machines;
  Mapping answer;
  const Profiler profiler =
      watched(L, scan, value.seconds, [&] { answer = mapping_of(*config->make_mapper(), problem, seed); });
  fill_tables(interpreter, profiler, value);
  advise_scans(profiler, by_task ? "machine" : "task and machine", value);

  const Trials trials(*config, problem, answer, seed);
  if (by_task && !keyed->pure() && trials.is_pure(*keyed)) {
    double seconds = 0;
    const Profiler pure =
        watched(L, etc.machines, seconds, [&] { mapping_of(*keyed->as_pure(), problem, seed); });
    if (pure.callbacks() < profiler.callbacks())
      value.advice.push_back(
          fmt::format("its keys changed only with the task's best and second completion: with "
                      "`pure = true` it comes to the same mapping by {} callbacks instead of {}",
                      pure.callbacks(), profiler.callbacks()));
  }
  value.same_as = trials.natives_like(*config);
  if (!value.same_as.empty())
    value.advice.push_back(fmt::format("on all {} problems tried its mapping is that of {}", trials.size(),
                                       natives_text(value.same_as)));
  return value;
}

ProfileValue profile_policy(lua_State* L, const ConfigPtr& config, ScenarioValue& scenario,
                            std::uint64_t seed) {
  Interpreter& interpreter = Interpreter::of(L);
  ProfileValue value;
  value.subject = config->text();
  RunRequest request;
  request.policy = config;
  request.options.seed = seed;
  request.instants = config->entry->instants;
  const std::size_t hosts = scenario.platform.platform->hosts().size();
  Fingerprint fingerprint;
  std::size_t works = 0;
  const Profiler profiler = watched(L, hosts, value.seconds, [&] {
    Simulation simulation = begin_run(L, scenario, request);
    advance(interpreter, simulation, kNever);
    fingerprint = simulation.outcome().physical;
    works = simulation.view().works().size();
  });
  value.problem = fmt::format("{} works on {} hosts, seed {}", works, hosts, seed);
  fill_tables(interpreter, profiler, value);
  advise_scans(profiler, "host", value);
  if (works > kProfileMostWorks) return value;
  const Catalogue natives;
  for (const auto& entry : natives.entries()) {
    if (entry->role != Role::policy || entry->name == config->entry->name) continue;
    try {
      request.policy = natives.configure(entry->name);
      request.instants = entry->instants;
      Simulation simulation = begin_run(L, scenario, request);
      simulation.run();
      if (simulation.outcome().physical == fingerprint) value.same_as.push_back(entry->name);
    } catch (const Error&) {
      continue;  // the policy does not accept the scenario, or needs parameters
    }
  }
  if (!value.same_as.empty())
    value.advice.push_back(fmt::format("in this run it decides as {}", natives_text(value.same_as)));
  return value;
}

// profile(mapper [, etc [, { ready =, seed = }]]), profile(policy, scenario [, { seed = }]).
int profile(lua_State* L) {
  return guard(L, [&] {
    Interpreter& interpreter = Interpreter::of(L);
    for (int i = 1; i <= lua_gettop(L); ++i)
      if (is_unknown(L, i)) {
        push_unknown(L);
        return 1;
      }
    const auto* scenario = test<ScenarioPtr>(L, 2);
    const ConfigPtr config =
        scheduler_at(L, 1, "profile: the first argument", scenario != nullptr ? Role::policy : Role::mapper);
    std::uint64_t seed = interpreter.cell().seed();
    std::vector<double> ready;
    EtcValue etc;
    if (const auto* given = test<EtcValue>(L, 2)) {
      etc = *given;
    } else if (scenario == nullptr && !lua_isnoneornil(L, 2)) {
      fail("bad_type", "profile: the second argument is an etc matrix or a scenario, got {}", shown(L, 2));
    }
    if (!lua_isnoneornil(L, 3)) {
      const Fields fields(L, 3, {"profile"}, run_fields::kProfile);
      seed = static_cast<std::uint64_t>(fields.integer(run_fields::kSeed, static_cast<std::int64_t>(seed)));
      if (fields.push(run_fields::kReady)) {
        if (etc == nullptr) fields.fail(run_fields::kReady, "ready times are those of a matrix's machines");
        ready = fields.numbers(run_fields::kReady, "profile: ready");
        if (ready.size() != etc->machines)
          fields.fail(run_fields::kReady, "{} ready times for {} machines", ready.size(), etc->machines);
        etc = close_machines(std::move(etc), ready);
        lua_pop(L, 1);
      }
    }
    if (interpreter.checking()) {
      push_unknown(L);
      return 1;
    }
    if (interpreter.in_run()) fail("bad_call", "profile: a callback of a run cannot profile");
    if (scenario != nullptr) {
      const ScenarioPtr held = *scenario;
      push_new(L, profile_policy(L, config, *held, seed));
      return 1;
    }
    if (etc == nullptr) {
      constexpr std::size_t kTasks = 64, kMachines = 8;
      Stream stream(seed, "profile");
      EtcMatrix random{kTasks, kMachines, {}};
      for (std::size_t i = 0; i < kTasks * kMachines; ++i) random.values.push_back(stream.uniform(1, 100));
      etc = std::make_shared<const EtcMatrix>(std::move(random));
    }
    push_new(L, profile_mapper(L, config, *etc, ready, seed));
    return 1;
  });
}

void push_texts(lua_State* L, const std::vector<std::string>& texts) {
  lua_createtable(L, static_cast<int>(texts.size()), 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    host::push(L, texts[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i) + 1);
  }
}

bool profile_property(lua_State* L, int index, std::string_view name) {
  const auto& value = check<ProfileValue>(L, index);
  if (name == "subject")
    host::push(L, value.subject);
  else if (name == "callbacks")
    lua_pushinteger(L, static_cast<lua_Integer>(value.callbacks));
  else if (name == "instructions")
    lua_pushinteger(L, static_cast<lua_Integer>(value.instructions));
  else if (name == "functions")
    push_table(L, value.functions);
  else if (name == "lines")
    push_table(L, value.lines);
  else if (name == "native")
    push_table(L, value.native);
  else if (name == "same_as")
    push_texts(L, value.same_as);
  else if (name == "advice")
    push_texts(L, value.advice);
  else
    return false;
  return true;
}

std::string head_of(Table table) {
  const std::size_t rows = table.rows.size();
  if (rows == 0) return {};
  table.rows.resize(std::min(rows, kShown));
  std::string text = "\n" + table.text();
  if (rows > kShown) text += fmt::format("... and {} more\n", rows - kShown);
  return text;
}

int profile_text(lua_State* L) {
  return guard(L, [&] {
    const auto& value = check<ProfileValue>(L, 1);
    const bool on_terminal = lua_isinteger(L, 3) != 0;  // the width that print and the prompt give
    std::string text =
        fmt::format("profile of {}: {}\n{} callbacks, {} instructions of Lua{}\n", value.subject,
                    value.problem, value.callbacks, value.instructions,
                    on_terminal ? fmt::format("; {:.3g} ms by the clock", value.seconds * 1000) : "");
    text += head_of(value.functions) + head_of(value.lines) + head_of(value.native);
    if (!value.advice.empty()) text += "\n";
    for (const std::string& line : value.advice) text += line + "\n";
    text.pop_back();
    host::push(L, text);
    return 1;
  });
}

constexpr luaL_Reg kProfileMethods[] = {{nullptr, nullptr}};
constexpr luaL_Reg kProfileMeta[] = {{"__tostring", profile_text}, {nullptr, nullptr}};

}  // namespace

void open_profile(lua_State* L) {
  new_type<ProfileValue>(
      L, kProfileMethods, kProfileMeta, profile_property,
      {"subject", "callbacks", "instructions", "functions", "lines", "native", "same_as", "advice"});
  define(L, "profile", profile);
}

}  // namespace perigee::bindings
