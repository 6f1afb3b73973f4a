// Experiments as parts of pages.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "interpreter/experiments/design.h"
#include "runtime/pages/document.h"
#include "runtime/plots/plot.h"

namespace perigee::experiments {

// The section of an experiment: what was varied, means with intervals as tables and figures, failures, warnings, and all
// cells. `cells`: those that
// the experiment would have when it is done, as far as is known; 0 = as many as there are outcomes.
// `look`: gives the series of a figure the colours that they have in the script's other figures.
pages::Section section_of(const Design& design, const CellOutcomes& outcomes, std::uint64_t cells = 0,
                          const std::function<void(plots::Figure&)>& look = {});

// An experiment as a store has it: its cells of the latest state of the script. Levels are in the order of their first
// cells.
struct StoredExperiment {
  Design design;
  CellOutcomes outcomes;
  std::uint64_t cells = 0;  // as progress.json says; 0 = it does not
  bool knows_seeds = true;  // Design::seed is the script's: it gives the seeds that are stored
};
pages::Section section_of(const StoredExperiment& stored);
// In the order in which the script came to them. Error as in the store's reading.
std::vector<StoredExperiment> stored_experiments(const std::string& folder);

}  // namespace perigee::experiments
