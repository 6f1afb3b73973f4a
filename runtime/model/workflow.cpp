#include "runtime/model/workflow.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/kernel/work.h"

namespace perigee::model {
namespace {

// "task 1, task 4, task 1"
std::string around(const Workload& workload, std::span<const std::uint32_t> cycle) {
  constexpr std::size_t kMost = 50;
  std::vector<std::string> names;
  for (const std::uint32_t work : cycle.first(std::min(cycle.size(), kMost)))
    names.push_back(workload.name_of(WorkId(work)));
  if (cycle.size() > kMost) names.push_back(fmt::format("... ({} works)", cycle.size()));
  names.push_back(workload.name_of(WorkId(cycle.front())));
  return fmt::format("{}", fmt::join(names, " -> "));
}

// For each file the work from `first` on that makes it; kNone = none of them does.
std::vector<std::uint32_t> makers_in_workflow(const Workload& workload, WorkId first) {
  std::vector<std::uint32_t> makers(workload.files.size(), kNone);
  for (std::size_t w = first.index; w < workload.size(); ++w)
    for (const FileId file : workload.outputs(WorkId(w))) {
      std::uint32_t& maker = makers[file.index];
      if (maker != kNone)
        fail("workflow_duplicate", "file '{}' is an output of both {} and {}",
             workload.files[file.index].name, workload.name_of(WorkId(maker)), workload.name_of(WorkId(w)));
      maker = static_cast<std::uint32_t>(w);
    }
  return makers;
}

}  // namespace

void connect(Workload& workload, WorkId first, std::span<const Precedence::Edge> after) {
  std::vector<Precedence::Edge> edges(after.begin(), after.end());
  const std::vector<std::uint32_t> makers = makers_in_workflow(workload, first);
  for (std::size_t w = first.index; w < workload.size(); ++w)
    for (const FileId file : workload.inputs(WorkId(w))) {
      const std::uint32_t maker = makers[file.index];
      if (maker == kNone) continue;
      edges.emplace_back(maker, static_cast<std::uint32_t>(w));
      GoesHome& home = workload.files[file.index].home;
      if (home == GoesHome::unless_read) home = GoesHome::never;
    }
  if (edges.empty() && workload.precedence == nullptr) return;
  did_work(workload.size() + edges.size());
  if (workload.precedence != nullptr)
    for (std::uint32_t w = 0; w < first.index; ++w)
      for (const std::uint32_t next : workload.precedence->successors(w)) edges.emplace_back(w, next);
  auto made = std::make_shared<const Precedence>(workload.size(), std::move(edges));
  if (const std::vector<std::uint32_t> cycle = made->shortest_cycle(); !cycle.empty())
    fail("workflow_cycle", "works wait for each other: {}", around(workload, cycle));
  workload.precedence = std::move(made);
}

}  // namespace perigee::model
