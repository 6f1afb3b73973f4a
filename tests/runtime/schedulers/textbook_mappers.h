// The mappers as their papers write them, slow and plain. The fast ones must equal them in every bit. A
// machine is feasible for a task when the completion time is finite.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "runtime/cost/chart_mapping.h"
#include "runtime/cost/mapping.h"
#include "tests/support/layers.h"

namespace textbook {

inline constexpr double kInf = std::numeric_limits<double>::infinity();

class State {
 public:
  explicit State(const perigee::test::MappingProblem& problem);

  double ready(std::size_t m) const;
  // The cores that task j would take on m: again and again the core that is free first; ties: the lowest.
  // Empty if there are too few.
  std::vector<std::size_t> taken(std::size_t j, std::size_t m) const;
  double start(std::size_t j, std::size_t m) const;
  double end(std::size_t j, std::size_t m) const { return start(j, m) + problem_.time(j, m); }
  double ct(std::size_t j, std::size_t m) const;
  bool feasible(std::size_t j, std::size_t m) const { return ct(j, m) < kInf; }
  std::optional<std::size_t> best(std::size_t j) const;
  double sufferage(std::size_t j) const;
  void assign(std::size_t j, std::size_t m);

 private:
  const perigee::test::MappingProblem& problem_;

 public:
  std::vector<std::vector<double>> core;  // per machine; one where machines have no cores
  std::vector<bool> waiting;
  perigee::test::Mapping out;
};

perigee::test::Mapping olb(const perigee::test::MappingProblem& p);
perigee::test::Mapping met(const perigee::test::MappingProblem& p);
perigee::test::Mapping mct(const perigee::test::MappingProblem& p);
// k percent of the machines, at least one: those with the smallest times, taken one after another.
perigee::test::Mapping kpb(const perigee::test::MappingProblem& p, double k);
perigee::test::Mapping switching(const perigee::test::MappingProblem& p, double low, double high);
perigee::test::Mapping min_min(const perigee::test::MappingProblem& p);
perigee::test::Mapping max_min(const perigee::test::MappingProblem& p);
// Algorithms 1 and 2 of the IRMaSim thesis: sorted once by declared time, then each to its best machine.
perigee::test::Mapping sorted(const perigee::test::MappingProblem& p, bool longest_first);
perigee::test::Mapping duplex(const perigee::test::MappingProblem& p);
perigee::test::Mapping sufferage(const perigee::test::MappingProblem& p);
perigee::test::Mapping sufferage_passes(const perigee::test::MappingProblem& p);
// The smallest makespan of all mappings of the tasks that can run somewhere, found by trying each.
double optimum(const perigee::test::MappingProblem& p);
perigee::cost::Mapping xsufferage(const perigee::cost::MappingProblem& p);
perigee::cost::Mapping extended_sufferage(const perigee::cost::MappingProblem& p, perigee::cost::NoJump none,
                                          perigee::cost::Suffering as);
perigee::cost::Mapping sufferage_2(const perigee::cost::MappingProblem& p);

}  // namespace textbook
