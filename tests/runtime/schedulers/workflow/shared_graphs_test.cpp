// Schedules of the graphs in the shared data, against makespans that an independent program found (README there).
#include <catch2/catch.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cost/graph_problem.h"
#include "runtime/model/readers/graph/workflow_files.h"
#include "runtime/schedulers/catalogue.h"
#include "tests/support/graphs.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"

using namespace perigee;
using namespace perigee::test;

namespace {

double shared_makespan(const std::string& name, const GraphProblem& problem) {
  const Catalogue catalogue;
  GraphPlan plan;
  catalogue.as_role(catalogue.configure(name), Role::graph)->make_graph_scheduler()->schedule(problem, plan);
  CHECK(is_valid(problem, plan));
  return plan.makespan;
}

GraphProblem shared_problem(TaskGraph graph, const std::vector<double>& speeds, double bandwidth) {
  GraphProblem problem = cost::graph_problem_of(std::make_shared<const TaskGraph>(std::move(graph)), speeds);
  problem.network = GraphNetwork(problem.clusters(), {bandwidth}, {0});
  return problem;
}

bool has_shared_graphs(const std::filesystem::path& folder) {
  if (std::filesystem::exists(folder)) return true;
  WARN("skipped: there is no " << folder);
  return false;
}

}  // namespace

TEST_CASE("makespans of workflows on four hosts") {
  struct Known {
    const char* name;
    double heft, cpop, peft, min_min;
  };
  static constexpr Known kKnown[] = {
      {"chain-5", 57.372, 57.372, 57.372, 57.372},
      {"fork-join-10", 99.841, 99.841, 104.236, 119.5842},
      {"gaussian-14", 181.6473, 182.7757, 178.0511, 187.3284},
      {"montage-58", 431.1976, 445.1413, 445.186, 452.7243},
      {"fft-39", 313.5675, 299.9143, 333.345, 336.3869},
      {"cholesky-120", 359.9537, 367.2143, 362.572, 386.443},
      {"estee-montage-77", 110.2582, 115.0957, 111.8454, 116.0343},
      {"estee-cybershake-104", 342.2071, 398.2431, 346.5696, 503.9502},
      {"estee-epigenomics-204", 97900.7755, 97900.7755, 96895.9189, 98338.8979},
      {"estee-ligo-186", 4801.5876, 4905.0796, 4901.8339, 5130.0335},
      {"estee-sipht-64", 1785.7347, 2068.8069, 2048.0928, 2248.5037},
      {"estee-crossv-94", 3647.8089, 3691.6667, 3743.2847, 5215.8966}};
  const std::filesystem::path folder = data_file("workflows/wfformat");
  if (!has_shared_graphs(folder)) return;
  for (const Known& known : kKnown) {
    INFO(known.name);
    const std::string name = known.name;
    const bool from_estee = name.starts_with("estee-");
    const GraphProblem problem = shared_problem(readers::read_wfformat(folder / (name + ".json"), {}).graph,
                                                {1, 1, 2, 4}, from_estee ? 100e6 : 10e6);
    CHECK(shared_makespan("heft", problem) == Approx(known.heft).margin(6e-5));
    CHECK(shared_makespan("cpop", problem) == Approx(known.cpop).margin(6e-5));
    CHECK(shared_makespan("peft", problem) == Approx(known.peft).margin(6e-5));
    CHECK(shared_makespan("min_min", problem) == Approx(known.min_min).margin(6e-5));
  }
}

TEST_CASE("makespans of the graphs of the Standard Task Graph Set's format, on equal hosts") {
  struct Known {
    const char* name;
    double hlfet[3], heft[3];  // on 2, 4 and 8 hosts
  };
  static constexpr Known kKnown[] = {{"layered-50-1", {143, 82, 65}, {143, 82, 65}},
                                     {"layered-50-2", {142, 107, 107}, {142, 107, 107}},
                                     {"layered-100-1", {276, 147, 84}, {276, 143, 82}}};
  const std::filesystem::path folder = data_file("workflows/stg");
  if (!has_shared_graphs(folder)) return;
  for (const Known& known : kKnown)
    for (const std::size_t i : {0U, 1U, 2U}) {
      INFO(known.name << " on " << (2U << i));
      const GraphProblem problem =
          shared_problem(readers::read_stg(folder / (std::string(known.name) + ".stg"), {}).graph,
                         std::vector<double>(2U << i, 1.0), 1);
      CHECK(shared_makespan("hlfet", problem) == known.hlfet[i]);
      CHECK(shared_makespan("heft", problem) == known.heft[i]);
    }
}

TEST_CASE("makespans of graphs in DOT on four hosts") {
  struct Known {
    const char* name;
    double heft, cpop, peft, min_min;
  };
  static constexpr Known kKnown[] = {{"daggen-100-0.25-0.9-0.3-2", 86.7606, 83.5916, 86.7606, 190.9578},
                                     {"daggen-100-0.75-0.9-0.03-2", 67.6783, 67.6897, 68.3151, 78.0999}};
  const std::filesystem::path folder = data_file("workflows/dot");
  if (!has_shared_graphs(folder)) return;
  for (const Known& known : kKnown) {
    INFO(known.name);
    const GraphProblem problem =
        shared_problem(readers::read_dot(folder / (std::string(known.name) + ".dot")).graph,
                       {100e9, 100e9, 200e9, 400e9}, 125e6);
    CHECK(shared_makespan("heft", problem) == Approx(known.heft).margin(6e-5));
    CHECK(shared_makespan("cpop", problem) == Approx(known.cpop).margin(6e-5));
    CHECK(shared_makespan("peft", problem) == Approx(known.peft).margin(6e-5));
    CHECK(shared_makespan("min_min", problem) == Approx(known.min_min).margin(6e-5));
  }
  GraphProblem ten = cost::graph_problem_of(
      std::make_shared<const TaskGraph>(readers::read_dot(folder / "topcuoglu.dot").graph));
  ten.network = GraphNetwork(ten.clusters(), {1}, {0});
  CHECK(shared_makespan("heft", ten) == 80);
  CHECK(shared_makespan("cpop", ten) == 86);
  CHECK(shared_makespan("peft", ten) == 85);
  CHECK(shared_makespan("min_min", ten) == 76);
}
