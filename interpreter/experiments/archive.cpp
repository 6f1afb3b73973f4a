#include "interpreter/experiments/archive.h"

#include <nlohmann/json.hpp>

namespace perigee::experiments {

Archive::Archive(Database database)
    : database_(std::move(database)),
      find_(database_.prepare("SELECT seed, measures, warnings, reads, checksum FROM results "
                              "WHERE key = ? AND replication = ? AND combination = ?")),
      key_(database_.prepare("SELECT number FROM keys WHERE key = ? AND experiment = ?")),
      keys_(database_.prepare("SELECT number, parts FROM keys WHERE experiment = ? ORDER BY entered DESC")),
      any_(database_.prepare("SELECT EXISTS (SELECT 1 FROM results WHERE key = ?)")),
      count_(database_.prepare(
          "SELECT count(*) FROM (SELECT DISTINCT replication, combination FROM results WHERE key = ?)")),
      places_(database_.prepare("SELECT number, factors FROM combinations WHERE levels = ?")) {}

std::optional<std::int64_t> Archive::key_of(const Design& design) {
  const Use use(key_);
  set(key_.get(), 1, design.key);
  set(key_.get(), 2, design.name);
  return database_.step(key_.get()) ? std::optional(number_at(key_.get(), 0)) : std::nullopt;
}

bool Archive::has_cells(std::int64_t key) {
  const Use use(any_);
  set(any_.get(), 1, key);
  return database_.step(any_.get()) && number_at(any_.get(), 0) != 0;
}

std::uint64_t Archive::cells_of(std::int64_t key) {
  const Use use(count_);
  set(count_.get(), 1, key);
  database_.step(count_.get());
  return static_cast<std::uint64_t>(number_at(count_.get(), 0));
}

std::vector<std::pair<std::int64_t, std::string>> Archive::keys_of(const std::string& experiment) {
  std::vector<std::pair<std::int64_t, std::string>> keys;
  const Use use(keys_);
  set(keys_.get(), 1, experiment);
  while (database_.step(keys_.get())) keys.emplace_back(number_at(keys_.get(), 0), text_at(keys_.get(), 1));
  return keys;
}

Archive::Shelf& Archive::shelf(const Design& design) {
  Shelf& shelf = shelves_[&design];
  if (shelf.key != design.key || shelf.name != design.name ||
      shelf.places.size() != design.combinations.size()) {
    shelf = {};
    shelf.key = design.key;
    shelf.name = design.name;
    shelf.number = key_of(design);
    shelf.places.resize(design.combinations.size());
    shelf.own.resize(design.combinations.size());
  }
  return shelf;
}

const std::vector<Archive::Place>& Archive::places(Shelf& shelf, const Design& design,
                                                   std::size_t combination) {
  std::optional<std::vector<Place>>& places = shelf.places[combination];
  if (places) return *places;
  places.emplace();
  const std::string levels = design.levels_key(combination), factors = factors_text(design, combination);
  const Use use(places_);
  set(places_.get(), 1, levels);
  while (database_.step(places_.get())) {
    const std::string_view stored = text_at(places_.get(), 1);
    const Place place{number_at(places_.get(), 0), RowSum(design.key, design.name, levels, stored)};
    if (stored == factors) shelf.own[combination] = place;
    places->insert(stored == factors ? places->begin() : places->end(), place);
  }
  return *places;
}

// Whether the row at which find_ stands is the cell.
bool Archive::take_row(const Design& design, std::uint64_t cell, const Place& place, const Now& now,
                       Found& found) {
  sqlite3_stmt* row = find_.get();
  const auto replication = static_cast<std::int64_t>(design.replication_of(cell));
  const std::int64_t seed = number_at(row, 0);
  const std::string_view measures = text_at(row, 1), warnings = text_at(row, 2), reads = text_at(row, 3);
  const bool is_whole = place.sum.of(replication, seed, measures, warnings, reads) == number_at(row, 4) &&
                        static_cast<std::uint64_t>(seed) == design.seed_of(design.replication_of(cell));
  if (is_whole) {
    try {
      CellOutcome outcome = outcome_of(measures, warnings, reads);
      std::set<std::string> others;
      for (const CellOutcome::Read& read : outcome.reads)
        if (now(read) != read.value) others.insert(read_text_of(read));
      if (others.empty()) {
        found.outcome = std::move(outcome);
        return true;
      }
      if (!found.changed || others.size() < found.changed->size()) found.changed = std::move(others);
      return false;
    } catch (const nlohmann::json::exception&) {  // the row is not perigee's
    }
  }
  ++found.damaged;
  return false;
}

Archive::Found Archive::find(const Design& design, std::uint64_t cell, const Now& now) {
  Found found;
  Shelf& shelf = this->shelf(design);
  if (!shelf.number) return found;
  for (const Place& place : places(shelf, design, design.combination_of(cell))) {
    const Use use(find_);
    set(find_.get(), 1, *shelf.number);
    set(find_.get(), 2, static_cast<std::int64_t>(design.replication_of(cell)));
    set(find_.get(), 3, place.number);
    while (database_.step(find_.get()))  // a row for each state of the files that the cell looked for
      if (take_row(design, cell, place, now, found)) return found;
  }
  return found;
}

}  // namespace perigee::experiments
