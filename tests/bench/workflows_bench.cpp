// Runs of a workflow whose tasks read the outputs of up to three others, on 64 hosts with a store each in a complete
// network. The floor is the same tasks without edges and files, under `workqueue`.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/model/workflow.h"
#include "tests/bench/growth.h"
#include "tests/support/toys.h"

namespace {

using namespace perigee;
using namespace perigee::test;

constexpr std::size_t kHosts = 64;

std::shared_ptr<const Platform> in_complete_network() {
  PlatformSpec spec;
  for (std::size_t h = 0; h < kHosts; ++h)
    spec.clusters.push_back(cluster_of({1 + static_cast<double>(h % 4)}, "h" + std::to_string(h + 1)));
  spec.complete.emplace();
  spec.complete->bandwidth = {10};
  return std::make_shared<const Platform>(spec);
}

std::shared_ptr<Scenario> tasks_in_layers(std::size_t tasks, bool with_edges) {
  Stream random(1, "graph");
  auto workload = std::make_shared<Workload>();
  const std::size_t width = 4 * kHosts;
  for (std::size_t t = 0; t < tasks; ++t) {
    Work& work = workload->works.emplace_back();
    work.kind = WorkKind::task;
    work.form = TimeForm::operations;
    work.amount = work.estimate = random.uniform(10, 100);
    if (!with_edges) continue;
    File& file = workload->files.emplace_back();
    file.name = "f" + std::to_string(t);
    file.size = file.estimate = random.uniform(0, 100);
    const std::size_t layer = t / width * width;
    std::vector<FileId> inputs;
    for (int edge = 0; edge < 3 && layer > 0; ++edge) {
      const FileId input(layer - width + random.below(width));
      if (std::ranges::find(inputs, input) == inputs.end()) inputs.push_back(input);
    }
    work.inputs = static_cast<std::uint32_t>(workload->file_lists.size());
    work.input_count = static_cast<std::uint16_t>(inputs.size());
    workload->file_lists.insert(workload->file_lists.end(), inputs.begin(), inputs.end());
    work.outputs = static_cast<std::uint32_t>(workload->file_lists.size());
    work.output_count = 1;
    workload->file_lists.emplace_back(t);
  }
  if (with_edges) {
    for (File& file : workload->files) file.home = model::GoesHome::never;
    workload->workflows.push_back(
        {.name = "layers", .first = WorkId(0), .tasks = static_cast<std::uint32_t>(tasks)});
    model::connect(*workload, WorkId(0), {});
  }
  auto scenario = std::make_shared<Scenario>();
  scenario->platform = in_complete_network();
  scenario->workload = workload;
  scenario->check();
  return scenario;
}

const bool added = [] {
  const Catalogue catalogue;
  const auto run_of = [](const std::shared_ptr<Scenario>& scenario, const ConfigPtr& config) {
    return [=] { return seconds_taken([&] { finished_run(scenario, config, perfect_estimator()); }); };
  };
  const ConfigPtr plain = catalogue.configure("workqueue");
  for (const char* name : {"workqueue", "scheduled", "dispatch", "stealing"}) {
    const ConfigPtr config = catalogue.configure(name);
    add_growth({.name = std::string("workflows/") + name,
                .measured = std::string("a workflow under ") + name,
                .floor = "its tasks without edges and files under workqueue",
                .unit = "tasks",
                .sizes = {10'000, 30'000, 100'000},
                .make = [=](double size) {
                  const auto tasks = static_cast<std::size_t>(size);
                  return AtSize{run_of(tasks_in_layers(tasks, true), config),
                                run_of(tasks_in_layers(tasks, false), plain)};
                }});
  }
  return true;
}();

}  // namespace
