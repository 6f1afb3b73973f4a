// Deals out the cells of a script's experiments to the interpreters that run it: threads of this process, and
// workers in other processes (workers/server.h). Each of them runs the same script from the top. At an
// experiment it computes cells until all are done. Then it goes on with the results of all interpreters. Only
// the main interpreter prints and writes.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "interpreter/experiments/dealer.h"
#include "interpreter/experiments/design.h"
#include "interpreter/experiments/progress_file.h"
#include "interpreter/experiments/store.h"
#include "interpreter/session/interpreter.h"

namespace perigee::experiments {

class WorkerServer;

class CellCoordinator final : public CellDealer {
 public:
  // A coordinator for the interpreter `main`, which outlives it.
  explicit CellCoordinator(Interpreter& main);
  ~CellCoordinator() override;
  CellCoordinator(const CellCoordinator&) = delete;
  CellCoordinator& operator=(const CellCoordinator&) = delete;

  ExperimentPtr enter(Interpreter& interpreter, std::size_t nth, const Design& design) override;
  std::optional<std::uint64_t> take(Interpreter& interpreter, Experiment& experiment) override;
  void give(Experiment& experiment, std::uint64_t cell, CellOutcome outcome) override;
  void put_back(Experiment& experiment, std::uint64_t cell) noexcept override;
  void stop_by(Experiment& experiment, std::uint64_t cell, std::exception_ptr problem) override;
  void wait_for_more(Interpreter& worker, std::size_t nth, Experiment& experiment) override;
  // The main interpreter goes on after the experiment, or leaves it by an error.
  void leave(Experiment& experiment);
  std::string kept(
      const Experiment& experiment);  // how many of its cells are stored, and where; empty = none is
  std::string lost_worker();          // why a worker could not follow the script; told once

  // ---- for the server of workers in other processes; from any thread
  ExperimentPtr experiment(std::size_t nth) const;  // null = the main interpreter has not come to it
  enum class Standing : std::uint8_t { open, over, left };
  Standing standing(const Experiment& experiment) const;
  // The error that is the cause that it was left; nothing where the script was stopped.
  std::optional<Diagnostic> problem(const Experiment& experiment) const;
  bool more_after(std::size_t nth) const;  // a later experiment has cells to compute
  // At the most so many of the cells to compute, none while there are none.
  std::vector<std::uint64_t> take_some(Experiment& experiment, std::size_t most);
  std::size_t waiting(const Experiment& experiment) const;  // cells that nobody has
  void give_all(Experiment& experiment, std::vector<std::pair<std::uint64_t, CellOutcome>> outcomes);
  void lose(std::string why);           // a worker could not follow the script
  void tell(std::string line);          // the main interpreter warns of it
  void give_up(const Error& error);     // there is nobody left who could compute
  void compute_alone();                 // the main interpreter computes, for no worker can follow the script
  void count_workers(std::size_t now);  // for the line of progress

  std::vector<std::string> names() const override;
  std::string failed() const override;
  const std::vector<ExperimentPtr>& experiments() const { return experiments_; }

 private:
  void work(InterpreterOptions options);
  void start_workers(std::size_t cells);
  void start_threads(std::size_t cells);
  void open(Experiment& experiment);
  void abandon(Experiment& experiment);
  void plan(Experiment& experiment);
  bool is_ours(std::uint64_t cell) const;  // all cells are, but to a shard
  void keep(Experiment& experiment, std::uint64_t cell, CellOutcome outcome);
  void commit();
  void commit_in_time();
  void stop_taking(Experiment& experiment, std::uint64_t cell, std::exception_ptr problem);
  void progress(const Experiment* experiment);
  std::size_t workers() const;  // those that compute cells
  void notify();
  bool more(std::size_t nth) const;
  std::optional<std::string> now(const CellOutcome::Read& read);

  Interpreter& main_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ProgressFile> file_;
  std::map<std::string, std::optional<std::string>> hashes_;  // hashes of files, by name in the script
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable put_;  // a cell was put into the store
  bool uncommitted_ = false;     // since the last commit
  std::vector<ExperimentPtr> experiments_;
  CellOutcome::Names last_names_;
  std::vector<std::thread> threads_;
  std::thread committer_;
  std::set<Interpreter*> workers_;
  std::unique_ptr<WorkerServer> server_;
  bool ending_ = false;
  bool alone_ = false;              // see compute_alone()
  std::string lost_;                // why a worker could not follow the script
  std::vector<std::string> lines_;  // which the main interpreter has not told yet
  std::size_t alive_ = 0;           // workers in other processes
};

// The coordinator of the main interpreter, made where there is none yet.
CellCoordinator& coordinator_of(Interpreter& interpreter);

}  // namespace perigee::experiments
