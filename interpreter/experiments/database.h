// SQLite with the project's errors.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "interpreter/layers.h"

struct sqlite3;
struct sqlite3_stmt;

namespace perigee::experiments {

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

class Database {
 public:
  // The file is made when it is missing; one connection has it alone.
  struct Writing {};
  // The file is not locked, nor written, and nobody may write it meanwhile.
  struct Reading {};

  // Errors of all members: "store_in_use" when another program has the file, "bad_store" when it is
  // no database or damaged, "no_store" when it cannot be opened, read or written; the message names the cause.
  Database(const std::string& path, Writing);
  Database(const std::string& path, Reading);

  const std::string& path() const { return path_; }
  Statement prepare(const std::string& sql) const;
  void run(const std::string& sql);
  bool step(sqlite3_stmt* statement) const;           // whether there is a row
  std::int64_t number(const std::string& sql) const;  // the first column of the first row; 0 without rows
  bool in_transaction() const;
  std::int64_t last_row() const;
  // Whether the last statement has changed a row.
  bool changed() const;

 private:
  void open(const std::string& name, int flags);
  [[noreturn]] void complain(int code) const;

  std::string path_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
};

// Makes a statement ready for its next use, however this use ends.
class Use {
 public:
  explicit Use(const Statement& statement) : statement_(statement.get()) {}
  ~Use();
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  sqlite3_stmt* statement_;
};

// Places and columns of statements. The text of a place must live until the statement is reset.
void set(sqlite3_stmt* statement, int place, std::string_view text);
void set(sqlite3_stmt* statement, int place, std::int64_t number);
std::string_view text_at(sqlite3_stmt* statement, int column);  // until the next step
std::int64_t number_at(sqlite3_stmt* statement, int column);

}  // namespace perigee::experiments
