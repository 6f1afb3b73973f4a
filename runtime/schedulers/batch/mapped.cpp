// Mapped: at each event a mapper maps everything that waits. Each idle core starts the first work mapped to
// it.
//
// This is dynamic mapping in batch mode: every event is a mapping event, and work that has not started is
// mapped again. Cost: that of the mapper at each event.
// Ties: those of the mapper, over cores in order of host. As long as every work takes one core, the
// mapper's machines are cores. Otherwise they are hosts, on which a task takes the cores that are free
// first.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "runtime/cost/machine_times.h"
#include "runtime/cost/starts.h"
#include "runtime/engine/sim.h"
#include "runtime/kernel/clone_ptr.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/work.h"
#include "runtime/schedulers/batch/arrival_queue.h"
#include "runtime/schedulers/batch/host_problem.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/explain_step.h"

namespace perigee::batch {
namespace {

class Mapped final : public PolicyOf<Mapped> {
 public:
  explicit Mapped(std::unique_ptr<Mapper> mapper) : mapper_(std::move(mapper)) {}

  void begin(Sim& sim) override {
    waiting_.reset(sim);
    mapper_->reseed(sim.stream("policy/mapped"));
    wide_ = std::ranges::any_of(sim.view().workload().works, [](const Work& work) { return work.cores > 1; });
    map(sim);
  }

  void react(Sim& sim, std::span<const Event> events) override {
    waiting_.follow(sim.view(), events);
    map(sim);
  }

  void why(Sim& sim, WorkId work, Decision& out) override {
    if (out.kind == Decision::Kind::waits) {  // maps it as it would be mapped now
      look_at_hosts(sim);
      if (machines_.hosts.empty()) return;
      machines_.set_works(sim, waiting_.all());
      set_times_of_cores();
      mapper_->map(problem(), mapping_);
    }
    const auto task =
        static_cast<std::size_t>(std::ranges::find(waiting_.all(), work) - waiting_.all().begin());
    if (task == waiting_.size()) return;
    MappingStep step;
    mapper_->explain(problem(), mapping_, task, step);
    const auto host_of = [&](std::uint32_t machine) {
      return machines_.hosts[wide_ ? machine : core_host_[machine]];
    };
    explain_step(step, waiting_.all(), host_of, out);
    if (out.hosts.score.ends_with(", s")) out.hosts.score += " from now";
    if (out.works.score == "best completion, s") out.works.score += " from now";
    out.rule += out.kind == Decision::Kind::waits ? "; what waits is mapped anew at each event"
                                                  : "; it is the first on cores that are idle";
    if (out.kind != Decision::Kind::waits || step.number == 0) return;
    std::size_t before = 0;
    for (std::size_t i = 0; i + 1 < step.number; ++i)
      before += host_of(mapping_.machine[mapping_.order[i]]) == host_of(step.machine) ? 1 : 0;
    out.notes.push_back(fmt::format(
        "as things are it would go to {}, where it would end in {} s; {} that {} choice {} before it there",
        sim.view().platform()[host_of(step.machine)].name, format_number(mapping_.completion[task]), before,
        before == 1 ? "waits, by earlier" : "wait, by earlier", before == 1 ? "is" : "are"));
  }

 private:
  // The problem that the mapper is given.
  MappingProblem problem() const {
    if (wide_) return machines_.problem(false);
    const bool one_core_each = core_host_.size() == machines_.hosts.size();
    return {.tasks = waiting_.size(),
            .machines = core_host_.size(),
            .etc = one_core_each ? machines_.etc : by_core_,
            .ready = machines_.ready,
            .cluster = one_core_each ? machines_.clusters : core_cluster_};
  }

  void map(Sim& sim) {
    if (waiting_.empty() || !look_at_hosts(sim)) return;
    machines_.set_works(sim, waiting_.all());
    wide_ = wide_ || std::ranges::any_of(machines_.widths, [](std::uint32_t width) { return width > 1; });
    set_times_of_cores();
    started_.assign(waiting_.size(), 0);
    if (wide_)
      map_to_hosts(sim);
    else
      map_to_cores(sim);
    waiting_.erase_marked(started_);
  }

  // Finds the hosts that are up and their cores. Idle cores are ready now, the others when their work is
  // expected to end. False if nothing can start.
  bool look_at_hosts(Sim& sim) {
    const View& view = sim.view();
    machines_.clear();
    core_host_.clear();
    bool any_idle = false;
    for (std::size_t h = 0; h < view.hosts().size(); ++h) {
      const HostView& host = view.hosts()[h];
      if (!host.up) continue;
      any_idle = any_idle || host.idle > 0;
      for (std::int32_t i = 0; i < host.idle; ++i) add_core(0);
      for (const ActivityId id : sim.running_on(HostId(h))) {
        const Seconds until = std::max(0.0, sim.estimate().end_of(sim, id) - view.now());
        for (std::int32_t i = 0; i < sim.activity(id)->cores; ++i) add_core(until);
      }
      machines_.add(HostId(h), host.cluster);
    }
    return any_idle;
  }

  // Sets the times for work of one core each, with a machine for each core.
  void set_times_of_cores() {
    const std::size_t machines = core_host_.size(), hosts = machines_.hosts.size();
    if (wide_ || machines == hosts) return;
    did_work(waiting_.size() * (1 + machines / 8));
    by_core_.resize(waiting_.size() * machines);
    for (std::size_t t = 0; t < waiting_.size(); ++t)
      for (std::size_t m = 0; m < machines; ++m)
        by_core_[t * machines + m] = machines_.etc[t * hosts + core_host_[m]];
    core_cluster_.resize(machines);
    for (std::size_t m = 0; m < machines; ++m) core_cluster_[m] = machines_.clusters[core_host_[m]];
  }

  // Maps only as far as it matters now, if the mapper can stop there.
  void map_starts(const MappingProblem& problem) {
    if (auto* const stops = dynamic_cast<MapsStarts*>(&*mapper_))
      stops->map_starts(problem, mapping_);
    else
      mapper_->map(problem, mapping_);
  }

  // The first work chosen for each idle core starts now.
  void map_to_cores(Sim& sim) {
    map_starts(problem());
    taken_.assign(core_host_.size(), 0);
    for (const std::uint32_t task : mapping_.order) {
      const std::uint32_t machine = mapping_.machine[task];
      if (taken_[machine]) continue;
      taken_[machine] = 1;
      if (machines_.ready[machine] == 0) start(sim, task, machines_.hosts[core_host_[machine]]);
    }
  }

  // Each host is a machine with cores. Work that is to begin now starts, on cores that no earlier choice has
  // taken.
  void map_to_hosts(Sim& sim) {
    const MappingProblem problem = machines_.problem(false);
    map_starts(problem);
    MachineTimes times(problem);
    for (const std::uint32_t task : mapping_.order) {
      const std::uint32_t machine = mapping_.machine[task];
      if (times.start(task, machine) == 0) start(sim, task, machines_.hosts[machine]);
      times.assign(task, machine);
    }
  }

  void start(Sim& sim, std::uint32_t task, HostId host) {
    const WorkId work = waiting_[task];
    if (sim.view()[host].idle < sim.view().workload()[work].cores) return;
    sim.start(work, host);
    started_[task] = 1;
  }

  void add_core(Seconds ready) {
    core_host_.push_back(machines_.hosts.size());
    machines_.ready.push_back(ready);
  }

  ClonePtr<Mapper> mapper_;
  ArrivalQueue waiting_;
  bool wide_ = false;  // some work needs several cores
  // Scratch, kept for its capacity.
  HostProblem machines_;                // the hosts that are up
  std::vector<std::size_t> core_host_;  // of each core, in machines_.hosts
  std::vector<double> by_core_;
  std::vector<std::uint32_t> core_cluster_;
  std::vector<std::uint8_t> taken_, started_;
  Mapping mapping_;
};

}  // namespace

Entry mapped() {
  Entry entry;
  entry.name = "mapped";
  entry.family = Family::batch;
  entry.role = Role::policy;
  entry.summary = "a mapper maps what waits at each event; idle cores start the first work mapped to them";
  entry.source = "Maheswaran et al., JPDC 59(2), 1999, section 3 (batch mode)";
  entry.complexity = "that of the mapper at each event";
  entry.ties = "those of the mapper, over cores in order of host";
  entry.parameters = {{.name = "map",
                       .type = ParameterType::mapper,
                       .summary = "the mapper",
                       .fallback = std::string("min_min")}};
  entry.accepts = {.tasks = true, .jobs = true, .several_cores = true};
  entry.make_policy = [](const Arguments& arguments) -> std::unique_ptr<Policy> {
    return std::make_unique<Mapped>(arguments.mapper("map"));
  };
  return entry;
}

}  // namespace perigee::batch
