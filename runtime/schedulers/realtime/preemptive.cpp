#include "runtime/schedulers/realtime/preemptive.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/engine/sim.h"
#include "runtime/engine/why.h"
#include "runtime/kernel/error.h"

namespace perigee::realtime {
namespace {

// A job ends with the job that preempts it but for rounding, and is not suspended just before its end.
constexpr double kTolerance = 1e-9;

class Preemptive final : public PolicyOf<Preemptive> {
 public:
  explicit Preemptive(Urgency urgency) : urgency_(urgency) {}

  void begin(Sim& sim) override {
    jobs_.clear();
    const View& view = sim.view();
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w)
      if (sim.waits(WorkId(w))) add(view, WorkId(w));
    for (const ActivityId id : sim.running_on(HostId(0))) add(view, sim.activity(id)->work, id);
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

  void arrange(Sim& sim) {
    const auto cores = static_cast<std::size_t>(sim.view().hosts()[0].cores);
    for (std::size_t i = cores; i < jobs_.size(); ++i)
      if (const ActivityId id = jobs_[i].activity; id.valid() && !sim.activity(id)->suspended)
        sim.suspend(id);
    for (std::size_t i = 0; i < std::min(cores, jobs_.size()); ++i) {
      Job& job = jobs_[i];
      if (!job.activity.valid()) {
        if (sim.fits(job.work, HostId(0))) job.activity = sim.start(job.work, HostId(0));
      } else if (sim.obstacle_of_resume(job.activity).empty()) {
        sim.resume(job.activity);
      }
    }
  }

  Urgency urgency_;
  std::vector<Job> jobs_;  // ascending
};

void check(const Platform& platform, const Workload&, WorkId, std::string_view policy) {
  if (platform.hosts().size() != 1)
    fail("not_accepted", "policy '{}' does not accept {} hosts: it serves the cores of one", policy,
         platform.hosts().size());
}

const Demands kOneHost{"jobs of one core", "a platform of one host", check};

}  // namespace

Entry preemptive_entry(std::string summary, Urgency urgency) {
  Entry entry;
  entry.family = Family::realtime;
  entry.role = Role::policy;
  entry.summary = std::move(summary);
  entry.complexity = "O(J) an event, with J jobs that are not done";
  entry.ties = "order of arrival, then of input";
  entry.accepts = {.tasks = true, .jobs = true, .demands = &kOneHost};
  entry.instants = {.tolerance = kTolerance};
  entry.make_policy = [urgency](const Arguments&) -> std::unique_ptr<Policy> {
    return std::make_unique<Preemptive>(urgency);
  };
  return entry;
}

}  // namespace perigee::realtime
