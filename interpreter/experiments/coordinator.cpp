#include "interpreter/experiments/coordinator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <system_error>
#include <utility>

#include "interpreter/experiments/workers/server.h"

namespace perigee::experiments {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{200};  // the time between two looks at Ctrl-C
constexpr std::chrono::milliseconds kBetweenCommits{10};

// While an object of this class lives, threads that begin get no signals. Only the threads that run already
// get them.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

// A thread that computes cells is stopped like a script by Ctrl-C: by a signal, whose handler runs in that
// thread. So no hook slows down a script that nobody stops.
constexpr int kStop = SIGUSR2;
thread_local Interpreter* interpreter_of_thread = nullptr;

void take_stops_in_this_thread() {
  static const bool once = [] {
    struct sigaction action = {};
    action.sa_handler = [](int) {
      if (interpreter_of_thread != nullptr) interpreter_of_thread->interrupt();
    };
    action.sa_flags = static_cast<int>(SA_RESTART);
    sigemptyset(&action.sa_mask);
    return sigaction(kStop, &action, nullptr) == 0;
  }();
  PERIGEE_ASSERT(once, "a handler can be set");
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, kStop);
  pthread_sigmask(SIG_UNBLOCK, &stops, nullptr);
}

}  // namespace

CellCoordinator::CellCoordinator(Interpreter& main) : main_(main) {}

CellCoordinator::~CellCoordinator() {
  std::unique_ptr<WorkerServer> server;  // which threads that stop do not wake any more
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (Interpreter* worker : workers_) worker->hang_up();
    server = std::move(server_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) pthread_kill(thread.native_handle(), kStop);
  server.reset();
  for (std::thread& thread : threads_) thread.join();
  put_.notify_all();
  if (committer_.joinable()) committer_.join();
}

std::optional<std::string> CellCoordinator::now(const CellOutcome::Read& read) {
  if (read.kind == CellOutcome::Read::Kind::seed) return read.value;
  if (read.kind == CellOutcome::Read::Kind::setting) {
    const auto& settings = main_.options().settings;
    const auto given = settings.find(read.name);
    return given == settings.end() ? std::nullopt : std::optional(given->second);
  }
  const auto [at, is_new] = hashes_.try_emplace(read.name);
  if (is_new) {
    try {
      at->second = file_hash(main_.files().find(read.name));
    } catch (const Error&) {  // the file is missing
    }
  }
  return at->second;
}

bool CellCoordinator::is_ours(std::uint64_t cell) const {
  const auto [index, count] = main_.options().shard;
  if (count <= 1) return true;
  // In turns, each of which begins one shard further: factors often have as many levels as there are shards.
  return ((cell - 1) + (cell - 1) / count) % count == index - 1;
}

// Plans rounds until one has cells that are not stored.
void CellCoordinator::plan(Experiment& experiment) {
  while (experiment.waiting.empty()) {
    std::vector<std::uint64_t> cells;
    if (!experiment.partial) cells = next_round(experiment.design, experiment.outcomes);
    if (cells.empty()) {
      if (!experiment.partial) warn_of_same_seeds(experiment.design, experiment.outcomes);
      experiment.over = true;
      return;
    }
    for (const std::uint64_t cell : cells) {
      std::optional<CellOutcome> stored;
      if (store_) stored = store_->find(experiment.design, cell, [&](const auto& read) { return now(read); });
      if (!stored && !is_ours(cell)) {
        experiment.partial = true;
        continue;
      }
      ++experiment.known;
      if (!stored) {
        experiment.waiting.push_back(cell);
        continue;
      }
      ++experiment.stored;
      experiment.elsewhere += stored->elsewhere;
      if (last_names_ && *last_names_ == *stored->names) stored->names = last_names_;
      last_names_ = stored->names;
      experiment.outcomes.emplace(cell, std::move(*stored));
    }
  }
}

void CellCoordinator::open(Experiment& experiment) {
  for (const ExperimentPtr& other : experiments_)
    if (other.get() != &experiment && other->design.name == experiment.design.name &&
        !main_.options().interactive)
      fail("duplicate_name", "the experiment '{}' is declared twice, first in line {}; give it another name",
           experiment.design.name, other->design.where.line);
  if (!store_ && main_.keeps_cells()) {
    const std::string folder = main_.files().output_folder(".");
    auto store = std::make_unique<Store>(folder);
    for (const std::string& other : main_.options().known) store->also_from(other);
    store_ = std::move(store);
    const WithoutSignals without_signals;
    committer_ = std::thread([this] { commit_in_time(); });
    file_ = std::make_unique<ProgressFile>(folder);
  }
  if (!store_) return plan(experiment);
  Store::Others others = store_->enter(experiment.design);
  experiment.others = others.cells;
  experiment.changed = std::move(others.changed);
  const std::uint64_t damaged = store_->damaged();
  plan(experiment);
  experiment.damaged = store_->damaged() - damaged;
  experiment.outdated = store_->take_outdated();
}

void CellCoordinator::abandon(Experiment& experiment) {
  experiment.waiting.clear();
  experiment.left = true;
  if (file_) file_->end_experiment(main_.interrupted() ? "interrupted" : "failed");
  if (main_.options().interactive)
    std::erase_if(experiments_, [&](const ExperimentPtr& e) { return e.get() == &experiment; });
  notify();
}

ExperimentPtr CellCoordinator::enter(Interpreter& interpreter, std::size_t nth, const Design& design) {
  std::unique_lock lock(mutex_);
  if (&interpreter == &main_) {
    auto experiment = std::make_shared<Experiment>(Experiment{design, {}});
    experiments_.push_back(experiment);
    try {
      open(*experiment);
    } catch (...) {  // the workers meet the same error
      experiment->problem = std::current_exception();
      abandon(*experiment);
      throw;
    }
    progress(experiment.get());
    const std::size_t cells = experiment->waiting.size();
    lock.unlock();  // workers may be there, and speak, as soon as they are started
    try {
      start_workers(cells);
    } catch (...) {
      lock.lock();
      experiment->problem = std::current_exception();
      abandon(*experiment);
      throw;
    }
    notify();
    return experiment;
  }
  changed_.wait(lock, [&] { return ending_ || nth < experiments_.size(); });
  if (ending_) interpreter.stop_interrupted();
  if (!experiments_[nth]->design.same_as(design))
    fail("different_script",
         "experiment '{}': a worker that ran the script again has come to another declaration; has a file of "
         "the script changed meanwhile?",
         experiments_[nth]->design.name);
  return experiments_[nth];
}

std::optional<std::uint64_t> CellCoordinator::take(Interpreter& interpreter, Experiment& experiment) {
  const bool is_main = &interpreter == &main_;
  std::unique_lock lock(mutex_);
  for (;;) {
    const bool computes = !is_main || main_.options().jobs > 0 || alone_;
    if (experiment.problem && experiment.under_way == 0 && experiment.waiting.empty())
      std::rethrow_exception(experiment.problem);
    if (ending_ || experiment.left) interpreter.stop_interrupted();
    if (is_main)
      for (const std::string& line : std::exchange(lines_, {})) interpreter.output().warn(line);
    if (computes && !experiment.waiting.empty()) {
      const std::uint64_t cell = experiment.waiting.front();
      experiment.waiting.pop_front();
      ++experiment.under_way;
      return cell;
    }
    if (experiment.over) return std::nullopt;
    if (interpreter.interrupted()) interpreter.stop_interrupted();
    changed_.wait_for(lock, kBetweenLooks);
  }
}

// The store may throw.
void CellCoordinator::keep(Experiment& experiment, std::uint64_t cell, CellOutcome outcome) {
  --experiment.under_way;
  if (outcome.failed()) {
    ++experiment.failed;
  } else {
    if (store_ && !experiment.problem) store_->put(experiment.design, cell, outcome);
    if (last_names_ && *last_names_ == *outcome.names) outcome.names = last_names_;
    last_names_ = outcome.names;
  }
  experiment.outcomes.emplace_hint(experiment.outcomes.end(), cell, std::move(outcome));
}

void CellCoordinator::give_all(Experiment& experiment,
                               std::vector<std::pair<std::uint64_t, CellOutcome>> outcomes) {
  const std::lock_guard lock(mutex_);
  const bool had_more = !experiment.waiting.empty();
  std::size_t kept = 0;
  try {
    for (auto& [cell, outcome] : outcomes) {
      ++kept;
      keep(experiment, cell, std::move(outcome));
    }
    if (experiment.waiting.empty() && experiment.under_way == 0 && !experiment.problem) plan(experiment);
    if (experiment.over) commit();
  } catch (const std::exception&) {  // the store cannot be written
    experiment.under_way -= outcomes.size() - kept;
    experiment.waiting.clear();
    experiment.over = false;
    experiment.problem = std::current_exception();
  }
  if (store_ && !std::exchange(uncommitted_, true)) put_.notify_all();
  progress(&experiment);
  // Whoever waits finds something new only where there are more cells, or there will be none.
  if (experiment.problem || experiment.over || (!had_more && !experiment.waiting.empty())) notify();
}

void CellCoordinator::commit() {
  if (store_) store_->commit();
  uncommitted_ = false;
}

// A thread that commits what was put a moment ago. A commit for each cell would take longer than small cells.
void CellCoordinator::commit_in_time() {
  std::unique_lock lock(mutex_);
  for (;;) {
    put_.wait(lock, [&] { return ending_ || uncommitted_; });
    if (!uncommitted_) return;
    put_.wait_for(lock, kBetweenCommits, [&] { return ending_; });
    try {
      commit();
    } catch (const std::exception&) {
      for (const ExperimentPtr& each : experiments_) {
        if (each->over || each->left) continue;
        each->waiting.clear();
        each->problem = std::current_exception();
      }
      uncommitted_ = false;
      notify();
    }
  }
}

void CellCoordinator::give(Experiment& experiment, std::uint64_t cell, CellOutcome outcome) {
  std::vector<std::pair<std::uint64_t, CellOutcome>> one;
  one.emplace_back(cell, std::move(outcome));
  give_all(experiment, std::move(one));
}

void CellCoordinator::put_back(Experiment& experiment, std::uint64_t cell) noexcept {
  const std::lock_guard lock(mutex_);
  --experiment.under_way;
  if (!experiment.problem || cell < experiment.stopped_by) experiment.waiting.push_front(cell);
  notify();
}

void CellCoordinator::stop_taking(Experiment& experiment, std::uint64_t cell, std::exception_ptr problem) {
  if (experiment.problem && cell >= experiment.stopped_by) return;
  experiment.stopped_by = cell;
  experiment.problem = std::move(problem);
  std::erase_if(experiment.waiting, [&](std::uint64_t other) { return other >= cell; });
}

void CellCoordinator::stop_by(Experiment& experiment, std::uint64_t cell, std::exception_ptr problem) {
  const std::lock_guard lock(mutex_);
  --experiment.under_way;
  stop_taking(experiment, cell, std::move(problem));
  notify();
}

void CellCoordinator::leave(Experiment& experiment) {
  const std::lock_guard lock(mutex_);
  progress(nullptr);
  if (!experiment.over)
    abandon(experiment);
  else if (file_)
    file_->end_experiment();
}

std::string CellCoordinator::kept(const Experiment& experiment) {
  const std::lock_guard lock(mutex_);
  if (!store_) return {};
  commit();
  return fmt::format("{} of {} cells are kept in {}/experiments.sqlite, and the same command goes on",
                     experiment.outcomes.size() - experiment.failed, experiment.known, main_.options().out);
}

std::string CellCoordinator::lost_worker() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lost_, {});
}

bool CellCoordinator::more(std::size_t nth) const {
  return nth + 1 < experiments_.size() &&
         std::any_of(experiments_.begin() + static_cast<std::ptrdiff_t>(nth) + 1, experiments_.end(),
                     [](const ExperimentPtr& later) { return !later->over && !later->left; });
}

void CellCoordinator::wait_for_more(Interpreter& worker, std::size_t nth, Experiment&) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ending_ || more(nth); });
  if (ending_) worker.stop_interrupted();
}

void CellCoordinator::notify() {
  changed_.notify_all();
  if (server_) server_->wake();
}

ExperimentPtr CellCoordinator::experiment(std::size_t nth) const {
  const std::lock_guard lock(mutex_);
  return nth < experiments_.size() ? experiments_[nth] : nullptr;
}

CellCoordinator::Standing CellCoordinator::standing(const Experiment& experiment) const {
  const std::lock_guard lock(mutex_);
  if (experiment.left) return Standing::left;
  return experiment.over ? Standing::over : Standing::open;
}

std::optional<Diagnostic> CellCoordinator::problem(const Experiment& experiment) const {
  const std::lock_guard lock(mutex_);
  if (!experiment.problem) return std::nullopt;
  return diagnostic_of(experiment.problem);
}

bool CellCoordinator::more_after(std::size_t nth) const {
  const std::lock_guard lock(mutex_);
  return more(nth);
}

std::vector<std::uint64_t> CellCoordinator::take_some(Experiment& experiment, std::size_t most) {
  const std::lock_guard lock(mutex_);
  const std::size_t count = std::min(most, experiment.waiting.size());
  const auto end = experiment.waiting.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<std::uint64_t> cells(experiment.waiting.begin(), end);
  experiment.waiting.erase(experiment.waiting.begin(), end);
  experiment.under_way += count;
  return cells;
}

std::size_t CellCoordinator::waiting(const Experiment& experiment) const {
  const std::lock_guard lock(mutex_);
  return experiment.waiting.size();
}

void CellCoordinator::lose(std::string why) {
  const std::lock_guard lock(mutex_);
  lost_ = std::move(why);
}

void CellCoordinator::tell(std::string line) {
  const std::lock_guard lock(mutex_);
  lines_.push_back(std::move(line));
}

void CellCoordinator::give_up(const Error& error) {
  const std::lock_guard lock(mutex_);
  for (const ExperimentPtr& each : experiments_) {
    if (each->over || each->left) continue;
    each->waiting.clear();
    stop_taking(*each, 0, std::make_exception_ptr(error));
  }
  notify();
}

void CellCoordinator::compute_alone() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(alone_, true)) return;
  lines_.emplace_back("no worker can follow the script; this process computes the cells itself");
  notify();
}

void CellCoordinator::count_workers(std::size_t now) {
  const std::lock_guard lock(mutex_);
  alive_ = now;
}

std::vector<std::string> CellCoordinator::names() const {
  std::vector<std::string> all;
  all.reserve(experiments_.size());
  for (const ExperimentPtr& each : experiments_) all.push_back(each->design.name);
  return all;
}

void CellCoordinator::progress(const Experiment* experiment) {
  const auto& on_cells = main_.options().on_cells;
  if (experiment == nullptr) {
    if (on_cells) on_cells(nullptr);
    return;
  }
  if ((!on_cells && !file_) || experiment->left) return;
  const CellProgress now{experiment->design.name,
                         experiment->known,
                         experiment->outcomes.size(),
                         experiment->stored,
                         experiment->failed,
                         store_ != nullptr,
                         workers()};
  if (file_) file_->update(now);
  if (on_cells) on_cells(&now);
}

std::size_t CellCoordinator::workers() const {
  return alive_ + threads_.size() + (main_.options().jobs > 0 ? 1 : 0);
}

void CellCoordinator::start_workers(std::size_t cells) {
  const InterpreterOptions& options = main_.options();
  if (options.interactive || main_.script_file().empty()) return;
  if (server_) {
    server_->start(cells);
  } else if (!options.workers.empty() && cells > 0) {
    const WithoutSignals without_signals;
    auto server = std::make_unique<WorkerServer>(*this, options, main_.script_file(),
                                                 store_ ? main_.files().output_folder(".") : std::string());
    server->start(cells);
    const std::lock_guard lock(mutex_);
    server_ = std::move(server);
  }
  start_threads(cells);
}

void CellCoordinator::start_threads(std::size_t cells) {
  const InterpreterOptions& options = main_.options();
  const WithoutSignals without_signals;
  while (threads_.size() + 1 < std::min<std::size_t>(options.jobs, cells)) {
    InterpreterOptions own = options;
    own.output = own.warnings = [](std::string_view) {};
    own.on_outcome = {};
    own.on_progress = {};
    own.on_cells = {};
    own.cell = {};
    own.interruptible = true;
    own.worker_of = this;
    try {
      threads_.emplace_back([this, own = std::move(own)]() mutable { work(std::move(own)); });
    } catch (const std::system_error&) {  // no more threads: fewer workers must do
      return;
    }
  }
}

void CellCoordinator::work(InterpreterOptions options) {
  try {
    Interpreter worker(main_.open_words(), std::move(options));
    take_stops_in_this_thread();
    const auto enlist = [&](bool on) {
      const std::lock_guard lock(mutex_);
      interpreter_of_thread = on ? &worker : nullptr;
      if (on)
        workers_.insert(&worker);
      else
        workers_.erase(&worker);
      if (!ending_) return;
      worker.hang_up();
      worker.interrupt();
    };
    enlist(true);
    try {
      worker.run_file(main_.script_file());
    } catch (const Error& error) {
      const std::lock_guard lock(mutex_);
      if (error.diagnostic().code != "interrupted") lost_ = error.diagnostic().text();
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      lost_ = error.what();
    }
    enlist(false);
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    lost_ = error.what();
  }
}

std::string CellCoordinator::failed() const {
  std::string text;
  for (const ExperimentPtr& each : experiments_)
    if (each->failed > 0 && !each->failures_read)
      text += fmt::format("{}experiment '{}': {} of {} cells failed", text.empty() ? "" : "; ",
                          each->design.name, each->failed, each->outcomes.size());
  return text;
}

CellCoordinator& coordinator_of(Interpreter& interpreter) {
  return static_cast<CellCoordinator&>(dealer_of(interpreter));
}

Diagnostic diagnostic_of(const std::exception_ptr& problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const Error& error) {
    return error.diagnostic();
  } catch (const std::exception& error) {
    return {"internal", error.what(), {}, {}};
  }
}

CellDealer& dealer_of(Interpreter& interpreter) {
  if (interpreter.cells() == nullptr) interpreter.set_cells(std::make_unique<CellCoordinator>(interpreter));
  return static_cast<CellDealer&>(*interpreter.cells());
}

}  // namespace perigee::experiments
