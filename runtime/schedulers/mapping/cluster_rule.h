// Mappers with a key made of a task's completions in the clusters of machines, each on the best machine
// there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/cost/chart_mapping.h"
#include "runtime/cost/greedy.h"
#include "runtime/cost/starts.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::mapping {

// key_of(completions) gets the finite completions in the clusters, ascending. `name` is the name of the key,
// with its unit.
class ClusterRule final : public MapperOf<ClusterRule>, public MapsStarts {
 public:
  using KeyOf = std::function<double(std::span<const Time>)>;
  ClusterRule(KeyOf key_of, bool largest, std::string name)
      : key_of_(std::move(key_of)), largest_(largest), name_(std::move(name)) {}
  void map(const MappingProblem& problem, Mapping& out) override { map(problem, out, Extent::all); }
  void map_starts(const MappingProblem& problem, Mapping& out) override { map(problem, out, Extent::starts); }
  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override;

 private:
  void map(const MappingProblem& problem, Mapping& out, Extent extent);
  GreedyKey key(const MappingProblem& problem) const;

  KeyOf key_of_;
  bool largest_;
  std::string name_;
};

// An entry with the common properties of these mappers, without its makers.
Entry cluster_rule_entry(std::string name, std::string summary, std::string source);

// "jump": what counts as a jump if no step stands out; "suff": how much a task suffers from it.
std::vector<Parameter> jump_parameters();
NoJump jump_of(const Arguments& given);
Suffering suffering_of(const Arguments& given);

}  // namespace perigee::mapping
