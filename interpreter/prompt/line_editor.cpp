#include "interpreter/prompt/line_editor.h"

#include <fmt/format.h>
#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <clocale>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "interpreter/host/terminal.h"
#include "interpreter/prompt/run_lines.h"
#include "interpreter/values/runs.h"
#include "runtime/results/table.h"

namespace perigee::prompt {

namespace fs = std::filesystem;

namespace {

// To the terminal itself, which obeys it.
void write(std::FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

void show(const Repl::Reply& reply) {
  write_out(reply.output, true);
  std::fflush(stdout);
  if (!reply.error.empty()) write_error(reply.error);
}

// ---- Ctrl-C, and the end of the terminal ----

std::atomic<Interpreter*> running = nullptr;
static_assert(std::atomic<Interpreter*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void on_interrupt(int) {
  if (Interpreter* interpreter = running.load()) interpreter->interrupt();
}

void on_hang_up(int) {
  if (Interpreter* interpreter = running.load()) interpreter->hang_up();
}

class CatchSignals {
 public:
  explicit CatchSignals(Interpreter& interpreter) {
    running = &interpreter;
    struct sigaction action = {};
    action.sa_handler = on_interrupt;  // without SA_RESTART: it wakes the wait for a key
    sigaction(SIGINT, &action, &interrupt_before_);
    action.sa_handler = on_hang_up;  // even where it was ignored: nobody could end the prompt then
    sigaction(SIGHUP, &action, &hang_up_before_);
  }
  ~CatchSignals() {
    sigaction(SIGHUP, &hang_up_before_, nullptr);
    sigaction(SIGINT, &interrupt_before_, nullptr);
    running = nullptr;
  }
  CatchSignals(const CatchSignals&) = delete;
  CatchSignals& operator=(const CatchSignals&) = delete;

 private:
  struct sigaction interrupt_before_ = {}, hang_up_before_ = {};
};

// Looks now and then whether the terminal is still there, for only the leader of its session gets a SIGHUP.
// Stops the run when the terminal is gone, and ends the process when that does not help.
class WatchTerminal {
 public:
  explicit WatchTerminal(Interpreter& interpreter) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the thread that waits for a key
    thread_ = std::jthread([&interpreter](const std::stop_token& stop) { watch(interpreter, stop); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

 private:
  static void watch(Interpreter& interpreter, const std::stop_token& stop) {
    constexpr std::chrono::milliseconds kOften{250};
    constexpr int kPatience = 20;  // looks
    constexpr int kStatus = 128 + SIGHUP;
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any wake;
    for (int gone = 0; gone < kPatience; gone += interpreter.hung_up() ? 1 : 0) {
      wake.wait_for(lock, stop, kOften, [] { return false; });
      if (stop.stop_requested()) return;
      pollfd terminal{STDIN_FILENO, 0, 0};
      if (poll(&terminal, 1, 0) > 0 && (terminal.revents & (POLLHUP | POLLERR)) != 0) interpreter.hang_up();
    }
    std::_Exit(kStatus);
  }

  std::jthread thread_;
};

// ---- lines ----

// $XDG_STATE_HOME/perigee/history or ~/.local/state/perigee/history; empty when there is no place for it.
std::string history_file() {
  fs::path state;
  if (const char* given = std::getenv("XDG_STATE_HOME"); given != nullptr && *given == '/')
    state = given;
  else if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    state = fs::path(home) / ".local" / "state";
  else
    return {};
  std::error_code error;
  fs::create_directories(state / "perigee", error);
  return error ? std::string() : (state / "perigee" / "history").string();
}

class LineEditor {
 public:
  explicit LineEditor(Repl& repl)
      : repl_(repl),
        edit_(el_init("perigee", stdin, stdout, stderr), el_end),
        history_(history_init(), history_end),
        file_(history_file()) {
    if (!edit_ || !history_) fail("no_terminal", "the terminal cannot be set up for editing lines");
    HistEvent event;
    history(history_.get(), &event, H_SETSIZE, kLines);
    history(history_.get(), &event, H_SETUNIQUE, 1);
    if (!file_.empty() && history(history_.get(), &event, H_LOAD, file_.c_str()) > 2 * kLines) shorten();
    EditLine* edit = edit_.get();
    el_set(edit, EL_CLIENTDATA, this);
    el_set(edit, EL_PROMPT, &LineEditor::prompt);
    el_set(edit, EL_EDITOR, "emacs");
    el_set(edit, EL_HIST, history, history_.get());
    el_set(edit, EL_GETCFN, &LineEditor::read_key);
    // The narrow form would leak copies of these texts.
    el_wset(edit, EL_ADDFN, L"perigee-complete", L"Completes the word.", &LineEditor::complete);
    el_wset(edit, EL_ADDFN, L"perigee-cancel", L"Gives the line up.", &LineEditor::cancel);
    el_wset(edit, EL_ADDFN, L"perigee-paste", L"Takes what is pasted as it is.", &LineEditor::paste);
    el_set(edit, EL_BIND, "^I", "perigee-complete", nullptr);
    el_set(edit, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    // During a run the terminal keeps typed text. Ctrl-D must not become the end of a line in it.
    el_set(edit, EL_SETTY, "-x", "eof=", nullptr);
    el_source(edit, nullptr);
    el_set(edit, EL_BIND, "^C", "perigee-cancel", nullptr);
    el_set(edit, EL_BIND, "\\e[200~", "perigee-paste", nullptr);
  }

  enum class Got { line, cancelled, end, gone };
  // One line; several when they were pasted or recalled together.
  Got read(std::string& line) {
    cancelled_ = false;
    el_resize(edit_.get());
    int count = 0;
    const bool brackets = shows_progress();  // the terminal may say what is pasted
    if (brackets) write(stdout, "\x1b[?2004h");
    const char* text = el_gets(edit_.get(), &count);
    if (brackets) write(stdout, "\x1b[?2004l");
    if (cancelled_) return Got::cancelled;
    if (text == nullptr || count <= 0) return gone_ ? Got::gone : Got::end;
    line.assign(text, static_cast<std::size_t>(count));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    return Got::line;
  }

  // Takes a whole input into the history.
  void remember(const std::string& input) {
    if (input.find_first_not_of(" \t\n") == std::string::npos) return;
    HistEvent event;
    history(history_.get(), &event, H_ENTER, input.c_str());
    append(input);
  }

 private:
  static constexpr int kLines = 2000;  // lines that are recalled

  // The line goes to the end of the file, so that sessions side by side keep each other's.
  void append(const std::string& line) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        file_.empty() ? nullptr : std::fopen(file_.c_str(), "a"), &std::fclose);
    const std::unique_ptr<::History, void (*)(::History*)> only(history_init(), history_end);
    if (!file || !only) return;
    HistEvent event;
    history(only.get(), &event, H_SETSIZE, 1);
    history(only.get(), &event, H_ENTER, line.c_str());
    std::fseek(file.get(), 0, SEEK_END);  // only an empty file gets a heading
    history(only.get(), &event, H_SAVE_FP, file.get());
  }
  void shorten() {
    HistEvent event;
    const std::string part = file_ + fmt::format(".{}", getpid());
    std::error_code error;
    if (history(history_.get(), &event, H_SAVE, part.c_str()) >= 0) fs::rename(part, file_, error);
    if (error) fs::remove(part, error);
  }

  static LineEditor& of(EditLine* edit) {
    void* data = nullptr;
    el_get(edit, EL_CLIENTDATA, &data);
    return *static_cast<LineEditor*>(data);
  }

  static char* prompt(EditLine* edit) {
    static char first[] = "> ", next[] = ">> ";
    return of(edit).repl_.pending() ? next : first;
  }

  // One character of UTF-8; an interrupt is a Ctrl-C key.
  static int read_key(EditLine* edit, wchar_t* key) {
    constexpr wchar_t kInterrupt = 3;
    Interpreter& interpreter = of(edit).repl_.interpreter();
    const auto byte = [&](unsigned char& into) {
      for (;;) {
        if (interpreter.hung_up()) return -1;
        if (interpreter.interrupted()) return -2;
        const ssize_t got = ::read(STDIN_FILENO, &into, 1);
        if (got >= 0) return static_cast<int>(got);
        if (errno != EINTR) return -1;
      }
    };
    unsigned char first = 0;
    const int got = byte(first);
    if (got == -2) {
      interpreter.resume();
      *key = kInterrupt;
      return 1;
    }
    if (got <= 0) {
      of(edit).gone_ = true;
      return got;
    }
    int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    std::uint32_t code = more == 0 ? first : first & (0x3FU >> more);
    for (; more > 0; --more) {
      unsigned char next = 0;
      if (byte(next) <= 0) return -1;
      code = code << 6U | (next & 0x3FU);
    }
    *key = static_cast<wchar_t>(code);
    return 1;
  }

  static unsigned char cancel(EditLine* edit, int) {
    of(edit).cancelled_ = true;
    write(stdout, "^C\n");
    return CC_NEWLINE;
  }

  // All keys up to the mark of its end are text: tabs and line ends too.
  static unsigned char paste(EditLine* edit, int) {
    constexpr std::wstring_view kEnd = L"\x1b[201~";
    std::wstring text;
    for (wchar_t key = 0; !text.ends_with(kEnd); text += key == L'\r' ? L'\n' : key)
      if (read_key(edit, &key) <= 0) return CC_EOF;
    text.resize(text.size() - kEnd.size());
    while (!text.empty() && text.back() == L'\n') text.pop_back();
    std::erase_if(text, [](wchar_t c) { return c < L' ' && c != L'\n' && c != L'\t'; });
    el_winsertstr(edit, text.c_str());
    return CC_REFRESH;
  }

  static unsigned char complete(EditLine* edit, int) {
    const LineInfo* info = el_line(edit);
    const std::string text(info->buffer, info->lastchar);
    const auto cursor = static_cast<std::size_t>(info->cursor - info->buffer);
    if (text.find_first_not_of(" \t") >= cursor) {  // at the beginning of a line
      el_insertstr(edit, "  ");
      return CC_REFRESH;
    }
    const Repl::Completion completion = of(edit).repl_.complete(text, cursor);
    if (completion.candidates.empty()) return CC_ERROR;
    std::string common = completion.candidates.front();
    for (const std::string& each : completion.candidates) {
      const auto end = std::mismatch(common.begin(), common.end(), each.begin(), each.end()).first;
      common.erase(end, common.end());
    }
    const std::size_t typed = cursor - completion.start;
    if (common.size() > typed) {
      el_insertstr(edit, common.substr(typed).c_str());
      return CC_REFRESH;
    }
    if (completion.candidates.size() == 1) return CC_REFRESH;
    write(stdout, "\n" + columns(completion.candidates));
    return CC_REDISPLAY;
  }

  static std::string columns(const std::vector<std::string>& words) {
    constexpr std::size_t kMost = 300;
    std::size_t width = 0;
    for (const std::string& word : words) width = std::max(width, display_width(word) + 2);
    const std::size_t across = std::max<std::size_t>(1, static_cast<std::size_t>(terminal_width()) / width);
    const std::size_t count = std::min(words.size(), kMost), down = (count + across - 1) / across;
    std::string out;
    for (std::size_t row = 0; row < down; ++row) {
      std::string line;
      for (std::size_t i = row; i < count; i += down)
        line += words[i] + std::string(width - display_width(words[i]), ' ');
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return words.size() > kMost ? out + fmt::format("... {} more\n", words.size() - kMost) : out;
  }

  Repl& repl_;
  std::unique_ptr<EditLine, void (*)(EditLine*)> edit_;
  std::unique_ptr<::History, void (*)(::History*)> history_;
  std::string file_;
  bool cancelled_ = false;
  bool gone_ = false;  // the terminal
};

int on_terminal(Repl& repl, const std::string& script) {
  std::setlocale(LC_CTYPE, "C.UTF-8");  // for libedit; no other category, no other locale
  write(stdout, "perigee " PERIGEE_VERSION "; :help says what can be done here, :quit leaves\n");
  const CatchSignals catching(repl.interpreter());
  const WatchTerminal watching(repl.interpreter());
  LineEditor editor(repl);
  if (!script.empty()) show(repl.load(script));
  std::string input;  // the lines of one that is not complete
  for (;;) {
    std::string lines;
    const LineEditor::Got got = editor.read(lines);
    if (got == LineEditor::Got::gone || (got == LineEditor::Got::end && !repl.pending())) {
      write(stdout, "\n");
      return 0;
    }
    if (got != LineEditor::Got::line) {
      if (got == LineEditor::Got::end) write(stdout, "\n");
      editor.remember(std::exchange(input, {}));
      repl.cancel();
      continue;
    }
    for (bool more = true; more;) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      const std::string line = lines.substr(0, end);
      more = end < lines.size();
      lines.erase(0, end + 1);
      input += input.empty() ? line : "\n" + line;
      if (!repl.needs_more(line)) editor.remember(std::exchange(input, {}));
      const Repl::Reply reply = repl.feed(line);
      show(reply);
      if (reply.quit || repl.interpreter().hung_up()) return 0;
    }
  }
}

int on_pipe(Repl& repl, const std::string& script) {
  const auto good = [](const Repl::Reply& reply) {
    show(reply);
    return reply.error.empty();
  };
  if (!script.empty() && !good(repl.load(script))) return 1;
  std::string line;
  bool first = true;
  while (std::getline(std::cin, line)) {
    if (std::exchange(first, false) && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const Repl::Reply reply = repl.feed(line);
    if (!good(reply)) return 1;
    if (std::ferror(stdout) != 0) break;
    if (reply.quit) return 0;
  }
  if (!good(repl.finish())) return 1;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  write(stderr, "error: standard output cannot be written\n");
  return 1;
}

}  // namespace

bool at_terminal() { return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0; }

std::function<void(const Simulation*)> progress_line() {
  if (!shows_progress()) return {};
  return [lines = RunLines()](const Simulation* simulation) mutable {
    const bool shown = lines.shown();
    if (simulation == nullptr) {
      lines.end();
      if (shown) write(stderr, "\r\x1b[K");
      return;
    }
    std::string line = lines.next(*simulation);
    if (line.empty()) return;
    if (!shown) std::fflush(stdout);  // printed text comes before the line
    line += "; Ctrl-C stops";
    line.resize(std::min(line.size(), static_cast<std::size_t>(terminal_width()) - 1));
    write(stderr, "\r\x1b[K" + line);
  };
}

int run_prompt(Repl& repl, const std::string& script) {
  return at_terminal() ? on_terminal(repl, script) : on_pipe(repl, script);
}

}  // namespace perigee::prompt
