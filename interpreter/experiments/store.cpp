#include "interpreter/experiments/store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

namespace perigee::experiments {

namespace {

constexpr int kApplication = 0x50455249;  // "PERI"
constexpr int kVersion = 2;
constexpr int kPatience = 2000;  // milliseconds to wait for a process that is ending

// docs/experiments.md describes this schema.
constexpr const char* kSchema = R"(
  CREATE TABLE cells (
    key TEXT NOT NULL,            -- of what the cell depends on besides what follows: a hash
    experiment TEXT NOT NULL,
    levels TEXT NOT NULL,         -- hash of the factors' levels
    replication INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    factors TEXT NOT NULL,        -- {"nodes": 4, "policy": "workqueue"}
    measures TEXT NOT NULL,       -- {"makespan": 1392.8992535121213}; "nan", "inf" and "-inf" are texts
    warnings TEXT NOT NULL,       -- [["pieces of work rejected that no host can run", 9]]
    reads TEXT NOT NULL,          -- [["file", "log.swf", "hash"], ["setting", "n", null], ["seed", "7", null]]
    checksum TEXT NOT NULL,       -- of all the others
    PRIMARY KEY (key, experiment, levels, replication, reads));
  CREATE TABLE keys (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    experiment TEXT NOT NULL,
    parts TEXT NOT NULL,          -- [["the variable 'n'", "hash"]]
    UNIQUE (key, experiment));
)";

constexpr std::array<std::string_view, 3> kKindsOfReads = {"file", "setting", "seed"};

void set(sqlite3_stmt* statement, int place, const std::string& text) {
  sqlite3_bind_text(statement, place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}
void set(sqlite3_stmt* statement, int place, std::uint64_t number) {
  sqlite3_bind_int64(statement, place, static_cast<sqlite3_int64>(number));
}
std::string text_at(sqlite3_stmt* statement, int column) {
  const auto* text = static_cast<const char*>(sqlite3_column_blob(statement, column));
  return {text != nullptr ? text : "", static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

// Makes a statement ready for its next use, however this use ends.
class Use {
 public:
  explicit Use(sqlite3_stmt* statement) : statement_(statement) {}
  ~Use() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  sqlite3_stmt* statement_;
};

using nlohmann::ordered_json;

std::string dumped(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

ordered_json json_of(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}
double store_number_of(const ordered_json& json) {
  if (json.is_number()) return json.get<double>();
  const auto text = json.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return text == "-inf" ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
}

std::string factors_of(const Design& design, std::uint64_t cell) {
  ordered_json factors = ordered_json::object();
  for (std::size_t f = 0; f < design.factors.size(); ++f) {
    const Cell& level = design.level(design.combination_of(cell), f);
    ordered_json& shown = factors[design.factors[f].name];
    if (const auto* number = std::get_if<double>(&level))
      shown = json_of(*number);
    else if (const auto* truth = std::get_if<bool>(&level))
      shown = *truth;
    else
      shown = text_of(level);
  }
  return dumped(factors);
}

// The columns of a row without the key.
struct Row {
  std::string factors, measures, warnings, reads;
  std::string checksum(const Design& design, std::uint64_t cell) const {
    const std::uint64_t replication = design.replication_of(cell);
    return hash_text(dumped({design.key, design.name, design.levels_key(design.combination_of(cell)),
                             replication, design.seed_of(replication), factors, measures, warnings, reads}));
  }
};

Row store_row_of(const Design& design, std::uint64_t cell, const CellOutcome& outcome) {
  ordered_json measures = ordered_json::object(), warnings = ordered_json::array(),
               reads = ordered_json::array();
  for (std::size_t i = 0; i < outcome.values.size(); ++i)
    measures[(*outcome.names)[i]] = json_of(outcome.values[i]);
  for (const CellWarning& each : outcome.warnings) warnings.push_back({each.text, each.count});
  for (const CellOutcome::Read& each : outcome.reads)
    reads.push_back({kKindsOfReads.at(static_cast<std::size_t>(each.kind)), each.name,
                     each.value ? ordered_json(*each.value) : ordered_json()});
  return {factors_of(design, cell), dumped(measures), dumped(warnings), dumped(reads)};
}

// Error of the JSON library when the row is not perigee's.
CellOutcome outcome_of(const Row& row) {
  CellOutcome outcome;
  auto names = std::make_shared<std::vector<std::string>>();
  const ordered_json measures = ordered_json::parse(row.measures);
  for (const auto& [name, value] : measures.items()) {
    names->push_back(name);
    outcome.values.push_back(store_number_of(value));
  }
  outcome.names = std::move(names);
  for (const auto& each : ordered_json::parse(row.warnings))
    outcome.warnings.push_back({each.at(0).get<std::string>(), each.at(1).get<std::uint64_t>()});
  for (const auto& each : ordered_json::parse(row.reads)) {
    const auto kind = std::ranges::find(kKindsOfReads, each.at(0).get<std::string>());
    CellOutcome::Read read{static_cast<CellOutcome::Read::Kind>(kind - kKindsOfReads.begin()), each.at(1),
                           std::nullopt};
    if (!each.at(2).is_null()) read.value = each.at(2).get<std::string>();
    outcome.reads.push_back(std::move(read));
  }
  outcome.stored = true;
  return outcome;
}

// Whether a database is a link, or one of the files that SQLite makes beside it is.
bool is_link(const std::string& path) {
  std::error_code error;
  for (const char* end : {"", "-wal", "-shm", "-journal"})
    if (std::filesystem::is_symlink(path + end, error)) return true;
  return false;
}

}  // namespace

Store::Store(const std::string& folder)
    : path_((std::filesystem::path(folder) / "experiments.sqlite").string()),
      database_(nullptr, sqlite3_close),
      find_(nullptr, sqlite3_finalize),
      put_(nullptr, sqlite3_finalize),
      cells_(nullptr, sqlite3_finalize),
      keys_(nullptr, sqlite3_finalize),
      put_key_(nullptr, sqlite3_finalize) {
  if (is_link(path_))
    fail("bad_store", "{} is a link, which may lead anywhere; remove it, or give another folder with --out",
         path_);
  sqlite3* opened = nullptr;
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int status = sqlite3_open_v2(path_.c_str(), &opened, kFlags, nullptr);
  database_.reset(opened);
  if (status != SQLITE_OK) complain(status);
  sqlite3_busy_timeout(opened, kPatience);
  // One process at a time; the lock goes with the process. Nothing waits for the disk: committed cells
  // survive the process, and the file stays whole even when power fails.
  run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  run("BEGIN IMMEDIATE");
  const auto pragma = [&](const char* sql) {
    const Statement statement = prepare(sql);
    return step(statement.get()) ? sqlite3_column_int(statement.get(), 0) : 0;
  };
  const int application = pragma("PRAGMA application_id"), version = pragma("PRAGMA user_version");
  const bool is_new = application == 0 && version == 0 && pragma("SELECT count(*) FROM sqlite_schema") == 0;
  if (!is_new && application != kApplication)
    fail("bad_store", "{} is a database of another program; give another folder with --out", path_);
  if (version > kVersion)
    fail("bad_store", "{} was made by a newer perigee; give another folder with --out", path_);
  // Cells of another version are never used.
  if (!is_new && version < kVersion) run("DROP TABLE IF EXISTS cells; DROP TABLE IF EXISTS reads;");
  if (version < kVersion) {
    run(kSchema);
    run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kApplication, kVersion).c_str());
  }
  run("COMMIT");
  find_ = prepare(
      "SELECT seed, factors, measures, warnings, reads, checksum FROM cells "
      "WHERE key = ? AND experiment = ? AND levels = ? AND replication = ?");
  put_ = prepare(
      "INSERT OR REPLACE INTO cells (key, experiment, levels, replication, seed, factors, "
      "measures, warnings, reads, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  cells_ = prepare(
      "SELECT count(*) FROM (SELECT DISTINCT levels, "
      "replication FROM cells WHERE key = ? AND experiment = ?)");
  keys_ = prepare("SELECT key, parts FROM keys WHERE experiment = ? ORDER BY number DESC");
  put_key_ = prepare("INSERT OR REPLACE INTO keys (key, experiment, parts) VALUES (?, ?, ?)");
}

Store::~Store() = default;

void Store::complain(int code) {
  const std::string reason = database_ ? sqlite3_errmsg(database_.get()) : std::string(sqlite3_errstr(code));
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      fail("store_in_use",
           "{} is in use by another perigee; wait for it to end, or give another folder with --out", path_);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      fail("bad_store",
           "{} is not a store of experiments ({}); move it away, or give another folder with --out", path_,
           reason);
    default:
      fail("no_store", "{} cannot be used: {}; the cells stored before are kept", path_, reason);
  }
}

Store::Statement Store::prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (const int status = sqlite3_prepare_v2(database_.get(), sql, -1, &statement, nullptr);
      status != SQLITE_OK)
    complain(status);
  return {statement, sqlite3_finalize};
}

void Store::run(const char* sql) {
  if (const int status = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr); status != SQLITE_OK)
    complain(status);
}

bool Store::step(sqlite3_stmt* statement) {
  const int status = sqlite3_step(statement);
  if (status != SQLITE_ROW && status != SQLITE_DONE) complain(status);
  return status == SQLITE_ROW;
}

namespace {

void bind_key(sqlite3_stmt* statement, const Design& design, std::uint64_t cell) {
  set(statement, 1, design.key);
  set(statement, 2, design.name);
  set(statement, 3, design.levels_key(design.combination_of(cell)));
  set(statement, 4, design.replication_of(cell));
}

}  // namespace

std::optional<CellOutcome> Store::find(const Design& design, std::uint64_t cell, const Now& now) {
  sqlite3_stmt* statement = find_.get();
  const Use use(statement);
  bind_key(statement, design, cell);
  std::optional<std::set<std::string>> changed;  // since the row that is nearest to what is now
  while (step(statement)) {  // a row for each state of the files and settings that the cell looked for
    const Row row{text_at(statement, 1), text_at(statement, 2), text_at(statement, 3), text_at(statement, 4)};
    const auto seed = static_cast<std::uint64_t>(sqlite3_column_int64(statement, 0));
    bool whole = text_at(statement, 5) == row.checksum(design, cell) &&
                 seed == design.seed_of(design.replication_of(cell));
    if (whole) {
      try {
        CellOutcome outcome = outcome_of(row);
        std::set<std::string> others;
        for (const CellOutcome::Read& read : outcome.reads)
          if (now(read) != read.value)
            others.insert(
                fmt::format("the {} '{}'", kKindsOfReads.at(static_cast<std::size_t>(read.kind)), read.name));
        if (others.empty()) return outcome;
        if (!changed || others.size() < changed->size()) changed = std::move(others);
      } catch (const nlohmann::json::exception&) {
        whole = false;
      }
    }
    if (!whole) ++damaged_;
  }
  if (changed) {
    ++outdated_.cells;
    outdated_.reads.merge(*changed);
  }
  return std::nullopt;
}

void Store::put(const Design& design, std::uint64_t cell, const CellOutcome& outcome) {
  const Row row = store_row_of(design, cell, outcome);
  sqlite3_stmt* statement = put_.get();
  const Use use(statement);
  bind_key(statement, design, cell);
  set(statement, 5, design.seed_of(design.replication_of(cell)));
  set(statement, 6, row.factors);
  set(statement, 7, row.measures);
  set(statement, 8, row.warnings);
  set(statement, 9, row.reads);
  set(statement, 10, row.checksum(design, cell));
  step(statement);
}

Store::Others Store::enter(const Design& design) {
  const auto cells_of = [&](const std::string& key) {
    sqlite3_stmt* statement = cells_.get();
    const Use use(statement);
    set(statement, 1, key);
    set(statement, 2, design.name);
    step(statement);
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement, 0));
  };
  Others others;
  std::string parts;
  if (cells_of(design.key) == 0) {
    sqlite3_stmt* statement = keys_.get();
    const Use use(statement);
    set(statement, 1, design.name);
    while (others.cells == 0 && step(statement)) {
      others.cells = cells_of(text_at(statement, 0));
      parts = text_at(statement, 1);
    }
  }
  if (others.cells > 0) {
    std::map<std::string, std::string> before;
    for (const auto& part : ordered_json::parse(parts, nullptr, false))
      if (part.is_array() && part.size() == 2 && part[0].is_string() && part[1].is_string())
        before[part[0]] = part[1];
    for (const KeyPart& part : design.parts) {
      const auto then = before.extract(part.name);
      if (then.empty() || then.mapped() != part.digest) others.changed.push_back(part.name);
    }
    for (const auto& [name, digest] : before) others.changed.push_back(name);
  }
  ordered_json list = ordered_json::array();
  for (const KeyPart& part : design.parts) list.push_back({part.name, part.digest});
  sqlite3_stmt* statement = put_key_.get();
  const Use use(statement);
  set(statement, 1, design.key);
  set(statement, 2, design.name);
  set(statement, 3, dumped(list));
  step(statement);
  return others;
}

}  // namespace perigee::experiments
