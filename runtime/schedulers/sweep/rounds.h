// Shared by AMRS, AMRA, SAMRA, SSSE-AMRA and ISSSE-AMRA: rounds of so many runs, and shares of them by ENPR.
#pragma once

#include <string>
#include <vector>

#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/sweep/coordinator.h"
#include "runtime/schedulers/sweep/node_power.h"
#include "runtime/schedulers/sweep/round_state.h"

namespace perigee::sweep {

// The runs of each round: all runs in a number of rounds, along a sine, or as given for each round.
struct Quota {
  double rounds = 0;              // > 0: runs / rounds
  double peak = 0, k = 0, m = 0;  // k > 0: sine_quota()
  PerRound given = {{}, 0.0};     // otherwise

  static Quota of_rounds(const Arguments& given);
  static Quota of_sine(const Arguments& given);
  double at(double round, const RoundState& state);
  // Writes notes about settings that are allowed but hardly intended.
  void warn(Sim& sim, double runs) const;
};

class Rounds : public Coordinator {
 public:
  struct Learning {
    bool adaptive;  // false: ENPR stay as they were at the beginning
    PerRound alpha;
  };
  static Learning learning(const Arguments& given);

  void explain(const View& view, Waiting& lines) const override;

 protected:
  Rounds(Quota quota, Learning learning) : quota_rule_(std::move(quota)), learning_(std::move(learning)) {}

  void open(Sim& sim) override;
  void finished(Sim& sim, HostId host, const Package& package, Time at) override;
  void host_came(Sim& sim, HostId host) override;
  void host_went(Sim& sim, HostId host) override;

  // Recomputes the ENPR.
  void learn(Sim& sim);
  void begin_round(Sim& sim);
  RoundState state(const Sim& sim, HostId host = {}) const;
  // Gives the host `most` runs; `how` is for explanations: "rounded up".
  double give_share(Sim& sim, HostId host, double most, std::string_view how);
  void why_package(Sim& sim, Decision& out) override;

  NodePower power_;
  double round_ = 0;           // counted from 1
  double quota_ = 0;           // runs of this round, not rounded
  bool has_finished_ = false;  // in this instant, a package of its own

 private:
  Quota quota_rule_;
  Learning learning_;
  double recomputed_ = 0;         // number of recomputations
  std::vector<HostId> measured_;  // since the last recomputation
  struct {
    double runs = 0;
    std::string_view how;  // of a literal
  } choice_;
};

// An entry with the common properties of these policies: parameters, check, instants. `sine`: a quota along a
// sine.
Entry rounds_entry(const std::string& name, bool sine);
Parameter units_parameter();
Parameter threshold_parameter();

// The warnings in the notes, a line each: more rounds than runs, an m that does not cover all runs,
// calibrations that could not fit the times.
std::vector<std::string> sweep_warnings(std::span<const Note> notes);

}  // namespace perigee::sweep
