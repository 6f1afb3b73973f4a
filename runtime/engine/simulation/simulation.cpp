#include "runtime/engine/simulation.h"

#include "runtime/engine/simulation/loop.h"
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
                       std::unique_ptr<Estimator> estimator, RunOptions options) {
  if (!(options.horizon >= 0)) fail("bad_horizon", "the horizon must be >= 0 s, got {}", options.horizon);
  if (!(options.warmup >= 0 && options.warmup < options.horizon))
    fail("bad_horizon", "the warm-up must be >= 0 s and end before the horizon of {} s, got {} s",
         options.horizon, options.warmup);
  loop_ = std::make_unique<Loop>(std::move(scenario), std::move(policy), std::move(estimator),
                                 std::move(options));
  loop_->prepare();
}

namespace {

std::unique_ptr<Loop> copy_of(const Loop& loop) {
  auto copy = std::make_unique<Loop>(loop);
  if (copy->feed) copy->adopt_feed();
  return copy;
}

}  // namespace

Simulation::Simulation(const Simulation& other) : loop_(copy_of(*other.loop_)) { attach(nullptr); }
Simulation& Simulation::operator=(const Simulation& other) {
  if (this != &other) loop_ = copy_of(*other.loop_);
  attach(nullptr);
  return *this;
}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

bool Simulation::step() {
  if (over()) return false;
  loop_->guarded([this] { loop_->step(); });
  return !over();
}

void Simulation::run() { run_until(kNever); }

void Simulation::run_until(Time time) {
  Loop& s = *loop_;
  if (s.broken || s.status == RunStatus::horizon) return;
  s.guarded([&] {
    std::uint64_t count = 0;
    while (s.status == RunStatus::running) {
      if (time < kNever && s.next_time() > time && time < s.options.horizon) {
        if (s.end_if_done()) break;
        s.wait_until(time);  // nothing happens until then
        return;
      }
      s.step();
      if (time == kNever) s.check_progress();
      if (s.progress_every > 0 && ++count % s.progress_every == 0 && !s.progress(*this)) return;
    }
    if (time < kNever && s.status != RunStatus::horizon) s.look_ahead_of_end(time, *this);
  });
}

Position Simulation::position() const { return {view().instant(), now(), loop_->begun}; }

void Simulation::advance_to(const Position& position) {
  Loop& s = *loop_;
  if (!position.begun) return;
  s.guarded([&] {
    std::uint64_t count = 0;
    while (s.view().instant() < position.instant) {
      PERIGEE_ASSERT(s.next_time() < kNever, "a run does not repeat itself");
      if (s.status == RunStatus::running)
        s.step();
      else
        s.instant_after_end(*this);
      if (s.progress_every > 0 && ++count % s.progress_every == 0 && !s.progress(*this)) return;
    }
    if (position.now <= s.now()) return;
    s.end_if_done();
    if (s.status != RunStatus::running)
      s.look_ahead_of_end(position.now, *this);
    else
      s.wait_until(position.now);
  });
}

std::size_t Simulation::bytes() const { return loop_->bytes(); }

std::size_t Loop::bytes() const {
  constexpr std::size_t kPerWork = sizeof(WorkView), kPerNote = 100, kPolicy = 2;
  return sizeof(Loop) +
         kPolicy * (kPerWork * state_.works.views().bytes() / sizeof(WorkView) + state_.hosts.bytes()) +
         state_.activities.slots() * sizeof(Activity) + queue_.size() * sizeof(Pending) +
         state_.stores.bytes() + trace_.bytes() + trace_.notes().size() * kPerNote + setup.policy->bytes() +
         state_.injected.size() * sizeof(Happening);
}

RunStatus Simulation::status() const { return loop_->status; }
Time Simulation::now() const { return loop_->now(); }
Time Simulation::end() const { return loop_->ending ? loop_->ending->end : now(); }
Time Simulation::next_time() const { return over() ? kNever : loop_->next_time(); }
const View& Simulation::view() const { return loop_->view(); }
const Sim& Simulation::sim() const { return *loop_; }
const Scenario& Simulation::scenario() const { return loop_->scenario(); }
const Accepts& Simulation::accepts() const { return loop_->setup.accepts; }
Policy& Simulation::policy() { return *loop_->setup.policy; }
const Policy& Simulation::policy() const { return *loop_->setup.policy; }
const std::string& Simulation::policy_name() const { return loop_->setup.name; }
const Trace& Simulation::trace() const { return loop_->trace(); }
std::uint64_t Simulation::events() const { return loop_->events; }

void Simulation::attach(Recorder* recorder) {
  loop_->attach(recorder);
  if (recorder == nullptr) return;
  recorder->simulation_ = this;
  recorder->sim_ = loop_.get();
}

void Simulation::on_progress(std::uint64_t every, std::function<bool(const Simulation&)> callback) {
  loop_->progress_every = callback ? every : 0;
  loop_->progress = std::move(callback);
}

}  // namespace perigee::engine
