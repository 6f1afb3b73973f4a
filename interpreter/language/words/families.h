// The words by families, each with a source of its own. vocabulary() has all of them in this order.
#pragma once

#include <span>

#include "interpreter/language/vocabulary.h"

namespace perigee::language {

extern const std::span<const Word> kWordsOfDeclarations;
extern const std::span<const Word> kWordsOfGraphs;
extern const std::span<const Word> kWordsOfMappings;
extern const std::span<const Word> kWordsOfGraphCosts;
extern const std::span<const Word> kWordsOfRuns;
extern const std::span<const Word> kWordsOfDuels;
extern const std::span<const Word> kWordsOfStatistics;
extern const std::span<const Word> kWordsOfCharts;
extern const std::span<const Word> kWordsOfPolicies;
extern const std::span<const Word> kWordsOfStandardLua;
extern const std::span<const Word> kWordsOfProcesses;

// The meanings of native types and of their fields.
extern const std::span<const Meaning> kMeaningsOfMembers;

}  // namespace perigee::language
