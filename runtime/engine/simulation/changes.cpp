// Changes from outside: further happenings, more work, another policy; and the list of those that are
// planned.
#include <algorithm>
#include <optional>

#include "runtime/engine/simulation/state.h"
#include "runtime/engine/why.h"

namespace perigee::engine {

void SimulationState::inject(Happening happening) {
  happening.at = std::max(happening.at, sim.now());
  check_alive();
  scenario().check(happening);
  revive();
  const auto slot = static_cast<std::uint32_t>(sim.injected_.size());
  sim.push(Sim::Due::happening, happening.at, Sim::kInjected, slot);
  sim.injected_.push_back(std::move(happening));
  interventions.push_back(slot);
  to_come.push_back(slot);
}

void SimulationState::submit(std::shared_ptr<const Workload> workload) {
  workload->check(*scenario().platform);
  const std::size_t known = sim.workload_->size();
  accept_or_refuse(*workload, WorkId(known));
  for (std::size_t w = known; w < workload->size(); ++w)
    if (const Time at = workload->works[w].arrival; at < sim.now())
      fail("bad_work", "{}: its arrival, {} s, is before the present, t = {} s", workload->name_of(WorkId(w)),
           at, sim.now());
  // Works to come, in order of arrival, ties in order of input.
  auto order = arrival_order ? *arrival_order : std::vector<std::uint32_t>();
  for (std::size_t w = arrival_order ? known : 0; w < workload->size(); ++w)
    order.push_back(static_cast<std::uint32_t>(w));
  std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(arrivals), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return workload->works[a].arrival < workload->works[b].arrival;
                   });
  work_count = order.size();
  arrival_order = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
  sim.extend(std::move(workload));
  look_ahead();
}

void SimulationState::forget_future() {
  const Time now = sim.now();
  std::erase_if(to_come, [&](std::uint32_t slot) {
    const Happening& each = sim.injected_[slot];
    return each.at > now && (each.kind != HappeningKind::up || outages(each.on, now) == 0);
  });
  std::vector<std::uint32_t> coming;
  for (std::size_t k = 0; k < work_count && (k < arrivals || arrival(k) <= now); ++k)
    coming.push_back(static_cast<std::uint32_t>(work_at(k)));
  // The others are not to be waited for.
  for (std::size_t k = coming.size(); k < work_count; ++k)
    sim.set_state(sim.view_.works_[work_at(k)], WorkState::rejected);
  work_count = coming.size();
  arrival_order = std::make_shared<const std::vector<std::uint32_t>>(std::move(coming));

  const std::vector<Happening>& listed = scenario().happenings;
  std::vector<std::uint8_t> ends(listed.size());  // an outage that has begun
  for (std::size_t k = 0; k < listed.size(); ++k) {
    if (listed[k].kind != HappeningKind::down || listed[k].at > now) continue;
    for (std::size_t end = k + 1; end < listed.size(); ++end)
      if (ends[end] == 0 && listed[end].kind == HappeningKind::up && listed[end].on == listed[k].on &&
          listed[end].cause == listed[k].cause) {
        ends[end] = 1;
        break;
      }
  }
  std::vector<std::uint32_t> kept;
  for (std::size_t k = 0; k < happening_order->size(); ++k)
    if (const std::uint32_t index = (*happening_order)[k];
        k < happenings || listed[index].at <= now || ends[index] != 0)
      kept.push_back(index);
  happening_order = std::make_shared<const std::vector<std::uint32_t>>(std::move(kept));

  for (Sim::Failing& failing : sim.failing_) {
    if (failing.is_down) {  // its repair is known
      const auto slot = static_cast<std::uint32_t>(sim.injected_.size());
      sim.push(Sim::Due::happening, failing.next, Sim::kInjected, slot);
      to_come.push_back(slot);
      sim.injected_.push_back({.at = failing.next,
                               .kind = HappeningKind::up,
                               .cause = Cause::failure,
                               .on = ResourceId::of(failing.host),
                               .announced = scenario().failures[failing.model].announced});
    }
    failing.is_down = false;
    failing.next = kNever;
  }
  processes.clear();
  successors.clear();
  forget_askers();
  options.horizon = kNever;
  sim.trace_ = Trace(TraceLevel::full);
  look_ahead();
}

std::int32_t SimulationState::outages(ResourceId on, Time at) const {
  std::int32_t count = outages(on);
  each_to_come(at, [&](const Happening& each) {
    if (each.on != on && !is_of(on, each.on)) return;
    if (each.kind == HappeningKind::down) ++count;
    if (each.kind == HappeningKind::up) count = std::max(0, count - 1);
  });
  return count;
}

void SimulationState::take_over(PolicySetup policy) {
  check_accepted(policy);
  setup = std::move(policy);
  sim.policy_name_ = setup.name;
  for (std::uint32_t slot = 0; slot < sim.timers_.size(); ++slot)
    if (sim.timers_[slot].serial != 0) sim.cancel(TimerId{sim.timers_[slot].serial, slot});
  subscribe();
  taken_over = taken_over || begun;
}

void Simulation::inject(Happening happening) { state_->inject(std::move(happening)); }

std::uint32_t Simulation::add_profile(Profile profile) { return state_->add_profile(std::move(profile)); }

void Simulation::submit(std::shared_ptr<const Workload> workload) {
  state_->check_alive();
  const std::size_t known = state_->sim.workload_->size(), all = workload->size();
  state_->submit(std::move(workload));
  for (std::size_t w = known; w < all; ++w) state_->submitted.emplace_back(w);
  state_->revive();
}

void Simulation::forget_future() { state_->forget_future(); }

void Simulation::set_policy(PolicySetup policy, Time at) {
  SimulationState& s = *state_;
  s.check_alive();
  if (at > s.sim.now()) {
    s.check_accepted(policy);
    s.sim.push(Sim::Due::policy, at, 0, static_cast<std::uint32_t>(s.successors.size()));
    s.successors.push_back({at, std::move(policy)});
    ++s.successors_to_come;
    s.revive();
    return;
  }
  s.take_over(std::move(policy));
  s.revive();
  if (!std::exchange(s.begun, false)) return;
  s.guarded([] {});
}

std::int32_t Simulation::injected_outages(ResourceId on, Time at) const {
  const std::vector<Happening>& injected = state_->sim.injected_;
  std::vector<std::uint32_t> own;
  did_work(state_->interventions.size());
  for (const std::uint32_t slot : state_->interventions)
    if (injected[slot].on == on && injected[slot].at <= at) own.push_back(slot);
  std::ranges::stable_sort(own, {}, [&](std::uint32_t slot) { return injected[slot].at; });
  std::int32_t count = 0;
  for (const std::uint32_t slot : own) {
    if (injected[slot].kind == HappeningKind::down) ++count;
    if (injected[slot].kind == HappeningKind::up) count = std::max(0, count - 1);
  }
  return count;
}

std::int32_t Simulation::outages(ResourceId on, Time at) const { return state_->outages(on, at); }

bool Simulation::is_present(ResourceId on, Time at) const {
  const SimulationState& s = *state_;
  bool present = s.is_present(on);
  s.each_to_come(at, [&](const Happening& each) {
    if (each.kind == HappeningKind::leave && (each.on == on || s.is_of(on, each.on))) present = false;
    if (each.kind == HappeningKind::join && each.on == on) present = true;
  });
  return present;
}

std::vector<Planned> Simulation::planned() const {
  const SimulationState& s = *state_;
  std::vector<Planned> all;
  const auto add = [&](Time at, auto what) {
    if (at <= now()) return;
    Planned& planned = all.emplace_back();
    planned.at = at;
    planned.what = std::move(what);
  };
  for (const std::uint32_t slot : s.interventions)
    if (std::ranges::binary_search(s.to_come, slot)) add(s.sim.injected_[slot].at, s.sim.injected_[slot]);
  for (const WorkId work : s.submitted) add((*s.sim.workload_)[work].arrival, work);
  for (const SimulationState::Successor& each : s.successors) add(each.at, each.setup.name);
  std::ranges::stable_sort(all, {}, &Planned::at);
  return all;
}

const Profile* Simulation::profile(std::uint32_t place) const { return state_->sim.profile_at(place); }

bool Simulation::has_changes() const {
  SimulationState& s = *state_;
  return s.changed && s.status == RunStatus::running && s.next_time() <= s.sim.now();
}

namespace {

class Nobody final : public PolicyOf<Nobody> {
 public:
  void react(Sim&, std::span<const Event>) override {}
};

}  // namespace

Simulation Simulation::with_changes() const {
  // Policy and processes are not asked, and need not be copied.
  struct Aside {
    SimulationState& state;
    ClonePtr<Policy> policy = std::make_unique<Nobody>();
    std::vector<SimulationState::Running> processes = {};
    std::vector<SimulationState::Successor> successors = {};
    explicit Aside(SimulationState& whole) : state(whole) { swap(); }
    ~Aside() { swap(); }
    void swap() {
      std::swap(state.setup.policy, policy);
      std::swap(state.processes, processes);
      std::swap(state.successors, successors);
    }
  };
  std::optional<Simulation> copy;
  {
    const Aside aside(*state_);
    copy.emplace(*this);
  }
  SimulationState& s = *copy->state_;
  s.progress = {};
  s.begun = true;
  s.forget_askers();
  if (const Time next = s.next_time(); next <= s.sim.now()) s.instant(next);
  return std::move(*copy);
}

}  // namespace perigee::engine
