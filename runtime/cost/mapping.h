#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace perigee {

// Independent tasks to be placed on machines, as a matrix of expected times to compute (ETC).
struct MatrixProblem {
  std::size_t tasks = 0;
  std::size_t machines = 0;
  std::span<const double> etc;    // etc[t * machines + m], seconds, >= 0; +inf = cannot run there
  std::span<const double> ready;  // seconds per machine; empty = all 0

  double time(std::size_t task, std::size_t machine) const { return etc[task * machines + machine]; }
  double ready_at(std::size_t machine) const { return ready.empty() ? 0.0 : ready[machine]; }
};

inline constexpr std::uint32_t kUnmapped = std::numeric_limits<std::uint32_t>::max();

// A mapper's answer. A task that can run nowhere stays unmapped and changes nothing else.
struct Mapping {
  std::vector<std::uint32_t> machine;  // per task; kUnmapped = infeasible everywhere
  std::vector<std::uint32_t> order;    // mapped tasks in order of choice
  std::vector<double> completion;      // per task, predicted end in seconds; NaN where unmapped
  double makespan = 0;                 // latest machine time, initial ready times included
};

// Turns a view of waiting work into an assignment. Pure: no clock, no hidden state between calls
// other than what a named random stream carries.
class Mapper {
 public:
  virtual ~Mapper() = default;
  virtual std::unique_ptr<Mapper> clone() const = 0;
  // Overwrites `out`; its capacity is reused from call to call.
  virtual void map(const MatrixProblem& problem, Mapping& out) = 0;
};

// Gives a mapper its clone() by copy construction.
template <class Self>
class MapperOf : public Mapper {
 public:
  std::unique_ptr<Mapper> clone() const final {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
};

}  // namespace perigee
