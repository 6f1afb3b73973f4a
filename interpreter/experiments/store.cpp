#include "interpreter/experiments/store.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>

#include "runtime/kernel/error.h"

namespace perigee::experiments {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kRowsAtATime = 16;

// docs/experiments.md describes this schema.
constexpr const char* kSchema = R"(
  CREATE TABLE keys (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL,            -- hash of what cells depend on besides combination and replication
    experiment TEXT NOT NULL,
    parts TEXT NOT NULL,          -- [["the variable 'n'", "hash"]]
    entered INTEGER NOT NULL,     -- the latest has the largest number
    UNIQUE (key, experiment));
  CREATE TABLE combinations (
    number INTEGER PRIMARY KEY,
    levels TEXT NOT NULL,         -- hash of the factors' levels
    factors TEXT NOT NULL,        -- {"nodes": 4.0, "policy": "workqueue"}
    UNIQUE (levels, factors));
  CREATE TABLE results (
    key INTEGER NOT NULL,         -- a number in keys
    replication INTEGER NOT NULL,
    combination INTEGER NOT NULL, -- a number in combinations
    reads TEXT NOT NULL,          -- [["file", "log.swf", "hash"], ["setting", "n", null]]
    seed INTEGER NOT NULL,
    measures TEXT NOT NULL,       -- {"makespan": 1392.8992535121213}; "nan", "inf" and "-inf" are texts
    warnings TEXT NOT NULL,       -- [["pieces of work rejected that no host can run", 9]]
    checksum INTEGER NOT NULL,    -- of all the others, with what the numbers stand for
    PRIMARY KEY (key, replication, combination, reads)) WITHOUT ROWID;
  CREATE VIEW cells AS
    SELECT keys.key, keys.experiment, levels, replication, seed, factors, measures, warnings, reads, checksum
    FROM results JOIN keys ON keys.number = results.key
                 JOIN combinations ON combinations.number = results.combination;
)";
constexpr const char* kOlderTables = R"(
  DROP VIEW IF EXISTS cells; DROP TABLE IF EXISTS reads; DROP TABLE IF EXISTS keys;
)";

std::string store_in(const std::string& folder) { return (fs::path(folder) / kStoreFile).string(); }

// Where a store is, as device and file; nothing when it is not there.
std::optional<std::pair<std::uint64_t, std::uint64_t>> file_of(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return std::pair<std::uint64_t, std::uint64_t>{status.st_dev, status.st_ino};
}

void check_application(const Database& database, bool& is_new, int& version) {
  const std::int64_t application = database.number("PRAGMA application_id");
  version = static_cast<int>(database.number("PRAGMA user_version"));
  is_new = application == 0 && version == 0 && database.number("SELECT count(*) FROM sqlite_schema") == 0;
  if (!is_new && application != kStoreApplication)
    fail("bad_store", "{} is a database of another program; give another folder with --out", database.path());
  if (version > kStoreVersion)
    fail("bad_store", "{} was made by a newer perigee; give another folder with --out", database.path());
}

std::string insertion(std::size_t rows) {
  std::string sql =
      "INSERT OR REPLACE INTO results "
      "(key, replication, combination, reads, seed, measures, warnings, checksum) VALUES ";
  for (std::size_t row = 0; row < rows; ++row) sql += row > 0 ? ", (?,?,?,?,?,?,?,?)" : "(?,?,?,?,?,?,?,?)";
  return sql;
}

}  // namespace

Archive open_for_writing(const std::string& folder, bool renew) {
  Database database(store_in(folder), Database::Writing{});
  database.run("BEGIN IMMEDIATE");
  bool is_new = false;
  int version = 0;
  check_application(database, is_new, version);
  if (!is_new && version < kStoreVersion && !renew)
    fail("bad_store", "{} was made by an older perigee, whose cells are not used", database.path());
  if (version < kStoreVersion) {
    if (!is_new) {  // cells of another version are never used
      if (database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'cells' AND type = 'table'") > 0)
        database.run("DROP TABLE cells");
      database.run(kOlderTables);
    }
    database.run(kSchema);
    database.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kStoreApplication,
                             kStoreVersion));
  }
  database.run("COMMIT");
  return Archive(std::move(database));
}

Archive open_for_reading(const std::string& folder) {
  const std::string path = store_in(folder);
  std::error_code error;
  if (!fs::exists(path, error))
    fail("no_store", "{} has no store of experiments: there is no {}", folder, path);
  if (const auto rest = fs::file_size(path + "-wal", error); !error && rest > 0)
    fail("not_closed",
         "{} was left open by a perigee that was killed; 'perigee merge {}' closes it, and loses nothing",
         path, folder);
  Database database(path, Database::Reading{});
  bool is_new = false;
  int version = 0;
  check_application(database, is_new, version);
  if (version < kStoreVersion)
    fail("bad_store", "{} was made by an older perigee, whose cells are not used", path);
  return Archive(std::move(database));
}

Store::Store(const std::string& folder)
    : lock_(folder),
      archive_(open_for_writing(folder)),
      put_(archive_.database().prepare(insertion(1))),
      put_many_(archive_.database().prepare(insertion(kRowsAtATime))),
      new_place_(archive_.database().prepare("INSERT INTO combinations (levels, factors) VALUES (?, ?)")),
      new_key_(archive_.database().prepare(
          "INSERT INTO keys (key, experiment, parts, entered) VALUES (?, ?, ?, 0)")),
      enter_key_(archive_.database().prepare("UPDATE keys SET parts = ?, entered = (SELECT max(entered) FROM "
                                             "keys) + 1 WHERE number = ?")),
      begin_(archive_.database().prepare("BEGIN IMMEDIATE")),
      commit_(archive_.database().prepare("COMMIT")),
      waiting_(kRowsAtATime) {
  if (const auto file = file_of(archive_.database().path())) std::tie(device_, file_) = *file;
}

Store::~Store() {
  try {
    commit();
  } catch (const std::exception&) {  // whoever must know has called commit()
  }
}

void Store::also_from(const std::string& folder) {
  const auto there = file_of(store_in(folder));
  if (there && *there == std::pair{device_, file_}) return;
  FolderLock lock(folder, FolderLock::Kind::reading, "give --known another folder");
  known_.push_back(std::make_unique<Known>(std::move(lock), open_for_reading(folder)));
}

std::optional<CellOutcome> Store::find(const Design& design, std::uint64_t cell, const Now& now) {
  flush();
  Archive::Found found = archive_.find(design, cell, now);
  damaged_ += found.damaged;
  for (auto known = known_.begin(); known != known_.end() && !found.outcome; ++known) {
    Archive::Found other = (*known)->archive.find(design, cell, now);
    damaged_ += other.damaged;
    if (other.outcome) other.outcome->elsewhere = true;
    if (other.outcome || !found.changed) found = std::move(other);
  }
  if (!found.outcome && found.changed) {
    ++outdated_.cells;
    outdated_.reads.merge(*found.changed);
  }
  return std::move(found.outcome);
}

void Store::begin() {
  if (archive_.database().in_transaction()) return;
  const Use use(begin_);
  archive_.database().step(begin_.get());
}

void Store::roll_back() noexcept {
  waiting_count_ = 0;
  try {
    if (archive_.database().in_transaction()) archive_.database().run("ROLLBACK");
    archive_.forget_all();           // numbers of rows that are gone
  } catch (const std::exception&) {  // the first error is the one that counts
  }
}

std::int64_t Store::enter_key(const Design& design) {
  begin();
  std::optional<std::int64_t> number = archive_.key_of(design);
  if (!number) {
    const Use use(new_key_);
    const std::string parts = parts_text(design.parts);
    set(new_key_.get(), 1, design.key);
    set(new_key_.get(), 2, design.name);
    set(new_key_.get(), 3, parts);
    archive_.database().step(new_key_.get());
    number = archive_.database().last_row();
  }
  const Use use(enter_key_);
  const std::string parts = parts_text(design.parts);
  set(enter_key_.get(), 1, parts);
  set(enter_key_.get(), 2, *number);
  archive_.database().step(enter_key_.get());
  return *number;
}

const Archive::Place& Store::own_place(Archive::Shelf& shelf, const Design& design, std::size_t combination) {
  std::optional<Archive::Place>& own = shelf.own[combination];
  if (!own) archive_.places(shelf, design, combination);
  if (own) return *own;
  const std::string levels = design.levels_key(combination), factors = factors_text(design, combination);
  const Use use(new_place_);
  set(new_place_.get(), 1, levels);
  set(new_place_.get(), 2, factors);
  archive_.database().step(new_place_.get());
  own = Archive::Place{archive_.database().last_row(), RowSum(design.key, design.name, levels, factors)};
  shelf.places[combination]->insert(shelf.places[combination]->begin(), *own);
  return *own;
}

void Store::put(const Design& design, std::uint64_t cell, const CellOutcome& outcome) try {
  begin();
  Archive::Shelf& shelf = archive_.shelf(design);
  if (!shelf.number) shelf.number = enter_key(design);
  const std::uint64_t replication = design.replication_of(cell);
  if (shelf.replication != replication) {
    shelf.replication = replication;
    shelf.seed = design.seed_of(replication);
  }
  const Archive::Place& place = own_place(shelf, design, design.combination_of(cell));
  Waiting& row = waiting_[waiting_count_];
  row.key = *shelf.number;
  row.replication = static_cast<std::int64_t>(replication);
  row.combination = place.number;
  row.seed = static_cast<std::int64_t>(shelf.seed);
  writer_.write(outcome, row.texts);
  row.checksum =
      place.sum.of(row.replication, row.seed, row.texts.measures, row.texts.warnings, row.texts.reads);
  if (++waiting_count_ == kRowsAtATime) flush();
} catch (...) {
  roll_back();
  throw;
}

void Store::flush_some(const Statement& statement, std::size_t first, std::size_t count) {
  const Use use(statement);
  int place = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    const Waiting& row = waiting_[i];
    for (const std::int64_t number : {row.key, row.replication, row.combination})
      set(statement.get(), ++place, number);
    set(statement.get(), ++place, row.texts.reads);
    set(statement.get(), ++place, row.seed);
    set(statement.get(), ++place, row.texts.measures);
    set(statement.get(), ++place, row.texts.warnings);
    set(statement.get(), ++place, row.checksum);
  }
  archive_.database().step(statement.get());
}

void Store::flush() {
  const std::size_t count = std::exchange(waiting_count_, 0);
  if (count == kRowsAtATime) return flush_some(put_many_, 0, count);
  for (std::size_t i = 0; i < count; ++i) flush_some(put_, i, 1);
}

void Store::check_place() const {
  const std::string path = (fs::path(archive_.database().path())).string();
  if (file_of(path) != std::pair{device_, file_})
    fail("no_store",
         "{} cannot be used: it has been removed, moved or replaced while perigee ran; cells that were "
         "finished since then are lost",
         path);
}

void Store::commit() try {
  flush();
  if (!archive_.database().in_transaction()) return;
  check_place();
  const Use use(commit_);
  archive_.database().step(commit_.get());
} catch (...) {
  roll_back();
  throw;
}

Store::Others Store::enter(const Design& design) {
  commit();
  Others others;
  std::vector<KeyPart> before;
  std::vector<Archive*> archives{&archive_};
  for (const auto& known : known_) archives.push_back(&known->archive);
  bool has_own = false;
  for (Archive* archive : archives) {
    archive->forget(&design);
    const auto key = archive->key_of(design);
    has_own = has_own || (key && archive->has_cells(*key));
  }
  for (Archive* archive : archives) {
    if (has_own || others.cells > 0) break;
    for (const auto& [key, parts] : archive->keys_of(design.name)) {
      others.cells = archive->cells_of(key);
      before = parts_of(parts);
      if (others.cells > 0) break;
    }
  }
  if (others.cells > 0) others.changed = changed_parts(before, design.parts);
  try {
    enter_key(design);
  } catch (...) {
    roll_back();
    throw;
  }
  commit();
  return others;
}

}  // namespace perigee::experiments
