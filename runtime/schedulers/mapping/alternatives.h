// Several mappers, of which the best answer counts.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/cost/mapping.h"
#include "runtime/kernel/clone_ptr.h"

namespace perigee {

class Alternatives {
 public:
  explicit Alternatives(std::vector<std::unique_ptr<Mapper>> mappers) {
    for (std::unique_ptr<Mapper>& mapper : mappers) mappers_.emplace_back(std::move(mapper));
  }

  std::size_t size() const { return mappers_.size(); }
  Mapper& operator[](std::size_t i) const { return *mappers_[i]; }
  // Each draws from a stream of its own.
  void reseed(const Stream& stream) {
    for (std::size_t i = 0; i < mappers_.size(); ++i) mappers_[i]->reseed(stream.sub(i));
  }
  // The answer with the least makespan, of equal ones the first; returns whose it is.
  std::size_t map_best(const MappingProblem& problem, Mapping& out) {
    std::size_t taken = 0;
    mappers_[0]->map(problem, out);
    for (std::size_t i = 1; i < mappers_.size(); ++i) {
      mappers_[i]->map(problem, other_);
      if (!(other_.makespan < out.makespan)) continue;
      std::swap(out, other_);
      taken = i;
    }
    return taken;
  }

 private:
  std::vector<ClonePtr<Mapper>> mappers_;
  Mapping other_;  // kept for its capacity
};

// Adds to what a mapper counts, over an inner mapper's count of that name.
inline void set_count(Search& search, std::string_view name, double value) {
  std::erase_if(search.counts, [name](const auto& count) { return count.first == name; });
  search.counts.emplace_back(name, value);
}

}  // namespace perigee
