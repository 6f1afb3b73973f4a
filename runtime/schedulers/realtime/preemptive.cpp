// Source: Liu and Layland, JACM 20(1), 1973, sections 4 (rates) and 7 (deadlines).
#include "runtime/schedulers/realtime/preemptive.h"

#include <algorithm>
#include <compare>
#include <functional>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"

namespace perigee::realtime {
namespace {

// A job ends with the job that preempts it but for rounding, and is not suspended just before its end.
constexpr double kTolerance = 1e-9;

class Preemptive final : public PolicyOf<Preemptive> {
 public:
  explicit Preemptive(Urgency urgency) : urgency_(urgency) {}

  engine::TakesOver takes_over() const override { return {.suspended = true}; }

  void begin(Sim& sim) override {
    jobs_.clear();
    const View& view = sim.view();
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w)
      if (sim.waits(WorkId(w))) add(view, WorkId(w));
    for (std::size_t h = 0; h < view.hosts().size(); ++h)
      for (const ActivityId id : sim.running_on(HostId(h)))
        if (const auto running = sim.activity(id); running->kind == ActivityKind::compute)
          add(view, running->work, id);
    for (const ActivityId id : sim.suspended()) add(view, sim.activity(id)->work, id);
    arrange(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    for (const Event& event : events) {
      if (!event.work.valid()) continue;
      if (event.kind == EventKind::arrived) add(sim.view(), event.work);
      if (event.kind == EventKind::lost) become_new(sim.view(), event.work);
    }
    std::erase_if(jobs_, [&](const Job& job) {
      return job.activity.valid() ? !sim.activity(job.activity) : !sim.waits(job.work);
    });
    arrange(sim);
  }

  void why(Sim&, WorkId, Decision& out) override {
    out.rule = urgency_ == Urgency::deadline ? "the job with the earliest deadline runs; it preempts others"
                                             : "the job with the largest priority runs; it preempts others";
    out.works = {.score = urgency_ == Urgency::deadline ? "deadline, s" : "priority",
                 .better = urgency_ == Urgency::deadline ? Prefer::smallest : Prefer::largest,
                 .ties = "order of arrival, then of input"};
    for (const Job& job : jobs_)
      out.works.candidates.push_back(
          {.index = job.work.index, .score = urgency_ == Urgency::deadline ? job.key : -job.key});
  }

  std::size_t bytes() const override { return jobs_.size() * sizeof(Job); }

 private:
  struct Job {
    double key;  // the least is most urgent
    Time arrival;
    WorkId work;
    ActivityId activity = {};  // not valid: it has not begun
    HostId runs_on = {};       // from now on; not valid: it waits
    auto place() const { return std::tuple(key, arrival, work); }
    bool operator<(const Job& other) const { return place() < other.place(); }
  };

  void add(const View& view, WorkId work, ActivityId activity = {}) {
    const Work& declared = view.workload()[work];
    const Job job{urgency_ == Urgency::deadline ? declared.deadline : -declared.priority, declared.arrival,
                  work, activity};
    jobs_.insert(std::ranges::upper_bound(jobs_, job, std::less<>()), job);
  }

  // It was lost, and begins again.
  void become_new(const View& view, WorkId work) {
    std::erase_if(jobs_, [&](const Job& job) { return job.work == work; });
    if (view[work].state == WorkState::waiting) add(view, work);
  }

  // In order of urgency each job takes a core: of its host, if it has begun, else of any. The lowest hosts are for these.
  void choose(const Sim& sim) {
    std::vector<std::int32_t> left;
    for (const HostView& host : sim.view().hosts())
      left.push_back(!host.up ? 0 : host.exclusive ? 1 : host.cores);
    std::int64_t all = std::accumulate(left.begin(), left.end(), std::int64_t{0});
    std::vector<Job*> begin;
    for (Job& job : jobs_) {
      job.runs_on = {};
      if (all == 0) continue;
      if (!job.activity.valid()) {
        begin.push_back(&job);
      } else if (const HostId host = sim.activity(job.activity)->host; left[host.index] > 0) {
        --left[host.index];
        job.runs_on = host;
      } else {
        continue;
      }
      --all;
    }
    std::size_t lowest = 0;
    for (Job* job : begin) {
      while (left[lowest] == 0) ++lowest;
      --left[lowest];
      job->runs_on = HostId(lowest);
    }
  }

  void arrange(Sim& sim) {
    choose(sim);
    for (const Job& job : jobs_)
      if (job.activity.valid() && !job.runs_on.valid() && !sim.activity(job.activity)->suspended)
        sim.suspend(job.activity);
    for (Job& job : jobs_) {
      if (!job.runs_on.valid()) continue;
      if (job.activity.valid()) {
        if (sim.obstacle_of_resume(job.activity).empty()) sim.resume(job.activity);
      } else if (sim.fits(job.work, job.runs_on)) {
        job.activity = sim.start(job.work, job.runs_on);
      }
    }
  }

  Urgency urgency_;
  std::vector<Job> jobs_;  // ascending
};

}  // namespace

Entry preemptive_entry(std::string summary, Urgency urgency) {
  Entry entry;
  entry.family = Family::realtime;
  entry.role = Role::policy;
  entry.summary = std::move(summary);
  entry.complexity = "O(J + H) an event, with J jobs that are not done";
  entry.ties = "order of arrival, then of input; lowest host";
  entry.accepts = {.tasks = true, .jobs = true};
  entry.instants = {.tolerance = kTolerance};
  entry.make_policy = [urgency](const Arguments&) -> std::unique_ptr<Policy> {
    return std::make_unique<Preemptive>(urgency);
  };
  return entry;
}

}  // namespace perigee::realtime
