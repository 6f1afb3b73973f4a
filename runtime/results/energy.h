// The energy of the hosts and links that declare their power, kept while the records of a run pass by.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/statistics/accumulators.h"

namespace perigee::results {

// The states in which a host draws energy, and what links draw in all of theirs. A host that has left, and a link that is
// away, draw none.
enum class EnergyPart : std::uint8_t { idle, busy, off, transition, down, links };
inline constexpr std::size_t kEnergyParts = 6;
std::string_view name_of(EnergyPart part);

struct HostEnergy {
  std::array<double, kEnergyParts> parts = {};  // J
  double all() const;
};

// From a time on, what the hosts and links draw together, W by EnergyPart.
struct PowerStep {
  Time at = 0;
  std::array<double, kEnergyParts> power = {};
};

// Told of all records of a run in order. A core is busy from the start to the end of its computation, a link while any
// transfer over it is under way. The energy of a work is its share, by busy cores and their load, of what its hosts draw
// while it computes; the rest is nobody's.
class EnergyMeter {
 public:
  // Energy counts from `from` on, that of works whenever they ran. Where nothing declares its power it does nothing.
  // `keeps`: works keep theirs when they are settled, and steps() are kept.
  EnergyMeter(const Scenario& scenario, Time from, bool keeps = false);
  bool measures() const { return !hosts_.empty(); }

  void take(const Record& record, const Scenario& scenario) {
    if (measures()) follow(record, scenario);
  }
  void end(Time end);

  // At the time of the last record that was taken, before end().
  double so_far() const;  // J of all hosts
  double least_power()
      const;  // W of all hosts, if those that are on had hardly any load: SpeedState::epsilon

  // All are of the time after end().
  const std::vector<HostEnergy>& hosts() const { return energies_; }  // in order of the platform
  const std::vector<double>& links() const {
    return link_energies_;
  }                                  // J, likewise; empty: none declares its power
  double of(EnergyPart part) const;  // J of all hosts, or links
  double all() const;
  double peak() const { return peak_; }          // W of all together, the most that lasted
  Seconds span() const { return end_ - from_; }  // that counted
  const statistics::Totals& works() const {
    return works_;
  }                                             // J of each that finished, or was killed, from `from` on
  double of_work(WorkId work) const;            // so far; 0 = nothing, or it is forgotten
  std::size_t boots() const { return boots_; }  // begun
  std::size_t shutdowns() const { return shutdowns_; }
  const std::vector<PowerStep>& steps() const { return steps_; }
  std::size_t bytes() const { return running_.size() * sizeof(Running) + hosts_.size() * sizeof(State); }

 private:
  struct State {
    const PowerModel* model = nullptr;  // null: unknown
    std::int32_t cores = 1;
    bool down = false, left = false;
    Power power = Power::on;
    std::size_t state = 0;
    std::size_t running = 0;
    double load = 0;   // of the busy cores
    double drawn = 0;  // W now
    EnergyPart part = EnergyPart::idle;
    Time since = 0;       // of the last change
    double per_load = 0;  // J that a core of load 1 has had so far
  };
  struct LinkState {
    bool down = false, left = false;
    std::size_t transfers = 0;
    double drawn = 0;  // W now
    Time since = 0;
  };
  struct Running {
    double load, per_load;
  };

  void follow(const Record& record, const Scenario& scenario);
  void follow_computation(const Record& record, const Scenario& scenario);
  void follow_link(const Record& record, const Scenario& scenario);
  void integrate(std::size_t link, Time to);
  State* host_of(const Record& record);
  void integrate(State& host, HostEnergy& energy, Time to);
  // W of a host, if it drew `on` where it is on.
  static double watts_of(const State& host, double on);
  void draw(State& host, Time now);
  void move_to(Time now);
  void settle(WorkId work, Time now);

  Time from_, now_ = 0, end_ = 0;
  bool keeps_;
  std::vector<State> hosts_;      // empty: nothing declares its power
  std::vector<LinkState> links_;  // empty: no link does
  std::vector<double> link_energies_;
  std::vector<HostEnergy> energies_;
  std::array<double, kEnergyParts> total_ = {};  // W now
  double peak_ = 0;
  std::size_t boots_ = 0, shutdowns_ = 0;
  std::unordered_map<std::uint64_t, Running> running_;  // by serial and host; never walked through
  std::map<WorkId, double> of_work_;                    // J
  statistics::Totals works_;
  std::vector<PowerStep> steps_;
};

// Error "not_measured" for a run that did not keep its whole trace.
void check_measured(const Outcome& outcome);
// The meter of a run. Error "not_measured" likewise.
EnergyMeter energy_of(const Outcome& outcome);

}  // namespace perigee::results
