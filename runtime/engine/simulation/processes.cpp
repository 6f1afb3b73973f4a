// Processes of the scenario: they wake, wait, and act through World.
#include "runtime/engine/simulation/loop.h"

namespace perigee::engine {

void Loop::wake(std::uint32_t index) {
  Running& running = processes[index];
  constexpr std::uint32_t kMost = 100'000;
  if (running.wakes.follows(now()) > kMost)
    fail("time_stands_still", "{}: time does not move: it woke {} times at t = {} s", running.process->name(),
         kMost, now());
  running.next = kNever;
  ++idle_wakes;
  World world(*this);
  const Wait wait = running.process->wake(world);
  if (wait.condition) {
    running.for_condition = true;
  } else if (wait.until < kNever) {
    if (!(wait.until >= now()))
      fail("bad_process", "{} waits until {} s, which is over at t = {} s", running.process->name(),
           wait.until, now());
    running.next = wait.until;
    push(Sim::Due::process, wait.until, 0, index);
  } else {
    running.process = {};
  }
}

// A process whose condition has come true goes on at once, in an instant of its own.
void Loop::ask_conditions() {
  World world(*this);
  for (std::uint32_t p = 0; p < processes.size(); ++p) {
    Running& running = processes[p];
    if (!running.for_condition || !running.process->holds(world)) continue;
    running.for_condition = false;
    running.next = now();
    push(Sim::Due::process, running.next, 0, p);
  }
}

void Loop::happen(Happening happening) {
  happening.at = now();
  scenario().check(happening);
  const auto slot = static_cast<std::uint32_t>(state_.injected.size());
  happening.outage = outage_number(OutageOrigin::process, slot);
  state_.injected.push_back(happening);
  apply(happening);
  if (happening.kind == HappeningKind::mark && !events_.empty() && events_.back().kind == EventKind::mark) {
    events_.back().serial = Sim::kInjected;
    events_.back().slot = slot;
  }
}

Time World::now() const { return loop_.now(); }
const Sim& World::sim() const { return loop_; }
const Scenario& World::scenario() const { return loop_.scenario(); }
std::uint64_t World::seed() const { return loop_.options.seed; }
bool World::can_recover(ResourceId on) const { return loop_.outages(on).any_to_recover(); }
bool World::is_reserved(ResourceId on) const { return loop_.outages(on).any_reserved(); }
bool World::is_present(ResourceId on) const { return loop_.is_present(on); }
void World::happen(Happening happening) { loop_.happen(std::move(happening)); }
std::uint32_t World::add_profile(Profile profile) { return loop_.add_profile(std::move(profile)); }
void World::submit(std::shared_ptr<const Workload> workload) { loop_.submit(std::move(workload)); }
void World::note(std::string_view name, std::span<const double> values) { loop_.note(name, values); }

}  // namespace perigee::engine
