// Finished cells on disk: one SQLite file, DIR/experiments.sqlite.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/experiments/archive.h"
#include "interpreter/experiments/database.h"
#include "interpreter/experiments/design.h"
#include "interpreter/experiments/lock.h"

namespace perigee::experiments {

class Store {
 public:
  // Makes the file when it is missing, and locks the folder as long as the store lives. Errors of FolderLock
  // and Database; "bad_store" when the file is not ours or of a newer version.
  explicit Store(const std::string& folder);
  ~Store();  // commits
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // From now on find() also returns the cells of this folder's store, which is only read and which several
  // processes may read at a time. Nothing changes when it is the store's own folder. Error "no_store" when it
  // has none, "bad_store" when it is not ours or of another version, "store_in_use" when a process writes it,
  // "not_closed" when a process that was killed has left it in two files.
  void also_from(const std::string& folder);

  using Now = Archive::Now;
  // The cell as an earlier run left it; nothing when there is none, when it is damaged, or when a file or
  // setting that it looked for has changed. The design must not change until it is entered again; so in put.
  std::optional<CellOutcome> find(const Design& design, std::uint64_t cell, const Now& now);
  // Stores a finished cell; it is safe after commit() only. An error loses what was put since the last one.
  void put(const Design& design, std::uint64_t cell, const CellOutcome& outcome);
  // Error "no_store" also when the file has been removed or replaced meanwhile.
  void commit();

  // Notes what the experiment's cells depend on, and commits. If all its stored cells depend on something
  // else, the result tells their number and the differences.
  struct Others {
    std::uint64_t cells = 0;
    std::vector<std::string> changed;
  };
  Others enter(const Design& design);
  std::uint64_t damaged() const { return damaged_; }  // rows that had changed since they were stored

  // Cells that find() has not taken because what they had looked for is no longer the same.
  struct Outdated {
    std::uint64_t cells = 0;
    std::set<std::string> reads;  // "the file 'log.swf'"
  };
  Outdated take_outdated() { return std::exchange(outdated_, {}); }  // since the last call

 private:
  // Cells wait for the database a few at a time, for one statement with several rows costs less.
  struct Waiting {
    std::int64_t key = 0, replication = 0, combination = 0, seed = 0, checksum = 0;
    CellTexts texts;
  };
  struct Known {
    FolderLock lock;
    Archive archive;
  };

  void begin();
  void flush();
  void flush_some(const Statement& statement, std::size_t first, std::size_t count);
  void roll_back() noexcept;
  std::int64_t enter_key(const Design& design);
  const Archive::Place& own_place(Archive::Shelf& shelf, const Design& design, std::size_t combination);
  void check_place() const;

  FolderLock lock_;
  Archive archive_;
  std::vector<std::unique_ptr<Known>> known_;
  std::uint64_t device_ = 0, file_ = 0;  // the database's, to notice that it has been removed
  Statement put_, put_many_, new_place_, new_key_, enter_key_, begin_, commit_;
  CellWriter writer_;
  std::vector<Waiting> waiting_;
  std::size_t waiting_count_ = 0;
  std::uint64_t damaged_ = 0;
  Outdated outdated_;
};

// Opens a folder's database as a store, for reading; the lock belongs to it. Errors as of Store::also_from.
Archive open_for_reading(const std::string& folder);
// Opens it for writing, under a lock; tables of an older version are made anew where `renew`, else they are
// an error "bad_store".
Archive open_for_writing(const std::string& folder, bool renew = true);

}  // namespace perigee::experiments
