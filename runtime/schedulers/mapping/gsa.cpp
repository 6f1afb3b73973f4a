// Genetic simulated annealing: the genetic algorithm, but a changed chromosome that is much worse than its
// original is dropped. The lower the temperature, the smaller the difference that is accepted.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837; the roulette is by linear ranks. genetic.h has the
// steps. Vectors run in input order.
//
// Cost: O(P (T + M + log P)) a generation for a population of P, T tasks, M machines. Ties: the lower
// chromosome ranks first; the first of equal makespans is kept.
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/genetic.h"

namespace perigee::mapping {

Entry gsa() {
  std::vector<Parameter> parameters = genetic_parameters();
  parameters.push_back({.name = "cooling",
                        .type = ParameterType::number,
                        .summary = "factor of the temperature at each generation",
                        .fallback = 0.9,
                        .min = 0,
                        .max = 1});
  return {.name = "gsa",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "the genetic algorithm, in which changes for the worse are kept less and less often",
          .source = "Braun et al. 2001",
          .complexity = "O(P (T + M + log P)) a generation of P",
          .ties = "the first of equal makespans",
          .parameters = std::move(parameters),
          .improves = true,
          .make_mapper = [](const Arguments& given) { return genetic(given, true); }};
}

}  // namespace perigee::mapping
