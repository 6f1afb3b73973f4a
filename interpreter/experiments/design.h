// The design of an experiment without the functions of its script: factors, combinations, replications,
// seeds.
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

#include "interpreter/session/cells.h"
#include "runtime/kernel/error.h"
#include "runtime/results/table.h"

namespace perigee::experiments {

struct Factor {
  std::string name;
  std::vector<Cell> levels;  // numbers, true and false; all other levels as the texts that tables show
};

// The number of replications of each combination. There are `least`, then more until the interval of the mean
// of `measure` is narrow enough, at the most `most`. A fixed number is least = most.
struct Replications {
  std::uint64_t least = 1, most = 1;
  double half_width = 0;  // in the measure's unit, or a share of the mean
  bool relative = false;
  std::string measure = {};
  double confidence = 0.95;

  bool operator==(const Replications&) const = default;
};

struct Design {
  std::string name;
  std::vector<Factor> factors;
  std::vector<std::vector<std::uint32_t>> combinations;  // the level of each factor
  Replications replications;
  std::uint64_t seed = 1;  // the script's seed
  std::string seeds =
      {};  // what the seeds of replications are drawn for in place of the name; empty: the name
  std::optional<std::uint64_t> seed_of_cells = {};  // of all of them, in place of one for each replication
  std::string context;  // hash of all that cells can depend on besides factors and seed
  SourceLocation where;
  // Set where cells are kept; a word may have put parts of its own there before. `key` is a hash of everything that cells depend on, `parts` are its parts; then
  // come hashes of each level of each factor.
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
  // The seed of all cells of a replication: seed_of_cells, where there is one. Else it depends on the script's seed,
  // the experiment's name, or `seeds`, and the replication alone. It is below 2^52, so that a double holds it.
  std::uint64_t seed_of(std::uint64_t replication) const;
  // Whether another run of the script has declared the same.
  bool same_as(const Design& other) const;
  std::string digest() const;  // a hash of what same_as() compares
};

// How the part of a key begins whose experiment was declared when a shard had but a part of another one's
// results. It is no part of the hash.
inline constexpr std::string_view kPartialResults = "the part that a shard has of the results of ";

// How the names of experiments begin that are rounds of a duel, whose cells are states of its search.
inline constexpr std::string_view kRoundOfDuel = "round of duel ";

std::string text_of(const Cell& level);

// The outcome of one cell.
struct CellOutcome {
  using Names = std::shared_ptr<const std::vector<std::string>>;
  Names names;                 // names of the measures; null when the cell failed
  std::vector<double> values;  // one for each name; measures that a cell lacks are not listed
  std::string error = {};      // why the cell failed
  // A file or setting that the cell looked for. The value is the hash of a file or the text of a setting,
  // nothing when there was none. A seed that the script named in place of the cell's own has no value.
  struct Read {
    enum class Kind : std::uint8_t { file, setting, seed };
    Kind kind = Kind::file;
    std::string name;
    std::optional<std::string> value;
    auto operator<=>(const Read&) const = default;
  };
  std::vector<Read> reads = {};
  std::vector<CellWarning> warnings = {};
  bool stored = false;     // stored by an earlier run
  bool elsewhere = false;  // and not in the run's own folder, but in one of --known

  bool failed() const { return names == nullptr; }
  const double* find(std::string_view measure) const;  // null = the cell lacks it
};

// Cells by number.
using CellOutcomes = std::map<std::uint64_t, CellOutcome>;

// The cells to be done next, in order, when all cells of the last round are done; empty = no more. Only the
// outcomes decide, not the interpreters that computed them. Error "unknown_measure" when the measure that
// decides is in no finished cell.
std::vector<std::uint64_t> next_round(const Design& design, const CellOutcomes& outcomes);

// The combinations whose interval is not as narrow as the rule of replications asks for, each with its
// half-width, as texts.
std::vector<std::string> imprecise(const Design& design, const CellOutcomes& outcomes);

// Adds a warning to each cell of a combination whose replications are one replication several times. They all
// measure the same, and all named the same seeds, or forked simulations that have them. No cell is warned
// when no seed was named: without randomness all replications are alike too.
void warn_of_same_seeds(const Design& design, CellOutcomes& outcomes);

}  // namespace perigee::experiments
