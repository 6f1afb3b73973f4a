// Planned: each group of works is mapped once, when it is submitted, onto the times at which cores are
// planned to be free. Every host then serves its planned works in that order.
//
// This is the event flow of the IRMaSim thesis. Planned times are never corrected by what happens, not
// even those in the past. Nothing is mapped again while its host is up. Cost: that of the mapper for each
// group, O(H) for each event. Ties: those of the mapper, over hosts.

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "runtime/cost/machine_times.h"
#include "runtime/engine/sim.h"
#include "runtime/kernel/clone_ptr.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/host_problem.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/explain_step.h"

namespace perigee::batch {
namespace {

class Planned final : public PolicyOf<Planned> {
 public:
  Planned(std::unique_ptr<Mapper> mapper, bool whole_machine, bool overtake)
      : mapper_(std::move(mapper)), whole_machine_(whole_machine), overtake_(overtake) {}

  void begin(Sim& sim) override {
    const View& view = sim.view();
    mapper_->reseed(sim.stream("policy/planned"));
    hosts_.assign(view.hosts().size(), {});
    for (std::size_t h = 0; h < hosts_.size(); ++h) look_at(sim, HostId(h));
    group_.clear();
    for (std::size_t w = view.works().first(); w < view.works().size(); ++w)
      if (sim.waits(WorkId(w))) group_.push_back(WorkId(w));
    plan(sim);
    dispatch(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    const View& view = sim.view();
    bool again = look_at_stuck(sim);  // unplanned works may find a host now
    for (const Event& event : events) switch (event.kind) {
        case EventKind::arrived:
          group_.push_back(event.work);
          break;
        case EventKind::lost:
          if (event.work.valid() && view[event.work].state == WorkState::waiting)
            group_.push_back(event.work);
          break;
        case EventKind::down:
          if (event.on.host().valid()) leave(event.on.host());
          break;
        case EventKind::up:
          if (event.on.host().valid()) look_at(sim, event.on.host());
          again = true;
          break;
        case EventKind::changed:
          again = true;
          break;
        default:
          break;
      }
    if (again) {
      group_.insert(group_.end(), unplanned_.begin(), unplanned_.end());
      unplanned_.clear();
    }
    plan(sim);
    dispatch(sim);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    if (out.kind != Decision::Kind::planned) {
      if (std::ranges::find(unplanned_, work) != unplanned_.end()) out.rule = "no host that is up can run it";
      return;
    }
    MappingStep step;
    const auto task = static_cast<std::size_t>(std::ranges::find(group_, work) - group_.begin());
    mapper_->explain(problem(sim), mapping_, task, step);
    explain_step(
        step, group_, [&](std::uint32_t machine) { return machines_.hosts[machine]; }, out);
    out.rule +=
        fmt::format("; planned once, it waits for its turn on {}", sim.view().platform()[out.host].name);
  }

 private:
  struct Plan {
    std::vector<Time> free;    // when each core is planned to be, ascending; none while the host is down
    std::deque<WorkId> queue;  // in the order in which it was planned
  };

  // Reads a host that is up: its cores are free when the work running there now, and what is planned to
  // follow it, is expected to end.
  void look_at(Sim& sim, HostId host) {
    Plan& plan = hosts_[host.index];
    plan.free.clear();
    if (!sim.view()[host].up) return;
    plan.free.assign(static_cast<std::size_t>(sim.view().platform()[host].cores), sim.now());
    for (const ActivityId id : sim.running_on(host))
      take_cores(plan.free, sim.activity(id)->cores, sim.estimate().end_of(sim, id));
    for (const WorkId work : plan.queue) {
      if (sim.view()[work].state != WorkState::waiting) continue;
      const std::int32_t cores = sim.view().workload()[work].cores;
      const Time start = std::max(sim.now(), plan.free[static_cast<std::size_t>(cores) - 1]);
      take_cores(plan.free, cores, sim.estimate().end_of(sim, {work, 0, 1}, host, start));
    }
  }

  // Reads the hosts again that have cores which were never expected to be free. Work there stood still in an
  // outage that was not announced, and nobody tells when it goes on. True if some of these cores are free, or
  // expected to be, by now.
  bool look_at_stuck(Sim& sim) {
    bool found = false;
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      const auto stuck = std::ranges::count(hosts_[h].free, kNever);
      if (stuck == 0) continue;
      look_at(sim, HostId(h));
      found = found || std::ranges::count(hosts_[h].free, kNever) < stuck;
    }
    return found;
  }

  // Work that was planned for a host that goes away is planned anew.
  void leave(HostId host) {
    Plan& plan = hosts_[host.index];
    group_.insert(group_.end(), plan.queue.begin(), plan.queue.end());
    plan = {};
  }

  // The problem that the mapper is given.
  MappingProblem problem(const Sim& sim) const {
    MappingProblem asked = machines_.problem(whole_machine_);
    asked.now = sim.now();
    return asked;
  }

  // Maps the group and appends its works to the queues of their hosts.
  void plan(Sim& sim) {
    const View& view = sim.view();
    std::erase_if(group_, [&](WorkId work) { return view[work].state != WorkState::waiting; });
    std::ranges::sort(group_, [&](WorkId a, WorkId b) { return ArrivalQueue::earlier(view, a, b); });
    group_.erase(std::unique(group_.begin(), group_.end()), group_.end());
    if (group_.empty()) return;
    machines_.clear();
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      machines_.ready.insert(machines_.ready.end(), hosts_[h].free.begin(), hosts_[h].free.end());
      machines_.add(HostId(h), view.hosts()[h].cluster);
    }
    if (machines_.hosts.empty()) return put_aside();
    machines_.set_works(sim, group_);
    mapper_->map(problem(sim), mapping_);
    MachineTimes times(problem(sim));
    for (const std::uint32_t task : mapping_.order) {
      const std::uint32_t machine = mapping_.machine[task];
      Plan& plan = hosts_[machines_.hosts[machine].index];
      take_cores(plan.free, static_cast<std::int32_t>(machines_.widths[task]), times.end(task, machine));
      times.assign(task, machine);
      plan.queue.push_back(group_[task]);
    }
    if (sim.recorder() != nullptr) [[unlikely]]
      for (const std::uint32_t task : mapping_.order)
        if (group_[task] == sim.recorder()->work())
          sim.recorder()->decides(sim, Decision::Kind::planned, machines_.hosts[mapping_.machine[task]]);
    const double values[] = {static_cast<double>(mapping_.order.size()), mapping_.makespan};
    sim.note("planned", values);
    for (const auto& [name, count] : mapping_.search.counts) sim.note(name, {&count, 1});
    std::size_t left = 0;
    for (std::size_t task = 0; task < group_.size(); ++task)
      if (mapping_.machine[task] == kUnmapped) group_[left++] = group_[task];
    group_.resize(left);
    put_aside();
  }

  void put_aside() {
    unplanned_.insert(unplanned_.end(), group_.begin(), group_.end());
    group_.clear();
  }

  void dispatch(Sim& sim) {
    const View& view = sim.view();
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      std::deque<WorkId>& queue = hosts_[h].queue;
      for (std::size_t i = 0; i < queue.size() && view.hosts()[h].idle > 0;) {
        const WorkId work = queue[i];
        const bool waits = view[work].state == WorkState::waiting;  // otherwise settled in the meantime
        if (waits && !sim.fits(work, HostId(h))) {
          if (!overtake_) break;
          ++i;
          continue;
        }
        if (waits) sim.start(work, HostId(h));
        queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }

  ClonePtr<Mapper> mapper_;
  bool whole_machine_, overtake_;
  std::vector<Plan> hosts_;
  std::vector<WorkId> group_;      // to be planned now
  std::vector<WorkId> unplanned_;  // no host that is up can run them
  // Scratch, kept for its capacity.
  HostProblem machines_;  // the hosts that are up
  Mapping mapping_;
};

}  // namespace

Entry planned() {
  Entry entry;
  entry.name = "planned";
  entry.family = Family::batch;
  entry.role = Role::policy;
  entry.summary = "a mapper maps each submission once, onto planned times; hosts serve their queues";
  entry.source = "IRMaSim thesis, sections 2.3, 3.3.2 and 4.1.2";
  entry.complexity = "that of the mapper for each submission, O(H) an event";
  entry.ties = "those of the mapper, over hosts";
  entry.parameters = {
      {.name = "map",
       .type = ParameterType::mapper,
       .summary = "the mapper",
       .fallback = std::string("min_min")},
      {.name = "scope",
       .type = ParameterType::choice,
       .summary =
           "what is compared between hosts: the end of all that is planned there, or of the task alone",
       .fallback = std::string("machine"),
       .choices = {"machine", "task"}},
      {.name = "overtake",
       .type = ParameterType::boolean,
       .summary = "what fits starts before the first of its host's queue if that does not",
       .fallback = false}};
  entry.accepts = {.tasks = true, .jobs = true, .several_cores = true, .streams = true};
  entry.make_policy = [](const Arguments& given) -> std::unique_ptr<Policy> {
    return std::make_unique<Planned>(given.mapper("map"), given.choice("scope") == "machine",
                                     given.flag("overtake"));
  };
  return entry;
}

}  // namespace perigee::batch
