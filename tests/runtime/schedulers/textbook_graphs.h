// Graph schedulers as their papers write them, slow and plain, and the schedule that they build: a list of what each
// machine does. The fast ones must equal them in every bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "runtime/cost/graph_problem.h"
#include "tests/support/layers.h"

namespace textbook {

bool equal_times(double a, double b);  // 1e-9, relative, absolute below 1
// The first of these values that is equal to the least; none if all are infinite.
std::optional<std::size_t> first_of_least(const std::vector<double>& values);

class GraphState {
 public:
  GraphState(const perigee::test::GraphProblem& problem, bool insertion);

  double arrival(std::size_t task, std::size_t machine) const;
  double start(std::size_t task, std::size_t machine) const;
  double finish(std::size_t task, std::size_t machine) const;
  double end(std::size_t machine) const;
  void place(std::size_t task, std::size_t machine);
  bool ready(std::size_t task) const;
  std::vector<std::size_t> all_ready() const;
  std::vector<double> by_machine(const std::function<double(std::size_t machine)>& value) const;

  const perigee::test::GraphProblem& problem;
  perigee::test::GraphPlan plan;

 private:
  struct Busy {
    double from, to;
  };
  bool insertion_;
  std::vector<std::vector<Busy>> busy_;  // per machine, by time
  std::vector<std::uint8_t> placeable_;
};

double mean_time(const perigee::test::GraphProblem& p, std::size_t task);
double median_time(const perigee::test::GraphProblem& p, std::size_t task);
// Over all ordered pairs of different machines.
double mean_transfer(const perigee::test::GraphProblem& p, const perigee::test::GraphArc& arc);
std::vector<double> upward_rank(const perigee::test::GraphProblem& p, bool communication = true,
                                bool median = false);
std::vector<double> downward_rank(const perigee::test::GraphProblem& p);
std::vector<std::vector<double>> oct(const perigee::test::GraphProblem& p);
std::vector<std::vector<double>> bil_levels(const perigee::test::GraphProblem& p);

perigee::test::GraphPlan heft(const perigee::test::GraphProblem& p);
perigee::test::GraphPlan cpop(const perigee::test::GraphProblem& p);
perigee::test::GraphPlan peft(const perigee::test::GraphProblem& p);
perigee::test::GraphPlan lookahead(const perigee::test::GraphProblem& p);
perigee::test::GraphPlan hlfet(const perigee::test::GraphProblem& p);
perigee::test::GraphPlan etf(const perigee::test::GraphProblem& p);
perigee::test::GraphPlan dls(const perigee::test::GraphProblem& p, bool general);
perigee::test::GraphPlan bil(const perigee::test::GraphProblem& p);
// Ready tasks: the one of least (or greatest) best finish, or of greatest difference to the second.
perigee::test::GraphPlan min_min_ready(const perigee::test::GraphProblem& p);
perigee::test::GraphPlan max_min_ready(const perigee::test::GraphProblem& p);
perigee::test::GraphPlan sufferage_ready(const perigee::test::GraphProblem& p);
perigee::test::GraphPlan mct_ready(const perigee::test::GraphProblem& p);
// The least makespan of all, found by trying every order and every machine. For six tasks or so.
double least_of_all(const perigee::test::GraphProblem& p);

}  // namespace textbook
