// A run of tasks as an execution in WfFormat.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "runtime/model/readers/graph/workflow_files.h"
#include "runtime/results/executions.h"
#include "runtime/results/export.h"

namespace perigee::results {

namespace {

// The tasks, files and edges of some works. Files and tasks are called as the workload calls them.
TaskGraph graph_of_works(const Workload& workload, std::span<const WorkId> works) {
  TaskGraph graph;
  graph.form = TimeForm::seconds;
  std::map<WorkId, std::uint32_t> place;
  std::map<FileId, std::uint32_t> files;
  for (const WorkId work : works) place.try_emplace(work, static_cast<std::uint32_t>(place.size()));
  const auto file_of = [&](FileId file) {
    const auto [found, is_new] = files.try_emplace(file, static_cast<std::uint32_t>(files.size()));
    if (is_new) graph.files.push_back({workload.files[file.index].name, workload.files[file.index].size});
    return found->second;
  };
  std::map<std::uint32_t, std::uint32_t> maker;
  for (const WorkId work : works) {
    GraphTask& task = graph.tasks.emplace_back();
    task.name = workload.name_of(work);
    task.priority = workload[work].priority;
    for (const FileId file : workload.inputs(work)) task.inputs.push_back(file_of(file));
    for (const FileId file : workload.outputs(work)) {
      task.outputs.push_back(file_of(file));
      maker[task.outputs.back()] = place.at(work);
    }
  }
  if (workload.precedence == nullptr) return graph;
  for (std::size_t t = 0; t < works.size(); ++t)
    for (const std::uint32_t before : workload.precedence->predecessors(works[t].index)) {
      const auto from = place.find(WorkId(before));
      if (from == place.end()) continue;
      const bool by_file = std::ranges::any_of(graph.tasks[t].inputs, [&](std::uint32_t file) {
        const auto made = maker.find(file);
        return made != maker.end() && made->second == from->second;
      });
      if (!by_file) graph.tasks[t].after.push_back(from->second);
    }
  return graph;
}

}  // namespace

std::string wfformat_of(const Outcome& outcome, std::optional<std::uint32_t> workflow,
                        std::string_view name) {
  const Workload& workload = *outcome.scenario->workload;
  const Platform& platform = *outcome.scenario->platform;
  std::vector<WorkId> works;
  for (std::size_t w = 0; w < workload.size(); ++w)
    if (workload[WorkId(w)].kind == WorkKind::task &&
        (!workflow || workload.workflow_of(WorkId(w)) == *workflow))
      works.emplace_back(w);
  const TaskGraph graph = graph_of_works(workload, works);
  try {
    check_graph(graph);
  } catch (const Error& error) {
    if (error.diagnostic().code != "workflow_duplicate") throw;
    Diagnostic diagnostic = error.diagnostic();
    diagnostic.message += "; the number of one workflow, as in r:wfformat(name, 1), says which";
    throw Error(std::move(diagnostic));
  }
  readers::WfExecution execution;
  execution.tasks.resize(works.size());
  std::map<WorkId, const Execution*> last;
  const Executions runs = executions(outcome);
  for (const Execution& each : runs.all)
    if (each.how == RecordKind::ended && each.kind == ActivityKind::compute && each.work.valid())
      last[each.work] = &each;
  Time begin = kNever, end = 0;
  for (std::size_t t = 0; t < works.size(); ++t) {
    const auto found = last.find(works[t]);
    if (found == last.end())
      fail("bad_call", "WfFormat has a run time for each task, and {} was not executed to its end",
           workload.name_of(works[t]));
    const Execution& ran = *found->second;
    execution.tasks[t] = {ran.ended - ran.started, ran.started, platform[runs.on(ran).front().host()].name};
    begin = std::min(begin, workload[works[t]].arrival);
    end = std::max(end, ran.ended);
  }
  execution.makespan = end - begin;
  for (const Host& host : platform.hosts()) execution.machines.push_back({host.name, host.cores});
  return readers::write_wfformat(graph, name, &execution);
}

}  // namespace perigee::results
