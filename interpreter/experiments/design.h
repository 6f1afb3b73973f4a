// What an experiment is, apart from the functions of its script: factors, combinations, replications, seeds.
//
// A cell is one combination of levels in one replication. Cells are numbered from 1: all combinations of
// replication 1, then all of replication 2, and so on; the last factor varies fastest.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/layers.h"
#include "runtime/kernel/error.h"
#include "runtime/results/table.h"

namespace perigee::experiments {

struct Factor {
  std::string name;
  std::vector<Cell> levels;  // numbers, and texts of all else, as tables show them
};

// Of each combination: `least`, then more until the interval of the mean of `measure` is narrow enough, at
// the most `most`. A fixed number is least = most.
struct Replications {
  std::uint64_t least = 1, most = 1;
  double half_width = 0;  // in the measure's unit, or a share of the mean
  bool relative = false;
  std::string measure = {};
  double confidence = 0.95;

  bool operator==(const Replications&) const = default;
};

// One thing that cells depend on, and what it was: "the variable 'n', which 'run' captured".
struct KeyPart {
  std::string name, digest;
};

struct Design {
  std::string name;
  std::vector<Factor> factors;
  std::vector<std::vector<std::uint32_t>> combinations;  // the level of each factor
  Replications replications;
  std::uint64_t seed = 1;  // of the script
  std::string context;     // hash of all that cells can depend on besides factors and seed
  SourceLocation where;
  // Where cells are kept: hash of what they do depend on, its parts, and of each level of each factor.
  std::string key = {};
  std::vector<KeyPart> parts = {};
  std::vector<std::vector<std::string>> level_keys = {};

  std::uint64_t number(std::size_t combination, std::uint64_t replication) const {
    return (replication - 1) * combinations.size() + combination + 1;
  }
  std::size_t combination_of(std::uint64_t number) const { return (number - 1) % combinations.size(); }
  std::uint64_t replication_of(std::uint64_t number) const { return (number - 1) / combinations.size() + 1; }
  std::uint64_t most_cells() const { return replications.most * combinations.size(); }
  const Cell& level(std::size_t combination, std::size_t factor) const {
    return factors[factor].levels[combinations[combination][factor]];
  }
  std::string levels_key(std::size_t combination) const;
  // "policy = fcfs, size = 300 KB"
  std::string levels_text(std::size_t combination) const;
  // "cell 7 (policy = fcfs, replication 2, seed 123)"
  std::string cell_text(std::uint64_t number) const;
  // Of all cells of a replication: from the script's seed, the experiment's name and the replication alone.
  // Below 2^52, so that a double holds it.
  std::uint64_t seed_of(std::uint64_t replication) const;
  // Whether a script that is run again has declared the same.
  bool same_as(const Design& other) const;
};

std::string text_of(const Cell& level);

// Something that a cell would have been warned of, alike in all cells, and how often it occurred there; 0
// where that is not counted.
struct CellWarning {
  std::string text;
  std::uint64_t count = 0;
  bool operator==(const CellWarning&) const = default;
};

// What one cell gave.
struct CellOutcome {
  using Names = std::shared_ptr<const std::vector<std::string>>;
  Names names;                 // of the measures; null when it failed
  std::vector<double> values;  // one each; measures that a cell does not have are not listed
  std::string error = {};      // why it failed
  // A file or setting that it looked for: the hash of the one, the text of the other; nothing where it was not
  // there. A seed that the script named in place of the cell's own has no value.
  struct Read {
    enum class Kind : std::uint8_t { file, setting, seed };
    Kind kind = Kind::file;
    std::string name;
    std::optional<std::string> value;
    auto operator<=>(const Read&) const = default;
  };
  std::vector<Read> reads = {};
  std::vector<CellWarning> warnings = {};
  bool stored = false;  // by an earlier run

  bool failed() const { return names == nullptr; }
  const double* find(std::string_view measure) const;  // null = it has none
};

// Cells by number.
using CellOutcomes = std::map<std::uint64_t, CellOutcome>;

// The cells to be done next, in order, when all of the last round are; empty = no more. What came out
// decides, not who computed it. Error "unknown_measure" when the measure that decides is in no finished cell.
std::vector<std::uint64_t> next_round(const Design& design, const CellOutcomes& outcomes);

// A warning in each cell of a combination whose replications all measure the same, where each of them named
// the same seeds: it is one replication, several times. Nothing where no seed was named: without randomness
// all replications are alike too.
void warn_of_same_seeds(const Design& design, CellOutcomes& outcomes);

// 128 bits in hexadecimal digits.
std::string hash_text(std::string_view text);

}  // namespace perigee::experiments
