// List scheduling, see the header.
#include "runtime/schedulers/batch/list_policy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runtime/cost/power.h"
#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"
#include "runtime/kernel/name_ranges.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/mold.h"
#include "runtime/schedulers/batch/plan.h"
#include "runtime/schedulers/batch/power_saving.h"
#include "runtime/schedulers/batch/reservations.h"

namespace perigee::batch {
namespace {

class ListPolicy final : public PolicyOf<ListPolicy> {
 public:
  ListPolicy(JobOrder jobs, HostRule hosts, Mold mold, const PowerSettings& power)
      : jobs_(jobs), rule_(std::move(hosts)), mold_(mold), power_(power) {}

  engine::TakesOver takes_over() const override { return {.off = true}; }
  void begin(Sim& sim) override {
    list_.clear();
    passed_over_.clear();
    unfit_.clear();
    list_.reserve(sim.view().works().count());
    for (std::size_t w = sim.view().works().first(); w < sim.view().works().size(); ++w)
      if (sim.waits(WorkId(w))) add(sim, WorkId(w));
    reservations_.begin(sim);
    power_.begin(sim);
    serve(sim);
    power_.save(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    reservations_.follow(sim, events);
    for (const Event& event : events) {
      const bool back = event.kind == EventKind::lost && event.work.valid() &&
                        sim.view()[event.work].state == WorkState::waiting;
      if (event.kind == EventKind::arrived || back) add(sim, event.work);
      if (event.kind == EventKind::up)  // perhaps with another architecture
        for (const WorkId work : std::exchange(unfit_, {})) add(sim, work);
    }
    if (!stays_blocked(events)) serve(sim);
    power_.save(sim, events);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    if (reservations_.why(sim, work, out)) return;
    out.rule = rule_.choice == HostChoice::random
                   ? "the first in the list starts on a host drawn from those with enough idle cores"
                   : "the first in the list starts; it blocks the rest while no host can take it";
    std::vector<Item> list = list_;
    list.insert(list.end(), passed_over_.begin(), passed_over_.end());
    std::ranges::sort(list);
    const bool longest = jobs_ == JobOrder::longest;
    out.works = {.score = std::string(key_name()),
                 .better = longest ? Prefer::largest : Prefer::smallest,
                 .ties = jobs_ == JobOrder::first ? "order of input" : "order of arrival, then of input"};
    for (const Item& item : list)
      if (sim.view()[item.work].state == WorkState::waiting)
        out.works.candidates.push_back({.index = item.work.index,
                                        .score = jobs_ == JobOrder::first ? item.arrival
                                                 : longest                ? -item.key
                                                                          : item.key});
    if (std::ranges::find(unfit_, work) != unfit_.end()) out.notes.emplace_back("no host can ever run it");
    note_sizes(sim, work, mold_, out);
    if (out.kind == Decision::Kind::waits && may_wait_for_size(sim, work))
      if (const Placement found = place_ahead(sim, work); found.valid() && found.start > sim.now())
        out.notes.push_back(fmt::format("as first in line it would wait for {} at {} s",
                                        text_of(sim.view(), found.shares), format_number(found.start)));
    if (needs_placing(sim, work))
      list_idle_hosts(sim, work, out);
    else
      compare_hosts(sim, work, rule_.choice, out);
  }

 private:
  struct Item {
    double key;
    Time arrival;
    WorkId work;
    auto operator<=>(const Item&) const = default;
  };

  // Adds the work to the list. Work that no host can ever run is set aside and blocks nobody.
  void add(Sim& sim, WorkId work) {
    const View& view = sim.view();
    if (ArrivalQueue::is_apart(view, work)) return;
    bool fits = view.workload().shape_of(work) != nullptr;  // what no hosts could ever run does not get here
    for (std::size_t h = 0; h < view.hosts().size() && !fits; ++h) fits = can_ever_run(view, work, HostId(h));
    if (!fits) return unfit_.push_back(work);
    list_.push_back({key(sim, work), view.place_in_line(work), work});
    std::ranges::push_heap(list_, std::greater<>{});
  }

  std::string_view key_name() const {
    switch (jobs_) {
      case JobOrder::first:
        return "arrival, s";
      case JobOrder::shortest:
      case JobOrder::longest:
        return "longest time, s";
      case JobOrder::smallest:
        return "cores";
      case JobOrder::low_memory:
        return "memory";
      case JobOrder::low_traffic:
        return "memory traffic";
      case JobOrder::random:
        return "drawn number";
    }
    return "";
  }

  double key(Sim& sim, WorkId work) const {
    switch (jobs_) {
      case JobOrder::first:
        return 0;
      case JobOrder::shortest:
        return length_of(sim, work, mold_);
      case JobOrder::longest:
        return -length_of(sim, work, mold_);
      case JobOrder::smallest:
        return static_cast<double>(width_of(sim, work, mold_));
      case JobOrder::low_memory:
        return declared(sim.view().workload().needs_of(work).memory);
      case JobOrder::low_traffic:
        return declared(sim.view().workload().needs_of(work).memory_traffic);
      case JobOrder::random:
        return sim.stream(kStream).sub(work.index).unit();
    }
    return 0;
  }

  static double declared(double need) { return std::isnan(need) ? 0 : need; }

  void serve(Sim& sim) {
    bool planned = false;
    blocked_ = {};
    for (const Item& item : std::exchange(passed_over_, {})) {
      list_.push_back(item);
      std::ranges::push_heap(list_, std::greater<>{});
    }
    while (!list_.empty()) {
      const WorkId work = list_.front().work;
      if (sim.view()[work].state == WorkState::waiting && is_passed_over(sim, work, mold_)) {
        passed_over_.push_back(list_.front());
        std::ranges::pop_heap(list_, std::greater<>{});
        list_.pop_back();
        continue;
      }
      if (sim.view()[work].state == WorkState::waiting) {  // otherwise settled in the meantime
        if (needs_placing(sim, work)) {
          if (!std::exchange(planned, true)) idle_.reset(sim);
          const std::vector<Share> shares = place(sim, work);
          if (shares.empty()) {
            if (!power_.is_bound(sim, work)) power_.bind(sim, work, mold_, rule_);
            blocked_ = work;
            return;
          }
          sim.start(work, shares);
          idle_.start(sim.view(), work, shares, kNever);
        } else {
          const HostId host = choose(sim, work);
          if (!host.valid()) return;
          sim.start(work, host);
          planned = false;
        }
      }
      std::ranges::pop_heap(list_, std::greater<>{});
      list_.pop_back();
    }
  }

  // The job that blocks the rest cannot start yet, as far as it depends on what has happened.
  bool stays_blocked(std::span<const Event> events) const {
    return blocked_.valid() && !rule_.is_function() && list_.front().work == blocked_ && !may_wait_ &&
           std::ranges::all_of(events, [](const Event& event) { return event.kind == EventKind::arrived; });
  }

  // A rule of one host does not choose where it starts.
  bool needs_placing(const Sim& sim, WorkId work) const {
    return sim.view().workload().shape_of(work) != nullptr || chooses_clusters(rule_.choice) ||
           rule_.is_function() || sim.has_windows() || sim.view().platform().has_power();
  }

  std::vector<Share> place(Sim& sim, WorkId work) {
    if (power_.is_bound(sim, work)) return power_.bound_now(sim).shares;
    Stream* stream = rule_.choice == HostChoice::random ? &sim.stream(kStream) : nullptr;
    may_wait_ = may_wait_for_size(sim, work);
    if (!may_wait_) {
      const std::span<const std::int32_t> size =
          is_moldable(sim.view(), work) ? sizes_now(sim, work, mold_) : open_sizes(sim, work, mold_);  // one
      return size.empty() ? std::vector<Share>{} : idle_.shares_now(sim, {work, size.front()}, rule_, stream);
    }
    const Placement found = place_ahead(sim, work);
    if (!is_start(sim, work, found)) return {};
    const std::int32_t size = sim.view().workload().piece_on(work, found.shares).mold;
    return idle_.shares_now(sim, {work, size}, rule_, stream);
  }

  bool may_wait_for_size(const Sim& sim, WorkId work) const {
    return mold_ == Mold::earliest && is_moldable(sim.view(), work);
  }
  Placement place_ahead(Sim& sim, WorkId work) const {
    RunningJobs running;
    running.reset(sim);
    Plan ahead;
    ahead.reset(sim, running);
    return place_first(sim, work, mold_, ahead, rule_);
  }

  HostId choose(Sim& sim, WorkId work) {
    const View& view = sim.view();
    HostId best;
    double most = 0;
    fitting_.clear();
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostId host(h);
      if (!can_start(sim, work, host)) continue;
      if (rule_.choice == HostChoice::first) return host;
      if (rule_.choice == HostChoice::random) {
        fitting_.push_back(host);
        continue;
      }
      const double value = preference(view, host, rule_.choice);
      if (best.valid() && !(value > most)) continue;
      best = host;
      most = value;
    }
    return fitting_.empty() ? best : fitting_[sim.stream(kStream).below(fitting_.size())];
  }

  static constexpr std::string_view kStream = "policy/pending_list";

  JobOrder jobs_;
  HostRule rule_;
  Mold mold_;
  PowerSaving power_;
  Reservations reservations_;
  std::vector<Item> list_;         // a heap, the first in front
  std::vector<Item> passed_over_;  // as many run as their queues allow
  std::vector<WorkId> unfit_;
  std::vector<HostId> fitting_;  // scratch, kept for its capacity
  Plan idle_;                    // while works are placed
  bool may_wait_ = false;        // the job that was placed last, for a larger size
  WorkId blocked_;  // a job with a Shape that blocks the rest until something else than arrivals happens
};

}  // namespace

Seconds length_of(Sim& sim, WorkId work, Mold mold) {
  Seconds least = kNever;
  for (const std::int32_t size : open_sizes(sim, work, mold)) {
    Seconds longest = -1;
    for (std::size_t h = 0; h < sim.view().hosts().size(); ++h) {
      const Time end = sim.estimate().end_of(sim, Piece{work, 0, 1, size}, HostId(h), 0);
      if (end < kNever) longest = std::max(longest, end);
    }
    if (longest >= 0) least = std::min(least, longest);
  }
  return least;
}

std::int64_t width_of(const Sim& sim, WorkId work, Mold mold) {
  const Workload& workload = sim.view().workload();
  const std::span<const std::int32_t> sizes = open_sizes(sim, work, mold);
  if (!is_moldable(sim.view(), work) || sizes.empty()) return workload.width_of(work);
  return std::int64_t{sizes.front()} * (workload.shape_of(work)->nodes > 0 ? workload[work].cores : 1);
}

Seconds shortest_of(Sim& sim, WorkId work) {
  Seconds least = kNever;
  for (std::size_t h = 0; h < sim.view().hosts().size(); ++h)
    least = std::min(least, sim.estimate().duration(sim, {work, 0, 1}, HostId(h)));
  return least;
}

bool has_steady_hosts(Sim& sim) {
  for (std::size_t h = 0; h < sim.view().hosts().size(); ++h)
    if (!sim.availability_of(HostId(h)).profile.is_constant()) return false;
  return !sim.estimate().learns() && std::ranges::all_of(sim.view().platform().hosts(), [](const Host& host) {
    return host.availability.is_constant();
  }) && std::ranges::all_of(sim.scenario().profiles, &Profile::is_constant);
}

bool can_start(Sim& sim, WorkId work, HostId host) {
  if (!sim.fits(work, host)) return false;
  const Work& declared = sim.view().workload()[work];
  return (declared.form != TimeForm::by_host && declared.form != TimeForm::by_architecture) ||
         sim.estimate().end_of(sim, Piece{work, 0, 1}, host, sim.now()) < kNever;
}

bool can_ever_run(const View& view, WorkId work, HostId host) {
  const Host& declared = view.platform()[host];
  return view.workload()[work].cores <= declared.cores &&
         declared_time(view.workload(), {work, 0, 1}, declared, host, view[host].architecture) < kNever;
}

namespace {

// J for an operation on one core more than are busy now, each of a load of 1. On a host without an idle core that core
// counts as if it took the place of a busy one.
double energy_per_operation(const View& view, HostId host) {
  const PowerModel* power = view.platform()[host].power.get();
  if (power == nullptr) return 0;
  const HostView& now = view[host];
  const std::int32_t busy = std::min(now.cores - now.idle, now.cores - 1);
  const model::SpeedState& state = power->states[now.state];
  return (power_of(state, busy + 1, now.cores) - power_of(state, busy, now.cores)) / now.speed;
}

}  // namespace

double preference(const View& view, HostId host, HostChoice choice) {
  switch (choice) {
    case HostChoice::fastest:
      return view[host].speed;
    case HostChoice::most_idle:
      return view[host].idle;
    case HostChoice::least_idle:
      return -view[host].idle;
    case HostChoice::low_power: {
      const PowerModel* power = view.platform()[host].power.get();
      const HostView& now = view[host];
      return power != nullptr ? -power_of(power->states[now.state], now.cores - now.idle, now.cores) : 0;
    }
    case HostChoice::high_memory:
      return view.platform().memory(host);
    case HostChoice::least_energy:
      return -energy_per_operation(view, host);
    case HostChoice::first:
    case HostChoice::random:
    case HostChoice::contiguous:
    case HostChoice::fewest_hosts:
    case HostChoice::same_cluster:
    case HostChoice::same_switch:
      break;
  }
  return 0;
}

void compare_hosts(Sim& sim, WorkId work, HostChoice choice, Decision& out) {
  const View& view = sim.view();
  if (choice > HostChoice::random) choice = HostChoice::first;
  constexpr std::array<std::string_view, 8> kScores = {
      "order of hosts", "speed, op/s", "idle cores",   "idle cores",
      "power, W",       "memory, B",   "energy, J/op", ""};
  out.hosts = {.score = std::string(kScores[static_cast<std::size_t>(choice)]),
               .better = choice == HostChoice::random ? Prefer::neither
                         : choice == HostChoice::first || choice == HostChoice::least_idle ||
                                 choice == HostChoice::low_power || choice == HostChoice::least_energy
                             ? Prefer::smallest
                             : Prefer::largest,
               .ties = choice == HostChoice::random ? "" : "lowest host"};
  for (std::size_t h = 0; h < view.hosts().size(); ++h) {
    if (!can_start(sim, work, HostId(h))) continue;
    Comparison::Candidate candidate{.index = static_cast<std::uint32_t>(h)};
    if (choice == HostChoice::first) candidate.score = static_cast<double>(h) + 1;
    if (choice == HostChoice::fastest) candidate.score = view.hosts()[h].speed;
    if (choice == HostChoice::most_idle || choice == HostChoice::least_idle)
      candidate.score = view.hosts()[h].idle;
    if (choice == HostChoice::low_power || choice == HostChoice::least_energy)
      candidate.score = -preference(view, HostId(h), choice);
    if (choice == HostChoice::high_memory) candidate.score = preference(view, HostId(h), choice);
    out.hosts.candidates.push_back(std::move(candidate));
  }
}

std::string text_of(const View& view, std::span<const Share> shares) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> names;
  for (const Share& share : shares) names.push_back(view.platform()[share.host].name);
  return name_ranges(names, ", ", kMost);
}

namespace {

// Says that the host, which has room now, is known to be taken before the work would be over there.
std::string closed_too_soon(Sim& sim, WorkId work, HostId host) {
  if (!sim.has_windows() || is_moldable(sim.view(), work)) return {};
  const Time end = sim.estimate().end_of(sim, Piece{work, 0, 1}, host, sim.now());
  Time first = end;
  each_closed(sim, [&](HostId closed, const Window& window) {
    if (closed == host && window.from > sim.now()) first = std::min(first, window.from);
  });
  if (!(first < end)) return {};
  return fmt::format("is taken from {} s on, and it would be over at {} s", format_number(first),
                     format_number(end));
}

// Says beside the hosts, of which each has room for a share of the job, that this is not enough.
void note_lack_of_hosts(const View& view, WorkId work, std::span<Comparison::Candidate> hosts) {
  const Shape* shape = view.workload().shape_of(work);
  if (shape == nullptr) return;
  std::map<std::uint32_t, std::int64_t> room;  // hosts, or cores, of each group
  for (const Comparison::Candidate& each : hosts) {
    const HostId host(each.index);
    if (!each.note.empty()) continue;
    room[group_of(view, host, shape->same)] +=
        shape->nodes > 0 ? 1 : std::min(view[host].idle, shape->per_node);
  }
  std::int64_t most = 0;
  for (const auto& [group, size] : room) most = std::max(most, size);
  const std::int64_t wanted = shape->nodes > 0 ? shape->nodes : view.workload()[work].cores;
  if (most >= wanted) return;
  const std::string_view what = shape->nodes > 0 ? "host" : "core";
  const std::string text =
      fmt::format("has room, but it takes {} {}{}{}, and {} {} free", wanted, what, wanted == 1 ? "" : "s",
                  shape->same == Together::cluster          ? " of one cluster"
                  : shape->same == Together::network_switch ? " of one switch"
                                                            : "",
                  most, most == 1 ? "is" : "are");
  for (Comparison::Candidate& each : hosts)
    if (each.note.empty()) each.note = text;
}

}  // namespace

void list_idle_hosts(Sim& sim, WorkId work, Decision& out) {
  const View& view = sim.view();
  const Shape* shape = view.workload().shape_of(work);
  const Shape asked = shape != nullptr ? *shape : Shape{};
  out.hosts = {.score = "idle cores", .better = Prefer::neither, .ties = ""};
  for (std::size_t h = 0; h < view.hosts().size(); ++h) {
    const std::int32_t least = asked.nodes > 0 ? view.workload()[work].cores : 1;
    if (view.hosts()[h].idle < least || !asked.allows(HostId(h))) continue;
    if (asked.demand != nullptr && !asked.demand->fits(view.free_on(HostId(h)), least)) continue;
    out.hosts.candidates.push_back(
        {.index = static_cast<std::uint32_t>(h), .score = static_cast<double>(view.hosts()[h].idle)});
    if (!out.is_on(HostId(h))) out.hosts.candidates.back().note = closed_too_soon(sim, work, HostId(h));
  }
  if (out.kind == Decision::Kind::waits) note_lack_of_hosts(view, work, out.hosts.candidates);
  constexpr std::size_t kMostWindows = 5;
  for (std::size_t w = 0; w < sim.windows().size() && out.notes.size() < kMostWindows; ++w) {
    const Window& first = sim.windows()[w];
    const auto alike = [&](const Window& other) {
      return other.from == first.from && other.to == first.to && other.cause == first.cause;
    };
    if (first.to <= sim.now() || std::ranges::any_of(sim.windows().first(w), alike)) continue;
    constexpr std::size_t kMost = 10;
    std::vector<std::string> hosts;
    for (const Window& other : sim.windows().subspan(w))
      if (alike(other)) hosts.emplace_back(view.platform().name_of(other.on));
    const std::string_view cause = first.cause == Cause::maintenance   ? "maintenance"
                                   : first.cause == Cause::reservation ? "a reservation"
                                   : first.cause == Cause::membership  ? "away"
                                                                       : "an outage";
    out.notes.push_back(fmt::format("{}: {} from {} s to {}", name_ranges(hosts, ", ", kMost), cause,
                                    format_number(first.from),
                                    first.to < kNever ? format_number(first.to) + " s" : "the end of time"));
  }
}

namespace {

constexpr std::array<std::pair<std::string_view, HostChoice>, 9> kHostRules{
    {{"fastest", HostChoice::fastest},
     {"first", HostChoice::first},
     {"most_idle", HostChoice::most_idle},
     {"best_fit", HostChoice::least_idle},
     {"least_energy", HostChoice::least_energy},
     {"contiguous", HostChoice::contiguous},
     {"fewest_hosts", HostChoice::fewest_hosts},
     {"same_cluster", HostChoice::same_cluster},
     {"same_switch", HostChoice::same_switch}}};

}  // namespace

Parameter host_parameter() {
  return {.name = "host",
          .type = ParameterType::choice,
          .summary = "which of the hosts with enough idle cores",
          .fallback = std::string("fastest"),
          .choices = names_of(kHostRules),
          .function = "sim, work, hosts"};
}

HostChoice host_choice(const std::string& name) { return value_of(kHostRules, name); }

HostRule host_rule(const Arguments& given) {
  if (given.is_rule("host")) return {HostChoice::first, ClonePtr<Rule>(given.rule("host"))};
  return host_choice(given.choice("host"));
}

namespace {

constexpr std::array<std::pair<std::string_view, Mold>, 3> kMolds{
    {{"earliest", Mold::earliest}, {"least", Mold::least}, {"most", Mold::most}}};

std::string_view mold_name(Mold mold) {
  return std::ranges::find(kMolds, mold, [](const auto& each) { return each.second; })->first;
}

}  // namespace

Parameter admission_parameter() {
  return {.name = "admission",
          .type = ParameterType::choice,
          .summary = "reservations are admitted beside what runs, or beside what is promised too",
          .fallback = std::string("running"),
          .choices = {"running", "promised"}};
}
Parameter mold_parameter() {
  return {.name = "mold",
          .type = ParameterType::choice,
          .summary =
              "the size that a moldable job starts in: that which ends first, waiting included, the least, "
              "or the most that the platform has",
          .fallback = std::string(mold_name(kDefaultMold)),
          .choices = names_of(kMolds)};
}

Mold mold_rule(const Arguments& given) { return value_of(kMolds, given.choice("mold")); }

void note_sizes(const Sim& sim, WorkId work, Mold mold, Decision& out) {
  const View& view = sim.view();
  if (!is_moldable(view, work)) return;
  out.notes.push_back(fmt::format("it may have {} {}; mold = \"{}\"{}", one_of(sim.possible_sizes(work)),
                                  view.workload().shape_of(work)->nodes > 0 ? "hosts" : "cores",
                                  mold_name(mold),
                                  mold == Mold::earliest ? ": the size that ends first" : ""));
}

std::unique_ptr<Policy> list_policy(JobOrder jobs, HostRule hosts, Mold mold, const PowerSettings& power) {
  return std::make_unique<ListPolicy>(jobs, std::move(hosts), mold, power);
}

Entry list_entry(std::string name, std::string summary, JobOrder jobs, HostChoice hosts) {
  Entry entry;
  entry.name = std::move(name);
  entry.family = Family::batch;
  entry.role = Role::policy;
  entry.summary = std::move(summary);
  entry.source = "IRMaSim thesis, section 2.2.3, Table 1";
  entry.complexity = "O(log T + H) an assignment, with T works that wait, H hosts";
  entry.ties = "order of arrival, then of input; lowest host";
  entry.accepts = {.tasks = true,
                   .jobs = true,
                   .reservations = true,
                   .several_cores = true,
                   .several_hosts = true,
                   .limits = true,
                   .memory = true,
                   .streams = true};
  entry.make_policy = [=](const Arguments&) {
    return list_policy(jobs, hosts, kDefaultMold, PowerSettings{});
  };
  return entry;
}

Entry pending_entry(std::string name, std::string summary, JobOrder jobs, HostChoice hosts) {
  Entry entry = list_entry(std::move(name), std::move(summary), jobs, hosts);
  entry.instants.ask = Ask::phases;
  return entry;
}

}  // namespace perigee::batch
