#include "runtime/engine/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <ranges>
#include <set>

#include "runtime/engine/process.h"
#include "runtime/engine/why.h"
#include "runtime/kernel/math.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/work.h"

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

namespace {

constexpr std::uint64_t kMaxRounds = 1'000'000;
constexpr std::uint32_t kMaxIdleWakes = 100'000;
constexpr std::uint64_t kStepsOfInstant = 10;  // see did_work(), whatever the policy does
constexpr std::uint64_t kStepsOfPart = 5;      // a work, host or happening, before anything happens
constexpr std::size_t kCrowd = 1000;           // arrivals at a time for which room is made beforehand

// The phases of an instant, in the order of delivery.
enum Phase : std::uint8_t {
  kMarks,
  kEnds,
  kHappenings,
  kThoughts,
  kDue,
  kSamples,
  kArrivals,
  kLate,
  kPhases
};

// What is due in this instant. Equal times are told apart by declaration: `major` orders phases and
// resources, `minor` what they carry.
struct DueNow {
  std::uint64_t major = 0, minor = 0;
  Pending pending;
  Phase phase = kMarks;
  bool operator<(const DueNow& other) const {
    return major != other.major ? major < other.major : minor < other.minor;
  }
};

// An up or down time with the given mean.
Seconds draw(Stream& stream, FailureLaw law, Seconds mean, double shape) {
  if (law == FailureLaw::exponential) return stream.exponential(mean);
  return stream.weibull(shape, mean / math::tgamma(1 + 1 / shape));
}

}  // namespace

struct SimulationState {
  Sim sim;
  PolicySetup setup;
  RunOptions options;
  RunStatus status = RunStatus::running;
  bool begun = false;
  bool taken_over = false;                                          // by another policy, on the way
  bool broken = false;                                              // by an error
  std::shared_ptr<const std::vector<std::uint32_t>> arrival_order;  // null: works are in order of arrival
  std::size_t work_count = 0;
  std::size_t arrivals = 0;  // done
  Time next_arrival = kNever;
  std::int32_t widest = 0;  // cores of a host
  std::shared_ptr<const std::vector<std::uint32_t>> happening_order;
  std::size_t happenings = 0;  // done
  Time next_happening = kNever;
  std::uint64_t events = 0;
  struct Running {
    ClonePtr<Process> process;  // null when it is over
    Time next = kNever;         // when it wakes
    bool for_condition = false;
    Time last = -1;           // when it woke
    std::uint32_t times = 0;  // at that time
  };
  std::vector<Running> processes;               // those of the scenario
  std::uint32_t idle_wakes = 0;                 // of processes and timers, since anything progressed
  std::pair<std::size_t, std::size_t> settled;  // works that had arrived then, and those of them not settled
  std::shared_ptr<const Outcome> ending;        // of a run that is over, where it has been looked at further
  bool changed = false;                         // from outside, since the last instant
  std::vector<std::uint32_t> interventions;     // places in Sim::injected_, in order of injection
  std::vector<std::uint32_t> to_come;  // of what was injected, that which has not happened; ascending
  std::vector<WorkId> submitted;       // from outside
  struct Successor {
    Time at;
    PolicySetup setup;
  };
  std::vector<Successor> successors;  // that are to take over later
  std::size_t successors_to_come = 0;
  std::uint32_t successor = kNone;  // that takes over in this instant
  std::vector<std::uint8_t> tried;  // hosts seen up while nothing progressed
  std::uint64_t progress_every = 0;
  std::function<bool(const Simulation&)> progress;

  std::vector<DueNow> pending;
  std::vector<Event> delivering;
  std::vector<std::uint32_t>
      by_input;          // arrivals of this instant, last first, where their times differ from it
  double tolerance = 0;  // the largest of the policies so far

  SimulationState(std::shared_ptr<const Scenario> scenario, PolicySetup policy,
                  std::unique_ptr<Estimator> estimator, const RunOptions& run)
      : sim(std::move(scenario), run.seed, run.level), setup(std::move(policy)), options(run) {
    sim.learning_ = estimator->learns();
    sim.comparing_ = !estimator->is_perfect();
    sim.estimator_ = std::move(estimator);
    sim.policy_name_ = setup.name;
    work_count = sim.workload_->size();
    for (const Host& host : sim.platform_->hosts()) widest = std::max(widest, host.cores);
  }

  const Scenario& scenario() const { return *sim.scenario_; }
  std::size_t work_at(std::size_t k) const { return arrival_order ? (*arrival_order)[k] : k; }
  Time arrival(std::size_t k) const {
    return k < work_count ? scenario().workload->works[work_at(k)].arrival : kNever;
  }
  const Happening& happening(std::size_t k) const { return scenario().happenings[(*happening_order)[k]]; }
  // Still to come until then.
  std::size_t arrivals_by(Time limit) const {
    const auto come = std::views::iota(arrivals, work_count);
    const auto later = std::ranges::partition_point(come, [&](std::size_t k) { return arrival(k) <= limit; });
    return static_cast<std::size_t>(later - come.begin());
  }
  void look_ahead() {
    next_arrival = arrival(arrivals);
    next_happening = happenings < happening_order->size() ? happening(happenings).at : kNever;
  }

  void prepare();
  void subscribe();
  void accept_or_refuse_work(const Workload& workload, WorkId id) const;
  void accept_or_refuse(const Workload& workload, WorkId first) const;
  [[gnu::always_inline]] inline Time next_time();
  void gather(Time limit, std::vector<DueNow>& out);
  void key(DueNow& due) const;
  inline void apply(const Pending& due);
  inline void apply_arrival(Time limit);
  void stall(Time limit);
  void take_over(PolicySetup policy);
  std::size_t next_arriving(Time limit);
  bool some_host_can_run(WorkId work) const;
  [[gnu::always_inline]] inline bool alone(Time limit);
  bool ask();
  bool due_by(Time limit) const {
    return next_arrival <= limit || next_happening <= limit || sim.queue_.first() <= limit;
  }
  void begin_policy();
  template <class F>
  void guarded(F f);
  void step();
  [[gnu::always_inline]] inline void instant(Time t);
  void run_rounds(Time limit, std::uint64_t done);
  void run_once(Time limit, bool by_phase, std::uint64_t done);
  void run_each(Time limit, std::uint64_t done);
  void wake(std::uint32_t process);
  void ask_conditions();
  bool kept_alive() const {  // by a process that may submit more
    return std::ranges::any_of(
        processes, [](const Running& each) { return each.next < kNever && each.process->keeps_alive(); });
  }
  void happen(Happening happening);
  void inject(Happening happening);
  void check_accepted(PolicySetup policy);
  // f(happening) of all that is known to happen until then; in order.
  template <class F>
  void each_to_come(Time at, F f) const {
    std::vector<const Happening*> come;
    for (std::size_t k = happenings; k < happening_order->size() && happening(k).at <= at; ++k)
      come.push_back(&happening(k));
    for (const std::uint32_t slot : to_come)
      if (sim.injected_[slot].at <= at) come.push_back(&sim.injected_[slot]);
    std::ranges::stable_sort(come, {}, &Happening::at);
    for (const Happening* each : come) f(*each);
  }
  // The host, or the link, is part of the cluster `all`.
  bool is_of(ResourceId on, ResourceId all) const {
    if (all.kind() != ResourceKind::store) return false;
    return on.kind() == ResourceKind::host   ? sim.view_.hosts_[on.at()].cluster == all.store()
           : on.kind() == ResourceKind::link ? (*sim.platform_)[all.store()].link == on.link()
                                             : false;
  }
  std::uint32_t add_profile(Profile profile) {
    sim.more_profiles_.push_back(std::move(profile));
    return static_cast<std::uint32_t>(scenario().profiles.size() + sim.more_profiles_.size() - 1);
  }
  void submit(std::shared_ptr<const Workload> workload);
  void forget_future();
  // Of the queue: processes, policies that are to take over, and what was injected and is no longer to come.
  void forget_askers() {
    sim.queue_.prune([this](const Pending& entry) {
      const Sim::Due due = Sim::due_of(entry);
      return sim.stale(entry) || due == Sim::Due::process || due == Sim::Due::policy ||
             (due == Sim::Due::happening && std::ranges::count(to_come, Sim::slot_of(entry)) == 0);
    });
    successors_to_come = 0;
  }
  inline void after_instant();
  bool all_settled() const { return arrivals == work_count && sim.view_.unsettled_ == 0 && !kept_alive(); }
  void instant_after_end(const Simulation& whole);
  void look_ahead_of_end(Time time, const Simulation& whole);
  inline bool anything_to_come();
  std::int32_t outages(ResourceId on) const {
    return on.kind() == ResourceKind::host   ? sim.hosts_[on.at()].down
           : on.kind() == ResourceKind::link ? sim.links_[on.at()].down
                                             : sim.clusters_[on.at()].down;
  }
  std::int32_t outages(ResourceId on, Time at) const;  // as far as is known
  bool is_present(ResourceId on) const {
    return on.kind() == ResourceKind::host   ? sim.hosts_[on.at()].present
           : on.kind() == ResourceKind::link ? sim.links_[on.at()].present
                                             : sim.clusters_[on.at()].present;
  }
  // A run that is over goes on when somebody intervenes.
  void check_alive() const {
    if (status == RunStatus::horizon || broken) fail("run_is_over", "the run is over ({})", name_of(status));
  }
  void revive() {
    status = RunStatus::running;
    ending = nullptr;
    changed = true;
  }
  bool may_recover();
};

void SimulationState::accept_or_refuse_work(const Workload& workload, WorkId id) const {
  const Accepts& accepts = setup.accepts;
  const Work& work = workload[id];
  const auto name = [&] { return workload.name_of(id); };
  const auto refuse = [&](std::string_view what) {
    fail("not_accepted", "policy '{}' does not accept {}, which {} has", setup.name, what, name());
  };
  const bool kind = work.kind == WorkKind::task    ? accepts.tasks
                    : work.kind == WorkKind::job   ? accepts.jobs
                    : work.kind == WorkKind::sweep ? accepts.sweeps
                    : work.kind == WorkKind::load  ? accepts.loads
                                                   : accepts.reservations;
  if (!kind)
    fail("not_accepted", "policy '{}' does not accept work of kind '{}' ({})", setup.name, name_of(work.kind),
         name());
  if (!accepts.files && work.input_count > 0) refuse("'inputs'");
  if (!accepts.files && work.output_count > 0) refuse("'outputs'");
  if (!accepts.files && work.kind == WorkKind::sweep && workload.extras[work.extra].bytes > 0)
    refuse("'bytes'");
  if (!accepts.several_cores && work.cores > 1) refuse(fmt::format("'cores' = {}", work.cores));
}

void SimulationState::accept_or_refuse(const Workload& workload, WorkId first) const {
  for (std::size_t w = first.index; w < workload.size(); ++w) accept_or_refuse_work(workload, WorkId(w));
  if (const Demands* demands = setup.accepts.demands)
    demands->check(*scenario().platform, workload, first, setup.name);
}

void SimulationState::prepare() {
  const Workload& workload = *scenario().workload;
  const auto by_arrival = [&](std::uint32_t a, std::uint32_t b) {
    return workload.works[a].arrival < workload.works[b].arrival;
  };
  did_work(kStepsOfPart * (work_count + sim.platform_->hosts().size() + scenario().happenings.size()));
  accept_or_refuse(workload, WorkId(0));
  if (!std::ranges::is_sorted(workload.works, {}, &Work::arrival)) {
    std::vector<std::uint32_t> order(workload.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), by_arrival);
    arrival_order = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
  }
  std::vector<std::uint32_t> order(scenario().happenings.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return scenario().happenings[a].at < scenario().happenings[b].at;
  });
  const Absent absent = absent_at_start(scenario());
  for (std::size_t h = 0; h < absent.hosts.size(); ++h) {
    if (absent.hosts[h] == 0) continue;
    sim.hosts_[h].present = false;
    sim.refresh(HostId(h));
  }
  for (std::size_t c = 0; c < absent.clusters.size(); ++c) {
    if (absent.clusters[c] == 0) continue;
    sim.clusters_[c].present = false;
    const LinkId link = (*scenario().platform)[ClusterId(c)].link;
    sim.links_[link.index].present = false;
    sim.view_.links_[link.index].up = false;
  }
  happening_order = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
  for (const auto& declared : scenario().processes) {
    sim.push(Sim::Due::process, 0, 0, static_cast<std::uint32_t>(processes.size()));
    processes.push_back({.process = declared->clone(), .next = 0});
  }
  sim.find_routes();
  for (std::uint32_t f = 0; f < sim.failing_.size(); ++f) {
    Sim::Failing& failing = sim.failing_[f];
    const FailureModel& model = scenario().failures[failing.model];
    failing.next = draw(failing.stream, model.law, model.mtbf, model.shape);
    sim.push(Sim::Due::failure, failing.next, 0, f);
  }
  subscribe();
  tried.assign(sim.hosts_.size(), 0);
  look_ahead();
}

// To the known steps of profiles, if the policy wants them.
void SimulationState::subscribe() {
  tolerance = std::max(tolerance, setup.instants.tolerance);
  sim.watched_.clear();
  if (!setup.instants.steps) return;
  sim.watched_.resize(sim.hosts_.size() + sim.links_.size());
  for (std::uint32_t k = 0; k < sim.watched_.size(); ++k) sim.watch(k, sim.now());
}

Time SimulationState::next_time() {
  while (!sim.queue_.empty() && sim.stale(sim.queue_.top())) sim.queue_.pop();
  return std::min({sim.queue_.first(), next_arrival, next_happening});
}

void SimulationState::key(DueNow& due) const {
  const std::uint32_t slot = Sim::slot_of(due.pending);
  std::uint64_t order = 0;
  switch (Sim::due_of(due.pending)) {
    case Sim::Due::end:
    case Sim::Due::phase: {
      const Sim::Activity& activity = sim.activities_[slot];
      if (activity.kind == ActivityKind::think) {
        due.phase = kThoughts;
        break;
      }
      due.phase = kEnds;
      const bool on_link = activity.cluster.valid();  // transfers and chunks
      const std::uint32_t resource = on_link                  ? (*sim.platform_)[activity.cluster].link.index
                                     : activity.hold != kNone ? sim.holds_[activity.hold].hosts.front().index
                                                              : activity.host.index;
      order = (on_link ? 0ULL : 1ULL << 32) | resource;
      due.minor = std::uint64_t{activity.file.valid() ? activity.file.index : activity.work.index} << 32 |
                  activity.serial;
      break;
    }
    case Sim::Due::happening:
      due.phase = sim.injected_[slot].kind == HappeningKind::mark ? kMarks : kHappenings;
      order = 1ULL << 32 | slot;  // after those listed
      break;
    case Sim::Due::process:
      due.phase = kHappenings;
      order = 2ULL << 32 | slot;
      break;
    case Sim::Due::failure:
      due.phase = kHappenings;
      order = 3ULL << 32 | sim.failing_[slot].host.index;
      due.minor = slot;
      break;
    case Sim::Due::step:
      due.phase = kHappenings;
      order = 4ULL << 32 | slot;
      break;
    case Sim::Due::timer:
      due.phase = sim.timers_[slot].phase == TimerPhase::due      ? kDue
                  : sim.timers_[slot].phase == TimerPhase::sample ? kSamples
                                                                  : kLate;
      due.minor = due.pending.serial;
      break;
    case Sim::Due::policy:
      due.phase = kLate;
      order = 1;  // after the timers
      due.minor = slot;
      break;
    case Sim::Due::wake:
      break;
  }
  due.major = std::uint64_t{due.phase} << 56 | order;
}

// Takes everything due out of the queue. Arrivals stay where they are: their order is that of input.
void SimulationState::gather(Time limit, std::vector<DueNow>& out) {
  while (sim.queue_.first() <= limit) {
    DueNow due;
    due.pending = sim.queue_.top();
    sim.queue_.pop();
    if (sim.stale(due.pending)) continue;
    if (Sim::due_of(due.pending) == Sim::Due::wake) {
      Sim::Activity& activity = sim.activities_[Sim::slot_of(due.pending)];
      if (!activity.waking) continue;
      activity.waking = false;
      activity.not_before = std::min(activity.not_before, sim.view_.now_);
      --sim.wakes_;
      sim.touch_all(activity);
      continue;
    }
    key(due);
    out.push_back(due);
  }
  while (next_happening <= limit) {
    const Happening& next = happening(happenings);
    DueNow due;
    due.phase = next.kind == HappeningKind::mark ? kMarks : kHappenings;
    const std::uint32_t index = (*happening_order)[happenings];
    due.pending = {next.at, Sim::kListed,
                   static_cast<std::uint32_t>(Sim::Due::happening) << Sim::kSlotBits | index};
    due.major = std::uint64_t{due.phase} << 56 | index;
    out.push_back(due);
    ++happenings;
    look_ahead();
  }
}

void SimulationState::apply(const Pending& due) {
  ++events;
  if (sim.stale(due)) return;  // what came before it at this time has seen to that
  const std::uint32_t slot = Sim::slot_of(due);
  const std::size_t before = sim.events_.size();
  switch (Sim::due_of(due)) {
    case Sim::Due::end:
      sim.finish_activity(slot);
      break;
    case Sim::Due::phase: {
      Sim::Activity& activity = sim.activities_[slot];
      if (activity.kind == ActivityKind::hold) {  // the io part is over
        Sim::Hold& hold = sim.holds_[activity.hold];
        sim.free_link(hold);
        activity.stage = Sim::Stage::moving;
        activity.end = std::max(sim.view_.now_, hold.to);
        sim.push_end(slot);
      } else {
        activity.since = sim.view_.now_;
        sim.go_on(slot);
      }
      break;
    }
    case Sim::Due::happening:
      if (due.serial != Sim::kListed) std::erase(to_come, slot);
      sim.apply(due.serial == Sim::kListed ? scenario().happenings[slot] : sim.injected_[slot]);
      if (sim.events_.size() > before && sim.events_.back().kind == EventKind::mark) {
        sim.events_.back().serial = due.serial;
        sim.events_.back().slot = slot;
      }
      break;
    case Sim::Due::process:
      wake(slot);
      break;
    case Sim::Due::failure: {
      Sim::Failing& failing = sim.failing_[slot];
      const FailureModel& model = scenario().failures[failing.model];
      if (failing.is_down)
        sim.host_up(failing.host, Cause::failure);
      else
        sim.host_down(failing.host, Cause::failure, model.announced);
      failing.is_down = !failing.is_down;
      failing.next =
          due.at + (failing.is_down ? draw(failing.stream, model.repair_law, model.mttr, model.repair_shape)
                                    : draw(failing.stream, model.law, model.mtbf, model.shape));
      sim.push(Sim::Due::failure, failing.next, 0, slot);
      break;
    }
    case Sim::Due::step: {
      const bool of_host = slot < sim.hosts_.size();
      const auto link = static_cast<std::uint32_t>(slot - (of_host ? 0 : sim.hosts_.size()));
      if (of_host ? sim.hosts_[slot].up() : sim.links_[link].up())
        sim.tell(EventKind::changed, of_host ? ResourceId::of(HostId(slot)) : ResourceId::of(LinkId(link)),
                 Reason::change, true);
      sim.watch(slot, due.at);
      break;
    }
    case Sim::Due::timer: {
      Event event;
      event.kind = EventKind::timer;
      event.serial = due.serial;
      event.slot = slot;
      if (sim.timers_[slot].keeps != Keeps::nothing) ++idle_wakes;
      sim.cancel(TimerId{due.serial, slot});
      sim.events_.push_back(event);
      break;
    }
    case Sim::Due::policy:
      successor = slot;  // of several the last
      --successors_to_come;
      break;
    case Sim::Due::wake:
      break;
  }
  for (std::size_t e = before; e < sim.events_.size(); ++e) sim.events_[e].at = due.at;
}

// The first by input of those that arrive until then, whatever their times.
std::size_t SimulationState::next_arriving(Time limit) {
  if (!arrival_order || setup.instants.tolerance == 0) return work_at(arrivals);
  if (by_input.empty()) {
    const auto from = arrival_order->begin() + static_cast<std::ptrdiff_t>(arrivals);
    by_input.assign(from, from + static_cast<std::ptrdiff_t>(arrivals_by(limit)));
    std::sort(by_input.begin(), by_input.end(), std::greater<>());
  }
  const std::size_t next = by_input.back();
  by_input.pop_back();
  return next;
}

// Whether any host, idle and up, could run the work, as far as its width and its declared times tell.
bool SimulationState::some_host_can_run(WorkId id) const {
  const Workload& workload = *scenario().workload;
  const Work& work = workload[id];
  if (work.kind != WorkKind::task && work.kind != WorkKind::job) return true;
  if (work.form != TimeForm::by_host && work.form != TimeForm::by_architecture) return work.cores <= widest;
  const Platform& platform = *scenario().platform;
  std::int32_t architectures = 1;  // a host may come back with another
  if (work.form == TimeForm::by_architecture)
    for (const Host& host : platform.hosts()) architectures = std::max(architectures, host.architecture + 1);
  for (std::size_t h = 0; h < platform.hosts().size(); ++h)
    for (std::int32_t a = 0; a < architectures && work.cores <= platform.hosts()[h].cores; ++a)
      if (declared_time(workload, {id, 0, 1}, platform.hosts()[h], HostId(h), a) < kNever) return true;
  return false;
}

void SimulationState::apply_arrival(Time limit) {
  const WorkId work(next_arriving(limit));
  const Time at = scenario().workload->works[work.index].arrival;
  ++arrivals;
  next_arrival = arrival(arrivals);
  ++events;
  sim.set_state(sim.view_.works_[work.index], WorkState::waiting);
  ++sim.view_.unsettled_;
  sim.record_work(RecordKind::arrived, work);
  if (!some_host_can_run(work))
    return sim.settle_work(work, WorkState::rejected, RecordKind::rejected, Reason::infeasible);
  Event& event = sim.events_.emplace_back();
  event.at = at;
  event.kind = EventKind::arrived;
  event.work = work;
}

bool SimulationState::ask() {
  sim.start_posted();
  if (sim.events_.empty()) return false;
  delivering.clear();
  delivering.swap(sim.events_);
  setup.policy->react(sim, delivering);
  sim.start_posted();
  return true;
}

void SimulationState::begin_policy() {
  begun = true;
  setup.policy->begin(sim);
  sim.start_posted();
}

// The instant's only event, by far the most common, needs neither order nor phases. False when there are
// more.
bool SimulationState::alone(Time limit) {
  if (next_arrival <= limit || next_happening <= limit || !sim.events_.empty() ||
      sim.queue_.second() <= limit)
    return false;
  const Pending due = sim.queue_.top();
  if (Sim::due_of(due) == Sim::Due::wake) return false;
  sim.queue_.pop();
  sim.view_.round_ = 1;
  apply(due);
  ask();
  return true;
}

void SimulationState::run_once(Time limit, bool by_phase, std::uint64_t done) {
  const bool early = setup.instants.submit_first;
  for (std::uint64_t round = done + 1;; ++round) {
    sim.view_.round_ = round;
    if (round > kMaxRounds)
      fail("time_stands_still", "policy '{}': time does not move: {} rounds at t = {}", setup.name,
           kMaxRounds, sim.view_.now_);
    pending.clear();
    gather(limit, pending);
    const bool arriving = next_arrival <= limit;
    if (pending.empty() && !arriving && sim.events_.empty()) {
      sim.start_posted();  // which may begin and end at this very time
      if (!due_by(limit)) return;
      continue;
    }
    if (pending.size() > 1) std::sort(pending.begin(), pending.end());
    std::size_t next = 0;
    const auto arrive = [&] {
      if (arrival(arrivals + kCrowd) <= limit) sim.events_.reserve(sim.events_.size() + arrivals_by(limit));
      while (next_arrival <= limit) apply_arrival(limit);
      if (by_phase) ask();
    };
    if (by_phase && !sim.events_.empty()) ask();
    for (std::uint8_t phase = 0; phase < kPhases; ++phase) {
      if (next_arrival <= limit && phase == (early ? kEnds : kArrivals)) arrive();
      const std::size_t first = next;
      while (next < pending.size() && pending[next].phase == phase) apply(pending[next++].pending);
      if (by_phase && next > first) ask();
    }
    if (!by_phase) ask();
  }
}

void SimulationState::run_each(Time limit, std::uint64_t done) {
  const std::uint8_t arrival_phase = setup.instants.submit_first ? kMarks + 1 : kArrivals;
  pending.clear();  // what is still to be delivered, highest first
  std::uint64_t rounds = done, initial = done;
  const auto higher = [](const DueNow& a, const DueNow& b) { return b < a; };
  for (;;) {
    const std::size_t before = pending.size();
    gather(limit, pending);
    if (pending.size() > before) std::sort(pending.begin(), pending.end(), higher);
    if (rounds == 0) initial = pending.size();
    while (!pending.empty() && sim.stale(pending.back().pending)) pending.pop_back();
    const bool arriving = next_arrival <= limit;
    if (pending.empty() && !arriving && sim.events_.empty()) {
      sim.start_posted();
      if (next_time() > limit) return;
      continue;
    }
    sim.view_.round_ = ++rounds;
    if (arriving) ++initial;
    if (rounds > kMaxRounds + initial)
      fail("time_stands_still", "policy '{}': time does not move: {} rounds at t = {}", setup.name,
           kMaxRounds, sim.view_.now_);
    if (!sim.events_.empty()) {
      ask();
      continue;
    }
    const bool arrival_first =
        arriving && (pending.empty() || arrival_phase < pending.back().phase ||
                     (setup.instants.submit_first && arrival_phase == pending.back().phase));
    if (arrival_first) {
      apply_arrival(limit);
    } else {
      const Pending lowest = pending.back().pending;
      pending.pop_back();
      apply(lowest);
    }
    ask();
  }
}

// ---- processes ----

void SimulationState::wake(std::uint32_t index) {
  Running& running = processes[index];
  constexpr std::uint32_t kMost = 100'000;
  running.times = running.last == sim.now() ? running.times + 1 : 0;
  if (running.times > kMost)
    fail("time_stands_still", "{}: time does not move: it woke {} times at t = {} s", running.process->name(),
         kMost, sim.now());
  running.last = sim.now();
  running.next = kNever;
  ++idle_wakes;
  World world(*this);
  const Wait wait = running.process->wake(world);
  if (wait.condition) {
    running.for_condition = true;
  } else if (wait.until < kNever) {
    if (!(wait.until >= sim.now()))
      fail("bad_process", "{} waits until {} s, which is over at t = {} s", running.process->name(),
           wait.until, sim.now());
    running.next = wait.until;
    sim.push(Sim::Due::process, wait.until, 0, index);
  } else {
    running.process = {};
  }
}

// Whose condition has come true goes on at once, in an instant of its own.
void SimulationState::ask_conditions() {
  World world(*this);
  for (std::uint32_t p = 0; p < processes.size(); ++p) {
    Running& running = processes[p];
    if (!running.for_condition || !running.process->holds(world)) continue;
    running.for_condition = false;
    running.next = sim.now();
    sim.push(Sim::Due::process, running.next, 0, p);
  }
}

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

void SimulationState::happen(Happening happening) {
  happening.at = sim.now();
  scenario().check(happening);
  const auto slot = static_cast<std::uint32_t>(sim.injected_.size());
  sim.injected_.push_back(happening);
  sim.apply(happening);
  if (happening.kind == HappeningKind::mark && !sim.events_.empty() &&
      sim.events_.back().kind == EventKind::mark) {
    sim.events_.back().serial = Sim::kInjected;
    sim.events_.back().slot = slot;
  }
}

Time World::now() const { return state_.sim.now(); }
const Sim& World::sim() const { return state_.sim; }
const Scenario& World::scenario() const { return state_.scenario(); }
std::uint64_t World::seed() const { return state_.options.seed; }
std::int32_t World::outages(ResourceId on) const { return state_.outages(on); }
bool World::is_present(ResourceId on) const { return state_.is_present(on); }
void World::happen(Happening happening) { state_.happen(std::move(happening)); }
std::uint32_t World::add_profile(Profile profile) { return state_.add_profile(std::move(profile)); }
void World::submit(std::shared_ptr<const Workload> workload) { state_.submit(std::move(workload)); }
void World::note(std::string_view name, std::span<const double> values) { state_.sim.note(name, values); }

bool SimulationState::anything_to_come() {
  const bool comes = arrivals < work_count || happenings < happening_order->size() || sim.progressing_ > 0 ||
                     sim.wakes_ > 0 || successors_to_come > 0;
  const std::pair<std::size_t, std::size_t> now{arrivals, sim.view_.unsettled_};
  if (comes || settled != now) idle_wakes = 0;
  settled = now;
  // A process or a timer may still change everything, but those that have woken so often in vain never will.
  return comes || (idle_wakes < kMaxIdleWakes &&
                   (sim.keeping_ > 0 ||
                    std::ranges::any_of(processes, [](const Running& each) { return each.next < kNever; })));
}

// Only drawn failures are left: they can help as long as some host that is down has not been tried since.
bool SimulationState::may_recover() {
  if (sim.failing_.empty()) return false;
  std::vector<std::int32_t> repairs(sim.hosts_.size());  // still to come, of what is drawn
  for (const Sim::Failing& failing : sim.failing_) repairs[failing.host.index] += failing.is_down ? 1 : 0;
  bool untried = false;
  for (const Sim::Failing& failing : sim.failing_) {
    const Sim::HostState& host = sim.hosts_[failing.host.index];
    if (host.up()) tried[failing.host.index] = 1;
    // What is away, or down for another reason too, no drawn repair brings back.
    untried = untried ||
              (tried[failing.host.index] == 0 && host.present && host.down == repairs[failing.host.index]);
  }
  if (sim.frozen_ == 0) return untried;
  // What stands still goes on, or is lost, when the drawn repair comes.
  for (std::size_t h = 0; h < repairs.size(); ++h) {
    const Sim::HostState& host = sim.hosts_[h];
    if (host.first != kNone && host.present && host.down > 0 && host.down == repairs[h]) return true;
  }
  return untried;
}

void SimulationState::run_rounds(Time limit, std::uint64_t done) {
  if (setup.instants.ask == Ask::each)
    run_each(limit, done);
  else
    run_once(limit, setup.instants.ask == Ask::phases, done);
}

// The instant at t, which is next_time().
void SimulationState::instant(Time t) {
  sim.view_.now_ = t;
  ++sim.view_.instant_;
  changed = false;
  const Time limit =
      std::min(t + setup.instants.tolerance * std::max(1.0, t), std::numeric_limits<Time>::max());
  const bool was_alone = alone(limit);
  if (!was_alone || !sim.events_.empty() || due_by(limit)) run_rounds(limit, was_alone ? 1 : 0);
  if (sim.progressing_ > 0 || sim.alive_ > 0 || sim.wakes_ > 0) {
    if (sim.progressing_ > 0 && !sim.failing_.empty()) std::fill(tried.begin(), tried.end(), 0);
    if (successor == kNone) [[likely]]
      return;
  }
  if (sim.view_.unsettled_ > 0 && successor == kNone) stall(limit);
  if (successor == kNone) return;
  take_over(successors[std::exchange(successor, kNone)].setup);
  begin_policy();
}

// Nothing progresses and work is left: the policy may do something about it, and again as long as something
// comes of it within the instant.
void SimulationState::stall(Time limit) {
  for (std::uint64_t times = 0; sim.progressing_ == 0 && sim.alive_ == 0 && sim.wakes_ == 0; ++times) {
    if (sim.view_.unsettled_ == 0 || sim.frozen_ > 0 || sim.waits_unaware()) return;
    if (times > kMaxRounds)
      fail("time_stands_still", "policy '{}': time does not move: it has stalled {} times at t = {}",
           setup.name, kMaxRounds, sim.view_.now_);
    const std::pair<std::uint64_t, std::size_t> before{sim.ended_, sim.view_.unsettled_};
    Event event;
    event.at = sim.view_.now_;
    event.kind = EventKind::stalled;
    sim.events_.push_back(event);
    ask();
    run_rounds(limit, 0);
    if (before == std::pair<std::uint64_t, std::size_t>{sim.ended_, sim.view_.unsettled_}) return;
  }
}

void SimulationState::after_instant() {
  if (!processes.empty()) ask_conditions();
  if (all_settled()) {
    status = RunStatus::complete;
    return;
  }
  if (anything_to_come()) return;
  if (!to_come.empty()) return;
  if (!may_recover()) status = RunStatus::incomplete;
}

// ---- Simulation ----

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

// Calls the policy's begin() before anything happens; errors end the run.
template <class F>
void SimulationState::guarded(F f) {
  try {
    if (!begun) begin_policy();
    f();
  } catch (...) {
    status = RunStatus::incomplete;
    broken = true;
    throw;
  }
}

// To be called within guarded().
void SimulationState::step() {
  did_work(kStepsOfInstant);
  const Time next = next_time();
  if (all_settled() && (work_count == 0 || next > sim.view_.now_)) {
    status = RunStatus::complete;
  } else if (next > options.horizon) {
    status = RunStatus::horizon;
    sim.view_.now_ = options.horizon;
  } else if (next == kNever) {
    status = RunStatus::incomplete;
  } else {
    instant(next);
    after_instant();
  }
}

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
        s.sim.view_.now_ = std::max(s.sim.view_.now_, time);  // nothing happens until then
        return;
      }
      s.step();
      if (s.progress_every > 0 && ++count % s.progress_every == 0 && !s.progress(*this)) return;
    }
    if (time < kNever && s.status != RunStatus::horizon) s.look_ahead_of_end(time, *this);
  });
}

// One of those that come although the run is over.
void SimulationState::instant_after_end(const Simulation& whole) {
  did_work(kStepsOfInstant);
  if (!ending) ending = std::make_shared<const Outcome>(whole.outcome());
  instant(next_time());
  if (!processes.empty()) ask_conditions();
}

void SimulationState::look_ahead_of_end(Time time, const Simulation& whole) {
  time = std::min(time, options.horizon);
  if (time <= sim.view_.now_) return;
  if (!ending) ending = std::make_shared<const Outcome>(whole.outcome());
  for (std::uint64_t count = 1; next_time() <= time; ++count) {
    instant_after_end(whole);
    if (progress_every > 0 && count % progress_every == 0 && !progress(whole)) return;
  }
  sim.view_.now_ = time;
}

Position Simulation::position() const {
  return {state_->sim.view_.instant_, state_->sim.view_.now_, state_->begun};
}

void Simulation::advance_to(const Position& position) {
  SimulationState& s = *state_;
  if (!position.begun) return;
  s.guarded([&] {
    std::uint64_t count = 0;
    while (s.sim.view_.instant_ < position.instant) {
      PERIGEE_ASSERT(s.next_time() < kNever, "a run does not repeat itself");
      if (s.status == RunStatus::running)
        s.step();
      else
        s.instant_after_end(*this);
      if (s.progress_every > 0 && ++count % s.progress_every == 0 && !s.progress(*this)) return;
    }
    if (position.now <= s.sim.view_.now_) return;
    if (s.status != RunStatus::running)
      s.look_ahead_of_end(position.now, *this);
    else
      s.sim.view_.now_ = position.now;
  });
}

std::size_t Simulation::bytes() const {
  const SimulationState& s = *state_;
  const Sim& sim = s.sim;
  constexpr std::size_t kPerWork = sizeof(WorkView), kPerNote = 100, kPolicy = 2;
  return sizeof(SimulationState) +
         kPolicy *
             (kPerWork * s.work_count + sim.hosts_.size() * (sizeof(Sim::HostState) + sizeof(HostView))) +
         sim.activities_.size() * sizeof(Sim::Activity) + sim.queue_.size() * sizeof(Pending) +
         sim.clusters_.size() * 3 * sim.home_.size() + sim.trace_.bytes() +
         sim.trace_.notes().size() * kPerNote + s.setup.policy->bytes() +
         sim.injected_.size() * sizeof(Happening);
}

RunStatus Simulation::status() const { return state_->status; }
Time Simulation::now() const { return state_->sim.now(); }
Time Simulation::end() const { return state_->ending ? state_->ending->end : now(); }
Time Simulation::next_time() const { return over() ? kNever : state_->next_time(); }
const View& Simulation::view() const { return state_->sim.view(); }
const Sim& Simulation::sim() const { return state_->sim; }
const Scenario& Simulation::scenario() const { return state_->scenario(); }
Policy& Simulation::policy() { return *state_->setup.policy; }
const Policy& Simulation::policy() const { return *state_->setup.policy; }
const std::string& Simulation::policy_name() const { return state_->setup.name; }
const Trace& Simulation::trace() const { return state_->sim.trace_; }
std::uint64_t Simulation::events() const { return state_->events; }

Outcome Simulation::outcome() const {
  const SimulationState& s = *state_;
  did_work(s.work_count);
  if (s.ending) return *s.ending;
  Outcome outcome;
  outcome.scenario = s.sim.scenario_;
  if (!s.sim.more_profiles_.empty()) {
    auto longer = std::make_shared<Scenario>(*s.sim.scenario_);
    longer->profiles.insert(longer->profiles.end(), s.sim.more_profiles_.begin(), s.sim.more_profiles_.end());
    outcome.scenario = std::move(longer);
  }
  outcome.policy = s.setup.name;
  outcome.seed = s.options.seed;
  outcome.status = s.status;
  outcome.end = s.sim.now();
  outcome.warmup = s.options.warmup;
  outcome.horizon = s.options.horizon;
  outcome.trace = s.sim.trace_;
  outcome.injected = s.sim.injected_;
  outcome.keeps_deadlines = !s.taken_over && s.sim.estimator_->is_faithful() &&
                            s.setup.policy->keeps_deadlines(*s.scenario().platform);
  outcome.estimate_error = s.sim.estimate_error();
  outcome.tolerance = s.tolerance;
  outcome.events = s.events;
  outcome.works.reserve(s.sim.view_.works_.size());
  for (const WorkView& work : s.sim.view_.works_) outcome.works.push_back(work.state);
  if (s.status != RunStatus::complete) outcome.waiting = who_waits(*this);

  // The status and what is unfinished, as one more record each.
  Fingerprint rest;
  Record last;
  last.time = s.sim.now();
  last.cores = static_cast<std::int32_t>(s.status);
  last.kind = RecordKind::note;
  add_to(rest, last);
  for (std::size_t w = 0; w < outcome.works.size(); ++w) {
    if (outcome.works[w] == WorkState::finished) continue;
    last.work = WorkId(w);
    last.cores = static_cast<std::int32_t>(outcome.works[w]);
    add_to(rest, last);
  }
  outcome.physical = s.sim.trace_.physical();
  outcome.physical.add(rest.high, rest.low);
  outcome.full = s.sim.trace_.full();
  outcome.full.add(rest.high, rest.low);
  return outcome;
}

void Simulation::inject(Happening happening) { state_->inject(std::move(happening)); }
std::uint32_t Simulation::add_profile(Profile profile) { return state_->add_profile(std::move(profile)); }

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
std::int32_t SimulationState::outages(ResourceId on, Time at) const {
  std::int32_t count = outages(on);
  each_to_come(at, [&](const Happening& each) {
    if (each.on != on && !is_of(on, each.on)) return;
    if (each.kind == HappeningKind::down) ++count;
    if (each.kind == HappeningKind::up) count = std::max(0, count - 1);
  });
  return count;
}

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

void SimulationState::submit(std::shared_ptr<const Workload> workload) {
  workload->check(*scenario().platform);
  const std::size_t known = sim.workload_->size();
  accept_or_refuse(*workload, WorkId(known));
  for (std::size_t w = known; w < workload->size(); ++w)
    if (const Time at = workload->works[w].arrival; at < sim.now())
      fail("bad_work", "{}: its arrival, {} s, is before the present, t = {} s", workload->name_of(WorkId(w)),
           at, sim.now());
  // Those to come, in order of arrival, ties in order of input.
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

void Simulation::forget_future() { state_->forget_future(); }

void Simulation::submit(std::shared_ptr<const Workload> workload) {
  state_->check_alive();
  const std::size_t known = state_->sim.workload_->size(), all = workload->size();
  state_->submit(std::move(workload));
  for (std::size_t w = known; w < all; ++w) state_->submitted.emplace_back(w);
  state_->revive();
}

void SimulationState::check_accepted(PolicySetup policy) {
  std::swap(setup, policy);
  try {
    accept_or_refuse(*sim.workload_, WorkId(0));
  } catch (...) {
    std::swap(setup, policy);
    throw;
  }
  std::swap(setup, policy);
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

bool Simulation::woke_in_vain() const { return state_->idle_wakes >= kMaxIdleWakes; }

std::vector<std::string> Simulation::still_to_come() const {
  std::vector<std::string> lines;
  const Sim& sim = state_->sim;
  const bool processes_wait = std::ranges::any_of(
      state_->processes, [](const SimulationState::Running& each) { return each.next < kNever; });
  const std::string in_vain = !woke_in_vain() ? ""
                                              : fmt::format("; {} woke {} times while nothing progressed",
                                                            sim.keeping_ == 0 ? "processes"
                                                            : processes_wait  ? "processes and timers"
                                                                              : "timers",
                                                            kMaxIdleWakes);
  for (const bool keeps : {true, false}) {
    Time first = kNever;
    for (const Sim::Timer& timer : sim.timers_)
      if (timer.serial != 0 && (timer.keeps != Keeps::nothing) == keeps) first = std::min(first, timer.at);
    if (first == kNever) continue;
    lines.push_back(
        keeps ? fmt::format("policy '{}' has a timer for t = {} s{}", policy_name(), format_number(first),
                            in_vain)
              : fmt::format("policy '{}' has a timer for t = {} s, for which alone no run goes on (idle)",
                            policy_name(), format_number(first)));
  }
  for (const SimulationState::Running& each : state_->processes) {
    if (each.for_condition)
      lines.push_back(fmt::format("{} waits for its condition", each.process->name()));
    else if (each.next < kNever)
      lines.push_back(
          fmt::format("{} waits until t = {} s{}", each.process->name(), format_number(each.next), in_vain));
  }
  return lines;
}

std::vector<std::string> who_waits(const Simulation& simulation) {
  constexpr std::size_t kMost = 20;
  constexpr std::uint64_t kStepsOfWork = 20;
  std::vector<std::string> lines;
  const View& view = simulation.view();
  did_work(kStepsOfWork * view.works().size());
  const Sim& sim = simulation.sim();
  const Workload& workload = view.workload();
  std::size_t left_out = 0;
  const auto say = [&](std::string line) {
    if (lines.size() < kMost)
      lines.push_back(std::move(line));
    else
      ++left_out;
  };
  std::vector<std::string> of_policy;
  simulation.policy().explain(view, of_policy);
  for (std::string& line : of_policy) say(std::move(line));
  std::set<std::uint32_t> said;  // a posted activity may wait in several queues
  const auto say_queue = [&](ResourceId on) {
    for (const ActivityId id : sim.queued_on(on)) {
      if (!said.insert(id.serial).second) continue;
      const ActivityView activity = *sim.activity(id);
      const bool in = activity.kind == ActivityKind::transfer_in;
      const std::string what =
          activity.file.valid()
              ? fmt::format("file '{}' is posted {} cluster '{}'", workload.files[activity.file.index].name,
                            in ? "to" : "home from", view.platform()[activity.cluster].name)
          : activity.work.valid()
              ? fmt::format("{}{} is posted on {}", activity.kind == ActivityKind::chunk ? "a chunk of " : "",
                            workload.name_of(activity.work), view.platform().name_of(on))
              : fmt::format("a {} is posted on {}", name_of(activity.kind), view.platform().name_of(on));
      say(fmt::format("{} and waits for {}", what, sim.obstacle_of(id)));
    }
  };
  for (std::size_t h = 0; h < view.hosts().size(); ++h) say_queue(ResourceId::of(HostId(h)));
  for (std::size_t l = 0; l < view.links().size(); ++l) say_queue(ResourceId::of(LinkId(l)));
  std::set<WorkId> stuck;
  for (const ActivityId id : sim.stuck()) {
    const ActivityView activity = *sim.activity(id);
    const std::string on =
        activity.host.valid() ? view.platform()[activity.host].name
        : activity.cluster.valid()
            ? view.platform().name_of(ResourceId::of(view.platform()[activity.cluster].link))
            : "";
    if (activity.kind == ActivityKind::compute) stuck.insert(activity.work);
    say(fmt::format("{} is under way on {} and waits for {}",
                    activity.file.valid() ? fmt::format("file '{}'", workload.files[activity.file.index].name)
                    : activity.work.valid() ? workload.name_of(activity.work)
                                            : fmt::format("a {}", name_of(activity.kind)),
                    on, sim.obstacle_of_stuck(id)));
  }
  for (std::size_t w = 0; w < view.works().size(); ++w) {
    const WorkView& work = view.works()[w];
    if (work.state >= WorkState::finished || work.posted > 0 || stuck.contains(WorkId(w))) continue;
    const std::string name = workload.name_of(WorkId(w));
    if (work.state == WorkState::future)
      say(fmt::format("{} has not arrived", name));
    else if (work.state == WorkState::running)
      say(fmt::format("{} is running", name));
    else if (work.state == WorkState::computed)
      say(fmt::format("{} waits for its outputs to come home", name));
    else
      say(fmt::format("{} waits to be started by policy '{}'{}", name, simulation.policy_name(),
                      sim.why_unstartable(WorkId(w))));
  }
  for (std::string& line : simulation.still_to_come()) say(std::move(line));
  if (left_out > 0) lines.push_back(fmt::format("... and {} more", left_out));
  return lines;
}

}  // namespace perigee::engine
