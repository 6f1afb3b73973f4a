#include "interpreter/experiments/coordinator.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace perigee {

Coordinator::Coordinator(Interpreter& main) : main_(main) {}

Coordinator::~Coordinator() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (Interpreter* worker : workers_) worker->hang_up();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::string Coordinator::hash_now(const std::string& file) {
  const auto [at, is_new] = hashes_.try_emplace(file);
  if (is_new) {
    try {
      at->second = file_hash(main_.find_data_file(file));
    } catch (const Error&) {  // it is not there
    }
  }
  return at->second;
}

// Rounds, until one has cells that are not stored.
void Coordinator::plan(Experiment& experiment) {
  while (experiment.waiting.empty()) {
    const std::vector<std::uint64_t> cells = next_round(experiment.design, experiment.outcomes);
    if (cells.empty()) {
      experiment.over = true;
      return;
    }
    experiment.known += cells.size();
    for (const std::uint64_t cell : cells) {
      std::optional<CellOutcome> stored;
      if (store_)
        stored =
            store_->find(experiment.design, cell, [&](const std::string& file) { return hash_now(file); });
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

void Coordinator::open(Experiment& experiment) {
  for (const ExperimentPtr& other : experiments_)
    if (other.get() != &experiment && other->design.name == experiment.design.name &&
        !main_.options().interactive)
      fail("duplicate_name", "the experiment '{}' is declared twice, first in line {}; give it another name",
           experiment.design.name, other->design.where.line);
  if (!store_ && main_.keeps_cells()) store_ = std::make_unique<Store>(main_.output_folder("."));
  plan(experiment);
}

void Coordinator::abandon(Experiment& experiment) {
  experiment.waiting.clear();
  experiment.left = true;
  if (main_.options().interactive)
    std::erase_if(experiments_, [&](const ExperimentPtr& e) { return e.get() == &experiment; });
  changed_.notify_all();
}

ExperimentPtr Coordinator::enter(Interpreter& interpreter, std::size_t nth, const Design& design) {
  std::unique_lock lock(mutex_);
  if (&interpreter == &main_) {
    auto experiment = std::make_shared<Experiment>(Experiment{design, {}});
    experiments_.push_back(experiment);
    try {
      open(*experiment);
    } catch (...) {  // the workers come to the same error
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

std::optional<std::uint64_t> Coordinator::take(Interpreter& interpreter, Experiment& experiment) {
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
    changed_.wait(lock);
  }
}

void Coordinator::give(Experiment& experiment, std::uint64_t cell, CellOutcome outcome) {
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

void Coordinator::put_back(Experiment& experiment, std::uint64_t cell) noexcept {
  const std::lock_guard lock(mutex_);
  --experiment.under_way;
  if (!experiment.problem) experiment.waiting.push_front(cell);
  changed_.notify_all();
}

void Coordinator::stop_by(Experiment& experiment, std::uint64_t cell, std::exception_ptr problem) {
  const std::lock_guard lock(mutex_);
  --experiment.under_way;
  experiment.waiting.clear();
  if (!experiment.problem || cell < experiment.stopped_by) {
    experiment.stopped_by = cell;
    experiment.problem = std::move(problem);
  }
  changed_.notify_all();
}

void Coordinator::leave(Experiment& experiment) {
  const std::lock_guard lock(mutex_);
  progress(nullptr);
  if (!experiment.over) abandon(experiment);
}

std::string Coordinator::lost_worker() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lost_, {});
}

void Coordinator::wait_for_more(Interpreter& worker, std::size_t nth) {
  std::unique_lock lock(mutex_);
  const auto more = [&] {
    return std::any_of(experiments_.begin() + static_cast<std::ptrdiff_t>(nth) + 1, experiments_.end(),
                       [](const ExperimentPtr& later) { return !later->over && !later->left; });
  };
  changed_.wait(lock, [&] { return ending_ || more(); });
  if (ending_) worker.stop_interrupted();
}

std::vector<std::string> Coordinator::names() const {
  std::vector<std::string> all;
  all.reserve(experiments_.size());
  for (const ExperimentPtr& each : experiments_) all.push_back(each->design.name);
  return all;
}

void Coordinator::progress(const Experiment* experiment) {
  if (!main_.options().on_cells) return;
  if (experiment == nullptr) return main_.options().on_cells(nullptr);
  const CellProgress now{experiment->design.name, experiment->known,  experiment->outcomes.size(),
                         experiment->stored,      experiment->failed, store_ != nullptr};
  main_.options().on_cells(&now);
}

void Coordinator::start_workers(std::size_t cells) {
  const InterpreterOptions& options = main_.options();
  if (options.interactive || main_.script_file().empty()) return;
  while (threads_.size() + 1 < std::min<std::size_t>(options.jobs, cells)) {
    InterpreterOptions own = options;
    own.output = own.warnings = [](std::string_view) {};
    own.on_outcome = {};
    own.on_progress = {};
    own.on_cells = {};
    own.cell = {};
    own.interactive = true;  // hang_up() stops it
    own.worker_of = this;
    try {
      threads_.emplace_back([this, own = std::move(own)]() mutable { work(std::move(own)); });
    } catch (const std::system_error&) {  // no more threads: fewer workers do it
      return;
    }
  }
}

void Coordinator::work(InterpreterOptions options) {
  try {
    Interpreter worker(std::move(options));
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

}  // namespace perigee
