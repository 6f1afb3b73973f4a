#include "interpreter/experiments/workers/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

#include "interpreter/experiments/dealer.h"
#include "interpreter/experiments/lock.h"
#include "interpreter/experiments/workers/access.h"
#include "interpreter/experiments/workers/messages.h"
#include "interpreter/experiments/workers/time_limit.h"
#include "interpreter/host/embedded.h"

namespace perigee::experiments {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kKeepAnswers{20};          // the longest time that answers wait for others
constexpr std::size_t kLargestAnswers = 1 << 20;  // bytes
constexpr milliseconds kForLastWords{2000};       // that the coordinator may take to read them

// The connection with the coordinator. A thread of its own reads, says now and then that this process lives,
// and minds signals; it ends the process as soon as the coordinator is gone. There is nothing to be lost.
class Link {
 public:
  struct Heard {
    std::function<void(Says, std::string_view)> said;
    std::function<void()> soon, at_once;  // asked to leave
  };

  Link(int in, int out)
      : in_(io_, in),
        out_(io_, out),
        beat_(io_),
        end_(io_),
        soon_(io_, SIGUSR1),
        at_once_(io_, SIGTERM, SIGHUP) {}
  ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  void begin(Heard heard) {
    heard_ = std::move(heard);
    soon_.async_wait([this](error_code error, int) { minded_soon(error); });
    at_once_.async_wait([this](error_code error, int) {
      if (!error) heard_.at_once();
    });
    read_next();
    std::thread([this] { io_.run(); }).detach();
  }

  void send(std::string frame) {
    asio::post(io_, [this, frame = std::move(frame)] {
      if (last_status_) return;
      outbox_ += frame;
      if (!writing_) write();
    });
  }

  // Ends the process once all that was said has been read; the caller may go on or wait.
  void end(int status) {
    asio::post(io_, [this, status] {
      last_status_ = status;
      if (!writing_ && outbox_.empty()) hang_up();
      end_.expires_after(kForLastWords);
      end_.async_wait([status](error_code error) {
        if (!error) std::_Exit(status);
      });
    });
  }

  // From here on, beats, and the end of the process when nothing is heard.
  void mind_silence(Seconds seconds) {
    asio::post(io_, [this, seconds] {
      silence_ = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
      beat();
    });
  }

  void leave_in(Seconds seconds) {
    asio::post(io_, [this, seconds] {
      if (last_status_) return;
      end_.expires_after(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
      end_.async_wait([this](error_code error) {
        if (!error) heard_.soon();
      });
    });
  }

 private:
  void minded_soon(error_code error) {
    if (error) return;
    heard_.soon();
    soon_.async_wait([this](error_code next, int) { minded_soon(next); });
  }

  void beat() {
    send(Writer(Says::beat).frame());
    // A coordinator that was stopped for a while reads it when it goes on.
    if (Clock::now() - heard_at_ > silence_) return heard_.at_once();
    beat_.expires_after(silence_ / 4);
    beat_.async_wait([this](error_code error) {
      if (!error) beat();
    });
  }

  void read_next() {
    buffer_.resize(kHeader);
    asio::async_read(in_, asio::buffer(buffer_), [this](error_code error, std::size_t) {
      if (error) std::_Exit(last_status_.value_or(0));
      take([this] {
        const auto [kind, size] = read_header(buffer_);
        buffer_.resize(size);
        asio::async_read(in_, asio::buffer(buffer_), [this, kind = kind](error_code failed, std::size_t) {
          if (failed) std::_Exit(last_status_.value_or(0));
          heard_at_ = Clock::now();
          take([&] { heard_.said(kind, buffer_); });
          read_next();
        });
      });
    });
  }

  template <class F>
  void take(F&& read) {
    try {
      read();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "perigee work: %s\n", error.what());
      std::_Exit(1);
    }
  }

  void write() {
    writing_ = true;
    writes_.swap(outbox_);
    outbox_.clear();
    asio::async_write(out_, asio::buffer(writes_), [this](error_code error, std::size_t) {
      if (error) std::_Exit(0);
      writing_ = false;
      if (!outbox_.empty()) return write();
      if (last_status_) hang_up();
    });
  }

  // The coordinator reads to the end of what was said, and hangs up. A process that ended at once, with
  // messages that it has not read, would take its own last words back.
  void hang_up() {
    if (::shutdown(out_.native_handle(), SHUT_WR) != 0) out_.close();
  }

  asio::io_context io_{1};
  asio::posix::stream_descriptor in_, out_;
  asio::steady_timer beat_, end_;
  asio::signal_set soon_, at_once_;
  Heard heard_;
  std::string buffer_, outbox_, writes_;
  bool writing_ = false;
  std::optional<int> last_status_;
  Clock::duration silence_{};
  Clock::time_point heard_at_ = Clock::now();
};

// Takes cells from the coordinator at the other end of the link.
class RemoteDealer final : public CellDealer {
 public:
  explicit RemoteDealer(Link& link) : link_(link) {}

  ExperimentPtr enter(Interpreter&, std::size_t nth, const Design& design) override {
    const std::lock_guard lock(mutex_);
    at_ = nth;
    cells_.clear();
    over_ = results_whole_ = false;
    problem_.reset();
    results_.clear();
    name_ = design.name;
    link_.send(std::move(Writer(Says::entered).number(std::uint64_t{nth}).text(design.digest())).frame());
    return std::make_shared<Experiment>(Experiment{design, {}});
  }

  std::optional<std::uint64_t> take(Interpreter&, Experiment&) override {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (leaving_) leave(lock);
      if (problem_) throw Error(*problem_);
      if (!cells_.empty()) {
        const std::uint64_t cell = cells_.front();
        cells_.pop_front();
        began_ = Clock::now();
        return cell;
      }
      flush();
      if (over_) return std::nullopt;
      changed_.wait(lock);
    }
  }

  void give(Experiment&, std::uint64_t cell, CellOutcome outcome) override {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    computed_ += now - began_;
    if (count_ == 0) first_answer_ = now;
    outcomes_.put(answers_, cell, outcome);
    ++count_;
    if (cells_.empty() || now - first_answer_ > kKeepAnswers || answers_.size() > kLargestAnswers) flush();
  }

  void put_back(Experiment&, std::uint64_t) noexcept override {}  // this process ends, and says so

  void stop_by(Experiment&, std::uint64_t cell, std::exception_ptr problem) override {
    const Diagnostic diagnostic = diagnostic_of(problem);
    const std::lock_guard lock(mutex_);
    flush();
    cells_.clear();
    Writer writer(Says::stop);
    writer.number(std::uint64_t{at_}).number(cell);
    put_diagnostic(writer, diagnostic);
    link_.send(std::move(writer).frame());
  }

  void wait_for_more(Interpreter&, std::size_t, Experiment& experiment) override {
    std::unique_lock lock(mutex_);
    for (; !results_whole_; changed_.wait(lock))
      if (leaving_) leave(lock);
    experiment.outcomes = std::move(results_);
    experiment.over = true;
    for (const auto& [cell, outcome] : experiment.outcomes) experiment.failed += outcome.failed();
  }

  std::vector<std::string> names() const override { return {}; }
  std::string failed() const override { return {}; }

  // ---- by the thread of the link

  void deal(Parser parser) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t nth = parser.number64();
    for (std::uint32_t left = parser.count(8); left > 0; --left) {
      const std::uint64_t cell = parser.number64();
      if (nth == at_) cells_.push_back(cell);
    }
    changed_.notify_all();
  }
  void end_experiment(std::optional<Diagnostic> problem) {
    const std::lock_guard lock(mutex_);
    over_ = !problem;
    problem_ = std::move(problem);
    changed_.notify_all();
  }
  void take_results(Parser parser) {
    const bool last = parser.byte() != 0;
    std::vector<std::pair<std::uint64_t, CellOutcome>> some;
    while (!parser.at_end()) some.push_back(parse_.next(parser));
    const std::lock_guard lock(mutex_);
    for (auto& [cell, outcome] : some) results_.emplace(cell, std::move(outcome));
    results_whole_ = last;
    changed_.notify_all();
  }
  std::string experiment() {
    const std::lock_guard lock(mutex_);
    return name_;
  }
  // Leaves when the cell under way is done.
  void leave_soon() {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
    changed_.notify_all();
  }
  void leave_now() {
    const std::lock_guard lock(mutex_);
    say_farewell();
  }

 private:
  void flush() {
    if (count_ == 0) return;
    Writer writer(Says::answers);
    writer.number(std::uint64_t{at_})
        .number(static_cast<std::uint64_t>(std::chrono::nanoseconds(computed_).count()))
        .number(count_);
    link_.send(std::move(writer.bytes(answers_)).frame());
    answers_ = Writer(Says::answers);
    count_ = 0;
    computed_ = {};
  }
  void say_farewell() {
    flush();
    link_.send(Writer(Says::leaves).frame());
    link_.end(0);
  }
  [[noreturn]] void leave(std::unique_lock<std::mutex>& lock) {
    say_farewell();
    for (;;) changed_.wait(lock);
  }

  Link& link_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t at_ = 0;
  std::string name_;
  std::deque<std::uint64_t> cells_;
  bool over_ = false, leaving_ = false, results_whole_ = false;
  std::optional<Diagnostic> problem_;
  CellOutcomes results_;
  OutcomeParser parse_;
  // Answers that have not been sent.
  Writer answers_{Says::answers};
  OutcomeWriter outcomes_;
  std::uint32_t count_ = 0;
  Clock::duration computed_{};
  Clock::time_point began_, first_answer_;
};

// Proves to the coordinator that this worker knows the secret, and lets it prove the same.
void prove(int socket, const Access& access, const std::string& file) {
  const auto all = [&](auto&& move, auto* bytes, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
      const ssize_t count = move(socket, bytes + done, size - done);
      if (count <= 0)
        fail("no_coordinator", "{}: the coordinator at {} does not answer", file, access.address);
      done += static_cast<std::size_t>(count);
    }
  };
  const Nonce ours = new_nonce();
  std::string greeting(kMagic);
  greeting.append(ours.begin(), ours.end());
  all(::write, greeting.data(), greeting.size());
  Nonce theirs;
  Proof proof;
  all(::read, theirs.data(), theirs.size());
  all(::read, proof.data(), proof.size());
  if (!same(proof, proof_of("coordinator", access.secret, ours, theirs)))
    fail("no_coordinator", "{}: what answers at {}, port {}, does not know the secret of this run", file,
         access.address, access.port);
  const Proof own = proof_of("worker", access.secret, ours, theirs);
  all(::write, own.data(), own.size());
}

// Never closed: it lasts as long as the process.
int connected(const std::string& file) {
  const Access access = read_access(file);
  asio::io_context io;
  asio::ip::tcp::socket socket(io);
  error_code error;
  const auto address = asio::ip::make_address(access.address, error);
  if (!error) socket.connect({address, access.port}, error);
  if (error)
    fail("no_coordinator", "{}: no coordinator answers at {}, port {}: {}", file, access.address, access.port,
         error.message());
  socket.set_option(asio::ip::tcp::no_delay(true));
  const int number = fcntl(socket.native_handle(), F_DUPFD_CLOEXEC, 3);
  timeval patience{20, 0};
  setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK);
  prove(number, access, file);
  return number;
}

// The coordinator's job: what is said before the first cell.
class Beginning {
 public:
  void take(Job job) {
    const std::lock_guard lock(mutex_);
    job_ = std::move(job);
    come_.notify_all();
  }
  Job wait() {
    std::unique_lock lock(mutex_);
    come_.wait(lock, [&] { return job_.has_value(); });
    return *job_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable come_;
  std::optional<Job> job_;
};

void hear(RemoteDealer& dealer, Beginning& beginning, Link& link, Says kind, std::string_view body) {
  Parser parser(body);
  switch (kind) {
    case Says::beat:
      return;
    case Says::job:
      return beginning.take(Job::read(body));
    case Says::refused:
      fail("refused", "{}", parser.text());
    case Says::cells:
      return dealer.deal(parser);
    case Says::over:
      return dealer.end_experiment(std::nullopt);
    case Says::fails:
      return dealer.end_experiment(read_diagnostic(parser));
    case Says::results:
      return dealer.take_results(parser);
    case Says::differs:
      return dealer.end_experiment(Diagnostic{
          "different_script",
          fmt::format(
              "experiment '{}': a worker that ran the script again has come to another declaration; has a "
              "file of the script changed meanwhile?",
              parser.text()),
          {},
          {}});
    case Says::ends:
      return link.leave_in(time_to_leave(parser.real()));
    default:
      fail("bad_message", "the coordinator speaks like a worker");
  }
}

// Why the script could not be followed.
std::string run_script(Interpreter::OpenWords words, RemoteDealer& dealer, const Job& job) {
  try {
    std::error_code error;
    std::filesystem::current_path(job.folder, error);
    if (error)
      return fmt::format("on {}, the folder {} cannot be entered: {}", host_name(), job.folder,
                         error.message());
    InterpreterOptions options = job.options;
    options.output = options.warnings = [](std::string_view) {};
    options.worker_of = &dealer;
    Interpreter interpreter(words, std::move(options));
    interpreter.run_file(job.script);
    return "it came to its end before that of the coordinator";
  } catch (const Error& error) {
    return error.diagnostic().text();
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

int work(Interpreter::OpenWords words, const std::string& access_file) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);  // of a terminal: the coordinator decides
  int in = -1, out = -1;
  if (access_file.empty()) {
    in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
  } else {
    in = connected(access_file);
    out = fcntl(in, F_DUPFD_CLOEXEC, 3);
  }
  // The thread of the link uses these until the process ends.
  auto& link = *new Link(in, out);
  auto& dealer = *new RemoteDealer(link);
  auto& beginning = *new Beginning;
  const std::string slurm_job = slurm_job_id();
  link.begin({[&](Says kind, std::string_view body) { hear(dealer, beginning, link, kind, body); },
              [&] { dealer.leave_soon(); }, [&] { dealer.leave_now(); }});
  link.send(Hello{kProtocol, PERIGEE_VERSION, std::string(source_digest()), host_name(), getpid(), slurm_job}
                .frame());
  const Job job = beginning.wait();
  link.mind_silence(job.silence);
  if (!slurm_job.empty())
    std::thread([&link] {
      if (const auto left = slurm_time_left()) link.send(std::move(Writer(Says::ends).real(*left)).frame());
    }).detach();
  const std::string why = run_script(words, dealer, job);
  link.send(std::move(Writer(Says::lost).text(why)).frame());
  link.end(1);
  for (;;) pause();
}

}  // namespace perigee::experiments
