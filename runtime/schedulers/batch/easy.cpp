// EASY: first come, first served, with backfilling. The first work in line that cannot start is promised the
// host where it can start earliest. Later work starts now if that does not delay it.
//
// There are several hosts here: work takes cores of one of them, and only the promised host is guarded.
// Cost: O(W log T + H) a start, O(H + R) a pass, with T works of W widths, H hosts that run R jobs. A pass
// makes at most one promise. Ties: order of arrival, then of input; lowest host.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "runtime/engine/why.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/batch/backlog.h"
#include "runtime/schedulers/batch/by_shape.h"
#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/option_checks.h"
#include "runtime/schedulers/batch/over_hosts.h"
#include "runtime/schedulers/batch/power_saving.h"
#include "runtime/schedulers/batch/preemption.h"
#include "runtime/schedulers/batch/running_jobs.h"

namespace perigee::batch {
namespace {

class Easy final : public PolicyOf<Easy> {
 public:
  explicit Easy(HostChoice hosts) : hosts_(hosts) {}

  void begin(Sim& sim) override {
    running_.reset(sim);
    steady_ = has_steady_hosts(sim);
    load(sim);
    serve(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    const View& view = sim.view();
    running_.follow(sim, events);
    bool other_times = false;
    for (const Event& event : events) {
      const bool back =
          event.kind == EventKind::lost && event.work.valid() && view[event.work].state == WorkState::waiting;
      if (event.kind == EventKind::arrived || back) {
        backlog_.add(view, event.work, shortest(sim, event.work));
      }
      other_times |= event.kind == EventKind::changed || event.kind == EventKind::up;
    }
    if (other_times) {
      steady_ = has_steady_hosts(sim);
      backlog_.find([&](WorkId work) {
        backlog_.add(view, work, shortest(sim, work));
        return false;
      });
    }
    serve(sim);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    const View& view = sim.view();
    out.rule = "the first in line starts as soon as it can; others start early where it is not delayed";
    out.works = {.score = "arrival, s", .better = Prefer::smallest, .ties = "order of input"};
    backlog_.find([&](WorkId other) {
      if (other != head_ && other != work && ArrivalQueue::earlier(view, work, other)) return true;
      Comparison::Candidate candidate{.index = other.index, .score = view.workload()[other].arrival};
      if (other == head_ && promised_.host.valid())
        candidate.note = fmt::format("is promised {} at {} s", view.platform()[promised_.host].name,
                                     format_number(promised_.at));
      else if (!choose(sim, other, promised_).valid())
        candidate.note = "fits nowhere, or would delay the first";
      candidate.open = candidate.note.empty();
      out.works.candidates.push_back(std::move(candidate));
      return false;
    });
    compare_hosts(sim, work, hosts_, out);
    for (Comparison::Candidate& host : out.hosts.candidates) {
      host.note = delays(sim, work, HostId(host.index));
      host.open = host.note.empty();
    }
  }

 private:
  static constexpr double kAny = std::numeric_limits<double>::max();

  struct Promise {
    HostId host;
    Time at = kNever;
    std::int32_t extra = 0;  // cores of the host that the promised work will not need then
  };

  void load(Sim& sim) {
    backlog_.reset();
    ArrivalQueue waiting;
    waiting.reset(sim);
    for (const WorkId work : waiting.all()) backlog_.add(sim.view(), work, shortest(sim, work));
  }

  // The key of the backlog: no host will ever take less time.
  Seconds shortest(Sim& sim, WorkId work) const { return steady_ ? shortest_of(sim, work) : 0; }

  void serve(Sim& sim) {
    const View& view = sim.view();
    for (;;) {
      const WorkId head = first_in_line(view);
      if (!head.valid()) return;
      const HostId host = choose(sim, head, {});
      head_ = head;
      promised_ = host.valid() ? Promise{} : promise(sim, head);
      if (!host.valid()) return backfill(sim);
      start(sim, head, host);
    }
  }

  // The first work that some host that is up can run.
  WorkId first_in_line(const View& view) const {
    return backlog_.find([&](WorkId work) {
      for (std::size_t h = 0; h < view.hosts().size(); ++h)
        if (view.hosts()[h].up && can_ever_run(view, work, HostId(h))) return true;
      return false;
    });
  }

  Promise promise(Sim& sim, WorkId work) const {
    const View& view = sim.view();
    Promise best;
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostId host(h);
      if (!view[host].up || !can_ever_run(view, work, host)) continue;
      const std::span<const RunningJobs::Job> jobs = running_.on(host);
      const std::int32_t cores = RunningJobs::cores_of(view, work, host);
      std::int32_t idle = view[host].idle;
      Time at = sim.now();
      for (std::size_t i = 0; i < jobs.size() && idle < cores;) {
        at = std::max(jobs[i].end, sim.now());
        for (; i < jobs.size() && std::max(jobs[i].end, sim.now()) == at; ++i) idle += jobs[i].cores;
      }
      if (idle >= cores && at < best.at) best = {host, at, idle - cores};
    }
    return best;
  }

  void backfill(Sim& sim) {
    const View& view = sim.view();
    Promise& promised = promised_;
    const Seconds window = promised.at - sim.now() + kEps * std::max(1.0, promised.at);
    for (;;) {
      std::int32_t elsewhere = 0;
      for (std::size_t h = 0; h < view.hosts().size(); ++h)
        if (HostId(h) != promised.host) elsewhere = std::max(elsewhere, view.hosts()[h].idle);
      const std::int32_t there = promised.host.valid() ? view[promised.host].idle : 0;
      const WorkId work = backlog_.earliest(
          view,
          [&](std::int32_t cores) {
            if (cores <= elsewhere || cores <= std::min(there, promised.extra)) return kAny;
            return cores <= there ? window : -1;
          },
          [&](WorkId each) { return choose(sim, each, promised).valid(); });
      if (!work.valid()) return;
      const HostId host = choose(sim, work, promised);
      const std::int32_t cores = RunningJobs::cores_of(view, work, host);
      const Time end = start(sim, work, host);
      if (host == promised.host && end > promised.at) promised.extra -= cores;
    }
  }

  Time start(Sim& sim, WorkId work, HostId host) {
    const Time end = running_.start(sim, work, host);
    backlog_.remove(sim.view(), work);
    return end;
  }

  // A host where the work can start now without delaying the promised work.
  HostId choose(Sim& sim, WorkId work, const Promise& promised) const {
    const View& view = sim.view();
    HostId best;
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostId host(h);
      if (!can_start(sim, work, host)) continue;
      if (host == promised.host && RunningJobs::cores_of(view, work, host) > promised.extra &&
          sim.estimate().end_of(sim, {work, 0, 1}, host, sim.now()) > promised.at)
        continue;
      if (!best.valid() || preference(view, host, hosts_) > preference(view, best, hosts_)) best = host;
    }
    return best;
  }

  // Why the work cannot start on the host although its cores are idle; empty if it can.
  std::string delays(Sim& sim, WorkId work, HostId host) const {
    if (work == head_ || host != promised_.host) return {};
    const Time end = sim.estimate().end_of(sim, {work, 0, 1}, host, sim.now());
    if (RunningJobs::cores_of(sim.view(), work, host) <= promised_.extra || end <= promised_.at) return {};
    return fmt::format("would end at {} s; from {} s on {} of its cores {} free beside {}",
                       format_number(end), format_number(promised_.at), promised_.extra,
                       promised_.extra == 1 ? "is" : "are", sim.view().workload().name_of(head_));
  }

  HostChoice hosts_;
  WorkId head_;          // first in line when it was last asked
  Promise promised_;     // to it; nothing when it could start
  bool steady_ = false;  // predicted times of waiting work change only when a host reports it
  Backlog backlog_;
  RunningJobs running_;
};

}  // namespace

Entry easy() {
  Entry entry = list_entry(
      "easy", "fcfs; later work starts early where it does not delay the first in line, by estimates",
      JobOrder::first, HostChoice::fastest);
  entry.source = "Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 2";
  entry.complexity = "O(W log T + H) a start, O(H + R) a pass, with T works of W widths, H hosts that run R";
  entry.parameters = with_power_parameters(
      with_preempt_parameters({host_parameter(), mold_parameter(), admission_parameter()}));
  entry.check = [](const Arguments& given) {
    if (given.choice("preempt") != "off" && given.choice("admission") != "running")
      fail("bad_parameter", "easy: preempt does not go with admission = \"{}\"", given.choice("admission"));
    if (given.choice("preempt") != "off" && given.has("off_after"))
      fail("bad_parameter", "easy: preempt does not go with off_after; leave one of them out");
    check_keep_on(given, "easy");
    check_preemption(given, "easy");
  };
  entry.demands = demands_on_hosts;
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    HostRule rule = host_rule(given);
    const Mold mold = mold_rule(given);
    const PowerSettings power = power_settings(given);
    if (Preemption preemption = preemption_of(given); preemption.is_on())
      return easy_that_preempts(std::move(rule), mold, std::move(preemption));
    const bool promises_count = given.choice("admission") == "promised";
    if (rule.is_function() || chooses_clusters(rule.choice) || promises_count)
      return easy_over_hosts(std::move(rule), mold, promises_count, power);
    return std::make_unique<ByShape>(std::make_unique<Easy>(rule.choice),
                                     easy_over_hosts(rule.choice, mold, false, power));
  };
  return entry;
}

}  // namespace perigee::batch
