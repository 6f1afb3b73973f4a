// Processes of the scenario: they wake, wait, and act through World.
#include "runtime/engine/simulation/state.h"

namespace perigee::engine {

void SimulationState::wake(std::uint32_t index) {
  Running& running = processes[index];
  constexpr std::uint32_t kMost = 100'000;
  if (running.wakes.follows(sim.now()) > kMost)
    fail("time_stands_still", "{}: time does not move: it woke {} times at t = {} s", running.process->name(),
         kMost, sim.now());
  running.next = kNever;
  ++idle_wakes;
  World world(*this);
  const Wait wait = running.process->wake(world);
  if (wait.condition) {
    running.for_condition = true;
  } else if (wait.until < kNever) {
    if (!(wait.until >= sim.now()))
      fail("bad_process", "{} waits until {} s, which is over at t = {} s", running.process->name(),
           wait.until, sim.now());
    running.next = wait.until;
    sim.push(Sim::Due::process, wait.until, 0, index);
  } else {
    running.process = {};
  }
}

// A process whose condition has come true goes on at once, in an instant of its own.
void SimulationState::ask_conditions() {
  World world(*this);
  for (std::uint32_t p = 0; p < processes.size(); ++p) {
    Running& running = processes[p];
    if (!running.for_condition || !running.process->holds(world)) continue;
    running.for_condition = false;
    running.next = sim.now();
    sim.push(Sim::Due::process, running.next, 0, p);
  }
}

void SimulationState::happen(Happening happening) {
  happening.at = sim.now();
  scenario().check(happening);
  const auto slot = static_cast<std::uint32_t>(sim.injected_.size());
  happening.outage = outage_number(OutageOrigin::process, slot);
  sim.injected_.push_back(happening);
  sim.apply(happening);
  if (happening.kind == HappeningKind::mark && !sim.events_.empty() &&
      sim.events_.back().kind == EventKind::mark) {
    sim.events_.back().serial = Sim::kInjected;
    sim.events_.back().slot = slot;
  }
}

Time World::now() const { return state_.sim.now(); }
const Sim& World::sim() const { return state_.sim; }
const Scenario& World::scenario() const { return state_.scenario(); }
std::uint64_t World::seed() const { return state_.options.seed; }
bool World::can_recover(ResourceId on) const { return state_.outages(on).any_to_recover(); }
bool World::is_reserved(ResourceId on) const { return state_.outages(on).any_reserved(); }
bool World::is_present(ResourceId on) const { return state_.is_present(on); }
void World::happen(Happening happening) { state_.happen(std::move(happening)); }
std::uint32_t World::add_profile(Profile profile) { return state_.add_profile(std::move(profile)); }
void World::submit(std::shared_ptr<const Workload> workload) { state_.submit(std::move(workload)); }
void World::note(std::string_view name, std::span<const double> values) { state_.sim.note(name, values); }

}  // namespace perigee::engine
