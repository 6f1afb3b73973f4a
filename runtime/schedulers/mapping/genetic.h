#pragma once

#include <memory>
#include <vector>

#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {

// The genetic algorithm of Braun et al., JPDC 61(6), 2001. In each generation the best chromosome stays, and
// the others are drawn anew by rank: of P the best has P of the P (P + 1) / 2 chances, the worst 1. Each of
// them is chosen for crossover with a chance of its own, and those chosen, two and two, exchange their
// machines from a random task on; then each is chosen for mutation, by which a random task gets a random
// machine. It ends after so many generations, or so many without a better one, or when all chromosomes are
// equal. Annealed, a changed chromosome replaces what it was made from only when its makespan is less than
// that one's plus the temperature, which begins at the mean makespan and falls with each generation.
std::unique_ptr<Mapper> genetic(const Arguments& given, bool annealed);
// The parameters of both forms.
std::vector<Parameter> genetic_parameters();

}  // namespace perigee::mapping
