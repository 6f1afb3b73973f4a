// Several mappers; the best of their answers counts.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/cost/explain.h"
#include "runtime/cost/mapping.h"
#include "runtime/kernel/clone_ptr.h"

namespace perigee::mapping {

class Alternatives {
 public:
  explicit Alternatives(std::vector<std::unique_ptr<Mapper>> mappers) {
    for (std::unique_ptr<Mapper>& mapper : mappers) mappers_.emplace_back(std::move(mapper));
  }

  std::size_t size() const { return mappers_.size(); }
  Mapper& operator[](std::size_t i) const { return *mappers_[i]; }
  // Each mapper draws from a stream of its own.
  void reseed(const Stream& stream) {
    for (std::size_t i = 0; i < mappers_.size(); ++i) mappers_[i]->reseed(stream.sub(i));
  }
  // The answer with the least makespan; ties: the first. Returns the index of its mapper.
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
  // Explains the answer, which mapper i gave. The counts of that mapper may have been overwritten in it.
  void explain(std::size_t i, const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) {
    Mapping again;
    mappers_[i]->clone()->map(problem, again);
    const bool same = again.machine == answer.machine && again.order == answer.order;  // false if it draws
    mappers_[i]->explain(problem, same ? again : answer, task, out);
  }
  // The same for the mapper whose number, from 1, the answer has as its count `taken`.
  void explain_taken(const MappingProblem& problem, const Mapping& answer, std::size_t task,
                     MappingStep& out) {
    std::size_t taken = 0;
    for (const auto& [name, count] : answer.search.counts)
      if (name == "taken") taken = static_cast<std::size_t>(count) - 1;
    explain(std::min(taken, size() - 1), problem, answer, task, out);
    out.rule = fmt::format("of {} mappers the answer of number {} is taken: {}", size(), taken + 1, out.rule);
  }

 private:
  std::vector<ClonePtr<Mapper>> mappers_;
  Mapping other_;  // kept for its capacity
};

// Sets a count of a mapper, and overwrites an inner mapper's count of that name.
inline void set_count(Search& search, std::string_view name, double value) {
  std::erase_if(search.counts, [name](const auto& count) { return count.first == name; });
  search.counts.emplace_back(name, value);
}

}  // namespace perigee::mapping
