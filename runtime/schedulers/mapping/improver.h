// Mappers that search over vectors: from where they like, or to improve a given mapping.
#pragma once

#include <memory>

#include "runtime/schedulers/mapping/assignments.h"

namespace perigee::mapping {

class Improver : public Mapper {
 public:
  void map(const MappingProblem& problem, Mapping& out) final;
  // The mapping, which is of this problem, becomes a better one that was found from it; where none was, it
  // stays. The curve begins with its makespan.
  void improve(const MappingProblem& problem, Mapping& mapping);

 protected:
  // The best vector that was found, from `start` on where there is one; an empty one when no task can run.
  // Fills the counts of `found`, and its curve when a task can run.
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
