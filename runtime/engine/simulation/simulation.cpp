#include "runtime/engine/simulation.h"

#include "runtime/engine/simulation/state.h"
#include "runtime/engine/why.h"

namespace perigee::engine {

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::complete:
      return "complete";
    case RunStatus::incomplete:
      return "incomplete";
    case RunStatus::horizon:
      return "horizon";
  }
  return "running";
}

Simulation::Simulation(std::shared_ptr<const Scenario> scenario, PolicySetup policy,
                       std::unique_ptr<Estimator> estimator, const RunOptions& options) {
  if (!(options.horizon >= 0)) fail("bad_horizon", "the horizon must be >= 0 s, got {}", options.horizon);
  if (!(options.warmup >= 0 && options.warmup < options.horizon))
    fail("bad_horizon", "the warm-up must be >= 0 s and end before the horizon of {} s, got {} s",
         options.horizon, options.warmup);
  state_ = std::make_unique<SimulationState>(std::move(scenario), std::move(policy), std::move(estimator),
                                             options);
  state_->prepare();
}
Simulation::Simulation(const Simulation& other) : state_(std::make_unique<SimulationState>(*other.state_)) {
  attach(nullptr);
}
Simulation& Simulation::operator=(const Simulation& other) {
  if (this != &other) state_ = std::make_unique<SimulationState>(*other.state_);
  attach(nullptr);
  return *this;
}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

bool Simulation::step() {
  if (over()) return false;
  state_->guarded([this] { state_->step(); });
  return !over();
}

void Simulation::run() { run_until(kNever); }

void Simulation::run_until(Time time) {
  SimulationState& s = *state_;
  if (s.broken || s.status == RunStatus::horizon) return;
  s.guarded([&] {
    std::uint64_t count = 0;
    while (s.status == RunStatus::running) {
      if (time < kNever && s.next_time() > time && time < s.options.horizon) {
        if (s.end_if_done()) break;
        s.sim.state_.now = std::max(s.sim.state_.now, time);  // nothing happens until then
        return;
      }
      s.step();
      if (time == kNever) s.check_progress();
      if (s.progress_every > 0 && ++count % s.progress_every == 0 && !s.progress(*this)) return;
    }
    if (time < kNever && s.status != RunStatus::horizon) s.look_ahead_of_end(time, *this);
  });
}

Position Simulation::position() const {
  return {state_->sim.state_.instant, state_->sim.state_.now, state_->begun};
}

void Simulation::advance_to(const Position& position) {
  SimulationState& s = *state_;
  if (!position.begun) return;
  s.guarded([&] {
    std::uint64_t count = 0;
    while (s.sim.state_.instant < position.instant) {
      PERIGEE_ASSERT(s.next_time() < kNever, "a run does not repeat itself");
      if (s.status == RunStatus::running)
        s.step();
      else
        s.instant_after_end(*this);
      if (s.progress_every > 0 && ++count % s.progress_every == 0 && !s.progress(*this)) return;
    }
    if (position.now <= s.sim.state_.now) return;
    s.end_if_done();
    if (s.status != RunStatus::running)
      s.look_ahead_of_end(position.now, *this);
    else
      s.sim.state_.now = position.now;
  });
}

std::size_t Simulation::bytes() const {
  const SimulationState& s = *state_;
  const Sim& sim = s.sim;
  constexpr std::size_t kPerWork = sizeof(WorkView), kPerNote = 100, kPolicy = 2;
  return sizeof(SimulationState) + kPolicy * (kPerWork * s.work_count + sim.state_.hosts.bytes()) +
         sim.state_.activities.slots() * sizeof(Activity) + sim.queue_.size() * sizeof(Pending) +
         sim.state_.stores.bytes() + sim.trace_.bytes() + sim.trace_.notes().size() * kPerNote +
         s.setup.policy->bytes() + sim.injected_.size() * sizeof(Happening);
}

RunStatus Simulation::status() const { return state_->status; }
Time Simulation::now() const { return state_->sim.now(); }
Time Simulation::end() const { return state_->ending ? state_->ending->end : now(); }
Time Simulation::next_time() const { return over() ? kNever : state_->next_time(); }
View Simulation::view() const { return state_->sim.view(); }
const Sim& Simulation::sim() const { return state_->sim; }
const Scenario& Simulation::scenario() const { return state_->scenario(); }
Policy& Simulation::policy() { return *state_->setup.policy; }
const Policy& Simulation::policy() const { return *state_->setup.policy; }
const std::string& Simulation::policy_name() const { return state_->setup.name; }
const Trace& Simulation::trace() const { return state_->sim.trace_; }
std::uint64_t Simulation::events() const { return state_->events; }

void Simulation::attach(Recorder* recorder) {
  state_->sim.recorder_ = recorder;
  if (recorder == nullptr) return;
  recorder->simulation_ = this;
  recorder->sim_ = &state_->sim;
}

void Simulation::on_progress(std::uint64_t every, std::function<bool(const Simulation&)> callback) {
  state_->progress_every = callback ? every : 0;
  state_->progress = std::move(callback);
}

}  // namespace perigee::engine
