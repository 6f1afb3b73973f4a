// The cells of one database, to be looked up.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/experiments/cell_rows.h"
#include "interpreter/experiments/database.h"
#include "interpreter/experiments/design.h"

namespace perigee::experiments {

// The format of stores, in SQLite's user_version, and its application_id.
inline constexpr int kStoreVersion = 3;
inline constexpr int kStoreApplication = 0x50455249;  // "PERI"

class Archive {
 public:
  explicit Archive(Database database);

  Database& database() { return database_; }
  const Database& database() const { return database_; }

  // The present value of a file or setting: its hash or its text.
  using Now = std::function<std::optional<std::string>(const CellOutcome::Read&)>;
  // A cell as it was stored; otherwise what was in its way.
  struct Found {
    std::optional<CellOutcome> outcome;
    std::optional<std::set<std::string>> changed;  // reads of the row that is nearest to what is now
    std::uint64_t damaged = 0;
  };
  Found find(const Design& design, std::uint64_t cell, const Now& now);

  // A number in the table `keys`; nothing when the key is not there.
  std::optional<std::int64_t> key_of(const Design& design);
  bool has_cells(std::int64_t key);
  std::uint64_t cells_of(std::int64_t key);  // without those of other states of files
  // The keys of an experiment, the latest first, with their parts.
  std::vector<std::pair<std::int64_t, std::string>> keys_of(const std::string& experiment);

  // A combination in the table `combinations`, with the sums of its rows.
  struct Place {
    std::int64_t number = 0;
    RowSum sum;
  };
  // Facts about a design whose cells are looked up or put.
  struct Shelf {
    std::string key, name;
    std::optional<std::int64_t> number;  // of the key
    // By combination: the places that have its levels. Their factors differ where a level has got another
    // name.
    std::vector<std::optional<std::vector<Place>>> places;
    std::vector<std::optional<Place>> own;  // the place for this combination's levels and factors
    std::uint64_t replication = 0, seed = 0;
  };
  Shelf& shelf(const Design& design);
  const std::vector<Place>& places(Shelf& shelf, const Design& design, std::size_t combination);
  void forget(const Design* design) { shelves_.erase(design); }
  void forget_all() { shelves_.clear(); }

 private:
  bool take_row(const Design& design, std::uint64_t cell, const Place& place, const Now& now, Found& found);

  Database database_;
  Statement find_, key_, keys_, any_, count_, places_;
  std::unordered_map<const Design*, Shelf> shelves_;
};

}  // namespace perigee::experiments
