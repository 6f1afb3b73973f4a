#include "interpreter/experiments/lock.h"
#include "runtime/kernel/error.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

std::string lock_complaint(const Folder& folder, FolderLock::Kind kind = FolderLock::Kind::writing) {
  try {
    const FolderLock lock(folder.path.string(), kind);
  } catch (const Error& error) {
    return error.diagnostic().code + ": " + error.diagnostic().message;
  }
  return "none";
}

// Another process that has the lock until the object dies.
class OtherHolder {
 public:
  explicit OtherHolder(const Folder& folder, FolderLock::Kind kind = FolderLock::Kind::writing) {
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    pid = ::fork();
    if (pid == 0) {
      const FolderLock lock(folder.path.string(), kind);
      static_cast<void>(!::write(ready[1], "x", 1));
      for (;;) ::pause();
    }
    char x = 0;
    CHECK(::read(ready[0], &x, 1) == 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~OtherHolder() {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  OtherHolder(const OtherHolder&) = delete;
  OtherHolder& operator=(const OtherHolder&) = delete;

  pid_t pid = 0;
};

}  // namespace

TEST_CASE("a folder that another process has locked is refused, naming the process and its host") {
  const Folder folder;
  CHECK_FALSE(FolderLock::holder(folder.path.string()));
  {
    const OtherHolder other(folder);
    const auto holder = FolderLock::holder(folder.path.string());
    REQUIRE(holder);
    CHECK(holder->pid == other.pid);
    CHECK(holder->host == host_name());
    CHECK(lock_complaint(folder) == "store_in_use: " + (folder.path / "experiments.sqlite").string() +
                                        " is in use by another perigee (process " +
                                        std::to_string(other.pid) + " on host " + host_name() +
                                        "); wait for it to end, or give another folder with --out");
  }
  CHECK_FALSE(FolderLock::holder(folder.path.string()));  // it was killed, and has left its text
  CHECK(fs::file_size(folder.path / "experiments.lock") > 0);
  CHECK(lock_complaint(folder) == "none");
}

TEST_CASE("a process has a folder once, and asking who has it does not lose it") {
  const Folder folder;
  auto lock = std::make_unique<FolderLock>(folder.path.string());
  CHECK_THAT(lock_complaint(folder),
             Contains("in use by another perigee (process " + std::to_string(::getpid())));
  CHECK(FolderLock::holder(folder.path.string())->pid == ::getpid());
  const pid_t child = ::fork();
  if (child == 0) ::_exit(FolderLock::holder(folder.path.string())->pid == ::getppid() ? 0 : 1);
  lock.reset();
  CHECK_FALSE(FolderLock::holder(folder.path.string()));
  CHECK(lock_complaint(folder) == "none");
  ::waitpid(child, nullptr, 0);
}

TEST_CASE("several processes read at a time, and none writes meanwhile") {
  const Folder folder;
  constexpr auto kReading = FolderLock::Kind::reading;
  CHECK(lock_complaint(folder, kReading) == "none");  // no file to lock, and none is made
  CHECK_FALSE(fs::exists(folder.path / "experiments.lock"));
  CHECK(lock_complaint(folder) == "none");
  {
    const OtherHolder first(folder, kReading), second(folder, kReading);
    CHECK(lock_complaint(folder, kReading) == "none");
    CHECK_FALSE(FolderLock::holder(folder.path.string()));
    CHECK_THAT(lock_complaint(folder), Contains("store_in_use"));
  }
  const OtherHolder writer(folder);
  CHECK_THAT(lock_complaint(folder, kReading), Contains("store_in_use"));
}

TEST_CASE("a lock that is a link or no file is refused") {
  const Folder folder, outside;
  const fs::path path = folder.path / "experiments.lock";
  fs::create_symlink(outside.path / "x", path);
  CHECK_THAT(lock_complaint(folder), Contains("bad_store: ") && Contains("experiments.lock is a link"));
  CHECK(fs::is_empty(outside.path));
  fs::remove(path);
  fs::create_directory(path);
  CHECK_THAT(lock_complaint(folder), Contains("bad_store: ") && Contains("is not a regular file"));
  fs::remove(path);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK_THAT(lock_complaint(folder), Contains("is not a regular file"));
}

TEST_CASE("who may read the folder may read the file, which says who has it") {
  const Folder folder;
  const mode_t before = ::umask(0027);
  const FolderLock lock(folder.path.string());
  ::umask(before);
  const fs::path path = folder.path / "experiments.lock";
  CHECK(fs::status(path).permissions() == static_cast<fs::perms>(0640));
  std::ifstream file(path);  // closing it would lose the lock: after this nothing is asked
  const std::string text(std::istreambuf_iterator<char>(file), {});
  CHECK_THAT(text, Contains("\"pid\":" + std::to_string(::getpid()) + ",\"host\":\"" + host_name() +
                            "\",\"started\":\"20"));
}
