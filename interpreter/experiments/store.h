// Finished cells on disk: one SQLite file. Each cell is committed by itself, so that a killed run has lost
// only the cells it was at.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "interpreter/experiments/design.h"

struct sqlite3;
struct sqlite3_stmt;

namespace perigee {

class Store {
 public:
  // DIR/experiments.sqlite, made where it is missing. Error "store_in_use" when another process has it,
  // "bad_store" when it is not ours or of a newer version, "no_store" when it cannot be opened or written.
  explicit Store(const std::string& folder);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // The cell as an earlier run left it; nothing when there is none or a file that it read has changed.
  // `hash_now` gives the hash of a file by the name that the script used; empty = it is not there.
  std::optional<CellOutcome> find(const Design& design, std::uint64_t cell,
                                  const std::function<std::string(const std::string&)>& hash_now);
  void put(const Design& design, std::uint64_t cell, const CellOutcome& outcome);

 private:
  using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;
  Statement prepare(const char* sql);
  void run(const char* sql);
  bool step(sqlite3_stmt* statement);  // whether there is a row
  [[noreturn]] void complain(int code);

  std::string path_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
  Statement find_, find_reads_, put_, put_read_, forget_reads_, begin_, commit_;
};

}  // namespace perigee
