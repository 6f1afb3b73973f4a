// Conservative backfilling that promises numbers of hosts in place of hosts. In order of arrival, every job is promised
// the earliest time at which so many hosts of each class of equal ones are free for its whole estimate. It takes the
// lowest idle hosts of these classes when its time has come. This needs jobs that take whole hosts, for such jobs fit
// whenever enough hosts are free.
//
// Source: Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2 (conservative backfilling on one pool of processors).
// Cost: O(S C) a promise, with S times at which something ends, C classes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/engine/why.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/host_kinds.h"
#include "runtime/schedulers/batch/over_hosts.h"
#include "runtime/schedulers/batch/plan.h"
#include "runtime/schedulers/batch/promise_line.h"

namespace perigee::batch {
namespace {

using Cores = std::int32_t;

// So many cores of each host, in all so many hosts or cores.
struct CountedShape {
  Shape shape;
  Cores cores;

  CountedShape(const Workload& workload, WorkId work) : cores(workload[work].cores) {
    if (const Shape* declared = workload.shape_of(work)) shape = *declared;
  }
  std::int64_t wanted() const { return shape.nodes > 0 ? shape.nodes : cores; }
  // Cores of a host that the job takes at most; 0: none.
  Cores share_of(const Platform& platform, HostId id) const {
    const Host& host = platform[id];
    if (shape.nodes > 0 && cores > host.cores) return 0;
    const Cores most = shape.nodes > 0 ? cores : std::min({shape.per_node, host.cores, cores});
    if (shape.demand == nullptr) return most;
    const Cores within = shape.demand->cores_within(platform.supplies(id), most);
    return shape.nodes > 0 && within < most ? 0 : within;
  }
  std::int64_t size_of(const Platform& platform, HostId host) const {
    return shape.nodes > 0 ? 1 : share_of(platform, host);
  }
};

// Error "not_countable" unless the job takes all of every host that it may use.
void check_countable(const Platform& platform, const Workload& workload, WorkId work) {
  if (workload[work].kind == WorkKind::reservation)
    fail(
        "not_countable",
        "policy 'conservative': promise = \"count\" takes no reservations, but {} is one; use promise = \"host\"",
        workload.name_of(work));
  const CountedShape job(workload, work);
  if (job.shape.sizes != nullptr)
    fail(
        "not_countable",
        "policy 'conservative': promise = \"count\" needs jobs of one size, but {} is moldable; use promise = "
        "\"host\"",
        workload.name_of(work));
  if (job.shape.takes_turns)
    fail(
        "not_countable",
        "policy 'conservative': promise = \"count\" passes nobody over, but {} may have to wait until fewer jobs of "
        "its queue or qos run; use promise = \"host\"",
        workload.name_of(work));
  if (job.shape.demand != nullptr && !job.shape.demand->licences.empty())
    fail(
        "not_countable",
        "policy 'conservative': promise = \"count\" counts no licences, but {} takes some; use promise = \"host\"",
        workload.name_of(work));
  if (job.shape.exclusive) return;
  for (const Host& host : platform.hosts()) {
    const HostId id(static_cast<std::size_t>(&host - platform.hosts().data()));
    const Cores share = job.share_of(platform, id);
    if (host.exclusive || share == 0 || !job.shape.allows(id)) continue;
    if (share == host.cores && (job.shape.nodes > 0 || host.cores == 1)) continue;
    fail(
        "not_countable",
        "policy 'conservative': promise = \"count\" needs jobs that take whole hosts, but {} takes {} of the {} cores of {}; "
        "declare exclusive = true, or promise = \"host\"",
        workload.name_of(work), job.shape.nodes > 0 ? fmt::format("{}", share) : "any", host.cores,
        host.name);
  }
}

class ConservativeByCount final : public PolicyOf<ConservativeByCount> {
 public:
  void begin(Sim& sim) override {
    const View& view = sim.view();
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w)
      if (view.works()[w].state < WorkState::finished)
        check_countable(view.platform(), view.workload(), WorkId(w));
    running_.reset(sim);
    waiting_.reset(sim);
    stale_ = true;
    serve(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    for (const Event& event : events) {
      if (event.kind != EventKind::arrived) continue;
      check_countable(sim.view().platform(), sim.view().workload(), event.work);
      const Shape* shape = sim.view().workload().shape_of(event.work);
      stale_ =
          stale_ || (shape != nullptr && shape->only != nullptr) || differs_by_host(sim.view(), event.work);
    }
    stale_ = !running_.follow(sim, events) || stale_;
    waiting_.follow(sim.view(), events);
    stale_ = stale_ || line_.is_overtaken(sim.view(), waiting_);
    serve(sim);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    const View& view = sim.view();
    line_.why(view, work, out, [&](const Promise& each) -> std::string {
      if (each.parts.empty()) return "no hosts that are up can run it";
      return fmt::format("is promised {} at {} s", text_of_parts(view, each), format_number(each.start));
    });
    list_idle_hosts(sim, work, out);
  }

 private:
  struct Step {
    Time at;
    std::int32_t free;  // hosts
  };
  struct Class {
    std::vector<HostId> hosts;  // ascending
    double speed = 0;
    std::vector<HostId> up_first;  // the same hosts, those that are up before the others
    std::vector<Step> steps;       // ascending
  };
  struct Part {
    std::size_t of;  // class
    std::int32_t hosts;
  };
  struct Promise {
    WorkId work;
    std::vector<Part> parts = {};  // empty: no promise
    Time start = kNever, end = kNever;
  };

  static bool differs_by_host(const View& view, WorkId work) {
    return view.workload()[work].form == TimeForm::by_host;
  }

  std::string text_of_parts(const View& view, const Promise& promise) const {
    std::string text;
    for (const Part& part : promise.parts)
      text += fmt::format("{}{} of the {} hosts like {}", text.empty() ? "" : ", ", part.hosts,
                          classes_[part.of].hosts.size(), view.platform()[classes_[part.of].hosts[0]].name);
    return text;
  }

  // Hosts are alike if no job can tell them apart, now or later.
  void find_classes(const Sim& sim) {
    const View& view = sim.view();
    const std::size_t count = view.hosts().size();
    std::vector<std::vector<std::pair<Time, Time>>> windows(count);
    each_closed(sim, [&](HostId host, const Window& window) {
      windows[host.index].emplace_back(std::max(window.from, view.now()), window.to);
    });
    std::vector<std::vector<std::uint8_t>> allowed(count);
    bool all_differ = false;
    std::set<const void*> seen;
    for (const WorkId work : waiting_.all()) {
      const Shape* shape = view.workload().shape_of(work);
      if (shape != nullptr && shape->only != nullptr && seen.insert(shape->only.get()).second)
        for (std::size_t h = 0; h < count; ++h) allowed[h].push_back((*shape->only)[h]);
      all_differ = all_differ || differs_by_host(view, work);
    }
    kinds_.follow(sim);
    using Key =
        std::tuple<std::uint32_t, Cores, bool, ClusterId, std::uint32_t, std::vector<std::pair<Time, Time>>,
                   std::vector<std::uint8_t>, std::vector<double>, std::size_t>;
    std::map<Key, std::size_t> known;
    classes_.clear();
    for (std::size_t h = 0; h < count; ++h) {
      const Host& host = view.platform().hosts()[h];
      const HostView& now = view.hosts()[h];
      const std::span<const double> supplies = view.platform().supplies(HostId(h));
      const bool alone = all_differ || !host.availability.is_constant() || !sim.is_steady(HostId(h));
      std::ranges::sort(windows[h]);
      const auto [found, is_new] = known.try_emplace(
          Key{kinds_.of(HostId(h)), host.cores, host.exclusive, now.cluster,
              view.platform().switch_of(HostId(h)), std::move(windows[h]), std::move(allowed[h]),
              std::vector<double>(supplies.begin(), supplies.end()), alone ? h + 1 : 0},
          classes_.size());
      if (is_new) classes_.push_back({.speed = now.speed});
      classes_[found->second].hosts.emplace_back(h);
    }
    for (Class& each : classes_) {
      each.up_first = each.hosts;
      std::ranges::stable_partition(each.up_first, [&](HostId host) { return view[host].up; });
    }
    std::ranges::stable_sort(classes_, std::greater<>{}, &Class::speed);  // of equals the lowest host
  }

  // When each host is free, as far as is known, added up for each class.
  void count_free(const Sim& sim) {
    const View& view = sim.view();
    const Time now = view.now();
    std::vector<std::vector<std::pair<Time, Time>>> closed(view.hosts().size());
    each_closed(sim, [&](HostId host, const Window& window) {
      closed[host.index].emplace_back(std::max(window.from, now), window.to);
    });
    for (Class& each : classes_) {
      std::map<Time, std::int32_t> more;
      for (const HostId host : each.hosts) {
        std::ranges::sort(closed[host.index]);
        Time from = free_from(view, host);
        if (!view[host].up) {  // it may be known to come back
          from = kNever;
          for (const auto& [begin, to] : closed[host.index])
            if (begin <= now) from = now;
        }
        for (const auto& [begin, to] : closed[host.index]) {
          if (from < begin) {
            ++more[from];
            --more[begin];
          }
          from = std::max(from, to);
        }
        if (from < kNever) ++more[from];
      }
      each.steps = {{now, 0}};
      for (const auto& [at, count] : more) {
        if (at > each.steps.back().at) each.steps.push_back({at, each.steps.back().free});
        each.steps.back().free += count;
      }
    }
  }

  Time free_from(const View& view, HostId host) const {
    Cores idle = view[host].idle;
    Time end = view.now();
    for (const RunningJobs::Job& job : running_.on(host)) {
      end = std::max(end, job.end);
      idle += job.cores;
    }
    return idle >= view[host].cores ? end : kNever;
  }

  void forget_past(Time now) {
    for (Class& each : classes_) {
      auto first = each.steps.begin();
      while (first + 1 != each.steps.end() && first[1].at <= now) ++first;
      each.steps.erase(each.steps.begin(), first);
    }
  }

  static std::int32_t free_over(const Class& each, Time from, Time to) {
    auto step = std::ranges::upper_bound(each.steps, from, {}, &Step::at);
    if (step != each.steps.begin()) --step;
    std::int32_t least = step->free;
    for (++step; step != each.steps.end() && step->at < to; ++step) least = std::min(least, step->free);
    return least;
  }

  void take(const Promise& promise) {
    for (const Part& part : promise.parts) {
      std::vector<Step>& steps = classes_[part.of].steps;
      split(steps, promise.start);
      if (promise.end < kNever) split(steps, promise.end);
      for (auto step = std::ranges::lower_bound(steps, promise.start, {}, &Step::at);
           step != steps.end() && step->at < promise.end; ++step)
        step->free -= part.hosts;
    }
  }
  static void split(std::vector<Step>& steps, Time at) {
    const auto next = std::ranges::upper_bound(steps, at, {}, &Step::at);
    if (next != steps.begin() && (next - 1)->at < at) steps.insert(next, {at, (next - 1)->free});
  }

  // The shares of the job on the first of these hosts, ascending.
  template <class HostsOf>
  static std::vector<Share> shares_on(const View& view, const CountedShape& job, std::span<const Part> parts,
                                      HostsOf hosts_of) {
    std::vector<Share> shares;
    std::int64_t left = job.wanted();
    for (const Part& part : parts) {
      const auto hosts = hosts_of(part.of);
      if (hosts.size() < static_cast<std::size_t>(part.hosts)) return {};
      for (std::int32_t i = 0; i < part.hosts; ++i) {
        const HostId host = hosts[static_cast<std::size_t>(i)];
        const Cores most = job.share_of(view.platform(), host);
        const Cores cores =
            job.shape.nodes > 0 ? most : static_cast<Cores>(std::min<std::int64_t>(most, left));
        left -= job.shape.nodes > 0 ? 1 : cores;
        shares.push_back({host, cores});
      }
    }
    std::ranges::sort(shares, {}, &Share::host);
    return shares;
  }
  Time end_on(Sim& sim, const CountedShape& job, WorkId work, std::span<const Part> parts, Time at) const {
    std::vector<Part> looked_at(parts.begin(), parts.end());
    if (sim.estimate().is_faithful() && !job.shape.checkpoints &&
        sim.view().workload()[work].form != TimeForm::by_host)
      for (Part& part : looked_at) part.hosts = 1;  // the others are alike
    const auto shares = shares_on(sim.view(), job, looked_at,
                                  [&](std::size_t of) { return std::span(classes_[of].up_first); });
    return expected_end(sim, work, shares, at);
  }

  // Fills up the classes in their order until the job has what it asks for, again without what is not free to its end.
  Promise place(Sim& sim, const CountedShape& job, WorkId work, Time at,
                std::span<const std::size_t> among) const {
    const View& view = sim.view();
    std::vector<std::int32_t> room(among.size());
    for (std::size_t i = 0; i < among.size(); ++i) {
      const Part one{among[i], 1};
      if (free_over(classes_[among[i]], at, at) <= 0) continue;
      const CountedShape single = single_of(job);
      const Time end = end_on(sim, single, work, std::span(&one, 1), at);
      if (end < kNever) room[i] = free_over(classes_[among[i]], at, end);
    }
    for (;;) {
      Promise found{work};
      std::int64_t left = job.wanted();
      for (std::size_t i = 0; i < among.size() && left > 0; ++i) {
        const std::int64_t size = job.size_of(view.platform(), classes_[among[i]].hosts[0]);
        const std::int64_t taken = std::min<std::int64_t>(std::max(room[i], 0), (left + size - 1) / size);
        if (taken == 0) continue;
        left -= std::min(left, taken * size);
        found.parts.push_back({among[i], static_cast<std::int32_t>(taken)});
      }
      if (left > 0) return {work};
      found.start = at;
      found.end = end_on(sim, job, work, found.parts, at);
      if (!(found.end < kNever)) return {work};
      bool fits = true;
      for (const Part& part : found.parts) {
        const std::int32_t there = free_over(classes_[part.of], at, found.end);
        if (there >= part.hosts) continue;
        fits = false;
        room[static_cast<std::size_t>(std::ranges::find(among, part.of) - among.begin())] = there;
      }
      if (fits) return found;
    }
  }

  // The part of the job that one host computes.
  static CountedShape single_of(CountedShape job) {
    if (job.shape.nodes > 0)
      job.shape.nodes = 1;
    else
      job.cores = std::min(job.cores, 1);
    return job;
  }

  Promise earliest(Sim& sim, WorkId work) const {
    const View& view = sim.view();
    const CountedShape job(view.workload(), work);
    std::map<std::uint32_t, std::vector<std::size_t>> groups;  // classes that the job may use
    std::vector<Time> times = {sim.now()};
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      const HostId host = classes_[c].hosts[0];
      if (!job.shape.allows(host) || job.share_of(view.platform(), host) == 0) continue;
      groups[job.shape.same == Together::cluster          ? view[host].cluster.index
             : job.shape.same == Together::network_switch ? view.platform().switch_of(host)
                                                          : 0]
          .push_back(c);
      const std::vector<Step>& steps = classes_[c].steps;
      for (std::size_t i = 1; i < steps.size(); ++i)
        if (steps[i].free > steps[i - 1].free) times.push_back(steps[i].at);
    }
    std::vector<const std::vector<std::size_t>*> in_order;
    for (const auto& [group, all] : groups) in_order.push_back(&all);
    std::ranges::sort(in_order, {}, [&](const auto* all) {
      HostId lowest = classes_[all->front()].hosts[0];
      for (const std::size_t c : *all) lowest = std::min(lowest, classes_[c].hosts[0]);
      return lowest;
    });
    std::ranges::sort(times);
    times.erase(std::ranges::unique(times).begin(), times.end());
    for (const Time at : times)
      for (const auto* all : in_order)
        if (Promise found = place(sim, job, work, at, *all); !found.parts.empty()) return found;
    return {work};
  }

  void serve(Sim& sim) {
    const bool news = windows_changed(sim, std::exchange(served_, sim.now()));
    stale_ = stale_ || news || running_.first_end() <= sim.now();  // work that should have ended by now
    if (std::exchange(stale_, false)) {
      find_classes(sim);
      count_free(sim);
      line_.clear();
    } else {
      forget_past(sim.now());
    }
    const auto promise = [&](WorkId work) {
      Promise made = earliest(sim, work);
      take(made);
      return made;
    };
    const bool settled =
        line_.serve(sim.view(), waiting_, promise, [&](const Promise& each) { return start(sim, each); });
    stale_ = stale_ || settled;
  }

  // Starts the work if its time has come and enough hosts are idle. Work that runs beyond its expected end may still
  // have them.
  bool start(Sim& sim, const Promise& promise) {
    if (promise.parts.empty() || promise.start > sim.now()) return false;
    const View& view = sim.view();
    const CountedShape job(view.workload(), promise.work);
    const std::vector<Share> shares = shares_on(view, job, promise.parts, [&](std::size_t of) {
      std::vector<HostId> idle;
      for (const HostId host : classes_[of].hosts)
        if (view[host].up && view[host].idle == view[host].cores) idle.push_back(host);
      return idle;
    });
    if (shares.empty() || !sim.fits(promise.work, shares)) return false;
    const Time end = running_.start(sim, promise.work, shares);
    stale_ = stale_ || end != promise.end;
    return true;
  }

  ArrivalQueue waiting_;
  PromiseLine<Promise> line_;
  HostKinds kinds_;
  std::vector<Class> classes_;  // in the order in which they are filled up
  RunningJobs running_;
  Time served_ = 0;
  bool stale_ = true;  // all promises are to be made anew
};

}  // namespace

const engine::Demands kCountable{
    "jobs that take whole hosts", "any platform",
    [](const Platform& platform, const Workload& workload, WorkId first, std::string_view) {
      for (std::size_t w = std::max<std::size_t>(first.index, workload.works.first()); w < workload.size();
           ++w)
        check_countable(platform, workload, WorkId(w));
    }};

std::unique_ptr<Policy> conservative_by_count() { return std::make_unique<ConservativeByCount>(); }

}  // namespace perigee::batch
