// Then improve: a search begins with the mapping of another mapper.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837, whose genetic algorithm begins with min-min's mapping.
// Source of local search: Ritchie and Levine, 22nd Workshop of the UK Planning and Scheduling SIG, 2003.
// Cost: that of both. Ties: the first mapping, unless the search finds a smaller makespan.
#include "runtime/kernel/clone_ptr.h"
#include "runtime/schedulers/catalogue.h"
#include "runtime/schedulers/mapping/improver.h"

namespace perigee::mapping {
namespace {

class ThenImprove final : public MapperOf<ThenImprove> {
 public:
  ThenImprove(std::unique_ptr<Mapper> first, std::unique_ptr<Mapper> then)
      : first_(std::move(first)), then_(std::move(then)) {}

  void reseed(const Stream& stream) override {
    first_->reseed(stream.sub(0));
    then_->reseed(stream.sub(1));
  }

  void map(const MappingProblem& problem, Mapping& out) override {
    first_->map(problem, out);
    dynamic_cast<Improver&>(*then_).improve(problem, out);
  }

 private:
  ClonePtr<Mapper> first_, then_;
};

}  // namespace

Entry then_improve() {
  return {.name = "then_improve",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "a mapper's mapping, then a search from there: never worse",
          .source = "Braun et al. 2001 (the genetic algorithm's first mapping); Ritchie and Levine 2003",
          .complexity = "that of both",
          .ties = "the first mapping, unless the search finds a smaller makespan",
          .parameters = {{.name = "map",
                          .type = ParameterType::mapper,
                          .summary = "makes the mapping to begin with",
                          .fallback = "min_min"},
                         {.name = "with",
                          .type = ParameterType::improver,
                          .summary = "searches from there",
                          .fallback = "local_search"}},
          .make_mapper = [](const Arguments& given) {
            return std::make_unique<ThenImprove>(given.mapper("map"), given.mapper("with"));
          }};
}

}  // namespace perigee::mapping
