// The loop of a simulation under way. Its functions stand in the sources of this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/engine/process.h"
#include "runtime/engine/simulation.h"
#include "runtime/engine/simulation/feed.h"
#include "runtime/kernel/work.h"

namespace perigee::engine {

inline constexpr std::uint32_t kMaxIdleWakes = 100'000;
inline constexpr std::uint64_t kMostInVain = 1'000'000, kMostIdleEnds = 100'000;  // see check_progress()
inline constexpr std::uint64_t kStepsOfInstant = 10;  // see did_work(), whatever the policy does

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

// An event due in this instant. Events of equal times are ordered by declaration: `major` orders phases and
// resources, `minor` the items in them.
struct DueNow {
  std::uint64_t major = 0, minor = 0;
  Pending pending;
  Phase phase = kMarks;
  bool operator<(const DueNow& other) const {
    return major != other.major ? major < other.major : minor < other.minor;
  }
};

// Counts what comes again and again while time hardly moves.
struct Pace {
  static constexpr double kLeast = 1e-12;  // of max(1 s, t)
  Time last = -1;
  std::uint32_t times = 0;  // without a longer pause
  std::uint32_t follows(Time now) {
    times = now <= last + kLeast * std::max(1.0, now) ? times + 1 : 0;
    last = now;
    return times;
  }
};

// A simulation from within: a Sim, all that decides what happens when, and what happens to resources.
struct Loop : Sim {
  PolicySetup setup;
  RunOptions options;
  std::size_t declared = 0;  // works that the scenario had before any was submitted
  RunStatus status = RunStatus::running;
  bool begun = false;
  bool taken_over = false;                                          // another policy took over
  bool broken = false;                                              // an error has broken the run
  std::shared_ptr<const std::vector<std::uint32_t>> arrival_order;  // null: works are in order of arrival
  std::size_t ordered_from = 0;                                     // the arrival that is first in it
  std::size_t work_count = 0;
  std::size_t arrivals = 0;         // done
  std::optional<Feed> feed;         // more works come from a stream
  std::size_t settled_before = 0;   // all works before this one
  std::size_t look_at_settled = 0;  // when so many have arrived
  ForgottenWorks forgotten;
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
    Pace wakes;
  };
  std::vector<Running> processes;  // those of the scenario
  Pace timer_instants;
  std::uint32_t idle_wakes = 0;                 // wakes of processes and timers without progress
  std::pair<std::size_t, std::size_t> settled;  // works that had arrived then, and those of them not settled
  std::shared_ptr<const Outcome> ending;        // the outcome, kept when instants come after the end
  bool changed = false;                         // changed from outside since the last instant
  std::vector<Takeover> takeovers;              // asked for by set_policy
  std::vector<std::uint32_t> interventions;     // places in State::injected, in order of injection
  std::vector<std::uint32_t> to_come;           // injected happenings that are still to come; ascending
  std::vector<WorkId> submitted;                // from outside
  struct Successor {
    Time at;
    PolicySetup setup;
  };
  std::vector<Successor> successors;  // policies that are to take over later
  std::size_t successors_to_come = 0;
  std::uint32_t successor = kNone;  // the one that takes over in this instant
  std::vector<std::uint8_t> tried;  // hosts seen up while nothing progressed
  bool over_hosts = false;          // some job that has arrived has a Shape
  std::uint32_t waits_for_hosts =
      0;  // instants in a row in which such a job may have waited for drawn repairs
  std::uint64_t progress_every = 0;
  std::function<bool(const Simulation&)> progress;

  struct Failing {
    HostId host;
    std::uint32_t model = 0;
    bool is_down = false;
    Time next = kNever;
    Stream stream;
  };
  std::vector<Failing> drawn;          // failures and repairs
  std::vector<Profile> more_profiles;  // of changes; places follow those of the scenario
  std::vector<std::uint32_t>
      watched;  // per host, then link: serial of its next known step; empty: nobody asks

  std::vector<std::uint32_t> affected;  // scratch, kept for its capacity
  std::vector<DueNow> pending;
  std::vector<Event> delivering;
  std::vector<std::uint32_t>
      by_input;          // arrivals of this instant, last first, where their times differ from it
  double tolerance = 0;  // the largest of the policies so far

  Loop(std::shared_ptr<const Scenario> scenario, PolicySetup policy, std::unique_ptr<Estimator> estimator,
       RunOptions run)
      : Sim(std::move(scenario), run.seed, Trace(run.level, std::move(run.witness), run.most_records)),
        setup(std::move(policy)),
        options(std::move(run)),
        declared(state_.workload->size()) {
    learning_ = estimator->learns();
    comparing_ = !estimator->is_perfect();
    estimator_ = std::move(estimator);
    policy_name_ = setup.name;
    work_count = state_.workload->size();
    for (const Host& host : state_.platform->hosts()) widest = std::max(widest, host.cores);
  }

  std::size_t work_at(std::size_t k) const { return arrival_order ? (*arrival_order)[k - ordered_from] : k; }
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
  void look_for_arrival() {
    if (arrivals == work_count && feed) [[unlikely]]
      take_from_stream();
    next_arrival = arrival(arrivals);
  }
  void look_ahead() {
    look_for_arrival();
    next_happening = happenings < happening_order->size() ? happening(happenings).at : kNever;
  }

  // For Simulation.
  const Trace& trace() const { return trace_; }
  const Timers& timers() const { return state_.timers; }
  std::span<const Happening> injected() const { return state_.injected; }
  std::size_t bytes() const;
  Outcome outcome(const Simulation& whole) const;
  void attach(Recorder* recorder) { recorder_ = recorder; }
  void wait_until(Time time) { state_.now = std::max(state_.now, time); }

  void adopt_feed();  // its scenario becomes that of the run
  void take_from_stream();
  void forget_settled();

  void prepare();
  void draw_first_failures();
  void subscribe();
  void accept_or_refuse(const Workload& workload, WorkId first) const;
  [[gnu::always_inline]] inline Time next_time();
  void gather(Time limit, std::vector<DueNow>& out);
  void key(DueNow& due) const;
  void apply(const Pending& due);
  void apply_valid(const Pending& due);  // not stale
  void end_fixed_phase(std::uint32_t slot);
  void see_timer();
  void fail_or_repair(std::uint32_t slot, Time at);
  void tell_timer(TimerId timer);
  void tell_step(std::uint32_t slot);
  void apply_arrival(Time limit);
  void stall(Time limit);
  void take_over(PolicySetup policy);
  void take_care_of_what_is_left();
  // Hosts that are off are switched on for a policy that has taken over and does not.
  bool keeps_hosts_on() const { return taken_over && !setup.policy->takes_over().off; }
  void set_policy(PolicySetup policy, Time at);
  // The first by input of the works that arrive until `limit`, whatever their times.
  std::size_t next_arriving(Time limit) {
    return !arrival_order || setup.instants.tolerance == 0 ? work_at(arrivals) : next_by_input(limit);
  }
  std::size_t next_by_input(Time limit);
  // Whether any host, idle and up, could run the work, as far as its width and its declared times tell.
  bool some_host_can_run(WorkId id) const {
    const Work& work = (*scenario().workload)[id];
    if (work.kind != WorkKind::task && work.kind != WorkKind::job) return true;
    const bool listed = work.form == TimeForm::by_host || work.form == TimeForm::by_architecture;
    return listed || work.extra != kNone || state_.stores.any_limit() ? why_never(id).empty()
                                                                      : work.cores <= widest;
  }
  bool alone(Time limit);
  bool ask();
  bool due_by(Time limit) const {
    return next_arrival <= limit || next_happening <= limit || queue_.first() <= limit;
  }
  void begin_policy();
  template <class F>
  void guarded(F f);
  void step();
  // A run in which nothing is left to do ends where it is, whoever looks at it later.
  bool end_if_done() {
    if (state_.works.unsettled() == 0) see_whether_done();
    return status == RunStatus::complete;
  }
  void see_whether_done();
  void instant(Time t);
  void run_passes(Time limit, std::uint64_t done);
  void run_once(Time limit, bool by_phase, std::uint64_t done);
  void run_each(Time limit, std::uint64_t done);
  void wake(std::uint32_t process);
  void ask_conditions();
  bool kept_alive() const {  // by a process that may submit more
    return std::ranges::any_of(
        processes, [](const Running& each) { return each.next < kNever && each.process->keeps_alive(); });
  }
  [[gnu::always_inline]] inline bool stale(const Pending& entry) const {
    return due_of(entry) == Due::end ? !ends(entry) : stale_but_end(entry);
  }
  bool stale_but_end(const Pending& entry) const {
    const std::uint32_t slot = slot_of(entry);
    switch (due_of(entry)) {
      case Due::failure:
        return drawn[slot].next != entry.at;
      case Due::step:
        return slot >= watched.size() || watched[slot] != entry.serial;
      default:
        return Sim::stale(entry);
    }
  }

  // Resources go down, come up, leave, join and change: simulation/resources.cpp.
  void apply(const Happening& happening);
  void host_down(HostId host, const Outage& outage);
  void host_up(HostId host, const Outage& outage);
  void host_left(HostId host);
  void host_joined(HostId host, const Happening& happening);
  void move_posts(HostId host, ClusterId cluster);
  void cluster_down(ClusterId cluster, const Outage& outage);
  void cluster_up(ClusterId cluster, const Outage& outage);
  void change_outages(HostId host, ClusterId to);
  void link_down(LinkId link, const Outage& outage);
  void link_up(LinkId link, const Outage& outage);
  void link_left(LinkId link);
  void link_joined(LinkId link);
  void link_is_back(LinkId link, Reason why, bool told);
  void cluster_left(ClusterId cluster);
  void requeue_stranded(ClusterId cluster);
  void cluster_joined(ClusterId cluster, const Happening& happening);
  void change(const Happening& happening);
  void watch(std::uint32_t resource, Time after);
  void interrupt(std::uint32_t slot, Reason why, bool announced, bool always_lost);
  void lose_by_host(std::uint32_t slot, HostId host, Reason why);
  bool is_away_unaware(const Activity& job) const;
  void proceed(std::uint32_t slot, Reason why);
  std::uint32_t place_on(std::uint32_t slot, HostId host) const;
  std::span<const std::uint32_t> activities_on(HostId host);
  std::span<const std::uint32_t> activities_on(LinkId link);
  void find_routes();
  bool waits_unaware() const;  // something is posted on a host that nobody was told is down
  const Profile* profile_at(std::uint32_t place) const;  // of a happening; null = unchanged
  void install(HostId host, const Happening& happening);
  void install(LinkId link, const Happening& happening);

  void happen(Happening happening);
  void inject(Happening happening);
  void check_accepted(PolicySetup policy);
  // Calls f(happening, whether it was injected) for every happening known until then, in order.
  template <class F>
  void each_to_come(Time at, F f) const {
    std::vector<std::pair<const Happening*, bool>> come;
    for (std::size_t k = happenings; k < happening_order->size() && happening(k).at <= at; ++k)
      come.emplace_back(&happening(k), false);
    for (const std::uint32_t slot : to_come)
      if (injected()[slot].at <= at) come.emplace_back(&injected()[slot], true);
    std::ranges::stable_sort(come, {}, [](const auto& each) { return each.first->at; });
    for (const auto& [each, injected] : come) f(*each, injected);
  }
  // The host, or the link, is part of the cluster `all`.
  bool is_of(ResourceId on, ResourceId all) const {
    if (all.kind() != ResourceKind::store) return false;
    return on.kind() == ResourceKind::host   ? view()[on.host()].cluster == all.store()
           : on.kind() == ResourceKind::link ? (*state_.platform)[all.store()].link == on.link()
                                             : false;
  }
  std::uint32_t add_profile(Profile profile) {
    more_profiles.push_back(std::move(profile));
    return static_cast<std::uint32_t>(scenario().profiles.size() + more_profiles.size() - 1);
  }
  void submit(std::shared_ptr<const Workload> workload);
  void forget_future();
  void forget_injected();
  void forget_arrivals();
  void forget_listed();
  void forget_drawn();
  // Removes from the queue stale entries, processes, policies that are to take over, and injected happenings
  // that are no longer to come.
  void forget_askers() {
    queue_.prune([this](const Pending& entry) {
      const Sim::Due due = Sim::due_of(entry);
      return stale(entry) || due == Sim::Due::process || due == Sim::Due::policy ||
             (due == Sim::Due::window && Sim::slot_of(entry) >= state_.windows.size()) ||
             (due == Sim::Due::happening && std::ranges::count(to_come, Sim::slot_of(entry)) == 0);
    });
    successors_to_come = 0;
  }
  void after_instant();
  bool all_settled() const {
    return state_.works.unsettled() == 0 && arrivals == work_count && !kept_alive();
  }
  void instant_after_end(const Simulation& whole);
  void look_ahead_of_end(Time time, const Simulation& whole);
  bool anything_to_come();
  const Outages& outages(ResourceId on) const { return state_.presence(on).outages(); }
  std::uint32_t number_of(const Failing& failing) const {  // of its outages
    return outage_number(OutageOrigin::drawn, static_cast<std::size_t>(&failing - drawn.data()));
  }
  bool is_present(ResourceId on) const { return state_.presence(on).is_present(); }
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
  // Drawn failures never run out: work that is always lost would be begun for ever.
  void check_progress() const {
    if (idle_ends_ >= kMostIdleEnds || in_vain_ >= kMostInVain) [[unlikely]]
      give_up();
  }
  void give_up() const;  // an Error, unless the run has a horizon
};

inline Time Loop::next_time() {
  while (!queue_.empty() && stale(queue_.top())) queue_.pop();
  return std::min({queue_.first(), next_arrival, next_happening});
}

// Calls the policy's begin() before anything happens; errors end the run.
template <class F>
void Loop::guarded(F f) {
  try {
    if (!begun) begin_policy();
    f();
  } catch (...) {
    status = RunStatus::incomplete;
    broken = true;
    throw;
  }
}

}  // namespace perigee::engine
