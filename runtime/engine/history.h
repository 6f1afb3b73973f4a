#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::engine {

// The past of a simulation: how it began, what was changed from outside, and copies of it ("keyframes") from
// which any earlier state is found again by deterministic replay. A value; copies share the keyframes.
//
// A keyframe is taken when the time spent since the last one is many times what that one took, so that
// copying costs a few percent of the run; which ones there are changes how long a replay takes and nothing
// else. Where they become too many every other one goes and the next ones are twice as far apart. A policy
// that cannot be copied has none: its replays are from the start.
class History {
 public:
  using Change = std::function<void(Simulation&)>;
  // Asked now and then during a replay; false stops it.
  using Look = std::function<bool(const Simulation&)>;

  struct Spacing {
    std::uint64_t least = 1024;      // events between two keyframes
    double times = 30;               // what a copy takes has to have passed since the last one
    std::size_t most = 64;           // keyframes
    std::size_t memory = 256 << 20;  // bytes that all of them may take; 8 keyframes may take more
  };

  // `start` makes the simulation as it was before its first instant, the same each time.
  explicit History(std::function<Simulation()> start) : History(std::move(start), Spacing{}) {}
  History(std::function<Simulation()> start, const Spacing& spacing)
      : start_(std::move(start)), spacing_(spacing), next_(spacing.least) {}

  // Makes a change (inject, submit, set_policy) between two instants and remembers it. It is made again in
  // every replay, so it holds values only. One that throws is not remembered.
  void change(Simulation& present, Change change);
  // To be called between instants, now and then as the simulation advances.
  void keep(const Simulation& present);

  // As it was at t, not later than the present: after all instants <= t, with the changes made at <= t.
  Simulation at(Time t, const Look& look = {}) const;
  // As it was before the first instant at t or later, and before the changes made at t.
  Simulation before(Time t, const Look& look = {}) const;
  // What goes on from before(t): each call does one more instant of the past, with the changes that were made
  // before and after it.
  std::function<void(Simulation&)> step_from(Time t) const;
  // Forgets what is later than the simulation, which `at` returned: that is the present from now on.
  void forget_after(const Simulation& present);

  std::size_t keyframes() const { return keyframes_.size(); }

 private:
  struct Changed {
    Position at;
    Change make;
  };
  struct Keyframe {
    Simulation simulation;
    std::size_t changes;  // made before it
  };
  template <class F>
  Simulation replay(const F& wanted, const Look& look, bool& stopped) const;

  std::function<Simulation()> start_;
  std::vector<std::shared_ptr<const Changed>> changes_;
  std::vector<std::shared_ptr<const Keyframe>> keyframes_;
  Spacing spacing_;
  std::uint64_t next_;  // events before which no other keyframe is due
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();  // when one was taken
  std::chrono::duration<double> cost_{0};                                          // of that one
};

}  // namespace perigee::engine
