#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
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
  ClonePtr<Witness> witness = {};          // of what is not kept; null = nobody is told
  std::size_t most_records = Trace::kAll;  // see Trace; at level `full` with a witness
  std::size_t works_at_once = 1024;        // settled works of a stream are forgotten when they are so many
};

// A policy as a run needs it: its name, the scenarios it accepts and when it is asked. A value.
struct PolicySetup {
  std::string name;  // as written, with its parameters
  ClonePtr<Policy> policy;
  Accepts accepts;
  Instants instants;
};

// From then on another policy decides.
struct Takeover {
  Time at = 0;
  std::string policy;
  bool operator==(const Takeover&) const = default;
};

// Works of a stream that are settled and forgotten: the first ones, up to those that are still needed.
struct ForgottenWorks {
  std::array<std::size_t, kWorkStates> in_state{};       // how many, per WorkState
  std::vector<std::pair<WorkId, WorkState>> unfinished;  // rejected or expired
  std::size_t in(WorkState state) const { return in_state[static_cast<std::size_t>(state)]; }
};

// Everything that a run leaves behind. A value.
struct Outcome {
  std::shared_ptr<const Scenario> scenario;
  std::string policy;
  std::uint64_t seed = 1;
  RunStatus status = RunStatus::running;
  Time end = 0;                       // of the last instant, or the horizon
  Time warmup = 0, horizon = kNever;  // as asked for
  Trace trace;
  Sliding<WorkState> works;          // final state of each work
  ForgottenWorks forgotten;          // those in front of `works`
  std::size_t declared = 0;          // works of the scenario; those behind them were submitted on the way
  std::vector<std::string> waiting;  // who waits for what, when work is left
  std::vector<Happening> injected;   // on top of the scenario's, in order of injection
  std::vector<Takeover> takeovers;   // by set_policy, in order of the calls
  bool keeps_deadlines = false;      // so its policy promises, which had it from the beginning
  double estimate_error = 0;         // see Sim
  double tolerance = 0;  // of the instants: what happened within it of a time is recorded at that time
  std::uint64_t events = 0;
  Fingerprint physical, full;  // over the trace, the status and what is unfinished
};

// An intervention from outside that is still to come: an event, the arrival of a work, or the name of a
// policy that takes over.
struct Planned {
  Time at = 0;
  std::variant<Happening, WorkId, std::string> what;
};

// The point that a simulation has reached.
struct Position {
  std::uint64_t instant = 0;  // the last one done; 0 = none
  Time now = 0;
  bool begun = false;  // the policy has been asked to begin
};

// Scenario x policy x seed, under way. A value: a copy is a fork, whose future does not depend on the
// original's.
//
// A run that is over, complete or incomplete, can be looked at further. run_until() lets everything happen
// that is still to come until then, so that a change can be made there. The outcome stays that of the run's
// end. A change from outside makes the run go on from where it stands.
class Simulation {
 public:
  // Error naming the field if the policy does not accept the scenario.
  Simulation(std::shared_ptr<const Scenario> scenario, PolicySetup policy,
             std::unique_ptr<Estimator> estimator = perfect_estimator(), RunOptions options = {});
  Simulation(const Simulation&);
  Simulation& operator=(const Simulation&);
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  // One instant; false when the run is over. An Error ends the run where it is.
  bool step();
  void run();
  void run_until(Time time);  // all instants <= time, those after the end of the run too
  // Does exactly as many instants as a simulation like this one had done at `position`.
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
  const Accepts& accepts() const;  // of the policy
  Policy& policy();
  const Policy& policy() const;
  const std::string& policy_name() const;
  const Trace& trace() const;
  std::uint64_t events() const;  // so far
  std::size_t bytes() const;     // that a copy takes, roughly
  Outcome outcome() const;

  // Interventions between instants. They take effect at the next instant, or at `happening.at` when that is
  // later. If the scenario could not have such an event, this is an Error and nothing has changed.
  void inject(Happening happening);
  // Returns an index for the `profile` or `latency` of a change.
  std::uint32_t add_profile(Profile profile);
  // The first intervention that makes no sense once `more` are added to those that are to come: the first of
  // them, or a later one. An outage is injected once before it ends, ends only where there is one, and who
  // leaves is there and who joins away. All that is known counts, without drawn outages that are still to
  // come and without the actions of processes.
  // Hosts that a cluster brings along follow it and are not looked at.
  std::optional<Happening> impossible_with(std::vector<Happening> more) const;
  bool is_reserved(ResourceId on) const;  // now
  // Adds work. `workload` begins with the present workload: works, files and all. The works that follow
  // arrive at their times, now at the earliest. The scenario becomes this simulation's own; forks and
  // outcomes keep theirs. If the work is impossible or the policy does not accept it, this is an Error and
  // nothing has changed.
  void submit(std::shared_ptr<const Workload> workload);
  // Drops everything that would still come from outside: later arrivals, other events of the scenario, drawn
  // failures, processes and the horizon. Events that are due now still come, as do the known ends of present
  // outages, and outages of which the policy knows. The trace is empty and full from here on.
  void forget_future();
  // The timers of the old policy are dropped; its posts and its thinking stay. At a later time, the change
  // comes after everything else that happens then.
  void set_policy(PolicySetup policy, Time at = 0);

  // The interventions for a time later than now, in order of that time.
  std::vector<Planned> planned() const;
  // The profile with the index that `profile` or `latency` of a happening holds; null for kNone.
  const Profile* profile(std::uint32_t place) const;

  // True if something was changed from outside at the present time and the instant in which it takes effect
  // is still to come.
  bool has_changes() const;
  // A copy in which those changes have taken effect, but the policy has not been told. It is only for looking
  // at.
  Simulation with_changes() const;

  // One line for each process of the scenario, and each timer of the policy, that waits.
  std::vector<std::string> still_to_come() const;
  // True if the run ended because processes and timers kept waking while nothing progressed.
  bool woke_in_vain() const;

  // The recorder is told of the policy's decisions about its work; null = nobody is told. It must outlive
  // this.
  void attach(Recorder* recorder);

  // Called after every `every` instants of run() and run_until(); returning false stops there (for progress,
  // Ctrl-C).
  void on_progress(std::uint64_t every, std::function<bool(const Simulation&)> callback);

 private:
  std::unique_ptr<struct Loop> loop_;
};

// "fast.1: ..., task 3 waits for ..." when work is left.
std::vector<std::string> who_waits(const Simulation& simulation);

}  // namespace perigee::engine
