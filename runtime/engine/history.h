#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee::engine {

// The past of a simulation: how it began, the changes made from outside, and copies of it ("keyframes").
// Deterministic replay from a keyframe finds any earlier state. A value; copies share the keyframes.
//
// A keyframe is taken when the time spent since the last one is many times what that one took, so copying
// costs a few percent of the run. The choice of keyframes changes only how long a replay takes. When there
// are too many, every other one is dropped and the next ones are twice as far apart. A policy that cannot be
// copied has no keyframes: its replays begin at the start.
class History {
 public:
  using Change = std::function<void(Simulation&)>;
  // Called now and then during a replay; returning false stops it.
  using Look = std::function<bool(const Simulation&)>;

  struct Spacing {
    std::uint64_t least = 1024;      // events between two keyframes
    double times = 30;               // seconds since the last one for each second that a copy takes
    std::size_t most = 64;           // keyframes
    std::size_t memory = 256 << 20;  // bytes that all of them may take; 8 keyframes may take more
  };

  // `start` returns the simulation before its first instant, the same each time.
  explicit History(std::function<Simulation()> start) : History(std::move(start), Spacing{}) {}
  History(std::function<Simulation()> start, const Spacing& spacing)
      : start_(std::move(start)), spacing_(spacing), next_(spacing.least) {}

  // Makes a change (inject, submit, set_policy) between two instants and remembers it. Every replay makes it
  // again, so it holds values only. A change that throws is not remembered.
  void change(Simulation& present, Change change);
  // To be called between instants, now and then while the simulation advances.
  void keep(const Simulation& present);

  // The state at t, not later than the present: after all instants <= t, with the changes made at <= t.
  Simulation at(Time t, const Look& look = {}) const;
  // The state before the first instant at t or later, and before the changes made at t.
  Simulation before(Time t, const Look& look = {}) const;
  // A function that goes on from before(t). Each call does one more instant of the past, with the changes
  // that were made before and after it.
  std::function<void(Simulation&)> step_from(Time t) const;
  // Makes `present`, which at() returned, the present, and forgets everything later.
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
