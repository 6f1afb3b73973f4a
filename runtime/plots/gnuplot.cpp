#include "runtime/plots/gnuplot.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/results/table.h"

namespace perigee::plots {
namespace {

[[noreturn]] void refuse(std::string_view what, int error) {
  fail("gnuplot_failed", "gnuplot cannot be run: {}: {}", what, std::strerror(error));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return fd_; }

 private:
  int fd_;
};

// A file in memory. Unlike a pipe it never blocks and raises no signal.
class MemoryFile : public Descriptor {
 public:
  explicit MemoryFile(const char* name) : Descriptor(memfd_create(name, MFD_CLOEXEC)) {
    if (*this < 0) refuse(name, errno);
  }

  void put(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = write(*this, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) refuse("its input", errno);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    lseek(*this, 0, SEEK_SET);
  }

  std::string all() const {
    std::string text(static_cast<std::size_t>(std::max<off_t>(lseek(*this, 0, SEEK_END), 0)), '\0');
    std::size_t got = 0;
    while (got < text.size()) {
      const ssize_t count = pread(*this, text.data() + got, text.size() - got, static_cast<off_t>(got));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      got += static_cast<std::size_t>(count);
    }
    text.resize(got);
    return text;
  }
};

// The settings with which the child is started. It has signals as in a fresh program, and a process group of
// its own, so that Ctrl-C reaches only us. The three files are its 0, 1 and 2; it has no others.
class Start {
 public:
  Start(int input, int output, int complaints) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_adddup2(&files_, input, 0);
    posix_spawn_file_actions_adddup2(&files_, output, 1);
    posix_spawn_file_actions_adddup2(&files_, complaints, 2);
    posix_spawn_file_actions_addclosefrom_np(&files_, 3);
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~Start() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&files_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  pid_t operator()() const {
    char name[] = "gnuplot", no_files[] = "-d";
    char locale[] = "LC_ALL=C.UTF-8", path[] = "PATH=/usr/bin:/bin";
    char* arguments[] = {name, no_files, nullptr};
    char* environment[] = {locale, path, nullptr};
    pid_t child = 0;
    const int error = posix_spawnp(&child, name, &files_, &attributes_, arguments, environment);
    if (error == ENOENT)
      fail("no_gnuplot",
           "figures need the program gnuplot, which is not there: install the package gnuplot-nox");
    if (error != 0) refuse(name, error);
    return child;
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

// The exit status of the child, which is ended when the time is over.
int wait_for(pid_t child, double seconds, bool& in_time) {
  const Descriptor handle(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
  in_time = true;
  if (handle >= 0) {
    pollfd over{handle, POLLIN, 0};
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const auto seconds_of = [](const timespec& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
    };
    const double until = seconds_of(now) + seconds;
    int ready = 0;
    do {
      clock_gettime(CLOCK_MONOTONIC, &now);
      ready = poll(&over, 1, static_cast<int>(std::max(0.0, (until - seconds_of(now)) * 1e3)));
    } while (ready < 0 && errno == EINTR);
    in_time = ready > 0;
    if (!in_time) kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 0;  // SIGCHLD is ignored: only the output tells how it ended
  return status;
}

// The complaint itself, without the line of the script and the mark under it that come first.
std::string complaint(const std::string& text) {
  std::size_t end = text.size();
  while (end > 0) {
    const std::size_t start = text.find_last_of('\n', end - 1);
    const std::size_t first = start == text.npos ? 0 : start + 1;
    const std::string line = text.substr(first, end - first);
    if (const std::size_t at = line.find_first_not_of(' '); at != line.npos && line[at] != '^')
      return line.substr(at);
    end = first == 0 ? 0 : first - 1;
  }
  return "it says nothing";
}

}  // namespace

std::string gnuplot(const std::string& script, double seconds, std::string* complaints) {
  MemoryFile input("script"), output("figure"), errors("complaints");
  input.put(script);
  bool in_time = true;
  const int status = wait_for(Start(input, output, errors)(), seconds, in_time);
  if (!in_time) fail("gnuplot_failed", "gnuplot took longer than {} s", seconds);
  std::string drawn = output.all();
  const std::string said = errors.all();
  if (status != 0 || drawn.empty()) fail("gnuplot_failed", "gnuplot: {}", complaint(said));
  if (complaints != nullptr) *complaints = said;
  return drawn;
}

std::string gnuplot_text(std::string_view text) {
  std::string out = "'";
  for (const char c : printable(text)) {
    if (c == '\'')
      out += "’";  // a doubled quote would do, but not at the beginning
    else
      out += c;
  }
  return out + "'";
}

}  // namespace perigee::plots
