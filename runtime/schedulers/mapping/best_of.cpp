// Best of: runs several mappers and keeps the mapping with the least makespan.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837, where duplex is the best of min-min and max-min.
// Cost: that of all. Ties: the first in the list.
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/alternatives.h"

namespace perigee::mapping {
namespace {

class BestOf final : public MapperOf<BestOf> {
 public:
  explicit BestOf(std::vector<std::unique_ptr<Mapper>> mappers) : mappers_(std::move(mappers)) {}

  void reseed(const Stream& stream) override { mappers_.reseed(stream); }

  void map(const MappingProblem& problem, Mapping& out) override {
    const std::size_t taken = mappers_.map_best(problem, out);
    set_count(out.search, "taken", static_cast<double>(taken + 1));
  }

  void explain(const MappingProblem& problem, const Mapping& answer, std::size_t task,
               MappingStep& out) override {
    mappers_.explain_taken(problem, answer, task, out);
  }

 private:
  Alternatives mappers_;
};

}  // namespace

Entry best_of() {
  return {
      .name = "best_of",
      .family = Family::mapping,
      .role = Role::mapper,
      .summary = "the best by makespan of what several mappers answer",
      .source = "Braun et al. 2001 (duplex, which is the best of two)",
      .complexity = "that of all of them together",
      .ties = "the first in the list",
      .parameters = {{.name = "maps",
                      .type = ParameterType::mappers,
                      .summary = "the mappers",
                      .fallback = Parts{"min_min", "max_min"}}},
      .make_mapper = [](const Arguments& given) { return std::make_unique<BestOf>(given.mappers("maps")); }};
}

}  // namespace perigee::mapping
