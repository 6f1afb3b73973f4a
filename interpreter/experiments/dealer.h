// Who deals out the cells of experiments to an interpreter: the coordinator of its process, or the connection
// to the coordinator of another one.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/experiments/design.h"
#include "interpreter/experiments/store.h"
#include "interpreter/session/interpreter.h"

namespace perigee::experiments {

struct Experiment {
  Design design;
  CellOutcomes outcomes;  // complete once the experiment is over, but for a shard
  bool partial = false;   // a shard has computed its part, and lacks others
  bool reached = false;   // the key of a later experiment depends on the outcomes

  // The members below belong to the coordinator, under its lock.
  std::deque<std::uint64_t> waiting = {};
  std::size_t known = 0;  // number of cells so far
  std::size_t under_way = 0;
  std::size_t failed = 0, stored = 0, elsewhere = 0;
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

// The diagnostic of an exception; an exception that is no Error has the code "internal".
Diagnostic diagnostic_of(const std::exception_ptr& problem);

class CellDealer : public Cells {
 public:
  // The experiment that an interpreter has come to, its `nth` from 0. The main interpreter opens it: it looks
  // up stored cells, and starts workers if there is something to do.
  virtual ExperimentPtr enter(Interpreter& interpreter, std::size_t nth, const Design& design) = 0;
  // The next cell to compute; waits while others may still bring new ones. Nothing when all are done. When
  // the experiment cannot go on, throws the error that is the cause.
  virtual std::optional<std::uint64_t> take(Interpreter& interpreter, Experiment& experiment) = 0;
  virtual void give(Experiment& experiment, std::uint64_t cell, CellOutcome outcome) = 0;
  virtual void put_back(Experiment& experiment, std::uint64_t cell) noexcept = 0;
  // Ends the experiment with this error once all cells below this one are done, unless one of those has an
  // error.
  virtual void stop_by(Experiment& experiment, std::uint64_t cell, std::exception_ptr problem) = 0;
  // A worker goes on only where the main interpreter has found more to do, and stops when that has ended. The
  // outcomes of the experiment, its `nth`, are complete then.
  virtual void wait_for_more(Interpreter& worker, std::size_t nth, Experiment& experiment) = 0;
};

// The dealer of the interpreter, made where there is none yet; a worker's is that of the main interpreter.
CellDealer& dealer_of(Interpreter& interpreter);

}  // namespace perigee::experiments

namespace perigee::host {

template <>
struct TypeName<experiments::ExperimentPtr> {
  static constexpr const char* value = "experiment";
};

}  // namespace perigee::host
