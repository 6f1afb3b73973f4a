// Finished cells on disk: one SQLite file. Each cell is committed by itself, so that a killed run loses only
// the cells it was computing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "interpreter/experiments/design.h"

struct sqlite3;
struct sqlite3_stmt;

namespace perigee::experiments {

class Store {
 public:
  // DIR/experiments.sqlite, made when it is missing. Error "store_in_use" when another process has it,
  // "bad_store" when it is not ours, a link or of a newer version, "no_store" when it cannot be opened or
  // written.
  explicit Store(const std::string& folder);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // The present value of a file or setting: its hash or its text.
  using Now = std::function<std::optional<std::string>(const CellOutcome::Read&)>;
  // The cell as an earlier run left it; nothing when there is none, when it is damaged, or when a file or
  // setting that it looked for has changed.
  std::optional<CellOutcome> find(const Design& design, std::uint64_t cell, const Now& now);
  void put(const Design& design, std::uint64_t cell, const CellOutcome& outcome);

  // Notes what the experiment's cells depend on. If all its stored cells depend on something else, the result
  // tells their number and the differences.
  struct Others {
    std::uint64_t cells = 0;
    std::vector<std::string> changed;
  };
  Others enter(const Design& design);
  std::uint64_t damaged() const { return damaged_; }  // cells whose rows had changed since they were stored

  // Cells that find() has not taken because what they had looked for is no longer the same.
  struct Outdated {
    std::uint64_t cells = 0;
    std::set<std::string> reads;  // "the file 'log.swf'"
  };
  Outdated take_outdated() { return std::exchange(outdated_, {}); }  // since the last call

 private:
  using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;
  Statement prepare(const char* sql);
  void run(const char* sql);
  bool step(sqlite3_stmt* statement);  // whether there is a row
  [[noreturn]] void complain(int code);

  std::string path_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
  Statement find_, put_, cells_, keys_, put_key_;
  std::uint64_t damaged_ = 0;
  Outdated outdated_;
};

}  // namespace perigee::experiments
