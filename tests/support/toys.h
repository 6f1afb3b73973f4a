#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/engine/simulation.h"
#include "tests/support/layers.h"

namespace perigee::test {

// A cluster "c" of hosts c.1, c.2, ... of the given speeds.
inline PlatformSpec::ClusterSpec cluster_of(std::vector<double> speeds, std::string name = "c",
                                            int cores = 1) {
  PlatformSpec::ClusterSpec cluster;
  cluster.name = name;
  for (std::size_t h = 0; h < speeds.size(); ++h) {
    Host host;
    host.name = name + "." + std::to_string(h + 1);
    host.speed = speeds[h];
    host.cores = cores;
    cluster.hosts.push_back(host);
  }
  return cluster;
}

inline PlatformSpec::ClusterSpec with_link(PlatformSpec::ClusterSpec cluster, double bandwidth,
                                           double latency = 0, Sharing sharing = Sharing::exclusive) {
  cluster.has_link = true;
  cluster.link.bandwidth = Profile(bandwidth);
  cluster.link.latency = Profile(latency);
  cluster.link.sharing = sharing;
  return cluster;
}

inline std::shared_ptr<const Platform> platform_of(std::vector<PlatformSpec::ClusterSpec> clusters) {
  PlatformSpec spec;
  spec.clusters = std::move(clusters);
  return std::make_shared<const Platform>(spec);
}

struct TaskSpec {
  double seconds;
  Time arrival = 0;
  std::int32_t cores = 1;
};

inline std::shared_ptr<Workload> tasks_of(const std::vector<TaskSpec>& tasks) {
  auto workload = std::make_shared<Workload>();
  for (const TaskSpec& task : tasks) {
    Work work;
    work.kind = task.cores > 1 ? WorkKind::job : WorkKind::task;
    work.form = TimeForm::operations;  // one op is one second on a host of speed 1
    work.amount = work.estimate = task.seconds;
    work.arrival = task.arrival;
    work.cores = task.cores;
    workload->works.push_back(work);
  }
  return workload;
}

// A sweep of one simulation time of 1 s; weights, one per run, are optional.
inline std::shared_ptr<Workload> sweep_of(double runs, std::int32_t trials,
                                          std::vector<double> weights = {}) {
  auto workload = std::make_shared<Workload>();
  Work work;
  work.kind = WorkKind::sweep;
  work.amount = work.estimate = 1;
  work.extra = 0;
  workload->works.push_back(work);
  WorkExtra extra;
  extra.size = runs;
  extra.trials = trials;
  if (!weights.empty()) extra.weights = 0;
  workload->extras.push_back(extra);
  workload->times = std::move(weights);
  return workload;
}

inline std::shared_ptr<Workload> load_of(double size, double seconds_per_unit, double bytes_per_unit = 0,
                                         int count = 1) {
  auto workload = std::make_shared<Workload>();
  for (int i = 0; i < count; ++i) {
    Work work;
    work.kind = WorkKind::load;
    work.amount = work.estimate = seconds_per_unit;
    work.extra = static_cast<std::uint32_t>(i);
    workload->works.push_back(work);
    WorkExtra extra;
    extra.size = size;
    extra.bytes = bytes_per_unit;
    workload->extras.push_back(extra);
  }
  return workload;
}

inline std::shared_ptr<Scenario> scenario_of(std::shared_ptr<const Platform> platform,
                                             std::shared_ptr<const Workload> workload) {
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = std::move(platform);
  scenario->workload = std::move(workload);
  return scenario;
}

inline Happening happening(Time at, HappeningKind kind, ResourceId on = {}, Cause cause = Cause::outage) {
  Happening happening;
  happening.at = at;
  happening.kind = kind;
  happening.on = on;
  happening.cause = cause;
  return happening;
}

inline Accepts everything() {
  Accepts accepts;
  accepts.tasks = accepts.jobs = accepts.sweeps = accepts.loads = accepts.reservations = true;
  accepts.files = accepts.several_cores = true;
  return accepts;
}

// A policy made of two functions. State that must survive a fork belongs in `memory`, which is copied with
// it.
class Toy final : public PolicyOf<Toy> {
 public:
  using Begin = std::function<void(Sim&, std::vector<double>& memory)>;
  using React = std::function<void(Sim&, std::span<const Event>, std::vector<double>& memory)>;
  Toy(Begin begin, React react) : begin_(std::move(begin)), react_(std::move(react)) {}
  void begin(Sim& sim) override {
    if (begin_) begin_(sim, memory_);
  }
  void react(Sim& sim, std::span<const Event> events) override {
    if (react_) react_(sim, events, memory_);
  }

 private:
  Begin begin_;
  React react_;
  std::vector<double> memory_;
};

inline PolicySetup toy(Toy::Begin begin, Toy::React react, Instants instants = {}) {
  return {"toy", std::make_unique<Toy>(std::move(begin), std::move(react)), everything(), instants};
}

// Starts all waiting work, in order, on the first host with enough idle cores.
inline void start_all(Sim& sim) {
  const View& view = sim.view();
  for (std::size_t w = 0; w < view.works().size(); ++w) {
    const WorkView& work = view.works()[w];
    if (work.state != WorkState::waiting || work.posted > 0) continue;
    for (std::size_t h = 0; h < view.hosts().size(); ++h)
      if (sim.fits(WorkId(w), HostId(h))) {
        sim.start(WorkId(w), HostId(h));
        break;
      }
  }
}

inline PolicySetup greedy(Instants instants = {}) {
  return toy(
      {}, [](Sim& sim, std::span<const Event>, std::vector<double>&) { start_all(sim); }, instants);
}

// Texts such as "ended 1@c.2", "down c.3", "timer"; works are counted from 1.
inline std::string text_of(const Sim& sim, const Event& event) {
  std::string text(name_of(event.kind));
  if (event.work.valid()) text += " " + std::to_string(event.work.index + 1);
  if (event.on.valid() && event.kind != EventKind::thought)
    text += (event.work.valid() ? "@" : " ") + sim.view().platform().name_of(event.on);
  return text;
}

using Lines = std::vector<std::string>;

// A line such as "started 1@c.1 0" for every record of the given kinds.
inline Lines lines(const Simulation& simulation, std::initializer_list<RecordKind> kinds) {
  Lines out;
  const Trace& trace = simulation.trace();
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Record& r = trace[i];
    if (std::find(kinds.begin(), kinds.end(), r.kind) == kinds.end()) continue;
    std::string line(name_of(r.kind));
    if (r.file.valid())
      line += " " + simulation.scenario().workload->files[r.file.index].name;
    else if (r.work.valid())
      line += " " + std::to_string(r.work.index + 1);
    if (r.on.valid()) line += "@" + simulation.scenario().platform->name_of(r.on);
    out.push_back(line + fmt::format(" {:g}", r.time));
  }
  return out;
}

}  // namespace perigee::test
