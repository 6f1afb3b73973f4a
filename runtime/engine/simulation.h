#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "runtime/engine/sim.h"

namespace perigee::engine {

enum class RunStatus : std::uint8_t {
  running,
  complete,    // all work is settled
  incomplete,  // nothing can happen any more and work is left
  horizon,     // stopped at the horizon
};
std::string_view name_of(RunStatus status);

struct RunOptions {
  std::uint64_t seed = 1;
  Time horizon = kNever;  // events at the horizon still count
  Time warmup = 0;        // what metrics pass over; nothing happens then
  TraceLevel level = TraceLevel::full;
};

// A policy as a run needs it: what it is called, what it accepts and when it is asked. A value.
struct PolicySetup {
  std::string name;  // as written, with its parameters
  ClonePtr<Policy> policy;
  Accepts accepts;
  Instants instants;
};

// Everything a run leaves behind; a value.
struct Outcome {
  std::shared_ptr<const Scenario> scenario;
  std::string policy;
  std::uint64_t seed = 1;
  RunStatus status = RunStatus::running;
  Time end = 0;                       // of the last instant, or the horizon
  Time warmup = 0, horizon = kNever;  // as asked for
  Trace trace;
  std::vector<WorkState> works;      // final state of each work
  std::vector<std::string> waiting;  // who waits for what, when work is left
  std::vector<Happening> injected;   // on top of the scenario's, in order of injection
  bool keeps_deadlines = false;      // so its policy promises, which had it from the beginning
  double estimate_error = 0;         // see Sim
  double tolerance = 0;  // of the instants: what happened within it of a time is recorded at that time
  std::uint64_t events = 0;
  Fingerprint physical, full;  // over the trace, the status and what is unfinished
};

// What was asked for from outside and is still to come: something that happens, work that arrives, or a policy of
// that name that takes over.
struct Planned {
  Time at = 0;
  std::variant<Happening, WorkId, std::string> what;
};

// Where a simulation stands.
struct Position {
  std::uint64_t instant = 0;  // the last one done; 0 = none
  Time now = 0;
  bool begun = false;  // the policy has been asked to begin
};

// Scenario x policy x seed, under way. A value: a copy is a fork, its future does not depend on the
// original's.
//
// A run that is over, complete or incomplete, can be looked at further: run_until() lets everything that is
// still to happen happen until then, so that something can be done there. Its outcome stays that of its end.
// A change from outside makes it go on from where it stands.
class Simulation {
 public:
  // Error when the policy does not accept the scenario, naming the field.
  Simulation(std::shared_ptr<const Scenario> scenario, PolicySetup policy,
             std::unique_ptr<Estimator> estimator = perfect_estimator(), const RunOptions& options = {});
  Simulation(const Simulation&);
  Simulation& operator=(const Simulation&);
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  // One instant; false when the run is over. An Error ends the run where it is.
  bool step();
  void run();
  void run_until(Time time);  // all instants <= time, those after the end of the run too
  // Repeats what a simulation like this one has done, which stood there: exactly so many instants.
  void advance_to(const Position& position);
  Position position() const;
  bool over() const { return status() != RunStatus::running; }

  RunStatus status() const;
  Time now() const;        // of the last instant done, or where run_until() stopped
  Time end() const;        // the same, but of a run that is over when it ended
  Time next_time() const;  // of the next one, kNever when there is none
  const View& view() const;
  const Sim& sim() const;
  const Scenario& scenario() const;
  Policy& policy();
  const Policy& policy() const;
  const std::string& policy_name() const;
  const Trace& trace() const;
  std::uint64_t events() const;  // so far
  std::size_t bytes() const;     // that a copy takes, roughly
  Outcome outcome() const;

  // Interventions between instants. They take effect at the next instant, or at `happening.at` when that is
  // later. Error, and nothing has changed, when the scenario could not have such an event.
  void inject(Happening happening);
  // For the `profile` or `latency` of a change.
  std::uint32_t add_profile(Profile profile);
  // Outages of a host, link or cluster that were injected and will not have ended at `at`, and all that cover
  // it then as far as is known: but for drawn ones to come, and what processes do.
  std::int32_t injected_outages(ResourceId on, Time at) const;
  std::int32_t outages(ResourceId on, Time at) const;
  bool is_present(ResourceId on, Time at) const;  // the same of a host or cluster that leaves and joins
  // More work. `workload` begins with the present one, works, files and all; the works that follow arrive
  // when they say, now at the earliest. The scenario becomes this simulation's own; forks and outcomes keep
  // theirs. Error, and nothing has changed, when the work cannot be or the policy does not accept it.
  void submit(std::shared_ptr<const Workload> workload);
  // Nothing comes from outside any more but what is due now, and the ends, where they are known, of the
  // outages there are: no later arrivals, no other events of the scenario, no drawn failures, no processes,
  // no horizon. The trace is empty and full from here on.
  void forget_future();
  // The old one's timers are dropped, its posts and its thinking stay. At a later time: after all that
  // happens then.
  void set_policy(PolicySetup policy, Time at = 0);

  // Interventions for a time later than now, in order of that time.
  std::vector<Planned> planned() const;
  // What `profile` or `latency` of a happening names, null for kNone.
  const Profile* profile(std::uint32_t place) const;

  // Something was changed from outside at the present time, and the instant in which it takes effect is still
  // to come.
  bool has_changes() const;
  // As it is as soon as it has, but before its policy is told: for who looks. Nothing is to be done with it.
  Simulation with_changes() const;

  // What the scenario's processes and the policy's timers wait for, a line each.
  std::vector<std::string> still_to_come() const;
  // Processes and timers woke so often while nothing progressed that the run ended.
  bool woke_in_vain() const;

  // It is told of the policy's decisions about a work; null: nobody is. It must outlive this.
  void attach(Recorder* recorder);

  // Called after every `every` instants of run() and run_until(); returning false stops there (for progress,
  // Ctrl-C).
  void on_progress(std::uint64_t every, std::function<bool(const Simulation&)> callback);

 private:
  std::unique_ptr<struct SimulationState> state_;
};

// "fast.1: ..., task 3 waits for ..." when work is left.
std::vector<std::string> who_waits(const Simulation& simulation);

}  // namespace perigee::engine
