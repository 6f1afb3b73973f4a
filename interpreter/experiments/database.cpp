#include "interpreter/experiments/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstring>
#include <filesystem>

#include "runtime/kernel/error.h"

namespace perigee::experiments {

namespace {

constexpr int kDatabasePatience = 2000;  // milliseconds to wait for a program that has the file

// Whether a database is a link, or one of the files that SQLite makes beside it is.
bool is_link(const std::string& path) {
  std::error_code error;
  for (const char* end : {"", "-wal", "-shm", "-journal"})
    if (std::filesystem::is_symlink(path + end, error)) return true;
  return false;
}

std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path)
    if (c == '%' || c == '?' || c == '#')
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    else
      uri += c;
  return uri + "?immutable=1";
}

}  // namespace

Database::Database(const std::string& path, Writing) : path_(path), database_(nullptr, sqlite3_close) {
  open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX);
  // Nothing waits for the disk: committed cells survive the process, and the file stays whole even when power
  // fails. But now and then what was written beside the file is brought into it, which does wait: the more
  // seldom, the better.
  run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
      "PRAGMA wal_autocheckpoint = 8000;");
}

Database::Database(const std::string& path, Reading) : path_(path), database_(nullptr, sqlite3_close) {
  open(uri_of(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX);
}

void Database::open(const std::string& name, int flags) {
  if (is_link(path_))
    fail("bad_store", "{} is a link, which may lead anywhere; remove it, or give another folder with --out",
         path_);
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(name.c_str(), &opened, flags, nullptr);
  database_.reset(opened);
  if (status != SQLITE_OK) complain(status);
  sqlite3_busy_timeout(opened, kDatabasePatience);
}

void Database::complain(int code) const {
  std::string reason = database_ ? sqlite3_errmsg(database_.get()) : std::string(sqlite3_errstr(code));
  if (const int error = database_ ? sqlite3_system_errno(database_.get()) : 0; error != 0)
    reason += fmt::format(" ({})", std::strerror(error));
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      fail("store_in_use",
           "{} is in use by another program, such as the shell sqlite3; wait for it to end, or give another "
           "folder with --out",
           path_);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      fail("bad_store",
           "{} is not a store of experiments ({}); move it away, or give another folder with --out", path_,
           reason);
    case SQLITE_FULL:
      fail("no_store", "{} cannot be used: the disk is full; the cells stored before are kept", path_);
    default:
      fail("no_store", "{} cannot be used: {}; the cells stored before are kept", path_, reason);
  }
}

Statement Database::prepare(const std::string& sql) const {
  sqlite3_stmt* statement = nullptr;
  if (const int status = sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr);
      status != SQLITE_OK)
    complain(status);
  return {statement, sqlite3_finalize};
}

void Database::run(const std::string& sql) {
  if (const int status = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
      status != SQLITE_OK)
    complain(status);
}

bool Database::step(sqlite3_stmt* statement) const {
  const int status = sqlite3_step(statement);
  if (status != SQLITE_ROW && status != SQLITE_DONE) complain(status);
  return status == SQLITE_ROW;
}

std::int64_t Database::number(const std::string& sql) const {
  const Statement statement = prepare(sql);
  return step(statement.get()) ? number_at(statement.get(), 0) : 0;
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(database_.get()) == 0; }
std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(database_.get()); }
bool Database::changed() const { return sqlite3_changes(database_.get()) > 0; }

Use::~Use() { sqlite3_reset(statement_); }

void set(sqlite3_stmt* statement, int place, std::string_view text) {
  // A null would not be an empty text.
  sqlite3_bind_text(statement, place, text.empty() ? "" : text.data(), static_cast<int>(text.size()),
                    SQLITE_STATIC);
}
void set(sqlite3_stmt* statement, int place, std::int64_t number) {
  sqlite3_bind_int64(statement, place, number);
}
std::string_view text_at(sqlite3_stmt* statement, int column) {
  const auto* text = static_cast<const char*>(sqlite3_column_blob(statement, column));
  return {text != nullptr ? text : "", static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}
std::int64_t number_at(sqlite3_stmt* statement, int column) {
  return sqlite3_column_int64(statement, column);
}

}  // namespace perigee::experiments
