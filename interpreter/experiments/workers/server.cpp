#include "interpreter/experiments/workers/server.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "interpreter/experiments/coordinator.h"
#include "interpreter/experiments/lock.h"
#include "interpreter/experiments/workers/connection.h"
#include "interpreter/experiments/workers/launchers.h"
#include "interpreter/host/embedded.h"

namespace perigee::experiments {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr milliseconds kBetweenServerLooks{200};  // at processes and silence
constexpr seconds kHeldUp{2};  // between two looks: this process was stopped, and may have heard nobody
constexpr seconds kGreetingTime{20};  // for a connection to prove itself and say hello
constexpr milliseconds kBatch{30};    // that cells dealt out together may take
constexpr std::size_t kLargestBatch = 4096;
constexpr milliseconds kNoSpare{15};  // whoever computes longer at a cell gets the next one when it is done
constexpr Seconds kLongest = 1e9;     // of a Slurm job
constexpr int kMostDeaths = 3;        // workers that a cell may end; more where workers end for other reasons
constexpr int kAllDeaths = 10;
constexpr seconds kNoWorker{10};  // without one, after which this process computes suspected cells itself
constexpr std::size_t kResultsAtOnce = 1024, kBytesAtOnce = 1 << 20;
constexpr std::size_t kMostTold = 5;  // lost workers that are told of one by one

// Names of files stay as they were given, for they show in errors of cells; workers enter the same folder.
std::string job_frame(const InterpreterOptions& options, const std::string& script) {
  return Job{options, std::filesystem::current_path().string(), script, options.silence}.frame();
}

std::vector<WorkersSpec> specs_of(const InterpreterOptions& options) {
  std::vector<WorkersSpec> specs;
  for (const std::string& each : options.workers) specs.push_back(read_workers(each));
  return specs;
}

// Each worker has an open file here, and many systems let a process have 1024 as long as it asks for no more.
void allow_open_files() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

class WorkerServer::Server {
 public:
  Server(CellCoordinator& coordinator, const InterpreterOptions& options, const std::string& script,
         const std::string& folder)
      : coordinator_(coordinator),
        computes_too_(options.jobs > 0),
        silence_(options.silence),
        job_(job_frame(options, script)),
        specs_(specs_of(options)),
        launchers_(std::in_place, specs_,
                   Launchers::Told{[this](int socket, Slot& slot) { take_pipe(socket, slot); },
                                   [this](const std::string& line) { tell(line); }}) {
    allow_open_files();
    heard_.said = [this](const auto& worker, Says kind, std::string_view body) { hear(worker, kind, body); };
    heard_.lost = [this](const auto& worker, const std::string& why) { gone(worker, why); };
    heard_.written = [this](const auto& worker) { send_results(*worker); };
    if (std::ranges::any_of(specs_, &WorkersSpec::by_network)) listen(options, folder);
  }

  ~Server() {
    asio::post(io_, [this] {
      ending_ = true;
      error_code ignored;
      acceptor_.close(ignored);
      timer_.cancel();
      accept_later_.cancel();
      for (const auto& worker : std::exchange(workers_, {})) worker->close();
      work_.reset();
    });
    if (thread_.joinable()) thread_.join();
    launchers_.reset();
  }

  void start(std::size_t cells) {
    if (thread_.joinable()) {
      asio::post(io_, [this, cells] {
        if (!ending_) launchers_->start_local(cells);
      });
      return;
    }
    launchers_->start(access_ ? access_->path() : std::string());
    launchers_->start_local(cells);
    look_later();
    thread_ = std::thread([this] { io_.run(); });
  }

  void wake() {
    if (!woken_.exchange(true))
      asio::post(io_, [this] {
        woken_ = false;
        for (const auto& worker : std::vector(workers_.begin(), workers_.end())) advance(*worker);
      });
  }

 private:
  using WorkerPtr = std::shared_ptr<Connection>;

  // ---- how workers come

  void listen(const InterpreterOptions& options, const std::string& folder) {
    const auto spec = std::ranges::find_if(specs_, &WorkersSpec::by_network);
    if (folder.empty())
      fail("no_out",
           "--workers {} needs --out, a folder that the workers see, too: the file with which they find this "
           "process is put there",
           spec->text);
    std::string address = options.listen;
    unsigned short port = 0;
    bool named = false;
    for (const WorkersSpec& each : specs_) {
      if (each.by != WorkersSpec::By::listen) continue;
      if ((!address.empty() && address != each.address) || (std::exchange(named, true) && port != each.port))
        fail("bad_value", "--workers {}: this process listens at one address, and {} is another one",
             each.text, port != 0 ? fmt::format("{}:{}", address, port) : address);
      address = each.address;
      port = each.port;
    }
    if (address.empty()) address = host_name();
    try {
      tcp::resolver resolver(io_);
      const tcp::endpoint endpoint =
          resolver.resolve(address, std::to_string(port), tcp::resolver::numeric_service)->endpoint();
      if (endpoint.address().is_unspecified())
        fail("no_listening", "{} stands for all addresses of this machine; name one at which workers find it",
             address);
      acceptor_.open(endpoint.protocol());
      acceptor_.set_option(tcp::acceptor::reuse_address(true));
      acceptor_.bind(endpoint);
      acceptor_.listen(4096);
    } catch (const boost::system::system_error& error) {
      fail("no_listening", "cannot listen at {}{}: {}; name an address of this machine{}", address,
           port != 0 ? fmt::format(":{}", port) : "", error.code().message(), named ? "" : " with --listen");
    }
    const tcp::endpoint at = acceptor_.local_endpoint();
    secret_ = new_secret();
    access_.emplace(folder, Access{at.address().to_string(), at.port(), secret_});
    if (std::ranges::any_of(specs_, [](const auto& each) { return each.by == WorkersSpec::By::listen; }))
      coordinator_.tell(fmt::format("workers find this process at {}{}{}:{}: perigee work {}",
                                    at.address().is_v6() ? "[" : "", at.address().to_string(),
                                    at.address().is_v6() ? "]" : "", at.port(), access_->path()));
    accept();
  }

  void accept() {
    auto socket = std::make_shared<Connection::Socket>(io_);
    acceptor_.async_accept(*socket, [this, socket](error_code error) {
      if (ending_ || error == asio::error::operation_aborted) return;
      if (!error) {
        const int yes = 1;  // an answer does not wait for the next one
        setsockopt(socket->native_handle(), IPPROTO_TCP, 1 /* TCP_NODELAY */, &yes, sizeof yes);
        admit(std::make_shared<Connection>(std::move(*socket), heard_, &secret_, nullptr));
        return accept();
      }
      accept_later_.expires_after(kBetweenServerLooks);  // too many files are open, and would be at once
      accept_later_.async_wait([this](error_code cancelled) {
        if (!cancelled && !ending_) accept();
      });
    });
  }

  void admit(const WorkerPtr& worker) {
    workers_.insert(worker);
    worker->begin();
  }

  void take_pipe(int end, Slot& slot) {
    Connection::Socket socket(io_, asio::generic::stream_protocol(AF_UNIX, 0), end);
    admit(std::make_shared<Connection>(std::move(socket), heard_, nullptr, &slot));
  }

  // ---- what workers say

  void hear(const WorkerPtr& worker, Says kind, std::string_view body) {
    if (!worker->hello && kind != Says::hello) fail("bad_message", "its first message is no hello");
    Parser parser(body);
    switch (kind) {
      case Says::hello:
        return welcome(worker, Hello::read(body));
      case Says::beat:
        return;
      case Says::entered:
        if (!worker->hand.empty()) fail("bad_message", "it goes on with cells at hand");
        worker->at = parser.number64();
        worker->digest = parser.text();
        worker->experiment = nullptr;
        worker->knows_end = false;
        worker->next_result.reset();
        return advance(*worker);
      case Says::answers:
        return take_answers(*worker, parser);
      case Says::stop:
        return stop(*worker, parser);
      case Says::lost:
        last_reason_ = parser.text();
        none_can_follow_ = true;
        coordinator_.lose(last_reason_);
        worker->leaves = true;
        return_hand(*worker);
        if (worker->slot != nullptr) worker->slot->over = true;
        return;
      case Says::leaves:
        worker->leaves = true;
        return_hand(*worker);
        return;
      case Says::ends: {
        const double left = parser.real();
        if (!(std::fabs(left) < kLongest) || worker->hello->slurm_job.empty())
          fail("bad_message", "it says that it ends in {} s, in the Slurm job '{}'", left,
               worker->hello->slurm_job);
        const auto end =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(left));
        ends_[worker->hello->slurm_job] = end;
        for (const auto& each : workers_)
          if (each->hello && each->hello->slurm_job == worker->hello->slurm_job) say_end(*each, end);
        return;
      }
      default:
        fail("bad_message", "its message is one of a coordinator");
    }
  }

  void welcome(const WorkerPtr& worker, Hello hello) {
    if (worker->hello) fail("bad_message", "it says hello twice");
    const std::string sources(source_digest());
    if (hello.protocol != kProtocol || hello.version != PERIGEE_VERSION || hello.sources != sources) {
      const std::string why = fmt::format(
          "the worker on {} is perigee {} ({:.8}), the coordinator is perigee {} ({:.8}): both must be the "
          "same program",
          hello.host, hello.version, hello.sources, PERIGEE_VERSION, sources);
      if (worker->slot != nullptr) worker->slot->over = true;
      last_reason_ = why;
      tell(why);
      worker->send(std::move(Writer(Says::refused).text(why)).frame());
      return;  // it hangs up
    }
    worker->hello = std::move(hello);
    launchers_->each_of(worker->slot, [](Slot& slot) { slot.was_ready = true; });
    worker->send(job_);
    count();
    const auto end = ends_.find(worker->hello->slurm_job);
    if (end != ends_.end()) say_end(*worker, end->second);
  }

  void say_end(Connection& worker, Clock::time_point end) {
    const std::chrono::duration<double> left = end - Clock::now();
    worker.send(std::move(Writer(Says::ends).real(left.count())).frame());
  }

  // Whether the worker had the cell, which it has no longer.
  static bool take_from_hand(Connection& worker, std::uint64_t cell) {
    const auto at = std::ranges::find(worker.hand, cell);
    if (at == worker.hand.end()) return false;
    worker.hand.erase(at);
    return true;
  }

  void take_answers(Connection& worker, Parser& parser) {
    const std::uint64_t nth = parser.number64(), nanoseconds = parser.number64();
    const std::uint32_t count = parser.count(kLeastOutcome);
    std::vector<std::pair<std::uint64_t, CellOutcome>> outcomes;
    for (std::uint32_t i = 0; i < count; ++i) outcomes.push_back(worker.outcomes.next(parser));
    std::erase_if(outcomes, [&](const auto& each) {  // those that come late
      return worker.at != nth || !worker.experiment || !take_from_hand(worker, each.first);
    });
    for (const auto& [cell, outcome] : outcomes) {
      if (first_suspects_.empty()) break;
      innocent_ += static_cast<int>(first_suspects_.erase({nth, cell}));
    }
    if (!outcomes.empty()) {
      auto& [time, cells] = paces_[nth];
      constexpr double kKept = 0.9;  // of what was known
      time = kKept * time + static_cast<double>(nanoseconds);
      cells = kKept * cells + count;
      coordinator_.give_all(*worker.experiment, std::move(outcomes));
    }
    advance(worker);
  }

  void stop(Connection& worker, Parser& parser) {
    const std::uint64_t nth = parser.number64(), cell = parser.number64();
    Diagnostic diagnostic = read_diagnostic(parser);
    if (worker.at != nth || !worker.experiment) return;
    if (take_from_hand(worker, cell))
      coordinator_.stop_by(*worker.experiment, cell, std::make_exception_ptr(Error(std::move(diagnostic))));
    return_hand(worker);  // it has dropped all others, also where the cell was no longer its own
  }

  // ---- what workers are told

  void advance(Connection& worker) {
    if (worker.knows_end) return begin_results(worker);
    if (!worker.at || worker.leaves) return;
    if (!worker.experiment) {
      worker.experiment = coordinator_.experiment(*worker.at);
      if (!worker.experiment) return;
      std::string& digest = digests_[*worker.at];
      if (digest.empty()) digest = worker.experiment->design.digest();
      // A worker that runs no script has no declaration of its own, and takes ours.
      if (!worker.digest.empty() && digest != worker.digest) {
        worker.leaves = true;
        worker.send(std::move(Writer(Says::differs).text(worker.experiment->design.name)).frame());
        return;
      }
    }
    switch (coordinator_.standing(*worker.experiment)) {
      case CellCoordinator::Standing::open:
        return feed(worker);
      case CellCoordinator::Standing::over:
        worker.knows_end = true;
        worker.send(std::move(Writer(Says::over).number(std::uint64_t{*worker.at})).frame());
        return begin_results(worker);
      case CellCoordinator::Standing::left:
        if (const auto problem = coordinator_.problem(*worker.experiment)) {
          worker.knows_end = true;
          Writer writer(Says::fails);
          put_diagnostic(writer, *problem);
          worker.send(std::move(writer).frame());
        }
        return;
    }
  }

  std::size_t batch_of(const Connection& worker) {
    const auto& [time, cells] = paces_[*worker.at];
    if (cells <= 0) return 1;
    const double mean = std::max(time / cells, 1.0);
    const double fit = static_cast<double>(std::chrono::nanoseconds(kBatch).count()) / mean;
    return std::clamp(static_cast<std::size_t>(fit), std::size_t{1}, kLargestBatch);
  }

  void feed(Connection& worker) {
    auto& suspects = suspects_[*worker.at];
    if (!suspects.empty()) {  // each is computed alone, so that it shows whether it ends workers
      if (!worker.hand.empty()) return;
      deal(worker, {suspects.front()});
      suspects.pop_front();
      return;
    }
    if (worker.hand.size() == 1 && deaths_.contains({*worker.at, worker.hand.front()})) return;
    const std::size_t batch = batch_of(worker);
    // A second batch is on its way while the first is computed, unless cells take long.
    const bool spare = batch > static_cast<std::size_t>(kBatch / kNoSpare);
    if (worker.hand.size() > (spare ? batch : 0)) return;
    const std::size_t fair = coordinator_.waiting(*worker.experiment) / (2 * workers_.size());
    std::vector<std::uint64_t> cells =
        coordinator_.take_some(*worker.experiment, std::clamp(fair, std::size_t{1}, batch));
    if (!cells.empty()) deal(worker, cells);
  }

  void deal(Connection& worker, const std::vector<std::uint64_t>& cells) {
    Writer writer(Says::cells);
    writer.number(std::uint64_t{*worker.at}).number(static_cast<std::uint32_t>(cells.size()));
    for (const std::uint64_t cell : cells) {
      writer.number(cell);
      worker.hand.push_back(cell);
    }
    worker.send(std::move(writer).frame());
    launchers_->each_of(worker.slot, [](Slot& slot) { slot.got_cells = true; });
  }

  void begin_results(Connection& worker) {
    if (!worker.at || worker.next_result || !worker.experiment || !coordinator_.more_after(*worker.at) ||
        coordinator_.standing(*worker.experiment) != CellCoordinator::Standing::over)
      return;
    worker.next_result = worker.experiment->outcomes.begin();
    if (!worker.writing()) send_results(worker);
  }

  // The next part; the script of the worker goes on after the last one.
  void send_results(Connection& worker) {
    if (!worker.next_result || !worker.at) return;
    const auto end = worker.experiment->outcomes.cend();
    auto& next = *worker.next_result;
    Writer part(Says::results), writer(Says::results);
    for (std::size_t i = 0; i < kResultsAtOnce && part.size() < kBytesAtOnce && next != end; ++i, ++next)
      worker.results.put(part, next->first, next->second);
    worker.send(std::move(writer.byte(next == end).bytes(part)).frame());
    if (next == end) {
      worker.at.reset();  // it will say where it comes to
      worker.next_result.reset();
    }
  }

  // ---- how workers go

  void return_hand(Connection& worker) {
    // The first comes to stand first.
    for (; !worker.hand.empty(); worker.hand.pop_back())
      coordinator_.put_back(*worker.experiment, worker.hand.back());
  }

  // The cells that a worker had when it ended are suspected, the first one most. A cell that has ended too many
  // is given up. Each worker whose first suspect was computed later all the same has ended for another reason, so
  // that a cell may have met one such end more.
  void suspect_hand(Connection& worker) {
    if (!worker.hand.empty()) first_suspects_.insert({*worker.at, worker.hand.front()});
    const int most = std::min(kMostDeaths + innocent_, kAllDeaths);
    std::vector<std::pair<std::uint64_t, CellOutcome>> failed;
    for (const std::uint64_t cell : std::exchange(worker.hand, {})) {
      int& deaths = deaths_[{*worker.at, cell}];
      if (++deaths < most) {
        suspects_[*worker.at].push_back(cell);
        continue;
      }
      CellOutcome outcome;
      outcome.error = fmt::format("{} workers ended while they computed it", deaths);
      failed.emplace_back(cell, std::move(outcome));
    }
    if (!failed.empty()) coordinator_.give_all(*worker.experiment, std::move(failed));
  }

  void gone(const WorkerPtr& worker, const std::string& why) {
    workers_.erase(worker);
    if (ending_) return;
    Slot* slot = worker->slot;
    const std::string how = slot != nullptr && !worker->leaves ? Launchers::end_of(*slot, why) : why;
    if (slot != nullptr) slot->connected = false;
    if (!worker->leaves && worker->hello) {
      const std::size_t cells = worker->hand.size();
      if (worker->at && worker->experiment) suspect_hand(*worker);
      tell(fmt::format("a worker on {} (process {}) is lost: {}{}", worker->hello->host,
                       worker->hello->process, how,
                       cells == 0   ? ""
                       : cells == 1 ? "; its cell is dealt out again"
                                    : fmt::format("; its {} cells are dealt out again", cells)));
    } else if (!worker->hello && slot == nullptr) {
      if (++refused_ <= kMostTold) coordinator_.tell("a connection was refused: " + why);
    }
    for (const auto& each : std::vector(workers_.begin(), workers_.end())) advance(*each);
    count();
  }

  // All that wait for a worker that would compute them alone, to whoever takes cells.
  void return_suspects() {
    for (auto& [nth, cells] : suspects_) {
      const ExperimentPtr experiment = cells.empty() ? nullptr : coordinator_.experiment(nth);
      for (; !cells.empty(); cells.pop_back()) coordinator_.put_back(*experiment, cells.back());
    }
  }

  void tell(const std::string& line) {
    if (++told_ <= kMostTold) coordinator_.tell(line);
    if (told_ == kMostTold) coordinator_.tell("further workers that are lost are not told of");
  }

  void count() {
    coordinator_.count_workers(static_cast<std::size_t>(
        std::ranges::count_if(workers_, [](const auto& each) { return each->hello.has_value(); })));
  }

  void look_later() {
    timer_.expires_after(kBetweenServerLooks);
    timer_.async_wait([this](error_code error) {
      if (error || ending_) return;
      look();
      look_later();
    });
  }

  // At silence, at processes that have ended, and whether anybody is left.
  void look() {
    const auto now = Clock::now();
    if (now - std::exchange(looked_at_, now) > kHeldUp)
      for (const auto& worker : workers_) worker->heard_at = now;
    const bool beats = now >= next_beat_;
    if (beats)
      next_beat_ =
          now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(silence_ / 4));
    for (const auto& worker : std::vector(workers_.begin(), workers_.end())) {
      const std::chrono::duration<double> silent = now - worker->heard_at;
      if (silent.count() > (worker->hello ? silence_ : seconds(kGreetingTime).count())) {
        worker->close();
        gone(worker, fmt::format("nothing was heard of it for {:.3g} s", silent.count()));
      } else if (beats && worker->hello) {
        worker->send(Writer(Says::beat).frame());
      }
    }
    launchers_->look();
    count();
    const bool anybody = !workers_.empty() || computes_too_ || launchers_->any();
    if (!workers_.empty()) worker_at_ = now;
    if (!anybody || (computes_too_ && now - worker_at_ > kNoWorker)) return_suspects();
    if (!anybody && none_can_follow_) return coordinator_.compute_alone();
    if (!anybody)
      coordinator_.give_up(
          Error({"no_workers",
                 "no worker is left: " + (last_reason_.empty() ? launchers_->last_reason() : last_reason_),
                 {},
                 {}}));
  }

  CellCoordinator& coordinator_;
  const bool computes_too_;
  const Seconds silence_;
  const std::string job_;
  const std::vector<WorkersSpec> specs_;
  std::optional<Launchers> launchers_;
  Connection::Heard heard_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
  asio::steady_timer timer_{io_}, accept_later_{io_};
  tcp::acceptor acceptor_{io_};
  Secret secret_{};
  std::optional<AccessFile> access_;
  std::map<std::size_t, std::string> digests_;  // of the declarations of experiments
  std::set<WorkerPtr> workers_;
  std::map<std::string, Clock::time_point> ends_;                // of Slurm jobs
  std::map<std::size_t, std::pair<double, double>> paces_;       // of experiments: nanoseconds, cells
  std::map<std::size_t, std::deque<std::uint64_t>> suspects_;    // cells of experiments
  std::map<std::pair<std::size_t, std::uint64_t>, int> deaths_;  // workers that ended at a cell
  // Cells that were the first at hand when a worker ended, and the number of those that were answered later.
  std::set<std::pair<std::size_t, std::uint64_t>> first_suspects_;
  int innocent_ = 0;
  std::atomic<bool> woken_ = false;
  bool ending_ = false;
  bool none_can_follow_ = false;  // a worker could not follow the script
  Clock::time_point next_beat_ = {}, looked_at_ = Clock::now();
  Clock::time_point worker_at_ = Clock::now();  // when there was a worker
  std::size_t told_ = 0, refused_ = 0;
  std::string last_reason_;  // why a worker was not taken; empty = none was refused
  std::thread thread_;
};

WorkerServer::WorkerServer(CellCoordinator& coordinator, const InterpreterOptions& options,
                           const std::string& script, const std::string& folder)
    : server_(std::make_unique<Server>(coordinator, options, script, folder)) {}
WorkerServer::~WorkerServer() = default;
void WorkerServer::start(std::size_t cells) { server_->start(cells); }
void WorkerServer::wake() noexcept {
  try {
    server_->wake();
  } catch (const std::exception&) {  // no memory: a look at all workers comes within 200 ms
  }
}

}  // namespace perigee::experiments
