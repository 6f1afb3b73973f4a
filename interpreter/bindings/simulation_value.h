// A simulation under way, as scripts hold it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"
#include "interpreter/values/runs.h"
#include "runtime/engine/history.h"

namespace perigee::bindings {

struct SimulationValue {
  std::unique_ptr<Simulation> simulation;  // stays at its address as long as this value lives
  PlatformValue platform;
  std::uint64_t seed = 1;
  bool validate = false;
  std::uint64_t cell = 0;  // the experiment's cell in which it was started; 0 = outside of cells
  bool running = false;
  Warned warned = {};
  std::unique_ptr<Simulation> seen = nullptr;  // the copy that seen() makes; kept until something is done
  std::unique_ptr<History> history = nullptr;  // never null; has no keyframes for a run that Ctrl-C stopped

  // Every change from outside goes through this function, because `make` is repeated when the simulation goes
  // back.
  void change(History::Change make) { history->change(*simulation, std::move(make)); }
};

}  // namespace perigee::bindings

namespace perigee::host {

template <>
struct TypeName<bindings::SimulationValue> {
  static constexpr const char* value = "simulation";
};

}  // namespace perigee::host

namespace perigee::bindings {

inline SimulationValue& simulation_at(lua_State* L) { return check<SimulationValue>(L, 1); }

// While this object lives, nobody else advances or changes the simulation. Error when somebody does already.
class Busy {
 public:
  Busy(lua_State* L, SimulationValue& value);
  ~Busy() { value_.running = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  SimulationValue& value_;
};

// The simulation as it is now, with the latest changes from outside. Its tables and its state show this.
const Simulation& seen(SimulationValue& value);

// Steps for a copy. They are not computed from Simulation::bytes(), which may depend on the keyframes so far.
inline std::uint64_t steps_to_copy(const Simulation& simulation) {
  constexpr std::uint64_t kLeast = 1000, kStepsOfHost = 4;
  const View& view = simulation.view();
  return kLeast + view.works().count() + kStepsOfHost * view.hosts().size();
}

// Steps for repeating so many events. They count from the start, whichever keyframe the repetition begins at.
inline std::uint64_t steps_to_repeat(std::uint64_t events) {
  constexpr std::uint64_t kStepsOfEvent = 50;  // a flat rate, whatever the policy does
  return kStepsOfEvent * events;
}

// Takes a keyframe when one is due. Whether one is due depends on real time, so no steps are counted.
inline void keep(Interpreter& interpreter, History& history, const Simulation& now) {
  const Interpreter::Uncounted uncounted(interpreter);
  history.keep(now);
}

// Instants between two looks at Ctrl-C: few, for a policy in Lua is slow; many where nobody can press it.
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

// ---- whatif.cpp: methods of a simulation ----

int when(lua_State* L);     // sim:when(condition)
int back_to(lua_State* L);  // sim:back_to(t)
// The words of sim and sim.state about hosts and activities. Callbacks and processes have the same.
int is_up(lua_State* L);
int idle_cores(lua_State* L);
int running_on(lua_State* L);
int queued_on(lua_State* L);
int activity(lua_State* L);
int speed(lua_State* L);
int fork(lua_State* L);  // sim:fork([n])

// The works before and those that sim:submit adds. Added work without an arrival arrives now. With an `at`
// that is later than now, none arrives before it.
std::shared_ptr<const Workload> longer(lua_State* L, const WorkloadValue& work, const PlatformValue& platform,
                                       std::uint64_t seed, const Workload& before, Time now, Time at);

// ---- changes.cpp: methods of a simulation ----

int fail_resource(lua_State* L);  // sim:fail(name [, { at =, announced = }])
int recover(lua_State* L);
int leave(lua_State* L);
int join(lua_State* L);
int change(lua_State* L);
int submit(lua_State* L);      // sim:submit(work [, { at = }])
int set_policy(lua_State* L);  // sim:set_policy(policy [, { at = }])
// The table of sim:planned(): a row for each intervention that is still to come.
Table planned_table(const SimulationValue& value);
int planned(lua_State* L);
// The option `at` of sim:word(subject [, { at = t }]); now when it is not given.
Time at_option(lua_State* L, const Simulation& simulation, const char* word);

int quote(lua_State* L);  // quote.cpp: sim:quote(work [, { at = }])

// Pushes sim.state.
void push_state(lua_State* L, int simulation_index);

}  // namespace perigee::bindings
