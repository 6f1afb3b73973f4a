// The prompt as a person uses it, through a pseudo-terminal.
#include <catch2/catch.hpp>

#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace fs = std::filesystem;

namespace {

class Terminal {
 public:
  explicit Terminal(const fs::path& folder) {
    winsize size{};
    size.ws_col = 100;
    size.ws_row = 30;
    child_ = forkpty(&tty_, nullptr, nullptr, &size);
    if (child_ == 0) {
      setenv("XDG_STATE_HOME", folder.c_str(), 1);
      setenv("HOME", folder.c_str(), 1);
      setenv("TERM", "xterm", 1);
      if (chdir(folder.c_str()) == 0) execl(PERIGEE_BINARY, "perigee", "repl", static_cast<char*>(nullptr));
      _exit(127);
    }
    REQUIRE(child_ > 0);
  }
  ~Terminal() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    close(tty_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void type(const std::string& keys) const { REQUIRE(write(tty_, keys.data(), keys.size()) == ssize_t(keys.size())); }

  // Waits for the text in what has come since the last call; a slow machine has time.
  bool sees(const std::string& text) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (;;) {
      if (const auto at = screen_.find(text); at != std::string::npos) {
        screen_.erase(0, at + text.size());
        return true;
      }
      pollfd waiting{tty_, POLLIN, 0};
      if (std::chrono::steady_clock::now() > end) break;
      if (poll(&waiting, 1, 1000) <= 0) continue;
      char part[4096];
      const ssize_t count = read(tty_, part, sizeof part);
      if (count <= 0) break;
      screen_.append(part, static_cast<std::size_t>(count));
    }
    UNSCOPED_INFO("not seen: " << text << "\nseen: " << screen_);
    return false;
  }

  int status() {
    int status = -1;
    waitpid(std::exchange(child_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t child_ = -1;
  int tty_ = -1;
  std::string screen_;
};

}  // namespace

TEST_CASE("a person types, completes, interrupts, recalls and leaves") {
  const fs::path folder = fs::temp_directory_path() / ("perigee_terminal_" + std::to_string(getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  {
    Terminal terminal(folder);
    REQUIRE(terminal.sees(":help"));
    REQUIRE(terminal.sees("> "));
    terminal.type("20 + 22\r");
    REQUIRE(terminal.sees("42\r\n"));
    terminal.type("answer = 6\r");
    terminal.type("ans\t * 7 + 1000\r");  // completed to answer
    REQUIRE(terminal.sees("1042\r\n"));
    terminal.type("for i = 1, 2 do\r");
    REQUIRE(terminal.sees(">> "));
    terminal.type("print(i + 500) end\r");
    REQUIRE(terminal.sees("501\r\n502\r\n"));

    terminal.type("print 'in' while true do end\r");
    REQUIRE(terminal.sees("in\r\n"));
    terminal.type("\x03");
    REQUIRE(terminal.sees("interrupted"));
    REQUIRE(terminal.sees("> "));

    terminal.type("s = scenario { platform = platform { cluster \"c\" { nodes = 2 } },\r");
    REQUIRE(terminal.sees(">> "));
    terminal.type("workload = workload.sweep { runs = 1e9 // 1, time = 1 } }\r");
    REQUIRE(terminal.sees("> "));
    terminal.type("sim = s:start { policy = \"workqueue\", trace = \"none\" }\r");
    REQUIRE(terminal.sees("> "));
    terminal.type("sim:run()\r");
    REQUIRE(terminal.sees("instants/s"));  // the line of progress
    terminal.type("\x03");
    REQUIRE(terminal.sees("interrupted at t = "));
    terminal.type("sim:status()\r");
    REQUIRE(terminal.sees("running\r\n"));

    terminal.type("gone\x03");  // gives the line up
    REQUIRE(terminal.sees("^C"));
    terminal.type("nowhere\r");
    REQUIRE(terminal.sees("there is no 'nowhere'"));
    terminal.type(":quit\r");
    CHECK(terminal.status() == 0);
  }
  CHECK(fs::exists(folder / "perigee" / "history"));
  {
    Terminal terminal(folder);
    REQUIRE(terminal.sees("> "));
    terminal.type("\x1b[A\x1b[A\x1b[A");  // :quit, nowhere, sim:status()
    REQUIRE(terminal.sees("sim:status()"));
    terminal.type("\x03");
    REQUIRE(terminal.sees("> "));
    terminal.type("\x04");
    CHECK(terminal.status() == 0);
  }
  fs::remove_all(folder);
}
