#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/kernel/random.h"

namespace perigee::cost {

// Independent tasks to be placed on machines, as a matrix of expected times to compute (ETC). A machine is
// one queue. If first_core is given, it has cores, and a task takes `width` cores of one machine at once.
struct MappingProblem {
  std::size_t tasks = 0;
  std::size_t machines = 0;
  std::span<const double> etc;    // etc[t * machines + m], seconds, >= 0; +inf = cannot run there
  std::span<const double> ready;  // seconds per machine, with cores per core; empty = all 0
  // machines + 1 numbers. Machine m has the cores first_core[m] .. first_core[m + 1] - 1.
  std::span<const std::uint32_t> first_core = {};
  std::span<const std::uint32_t> width = {};  // cores per task, >= 1; empty = all 1
  double now = 0;  // with cores: no task begins before, whatever core was ready before
  // With cores: machines are compared by the end of everything there (true), or of the task alone (false).
  bool whole_machine = false;
  // Per machine the number of its cluster, from 0; empty = each machine is its own.
  std::span<const std::uint32_t> cluster = {};
  // As etc, without cores: seconds before which the task cannot begin there. Empty: none. Only mappers whose entry
  // `chooses_ready` look at it.
  std::span<const double> earliest = {};
  // A mapper that chooses one task after the other may stop after so many.
  std::size_t choices = std::numeric_limits<std::size_t>::max();

  bool has_cores() const { return !first_core.empty(); }
  bool has_earliest() const { return !earliest.empty(); }
  std::uint32_t cores(std::size_t machine) const {
    return has_cores() ? first_core[machine + 1] - first_core[machine] : 1;
  }
  std::uint32_t cluster_of(std::size_t machine) const {
    return cluster.empty() ? static_cast<std::uint32_t>(machine) : cluster[machine];
  }
  std::uint32_t width_of(std::size_t task) const { return width.empty() ? 1 : width[task]; }
  double time(std::size_t task, std::size_t machine) const { return etc[task * machines + machine]; }
};

inline constexpr std::uint32_t kUnmapped = std::numeric_limits<std::uint32_t>::max();

// The course of a search.
struct Search {
  std::vector<double> curve;  // makespan of the best mapping known after each step of the search, seconds
  std::vector<std::pair<std::string_view, double>> counts;  // steps, restarts, ...: by names of the program
};

// A mapper's answer. A task that can run nowhere stays unmapped and changes nothing else.
struct Mapping {
  std::vector<std::uint32_t> machine;  // per task; kUnmapped = infeasible everywhere
  std::vector<std::uint32_t> order;    // mapped tasks in order of choice
  std::vector<double> completion;      // per task, predicted end in seconds; NaN where unmapped
  double makespan = 0;                 // latest time of a machine, initial ready times included
  Search search = {};                  // empty of a mapper that does not search
};

struct MappingStep;  // runtime/cost/explain.h

// Turns a view of waiting work into an assignment. A mapper is pure: it has no clock, and no state between
// calls except a named random stream.
class Mapper {
 public:
  virtual ~Mapper() = default;
  virtual std::unique_ptr<Mapper> clone() const = 0;
  // From here on the mapper draws its numbers from a copy of this stream. Most mappers draw none.
  virtual void reseed(const Stream&) {}
  // Overwrites `out`; its capacity is reused from call to call.
  virtual void map(const MappingProblem& problem, Mapping& out) = 0;
  // Explains how the task came to its machine in `answer`, which this mapper gave to the problem. The default
  // compares the completion on each machine, or the makespan if the mapper searched.
  virtual void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                       MappingStep& out);
};

// Gives a mapper its clone() by copy construction.
template <class Self>
class MapperOf : public Mapper {
 public:
  std::unique_ptr<Mapper> clone() const final {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
};

}  // namespace perigee::cost
