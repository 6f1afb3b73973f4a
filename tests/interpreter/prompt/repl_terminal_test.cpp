// The prompt as a person uses it, through a pseudo-terminal. Every wait has a limit, and a process left when
// the test ends is killed, so that it cannot hang.
#include <catch2/catch.hpp>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "tests/support/paths.h"

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{170};  // with a single thing; a busy machine is slow

class HomeFolder {
 public:
  HomeFolder() {
    std::string name = (fs::temp_directory_path() / "perigee_terminal_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~HomeFolder() {
    std::error_code error;
    fs::permissions(path_, fs::perms::owner_all, error);
    fs::remove_all(path_, error);
  }
  HomeFolder(const HomeFolder&) = delete;
  HomeFolder& operator=(const HomeFolder&) = delete;
  operator const fs::path&() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

enum class HangUp { usual, ignored, blocked };  // the handling of SIGHUP when perigee begins

// `perigee repl`, or `perigee run SCRIPT`, on a terminal of its own; its folder is home and place of the
// history.
class Terminal {
 public:
  explicit Terminal(const fs::path& folder, const char* term = "xterm", const char* script = nullptr,
                    HangUp hang_up = HangUp::usual) {
    winsize size{};
    size.ws_col = 100;
    size.ws_row = 30;
    child_ = forkpty(&tty_, nullptr, nullptr, &size);
    if (child_ == 0) {
      sigset_t none;
      sigemptyset(&none);
      if (hang_up == HangUp::blocked) sigaddset(&none, SIGHUP);
      sigprocmask(SIG_SETMASK, &none, nullptr);  // the caller of the tests may block or ignore signals
      for (const int each : {SIGINT, SIGHUP, SIGPIPE, SIGTERM}) std::signal(each, SIG_DFL);
      if (hang_up == HangUp::ignored) std::signal(SIGHUP, SIG_IGN);
      const std::string home = "HOME=" + folder.string(), state = "XDG_STATE_HOME=" + folder.string(),
                        kind = std::string("TERM=") + (term == nullptr ? "" : term);
      const std::string binary = perigee::test::program();
      const char* environment[] = {home.c_str(), state.c_str(), term == nullptr ? nullptr : kind.c_str(),
                                   nullptr};
      const char* arguments[] = {"perigee", script == nullptr ? "repl" : "run", script, nullptr};
      if (chdir(folder.c_str()) == 0)
        execve(binary.c_str(), const_cast<char* const*>(arguments), const_cast<char* const*>(environment));
      _exit(127);
    }
    REQUIRE(child_ > 0);
    fcntl(tty_, F_SETFL, fcntl(tty_, F_GETFL) | O_NONBLOCK);
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

  void type(const std::string& keys) {
    const auto end = Clock::now() + kPatience;
    for (std::size_t done = 0; done < keys.size();) {
      REQUIRE(Clock::now() < end);
      const ssize_t count = write(tty_, keys.data() + done, keys.size() - done);
      if (count > 0)
        done += static_cast<std::size_t>(count);
      else
        drain(10);
    }
  }

  // Waits for the text in the output since the text seen last.
  bool sees(const std::string& text) {
    const auto end = Clock::now() + kPatience;
    for (;;) {
      if (const auto at = screen_.find(text); at != std::string::npos) {
        screen_.erase(0, at + text.size());
        return true;
      }
      if (Clock::now() > end || (!drain(100) && screen_.find(text) == std::string::npos)) break;
    }
    UNSCOPED_INFO("not seen: " << text << "\nseen: " << screen_);
    return false;
  }
  // The output before the text, since the text seen last.
  std::string shown_before(const std::string& text) {
    const auto end = Clock::now() + kPatience;
    for (;;) {
      if (const auto at = screen_.find(text); at != std::string::npos) {
        std::string before = screen_.substr(0, at);
        screen_.erase(0, at + text.size());
        return before;
      }
      const bool more = drain(100) || screen_.find(text) != std::string::npos;
      INFO("not seen: " << text << "\nseen: " << screen_);
      REQUIRE((more && Clock::now() < end));
    }
  }
  // Types a line and waits for its output; the echo does not count.
  bool answers(const std::string& line, const std::string& text) {
    type(line + "\r");
    return sees("\n") && sees(text);
  }

  void go_away() { close(std::exchange(tty_, -1)); }
  void resize(unsigned short columns) const {
    winsize size{};
    size.ws_col = columns;
    size.ws_row = 30;
    ioctl(tty_, TIOCSWINSZ, &size);
  }

  // Its exit status; -1 when a signal or the test's patience ended it.
  int status() {
    const auto end = Clock::now() + kPatience;
    for (int status = 0; Clock::now() < end; drain(10))
      if (waitpid(child_, &status, WNOHANG) == child_) {
        child_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      }
    UNSCOPED_INFO("it does not end; seen: " << screen_);
    return -1;
  }

 private:
  // Takes the output of so many milliseconds; false when no more can come.
  bool drain(int wait) {
    pollfd waiting{tty_, POLLIN, 0};
    if (poll(&waiting, 1, wait) <= 0) return true;
    char part[4096];
    const ssize_t count = read(tty_, part, sizeof part);
    if (count > 0) screen_.append(part, static_cast<std::size_t>(count));
    return count > 0 || errno == EAGAIN;
  }

  pid_t child_ = -1;
  int tty_ = -1;
  std::string screen_;
};

std::string repl_terminal_text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

const char* const kReplTerminalScenario =
    "s = scenario { platform = platform { cluster \"fast\" { nodes = 2 }, cluster \"slow\" { nodes = 1 } }, "
    "workload = workload.sweep { runs = 500000000, time = 1 } }";

}  // namespace

TEST_CASE("a person types, goes on in further lines, recalls and leaves") {
  const HomeFolder folder;
  {
    Terminal terminal(folder);
    REQUIRE(terminal.sees("> "));
    REQUIRE(terminal.answers("20 + 22", "42\r\n"));
    REQUIRE(terminal.sees("> "));
    terminal.type("for i = 1, 2 do\r");
    REQUIRE(terminal.sees(">> "));
    REQUIRE(terminal.answers("print(i + 500) end", "501\r\n502\r\n"));
    terminal.type("12\x1b[D3\r");  // 3 left of the 2
    REQUIRE(terminal.sees("132\r\n"));
    terminal.type("\x1b[A\x1b[A\x1b[A * 100\r");  // three inputs back
    REQUIRE(terminal.sees("2220\r\n"));           // 20 + 22 * 100
    REQUIRE(terminal.answers("local name = 'm\xC3\xBCller'; return name", "m\xC3\xBCller\r\n"));
    terminal.resize(60);
    REQUIRE(terminal.answers("'after a new size'", "after a new size\r\n"));
    REQUIRE(terminal.answers("nowhere", "there is no 'nowhere'"));
    terminal.type(":quit\r");
    CHECK(terminal.status() == 0);
  }
  {
    Terminal terminal(folder);
    REQUIRE(terminal.sees("> "));
    terminal.type("\x1b[A\x1b[A");  // :quit, nowhere
    REQUIRE(terminal.sees("nowhere"));
    terminal.type("\x03");  // gives the line up
    REQUIRE(terminal.sees("^C"));
    REQUIRE(terminal.sees("> "));
    terminal.type("\x04");
    CHECK(terminal.status() == 0);
  }
}

TEST_CASE("what is pasted stays as it is, and is run line by line") {
  const HomeFolder folder;
  Terminal terminal(folder);
  REQUIRE(terminal.sees("\x1b[?2004h"));  // asks the terminal to mark pasted text
  REQUIRE(terminal.sees("> "));
  terminal.type("\x1b[200~wo\t= 5\r\x1b[201~\r");  // the tab would complete: workload
  REQUIRE(terminal.sees("\x1b[?2004l"));
  REQUIRE(terminal.answers("wo + 600", "605\r\n"));
  terminal.type("\x1b[200~for i = 1, 2 do\r\tprint(i + 700)\rend\r20 + 3000\r\x1b[201~");
  terminal.type("\r");
  REQUIRE(terminal.sees("701\r\n702\r\n3020\r\n"));
  terminal.type("\x1b[A\x1b[A\r");  // the loop, whole
  REQUIRE(terminal.sees("701\r\n702\r\n"));
  std::string lines;
  for (int i = 1; i <= 100; ++i) lines += "\tt = t + " + std::to_string(i) + "\r";
  terminal.type("\x1b[200~t = 0\rif true then\r" + lines + "end\rt\x1b[201~\r");
  REQUIRE(terminal.sees("5050\r\n"));  // 100 * 101 / 2
  terminal.type("quit\r");
  CHECK(terminal.status() == 0);
}

TEST_CASE("Ctrl-D gives an unfinished input up; Up recalls one of several lines whole") {
  const HomeFolder folder;
  Terminal terminal(folder);
  REQUIRE(terminal.sees("> "));
  terminal.type("for i = 1, 2 do\r");
  REQUIRE(terminal.sees(">> "));
  terminal.type("\x04");
  REQUIRE(terminal.sees("> "));
  REQUIRE(terminal.answers("40 + 2", "42\r\n"));
  terminal.type("for i = 1, 2 do\r");
  REQUIRE(terminal.sees(">> "));
  terminal.type("print(i + 600) end\r");
  REQUIRE(terminal.sees("601\r\n602\r\n"));
  terminal.type("\x1b[A\r");
  REQUIRE(terminal.sees("601\r\n602\r\n"));
  REQUIRE(terminal.answers("help quit", "quit, exit and Ctrl-D leave"));
  REQUIRE(terminal.answers("help fcfs", "in order of arrival"));
  REQUIRE(terminal.answers("help", "words (?NAME says more)"));
  terminal.type("exit()\r");
  CHECK(terminal.status() == 0);
}

namespace {

// Without "\x1b[?2004l" and the like, which switch modes of a terminal and show nothing.
std::string without_modes(std::string text) {
  for (std::size_t at = 0; (at = text.find("\x1b[?")) != std::string::npos;)
    text.erase(at, std::min(text.find_first_of("hl", at), text.size()) + 1 - at);
  return text;
}

}  // namespace

TEST_CASE("tables and pages fit the terminal") {
  const HomeFolder folder;
  Terminal terminal(folder);  // 100 columns
  REQUIRE(terminal.sees("> "));
  REQUIRE(
      terminal.answers("r = scenario { platform = platform { host 'a' {} }, workload = workload.tasks "
                       "{ { time = 1 } } }:run { policy = 'fcfs' }",
                       "> "));
  terminal.type("print(r:jobs())\r");
  REQUIRE(terminal.sees("\n"));
  std::string table = terminal.shown_before("columns that do not fit: ");
  table += terminal.shown_before("> ");  // the prompt, which switches modes too
  terminal.type("?sim\r");
  REQUIRE(terminal.sees("?sim\r\n"));
  table += terminal.shown_before("\x1b[?2004h");
  CHECK(table.find("sim:host_count()") != std::string::npos);
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
    end = table.find('\n', at);
    const std::string line = without_modes(table.substr(at, end - at));
    INFO(line);
    CHECK(line.size() <= 101);  // with "\r"
  }
  terminal.type("quit\r");
  CHECK(terminal.status() == 0);
}

TEST_CASE("no control character of a name reaches a terminal") {
  const HomeFolder folder;
  std::ofstream(folder / "names.lua")
      << "local name = 'a\\27]52;c;QUJD\\7b\\nc'\n"
      << "local s = scenario { platform = platform { host(name) {} },\n"
      << "  workload = workload.tasks { { name = name, time = 1 } } }\n"
      << "local r = s:run { policy = 'fcfs' }\n"
      << "print(r:jobs()) print(r:jobs():csv()) print(name) print({ name }) r:gantt()\n"
      << "r:plot { kind = 'queue' } print(compare(r, r, { names = { name, 'other' } })) print(r:why(1))\n"
      << "print 'the end' error(name)\n";
  Terminal terminal(folder, "xterm", "names.lua");
  std::string shown = terminal.shown_before("the end\r\n");
  shown += terminal.shown_before("7 | print");
  CHECK(shown.find("]52;c;QUJD") != std::string::npos);
  CHECK(shown.find('\a') == std::string::npos);
  CHECK(shown.find("\x1b]") == std::string::npos);
  CHECK(shown.find("b c|") != std::string::npos);  // of the chart: on one line
  CHECK(terminal.status() == 1);
}

TEST_CASE("Tab completes, or shows what there is") {
  const HomeFolder folder;
  std::ofstream(folder / "some_times.csv") << "1,2\n";
  std::ofstream(folder / "quick.lua") << "loaded = 'from the file'\n";
  Terminal terminal(folder);
  REQUIRE(terminal.sees("> "));
  REQUIRE(terminal.answers("answer = 6", "> "));
  terminal.type("ans\t * 7 + 1000\r");
  REQUIRE(terminal.sees("1042\r\n"));
  REQUIRE(terminal.answers(kReplTerminalScenario, "> "));
  REQUIRE(terminal.answers("sim = s:st\t { pol\t\"workq\t }", "> "));
  REQUIRE(terminal.answers("sim:now()", "0.0\r\n"));
  terminal.type("sim:fail \"\t");
  REQUIRE(terminal.sees("fast.2\""));  // the list of candidates
  REQUIRE(terminal.sees("slow.1\""));
  terminal.type("slow.1\t\r");
  REQUIRE(terminal.sees("simulation of workqueue"));
  terminal.type("mapped {\t");
  REQUIRE(terminal.sees("map = "));
  terminal.type(" \"min_\t }\r");
  REQUIRE(terminal.sees("mapped { map = min_min }"));
  terminal.type("etc.read(\"so\t)\r");
  REQUIRE(terminal.sees("on 2 machines"));
  terminal.type(":lo\t qui\t\r");
  REQUIRE(terminal.answers("loaded", "from the file\r\n"));
  terminal.type(":quit\r");
  CHECK(terminal.status() == 0);
}

TEST_CASE("why it is there and where two futures part") {
  const HomeFolder folder;
  Terminal terminal(folder);
  REQUIRE(terminal.sees("> "));
  REQUIRE(terminal.answers(
      "s = scenario { platform = platform { cluster \"fast\" { nodes = 2 }, host \"slow\" {} }, "
      "workload = workload.tasks(9, function(i) return { time = 10 * i, arrival = i } end) }",
      "> "));
  REQUIRE(terminal.answers("sim = s:start { policy = \"workqueue\" }; sim:run_until(15)", "> "));
  REQUIRE(terminal.answers("sim:why(1)", "task 1 was started on fast.1 at t = 1 s by workqueue"));
  terminal.type("sim:why_not(1, \"sl\t)\r");
  REQUIRE(terminal.sees("order of hosts 3 on slow, 1 on fast.1; the smallest wins"));
  REQUIRE(terminal.answers("a, b = sim:fork(2); b:fail \"slow\"; a:run(); b:run()", "> "));
  terminal.type("compare(a, b)\r");
  REQUIRE(terminal.sees("makespan"));
  REQUIRE(terminal.sees("they part at t = 15 s"));
  REQUIRE(terminal.sees("slow down (outage)"));
  REQUIRE(terminal.sees("v they part at t = 15 s"));
  REQUIRE(terminal.sees("fast.1|"));
  terminal.type(":quit\r");
  CHECK(terminal.status() == 0);
}

TEST_CASE("Ctrl-C stops what runs, and the session goes on") {
  const HomeFolder folder;
  Terminal terminal(folder);
  REQUIRE(terminal.sees("> "));
  terminal.type("print 'in' while true do pcall(error) end\r");
  REQUIRE(terminal.sees("in\r\n"));
  terminal.type("\x03");
  REQUIRE(terminal.sees("interrupted"));
  REQUIRE(terminal.sees("> "));
  REQUIRE(terminal.answers(kReplTerminalScenario, "> "));
  REQUIRE(terminal.answers("sim = s:start { policy = \"workqueue\", trace = \"none\" }", "> "));
  terminal.type("sim:run()\r");
  REQUIRE(terminal.sees("% of the work done"));  // the line of progress
  REQUIRE(terminal.sees("events/s"));
  terminal.type("\x03");
  REQUIRE(terminal.sees("interrupted at t = "));
  REQUIRE(terminal.sees("> "));
  REQUIRE(terminal.answers("sim:status()", "running\r\n"));
  REQUIRE(terminal.answers("sim:hosts()", "slow.1  up"));
  terminal.type("s:run { policy = 'workqueue', trace = 'none' }\r");
  REQUIRE(terminal.sees("events/s"));
  terminal.type("\x03");
  REQUIRE(terminal.sees("_ is the simulation"));
  REQUIRE(terminal.answers("_:submit { time = 5 }", "running\r\n"));
  REQUIRE(terminal.sees("> "));
  terminal.type("sim:when(function(s) return s.queue < 0 end)\r");
  REQUIRE(terminal.sees("events/s"));
  terminal.type("\x03");
  REQUIRE(terminal.sees("interrupted at t = "));
  REQUIRE(terminal.answers("sim:back_to(1000):now()", "1000.0\r\n"));
  terminal.type("if true then\r");
  REQUIRE(terminal.sees(">> "));
  terminal.type("x = \x03");  // gives the whole input up
  REQUIRE(terminal.sees("^C"));
  REQUIRE(terminal.sees("\n"));
  REQUIRE(terminal.answers("40 + 2", "42\r\n"));
  REQUIRE(terminal.answers(":write session.lua", "written to session.lua"));
  terminal.type(":quit\r");
  CHECK(terminal.status() == 0);
  CHECK(repl_terminal_text_of(folder / "session.lua").find("sim:run_until(") != std::string::npos);
}

TEST_CASE("a long run of a script shows how far it is, and leaves no trace of that") {
  const HomeFolder folder;
  std::ofstream(folder / "long.lua") << kReplTerminalScenario << "\nprint 'begins'\n"
                                     << "s:run { policy = 'workqueue', trace = 'none', horizon = 3e6 }\n"
                                     << "print 'over'\n";
  Terminal terminal(folder, "xterm", "long.lua");
  REQUIRE(terminal.sees("begins\r\n"));
  REQUIRE(terminal.sees("% of the work done"));
  REQUIRE(terminal.sees("\r\x1b[Kover\r\n"));
  CHECK(terminal.status() == 0);
}

TEST_CASE("what is typed ahead is not lost, Ctrl-D neither") {
  const HomeFolder folder;
  Terminal terminal(folder);
  REQUIRE(terminal.sees("> "));
  terminal.type("print 'busy' for i = 1, 20000000 do end print 'done'\r");
  REQUIRE(terminal.sees("busy\r\n"));
  terminal.type("6 * 111\r\x04");
  REQUIRE(terminal.sees("done\r\n"));
  REQUIRE(terminal.sees("666\r\n"));
  CHECK(terminal.status() == 0);
}

TEST_CASE("a terminal of unknown kind, no place for the history") {
  const HomeFolder folder;
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  for (const char* term : {static_cast<const char*>(nullptr), "dumb", "no-such-terminal"}) {
    Terminal terminal(folder, term);
    REQUIRE(terminal.sees("> "));
    REQUIRE(terminal.answers("20 + 22", "42\r\n"));
    terminal.type(":quit\r");
    CHECK(terminal.status() == 0);
  }
}

TEST_CASE("two sessions keep both histories") {
  const HomeFolder folder;
  {
    Terminal one(folder), other(folder);
    REQUIRE(one.sees("> "));
    REQUIRE(other.sees("> "));
    REQUIRE(one.answers("111 + 1", "112\r\n"));
    REQUIRE(other.answers("222 + 2", "224\r\n"));
    REQUIRE(one.answers("333 + 3", "336\r\n"));
    for (Terminal* each : {&one, &other}) {
      REQUIRE(each->sees("> "));
      each->type("\x04");
      CHECK(each->status() == 0);
    }
  }
  Terminal later(folder);
  REQUIRE(later.sees("> "));
  later.type("\x1b[A");
  REQUIRE(later.sees("333 + 3"));
  later.type("\x1b[A");
  REQUIRE(later.sees("222 + 2"));
  later.type("\x1b[A");
  REQUIRE(later.sees("111 + 1"));
  later.type("\x03");
  REQUIRE(later.sees("> "));
  later.type("\x04");
  CHECK(later.status() == 0);
}

TEST_CASE("the terminal goes away") {
  const HomeFolder folder;
  // No run may keep perigee alive, whether or not a signal tells it.
  const auto how = GENERATE(HangUp::usual, HangUp::ignored, HangUp::blocked);
  const std::string what =
      GENERATE("", "print 'in' while true do end\r", "print 'in' while true do pcall(error) end\r",
               "s:run { policy = 'endless' }\r");
  CAPTURE(static_cast<int>(how), what);
  Terminal terminal(folder, "xterm", nullptr, how);
  REQUIRE(terminal.sees("> "));
  if (!what.empty()) {
    REQUIRE(terminal.answers(kReplTerminalScenario, "> "));
    REQUIRE(
        terminal.answers("policy 'endless' { accepts = { 'sweeps' }, decide = function(self, sim) "
                         "print 'in' while true do pcall(error) end end }",
                         "> "));
    terminal.type(what);
    REQUIRE(terminal.sees("in\r\n"));
  }
  terminal.go_away();
  CHECK(terminal.status() >= 0);  // perigee has ended by itself
}
