#pragma once

#include <memory>
#include <vector>

#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {

// The genetic algorithm of Braun et al., JPDC 61(6), 2001. In each generation the best chromosome stays, and
// the others are drawn anew by rank. With P of them, the best has P of the P (P + 1) / 2 chances, the worst
// 1. Each of them is chosen for crossover with a given chance. The chosen ones, two by two, exchange their
// machines from a random task on. Then each is chosen for mutation with another given chance: a random task
// gets a random machine. The algorithm ends after a number of generations, after a number of generations
// without a better chromosome, or when all chromosomes are equal. `annealed`: a changed chromosome replaces
// its original only if its makespan is less than the original's plus the temperature. The temperature begins
// at the mean makespan and falls with each generation.
std::unique_ptr<Mapper> genetic(const Arguments& given, bool annealed);
// The parameters of both forms.
std::vector<Parameter> genetic_parameters();

}  // namespace perigee::mapping
