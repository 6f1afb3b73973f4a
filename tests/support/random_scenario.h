#pragma once

#include <string>

#include "runtime/schedulers/realtime/demands.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

namespace perigee::test {

// A random scenario that the policy accepts: hosts of several speeds and widths, outages, changes of speed,
// drawn failures, and work of all accepted kinds that fits somewhere. No two draws are arguments of one call,
// because the compiler would choose their order.
inline std::shared_ptr<Scenario> random_scenario(std::uint64_t seed, const Accepts& accepts,
                                                 bool failures = true) {
  Stream random(seed, "random scenario"), data(seed, "data of runs"), reserved(seed, "reservations");
  std::vector<PlatformSpec::ClusterSpec> clusters;
  const bool alike = accepts.demands == &realtime::kAlikeLoads;
  const bool plain = alike || accepts.demands == &realtime::kPlainLoads;
  const auto count = accepts.loads ? 1 : 1 + random.below(3);  // a head feeds one cluster
  for (std::size_t c = 0; c < count; ++c) {
    const int cores = accepts.several_cores ? 1 + static_cast<int>(random.below(4)) : 1;
    std::vector<double> speeds(1 + random.below(4));
    for (double& speed : speeds) speed = static_cast<double>(1 + random.below(4)) / 2;
    auto cluster = cluster_of(speeds, std::string(1, static_cast<char>('a' + c)), cores);
    if (random.below(3) == 0) cluster.hosts[0].availability = Profile::circular({1, 0.5, 0, 2}, 5);
    if (accepts.files || accepts.loads) {
      const auto sharing = static_cast<Sharing>(random.below(3));
      const Seconds latency = random.below(2) == 0 || plain ? 0 : 0.5;
      cluster = with_link(cluster, 20, latency, sharing);
    }
    clusters.push_back(cluster);
  }
  const auto platform = platform_of(clusters);
  std::int32_t widest = 1;
  for (const Host& host : platform->hosts()) widest = std::max(widest, host.cores);

  auto workload = std::make_shared<Workload>();
  const std::size_t works = 1 + random.below(60);
  std::vector<FileId> shared;
  if (accepts.files)
    for (int f = 0; f < 3; ++f) {
      shared.push_back(FileId(workload->files.size()));
      workload->files.push_back({"shared" + std::to_string(f), 100, 100});
    }
  for (std::size_t w = 0; w < works; ++w) {
    Work work;
    std::vector<WorkKind> kinds;
    if (accepts.tasks) kinds.push_back(WorkKind::task);
    if (accepts.jobs) kinds.push_back(WorkKind::job);
    if (accepts.sweeps && random.below(10) == 0) kinds = {WorkKind::sweep};
    if (kinds.empty()) kinds.push_back(accepts.loads ? WorkKind::load : WorkKind::sweep);
    work.kind = kinds[random.below(kinds.size())];
    work.form = random.below(2) == 0 ? TimeForm::operations : TimeForm::seconds;
    work.amount = static_cast<double>(1 + random.below(20));  // whole numbers: many ends coincide
    work.estimate = work.amount * (random.below(2) == 0 ? 1 : 1.5);
    work.arrival = static_cast<double>(random.below(40));
    if (accepts.several_cores && work.kind == WorkKind::job)
      work.cores = 1 + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(widest)));
    if (work.kind == WorkKind::sweep) {
      work.extra = static_cast<std::uint32_t>(workload->extras.size());
      WorkExtra extra;
      extra.size = static_cast<double>(1 + random.below(8));
      extra.trials = 1 + static_cast<std::int32_t>(random.below(5));
      if (accepts.files && data.below(2) == 0) extra.bytes = static_cast<double>(data.below(50));
      workload->extras.push_back(extra);
    }
    if (work.kind == WorkKind::load) {
      work.extra = static_cast<std::uint32_t>(workload->extras.size());
      WorkExtra extra;
      extra.size = static_cast<double>(1 + random.below(12)) / 2;
      extra.bytes = alike ? 7 : static_cast<double>(random.below(30)) + (plain ? 1 : 0);
      if (alike) work.amount = work.estimate = 9, work.form = TimeForm::seconds;
      workload->extras.push_back(extra);
      if (random.below(8) != 0 || plain)
        work.deadline = work.arrival + 1 + static_cast<double>(random.below(100));
      if (accepts.reservations && reserved.below(3) == 0) {
        work.kind = WorkKind::reservation;
        work.deadline = kNever;
        WorkExtra& wanted = workload->extras.back();
        wanted = {};
        wanted.hosts = 1 + static_cast<std::int32_t>(reserved.below(platform->hosts().size()));
        wanted.from = work.arrival + static_cast<double>(reserved.below(12)) - 1;
        if (wanted.from < 0) wanted.from = 0;
        wanted.to = wanted.from + static_cast<double>(1 + reserved.below(20));
        wanted.io_ratio = static_cast<double>(reserved.below(5)) / 4;
      }
    }
    if (accepts.files && work.kind == WorkKind::task) {
      work.inputs = static_cast<std::uint32_t>(workload->file_lists.size());
      if (random.below(2) == 0) {
        workload->file_lists.push_back(shared[random.below(shared.size())]);
        work.input_count = 1;
      }
      work.outputs = static_cast<std::uint32_t>(workload->file_lists.size());
      work.output_count = static_cast<std::uint16_t>(random.below(3));
      for (std::uint16_t o = 0; o < work.output_count; ++o) {
        workload->file_lists.push_back(FileId(workload->files.size()));
        workload->files.push_back(
            {"out" + std::to_string(w) + "." + std::to_string(o), static_cast<double>(random.below(50)), 10});
      }
    }
    workload->works.push_back(work);
  }
  Stream qualities(seed, "qualities of service");
  for (std::size_t w = 0; w < works; ++w) {
    workload->qualities.push_back(static_cast<std::uint32_t>(workload->times.size()));
    for (std::size_t h = 0; h < platform->hosts().size(); ++h)
      workload->times.push_back(static_cast<double>(qualities.below(9)));
  }
  auto scenario = scenario_of(platform, workload);
  if (!failures) return scenario;
  scenario->compute_rule = static_cast<OnFailure>(random.below(3));
  scenario->transfer_rule = static_cast<OnFailure>(random.below(3));
  const std::size_t outages = random.below(4);
  for (std::size_t o = 0; o < outages; ++o) {
    const ResourceId on = accepts.files && random.below(3) == 0
                              ? ResourceId::of(LinkId(random.below(platform->links().size())))
                              : ResourceId::of(HostId(random.below(platform->hosts().size())));
    const Time from = static_cast<double>(random.below(60));
    const bool announced = random.below(4) != 0;
    Happening down = happening(from, HappeningKind::down, on);
    Happening up = happening(from + 1 + static_cast<double>(random.below(30)), HappeningKind::up, on);
    down.announced = up.announced = announced;
    down.outage = up.outage = model::outage_number(model::OutageOrigin::scenario, o);
    scenario->happenings.push_back(down);
    scenario->happenings.push_back(up);
  }
  if (random.below(2) == 0) {
    const ResourceId host = ResourceId::of(HostId(random.below(platform->hosts().size())));
    const Time at = static_cast<double>(random.below(60));
    Happening change = happening(at, HappeningKind::change, host, Cause::change);
    change.factor = random.below(2) == 0 ? 0.5 : 3;
    scenario->happenings.push_back(change);
  }
  if (random.below(3) == 0) {  // a host leaves and joins, perhaps elsewhere
    const ResourceId host = ResourceId::of(HostId(random.below(platform->hosts().size())));
    const Time from = static_cast<double>(random.below(60));
    scenario->happenings.push_back(happening(from, HappeningKind::leave, host, Cause::membership));
    Happening join = happening(from + 1 + static_cast<double>(random.below(30)), HappeningKind::join, host,
                               Cause::membership);
    if (random.below(2) == 0) join.cluster = ClusterId(random.below(platform->clusters().size()));
    scenario->happenings.push_back(join);
  }
  if (random.below(3) == 0) {
    FailureModel model;
    for (std::size_t h = 0; h < platform->hosts().size(); ++h) model.hosts.push_back(HostId(h));
    model.mtbf = 60;
    model.mttr = 5;
    model.law = random.below(2) == 0 ? FailureLaw::exponential : FailureLaw::weibull;
    model.shape = 0.8;
    scenario->failures.push_back(model);
  }
  scenario->check();
  return scenario;
}

}  // namespace perigee::test
