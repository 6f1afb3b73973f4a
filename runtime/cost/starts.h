// Mapping only as far as tasks begin at once. A policy that maps anew at the next event needs no more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/cost/greedy.h"
#include "runtime/cost/mapping.h"

namespace perigee::cost {

enum class Extent : std::uint8_t { all, starts };

// A mapper that chooses one task after another, and can stop early.
class MapsStarts {
 public:
  // The first choices of map(): all of them, or up to the one after which no machine is free now.
  virtual void map_starts(const MappingProblem& problem, Mapping& out) = 0;

 protected:
  ~MapsStarts() = default;
};

// Tells when such a mapping is over: no machine that some task can use is free now.
class Starts {
 public:
  Starts(const MappingProblem& problem, Extent extent);
  // first_free(machine): the time when its first core is free.
  template <class F>
  bool is_over(F&& first_free) const {
    if (extent_ == Extent::all) return false;
    for (const std::uint32_t machine : machines_)
      if (first_free(machine) <= now_) return false;
    return true;
  }

 private:
  Extent extent_;
  double now_;
  std::vector<std::uint32_t> machines_;  // machines that some task can use
};

void greedy_by_key(const MappingProblem& problem, const GreedyKey& key, bool largest, bool pure, Mapping& out,
                   const GreedyPlace& place, Extent extent);

}  // namespace perigee::cost
