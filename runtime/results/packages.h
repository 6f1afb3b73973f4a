// Which host did which runs of a sweep, and how hosts spent their time.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/results/executions.h"
#include "runtime/results/table.h"

namespace perigee::results {

// The use of a computation's time (Sim-PETEK, 2010, Figure 5.12).
enum class Use : std::uint8_t {
  useful,     // it ended well
  duplicate,  // a copy, whether it ended first or not
  redundant,  // an original that a copy made pointless
  lost,       // lost or cancelled
  running,    // an original that is under way at the end
};
std::string_view name_of(Use use);
Use use_of(const Execution& execution);

// Runs [first, first + size) of a sweep, from 0, on a host.
struct PackageRow {
  WorkId work;
  HostId host;
  double first = 0, size = 0;  // runs
  Time start = 0, finish = 0;  // finish: when it ended, whatever ended it; NaN = it has not
  Use use = Use::useful;
};
// By start, then in order of hosts.
std::vector<PackageRow> package_rows(const Outcome& outcome, const Executions& executions);
Table packages(const Outcome& outcome);

// Times are core-seconds of computations divided by the cores of the host. For sweeps, whose packages take
// the whole host, these are plain seconds. They are of the time from 0 to the makespan, or to the end of a
// run that is not complete.
struct HostRow {
  HostId host;
  double runs = 0;  // of sweeps that it finished first; other works count 1, units of loads each
  std::size_t computations = 0;
  Seconds useful = 0, duplicate = 0, redundant = 0, lost = 0, running = 0;
  Seconds idle = 0;      // the rest
  Time last_finish = 0;  // of its last computation, whatever ended it; NaN = it had none
};
std::vector<HostRow> host_rows(const Outcome& outcome, const Executions& executions);

// Makes the rows of executions, which are told in order of start.
class HostUse {
 public:
  // Computations that may have ended after the end of the rows wait, up to `most_waiting`.
  explicit HostUse(const Platform& platform,
                   std::size_t most_waiting = std::numeric_limits<std::size_t>::max());
  // A work has finished.
  void finish(Time at) { last_finish_ = at; }
  void add(const Execution& execution, std::span<const UsedResource> on, const Platform& platform,
           const Absences& away);
  // `end` as end_of_rows().
  std::vector<HostRow> rows(Time end, const Platform& platform, const Absences& away);
  // False if a computation that ended after `end` did not wait.
  bool knows_rows(Time end) const { return uncut_until_ <= end; }
  Time last_finish() const { return last_finish_; }  // NaN if there is none
  std::size_t bytes() const { return waiting_.bytes(); }

 private:
  struct Computation {
    HostId host;
    Execution execution;  // with the cores of this host
  };
  void add_on(HostId host, const Execution& execution, const Platform& platform, const Absences& away);
  void sum_up(HostId at, const Execution& each, Time end, const Platform& platform, const Absences& away);

  std::vector<HostRow> rows_;
  std::size_t most_waiting_;
  Sliding<Computation> waiting_;
  Time uncut_until_ = 0;  // end of the latest computation that did not wait
  Time last_finish_;
};
// The end of the time that the rows are of.
Time end_of_rows(const Outcome& outcome);
Table hosts(const Outcome& outcome);

// The time from 0 in which all hosts together, at their nominal speed and without set-up, could do all sweeps
// if runs were divisible at will. NaN if there is other work, or none.
Seconds ideal_time(const Scenario& scenario);

// ENPR and NPP of the hosts at the start of each sweep, after each recomputation, and when hosts come and go.
// This is what the policies of the family sweep learn (power_history in
// runtime/schedulers/sweep/node_power.h).
Table enpr(const Outcome& outcome);

// The run as one JSON object, in the words of Sim-PETEK: makespan, jobs (packages), nodes (hosts),
// enpr_updates (recomputations). Times have 6 decimals; a missing time is null.
std::string petek_record(const Outcome& outcome);

}  // namespace perigee::results
