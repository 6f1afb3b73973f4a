#include "runtime/model/task_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/kernel/room.h"
#include "runtime/kernel/work.h"

namespace perigee::model {

namespace {

// The tasks behind each task, in its `after` and in the readers of its files, each way by itself.
struct Followers {
  std::vector<std::size_t> first_after, first_reader;  // by task, by file
  std::vector<std::uint32_t> after, readers;

  explicit Followers(const TaskGraph& graph)
      : first_after(graph.tasks.size() + 1), first_reader(graph.files.size() + 1) {
    for (const GraphTask& task : graph.tasks) {
      for (const std::uint32_t before : task.after) ++first_after[before + 1];
      for (const std::uint32_t file : task.inputs) ++first_reader[file + 1];
    }
    for (std::size_t t = 1; t < first_after.size(); ++t) first_after[t] += first_after[t - 1];
    for (std::size_t f = 1; f < first_reader.size(); ++f) first_reader[f] += first_reader[f - 1];
    after.resize(first_after.back());
    readers.resize(first_reader.back());
    std::vector<std::size_t> next_after(first_after), next_reader(first_reader);
    for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
      for (const std::uint32_t before : graph.tasks[t].after) after[next_after[before]++] = t;
      for (const std::uint32_t file : graph.tasks[t].inputs) readers[next_reader[file]++] = t;
    }
  }
};

// For messages: names of files may be of any length.
template <class Named>
std::string_view called(const Named& named) {
  constexpr std::size_t kLongest = 100;
  return std::string_view(named.name).substr(0, kLongest);
}

// Names in `named` are unique.
template <class Named>
void check_names(const std::vector<Named>& named, const char* what) {
  std::vector<std::uint32_t> by_name(named.size());
  for (std::uint32_t i = 0; i < named.size(); ++i) by_name[i] = i;
  std::ranges::sort(by_name, [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(named[a].name, a) < std::tie(named[b].name, b);
  });
  for (std::size_t i = 1; i < by_name.size(); ++i)
    if (named[by_name[i]].name == named[by_name[i - 1]].name)
      fail("workflow_duplicate", "two {}s of a graph are called '{}': number {} and number {}", what,
           called(named[by_name[i]]), by_name[i - 1] + 1, by_name[i] + 1);
}

void check_times(const TaskGraph& graph) {
  if (graph.form == TimeForm::by_architecture)
    fail("workflow_hosts", "the times of a graph are by host, not by architecture");
  const bool by_host = graph.form == TimeForm::by_host;
  if (by_host && (graph.hosts == 0 || graph.times.size() != graph.tasks.size() * graph.hosts))
    fail("workflow_hosts",
         "times by host are a row of one time per host for each of {} tasks, got {} times for {} hosts",
         graph.tasks.size(), graph.times.size(), graph.hosts);
  for (std::size_t t = 0; t < graph.tasks.size(); ++t) {
    const GraphTask& task = graph.tasks[t];
    if (!(task.amount >= 0 && std::isfinite(task.amount)))
      fail("workflow_time", "task '{}': its {} must be >= 0 and finite, got {}", called(task),
           graph.form == TimeForm::operations ? "operations" : "time", task.amount);
    if (!std::isfinite(task.priority))
      fail("workflow_time", "task '{}': its priority must be finite, got {}", called(task), task.priority);
    for (std::size_t host = 0; by_host && host < graph.hosts; ++host)
      if (const double time = graph.times[t * graph.hosts + host]; !(time >= 0))
        fail("workflow_time",
             "task '{}': its time on host {} must be >= 0, or infinite where it cannot run, got {}",
             called(task), host + 1, time);
  }
}

void check_references(const TaskGraph& graph) {
  std::vector<std::uint32_t> reader(graph.files.size(), kNone), maker(graph.files.size(), kNone);
  const auto twice = [&](const GraphTask& task, std::uint32_t file, const char* list) {
    fail("workflow_duplicate", "task '{}': file '{}' stands twice in its {}", called(task),
         called(graph.files[file]), list);
  };
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const GraphTask& task = graph.tasks[t];
    for (const auto* files : {&task.inputs, &task.outputs})
      for (const std::uint32_t file : *files)
        if (file >= graph.files.size())
          fail("workflow_reference", "task '{}': there is no file {} among the {} of the graph", called(task),
               std::uint64_t{file} + 1, graph.files.size());
    for (const std::uint32_t file : task.inputs) {
      if (reader[file] == t) twice(task, file, "inputs");
      reader[file] = t;
    }
    for (const std::uint32_t file : task.outputs) {
      if (maker[file] == t) twice(task, file, "outputs");
      if (maker[file] != kNone)
        fail("workflow_duplicate", "file '{}' is an output of both '{}' and '{}'; one task makes a file",
             called(graph.files[file]), called(graph.tasks[maker[file]]), called(task));
      if (reader[file] == t)
        fail("workflow_cycle", "task '{}' waits for itself: file '{}' is both its input and its output",
             called(task), called(graph.files[file]));
      maker[file] = t;
    }
    for (const std::uint32_t before : task.after)
      if (before >= graph.tasks.size())
        fail("workflow_reference", "task '{}': there is no task {} to come after; the graph has {}",
             called(task), std::uint64_t{before} + 1, graph.tasks.size());
  }
}

void check_cycles(const TaskGraph& graph) {
  const std::vector<std::uint32_t> cycle = precedence_of(graph).shortest_cycle();
  if (cycle.empty()) return;
  if (cycle.size() == 1)
    fail("workflow_cycle", "task '{}' waits for itself", called(graph.tasks[cycle.front()]));
  constexpr std::size_t kMostShown = 60;
  std::string names;
  for (std::size_t i = 0; i < std::min(cycle.size(), kMostShown); ++i)
    names += fmt::format("'{}' -> ", called(graph.tasks[cycle[i]]));
  if (cycle.size() > kMostShown) names += fmt::format("... ({} more) -> ", cycle.size() - kMostShown);
  fail("workflow_cycle", "{} tasks wait for one another: {}'{}'", cycle.size(), names,
       called(graph.tasks[cycle.front()]));
}

}  // namespace

std::vector<std::uint32_t> makers_of(const TaskGraph& graph) {
  std::vector<std::uint32_t> makers(graph.files.size(), kNone);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t)
    for (const std::uint32_t file : graph.tasks[t].outputs) makers[file] = t;
  return makers;
}

std::vector<GraphEdge> edges_of(const TaskGraph& graph) {
  const Followers followers(graph);
  std::vector<GraphEdge> edges, of_task;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    of_task.clear();
    for (std::size_t i = followers.first_after[t]; i < followers.first_after[t + 1]; ++i)
      of_task.push_back({t, followers.after[i]});
    for (const std::uint32_t file : graph.tasks[t].outputs)
      for (std::size_t i = followers.first_reader[file]; i < followers.first_reader[file + 1]; ++i)
        of_task.push_back({t, followers.readers[i], 1, graph.files[file].size, graph.files[file].size});
    // Stable: bytes are added in the order of the task's outputs.
    std::ranges::stable_sort(of_task, {}, &GraphEdge::to);
    const std::size_t first = edges.size();
    for (const GraphEdge& edge : of_task) {
      if (edges.size() == first || edges.back().to != edge.to) {
        edges.push_back(edge);
        continue;
      }
      GraphEdge& same = edges.back();
      same.files += edge.files;
      same.bytes += edge.bytes;
      same.largest = std::max(same.largest, edge.largest);
    }
  }
  return edges;
}

Precedence precedence_of(const TaskGraph& graph) {
  const std::vector<GraphEdge> all = edges_of(graph);
  std::vector<Precedence::Edge> edges;
  edges.reserve(all.size());
  for (const GraphEdge& edge : all) edges.emplace_back(edge.from, edge.to);
  return {graph.tasks.size(), std::move(edges)};
}

void check_graph(const TaskGraph& graph) {
  if (graph.tasks.empty()) fail("workflow_empty", "a graph has at least one task");
  if (graph.tasks.size() > kMostGraphTasks)
    fail("bad_parameter", "a graph has at most {} tasks, got {}", kMostGraphTasks, graph.tasks.size());
  did_work(10 * (graph.tasks.size() + graph.files.size()));
  check_times(graph);
  check_references(graph);
  check_names(graph.tasks, "task");
  check_names(graph.files, "file");
  for (const GraphFile& file : graph.files)
    if (!(file.size >= 0 && std::isfinite(file.size)))
      fail("workflow_size", "file '{}': its size must be >= 0 and finite, got {}", called(file), file.size);
  check_cycles(graph);
}

void add_dependencies(TaskGraph& graph, std::vector<Dependency> dependencies) {
  did_work(20 * dependencies.size());
  std::ranges::stable_sort(dependencies, {}, [](const Dependency& d) { return std::pair(d.from, d.to); });
  double needed = 0;  // bytes, most of them for the names of files
  for (const auto& [from, to, bytes] : dependencies) {
    if (std::max(from, to) >= graph.tasks.size())
      fail("workflow_reference", "an edge from task {} to task {}: the graph has {} tasks",
           std::uint64_t{from} + 1, std::uint64_t{to} + 1, graph.tasks.size());
    needed += 2.0 * sizeof(GraphFile);
    if (bytes) needed += static_cast<double>(graph.tasks[from].name.size() + graph.tasks[to].name.size());
  }
  will_take(needed, [&] { return fmt::format("a graph of {} edges", dependencies.size()); });
  for (std::size_t i = 0; i < dependencies.size();) {
    const auto [from, to, first_bytes] = dependencies[i];
    std::optional<double> bytes = first_bytes;
    for (++i; i < dependencies.size() && dependencies[i].from == from && dependencies[i].to == to; ++i) {
      const std::optional<double> again = dependencies[i].bytes;
      if (bytes && again && *bytes != *again)
        fail("workflow_size", "two edges from '{}' to '{}' say different sizes: {} and {} bytes",
             called(graph.tasks[from]), called(graph.tasks[to]), *bytes, *again);
      if (!bytes) bytes = again;
    }
    if (!bytes) {
      graph.tasks[to].after.push_back(from);
      continue;
    }
    const auto file = static_cast<std::uint32_t>(graph.files.size());
    graph.files.push_back({fmt::format("{}>{}", graph.tasks[from].name, graph.tasks[to].name), *bytes});
    graph.tasks[from].outputs.push_back(file);
    graph.tasks[to].inputs.push_back(file);
  }
}

}  // namespace perigee::model
