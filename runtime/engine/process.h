#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "runtime/engine/sim.h"

namespace perigee::engine {

// What a process sees of the run that it drives, and what it does to it. Valid during the call that gets it.
class World final {
 public:
  Time now() const;
  const Sim& sim() const;  // the view and what is asked of activities; estimates and actions are a policy's
  const View& view() const { return sim().view(); }
  const Scenario& scenario() const;
  std::uint64_t seed() const;
  std::int32_t outages(ResourceId on) const;  // that cover a host, link or cluster now
  bool is_present(ResourceId on) const;       // it has not left

  // Happens at once, whatever its `at`. Error as of the same event in a scenario.
  void happen(Happening happening);
  // For the `profile` of a change.
  std::uint32_t add_profile(Profile profile);
  // As Simulation::submit. What arrives now does so in this very instant.
  void submit(std::shared_ptr<const Workload> workload);
  void note(std::string_view name, std::span<const double> values);

 private:
  friend struct SimulationState;
  explicit World(struct SimulationState& state) : state_(state) {}
  struct SimulationState& state_;
};

// What a process waits for.
struct Wait {
  Time until = kNever;     // >= now; kNever = for nothing, it is over
  bool condition = false;  // until holds(), which is asked after each instant
};

// Drives a scenario from within: it wakes at t = 0, acts, and says when it wants to go on. Its actions come
// in the phase of failures and changes, after those listed and after interventions, processes in order of
// declaration. A value, like a policy; a scenario holds it as it was before it began.
class Process {
 public:
  virtual ~Process() = default;
  virtual std::unique_ptr<Process> clone() const = 0;
  virtual Wait wake(World& world) = 0;
  virtual bool holds(World&) { return true; }
  // Whether a run goes on after its work is settled, as long as this waits for a time: it may submit more.
  virtual bool keeps_alive() const { return false; }
  virtual std::string name() const = 0;  // in messages: "process 2"
};

}  // namespace perigee::engine
