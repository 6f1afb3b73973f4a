#include "interpreter/experiments/store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstring>
#include <filesystem>

namespace perigee {

namespace {

constexpr int kApplication = 0x50455249;  // "PERI"
constexpr int kVersion = 1;
constexpr int kPatience = 2000;  // milliseconds, for a process that is ending

constexpr const char* kSchema = R"(
  CREATE TABLE cells (
    id INTEGER PRIMARY KEY,
    script TEXT NOT NULL,         -- hash of all that the cell depends on besides what follows
    experiment TEXT NOT NULL,
    number INTEGER NOT NULL,
    factors TEXT NOT NULL,
    replication INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    names TEXT NOT NULL,          -- of the measures, separated by blanks
    measures BLOB NOT NULL,       -- their values: doubles of this machine
    UNIQUE (script, experiment, number, factors));
  CREATE TABLE reads (            -- of a cell
    cell INTEGER NOT NULL,
    name TEXT NOT NULL,
    hash TEXT);                   -- of a file; NULL: it is a setting
  CREATE INDEX reads_of_cell ON reads (cell);
)";

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

// Ready for the next use, however this one ends.
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

}  // namespace

Store::Store(const std::string& folder)
    : path_((std::filesystem::path(folder) / "experiments.sqlite").string()),
      database_(nullptr, sqlite3_close),
      find_(nullptr, sqlite3_finalize),
      find_reads_(nullptr, sqlite3_finalize),
      put_(nullptr, sqlite3_finalize),
      put_read_(nullptr, sqlite3_finalize),
      forget_reads_(nullptr, sqlite3_finalize),
      begin_(nullptr, sqlite3_finalize),
      commit_(nullptr, sqlite3_finalize) {
  sqlite3* opened = nullptr;
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int status = sqlite3_open_v2(path_.c_str(), &opened, kFlags, nullptr);
  database_.reset(opened);
  if (status != SQLITE_OK) complain(status);
  sqlite3_busy_timeout(opened, kPatience);
  // One process at a time; the lock goes with the process. Nothing waits for the disk: what is committed
  // survives the process, and the file stays whole even when power fails.
  run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  run("BEGIN IMMEDIATE");
  const auto pragma = [&](const char* sql) {
    const Statement statement = prepare(sql);
    return step(statement.get()) ? sqlite3_column_int(statement.get(), 0) : 0;
  };
  const int application = pragma("PRAGMA application_id"), version = pragma("PRAGMA user_version");
  if (application == 0 && version == 0 && pragma("SELECT count(*) FROM sqlite_schema") == 0) {
    run(kSchema);
    run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kApplication, kVersion).c_str());
  } else if (application != kApplication) {
    fail("bad_store", "{} is a database of another program; give another folder with --out", path_);
  } else if (version > kVersion) {
    fail("bad_store", "{} was made by a newer perigee; give another folder with --out", path_);
  }
  run("COMMIT");
  find_ = prepare(
      "SELECT id, names, measures FROM cells WHERE script = ? AND experiment = ? AND number = ? AND "
      "factors = ?");
  find_reads_ = prepare("SELECT name, hash FROM reads WHERE cell = ?");
  put_ = prepare(
      "INSERT OR REPLACE INTO cells (script, experiment, number, factors, replication, seed, names, "
      "measures) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  put_read_ = prepare("INSERT INTO reads (cell, name, hash) VALUES (?, ?, ?)");
  forget_reads_ = prepare(
      "DELETE FROM reads WHERE cell IN (SELECT id FROM cells WHERE script = ? AND experiment = ? AND "
      "number = ? AND factors = ?)");
  begin_ = prepare("BEGIN");
  commit_ = prepare("COMMIT");
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
  set(statement, 1, design.context);
  set(statement, 2, design.name);
  set(statement, 3, cell);
  set(statement, 4, design.levels_text(design.combination_of(cell)));
}

}  // namespace

std::optional<CellOutcome> Store::find(const Design& design, std::uint64_t cell,
                                       const std::function<std::string(const std::string&)>& hash_now) {
  sqlite3_stmt* statement = find_.get();
  const Use use(statement);
  bind_key(statement, design, cell);
  if (!step(statement)) return std::nullopt;
  CellOutcome outcome;
  auto names = std::make_shared<std::vector<std::string>>();
  const std::string listed = text_at(statement, 1);
  for (std::size_t begin = 0; begin < listed.size();) {
    const std::size_t end = std::min(listed.find(' ', begin), listed.size());
    names->push_back(listed.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::string values = text_at(statement, 2);
  if (values.size() != names->size() * sizeof(double)) complain(SQLITE_CORRUPT);
  outcome.values.resize(names->size());
  if (!values.empty()) std::memcpy(outcome.values.data(), values.data(), values.size());
  outcome.names = std::move(names);
  outcome.stored = true;

  sqlite3_stmt* reads = find_reads_.get();
  const Use use_reads(reads);
  sqlite3_bind_int64(reads, 1, sqlite3_column_int64(statement, 0));
  while (step(reads)) {
    if (sqlite3_column_type(reads, 1) == SQLITE_NULL)
      outcome.settings.push_back(text_at(reads, 0));
    else
      outcome.files.push_back({text_at(reads, 0), text_at(reads, 1)});
  }
  for (const CellOutcome::File& file : outcome.files)
    if (hash_now(file.name) != file.hash) return std::nullopt;
  return outcome;
}

void Store::put(const Design& design, std::uint64_t cell, const CellOutcome& outcome) {
  const auto go = [&](sqlite3_stmt* statement, auto&& fill) {
    const Use use(statement);
    fill(statement);
    step(statement);
  };
  const auto nothing = [](sqlite3_stmt*) {};
  std::string names;
  for (const std::string& name : *outcome.names) names += (names.empty() ? "" : " ") + name;
  go(begin_.get(), nothing);
  try {
    go(forget_reads_.get(), [&](sqlite3_stmt* s) { bind_key(s, design, cell); });
    go(put_.get(), [&](sqlite3_stmt* s) {
      bind_key(s, design, cell);
      set(s, 5, design.replication_of(cell));
      set(s, 6, design.seed_of(design.replication_of(cell)));
      set(s, 7, names);
      sqlite3_bind_blob(s, 8, outcome.values.empty() ? "" : static_cast<const void*>(outcome.values.data()),
                        static_cast<int>(outcome.values.size() * sizeof(double)), SQLITE_TRANSIENT);
    });
    const auto id = static_cast<std::uint64_t>(sqlite3_last_insert_rowid(database_.get()));
    const auto put_read = [&](const std::string& name, const std::string* hash) {
      go(put_read_.get(), [&](sqlite3_stmt* s) {
        set(s, 1, id);
        set(s, 2, name);
        if (hash != nullptr) set(s, 3, *hash);
      });
    };
    for (const CellOutcome::File& file : outcome.files) put_read(file.name, &file.hash);
    for (const std::string& name : outcome.settings) put_read(name, nullptr);
    go(commit_.get(), nothing);
  } catch (...) {
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

}  // namespace perigee
