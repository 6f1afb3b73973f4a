// Grids and applications with files.
#pragma once

#include <memory>
#include <vector>

#include "runtime/engine/simulation.h"
#include "runtime/kernel/random.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

namespace perigee::test {

struct FiledTask {
  double seconds;
  std::vector<std::uint32_t> inputs, outputs;
  Time arrival = 0;
};

inline std::shared_ptr<Workload> filed_tasks(const std::vector<double>& sizes,
                                             const std::vector<FiledTask>& tasks) {
  std::vector<TaskSpec> times;
  for (const FiledTask& task : tasks) times.push_back({task.seconds, task.arrival});
  auto workload = tasks_of(times);
  for (std::size_t f = 0; f < sizes.size(); ++f)
    workload->files.push_back({"file" + std::to_string(f), sizes[f], sizes[f]});
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    Work& work = workload->works[t];
    work.inputs = static_cast<std::uint32_t>(workload->file_lists.size());
    work.input_count = static_cast<std::uint16_t>(tasks[t].inputs.size());
    for (const std::uint32_t file : tasks[t].inputs) workload->file_lists.push_back(FileId(file));
    work.outputs = static_cast<std::uint32_t>(workload->file_lists.size());
    work.output_count = static_cast<std::uint16_t>(tasks[t].outputs.size());
    for (const std::uint32_t file : tasks[t].outputs) workload->file_lists.push_back(FileId(file));
  }
  return workload;
}

// The experiment of Figure 11 of Berman et al. (LIP RR 1999-46, section 8) with shared files of so many
// bytes: 3 clusters of 4, 6 and 12 hosts that are ours to 100, 70 and 30 %, links of 10 000 B/s, and 400
// tasks of 90 to 110 s in 8 chunks that share a file, each with two inputs and an output of 8000 to 12000 B.
inline std::shared_ptr<Scenario> figure11(double shared, std::uint64_t seed) {
  const auto cluster = [](const char* name, std::size_t hosts, double ours) {
    auto made = with_link(cluster_of(std::vector<double>(hosts, 1.0), name), 10000);
    for (Host& host : made.hosts) host.availability = Profile(ours);
    return made;
  };
  SplitMix64 random(seed);
  std::vector<double> sizes(8, shared);
  std::vector<FiledTask> tasks;
  for (std::uint32_t t = 0; t < 400; ++t) {
    const double seconds = 90 + 20 * random.unit();
    for (int f = 0; f < 3; ++f) sizes.push_back(std::floor(8000 + 4000 * random.unit() + 0.5));
    tasks.push_back({seconds, {t / 50, 8 + 3 * t, 9 + 3 * t}, {10 + 3 * t}});
  }
  return scenario_of(
      platform_of({cluster("fast", 4, 1), cluster("shared", 6, 0.7), cluster("busy", 12, 0.3)}),
      filed_tasks(sizes, tasks));
}

}  // namespace perigee::test
