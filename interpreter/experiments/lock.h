// The lock of a folder of results: one process at a time writes its store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interpreter/layers.h"

namespace perigee::experiments {

inline constexpr const char* kLockFile = "experiments.lock";
inline constexpr const char* kStoreFile = "experiments.sqlite";

std::string host_name();
std::string utc_now();  // "2026-01-31T12:00:00Z"

// A process that has a folder's lock.
struct LockHolder {
  std::int64_t pid = 0;      // 0 = not known
  std::string host;          // empty = not known
  std::string text() const;  // "process 1234 on host n07"
};

class FolderLock {
 public:
  // Several processes may have a lock for reading, at times when nobody has one for writing.
  enum class Kind : std::uint8_t { writing, reading };

  // Takes the lock of DIR, a record lock on DIR/experiments.lock, and has it as long as the object lives.
  // Waits two seconds at the most for a process that is ending. Error "store_in_use" when another process
  // has it, "no_locks" when the file system cannot lock, "bad_store" when the file is a link or no file,
  // "no_store" when it cannot be made. Where a lock for reading cannot be had because the file can be
  // neither opened nor locked, the object has none. `advice` ends the message of "store_in_use".
  explicit FolderLock(const std::string& folder, Kind kind = Kind::writing,
                      const std::string& advice = "give another folder with --out");
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;

  // The process that has the lock of this folder for writing now. Takes no lock.
  static std::optional<LockHolder> holder(const std::string& folder);

 private:
  // Whether the file is open.
  bool open(const std::string& folder, const std::string& path, Kind kind);
  void take(const std::string& folder, Kind kind, const std::string& advice);

  int file_ = -1;
};

}  // namespace perigee::experiments
