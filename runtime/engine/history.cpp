#include "runtime/engine/history.h"

#include <algorithm>

namespace perigee::engine {

namespace {

constexpr std::size_t kFew = 8;             // keyframes, however large
constexpr double kSecondsPerByte = 0.5e-9;  // at least, to copy
constexpr std::uint64_t kLookEvery = 64;    // instants

}  // namespace

void History::change(Simulation& present, Change change) {
  const Position at = present.position();
  change(present);
  changes_.push_back(std::make_shared<const Changed>(Changed{at, std::move(change)}));
}

void History::keep(const Simulation& present) {
  if (present.events() < next_) return;
  const std::size_t bytes = present.bytes();
  const auto now = std::chrono::steady_clock::now();
  const auto cost =
      std::max(cost_, std::chrono::duration<double>(static_cast<double>(bytes) * kSecondsPerByte));
  if (now - last_ < spacing_.times * cost) return;
  next_ = present.events() + spacing_.least;
  try {
    Keyframe keyframe{present, changes_.size()};
    keyframe.simulation.on_progress(0, {});
    keyframes_.push_back(std::make_shared<const Keyframe>(std::move(keyframe)));
  } catch (const Error& error) {
    if (error.diagnostic().code != "not_copyable") throw;
  }
  last_ = std::chrono::steady_clock::now();
  cost_ = last_ - now;
  if (keyframes_.size() <= std::clamp(spacing_.memory / std::max<std::size_t>(bytes, 1), kFew, spacing_.most))
    return;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < keyframes_.size(); k += 2) keyframes_[kept++] = std::move(keyframes_[k]);
  keyframes_.resize(kept);
  spacing_.least = std::max(spacing_.least, present.events() / kept);
}

// Starts from the last keyframe for which `wanted` holds and makes the wanted changes since then.
template <class F>
Simulation History::replay(const F& wanted, const Look& look, bool& stopped) const {
  const auto later = std::partition_point(keyframes_.begin(), keyframes_.end(), [&](const auto& keyframe) {
    return wanted(keyframe->simulation.position());
  });
  const bool from_start = later == keyframes_.begin();
  Simulation simulation = from_start ? start_() : Simulation((*std::prev(later))->simulation);
  const auto watch = [&stopped, &look](const Simulation& now) {
    stopped = stopped || !look(now);
    return !stopped;
  };
  if (look) simulation.on_progress(kLookEvery, watch);
  for (std::size_t c = from_start ? 0 : (*std::prev(later))->changes; c < changes_.size() && !stopped; ++c) {
    const Changed& change = *changes_[c];
    if (!wanted(change.at)) break;
    simulation.advance_to(change.at);
    if (!stopped) change.make(simulation);
  }
  return simulation;
}

Simulation History::at(Time t, const Look& look) const {
  bool stopped = false;
  Simulation simulation = replay([t](const Position& position) { return position.now <= t; }, look, stopped);
  if (!stopped) simulation.run_until(t);
  simulation.on_progress(0, {});
  return simulation;
}

Simulation History::before(Time t, const Look& look) const {
  bool stopped = false;
  Simulation simulation = replay([t](const Position& position) { return position.now < t; }, look, stopped);
  for (std::uint64_t done = 1; !stopped && simulation.next_time() < t; ++done) {
    Position next = simulation.position();
    next.begun = true;
    ++next.instant;
    simulation.advance_to(next);
    stopped = look && done % kLookEvery == 0 && !look(simulation);
  }
  simulation.on_progress(0, {});
  return simulation;
}

std::function<void(Simulation&)> History::step_from(Time t) const {
  const auto first = std::partition_point(changes_.begin(), changes_.end(),
                                          [t](const auto& each) { return each->at.now < t; });
  return [this, next = static_cast<std::size_t>(first - changes_.begin())](Simulation& past) mutable {
    const auto change = [&] {
      for (; next < changes_.size() && changes_[next]->at.instant <= past.position().instant; ++next) {
        past.advance_to(changes_[next]->at);
        changes_[next]->make(past);
      }
    };
    change();
    Position position = past.position();
    position.begun = true;
    ++position.instant;
    past.advance_to(position);
    change();
  };
}

void History::forget_after(const Simulation& present) {
  const Position now = present.position();
  const auto is_later = [&](const Position& position) {
    return position.instant > now.instant || position.now > now.now;
  };
  std::erase_if(changes_, [&](const auto& each) { return is_later(each->at); });
  std::erase_if(keyframes_, [&](const auto& each) { return is_later(each->simulation.position()); });
  next_ = present.events() + spacing_.least;
}

}  // namespace perigee::engine
