#include "tests/runtime/schedulers/batch/eager_conservative.h"

#include <algorithm>
#include <span>
#include <vector>

#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/running_jobs.h"

namespace perigee::test {

namespace {

// Idle cores of a host over time, as far as is known and promised.
class EagerIdleCores {
 public:
  EagerIdleCores(Time now, std::int32_t idle, std::span<const RunningJobs::Job> jobs) : steps_{{now, idle}} {
    for (const RunningJobs::Job& job : jobs) {
      if (job.end > steps_.back().at) steps_.push_back({job.end, steps_.back().idle});
      steps_.back().idle += job.cores;
    }
  }

  // Forgets the steps before now.
  void advance(Time now) {
    auto first = steps_.begin();
    while (first + 1 != steps_.end() && first[1].at <= now) ++first;
    steps_.erase(steps_.begin(), first);
  }

  // The earliest time, not before `now`, at which so many cores are idle until end_of(time); +inf = never.
  template <class EndOf>
  Time earliest(Time now, std::int32_t cores, EndOf end_of) const {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].idle < cores) continue;
      const Time from = std::max(steps_[i].at, now);
      const Time to = end_of(from);
      if (!(to < kNever)) return kNever;
      std::size_t next = i + 1;
      while (next < steps_.size() && steps_[next].at < to && steps_[next].idle >= cores) ++next;
      if (next == steps_.size() || steps_[next].at >= to) return from;
      i = next;  // too few there; the loop goes on behind it
    }
    return kNever;
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

  // The step that begins at `at`; it is made if there is none. `at` is not before the first step.
  std::size_t step_at(Time at) {
    auto step = std::ranges::lower_bound(steps_, at, {}, &Step::at);
    if (step == steps_.end() || step->at != at) step = steps_.insert(step, {at, step[-1].idle});
    return static_cast<std::size_t>(step - steps_.begin());
  }

  std::vector<Step> steps_;
};

class EagerConservative final : public PolicyOf<EagerConservative> {
 public:
  void begin(Sim& sim) override {
    running_.reset(sim);
    ArrivalQueue waiting;
    waiting.reset(sim);
    queue_.clear();
    for (const WorkId work : waiting.all()) queue_.push_back({work});
    stale_ = true;
    serve(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    const View& view = sim.view();
    if (!running_.follow(sim, events)) stale_ = true;
    for (const Event& event : events) {
      if (event.kind == EventKind::arrived) queue_.push_back({event.work});
      if (event.kind == EventKind::lost && event.work.valid() && view[event.work].state == WorkState::waiting)
        put_back(view, event.work);
    }
    serve(sim);
  }

 private:
  struct Waiting {
    WorkId work;
    HostId host = {};  // promised; none yet, or nowhere
    Time from = kNever, to = kNever;
  };

  void put_back(const View& view, WorkId work) {
    const auto at = std::ranges::lower_bound(
        queue_, work, [&](WorkId a, WorkId b) { return ArrivalQueue::earlier(view, a, b); }, &Waiting::work);
    if (at == queue_.end() || at->work != work) queue_.insert(at, {work});
  }

  void serve(Sim& sim) {
    const View& view = sim.view();
    const Time now = sim.now();
    for (std::size_t h = 0; h < view.hosts().size() && !stale_; ++h)  // work that should have ended by now
      stale_ = !running_.on(HostId(h)).empty() && running_.on(HostId(h)).front().end < now;
    if (stale_) {
      idle_.clear();
      for (std::size_t h = 0; h < view.hosts().size(); ++h)
        idle_.emplace_back(now, view.hosts()[h].idle, running_.on(HostId(h)));
      for (Waiting& waiting : queue_) waiting = {waiting.work};
      stale_ = false;
    }
    for (EagerIdleCores& idle : idle_) idle.advance(now);
    std::size_t kept = 0;
    for (Waiting& waiting : queue_) {
      if (view[waiting.work].state != WorkState::waiting) continue;  // settled by somebody else
      if (!waiting.host.valid()) promise(sim, waiting);
      // Work that runs beyond its expected end may still be in the way.
      if (waiting.from <= now && can_start(sim, waiting.work, waiting.host)) {
        const Time end = running_.start(sim, waiting.work, waiting.host);
        stale_ = stale_ || end != waiting.to;
      } else {
        queue_[kept++] = waiting;
      }
    }
    queue_.resize(kept);
  }

  void promise(Sim& sim, Waiting& waiting) {
    const View& view = sim.view();
    const Time now = sim.now();
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostId host(h);
      if (!view[host].up || !can_ever_run(view, waiting.work, host)) continue;
      const Time from = idle_[h].earliest(now, RunningJobs::cores_of(view, waiting.work, host),
                                          [&](Time start) { return end_of(sim, waiting.work, host, start); });
      const bool faster =
          from == waiting.from && waiting.host.valid() && view[host].speed > view[waiting.host].speed;
      if (!(from < waiting.from) && !faster) continue;
      waiting.host = host;
      waiting.from = from;
    }
    if (!waiting.host.valid()) return;
    waiting.to = end_of(sim, waiting.work, waiting.host, waiting.from);
    idle_[waiting.host.index].take(waiting.from, waiting.to,
                                   RunningJobs::cores_of(view, waiting.work, waiting.host));
  }

  static Time end_of(Sim& sim, WorkId work, HostId host, Time start) {
    return sim.estimate().end_of(sim, {work, 0, 1}, host, start);
  }

  std::vector<Waiting> queue_;  // in order of arrival
  std::vector<EagerIdleCores> idle_;
  RunningJobs running_;
  bool stale_ = true;  // all promises are to be made anew
};

}  // namespace

std::unique_ptr<Policy> eager_conservative() { return std::make_unique<EagerConservative>(); }

}  // namespace perigee::test
