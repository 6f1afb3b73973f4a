// Random scenarios in which tasks wait for each other.
#pragma once

#include <memory>
#include <vector>

#include "runtime/model/workflow.h"
#include "tests/support/layers.h"
#include "tests/support/toys.h"

namespace perigee::test {

// The scenario with edges between its tasks, from lower to higher ones: some are files that the one makes and the other
// reads, if the tasks have files, and some are order alone. At times a whole cluster goes, and comes back.
inline std::shared_ptr<Scenario> with_precedence(const Scenario& plain, std::uint64_t seed) {
  Stream random(seed, "precedence");
  auto workload = std::make_shared<Workload>(*plain.workload);
  std::vector<Precedence::Edge> after;
  std::vector<FileId> lists;
  std::vector<std::uint32_t> before;  // tasks so far
  bool files = false;
  for (std::size_t w = 0; w < workload->size(); ++w) {
    Work& work = workload->works[w];
    std::vector<FileId> inputs(workload->inputs(WorkId(w)).begin(), workload->inputs(WorkId(w)).end());
    const std::vector<FileId> outputs(workload->outputs(WorkId(w)).begin(),
                                      workload->outputs(WorkId(w)).end());
    files = files || !outputs.empty();
    if (work.kind == WorkKind::task) {
      for (int e = 0; e < 2 && !before.empty(); ++e) {
        if (random.below(3) == 0) continue;
        const std::size_t near = std::min<std::size_t>(before.size(), 6);
        const std::uint32_t other = before[before.size() - 1 - random.below(near)];
        const auto made = plain.workload->outputs(WorkId(other));
        const std::uint64_t which = made.empty() ? 0 : random.below(made.size());
        const bool order_alone = random.below(4) == 0;
        if (made.empty() || order_alone)
          after.emplace_back(other, static_cast<std::uint32_t>(w));
        else if (std::ranges::find(inputs, made[which]) == inputs.end())
          inputs.push_back(made[which]);
      }
      before.push_back(static_cast<std::uint32_t>(w));
    }
    work.inputs = static_cast<std::uint32_t>(lists.size());
    work.input_count = static_cast<std::uint16_t>(inputs.size());
    lists.insert(lists.end(), inputs.begin(), inputs.end());
    work.outputs = static_cast<std::uint32_t>(lists.size());
    lists.insert(lists.end(), outputs.begin(), outputs.end());
  }
  workload->file_lists = lists;
  for (std::size_t w = 0; w < workload->size(); ++w)  // some come home although somebody reads them
    for (const FileId file : workload->outputs(WorkId(w)))
      if (random.below(6) == 0) workload->files[file.index].home = model::GoesHome::always;
  model::connect(*workload, WorkId(0), after);
  auto made = std::make_shared<Scenario>(plain);
  made->workload = workload;
  if (files && random.below(2) == 0) {
    const ClusterId cluster(random.below(plain.platform->clusters().size()));
    const Time from = static_cast<double>(random.below(60));
    const Time to = from + 1 + static_cast<double>(random.below(30));
    made->happenings.push_back(
        happening(from, HappeningKind::leave, ResourceId::of(cluster), Cause::membership));
    made->happenings.push_back(
        happening(to, HappeningKind::join, ResourceId::of(cluster), Cause::membership));
    for (const HostId host : (*plain.platform)[cluster].hosts)
      made->happenings.push_back(happening(to, HappeningKind::join, ResourceId::of(host), Cause::membership));
  }
  made->check();
  return made;
}

}  // namespace perigee::test
