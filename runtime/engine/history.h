#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "runtime/engine/simulation.h"

namespace perigee {

// The past of a simulation: how it began, what was changed from outside, and copies of it ("keyframes") from
// which any earlier state is found again by deterministic replay. A value; copies share the keyframes.
//
// Keyframes are taken after numbers of events that depend on the state's size alone, so that copying costs a
// few percent of the run. Where they become too many every other one goes and the next ones are twice as far
// apart, so that a replay is a small part of the run. A policy that cannot be copied has none: its replays
// are from the start.
class History {
 public:
  using Change = std::function<void(Simulation&)>;
  // Asked now and then during a replay; false stops it.
  using Look = std::function<bool(const Simulation&)>;

  struct Spacing {
    std::uint64_t least = 1024;      // events between two keyframes
    std::uint64_t bytes = 5;         // of state, copied for an event: a few percent of what it costs
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
  // As it was right before the instant of that number (View::instant), from 1: one that is done, or the next.
  Simulation before_instant(std::uint64_t instant, const Look& look = {}) const;
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
  std::vector<Changed> changes_;
  std::vector<std::shared_ptr<const Keyframe>> keyframes_;
  Spacing spacing_;
  std::uint64_t last_ = 0;  // events at the last keyframe
  std::uint64_t next_;      // and when to see whether another one is due
};

}  // namespace perigee
