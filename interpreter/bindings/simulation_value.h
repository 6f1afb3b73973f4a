// A simulation under way, as scripts hold it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "interpreter/bindings/declarations.h"
#include "interpreter/bindings/runs.h"
#include "interpreter/interpreter.h"
#include "runtime/engine/history.h"

namespace perigee::interpreter::lua {

struct SimulationValue {
  std::unique_ptr<Simulation> simulation;  // stays in its place as long as this does
  PlatformValue platform;
  std::uint64_t seed = 1;
  bool validate = false;
  std::uint64_t cell = 0;  // of an experiment, in which it was started; 0 = outside
  bool running = false;
  std::unique_ptr<Simulation> seen = nullptr;  // see seen(), until something is done
  std::unique_ptr<History> history = nullptr;  // never null; of a run that Ctrl-C stopped without keyframes

  // Every change from outside goes through here: `make` is repeated when the simulation goes back.
  void change(History::Change make) { history->change(*simulation, std::move(make)); }
};
template <>
struct TypeName<SimulationValue> {
  static constexpr const char* value = "simulation";
};

inline SimulationValue& simulation_at(lua_State* L) { return check<SimulationValue>(L, 1); }

// While it lives, nobody else advances or changes the simulation; error where somebody does already.
class Busy {
 public:
  Busy(lua_State* L, SimulationValue& value);
  ~Busy() { value_.running = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  SimulationValue& value_;
};

// As it is now, with what was just changed from outside: what its tables and its state show.
const Simulation& seen(SimulationValue& value);

// Not by Simulation::bytes(), which may depend on the keyframes so far.
inline std::uint64_t steps_to_copy(const Simulation& simulation) {
  constexpr std::uint64_t kLeast = 1000, kStepsOfHost = 4;
  const View& view = simulation.view();
  return kLeast + view.works().size() + kStepsOfHost * view.hosts().size();
}

// From the start, whichever keyframe it is done from.
inline std::uint64_t steps_to_repeat(std::uint64_t events) {
  constexpr std::uint64_t kStepsOfEvent = 50;  // whatever the policy does
  return kStepsOfEvent * events;
}

// Takes a keyframe where one is due, which depends on the time.
inline void keep(Interpreter& interpreter, History& history, const Simulation& now) {
  const Interpreter::Uncounted uncounted(interpreter);
  history.keep(now);
}

// Instants between two looks at Ctrl-C, for a policy in Lua is slow; and between two where nobody can press it.
inline constexpr std::uint64_t kOften = 64, kRarely = 1024;

// Runs on to `until`, looking at Ctrl-C, and says where in simulated time an error happened.
void advance(Interpreter& interpreter, Simulation& simulation, Time until, History* history = nullptr);
[[noreturn]] void stop_between(Interpreter& interpreter, const Simulation& simulation);

// An error of the script inside the simulation says at what time it happened.
template <class F>
void say_when(const Simulation& simulation, F&& run) {
  try {
    run();
  } catch (const ScriptError& error) {
    Diagnostic diagnostic = error.diagnostic();
    for (const std::string& note : diagnostic.notes)
      if (note.find(" at t = ") != std::string::npos) throw;  // its policy has said so
    diagnostic.notes.push_back(
        fmt::format("in policy '{}' at t = {} s", simulation.policy_name(), format_number(simulation.now())));
    throw ScriptError(std::move(diagnostic), error.trace());
  }
}

// ---- wrap_whatif.cpp: methods of a simulation ----

int when(lua_State* L);     // sim:when(condition)
int back_to(lua_State* L);  // sim:back_to(t)
// What sim and sim.state say of hosts and activities, as in callbacks and processes.
int is_up(lua_State* L);
int idle_cores(lua_State* L);
int running_on(lua_State* L);
int queued_on(lua_State* L);
int activity(lua_State* L);
int speed(lua_State* L);
int fork(lua_State* L);  // sim:fork([n])

// The works before and those that sim:submit adds: of these, what has no arrival comes at `at`.
std::shared_ptr<const Workload> longer(lua_State* L, const WorkloadValue& work, const PlatformValue& platform,
                                       std::uint64_t seed, const Workload& before, Time at);

// ---- wrap_changes.cpp: methods of a simulation ----

int fail_resource(lua_State* L);  // sim:fail(name [, { at =, announced = }])
int recover(lua_State* L);
int leave(lua_State* L);
int join(lua_State* L);
int change(lua_State* L);
int submit(lua_State* L);      // sim:submit(work [, { at = }])
int set_policy(lua_State* L);  // sim:set_policy(policy [, { at = }])
// The interventions that are still to come, a row each; sim:planned().
Table planned_table(const SimulationValue& value);
int planned(lua_State* L);
// What `at` says in sim:word(subject [, { at = t }]); now where it is not given.
Time at_option(lua_State* L, const Simulation& simulation, const char* word);

int quote(lua_State* L);  // wrap_quote.cpp: sim:quote(work [, { at = }])

// sim.state; pushed
void push_state(lua_State* L, int simulation_index);

}  // namespace perigee::interpreter::lua
