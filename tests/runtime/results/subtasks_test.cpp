#include "runtime/results/subtasks.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <set>

#include "runtime/results/metrics.h"
#include "runtime/results/subtask_graph.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/grids.h"
#include "tests/support/layers.h"
#include "tests/support/random_scenario.h"
#include "tests/support/scenarios.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

using Edges = std::set<std::tuple<std::string, std::string, SubTaskOrder>>;
using enum SubTaskOrder;

std::string label(const SubTask& each) {
  return std::string(name_of(each.kind)) + " " +
         std::to_string(each.file.valid() ? each.file.index : each.work.index) + " at " +
         std::to_string(static_cast<int>(each.start));
}

Edges edges_of(const Outcome& outcome) {
  const SubTaskGraph graph = subtask_graph(outcome, executions(outcome));
  Edges out;
  const auto all = boost::edges(graph);
  for (auto e = all.first; e != all.second; ++e)
    out.emplace(label(graph[boost::source(*e, graph)]), label(graph[boost::target(*e, graph)]), graph[*e]);
  REQUIRE(out.size() == boost::num_edges(graph));
  return out;
}

Outcome subtasks_run(std::shared_ptr<const Scenario> scenario, const std::string& policy,
                     std::uint64_t seed = 1) {
  const ConfigPtr config = Catalogue().configure(policy, {});
  RunOptions options;
  options.seed = seed;
  Simulation simulation(
      std::move(scenario),
      {config->text(), config->make_policy(), config->entry->accepts, config->entry->instants},
      perfect_estimator(), options);
  simulation.run();
  return simulation.outcome();
}

// Two hosts behind one link of 10 B/s. File 0 is shared, file 1 is needed by one task, 2 and 3 are results.
std::shared_ptr<Scenario> two_hosts() {
  return scenario_of(platform_of({with_link(cluster_of({1, 1}), 10)}),
                     filed_tasks({20, 10, 10, 30}, {{6, {0}, {2}}, {4, {0, 1}, {3}}}));
}

}  // namespace

TEST_CASE("sub-tasks of two tasks that share a file, by hand") {
  using enum ActivityKind;
  Story story(two_hosts());
  for (std::uint32_t w = 0; w < 2; ++w) story.work(0, RecordKind::arrived, w);
  story.transfer(1, 0, 0, 0, 2).transfer(2, 1, 0, 2, 3);
  story.compute(3, 0, 0, 2, 8).compute(4, 1, 1, 3, 7);
  story.transfer(5, 3, 0, 7, 10, transfer_out).work(10, RecordKind::finished, 1);
  story.transfer(6, 2, 0, 10, 11, transfer_out).work(11, RecordKind::finished, 0);
  const Outcome outcome = story.sort().outcome();
  CHECK(edges_of(outcome) == Edges{{"transfer_in 0 at 0", "compute 0 at 2", dependency},
                                   {"transfer_in 0 at 0", "compute 1 at 3", dependency},
                                   {"transfer_in 1 at 2", "compute 1 at 3", dependency},
                                   {"transfer_in 0 at 0", "transfer_in 1 at 2", resource},
                                   {"transfer_in 1 at 2", "transfer_out 3 at 7", resource},
                                   {"compute 1 at 3", "transfer_out 3 at 7", dependency},
                                   {"transfer_out 3 at 7", "transfer_out 2 at 10", resource},
                                   {"compute 0 at 2", "transfer_out 2 at 10", dependency}});
  // The last output waits for the link: file 0, file 1, task 2, its output, the output of task 1.
  const CriticalChain chain = critical_chain(outcome, executions(outcome));
  CHECK(chain.computation == 4);
  CHECK(chain.transfer == 2 + 1 + 3 + 1);
  CHECK(chain.waiting == 0);
  CHECK(critical_chain_table(outcome).csv() ==
        "kind,work,file,resource,start,finish,wait,after\n"
        "transfer_in,,file0,c.link,0,2,0,\n"
        "transfer_in,,file1,c.link,2,3,0,resource\n"
        "compute,task 2,,c.2,3,7,0,dependency\n"
        "transfer_out,task 2,file3,c.link,7,10,0,dependency\n"
        "transfer_out,task 1,file2,c.link,10,11,0,resource\n");
  const std::string dot = subtask_dot(outcome);
  CHECK_THAT(dot, Contains("digraph G"));
  CHECK_THAT(dot, Contains("2[label=\"compute task 1\\nc.1\\n2 to 8 s\", shape=box];"));
  CHECK_THAT(dot, Contains("0[label=\"transfer_in file0\\nc.link\\n0 to 2 s\", shape=ellipse, penwidth=3];"));
  CHECK_THAT(dot, Contains("0->1 [style=dashed, penwidth=3];"));
  CHECK_THAT(dot, Contains("0->2 [style=solid];"));
}

TEST_CASE("what was lost or stranded is waited for") {
  using enum ActivityKind;
  Story story(two_hosts());
  for (std::uint32_t w = 0; w < 2; ++w) story.work(0, RecordKind::arrived, w);
  const ResourceId first = ResourceId::of(HostId(0));
  // Task 1 is lost at 5 with its host and done again from 7; task 2 strands and is done again.
  story.transfer(1, 0, 0, 0, 2).transfer(2, 1, 0, 2, 3);
  story.compute(3, 0, 0, 2, 5, RecordKind::lost);
  story.on(5, RecordKind::down, first, Reason::outage).on(7, RecordKind::up, first, Reason::outage);
  story.compute(4, 0, 0, 7, 13).compute(5, 1, 1, 3, 7).work(8, RecordKind::stranded, 1);
  story.transfer(6, 3, 0, 7, 8, transfer_out, RecordKind::lost);
  story.compute(7, 1, 1, 9, 12).transfer(8, 3, 0, 12, 15, transfer_out).work(15, RecordKind::finished, 1);
  story.transfer(9, 2, 0, 15, 16, transfer_out).work(16, RecordKind::finished, 0);
  const Outcome outcome = story.sort().outcome();
  const Edges edges = edges_of(outcome);
  CHECK(edges.count({"compute 1 at 3", "compute 1 at 9", resource}) == 1);
  CHECK(edges.count({"compute 1 at 9", "transfer_out 3 at 12", dependency}) == 1);
  CHECK(edges.count({"compute 1 at 3", "transfer_out 3 at 12", dependency}) == 0);
  CHECK(edges.count({"transfer_in 1 at 2", "transfer_out 3 at 12", resource}) == 1);
  CHECK(edges.count({"transfer_in 0 at 0", "compute 0 at 7", dependency}) == 1);
  const CriticalChain chain = critical_chain(outcome, executions(outcome));
  // Files until 3, task 2 until 7 and again from 9 to 12, the outputs: 2 s are waited.
  CHECK(chain.computation == 7);
  CHECK(chain.transfer == 7);
  CHECK(chain.waiting == 2);
  const Metrics m = measure(outcome);
  CHECK(m["chain.computation"] == 7);
  CHECK(m["chain.transfer"] == 7);
  CHECK(m["chain.waiting"] == 2);
}

TEST_CASE("cores that have been free for longest are taken first; what was lost leaves them as they were") {
  // Four cores and jobs of 2, 1, 1 and 3 cores. The third is lost at 3. The fourth needs the cores of the
  // second and the third, and one of the first.
  auto scenario =
      scenario_of(platform_of({cluster_of({1}, "c", 4)}), tasks_of({{6, 0, 2}, {4}, {9}, {5, 0, 3}, {1}}));
  Story story(scenario);
  for (std::uint32_t w = 0; w < 5; ++w) story.work(0, RecordKind::arrived, w);
  story.compute(1, 0, 0, 0, 6, RecordKind::ended, 2).compute(2, 1, 0, 0, 4);
  story.compute(3, 2, 0, 0, 3, RecordKind::lost).compute(4, 3, 0, 6, 11, RecordKind::ended, 3);
  story.compute(5, 4, 0, 7, 8);
  story.work(6, RecordKind::finished, 0).work(4, RecordKind::finished, 1).work(11, RecordKind::finished, 3);
  story.work(8, RecordKind::finished, 4);
  const Outcome outcome = story.sort().outcome();
  CHECK(edges_of(outcome) == Edges{{"compute 1 at 0", "compute 3 at 6", resource},
                                   {"compute 0 at 0", "compute 3 at 6", resource},
                                   {"compute 0 at 0", "compute 4 at 7", resource}});
  CHECK(critical_chain(outcome, executions(outcome)).computation == 11);
}

TEST_CASE("nothing, and a cycle") {
  Story story(two_hosts());
  story.status = RunStatus::incomplete;
  const Outcome nothing = story.outcome();
  CHECK(edges_of(nothing).empty());
  CHECK(std::isnan(critical_chain(nothing, executions(nothing)).waiting));
  CHECK(critical_chain_table(nothing).rows.empty());
  const CriticalChain empty = critical_chain(SubTaskGraph(), 5);
  CHECK(empty.waiting == 5);

  const std::vector<std::pair<std::size_t, std::size_t>> edges{{0, 1}, {1, 0}};
  const std::vector<SubTaskOrder> orders(2);
  const SubTaskGraph cycle(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), orders.begin(),
                           2);
  CHECK_THROWS_WITH(critical_chain(cycle, 1), Contains("cycle"));
}

// Goes back along every path: an independent look at the same graph, and at the records for the claims of the
// edges.
TEST_CASE("the critical chain is the longest of all paths: random runs") {
  std::size_t with_lost = 0, with_waiting = 0, long_ones = 0, stranded = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    Accepts accepts;
    accepts.tasks = accepts.files = true;
    auto scenario = std::make_shared<Scenario>(*random_scenario(seed, accepts));
    auto workload = std::make_shared<Workload>(*scenario->workload);
    workload->works.resize(std::min<std::size_t>(workload->works.size(), 9));
    workload->qualities.clear();
    scenario->workload = workload;
    if (seed % 3 == 0) {  // a cluster goes with its hosts and its store, and comes back
      const ClusterId cluster(seed % scenario->platform->clusters().size());
      const Time at = 4 + static_cast<double>(seed % 20);
      const auto member = [&](Time when, HappeningKind kind, ResourceId on) {
        scenario->happenings.push_back(happening(when, kind, on, Cause::membership));
      };
      member(at, HappeningKind::leave, ResourceId::of(cluster));
      member(at + 6, HappeningKind::join, ResourceId::of(cluster));
      for (const HostId host : (*scenario->platform)[cluster].hosts)
        member(at + 7, HappeningKind::join, ResourceId::of(host));
    }
    const Outcome outcome = subtasks_run(scenario, seed % 2 == 0 ? "planner" : "workqueue", seed);
    const Executions runs = executions(outcome);
    const SubTaskGraph graph = subtask_graph(outcome, runs);
    const std::size_t size = boost::num_vertices(graph);
    std::vector<std::vector<std::size_t>> before(size);
    const auto all = boost::edges(graph);
    for (auto e = all.first; e != all.second; ++e) {
      const auto from = boost::source(*e, graph), to = boost::target(*e, graph);
      before[to].push_back(from);
      CHECK(graph[from].end <= graph[to].start);
    }
    const double makespan = measure(outcome)["makespan"];
    const CriticalChain chain = critical_chain(graph, makespan);
    if (std::isnan(makespan)) continue;
    // The longest sum of durations over all paths back from any sub-task that ended last.
    double last = -1;
    for (std::size_t v = 0; v < size; ++v)
      if (graph[v].kind != ActivityKind::transfer_in && graph[v].end <= makespan)
        last = std::max(last, graph[v].end);
    std::size_t paths = 0;
    const std::function<double(std::size_t)> longest = [&](std::size_t v) {
      double most = 0;
      if (++paths > 2'000'000) return most;
      for (const std::size_t u : before[v]) most = std::max(most, longest(u));
      return most + graph[v].duration();
    };
    double most = 0;
    for (std::size_t v = 0; v < size; ++v)
      if (graph[v].kind != ActivityKind::transfer_in && graph[v].end == last)
        most = std::max(most, longest(v));
    if (paths > 2'000'000) continue;
    CHECK(chain.computation + chain.transfer == Approx(most).epsilon(1e-12).margin(1e-12));
    CHECK(chain.computation + chain.transfer + chain.waiting == Approx(makespan).epsilon(1e-12));
    CHECK(chain.waiting >= 0);
    for (std::size_t i = 1; i < chain.path.size(); ++i) {
      const auto& of = before[chain.path[i]];
      CHECK(std::count(of.begin(), of.end(), chain.path[i - 1]) == 1);
    }
    // Each computation comes after all its inputs, each output after its computation.
    for (std::size_t v = 0; v < size; ++v) {
      std::set<std::uint32_t> files;
      std::size_t computed = 0;
      for (const std::size_t u : before[v])
        if (graph[u].kind == ActivityKind::transfer_in)
          files.insert(graph[u].file.index);
        else if (graph[u].kind == ActivityKind::compute && graph[u].work == graph[v].work)
          ++computed;
      if (graph[v].computes())
        for (const FileId file : workload->inputs(graph[v].work)) CHECK(files.count(file.index) == 1);
      if (graph[v].kind == ActivityKind::transfer_out) CHECK(computed == 1);
    }
    for (std::size_t i = 0; i < outcome.trace.size(); ++i)
      if (outcome.trace[i].kind == RecordKind::stranded) ++stranded;
    if (measure(outcome)["lost"] > 0) ++with_lost;
    if (chain.waiting > 0) ++with_waiting;
    if (chain.path.size() > 5) ++long_ones;
  }
  CHECK(with_lost > 30);
  CHECK(with_waiting > 30);
  CHECK(long_ones > 30);
  CHECK(stranded > 5);
}

TEST_CASE("every kind of work has a chain that adds up to the makespan") {
  for (const char* policy : {"easy", "factoring", "issse_amra", "edf", "workqueue"}) {
    const ConfigPtr config = Catalogue().configure(policy, {});
    for (std::uint64_t seed = 1; seed <= 15; ++seed) {
      INFO(policy << " seed " << seed);
      const Outcome outcome = subtasks_run(random_scenario(seed, config->entry->accepts), policy, seed);
      const Metrics m = measure(outcome);
      if (std::isnan(m["makespan"])) continue;
      CHECK(m["chain.computation"] + m["chain.transfer"] + m["chain.waiting"] ==
            Approx(m["makespan"]).epsilon(1e-12));
    }
  }
}

TEST_CASE("components of tasks and files") {
  // Tasks 0 and 2 share file 0, 2 and 3 share file 1; task 1 has a file of its own, 4 has none.
  const auto workload = filed_tasks(
      {20, 10, 5, 7, 99}, {{1, {0}, {}}, {1, {2}, {3}}, {1, {0, 1}, {}}, {1, {1}, {}}, {1, {}, {}}});
  CHECK(components(*workload).csv() ==
        "first_task,tasks,files,shared_files,bytes,shared_bytes,bytes_alone\n"
        "task 1,3,2,2,30,30,60\n"
        "task 2,1,1,0,5,0,5\n");
  CHECK(components(Workload()).rows.empty());
}
