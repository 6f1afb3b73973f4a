#include "runtime/results/subtasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <ranges>

#include "runtime/kernel/constants.h"
#include "runtime/results/platform_changes.h"
#include "runtime/results/subtask_graph.h"

namespace perigee::results {
namespace {

// Cores of a host, or the one place of an exclusive link, that were freed by the same sub-task.
struct Group {
  std::uint32_t last = kNone;  // vertex; kNone = nothing has used them
  std::int32_t count = 0;
  std::size_t from = 0;  // of what is taken: which of the activity's resources
};

class Builder {
 public:
  Builder(const Outcome& outcome, const Executions& executions)
      : platform_(*outcome.scenario->platform),
        workload_(*outcome.scenario->workload),
        executions_(executions),
        changes_(platform_changes(outcome)) {}

  SubTaskGraph graph() {
    prepare();
    std::vector<std::uint32_t> ends(executions_.all.size());
    std::iota(ends.begin(), ends.end(), 0U);
    std::ranges::stable_sort(ends, {}, [&](std::uint32_t e) { return executions_.all[e].end_record; });
    auto ending = ends.begin();
    for (std::uint32_t e = 0; e < executions_.all.size(); ++e) {
      const Execution& run = executions_.all[e];
      for (; ending != ends.end() && executions_.all[*ending].end_record < run.start_record; ++ending)
        end(*ending);
      start(e);
    }
    SubTaskGraph made(boost::edges_are_unsorted_multi_pass, edges_.begin(), edges_.end(), orders_.begin(),
                      subtasks_.size());
    for (std::size_t v = 0; v < subtasks_.size(); ++v) made[v] = subtasks_[v];
    return made;
  }

 private:
  static bool is_subtask(const Execution& run) {
    return run.how == RecordKind::ended && run.kind != ActivityKind::dump &&
           (run.kind == ActivityKind::compute || run.is_transfer());
  }

  void prepare() {
    const std::span<const Host> hosts = platform_.hosts();
    for (const Host& host : hosts) {
      cores_.push_back({{kNone, host.exclusive ? 1 : host.cores}});
      clusters_.push_back(host.cluster);
    }
    for (const Link& link : platform_.links())
      places_.push_back(link.sharing == Sharing::exclusive && !link.implied ? std::deque<Group>{{kNone, 1}}
                                                                            : std::deque<Group>{});
    stored_.resize(workload_.files.size());
    makers_.resize(workload_.files.size());
    computed_.assign(workload_.size(), kNone);
    for (std::size_t w = 0; w < workload_.size(); ++w)
      for (const FileId file : workload_.outputs(WorkId(w))) makers_[file.index] = WorkId(w);
    vertices_.assign(executions_.all.size(), kNone);
    held_.resize(executions_.all.size());
    for (std::uint32_t e = 0; e < executions_.all.size(); ++e)
      if (is_subtask(executions_.all[e])) {
        vertices_[e] = static_cast<std::uint32_t>(subtasks_.size());
        subtasks_.push_back(subtask(e));
      }
  }

  SubTask subtask(std::uint32_t e) const {
    const Execution& run = executions_.all[e];
    SubTask made{.kind = run.kind,
                 .work = run.work,
                 .file = run.file,
                 .start = run.started,
                 .end = run.ended,
                 .execution = e};
    if (run.kind == ActivityKind::transfer_in) made.work = {};
    if (run.kind == ActivityKind::transfer_out) made.work = makers_[run.file.index];
    for (const ResourceId on : executions_.on(run))
      if (run.kind == ActivityKind::compute || on.kind() == ResourceKind::link) made.on = on;
    return made;
  }

  void edge(std::uint32_t from, std::uint32_t to, SubTaskOrder order) {
    if (from == kNone || to == kNone) return;
    // Edges into the same vertex are made one after another, dependencies first.
    for (std::size_t i = edges_.size(); i-- > 0 && edges_[i].second == to;)
      if (edges_[i].first == from) return;
    edges_.emplace_back(from, to);
    orders_.push_back(order);
  }

  // Takes groups for the execution, those that have been free for longest first.
  void take(std::deque<Group>& free, std::int32_t wanted, std::uint32_t e, std::size_t resource) {
    while (wanted > 0 && !free.empty()) {
      Group& group = free.front();
      const std::int32_t count = std::min(wanted, group.count);
      edge(group.last, vertices_[e], SubTaskOrder::resource);
      held_[e].push_back({group.last, count, resource});
      wanted -= count;
      group.count -= count;
      if (group.count == 0) free.pop_front();
    }
  }
  // After a sub-task, the places were last used by it. After any other activity, they are as they were
  // before.
  void give_back(std::deque<Group>& free, std::uint32_t e, std::size_t resource) {
    std::int32_t taken = 0;
    for (const Group& group : held_[e]) {
      if (group.from != resource) continue;
      taken += group.count;
      if (vertices_[e] == kNone) free.push_back(group);
    }
    if (vertices_[e] != kNone && taken > 0) free.push_back({vertices_[e], taken});
  }
  // Calls f(free groups there, how many it takes, the number of the resource).
  template <class F>
  void each_resource(const Execution& run, F f) {
    if (run.kind == ActivityKind::hold || run.kind == ActivityKind::think) return;
    std::size_t resource = 0;
    for (const UsedResource& on : executions_.on(run)) {
      if (on.kind() == ResourceKind::host && on.cores > 0)
        f(cores_[on.at()], platform_[on.host()].exclusive ? 1 : on.cores, resource);
      if (on.kind() == ResourceKind::link) f(places_[on.at()], 1, resource);
      ++resource;
    }
  }

  void start(std::uint32_t e) {
    const Execution& run = executions_.all[e];
    for (; change_ < changes_.size() && changes_[change_].record < run.start_record; ++change_) {
      const PlatformChange& change = changes_[change_];
      if (change.on.kind() == ResourceKind::host && change.happening != nullptr &&
          change.happening->cluster.valid())
        clusters_[change.on.at()] = change.happening->cluster;
    }
    if (const std::uint32_t to = vertices_[e]; to != kNone) {
      if (run.kind == ActivityKind::transfer_out && subtasks_[to].work.valid())
        edge(computed_[subtasks_[to].work.index], to, SubTaskOrder::dependency);
      if (run.kind == ActivityKind::transfer_in && run.first > 0) after_source(run, to);
      if (run.kind == ActivityKind::compute && workload_.precedence != nullptr)
        for (const std::uint32_t before : workload_.precedence->predecessors(run.work.index))
          edge(computed_[before], to, SubTaskOrder::dependency);
      if (run.kind == ActivityKind::compute) after_data(run, to);
    }
    each_resource(run, [&](std::deque<Group>& free, std::int32_t wanted, std::size_t resource) {
      take(free, wanted, e, resource);
    });
  }

  // A file from the store of a cluster has come there, or was made there.
  void after_source(const Execution& run, std::uint32_t to) {
    const LinkId source = platform_[ClusterId(static_cast<std::size_t>(run.first) - 1)].link;
    for (const auto& [gateway, sent] : stored_[run.file.index])
      if (gateway == source.index) return edge(sent, to, SubTaskOrder::dependency);
    if (const WorkId maker = makers_[run.file.index]; maker.valid())
      edge(computed_[maker.index], to, SubTaskOrder::dependency);
  }

  void after_data(const Execution& run, std::uint32_t to) {
    const HostId host = subtasks_[to].on.host();
    const ClusterId cluster = clusters_[host.index];
    if (cluster.valid())
      for (const FileId file : workload_.inputs(run.work))
        for (const auto& [gateway, sent] : stored_[file.index])
          if (gateway == platform_[cluster].link.index) edge(sent, to, SubTaskOrder::dependency);
    const auto chunks = chunks_.find({run.work.index, host.index});
    if (chunks == chunks_.end()) return;
    const double slack = kEps * run.size;
    std::erase_if(chunks->second, [&](std::uint32_t chunk) {
      const Execution& sent = executions_.all[subtasks_[chunk].execution];
      const double first = std::max(sent.first, run.first),
                   last = std::min(sent.first + sent.size, run.first + run.size);
      if (last - first > slack) edge(chunk, to, SubTaskOrder::dependency);
      return last - first >= sent.size - slack;  // nothing of it is left
    });
  }

  void end(std::uint32_t e) {
    const Execution& run = executions_.all[e];
    each_resource(run, [&](std::deque<Group>& free, std::int32_t, std::size_t resource) {
      give_back(free, e, resource);
    });
    held_[e] = {};
    const std::uint32_t vertex = vertices_[e];
    if (vertex == kNone) return;
    if (run.kind == ActivityKind::compute) computed_[run.work.index] = vertex;
    if (run.kind == ActivityKind::chunk)
      for (const ResourceId on : executions_.on(run))
        if (on.kind() == ResourceKind::host) chunks_[{run.work.index, on.at()}].push_back(vertex);
    if (run.kind != ActivityKind::transfer_in) return;
    auto& stores = stored_[run.file.index];
    const auto gateway = static_cast<std::uint32_t>(subtasks_[vertex].on.at());
    const auto there = std::ranges::find(stores, gateway, &std::pair<std::uint32_t, std::uint32_t>::first);
    if (there != stores.end())
      there->second = vertex;
    else
      stores.emplace_back(gateway, vertex);
  }

  const Platform& platform_;
  const Workload& workload_;
  const Executions& executions_;
  std::vector<PlatformChange> changes_;
  std::size_t change_ = 0;
  std::vector<SubTask> subtasks_;
  std::vector<std::uint32_t> vertices_;  // per execution
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::vector<SubTaskOrder> orders_;
  std::vector<std::deque<Group>> cores_, places_;  // per host and link: what is free, longest first
  std::vector<std::vector<Group>> held_;           // per execution under way, in order of its resources
  std::vector<ClusterId> clusters_;                // per host
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> stored_;  // per file: gateway, sub-task
  std::vector<WorkId> makers_;                                                // per file
  std::vector<std::uint32_t> computed_;                                       // per work, the last
  std::map<std::pair<std::uint32_t, std::size_t>, std::vector<std::uint32_t>> chunks_;  // by work and host
};

Time makespan_of(const Outcome& outcome) {
  Time last = kNaN;
  for (std::size_t i = 0; i < outcome.trace.size(); ++i)
    if (outcome.trace[i].kind == RecordKind::finished) last = outcome.trace[i].time;
  return last;
}

// The lines in quotes; Graphviz centres them.
std::string dot_label(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    if (!out.empty()) out += "\\n";
    for (const char c : line) {
      if (c == '"' || c == '\\') out += '\\';
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return '"' + out + '"';
}

std::string_view name_of_order(SubTaskOrder order) {
  return order == SubTaskOrder::dependency ? "dependency" : "resource";
}

SubTaskOrder order_of(const SubTaskGraph& graph, std::uint32_t from, std::uint32_t to) {
  const auto out = boost::out_edges(SubTaskGraph::vertex_descriptor{from}, graph);
  const auto found =
      std::find_if(out.first, out.second, [&](const auto& edge) { return boost::target(edge, graph) == to; });
  return graph[*found];
}

}  // namespace

SubTaskGraph subtask_graph(const Outcome& outcome, const Executions& executions) {
  return Builder(outcome, executions).graph();
}

CriticalChain critical_chain(const SubTaskGraph& graph, Time makespan) {
  CriticalChain out;
  if (std::isnan(makespan)) {
    out.computation = out.transfer = out.waiting = kNaN;
    return out;
  }
  const std::size_t size = boost::num_vertices(graph);
  std::vector<SubTaskGraph::vertex_descriptor> reversed;
  reversed.reserve(size);
  try {
    boost::topological_sort(graph, std::back_inserter(reversed));
  } catch (const boost::not_a_dag&) {
    fail("internal", "the graph of the run's sub-tasks has a cycle");
  }
  std::vector<Seconds> busy(size, 0);  // of the longest path up to the start of each
  std::vector<std::uint32_t> before(size, kNone);
  for (const std::size_t vertex : std::views::reverse(reversed)) {
    const auto from = static_cast<std::uint32_t>(vertex);
    const Seconds until = busy[from] + graph[from].duration();
    const auto out_edges = boost::out_edges(SubTaskGraph::vertex_descriptor{from}, graph);
    for (auto edge = out_edges.first; edge != out_edges.second; ++edge) {
      const auto to = boost::target(*edge, graph);
      const std::uint32_t other = before[to];
      const bool longer = other == kNone || until > busy[to] ||
                          (until == busy[to] && (graph[from].end > graph[other].end ||
                                                 (graph[from].end == graph[other].end && from < other)));
      if (!longer) continue;
      busy[to] = until;
      before[to] = from;
    }
  }
  std::uint32_t last = kNone;
  for (std::uint32_t v = 0; v < size; ++v) {
    const SubTask& each = graph[v];
    if (each.end > makespan || (!each.computes() && each.kind != ActivityKind::transfer_out)) continue;
    if (last == kNone || each.end > graph[last].end ||
        (each.end == graph[last].end && busy[v] + each.duration() > busy[last] + graph[last].duration()))
      last = v;
  }
  Time reached = makespan;
  for (std::uint32_t v = last; v != kNone; v = before[v]) {
    out.path.push_back(v);
    out.waiting += reached - graph[v].end;
    (graph[v].computes() ? out.computation : out.transfer) += graph[v].duration();
    reached = graph[v].start;
  }
  out.waiting += reached;
  std::ranges::reverse(out.path);
  return out;
}

CriticalChain critical_chain(const Outcome& outcome, const Executions& executions) {
  return critical_chain(subtask_graph(outcome, executions), makespan_of(outcome));
}

Table critical_chain_table(const Outcome& outcome) {
  const Workload& workload = *outcome.scenario->workload;
  const SubTaskGraph graph = subtask_graph(outcome, executions(outcome));
  Table table;
  table.columns = {"kind", "work", "file", "resource", "start", "finish", "wait", "after"};
  table.units = {"", "", "", "", "s", "s", "s", ""};
  std::uint32_t before = kNone;
  for (const std::uint32_t v : critical_chain(graph, makespan_of(outcome)).path) {
    const SubTask& each = graph[v];
    table.rows.push_back(
        {std::string(engine::name_of(each.kind)),
         each.work.valid() ? Cell(workload.name_of(each.work)) : Cell(),
         each.file.valid() ? Cell(workload.files[each.file.index].name) : Cell(),
         outcome.scenario->platform->name_of(each.on), each.start, each.end,
         each.start - (before == kNone ? 0 : graph[before].end),
         before == kNone ? Cell() : Cell(std::string(name_of_order(order_of(graph, before, v))))});
    before = v;
  }
  return table;
}

std::string subtask_dot(const Outcome& outcome) {
  const Workload& workload = *outcome.scenario->workload;
  const SubTaskGraph graph = subtask_graph(outcome, executions(outcome));
  const CriticalChain chain = critical_chain(graph, makespan_of(outcome));
  std::vector<std::uint32_t> next(boost::num_vertices(graph), kNone);
  std::vector<std::uint8_t> critical(next.size(), 0);
  for (std::size_t i = 0; i < chain.path.size(); ++i) {
    critical[chain.path[i]] = 1;
    if (i > 0) next[chain.path[i - 1]] = chain.path[i];
  }
  const auto bold = [](bool yes) { return yes ? ", penwidth=3" : ""; };
  std::string text = "digraph G {\nrankdir=LR;\n";
  for (std::size_t v = 0; v < next.size(); ++v) {
    const SubTask& each = graph[v];
    const std::string what =
        each.file.valid() ? workload.files[each.file.index].name : workload.name_of(each.work);
    text +=
        fmt::format("{}[label={}, shape={}{}];\n", v,
                    dot_label({fmt::format("{} {}", engine::name_of(each.kind), what),
                               outcome.scenario->platform->name_of(each.on),
                               fmt::format("{} to {} s", short_number(each.start), short_number(each.end))}),
                    each.computes() ? "box" : "ellipse", bold(critical[v] != 0));
  }
  const auto edges = boost::edges(graph);
  for (const auto& edge : std::ranges::subrange(edges.first, edges.second)) {
    const std::size_t from = boost::source(edge, graph), to = boost::target(edge, graph);
    text += fmt::format("{}->{} [style={}{}];\n", from, to,
                        graph[edge] == SubTaskOrder::dependency ? "solid" : "dashed", bold(next[from] == to));
  }
  return text + "}\n";
}

Table components(const Workload& workload) {
  const std::size_t tasks = workload.size();
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(tasks + workload.files.size());
  std::vector<std::uint32_t> needed(workload.files.size(), 0);
  for (std::size_t w = 0; w < tasks; ++w)
    for (const FileId file : workload.inputs(WorkId(w))) {
      boost::add_edge(w, tasks + file.index, graph);
      ++needed[file.index];
    }
  std::vector<std::size_t> number(boost::num_vertices(graph));
  struct Component {
    std::string first;
    double tasks = 0, files = 0, shared = 0, bytes = 0, shared_bytes = 0, alone = 0;
  };
  std::vector<Component> all(boost::connected_components(graph, number.data()));
  for (std::size_t w = 0; w < tasks; ++w) {
    Component& at = all[number[w]];
    if (at.tasks++ == 0) at.first = workload.name_of(WorkId(w));
    for (const FileId file : workload.inputs(WorkId(w))) at.alone += workload.files[file.index].size;
  }
  for (std::size_t f = 0; f < needed.size(); ++f) {
    if (needed[f] == 0) continue;
    Component& at = all[number[tasks + f]];
    ++at.files;
    at.bytes += workload.files[f].size;
    if (needed[f] < 2) continue;
    ++at.shared;
    at.shared_bytes += workload.files[f].size;
  }
  Table table;
  table.columns = {"first_task", "tasks", "files", "shared_files", "bytes", "shared_bytes", "bytes_alone"};
  table.units = {"", "works", "files", "files", "B", "B", "B"};
  for (const Component& each : all)  // numbered by their first vertex, and tasks come first
    if (each.tasks > 0 && each.files > 0)
      table.rows.push_back(
          {each.first, each.tasks, each.files, each.shared, each.bytes, each.shared_bytes, each.alone});
  return table;
}

}  // namespace perigee::results
