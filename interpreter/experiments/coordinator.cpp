#include "interpreter/experiments/coordinator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <system_error>

namespace perigee::experiments {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{200};  // the time between two looks at Ctrl-C

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

}  // namespace

CellCoordinator::CellCoordinator(Interpreter& main) : main_(main) {}

CellCoordinator::~CellCoordinator() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (Interpreter* worker : workers_) worker->hang_up();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
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

// Plans rounds until one has cells that are not stored.
void CellCoordinator::plan(Experiment& experiment) {
  while (experiment.waiting.empty()) {
    const std::vector<std::uint64_t> cells = next_round(experiment.design, experiment.outcomes);
    if (cells.empty()) {
      warn_of_same_seeds(experiment.design, experiment.outcomes);
      experiment.over = true;
      return;
    }
    experiment.known += cells.size();
    for (const std::uint64_t cell : cells) {
      std::optional<CellOutcome> stored;
      if (store_) stored = store_->find(experiment.design, cell, [&](const auto& read) { return now(read); });
      if (!stored) {
        experiment.waiting.push_back(cell);
        continue;
      }
      ++experiment.stored;
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
  if (!store_ && main_.keeps_cells()) store_ = std::make_unique<Store>(main_.files().output_folder("."));
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
  if (main_.options().interactive)
    std::erase_if(experiments_, [&](const ExperimentPtr& e) { return e.get() == &experiment; });
  changed_.notify_all();
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
    start_workers(experiment->waiting.size());
    changed_.notify_all();
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
  std::unique_lock lock(mutex_);
  for (;;) {
    if (experiment.problem && experiment.under_way == 0) std::rethrow_exception(experiment.problem);
    if (ending_ || experiment.left) interpreter.stop_interrupted();
    if (!experiment.waiting.empty()) {
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

void CellCoordinator::give(Experiment& experiment, std::uint64_t cell, CellOutcome outcome) {
  const std::lock_guard lock(mutex_);
  try {
    --experiment.under_way;
    if (outcome.failed()) {
      ++experiment.failed;
    } else {
      if (store_ && !experiment.problem) store_->put(experiment.design, cell, outcome);
      if (last_names_ && *last_names_ == *outcome.names) outcome.names = last_names_;
      last_names_ = outcome.names;
    }
    experiment.outcomes.emplace(cell, std::move(outcome));
    if (experiment.waiting.empty() && experiment.under_way == 0 && !experiment.problem) plan(experiment);
  } catch (const std::exception&) {  // the store cannot be written
    experiment.waiting.clear();
    experiment.problem = std::current_exception();
  }
  progress(&experiment);
  changed_.notify_all();
}

void CellCoordinator::put_back(Experiment& experiment, std::uint64_t cell) noexcept {
  const std::lock_guard lock(mutex_);
  --experiment.under_way;
  if (!experiment.problem) experiment.waiting.push_front(cell);
  changed_.notify_all();
}

void CellCoordinator::stop_by(Experiment& experiment, std::uint64_t cell, std::exception_ptr problem) {
  const std::lock_guard lock(mutex_);
  --experiment.under_way;
  experiment.waiting.clear();
  if (!experiment.problem || cell < experiment.stopped_by) {
    experiment.stopped_by = cell;
    experiment.problem = std::move(problem);
  }
  changed_.notify_all();
}

void CellCoordinator::leave(Experiment& experiment) {
  const std::lock_guard lock(mutex_);
  progress(nullptr);
  if (!experiment.over) abandon(experiment);
}

std::string CellCoordinator::kept(const Experiment& experiment) const {
  const std::lock_guard lock(mutex_);
  if (!store_) return {};
  return fmt::format("{} of {} cells are kept in {}/experiments.sqlite, and the same command goes on",
                     experiment.outcomes.size() - experiment.failed, experiment.known, main_.options().out);
}

std::string CellCoordinator::lost_worker() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lost_, {});
}

void CellCoordinator::wait_for_more(Interpreter& worker, std::size_t nth) {
  std::unique_lock lock(mutex_);
  const auto more = [&] {
    return std::any_of(experiments_.begin() + static_cast<std::ptrdiff_t>(nth) + 1, experiments_.end(),
                       [](const ExperimentPtr& later) { return !later->over && !later->left; });
  };
  changed_.wait(lock, [&] { return ending_ || more(); });
  if (ending_) worker.stop_interrupted();
}

std::vector<std::string> CellCoordinator::names() const {
  std::vector<std::string> all;
  all.reserve(experiments_.size());
  for (const ExperimentPtr& each : experiments_) all.push_back(each->design.name);
  return all;
}

void CellCoordinator::progress(const Experiment* experiment) {
  if (!main_.options().on_cells) return;
  if (experiment == nullptr) return main_.options().on_cells(nullptr);
  const CellProgress now{experiment->design.name, experiment->known,  experiment->outcomes.size(),
                         experiment->stored,      experiment->failed, store_ != nullptr};
  main_.options().on_cells(&now);
}

void CellCoordinator::start_workers(std::size_t cells) {
  const InterpreterOptions& options = main_.options();
  if (options.interactive || main_.script_file().empty()) return;
  const WithoutSignals without_signals;
  while (threads_.size() + 1 < std::min<std::size_t>(options.jobs, cells)) {
    InterpreterOptions own = options;
    own.output = own.warnings = [](std::string_view) {};
    own.on_outcome = {};
    own.on_progress = {};
    own.on_cells = {};
    own.cell = {};
    own.interactive = true;  // hang_up() stops it
    own.interruptible = false;
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
    const auto enlist = [&](bool on) {
      const std::lock_guard lock(mutex_);
      if (on)
        workers_.insert(&worker);
      else
        workers_.erase(&worker);
      if (ending_) worker.hang_up();
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
  if (interpreter.cells() == nullptr) interpreter.set_cells(std::make_unique<CellCoordinator>(interpreter));
  return static_cast<CellCoordinator&>(*interpreter.cells());
}

}  // namespace perigee::experiments
