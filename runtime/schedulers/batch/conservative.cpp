// Conservative backfilling: in order of arrival, every work is promised the earliest time at which it fits
// for its whole estimate beside running work and earlier promises. It starts when that time is now.
//
// There is a profile of idle cores for each host. All promises are made anew when something did not go as
// expected, which also compresses the schedule; otherwise making them anew would change none. A promise is
// made only when it matters. If neither the work nor anything behind it could start now, the promise can
// wait, for until then nothing changes what it will be. Cost: O(H S) a promise, with S steps in the
// profile of a host; a pass makes promises up to the last work that could start. Ties: order of arrival,
// then of input; the fastest host, then the lowest.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <ranges>
#include <utility>
#include <vector>

#include "runtime/engine/why.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/backlog.h"
#include "runtime/schedulers/batch/by_shape.h"
#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/option_checks.h"
#include "runtime/schedulers/batch/over_hosts.h"
#include "runtime/schedulers/batch/power_saving.h"
#include "runtime/schedulers/batch/running_jobs.h"

namespace perigee::batch {
namespace {

// Idle cores of a host over time, as far as is known and promised. Between two calls of reset() they only
// become fewer.
class IdleCores {
 public:
  void reset(Time now, std::int32_t idle, std::span<const RunningJobs::Job> jobs) {
    steps_.assign(1, {now, idle});
    for (const RunningJobs::Job& job : jobs) {
      if (job.end > steps_.back().at) steps_.push_back({job.end, steps_.back().idle});
      steps_.back().idle += job.cores;
    }
    for (auto& [cores, starts] : by_cores_) starts.clear();
    for (Starts& starts : by_power_) starts.clear();
  }

  // Forgets the steps before now.
  void advance(Time now) {
    auto first = steps_.begin();
    while (first + 1 != steps_.end() && first[1].at <= now) ++first;
    steps_.erase(steps_.begin(), first);
  }

  // The earliest time, not before `from`, at which so many cores are idle until end_of(time); +inf = never.
  template <class EndOf>
  Time earliest(Time from, std::int32_t cores, EndOf end_of) const {
    const auto first = std::ranges::upper_bound(steps_, from, {}, &Step::at);
    for (auto step = first == steps_.begin() ? first : first - 1; step != steps_.end(); ++step) {
      if (step->idle < cores) continue;
      const Time start = std::max(step->at, from);
      const Time to = end_of(start);
      if (!(to < kNever)) return kNever;
      auto next = step + 1;
      while (next != steps_.end() && next->at < to && next->idle >= cores) ++next;
      if (next == steps_.end() || next->at >= to) return start;
      step = next;  // too few there; the loop goes on behind it
    }
    return kNever;
  }

  // Remembers that a request for so many cores and so long found no place before `start`. Nor will a wider or
  // longer request.
  void remember(std::int32_t cores, Seconds duration, Time start) {
    auto own = std::ranges::lower_bound(by_cores_, cores, {}, &std::pair<std::int32_t, Starts>::first);
    if (own == by_cores_.end() || own->first != cores) own = by_cores_.insert(own, {cores, {}});
    const auto power = static_cast<std::size_t>(std::bit_width(static_cast<std::uint32_t>(cores)));
    if (by_power_.size() <= power) by_power_.resize(power + 1);
    for (Starts* starts : {&own->second, &by_power_[power]}) {
      const auto at = std::ranges::lower_bound(*starts, duration, {}, &Start::duration);
      if (at != starts->begin() && at[-1].at >= start) continue;
      auto worse = at;
      while (worse != starts->end() && worse->at <= start) ++worse;
      starts->insert(starts->erase(at, worse), {duration, start});
    }
  }
  // A lower bound of the start, from what is remembered.
  Time bound(std::int32_t cores, Seconds duration) const {
    Time bound = -kNever;
    const auto look = [&](const Starts& starts) {
      const auto longer = std::ranges::upper_bound(starts, duration, {}, &Start::duration);
      if (longer != starts.begin()) bound = std::max(bound, longer[-1].at);
    };
    const auto power = static_cast<std::size_t>(std::bit_width(static_cast<std::uint32_t>(cores)));
    for (std::size_t p = 0; p < std::min(power, by_power_.size()); ++p) look(by_power_[p]);
    const auto own = std::ranges::lower_bound(by_cores_, cores, {}, &std::pair<std::int32_t, Starts>::first);
    if (own != by_cores_.end() && own->first == cores) look(own->second);
    return bound;
  }

  // until[c - 1]: the first time when fewer than c cores will be idle. Only for c up to the cores that are
  // idle in the first step.
  void look_ahead(std::vector<Time>& until) const {
    until.assign(static_cast<std::size_t>(std::max(steps_[0].idle, 0)), kNever);
    auto left = until.size();
    for (std::size_t i = 1; i < steps_.size() && left > 0; ++i)
      for (; left > 0 && steps_[i].idle < static_cast<std::int32_t>(left); --left)
        until[left - 1] = steps_[i].at;
  }

  void take(Time from, Time to, std::int32_t cores) {
    step_at(to);  // makes the step at which it is over
    for (std::size_t i = step_at(from); steps_[i].at < to; ++i) steps_[i].idle -= cores;
  }

 private:
  struct Step {
    Time at;
    std::int32_t idle;
  };
  struct Start {
    Seconds duration;
    Time at;
  };
  using Starts = std::vector<Start>;  // both ascending

  // The step that begins at `at`; it is made if there is none. `at` is not before the first step.
  std::size_t step_at(Time at) {
    auto step = std::ranges::lower_bound(steps_, at, {}, &Step::at);
    if (step == steps_.end() || step->at != at) step = steps_.insert(step, {at, step[-1].idle});
    return static_cast<std::size_t>(step - steps_.begin());
  }

  std::vector<Step> steps_;
  std::vector<std::pair<std::int32_t, Starts>> by_cores_;  // in order of cores
  std::vector<Starts> by_power_;                           // of 2^(p - 1) cores to 2^p - 1
};

class Conservative final : public PolicyOf<Conservative> {
 public:
  void begin(Sim& sim) override {
    running_.reset(sim);
    steady_ = has_steady_hosts(sim);
    load(sim);
    serve(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    const View& view = sim.view();
    if (!running_.follow(sim, events)) stale_ = true;
    const auto is_rare = [](const Event& event) {
      return event.kind == EventKind::lost || event.kind == EventKind::changed || event.kind == EventKind::up;
    };
    const bool rare = std::ranges::any_of(events, is_rare);
    if (rare) unload(view);
    rest_.follow(view, events);
    if (rare) {
      steady_ = has_steady_hosts(sim);
      for (const WorkId work : rest_.all()) backlog_.add(view, work, key(sim, work));
    } else {
      for (const Event& event : events)
        if (event.kind == EventKind::arrived && view[event.work].state == WorkState::waiting)
          backlog_.add(view, event.work, key(sim, event.work));
    }
    serve(sim);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    const View& view = sim.view();
    out.rule = "each has been promised the earliest time that delays none before it, and starts then";
    out.works = {.score = "arrival, s", .better = Prefer::smallest, .ties = "order of input"};
    out.hosts = {
        .score = "earliest start, s", .better = Prefer::smallest, .ties = "fastest host, then lowest"};
    // The idle cores beside running work and earlier promises. Promises that nobody has needed yet are made
    // here.
    const std::vector<IdleCores> before = idle_;  // the work may be starting just now
    idle_.resize(view.hosts().size());
    for (std::size_t h = 0; h < idle_.size(); ++h)
      idle_[h].reset(sim.now(), view.hosts()[h].idle, running_.on(HostId(h)));
    const bool anew = out.kind == Decision::Kind::waits && stale_;
    std::vector<Promise> line = line_;
    for (const WorkId each : rest_.all()) line.push_back({each, view.workload()[each].cores, key(sim, each)});
    const std::size_t first = view.works().first();
    std::vector<std::uint8_t> seen(view.works().size() - first, 0);
    for (Promise& each : line) {
      if (each.work != work && !ArrivalQueue::earlier(view, each.work, work)) continue;
      if (view[each.work].state != WorkState::waiting || seen[each.work.index - first] != 0) continue;
      seen[each.work.index - first] = 1;  // some stand there twice while the queue is served
      const bool itself = each.work == work;
      if (itself) list_hosts(sim, work, out);  // before it takes its own place
      if (anew || !each.host.valid())
        promise(sim, each);
      else
        idle_[each.host.index].take(std::max(each.from, sim.now()), each.to,
                                    RunningJobs::cores_of(view, each.work, each.host));
      Comparison::Candidate candidate{.index = each.work.index, .score = view.workload()[each.work].arrival};
      candidate.open = itself;
      candidate.note = each.host.valid()
                           ? fmt::format("is promised {} at {} s", view.platform()[each.host].name,
                                         format_number(each.from))
                           : "no host that is up can run it";
      out.works.candidates.push_back(std::move(candidate));
    }
    idle_ = before;
  }

 private:
  struct Promise {
    WorkId work;
    std::int32_t cores;
    Seconds shortest;  // no host will ever take less
    HostId host = {};  // none = nowhere, as things are
    Time from = kNever, to = kNever;
  };

  // Lists the earliest time at which the work could start on each host.
  void list_hosts(Sim& sim, WorkId work, Decision& out) const {
    const View& view = sim.view();
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostId host(h);
      if (!view[host].up || !can_ever_run(view, work, host)) continue;
      const Time from = idle_[h].earliest(sim.now(), RunningJobs::cores_of(view, work, host),
                                          [&](Time start) { return end_of(sim, work, host, start); });
      out.hosts.candidates.push_back({.index = host.index,
                                      .score = from,
                                      .open = from < kNever,
                                      .note = from < kNever ? "" : "never has the cores for so long"});
    }
  }

  void load(Sim& sim) {
    line_.clear();
    made_ = 0;
    rest_.reset(sim);
    backlog_.reset();
    for (const WorkId work : rest_.all()) backlog_.add(sim.view(), work, key(sim, work));
    stale_ = true;
  }

  // All waiting work loses its promise.
  void unload(const View& view) {
    for (const Promise& each : line_ | std::views::reverse) rest_.put_back(view, each.work);
    line_.clear();
    made_ = 0;
    stale_ = true;
  }

  Seconds key(Sim& sim, WorkId work) const { return steady_ ? shortest_of(sim, work) : 0; }

  void serve(Sim& sim) {
    if (line_.empty() && rest_.size() <= 1 && serve_one(sim)) return;
    const View& view = sim.view();
    const Time now = sim.now();
    for (std::size_t h = 0; h < view.hosts().size() && !stale_; ++h)  // work that should have ended by now
      stale_ = !running_.on(HostId(h)).empty() && running_.on(HostId(h)).front().end < now;
    if (stale_) {
      idle_.resize(view.hosts().size());
      for (std::size_t h = 0; h < idle_.size(); ++h)
        idle_[h].reset(now, view.hosts()[h].idle, running_.on(HostId(h)));
      made_ = 0;
      stale_ = false;
    }
    for (IdleCores& idle : idle_) idle.advance(now);
    std::size_t kept = 0;
    const auto keep = [&](std::size_t i) { line_[kept++] = line_[i]; };
    for (std::size_t i = 0; i < made_; ++i)
      if (view[line_[i].work].state == WorkState::waiting && !start(sim, line_[i])) keep(i);
    std::size_t next = made_;  // from here on there are no promises
    const auto promise_until = [&](std::size_t end) {
      for (; next < end; ++next) {
        if (view[line_[next].work].state != WorkState::waiting) continue;  // settled in the meantime
        promise(sim, line_[next]);
        if (!start(sim, line_[next])) keep(next);
      }
    };
    look_ahead(view);
    for (std::size_t i = next; i < line_.size(); ++i) {
      if (!could_start(sim, line_[i])) continue;
      promise_until(i + 1);
      look_ahead(view);
    }
    for (WorkId last = first_that_could_start(sim); last.valid(); last = first_that_could_start(sim)) {
      for (WorkId work; work != last;) {
        work = rest_[0];
        line_.push_back({work, view.workload()[work].cores, key(sim, work)});
        rest_.erase(0);
        backlog_.remove(view, work);
      }
      promise_until(line_.size());
      look_ahead(view);
    }
    made_ = kept;
    for (; next < line_.size(); ++next) keep(next);
    line_.erase(line_.begin() + static_cast<std::ptrdiff_t>(kept), line_.end());
  }

  // While one work waits at most, nobody has a promise, and the profiles of idle cores are not kept. False if the
  // work has to wait.
  bool serve_one(Sim& sim) {
    const View& view = sim.view();
    stale_ = true;
    if (rest_.empty()) return true;
    const WorkId work = rest_[0];
    const HostId host = promised_now(sim, work);
    if (!host.valid() || !can_start(sim, work, host)) return false;
    rest_.erase(0);
    backlog_.remove(view, work);
    line_.push_back(
        {work, view.workload()[work].cores, 0, host, sim.now(), end_of(sim, work, host, sim.now())});
    running_.start(sim, work, host);  // somebody may ask why() meanwhile
    line_.clear();
    return true;
  }

  // The host that promise() would find for a start now, if nothing is promised: cores of work that should be over count
  // as idle.
  HostId promised_now(Sim& sim, WorkId work) const {
    const View& view = sim.view();
    HostId best;
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostId host(h);
      if (!view[host].up || (best.valid() && !(view[host].speed > view[best].speed))) continue;
      std::int32_t idle = view[host].idle;
      for (const RunningJobs::Job& job : running_.on(host)) {
        if (job.end > sim.now()) break;
        idle += job.cores;
      }
      if (idle >= RunningJobs::cores_of(view, work, host) && can_ever_run(view, work, host) &&
          end_of(sim, work, host, sim.now()) < kNever)
        best = host;
    }
    return best;
  }

  // Starts the work if its time has come and it fits. Work that runs beyond its expected end may still be in
  // the way.
  bool start(Sim& sim, const Promise& promise) {
    if (promise.from > sim.now() || !can_start(sim, promise.work, promise.host)) return false;
    const Time end = running_.start(sim, promise.work, promise.host);
    stale_ = stale_ || end != promise.to;
    return true;
  }

  void look_ahead(const View& view) {
    until_.resize(idle_.size());
    any_idle_ = false;
    for (std::size_t h = 0; h < idle_.size(); ++h) {
      until_[h].clear();
      if (view.hosts()[h].up) idle_[h].look_ahead(until_[h]);
      any_idle_ = any_idle_ || !until_[h].empty();
    }
  }
  Time idle_until(std::size_t host, std::int32_t cores) const {
    const auto wanted = static_cast<std::size_t>(cores);
    return wanted <= until_[host].size() ? until_[host][wanted - 1] : -kNever;
  }
  // The longest time for which so many cores will be idle from now on, on any host; < 0: there are not so
  // many.
  Seconds longest(Time now, std::int32_t cores) const {
    Time until = -kNever;
    for (std::size_t h = 0; h < until_.size(); ++h) until = std::max(until, idle_until(h, cores));
    return until - now + kEps * std::max(1.0, until);
  }

  // True if the work would fit now beside all that has a promise.
  bool could_start(Sim& sim, WorkId work) const {
    for (std::size_t h = 0; h < until_.size(); ++h)
      if (end_of(sim, work, HostId(h), sim.now()) <=
              idle_until(h, RunningJobs::cores_of(sim.view(), work, HostId(h))) &&
          can_ever_run(sim.view(), work, HostId(h)))
        return sim.view()[work].state == WorkState::waiting;
    return false;
  }
  bool could_start(Sim& sim, const Promise& promise) const {
    return any_idle_ && promise.shortest <= longest(sim.now(), promise.cores) &&
           could_start(sim, promise.work);
  }
  WorkId first_that_could_start(Sim& sim) const {
    if (!any_idle_) return {};
    return backlog_.earliest(
        sim.view(), [&](std::int32_t cores) { return longest(sim.now(), cores); },
        [&](WorkId work) { return could_start(sim, work); });
  }

  void promise(Sim& sim, Promise& made) {
    const View& view = sim.view();
    made.host = {};
    made.from = made.to = kNever;
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostId host(h);
      if (!view[host].up || !can_ever_run(view, made.work, host)) continue;
      const std::int32_t cores = RunningJobs::cores_of(view, made.work, host);
      const Seconds duration = steady_ ? sim.estimate().duration(sim, {made.work, 0, 1}, host) : 0;
      const Time from =
          idle_[h].earliest(steady_ ? std::max(sim.now(), idle_[h].bound(cores, duration)) : sim.now(), cores,
                            [&](Time start) { return end_of(sim, made.work, host, start); });
      if (steady_) idle_[h].remember(cores, duration, from);
      const bool faster = from == made.from && made.host.valid() && view[host].speed > view[made.host].speed;
      if (!(from < made.from) && !faster) continue;
      made.host = host;
      made.from = from;
    }
    if (!made.host.valid()) return;
    made.to = end_of(sim, made.work, made.host, made.from);
    idle_[made.host.index].take(made.from, made.to, RunningJobs::cores_of(view, made.work, made.host));
  }

  static Time end_of(Sim& sim, WorkId work, HostId host, Time start) {
    return sim.estimate().end_of(sim, {work, 0, 1}, host, start);
  }

  std::vector<Promise> line_;  // in order of arrival
  std::size_t made_ = 0;       // how many of them hold
  ArrivalQueue rest_;          // behind them, those that never had a promise
  Backlog backlog_;            // the same works
  std::vector<IdleCores> idle_;
  RunningJobs running_;
  bool steady_ = false;  // predicted times of waiting work change only when a host reports it
  bool stale_ = true;    // all promises are to be made anew
  // The times of IdleCores::look_ahead() for each host; scratch, kept for its capacity.
  std::vector<std::vector<Time>> until_;
  bool any_idle_ = false;
};

}  // namespace

Entry conservative() {
  Entry entry =
      list_entry("conservative",
                 "every job is promised the earliest time, by estimates, that delays none promised before",
                 JobOrder::first, HostChoice::fastest);
  entry.source = "Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2";
  entry.complexity =
      "O(H S) a promise, with S steps in the profile of a host; promises up to the last that could start";
  entry.ties = "order of arrival, then of input; the fastest host, then the lowest";
  entry.parameters = with_power_parameters(
      {host_parameter(),
       mold_parameter(),
       {.name = "promise",
        .type = ParameterType::choice,
        .summary = "promises are of hosts, or of so many of equal hosts, where every job takes whole hosts",
        .fallback = std::string("host"),
        .choices = {"host", "count"}},
       admission_parameter()},
      true);
  entry.check = [](const Arguments& given) {
    check_keep_on(given, "conservative");
    if (given.choice("promise") != "count") return;
    if (!given.is_default("host"))
      fail(
          "bad_parameter",
          "conservative: host is given beside promise = \"count\", which promises no hosts; leave one of them out");
    if (!given.is_default("mold"))
      fail(
          "bad_parameter",
          "conservative: mold is given beside promise = \"count\", which takes no moldable jobs; leave one of them out");
    if (given.has("off_after"))
      fail(
          "bad_parameter",
          "conservative: off_after is given beside promise = \"count\", which switches no hosts off; leave one of them out");
    if (!given.is_default("admission"))
      fail(
          "bad_parameter",
          "conservative: admission is given beside promise = \"count\", which takes no reservations; leave one of them out");
  };
  entry.demands = [](const Arguments& given) {
    return given.choice("promise") == "count" ? &kCountable : demands_on_hosts(given);
  };
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    if (given.choice("promise") == "count") return conservative_by_count();
    HostRule rule = host_rule(given);
    const Mold mold = mold_rule(given);
    const PowerSettings power = power_settings(given);
    const bool promises_count = given.choice("admission") == "promised";
    if (rule.is_function() || rule.choice != HostChoice::fastest || promises_count)
      return conservative_over_hosts(std::move(rule), mold, promises_count, power);
    return std::make_unique<ByShape>(std::make_unique<Conservative>(),
                                     conservative_over_hosts(rule.choice, mold, false, power));
  };
  return entry;
}

}  // namespace perigee::batch
