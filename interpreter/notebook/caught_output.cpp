#include "interpreter/notebook/caught_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "runtime/kernel/error.h"

namespace perigee::notebook {

CaughtOutput::CaughtOutput(std::function<void(std::string_view)> take) {
  std::array<int, 2> ends{};
  std::fflush(stdout);
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    fail("no_pipe", "there is no pipe for output: {}", std::strerror(errno));
  before_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(ends[1], STDOUT_FILENO);
  close(ends[1]);
  reader_ = std::thread([take = std::move(take), end = ends[0]] {
    std::array<char, 4096> text{};
    for (;;) {
      const ssize_t got = read(end, text.data(), text.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      take({text.data(), static_cast<std::size_t>(got)});
    }
    close(end);
  });
}

CaughtOutput::~CaughtOutput() {
  std::fflush(stdout);
  if (before_ >= 0) {
    dup2(before_, STDOUT_FILENO);  // which closes the pipe
    close(before_);
  } else {
    close(STDOUT_FILENO);
  }
  reader_.join();
}

}  // namespace perigee::notebook
