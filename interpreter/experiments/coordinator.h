// Deals out the cells of a script's experiments to the interpreters that run it. Each of them runs the same
// script from the top. At an experiment it computes cells until all are done. Then it goes on with the
// results of all interpreters. Only the main interpreter prints and writes.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "interpreter/experiments/design.h"
#include "interpreter/experiments/store.h"
#include "interpreter/session/interpreter.h"

namespace perigee::experiments {

struct Experiment {
  Design design;
  CellOutcomes outcomes;  // complete once the experiment is over

  // The members below belong to the coordinator, under its lock.
  std::deque<std::uint64_t> waiting = {};
  std::size_t known = 0;  // number of cells so far
  std::size_t under_way = 0;
  std::size_t failed = 0, stored = 0;
  bool over = false;             // all cells are done
  bool left = false;             // the main interpreter has left before it was over
  std::uint64_t stopped_by = 0;  // the first cell after which nothing can go on
  std::exception_ptr problem = {};
  bool failures_read = false;
  // Facts of the store, for warnings: the number of cells under another key and the differences; the number
  // of damaged cells; cells that had looked for something that has changed.
  std::uint64_t others = 0, damaged = 0;
  std::vector<std::string> changed = {};
  Store::Outdated outdated = {};
};
using ExperimentPtr = std::shared_ptr<Experiment>;

class CellCoordinator final : public Cells {
 public:
  // A coordinator for the interpreter `main`, which outlives it.
  explicit CellCoordinator(Interpreter& main);
  ~CellCoordinator() override;
  CellCoordinator(const CellCoordinator&) = delete;
  CellCoordinator& operator=(const CellCoordinator&) = delete;

  // The experiment that an interpreter has come to, its `nth` from 0. The main interpreter opens it: it looks
  // up stored cells, and starts workers if there is something to do.
  ExperimentPtr enter(Interpreter& interpreter, std::size_t nth, const Design& design);
  // The next cell to compute; waits while others may still bring new ones. Nothing when all are done. When
  // the experiment cannot go on, throws the error that is the cause.
  std::optional<std::uint64_t> take(Interpreter& interpreter, Experiment& experiment);
  void give(Experiment& experiment, std::uint64_t cell, CellOutcome outcome);
  void put_back(Experiment& experiment, std::uint64_t cell) noexcept;
  // Ends the experiment with this error once all cells below this one are done, unless one of those has an
  // error.
  void stop_by(Experiment& experiment, std::uint64_t cell, std::exception_ptr problem);
  // The main interpreter goes on after the experiment, or leaves it by an error.
  void leave(Experiment& experiment);
  std::string kept(
      const Experiment& experiment) const;  // how many of its cells are stored, and where; empty = none is
  std::string lost_worker();                // why a worker could not follow the script; told once
  // A worker goes on only where the main interpreter has found more to do, and stops when that has ended.
  void wait_for_more(Interpreter& worker, std::size_t nth);

  std::vector<std::string> names() const override;
  std::string failed() const override;
  const std::vector<ExperimentPtr>& experiments() const { return experiments_; }

 private:
  void work(InterpreterOptions options);
  void start_workers(std::size_t cells);
  void open(Experiment& experiment);
  void abandon(Experiment& experiment);
  void plan(Experiment& experiment);
  void progress(const Experiment* experiment);
  std::optional<std::string> now(const CellOutcome::Read& read);

  Interpreter& main_;
  std::unique_ptr<Store> store_;
  std::map<std::string, std::optional<std::string>> hashes_;  // hashes of files, by name in the script
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ExperimentPtr> experiments_;
  CellOutcome::Names last_names_;
  std::vector<std::thread> threads_;
  std::set<Interpreter*> workers_;
  bool ending_ = false;
  std::string lost_;  // why a worker could not follow the script
};

// The coordinator of the interpreter, made where there is none yet; a worker's is that of the main
// interpreter.
CellCoordinator& coordinator_of(Interpreter& interpreter);

}  // namespace perigee::experiments

namespace perigee::host {

template <>
struct TypeName<experiments::ExperimentPtr> {
  static constexpr const char* value = "experiment";
};

}  // namespace perigee::host
