// Genetic algorithm: a population of mappings. The better ones are drawn more often, crossed and mutated.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837; the roulette is by linear ranks. genetic.h has the
// steps. Vectors run in input order.
//
// Cost: O(P (T + M + log P)) a generation for a population of P, T tasks, M machines. Ties: the lower
// chromosome ranks first; the first of equal makespans is kept.
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/genetic.h"

namespace perigee::mapping {

Entry ga() {
  return {.name = "ga",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "genetic algorithm: mappings are drawn by rank, crossed and mutated",
          .source = "Braun et al. 2001",
          .complexity = "O(P (T + M + log P)) a generation of P",
          .ties = "the first of equal makespans",
          .parameters = genetic_parameters(),
          .improves = true,
          .make_mapper = [](const Arguments& given) { return genetic(given, false); }};
}

}  // namespace perigee::mapping
