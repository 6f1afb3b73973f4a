#include "interpreter/experiments/lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "runtime/kernel/error.h"

namespace perigee::experiments {

namespace {

constexpr std::chrono::milliseconds kPatience{2000};  // for a process that is ending
constexpr std::chrono::milliseconds kBetweenTries{20};
constexpr int kTriesWithoutHolder = 10;  // the holder may have ended between two questions

// A process has one lock on a file, and loses it when it closes the file, however often it has opened it. So
// it must know its own locks, by device and file.
using FileId = std::pair<dev_t, ino_t>;
struct OwnLocks {
  std::mutex mutex;
  std::map<FileId, FolderLock::Kind> held;
};
OwnLocks& own_locks() {
  static OwnLocks locks;
  return locks;
}

FileId id_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

struct flock request(short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;  // the whole file
  return lock;
}

// The holder as it has written itself into the file.
LockHolder written_holder(int file) {
  std::array<char, 1024> text{};
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  LockHolder holder;
  if (size <= 0) return holder;
  const auto json = nlohmann::json::parse(text.data(), text.data() + size, nullptr, false);
  if (!json.is_object()) return holder;
  if (const auto pid = json.find("pid"); pid != json.end() && pid->is_number_integer())
    holder.pid = pid->get<std::int64_t>();
  if (const auto host = json.find("host"); host != json.end() && host->is_string())
    holder.host = host->get<std::string>();
  return holder;
}

// The process that hinders a lock of this type; nothing when none does or the file system does not say, and
// then errno says why, 0 = none does.
std::optional<LockHolder> hinderer(int file, short type) {
  struct flock asked = request(type);
  errno = 0;
  if (::fcntl(file, F_GETLK, &asked) != 0 || asked.l_type == F_UNLCK) return std::nullopt;
  LockHolder written = written_holder(file);
  const std::string here = host_name();
  // The number of a process on another host is not positive, or is one of its own.
  const bool elsewhere = asked.l_pid <= 0 || (!written.host.empty() && written.host != here);
  if (elsewhere || written.pid == asked.l_pid) return written;
  return LockHolder{asked.l_pid, here};
}

void write_holder(int file) {
  const nlohmann::ordered_json json = {{"pid", ::getpid()}, {"host", host_name()}, {"started", utc_now()}};
  const std::string text = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  // A full disk does not matter: the lock is what counts.
  if (::ftruncate(file, 0) == 0) static_cast<void>(!::pwrite(file, text.data(), text.size(), 0));
}

[[noreturn]] void complain_of_no_locks(const std::string& folder, int error) {
  fail("no_locks",
       "the file system of {} cannot lock files ({}), so that two processes could damage the store; give "
       "--out a folder of another file system, or mount it with locks",
       folder, std::strerror(error));
}

[[noreturn]] void complain_of_holder(const std::string& folder, const LockHolder& holder,
                                     const std::string& advice) {
  const std::string who = holder.text();
  fail("store_in_use", "{} is in use by another perigee{}; wait for it to end, or {}",
       (std::filesystem::path(folder) / kStoreFile).string(), who.empty() ? "" : fmt::format(" ({})", who),
       advice);
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::string LockHolder::text() const {
  if (pid <= 0) return host.empty() ? "" : fmt::format("on host {}", host);
  return host.empty() ? fmt::format("process {}", pid) : fmt::format("process {} on host {}", pid, host);
}

FolderLock::FolderLock(const std::string& folder, Kind kind, const std::string& advice) {
  const std::string path = (std::filesystem::path(folder) / kLockFile).string();
  OwnLocks& own = own_locks();
  const std::lock_guard guard(own.mutex);
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) {
    if (const auto held = own.held.find(id_of(status)); held != own.held.end()) {
      if (kind == Kind::reading && held->second == Kind::reading) return;  // the first one serves both
      complain_of_holder(folder, {::getpid(), host_name()}, advice);
    }
  }
  if (!open(folder, path, kind)) return;
  try {
    take(folder, kind, advice);
    if (file_ < 0) return;
    if (::fstat(file_, &status) == 0) own.held.emplace(id_of(status), kind);
  } catch (...) {
    ::close(std::exchange(file_, -1));
    throw;
  }
  if (kind == Kind::writing) write_holder(file_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  OwnLocks& own = own_locks();
  const std::lock_guard guard(own.mutex);
  struct stat status = {};
  if (::fstat(file_, &status) == 0) own.held.erase(id_of(status));
  ::close(file_);
}

bool FolderLock::open(const std::string& folder, const std::string& path, Kind kind) {
  constexpr mode_t kByUmask = 0666;  // who may read the folder may ask whether it is in use
  const int how = kind == Kind::writing ? O_RDWR | O_CREAT : O_RDONLY;
  file_ = ::open(path.c_str(), how | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, kByUmask);
  const int error = errno;
  struct stat status = {};
  if (file_ >= 0 && ::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) return true;
  if (file_ >= 0)
    ::close(std::exchange(file_, -1));
  else if (error != ELOOP && error != EISDIR) {
    if (kind == Kind::reading) return false;
    fail("no_store", "{} cannot be used: {} cannot be written there ({}); the cells stored before are kept",
         folder, kLockFile, std::strerror(error));
  }
  fail("bad_store", "{} is {}; remove it, or give another folder with --out", path,
       error == ELOOP ? "a link, which may lead anywhere" : "not a regular file");
}

void FolderLock::take(const std::string& folder, Kind kind, const std::string& advice) {
  const short type = kind == Kind::writing ? F_WRLCK : F_RDLCK;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (int without_holder = 0;;) {
    struct flock wanted = request(type);
    if (::fcntl(file_, F_SETLK, &wanted) == 0) return;
    const int error = errno;
    if (error == EINTR) continue;
    const bool is_taken = error == EACCES || error == EAGAIN;
    const auto holder = is_taken ? hinderer(file_, type) : std::nullopt;
    const int no_answer = is_taken ? errno : error;
    if (!holder && (no_answer != 0 || ++without_holder > kTriesWithoutHolder)) {
      if (kind == Kind::writing) complain_of_no_locks(folder, no_answer != 0 ? no_answer : error);
      ::close(std::exchange(file_, -1));
      return;
    }
    if (holder && std::chrono::steady_clock::now() > end) complain_of_holder(folder, *holder, advice);
    std::this_thread::sleep_for(kBetweenTries);
  }
}

std::optional<LockHolder> FolderLock::holder(const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / kLockFile).string();
  OwnLocks& own = own_locks();
  const std::lock_guard guard(own.mutex);
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  if (const auto held = own.held.find(id_of(status)); held != own.held.end())
    return held->second == Kind::writing ? std::optional(LockHolder{::getpid(), host_name()}) : std::nullopt;
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  auto found = hinderer(file, F_RDLCK);  // locks for reading do not hinder each other
  ::close(file);
  return found;
}

}  // namespace perigee::experiments
