#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "runtime/engine/sim.h"

namespace perigee::engine {

// The view that a process has of the run, and its actions on the run. Valid during the call that gets it.
class World final {
 public:
  Time now() const;
  const Sim& sim() const;  // the view and what is asked of activities; estimates and actions are a policy's
  const View& view() const { return sim().view(); }
  const Scenario& scenario() const;
  std::uint64_t seed() const;
  bool can_recover(ResourceId on) const;  // an outage, no reservation, covers the host, link or cluster
  bool is_reserved(ResourceId on) const;
  bool is_present(ResourceId on) const;  // it has not left

  // Happens at once, whatever `happening.at` is. Errors are those of the same event in a scenario.
  void happen(Happening happening);
  // Returns an index for the `profile` of a change.
  std::uint32_t add_profile(Profile profile);
  // As Simulation::submit. Work that arrives now does so in this very instant.
  void submit(std::shared_ptr<const Workload> workload);
  void note(std::string_view name, std::span<const double> values);

 private:
  friend struct Loop;
  explicit World(struct Loop& loop) : loop_(loop) {}
  struct Loop& loop_;
};

// The time or condition for which a process waits.
struct Wait {
  Time until = kNever;     // >= now; kNever = for nothing, it is over
  bool condition = false;  // wait until holds(), which is asked after each instant
};

// Drives a scenario from within: it wakes at t = 0, acts, and says when it wants to go on. Its actions come
// in the phase of failures and changes, after the listed ones and after interventions. Processes act in order
// of declaration. A process is a value, like a policy; a scenario holds it in its state before it began.
class Process {
 public:
  virtual ~Process() = default;
  virtual std::unique_ptr<Process> clone() const = 0;
  virtual Wait wake(World& world) = 0;
  virtual bool holds(World&) { return true; }
  // True if the run goes on after its work is settled while this process waits for a time. It may submit more
  // work.
  virtual bool keeps_alive() const { return false; }
  virtual std::string name() const = 0;  // in messages: "process 2"
};

}  // namespace perigee::engine
