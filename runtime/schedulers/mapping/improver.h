// Mappers that search over vectors. They start anywhere, or improve a given mapping.
#pragma once

#include <memory>

#include "runtime/schedulers/mapping/assignments.h"

namespace perigee::mapping {

class Improver : public Mapper {
 public:
  void map(const MappingProblem& problem, Mapping& out) final;
  // Replaces the mapping, which is of this problem, by a better one found from it; if none is found, it
  // stays. The curve begins with its makespan.
  void improve(const MappingProblem& problem, Mapping& mapping);

 protected:
  // The best vector found, from `start` on if there is one; an empty one if no task can run. Fills the counts
  // of `found`, and its curve if a task can run.
  virtual Assignment search(Assignments& space, const Assignment* start, Search& found) = 0;
};

// Gives an improver its clone() by copy construction. Its entry has `improves`.
template <class Self>
class ImproverOf : public Improver {
 public:
  std::unique_ptr<Mapper> clone() const final {
    return std::make_unique<Self>(static_cast<const Self&>(*this));
  }
};

}  // namespace perigee::mapping
