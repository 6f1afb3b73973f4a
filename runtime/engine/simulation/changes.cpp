// Changes from outside: further happenings, more work, another policy; and the list of those that are
// planned.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "runtime/engine/simulation/loop.h"
#include "runtime/engine/why.h"

namespace perigee::engine {

void Loop::inject(Happening happening) {
  happening.at = std::max(happening.at, now());
  check_alive();
  scenario().check(happening);
  revive();
  const auto slot = static_cast<std::uint32_t>(state_.injected.size());
  happening.outage = outage_number(OutageOrigin::intervention, slot);
  push(Sim::Due::happening, happening.at, Sim::kInjected, slot);
  state_.injected.push_back(std::move(happening));
  interventions.push_back(slot);
  to_come.push_back(slot);
}

void Loop::submit(std::shared_ptr<const Workload> workload) {
  if (feed)
    fail("bad_work",
         "no work can be submitted to a run of a stream, whose works are numbered as they come; "
         "let the stream's function give it");
  workload->check(*scenario().platform);
  const std::size_t known = state_.workload->size();
  accept_or_refuse(*workload, WorkId(known));
  for (std::size_t w = known; w < workload->size(); ++w)
    if (const Time at = workload->works[w].arrival; at < now())
      fail("bad_work", "{}: its arrival, {} s, is before the present, t = {} s", workload->name_of(WorkId(w)),
           at, now());
  // Works to come, in order of arrival, ties in order of input.
  std::vector<std::uint32_t> order;
  for (std::size_t k = arrivals; k < work_count; ++k) order.push_back(static_cast<std::uint32_t>(work_at(k)));
  for (std::size_t w = known; w < workload->size(); ++w) order.push_back(static_cast<std::uint32_t>(w));
  std::ranges::stable_sort(order, {}, [&](std::uint32_t w) { return workload->works[w].arrival; });
  ordered_from = arrivals;
  work_count = arrivals + order.size();
  arrival_order = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
  state_.extend(std::move(workload));
  trace_.extend(state_.scenario);
  look_ahead();
}

namespace {

// A flag for each happening: whether it ends an outage that has begun by now.
std::vector<std::uint8_t> ends_of_begun(std::span<const Happening> listed, Time now) {
  std::vector<std::uint8_t> ends(listed.size());
  for (std::size_t k = 0; k < listed.size(); ++k) {
    const Happening& begun = listed[k];
    if (begun.kind != HappeningKind::down || begun.at > now) continue;
    for (std::size_t end = k + 1; end < listed.size(); ++end)
      if (ends[end] == 0 && listed[end].kind == HappeningKind::up && listed[end].on == begun.on &&
          listed[end].outage == begun.outage && listed[end].cause == begun.cause) {
        ends[end] = 1;
        break;
      }
  }
  return ends;
}

}  // namespace

void Loop::forget_future() {
  forget_injected();
  forget_arrivals();
  forget_listed();
  forget_drawn();
  processes.clear();
  successors.clear();
  forget_askers();
  options.horizon = kNever;
  trace_ = Trace(TraceLevel::full);
  look_ahead();
}

// An injected happening still comes if it acts in this instant or ends an outage that has begun by then.
void Loop::forget_injected() {
  const Time now = Sim::now();
  const auto goes_away = [&](ResourceId on) {  // in this instant, if it is not away already
    bool does = !outages(on).empty();
    each_to_come(now, [&](const Happening& each, bool) {
      does = does || (each.kind == HappeningKind::down && (each.on == on || is_of(on, each.on)));
    });
    return does;
  };
  std::vector<std::uint32_t> known;
  std::ranges::copy_if(to_come, std::back_inserter(known), [&](std::uint32_t slot) {
    const Happening& each = state_.injected[slot];
    return each.at <= now || (each.kind == HappeningKind::up && goes_away(each.on));
  });
  to_come = std::move(known);
}

void Loop::forget_arrivals() {
  const Time now = Sim::now();
  std::vector<std::uint32_t> coming;
  std::size_t next = arrivals;
  for (; next < work_count && arrival(next) <= now; ++next)
    coming.push_back(static_cast<std::uint32_t>(work_at(next)));
  // The others are not to be waited for.
  for (; next < work_count; ++next) state_.works.never_arrives(WorkId(work_at(next)));
  feed.reset();
  ordered_from = arrivals;
  work_count = arrivals + coming.size();
  arrival_order = std::make_shared<const std::vector<std::uint32_t>>(std::move(coming));
}

// A listed happening still comes if it acts in this instant, ends what has begun, or is known to the policy.
void Loop::forget_listed() {
  const Time now = Sim::now();
  const std::vector<Happening>& listed = scenario().happenings;
  const std::vector<std::uint8_t> ends = ends_of_begun(listed, now);
  std::set<std::uint32_t> known_outages;  // windows of which the policy knows still come
  for (const Happening& each : listed)
    if (each.kind == HappeningKind::down && each.known <= now) known_outages.insert(each.outage);
  state_.windows.resize(state_.windows_known);
  std::set<std::uint32_t> leaving;  // resources that are known to leave, and to join no sooner
  const auto is_known = [&](const Happening& each) {
    if (each.kind == HappeningKind::down || each.kind == HappeningKind::up)
      return known_outages.contains(each.outage);
    if (each.kind == HappeningKind::leave && each.known <= now) {
      leaving.insert(each.on.packed());
      for (std::size_t h = 0; h < state_.hosts.size(); ++h)
        if (each.on == ResourceId::of(state_.hosts[HostId(h)].cluster))
          leaving.insert(ResourceId::of(HostId(h)).packed());
      return true;
    }
    return each.kind == HappeningKind::join && each.known <= now &&
           (leaving.erase(each.on.packed()) > 0 || !state_.presence(each.on).is_present());
  };
  std::vector<std::uint32_t> kept;
  for (std::size_t k = 0; k < happening_order->size(); ++k)
    if (const std::uint32_t index = (*happening_order)[k];
        k < happenings || listed[index].at <= now || ends[index] != 0 || is_known(listed[index]))
      kept.push_back(index);
  happening_order = std::make_shared<const std::vector<std::uint32_t>>(std::move(kept));
}

// Hosts that have failed are still repaired; none fails any more.
void Loop::forget_drawn() {
  for (Failing& failing : drawn) {
    if (failing.is_down) {  // its repair is known
      const auto slot = static_cast<std::uint32_t>(state_.injected.size());
      push(Sim::Due::happening, failing.next, Sim::kInjected, slot);
      to_come.push_back(slot);
      state_.injected.push_back({.at = failing.next,
                                 .kind = HappeningKind::up,
                                 .cause = Cause::failure,
                                 .on = ResourceId::of(failing.host),
                                 .announced = scenario().failures[failing.model].announced,
                                 .outage = number_of(failing)});
    }
    failing.is_down = false;
    failing.next = kNever;
  }
}

void Loop::take_over(PolicySetup policy) {
  check_accepted(policy);
  setup = std::move(policy);
  policy_name_ = setup.name;
  state_.timers.remove_all();
  subscribe();
  taken_over = taken_over || begun;
  take_care_of_what_is_left();
}

// The policy that takes over reads in the view that works wait again: it is not told.
void Loop::take_care_of_what_is_left() {
  const std::size_t told = events_.size();
  if (!setup.policy->takes_over().suspended)
    for (const ActivityId id : suspended()) requeue(id);
  if (!tells_pending_ && state_.readiness.any())
    for (std::size_t w = 0; w < state_.works.size(); ++w)
      if (!is_ready(WorkId(w))) take_back(WorkId(w), Reason::cancelled);
  events_.resize(told);
  if (!keeps_hosts_on() || !state_.platform->has_power()) return;
  for (std::size_t h = 0; h < state_.hosts.size(); ++h) keep_on(HostId(h));
}

void Simulation::inject(Happening happening) { loop_->inject(std::move(happening)); }

std::uint32_t Simulation::add_profile(Profile profile) { return loop_->add_profile(std::move(profile)); }

void Simulation::submit(std::shared_ptr<const Workload> workload) {
  loop_->check_alive();
  const std::size_t known = loop_->view().works().size(), all = workload->size();
  loop_->submit(std::move(workload));
  for (std::size_t w = known; w < all; ++w) loop_->submitted.emplace_back(w);
  loop_->revive();
}

void Simulation::forget_future() { loop_->forget_future(); }

void Simulation::set_policy(PolicySetup policy, Time at) { loop_->set_policy(std::move(policy), at); }

void Loop::set_policy(PolicySetup policy, Time at) {
  check_alive();
  if (at > now()) {
    check_accepted(policy);
    takeovers.push_back({at, policy.name});
    push(Due::policy, at, 0, static_cast<std::uint32_t>(successors.size()));
    successors.push_back({at, std::move(policy)});
    ++successors_to_come;
    revive();
    return;
  }
  take_over(std::move(policy));
  takeovers.push_back({now(), setup.name});
  revive();
  if (!std::exchange(begun, false)) return;
  guarded([] {});
}

namespace {

// The known outages and membership of a resource and of those that hang together with it, while time goes on.
class Foreseen {
 public:
  Foreseen(const Loop& loop, ResourceId on) : loop_(loop), on_(on) {}

  bool concerns(ResourceId other) const {
    return other == on_ || loop_.is_of(other, on_) || loop_.is_of(on_, other);
  }

  bool allows(const Happening& each) {
    const ResourceId cluster = cluster_of(each.on);
    switch (each.kind) {
      case HappeningKind::down:
        return !of(each.on).outages.any_by_hand();
      case HappeningKind::up:
        return of(each.on).outages.any_to_recover() ||
               (cluster.valid() && of(cluster).outages.any_to_recover());
      case HappeningKind::leave:
      case HappeningKind::change:
        return is_present(each.on);
      case HappeningKind::join:
        return !is_present(each.on);
      default:
        return true;
    }
  }

  void apply(const Happening& each) {
    Known& known = of(each.on);
    ++changes_;
    if (each.kind == HappeningKind::down) {
      known.outages.begin(Outage::of(each));
    } else if (each.kind == HappeningKind::up) {
      known.outages.end(known.outages.ended_by(Outage::of(each)));
    } else if (each.kind == HappeningKind::leave) {
      known.present = false;
      known.left = changes_;
    } else if (each.kind == HappeningKind::join) {
      known.present = true;
      known.joined = changes_;
    }
  }

 private:
  struct Known {
    Outages outages;  // without those of the cluster
    bool present = true;
    std::uint32_t left = 0, joined = 0;  // when it did so last
  };

  ResourceId cluster_of(ResourceId on) const {
    if (on.kind() == ResourceKind::host) return ResourceId::of(loop_.view()[on.host()].cluster);
    const std::size_t clusters =
        on.kind() == ResourceKind::link ? loop_.scenario().platform->clusters().size() : 0;
    for (std::size_t c = 0; c < clusters; ++c)
      if (const ResourceId cluster = ResourceId::of(ClusterId(c)); loop_.is_of(on, cluster)) return cluster;
    return {};
  }

  Known& of(ResourceId on) {
    const auto [at, fresh] = known_.try_emplace(on.packed());
    if (fresh) {
      const ResourceId cluster = cluster_of(on);
      at->second.outages = loop_.outages(on);
      if (cluster.valid()) at->second.outages.move(loop_.outages(cluster), {});
      at->second.present = loop_.is_present(on);
    }
    return at->second;
  }

  bool is_present(ResourceId on) {
    const Known own = of(on);
    const ResourceId cluster = cluster_of(on);
    return own.present && (!cluster.valid() || own.joined >= of(cluster).left);  // which took it along
  }

  const Loop& loop_;
  ResourceId on_;
  std::map<std::uint32_t, Known> known_;
  std::uint32_t changes_ = 0;
};

}  // namespace

std::optional<Happening> Simulation::impossible_with(std::vector<Happening> more) const {
  const Loop& s = *loop_;
  for (Happening& each : more) each.outage = outage_number(OutageOrigin::intervention, s.injected().size());
  did_work(s.interventions.size());
  const Time at = more.front().at;
  Time until = at;
  for (const std::uint32_t slot : s.to_come) until = std::max(until, s.injected()[slot].at);
  const auto impossible = [&](bool with_them) {
    Foreseen foreseen(s, more.front().on);
    std::vector<const Happening*> found;
    const Happening* cluster = nullptr;  // the last that joins
    const auto see = [&](const Happening& each, bool asked_for) {
      const bool joins = each.kind == HappeningKind::join;
      const bool is_brought = joins && cluster != nullptr && each.on.kind() == ResourceKind::host &&
                              each.at == cluster->at && each.cluster == cluster->on.store();
      if (joins && each.on.kind() == ResourceKind::store) cluster = &each;
      if (!foreseen.concerns(each.on)) return;
      if (asked_for && !is_brought && !foreseen.allows(each)) found.push_back(&each);
      foreseen.apply(each);
    };
    bool seen = !with_them;
    const auto see_more = [&] {
      if (std::exchange(seen, true)) return;
      for (const Happening& each : more) see(each, true);
    };
    s.each_to_come(until, [&](const Happening& each, bool injected) {
      if (each.at > at) see_more();
      see(each, injected);
    });
    see_more();
    return found;
  };
  const std::vector<const Happening*> before = impossible(false);
  for (const Happening* each : impossible(true))
    if (std::ranges::find(before, each) == before.end()) return *each;
  return std::nullopt;
}

bool Simulation::is_reserved(ResourceId on) const { return loop_->outages(on).any_reserved(); }

std::vector<Planned> Simulation::planned() const {
  const Loop& s = *loop_;
  std::vector<Planned> all;
  const auto add = [&](Time at, auto what) {
    if (at <= now()) return;
    Planned& planned = all.emplace_back();
    planned.at = at;
    planned.what = std::move(what);
  };
  for (const std::uint32_t slot : s.interventions)
    if (std::ranges::binary_search(s.to_come, slot)) add(s.injected()[slot].at, s.injected()[slot]);
  for (const WorkId work : s.submitted) add(s.view().workload()[work].arrival, work);
  for (const Loop::Successor& each : s.successors) add(each.at, each.setup.name);
  std::ranges::stable_sort(all, {}, &Planned::at);
  return all;
}

const Profile* Simulation::profile(std::uint32_t place) const { return loop_->profile_at(place); }

bool Simulation::has_changes() const {
  Loop& s = *loop_;
  return s.changed && s.status == RunStatus::running && s.next_time() <= s.now();
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
    Loop& state;
    ClonePtr<Policy> policy = std::make_unique<Nobody>();
    std::vector<Loop::Running> processes = {};
    std::vector<Loop::Successor> successors = {};
    explicit Aside(Loop& whole) : state(whole) { swap(); }
    ~Aside() { swap(); }
    void swap() {
      std::swap(state.setup.policy, policy);
      std::swap(state.processes, processes);
      std::swap(state.successors, successors);
    }
  };
  std::optional<Simulation> copy;
  {
    const Aside aside(*loop_);
    copy.emplace(*this);
  }
  Loop& s = *copy->loop_;
  s.progress = {};
  s.begun = true;
  s.forget_askers();
  if (const Time next = s.next_time(); next <= s.now()) s.instant(next);
  return std::move(*copy);
}

}  // namespace perigee::engine
