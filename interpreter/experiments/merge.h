// Joins the stores of shards into one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/layers.h"

namespace perigee::experiments {

// An experiment's cells in all sources, each counted once.
struct MergedExperiment {
  std::string name;
  std::uint64_t cells = 0, before = 0;  // before: those that were there already
  std::size_t stores = 0;               // sources that have cells of it
  std::string text() const;             // "study: 400 cells from 4 stores, 12 of them there before"
};
struct Merged {
  std::vector<MergedExperiment> experiments;  // by name
  std::vector<std::string> warnings;          // "shard3: 2 damaged cells are not taken"
};

// Copies the cells of the sources, which are folders, into the store of the folder `results`, which is made
// when it is missing. Either all is written or nothing. A source that is given twice, or that is `results`,
// is taken once; without sources, the store of `results` is closed where a process that was killed has left
// it open. Errors: those of FolderLock and Database; "no_store" when a source has no store; "bad_store"
// when one is of another version; "other_experiment" when the latest cells of an experiment depend on
// something else than in another store, "other_seed" when a replication has another seed, "other_measures"
// when a cell has measured something else.
Merged merge(const std::string& results, const std::vector<std::string>& sources);

}  // namespace perigee::experiments
